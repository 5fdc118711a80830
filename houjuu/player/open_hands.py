"""What a hand may be after: to win at all while it is closed, a yaku once it is open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from houjuu.events import Meld
from houjuu.player.shanten import (
    ALL,
    BUT,
    CLOSED,
    NONE,
    SETS_AND_PAIR,
    SIMPLES,
    TRIPLETS,
    Aims,
)
from houjuu.tiles import COPIES, EAST, HONOURS, IS_YAOCHU, SUIT

_ANYTHING = (ALL, ALL, ALL, ALL, -1, SETS_AND_PAIR)
_TANYAO = (SIMPLES, SIMPLES, SIMPLES, NONE, -1, SETS_AND_PAIR)
_TOITOI = (ALL, ALL, ALL, ALL, -1, TRIPLETS)


def aims_of(
    held: Sequence[int], melds: Sequence[Meld], yakuhai: Sequence[int], unseen: Sequence[int]
) -> Aims:
    """What a hand can still be after, as `houjuu.player.shanten` takes it.

    断幺九, flushes, 対々和, and 役牌: a triplet that stands open, or a kind of which the hand holds
    two and one is unseen. A hand that has none of them is after tenpai.

    Parameters
    ----------
    held : sequence of 34 ints
        Concealed tiles of every kind.
    melds : sequence of Meld
    yakuhai : sequence of int
        Kinds of which a triplet is a yaku.
    unseen : sequence of 34 ints
    """
    if not any(meld.is_open for meld in melds):
        return CLOSED
    shown = [[tile // COPIES for tile in meld.tiles] for meld in melds]
    if any(kinds[0] in yakuhai for kinds in shown):
        return np.array([_ANYTHING])
    pairs = [k for k in yakuhai if held[k] + min(unseen[k], 1) >= 3]
    found = [
        *_suits(shown),
        *((ALL, ALL, ALL, BUT + k - EAST, k - EAST, SETS_AND_PAIR) for k in pairs),
    ]
    return np.array(found or [_ANYTHING])


def _suits(shown: Sequence[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    kinds = [kind for meld in shown for kind in meld]
    if not any(IS_YAOCHU[kind] for kind in kinds):
        yield _TANYAO
    for suit in range(3):
        if all(SUIT[kind] in (suit, HONOURS) for kind in kinds):
            yield (*(ALL if other == suit else NONE for other in range(3)), ALL, -1, SETS_AND_PAIR)
    if all(len(set(meld)) == 1 for meld in shown):
        yield _TOITOI
