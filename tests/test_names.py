"""Hostile names reach no terminal, page or table as they are, and find their player."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest

from houjuu.arena.match_report import TextTable
from houjuu.cli import main
from houjuu.game.events import Game, PlayerInfo
from houjuu.logs import mjai, mjlog
from houjuu.review.rendering import chosen_seat
from houjuu.review.site.inventory import _stem, seats_of, take_inventory, usual_name
from houjuu.util.csv_text import cell, csv_text
from houjuu.util.errors import Error, LogError
from houjuu.util.names import MAX_NAME, shown_name
from tests.kit.hostile_names import hostile_names, unsafe
from tests.review.page_data import page_data

FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]")
NAMES = list(hostile_names(10_000))


def named(game: Game, names: tuple[str, ...]) -> Game:
    """A game with other names."""
    infos = zip(game.players, names, strict=True)
    return replace(game, players=tuple(replace(info, name=name) for info, name in infos))


def fours(names: list[str]) -> Iterator[tuple[str, ...]]:
    """Yield the names of four players at a time."""
    return zip(*[iter(names)] * 4, strict=True)


@pytest.fixture(scope="session")
def short_game(own_games: list[Game]) -> Game:
    """A game of four players."""
    game = min(own_games, key=lambda game: len(game.events))
    return replace(game, players=tuple(map(PlayerInfo, "ABCD")))


def test_a_shown_name_is_safe() -> None:
    for name in NAMES:
        shown = shown_name(name)
        assert not unsafe(shown, "")
        assert len(shown) <= MAX_NAME + 1
        assert shown_name(shown) == shown
        assert not re.search("[\u0301\u0316]{5}", shown)


@pytest.mark.parametrize("name", ["太郎", "O'Brien", "Đặng Thị", "a b", "😀", "=^_^=", "-x-", ""])
def test_a_harmless_name_stays(name: str) -> None:
    assert shown_name(name) == name


def test_the_same_name_is_equal_in_every_form(short_game: Game) -> None:
    assert shown_name("か\u3099") == "が"
    for names in fours(NAMES[:400]):
        game = named(short_game, names)
        for name in chain(names, game.names):
            seat = chosen_seat(game, None, name, [])
            assert shown_name(game.players[seat].name) == shown_name(name)
    with pytest.raises(Error, match="has no player 'x\N{REPLACEMENT CHARACTER}y'") as info:
        chosen_seat(named(short_game, ("\x1b", "\u202e", "c", "d")), None, "x\u202ey", [])
    assert not unsafe(str(info.value), "")


def test_a_cell_is_no_formula() -> None:
    rows = list(csv.reader(io.StringIO(csv_text([[shown_name(name)] for name in NAMES]))))
    assert len(rows) == len(NAMES)
    for (text,), name in zip(rows, NAMES, strict=True):
        shown = shown_name(name)
        assert not FORMULA.match(text) or text == shown == str(cell(shown))
        assert text.removeprefix("'") == shown or text == shown
    assert [cell(value) for value in (-1, -1.5, "-1.5", "+2", "-3 ± 2", "1e-5", None)] == [
        *(-1, -1.5, "-1.5", "+2", "-3 ± 2", "1e-5", None)
    ]
    assert [cell(value) for value in ("-1+1", "\t1", "\r1", "-x", "+", "-")] == [
        *("'-1+1", "'\t1", "'\r1", "'-x", "'+", "'-")
    ]


def test_tables_of_matches_are_safe() -> None:
    shown = tuple(map(shown_name, NAMES))
    table = TextTable("title", ("", *shown[:100]), (("row", *shown[100:200]),))
    assert not unsafe(table.text() + table.csv())


def test_errors_are_safe() -> None:
    for name in NAMES:
        assert not unsafe(str(LogError(name, file=name, element=name)), "")


def test_logs_keep_names_and_games_show_them(short_game: Game) -> None:
    for names in fours(NAMES[:200]):
        written = tuple(name.encode(errors="replace").decode() for name in names)
        game = named(short_game, written)
        assert mjai.parse(mjai.write(game).encode(), "x").players == game.players
        assert not unsafe("".join(game.names), "")


def contents(game: Game) -> dict[str, bytes]:
    """Logs with four hostile names each, all with the same first name."""
    chosen = ("\x1b[31mred", "=HYPERLINK(1)", "\u202e</title><script>", "../../evil")
    names = [chosen, (chosen[0], "x" * 1000, "e" + "\u0301" * 50, "|`[")]
    return {f"{number}.mjlog": mjlog.write(named(game, each)) for number, each in enumerate(names)}


def test_the_most_frequent_name_is_the_shown_one(short_game: Game) -> None:
    games = take_inventory(contents(short_game).items()).games
    assert usual_name(games) == "�[31mred"
    for name in ("\x1b[31mred", "�[31mred"):
        assert set(seats_of(games, name).values()) == {0}


def test_files_of_pages_stay_in_their_folder() -> None:
    used = Counter[str]()
    stems = [_stem(name, used) for name in (*map(shown_name, NAMES[:2000]), *["名" * 500] * 9)]
    for stem in stems:
        assert Path(stem).name == stem
        assert not stem.startswith(".")
        assert len(stem.encode()) <= 105
    assert len({stem.lower() for stem in stems}) == len(stems)


@pytest.fixture
def logs(tmp_path: Path, short_game: Game, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with logs, one of which has a hostile file name and is refused."""
    folder = tmp_path / "logs"
    folder.mkdir()
    for name, content in contents(short_game).items():
        (folder / name).write_bytes(content)
    (folder / "\x1b]52;c;\x07\u202e=.mjlog").write_bytes(b"<html/>")
    monkeypatch.chdir(tmp_path)
    return folder


def printed(capsys: pytest.CaptureFixture[str]) -> str:
    """All that was printed, without the progress bars."""
    out, err = capsys.readouterr()
    return out + re.sub(r"[^\n]*\r|\x1b\[A", "", err)


def test_commands_print_safe_text(logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parse", str(logs)]) == 1
    assert main(["danger", str(logs / "0.mjlog"), "--seat", "0", "--json"]) == 0
    assert main(["review", str(logs / "0.mjlog"), "--name", "nobody\x1b"]) == 2
    assert main(["review", "--json", "--player", "none", "--seat", "0", str(logs)]) == 1
    text = printed(capsys)
    assert "�]52;c;��=.mjlog" in text
    assert "�[31mred" in text
    assert not unsafe(text)


@pytest.mark.parametrize(
    ("arguments", "pattern"),
    [(["0.mjlog", "--one-seat", "-o", "out.html"], "out.html"), (["", "-o", "out/"], "out/**/*")],
    ids=["page", "folder"],
)
def test_pages_are_safe(
    logs: Path, arguments: list[str], pattern: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path, *options = arguments
    name = ["--name", "\x1b[31mred"]
    assert main(["review", str(logs / path), *name, "--player", "none", *options]) == 0
    text = printed(capsys)
    assert "�[31mred" in text
    assert not unsafe(text)
    files = [file for file in logs.parent.glob(pattern) if file.is_file()]
    assert files
    for file in files:
        content = file.read_text()
        assert not unsafe(content)
        if 'id="game"' in content:
            assert not unsafe(json.dumps(page_data(content), ensure_ascii=False))
        if file.suffix == ".html":
            assert content.count("</title>") == content.count("<title>")
            assert "�[31mred" in re.findall("<title>(.*?)</title>", content, re.DOTALL)[0]
    assert {file.name for file in logs.parent.iterdir()} <= {"logs", "out", "out.html"}
