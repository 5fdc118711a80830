"""Addresses in place of a log: one or many, in a file, as a path, in a stream, to the server."""

from __future__ import annotations

import io
import json
import zipfile
from ctypes import c_double
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from houjuu import logs
from houjuu.cli import main
from houjuu.game.events import Game, PlayerInfo
from houjuu.logs import addresses, mjai, sources
from houjuu.serve import work
from houjuu.serve.schema import ReviewQuery
from houjuu.util.errors import Error, LogError
from tests.kit.events import named
from tests.kit.tenhou6 import CALLED_TWICE, log_of, round_of

FOLLOWING = [[0, 1, 0], [31000, 23000, 23000, 23000], *CALLED_TWICE[2:]]
PAGE = "https://tenhou.net/0/?log=2018111100gm-00a9-0000-0123abcd&tw=1"


def _address(*rounds: Any, path: int = 6, **more: Any) -> str:
    return f"https://tenhou.net/{path}/#json={quote(json.dumps(log_of(*rounds, **more)))}"


def _games(tmp_path: Path, text: str) -> list[Game]:
    file = tmp_path / "games.txt"
    file.write_text(text)
    return list(logs.games(file))


@pytest.mark.parametrize("path", [5, 6])
def test_a_file_a_path_and_a_stream(tmp_path: Path, path: int) -> None:
    text = _address(CALLED_TWICE, path=path, ref="a")
    (game,) = _games(tmp_path, f"\n{text}\n")
    assert (game.id, game.rounds) == ("a", 1)
    assert list(logs.games(text)) == list(logs.games(Path(text))) == [game]
    assert list(logs.read_stream(io.BytesIO(text.encode()), "-")) == [game]
    assert logs.parse(text.encode(), "x") == game


def test_the_rounds_of_a_game_a_line(tmp_path: Path) -> None:
    """As NAGA writes a game; another game begins where the rounds do not continue."""
    first, second = _address(CALLED_TWICE), _address(FOLLOWING)
    assert [game.rounds for game in _games(tmp_path, f"{first}\n{second}\n")] == [2]
    games = _games(tmp_path, "\n".join([first, second, first, second, _address(CALLED_TWICE, x=1)]))
    rounds = {"games#1": 2, "games#2": 2, "games#3": 1}
    assert {game.id: game.rounds for game in games} == rounds
    (slices,) = [sources.slices(tmp_path / "games.txt", 2)]
    assert (slices.members, slices.is_archive) == ([range(2), range(2, 3)], True)
    entries = sources.file_entries(tmp_path / "games.txt", "n", range(1, 3))
    assert [name for name, _ in entries] == ["n#2", "n#3"]


def test_options_of_the_viewer_follow_the_json(tmp_path: Path) -> None:
    (game,) = _games(tmp_path, _address(CALLED_TWICE) + "&ts=3&tw=1\n")
    plain = json.dumps(log_of(CALLED_TWICE) | {"name": ["A&B", "B", "C", "D"]})
    (other,) = _games(tmp_path, f"http://tenhou.net/6/#json={plain}")
    assert game.events == other.events
    assert other.players[0].name == "A&B"


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        (PAGE, "save the log from https://tenhou.net/0/log/?2018111100gm-00a9-0000-0123abcd and"),
        ("https://mahjongsoul.game.yo-star.com/?paipu=1", "as tenhou.net/6 JSON with a downloader"),
        ("https://example.com/", "save the log as a file"),
        ("hello", "has a line that is not an address"),
    ],
)
def test_pages_are_refused_in_one_sentence(tmp_path: Path, line: str, advice: str) -> None:
    errors: list[Error] = []
    (tmp_path / "a.txt").write_text(f"{_address(CALLED_TWICE)}\n{line}\n")
    assert [game.id for game in logs.games(tmp_path, errors.append)] == ["a#1"]
    assert [error.file for error in errors] == ["a#2.txt"]
    assert advice in str(errors[0])
    if line.startswith("http"):
        for path in (line, Path(line)):
            with pytest.raises(LogError, match=advice.replace("?", r"\?")):
                logs.games(path)


def test_other_errors_are_those_of_the_reader(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="is not JSON"):
        _games(tmp_path, "https://tenhou.net/6/#json=%7B")
    with pytest.raises(LogError, match="contains 2 games, of which houjuu"):
        logs.parse(f"{_address(CALLED_TWICE)}\n{_address(CALLED_TWICE)}".encode(), "x")
    deep = "[" * 100_000
    with pytest.raises(LogError, match="is not JSON"):
        _games(tmp_path, f"https://tenhou.net/6/#json={deep}")


def test_a_member_of_an_archive(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("one.txt", _address(CALLED_TWICE))
    assert [game.id for game in logs.games(tmp_path / "a.zip")] == ["one"]


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = _address(CALLED_TWICE)
    assert main(["parse", text]) == 0
    assert "1 game with 1 round is valid" in capsys.readouterr().out
    assert main(["parse", PAGE]) == 2
    assert "https://tenhou.net/0/log/?2018" in capsys.readouterr().err
    assert main(["danger", text, "--seat", "0", "--json"]) == 0
    page = tmp_path / "a.html"
    assert main(["review", text, "--player", "none", "-o", str(page)]) == 0
    assert "<html" in page.read_text()
    assert main(["review", text, text, "--player", "none", "--seat", "0", "--json"]) == 0


@pytest.mark.parametrize("form", [["--json"], ["-o", "reviews/"]])
def test_a_game_without_a_review_is_named_by_its_file(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    form: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    aborted = round_of(([46], []), *[([], [])] * 3, result=["九種九牌"])
    (tmp_path / "logs" / "club").mkdir(parents=True)
    for id, entry in (("x", aborted), ("y", CALLED_TWICE)):
        path = tmp_path / "logs" / "club" / f"{id}.json"
        path.write_text(json.dumps(log_of(entry, ref=f"id-of-{id}")))
    main(["review", "logs", "--seat", "0", "--player", "none", "--lang", "en", *form])
    shown = capsys.readouterr()
    assert "club/x.json, id-of-x: seat 0 makes no discard" in shown.out + shown.err


def test_an_error_of_a_check_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(log_of(CALLED_TWICE)))
    shown = []
    for id in (None, "a", "b"):

        def check(_: Game, id: str | None = id) -> None:
            raise LogError("is odd", file=id)

        list(logs.games(tmp_path, lambda problem: shown.append(str(problem)), check=check))
    assert shown == ["a.json: is odd", "a.json: is odd", "a.json, b: is odd"]


def test_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work._Process, "model", "houjuu", raising=False)
    monkeypatch.setattr(work._Process, "progress", c_double(0), raising=False)
    log = _address(CALLED_TWICE).encode()
    (seat,) = work.seats_to_review(log, "log", None, True, "none")
    page = work.review_page(
        [work.seat_review(1, log, seat, ReviewQuery(player="none"))], "none", "en"
    )
    assert "<html" in page
    assert work._Process.progress.value == 1 + work.ALMOST_DONE
    with pytest.raises(LogError, match="save the log from"):
        work.seats_to_review(PAGE.encode(), "log", None, True, "none")


def test_is_address() -> None:
    written = (b"http://a", b" HTTPS://a", b"https:/a", b"tenhou.net/6/#json={")
    assert all(map(addresses.is_address, written))
    assert not any(map(addresses.is_address, (b"httpd.log", b"{", b"", b"tenhou.net/6.zip")))


@pytest.mark.parametrize("layout", ["lines", "array", "arrays"])
def test_a_session_of_mjai_is_several_games(
    tmp_path: Path, own_games: list[Game], layout: str
) -> None:
    players = [(PlayerInfo(name),) * 4 for name in ("a", "b")]
    two = [replace(own_games[i], players=names) for i, names in enumerate(players)]
    lines = "".join(map(mjai.write, two)).splitlines()
    n_first = {"lines": 0, "array": len(lines), "arrays": 3}[layout]
    arrays = [f"[{','.join(part)}]" for part in (lines[:n_first], lines[n_first:]) if part]
    text = "\n".join(arrays if n_first else lines)
    (tmp_path / "two.mjson").write_text(text)
    read = list(logs.games(tmp_path))
    assert [game.id for game in read] == ["two#1", "two#2"]
    assert [named(game) for game in read] == [named(game) for game in two]
    assert [game.players for game in read] == [game.players for game in two]
    with pytest.raises(LogError, match="contains 2 games, of which houjuu"):
        logs.parse(text.encode(), "two.mjson")
    assert len(sources.slices(tmp_path / "two.mjson", 1).members) == 2


def _dumped(game: dict[str, Any], entries: Any, **form: Any) -> str:
    return json.dumps(game | {"log": entries}, **form)


@pytest.mark.parametrize("layout", ["lines", "mark", "objects", "line", "array"])
def test_several_json_objects(tmp_path: Path, layout: str) -> None:
    """Rounds of one game are joined, and other names are another game."""
    first = log_of(CALLED_TWICE, FOLLOWING)
    second = log_of(CALLED_TWICE) | {"name": list("EFGH")}
    rounds = [(first, [CALLED_TWICE]), (first, [FOLLOWING]), (second, [CALLED_TWICE])]
    objects = [_dumped(*each, indent=1 if layout == "objects" else None) for each in rounds]
    text = ("" if layout == "line" else "\n").join(objects)
    text = {"array": f"[{','.join(objects)}]", "mark": f"\ufeff{text}"}.get(layout, text)
    path = tmp_path / "a.b.json"
    path.write_text(text)
    games = list(logs.games(path))
    assert [(game.id, game.rounds, game.names[0]) for game in games] == [
        ("a#1", 2, "A"),
        ("a#2", 1, "E"),
    ]
    assert games[0].events == logs.parse(json.dumps(first).encode(), "a").events
    with pytest.raises(LogError, match=r"contains 2 games, of which houjuu\.logs\.games"):
        logs.parse(text.encode(), "a")
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("x/a.json", text)
    read = list(sources.entries(tmp_path / "a.zip"))
    assert [name for name, _ in read] == ["a.zip/x/a#1.json", "a.zip/x/a#2.json"]


def test_the_rounds_of_one_game_are_a_game() -> None:
    whole = log_of(CALLED_TWICE, FOLLOWING)
    lines = "\n".join(_dumped(whole, [entry]) for entry in whole["log"])
    events = logs.parse(json.dumps(whole).encode(), "a").events
    assert logs.parse(lines.encode(), "a").events == events


@pytest.mark.parametrize("damaged", range(3))
def test_a_damaged_line_loses_no_other(tmp_path: Path, damaged: int) -> None:
    lines = [_dumped(log_of(CALLED_TWICE), [CALLED_TWICE]) for _ in range(3)]
    lines[damaged] = lines[damaged][:-9]
    (tmp_path / "a.txt").write_text("\n".join(lines))
    errors: list[Error] = []
    assert len(list(logs.games(tmp_path, errors.append))) == 2
    (error,) = errors
    assert str(error).startswith(f"a#{damaged + 1}.txt: is not JSON")


def test_damaged_objects_name_the_line(tmp_path: Path) -> None:
    text = "\n".join(_dumped(log_of(CALLED_TWICE), [CALLED_TWICE], indent=1) for _ in range(2))
    (tmp_path / "a.txt").write_text(text[:-9])
    errors: list[Error] = []
    assert len(list(logs.games(tmp_path, errors.append))) == 1
    assert f"line {len(text[:-9].splitlines())} column" in str(errors[0])


@pytest.mark.parametrize(
    ("data", "name"), [({"qijia": 0, "log": []}, "majiang"), ({"head": {}}, "Mahjong Soul")]
)
def test_a_foreign_json_is_refused_by_its_name(data: dict[str, object], name: str) -> None:
    for text in (json.dumps(data), f"[{json.dumps(data | {'log': []})}]"):
        with pytest.raises(LogError, match=name):
            logs.parse(text.encode(), "x.json")


def test_the_messages_of_a_game_are_bounded() -> None:
    lines = b'{"type":"start_game"}\n' * (mjai.MAX_MESSAGES + 1)
    with pytest.raises(LogError, match="has more than 20,000 messages"):
        logs.parse(lines, "x.mjson")
