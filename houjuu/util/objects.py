"""Objects of Python by name: "mymodule:MyClass", or "folder/mine.py:MyClass" of a file.

A name runs the code of its module: resolve only names of a person at this machine, and never one of
a file or of a client.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import re
import sys
from functools import lru_cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from houjuu.util.errors import Error

_NAME = re.compile(r"(.+\.py|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):([A-Za-z_]\w*)", re.DOTALL)
_KEPT = 64  # unit: modules


def is_object(name: str) -> bool:
    """Whether a name is that of an object of a module or file, which need not exist.

    >>> is_object("mine:Mine"), is_object("models/mine.py:Mine"), is_object("mine.npz")
    (True, True, False)
    """
    return _NAME.fullmatch(name) is not None


def find(name: str, what: str) -> Any:
    """The object of a name; its module may lie in the current folder.

    Parameters
    ----------
    name : str
    what : str
        What it should be, for the error: "player".

    Raises
    ------
    Error
        There is no such module or object, or its code raises an exception.
    """
    module, attribute = _parts(name)
    try:
        return getattr(_module(module, version(name)), attribute)
    except Exception as problem:  # a module of somebody else can raise anything
        kind = "" if isinstance(problem, ImportError | AttributeError) else type(problem).__name__
        reason = ": ".join(filter(None, (kind, str(problem))))
        raise Error(f"{what} {name!r}: {reason}") from None


def version(name: str) -> tuple[int, ...]:
    """Changes with the file of a name; empty for that of a module, which is imported once."""
    module, _ = _parts(name)
    try:
        status = Path(module).stat() if module.endswith(".py") else None
    except (OSError, ValueError):
        status = None  # `find` raises the error
    return (status.st_ino, status.st_size, status.st_mtime_ns) if status else ()


def digest(name: str, what: str) -> str:
    """The `file_digest` of the file that defines an object; empty if it has none.

    Parameters and errors are those of `find`.
    """
    found, (module, _) = find(name, what), _parts(name)
    file: str | None = module
    if not module.endswith(".py"):
        defines = found.__module__ if isinstance(found, type) else module
        file = sys.modules[defines].__file__
    return file_digest(Path(file)) if file else ""


def file_digest(file: Path) -> str:
    """The SHA-256 of a file, in hexadecimal digits."""
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _parts(name: str) -> tuple[str, str]:
    module, _, attribute = name.rpartition(":")
    return module, attribute


@lru_cache(_KEPT)
def _module(name: str, _: tuple[int, ...]) -> ModuleType:
    """The module of a name or file; what it imports may lie in its folder."""
    is_file = name.endswith(".py")
    folder = os.path.dirname(os.path.abspath(name)) if is_file else os.getcwd()
    if folder not in sys.path:
        sys.path.append(folder)
    if not is_file:
        return importlib.import_module(name)
    if not Path(name).is_file():
        raise ImportError("there is no such file")
    stem, path = Path(name).stem, os.path.abspath(name)
    spec = spec_from_file_location(stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    if getattr(sys.modules.get(stem), "__file__", path) == path:  # for pickle
        sys.modules[stem] = module
    spec.loader.exec_module(module)
    return module
