"""The states that actions lead to from a view, as the models of the round's end know them.

The rows that the models are fitted to and the states of a query are made here. Needs the extra
"arena".
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from houjuu.game.events import Meld
from houjuu.game.seat import Seat, river_mask
from houjuu.game.tiles import KIND, KIND_OF_TILE, KINDS, RED_FIVES
from houjuu.game.view import View
from houjuu.player.hand_value.shanten import shanten
from houjuu.player.hand_value.value import FAR, HandValuer, Outlook
from houjuu.player.states import MAX_SHANTEN, HandStates, States, TableState
from houjuu.reading.safety import FULL_SUJI, GENBUTSU, HONOUR, safety_class
from houjuu.util.arrays import Floats, Ints, read_only


class HandsLeft(NamedTuple):
    """The hands that some actions leave, all with the same melds.

    Attributes
    ----------
    concealed : sequence of sequences of int
        Ids of the 3n + 1 concealed tiles that each action leaves; at least one hand.
    discards : sequence of int or None
        The tile that each action discards, or adds to a kan.
    melds : tuple of Meld, optional
        By default those of the seat.
    riichi : bool
        Whether the actions declare riichi. A seat that is in riichi stays in it.
    turns_until_draw : int
        Turns until the seat's next draw (1–4).
    new_indicators : int
        Dora indicators that the actions turn over.
    passes_ron : bool
        Whether the seat passes a ron, which makes it furiten.
    """

    concealed: Sequence[Sequence[int]]
    discards: Sequence[int | None]
    melds: tuple[Meld, ...] | None = None
    riichi: bool = False
    turns_until_draw: int = 4
    new_indicators: int = 0
    passes_ron: bool = False


def states(view: View, tenpai: Floats, hands: HandsLeft) -> States:
    """The states after some actions of the seat.

    Parameters
    ----------
    view : View
        Before the actions.
    tenpai : (3,) array
        P(tenpai) of the opponents.
    hands : HandsLeft
    """
    return States(_hand_states(view, hands), _table_state(view, tenpai, hands))


def _table_state(view: View, tenpai: Floats, hands: HandsLeft) -> TableState:
    n = len(hands.concealed)
    opponents = view.opponents
    dora = set(view.dora)

    def repeated(numbers: float | Sequence[float] | Floats) -> Floats:
        return np.asarray(numbers, np.float64)[None].repeat(n, axis=0)

    return TableState(
        is_dealer=repeated(view.dealer == view.seat),
        draws=repeated((view.tiles_left - hands.turns_until_draw) // 4 + 1),
        tiles_left=repeated(view.tiles_left),
        indicators=repeated(len(view.dora_indicators) + hands.new_indicators),
        tenpai=repeated(tenpai),
        opponent_riichi=repeated([seat.declared for seat in opponents]),
        opponent_dealer=repeated([seat.seat == view.dealer for seat in opponents]),
        open_melds=repeated([seat.n_open_melds for seat in opponents]),
        dora=repeated([_dora_in_melds(seat, dora) for seat in opponents]),
    )


def _dora_in_melds(seat: Seat, dora: set[int]) -> int:
    tiles = [tile for meld in seat.melds for tile in meld.tiles]
    return sum((KIND[tile] in dora) + (tile in RED_FIVES) for tile in tiles)


def _hand_states(view: View, hands: HandsLeft) -> HandStates:
    own = view.seats[view.seat]
    melds = own.melds if hands.melds is None else hands.melds
    valued = _outlooks(view, melds, hands.concealed)
    tenpai = np.zeros((len(valued), 4))
    for row, (outlook, valuer) in enumerate(valued):
        if outlook.shanten <= 0:
            discard = hands.discards[row]
            river = river_mask(own)
            if discard is not None:
                river |= 1 << KIND[discard]
            tenpai[row] = _tenpai(valuer, hands.concealed[row], river)
    shantens, _, ways, points = np.array([outlook for outlook, _ in valued], np.float64).T
    dama_ways, dama_points, easy, furiten = tenpai.T
    safety = _safety(view)[:, KIND_OF_TILE[np.array(hands.concealed)]]
    shared = np.ones(len(valued))
    return HandStates(
        shanten=np.clip(shantens, 0, MAX_SHANTEN),
        ways=ways,
        points=points,
        dama_ways=dama_ways,
        dama_points=dama_points,
        easy=easy,
        furiten=shared if hands.passes_ron else furiten,
        closed=shared * (not any(meld.is_open for meld in melds)),
        melds=shared * len(melds),
        genbutsu=(safety == GENBUTSU).sum(axis=2, dtype=np.float64).T,
        suji=(safety == FULL_SUJI).sum(axis=2, dtype=np.float64).T,
        riichi=shared * (hands.riichi or own.declared),
    )


def _outlooks(
    view: View, melds: tuple[Meld, ...], concealed: Sequence[Sequence[int]]
) -> list[tuple[Outlook, HandValuer]]:
    """The outlook of each hand, and the valuer that found it.

    An open hand that is nearer to any winning form than to its goals counts as near as that if it
    can win there with a yaku: 三色 or 一通, which are no goals.
    """
    valuer = HandValuer(view, melds)
    outlooks = [(outlook, valuer) for outlook in valuer.outlooks(concealed)]
    if not any(meld.is_open for meld in melds):
        return outlooks
    by_shape = HandValuer(view, melds, by_shape=True)
    nearer = [
        index
        for index, (outlook, _) in enumerate(outlooks)
        if outlook.shanten > 0
        and shanten([KIND[tile] for tile in concealed[index]]) < min(outlook.shanten, FAR)
    ]
    shapes = by_shape.outlooks([concealed[index] for index in nearer])
    for index, outlook in zip(nearer, shapes, strict=True):
        if outlook.ways:
            outlooks[index] = outlook, by_shape
    return outlooks


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
