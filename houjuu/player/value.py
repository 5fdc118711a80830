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
and 役牌 of which two are held four times in a closed hand too, times the han that the hand promises
(`houjuu.player.prospects`): of what was tried that picks most of strong players' discards
(docs/yaku.md). Eight points for a tile and a han, a tenth of it for each further step: less than
such a hand is worth nearer to tenpai.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np
from riichienv._riichienv import Conditions, HandEvaluator

from houjuu.engine import WINDS, engine_meld
from houjuu.events import Meld
from houjuu.player import aims, prospects
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
from houjuu.player.open_hands import aims_of
from houjuu.player.prospects import Prospects
from houjuu.player.shanten import Aims, Goal, keys, ranks_of, shantens, tables
from houjuu.table import View
from houjuu.tiles import COPIES, EAST, KINDS, RED_FIVES, dora_of, yakuhai_kinds

WEIGHTS = (12, 72, 216)
"""w of tenpai, one and two away."""

FAR = len(WEIGHTS)
"""The shanten from which tiles are counted."""

_POINTS = 8.0
"""Points for a tile and a han of a hand that is far: next to what it is worth nearer, little."""

_REDS = sorted(RED_FIVES)
_RED_BITS = 1 << np.arange(len(_REDS))
_KEYS = np.array([keys([kind]) for kind in range(KINDS)])

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

    @property
    def yakuhai(self) -> tuple[int, ...]:
        """Kinds of which a triplet is a yaku."""
        return yakuhai_kinds(self.round_wind, self.seat_wind)


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
        around = Around(
            view.seats[view.seat].melds if melds is None else melds,
            view.dora_indicators,
            view.round_wind,
            view.seat_wind(view.seat),
        )
        held = np.bincount(np.array(view.hand) // COPIES, minlength=KINDS)
        self._seen = Seen(
            around, tuple(view.unseen().tolist()), tuple(held.tolist()), view.tiles_left // 4
        )

    @property
    def aims(self) -> Aims:
        """What the hand may be after."""
        return self._seen.aims

    def of(self, hands: Sequence[Sequence[int]]) -> tuple[Value, ...]:
        """Shanten and value of each of some hands of 3n + 1 concealed tiles (ids).

        To ask for many at once is quicker: they share what their draws lead to.
        """
        if not hands:
            return ()
        tiles = np.array(hands, dtype=np.int64)
        keys = _KEYS[tiles // COPIES].sum(axis=1)
        reds = (tiles[:, :, None] == _REDS).any(axis=1) @ _RED_BITS
        names = list(map(tuple, np.column_stack((keys, reds)).tolist()))
        once = tuple(dict.fromkeys(names))
        found = dict(zip(once, _values(self._seen, once), strict=True))
        return tuple(found[name] for name in names)


@cache
def _prospects() -> Prospects:
    return prospects.load()


class Seen(NamedTuple):
    """What the values of hands go by besides their tiles; see `houjuu.player.draws.Wall`."""

    around: Around
    unseen: tuple[int, ...]
    held: tuple[int, ...]
    draws: int

    @property
    def aims(self) -> Aims:
        """What the hand may be after."""
        around = self.around
        return aims_of(self.held, around.melds, around.yakuhai, self.unseen)


@lru_cache(maxsize=20_000)
def _values(seen: Seen, hands: tuple[tuple[int, ...], ...]) -> tuple[Value, ...]:
    """Of hands that differ: numbers of their four suits, and red fives as bits."""
    found = np.array(hands, dtype=np.int64)
    goal = Goal(4 - len(seen.around.melds), seen.aims, tables())
    away = shantens(np.ascontiguousarray(found[:, :4]), goal)
    values = np.zeros(len(found))
    walls = _walls(seen)
    farthest = max((level for level in away.tolist() if level < FAR), default=-1)
    near = [found[away == level] for level in range(farthest + 1)]
    if near:
        roots = [Hands(np.ascontiguousarray(of[:, :4]), of[:, 4].copy()) for of in near]
        for level, worth in enumerate(_near(levels(roots, walls[0], goal), seen.around)):
            values[away == level] = worth[: len(near[level])]
    for place in np.flatnonzero(away >= FAR):
        tiles = useful_tiles(found[place, :4].copy(), walls[1], goal)
        han = _han(seen, found[place].tolist(), int(away[place]))
        values[place] = _POINTS * tiles * han / 10.0 ** (away[place] - FAR)
    return tuple(map(Value, away.tolist(), values.tolist()))


def _han(seen: Seen, hand: Sequence[int], away: int) -> float:
    """Han that a hand promises."""
    *suits, reds = hand
    around = seen.around
    read = aims.read(
        [tile for suit, key in enumerate(suits) for tile in _tiles(suit, key, reds)],
        around.melds,
        round_wind=around.round_wind,
        seat_wind=around.seat_wind,
        dora=[dora_of(indicator // COPIES) for indicator in around.indicators],
        tiles_left=4 * seen.draws,
        shanten=away,
    )
    return _prospects().total(read)


def _walls(seen: Seen) -> tuple[Wall, Wall]:
    """What may be drawn, and called, near to tenpai and far from it."""
    unseen, held = np.array(seen.unseen), np.array(seen.held)
    calls = np.full(KINDS, NEVER if seen.around.closed else ANY_CALL)
    from_afar = calls.copy()
    if seen.around.closed:
        from_afar[list(seen.around.yakuhai)] = PON
    return Wall(unseen, held, calls), Wall(unseen, held, from_afar)


def _near(found: Sequence[Level], around: Around) -> list[Floats]:
    """The values of hands, by level."""
    values = [_tenpai(found[0], around)]
    for weight, level in zip(WEIGHTS[1:], found[1:], strict=False):
        values.append(fold(level.draws, values[-1]) / weight)
    return values


def _tenpai(level: Level, around: Around) -> Floats:
    hands = np.column_stack(level.hands)
    of = np.repeat(np.arange(len(hands)), np.diff(level.draws.first))
    leaves = np.column_stack((hands[of], level.draws.kinds)).tolist()
    points = list(map(_points(around).of, map(tuple, leaves)))
    return np.bincount(of, level.draws.left * points, minlength=len(hands)) / WEIGHTS[0]
