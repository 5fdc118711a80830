"""The hands and the table of a view, as the models of the round's end know them.

The rows that the models are fitted to and the states of a query are made here. Needs the extra
"arena".
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from houjuu.game.events import Meld
from houjuu.game.seat import Seat, river_mask
from houjuu.game.tiles import KIND, KIND_OF_TILE, KINDS, RED_FIVES
from houjuu.game.view import View
from houjuu.player.hand_value.shanten import shanten
from houjuu.player.hand_value.value import FAR, HandValuer, Outlook
from houjuu.player.states import MAX_SHANTEN, Hands, Table
from houjuu.reading.safety import FULL_SUJI, GENBUTSU, HONOUR, safety_class
from houjuu.util.arrays import Floats, Ints, read_only


def table(
    view: View, tenpai: Floats, *, turns_until_draw: int = 4, new_indicators: int = 0
) -> Table:
    """The table as the seat sees it.

    Parameters
    ----------
    view : View
    tenpai : (3,) array
        P(tenpai) of the opponents.
    turns_until_draw : int
        1–4: the own draw is so many draws away; after an own discard 4.
    new_indicators : int
        Dora indicators that the action turns over.
    """
    others = view.opponents
    dora = set(view.dora)
    of_seats = np.array(
        [
            (
                seat.declared,
                seat.seat == view.dealer,
                seat.n_open_melds,
                _dora_in_melds(seat, dora),
            )
            for seat in others
        ],
        np.float64,
    )
    return Table(
        float(view.dealer == view.seat),
        (view.tiles_left - turns_until_draw) // 4 + 1.0,
        float(view.tiles_left),
        float(len(view.dora_indicators) + new_indicators),
        tenpai,
        *of_seats.T,
    )


def _dora_in_melds(seat: Seat, dora: set[int]) -> int:
    tiles = [tile for meld in seat.melds for tile in meld.tiles]
    return sum((KIND[tile] in dora) + (tile in RED_FIVES) for tile in tiles)


def hands(
    view: View,
    concealed: Sequence[Sequence[int]],
    discards: Sequence[int | None],
    melds: tuple[Meld, ...] | None = None,
) -> Hands:
    """The hands of the seat after some actions, all with the same melds.

    Parameters
    ----------
    view : View
    concealed : sequence of sequences of int
        Ids of the 3n + 1 concealed tiles that each leaves; at least one hand.
    discards : sequence of int or None
        The tile that each discards, if any.
    melds : tuple of Meld, optional
        By default those of the seat.
    """
    own_melds = view.seats[view.seat].melds if melds is None else melds
    nearest = _nearest(view, own_melds, concealed)
    river = river_mask(view.seats[view.seat])
    tenpai = np.array(
        [
            _tenpai(valuer, tiles, river | (0 if tile is None else 1 << KIND[tile]))
            if outlook.shanten <= 0
            else (0.0, 0.0, 0.0, 0.0)
            for (outlook, valuer), tiles, tile in zip(nearest, concealed, discards, strict=True)
        ]
    )
    n = len(nearest)
    away, _, ways, points = np.array([outlook for outlook, _ in nearest], np.float64).T
    safety = _safety(view)[:, KIND_OF_TILE[np.array(concealed)]]
    closed = not any(meld.is_open for meld in own_melds)
    return Hands(
        np.clip(away, 0, MAX_SHANTEN),
        ways,
        points,
        tenpai[:, 0],
        tenpai[:, 1],
        tenpai[:, 2],
        tenpai[:, 3],
        np.full(n, float(closed)),
        np.full(n, float(len(own_melds))),
        (safety == GENBUTSU).sum(axis=2, dtype=np.float64).T,
        (safety == FULL_SUJI).sum(axis=2, dtype=np.float64).T,
    )


def _nearest(
    view: View, melds: tuple[Meld, ...], concealed: Sequence[Sequence[int]]
) -> list[tuple[Outlook, HandValuer]]:
    """The outlook of each hand, and the valuer that found it.

    An open hand that is nearer to any winning form than to its goals counts as near as that if it
    can win there with a yaku: 三色 or 一通, which are no goals.
    """
    valuer = HandValuer(view, melds)
    found = [(outlook, valuer) for outlook in valuer.outlooks(concealed)]
    if not any(meld.is_open for meld in melds):
        return found
    by_shape = HandValuer(view, melds, by_shape=True)
    nearer = [
        index
        for index, (outlook, _) in enumerate(found)
        if outlook.shanten > 0
        and shanten([KIND[tile] for tile in concealed[index]]) < min(outlook.shanten, FAR)
    ]
    shapes = by_shape.outlooks([concealed[index] for index in nearer])
    for index, outlook in zip(nearer, shapes, strict=True):
        if outlook.ways:
            found[index] = outlook, by_shape
    return found


def _tenpai(
    valuer: HandValuer, tiles: Sequence[int], river: int
) -> tuple[float, float, float, float]:
    """Ways and mean points without riichi, easy tiles, and whether the hand is furiten."""
    waits = valuer.dama(tiles)
    ways = sum(left for _, left, points in waits if points)
    total = sum(left * points for _, left, points in waits)
    easy = sum(left for kind, left, _ in waits if safety_class(kind, river) in (FULL_SUJI, HONOUR))
    furiten = any(river >> kind & 1 for kind, _, _ in waits)
    return ways, total / max(ways, 1), easy, furiten


def _safety(view: View) -> Ints:
    """The safety class of every kind against each opponent, (3, 34)."""
    return np.stack([_safety_classes(view.furiten(seat.seat)) for seat in view.opponents])


@lru_cache(maxsize=256)
def _safety_classes(furiten: int) -> Ints:
    return read_only(np.array([safety_class(kind, furiten) for kind in range(KINDS)]))
