"""The choices of a review, valued by the player of `houjuu.player.value_player`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import floor
from typing import TypedDict

from houjuu.game.actions import CALLS, DISCARDS, ENDS, OWN_KANS, WINS, Action, ActionKind
from houjuu.game.events import Game
from houjuu.game.table import View
from houjuu.game.tiles import format_tiles
from houjuu.player.game_decisions import GameDecision, game_decisions
from houjuu.player.rules.calls import legal_discards
from houjuu.player.value_player import Choice, ValuePlayer
from houjuu.player.values.action_values import ValuePart
from houjuu.review.own_hand import hands_left
from houjuu.review.page_types import Alternatives, ValuedAction

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

_CHANCE_DIGITS = 4  # of a probability, after the point


class ValuedChoices:
    """The decisions of a seat in a game, with the values of their actions.

    Parameters
    ----------
    game : Game
    seat : int
    player : ValuePlayer
    """

    def __init__(self, game: Game, seat: int, player: ValuePlayer) -> None:
        self._player = player
        self._by_view = {decision.view: decision for decision in game_decisions(game, seat)}
        riichi = Action(ActionKind.RIICHI)
        declared = (one for one in self._by_view.values() if one.chosen == riichi)
        self._declared = {_turn(decision.view): decision for decision in declared}
        self._last: tuple[View, list[Choice]] | None = None

    def values(self, view: View) -> Alternatives | None:
        """The choice at a view, as `houjuu.review.choices` asks for it; the best action first."""
        decision = self._by_view.get(view)
        if decision is None:
            return None
        choices = sorted(self._choices(decision), key=lambda one: -one.value.value)
        hands = _hands_left(choices, view)
        actions: list[ValuedAction] = [
            {**valued_action(choice, view), **left}
            for choice, left in zip(choices, hands, strict=True)
        ]
        return {"kind": _kind(decision.legal), "actions": actions}

    def advice(self, view: View) -> int:
        """The best tile to discard, with or without riichi.

        After the declaration of riichi it is the tile of the best riichi, as it was declared.
        """
        is_declared = _declared(view)
        decision = self._declared.get(_turn(view)) if is_declared else self._by_view.get(view)
        choices = [] if decision is None else self._choices(decision)
        kinds = (ActionKind.RIICHI,) if is_declared else DISCARDS
        discards = [one for one in choices if one.action.kind in kinds]
        best = max(discards, key=lambda one: one.value.value, default=None)
        return int(legal_discards(view)[-1] if best is None else best.discard or 0)

    def _choices(self, decision: GameDecision) -> list[Choice]:
        """The choices of a decision; the last ones are kept."""
        if self._last is None or self._last[0] is not decision.view:
            choices = self._player.choices(decision.view, decision.legal)
            self._last = decision.view, choices
        return self._last[1]


def _turn(view: View) -> tuple[object, ...]:
    """The common part of the views of a turn, before and after the declaration of riichi."""
    return view.round, view.honba, view.tiles_left, view.hand


def _kind(legal: tuple[Action, ...]) -> str:
    kinds = {action.kind for action in legal}
    if kinds & {*WINS}:
        return "win"
    if ActionKind.PASS in kinds:
        return "call"
    for kind in (ActionKind.NINE_TERMINALS, ActionKind.RIICHI):
        if kind in kinds:
            return kind.value
    return "kan" if kinds & {*OWN_KANS} else "discard"


def valued_action(choice: Choice, view: View) -> ValuedAction:
    """The action of a review that a choice is; its preference is no part of its value."""
    parts: dict[str, float] = {}
    for part, name in _PARTS.items():
        parts[name] = parts.get(name, 0.0) + choice.value.parts[part]
    exact = sum(parts.values())
    preferred = exact + choice.value.parts[ValuePart.PREFERENCE]
    rounded = rounded_parts(parts)
    value = sum(rounded.values())
    return {
        "action": _name(choice, view),
        "value": value,
        "preference": round(preferred) - value,  # so that the sums keep the order of the player
        "win": round(choice.value.win, _CHANCE_DIGITS),
        "deal_in": round(choice.value.deal_in, _CHANCE_DIGITS),
        "hand_points": round(choice.value.points) or None,
        "parts": [{"name": name, "value": value} for name, value in rounded.items() if value],
    }


class _HandLeft(TypedDict, total=False):
    """The keys of `ValuedAction` on the hand that an action leaves."""

    shanten: int
    useful_tiles: int
    discard: str


def _hands_left(choices: Sequence[Choice], view: View) -> Iterator[_HandLeft]:
    """Yield the keys of each choice; those that end the round have none."""
    gone = [
        {*choice.action.from_hand, *_discard(choice)}
        for choice in choices
        if choice.action.kind not in ENDS
    ]
    hands = iter(hands_left(view, gone))
    for choice in choices:
        if choice.action.kind in ENDS:
            yield {}
            continue
        shanten, useful_tiles = next(hands)
        left: _HandLeft = {"shanten": shanten, "useful_tiles": useful_tiles}
        if choice.action.kind in CALLS and choice.discard is not None:
            left["discard"] = _tiles(_discard(choice), view)
        yield left


def _discard(choice: Choice) -> tuple[int, ...]:
    return () if choice.discard is None else (choice.discard,)


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


def _name(choice: Choice, view: View) -> str:
    kind = choice.action.kind
    tiles = choice.action.from_hand
    verb = "win" if kind in WINS else kind.value
    if kind in DISCARDS:
        verb = ActionKind.RIICHI.value if _declared(view) else verb
        tiles = (choice.discard or 0,)
    return f"{verb} {_tiles(tiles, view)}" if tiles else verb


def _declared(view: View) -> bool:
    """Whether the discard to come declares riichi."""
    own = view.seats[view.seat]
    return own.declared and not own.in_riichi


def _tiles(tiles: Iterable[int], view: View) -> str:
    return format_tiles(sorted(tiles), red_fives=view.rules.red_fives)
