"""The bots of examples/ play whole games with legal actions only."""

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
    """A game ends, and the same seed gives the same game."""
    scores = bot_riichienv.play(seed=3)
    assert sum(scores) % 1000 == 0
    assert sum(scores) <= 100_000
    assert scores == bot_riichienv.play(seed=3)


def test_on_mjai() -> None:
    """The server accepts every reply of a game, with the right tsumogiri and hora targets."""
    env = RiichiEnv(game_mode="4p-red-half", seed=1, rule=GameRule.default_tenhou())
    seats, reply_types = [bot_mjai.Seat(seat) for seat in range(4)], Counter[str]()
    observations = env.reset()
    while not env.done():
        actions = {}
        for seat, observation in observations.items():
            messages = [json.loads(message) for message in observation.new_events()]
            reply = [seats[seat].reply(message) for message in messages][-1]
            actions[seat] = observation.select_action_from_mjai(json.dumps(reply))
            assert actions[seat] is not None, reply
            reply_types[str(reply["type"])] += 1
            if reply["type"] == "hora":
                drawn = messages[-1]["type"] == "tsumo"
                assert drawn == (reply["target"] == seat)
        observations = env.step(actions)
    assert {"dahai", "reach", "hora", "none"} <= set(reply_types)


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
