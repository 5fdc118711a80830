"""The bot folder for Akagi: it installs from its own wheels and plays over Akagi's protocol."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from importlib.metadata import distribution
from pathlib import Path
from typing import IO, Any

import pytest

pytest.importorskip("riichienv", reason="it is the referee")
from riichienv import GameRule, RiichiEnv

from examples.akagi_bot import Repeats
from examples.pack_akagi import PACKAGES, pack
from houjuu.game.rules import PROFILES
from houjuu.player.bot import Bot
from tests.kit import wheels
from tests.kit.absent import program
from tests.player.test_bot import DRAW, START

ROOT = Path(__file__).parents[2]
SEAT = 2
CALL = {"actor": int, "target": int, "pai": str, "consumed": list}
SCHEMA: dict[str, dict[str, type]] = {
    "dahai": {"actor": int, "pai": str, "tsumogiri": bool},
    "reach": {"actor": int, "pai": str},
    **dict.fromkeys(("chi", "pon", "daiminkan"), CALL),
    "kakan": {"actor": int, "pai": str, "consumed": list},
    "ankan": {"actor": int, "consumed": list},
    "hora": {"actor": int, "target": int},
    "ryukyoku": {},
    "none": {},
}
"""The answers that Akagi reads (its `src/schema/mjai/mod.rs`, commit 1257a5c), and their keys."""
CONSUMED = {"chi": 2, "pon": 2, "daiminkan": 3, "kakan": 3, "ankan": 4}
REACH = {"type": "reach", "actor": SEAT}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A packed folder, with the installed packages as wheels."""
    temporary = tmp_path_factory.mktemp("akagi")
    (temporary / "wheels").mkdir()
    shutil.move(wheels.built(temporary), temporary / "wheels")
    for name in PACKAGES:
        wheels.repacked(distribution(name), temporary / "wheels")
    pack(temporary / "houjuu", temporary / "wheels")
    return temporary / "houjuu"


def test_the_folder_is_what_akagi_reads(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} == {
        *("bot.py", "manifest.toml", "pyproject.toml", "README.md", "wheels")
    }
    project = tomllib.loads((folder / "pyproject.toml").read_text())
    assert project["tool"]["uv"]["package"] is False
    assert project["tool"]["uv"]["find-links"] == ["wheels"]
    manifest = tomllib.loads((folder / "manifest.toml").read_text())
    assert manifest["manifest_version"] == 1
    assert manifest["bot"]["name"] == folder.name
    assert manifest["bot"]["supported_modes"] == ["4p"]
    language = manifest["settings"]["language"]
    assert (language["type"], language["default"]) == ("enum", "en")
    assert manifest["settings"]["rules"]["choices"] == [*PROFILES]
    assert manifest["settings"]["length"]["choices"] == ["assumed", "hanchan", "east"]
    assert "suspended accounts" in (folder / "README.md").read_text()


def test_a_riichi_that_is_announced_twice_counts_once() -> None:
    repeats = Repeats()
    other = {"type": "reach", "actor": 1}
    discard = {"type": "dahai", "actor": SEAT, "pai": "1m", "tsumogiri": True}
    assert list(repeats.left_out([REACH])) == [REACH]
    assert list(repeats.left_out([REACH, discard])) == [discard]
    assert list(repeats.left_out([REACH])) == [REACH]
    assert list(repeats.left_out([other])) == [other]


def test_a_folder_may_play_as_another_bot(tmp_path: Path) -> None:
    """Its answers, with our card; a riichi that is announced twice counts once for the card."""
    (tmp_path / "wheels").mkdir()
    other = ROOT / "tests" / "player" / "foreign_bot.py"
    pack(tmp_path / "bot", tmp_path / "wheels", f"{sys.executable} {other} good")
    lines = [[{"type": "start_game", "id": 0}, START, DRAW], [{"type": "end_game"}]]
    settings = tmp_path / "settings.json"
    settings.write_text('{"length": "east", "rules": "mahjong-soul"}')
    done = subprocess.run(
        [sys.executable, tmp_path / "bot" / "bot.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "AKAGI_BOT_CONFIG": str(settings)},
        input="".join(json.dumps(line) + "\n" for line in lines),
        capture_output=True,
        text=True,
        check=True,
    )
    answer, last = map(json.loads, done.stdout.splitlines())
    assert (answer["type"], answer["pai"], answer["tsumogiri"]) == ("dahai", DRAW["pai"], True)
    assert answer["meta"]["show"]["title"].startswith("Deal-in risk")
    assert "assumed" not in answer["meta"]
    assert last == {"type": "none"}


class Process:
    """The bot as Akagi runs it: the folder is the working directory, an array is a line."""

    def __init__(self, python: Path, folder: Path, settings: Path) -> None:
        environment = {key: text for key, text in os.environ.items() if key != "PYTHONPATH"}
        environment |= {"AKAGI_PLAYER_ID": str(SEAT), "AKAGI_BOT_CONFIG": str(settings)}
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            [python, "bot.py", str(SEAT)],
            cwd=folder,
            env=environment,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            text=True,
            encoding="utf-8",
        )

    def react(self, messages: list[dict[str, Any]]) -> dict[str, Any]:
        """The answer to an array."""
        stdin, stdout = _opened(self.process.stdin), _opened(self.process.stdout)
        stdin.write(json.dumps(messages) + "\n")
        stdin.flush()
        answer: dict[str, Any] = json.loads(stdout.readline())
        return answer


def _opened(pipe: IO[str] | None) -> IO[str]:
    assert pipe is not None
    return pipe


@pytest.mark.slow
def test_it_installs_without_a_network_and_plays(folder: Path, tmp_path: Path) -> None:
    """A game in which the seat hears what it sees; riichi come twice, as under autoplay."""
    sync = [program("uv"), "sync", "--offline", "--quiet"]  # as Akagi does
    own = {name: text for name, text in os.environ.items() if name != "VIRTUAL_ENV"}
    subprocess.run([*sync, "--python", sys.executable], cwd=folder, env=own, check=True)
    (python,) = [*folder.glob(".venv/bin/python"), *folder.glob(".venv/Scripts/python.exe")]
    (tmp_path / "settings.json").write_text('{"language": "ja"}')
    bot = Process(python, folder, tmp_path / "settings.json")
    answers = _play(bot, seed=7)  # with several riichi
    assert bot.react([{"type": "end_game"}])["type"] == "none"
    assert bot.process.wait(30) == 0
    assert _opened(bot.process.stderr).read() == ""
    assert {"dahai", "reach", "none"} <= set(answers)


def _play(bot: Process, seed: int) -> Counter[str]:
    """Play a game against three simple players; returns the answers of the bot by type."""
    env = RiichiEnv(game_mode="4p-red-east", seed=seed, rule=GameRule.default_tenhou())
    others = {seat: Bot(seat, "v1") for seat in range(4) if seat != SEAT}
    names = ["a", "b", "c", "d"]
    bot.react([{"type": "start_game", "names": names, "id": SEAT, "num_players": 4}])
    answers = Counter[str]()
    announced: dict[str, str] = {}
    observations = env.reset()
    while not env.done():
        actions = {}
        for seat, observed in observations.items():
            messages = [json.loads(message) for message in observed.new_events()]
            if seat == SEAT:
                answer = bot.react(_announced_again(messages))
                answers[answer["type"]] += 1
                for key, kind in SCHEMA[answer["type"]].items():
                    assert type(answer[key]) is kind, answer
                assert len(answer.get("consumed", ())) == CONSUMED.get(answer["type"], 0)
                assert answer["meta"]["in_step"], answer
                assert answer["meta"]["show"]["title"] == "放銃率（houjuu）"
                if "pai" in announced:
                    assert answer["pai"] == announced.pop("pai")
                if answer["type"] == "reach":
                    announced["pai"] = answer["pai"]
                    assert answer["meta"]["show"]["items"][0]["pais"] == [answer.pop("pai")]
            else:
                answer = json.loads(others[seat].react(json.dumps(messages)))
            actions[seat] = observed.select_action_from_mjai(json.dumps(answer))
            assert actions[seat] is not None, answer
        observations = env.step(actions)
    return answers


def _announced_again(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The messages; if an own riichi waits for its discard, it comes twice."""
    return [*messages, REACH] if messages[-1] == REACH else messages
