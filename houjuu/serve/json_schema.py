"""JSON Schema of the types of JSON answers: names, bounds and descriptions.

A description is the string behind the key in its class; bounds and examples are those of
`houjuu.util.json_types.Keywords`.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

Schema = dict[str, Any]

_BASIC = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}


def json_schema(hint: Any, name: str, description: str) -> Schema:
    """The JSON Schema of a type, with its name as the title."""
    parts: dict[str, Schema] = {}
    made = schema(hint, parts)
    if is_typeddict(hint):
        made = parts.pop(hint.__name__)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": dict(sorted(parts.items())),
        **made,
        "title": name,
        "description": description,
    }


def schema(hint: Any, parts: dict[str, Schema], address: str = "#/$defs/") -> Schema:
    """The JSON Schema of a type.

    Parameters
    ----------
    hint : type
    parts : dict of schemas
        Where the schemas of the TypedDicts in the type are added, by name.
    address : str
        That of the parts in the document.

    Raises
    ------
    TypeError
        A type has no form in JSON, or this function does not know it.
    """

    def made(hint: Any) -> Schema:
        return schema(hint, parts, address)

    origin, arguments = get_origin(hint), get_args(hint)
    if is_typeddict(hint):
        if hint.__name__ not in parts:
            parts[hint.__name__] = {}  # a type may contain itself
            parts[hint.__name__] = _object(hint, made)
        return {"$ref": address + hint.__name__}
    if hint in _BASIC:
        return {"type": _BASIC[hint]}
    if origin is Annotated:
        base, keywords = arguments
        limits: Schema = keywords.schema()
        return made(base) | limits
    if origin is NotRequired:
        return made(arguments[0])
    if origin is Literal:
        values = {"enum": list(arguments)} if len(arguments) > 1 else {"const": arguments[0]}
        return values | made(type(arguments[0]))
    if origin in (Union, UnionType):
        return {"anyOf": [made(one) for one in arguments]}
    if origin is list:
        return {"items": made(arguments[0]), "type": "array"}
    if origin is tuple:
        items, n = [made(one) for one in arguments], len(arguments)
        return {"maxItems": n, "minItems": n, "prefixItems": items, "type": "array"}
    if origin in (dict, Mapping):
        key, value = arguments
        names = {"propertyNames": made(key)} if get_origin(key) is Literal else {}
        return {"additionalProperties": made(value), **names, "type": "object"}
    raise TypeError(f"{hint} has no form in JSON")


def _object(hint: Any, made: Any) -> Schema:
    hints = get_type_hints(hint, include_extras=True)
    texts = _descriptions(hint.__module__)[hint.__name__]
    return {
        "description": " ".join((hint.__doc__ or "").split()),
        "properties": {
            key: {"description": texts[key], **made(one)} if key in texts else made(one)
            for key, one in hints.items()
        },
        "required": [
            key
            for key, one in hints.items()  # Python 3.11 does not see a NotRequired in a string
            if key in hint.__required_keys__ and get_origin(one) is not NotRequired
        ],
        "title": hint.__name__,
        "type": "object",
    }


@cache
def _descriptions(module: str) -> dict[str, dict[str, str]]:
    """The strings behind the keys of the classes of a module, by class; each is one line."""
    classes: dict[str, dict[str, str]] = {}
    for node in ast.parse(inspect.getsource(sys.modules[module])).body:
        if not isinstance(node, ast.ClassDef):
            continue
        texts = classes[node.name] = {}
        for base in node.bases:
            texts |= classes.get(ast.unparse(base), {})
        for pair in pairwise(node.body):
            match pair:
                case ast.AnnAssign(target=ast.Name(key)), ast.Expr(ast.Constant(str(text))):
                    texts[key] = " ".join(text.split())
    return classes
