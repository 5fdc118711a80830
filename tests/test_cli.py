"""The command line: output, exit status and error messages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from houjuu.cli import main
from houjuu.cli.danger import position
from houjuu.errors import Error
from houjuu.events import Deal, Discard, Game
from houjuu.logs import mjai, mjlog
from houjuu.tiles import format_tiles


@pytest.fixture
def path(own_games: list[Game], tmp_path: Path) -> Path:
    (tmp_path / "game.mjlog").write_bytes(mjlog.write(own_games[0]))
    return tmp_path / "game.mjlog"


def test_parse_reports_rejected_files(
    path: Path, own_games: list[Game], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["parse", str(path)]) == 0
    assert "1 games with" in capsys.readouterr().out
    (path.parent / "bad.xml").write_text("<html/>")
    (path.parent / "other.mjson").write_text(mjai.write(own_games[1]))
    assert main(["parse", str(path.parent)]) == 1
    printed = capsys.readouterr().out
    assert "bad.xml: is not mjlog" in printed
    assert "2 games with" in printed
    assert "1 files are rejected" in printed


def test_danger_shows_a_position(
    path: Path, own_games: list[Game], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["danger", str(path), "--seat", "1", "--round", "2", "--turn", "5"]) == 0
    printed = capsys.readouterr().out
    view, chosen = position(own_games[0], 1, 2, 5)
    assert len(view.seats[1].river) == 4
    tiles = {format_tiles([tile]) for tile in view.hand}  # a red five has a line of its own
    assert sum(line.count("%") == 4 for line in printed.splitlines()) == len(tiles)
    assert sum(line.startswith(">") for line in printed.splitlines()) == 1
    assert chosen in view.hand
    for name in ("self", "right", "across", "left", "hand"):
        assert f"\n{name} " in printed


def test_danger_explains_a_tile(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["danger", str(path), "--seat", "1", "--round", "2", "--turn", "5"]
    assert main([*arguments, "--explain", "5p"]) == 0
    printed = capsys.readouterr().out
    for name in ("right", "across", "left"):
        assert re.search(rf"^{name} \(.*\): \d+\.\d\d% for 5p$", printed, re.MULTILINE)
    assert "  wait: ryanmen 34p" in printed
    assert "  reason: " in printed
    assert main([*arguments, "--explain", "5x"]) == 2


def test_errors_are_one_sentence(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["danger", str(path), "--seat", "0", "--round", "99"]) == 2
    assert "has no round 99" in capsys.readouterr().err
    assert main(["danger", str(path), "--seat", "0", "--turn", "99"]) == 2
    assert "discards" in capsys.readouterr().err
    assert main(["danger", "/nowhere", "--seat", "0"]) == 2
    assert "/nowhere" in capsys.readouterr().err
    assert main(["danger", str(path), "--seat", "0", "--model", "nobody"]) == 2
    assert "no model 'nobody'" in capsys.readouterr().err


def test_position_of_every_decision(own_games: list[Game]) -> None:
    game = own_games[1]
    first = list(game.events)[: [type(event) for event in game.events].index(Deal, 1)]
    discards = [event.tile for event in first if isinstance(event, Discard) and event.seat == 3]
    assert len(discards) > 5
    assert [position(game, 3, 0, turn + 1)[1] for turn in range(len(discards))] == discards
    assert position(game, 3, 0, None)[1] == discards[-1]
    with pytest.raises(Error):
        position(game, 3, 0, 0)
