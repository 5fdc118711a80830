"""The cache of enumerated hands."""

from __future__ import annotations

from houjuu.hands.group_rows import group_rows
from houjuu.hands.hand_cache import HandCache


def test_no_query_waits_for_the_groups() -> None:
    """The first cache of a process enumerates those of hands with 0, 1 and 2 concealed sets."""
    group_rows.cache_clear()
    HandCache()
    misses = group_rows.cache_info().misses
    for n_sets in range(3):
        group_rows(n_sets)
    assert group_rows.cache_info().misses == misses == 3
