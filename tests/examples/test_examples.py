"""The bots of examples/ play whole games with legal actions only."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

pytest.importorskip("riichienv", reason="it is the referee")
from examples import bot_mjai, bot_riichienv
from examples.pack_mjai_app import pack
from houjuu.game.events import Game
from houjuu.logs import mjai
from tests.kit.absent import program

ROOT = Path(__file__).parents[2]


def test_on_riichienv() -> None:
    """A game ends without an illegal answer, and the same seed gives the same game."""
    scores = bot_riichienv.play(seed=3)
    assert sum(scores) % 1000 == 0
    assert sum(scores) <= 100_000
    assert scores == bot_riichienv.play(seed=3)


def test_behind_standard_input(
    own_games: list[Game], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each line gets one reply; it is "none" out of turn and at the end of a round."""
    lines = list(mjai.messages(own_games[0]))[:60]
    messages = [{**lines[0], "id": 0}, *(_message_to_seat_0(line) for line in lines[1:])]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(map(json.dumps, messages))))
    bot_mjai.main()
    replies = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(replies) == len(messages) == 60
    assert any("meta" in reply for reply in replies)
    for message, reply in zip(messages, replies, strict=True):
        drawn = message["type"] == "tsumo" and message["actor"] == 0
        assert reply["type"] in (("dahai", "reach", "hora") if drawn else ("none", "hora", "dahai"))
        if reply["type"] == "dahai":
            assert reply["actor"] == 0


def _message_to_seat_0(message: dict[str, Any]) -> dict[str, Any]:
    """A message as the server sends it to seat 0."""
    if message["type"] == "start_kyoku":
        return {**message, "tehais": [message["tehais"][0], *[["?"] * 13] * 3]}
    if message["type"] == "tsumo" and message["actor"] != 0:
        return {**message, "pai": "?"}
    return message


@pytest.mark.parametrize("with_interpreter", [False, True])
def test_the_packed_bot(tmp_path: Path, with_interpreter: bool) -> None:
    """It plays from the unpacked zip as mjai.app starts it, with its own houjuu and interpreter."""
    shutil.copytree(ROOT / "houjuu", tmp_path / "installed" / "houjuu")
    interpreter = tmp_path / "interpreter" / "bin" / "python3"
    interpreter.parent.mkdir(parents=True)
    interpreter.write_text(f'#!/bin/sh\necho its own >&2\nexec {sys.executable} "$@"\n')
    interpreter.chmod(0o755)
    packages, folder = tmp_path / "installed", tmp_path / "workspace"
    pack(tmp_path / "bot.zip", packages, interpreter.parents[1] if with_interpreter else None)
    with ZipFile(tmp_path / "bot.zip") as file:
        assert "bot.py" in file.namelist()
        assert not [name for name in file.namelist() if "__pycache__" in name]
    unzip = program("unzip")  # mjai.app unpacks with it
    subprocess.run([unzip, "-q", str(tmp_path / "bot.zip"), "-d", str(folder)], check=True)
    check = "import bot, houjuu; print(bot.Bot(3).live.seat, houjuu.__file__)"
    own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    run: dict[str, Any] = {
        "cwd": folder,
        "env": own,
        "capture_output": True,
        "text": True,
    }
    if not with_interpreter:
        shown = subprocess.run([sys.executable, "-c", check], check=True, **run).stdout.split()
        assert shown == ["3", str(folder / "packages" / "houjuu" / "__init__.py")]
    start = {"type": "start_game", "names": ["0", "1", "2", "3"], "id": 2}
    hand = ["1m", "9m", "1p", "9p", "1s", "9s", "E", "S", "W", "N", "P", "F", "2m"]
    deal = {"type": "start_kyoku", "bakaze": "S", "kyoku": 2, "honba": 2, "kyotaku": 0, "oya": 1}
    deal |= {"dora_marker": "1p", "scores": [800, 61100, 11300, 26800]}
    deal["tehais"] = [["?"] * 13, ["?"] * 13, hand, ["?"] * 13]
    turn = [{"type": "tsumo", "actor": 1, "pai": "?"}]
    turn += [{"type": "dahai", "actor": 1, "pai": "5p", "tsumogiri": True}]
    arrays = [[start], [deal, *turn, {"type": "tsumo", "actor": 2, "pai": "5m"}]]
    command = [sys.executable, "-u", "bot.py", "2"]
    text = "".join(json.dumps(array) + "\n" for array in arrays)
    process = subprocess.run(command, input=text, check=True, **run)
    answers = [json.loads(line) for line in process.stdout.splitlines()]
    assert [answer["type"] for answer in answers] == ["none", "dahai"]
    assert answers[1]["pai"] in ("2m", "5m")
    assert process.stderr == ("its own\n" if with_interpreter else "")
