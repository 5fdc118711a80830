"""Games written as tenhou.net/6, and each format converted into each."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from houjuu import logs
from houjuu.cli import main
from houjuu.cli.convert import FORMATS
from houjuu.game.events import Away, Back, Deal, Draw, DrawnRound, Event, Game, Win
from houjuu.logs import mjlog, tenhou6, tenhou6_writer
from houjuu.scoring.win_scoring import scored
from houjuu.util.errors import LogError
from tests.logs.test_tenhou6_real import content


def test_a_game_is_read_as_it_was_written(games: list[Game]) -> None:
    for game in games:
        text = tenhou6_writer.write(game)
        parsed = logs.parse(text.encode(), "game.json", judge=scored)
        assert content(parsed) == content(game), game.id
        assert (parsed.id, parsed.rules, parsed.final) == (game.id, game.rules, game.final)
        assert not parsed.unread


def test_players_who_leave_and_come_back(own_games: list[Game]) -> None:
    game = own_games[0]
    first = next(i for i, event in enumerate(game) if isinstance(event, Draw))
    events = (*game.events[: first + 3], Away(2), *game.events[first + 3 :])
    end = next(i for i, event in enumerate(events) if isinstance(event, Win | DrawnRound))
    events = (*events[:end], Back(2), *events[end:])
    parsed = tenhou6.parse(tenhou6_writer.write(replace(game, events=events)).encode())
    assert parsed.events.index(Away(2)) == first + 3
    assert parsed.events.index(Back(2)) == end


def hidden(event: Event) -> Event:
    return replace(event, hands=(None, *event.hands[1:])) if isinstance(event, Deal) else event


def unknown_end(event: Event) -> Event:
    return replace(event, deltas=None) if isinstance(event, Win | DrawnRound) else event


@pytest.mark.parametrize(
    ("change", "reason"),
    [(hidden, "hides a hand"), (unknown_end, "no changes of the scores")],
)
def test_what_the_format_cannot_hold_is_refused(
    own_games: list[Game], change: object, reason: str
) -> None:
    assert callable(change)
    game = replace(own_games[0], events=tuple(map(change, own_games[0].events)))
    with pytest.raises(LogError, match=reason):
        tenhou6_writer.write(game)


@pytest.mark.parametrize("source", FORMATS)
def test_every_format_becomes_every_other(
    own_games: list[Game], tmp_path: Path, source: str, capsys: pytest.CaptureFixture[str]
) -> None:
    game = own_games[0]
    file = tmp_path / f"{game.id}{FORMATS[source][0]}"
    file.write_bytes(FORMATS[source][1](game))
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
