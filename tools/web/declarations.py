"""The types of the data that scripts read, for TypeScript, from the JSON Schema of those in Python.

``python -m tools.web.declarations`` writes `FILE`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal, get_args, get_origin, is_typeddict

from houjuu.review import page_types
from houjuu.serve.json_schema import Schema, schema

COMMAND = "python -m tools.web.declarations"
FILE = Path(__file__).parents[2] / "houjuu" / "review" / "page.d.ts"

_WIDTH = 100
_NAMES = {
    get_args(hint): name
    for name, hint in vars(page_types).items()
    if get_origin(hint) is Literal and len(get_args(hint)) > 1
}
"""The names of lists of words."""


def declarations() -> str:
    """The content of `FILE`, in the format of prettier."""
    parts: dict[str, Schema] = {}
    for hint in filter(is_typeddict, vars(page_types).values()):
        schema(hint, parts)
    head = f"// The types of data that Python makes. To change them, run {COMMAND}.\n\n"
    aliases = "".join(_alias(name, _words(values)) for values, name in _NAMES.items())
    return head + aliases + "".join(map(_interface, parts.values()))


def _alias(name: str, written: str) -> str:
    """The name of a type; a long type has a line of its own."""
    line = f"type {name} = {written};\n"
    return line if len(line) <= _WIDTH + 1 else f"type {name} =\n  {written};\n"


def _interface(part: Schema) -> str:
    members = "".join(
        f"{_comment(value, '  ')}  {key}{'' if key in part['required'] else '?'}: "
        f"{_written(value)};\n"
        for key, value in part["properties"].items()
    )
    return f"\n{_comment(part)}interface {part['title']} {{\n{members}}}\n"


def _comment(value: Schema, indent: str = "") -> str:
    return f"{indent}/** {value['description']} */\n" if "description" in value else ""


def _words(values: tuple[object, ...]) -> str:
    return " | ".join(map(json.dumps, values))


def _written(value: Schema) -> str:
    """A JSON Schema in TypeScript."""
    match value:
        case {"$ref": address}:
            return str(address).rpartition("/")[2]
        case {"const": word}:
            return json.dumps(word)
        case {"enum": words}:
            return _NAMES.get(tuple(words)) or _words(words)
        case {"anyOf": parts}:
            return " | ".join(dict.fromkeys(map(_written, parts)))
        case {"prefixItems": items}:
            return f"[{', '.join(map(_written, items))}]"
        case {"items": item}:
            return f"Array<{_written(item)}>"
        case {"additionalProperties": item}:
            key = value.get("propertyNames", {})
            return f"Record<{_written(key) if 'enum' in key else 'string'}, {_written(item)}>"
    kind = value["type"]
    return "number" if kind == "integer" else str(kind)


if __name__ == "__main__":
    FILE.write_text(declarations(), encoding="utf-8")
