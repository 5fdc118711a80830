"""Plans of the self-play bots: ways of an open hand to a yaku, and the shanten of a hand on each.

A plan cannot use some tiles. They are replaced by fillers: kinds that the plan cannot use either
and that do not combine with each other, so that each counts as a single tile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from houjuu.game import yaku
from houjuu.game.events import Meld
from houjuu.game.tiles import EAST, HONOURS, IS_HONOUR, IS_YAOCHU, KINDS, SUIT
from houjuu.hands import shanten as hand_shanten
from houjuu.hands.open_yaku import flush_suits, has_yakuhai, possible_yaku
from houjuu.hands.shanten import CLOSED, TOITOI_GOAL, Goals
from houjuu.util.arrays import Ints

IMPOSSIBLE = 8
"""The shanten of a hand with more unusable tiles than the plan has fillers."""


class Plan(NamedTuple):
    """A way to a yaku.

    Attributes
    ----------
    name : str
    usable : tuple of 34 bools
        The kinds that it can use.
    fillers : tuple of int
        Kinds that replace the tiles that it cannot use.
    goals : Goals
        As in `houjuu.hands.shanten`.
    """

    name: str
    usable: tuple[bool, ...] = (True,) * KINDS
    fillers: tuple[int, ...] = ()
    goals: Goals = CLOSED


def _flush(suit: int) -> Plan:
    usable = tuple(SUIT[kind] in (suit, HONOURS) for kind in range(KINDS))
    fillers = [9 * other + rank for other in range(3) if other != suit for rank in (0, 4, 8)]
    return Plan("honitsu", usable, tuple(fillers))


PLAIN = Plan("plain")
YAKUHAI = Plan("yakuhai")
TANYAO = Plan("tanyao", tuple(not yaochu for yaochu in IS_YAOCHU), tuple(range(EAST, KINDS)))
FLUSHES = tuple(_flush(suit) for suit in range(3))
TOITOI = Plan("toitoi", goals=TOITOI_GOAL)


def shanten(kinds: Sequence[int], plan: Plan) -> int:
    """Shanten of 3n + 1 or 3n + 2 concealed tiles (kinds) on a plan."""
    usable, n_fillers = _usable(kinds, plan)
    if n_fillers > len(plan.fillers):
        return IMPOSSIBLE
    return hand_shanten.shanten([*usable, *plan.fillers[:n_fillers]], plan.goals)


def after_draw(kinds: Sequence[int], plan: Plan) -> Ints:
    """(34,): shanten of 3n + 1 tiles on a plan after drawing each kind.

    `houjuu.hands.shanten.ABSENT` where four copies are in hand.
    """
    usable, n_fillers = _usable(kinds, plan)
    if n_fillers > len(plan.fillers):
        return np.full(KINDS, IMPOSSIBLE)
    filled = [*usable, *plan.fillers[:n_fillers]]
    by_kind = hand_shanten.after_draw(filled, plan.goals)
    one_filler_more = plan.fillers[n_fillers : n_fillers + 1]
    with_filler = by_kind[one_filler_more[0]] if one_filler_more else IMPOSSIBLE
    return np.where(plan.usable, by_kind, with_filler)


def after_discard(kinds: Sequence[int], plan: Plan) -> Ints:
    """(34,): shanten of 3n + 2 tiles on a plan after discarding each kind in hand."""
    usable, n_fillers = _usable(kinds, plan)
    filled = [*usable, *plan.fillers[:n_fillers]]
    if n_fillers > len(plan.fillers) + 1:
        return np.full(KINDS, IMPOSSIBLE)
    if n_fillers > len(plan.fillers):  # a usable tile may not go, any other leaves the fillers
        return np.where(plan.usable, IMPOSSIBLE, hand_shanten.shanten(filled, plan.goals))
    by_kind = hand_shanten.after_discard(filled, plan.goals)
    without_filler = by_kind[plan.fillers[n_fillers - 1]] if n_fillers else IMPOSSIBLE
    return np.where(plan.usable, by_kind, without_filler)


def _usable(kinds: Sequence[int], plan: Plan) -> tuple[list[int], int]:
    """The tiles that the plan can use, and the number of the others."""
    usable = [kind for kind in kinds if plan.usable[kind]]
    return usable, len(kinds) - len(usable)


def open_plans(
    kinds: Sequence[int], melds: tuple[Meld, ...], yakuhai: Sequence[int], unseen: Sequence[int]
) -> Iterator[Plan]:
    """The plans that an open hand can still follow.

    Parameters
    ----------
    kinds : sequence of int
        The concealed tiles.
    melds : tuple of Meld
    yakuhai : sequence of int
        Kinds of which a triplet is a yaku.
    unseen : sequence of 34 ints
        Copies of every kind that the player does not see.
    """
    counts = Counter(kinds)
    has_yaku = has_yakuhai(melds, yakuhai) or any(counts[kind] >= 3 for kind in yakuhai)
    # A pair is as good as a yaku while both of its missing tiles may still come.
    if has_yaku or any(counts[kind] == 2 and unseen[kind] == 2 for kind in yakuhai):
        yield YAKUHAI
    possible = possible_yaku(melds)
    if yaku.TANYAO in possible:
        yield TANYAO
    yield from (FLUSHES[suit] for suit in flush_suits(melds))
    if yaku.TOITOI in possible:
        yield TOITOI


def nearby(kinds: Sequence[int]) -> list[int]:
    """The kinds that may improve a hand: those in hand, and those within two ranks of them."""
    near = set()
    for kind in set(kinds):
        near.add(kind)
        if not IS_HONOUR[kind]:
            first = 9 * SUIT[kind]
            near.update(range(max(first, kind - 2), min(first + 9, kind + 3)))
    return sorted(near)
