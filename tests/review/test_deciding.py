"""The class of a mistake, by parts made by hand."""

from __future__ import annotations

from typing import get_args

import pytest

from houjuu.review.deciding import decisive, mistake_class
from houjuu.review.page_types import MistakeClass
from houjuu.util.languages import translate
from tests.review.page_data import valued

CASES = [
    ("discard 9p", {"win": 100}, "discard 5s", {"win": 300}, "efficiency"),
    ("discard 9p", {"win": 100}, "discard 5s", {"win": 300, "deal_in.left": -50}, "efficiency"),
    ("discard 9p", {"deal_in.left": -300}, "discard 5s", {"win": -90}, "push_fold"),
    ("discard 9p", {"win": 0}, "discard 5s", {"win": 300, "deal_in.left": -100}, "push_fold"),
    ("discard 9p", {"deal_in_later": -300}, "discard 5s", {"win": -90}, "safe_tile"),
    ("discard 9p", {"win": 0}, "discard 5s", {"win": 300, "deal_in_later": -100}, "safe_tile"),
    ("discard 9p", {"win": 0}, "riichi 9p", {"win": 900, "riichi_stick": -500}, "riichi"),
    ("riichi 9p", {"win": 0}, "riichi 5s", {"win": 90}, "efficiency"),
    ("pass", {"win": 0}, "chi 45m", {"win": 90}, "call"),
    ("pon 55p", {"deal_in.left": -90}, "pass", {}, "call"),
    ("discard 9p", {}, "ankan 1111z", {"win": 90}, "call"),
    ("pass", {"win": 100}, "win", {"win": 900}, "win_passed"),
    ("discard 9p", {"score": -900}, "discard 5s", {"win": -300}, "rank"),
    ("discard 9p", {"score": -900}, "discard 5s", {"win": 100}, "efficiency"),
    ("riichi 9p", {"score": -900}, "discard 9p", {"win": -300}, "rank"),
    ("discard 9p", {"score": -900}, "discard 5s", {}, "rank"),
    ("discard 9p", {"win": 300}, "discard 5s", {"win": 300}, None),
]


@pytest.mark.parametrize(("chosen", "parts", "advised", "better", "expected"), CASES)
def test_classes(
    chosen: str, parts: dict[str, int], advised: str, better: dict[str, int], expected: str | None
) -> None:
    pair = valued(chosen, parts), valued(advised, better)
    assert mistake_class(*pair) == expected
    is_thrown = expected == "push_fold" and "deal_in.left" in parts
    assert mistake_class(*pair, ["deal_in.left"]) == ("silent" if is_thrown else expected)


def test_every_class_occurs_and_has_a_name() -> None:
    assert {case[-1] for case in CASES} | {"silent"} == {*get_args(MistakeClass), None}
    names = {key for key in translate("en").messages if key.startswith("page.class.")}
    assert names == {f"page.class.{name}" for name in get_args(MistakeClass)}


def test_two_parts_at_most_decide() -> None:
    assert decisive({"win": -9, "draw": -8, "others_win": -7}).parts == ["win", "draw"]
    assert decisive({"win": 9, "draw": -9}) == (["win"], "draw")
    assert decisive({}) == ([], None)
