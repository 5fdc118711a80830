"""Advice beside any other bot: ``none`` with the risks at each decision, with numpy alone."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.output import message_to_seat
from houjuu.game.events import Game
from houjuu.live.advisor import Advisor, answers
from houjuu.logs import mjai

ROOT = Path(__file__).parents[2]
NUMPY_ALONE = """
import sys
for name in ("riichienv", "mahjong", "lxml", "tqdm", "jinja2", "scipy", "sklearn", "pandas"):
    sys.modules[name] = None
from houjuu.cli import main
sys.exit(main(sys.argv[1:]))
"""


def messages(game: Game, seat: int, number: int) -> list[dict[str, Any]]:
    """The first messages of a game as a seat receives them."""
    return [message_to_seat(dict(m), seat) for m in list(mjai.messages(game))[:number]]


def test_every_decision_has_the_risks(own_games: list[Game]) -> None:
    """At each discard of the seat, and before each of its calls and wins; nowhere else a meta."""
    advisor, n_own, n_answers = Advisor(), 0, 0
    stream = messages(own_games[0], 3, 600)
    for message, following in pairwise(stream):
        answer = json.loads(advisor.react(json.dumps(message)))
        assert answer["type"] == "none"
        n_answers += "meta" in answer
        own = following.get("actor") == 3 and following["type"] not in ("tsumo", "reach_accepted")
        if own and message["type"] != "reach_accepted":
            assert answer["meta"]["seat"] == 3
            assert len(answer["meta"]["tiles"]) > 3
            n_own += 1
        if message["type"] == "tsumo" and message["actor"] != 3:
            assert "meta" not in answer
    assert n_own > 50
    assert n_answers < 3 * n_own


def test_blank_lines_have_no_answer() -> None:
    assert [*answers(Advisor(0), ["", "\n", b" \r\n", "{}\n"])] == ['{"type": "none"}']


def test_the_command_needs_numpy_alone(own_games: list[Game]) -> None:
    stream = messages(own_games[0], 1, 60)
    lines = "".join(json.dumps(message) + "\n" for message in stream)
    command = [sys.executable, "-c", NUMPY_ALONE, "bot", "--advise"]
    process = subprocess.run(
        command, cwd=ROOT, input=lines, capture_output=True, text=True, check=True
    )
    answers = [json.loads(line) for line in process.stdout.splitlines()]
    assert process.stderr == ""
    assert len(answers) == len(stream)
    assert {answer["type"] for answer in answers} == {"none"}
    assert sum("meta" in answer for answer in answers) >= 4
    play = subprocess.run(
        [*command[:-1]], cwd=ROOT, input=lines, capture_output=True, text=True, check=False
    )
    assert play.returncode == 2
    assert "riichienv" in play.stderr
    assert "Traceback" not in play.stderr
