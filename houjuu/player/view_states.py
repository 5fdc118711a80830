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
from houjuu.game.tiles import (
    KIND,
    KIND_OF_TILE,
    KINDS,
    RED_FIVES,
    TILES,
    kind_counts,
    yakuhai_kinds,
)
from houjuu.game.view import View
from houjuu.hands.shanten import shanten
from houjuu.hands.wait_decomposition import winning_kinds
from houjuu.player.hand_value.improvement import share_of_draws
from houjuu.player.hand_value.scores import raised
from houjuu.player.hand_value.shape import shapes
from houjuu.player.hand_value.value import FAR, MAY_IMPROVE, HandValuer, Outlook, Wait
from houjuu.player.hand_value.win_scores import NONE
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


def states(
    view: View, tenpai: Floats, hands: HandsLeft, wall_weights: Floats | None = None
) -> States:
    """The states after some actions of the seat.

    Parameters
    ----------
    view : View
        Before the actions.
    tenpai : (3,) array
        P(tenpai) of the opponents.
    hands : HandsLeft
    wall_weights : (34,) array, optional
        As `houjuu.risk.unseen.UnseenTiles.wall_weights`: the tiles that a hand needs count by them.
        Without them every unseen tile counts 1.
    """
    return States(_hand_states(view, hands, wall_weights), _table_state(view, tenpai, hands))


def _table_state(view: View, tenpai: Floats, hands: HandsLeft) -> TableState:
    n = len(hands.concealed)
    opponents = view.opponents
    dora = set(view.dora)
    reds = frozenset(RED_FIVES if view.rules.red_fives else ())

    def repeated(numbers: float | Sequence[float] | Floats) -> Floats:
        return np.asarray(numbers, np.float64)[None].repeat(n, axis=0)

    return TableState(
        is_dealer=repeated(view.dealer == view.seat),
        draws=repeated(_draws(view, hands)),
        tiles_left=repeated(view.tiles_left),
        unseen=repeated(float(view.unseen().sum())),
        indicators=repeated(len(view.dora_indicators) + hands.new_indicators),
        tenpai=repeated(tenpai),
        opponent_riichi=repeated([seat.declared for seat in opponents]),
        opponent_dealer=repeated([seat.seat == view.dealer for seat in opponents]),
        open_melds=repeated([seat.n_open_melds for seat in opponents]),
        dora=repeated([_dora_in_melds(seat, dora, reds) for seat in opponents]),
    )


def _draws(view: View, hands: HandsLeft) -> int:
    """Draws left to the seat."""
    return (view.tiles_left - hands.turns_until_draw) // 4 + 1


def _dora_in_melds(seat: Seat, dora: set[int], reds: frozenset[int]) -> int:
    tiles = [tile for meld in seat.melds for tile in meld.tiles]
    return sum((KIND[tile] in dora) + (tile in reds) for tile in tiles)


def _hand_states(view: View, hands: HandsLeft, wall_weights: Floats | None) -> HandStates:
    """The hands; one whose useful tiles are all visible counts as far, with what touches it."""
    own = view.seats[view.seat]
    melds = own.melds if hands.melds is None else hands.melds
    closed = not any(meld.is_open for meld in melds)
    riichi = hands.riichi or own.declared
    valued = _outlooks(view, melds, hands, wall_weights)
    tenpai = np.zeros((len(valued), len(_Tenpai._fields)))
    later = np.array([outlook.scores for outlook, _ in valued])
    by_tsumo = np.zeros((len(valued), NONE))
    for row, (outlook, valuer) in enumerate(valued):
        if outlook.shanten <= 0:
            river = _river_after(own, hands.discards[row])
            waits = valuer.waits(hands.concealed[row])
            tenpai[row] = _tenpai(waits, hands.concealed[row], river)
            by_tsumo[row] = _by_tsumo(waits, riichi=riichi)
    of_tenpai = dict(zip(_Tenpai._fields, tenpai.T, strict=True))
    if hands.passes_ron:
        of_tenpai["furiten"] = np.ones(len(valued))
    shantens, _, ways = np.array([outlook[:3] for outlook, _ in valued], np.float64).T
    if not riichi:
        _improve(later, by_tsumo, view, hands, valued)
    far_from = shantens > 0
    by_tsumo[far_from] = raised(later[far_from, 0], int(closed))
    later_ways = np.where(shantens < FAR, later[:, 0].sum(axis=1), ways)
    # a closed hand that is tenpai wins by ron without riichi, or after declaring it later
    without = (shantens == 0) & (not riichi) & (later[:, 1].sum(axis=1) > 0)
    by_ron = later[np.arange(len(later)), without.astype(np.intp)]
    tiles = np.array(hands.concealed)
    safety = _safety(view)[:, KIND_OF_TILE[tiles]]
    tenpai_shanten, tenpai_tiles = valued[0][1].formal(hands.concealed)
    shape = _shape_numbers(view, tiles, melds, wall_weights)
    dead = (shantens > 0) & (shantens < FAR) & (later_ways == 0)
    shantens[dead] = FAR
    ways[dead] = later_ways[dead] = shape["touching"][dead]
    shared = np.ones(len(valued))
    return HandStates(
        shanten=np.clip(shantens, 0, MAX_SHANTEN),
        ways=ways,
        later_ways=later_ways,
        by_ron=_shares(by_ron),
        by_tsumo=_shares(by_tsumo),
        **of_tenpai,
        closed=shared * closed,
        melds=shared * len(melds),
        genbutsu=(safety == GENBUTSU).sum(axis=2, dtype=np.float64).T,
        riichi=shared * riichi,
        declares=shared * (riichi and not own.in_riichi),
        tenpai_shanten=np.clip(tenpai_shanten, 0, MAX_SHANTEN),
        tenpai_tiles=tenpai_tiles,
        **shape,
    )


def _shares(ways: Floats) -> Floats:
    """Ways by score, (n, scores), as shares of all; 0 where there is none."""
    total = ways.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(ways, total, out=np.zeros_like(ways), where=total > 0))


def _shape_numbers(
    view: View, tiles: Ints, melds: tuple[Meld, ...], wall_weights: Floats | None
) -> dict[str, Floats]:
    """The shapes of hands, (n, tiles), and their dora."""
    counts = (KIND_OF_TILE[tiles][..., None] == np.arange(KINDS)).sum(axis=1)
    melded = [tile for meld in melds for tile in meld.tiles]
    of_melds = kind_counts(melded)
    unseen = np.asarray(view.unseen() * (1.0 if wall_weights is None else wall_weights), np.float64)
    yakuhai = yakuhai_kinds(view.round_wind, view.seat_wind(view.seat))
    dora = (counts + of_melds) @ np.bincount(view.dora, minlength=KINDS)
    if view.rules.red_fives:
        dora = dora + _IS_RED[tiles].sum(axis=1) + sum(tile in RED_FIVES for tile in melded)
    made = shapes(counts, of_melds, unseen, yakuhai=yakuhai)
    return made._asdict() | {"dora_held": dora.astype(np.float64)}


_IS_RED = np.isin(np.arange(TILES), RED_FIVES)


def _outlooks(
    view: View,
    melds: tuple[Meld, ...],
    hands: HandsLeft,
    wall_weights: Floats | None,
) -> list[tuple[Outlook, HandValuer]]:
    """The outlook of each hand, and the valuer that found it.

    An open hand that is nearer to any winning form than to its goals counts as near as that if it
    can win there with a yaku: 三色 or 一通, which are no goals.
    """
    concealed = hands.concealed
    valuer = HandValuer(view, melds, weights=wall_weights, riichi=hands.riichi)
    outlooks = [(outlook, valuer) for outlook in valuer.outlooks(concealed)]
    if not any(meld.is_open for meld in melds):
        return outlooks
    by_shape = HandValuer(view, melds, by_shape=True, weights=wall_weights)
    nearer = [
        index
        for index, (outlook, _) in enumerate(outlooks)
        if outlook.shanten > 0
        and shanten([KIND[tile] for tile in concealed[index]]) < min(outlook.shanten, FAR)
    ]
    shapes = by_shape.outlooks([concealed[index] for index in nearer])
    for index, outlook in zip(nearer, shapes, strict=True):
        if outlook.ways > 0:
            outlooks[index] = outlook, by_shape
    return outlooks


class _Tenpai(NamedTuple):
    """The numbers of a tenpai hand; the fields as in `HandStates`."""

    ron_ways: float
    wait_kinds: float
    easy: float
    furiten: float


def _tenpai(waits: Sequence[Wait], tiles: Sequence[int], river: int) -> _Tenpai:
    """The numbers of a tenpai hand; a wait without a yaku counts nothing."""
    winning = [(wait.kind, wait.left) for wait in waits if wait.tsumo[0] != NONE]
    easy = sum(left for kind, left in winning if safety_class(kind, river) in (FULL_SUJI, HONOUR))
    return _Tenpai(
        ron_ways=sum(wait.left for wait in waits if wait.ron[1] != NONE),
        wait_kinds=len(winning),
        easy=easy,
        furiten=bool(river & winning_kinds(kind_counts(tiles).tolist())),
    )


def _by_tsumo(waits: Sequence[Wait], *, riichi: bool) -> Floats:
    """The waits of a tenpai hand by the score of a tsumo, (scores,)."""
    by_score = np.zeros(NONE + 1)
    for wait in waits:
        by_score[wait.tsumo[not riichi]] += wait.left
    return by_score[:NONE]


def _improve(
    later: Floats,
    by_tsumo: Floats,
    view: View,
    hands: HandsLeft,
    valued: Sequence[tuple[Outlook, HandValuer]],
) -> None:
    """Make the ways by score, (n, 2, scores) and (n, scores), those over the draws left.

    A tsumo of a hand that is bettered is counted as a ron in riichi: the yaku is worth as much.
    """
    unseen = float(view.unseen().sum())
    draws = _draws(view, hands)
    groups: dict[HandValuer, list[int]] = {}
    for row, (outlook, valuer) in enumerate(valued):
        if outlook.shanten <= MAY_IMPROVE:
            groups.setdefault(valuer, []).append(row)
    for valuer, rows in groups.items():
        improvements = valuer.improvements([hands.concealed[row] for row in rows])
        for row, better in zip(rows, improvements, strict=True):
            share = share_of_draws(better.tiles, unseen, draws)
            later[row] += share * (better.scores - later[row])
            by_tsumo[row] += share * (better.scores[0] - by_tsumo[row])  # of a tenpai hand


def _river_after(own: Seat, discard: int | None) -> int:
    """The kinds that the seat has discarded, as bits, with those of the action."""
    return river_mask(own) | (0 if discard is None else 1 << KIND[discard])


def _safety(view: View) -> Ints:
    """The safety class of every kind against each opponent, (3, 34)."""
    return np.stack([_safety_classes(view.furiten(seat.seat)) for seat in view.opponents])


@lru_cache(maxsize=256)
def _safety_classes(furiten: int) -> Ints:
    return read_only(np.array([safety_class(kind, furiten) for kind in range(KINDS)]))
