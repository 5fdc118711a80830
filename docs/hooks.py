"""What the site shows beside the files of docs/: pages and tables made of the repository itself.

A page asks for one of `MADE` by its name in double braces. Links that leave docs/ are shown as the
path they lead to, for they lead nowhere from the site.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from importlib import import_module, resources
from itertools import groupby, pairwise
from pathlib import Path
from typing import NamedTuple

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from features import schema
from features.schema import Column
from houjuu import cases, parameters
from houjuu.estimator import shipped_models
from houjuu.parameters import Array

ROOT = Path(__file__).parents[1]
MOVED = {"models.md": "models/README.md", "changelog.md": "CHANGELOG.md"}
"""Pages that are files from elsewhere in the repository."""


class Table(NamedTuple):
    """A table of rows: where it lies, and the module and name of its columns."""

    file: str
    module: str
    name: str

    @property
    def columns(self) -> tuple[Column, ...]:
        """Its columns."""
        found: tuple[Column, ...] = getattr(import_module(self.module), self.name)
        return found


TABLES = (
    Table("data/tenpai.parquet", "features.schema", "TENPAI"),
    Table("data/hands.parquet", "features.schema", "HANDS"),
    Table("data/signs.parquet", "features.schema", "SIGNS"),
    Table("data/situations.parquet", "features.schema", "SITUATIONS"),
    Table("data/wins.parquet", "features.schema", "WINS"),
    Table("data/MODEL/dangers.parquet", "features.schema", "DANGERS"),
    Table("data/MODEL/rons.parquet", "features.schema", "RONS"),
    Table("data/prospects.parquet", "features.prospects", "PROSPECTS"),
)

FACED = ("GENBUTSU", "SUJI", "HONOUR", "HALF_SUJI", "NO_SUJI", "NOT_YET", "NO_RIICHI")
"""What a discard was to a riichi, of `houjuu.cases`."""

READERS = {
    "tenpai": "houjuu.tenpai.TenpaiModel",
    "waits": "houjuu.waits.WaitModel",
    "melded": "houjuu.melded.MeldedModel",
    "signs": "houjuu.additive.AdditiveModel",
    "riichi": "houjuu.river_waits.RiverWaits",
    "closed": "houjuu.river_waits.RiverWaits",
    "melded_river": "houjuu.river_kinds.RiverKinds",
    "riichi_han": "houjuu.han.HanModel",
    "closed_han": "houjuu.han.HanModel",
    "melded_han": "houjuu.han.MeldedHan",
    "yaku": "houjuu.player.prospects.Prospects",
}
"""What checks and reads each part of a parameter file."""


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages that lie elsewhere."""
    for name, path in MOVED.items():
        files.append(File.generated(config, name, abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put in what the page asks for, and links right."""
    for name, made in MADE.items():
        mark = f"{{{{ {name} }}}}"
        if mark in markdown:
            markdown = markdown.replace(mark, "\n".join(made()))
    if page.file.src_uri in MOVED:
        markdown = re.sub(r"\]\((\.\./)?docs/", "](", markdown)
    return re.sub(r"\[([^]]*)\]\(\.\./([^)#]*)\)", r"`\2`", markdown)


def data_tables() -> Iterator[str]:
    """Yield a section for every table, a row for every column or run of numbered ones."""
    for table in TABLES:
        module = table.module.replace(".", "/") + ".py"
        about = " ".join(_docstrings(ROOT / module)[table.name].split())
        columns = table.columns
        yield f"\n## `{table.file}`\n"
        yield f"{about} `{table.name}` of `{module}`; {len(columns)} columns.\n"
        yield "| column | type | unit or range | source |\n|---|---|---|---|"
        yield from map(_row, _runs(columns))


def values() -> Iterator[str]:
    """Yield what the constants are that columns name."""
    about = _docstrings(ROOT / "features" / "schema.py")
    for name in ("READ_AS", "TILES"):
        held = ", ".join(f"“{value}”" for value in getattr(schema, name))
        yield f"- **`{name}`**: {' '.join(about[name].split())} {held}."
    about = _docstrings(ROOT / "houjuu" / "cases.py")
    yield f"- **`RANK_CLASS`**: {about['RANK_CLASS']}"
    faced = (f"{getattr(cases, name)} {name.lower().replace('_', ' ')}" for name in FACED)
    yield f"- **`GENBUTSU` and so on**: what a discard was to a riichi: {', '.join(faced)}."


def _docstrings(path: Path) -> dict[str, str]:
    """The docstrings of a module's assignments, by name."""
    body = ast.parse(path.read_text()).body
    found = {}
    for node, after in pairwise(body):
        match node, after:
            case ast.Assign(targets=[*_, ast.Name(name)]), ast.Expr(ast.Constant(str(text))):
                found[name] = text
    return found


def _runs(columns: Iterable[Column]) -> Iterator[list[Column]]:
    """Yield columns together that differ in nothing but the number at their end, one by one."""

    def alike(placed: tuple[int, Column]) -> tuple[object, ...]:
        place, column = placed
        numbered = re.fullmatch(r"(.*_)(\d+)", column.name)
        stem = (numbered[1], int(numbered[2]) - place) if numbered else (column.name, 0)
        return (*stem, column.dtype, column.unit, column.source)

    for _, run in groupby(enumerate(columns), alike):
        yield [column for _, column in run]


def _row(run: list[Column]) -> str:
    first, last = run[0], run[-1]
    name = f"`{first.name}`" + (f" … `{last.name}`" if len(run) > 1 else "")
    cells = (name, first.dtype, first.unit, first.source)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def array_tables() -> Iterator[str]:
    """Yield a section for every parameter file that ships, a row for every array."""
    fitted = resources.files("houjuu") / "fitted"
    for name in (*shipped_models(), "player/yaku"):
        with resources.as_file(fitted / f"{name}.npz") as path:
            held = parameters.read(path)
        yield f"\n### `houjuu/fitted/{name}.npz`\n"
        yield "| array | shape | type | read by |\n|---|---|---|---|"
        for array, values in held.arrays.items():
            reader = READERS[array.partition("/")[0]]
            shape = " × ".join(map(str, values.shape)) or "one number"
            yield f"| `{array}` | {shape} | {_type(values)} | [`{reader}`][] |"


def _type(values: Array) -> str:
    return "text" if values.dtype.kind == "U" else values.dtype.name


def bot() -> Iterator[str]:
    """Yield the example of a bot, as code."""
    text = (ROOT / "examples" / "bot_riichienv.py").read_text()
    yield f"```python\n{text}```"


MADE = {"data tables": data_tables, "values": values, "array tables": array_tables, "a bot": bot}
"""What pages may ask for."""
