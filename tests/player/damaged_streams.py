"""Damage to mjai streams: lost, repeated, swapped, cut, changed and foreign messages.

A judge (`tests.player.answer_judge`), which hears the messages that a table accepts, finds the
illegal answers of a bot. At its own draw the bot must act; out of step it must discard the drawn
tile.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

from houjuu.arena import selfplay
from houjuu.logs import mjai
from houjuu.player.bot import Bot
from houjuu.util.errors import Error
from tests import test_live_damage
from tests.player.answer_judge import Judge

Messages = list[dict[str, Any]]
Lines = list[str | bytes]

_FOREIGN: tuple[Any, ...] = (
    {"type": "chat", "actor": 1},
    {"type": "nukidora", "actor": 0, "pai": "N"},
    {"type": "hello"},
    {"type": "error", "message": "illegal"},
    {"type": "end_kyoku"},
    {"type": "end_game"},
    {"type": "ryukyoku"},
    {"type": "hora", "actor": 2, "target": 2},
    {"type": "dora", "dora_marker": "1m"},
    {"type": "reach", "actor": 0},
    {"type": "reach_accepted", "actor": 1},
    {"type": 7},
    {},
    [],
    None,
    7,
)
_TEXTS: Lines = [
    b"\xff\xfe",
    "{",
    "]",
    '"tsumo"',
    "NaN",
    "[" * 5000,
    "\ufeff{}",
    "null",
    "1" * 5000,
]


@cache
def rounds(seed: int) -> list[Messages]:
    """The rounds of a self-played game, each with ``start_game``."""
    game = list(mjai.messages(selfplay.play(seed)))
    starts = [n for n, message in enumerate(game) if message["type"] == "start_kyoku"]
    return [[game[0], *game[first:end]] for first, end in pairwise([*starts, len(game)])]


_KINDS = ("lost", "several lost", "repeated", "late copy", "swapped", "changed")
"""Of the kinds of `tests.test_live_damage` those that leave messages."""


def _damaged_at(stream: Messages, at: int, rng: Random) -> Messages:
    """The stream with one damaged place."""
    inside = 0 < at < len(stream) - 1
    match rng.choice((*_KINDS, "another", "other value") if inside else ("lost",)):
        case "another":
            return [*stream[:at], rng.choice(_FOREIGN), *stream[at:]]
        case "other value":  # one that another message could have
            key = rng.choice(list(stream[at]))
            values = [one[key] for one in stream if isinstance(one, dict) and key in one]
            return [*stream[:at], {**stream[at], key: rng.choice(values)}, *stream[at + 1 :]]
        case kind:
            return [message for _, message in test_live_damage.damaged(stream, kind, at, rng)]


def damaged(stream: Messages, rng: Random) -> Lines:
    """A stream with one or two damaged places, as lines of JSON, a few of them arrays or no JSON.

    Parameters
    ----------
    stream : list of dict
        Messages as the server sends them to one seat, from ``start_game`` on.
    rng : Random
    """
    for _ in range(rng.randint(1, 2)):
        at = rng.randrange(len(stream)) if stream else 0
        if stream and isinstance(stream[at], Mapping) and stream[at]:
            stream = _damaged_at(stream, at, rng)
    if not stream or rng.random() < 0.2:
        return _batched(stream, rng)
    lines: Lines = [json.dumps(message) for message in stream]
    at = rng.randrange(len(lines))
    if rng.random() < 0.1:
        lines[at] = rng.choice(_TEXTS)
    elif rng.random() < 0.1:
        lines[at] = lines[at][: rng.randrange(len(lines[at]))]
    return lines


def _batched(stream: Messages, rng: Random) -> Lines:
    """Arrays of several messages, as mjai.app sends them."""
    lines: Lines = []
    while stream:
        size = rng.randint(1, 6)
        lines.append(json.dumps(stream[:size]))
        stream = stream[size:]
    return lines


def judged(bot: Bot, lines: Lines) -> Iterator[tuple[str, str]]:
    """Yield the type of each answer and its fault, empty for a legal one."""
    judge = Judge(bot.live.seat)
    for line in lines:
        judge.hear(line)
        try:
            answer = json.loads(bot.react(line))
        except Error as error:  # the seat is unknown, which ends the command
            yield "no seat", "" if judge.seat is None else f"raises {error!r}"
            return
        except Exception as error:
            yield "exception", f"raises {error!r} at {line!r:.200}"
            return
        problem = judge.problem(answer)
        yield judge.kind(answer), f"{problem}: {answer!r:.120} at {line!r:.200}" if problem else ""
