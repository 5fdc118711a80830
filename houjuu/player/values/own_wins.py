"""The payments of a win that the seat may declare now."""

from __future__ import annotations

from houjuu.game.payments import base_points, hand_points, win_payments
from houjuu.game.tiles import EAST
from houjuu.game.view import View
from houjuu.scoring.riichienv_adapter import (
    WINDS,
    Conditions,
    engine_meld,
    evaluate_win,
    win_base,
)
from houjuu.util.arrays import Ints

_LEAST_BASE = base_points(1, 30)


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
    own = view.seats[view.seat]
    tsumo = source == view.seat
    tiles = sorted({*view.hand, tile})
    conditions = Conditions(
        tsumo=tsumo,
        riichi=own.in_riichi,
        player_wind=WINDS[view.seat_wind(view.seat) - EAST],
        round_wind=WINDS[view.round_wind - EAST],
    )
    melds = [engine_meld(meld) for meld in own.melds]
    won = evaluate_win(tiles, melds, tile, conditions, dora_indicators=view.dora_indicators)
    dealer = view.seat == view.dealer
    points = hand_points(win_base(won) or _LEAST_BASE, dealer=dealer, tsumo=tsumo)
    return win_payments(
        points,
        view.seat,
        source,
        dealer=view.dealer,
        honba=view.honba,
        sticks=view.riichi_sticks,
    )
