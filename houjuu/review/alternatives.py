"""The actions of a decision as a page shows them: names, whole points, the hands that are left.

The numbers of a page, of its sentences and of every export are those of `alternatives`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import floor
from typing import get_args

from houjuu.game.actions import CALLS, DISCARDS, ENDS, OWN_KANS, WINS, Action, ActionKind
from houjuu.game.decisions import Decision
from houjuu.game.view import View
from houjuu.player.values.outcome import Outcome, ValuePart
from houjuu.review import table_json
from houjuu.review.page_types import ActionName, ChoiceKind, ValuedAction
from houjuu.risk.own_hand import hands_left

KINDS: tuple[ChoiceKind, ...] = get_args(ChoiceKind)

_PARTS = {
    ValuePart.OWN_WIN: "win",
    ValuePart.DRAW: "draw",
    ValuePart.OPPONENTS_WINS: "others_win",
    ValuePart.DEALS_IN_NOW_RIGHT: "deal_in.right",
    ValuePart.DEALS_IN_NOW_ACROSS: "deal_in.across",
    ValuePart.DEALS_IN_NOW_LEFT: "deal_in.left",
    ValuePart.DEALS_IN_LATER_RIGHT: "deal_in_later",
    ValuePart.DEALS_IN_LATER_ACROSS: "deal_in_later",
    ValuePart.DEALS_IN_LATER_LEFT: "deal_in_later",
    ValuePart.RIICHI_STICK: "riichi_stick",
    ValuePart.SCORE_SITUATION: "score",
}
"""The names of the parts in a review; those of one name are added up. A preference is no part."""

_FAR_FROM_YAKU = 2  # draws
_CHANCE_DIGITS = 4  # of a probability, after the point


def kind_of(decision: Decision) -> ChoiceKind:
    """The subject of a decision."""
    kinds = {action.kind for action in decision.legal}
    if kinds & {*WINS}:
        return "win"
    if ActionKind.PASS in kinds:
        return "call"
    if ActionKind.NINE_TERMINALS in kinds:
        return "nine_terminals"
    if ActionKind.RIICHI in kinds:
        return "riichi"
    return "kan" if kinds & {*OWN_KANS} else "discard"


def named(kind: ActionKind, tiles: Collection[int], view: View) -> ActionName:
    """An action by its kind and the ids of the tiles that leave the hand."""
    names = table_json.names(sorted(tiles), view.rules.red_fives)
    return {"verb": "win" if kind in WINS else kind.value, "tiles": names}


def index_of(
    action: Action, discard: int | None, actions: Sequence[ValuedAction], view: View
) -> int | None:
    """The index of an action of a log among the actions of its decision; None if it is none.

    A riichi may discard a tile that the rules forbid.

    Parameters
    ----------
    action : Action
        One of the actions.
    discard : int or None
        The id of the tile that a riichi discards.
    actions : sequence of ValuedAction
    view : View
    """
    is_riichi = action.kind is ActionKind.RIICHI
    tiles = [discard] if is_riichi and discard is not None else action.from_hand
    name = named(action.kind, tiles, view)
    for index, one in enumerate(actions):
        if one["verb"] == name["verb"] and one["tiles"] == name["tiles"]:
            return index
    return None


def alternatives(outcomes: Sequence[Outcome], view: View) -> list[ValuedAction]:
    """The outcomes of one decision in their order, with the hands that they leave."""
    actions = [valued_action(outcome, view) for outcome in outcomes]
    pairs = [*zip(outcomes, actions, strict=True)]
    left = [(outcome, action) for outcome, action in pairs if outcome.kind not in ENDS]
    hands = hands_left(view, [_gone(outcome) for outcome, _ in left])
    for (outcome, action), (shanten, useful_tiles, kinds) in zip(left, hands, strict=True):
        action["shanten"] = shanten
        action["useful_tiles"] = useful_tiles
        if not shanten:
            action["waits"] = kinds
        if _lacks_yaku(outcome):
            action["lacks_yaku"] = True
        if outcome.kind in CALLS and outcome.discard is not None:
            action["discard"] = table_json.name(outcome.discard, view.rules.red_fives)
    return actions


def valued_action(outcome: Outcome, view: View) -> ValuedAction:
    """An outcome in whole points; the preference is no part of the value."""
    parts: dict[str, float] = {}
    for part, label in _PARTS.items():
        parts[label] = parts.get(label, 0.0) + outcome.parts[part]
    exact = sum(parts.values())
    preferred = exact + outcome.parts[ValuePart.PREFERENCE]
    rounded = rounded_parts(parts)
    value = sum(rounded.values())
    is_discard = outcome.kind in DISCARDS
    name = named(outcome.kind, _gone(outcome) if is_discard else outcome.action.from_hand, view)
    return {
        "verb": name["verb"],
        "tiles": name["tiles"],
        "value": value,
        "preference": round(preferred) - value,  # so that the sums keep the order of the player
        "win": round(outcome.win, _CHANCE_DIGITS),
        "deal_in": round(outcome.deal_in, _CHANCE_DIGITS),
        "hand_points": round(outcome.win_points) or None,
        "parts": [{"name": part, "value": points} for part, points in rounded.items() if points],
    }


def _lacks_yaku(outcome: Outcome) -> bool:
    """Whether a hand in tenpai by shape wins on no discard, or a yaku is two draws farther."""
    left = outcome.left
    if left.tenpai_shanten or outcome.kind is ActionKind.RIICHI:
        return bool(left.shanten - left.tenpai_shanten >= _FAR_FROM_YAKU)
    return bool(left.shanten > 0 or left.ron_ways == 0)


def _gone(outcome: Outcome) -> set[int]:
    """The tiles that leave the hand, with the discard that follows."""
    tiles = {*outcome.action.from_hand, outcome.discard}
    return {tile for tile in tiles if tile is not None}


def rounded_parts(parts: Mapping[str, float]) -> dict[str, int]:
    """Parts as whole numbers that add up to the rounded sum; each is within 1 of its part.

    Those with the largest fractions are rounded up.

    >>> rounded_parts({"win": 10.4, "draw": -3.6, "score": 0.4})
    {'win': 11, 'draw': -4, 'score': 0}
    """
    whole = {name: floor(value) for name, value in parts.items()}
    n_up = round(sum(parts.values())) - sum(whole.values())
    by_fraction = sorted(parts, key=lambda name: whole[name] - parts[name])
    return {name: value + (name in by_fraction[:n_up]) for name, value in whole.items()}
