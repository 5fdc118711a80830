"""The value of a hand (評価値): roughly the points to expect from several turns of drawing.

小林聡, 電脳麻将: for a shanten s of up to 2, value(13 tiles) = Σ over the kinds that lower the
shanten of unseen copies × value(best discard after drawing one) / w, where w is 12, 72, 216 for s =
0, 1, 2. In tenpai the points of the winning hand replace the value after drawing. They are the
points of a ron, with riichi where the hand is closed and no other yaku of chance; 0 without a yaku.

A tile that an open hand would call counts four times where it would call pon, because all four
players may bring it, and twice where it would call chi. 電脳麻将 searches the hand after the call
instead (pon ×3, or pon ×2 + chi, besides the draw): for an open hand the value is almost the same.
A closed hand's draws count once, because a call costs it the riichi.

A higher shanten leaves too many lines to search: `houjuu.player.hand_value.far_hands`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import starmap
from typing import NamedTuple, TypeVar

import numpy as np

from houjuu.game.events import Meld
from houjuu.game.table import View
from houjuu.game.tiles import EAST, KINDS, kind_counts
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
    Target,
    shantens,
)
from houjuu.player.hand_value.draw_tree import (
    ANY_CALL,
    NEVER,
    PON,
    KeyedHands,
    Level,
    Wall,
    best_rests,
    fold,
    keeping_draws,
    levels,
    unseen_waits,
    useful_tiles,
    with_most,
)
from houjuu.player.hand_value.hand_names import HandName, hand_names
from houjuu.player.hand_value.improvement import NO_IMPROVEMENT, Improvement
from houjuu.player.hand_value.scores import SCORES, WIN_POINTS
from houjuu.player.hand_value.win_scores import WinContext, win_scores
from houjuu.util.arrays import Floats, Ints

T = TypeVar("T")

WEIGHTS = (12, 72, 216)
"""w by shanten: of tenpai, shanten 1 and shanten 2."""

FAR = len(WEIGHTS)
"""The shanten from which useful tiles are counted instead of searched."""

MAY_IMPROVE = 1
"""The highest shanten of a hand whose improvements are searched."""


class Value(NamedTuple):
    """Shanten of a hand and its value, unit: 評価値, roughly points."""

    shanten: int
    value: float


class Outlook(NamedTuple):
    """The future of a hand; each unseen copy counts by the weight that `HandValuer` has for it.

    Attributes
    ----------
    shanten : int
    value : float
        評価値; 0 beyond shanten 2, where `houjuu.player.hand_value.far_hands` has it.
    ways : float
        Up to shanten 2 the number of draws in order that complete the hand with a yaku: Σ of the
        products of unseen copies, on the way that the value takes. Beyond, the unseen tiles that
        lower the shanten.
    scores : (2, scores) array
        Up to shanten 2 the ways by the score of a ron (`houjuu.player.hand_value.scores`): with
        riichi where the hand is closed, and without. Beyond, 0.
    """

    shanten: int
    value: float
    ways: float
    scores: Floats


class Wait(NamedTuple):
    """A kind that a tenpai hand waits for.

    Attributes
    ----------
    kind : int
    left : float
        Its unseen copies, weighted.
    ron, tsumo : (int, int)
        The scores of a win in riichi, if the hand is closed, and without; `NONE` without a yaku
        (`houjuu.player.hand_value.win_scores`).
    """

    kind: int
    left: float
    ron: tuple[int, int]
    tsumo: tuple[int, int]


class HandValuer:
    """The values of the hands of one seat, given what it sees.

    Parameters
    ----------
    view : View
        The view of the seat.
    melds : tuple of Meld, optional
        The melds of the hands; by default those of the seat.
    by_shape : bool, default=False
        Whether open hands aim for any winning form. Up to shanten 2 the ways are still those that
        win with a yaku, whichever it is.
    weights : (34,) array, optional
        How much an unseen copy of each kind counts, as
        `houjuu.risk.unseen.UnseenTiles.wall_weights`; without them 1.
    riichi : bool, default=False
        Whether the seat declares riichi now: on its first turn a double one.
    """

    def __init__(
        self,
        view: View,
        melds: tuple[Meld, ...] | None = None,
        *,
        by_shape: bool = False,
        weights: Floats | None = None,
        riichi: bool = False,
    ) -> None:
        seat = view.seat
        context = WinContext(
            view.seats[seat].melds if melds is None else melds,
            view.dora_indicators,
            view.round_wind,
            view.seat_wind(seat),
            view.rules.of_scores,
            double_riichi=bool(view.moment.double_riichi[seat]) or (riichi and view.first_turn),
        )
        self._seen = Seen(
            context=context,
            unseen=tuple(view.unseen().tolist()),
            in_hand=tuple(kind_counts(view.hand).tolist()),
            draws=view.tiles_left // 4,
            by_shape=by_shape,
            weights=None if weights is None else tuple(weights.tolist()),
        )

    @property
    def goals(self) -> Goals:
        """The goals of the hand."""
        return self._seen.goals

    def _names(self, hands: Sequence[Sequence[int]]) -> list[HandName]:
        return hand_names(hands, red_fives=self._seen.context.rules.red_fives)

    def _found(
        self,
        find: Callable[[Seen, tuple[HandName, ...]], tuple[T, ...]],
        hands: Sequence[Sequence[int]],
    ) -> list[T]:
        """What is found for distinct hands, for each of these."""
        if not hands:
            return []
        names = self._names(hands)
        distinct = tuple(dict.fromkeys(names))
        found = dict(zip(distinct, find(self._seen, distinct), strict=True))
        return [found[name] for name in names]

    def outlooks(self, hands: Sequence[Sequence[int]]) -> list[Outlook]:
        """The outlook of hands of 3n + 1 concealed tiles (ids), in their order.

        One call for many hands is faster than many calls: hands share the draws that follow.
        """
        return self._found(_outlooks, hands)

    def waits(self, hand: Sequence[int]) -> list[Wait]:
        """The waits of a tenpai hand with an unseen copy."""
        (name,) = self._names([hand])
        seen = self._seen
        target = Target(4 - len(seen.context.melds), self.goals)
        wall, _ = _walls(seen)
        by_ron, by_tsumo = (win_scores(seen.context, tsumo=tsumo).of for tsumo in (False, True))
        return [
            Wait(kind, left, by_ron((*name, kind)), by_tsumo((*name, kind)))
            for kind, left in unseen_waits(np.array([name[:4]]), wall, target)
        ]

    def improvements(self, hands: Sequence[Sequence[int]]) -> list[Improvement]:
        """The draws that better hands of 3n + 1 concealed tiles (ids), up to 1 from tenpai."""
        return self._found(_improvements, hands)

    def formal(self, hands: Sequence[Sequence[int]]) -> tuple[Ints, Floats]:
        """The distance of hands to tenpai by shape, and the unseen tiles that lower it, (n,) each.

        Nothing is called, and no yaku is needed (形式聴牌).
        """
        keys = np.array(self._names(hands))[:, :4]
        target = Target(4 - len(self._seen.context.melds), CLOSED)
        away = shantens(keys, target)
        return away, useful_tiles(keys, away, self._seen.wall(), target)


class Seen(NamedTuple):
    """The context that the values of hands depend on besides their tiles.

    Attributes
    ----------
    context : WinContext
    unseen, in_hand : tuple of 34 ints
        The fields of `houjuu.player.hand_value.draw_tree.Wall`.
    draws : int
        Draws left to each seat.
    by_shape : bool
    weights : tuple of 34 floats or None
        As in `HandValuer`.
    """

    context: WinContext
    unseen: tuple[int, ...]
    in_hand: tuple[int, ...]
    draws: int
    by_shape: bool
    weights: tuple[float, ...] | None = None

    def wall(self, calls: Ints | None = None) -> Wall:
        """The tiles that may be drawn, with the kinds that the hand would call; by default none."""
        calls = np.full(KINDS, NEVER) if calls is None else calls
        weights = None if self.weights is None else np.array(self.weights)
        return Wall(np.array(self.unseen), np.array(self.in_hand), calls, weights)

    @property
    def goals(self) -> Goals:
        """The goals of the hand."""
        context = self.context
        if self.by_shape:
            return CLOSED
        return open_hand_goals(
            self.in_hand,
            context.melds,
            context.yakuhai,
            self.unseen,
            open_tanyao=context.rules.open_tanyao,
        )


@lru_cache(maxsize=5_000)
def _outlooks(seen: Seen, hands: tuple[HandName, ...]) -> tuple[Outlook, ...]:
    """The outlooks of distinct hands."""
    names = np.array(hands, dtype=np.intp)
    keys = names[:, :4]
    reds = names[:, 4]
    target = Target(4 - len(seen.context.melds), seen.goals)
    shanten = shantens(keys, target)
    values, ways = np.zeros((2, len(names)))
    scores = np.zeros((len(names), 2, len(SCORES)))
    near_wall, far_wall = _walls(seen)
    highest = max((level for level in shanten.tolist() if level < FAR), default=-1)
    near = [np.flatnonzero(shanten == level) for level in range(highest + 1)]
    if near:
        roots = [KeyedHands(keys[rows], reds[rows]) for rows in near]
        leaves, by_level = _near(levels(roots, near_wall, target), seen.context)
        for rows, (level_values, level_ways) in zip(near, by_level, strict=True):
            values[rows] = level_values[: len(rows)]
            scores[rows] = leaves.scores(level_ways[: len(rows)])
        ways = scores[:, 0].sum(axis=1)
    far = np.flatnonzero(shanten >= FAR)
    if len(far):
        ways[far] = useful_tiles(keys[far], shanten[far], far_wall, target)
    columns = shanten.tolist(), values.tolist(), ways.tolist(), scores
    return tuple(starmap(Outlook, zip(*columns, strict=True)))


@lru_cache(maxsize=1_000)
def _improvements(seen: Seen, hands: tuple[HandName, ...]) -> tuple[Improvement, ...]:
    """The improvements of distinct hands, at most `MAY_IMPROVE` from tenpai."""
    names = np.array(hands, dtype=np.intp)
    target = Target(4 - len(seen.context.melds), seen.goals)
    shanten = shantens(names[:, :4], target)
    found = [NO_IMPROVEMENT] * len(names)
    for level in range(MAY_IMPROVE + 1):
        (rows,) = np.nonzero(shanten == level)
        if len(rows):
            roots = KeyedHands(names[rows, :4], names[rows, 4])
            for row, improvement in zip(
                rows.tolist(), _improvements_of(seen, roots, level, target), strict=True
            ):
                found[row] = improvement
    return tuple(found)


def _improvements_of(
    seen: Seen, roots: KeyedHands, shanten: int, target: Target
) -> Iterator[Improvement]:
    """Those of hands of one shanten.

    Of hands 1 from tenpai the draws count after which more tiles are useful, with the discards that
    leave the most of them: the others add a tenth of the gain in value, and take most of the time.
    """
    kept, after = keeping_draws(roots, shanten, seen.wall(), target)
    near_wall, _ = _walls(seen)
    if shanten:
        away = np.full(len(after.reds), shanten)
        kept, used = with_most(kept, useful_tiles(after.keys, away, near_wall, target))
        after = KeyedHands(after.keys[used], after.reds[used])
    nearer = [KeyedHands(after.keys[:0], after.reds[:0])] * shanten
    leaves, by_level = _near(levels([*nearer, after], near_wall, target), seen.context)
    values, ways = by_level[shanten]
    best = best_rests(kept, values)
    better = (values[best] > values[kept.draws.hands]).astype(np.float64)
    tiles = fold(kept, better)
    scores = leaves.scores(fold(kept, better[:, None] * ways[best]))
    np.divide(scores, tiles[:, None, None], out=scores, where=tiles[:, None, None] > 0)
    return starmap(Improvement, zip(tiles.tolist(), scores, strict=True))


def _walls(seen: Seen) -> tuple[Wall, Wall]:
    """The tiles that may be drawn, and called: for hands below `FAR`, and for the others."""
    calls = np.full(KINDS, NEVER if seen.context.closed else ANY_CALL)
    far_calls = calls.copy()
    if seen.context.closed:
        far_calls[list(seen.context.yakuhai)] = PON
    return seen.wall(calls), seen.wall(far_calls)


class _Leaves(NamedTuple):
    """The pairs of scores, with riichi and without, that the wins of a tree have, (pairs, 2)."""

    pairs: Ints

    def scores(self, ways: Floats) -> Floats:
        """The ways by pair, (n, pairs), as ways by score, (n, 2, scores)."""
        by_score = self.pairs[:, :, None] == np.arange(len(SCORES))
        return np.asarray(np.einsum("np,prs->nrs", ways, by_score))


def _near(
    by_shanten: Sequence[Level], context: WinContext
) -> tuple[_Leaves, list[tuple[Floats, Floats]]]:
    """The values of the hands of each level, and their ways by pair of scores, (hands, pairs)."""
    level = by_shanten[0]
    hands, draws = np.column_stack(level.hands), level.draws
    waits = map(tuple, np.column_stack((hands[draws.hands], draws.kinds)).tolist())
    of_waits = np.array([*map(win_scores(context).of, waits)], np.intp).reshape(-1, 2)
    code = of_waits @ (len(SCORES) + 1, 1)
    distinct, pair = np.unique(code, return_inverse=True)
    leaves = _Leaves(np.column_stack(np.divmod(distinct, len(SCORES) + 1)))
    points = np.append(WIN_POINTS[context.dealer][0], 0.0)[of_waits[:, 0]]
    is_pair = (pair[:, None] == np.arange(len(distinct))).astype(np.float64)
    folded = [(fold(level, points) / WEIGHTS[0], fold(level, is_pair))]
    for weight, level in zip(WEIGHTS[1:], by_shanten[1:], strict=False):
        values, ways = folded[-1]
        best = best_rests(level, values)
        folded.append((fold(level, values[best]) / weight, fold(level, ways[best])))
    return leaves, folded


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
