"""The code of each stage: the closure of the imports of its module.

``python -m pipeline.code`` is the stage ``code``. It writes a file for each stage, with the path
and the hash of every file of code on a line. The stage depends on this file: it reruns when, and
only when, its code changes. A package is followed where it is used itself: importing one of its
modules adds no imports of its ``__init__``.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

from houjuu.util.files import atomic_path
from pipeline import graph

CODE = Path("data/code")
PACKAGES = ("houjuu", "features", "models", "pipeline")
DATA = {
    "pipeline/pages/__init__.py": ("pipeline/pages",),
    "houjuu/player/hand_value/value.py": ("houjuu/fitted/player/yaku.npz",),
}
"""Files that modules read while they run."""

_PAPER = ("houjuu/estimators/kurita_hoki", "features/schema/paper.py")
_IMPORTED = {
    "houjuu": ("houjuu/estimators/log_linear", "features/schema/tenpai.py"),
    "kurita-hoki-2017": _PAPER,
    "kurita-hoki-2017-printed": _PAPER,
}
DYNAMIC = ("houjuu/estimators/__init__.py", "pipeline/stages/evaluate.py")
"""Modules that import by name the family of a model, and the schema of its rows."""


def closure(module: str, model: str | None = None) -> set[Path]:
    """Files of the project that a module imports, directly or not, itself included.

    Parameters
    ----------
    module : str
    model : str, optional
        The model whose family and rows it uses; default: those of every model.
    """
    models = _IMPORTED.values() if model is None else [_IMPORTED[model]]
    dynamic = {
        importer: [file for path in set(used) for file in _files(Path(path))]
        for importer, *used in zip(DYNAMIC, *models, strict=True)
    }
    reached: set[Path] = set()
    waiting = [_file(module)]
    while waiting:
        path = waiting.pop()
        if path is None or path in reached:
            continue
        reached.add(path)
        waiting += imports(path)
        waiting += dynamic.get(str(path), ())
    return reached


def _files(path: Path) -> Iterator[Path]:
    return path.rglob("*.py") if path.is_dir() else iter([path])


@cache
def imports(path: Path) -> tuple[Path, ...]:
    """Files of the project that a file imports, anywhere in it."""
    return tuple(dict.fromkeys(_imports(path)))


def _imports(path: Path) -> Iterator[Path]:
    for node in _executed(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            file = _file(name) or _file(name.rpartition(".")[0])
            if file is not None:
                yield file


def _executed(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a syntax tree, but for code that only type checkers read."""
    yield tree
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for other in node.orelse:
                yield from _executed(other)
        else:
            yield from _executed(node)


def _file(module: str) -> Path | None:
    if module.partition(".")[0] not in PACKAGES:
        return None
    base = Path(*module.split("."))
    for path in (base.with_suffix(".py"), base / "__init__.py"):
        if path.is_file():
            return path
    return None


def code_of(stage: str) -> list[Path]:
    """The files of code that a stage uses, and the files that this code reads, sorted.

    Of a stage for each model, such as "predict@houjuu", those of the model.
    """
    module, _, item = stage.partition("@")
    files = closure(f"pipeline.stages.{module}", item if item in _IMPORTED else None)
    for path in tuple(files):
        for name in DATA.get(str(path), ()):
            files.update([Path(name)] if Path(name).is_file() else Path(name).glob("*.*"))
    return sorted(files)


def listing(stage: str) -> str:
    """Path and hash of each file of `code_of`, a line each."""
    hashes = {path: hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in code_of(stage)}
    return "".join(f"{path} {digest}\n" for path, digest in hashes.items())


def main() -> None:
    """Write the listing of every stage."""
    for stage in graph.stages().keys() - {graph.CODE_STAGE}:
        with atomic_path(CODE / f"{stage}.txt") as path:
            path.write_text(listing(stage))
    with atomic_path(CODE / "prior.txt") as path:
        # Imported by name: the listing of a stage that imports this module is not longer for it.
        path.write_text(import_module("pipeline.prior").listing())


if __name__ == "__main__":
    main()
