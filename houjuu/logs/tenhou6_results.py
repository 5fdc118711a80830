"""The last entry of a tenhou.net/6 round: who won what, or why nobody did.

``["和了", [0,0,-7700,7700], [3,2,3,"30符4飜7700点","役牌 發(1飜)", …], …]``: for every winner the
changes of the scores, then winner, source, who is liable (the winner again if nobody), the worth
and the yaku. ``["流局", [1500,-1500,1500,-1500]]``, ``["九種九牌"]`` and the like end a round
without a winner.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from houjuu.errors import Error, LogError
from houjuu.events import DrawReason, Four
from houjuu.logs.tenhou6_lists import clipped
from houjuu.yaku import by_japanese

MAX_NUMBER = 10_000_000  # unit: points; nothing in a game comes near it
_WIN = "和了"
_ALL_TENPAI, _NONE_TENPAI = "全員聴牌", "全員不聴"
_REASONS = {
    "流局": DrawReason.EXHAUSTED,
    _ALL_TENPAI: DrawReason.EXHAUSTED,
    _NONE_TENPAI: DrawReason.EXHAUSTED,
    "流し満貫": DrawReason.NAGASHI_MANGAN,
    "九種九牌": DrawReason.NINE_TERMINALS,
    "四風連打": DrawReason.FOUR_WINDS,
    "四家立直": DrawReason.FOUR_RIICHI,
    "三家和了": DrawReason.THREE_RON,
    "三家和": DrawReason.THREE_RON,
    "四槓散了": DrawReason.FOUR_KANS,
    "四開槓": DrawReason.FOUR_KANS,
}
_LIMITS = (("役満", 5), ("三倍満", 4), ("倍満", 3), ("跳満", 2), ("満貫", 1))
_FU = re.compile(r"(\d{1,3})符", re.ASCII)
_POINTS = re.compile(r"(\d{1,7})(?:-(\d{1,7}))?点(∀)?", re.ASCII)
_YAKU = re.compile(r"(.+)\((?:(\d{1,3})飜|役満)(?:\d{1,3}枚)?\)", re.ASCII)


class Winner(NamedTuple):
    """One winner; the fields are those of `houjuu.events.Win`."""

    seat: int
    source: int
    liable: int | None
    deltas: Four
    fu: int
    points: int
    limit: int
    yaku: tuple[tuple[int, int], ...]
    yakuman: tuple[int, ...]


class Result(NamedTuple):
    """How a round ended: with winners, or for a reason.

    `tenpai` has the seats that showed a tenpai hand at the end of the wall, as far as the changes
    of the scores tell.
    """

    winners: tuple[Winner, ...]
    reason: DrawReason | None
    deltas: Four
    tenpai: tuple[int, ...]

    @property
    def by_ron(self) -> bool:
        """Whether the last discard was won on, so that a riichi declared with it is not paid."""
        won = any(winner.seat != winner.source for winner in self.winners)
        return won or self.reason is DrawReason.THREE_RON


def result(entry: Any) -> Result:
    """Read the entry; raises LogError when it is none."""
    if not isinstance(entry, list) or not entry:
        raise LogError("a round has no result")
    if entry[0] != _WIN:
        return _drawn(entry)
    pairs = entry[1:]
    if not 2 <= len(pairs) <= 6 or len(pairs) % 2:
        raise LogError("must have one to three pairs of changes and winner", element=_WIN)
    found = zip(pairs[::2], pairs[1::2], strict=True)
    winners = tuple(_winner(changes, detail) for changes, detail in found)
    return Result(winners, None, (0, 0, 0, 0), ())


def _drawn(entry: list[Any]) -> Result:
    tag = entry[0]
    reason = _REASONS.get(tag) if isinstance(tag, str) else None
    if reason is None or len(entry) > 2:
        raise LogError("is no result of a round", element=clipped(entry))
    deltas = four(entry[1]) if entry[1:] and entry[1] else (0, 0, 0, 0)
    tenpai: tuple[int, ...] = ()
    if tag == _ALL_TENPAI:
        tenpai = (0, 1, 2, 3)
    elif reason is DrawReason.EXHAUSTED:
        tenpai = tuple(seat for seat, delta in enumerate(deltas) if delta > 0)
    return Result((), reason, deltas, tenpai)


def _winner(changes: Any, detail: Any) -> Winner:
    if not isinstance(detail, list) or len(detail) < 3:
        raise LogError("is no winner", element=clipped(detail))
    seats, names = detail[:3], detail[4:]
    worth = detail[3] if len(detail) > 3 else ""
    if any(type(seat) is not int or seat not in range(4) for seat in seats):
        raise LogError("names a seat that there is not", element=clipped(detail))
    if any(not isinstance(text, str) for text in (worth, *names)):
        raise LogError("has a worth or yaku that is no text", element=clipped(detail))
    seat, source, liable = seats
    deltas = four(changes)
    yaku, yakuman = _yaku(names)
    fu = _FU.search(worth)
    return Winner(
        seat=seat,
        source=source,
        liable=None if liable == seat else liable,
        deltas=deltas,
        fu=int(fu[1]) if fu else 0,
        points=_points(worth),
        limit=next((limit for name, limit in _LIMITS if name in worth), 0),
        yaku=yaku,
        yakuman=yakuman,
    )


def _points(worth: str) -> int:
    """The worth of a hand in all: "2000-4000点" are two payments of the first and one of the other.

    0 when the text is empty, as other programs leave it.
    """
    match = _POINTS.search(worth)
    if match is None:
        if worth:
            raise LogError("is no worth of a hand", element=clipped(worth))
        return 0
    first, second, everyone = match.groups()
    if second is not None:
        return 2 * int(first) + int(second)
    return int(first) * (3 if everyone else 1)


def _yaku(names: list[str]) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    """(Number, han) of every yaku, and the numbers of yakuman; names not of Tenhou's are let be."""
    yaku, yakuman = [], []
    for name in names:
        match = _YAKU.fullmatch(name)
        if match is None:
            raise LogError("is no yaku with its han", element=clipped(name))
        try:
            number = by_japanese(match[1]).number
        except Error:
            continue  # other sites export the format with names in other languages
        if match[2] is None:
            yakuman.append(number)
        else:
            yaku.append((number, int(match[2])))
    return tuple(yaku), tuple(yakuman)


def four(numbers: Any) -> Four:
    """Four whole numbers of a sane size; raises LogError when they are not."""
    if not whole_numbers(numbers, 4):
        raise LogError("are not four whole numbers", element=clipped(numbers))
    first, second, third, fourth = numbers
    return first, second, third, fourth


def whole_numbers(numbers: Any, count: int) -> bool:
    """Whether it is a list of so many whole numbers of a sane size."""
    if not isinstance(numbers, list) or len(numbers) != count:
        return False
    return all(type(number) is int and abs(number) < MAX_NUMBER for number in numbers)
