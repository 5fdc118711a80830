"""Where the unseen tiles are, as the page shows it: the wall by kind, and the likeliest tiles."""

from __future__ import annotations

import numpy as np

from houjuu.game.tiles import kind_name
from houjuu.review.page_types import UnseenCopies
from houjuu.risk.unseen import WALL, UnseenTiles
from houjuu.util.arrays import Floats

LIKELIEST = 5
"""Kinds that are listed for each hand."""


def unseen_copies(unseen: UnseenTiles) -> UnseenCopies:
    """The copies in the wall of every kind, and the likeliest kinds of each hand."""
    expected = unseen.expected
    return {
        "copies": unseen.copies.tolist(),
        "wall": expected[WALL].round(2).tolist(),
        "hands": [_likeliest(hand) for hand in expected[:WALL]],
    }


def _likeliest(hand: Floats) -> dict[str, float]:
    """The kinds with the most expected copies, and these; equal ones in the order of kinds."""
    kinds = np.argsort(-hand, kind="stable")[:LIKELIEST]
    return {kind_name(kind): round(float(hand[kind]), 2) for kind in kinds.tolist() if hand[kind]}
