"""The JSON Schemas in docs are those of the types."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any, NotRequired, get_args, get_origin, get_type_hints

import jsonschema
import pytest

pytest.importorskip("pydantic", reason="it makes the schemas")

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
    text = inspect.getdoc(hint) or ""
    for key, value in made["properties"].items():
        assert ("description" in value) == (f"\n{key} : " in text), key


@pytest.mark.parametrize("hint", [Review, ShortReview])
def test_every_key_of_a_review_has_a_description(hint: Any) -> None:
    made = json_schema(hint, "name", "description")
    for name, part in [("", made), *made["$defs"].items()]:
        without = [key for key, value in part["properties"].items() if "description" not in value]
        assert without == [], name


def test_the_types_of_opponents_are_named() -> None:
    assert get_args(OpponentTypeName) == tuple(OpponentType)
