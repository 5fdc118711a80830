"""The bots of examples/: whole games, of nothing but legal actions."""

from __future__ import annotations

import io
import json
from collections import Counter
from typing import Any

import pytest

pytest.importorskip("riichienv", reason="it is the referee")
from riichienv import GameRule, RiichiEnv

from examples import bot_mjai, bot_riichienv
from houjuu.events import Game
from houjuu.logs import mjai


def test_on_riichienv() -> None:
    """A game goes to its end, and the same seed gives the same one."""
    scores = bot_riichienv.play(seed=3)
    assert sum(scores) % 1000 == 0
    assert sum(scores) <= 100_000
    assert scores == bot_riichienv.play(seed=3)


def test_on_mjai() -> None:
    """The server takes every answer of a game, and is told the tsumogiri as they are."""
    env = RiichiEnv(game_mode="4p-red-half", seed=1, rule=GameRule.default_tenhou())
    seats, told = [bot_mjai.Seat(seat) for seat in range(4)], Counter[str]()
    seen = env.reset()
    while not env.done():
        actions = {}
        for seat, observed in seen.items():
            messages = [json.loads(message) for message in observed.new_events()]
            answer = [seats[seat].answer(message) for message in messages][-1]
            actions[seat] = observed.select_action_from_mjai(json.dumps(answer))
            assert actions[seat] is not None, answer
            told[str(answer["type"])] += 1
            if answer["type"] == "hora":
                drawn = messages[-1]["type"] == "tsumo"
                assert drawn == (answer["target"] == seat)
        seen = env.step(actions)
    assert {"dahai", "reach", "hora", "none"} <= set(told)


def test_behind_standard_input(
    own_games: list[Game], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line gets a line; what is not its turn, or is a round's end, gets none."""
    lines = list(mjai.messages(own_games[0]))[:60]
    heard = [{**lines[0], "id": 0}, *(_heard(line) for line in lines[1:])]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(map(json.dumps, heard))))
    bot_mjai.main()
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(answers) == len(heard)
    for line, answer in zip(heard, answers, strict=True):
        drawn = line["type"] == "tsumo" and line["actor"] == 0
        assert answer["type"] in (
            ("dahai", "reach", "hora") if drawn else ("none", "hora", "dahai")
        )
        if answer["type"] == "dahai":
            assert answer["actor"] == 0


def _heard(message: dict[str, Any]) -> dict[str, Any]:
    """A message as seat 0 gets it."""
    if message["type"] == "start_kyoku":
        return {**message, "tehais": [message["tehais"][0], *[["?"] * 13] * 3]}
    if message["type"] == "tsumo" and message["actor"] != 0:
        return {**message, "pai": "?"}
    return message
