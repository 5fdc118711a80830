"""MkDocs hooks: pages from outside docs/, and tables generated from the code.

A comment with a name of `GENERATED` is replaced by the generated text. A link out of docs/ leads
to the page that the site has of the file; a file without one is replaced by its path.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import import_module, resources
from itertools import groupby, pairwise, repeat
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import nbformat
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from nbclient.exceptions import CellExecutionError
from nbconvert.exporters import MarkdownExporter
from nbconvert.preprocessors import ExecutePreprocessor
from traitlets.config import Config

from features.schema import Column, opponents, predictions
from houjuu.arena.risk_table import KIND_NAMES
from houjuu.estimators.loading import shipped_models
from houjuu.reading import safety
from houjuu.reading.tenpai_features import melds_and_game
from houjuu.util import face, parameters
from houjuu.util.parameters import Array

ROOT = Path(__file__).parents[1]
INCLUDED = {"models.md": "models/README.md", "changelog.md": "CHANGELOG.md"}
"""Pages by name, and the files outside docs/ that they are copied from."""


FACES = (
    "houjuu",
    *(f"houjuu.{room}" for room in ("live", "risk", "estimators", "game", "hands", "logs")),
    *(f"houjuu.{room}" for room in ("reading", "scoring", "player", "arena", "review", "util")),
)
"""The packages whose names are public, in the order of the page API."""


class Table(NamedTuple):
    """A table of rows: its file, and the module and name of its schema."""

    file: str
    module: str
    name: str

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of its schema."""
        columns: tuple[Column, ...] = getattr(import_module(self.module), self.name)
        return columns


TABLES = (
    Table("data/games.parquet", "pipeline.stages.parse", "GAME_COLUMNS"),
    Table("data/paper_tenpai/", "features.schema.paper", "PAPER_TENPAI"),
    Table("data/paper_melded/", "features.schema.paper", "PAPER_MELDED"),
    Table("data/tenpai/", "features.schema.tenpai", "TENPAI"),
    Table("data/waits/", "features.schema.waits", "WAITS"),
    Table("data/ron_scores/", "features.schema.waits", "RON_SCORES"),
    Table("data/unseen/", "features.unseen_rows", "UNSEEN"),
    Table("data/MODEL/predictions/", "features.schema.predictions", "PREDICTIONS"),
    Table("data/MODEL/rons/", "features.schema.predictions", "RONS"),
    Table("data/yaku/", "features.yaku_rows", "YAKU"),
    Table("data/final_ranks/", "features.final_rank_rows", "FINAL_RANKS"),
    Table("data/round_ends/", "features.round_end_rows", "ROUND_ENDS"),
    Table("data/actions/", "features.action_rows", "ACTIONS"),
    Table("risks.csv", "houjuu.arena.risk_table", "RISKS"),
)

SAFETY_CODES = (
    *((safety, name) for name in ("GENBUTSU", "FULL_SUJI", "HONOUR", "HALF_SUJI", "NO_SUJI")),
    *((melds_and_game, name) for name in ("NOT_YET", "NO_RIICHI")),
)
"""Module and name of each code of the feature `last_discard_safety`."""

READERS = {
    "paper_tenpai": "houjuu.estimators.kurita_hoki.tenpai.PaperTenpaiModel",
    "paper_waits": "houjuu.estimators.kurita_hoki.riichi_waits.RiichiWaitModel",
    "paper_melded": "houjuu.estimators.kurita_hoki.melded_hands.MeldedHandModel",
    "tenpai_gam": "houjuu.estimators.log_linear.tenpai_gam.TenpaiGAMModel",
    "discard_network": "houjuu.estimators.log_linear.discard_network.DiscardNetwork",
    "riichi_waits": "houjuu.estimators.log_linear.closed_waits.ClosedWaitModel",
    "closed_waits": "houjuu.estimators.log_linear.closed_waits.ClosedWaitModel",
    "melded_waits": "houjuu.estimators.log_linear.melded_waits.MeldedWaitModel",
    "riichi_han": "houjuu.estimators.log_linear.han_model.ClosedHanModel",
    "closed_han": "houjuu.estimators.log_linear.han_model.ClosedHanModel",
    "melded_han": "houjuu.estimators.log_linear.han_model.MeldedHanModel",
    "rooms": "houjuu.estimators.log_linear.rooms.RoomFactors",
    "unseen_tiles": "houjuu.estimators.log_linear.unseen_tiles.UnseenTileModel",
    "hidden_hands": "houjuu.estimators.hand_model.HandModel",
    "yaku": "houjuu.player.hand_value.yaku_model.YakuModel",
    "games": "houjuu.estimators.seen_games.seen_by",
}
"""The class that validates and reads each part of a parameter file, by prefix of its arrays."""


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages from outside docs/.

    The notebooks are executed, unless `extra` of mkdocs.yml has ``execute_notebooks: false``.
    """
    for name, path in INCLUDED.items():
        files.append(File.generated(config, name, abs_src_path=str(ROOT / path)))
    for file in pages(config, config.extra.get("execute_notebooks", True)):
        files.append(file)
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Insert generated text and adapt links."""
    for name, generate in GENERATED.items():
        placeholder = f"<!-- {name} -->"
        if placeholder in markdown:
            markdown = markdown.replace(placeholder, "\n".join(generate()))
    if page.file.src_uri in INCLUDED:
        markdown = re.sub(r"\]\((\.\./)?docs/", "](", markdown)
    depth = page.file.src_uri.count("/")
    out_of_docs = re.escape("../" * (1 + depth))
    for name, path in INCLUDED.items():
        markdown = re.sub(rf"\]\({out_of_docs}{path}", f"]({'../' * depth}{name}", markdown)
    markdown = re.sub(rf"\]\({out_of_docs}(notebooks/\w+)\.ipynb", r"](\1.md", markdown)
    return re.sub(rf"\[([^]]*)\]\({out_of_docs}([^)#]*)\)", r"`\2`", markdown)


def data_tables() -> Iterator[str]:
    """Yield a section for every table, with a row for each column or run of numbered columns."""
    for table in TABLES:
        module = table.module.replace(".", "/") + ".py"
        description = " ".join(attribute_docstrings(table.module)[table.name].split())
        columns = table.columns
        yield f"\n## `{table.file}`\n"
        yield f"{description} `{table.name}` of `{module}`; {len(columns)} columns.\n"
        yield "| column | type | unit or range | source |\n|---|---|---|---|"
        yield from map(_row, _runs(columns))


def values() -> Iterator[str]:
    """Yield the values of the constants that columns refer to."""
    for module, name in ((opponents, "OPPONENT_TYPES"), (predictions, "SAFETY_CLASSES")):
        listed = ", ".join(f"“{value}”" for value in getattr(module, name))
        text = " ".join(attribute_docstrings(module.__name__)[name].split())
        yield f"- **`{name}`**: {text} {listed}."
    yield f"- **`RANK_CLASS`**: {attribute_docstrings('houjuu.reading.opponent')['RANK_CLASS']}"
    codes = (
        f"{getattr(module, name)} {name.lower().replace('_', ' ')}" for module, name in SAFETY_CODES
    )
    yield f"- **`GENBUTSU` … `NO_RIICHI`**: safety against a riichi: {', '.join(codes)}."


def attribute_docstrings(module: str) -> dict[str, str]:
    """The docstrings of a module's assignments, by name."""
    path = ROOT / module.replace(".", "/")
    body = ast.parse(
        (path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text()
    ).body
    docstrings = {}
    for node, following in pairwise(body):
        match node, following:
            case (
                ast.Assign(targets=[*_, ast.Name(name)]) | ast.AnnAssign(target=ast.Name(name)),
                ast.Expr(ast.Constant(str(text))),
            ):
                docstrings[name] = text
    return docstrings


def _runs(columns: Iterable[Column]) -> Iterator[list[Column]]:
    """Yield runs of columns that differ only in a final number, which counts by 1, or in a kind."""

    def run_key(indexed: tuple[int, Column]) -> tuple[object, ...]:
        index, column = indexed
        numbered = re.fullmatch(r"(.*_)(\d+)", column.name)
        stem = (numbered[1], int(numbered[2]) - index) if numbered else (column.name, 0)
        if column.name in KIND_NAMES:
            stem = ("kind", KIND_NAMES.index(column.name) - index)
        return (*stem, column.dtype, column.unit, column.source)

    for _, run in groupby(enumerate(columns), run_key):
        yield [column for _, column in run]


def _row(run: list[Column]) -> str:
    first, last = run[0], run[-1]
    name = f"`{first.name}`" + (f" … `{last.name}`" if len(run) > 1 else "")
    cells = (name, first.dtype, first.unit, first.source)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def array_tables() -> Iterator[str]:
    """Yield a section for every parameter file that ships, with a row for each array."""
    fitted = resources.files("houjuu") / "fitted"
    for name in (*shipped_models(), "hands/hidden_hands", "player/yaku"):
        with resources.as_file(fitted / f"{name}.npz") as path:
            file = parameters.read(path)
        yield f"\n### `houjuu/fitted/{name}.npz`\n"
        yield "| array | shape | type | read by |\n|---|---|---|---|"
        for array, values in file.arrays.items():
            reader = READERS[array.partition("/")[0]]
            shape = " × ".join(map(str, values.shape)) or "one number"
            yield f"| `{array}` | {shape} | {_type(values)} | [`{reader}`][] |"


def _type(values: Array) -> str:
    return "text" if values.dtype.kind == "U" else values.dtype.name


def api() -> Iterator[str]:
    """Yield a section for every face, with an entry for each name that no face before has."""
    shown = set[tuple[str, str]]()
    for package in FACES:
        module = import_module(package)
        yield f"\n## {package}\n"
        yield f"{(module.__doc__ or '').strip().partition(chr(10) * 2)[0]}\n"
        for name, origin in face.origins(package).items():
            if origin in shown or ".".join(origin) in FACES:
                continue
            shown.add(origin)
            yield f"::: {'.'.join(origin)}\n    options:\n      heading: {package}.{name}"
            yield f"      toc_label: {name}"


def _link_of_the_page(text: str, folder: str = "") -> Callable[[], Iterator[str]]:
    """The link from the site to the page beside it, which a view of the repository lacks."""
    return lambda: iter([f' <a href="{folder}app/index.html">{text}</a>'])


GENERATED = {
    "app": _link_of_the_page("Or open the page of this site."),
    "app-ja": _link_of_the_page("このサイトのページでも動きます。", "../"),
    "app-zh": _link_of_the_page("也可打开本站页面。", "../"),
    "api": api,
    "data tables": data_tables,
    "values": values,
    "array tables": array_tables,
}
"""Generators by name."""


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
