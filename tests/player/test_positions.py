"""Positions with one right answer, each with the suits in all six orders."""

from __future__ import annotations

from itertools import permutations
from typing import Any, NamedTuple

import pytest

pytest.importorskip("riichienv", reason="its actions are what players pick from")
from riichienv import Action, ActionType

from houjuu.player.calls import legal_discards
from houjuu.player.hand_value.shanten import after_discard
from houjuu.player.players import player
from houjuu.position import position
from houjuu.table import View
from houjuu.tiles import KIND, format_tiles

JUNK = "1469m2589p137s12z + 6z"
RIVERS = {
    "self": "9s 3z 4z 2s 8m 4p 6s",
    "right": "9p 3z 1s 4z 9m 5z 2z",
    "across": "1p 4z 9s 3z 1m 5z 9p",
}
LEFT = "9m 1z 8s 3p 7z 6s* 2p'"
"""Riichi with the sixth discard."""

GENBUTSU = {"9m", "2p", "9p", "1z", "2z"}
"""The tiles of `JUNK` that the riichi cannot win on."""

EARLY = {"self": "9s 3z", "right": "9p 1s", "across": "1p 9s", "left": "9m 1m"}


class Case(NamedTuple):
    """A position at a discard; the answers are the tiles that may go, and whether with riichi."""

    name: str
    position: dict[str, Any]
    answers: set[str]
    riichi: bool = False


def at(hand: str, rivers: dict[str, str], **more: Any) -> dict[str, Any]:
    return {"hand": hand, "rivers": rivers, "dora": "4z", **more}


FAR_BEHIND = {"self": 9000, "right": 45000, "across": 24000, "left": 21000}
LEADER = {"self": 45000, "right": 21000, "across": 21000, "left": 12000}
CASES = [
    Case("a hopeless hand folds", at(JUNK, RIVERS | {"left": LEFT}), GENBUTSU),
    Case(
        "a hopeless hand folds to the dealer",
        at(JUNK, RIVERS | {"left": LEFT}, round="E2", seat="E"),
        GENBUTSU,
    ),
    Case(
        "a leader folds in the last round",
        at(JUNK, RIVERS | {"left": LEFT}, round="S4", seat="E", scores=LEADER),
        GENBUTSU,
    ),
    Case(
        "a good wait of a good hand declares",
        at("234567m34588p67s + 1z", EARLY, dora="2m"),
        {"1z"},
        riichi=True,
    ),
    Case(
        "who is far behind declares with a good hand in the last round",
        at("234567m34588p67s + 1z", EARLY, dora="2m", round="S4", seat="E", scores=FAR_BEHIND),
        {"1z"},
        riichi=True,
    ),
    Case("ryanmen, not kanchan", at("234567m34588p46s + 7s", EARLY), {"4s"}, riichi=True),
    Case("nobetan gives way to ryanmen", at("234567m345p66s45s + 1z", EARLY), {"1z"}, riichi=True),
    Case(
        "an isolated tile goes first", at("23467m34567p56s4z + 9p", EARLY, dora="2m"), {"4z", "9p"}
    ),
    Case("a dora stays", at("23467m34567p45s3z + 7s", EARLY, dora="6s"), {"3z"}),
    Case("shanten before honours", at("123456m12378p15s + 5z", EARLY), {"1s", "5z", "5s"}),
    Case("a pair of dragons stays", at("2346m3467p567s55z + 9m", EARLY, dora="3p"), {"9m", "6m"}),
    Case("pinfu declares", at("22345m67p345678s + 1z", EARLY), {"1z"}, riichi=True),
    Case(
        "a wide wait declares", at("45m456p34567899s + 1z", EARLY, dora="1m"), {"1z"}, riichi=True
    ),
    Case("a lone terminal goes", at("3467m3467p34555s + 1m", EARLY, dora="1m"), {"1m"}),
    Case(
        "a hopeless hand folds in third place",
        at(JUNK, RIVERS | {"left": LEFT}, round="S2", seat="E"),
        GENBUTSU,
    ),
    Case("a lone guest wind goes", at("3467m3467p34555s + 4z", EARLY, dora="1m"), {"4z"}),
    Case("penchan before ryanmen", at("12m34567p34567s5m + 5m", EARLY), {"1m", "2m"}),
]


@pytest.mark.parametrize("suits", ["".join(order) for order in permutations("mps")])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_right_discard(case: Case, suits: str) -> None:
    order = str.maketrans("mps", suits)
    view = position(**translated(case.position, order))
    chosen = player("rank").act(view, legal(view))
    if case.riichi:
        assert chosen.action_type == ActionType.RIICHI
        return
    assert chosen.action_type == ActionType.DISCARD
    assert format_tiles([chosen.tile]) in {answer.translate(order) for answer in case.answers}


def translated(tree: Any, order: dict[int, int]) -> Any:
    """The texts of a position with other suits; names of seats and rounds stay."""
    same = ("round", "seat", "scores")
    return {
        key: value
        if key in same
        else {seat: river.translate(order) for seat, river in value.items()}
        if isinstance(value, dict)
        else value.translate(order)
        for key, value in tree.items()
    }


def legal(view: View) -> list[Action]:
    """The discards, and riichi where it is possible."""
    actions = [Action(ActionType.DISCARD, tile=tile) for tile in legal_discards(view)]
    shanten = after_discard([KIND[tile] for tile in view.hand])
    closed = not view.seats[view.seat].n_open_melds
    if closed and shanten.min() == 0 and not view.seats[view.seat].declared:
        actions.append(Action(ActionType.RIICHI))
    return actions
