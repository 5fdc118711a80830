"""Columns: packed data are the rows again."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from houjuu.review.packing import columns
from tests.review.page_data import rows_of

_KEYS = st.sampled_from(["p", "deal_in", "5p", "0s", "7z"])
_FLOATS = st.integers(-(10**7), 10**7).map(lambda n: n / 10**5) | st.floats(
    allow_nan=False, allow_infinity=False
)
_PLAIN = st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3)
_VALUES = st.recursive(
    _PLAIN | _FLOATS,
    lambda inner: st.lists(inner, max_size=7) | st.dictionaries(_KEYS, inner, max_size=5),
    max_leaves=20,
)


def _same(first: Any, second: Any) -> bool:
    """Equal, and of the same types but for whole floats, which JSON does not distinguish."""
    if isinstance(first, list):
        pairs = zip(first, second, strict=True)
        return len(first) == len(second) and all(_same(*pair) for pair in pairs)
    if isinstance(first, dict):
        return [*first] == [*second] and _same([*first.values()], [*second.values()])
    return first == second and isinstance(first, bool) == isinstance(second, bool)


@given(st.lists(_VALUES, max_size=6))
@example(["5p", "0s"] * 6)
def test_rows_come_back(rows: list[Any]) -> None:
    assert _same(rows_of(columns(rows)), rows)


@pytest.mark.parametrize(
    ("rows", "kind"),
    [
        ([0.25, 1.5], "scale"),
        ([[1.0], [1.0, 2.0]], "lengths"),
        ([{"win": 1, "shanten": 2}, {"win": 3}], "columns"),
        ([{"1m": 1}, {"2m": 1, "3m": 2}, {"4m": 5}], "values"),
        ([None, [1, "a"]], "present"),
    ],
)
def test_each_kind_of_column(rows: list[Any], kind: str) -> None:
    packed = columns(rows)
    assert kind in packed
    assert rows_of(packed) == rows
