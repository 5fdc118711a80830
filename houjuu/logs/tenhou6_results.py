"""The last entry of a tenhou.net/6 round: the winners, or the reason of a draw.

``["和了", [0,0,-7700,7700], [3,2,3,"30符4飜7700点","役牌 發(1飜)", …], …]`` has for each winner the
changes of the scores, then winner, source, liable seat (the winner if none), the text of the score,
and the yaku. ``["流局", [1500,-1500,1500,-1500]]`` and ``["九種九牌"]`` have no winner.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple
from unicodedata import normalize

from houjuu.game.events import DrawReason, PerSeat
from houjuu.game.limits import MAX_SCORE
from houjuu.game.yaku import named
from houjuu.logs import names
from houjuu.logs.tenhou6_lists import shorten
from houjuu.util.errors import LogError

_YAKU = re.compile(
    r"(.+)\((?:(\d{1,3})\s*(?:飜|翻|番|han)|[^()]*(?:役満|役满|yakuman))(?:\d{1,3}枚)?\)",
    re.ASCII | re.IGNORECASE,
)


class Winner(NamedTuple):
    """One winner, with the fields of `houjuu.game.events.Win`, and `unread` as in `RoundResult`."""

    seat: int
    source: int
    liable: int
    deltas: PerSeat
    fu: int | None
    points: int | None
    limit: int | None
    yaku: tuple[tuple[int, int], ...]
    yakuman: tuple[int, ...]
    unread: tuple[tuple[str, str], ...]


class RoundResult(NamedTuple):
    """The result of a round: winners, or the reason of a draw.

    `deltas` and `tenpai` are those of `houjuu.game.events.DrawnRound`. `unread` has kind and name
    of each unknown name: ``("yaku", "Foo")``.
    """

    winners: tuple[Winner, ...]
    reason: DrawReason | None = None
    deltas: PerSeat | None = None
    tenpai: tuple[bool | None, ...] = (None,) * 4
    unread: tuple[tuple[str, str], ...] = ()

    @property
    def by_ron(self) -> bool:
        """Whether the last discard was won on, so that its riichi is not paid."""
        won = any(winner.seat != winner.source for winner in self.winners)
        return won or self.reason is DrawReason.THREE_RON


def parse_result(entry: Any, round: int) -> RoundResult:
    """Parse the last entry of a round; raises LogError if it is malformed.

    Parameters
    ----------
    entry : JSON value
    round : int
        As in `houjuu.game.events.Deal`; names such as 役牌:自風牌 need it.
    """
    if not isinstance(entry, list) or not entry:
        raise LogError("has no result in its last entry")
    name = entry[0]
    if not isinstance(name, str):
        raise LogError("is not a result of a round", element=shorten(entry))
    if not names.is_win(name):
        return _parse_draw(name, entry)
    pairs = entry[1:]
    if not 2 <= len(pairs) <= 6 or len(pairs) % 2:
        raise LogError("must have one to three pairs of score changes and winner", element=name)
    by_winner = zip(pairs[::2], pairs[1::2], strict=True)
    winners = tuple(_parse_winner(changes, detail, round) for changes, detail in by_winner)
    unread = tuple(item for winner in winners for item in winner.unread)
    return RoundResult(winners, unread=unread)


def _parse_draw(name: str, entry: list[Any]) -> RoundResult:
    if len(entry) > 2:
        raise LogError("is not a result of a round", element=shorten(entry))
    deltas = four_numbers(entry[1]) if entry[1:] and entry[1] else None
    reason = names.draw_reason(name)
    if reason is None:
        return RoundResult((), None, deltas, unread=(("result", name),))
    ready = names.all_tenpai(name)
    if ready is None:
        return RoundResult((), reason, deltas)
    return RoundResult((), reason, deltas or (0, 0, 0, 0), (ready,) * 4)


def _parse_winner(changes: Any, detail: Any, round: int) -> Winner:
    if not isinstance(detail, list) or len(detail) < 2:
        raise LogError(
            "is not a winner: seat, source, liable seat, score and yaku", element=shorten(detail)
        )
    seats = [*detail[:3], detail[0]][:3]  # some programs write winner and source alone
    texts = detail[3:]
    if any(type(seat) is not int or seat not in range(4) for seat in seats):
        raise LogError("has a seat that is not 0 to 3", element=shorten(detail))
    if any(not isinstance(text, str) for text in texts):
        raise LogError("has a score or yaku that is not text", element=shorten(detail))
    seat, source, liable = seats
    score = _parse_score(texts[0] if texts else "")
    limits = () if score.unknown is None else (("limit", score.unknown),)
    yaku, yakuman, unknown = _parse_yaku(texts[1:], (seat - round) % 4, round // 4 % 4)
    return Winner(
        seat=seat,
        source=source,
        liable=liable,
        deltas=four_numbers(changes),
        fu=score.fu,
        points=score.points,
        limit=score.limit,
        yaku=yaku,
        yakuman=yakuman,
        unread=(*limits, *(("yaku", name) for name in unknown)),
    )


def _parse_score(text: str) -> names.Score:
    """The score of a hand; without any content if the text is empty, as other programs write it."""
    score = names.score(text) if text else names.Score()
    if score is None:
        raise LogError("is not the score of a hand", element=shorten(text))
    return score


def _parse_yaku(
    texts: list[str], seat_wind: int, round_wind: int
) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...], tuple[str, ...]]:
    """(Number, han) of each yaku, numbers of the yakuman, and unknown names."""
    yaku = []
    yakuman = []
    unknown = []
    for text in texts:
        match = _YAKU.fullmatch(normalize("NFKC", text).strip())
        if match is None:
            raise LogError("is not a yaku with its han, such as 立直(1飜)", element=shorten(text))
        entry = named(match[1], seat_wind, round_wind)
        if entry is None:
            unknown.append(match[1])
        elif match[2] is None:
            yakuman.append(entry.number)
        else:
            yaku.append((entry.number, int(match[2])))
    if unknown:
        return (), (), tuple(unknown)  # what is left out would be false
    return tuple(yaku), tuple(yakuman), ()


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
