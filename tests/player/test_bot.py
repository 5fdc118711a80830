"""The mjai bot: whole games without an illegal action, and an answer to everything."""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

pytest.importorskip("riichienv", reason="it is the referee")
from riichienv import GameRule, RiichiEnv

import houjuu
from benchmarks.output import message_to_seat
from houjuu.game.actions import Action, ActionKind
from houjuu.game.events import Game
from houjuu.game.table import View
from houjuu.game.tiles import mjai_name
from houjuu.player.bot import Bot
from houjuu.player.players import PLAYERS
from houjuu.scoring import legality
from houjuu.scoring.riichienv_adapter import to_engine
from tests.fuzz.budget import INPUTS
from tests.kit.messages import HAND, HIDDEN, NONE, call, discard, dora, draw, start, told
from tests.kit.replies import replay
from tests.player.answer_judge import Judge
from tests.player.damaged_streams import damaged, judged, rounds

START = start()
DRAW = draw(0, "7s")
TSUMOGIRI = discard(0, "7s")


def react(bot: Bot, *messages: object) -> dict[str, Any]:
    """The answer to an array of messages."""
    answer: dict[str, Any] = json.loads(bot.react(json.dumps(messages)))
    return answer


def action(answer: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in answer.items() if key != "meta"}


def test_a_whole_game_on_riichienv() -> None:
    """Four bots hear what their seats hear; the server takes every answer."""
    env = RiichiEnv(game_mode="4p-red-half", seed=2, rule=GameRule.default_tenhou())
    bots = [Bot(player=name) for name in ("relative", "v1", "value", "v3")]
    observations, answers_by_type = env.reset(), Counter[str]()
    for seat, bot in enumerate(bots):
        assert react(bot, {"type": "start_game", "id": seat}) == NONE
    while not env.done():
        actions = {}
        for seat, observed in observations.items():
            answer = json.loads(bots[seat].react(f"[{','.join(observed.new_events())}]"))
            actions[seat] = observed.select_action_from_mjai(json.dumps(answer))
            assert actions[seat] is not None, answer
            assert answer["meta"]["in_step"], answer
            assert answer["meta"]["seat"] == seat
            answers_by_type[str(answer["type"])] += 1
        observations = env.step(actions)
    assert {"dahai", "reach", "hora", "none"} <= set(answers_by_type)


@pytest.mark.parametrize("seat", [1, 3])
def test_recorded_games(own_games: list[Game], seat: int) -> None:
    """Every answer of the bot is legal after the recorded actions of the players."""
    answers_by_type, refused, logged = replay(own_games[0], seat, "relative")
    assert not refused
    assert not logged
    assert answers_by_type["dahai"] > 50


def test_a_player_that_fails_in_a_recorded_game_is_noticed(
    own_games: list[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PLAYERS, "failing", Broken)
    answers_by_type, refused, logged = replay(own_games[0], 0, "failing")
    assert not refused
    assert len(logged) > answers_by_type["dahai"] > 50
    assert logged[0].endswith("the player failed: pass or discard")


@pytest.mark.deep
@pytest.mark.real_logs
def test_recorded_games_of_people(real_games: list[Game]) -> None:
    for number, game in enumerate(real_games[:6]):
        _, refused, logged = replay(game, number % 4, ("value", "rank")[number % 2])
        assert not refused
        assert not logged


def test_damaged_streams(caplog: pytest.LogCaptureFixture) -> None:
    """No exception, and no illegal answer; HOUJUU_FUZZ is the number of streams."""
    caplog.set_level(logging.CRITICAL)
    rng, games, answers_by_type = Random(7), rounds(1), Counter[str]()
    for number in range(INPUTS or 60):
        seat = number % 4
        stream = [message_to_seat(message, seat) for message in rng.choice(games)]
        bot = Bot(player="value" if number % 2 else "v1")
        for answer, problem in judged(bot, damaged(stream, rng)):
            answers_by_type[answer] += 1
            assert not problem
    assert answers_by_type["dahai"] > 100
    assert answers_by_type["dahai (out of step)"] > 100


def test_the_judge_knows_the_drawn_tile_after_a_new_dora() -> None:
    judge = Judge(0)
    kan = call("daiminkan", 0, 1, "5sr", "5s 5s 5s")
    for message in (
        {"type": "start_game", "id": 0},
        start("123m44p555789s11z", oya=1, dora_marker="3p"),
        draw(1),
        discard(1, "5sr", tsumogiri=False),
        [kan, draw(0, "5p"), dora("6s")],
    ):
        judge.hear(json.dumps(message))
    answer = {"type": "dahai", "actor": 0, "pai": "5p", "tsumogiri": True, "meta": {}}
    assert judge.problem(answer) == ""
    assert judge.problem({**answer, "pai": "E"}) == "discards a tile that it did not draw"


class Chooser:
    """A player that answers the first action of a type, if there is one; else the last action."""

    def __init__(self, *types: ActionKind) -> None:
        self._types = types
        self.actions: Sequence[Action] = ()
        self.view: View | None = None

    def act(self, view: View, actions: Sequence[Action]) -> Action:
        self.actions, self.view = actions, view
        return next((a for a in actions if a.kind in self._types), actions[-1])


WAIT = "2m 3m 4m 2p 3p 4p 6s 7s 8s E E P P"
BEFORE = [draw(0, "9m"), discard(0, "9m"), draw(1)]
ANSWERS: dict[str, tuple[ActionKind, str, list[dict[str, Any]], dict[str, Any]]] = {
    "riichi": (ActionKind.RIICHI, WAIT, [draw(0, "9m")], {"type": "reach"}),
    "tsumo": (ActionKind.TSUMO, WAIT, [draw(0, "P")], {"type": "hora", "target": 0, "pai": "P"}),
    "ron": (
        ActionKind.RON,
        WAIT,
        [*BEFORE, discard(1, "P")],
        {"type": "hora", "target": 1, "pai": "P"},
    ),
    "pon": (
        ActionKind.PON,
        WAIT,
        [*BEFORE, discard(1, "E")],
        {"type": "pon", "target": 1, "pai": "E", "consumed": ["E", "E"]},
    ),
    "chi": (
        ActionKind.CHI,
        "2m 3m 4m 5pr 5p 6p 6s 7s 8s E E P P",
        [*BEFORE, discard(1, "9m"), draw(2), discard(2, "9m"), draw(3), discard(3, "7p")],
        {"type": "chi", "target": 3, "pai": "7p", "consumed": ["5pr", "6p"]},
    ),
    "daiminkan": (
        ActionKind.DAIMINKAN,
        "2m 3m 4m 2p 3p 4p 6s 7s 8s E E E P",
        [*BEFORE, discard(1, "E")],
        {"type": "daiminkan", "target": 1, "pai": "E", "consumed": ["E", "E", "E"]},
    ),
    "ankan": (
        ActionKind.ANKAN,
        "5mr 5m 5m 2p 3p 4p 6s 7s 8s E E P P",
        [draw(0, "5m")],
        {"type": "ankan", "consumed": ["5mr", "5m", "5m", "5m"]},
    ),
    "kakan": (
        ActionKind.KAKAN,
        WAIT,
        [
            *BEFORE,
            discard(1, "E"),
            call("pon", 0, 1, "E", "E E"),
            discard(0, "2m", tsumogiri=False),
            *(message for seat in (1, 2, 3) for message in (draw(seat), discard(seat, "W"))),
            draw(0, "E"),
        ],
        {"type": "kakan", "pai": "E", "consumed": ["E", "E", "E"]},
    ),
    "kyushu kyuhai": (
        ActionKind.NINE_TERMINALS,
        "1m 9m 1p 9p 1s 9s E S W N 2m 3m 4m",
        [draw(0, "6s")],
        {"type": "ryukyoku", "reason": "kyushukyuhai"},
    ),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_every_type_of_answer(name: str) -> None:
    """A message of mjai with all keys that servers ask for, in the names of the real copies."""
    kind, hand, messages, expected = ANSWERS[name]
    chooser = Chooser(kind)
    answer = react(Bot(0, chooser), start(hand), *messages)
    if "consumed" in answer:
        answer["consumed"].sort(key=lambda tile: not tile.endswith("r"))
    assert action(answer) == {**expected, "actor": 0}
    env = RiichiEnv(game_mode="4p-red-half", rule=GameRule.default_tenhou())
    for message in ({"type": "start_game"}, start(hand), *messages):
        observed = env.observe_event(message, 0)
    (chosen, *_) = (action for action in chooser.actions if action.kind is kind)
    accepted = observed.select_action_from_mjai(json.dumps(answer))
    assert accepted.action_type == to_engine(chosen).action_type


def test_a_robbed_kan_names_its_seat() -> None:
    pon = call("pon", 2, 1, "5s", "5s 5s")
    turns = [draw(3), discard(3, "W"), draw(0, "W"), discard(0, "W"), draw(1), discard(1, "W")]
    messages = [*BEFORE, discard(1, "5s"), pon, discard(2, "9m", tsumogiri=False), *turns, draw(2)]
    kakan = told("kakan", 2, pai="5sr", consumed=["5s", "5s", "5s"])
    hand = start("2m 3m 4m 2p 3p 4p 6p 7p 8p E E 4s 6s")
    answer = react(Bot(0, Chooser(ActionKind.RON)), hand, *messages, kakan)
    assert action(answer) == told("hora", 0, target=2, pai="5sr")


def test_the_example_of_mjai_app() -> None:
    """One array up to the own draw; the constructor and the answer have the shape of mjai.app."""
    bot = houjuu.Bot(0)
    assert json.loads(bot.react('[{"type":"start_game","names":["0","1","2","3"],"id":0}]')) == NONE
    assert json.loads(bot.react('[{"type":"end_kyoku"}]')) == NONE
    hand = ["4p", "4s", "P", "3p", "1p", "5s", "2m", "F", "1m", "7s", "9m", "6m", "9s"]
    deal = {**START, "oya": 1, "kyoku": 2, "honba": 2, "bakaze": "S", "dora_marker": "1p"}
    deal["scores"], deal["tehais"] = [800, 61100, 11300, 26800], [hand, HIDDEN, HIDDEN, HIDDEN]
    others = [discard(1, "F"), discard(2, "3m"), discard(3, "1m")]
    events = [m for other in others for m in (draw(other["actor"]), other)]
    answer = react(bot, deal, *events, draw(0, "3s"))
    assert answer["type"] == "dahai"
    assert answer["pai"] in [*hand, "3s"]


def test_the_last_decision_of_an_array_is_answered_once() -> None:
    """An indicator or an unknown message after it does not end it; a later line does not repeat."""
    bot = Bot(0, "v1")
    react(bot, start(WAIT))
    answer = react(bot, draw(0, "9m"), {"type": "chat"})
    assert answer["type"] == "reach"
    assert react(bot, {"type": "chat"}) == NONE
    assert react(bot, dora("9s")) == NONE
    assert bot.live.in_step is False  # that indicator was impossible


def test_an_accepted_riichi_does_not_end_the_decision_on_its_tile() -> None:
    riichi, accepted = ({"type": kind, "actor": 1} for kind in ("reach", "reach_accepted"))
    bot = Bot(0, Chooser(ActionKind.PON))
    answer = react(bot, start(WAIT), *BEFORE, riichi, discard(1, "E"), accepted)
    assert answer["type"] == "pon"


def test_after_its_own_kan_the_next_draw_comes_first() -> None:
    bot = Bot(0, Chooser(ActionKind.ANKAN))
    react(bot, start("5mr 5m 5m 2p 3p 4p 6s 7s 8s E E P P"), draw(0, "5m"))
    kan = told("ankan", 0, consumed=["5mr", "5m", "5m", "5m"])
    assert react(bot, kan) == NONE
    assert react(bot, dora("9s")) == NONE
    assert react(bot, draw(0, "9m"))["type"] in ("dahai", "reach")


@pytest.mark.parametrize("end", ["end_kyoku", "ryukyoku", "end_game"])
def test_after_the_end_of_a_round_nothing_is_answered(end: str) -> None:
    assert react(Bot(0, "v1"), start(WAIT), draw(0, "9m"), {"type": end}) == NONE
    bot = Bot(0, Chooser(ActionKind.PON))
    assert react(bot, start(WAIT), *BEFORE, discard(1, "E"), {"type": end}) == NONE


@pytest.mark.parametrize("text", ["", " \n", "[]", "{", "7", "null", '"x"', "[[[[[]]]]]", "\ufeff"])
def test_lines_without_a_message(text: str) -> None:
    assert json.loads(Bot(0, "v1").react(text)) == NONE


class Broken:
    """Fails whenever it is asked."""

    def act(self, view: object, actions: object) -> Any:
        raise ZeroDivisionError


class Illegal:
    """Answers what nobody may do."""

    def act(self, view: object, actions: object) -> Action:
        return Action(ActionKind.DISCARD, 135)


class Panicking:
    """Raises what riichienv raises: no Exception."""

    def act(self, view: object, actions: object) -> Any:
        RiichiEnv().observe_event(draw(9, "1m"), 0)


@pytest.mark.parametrize("player", [Broken(), Illegal(), Panicking()])
def test_a_player_that_fails(player: Any, caplog: pytest.LogCaptureFixture) -> None:
    """It discards the drawn tile, or after a call the last one, and passes in others' turns."""
    bot = Bot(0, player)
    answer = react(bot, START, DRAW)
    assert action(answer) == TSUMOGIRI
    assert set(answer["meta"]["tiles"]) == {*HAND, "7s"}
    assert "the player failed" in caplog.text
    react(bot, TSUMOGIRI, draw(1))
    assert action(react(bot, discard(1, "5s"))) == NONE
    answer = react(bot, call("pon", 0, 1, "5s", "5s 5sr"))
    assert answer["type"] == "dahai"
    assert answer["pai"] in HAND
    assert answer["tsumogiri"] is False


def test_without_legal_actions_it_discards(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A panic of riichienv costs an action, but no answer."""

    def panic(*_: object) -> None:
        RiichiEnv().observe_event(draw(9, "1m"), 0)

    with monkeypatch.context() as patch:
        patch.setattr(legality, "own_win", panic)
        bot = Bot(0, "v1")
        messages = [start(WAIT), draw(0, "P")]
        assert action(react(bot, *messages))["type"] == "dahai"
        assert [record.message for record in caplog.records] == ["the legal actions are unknown"]
    assert action(react(Bot(0, "v1"), *messages))["type"] == "hora"


def test_a_lost_message(caplog: pytest.LogCaptureFixture) -> None:
    """Out of step it discards what it draws and claims nothing; the reason is logged once."""
    bot = Bot(0, Chooser(ActionKind.PON))
    react(bot, start(WAIT), draw(0, "9m"))
    assert action(react(bot, draw(2), discard(2, "E"))) == NONE
    assert caplog.text.count("WARNING") == 1
    assert "out of turn" in caplog.text
    answer = react(bot, draw(0, "4p"))
    assert action(answer) == discard(0, "4p")
    assert answer["meta"]["problem"] == bot.live.problem
    for line in ("{", "{", '{"type": "tsumo"}'):
        assert json.loads(bot.react(line)) == NONE
    assert action(react(bot, draw(0))) == NONE
    assert action(react(bot, draw(0, "0x"))) == NONE
    assert caplog.text.count("WARNING") == 1
    assert react(bot, start(WAIT), *BEFORE, discard(1, "E"))["type"] == "pon"


def test_a_hidden_hand_passes() -> None:
    bot = Bot(1, "v1")
    assert react(bot, START, DRAW, TSUMOGIRI) == NONE
    assert react(bot, draw(1)) == NONE
    assert react(bot, draw(1, "4m")) == NONE


def test_a_three_player_game_is_refused_once(caplog: pytest.LogCaptureFixture) -> None:
    bot = Bot(player="v1")
    assert react(bot, {"type": "start_game", "id": 0, "names": ["A", "B", "C"]}) == NONE
    three = {**START, "scores": [35000] * 3, "tehais": [HAND, HIDDEN, HIDDEN]}
    assert [react(bot, m) for m in (three, DRAW, {"type": "nukidora", "actor": 0})] == [NONE] * 3
    assert caplog.text.count("three-player") == 1
    react(bot, {"type": "start_game", "id": 0})
    assert react(bot, START, DRAW)["type"] == "dahai"


def test_actions_have_the_ids_of_the_table() -> None:
    """The drawn copy is the one to discard in riichi, and the claimed tile is the river's."""
    chooser = Chooser(ActionKind.RIICHI)
    bot = Bot(0, chooser)
    react(bot, start(WAIT), draw(0, "E"))
    assert chooser.view is not None
    for act in chooser.actions:
        assert set(act.from_hand) <= set(chooser.view.hand)
    east = [a.tile for a in chooser.actions if a.tile is not None and mjai_name(a.tile) == "E"]
    assert chooser.view.drawn in east
    react(bot, discard(0, "2m", tsumogiri=False), draw(1), discard(1, "E"))
    last = bot.live.table.round_state.last_discard
    assert last is not None
    claims = [a for a in chooser.actions if a.kind is ActionKind.PON]
    assert [claim.claimed for claim in claims] == [last.tile]
