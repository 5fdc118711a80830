"""The JSON Schemas in docs are those of the types."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NotRequired, get_args, get_origin, get_type_hints

import jsonschema
import pytest

from houjuu.live.overlay import InStepMeta, OutOfStepMeta
from houjuu.reading.opponent import OpponentType
from houjuu.review.export import ShortReview
from houjuu.review.page_types import Review
from houjuu.risk.answers import OpponentTypeName
from houjuu.serve.json_schema import json_schema
from tools import schemas

TYPES = (InStepMeta, OutOfStepMeta, Review, ShortReview)


@pytest.mark.parametrize("file", schemas.FILES, ids=lambda file: file.name)
def test_a_file_is_that_of_its_type(file: Path) -> None:
    """Else run ``python -m tools.schemas``."""
    assert file.read_text(encoding="utf-8") == schemas.content(file)


@pytest.mark.parametrize("hint", TYPES)
def test_a_schema_has_the_keys_and_the_descriptions_of_its_type(hint: Any) -> None:
    made = json_schema(hint, "name", "description")
    jsonschema.Draft202012Validator.check_schema(made)
    assert (made["title"], made["description"]) == ("name", "description")
    assert made["properties"].keys() == get_type_hints(hint).keys()
    hints = get_type_hints(hint, include_extras=True)
    optional = {key for key, value in hints.items() if get_origin(value) is NotRequired}
    assert {*made["required"]} == hint.__required_keys__ - optional
    for name, part in [("", made), *made["$defs"].items()]:
        without = [key for key, value in part["properties"].items() if "description" not in value]
        assert without == [], name


@pytest.mark.parametrize("hint", [bytes, set[int], Any])
def test_a_type_that_is_none_of_json_is_an_error(hint: Any) -> None:
    with pytest.raises(TypeError, match="has no form in JSON"):
        json_schema(list[hint], "name", "description")


def test_the_types_of_opponents_are_named() -> None:
    assert get_args(OpponentTypeName) == tuple(OpponentType)
