"""Invalid tenhou.net/6 data raises a LogError with a clear message, and nothing else."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from houjuu.logs import tenhou6
from houjuu.util.errors import LogError
from tests.kit.tenhou6 import CALLED_TWICE, KAKAN, Lists, log_of, parse, round_of


def _rejection(data: bytes) -> str:
    try:
        tenhou6.parse(data, "a.json")
    except LogError as problem:
        return str(problem)
    return ""


def _broken(path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    game = copy.deepcopy(log_of(CALLED_TWICE))
    game["log"] = list(game["log"])
    node: Any = game
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = value
    return game


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (
            ("name",),
            list("ABC"),
            "a.json: is a three-player game; houjuu supports only four-player games",
        ),
        (("name", 3), "", "a.json: is a three-player game; houjuu supports only four-player games"),
        (("rule", "disp"), "三鳳南喰赤", "a.json: is a three-player game; houjuu supports only"),
        (
            ("log",),
            None,
            "a.json: is not tenhou.net/6 JSON: it has no list of rounds under the key log",
        ),
        (("log",), [], "a.json: has 0 rounds, not 1 to 100"),
        (("log", 0), [1], "a.json, round 0, [1]: a round of tenhou.net/6 is a list of 17 entries"),
        (
            ("log", 0, 0),
            [-1, 0, 0],
            "a.json, round 0, [-1, 0, 0]: is not a list of round, honba and",
        ),
        (("log", 0, 1, 0), 0.5, "a.json, round 0, [0.5, 25000, 25000, 25000]: is not a list"),
        (("log", 0, 2, 0), 60, "a.json, round 0, 60: is not a tile"),
        (("log", 0, 4, 0), 48, "a.json, round 0, 48: is not a tile"),
        (("log", 0, 4), [11], "a.json, round 0: seat 0 is dealt 1 tiles"),
        (("log", 0, 4), [31] * 13, "a.json, round 0: has more 1s than the rules allow"),
        (
            ("log", 0, 5, 0),
            "44",
            "seat 0, turn 0 ('44' → 60): '44' is not a call allowed in this list",
        ),
        (("log", 0, 15, 0), 29, "seat 3, turn 0 ('4444p44' → 29): seat 3 does not hold 9p"),
        (("log", 0, 6, 0), 0, "seat 0, turn 0 (44 → 0): a 0 must follow an open kan"),
        (("log", 0, 6, 0), "r99", "seat 0, turn 0 (44 → 'r99'): 99 is not a tile"),
        (("log", 0, 6, 0), "x60", "seat 0, turn 0 (44 → 'x60'): 'x60' is not a call"),
        (
            ("log", 0, 14, 0),
            "p444444",
            "seat 0, turn 0 (44 → 60): no turn of another seat can follow",
        ),
        (("log", 0, 14, 0), "4343p43", "no turn of another seat can follow this one"),
        (("log", 0, 15), [], "a.json, round 0, seat 3: has 2 draws but 0 discards"),
        (("log", 0, 16), ["和了"], "a.json, round 0, 和了: must have one to three pairs"),
        (("log", 0, 16), [1], "a.json, round 0, [1]: is not a result of a round"),
        (("log", 0, 16), ["終局", [0] * 4, 1], "is not a result of a round"),
        (("log", 0, 16, 2, 0), 4, "has a seat that is not 0 to 3"),
        (("log", 0, 16, 2, 0), 1, "its result: seat 1 wins"),
        (("log", 0, 16, 2, 3), "大満貫", "a.json, round 0, '大満貫': is not the score of a hand"),
        (("log", 0, 16, 2, 4), "平和", "a.json, round 0, '平和': is not a yaku with its han"),
        (("log", 0, 2), [11, 29], "an indicator is turned over without a kan"),
        (("sc",), [1], "a.json, sc [1]: is not a list of four final scores and results"),
    ],
)
def test_malformed_games_are_rejected_with_a_message(
    path: tuple[Any, ...], value: Any, message: str
) -> None:
    data = json.dumps(_broken(path, value)).encode()
    with pytest.raises(LogError) as caught:
        tenhou6.parse(data, "a.json")
    assert message in str(caught.value)
    assert str(caught.value).startswith("a.json")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is not JSON"),
        (b"<mjloggm/>", "is not JSON"),
        (b"\xff\xfe\xff", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b"[]", "is not tenhou.net/6"),
        (b'{"log": [' + b"9" * 5000 + b"]}", "is not JSON"),
        (bytes(tenhou6.MAX_BYTES + 1), "is longer than"),
        (b"https://tenhou.net/6/", "is the address of a page"),
        (b"https://tenhou.net/6/#json=x", "is not JSON"),
    ],
)
def test_other_data_is_rejected(data: bytes, message: str) -> None:
    with pytest.raises(LogError, match=f"a.json: {message}"):
        tenhou6.parse(data, "a.json")


@pytest.mark.parametrize("path", [("log", 0), ("log", 0, 4, 0), ("log", 0, 16), ("sc",)])
def test_deep_nesting_is_rejected(path: tuple[Any, ...]) -> None:
    text = json.dumps(_broken(path, "deep"))
    for depth in (*range(5, 800, 100), *range(800, 1000, 3)):
        deep = text.replace('"deep"', "[" * depth + "]" * depth)
        assert _rejection(deep.encode()).startswith("a.json")


def test_scores_must_follow_from_the_round_before() -> None:
    following = round_of(([41], []), ([], []), ([], []), ([], []), first=(0, 1, 0))
    with pytest.raises(LogError, match=r"a\.json, round 1: the scores .* do not follow"):
        parse(CALLED_TWICE, following)
    following[1] = [31000, 23000, 23000, 23000]
    assert parse(CALLED_TWICE, following).rounds == 2


def test_the_search_gives_up_on_calls_that_always_match() -> None:
    calls: tuple[Lists, ...] = ((["p444444"] * 400, [44] * 400), (["4444p44"] * 400, [44] * 400))
    entry = round_of(calls[0], ([], []), ([44], [44]), calls[1], first=(2, 0, 0))
    with pytest.raises(LogError):
        parse(entry)


JUNK: list[Any] = [
    *(None, True, -1, 0, 60, 11, 51, 47, 99, 10**30, 1.5, float("nan"), "", "r60", "c111213"),
    *("4444p44", "m44444444", "444444a44", "44k444444", "x", "\ud800", "流局", "和了"),
    *([], [[]], {}, [0, 0, 0, 0], ["流局"]),
]


def _nodes(node: Any) -> Iterator[tuple[Any, Any]]:
    for key in list(node) if isinstance(node, dict) else range(len(node)):
        yield node, key
        if isinstance(node[key], (list, dict)):
            yield from _nodes(node[key])


def _mutate(game: Any, dice: random.Random) -> None:
    node, key = dice.choice(list(_nodes(game)))
    mutation = dice.randrange(4)
    if mutation == 0 or isinstance(node, dict):
        node[key] = copy.deepcopy(dice.choice(JUNK))
    elif mutation == 1:
        del node[key]
    elif mutation == 2:
        node.insert(key, copy.deepcopy(dice.choice(JUNK)))
    else:
        other = dice.randrange(len(node))
        node[key], node[other] = node[other], node[key]


def test_mutated_games_raise_nothing_else() -> None:
    kans = round_of(
        *KAKAN, (["4646p46", 46, 39], [12, "4646k4646", 60]), dora=[11, 29],
        first=(0, 1, 0), scores=[31000, 23000, 23000, 23000],
    )  # fmt: skip
    dice = random.Random(6)
    whole = json.dumps(log_of(CALLED_TWICE, kans, sc=[1, 2] * 4, dan=["七段"] * 4))
    n_rejected = 0
    for _ in range(3000):
        game = json.loads(whole)
        for _ in range(dice.choice([1, 1, 2, 5])):
            _mutate(game, dice)
        problem = _rejection(json.dumps(game).encode())
        assert problem.startswith("a.json") or not problem
        n_rejected += bool(problem)
    assert 1500 < n_rejected < 2900
