"""What a hand is worth: 評価値, roughly the points to be expected from some turns of drawing.

小林聡, 電脳麻将: with a shanten s of up to 2, value(13 tiles) = Σ over the kinds that lower the
shanten of unseen copies × value(best discard after drawing one) / w, w = 12, 72, 216 for s = 0, 1,
2; at tenpai the points of the winning hand stand in for the value after drawing. Those are of a
ron, after riichi where the hand is closed: what can be counted on. Without a yaku there are none.

A tile that an open hand would call comes four times as often where a pon serves, for all four
players may bring it, and twice where a chi does. 電脳麻将 walks what the hand is after the call
instead (pon ×3, or pon ×2 + chi, besides the draw): of an open hand that is worth all but the same.
A closed hand's draws are counted once, for its calls cost the riichi.

Farther off all ways are too many: the value is how many unseen tiles lower the shanten, counted so,
and 役牌 of which two are held four times in a closed hand too; a tenth of it for each further step.
It is a number of tiles, and about what such a hand is worth in points too.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np
from riichienv._riichienv import Conditions, HandEvaluator

from houjuu.arena.plans import yakuhai_kinds
from houjuu.engine import WINDS, engine_meld
from houjuu.events import Meld
from houjuu.player.aims import aims_of
from houjuu.player.draws import (
    ANY_CALL,
    NEVER,
    PON,
    Floats,
    Hands,
    Level,
    Wall,
    fold,
    levels,
    useful_tiles,
)
from houjuu.player.shanten import Goal, goal, keys, ranks_of, shanten
from houjuu.table import View
from houjuu.tiles import COPIES, EAST, KINDS, RED_FIVES

WEIGHTS = (12, 72, 216)
"""w of tenpai, one and two away."""

FAR = len(WEIGHTS)
"""The shanten from which tiles are counted."""

_REDS = sorted(RED_FIVES)

Name = tuple[tuple[int, ...], int]
"""A hand: numbers of its suits, red fives as bits."""

Leaf = tuple[int, int, int, int, int, int]
"""A tenpai and what it waits for: numbers of its suits, red fives as bits, kind."""


class Around(NamedTuple):
    """What the points of a hand go by besides its tiles: melds, indicators, winds (kinds)."""

    melds: tuple[Meld, ...]
    indicators: tuple[int, ...]
    round_wind: int
    seat_wind: int

    @property
    def closed(self) -> bool:
        """Whether riichi is possible."""
        return not any(meld.is_open for meld in self.melds)


class Value(NamedTuple):
    """Shanten of a hand and its value, unit: 評価値 up to two away, beyond tiles."""

    shanten: int
    value: float


class _Points:
    """Points of rons, each worked out once.

    Parameters
    ----------
    around : Around
    """

    def __init__(self, around: Around) -> None:
        self._melds = [engine_meld(meld) for meld in around.melds]
        self._indicators = list(around.indicators)
        self._conditions = _conditions(around.closed, around.round_wind, around.seat_wind)
        self._known: dict[Leaf, int] = {}

    def of(self, leaf: Leaf) -> int:
        """Points, 0 without a yaku."""
        found = self._known.get(leaf)
        if found is None:
            found = self._known[leaf] = self._worked_out(leaf)
        return found

    def _worked_out(self, leaf: Leaf) -> int:
        *suits, reds, kind = leaf
        tiles = [tile for suit, key in enumerate(suits) for tile in _tiles(suit, key, reds)]
        insort(tiles, _plain(kind))
        evaluator = HandEvaluator(tiles, self._melds)
        result = evaluator.calc(_plain(kind), self._indicators, [], self._conditions)
        return int(result.ron_agari) if result.is_win else 0


@lru_cache(maxsize=64)
def _points(around: Around) -> _Points:
    return _Points(around)


def _plain(kind: int) -> int:
    return COPIES * kind + 1


@lru_cache(maxsize=10_000)
def _tiles(suit: int, key: int, reds: int) -> tuple[int, ...]:
    """Ids of a suit: a red five its own, any other the second copy of its kind."""
    red = _REDS[suit] if suit < len(_REDS) and reds >> suit & 1 else None
    tiles = [_plain(9 * suit + rank) for rank in ranks_of(key)]
    if red is not None:
        tiles[tiles.index(red + 1)] = red
    return tuple(tiles)


@cache
def _conditions(riichi: bool, round_wind: int, seat_wind: int) -> Any:
    winds = {"player_wind": WINDS[seat_wind - EAST], "round_wind": WINDS[round_wind - EAST]}
    return Conditions(riichi=riichi, **winds)


class Worth:
    """The values of a seat's hands as it sees the table.

    Parameters
    ----------
    view : View
        Of the seat.
    melds : tuple of Meld, optional
        Its sets, where they are to be others than they are.
    """

    def __init__(self, view: View, melds: tuple[Meld, ...] | None = None) -> None:
        self.around = Around(
            view.seats[view.seat].melds if melds is None else melds,
            view.dora_indicators,
            view.round_wind,
            view.seat_wind(view.seat),
        )
        melds, open_ = self.around.melds, not self.around.closed
        yakuhai = yakuhai_kinds(self.around.round_wind, self.around.seat_wind)
        unseen = view.unseen().astype(np.int64)
        kinds = [tile // COPIES for tile in view.hand]
        held = np.bincount(kinds, minlength=KINDS)
        self.aims = aims_of(kinds, melds, yakuhai, unseen.tolist())
        calls = np.full(KINDS, ANY_CALL if open_ else NEVER)
        self._near = Wall(unseen, held, calls)
        self._far = Wall(unseen, held, calls.copy())
        if not open_:
            self._far.calls[list(yakuhai)] = PON

    def of(self, hands: Sequence[Sequence[int]]) -> list[Value]:
        """Shanten and value of each of some hands of 3n + 1 concealed tiles (ids).

        To ask for many at once is quicker: they share what their draws lead to.
        """
        kinds = [[tile // COPIES for tile in hand] for hand in hands]
        away = [shanten(hand, self.aims) for hand in kinds]
        reds = [sum(1 << place for place, red in enumerate(_REDS) if red in hand) for hand in hands]
        names = [(tuple(keys(hand)), red) for hand, red in zip(kinds, reds, strict=True)]
        near: list[dict[Name, float]] = [{} for _ in range(min(max(away, default=0) + 1, FAR))]
        for name, far in zip(names, away, strict=True):
            if far < FAR:
                near[far][name] = 0.0
        if any(near):
            self._fill(near, goal(len(hands[0]), self.aims))
        return [
            Value(far, near[far][name] if far < FAR else self._tiles(hand, far))
            for name, hand, far in zip(names, kinds, away, strict=True)
        ]

    def _tiles(self, kinds: Sequence[int], away: int) -> float:
        found = useful_tiles(keys(kinds), self._far, goal(len(kinds), self.aims))
        return found / 10.0 ** (away - FAR)

    def _fill(self, near: list[dict[Name, float]], goal: Goal) -> None:
        """Fill in the values of hands, by shanten."""
        tenpai, *above = levels([_hands(list(names)) for names in near], self._near, goal)
        values = [self._tenpai(tenpai)]
        for weight, level in zip(WEIGHTS[1:], above, strict=False):
            values.append(fold(level.draws, values[-1]) / weight)
        for names, found in zip(near, values, strict=True):
            names.update(zip(names, found.tolist(), strict=False))  # roots are first of their level

    def _tenpai(self, level: Level) -> Floats:
        hands = np.column_stack(level.hands)
        of = np.repeat(np.arange(len(hands)), np.diff(level.draws.first))
        leaves = np.column_stack((hands[of], level.draws.kinds)).tolist()
        points = list(map(_points(self.around).of, map(tuple, leaves)))
        return np.bincount(of, level.draws.left * points, minlength=len(hands)) / WEIGHTS[0]


def _hands(names: Sequence[Name]) -> Hands:
    suits = [key for key, _ in names]
    reds = [red for _, red in names]
    return Hands(np.array(suits, dtype=np.int64).reshape(-1, 4), np.array(reds, dtype=np.int64))
