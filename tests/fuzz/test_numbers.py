"""Absurd numbers at every door: an error of one sentence, or a game that everything can use."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import houjuu
from houjuu.cli import main
from houjuu.game import limits
from houjuu.game.events import Deal, Game, Rules, Win
from houjuu.game.table import Table
from houjuu.logs import mjai, mjlog, tenhou6
from houjuu.logs.mjai import Reader
from houjuu.util.errors import Error, LogError, TableError
from tests.fuzz.budget import budget
from tests.fuzz.test_logs import use
from tests.kit.tenhou6 import log_of, round_of

TEXTS = ("9" * 5000, "E1.9", "1e400", "-0", "٣", "²", "\ud800", "")
NUMBERS = st.one_of(
    st.integers(-300, 300),
    st.integers(),
    st.integers(-20, 20).map(lambda exponent: 10 ** abs(exponent) * (1 if exponent > 0 else -1)),
    st.just(10**4999),
    st.floats(),
    st.booleans(),
    st.sampled_from(TEXTS),
    st.none(),
)
POSITION: dict[str, Any] = {
    "hand": "123m0678p1199s55z + 4p",
    "rivers": {"self": "9m", "right": "4z", "across": "1m'", "left": "1z*"},
    "dora": "3p",
}
ESTIMATOR = houjuu.load("kurita-hoki-2017")


def _changes(number: Any) -> list[dict[str, Any]]:
    return [
        {"riichi_sticks": number},
        {"scores": [25000, 25000, number, 25000]},
        {"scores": {"self": number}},
        {"riichi": {"right": number}},
        {"seat": number},
        {"round": f"E1.{number}" if _is_short(number) else number},
        {"round": number},
    ]


def _is_short(number: Any) -> bool:
    return not isinstance(number, int) or abs(number) < 10**4000


@budget(60)
@given(number=NUMBERS)
@example(number="999999999999999999")
@example(number=9_999_999)
def test_positions(number: Any) -> None:
    for change in _changes(number):
        try:
            view = houjuu.position(**(POSITION | change))
        except Error:
            continue
        assert view.honba <= limits.MAX_HONBA
        assert 0 <= view.riichi_sticks <= limits.MAX_STICKS
        assert max(map(abs, view.scores)) <= limits.MAX_SCORE
        assert np.isfinite(ESTIMATOR.deal_in(view).points).all()


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"round": "E1.201"}, "'201' is no number of honba from 0 to 200"),
        ({"round": "E1." + "9" * 5000}, "is no number of honba"),
        ({"riichi_sticks": 201}, "riichi sticks is 201, not a whole number from 0 to 200"),
        ({"scores": [1_000_001] * 4}, "the score of self: it is 1000001, not a whole number"),
        ({"scores": [True] * 4}, "it is True, not a whole number"),
        ({"riichi": {"left": 137}}, "it is 137, not a whole number from 0 to 136"),
        ({"seat": 10**5000}, "is not a seat"),
    ],
)
def test_the_limits_of_a_position(change: dict[str, Any], problem: str) -> None:
    with pytest.raises(Error, match=problem):
        houjuu.position(**(POSITION | change))


def test_the_limits_of_rules() -> None:
    with pytest.raises(TableError, match="the type of the game is -1, not a whole number"):
        Rules(-1)


@budget(20)
@given(number=NUMBERS)
@example(number="999999999999999999")
def test_flags_of_danger(number: Any) -> None:
    text = str(number) if _is_short(number) else "9" * 4999
    hand = ["danger", "--model", "kurita-hoki-2017", "--hand", "123m0678p1199s55z", "--dora", "3p"]
    for flag, value in (
        ("--sticks", text),
        ("--scores", f"1,2,3,{text}"),
        ("--riichi", f"left={text}"),
        ("--round", f"E1.{text}"),
        ("--seat", text),
    ):
        try:
            status: object = main([*hand, f"{flag}={value}"])
        except SystemExit as refusal:  # by argparse
            status = refusal.code
        assert status in (0, 2)


def _places(tree: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every number in a tree of JSON."""
    if isinstance(tree, (dict, list)):
        for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
            yield from _places(value, (*path, key))
    elif isinstance(tree, (int, float)):
        yield path


def _with(tree: Any, path: tuple[Any, ...], number: Any) -> Any:
    changed = copy.deepcopy(tree)
    *inner, last = path
    node = changed
    for key in inner:
        node = node[key]
    node[last] = number
    return changed


@budget(60)
@given(data=st.data(), number=NUMBERS)
def test_streams_of_mjai(data: st.DataObject, number: Any, own_games: list[Game]) -> None:
    messages = json.loads(json.dumps([*mjai.messages(own_games[0])]))
    starts = [m for m in messages if m["type"] in ("start_game", "start_kyoku", "hora", "ryukyoku")]
    message = data.draw(st.sampled_from(starts))
    index = messages.index(message)
    path = data.draw(st.sampled_from([*_places(message)]))
    changed = [*messages[:index], _with(message, path, number), *messages[index + 1 :]]
    with suppress(LogError):
        _check_limits([*Reader().events(changed)])
    if _is_short(number) and number != "\ud800":
        use("\n".join(map(json.dumps, changed)).encode(), "a.mjai")


@budget(60)
@given(data=st.data(), number=NUMBERS)
def test_tenhou6(data: st.DataObject, number: Any) -> None:
    log = log_of(round_of(*[([], [])] * 4))
    path = data.draw(st.sampled_from([*_places(log)]))
    if _is_short(number):
        use(json.dumps(_with(log, path, number)).encode(), "a.json")


ATTRIBUTE = re.compile(rb'(?:seed|ten|ba|sc|owari|yaku|dan|rate|type|step)="[^"]*"')
DIGITS = re.compile(rb"-?\d[\d.]*")


@budget(60)
@given(data=st.data(), number=NUMBERS)
def test_mjlog(data: st.DataObject, number: Any, own_games: list[Game]) -> None:
    log = mjlog.write(own_games[0])
    attribute = data.draw(st.sampled_from([*ATTRIBUTE.finditer(log)]))
    digits = [*DIGITS.finditer(log, *attribute.span())]
    if not digits or not _is_short(number):
        return
    start, end = data.draw(st.sampled_from(digits)).span()
    game = use(log[:start] + str(number).encode(errors="replace") + log[end:], "a.xml")
    if game is not None:
        _check_limits(game.events)


def _check_limits(events: Any) -> None:
    for event in events:
        if isinstance(event, Deal):
            assert 0 <= event.round <= limits.MAX_ROUND
        if isinstance(event, (Win, Deal)):
            assert 0 <= event.honba <= limits.MAX_HONBA
            assert 0 <= event.riichi_sticks <= limits.MAX_STICKS
            assert max(map(abs, event.scores or (0,))) <= limits.MAX_SCORE
        if isinstance(event, Win):
            assert 0 <= (event.points or 0) <= limits.MAX_SCORE
            assert all(0 <= han <= limits.MAX_HAN for _, han in event.yaku)


DEAL = Deal(0, 0, 0, 0, (25_000,) * 4, 0, (None,) * 4)


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("round", 16, "the round is 16, not a whole number from 0 to 15"),
        ("honba", 201, "the number of honba is 201, not a whole number from 0 to 200"),
        ("riichi_sticks", -1, "the number of sticks is -1, not a whole number from 0 to 200"),
        ("honba", 1.0, "the number of honba is 1.0, not a whole number"),
        ("scores", (0, 0, 1_000_001, 0), "the score of seat 2 is 1000001, not a whole number"),
        ("dice", (1, 7), "a die is 7, not a whole number from 0 to 6"),
    ],
)
def test_the_limits_of_a_deal(name: str, value: Any, problem: str) -> None:
    with pytest.raises(TableError, match=problem):
        Table().apply(replace(DEAL, **{name: value}))
    Table().apply(DEAL)


@pytest.mark.parametrize(
    ("pattern", "replacement", "problem"),
    [
        (r'( ten=")\d+(,\d+,\d")', r"\g<1>1001\2", "the number of fu is 1001, not a whole number"),
        (r'( ten="\d+),\d+(,\d")', r"\1,-1\2", "the hand is -1, not a whole number from 0"),
        (r'( ten="\d+,\d+,)\d"', r'\g<1>6"', "the limit of the hand is 6, not a whole number"),
        (r'( yaku="\d+,)\d+', r"\g<1>201", "the number of han is 201, not a whole number"),
        (r'(<AGARI ba="\d+),\d+', r"\1,201", "the number of sticks is 201, not a whole number"),
        (r'( dan=")[^,"]*', r"\g<1>101", "dan is 101, not a whole number from 0 to 100"),
        (r'( rate=")[^,"]*', r"\g<1>1e9", "rate is 1000000000.0, not a number from"),
        (r'(owari=")\d+', r"\g<1>10001", "a final score is 1000100, not a whole number"),
    ],
)
def test_the_limits_of_mjlog(
    pattern: str, replacement: str, problem: str, own_games: list[Game]
) -> None:
    log, count = re.subn(pattern, replacement, mjlog.write(own_games[0]).decode(), count=1)
    assert count == 1
    with pytest.raises(LogError, match=problem):
        mjlog.parse(log.encode())


def test_the_sum_of_scores_stays_within_the_limits() -> None:
    """Each change is within the limits, but not the score after it."""
    log = json.loads(json.dumps(log_of(round_of(*[([], [])] * 4))))
    log["log"][0][1][0] = limits.MAX_SCORE
    log["log"][0][16] = ["流局", [3000, -1000, -1000, -1000]]
    with pytest.raises(LogError, match="the score of seat 0 is 1003000, not a whole number"):
        tenhou6.parse(json.dumps(log).encode())
