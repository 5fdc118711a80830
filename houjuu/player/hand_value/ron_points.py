"""The points of a ron with a tenpai hand, of which each is computed once."""

from __future__ import annotations

from bisect import insort
from functools import lru_cache
from typing import NamedTuple

from houjuu.game.events import Meld
from houjuu.game.payments import hand_points
from houjuu.game.rules import TENHOU, Rules
from houjuu.game.tiles import EAST, yakuhai_kinds
from houjuu.player.hand_value.hand_names import plain_tile, tiles_of
from houjuu.scoring.engine import WINDS, Conditions, engine_meld, evaluate_win
from houjuu.scoring.win_scoring import win_base

TenpaiWait = tuple[int, ...]
"""The numbers of a `HandName`, and a kind that the hand waits for."""


class WinContext(NamedTuple):
    """The context that the points of a hand depend on: melds, indicators (ids), winds (kinds).

    `rules` are those of scores (`Rules.of_scores`). With `double_riichi` a riichi counts two han.
    """

    melds: tuple[Meld, ...]
    indicators: tuple[int, ...]
    round_wind: int
    seat_wind: int
    rules: Rules
    double_riichi: bool = False

    @property
    def closed(self) -> bool:
        """Whether the hand is closed, so that riichi is possible."""
        return not any(meld.is_open for meld in self.melds)

    @property
    def yakuhai(self) -> tuple[int, ...]:
        """Kinds of which a triplet is a yaku."""
        return yakuhai_kinds(self.round_wind, self.seat_wind)


class RonPoints:
    """Points of rons in one context; each is computed once.

    Parameters
    ----------
    context : WinContext
    riichi : bool
    """

    def __init__(self, context: WinContext, riichi: bool) -> None:
        reds = context.rules.red_fives
        self._melds = [engine_meld(meld, red_fives=reds) for meld in context.melds]
        self._indicators = context.indicators
        self._context = context
        counts_tanyao = context.closed or context.rules.open_tanyao
        self._pays_as_the_engine = context.rules.profile == TENHOU and counts_tanyao
        self._conditions = Conditions(
            riichi=riichi,
            double_riichi=riichi and context.double_riichi,
            player_wind=WINDS[context.seat_wind - EAST],
            round_wind=WINDS[context.round_wind - EAST],
        )
        self._cached: dict[TenpaiWait, int] = {}

    def points(self, wait: TenpaiWait) -> int:
        """Points of a ron, 0 without a yaku."""
        points = self._cached.get(wait)
        if points is None:
            points = self._cached[wait] = self._computed(wait)
        return points

    def _computed(self, wait: TenpaiWait) -> int:
        tiles = [*tiles_of(wait[:-1])]
        tile = plain_tile(wait[-1])
        insort(tiles, tile)
        result = evaluate_win(
            tiles, self._melds, tile, self._conditions, dora_indicators=self._indicators
        )
        if self._pays_as_the_engine and not result.yakuman:
            return int(result.ron_agari) if result.is_win else 0  # the same, but three times faster
        context = self._context
        base = win_base(result, context.rules, closed=context.closed)
        return int(hand_points(base, dealer=context.seat_wind == EAST))


@lru_cache(maxsize=64)
def rons(context: WinContext, riichi: bool) -> RonPoints:
    """The points of rons in one context; the last contexts are cached."""
    return RonPoints(context, riichi)
