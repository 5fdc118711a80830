"""A live seat: whole games in every dialect, rounds that end in any way, gaps, refusals."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
import pytest

pytest.importorskip("riichienv", reason="it plays the games")
from riichienv import ActionType, GameRule, RiichiEnv

import houjuu
from houjuu.game.events import Game
from houjuu.hands.enumeration import tenpai_hands
from houjuu.live.live import Live, OutOfStepWarning
from houjuu.logs import mjai
from houjuu.player.bot import Bot
from houjuu.player.players import player
from houjuu.util.errors import Error, LogError, ThreePlayerError
from tests.kit.dialects import (
    DIALECTS,
    as_text,
    batches,
    choose_action,
    hanchan,
    masked,
    riichienv,
)
from tests.kit.live_truth import differences, views_before_actions
from tests.kit.messages import HIDDEN, discard, dora, draw, start, told

GAMES = 8  # unit: hanchan
ESTIMATOR = houjuu.load()
Message = dict[str, Any]


@pytest.mark.deep
@pytest.mark.parametrize("name", [*DIALECTS, "mjai_app"])
def test_whole_masked_games_in_every_dialect(name: str) -> None:
    """Live stays in step to the end, and its views and risks are those of the full log."""
    dialect = DIALECTS.get(name, riichienv)
    compared = 0
    for seed in range(GAMES):
        for seat in range(4):
            stream = dialect(hanchan(seed)[1][seat], seat)
            views = views_of(Live(seat, ESTIMATOR), stream, seat, text=name == "mjai_app")
            truths = views_before_actions(seed, seat)
            assert len(views) == len(truths)
            pairs = [*zip(views, truths, strict=True)]
            for view, truth in pairs[:: 1 if seed == 0 else 5]:
                assert not differences(view, truth)
            for view, truth in pairs[seed::60]:
                compare_risks(view, truth)
                compared += 1
    assert compared > 80


def test_hands_are_built_when_a_call_or_a_dora_is_heard(own_games: list[Game]) -> None:
    """No query builds any; nothing is built for a table of which nobody asks the risks."""
    heard = asked = unasked = 0
    for game in own_games[:2]:
        live, *silent = Live(2, ESTIMATOR), Live(2), Live(2, ESTIMATOR)
        for message in mjai.messages(game):
            unasked += sum(builds(partial(one.hear, message)) for one in silent)
            heard += builds(partial(live.hear, message))
            if live.decision == "discard":
                asked += builds(live.risk)
    assert heard > 10
    assert asked == unasked == 0


def builds(action: Callable[[], object]) -> int:
    """The number of sets of hands that an action builds."""
    before = tenpai_hands.cache_info().misses
    action()
    return tenpai_hands.cache_info().misses - before


@pytest.mark.real_logs
def test_real_games(real_games: list[Game]) -> None:
    """Also where players disconnect, rob kans and win in pairs."""
    for number, game in enumerate(real_games):
        live = Live(number % 4)
        for message in mjai.messages(game):
            live.hear(masked(message, number % 4))
            assert live.in_step, (game.id, live.problem)


def views_of(live: Live, stream: list[Message], seat: int, text: bool) -> list[houjuu.View]:
    """The views before own actions, as the stream is heard."""
    views = []
    for batch in batches(stream, seat):
        live.hear(as_text(batch) if text else batch)
        assert live.in_step, live.problem
        if live.decision == "discard":
            views.append(live.view)
    return views


def compare_risks(view: houjuu.View, truth: houjuu.View) -> None:
    ours, theirs = ESTIMATOR.deal_in(view), ESTIMATOR.deal_in(truth)
    assert np.array_equal(ours.tenpai, theirs.tenpai)
    assert np.array_equal(ours.by_opponent, theirs.by_opponent)
    assert np.array_equal(ours.points, theirs.points)


def test_decisions_are_those_of_riichienv() -> None:
    env = RiichiEnv(game_mode="4p-red-half", seed=3, rule=GameRule.default_tenhou())
    lives, asked = [Live(seat) for seat in range(4)], {"discard": 0, "claim": 0}
    observations, choose = env.reset(), np.random.default_rng(0)
    while not env.done():
        actions = {}
        for seat, observation in sorted(observations.items()):
            for message in observation.new_events():
                lives[seat].hear(message)
            kinds = {action.action_type for action in observation.legal_actions()}
            expected = "discard" if kinds & {ActionType.DISCARD, ActionType.TSUMO} else "claim"
            assert lives[seat].decision == expected
            asked[expected] += 1
            actions[seat] = choose_action(observation, choose.random)
        observations = env.step(actions)
    assert asked["discard"] > 300
    assert asked["claim"] > 50


HAND = ["1m", "2m", "3m", "4m", "5mr", "6m", "7m", "8m", "9m", "E", "E", "S", "S"]
START: Message = start(" ".join(HAND), dora_marker="1p")
NEXT = {**START, "kyoku": 2, "oya": 1}
NEXT_WITHOUT_SCORES = {key: value for key, value in NEXT.items() if key != "scores"}
TURNS: list[Message] = [
    draw(0, "P"),
    discard(0, "P"),
    draw(1),
]
RIICHI: list[Message] = [
    told("reach", 1),
    discard(1, "9s", tsumogiri=False),
    told("reach_accepted", 1),
    draw(2),
]
HORA = told("hora", 1, target=1)


def live_after(*messages: Message, seat: int | None = 0) -> Live:
    live = Live(seat, ESTIMATOR)
    live.hear(messages)
    assert live.in_step
    return live


@pytest.mark.parametrize(
    "ends",
    [
        [HORA],
        [HORA, {"type": "end_kyoku"}],
        [{**HORA, "deltas": [-1000, 3000, -1000, -1000]}],  # start_kyoku is right
        [told("hora", 1, target=1, pai="?", deltas=None)],
        [{"type": "ryukyoku"}],
        [{"type": "end_kyoku"}],
        [],
        [{"type": "end_game"}, {"type": "start_game"}],
    ],
)
def test_a_round_ends_in_any_way(ends: list[Message]) -> None:
    live = live_after(START, *TURNS, *ends)
    assert live.decision is None
    scores = [20000, 33000, 24000, 23000]
    live.hear({**NEXT, "scores": scores})
    assert live.in_step
    assert live.view.scores == tuple(scores)
    assert live.view.tiles_left == 70


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        ({**HORA, "deltas": [-1000, 3000, -1000, -1000]}, (24000, 28000, 24000, 24000)),
        ({**HORA, "scores": [21000, 28000, 26000, 25000]}, (21000, 28000, 26000, 25000)),
        ({"type": "ryukyoku", "deltas": [3000, -1000, -1000, -1000]}, (28000, 24000, 24000, 24000)),
        ({"type": "ryukyoku", "reason": "kyushukyuhai"}, (25000,) * 4),
    ],
)
def test_missing_scores_are_carried_over(end: Message, expected: tuple[int, ...]) -> None:
    first = {key: value for key, value in START.items() if key != "scores"}
    live = live_after(first, *TURNS)
    assert live.view.scores == (25000,) * 4
    live.hear([end, NEXT_WITHOUT_SCORES])
    assert live.in_step
    assert live.view.scores == expected


def test_unknown_scores_are_a_problem_until_a_message_has_them() -> None:
    live = live_after(START, *TURNS)
    live.hear([{"type": "end_kyoku"}, NEXT_WITHOUT_SCORES])
    assert live.problem == "no message shows the scores; wait for the next start_kyoku with scores"
    assert live.view.tiles_left == 70  # the table is followed all the same
    scores = [24000, 28000, 24000, 24000]
    live.hear([{"type": "ryukyoku", "scores": scores}, NEXT_WITHOUT_SCORES])
    assert live.in_step
    assert live.view.scores == tuple(scores)


def test_scores_after_a_gap_come_from_a_result() -> None:
    live = live_after(START, *TURNS)
    with pytest.raises(LogError, match="out of turn"):
        live.hear(TURNS[0])
    scores = [24000, 28000, 24000, 24000]
    live.hear([{"type": "ryukyoku", "scores": scores}, NEXT_WITHOUT_SCORES])
    assert live.in_step
    assert live.view.scores == tuple(scores)


def test_scores_after_a_gap_are_unknown_without_a_result() -> None:
    live = live_after(START, *TURNS, {"type": "ryukyoku", "reason": "kyushukyuhai"}, NEXT)
    with pytest.raises(LogError, match="out of turn"):
        live.hear(TURNS[0])
    live.hear([{"type": "ryukyoku"}, NEXT_WITHOUT_SCORES])
    assert live.problem == "no message shows the scores; wait for the next start_kyoku with scores"


def test_after_a_gap_there_is_no_decision() -> None:
    live = live_after(START, TURNS[0])
    assert live.decision == "discard"
    with pytest.raises(LogError, match="out of turn"):
        live.hear(TURNS[2])
    assert live.decision is None


def test_a_start_in_the_middle_of_a_round() -> None:
    live = Live(0, ESTIMATOR)
    with pytest.raises(LogError, match="out of turn"):
        live.hear(TURNS[0])
    assert not live.in_step
    live.hear(TURNS[1:])  # without a further error
    for query in (live.risk, live.unseen):
        with pytest.raises(Error, match="no Deal yet"):
            query()
    live.hear([NEXT])
    assert live.in_step


def test_risk_warns_out_of_step() -> None:
    live = live_after(START, *TURNS)
    before, copies = live.risk(), live.unseen()
    with pytest.raises(LogError, match="out of turn"):
        live.hear(draw(3))
    assert live.problem == "seat 3 draws out of turn; wait for the next start_kyoku"
    assert live.decision is None
    live.hear(discard(1, "9s"))
    with pytest.warns(OutOfStepWarning, match="seat 3 draws out of turn"):
        assert np.array_equal(live.risk().any, before.any)
    with pytest.warns(OutOfStepWarning, match="seat 3 draws out of turn") as warned:
        assert np.array_equal(live.unseen().expected, copies.expected)
    assert warned[0].filename == __file__


@pytest.mark.parametrize(
    ("messages", "lost"),
    [
        (RIICHI, 0),
        (RIICHI, 1),
        (RIICHI, 2),
        ([{"type": "ryukyoku"}, NEXT, draw(1)], 1),
    ],
)
def test_a_lost_message_is_noticed(messages: list[Message], lost: int) -> None:
    assert live_after(START, *TURNS, *messages).in_step
    live = live_after(START, *TURNS)
    with pytest.raises(LogError):
        live.hear([m for i, m in enumerate(messages) if i != lost])
    assert not live.in_step


def test_a_lost_dora_is_noticed() -> None:
    kan = [
        told("ankan", 1, consumed=["9p"] * 4),
        draw(1),
        discard(1, "9s", tsumogiri=False),
    ]
    live = live_after(START, *TURNS, *kan)
    live.hear(draw(2))
    assert live.problem == "no dora indicator followed a kan; wait for the next start_kyoku"
    assert live_after(START, *TURNS, *kan, dora("E"), {**TURNS[2], "actor": 2}).in_step


@pytest.mark.parametrize("part", ["{", "[1]", "7", b"\xff", '{"actor":1}', None])
def test_unreadable_input_puts_it_out_of_step(part: Any) -> None:
    live = live_after(START, *TURNS)
    view = live.view
    with pytest.raises(LogError, match="is not"):
        live.hear(part)
    assert not live.in_step
    assert live.view == view


@pytest.mark.parametrize(
    "heard",
    [
        [START, *TURNS],
        [json.dumps(message) for message in (START, *TURNS)],
        json.dumps([START, *TURNS]),
        json.dumps([START, *TURNS], indent=2).encode(),
        "\ufeff" + "\r\n\n".join(json.dumps(message) for message in (START, *TURNS)) + "\n",
        b"\xef\xbb\xbf" + b"\n".join(json.dumps(message).encode() for message in (START, *TURNS)),
        [{"type": "chat", "text": "?"}, START, "", *TURNS, {"type": "none"}],
        [{**message, "meta": {"q_values": [1.5]}, "can_act": True} for message in (START, *TURNS)],
    ],
)
def test_every_shape_of_input(heard: Any) -> None:
    live = Live(0)
    live.hear(heard)
    assert live.in_step
    assert live.view == live_after(START, *TURNS).view


def test_the_rest_of_an_array_is_heard_after_an_error() -> None:
    live = live_after(START, *TURNS)
    with pytest.raises(LogError, match="out of turn"):
        live.hear([TURNS[0], NEXT, draw(1)])
    assert live.in_step
    assert live.view.tiles_left == 69


@pytest.mark.parametrize(("id", "seat"), [(2, 2), ("3", 3), (None, None)])
def test_the_seat_is_the_id_of_the_game(id: Any, seat: int | None) -> None:
    live = Live()
    live.hear({"type": "start_game", "id": id})
    assert live.seat == seat
    fixed = Live(1)
    fixed.hear({"type": "start_game", "id": id})
    assert fixed.seat == 1


@pytest.mark.parametrize("id", [4, -1, 1.5, "4", "x", [], {}, True])
def test_an_invalid_id_is_refused(id: Any) -> None:
    live = Live()
    live.hear({"type": "start_game", "id": 2})
    with pytest.raises(LogError, match="seats are 0 to 3"):
        live.hear({"type": "start_game", "id": id})
    live.hear(START)
    with pytest.raises(Error, match="own seat is unknown"):
        _ = live.view
    for seat in (Live, Bot):
        with pytest.raises(Error, match=r"^seat is .*, but seats are 0 to 3$"):
            seat(id)


def test_a_seat_is_a_number_or_a_digit() -> None:
    for seat in (Live(2), Live("2"), Bot(2).live, Bot("2").live):
        assert (seat.seat, type(seat.seat)) == (2, int)


def test_representations_show_the_game() -> None:
    live = Live()
    assert repr(live) == "Live(seat unknown, in step, Table(no round))"
    live.hear([{"type": "start_game", "id": 0}, START, *TURNS])
    assert re.fullmatch(r"Live\(seat 0, in step, Table\(E1.\d, \d+ tiles left\)\)", repr(live))
    with suppress(LogError):
        live.hear("{")
    assert repr(live).startswith("Live(seat 0, out of step: is not JSON")
    assert repr(Bot("0", "v1")).startswith("Bot(player 'v1', model 'houjuu', Live(seat 0, in step")
    assert repr(Bot(0, player("v1"))).startswith("Bot(player 'ShantenPlayer', model")


@pytest.mark.parametrize(
    "messages",
    [
        [{"type": "start_game", "names": ["a", "b", "c"]}],
        [{**START, "scores": [35000] * 3, "tehais": [HAND, HIDDEN, HIDDEN]}],
        [{**START, "scores": [35000, 34000, 35000, 0], "kyotaku": 1}],
        [START, *TURNS, {"type": "nukidora", "actor": 1, "pai": "N"}],
        [{"type": "start_game", "tenhou": {"type": 0x19}}],
    ],
)
def test_a_three_player_game_is_refused_once(messages: list[Message]) -> None:
    live = Live(0, ESTIMATOR)
    with pytest.raises(ThreePlayerError, match="houjuu supports only four-player games"):
        live.hear(messages)
    assert not live.in_step
    live.hear([*TURNS, {"type": "kita", "actor": 2}, messages[-1], *TURNS])
    live.hear({**START, "scores": [35000] * 3, "tehais": [HAND, HIDDEN, HIDDEN]})
    assert live.problem == "is a three-player game; houjuu supports only four-player games"
    live.hear(START)
    assert live.in_step


def test_a_game_without_red_fives() -> None:
    hand = ["5m"] * 4 + ["5p"] * 4 + ["E"] * 3 + ["S"] * 2
    start = {**START, "tehais": [hand, HIDDEN, HIDDEN, HIDDEN]}
    with pytest.raises(LogError, match="all copies of 5m"):
        Live(0).hear(start)
    live = live_after({"type": "start_game", "aka_flag": False}, start)
    assert not live.view.rules.red_fives
    assert live.view.unseen()[4] == 0


def test_the_dealers_14_tiles_may_come_sorted() -> None:
    """The dealer's first tsumogiri may be any of them."""
    live = live_after(START, TURNS[0])
    live.hear(discard(0, "E"))
    assert live.in_step
    assert len(live.view.hand) == 13


def test_without_a_seat_there_is_a_problem_once_a_round_is_dealt() -> None:
    live = Live()
    live.hear({"type": "start_game", "names": ["a", "b", "c", "d"]})
    assert live.in_step
    live.hear(START)
    assert live.problem == "the own seat is unknown: pass seat=, or send start_game with an id"
    assert live.decision is None
