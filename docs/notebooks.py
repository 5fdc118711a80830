"""The notebooks as pages of the site: executed, with their figures."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import repeat
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File
from nbclient.exceptions import CellExecutionError
from nbconvert.exporters import MarkdownExporter
from nbconvert.preprocessors import ExecutePreprocessor
from traitlets.config import Config

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
_TIMEOUT = 600  # unit: s, of one cell


def pages(config: MkDocsConfig, execute: bool) -> list[File]:
    """The page of each notebook, and its figures.

    Parameters
    ----------
    config : MkDocsConfig
    execute : bool
        False leaves out all outputs, which takes no time.

    Raises
    ------
    PluginError
        A cell fails, or a notebook draws nothing.
    """
    files = []
    texts = [path.read_text() for path in NOTEBOOKS]
    names = [path.name for path in NOTEBOOKS]
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # a thread waits for the process of a notebook
        results = [*pool.map(converted, names, texts, repeat(execute))]
    for path, (page, figures) in zip(NOTEBOOKS, results, strict=True):
        if execute and not figures:
            raise PluginError(f"{path.name} draws no figure")
        files.append(File.generated(config, f"notebooks/{path.stem}.md", content=page))
        files += [
            File.generated(config, f"notebooks/{name}", content=content)
            for name, content in figures.items()
        ]
    return files


@cache
def converted(name: str, text: str, execute: bool) -> tuple[str, dict[str, bytes]]:
    """The Markdown of a notebook, and its figures by file name."""
    notebook = nbformat.reads(text, as_version=4)
    if execute:
        with TemporaryDirectory() as folder:  # of sockets: no port of the network
            private = Config(KernelManager={"transport": "ipc", "ip": f"{folder}/kernel"})
            try:
                ExecutePreprocessor(timeout=_TIMEOUT, config=private).preprocess(
                    notebook, {"metadata": {"path": str(ROOT / "notebooks")}}
                )
            except CellExecutionError as error:
                raise PluginError(f"{name}: {error.ename}: {error.evalue}") from error
    title = notebook.cells[0].source.splitlines()[0].lstrip("# ")
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [each for each in cell.outputs if each.get("name") != "stderr"]
    stem = name.removesuffix(".ipynb")
    page, resources = MarkdownExporter().from_notebook_node(
        notebook, {"output_files_dir": stem, "unique_key": "figure"}
    )
    return page.replace("![png]", f"![{title}: figure]"), dict(resources["outputs"])
