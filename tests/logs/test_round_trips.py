"""The writers write or refuse, and the commands render, each game that a reader accepts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from houjuu import logs
from houjuu.arena.selfplay import play
from houjuu.cli import main
from houjuu.game.events import Away, Back, Deal, DrawnRound, Event, Game, RoundEnd, Win
from houjuu.game.round_state import RoundState
from houjuu.logs import mjai, mjlog
from houjuu.logs.sources import entries
from houjuu.review import rendering
from houjuu.scoring.win_scoring import scored
from houjuu.util.errors import LogError
from tests.logs.tenhou6_samples import CALLED_TWICE, log_of
from tests.mjai_dialects import DIALECTS, Message, hanchan, masked
from tests.named_events import named

TENHOU6 = log_of(CALLED_TWICE)
CONNECTION = [
    {"what": 0, "log": 0, "who": 2, "step": 1},
    {"what": 0, "log": 1, "who": 3, "step": 0},
]


@cache
def _one_round(seed: int, index: int = 0) -> Game:
    """A round of a self-played game, with final scores."""
    game = play(seed)
    deals = [i for i, event in enumerate(game) if isinstance(event, Deal)] + [len(game.events)]
    events = game.events[deals[index] : deals[index + 1]]
    state = RoundState()
    for event in events:
        state.apply(event)
    return replace(game, events=events, final=tuple((score, 0.0) for score in state.scores))


def _first_round(messages: list[Message]) -> list[Message]:
    ends = [i for i, message in enumerate(messages) if message["type"] == "end_kyoku"]
    return [*messages[: ends[0] + 1], {"type": "end_game"}]


def _lines(messages: list[Message]) -> bytes:
    return "\n".join(map(json.dumps, messages)).encode()


def _samples() -> Iterator[tuple[str, bytes]]:
    game = _one_round(7)
    messages = list(map(json.loads, mjai.write(game).splitlines()))
    yield "mjlog", mjlog.write(game)
    yield "mjai", _lines(messages)
    yield "array", json.dumps(messages).encode()
    yield "arrays", _lines([*messages[:1], messages[1:20], messages[20:]])  # type: ignore[list-item]
    yield "indented", json.dumps(messages, indent=1).encode()
    yield "hello", _lines([{"type": "hello"}, {"type": "start_game", "id": "2"}, *messages[1:]])
    yield "odd-id", _lines([{"type": "start_game", "id": 9}, *messages[1:]])
    yield "list-id", _lines([{"type": "start_game", "id": [1]}, *messages[1:]])
    yield "no-start", _lines(messages[1:])
    yield "empty-array", b"[]\n" + _lines(messages)
    yield "tenhou6", json.dumps(TENHOU6).encode()
    yield "absent", json.dumps(TENHOU6 | {"connection": CONNECTION}).encode()
    for name, dialect in DIALECTS.items():
        log, streams = hanchan(3)
        yield name, _lines(_first_round(dialect(log, 1)))
        hidden = [masked(message, 1) for message in streams[1]]
        yield f"{name}-live", _lines(_first_round(dialect(hidden, 1)))


SAMPLES = dict(_samples())
JUNK: list[Any] = ["gone", None, [], {}, 0, 1, "?", 1000.0, "x"]
OWN_SEATS = {"hello": 2, **{f"{name}-live": 1 for name in DIALECTS}}


def _with_dice(event: Event) -> Event:
    """Only mjlog has dice, and the writer makes some up."""
    if isinstance(event, Deal):
        return replace(event, dice=event.dice or (0, 0))
    return event


def _written(game: Game) -> Iterator[str]:
    """The formats that can contain a game; each gives the same game again."""
    document = mjai.write(game).encode()
    again = mjai.parse(document, game.id)
    assert (named(again), again.rules) == (named(game), game.rules)
    assert again.final == game.final
    yield "mjai"
    try:
        document = mjlog.write(game)
    except LogError:
        return
    again = mjlog.parse(document, game.id, unfinished=True)
    assert (again.rules, again.final) == (replace(game.rules, stated=True), game.final)
    assert again.events == tuple(map(_with_dice, game))
    yield "mjlog"


@pytest.mark.parametrize("name", SAMPLES)
def test_the_writers_write_the_same_game_or_refuse(name: str) -> None:
    game = logs.parse(SAMPLES[name], name, judge=scored)
    formats = list(_written(game))
    is_complete = name in ("mjlog", "mjai", "array", "arrays", "indented", "tenhou6", "absent")
    assert formats == (["mjai", "mjlog"] if is_complete else formats)
    assert ("mjlog" in formats) <= (b'"?"' not in SAMPLES[name])


@pytest.mark.parametrize("name", SAMPLES)
def test_the_commands_render_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    file = tmp_path / f"{name}.log"
    file.write_bytes(SAMPLES[name])
    game = logs.parse(SAMPLES[name], name, judge=scored)
    own = rendering.chosen_seat(game, None, None, entries(file))
    assert own == OWN_SEATS.get(name, 1 if name in DIALECTS else 0)
    assert main(["parse", str(file)]) == 0
    assert main(["danger", str(file), "--list"]) == 0
    assert main(["danger", str(file), "--seat", str(own), "--json"]) == 0
    capsys.readouterr()
    assert main(["review", str(file), "--player", "none", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rounds"]
    page = tmp_path / "page.html"
    command = ["review", str(file), "--player", "none", "--one-seat", "-o", str(page)]
    assert main(command) == 0
    assert "<html" in page.read_text()


# Final scores, absent players and games that a format cannot contain.


def test_a_player_who_leaves_after_the_last_win() -> None:
    game = _one_round(7)
    later = replace(game, events=(*game.events, Away(2), Back(2)))
    assert mjlog.parse(mjlog.write(later), game.id) == later


def _last(game: Game, **changes: Any) -> Game:
    end = game.events[-1]
    assert isinstance(end, (Win, DrawnRound))
    return replace(game, events=(*game.events[:-1], replace(end, **changes)))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda game: _last(game, deltas=None), "a change of the scores is unknown"),
        (lambda game: _last(game, scores=None), "a score is unknown"),
        (lambda game: _last(game, deltas=(50, -50, 0, 0)), "50 points are not hundreds"),
        (lambda game: _last(game, hand=()), "the hand or the yaku of a win are unknown"),
        (
            lambda game: replace(game, events=(*game.events[:-1], RoundEnd()), final=None),
            "without a result",
        ),
        (lambda game: replace(game, events=game.events[:-1]), "no end of a round"),
        (
            lambda game: replace(
                game, players=(*game.players[:3], replace(game.players[3], name=""))
            ),
            "the fourth player has no name",
        ),
        (lambda game: replace(game, players=(), events=(*game.events, Back(0))), "no names"),
    ],
)
def test_mjlog_refuses_what_it_cannot_contain(change: Any, reason: str) -> None:
    game = change(_one_round(7))
    with pytest.raises(LogError, match=f"cannot be written as mjlog: .*{reason}") as caught:
        mjlog.write(game)
    assert caught.value.file == game.id


def _hidden(event: Event, seat: int) -> Event:
    if isinstance(event, Deal):
        return replace(
            event, hands=tuple(h if i == seat else None for i, h in enumerate(event.hands))
        )
    return event


def test_mjlog_refuses_a_hidden_hand() -> None:
    game = _one_round(7)
    events = tuple(_hidden(event, 0) for event in game)
    with pytest.raises(LogError, match="a hand is unknown"):
        mjlog.write(replace(game, events=events))


@st.composite
def changed(draw: st.DrawFn) -> bytes:
    """mjai with some fields of some messages removed, emptied or hidden."""
    messages = list(
        map(json.loads, SAMPLES[draw(st.sampled_from(["mjai", "riichienv"]))].split(b"\n"))
    )
    for _ in range(draw(st.integers(1, 4))):
        message = draw(st.sampled_from([m for m in messages if len(m) > 1][:2] + messages[-4:]))
        keys = [key for key in message if key != "type"]
        if keys:
            key = draw(st.sampled_from(sorted(keys)))
            value = draw(st.sampled_from(JUNK))
            if value == "gone":
                del message[key]
            else:
                message[key] = value
    return json.dumps(messages).encode() if draw(st.booleans()) else _lines(messages)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=changed())
def test_changed_games(data: bytes) -> None:
    try:
        game = logs.parse(data, "changed", unfinished=True, judge=scored)
    except LogError:
        return
    assert list(_written(game))
    assert rendering.chosen_seat(game, None, None, [("changed", data)]) in range(4)
