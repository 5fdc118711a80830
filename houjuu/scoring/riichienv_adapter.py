"""Conversion between riichienv and this package, and riichienv's evaluation of a win."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from riichienv import Action, ActionType, MeldType, Wind, _riichienv
from riichienv import Meld as EngineMeld

from houjuu.game.events import Meld, MeldKind
from houjuu.game.payments import YAKUMAN_HAN, base_points
from houjuu.game.table import View

# The evaluator behind that of riichienv itself, which converts the conditions at every win, and
# counts the tiles of two kans wrongly.
Conditions: TypeAlias = _riichienv.Conditions

KINDS_OF_CALL = {ActionType.PON: MeldKind.PON, ActionType.CHI: MeldKind.CHI}
CALLS = {**KINDS_OF_CALL, ActionType.DAIMINKAN: MeldKind.DAIMINKAN}
WINDS = (Wind.East, Wind.South, Wind.West, Wind.North)

_MELD_TYPES = {
    MeldKind.CHI: MeldType.Chi,
    MeldKind.PON: MeldType.Pon,
    MeldKind.DAIMINKAN: MeldType.Daiminkan,
    MeldKind.ANKAN: MeldType.Ankan,
    MeldKind.KAKAN: MeldType.Kakan,
}


def type_name(action: Action) -> str:
    """The name of the type of an action, such as "DISCARD"."""
    return str(action.action_type).rpartition(".")[2].upper()


def engine_meld(meld: Meld) -> Any:
    """The meld as a meld of riichienv."""
    source = 0 if meld.source is None else meld.source
    return EngineMeld(_MELD_TYPES[meld.kind], list(meld.tiles), meld.is_open, source)


def meld_of(view: View, call: Action) -> Meld:
    """The meld that a call of the seat makes: a pon, a chi or an open kan."""
    tiles = tuple(sorted((*call.consume_tiles, call.tile)))
    source = (view.seat + 3) % 4
    return Meld(CALLS[call.action_type], tiles, called=call.tile, source=source)


def evaluate_win(
    tiles: Sequence[int],
    melds: Sequence[Any],
    tile: int,
    conditions: Conditions,
    *,
    dora_indicators: Sequence[int] = (),
    ura_indicators: Sequence[int] = (),
) -> Any:
    """Evaluate a win with riichienv.

    Parameters
    ----------
    tiles : sequence of int
        Ids of the concealed tiles in order, the winning tile included.
    melds : sequence of riichienv.Meld
    tile : int
        Id of the winning tile.
    conditions : Conditions
    dora_indicators, ura_indicators : sequence of int
        Ids.

    Returns
    -------
    riichienv.WinResult
        Its `is_win` is False where there is no yaku.
    """
    evaluator = _riichienv.HandEvaluator(tiles, melds)
    return evaluator.calc(tile, dora_indicators, ura_indicators, conditions)


def win_base(result: Any) -> int:
    """Base points of a result of `evaluate_win`, 0 without a yaku; some yakuman count double."""
    if result.yakuman:
        return base_points(YAKUMAN_HAN, 0) * int(result.han // YAKUMAN_HAN)
    return base_points(result.han, result.fu) if result.is_win else 0
