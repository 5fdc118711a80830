"""Damaged streams: only our errors, and no wrong table in step.

Most damage is noticed at once: a turn out of order, a tile that is not in the hand, a missing
field. The rules show some damage only later, and some never:

- a lost ``daiminkan`` of the next seat: at the dora indicator that belongs to it;
- a lost ``dora``: at the draw or call after the next discard: servers turn it over by then;
- a lost draw after a kan: at the discard, because the dora indicator may come first;
- a lost ``reach``: at ``reach_accepted``, or never if the discard wins or the stick is lost too;
- several messages lost in a row that are whole turns of all four seats: at the own next discard of
  a tile that was never drawn, or at the end of the wall;
- another legal value in a message, such as the kind of another seat's discard: mostly never.
"""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

import pytest

pytest.importorskip("riichienv", reason="it plays the games")

from houjuu.game.table import View
from houjuu.game.tiles import MJAI_NAMES
from houjuu.live.live import Live
from houjuu.util.errors import Error
from tests.kit.dialects import DIALECTS, Stream, hanchan
from tests.kit.live_truth import differences, views_after_messages

GAMES = 4
LATE = {
    "daiminkan": 4,
    "dora": 6,
    "reach": 2,
    "tsumo": 1,
}  # most messages until the loss is noticed
STREAMS = 60  # unit: streams of each kind of damage
FOLLOWED = 120  # unit: messages compared after the damage
VALUES: list[Any] = [
    *MJAI_NAMES,
    "5mr",
    "?",
    "",
    None,
    [],
    {},
    "x",
    -1,
    0,
    1,
    2,
    3,
    4,
    1.5,
    10**9,
    True,
]
Part = tuple[int | None, Any]


@cache
def original(name: str, seed: int, seat: int) -> tuple[Stream, list[View | None]]:
    """A stream, and the true view after each of its messages."""
    stream = DIALECTS[name](hanchan(seed)[1][seat], seat)
    return stream, views_after_messages(stream, seat)


def damaged(stream: Stream, kind: str, start: int, choose: random.Random) -> list[Part]:
    """The messages with their index in the whole stream; None for one that is added."""
    parts: list[Part] = [*enumerate(stream)]
    match kind:
        case "lost":
            del parts[start]
        case "several lost":
            del parts[start : start + choose.randrange(2, 12)]
        case "repeated":
            parts.insert(start, (None, stream[start]))
        case "late copy":
            parts.insert(start, (None, stream[choose.randrange(max(0, start - 30), start)]))
        case "swapped":
            parts[start : start + 2] = [(None, stream[start + 1]), (None, stream[start])]
        case "cut":
            parts[start] = (None, json.dumps(stream[start])[:-1])
        case "restart":
            del parts[1:start]
        case "changed":
            parts[start] = (start, changed(stream[start], choose))
    return parts


def changed(message: dict[str, Any], choose: random.Random) -> dict[str, Any]:
    key = choose.choice([*message])
    if choose.random() < 0.2:
        return {other: message[other] for other in message if other != key}
    if isinstance(message[key], list) and choose.random() < 0.5:
        return message | {key: [*message[key][:-1], choose.choice(VALUES)]}
    return message | {key: choose.choice([*VALUES, message[key], "tsumo", "dahai", "pon", "hora"])}


def check(kind: str, name: str, choose: random.Random) -> None:
    seat = choose.randrange(4)
    stream, truths = original(name, choose.randrange(GAMES), seat)
    start = choose.randrange(1, len(stream) - 2)
    live, wrong = Live(seat), 0
    for index, message in damaged(stream, kind, start, choose):
        try:
            live.hear(message)
        except Error:
            assert not live.in_step
        if kind in ("changed", "several lost") or index is None:
            continue
        if start <= index < start + FOLLOWED and live.in_step:
            view = live.view if live.table.round_state.is_played else None
            truth = truths[index]
            wrong += view is not None and truth is not None and bool(differences(view, truth))
    limit = LATE.get(stream[start]["type"], 0) if kind == "lost" else 0
    assert wrong <= limit, (kind, name, start, stream[start])
    begins = [index for index, message in enumerate(stream) if message["type"] == "start_kyoku"]
    if kind != "changed" and len(begins) > 1 and start < begins[-2]:
        assert live.in_step, live.problem
        assert truths[-1] is not None
        assert not differences(live.view, truths[-1])


KINDS = ("lost", "several lost", "repeated", "late copy", "swapped", "cut", "restart", "changed")


@pytest.mark.deep
@pytest.mark.parametrize("kind", KINDS)
def test_damaged_streams(kind: str) -> None:
    """In step, the view is that of the whole stream; later rounds are in step again."""
    for number in range(STREAMS):
        choose = random.Random(f"{kind} {number}")
        check(kind, choose.choice([*DIALECTS]), choose)
