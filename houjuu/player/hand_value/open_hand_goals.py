"""The goals of a hand: any win while it is closed, a yaku once it is open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from houjuu.game.events import Meld
from houjuu.game.tiles import EAST
from houjuu.game.yaku import TANYAO, TOITOI
from houjuu.hands.open_yaku import flush_suits, has_yakuhai, possible_yaku
from houjuu.hands.shanten import (
    ALL,
    ALL_BUT,
    CLOSED,
    NONE,
    SETS_AND_PAIR,
    SIMPLES,
    TOITOI_GOAL,
    Goal,
    Goals,
)

_ANYTHING = Goal(form=SETS_AND_PAIR)
_TANYAO = Goal((SIMPLES, SIMPLES, SIMPLES, NONE), form=SETS_AND_PAIR)


def open_hand_goals(
    concealed: Sequence[int],
    melds: Sequence[Meld],
    yakuhai: Sequence[int],
    unseen: Sequence[int],
    *,
    open_tanyao: bool = True,
) -> Goals:
    """The goals of a hand, for `houjuu.hands.shanten`.

    A hand with an open meld aims for tanyao, a flush, toitoi, or a yakuhai: an open triplet, or a
    kind with two copies in hand and one unseen. A hand that can have none of them aims for tenpai.

    Parameters
    ----------
    concealed : sequence of 34 ints
        Concealed tiles of every kind.
    melds : sequence of Meld
    yakuhai : sequence of int
        Kinds of which a triplet is a yaku.
    unseen : sequence of 34 ints
        Copies of every kind that the player does not see.
    open_tanyao : bool, default=True
        Whether tanyao counts in an open hand.
    """
    if not any(meld.is_open for meld in melds):
        return CLOSED
    if has_yakuhai(melds, yakuhai):
        return (_ANYTHING,)
    pairs = [kind for kind in yakuhai if concealed[kind] + min(unseen[kind], 1) >= 3]
    goals = (*_goals_by_suit(melds, open_tanyao), *(_triplet_goal(kind - EAST) for kind in pairs))
    return goals or (_ANYTHING,)


def _triplet_goal(rank: int) -> Goal:
    """A triplet of the honour, whose tiles do not count for other sets."""
    return Goal((ALL, ALL, ALL, ALL_BUT + rank), rank, SETS_AND_PAIR)


def _goals_by_suit(melds: Sequence[Meld], open_tanyao: bool) -> Iterator[Goal]:
    possible = possible_yaku(melds, open_tanyao)
    if TANYAO in possible:
        yield _TANYAO
    for flush_suit in flush_suits(melds):
        manzu, pinzu, souzu = (ALL if suit == flush_suit else NONE for suit in range(3))
        yield Goal((manzu, pinzu, souzu, ALL), form=SETS_AND_PAIR)
    if TOITOI in possible:
        yield from TOITOI_GOAL
