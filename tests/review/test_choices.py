"""The choices of a review: the actions of the log where a seat has several that are valued."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

pytest.importorskip("riichienv", reason="the player needs it")

from houjuu import load
from houjuu.arena.selfplay import play
from houjuu.game.actions import Action, ActionKind, source_of
from houjuu.game.events import (
    Away,
    Call,
    Deal,
    Discard,
    Dora,
    Draw,
    DrawnRound,
    DrawReason,
    Event,
    Game,
    Riichi,
    RiichiAccepted,
    Win,
)
from houjuu.game.table import Table, View
from houjuu.game.tiles import format_tiles
from houjuu.player.value_player import ValuePlayer
from houjuu.player.values.outcome import Outcome
from houjuu.review.advice import Advice
from houjuu.review.export import action_text
from houjuu.review.page_types import Review
from houjuu.review.review_data import discarded_tile, discards, review
from houjuu.review.verdict import chosen_action
from houjuu.scoring.legality import legal_actions
from tests.kit.free_decisions import free_decisions
from tests.review.page_data import ADVICE, position_of

SEAT = 1
REVIEWED = ((46, 3), (62, 0), (2, 0))
"""Seeds and seats with all of the `VERBS`; other seats come before some claims."""
VERBS = "discard riichi chi pon ankan daiminkan win nine_terminals pass"


class Indifferent(ValuePlayer):
    """Values every action at 0, and keeps the queries."""

    def __init__(self) -> None:
        self.queries: list[tuple[View, Sequence[Action]]] = []

    def outcomes(self, view: View, actions: Sequence[Action]) -> list[Outcome]:
        self.queries.append((view, actions))
        return [one for action in actions for one in outcomes(action, view.hand)]


def outcomes(action: Action, hand: Sequence[int]) -> Iterator[Outcome]:
    """Yield riichi with each tile, a call with a discard, and other actions as they are."""
    if action.kind is ActionKind.RIICHI:
        yield from (Outcome(action, 0.0, discard=tile, declares=True) for tile in hand)
    elif action.kind in (ActionKind.CHI, ActionKind.PON):
        yield Outcome(action, 0.0, discard=min({*hand} - {*action.from_hand}))
    else:
        yield Outcome(action, 0.0, discard=next(iter(action.from_hand), None))


def log_choices(game: Game, seat: int) -> Iterator[str]:
    """Yield the actions of the log where the seat has several, by a table of its own.

    Where another seat comes first the log has no action, but a ron that is passed.
    """
    table, legal, declares = Table(game.rules), list[Action](), False
    for event in game:
        is_own = getattr(event, "seat", None) == seat
        claims = {one.kind for one in legal if one.claimed is not None}
        match event:
            case Dora() | RiichiAccepted():
                table.apply(event)
                continue
            case Riichi():
                declares |= is_own
            case Discard() if is_own:
                if declares or len(legal) > 1:
                    yield f"{'riichi' if declares else 'discard'} {format_tiles([event.tile])}"
                declares = False
            case Call() if is_own:
                yield f"{event.meld.kind.value} {format_tiles(event.meld.from_hand)}"
            case Win() if is_own:
                yield "win"
            case Draw() | DrawnRound() if claims:
                yield "pass"
            case Win() if ActionKind.RON in claims:
                yield "pass"
            case DrawnRound(reason=DrawReason.NINE_TERMINALS) if len(legal) > 1:
                yield "nine_terminals"
        table.apply(event)
        legal = legal_actions(table, seat)


Reviews = list[tuple[Game, Review, Indifferent]]
"""Reviews with their game and the player that gave the values."""


@pytest.fixture(scope="module")
def reviews() -> Reviews:
    reviews = []
    for seed, seat in REVIEWED:
        game, player = play(seed), Indifferent()
        reviews.append((game, review(game, seat, load(), Advice(player)), player))
    return reviews


def test_every_action_of_the_log_is_a_choice(reviews: Reviews) -> None:
    verbs, n_lost_claims = set[str](), 0
    for game, data, _ in reviews:
        made = [action_text(chosen_action(choice)) for choice in data["choices"]]
        assert made == [*log_choices(game, data["seat"])]
        assert len([*discards(data["rounds"])]) == n_discards(game, data["seat"])
        verbs |= {text.split()[0] for text in made}
        n_lost_claims += sum(one.chosen is None for one in free_decisions(game, data["seat"]))
    assert verbs == {*VERBS.split()}
    assert n_lost_claims > 2


def n_discards(game: Game, seat: int) -> int:
    return sum(isinstance(event, Discard) and event.seat == seat for event in game)


def test_the_step_of_a_choice(reviews: Reviews) -> None:
    for _, data, _ in reviews:
        for choice in data["choices"]:
            step = position_of(choice, data)
            verb, tiles = chosen_action(choice)["verb"], chosen_action(choice)["tiles"]
            index = step["discard_index"]
            made = [] if index is None else [step["hand"][index]]
            assert made == (tiles if verb in ("discard", "riichi") else [])
            assert step["riichi"] == (verb == "riichi")
            assert (step["own"] is None) == (len(step["hand"]) % 3 == 1)


def test_when_the_values_are_asked_for(reviews: Reviews) -> None:
    """Once a choice: at own turns, and where a tile of another seat can be claimed."""
    for _, data, player in reviews:
        assert len(player.queries) == len(data["choices"])
        for view, actions in player.queries:
            assert view.seat == data["seat"]
            assert len({*actions}) > 1
            claimed = [one.claimed for one in actions if one.claimed is not None]
            assert bool(claimed) == (len(view.hand) % 3 == 1)
            assert all(source_of(view, tile) != view.seat for tile in claimed)
            assert (Action(ActionKind.PASS) in actions) == bool(claimed)


def first_round(game: Game, *more: Event) -> Game:
    """The first round of a game, with more events after the deal."""
    first, second = [i for i, event in enumerate(game.events) if isinstance(event, Deal)][:2]
    return replace(game, events=(game.events[first], *more, *game.events[first + 1 : second]))


@pytest.mark.parametrize(
    ("advice", "more"), [(None, ()), (ADVICE, ()), (Advice(Indifferent()), (Away(SEAT),))]
)
def test_without_values_and_while_the_player_is_absent_there_is_no_choice(
    own_games: list[Game], advice: Advice | None, more: Sequence[Event]
) -> None:
    game = first_round(own_games[0], *more)
    data = review(game, SEAT, load(), advice)
    assert data["choices"] == []
    assert len([*discards(data["rounds"])]) == n_discards(game, SEAT)


def test_an_action_that_is_not_legal_is_no_choice(own_games: list[Game]) -> None:
    """Where nobody may discard the drawn tile."""

    def legal(table: Table, seat: int) -> list[Action]:
        drawn = table.view(seat).drawn
        return [one for one in legal_actions(table, seat) if drawn is None or one.tile != drawn]

    advice = Advice(Indifferent())
    advice.legal = legal
    data = review(first_round(own_games[2]), SEAT, load(), advice)
    steps = {choice["step"] for choice in data["choices"]}
    own_turns = [one for one in enumerate(data["rounds"][0]["decisions"]) if one[1]["drawn"]]
    is_choice = [step in steps for step, _ in own_turns]
    assert is_choice == [discarded_tile(one) in one["hand"][:-1] for _, one in own_turns]
    assert len({*is_choice}) == 2
