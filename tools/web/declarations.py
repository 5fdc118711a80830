"""The types of the data that scripts read, for TypeScript, from those in Python.

``python -m tools.web.declarations`` writes the files of `FILES`.
"""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Iterator, Mapping
from inspect import getdoc
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin

from houjuu.review import page_types

COMMAND = "python -m tools.web.declarations"

_HOUJUU = Path(__file__).parents[2] / "houjuu"
FILES: dict[Path, dict[str, Any]] = {
    _HOUJUU / "review" / "page.d.ts": vars(page_types),
}
"""The files, and the names that may be types: TypedDicts, and the names of other types."""

_HEAD = f"// The types of data that Python makes. To change them, run {COMMAND}.\n"
_WIDTH = 100
_BASIC = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null"}


def declarations(names: Mapping[str, Any]) -> str:
    """The content of a file of `FILES`, in the format of prettier.

    Raises
    ------
    TypeError
        A type has no form in JSON, or `_written` does not know it.
    """
    aliases = {
        name: hint
        for name, hint in names.items()
        if get_origin(hint) is not None and not getattr(hint, "__parameters__", ())
    }
    lines = [_alias(name, _written(hint, {})) for name, hint in aliases.items()]
    return "\n".join([_HEAD, *filter(None, ["".join(lines)]), *_interfaces(names, aliases)])


def _alias(name: str, written: str) -> str:
    """The name of a type; a long type has a line of its own."""
    line = f"type {name} = {written};\n"
    return line if len(line) <= _WIDTH + 1 else f"type {name} =\n  {written};\n"


def _interfaces(names: Mapping[str, Any], aliases: Mapping[str, Any]) -> Iterator[str]:
    for name, value in names.items():
        if typing.is_typeddict(value):
            comment = (getdoc(value) or "").replace("\n", "\n * ").replace(" * \n", " *\n")
            hints = typing.get_type_hints(value, include_extras=True)
            members = "".join(
                f"  {_member(key, hint, aliases, is_required=key in value.__required_keys__)};\n"
                for key, hint in hints.items()
            )
            yield f"/**\n * {comment}\n */\ninterface {name} {{\n{members}}}\n"


def _member(key: str, hint: Any, aliases: Mapping[str, Any], *, is_required: bool) -> str:
    if get_origin(hint) is NotRequired:  # as text it is not among the keys of Python 3.11
        return _member(key, get_args(hint)[0], aliases, is_required=False)
    return f"{key}{'' if is_required else '?'}: {_written(hint, aliases)}"


def _written(hint: Any, aliases: Mapping[str, Any]) -> str:
    """A type of Python in TypeScript."""
    if get_origin(hint) is Annotated:
        return _written(get_args(hint)[0], aliases)
    for name, alias in aliases.items():
        if hint == alias:
            return name
    if typing.is_typeddict(hint):
        return str(hint.__name__)
    if hint in _BASIC:
        return _BASIC[hint]
    origin = get_origin(hint)
    if origin is Literal:
        return " | ".join(map(json.dumps, get_args(hint)))
    parts = [_written(argument, aliases) for argument in get_args(hint)]
    if _is_union(hint):
        return " | ".join(dict.fromkeys(parts))
    if origin is list:
        return f"({parts[0]})[]" if _is_union(*get_args(hint)) else f"{parts[0]}[]"
    if origin is tuple:
        return f"[{', '.join(parts)}]"
    if origin in (dict, Mapping):
        return f"Record<{', '.join(parts)}>"
    raise TypeError(f"{hint} has no form in TypeScript: tools/web/declarations.py")


def _is_union(hint: Any) -> bool:
    return get_origin(hint) in (Union, types.UnionType)


if __name__ == "__main__":
    for path, names in FILES.items():
        path.write_text(declarations(names), encoding="utf-8")
