"""The scores of the wins of a tenpai hand, of which each is computed once."""

from __future__ import annotations

from bisect import insort
from functools import lru_cache
from typing import NamedTuple

from houjuu.game.events import Meld
from houjuu.game.payments import YAKUMAN_HAN
from houjuu.game.rules import Rules
from houjuu.game.tiles import EAST, yakuhai_kinds
from houjuu.game.yaku import ALL_DORA, RIICHI, TANYAO
from houjuu.player.hand_value import scores
from houjuu.player.hand_value.hand_names import plain_tile, tiles_of
from houjuu.scoring.engine import WINDS, Conditions, engine_meld, evaluate_win, tenhou_yaku

TenpaiWait = tuple[int, ...]
"""The numbers of a `HandName`, and a kind that the hand waits for."""

NONE = len(scores.SCORES)
"""Instead of a score: the win lacks a yaku."""


class WinContext(NamedTuple):
    """The context that the score of a win depends on: melds, indicators (ids), winds (kinds).

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
    def dealer(self) -> bool:
        """Whether the hand is that of the dealer."""
        return self.seat_wind == EAST

    @property
    def yakuhai(self) -> tuple[int, ...]:
        """Kinds of which a triplet is a yaku."""
        return yakuhai_kinds(self.round_wind, self.seat_wind)


class WinScores:
    """Scores of wins in one context, by ron or by tsumo; each is computed once.

    Parameters
    ----------
    context : WinContext
    tsumo : bool
    """

    def __init__(self, context: WinContext, tsumo: bool) -> None:
        self._melds = [
            engine_meld(meld, red_fives=context.rules.red_fives) for meld in context.melds
        ]
        self._context = context
        self._conditions = Conditions(
            riichi=context.closed,
            tsumo=tsumo,
            player_wind=WINDS[context.seat_wind - EAST],
            round_wind=WINDS[context.round_wind - EAST],
        )
        self._cached: dict[TenpaiWait, tuple[int, int]] = {}

    def of(self, wait: TenpaiWait) -> tuple[int, int]:
        """The scores of a win in riichi, if the hand is closed, and without riichi; or `NONE`."""
        found = self._cached.get(wait)
        if found is None:
            found = self._cached[wait] = self._computed(wait)
        return found

    def _computed(self, wait: TenpaiWait) -> tuple[int, int]:
        context = self._context
        tiles = [*tiles_of(wait[:-1])]
        tile = plain_tile(wait[-1])
        insort(tiles, tile)
        result = evaluate_win(
            tiles, self._melds, tile, self._conditions, dora_indicators=context.indicators
        )
        if not result.is_win:
            return NONE, NONE
        profile = context.rules.profile
        if result.yakuman:
            return (scores.index(YAKUMAN_HAN, 0),) * 2
        yaku = {_tenhou_number(number) for number in result.yaku} - ALL_DORA
        han = result.han
        if not (context.closed or context.rules.open_tanyao):
            han -= TANYAO in yaku
            yaku -= {TANYAO}
        most = YAKUMAN_HAN if profile.kazoe else YAKUMAN_HAN - 1

        def score(more: int) -> int:
            return scores.index(min(han + more, most), result.fu, kiriage=profile.kiriage)

        if not context.closed:
            return (score(0) if yaku else NONE,) * 2
        return score(int(context.double_riichi)), score(-1) if yaku - {RIICHI} else NONE


_tenhou_number = lru_cache(tenhou_yaku)


@lru_cache(maxsize=64)
def win_scores(context: WinContext, *, tsumo: bool = False) -> WinScores:
    """The scores of wins in one context; the last contexts are cached."""
    return WinScores(context, tsumo)
