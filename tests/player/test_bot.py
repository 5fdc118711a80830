"""The mjai bot: whole games without an illegal action, and through damaged messages."""

from __future__ import annotations

import io
import json
import logging
from collections import Counter
from typing import Any

import pytest

pytest.importorskip("riichienv", reason="it is the referee")
from riichienv import GameRule, RiichiEnv

from benchmarks.bot import replay
from houjuu.cli import main
from houjuu.events import Game
from houjuu.player.bot import Bot, serve
from houjuu.player.players import player

START = {
    "type": "start_kyoku",
    "bakaze": "E",
    "dora_marker": "5m",
    "honba": 0,
    "kyoku": 1,
    "kyotaku": 0,
    "oya": 0,
    "scores": [25000] * 4,
    "tehais": [
        ["1m", "6m", "7m", "1p", "8p", "9p", "5sr", "5s", "7s", "9s", "E", "N", "P"],
        *[["?"] * 13] * 3,
    ],
}
DRAW = {"type": "tsumo", "actor": 0, "pai": "7s"}


@pytest.mark.parametrize(("names", "seed"), [("v1 v2 v3 v2", 1), ("relative v2 value v3", 2)])
def test_whole_games_on_riichienv(names: str, seed: int) -> None:
    """Four bots hear what their seats hear; the server takes every answer."""
    env = RiichiEnv(game_mode="4p-red-half", seed=seed, rule=GameRule.default_tenhou())
    bots = [Bot(player(name), seat) for seat, name in enumerate(names.split())]
    observations, answers_by_type = env.reset(), Counter[str]()
    while not env.done():
        actions = {}
        for seat, observed in observations.items():
            for message in observed.new_events():
                answer = bots[seat].answer(json.loads(message))
            actions[seat] = observed.select_action_from_mjai(json.dumps(answer))
            assert actions[seat] is not None, answer
            answers_by_type[str(answer["type"])] += 1
        observations = env.step(actions)
    assert {"dahai", "reach", "hora", "none"} <= set(answers_by_type)


@pytest.mark.parametrize("seat", range(4))
def test_recorded_games(own_games: list[Game], seat: int) -> None:
    """Every answer of the bot is legal after the recorded actions of the players."""
    answers_by_type, refused, _ = replay(own_games[0], seat, "relative")
    assert not refused
    assert answers_by_type["dahai"] > 50


@pytest.mark.real_logs
def test_recorded_games_of_people(real_games: list[Game]) -> None:
    for number, game in enumerate(real_games[:8]):
        _, refused, _ = replay(game, number % 4, "value")
        assert not refused


def test_damage_is_answered_in_words() -> None:
    """And does not end the game: the next message is played on."""
    bot = Bot(player("v2"), 0)
    lines = [
        json.dumps(START),
        "{",
        "[]",
        '{"type": "danger"}',
        '{"type": "tsumo", "actor": 9, "pai": "1m"}',
        json.dumps({**DRAW, "pai": "0x"}),
        json.dumps(DRAW),
    ]
    answers = [json.loads(line) for line in serve(bot, lines)]
    assert answers[0] == {"type": "none"}
    assert [answer["type"] for answer in answers[1:6]] == [
        "error",
        "error",
        "none",
        "error",
        "error",
    ]
    for number, says in ((1, "line 2: is not JSON"), (2, "has no type")):
        assert says in answers[number]["message"]
    assert answers[6]["type"] == "dahai"


class Broken:
    """Fails whenever it is asked."""

    def act(self, view: object, actions: object) -> Any:
        raise ZeroDivisionError


def test_a_player_that_fails_discards_what_it_drew(caplog: pytest.LogCaptureFixture) -> None:
    bot = Bot(Broken(), 0)
    bot.answer(START)
    with caplog.at_level(logging.ERROR):
        answer = bot.answer(DRAW)
    assert answer == {"type": "dahai", "actor": 0, "pai": "7s", "tsumogiri": True}
    assert "the player failed" in caplog.text


def test_without_a_seat_it_only_listens() -> None:
    bot = Bot(player("v2"))
    assert bot.answer({"type": "start_game"}) == {"type": "none"}
    assert [bot.answer(message) for message in (START, DRAW)] == [{"type": "none"}] * 2


def test_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    words = [json.dumps(message) for message in ({"type": "start_game", "id": 0}, START, DRAW)]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(words) + "\n"))
    assert main(["bot", "--player", "relative"]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [answer["type"] for answer in answers] == ["none", "none", "dahai"]
    assert main(["bot", "--player", "nobody"]) == 2
    assert "no player 'nobody'" in capsys.readouterr().err
