"""The last entry of a tenhou.net/6 round: the winners, or the reason of a draw.

``["和了", [0,0,-7700,7700], [3,2,3,"30符4飜7700点","役牌 發(1飜)", …], …]`` has for each winner the
changes of the scores, then winner, source, liable seat (the winner if none), the text of the score,
and the yaku. ``["流局", [1500,-1500,1500,-1500]]`` and ``["九種九牌"]`` have no winner.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from houjuu.game.events import DrawReason, PerSeat
from houjuu.game.limits import MAX_SCORE
from houjuu.game.yaku import by_japanese
from houjuu.logs.tenhou6_lists import shorten
from houjuu.util.errors import Error, LogError

_WIN = "和了"
_ALL_TENPAI = "全員聴牌"
_NONE_TENPAI = "全員不聴"
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
    """One winner; the fields are those of `houjuu.game.events.Win`."""

    seat: int
    source: int
    liable: int
    deltas: PerSeat
    fu: int | None
    points: int | None
    limit: int | None
    yaku: tuple[tuple[int, int], ...]
    yakuman: tuple[int, ...]


class RoundResult(NamedTuple):
    """The result of a round: winners, or the reason of a draw.

    `deltas` and `tenpai` are those of `houjuu.game.events.DrawnRound`.
    """

    winners: tuple[Winner, ...]
    reason: DrawReason | None = None
    deltas: PerSeat | None = None
    tenpai: tuple[bool | None, ...] = (None,) * 4

    @property
    def by_ron(self) -> bool:
        """Whether the last discard was won on, so that its riichi is not paid."""
        won = any(winner.seat != winner.source for winner in self.winners)
        return won or self.reason is DrawReason.THREE_RON


def parse_result(entry: Any) -> RoundResult:
    """Parse the last entry of a round; raises LogError if it is malformed."""
    if not isinstance(entry, list) or not entry:
        raise LogError("has no result in its last entry")
    if entry[0] != _WIN:
        return _parse_draw(entry)
    pairs = entry[1:]
    if not 2 <= len(pairs) <= 6 or len(pairs) % 2:
        raise LogError("must have one to three pairs of score changes and winner", element=_WIN)
    by_winner = zip(pairs[::2], pairs[1::2], strict=True)
    winners = tuple(_parse_winner(changes, detail) for changes, detail in by_winner)
    return RoundResult(winners)


def _parse_draw(entry: list[Any]) -> RoundResult:
    tag = entry[0]
    reason = _REASONS.get(tag) if isinstance(tag, str) else None
    if reason is None or len(entry) > 2:
        raise LogError("is not a result of a round", element=shorten(entry))
    deltas = four_numbers(entry[1]) if entry[1:] and entry[1] else None
    if tag in (_ALL_TENPAI, _NONE_TENPAI):
        return RoundResult((), reason, deltas or (0, 0, 0, 0), (tag == _ALL_TENPAI,) * 4)
    return RoundResult((), reason, deltas)


def _parse_winner(changes: Any, detail: Any) -> Winner:
    if not isinstance(detail, list) or len(detail) < 3:
        raise LogError(
            "is not a winner: seat, source, liable seat, score and yaku", element=shorten(detail)
        )
    seats = detail[:3]
    names = detail[4:]
    score = detail[3] if len(detail) > 3 else ""
    if any(type(seat) is not int or seat not in range(4) for seat in seats):
        raise LogError("has a seat that is not 0 to 3", element=shorten(detail))
    if any(not isinstance(text, str) for text in (score, *names)):
        raise LogError("has a score or yaku that is not text", element=shorten(detail))
    seat, source, liable = seats
    deltas = four_numbers(changes)
    yaku, yakuman = _parse_yaku(names)
    fu = _FU.search(score)
    return Winner(
        seat=seat,
        source=source,
        liable=liable,
        deltas=deltas,
        fu=int(fu[1]) if fu else None,
        points=_parse_points(score),
        limit=next((limit for name, limit in _LIMITS if name in score), 0 if fu else None),
        yaku=yaku,
        yakuman=yakuman,
    )


def _parse_points(score: str) -> int | None:
    """Total points of a hand: "2000-4000点" is twice the first payment plus the second.

    None if the text is empty, as other programs write it.
    """
    match = _POINTS.search(score)
    if match is None:
        if score:
            raise LogError("is not the score of a hand", element=shorten(score))
        return None
    first, second, everyone = match.groups()
    if second is not None:
        return 2 * int(first) + int(second)
    return int(first) * (3 if everyone else 1)


def _parse_yaku(names: list[str]) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    """(Number, han) of each yaku, and numbers of the yakuman; unknown names are ignored."""
    yaku = []
    yakuman = []
    for name in names:
        match = _YAKU.fullmatch(name)
        if match is None:
            raise LogError("is not a yaku with its han, such as 立直(1飜)", element=shorten(name))
        try:
            number = by_japanese(match[1]).number
        except Error:
            continue  # other sites export names in other languages
        if match[2] is None:
            yakuman.append(number)
        else:
            yaku.append((number, int(match[2])))
    return tuple(yaku), tuple(yakuman)


def four_numbers(numbers: Any) -> PerSeat:
    """Check a list of four numbers of points; raises LogError if it is anything else."""
    if not are_integers(numbers, 4):
        raise LogError("is not a list of four integers", element=shorten(numbers))
    first, second, third, fourth = numbers
    return first, second, third, fourth


def are_integers(numbers: Any, count: int) -> bool:
    """Whether `numbers` is a list of `count` integers that may be points."""
    if not isinstance(numbers, list) or len(numbers) != count:
        return False
    return all(type(number) is int and abs(number) <= MAX_SCORE for number in numbers)
