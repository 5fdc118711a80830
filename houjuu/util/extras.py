"""The extras of the package: which packages each needs, and which of them are missing."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from houjuu.util.errors import Error

EXTRAS = {
    "logs": ("lxml",),
    "arena": ("filelock", "lxml", "riichienv", "tqdm"),
    "review": ("filelock", "lxml", "jinja2", "joblib", "tqdm"),
    "parquet": ("pyarrow",),
    "serve": (
        *("filelock", "lxml", "jinja2", "joblib", "tqdm"),
        *("fastapi", "starlette", "uvicorn", "websockets"),
    ),
}
"""Packages that an extra installs, as `pyproject.toml` lists them."""

_REPLACING = {
    "uv-receipt.toml": "uv tool install --force",
    "pipx_metadata.json": "pipx install --force",
}
"""Installers that make the environment anew, without earlier extras; the file that each writes."""


class MissingPackageError(Error, ImportError):
    """A part of houjuu needs packages that are not installed."""


def is_installed(extra: str) -> bool:
    """Whether the packages of an extra are installed."""
    return all(find_spec(name) is not None for name in EXTRAS[extra])


@contextmanager
def needed(extra: str) -> Iterator[None]:
    """Where a module imports the packages of an extra: a missing one is a `MissingPackageError`."""
    try:
        yield
    except ModuleNotFoundError as problem:
        raise missing_packages(extra, problem) from None


def missing_packages(extra: str, problem: ImportError) -> MissingPackageError:
    """The error for an import that fails: all packages that the extra lacks, and a remedy."""
    *most, last = _missing(extra) or [problem.name or str(problem)]
    names = f"{', '.join(most)} and {last}" if most else last
    return MissingPackageError(f"this needs {names}: {install_command(extra)}")


def install_command(extra: str) -> str:
    """The command that adds an extra to this installation, in a form that every shell reads.

    houjuu may be on no index: the command names the checkout, file or address that it came from.
    """
    checkout = Path(__file__).parents[2]
    if (checkout / "pyproject.toml").is_file():
        return f'pip install -e "{checkout}[{extra}]"'
    for file, installer in _REPLACING.items():
        if Path(sys.prefix, file).is_file():
            extras = [name for name in EXTRAS if name == extra or not _missing(name)]
            return f'{installer} "houjuu[{",".join(extras)}]{_origin()}"'
    return f'pip install "houjuu[{extra}]{_origin()}"'


def _missing(extra: str) -> list[str]:
    return [name for name in EXTRAS.get(extra, ()) if find_spec(name) is None]


def _origin() -> str:
    """`` @ ADDRESS`` of the file or repository that was installed; empty for an index (PEP 610)."""
    from importlib.metadata import PackageNotFoundError, distribution  # slow to import

    try:
        written = distribution("houjuu").read_text("direct_url.json")
    except PackageNotFoundError:
        return ""
    if written is None:
        return ""
    origin = json.loads(written)
    system = origin.get("vcs_info", {}).get("vcs")
    return f" @ {system}+{origin['url']}" if system else f" @ {origin['url']}"


def import_extra(extra: str, module: str) -> Any:
    """Import a module of houjuu, such as ``arena.matches``, that needs an extra.

    Raises
    ------
    MissingPackageError
        A package of the extra is not installed, or the room of the module is not there.
    """
    try:
        return import_module(f"houjuu.{module}")
    except ImportError as problem:
        room = f"houjuu.{module.partition('.')[0]}"
        if problem.name == room:
            raise MissingPackageError(f"this needs {room}: {install_command(extra)}") from None
        if (problem.name or "").partition(".")[0] == "houjuu":
            raise
        raise missing_packages(extra, problem) from None
