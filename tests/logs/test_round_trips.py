"""Games written in every format and dialect are read again; what a format lacks is refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from houjuu import logs
from houjuu.arena.selfplay import play
from houjuu.cli import main
from houjuu.cli.convert import FORMATS
from houjuu.game.events import Away, Back, Deal, Draw, DrawnRound, Event, Game, RoundEnd, Win
from houjuu.game.round_state import RoundState
from houjuu.logs import mjai, mjlog, tenhou6, tenhou6_writer
from houjuu.logs.sources import entries
from houjuu.review import rendering
from houjuu.scoring import strict
from houjuu.scoring.win_scoring import scored
from houjuu.util.errors import LogError
from tests.kit import real
from tests.kit.dialects import DIALECTS, Message, hanchan, masked
from tests.kit.events import content, named, outcomes
from tests.kit.programs import PROGRAMS, WITHOUT_URA, lines
from tests.kit.tenhou6 import CALLED_TWICE, log_of

COMPARED: dict[str, Callable[[Game], object]] = {
    "mjlog": lambda game: game.events,
    "mjai": named,
    "tenhou6": content,
    "address": content,
}
"""What of the events is the same after a format is written and read."""


@pytest.mark.parametrize("form", FORMATS)
def test_a_game_is_read_as_it_was_written(games: list[Game], form: str) -> None:
    suffix, write = FORMATS[form]
    assert games
    for game in games:
        read = logs.parse(write(game), f"{game.id}{suffix}", judge=scored)
        assert COMPARED[form](read) == COMPARED[form](game), game.id
        assert (read.id, read.rules, read.final) == (game.id, game.rules, game.final)
        assert read.players == game.players
        assert not read.unread
        assert write(read) == write(game)


@pytest.mark.parametrize("form", FORMATS)
def test_who_is_away_and_the_fu_of_a_yakuman_stay(form: str) -> None:
    """Also two presences after one message, before the first deal and at the end of a round."""
    game = _one_round(7)
    events, win = list(game.events), game.events[-1]
    assert isinstance(win, Win)
    events[-1] = replace(win, fu=50, limit=5, yaku=(), yakuman=(39,))
    for index in (len(events), 40, 1):
        events[index:index] = [Away(2), Away(1), Back(2)]
    changed = replace(game, events=tuple(events))
    suffix, write = FORMATS[form]
    read = logs.parse(write(changed), f"{game.id}{suffix}")
    assert COMPARED[form](read) == COMPARED[form](changed)


@pytest.mark.parametrize("form", FORMATS)
def test_who_leaves_between_two_rounds_stays_there(form: str) -> None:
    game = play(7)
    events = list(game.events)
    deal = [index for index, event in enumerate(events) if isinstance(event, Deal)][1]
    events[deal:deal] = [Away(2), Back(2), Away(1)]
    changed = replace(game, events=tuple(events))
    suffix, write = FORMATS[form]
    read = logs.parse(write(changed), f"{game.id}{suffix}", judge=scored)
    assert COMPARED[form](read) == COMPARED[form](changed)


def as_programs_write_them(game: Game) -> None:
    for program, write in PROGRAMS.items():
        read = logs.parse(write(game), game.id, judge=scored)
        strict.check(read)
        assert program == WITHOUT_URA or outcomes(read) == outcomes(game), program


def test_games_as_programs_write_them(own_games: list[Game]) -> None:
    for game in own_games[:2]:
        as_programs_write_them(game)


@pytest.mark.deep
@pytest.mark.real_logs
@pytest.mark.parametrize("archive", ["phoenix-hanchan", "phoenix-tonpuu", "lower-rooms"])
def test_real_games_as_programs_write_them(archive: str) -> None:
    for name, data in real.games(archive, 10):
        as_programs_write_them(logs.parse(data, name, judge=scored))


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


def _samples() -> Iterator[tuple[str, bytes]]:
    game = _one_round(7)
    messages = list(map(json.loads, mjai.write(game).splitlines()))
    yield "mjlog", mjlog.write(game)
    yield "mjai", lines(messages)
    yield "array", json.dumps(messages).encode()
    yield "arrays", lines([*messages[:1], messages[1:20], messages[20:]])  # type: ignore[list-item]
    yield "indented", b"\xef\xbb\xbf" + json.dumps(messages, indent=1).encode()
    yield "hello", lines([{"type": "hello"}, {"type": "start_game", "id": "2"}, *messages[1:]])
    yield "odd-id", lines([{"type": "start_game", "id": 9}, *messages[1:]])
    yield "list-id", lines([{"type": "start_game", "id": [1]}, *messages[1:]])
    yield "no-start", lines(messages[1:])
    yield "empty-array", b"[]\n" + lines(messages)
    yield "tenhou6", json.dumps(TENHOU6).encode()
    yield "absent", json.dumps(TENHOU6 | {"connection": CONNECTION}).encode()
    for name, dialect in DIALECTS.items():
        log, streams = hanchan(3)
        yield name, lines(_first_round(dialect(log, 1)))
        hidden = [masked(message, 1) for message in streams[1]]
        yield f"{name}-live", lines(_first_round(dialect(hidden, 1)))


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
    is_same = name in ("mjlog", "mjai", "array", "arrays", "indented", "empty-array")
    assert not is_same or named(game) == named(_one_round(7))
    assert formats == ["mjai", "mjlog"] or not (is_same or name in ("tenhou6", "absent"))
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


def _hidden(game: Game) -> Game:
    first, *others = game.events
    assert isinstance(first, Deal)
    return replace(game, events=(replace(first, hands=(None, *first.hands[1:])), *others))


@pytest.mark.parametrize(
    ("form", "change", "reason"),
    [
        ("mjlog", partial(_last, deltas=None), "a change of the scores is unknown"),
        ("mjlog", partial(_last, scores=None), "a score is unknown"),
        ("mjlog", partial(_last, deltas=(50, -50, 0, 0)), "50 points are not hundreds"),
        ("mjlog", partial(_last, hand=()), "the hand or the yaku of a win are unknown"),
        (
            "mjlog",
            lambda game: replace(game, events=(*game.events[:-1], RoundEnd()), final=None),
            "without a result",
        ),
        ("mjlog", lambda game: replace(game, events=game.events[:-1]), "no end of a round"),
        (
            "mjlog",
            lambda game: replace(
                game, players=(*game.players[:3], replace(game.players[3], name=""))
            ),
            "the fourth player has no name",
        ),
        (
            "mjlog",
            lambda game: replace(game, players=(), events=(*game.events, Back(0))),
            "no names",
        ),
        ("mjlog", _hidden, "a hand is unknown"),
        ("tenhou6", _hidden, "hides a hand"),
        ("tenhou6", partial(_last, deltas=None), "no changes of the scores"),
    ],
)
def test_a_format_refuses_what_it_cannot_contain(form: str, change: Any, reason: str) -> None:
    with pytest.raises(LogError, match=reason) as caught:
        FORMATS[form][1](change(_one_round(7)))
    if form == "mjlog":
        assert caught.value.file == _one_round(7).id
        assert "cannot be written as mjlog: " in str(caught.value)


def test_players_who_leave_and_come_back(own_games: list[Game]) -> None:
    game = own_games[0]
    first = next(i for i, event in enumerate(game) if isinstance(event, Draw))
    events = (*game.events[: first + 3], Away(2), *game.events[first + 3 :])
    end = next(i for i, event in enumerate(events) if isinstance(event, Win | DrawnRound))
    events = (*events[:end], Back(2), *events[end:])
    parsed = tenhou6.parse(tenhou6_writer.write(replace(game, events=events)).encode())
    assert parsed.events.index(Away(2)) == first + 3
    assert parsed.events.index(Back(2)) == end


def test_the_command_writes_every_format(
    own_games: list[Game], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = own_games[0]
    file = tmp_path / f"{game.id}.mjson"
    file.write_bytes(FORMATS["mjai"][1](game))
    for name, (suffix, _) in FORMATS.items():
        output = tmp_path / name
        assert main(["convert", str(file), "--to", name, "-o", str(output)]) == 0
        (parsed,) = logs.games(output / f"{game.id}{suffix}", judge=scored)
        assert content(parsed) == content(game)
    assert main(["convert", str(file), "--to", "mjlog"]) == 0
    assert mjlog.parse(capsys.readouterr().out.encode()).rounds == game.rounds


def test_a_bad_log_is_reported_and_nothing_of_it_written(
    own_games: list[Game], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.json").write_text('{"log": []}')
    (tmp_path / "good.mjlog").write_bytes(mjlog.write(own_games[0]))
    output = tmp_path / "new"
    assert main(["convert", str(tmp_path), "-o", str(output), "--lang", "en"]) == 1
    assert "left out: " in capsys.readouterr().err
    assert [path.name for path in output.iterdir()] == ["good.json"]


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
    return json.dumps(messages).encode() if draw(st.booleans()) else lines(messages)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=changed())
def test_changed_games(data: bytes) -> None:
    try:
        game = logs.parse(data, "changed", unfinished=True, judge=scored)
    except LogError:
        return
    assert list(_written(game))
    assert rendering.chosen_seat(game, None, None, [("changed", data)]) in range(4)
