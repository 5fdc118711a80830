"""The cache of enumerated hands."""

from __future__ import annotations

from houjuu.hands.hand_cache import HandCache
from houjuu.hands.shapes import shapes


def test_no_query_waits_for_the_shapes() -> None:
    """The first cache of a process enumerates those of 1, 4 and 7 tiles."""
    shapes.cache_clear()
    HandCache()
    misses = shapes.cache_info().misses
    for tiles in (1, 4, 7):
        shapes(tiles)
    assert shapes.cache_info().misses == misses == 3
