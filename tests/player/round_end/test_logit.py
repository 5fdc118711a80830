"""The logit of the endings: blocks and their places."""

from __future__ import annotations

from houjuu.player.round_end.logit import places


def test_places_follow_one_another() -> None:
    assert places([("a",), ("b", "c"), ()]) == [slice(0, 1), slice(1, 3), slice(3, 3)]
