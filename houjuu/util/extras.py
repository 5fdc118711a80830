"""The extras of the package: which packages each needs, and which of them are missing."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from houjuu.util.errors import Error

EXTRAS = {
    "logs": ("lxml",),
    "arena": ("lxml", "riichienv", "tqdm"),
    "review": ("lxml", "jinja2", "joblib", "tqdm"),
    "png": ("resvg_py",),
    "parquet": ("pyarrow",),
    "completion": ("shtab",),
    "serve": ("lxml", "jinja2", "joblib", "tqdm", "fastapi", "uvicorn", "websockets"),
}
"""Packages that an extra installs, as `pyproject.toml` lists them."""


class MissingPackageError(Error, ImportError):
    """A part of houjuu needs packages that are not installed."""


def is_installed(extra: str) -> bool:
    """Whether the packages of an extra are installed."""
    return all(find_spec(name) is not None for name in EXTRAS[extra])


def missing_packages(extra: str, problem: ImportError) -> MissingPackageError:
    """The error for an import that fails: all packages that the extra lacks, and a remedy."""
    missing = [name for name in EXTRAS.get(extra, ()) if find_spec(name) is None]
    *most, last = missing or [problem.name or str(problem)]
    names = f"{', '.join(most)} and {last}" if most else last
    return MissingPackageError(f"this needs {names}: pip install 'houjuu[{extra}]'")


def import_extra(extra: str, module: str) -> Any:
    """Import a module of houjuu, such as ``arena.matches``, that needs an extra.

    Raises
    ------
    MissingPackageError
        A package of the extra is not installed.
    """
    try:
        return import_module(f"houjuu.{module}")
    except ImportError as problem:
        if (problem.name or "").partition(".")[0] == "houjuu":
            raise
        raise missing_packages(extra, problem) from None
