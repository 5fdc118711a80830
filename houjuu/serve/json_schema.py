"""JSON Schema of the answers, from their types: names, bounds, and descriptions.

A description is that of the key in the docstring of its class; example and bounds are those of
`houjuu.util.json_types.Keywords`.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Mapping
from functools import cache
from types import UnionType
from typing import (
    Annotated,
    Any,
    NotRequired,  # pydantic's, before Python 3.12
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from pydantic import Field, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema
from typing_extensions import TypedDict

_ANNOTATED: Any = Annotated  # of types that are made here
_SECTION = re.compile(r"^(?:Attributes|Parameters)\n-+\n((?:.+\n|\n(?!.+\n-+\n))*)", re.MULTILINE)
_ENTRY = re.compile(r"^(\w+(?:, \w+)*) : .*\n((?:    .*\n?|\n(?=    ))+)", re.MULTILINE)


class WithoutTitles(GenerateJsonSchema):
    """Without titles and defaults: openapi-typescript requires a key that has a default."""

    def default_schema(self, schema: Any) -> dict[str, Any]:
        """The schema without its default."""
        return self.generate_inner(schema["schema"])

    def field_title_should_be_set(self, schema: Any) -> bool:
        """No key has a title."""
        return False


def json_schema(hint: Any, name: str, description: str) -> dict[str, Any]:
    """The JSON Schema of a type, with its name as the title."""
    schema = TypeAdapter(pydantic_type(hint)).json_schema(schema_generator=WithoutTitles)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": name,
        "description": description,
    }


@cache
def pydantic_type(hint: Any) -> Any:
    """The type with TypedDicts of typing_extensions in place of those of typing."""
    origin, arguments = get_origin(hint), get_args(hint)
    if is_typeddict(hint):
        return _typed_dict(hint)
    if origin is Annotated:
        base, *keywords = arguments
        made = pydantic_type(base)
        for one in keywords:
            made = _ANNOTATED[made, Field(json_schema_extra=one.schema())]
        return made
    if origin in (Union, UnionType):
        return Union[tuple(map(pydantic_type, arguments))]  # noqa: UP007
    if origin is Mapping:
        return dict[tuple(map(pydantic_type, arguments))]  # type: ignore[misc]
    if origin in (list, dict, tuple):
        return origin[tuple(map(pydantic_type, arguments))]
    return hint


def _typed_dict(hint: Any) -> Any:
    descriptions: dict[str, str] = {}
    for one in (*_bases(hint), hint):
        descriptions |= described(one)
    fields = {}
    for name, field in get_type_hints(hint, include_extras=True).items():
        is_optional = get_origin(field) is NotRequired or name in hint.__optional_keys__
        plain = get_args(field)[0] if get_origin(field) is NotRequired else field
        made = pydantic_type(plain)
        if name in descriptions:
            made = _ANNOTATED[made, Field(description=descriptions[name])]
        fields[name] = NotRequired[made] if is_optional else made
    typed_dict: Any = TypedDict
    result = typed_dict(hint.__name__, fields)
    result.__doc__ = (hint.__doc__ or "").partition("\n")[0]
    return result


def _bases(hint: Any) -> list[Any]:
    """The TypedDicts of the same module whose keys a TypedDict has: Python 3.11 keeps no bases."""
    return [
        one
        for one in vars(sys.modules[hint.__module__]).values()
        if is_typeddict(one) and one.__annotations__.items() < hint.__annotations__.items()
    ]


def described(documented: Any) -> dict[str, str]:
    """What the docstring of a class or function says of its attributes or parameters, by name.

    Each text is one line.
    """
    texts: dict[str, str] = {}
    section = _SECTION.search((inspect.getdoc(documented) or "") + "\n")
    for names, text in _ENTRY.findall(section[1] if section else ""):
        texts |= dict.fromkeys(names.split(", "), " ".join(text.split()))
    return texts
