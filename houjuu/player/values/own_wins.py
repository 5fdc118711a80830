"""The payments of a win that the seat may declare now."""

from __future__ import annotations

import numpy as np

from houjuu.game.events import SEATS
from houjuu.game.round_state import RIICHI_STICK
from houjuu.game.tiles import EAST
from houjuu.game.view import View
from houjuu.scoring.riichienv_adapter import WINDS, Conditions, engine_meld, evaluate_win
from houjuu.util.arrays import Ints

_HONBA = 300
_LEAST_HAN_POINTS = 1000


def payments(view: View, tile: int, source: int) -> Ints:
    """The changes of the scores by the own win, (4,) by absolute seat, unit: points.

    Hidden indicators do not count, nor does 一発 or a yaku of the last tile. A hand without another
    yaku counts as one han of 30 fu.

    Parameters
    ----------
    view : View
    tile : int
        The id of the winning tile.
    source : int
        The seat that discarded it; the own seat for tsumo.
    """
    own, tsumo = view.seats[view.seat], source == view.seat
    tiles = sorted({*view.hand, tile})
    conditions = Conditions(
        tsumo=tsumo,
        riichi=own.in_riichi,
        player_wind=WINDS[view.seat_wind(view.seat) - EAST],
        round_wind=WINDS[view.round_wind - EAST],
    )
    melds = [engine_meld(meld) for meld in own.melds]
    won = evaluate_win(tiles, melds, tile, conditions, dora_indicators=view.dora_indicators)
    changes = np.zeros(SEATS, np.int64)
    if tsumo:
        for seat in set(range(SEATS)) - {view.seat}:
            by_dealer = won.tsumo_agari_oya if seat == view.dealer else won.tsumo_agari_ko
            changes[seat] = -(by_dealer or _LEAST_HAN_POINTS // 2) - _HONBA // 3 * view.honba
    else:
        changes[source] = -(won.ron_agari or _LEAST_HAN_POINTS) - _HONBA * view.honba
    changes[view.seat] = RIICHI_STICK * view.riichi_sticks - changes.sum()
    return changes
