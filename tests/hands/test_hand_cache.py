"""The cache of enumerated hands."""

from __future__ import annotations

from houjuu.hands.hand_cache import HandCache
from houjuu.hands.part_rows import part_rows


def test_no_query_waits_for_the_parts() -> None:
    """The first cache of a process enumerates those of hands with 0, 1 and 2 concealed sets."""
    part_rows.cache_clear()
    HandCache()
    misses = part_rows.cache_info().misses
    for n_sets in range(3):
        part_rows(n_sets)
    assert part_rows.cache_info().misses == misses == 3
