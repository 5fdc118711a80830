"""Everything of riichienv that this package uses but its matches: its actions, melds and wins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from houjuu.game.actions import CALLS, OWN_KANS, Action, ActionKind, own_kan, source_of
from houjuu.game.events import Meld, MeldKind
from houjuu.game.tiles import KIND, without_reds
from houjuu.game.view import View
from houjuu.util.extras import needed

with needed("arena"):
    from riichienv import Action as EngineAction
    from riichienv import ActionType, HandEvaluator, MeldType, Wind, _riichienv, get_yaku_by_id
    from riichienv import Meld as EngineMeld

# The evaluator behind that of riichienv itself, which converts the conditions at every win, and
# counts the tiles of two kans wrongly.
Conditions: TypeAlias = _riichienv.Conditions

WINDS = (Wind.East, Wind.South, Wind.West, Wind.North)

_MELD_TYPES = {
    MeldKind.CHI: MeldType.Chi,
    MeldKind.PON: MeldType.Pon,
    MeldKind.DAIMINKAN: MeldType.Daiminkan,
    MeldKind.ANKAN: MeldType.Ankan,
    MeldKind.KAKAN: MeldType.Kakan,
}
_ACTION_TYPES = {
    ActionKind.DISCARD: ActionType.DISCARD,
    ActionKind.RIICHI: ActionType.RIICHI,
    ActionKind.CHI: ActionType.CHI,
    ActionKind.PON: ActionType.PON,
    ActionKind.DAIMINKAN: ActionType.DAIMINKAN,
    ActionKind.ANKAN: ActionType.ANKAN,
    ActionKind.KAKAN: ActionType.KAKAN,
    ActionKind.TSUMO: ActionType.TSUMO,
    ActionKind.RON: ActionType.RON,
    ActionKind.NINE_TERMINALS: ActionType.KYUSHU_KYUHAI,
    ActionKind.PASS: ActionType.PASS,
}
_ACTION_KINDS = {action_type: kind for kind, action_type in _ACTION_TYPES.items()}


def from_engine(view: View, action: EngineAction) -> Action:
    """An action of riichienv whose ids are those of the view, as in its own matches.

    Parameters
    ----------
    view : View
        Of the acting seat, before the action.
    action : riichienv.Action
        Of a kan only the kind of tile is used: an added kan that riichienv lists after mjai
        messages names a tile of the pon.
    """
    kind = _ACTION_KINDS[action.action_type]
    tile = action.tile
    if kind in OWN_KANS:
        return Action.from_meld(own_kan(view, KIND[tile]))
    if kind in CALLS:
        tiles = tuple(sorted((*action.consume_tiles, tile)))
        return Action.from_meld(Meld(MeldKind(kind.value), tiles, tile, source_of(view, tile)))
    if kind is ActionKind.TSUMO:
        return Action(kind, view.hand[-1])
    return Action(kind, tile)


def to_engine(action: Action) -> EngineAction:
    """The action for a match of riichienv with the same ids."""
    action_type = _ACTION_TYPES[action.kind]
    meld = action.meld
    if meld is None:
        return EngineAction(action_type, tile=action.tile)
    tile = next(named for named in (meld.added, meld.called, meld.tiles[0]) if named is not None)
    own = meld.tiles if meld.kind is MeldKind.ANKAN else [one for one in meld.tiles if one != tile]
    return EngineAction(action_type, tile=tile, consume_tiles=list(own))


def engine_meld(meld: Meld, *, red_fives: bool = True) -> Any:
    """The meld as a meld of riichienv; without red fives, of plain copies."""
    source = 0 if meld.source is None else meld.source
    tiles = meld.tiles if red_fives else without_reds(meld.tiles)
    return EngineMeld(_MELD_TYPES[meld.kind], list(tiles), meld.is_open, source)


def is_tenpai(tiles: Sequence[int], melds: Sequence[Meld]) -> bool:
    """Whether concealed tiles (ids) beside some melds are tenpai."""
    return bool(HandEvaluator(sorted(tiles), list(map(engine_meld, melds))).is_tenpai())


def waits(tiles: Sequence[int], melds: Sequence[Meld]) -> set[int]:
    """The kinds on which concealed tiles (ids) beside some melds wait."""
    return {
        int(kind)
        for kind in HandEvaluator(sorted(tiles), list(map(engine_meld, melds))).get_waits()
    }


def tenhou_yaku(number: int) -> int:
    """Tenhou's number of a yaku by riichienv's number; every wind has the number of East."""
    return int(get_yaku_by_id(number).tenhou_id)


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
