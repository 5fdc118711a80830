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

from collections.abc import Sequence
from functools import lru_cache
from itertools import starmap
from typing import NamedTuple

import numpy as np

from houjuu.game.events import Meld
from houjuu.game.table import View
from houjuu.game.tiles import KINDS, kind_counts
from houjuu.hands.shanten import CLOSED, Goals, Target, shantens
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
from houjuu.player.hand_value.improvement import Improvement
from houjuu.player.hand_value.open_hand_goals import open_hand_goals
from houjuu.player.hand_value.ron_points import WinContext, rons
from houjuu.util.arrays import Floats, Ints

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
    points : float
        Up to shanten 2 the mean points of a ron over the ways, with riichi where the hand is
        closed; 0 without a way, and beyond.
    """

    shanten: int
    value: float
    ways: float
    points: float


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

    def outlooks(self, hands: Sequence[Sequence[int]]) -> tuple[Outlook, ...]:
        """The outlook of hands of 3n + 1 concealed tiles (ids), in their order.

        One call for many hands is faster than many calls: hands share the draws that follow.
        """
        if not hands:
            return ()
        names = self._names(hands)
        distinct = tuple(dict.fromkeys(names))
        numbers = zip(*_outlooks(self._seen, distinct), strict=True)
        outlook_of = dict(zip(distinct, numbers, strict=True))
        return tuple(Outlook(*outlook_of[name]) for name in names)

    def dama(self, hand: Sequence[int]) -> list[tuple[int, float, int]]:
        """The waits of a tenpai hand: the kind, its unseen copies, and the points without riichi.

        The copies are weighted. The points are those of a ron, 0 without a yaku.
        """
        (name,) = self._names([hand])
        keys = np.array([name[:4]])
        target = Target(4 - len(self._seen.context.melds), self.goals)
        wall, _ = _walls(self._seen)
        waits = unseen_waits(keys, wall, target)
        points = rons(self._seen.context, riichi=False).points
        return [(kind, left, points((*name, kind))) for kind, left in waits]

    def improvements(self, hands: Sequence[Sequence[int]]) -> list[Improvement]:
        """The draws that better hands of 3n + 1 concealed tiles (ids), up to 1 from tenpai."""
        if not hands:
            return []
        names = self._names(hands)
        distinct = tuple(dict.fromkeys(names))
        found = dict(zip(distinct, _improvements(self._seen, distinct), strict=True))
        return [found[name] for name in names]

    def formal(self, hands: Sequence[Sequence[int]]) -> tuple[Ints, Floats]:
        """The distance of hands to tenpai by shape, and the unseen tiles that lower it, (n,) each.

        Nothing is called, and no yaku is needed (形式聴牌).
        """
        keys = np.array(self._names(hands))[:, :4]
        target = Target(4 - len(self._seen.context.melds), CLOSED)
        away = shantens(keys, target)
        return away, useful_tiles(keys, away, self._seen.wall(np.full(KINDS, NEVER)), target)

    def useful_tiles(self, hands: Sequence[Sequence[int]]) -> list[int]:
        """Unseen tiles that lower the shanten of hands, counted as in the value of far hands."""
        keys = np.array(self._names(hands))[:, :4]
        target = Target(4 - len(self._seen.context.melds), self.goals)
        _, far_wall = _walls(self._seen)
        return [*map(int, useful_tiles(keys, shantens(keys, target), far_wall, target))]


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

    def wall(self, calls: Ints) -> Wall:
        """The tiles that may be drawn, with the kinds that the hand would call."""
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
def _outlooks(seen: Seen, hands: tuple[HandName, ...]) -> tuple[tuple[float, ...], ...]:
    """The columns of `Outlook` for distinct hands: plain numbers, of no concern to the gc."""
    names = np.array(hands, dtype=np.intp)
    keys = names[:, :4]
    reds = names[:, 4]
    target = Target(4 - len(seen.context.melds), seen.goals)
    shanten = shantens(keys, target)
    values, ways, points = np.zeros((3, len(names)))
    near_wall, far_wall = _walls(seen)
    highest = max((level for level in shanten.tolist() if level < FAR), default=-1)
    near = [np.flatnonzero(shanten == level) for level in range(highest + 1)]
    if near:
        roots = [KeyedHands(keys[rows], reds[rows]) for rows in near]
        by_level = _near(levels(roots, near_wall, target), seen.context)
        for rows, (level_values, level_ways) in zip(near, by_level, strict=True):
            values[rows], ways[rows] = level_values[: len(rows)], level_ways[: len(rows)]
    weight = np.cumprod(WEIGHTS)[np.minimum(shanten, FAR - 1)]
    np.divide(values * weight, ways, out=points, where=ways > 0)
    far = np.flatnonzero(shanten >= FAR)
    if len(far):
        ways[far] = useful_tiles(keys[far], shanten[far], far_wall, target)
    columns = (shanten, values, ways, points)
    return tuple(tuple(column.tolist()) for column in columns)


@lru_cache(maxsize=1_000)
def _improvements(seen: Seen, hands: tuple[HandName, ...]) -> tuple[Improvement, ...]:
    """The improvements of distinct hands, at most `MAY_IMPROVE` from tenpai."""
    names = np.array(hands, dtype=np.intp)
    target = Target(4 - len(seen.context.melds), seen.goals)
    shanten = shantens(names[:, :4], target)
    columns = np.zeros((len(names), len(Improvement._fields)))
    for level in range(MAY_IMPROVE + 1):
        (rows,) = np.nonzero(shanten == level)
        if len(rows):
            roots = KeyedHands(names[rows, :4], names[rows, 4])
            columns[rows] = _improvements_of(seen, roots, level, target)
    return tuple(starmap(Improvement, columns.tolist()))


def _improvements_of(seen: Seen, roots: KeyedHands, shanten: int, target: Target) -> Floats:
    """Those of hands of one shanten, (hands, 3).

    Of hands 1 from tenpai the draws count after which more tiles are useful, with the discards that
    leave the most of them: the others add a tenth of the gain in value, and take most of the time.
    """
    kept, after = keeping_draws(roots, shanten, seen.wall(np.full(KINDS, NEVER)), target)
    near_wall, _ = _walls(seen)
    if shanten:
        away = np.full(len(after.reds), shanten)
        kept, used = with_most(kept, useful_tiles(after.keys, away, near_wall, target))
        after = KeyedHands(after.keys[used], after.reds[used])
    nearer = [KeyedHands(after.keys[:0], after.reds[:0])] * shanten
    values, ways = _near(levels([*nearer, after], near_wall, target), seen.context)[shanten]
    best = best_rests(kept, values)
    better = values[best] > values[kept.draws.hands]
    tiles = fold(kept, better.astype(np.float64))
    tiles_and_ways = fold(kept, better * ways[best])
    total = fold(kept, better * values[best]) * np.prod(WEIGHTS[: shanten + 1])
    ways_after, points_after = np.zeros((2, len(tiles)))
    np.divide(tiles_and_ways, tiles, out=ways_after, where=tiles > 0)
    np.divide(total, tiles_and_ways, out=points_after, where=tiles_and_ways > 0)
    return np.column_stack((tiles, ways_after, points_after))


def _walls(seen: Seen) -> tuple[Wall, Wall]:
    """The tiles that may be drawn, and called: for hands below `FAR`, and for the others."""
    calls = np.full(KINDS, NEVER if seen.context.closed else ANY_CALL)
    far_calls = calls.copy()
    if seen.context.closed:
        far_calls[list(seen.context.yakuhai)] = PON
    return seen.wall(calls), seen.wall(far_calls)


def _near(by_shanten: Sequence[Level], context: WinContext) -> list[tuple[Floats, Floats]]:
    """The values and the ways of the hands of each level."""
    folded = [_tenpai(by_shanten[0], context)]
    for weight, level in zip(WEIGHTS[1:], by_shanten[1:], strict=False):
        values, ways = folded[-1]
        best = best_rests(level, values)
        folded.append((fold(level, values[best]) / weight, fold(level, ways[best])))
    return folded


def _tenpai(level: Level, context: WinContext) -> tuple[Floats, Floats]:
    """The values and the ways of tenpai hands."""
    hands = np.column_stack(level.hands)
    draws = level.draws
    waits = np.column_stack((hands[draws.hands], draws.kinds)).tolist()
    ron_points = rons(context, riichi=context.closed).points
    points = np.array(list(map(ron_points, map(tuple, waits))), np.float64)
    return fold(level, points) / WEIGHTS[0], fold(level, (points > 0).astype(np.float64))
