"""Choices: recorded from a game with values for each action."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any, cast

import pytest

from houjuu import load
from houjuu.game.events import Call, Discard, Draw, Event, Game, Meld, MeldKind, Riichi, Win
from houjuu.game.table import View
from houjuu.game.tiles import format_tiles
from houjuu.review import choices
from houjuu.review.page_types import Alternatives, ValuedAction, ValuePart
from houjuu.review.review_data import discards, review
from houjuu.util.errors import Error

SEAT = 1


def any_action(view: View) -> list[ValuedAction]:
    """All actions that a log can contain, each of value 0."""
    tiles = [format_tiles([tile], red_fives=view.rules.red_fives) for tile in view.hand]
    names = [f"{verb} {tile}" for verb in ("discard", "riichi", "kakan") for tile in tiles]
    names += ["win", "pass", "nine_terminals", *melds(view)]
    return [
        {"action": name, "value": 0, "preference": 0, "parts": []} for name in dict.fromkeys(names)
    ]


def melds(view: View) -> list[str]:
    red = view.rules.red_fives
    hand = sorted(view.hand)
    pairs = [(a, b) for i, a in enumerate(hand) for b in hand[i + 1 :]]
    named = [format_tiles(pair, red_fives=red) for pair in pairs]
    verbs = [f"{verb} {tiles}" for verb in ("chi", "pon") for tiles in named]
    for tile in hand:
        same = [other for other in hand if other // 4 == tile // 4]
        verbs += [f"{verb} {format_tiles(same, red_fives=red)}" for verb in ("daiminkan", "ankan")]
    return verbs


def values(view: View) -> Alternatives:
    return {"kind": "call" if view.drawn is None else "discard", "actions": any_action(view)}


def test_every_action_of_the_log_is_a_choice(own_games: list[Game]) -> None:
    game = max(own_games, key=lambda game: sum(isinstance(event, Call) for event in game))
    data = review(game, SEAT, load(), values=values)
    verbs = Counter(choice["chosen"].split()[0] for choice in data["choices"])
    own = [event for event in game if getattr(event, "seat", None) == SEAT]
    n_discards = sum(isinstance(event, Discard) for event in own)
    assert verbs["discard"] + verbs["riichi"] == n_discards == len(list(discards(data["rounds"])))
    calls = Counter(event.meld.kind.value for event in own if isinstance(event, Call))
    assert {verb: verbs[verb] for verb in calls} == calls
    assert calls
    assert verbs["win"] == sum(isinstance(event, Win) for event in own)
    assert verbs["pass"] > n_discards
    for choice in data["choices"]:
        step = data["rounds"][choice["round"]]["decisions"][choice["step"]]
        verb, _, tiles = choice["chosen"].partition(" ")
        made = None if step["discard_index"] is None else step["hand"][step["discard_index"]]
        assert made == (tiles if verb in ("discard", "riichi") else None)
        assert step["riichi"] == (verb == "riichi")
        assert (step["own"] is None) == (len(step["hand"]) % 3 == 1)
        assert choice["seat"] == SEAT


def test_nothing_is_recorded_without_values(own_games: list[Game]) -> None:
    with_values = review(own_games[0], SEAT, load(), values=lambda view: None)
    assert with_values["choices"] == []
    assert len(list(discards(with_values["rounds"]))) == sum(
        isinstance(event, Discard) and event.seat == SEAT for event in own_games[0]
    )


def meld(kind: str, source: int | None = 0) -> Meld:
    return Meld(MeldKind(kind), (0, 1, 2, 3), None if source is None else 0, source)


ASKED = [
    (Draw(SEAT, 5), True),
    (Draw(2, 5), False),
    (Discard(2, 5, True), True),
    (Discard(SEAT, 5, True), False),
    (Call(SEAT, meld("pon")), True),
    (Call(SEAT, meld("daiminkan")), False),
    (Call(SEAT, meld("kakan")), False),
    (Call(2, meld("kakan")), True),
    (Call(2, meld("ankan", None)), False),
    (Call(2, meld("pon")), False),
    (Riichi(2), False),
]


@pytest.mark.parametrize(("event", "is_asked"), ASKED)
def test_when_the_values_are_asked_for(event: Event, is_asked: bool) -> None:
    """At own turns, and where a discard or an added kan of another seat can be claimed."""
    asked: list[object] = []
    table = SimpleNamespace(view=lambda seat: seat)
    recorder = choices.ChoiceRecorder(cast("Any", table), SEAT, asked.append)
    recorder.after(event)
    assert asked == ([SEAT] if is_asked else [])


def passing(kind: str, value: int) -> Alternatives:
    parts: list[ValuePart] = [{"name": "win", "value": 15}, {"name": "deal_in.right", "value": -5}]
    action: ValuedAction = {"action": "pass", "value": value, "preference": 0, "parts": parts}
    return {"kind": kind, "actions": [action]}


def test_a_choice_that_is_wrong_is_refused() -> None:
    choices.check(passing("call", 10), "pass")
    with pytest.raises(Error, match="no kind of choice 'x'"):
        choices.check(passing("x", 10), "pass")
    with pytest.raises(Error, match="'win' is none of the actions pass"):
        choices.check(passing("call", 10), "win")
    with pytest.raises(Error, match="parts of 'pass' do not add up"):
        choices.check(passing("call", 11), "pass")
