"""The own hand after each discard: shanten, useful tiles, waits, furiten, copies in the wall.

Useful tiles lower the shanten. They are the copies that the seat does not see.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated, TypedDict

import numpy as np

from houjuu.game.table import View
from houjuu.game.tiles import COPIES, KIND, KINDS, kind_name
from houjuu.hands.shanten import (
    CLOSED,
    KIND_KEYS,
    Target,
    copies_of,
    shantens,
    suit_keys,
)
from houjuu.risk.unseen import WALL, UnseenTiles
from houjuu.util.arrays import Bools, Ints
from houjuu.util.json_types import Keywords, Probability, TileName

_ALL_KINDS = np.arange(KINDS)


class HandAfter(TypedDict):
    """The own hand after a discard."""

    shanten: Annotated[int, Keywords(0, 6)]
    """Of the hand that is left."""
    useful: list[TileName]
    """The kinds that lower it; of a tenpai hand its waits."""
    furiten: bool
    """Whether the hand is tenpai and furiten."""
    wall: Annotated[float, Keywords(0)]
    """Expected copies of the useful tiles in the wall, the dead wall included."""
    none_in_wall: Probability
    """P(none of the useful tiles is in the wall)."""


class OwnHand(TypedDict):
    """The own hand, see `own_hand`."""

    shanten: Annotated[int, Keywords(-1, 6)]
    """Of the whole hand; −1 if it is complete."""
    best: TileName
    """The kind whose discard leaves the lowest shanten, then the most useful tiles."""
    discards: dict[str, HandAfter]
    """By the kind that is discarded."""


def own_hand(view: View, unseen_tiles: UnseenTiles) -> OwnHand:
    """The hand after each discard that the seat could make.

    Parameters
    ----------
    view : View
        The seat holds 3n + 2 concealed tiles.
    unseen_tiles : UnseenTiles
        Where the tiles are that the seat does not see.

    Returns
    -------
    OwnHand
        The copies in the wall to one digit. A complete form needs no yaku.
    """
    kinds = np.array(sorted({KIND[tile] for tile in view.hand}))
    keys = suit_keys(KIND[tile] for tile in view.hand)
    target = Target(len(view.hand) // 3, CLOSED)
    left = keys - KIND_KEYS[kinds]
    shanten, lowers = _lowering(left, target)
    furiten = _furiten_kinds(view)
    unseen = view.unseen()
    in_wall = _in_wall(unseen_tiles, lowers)
    order = np.lexsort((-(lowers @ unseen), shanten))
    return {
        "shanten": int(shantens(keys, target)),
        "best": kind_name(int(kinds[order[0]])),
        "discards": {
            kind_name(kind): {
                "shanten": int(shanten[row]),
                "useful": [kind_name(int(useful)) for useful in np.flatnonzero(lowers[row])],
                "furiten": bool(shanten[row] == 0 and lowers[row][sorted({*furiten, kind})].any()),
                "wall": in_wall[row][0],
                "none_in_wall": in_wall[row][1],
            }
            for row, kind in enumerate(kinds.tolist())
        },
    }


def _in_wall(unseen_tiles: UnseenTiles, useful: Bools) -> list[tuple[float, float]]:
    """Expected copies in the wall and P(none is there) of the kinds in each row of a mask, (n, 34).

    The kinds are taken as independent of each other.
    """
    expected = useful @ unseen_tiles.expected[WALL]
    none = np.where(useful, unseen_tiles.probabilities[WALL, :, 0], 1.0).prod(axis=1)
    return [*zip(expected.round(1).tolist(), none.round(3).tolist(), strict=True)]


def hands_left(view: View, gone: Sequence[Collection[int]]) -> list[tuple[int, int, list[str]]]:
    """Shanten, the number of useful tiles and their kinds, of the hand without some of its tiles.

    Parameters
    ----------
    view : View
    gone : sequence of collections of int
        For each hand that is left, the ids of the missing tiles; it has 3n + 1 concealed tiles.
    """
    hands = [[KIND[tile] for tile in view.hand if tile not in tiles] for tiles in gone]
    unseen = view.unseen()
    left: dict[int, tuple[int, int, list[str]]] = {}
    for size in {len(hand) for hand in hands}:  # a kan leaves fewer tiles than a discard
        rows = [row for row, hand in enumerate(hands) if len(hand) == size]
        keys = np.array([suit_keys(hands[row]) for row in rows])
        shanten, lowers = _lowering(keys, Target(size // 3, CLOSED))
        kinds = [[kind_name(int(kind)) for kind in np.flatnonzero(mask)] for mask in lowers]
        found = zip(shanten.tolist(), (lowers @ unseen).tolist(), kinds, strict=True)
        left |= zip(rows, found, strict=True)
    return [left[row] for row in range(len(hands))]


def _lowering(keys: Ints, target: Target) -> tuple[Ints, Bools]:
    """Shanten of hands, (n,), and the kinds that lower it, (n, 34)."""
    shanten = shantens(keys, target)
    return shanten, _after_draws(keys, target) < shanten[:, None]


def _after_draws(keys: Ints, target: Target) -> Ints:
    """Shanten after drawing every kind, (n, 34); without a fifth copy, which lowers nothing."""
    drawn = np.where((copies_of(keys) < COPIES)[..., None], KIND_KEYS, 0)
    return shantens(keys[:, None] + drawn, target)


def _furiten_kinds(view: View) -> set[int]:
    """Kinds on which the seat cannot win by ron after its discard, but for the discarded kind."""
    own = view.seats[view.seat]
    kinds = {KIND[discard.tile] for discard in own.river}
    if own.in_riichi:
        kinds |= {kind for kind in _ALL_KINDS.tolist() if view.passed[view.seat] >> kind & 1}
    return kinds
