"""The tables of matches: ranks and rates, yaku, and rounds where another seat was first in riichi.

The lines are those of 小林聡's tables. An interval is one of 95%, in which a deal counts once.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from unicodedata import east_asian_width

from houjuu.arena.statistics import Outcome, Played, Sample, Seat, difference, mean
from houjuu.yaku import AKADORA, DORA, URADORA, YAKU

Players = Mapping[str, Sequence[Played]]
"""What each player did, by a name to put above it."""

_LEAST = 0.005  # of the wins, that a yaku is told
_DORA = {DORA, URADORA, AKADORA}


@dataclass(frozen=True)
class Table:
    """A table of texts; the first column names the line."""

    title: str
    head: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]

    def text(self) -> str:
        """Aligned columns under the title."""
        rows = [self.head, *self.lines]
        widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
        return "\n".join([self.title, "", *(_aligned(row, widths) for row in rows)])

    def csv(self) -> str:
        """Comma-separated values; the title stands in the first line."""
        file = io.StringIO()
        csv.writer(file, lineterminator="\n").writerows([[self.title], self.head, *self.lines])
        return file.getvalue()

    def html(self) -> str:
        """A table element."""
        head, *lines = (
            "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row) + "</tr>"
            for tag, row in [("th", self.head), *(("td", line) for line in self.lines)]
        )
        caption = f"<caption>{escape(self.title)}</caption>"
        return f"<table>{caption}<thead>{head}</thead><tbody>{''.join(lines)}</tbody></table>"


def _width(text: str) -> int:
    return sum(1 + (east_asian_width(letter) in "WF") for letter in text)


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = (
        (cell, " " * (width - _width(cell))) for cell, width in zip(row, widths, strict=True)
    )
    return "".join([*first, *("  " + gap + cell for cell, gap in rest)]).rstrip()


def results(players: Players) -> Table:
    """Ranks of games, and rates of rounds."""
    by_game: dict[str, Callable[[Played], float]] = {
        **{f"rank {rank}": partial(_has_rank, rank) for rank in range(1, 5)},
        "average rank": lambda played: played.rank,
    }
    by_round: dict[str, Callable[[Seat], float]] = {
        "wins": lambda seat: seat.outcome is Outcome.WIN,
        "deals in": lambda seat: seat.outcome is Outcome.DEAL_IN,
        "riichi": lambda seat: seat.riichi,
        "calls": lambda seat: seat.called,
    }
    return _table(
        "Results",
        players,
        {
            "games": lambda of: f"{len(of):,}",
            **{name: partial(_told, _of_games, what) for name, what in by_game.items()},
            "rounds": lambda of: f"{len(_rounds(of)[0]):,}",
            **{name: partial(_told, _of_rounds, what) for name, what in by_round.items()},
            "average win": lambda of: _points(_of_rounds(of, lambda seat: seat.points, _won)),
        },
    )


def yaku(players: Players) -> Table:
    """How often each yaku occurs in a win; dora by their number. The rare ones are left out."""
    counts = {name: _yaku(of) for name, of in players.items()}
    wins = {name: max(sum(map(_won, _rounds(of)[0])), 1) for name, of in players.items()}
    shown = [
        number
        for number in range(len(YAKU))
        if any(counts[name][number] >= _LEAST * wins[name] for name in players)
    ]
    lines = [
        (YAKU[number].japanese, *(f"{counts[name][number] / wins[name]:.2%}" for name in players))
        for number in shown
    ]
    return Table("Yaku, of all wins", ("", *players), tuple(lines))


def behind(players: Players) -> Table:
    """Rounds in which another seat was first in riichi: shares of outcomes and average points."""
    lines: dict[str, Callable[[Sequence[Played]], str]] = {}
    for outcome in Outcome:
        lines[f"{outcome}, share"] = partial(_share_behind, outcome)
        lines[f"{outcome}, points"] = partial(_points_behind, outcome)
    lines["all, points"] = lambda of: _points(balance_behind(of))
    return _table("Another seat was first in riichi", players, lines)


def balance_behind(of: Sequence[Played]) -> Sample:
    """Points won or lost in every round in which another seat was first in riichi."""
    return _of_rounds(of, lambda seat: seat.balance, lambda seat: seat.behind)


def against(ours: Sequence[Played], theirs: Sequence[Played], name: str) -> Table:
    """By how much the first of a line-up exceeds that of another on the same deals, by deal."""
    ours, theirs = ([played for played in of if played.place == 0] for of in (ours, theirs))
    samples = {
        "average rank": [_of_games(of, lambda played: played.rank) for of in (ours, theirs)],
        "points, another first in riichi": [balance_behind(of) for of in (ours, theirs)],
    }
    lines = []
    for line, (a, b) in samples.items():
        apart, half = difference(a, b)
        digits = 3 if "rank" in line else 0
        lines.append((line, f"{apart:+,.{digits}f} ± {half:,.{digits}f}"))
    return Table("Paired by deal", ("", name), tuple(lines))


def _table(
    title: str, players: Players, lines: Mapping[str, Callable[[Sequence[Played]], str]]
) -> Table:
    told = tuple((name, *(tell(of) for of in players.values())) for name, tell in lines.items())
    return Table(title, ("", *players), told)


def _rounds(of: Sequence[Played]) -> tuple[list[Seat], list[int]]:
    """All rounds, and the deal of each."""
    pairs = [(seat, played.deal) for played in of for seat in played.rounds]
    return [seat for seat, _ in pairs], [deal for _, deal in pairs]


def _of_rounds(
    of: Sequence[Played],
    what: Callable[[Seat], float],
    where: Callable[[Seat], bool] = lambda seat: True,
) -> Sample:
    pairs = [(what(seat), deal) for seat, deal in zip(*_rounds(of), strict=True) if where(seat)]
    return [number for number, _ in pairs], [deal for _, deal in pairs]


def _of_games(of: Sequence[Played], what: Callable[[Played], float]) -> Sample:
    return [what(played) for played in of], [played.deal for played in of]


def _told(sample: Callable[..., Sample], what: Callable[..., float], of: Sequence[Played]) -> str:
    middle, half = mean(sample(of, what))
    return f"{middle:.3f} ± {half:.3f}"


def _points(sample: Sample) -> str:
    middle, half = mean(sample)
    return f"{middle:,.0f} ± {half:,.0f}"


def _share_behind(outcome: Outcome, of: Sequence[Played]) -> str:
    ended = _of_rounds(of, lambda seat: seat.outcome is outcome, lambda seat: seat.behind)
    middle, half = mean(ended)
    return f"{middle:.1%} ± {half:.1%}"


def _points_behind(outcome: Outcome, of: Sequence[Played]) -> str:
    where = partial(_behind_and, outcome)
    return _points(_of_rounds(of, lambda seat: seat.balance, where))


def _behind_and(outcome: Outcome, seat: Seat) -> bool:
    return seat.behind and seat.outcome is outcome


def _has_rank(rank: int, played: Played) -> bool:
    return played.rank == rank


def _won(seat: Seat) -> bool:
    return seat.outcome is Outcome.WIN


def _yaku(of: Sequence[Played]) -> Counter[int]:
    found: Counter[int] = Counter()
    for seat in _rounds(of)[0]:
        for number, han in seat.yaku:
            found[number] += han if number in _DORA else 1
    return found
