"""The decisions of a game: own turns and claims, and events without a decision."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from houjuu.game.actions import Action, ActionKind
from houjuu.game.decisions import Decision, Follower
from houjuu.game.events import (
    Away,
    Back,
    Call,
    Deal,
    Discard,
    Dora,
    Draw,
    DrawnRound,
    DrawReason,
    Event,
    Game,
    Meld,
    MeldKind,
    Riichi,
    RiichiAccepted,
    Rules,
    Win,
)
from houjuu.game.table import Table
from houjuu.game.tiles import parse_tiles
from houjuu.util.errors import Error
from tests.game.test_table import deal

PASS = Action(ActionKind.PASS)
TILE, OTHER = 131, 120
"""Tiles of the wall: 6z and 4z."""
HAKU, *PAIR = parse_tiles("555z")
RON = Action(ActionKind.RON, HAKU)
PON = Meld(MeldKind.PON, tuple(sorted((HAKU, *PAIR))), called=HAKU, source=0)
DEAL = deal(east="1m123p456p789p5z12s", south="", west="55z")


def game(*events: Event) -> Game:
    return Game("id", Rules(), (), (DEAL, *events))


def legal(table: Table, seat: int) -> list[Action]:
    """Two discards at an own turn; claims of HAKU: a ron and a pon, a ron, a pon."""
    if table.round_state.actor == seat:
        return [Action(ActionKind.DISCARD, tile) for tile in table.round_state.hands[seat][:2]]
    claims = {1: [RON], 2: [RON, Action.from_meld(PON)], 3: [Action.from_meld(PON)]}
    return [*claims.get(seat, []), PASS] if table.round_state.claimable else []


def claims(*following: Event) -> dict[int, Action | None]:
    """The answers to the claims of the first discard, by seat."""
    played = game(Draw(0, OTHER), Discard(0, HAKU, False), *following)
    for event, decisions in Follower(played, range(4), legal):
        if decisions and not isinstance(event, Discard):
            return {one.seat: one.chosen for one in decisions if one.seat != 0}
    return {}


def win(seat: int) -> Win:
    return Win(seat, 0, HAKU, hand=(), melds=())


ANSWERS = [
    ([Draw(1, TILE)], {1: PASS, 2: PASS, 3: PASS}),
    ([Call(2, PON)], {1: None, 2: Action.from_meld(PON), 3: None}),
    ([win(1)], {1: RON, 2: PASS, 3: None}),
    ([win(1), win(2)], {1: RON, 2: RON, 3: None}),
    ([DrawnRound(DrawReason.FOUR_WINDS)], {1: PASS, 2: PASS, 3: PASS}),
    ([DrawnRound(DrawReason.THREE_RON)], {1: RON, 2: RON, 3: PASS}),
    ([], {}),
]


@pytest.mark.parametrize(("following", "answers"), ANSWERS)
def test_what_answers_a_claim(following: list[Event], answers: dict[int, Action | None]) -> None:
    """A seat that another one came before has no answer; a ron can only be passed."""
    assert claims(*following) == answers


def test_a_claim_is_seen_before_the_stick_is_paid() -> None:
    events = (Draw(0, OTHER), Riichi(0), Discard(0, HAKU, False), RiichiAccepted(0))
    played = game(*events, Draw(1, TILE))
    (claim,) = (one for one in Follower(played, [3], legal).decisions() if one.seat == 3)
    assert claim.chosen == PASS
    assert (claim.view.riichi_sticks, claim.view.scores[0]) == (0, 25000)
    assert claim.view.seats[0].declared
    assert not claim.view.seats[0].in_riichi
    assert claim.event == 3


def test_an_own_turn_is_seen_with_the_indicator_of_its_kan() -> None:
    """The indicator of a closed kan comes after the draw, in logs of Tenhou."""
    kan = Meld(MeldKind.ANKAN, tuple(parse_tiles("3333m")))
    (indicator,) = parse_tiles("8s")
    hand = deal(east="3333m123p456p789p")
    events = (Draw(0, OTHER), Call(0, kan), Draw(0, TILE), Dora(indicator), Discard(0, TILE, True))
    played = replace(game(), events=(hand, *events))
    *_, decision = Follower(played).discards()
    assert decision.view.dora_indicators == (hand.dora_indicator, indicator)
    assert decision.event == 4
    assert decision.discard == decision.tile == TILE


def test_a_riichi_and_its_discard_are_two_decisions() -> None:
    events = (Draw(0, OTHER), Riichi(0), Discard(0, HAKU, False))
    first, second = Follower(game(*events), [0], legal).decisions()
    assert first.chosen == Action(ActionKind.RIICHI)
    assert second.discard == HAKU
    assert first.key == second.key == (0, 0, 0)
    assert first.tile is None
    with pytest.raises(Error, match="seat 0 discarded no tile"):
        _ = first.discard


def test_whoever_is_absent_chooses_nothing() -> None:
    events = (Draw(0, OTHER), Away(0), Discard(0, OTHER, True), Back(0))
    (decision,) = Follower(game(*events), [0], legal).decisions()
    assert decision.forced
    assert not decision.is_free
    assert not [*Follower(game(*events)).discards()]


def test_a_hidden_hand_has_no_decision() -> None:
    hidden = replace(DEAL, hands=(None, *DEAL.hands[1:]))
    events = (hidden, Draw(0, None), Discard(0, HAKU, False), Draw(1, TILE), Discard(1, TILE, True))
    seats = [one.seat for one in Follower(replace(game(), events=events)).discards()]
    assert seats == [1]


def test_the_turn_that_a_game_in_progress_has_reached() -> None:
    follower = Follower(game(Draw(0, OTHER)), [0])
    assert [*follower.decisions()] == []
    reached = follower.reached()
    assert reached is not None
    assert (reached.seat, reached.turn, reached.chosen) == (0, 0, None)
    other = Follower(game(Draw(0, OTHER)), [1])
    assert [*other.decisions()] == []
    assert other.reached() is None


def in_riichi(decision: Decision) -> bool:
    return decision.view.seats[decision.seat].in_riichi


def test_every_discard_is_a_decision_of_its_turn(own_games: list[Game]) -> None:
    for played in own_games:
        turns: Counter[tuple[int, int]] = Counter()
        expected = []
        number = -1
        for event in played:
            number += isinstance(event, Deal)
            if isinstance(event, Discard):
                expected.append((number, event.seat, turns[number, event.seat], event.tile))
                turns[number, event.seat] += 1
        decisions = [*Follower(played).decisions()]
        assert [(*one.key, one.discard) for one in decisions] == expected
        assert all(one.discard in one.view.hand for one in decisions)
        assert [one.forced for one in decisions] == [*map(in_riichi, decisions)]
        n_rons = sum(isinstance(event, Win) and event.seat != event.source for event in played)
        assert 0 < sum(len(one.rons) for one in decisions) <= n_rons  # the others rob a kan
        assert all(win.tile == one.discard for one in decisions for win in one.rons)
        free = [(*one.key, one.discard) for one in Follower(played).discards()]
        assert [*Follower(played).turns()] == free
