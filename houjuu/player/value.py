"""What a hand is worth: 評価値, roughly the points to be expected from some turns of drawing.

小林聡, 電脳麻将: with a shanten s of up to 2, value(13 tiles) = Σ over the kinds that lower the
shanten of unseen copies × value(best discard after drawing one) / w, w = 12, 72, 216 for s = 0, 1,
2; at tenpai the points of the winning hand stand in for the value after drawing. Those are of a
ron, after riichi where the hand is closed: what can be counted on. Without a yaku there are none.

Farther off all ways are too many: the value is how many unseen tiles lower the shanten, ×4 where a
pon and ×2 where a chi would serve, which is where the player would call. It is a number of tiles,
far below any of points, so that a call or a discard which comes within reach is preferred.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

from riichienv import calculate_shanten
from riichienv._riichienv import Conditions, HandEvaluator

from houjuu.engine import WINDS, engine_meld
from houjuu.events import Meld
from houjuu.player.danger import RUNS
from houjuu.player.discard import useful
from houjuu.table import View
from houjuu.tiles import COPIES, EAST, HAKU, KINDS, RED_FIVES

WEIGHTS = (12, 72, 216)
"""w of tenpai, one and two away."""

FAR = len(WEIGHTS)
"""The shanten from which tiles are counted."""

_PON, _CHI = 4, 2

Hand = tuple[int, ...]
"""Sorted ids of tiles: red fives their own, any other tile the second copy of its kind."""


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


def as_hand(tiles: Iterable[int]) -> Hand:
    """Tiles as this module keeps them."""
    return tuple(sorted(tile if tile in RED_FIVES else _plain(tile // COPIES) for tile in tiles))


def _plain(kind: int) -> int:
    return COPIES * kind + 1


def shanten(hand: Hand) -> int:
    """Shanten of 3n + 1 or 3n + 2 concealed tiles."""
    return int(calculate_shanten(hand))


@lru_cache(maxsize=100_000)
def _steps(hand: Hand) -> tuple[tuple[int, tuple[Hand, ...]], ...]:
    """The kinds that lower the shanten of 3n + 1 tiles, and the hands that they lead to."""
    now = shanten(hand)
    return tuple((kind, _nearest(hand, kind, now)) for kind in useful(hand, now))


def _nearest(hand: Hand, kind: int, now: int) -> tuple[Hand, ...]:
    """What remains after drawing a kind and any discard that leaves a lower shanten."""
    if now == 0:
        return ()
    drawn = tuple(sorted((*hand, _plain(kind))))
    rests = (
        drawn[:place] + drawn[place + 1 :]
        for place, tile in enumerate(drawn)
        if not place or drawn[place - 1] != tile
    )
    return tuple(rest for rest in rests if calculate_shanten(rest) < now)


@lru_cache(maxsize=100_000)
def _points(hand: Hand, kind: int, around: Around) -> int:
    """Points of a ron on the kind, 0 without a yaku."""
    tiles = sorted((*hand, _plain(kind)))
    evaluator = HandEvaluator(tiles, [engine_meld(meld) for meld in around.melds])
    conditions = _conditions(around.closed, around.round_wind, around.seat_wind)
    result = evaluator.calc(_plain(kind), list(around.indicators), [], conditions)
    return int(result.ron_agari) if result.is_win else 0


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
        self._unseen: list[int] = view.unseen().tolist()
        held = [tile // COPIES for tile in view.hand]
        self._held = [held.count(kind) for kind in range(KINDS)]
        self._known: dict[Hand, float] = {}

    def of(self, hand: Hand) -> float:
        """Value of 3n + 1 concealed tiles."""
        found = self._known.get(hand)
        if found is None:
            away = shanten(hand)
            found = self._near(hand, away) if away < FAR else float(self._far(hand, away))
            self._known[hand] = found
        return found

    def _near(self, hand: Hand, away: int) -> float:
        total = 0.0
        for kind, hands in _steps(hand):
            left = self._left(kind, hand)
            if left > 0:
                total += left * (
                    max(map(self.of, hands)) if hands else _points(hand, kind, self.around)
                )
        return total / WEIGHTS[away]

    def _left(self, kind: int, hand: Hand) -> int:
        """Unseen copies of a kind, less those that were drawn on the way."""
        plain = _plain(kind)
        held = hand.count(plain) + (plain - 1 in RED_FIVES and plain - 1 in hand)
        return self._unseen[kind] - max(held - self._held[kind], 0)

    def _far(self, hand: Hand, away: int) -> int:
        kinds = [tile // COPIES for tile in hand]
        return sum(
            self._left(kind, hand) * self._called(kind, kinds) for kind in useful(hand, away)
        )

    def _called(self, kind: int, kinds: Sequence[int]) -> int:
        """How many times a kind counts: where the hand would call it, more than once."""
        winds = self.around.round_wind, self.around.seat_wind
        if kinds.count(kind) >= 2 and (not self.around.closed or kind >= HAKU or kind in winds):
            return _PON
        run = any(kinds.count(low) and kinds.count(high) for (low, high), *_ in RUNS[kind])
        return _CHI if run and not self.around.closed else 1
