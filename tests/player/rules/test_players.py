"""The player of lowest shanten: what it does besides discards, as the program of the source."""

from __future__ import annotations

import pytest

pytest.importorskip("riichienv", reason="its actions are those of riichienv")
from houjuu.arena.matches import Match, play_match
from houjuu.game.actions import Action, ActionKind, own_kan
from houjuu.game.events import Call, DrawnRound, DrawReason, Game, MeldKind
from houjuu.game.table import View
from houjuu.game.tiles import parse_kind, parse_tiles
from houjuu.player.rules.players import ShantenPlayer
from tests.kit.positions import view_of

NINE = Action(ActionKind.NINE_TERMINALS)
RIICHI = Action(ActionKind.RIICHI)


def view(hand: str) -> View:
    tiles = parse_tiles(hand)
    return view_of(hand=tuple(sorted(tiles)), drawn=tiles[-1])


def discards(view: View) -> list[Action]:
    return [Action(ActionKind.DISCARD, tile) for tile in view.hand]


def kan(view: View, name: str) -> Action:
    return Action.from_meld(own_kan(view, parse_kind(name)))


def act(view: View, *actions: Action) -> Action:
    return ShantenPlayer("v1").act(view, [*discards(view), *actions])


@pytest.mark.parametrize(
    ("hand", "declares"),
    [
        ("1259m159p1459s123z", True),  # shanten 4: 13 less nine kinds
        ("1589m1489p19s1236z", False),  # ten kinds: shanten 3
    ],
)
def test_nine_terminals_with_a_hand_that_is_far(hand: str, declares: bool) -> None:
    own_turn = view(hand)
    assert (act(own_turn, NINE) is NINE) == declares


def test_a_kan_comes_before_riichi() -> None:
    own_turn = view("1111z234m456p77s88s")
    declared = kan(own_turn, "1z")
    assert act(own_turn, RIICHI, declared) is declared


def test_no_kan_that_raises_the_shanten() -> None:
    """1111m23m are a run and a triplet: after a kan 23m wait for a third."""
    own_turn = view("111123m456p78s55z1z")
    assert act(own_turn, RIICHI, kan(own_turn, "1m")) is RIICHI
    assert act(own_turn, kan(own_turn, "1m")).kind == ActionKind.DISCARD


@pytest.mark.deep
def test_kans_and_nine_terminals_happen(tmp_path_factory: pytest.TempPathFactory) -> None:
    games: list[Game] = [*play_match(Match(("v1",) * 4), tmp_path_factory.mktemp("v1"), 30, jobs=1)]
    events = [event for game in games for event in game]
    calls = [event.meld.kind for event in events if isinstance(event, Call)]
    drawn = [event.reason for event in events if isinstance(event, DrawnRound)]
    assert set(calls) == {MeldKind.ANKAN}
    assert DrawReason.NINE_TERMINALS in drawn
