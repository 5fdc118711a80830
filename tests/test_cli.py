from __future__ import annotations

from pathlib import Path

import pytest

from houjuu.cli import main, position
from houjuu.errors import Error
from houjuu.events import Deal, Discard, Game
from houjuu.logs import mjai, mjlog
from houjuu.tiles import format_tiles


@pytest.fixture
def path(own_games: list[Game], tmp_path: Path) -> Path:
    (tmp_path / "game.mjlog").write_bytes(mjlog.write(own_games[0]))
    return tmp_path / "game.mjlog"


def test_parse_says_what_is_wrong(
    path: Path, own_games: list[Game], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["parse", str(path)]) == 0
    assert "1 games with" in capsys.readouterr().out
    (path.parent / "bad.xml").write_text("<html/>")
    (path.parent / "other.mjson").write_text(mjai.write(own_games[1]))
    assert main(["parse", str(path.parent)]) == 1
    told = capsys.readouterr().out
    assert "bad.xml: is not mjlog" in told
    assert "2 games with" in told
    assert "1 files are not" in told


def test_danger_shows_a_position(
    path: Path, own_games: list[Game], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["danger", str(path), "--seat", "1", "--round", "2", "--turn", "5"]) == 0
    told = capsys.readouterr().out
    view, chosen = position(own_games[0], 1, 2, 5)
    assert len(view.seats[1].river) == 4
    tiles = {format_tiles([tile]) for tile in view.hand}  # a red five has a line of its own
    assert sum(line.count("%") == 4 for line in told.splitlines()) == len(tiles)
    assert sum(line.startswith(">") for line in told.splitlines()) == 1
    assert chosen in view.hand
    for place in ("self", "right", "across", "left", "hand"):
        assert f"\n{place} " in told


def test_mistakes_are_told_in_a_sentence(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["danger", str(path), "--seat", "0", "--round", "99"]) == 2
    assert "has no round 99" in capsys.readouterr().err
    assert main(["danger", str(path), "--seat", "0", "--turn", "99"]) == 2
    assert "discards" in capsys.readouterr().err
    assert main(["danger", "/nowhere", "--seat", "0"]) == 2
    assert "/nowhere" in capsys.readouterr().err
    assert main(["danger", str(path), "--seat", "0", "--model", "nobody"]) == 2
    assert "no model 'nobody'" in capsys.readouterr().err


def test_every_decision_can_be_asked_for(own_games: list[Game]) -> None:
    game = own_games[1]
    first = list(game.events)[: [type(e) for e in game.events].index(Deal, 1)]
    made = [e.tile for e in first if isinstance(e, Discard) and e.seat == 3]
    assert [position(game, 3, 0, turn + 1)[1] for turn in range(len(made))] == made
    assert position(game, 3, 0, None)[1] == made[-1]
    with pytest.raises(Error):
        position(game, 3, 0, 0)
