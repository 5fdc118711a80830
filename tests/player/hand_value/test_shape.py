"""The plain shape of hands against counts written out kind by kind."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from houjuu.game.tiles import KIND, KINDS, YAOCHU, kind_counts
from houjuu.player.hand_value.shape import shapes

TILES = st.lists(st.integers(0, 135), min_size=17, max_size=17, unique=True)


def _near(kind: int, other: int) -> int:
    """The ranks between two kinds of one suit; 9 for others."""
    return abs(kind - other) if max(kind, other) < 27 and kind // 9 == other // 9 else 9


@given(TILES, st.sets(st.integers(27, 33), min_size=1))
def test_shapes_are_the_counts_of_their_kinds(tiles: list[int], yakuhai: set[int]) -> None:
    hand, melded = tiles[:10], tiles[10:13]
    held = [KIND[tile] for tile in hand]
    own = [KIND[tile] for tile in hand + melded]
    unseen = 4 - kind_counts(tiles)
    made = shapes(kind_counts(hand)[None], kind_counts(melded), unseen, yakuhai=sorted(yakuhai))
    kinds = sorted({*held})
    pairs = [kind for kind in kinds if held.count(kind) == 2]
    beside = {kind for kind in range(KINDS) for one in kinds if kind == one or _near(kind, one) < 3}
    suits = [sum(kind // 9 == suit for kind in own if kind < 27) for suit in range(3)]
    expected = {
        "lone": sum(
            held.count(k) == 1 and all(_near(k, o) > 2 for o in kinds if o != k) for k in kinds
        ),
        "pairs": len(pairs),
        "triplets": sum(held.count(kind) > 2 for kind in kinds),
        "joined": sum(_near(a, b) == 1 for a in kinds for b in kinds) / 2,
        "gapped": sum(_near(a, b) == 2 for a in kinds for b in kinds) / 2,
        "yakuhai_pairs": sum(kind in yakuhai and unseen[kind] > 0 for kind in pairs),
        "yakuhai_sets": sum(own.count(kind) > 2 for kind in yakuhai),
        "yaochu": sum(kind in YAOCHU for kind in own),
        "suit": max(suits) + sum(kind > 26 for kind in own),
        "touching": sum(unseen[kind] for kind in beside),
    }
    assert {name: values[0] for name, values in made.items()} == expected
