"""The player takes the right action in positions with one right answer.

Each is played with the suits in another one of the six orders, which changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

import pytest

pytest.importorskip("riichienv", reason="its actions are what players pick from")
from houjuu.game.actions import Action, ActionKind, own_kan
from houjuu.game.events import Meld, MeldKind
from houjuu.game.position import position
from houjuu.game.table import View
from houjuu.game.tiles import COPIES, IS_HONOUR, KIND, SUIT, format_tiles
from houjuu.hands.claims import legal_discards
from houjuu.hands.shanten import after_discard, shanten
from houjuu.player.players import player
from tests.player.right_answers import CASES, Case

NAMES = {ActionKind.NINE_TERMINALS: "abort"}
SUITS = ["".join(order) for order in permutations("mps")]


def order_of(hand: str) -> dict[int, int]:
    """One of the orders of the suits, by the hand."""
    return str.maketrans("mps", SUITS[sum(hand.encode()) % len(SUITS)])


def test_the_positions_differ() -> None:
    assert len({(case.hand, str(case.more)) for case in CASES}) == len(CASES) >= 130


PARAMETERS = [
    pytest.param(one, marks=[pytest.mark.xfail(reason=one.wrong, strict=True)] if one.wrong else [])
    for one in CASES
]


@pytest.mark.parametrize("case", PARAMETERS, ids=str)
def test_the_right_action(case: Case) -> None:
    order = order_of(case.hand)
    view = position(case.hand.translate(order), **translated(case.more, order))
    chosen = player("rank").act(view, [*(_claims(view) if case.claims else _own(view))])
    assert name(chosen) in {_translated(answer, order) for answer in case.answers}


def name(action: Action) -> str:
    """The text of a discarded tile, or the name of another action."""
    if action.kind is ActionKind.DISCARD:
        return format_tiles(action.from_hand)
    return NAMES.get(action.kind, action.kind.value)


def _translated(answer: str, order: dict[int, int]) -> str:
    return answer.translate(order) if answer[0].isdigit() else answer


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


def _own(view: View) -> Iterator[Action]:
    """The legal actions after a draw of a closed hand."""
    kinds = [KIND[tile] for tile in view.hand]
    yield from (Action(ActionKind.DISCARD, tile) for tile in legal_discards(view))
    if after_discard(kinds).min() == 0:
        yield Action(ActionKind.RIICHI)
    if shanten(kinds) < 0:
        yield Action(ActionKind.TSUMO, view.hand[-1])
    for kind in sorted(set(kinds)):
        if kinds.count(kind) == COPIES:
            yield Action.from_meld(own_kan(view, kind))
    if not any(seat.river for seat in view.seats):
        yield Action(ActionKind.NINE_TERMINALS)


def _claims(view: View) -> Iterator[Action]:
    """The legal actions after the discard of left, by a seat that can win on it with a yaku."""
    tile = view.opponents[-1].river[-1].tile
    kind = KIND[tile]
    same = _copies(view, kind)
    yield Action(ActionKind.PASS)
    if shanten([*(KIND[own] for own in view.hand), kind]) < 0:
        yield Action(ActionKind.RON, tile)
    for n, call in ((2, MeldKind.PON), (3, MeldKind.DAIMINKAN)):
        if len(same) >= n:
            yield _call(view, call, tile, same[:n])
    for pair in () if IS_HONOUR[kind] else ((-2, -1), (-1, 1), (1, 2)):
        run = [_copies(view, kind + step) for step in pair if _in_suit(kind, kind + step)]
        if len(run) == 2 and all(run):
            consumed = [copies[0] for copies in run]
            yield _call(view, MeldKind.CHI, tile, consumed)


def _call(view: View, kind: MeldKind, tile: int, own: Sequence[int]) -> Action:
    source = view.opponents[-1].seat
    return Action.from_meld(Meld(kind, tuple(sorted((*own, tile))), tile, source))


def _in_suit(kind: int, other: int) -> bool:
    return other >= 0 and SUIT[other] == SUIT[kind]


def _copies(view: View, kind: int) -> Sequence[int]:
    return [tile for tile in view.hand if KIND[tile] == kind]
