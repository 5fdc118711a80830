"""The code of each stage: the closure of the imports of its module, as grimp counts them.

The stage ``code`` writes a file for each stage, with the path and the hash of every file of code
on a line. The stage depends on this file: it reruns when, and only when, its code changes. A
package is followed where it is used itself: importing one of its modules adds no imports of its
``__init__``. Imports for type checkers alone add nothing.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from grimp import ImportGraph, build_graph

ROOT = Path(__file__).parents[1]
PACKAGES = ("houjuu", "features", "models", "pipeline")
DATA = {"pipeline/pages/__init__.py": ("pipeline/pages/*.*",)}
"""Files that modules read while they run."""

_PAPER = ("houjuu.estimators.kurita_hoki", "features.schema.paper")
_IMPORTED = {
    "houjuu": ("houjuu.estimators.log_linear", "features.schema.tenpai"),
    "kurita-hoki-2017": _PAPER,
    "kurita-hoki-2017-printed": _PAPER,
}
DYNAMIC = ("houjuu.estimators.loading", "pipeline.stages.evaluate")
"""Modules that import by name the family of a model, and the schema of its rows."""


@cache
def imports(model: str | None = None) -> ImportGraph:
    """The imports of all modules of the project.

    Parameters
    ----------
    model : str, optional
        The model whose family and rows the modules of `DYNAMIC` import; default: those of all.
    """
    found = build_graph(*PACKAGES, exclude_type_checking_imports=True, cache_dir=None)
    for names in _IMPORTED.values() if model is None else [_IMPORTED[model]]:
        for importer, name in zip(DYNAMIC, names, strict=True):
            for module in {name, *found.find_descendants(name)}:
                found.add_import(importer=importer, imported=module)
    return found


def closure(module: str, model: str | None = None) -> set[Path]:
    """Files of the project that a module imports, directly or not, itself included.

    `model` is that of `imports`; the paths are relative to the root of the repository.
    """
    return {_file(name) for name in (module, *imports(model).find_upstream_modules(module))}


def _file(module: str) -> Path:
    base = Path(*module.split("."))
    return base / "__init__.py" if (ROOT / base).is_dir() else base.with_suffix(".py")


def code_of(stage: str) -> list[Path]:
    """The files of code that a stage uses, and the files that this code reads, sorted.

    Of a stage for each model, such as "predict@houjuu", those of the model.
    """
    module, _, item = stage.partition("@")
    files = closure(f"pipeline.stages.{module}", item if item in _IMPORTED else None)
    patterns = [pattern for path in files for pattern in DATA.get(path.as_posix(), ())]
    read = [file.relative_to(ROOT) for pattern in patterns for file in ROOT.glob(pattern)]
    return sorted({*files, *read})


def listing(stage: str) -> str:
    """Path and hash of each file of `code_of`, a line each."""
    return "".join(f"{path} {_digest(path)}\n" for path in code_of(stage))


def _digest(path: Path) -> str:
    return hashlib.sha256((ROOT / path).read_bytes()).hexdigest()[:16]
