"""The own hand after each discard: shanten, useful tiles, waits, furiten."""

from __future__ import annotations

import numpy as np

from houjuu.game.table import View
from houjuu.game.tiles import COPIES, KIND, KINDS, kind_name
from houjuu.player.hand_value.shanten import (
    CLOSED,
    KIND_KEYS,
    Target,
    copies_of,
    shantens,
    suit_keys,
)
from houjuu.review.page_types import OwnHand
from houjuu.util.arrays import Ints

_ALL_KINDS = np.arange(KINDS)


def own_hand(view: View) -> OwnHand:
    """The hand after each discard that the seat could make.

    Parameters
    ----------
    view : View
        The seat holds 3n + 2 concealed tiles.

    Returns
    -------
    OwnHand
        ``shanten`` of the whole hand, −1 if it is complete. ``unseen``: a string of 34 digits, the
        copies of every kind that the seat does not see. ``discards``, by the kind that is
        discarded ("5p"): the ``shanten`` that is left, the kinds that lower it (at
        shanten 0, the waits), and whether the waits are furiten. A complete form needs no yaku.
    """
    kinds = np.array(sorted({KIND[tile] for tile in view.hand}))
    keys = suit_keys(KIND[tile] for tile in view.hand)
    target = Target(len(view.hand) // 3, CLOSED)
    left = keys - KIND_KEYS[kinds]
    shanten = shantens(left, target)
    lowers = _after_draws(left, target) < shanten[:, None]
    furiten = _furiten_kinds(view)
    return {
        "shanten": int(shantens(keys, target)),
        "unseen": "".join(map(str, view.unseen().tolist())),
        "discards": {
            kind_name(kind): (
                int(shanten[row]),
                [kind_name(int(useful)) for useful in np.flatnonzero(lowers[row])],
                bool(shanten[row] == 0 and lowers[row][sorted({*furiten, kind})].any()),
            )
            for row, kind in enumerate(kinds.tolist())
        },
    }


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
