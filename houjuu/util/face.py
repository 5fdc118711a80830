"""The face of a package: the names that its stub lists, each imported when it is first used.

The stub `__init__.pyi` of a room lists its names, as type checkers read them; everything else in
the room is inside and may change. The package gets these names by

    __getattr__, __dir__, __all__ = attach(__name__)
"""

from __future__ import annotations

import ast
import pkgutil
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec

from houjuu.util.extras import import_extra, is_installed

_EXTRAS = {"houjuu.arena": "arena", "houjuu.player": "arena", "houjuu.review": "review"}
"""The extra that each package needs."""


def attach(package: str) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """The functions ``__getattr__`` and ``__dir__`` of a package (PEP 562), and its ``__all__``.

    Parameters
    ----------
    package : str
        Its name; its stub imports each public name, some of them ``as`` another one.

    Raises
    ------
    MissingPackageError
        By ``__getattr__``, for a name whose room or extra is not there; ``__dir__`` leaves it out.
    """
    listed = origins(package)

    def import_name(name: str) -> object:
        if name not in listed:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, attribute = listed[name]
        extra = _extra(module)
        if module == package:
            value: object = import_module(f"{package}.{attribute}")
        elif extra is None:
            value = getattr(import_module(module), attribute)
        else:
            value = getattr(import_extra(extra, module.removeprefix("houjuu.")), attribute)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted(name for name, (module, _) in listed.items() if _is_there(module))

    return import_name, names, sorted(listed)


def origins(package: str) -> dict[str, tuple[str, str]]:
    """The module of each name of a stub, and its name there; a submodule is of the package."""
    listed = {}
    for node in ast.parse(pkgutil.get_data(package, "__init__.pyi") or b"").body:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                listed[alias.asname or alias.name] = (str(node.module), alias.name)
    return listed


def _extra(module: str) -> str | None:
    return _EXTRAS.get(_room(module))


def _is_there(module: str) -> bool:
    """Whether the room of a module is there, with its extra."""
    extra = _extra(module)
    return extra is None or (find_spec(_room(module)) is not None and is_installed(extra))


def _room(module: str) -> str:
    return ".".join(module.split(".")[:2])
