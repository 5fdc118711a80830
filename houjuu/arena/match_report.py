"""The tables of matches: ranks and rates, yaku, and rounds where another seat was first in riichi.

The rows are those of 小林聡's tables. Intervals have 95% and count a deal once.
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

from houjuu.arena.seat_rounds import Outcome, SeatRound
from houjuu.arena.statistics import SeatGame
from houjuu.intervals import clustered_difference, clustered_mean
from houjuu.yaku import AKADORA, DORA, URADORA, YAKU

ByPlayer = Mapping[str, Sequence[SeatGame]]
"""The records of players, by the name in the head of the table."""

Sample = tuple[Sequence[float], Sequence[int]]
"""Numbers, and the deal of each."""

_MIN_SHARE = 0.005  # of the wins, for a yaku to be listed
_DORA = {DORA, URADORA, AKADORA}


@dataclass(frozen=True)
class TextTable:
    """A table of texts; the first column contains the names of the rows."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def text(self) -> str:
        """Aligned columns under the title."""
        rows = [self.head, *self.rows]
        widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
        return "\n".join([self.title, "", *(_aligned(row, widths) for row in rows)])

    def csv(self) -> str:
        """Comma-separated values; the first line is the title."""
        file = io.StringIO()
        csv.writer(file, lineterminator="\n").writerows([[self.title], self.head, *self.rows])
        return file.getvalue()

    def markdown(self) -> str:
        """A table of Markdown, without the title."""
        lines = [self.head, ("---",) * len(self.head), *self.rows]
        return "\n".join("| " + " | ".join(line) + " |" for line in lines)

    def html(self) -> str:
        """A table element."""
        head, *rows = (
            "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row) + "</tr>"
            for tag, row in [("th", self.head), *(("td", row) for row in self.rows)]
        )
        caption = f"<caption>{escape(self.title)}</caption>"
        return f"<table>{caption}<thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"


def _width(text: str) -> int:
    return sum(1 + (east_asian_width(letter) in "WF") for letter in text)


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = (
        (cell, " " * (width - _width(cell))) for cell, width in zip(row, widths, strict=True)
    )
    return "".join([*first, *("  " + gap + cell for cell, gap in rest)]).rstrip()


def results(players: ByPlayer) -> TextTable:
    """Ranks of games, and rates of rounds."""
    by_game: dict[str, Callable[[SeatGame], float]] = {
        **{f"rank {rank}": partial(_has_rank, rank) for rank in range(1, 5)},
        "average rank": lambda game: game.rank,
    }
    by_round: dict[str, Callable[[SeatRound], float]] = {
        "wins": lambda seat: seat.outcome is Outcome.WIN,
        "deals in": lambda seat: seat.outcome is Outcome.DEAL_IN,
        "riichi": lambda seat: seat.riichi,
        "calls": lambda seat: seat.called,
    }
    return _table(
        "Results",
        players,
        {
            "games": lambda games: f"{len(games):,}",
            **{name: partial(_mean, _game_sample, value) for name, value in by_game.items()},
            "rounds": lambda games: f"{len(_rounds(games)[0]):,}",
            **{name: partial(_mean, _round_sample, value) for name, value in by_round.items()},
            "average win": lambda games: _points(
                _round_sample(games, lambda seat: seat.points, _won)
            ),
        },
    )


def yaku(players: ByPlayer) -> TextTable:
    """The share of wins with each yaku, and the mean number of dora; rare yaku are left out."""
    counts = {name: _yaku(games) for name, games in players.items()}
    wins = {name: max(sum(map(_won, _rounds(games)[0])), 1) for name, games in players.items()}
    listed = [
        number
        for number in range(len(YAKU))
        if any(counts[name][number] >= _MIN_SHARE * wins[name] for name in players)
    ]
    rows = [
        (YAKU[number].japanese, *(f"{counts[name][number] / wins[name]:.2%}" for name in players))
        for number in listed
    ]
    return TextTable("Yaku, of all wins", ("", *players), tuple(rows))


def behind(players: ByPlayer) -> TextTable:
    """Rounds in which another seat was first in riichi: shares of outcomes and average points."""
    rows: dict[str, Callable[[Sequence[SeatGame]], str]] = {}
    for outcome in Outcome:
        rows[f"{outcome}, share"] = partial(_share_behind, outcome)
        rows[f"{outcome}, points"] = partial(_points_behind, outcome)
    rows["all, points"] = lambda games: _points(balance_behind(games))
    return _table("Another seat was first in riichi", players, rows)


def beside_first(players: ByPlayer) -> TextTable:
    """Rounds in which another seat was first in riichi, in the form of 小林聡's articles.

    A row has the share and the average points of an outcome; the last rows compare each player with
    the first one, by deal and by round (`against`, `paired_by_round`).
    """
    (first_name, first), *_ = players.items()
    rows: dict[str, Callable[[Sequence[SeatGame]], str]] = {}
    for outcome in Outcome:
        rows[f"{outcome}, share and points"] = partial(_share_and_points, outcome)
    rows["all, points"] = lambda games: _points(balance_behind(games))
    table = _table("Another seat was first in riichi", players, rows)
    others = [games for name, games in players.items() if name != first_name]
    by_deal = [against(games, first, "").rows[1][1] for games in others]
    by_round = [paired_by_round(games, first, "").rows for games in others]
    compared = (
        (f"… minus {first_name}, paired by deal", "", *by_deal),
        ("… paired by round", "", *(points for *_, (_, points) in by_round)),
        ("rounds that differ", "", *(f"{n} of {pairs}" for (_, pairs), (_, n), _ in by_round)),
    )
    return TextTable(table.title, table.head, (*table.rows, *compared))


def _share_and_points(outcome: Outcome, games: Sequence[SeatGame]) -> str:
    share, _ = _share_behind(outcome, games).split(" ± ")
    points, _ = _points_behind(outcome, games).split(" ± ")
    return f"{share} {points}".replace("-", "−")


def balance_behind(games: Sequence[SeatGame]) -> Sample:
    """Points won or lost in every round in which another seat was first in riichi."""
    return _round_sample(games, lambda seat: seat.balance, lambda seat: seat.behind)


def against(ours: Sequence[SeatGame], theirs: Sequence[SeatGame], name: str) -> TextTable:
    """Differences between the first players of two line-ups on the same deals, paired by deal."""
    ours, theirs = ([game for game in games if not game.position] for games in (ours, theirs))
    samples = {
        "average rank": [_game_sample(games, lambda game: game.rank) for games in (ours, theirs)],
        "points, another first in riichi": [balance_behind(games) for games in (ours, theirs)],
    }
    rows = []
    for row, (our_sample, their_sample) in samples.items():
        difference, half = clustered_difference(*our_sample, *their_sample)
        digits = 3 if "rank" in row else 0
        rows.append((row, f"{difference:+,.{digits}f} ± {half:,.{digits}f}"))
    return TextTable("Paired by deal", ("", name), tuple(rows))


def paired_by_round(ours: Sequence[SeatGame], theirs: Sequence[SeatGame], name: str) -> TextTable:
    """Difference of the points of rounds with another seat first in riichi, paired by round.

    Two rounds are a pair if their wall, seats, honba and riichi sticks are the same. Most pairs do
    not differ where two players differ in one number: the number that do is the effective sample.
    Rounds with another dealer or other sticks, after a difference, have no pair and are left out.
    """
    first, second = _first_players_rounds(ours), _first_players_rounds(theirs)
    both = [
        (first[key], second[key], key[0])
        for key in first.keys() & second.keys()
        if first[key].behind or second[key].behind
    ]
    differences = [own.balance - other.balance for own, other, _ in both]
    differ = sum((own.outcome, own.balance) != (o.outcome, o.balance) for own, o, _ in both)
    mean, half = clustered_mean(differences, [deal for *_, deal in both])
    rows = (
        ("pairs, another first in riichi", f"{len(both):,}"),
        ("pairs that differ", f"{differ:,}"),
        ("points", f"{mean:+,.1f} ± {half:,.1f}"),
    )
    return TextTable("Paired by round", ("", name), rows)


def _first_players_rounds(
    games: Sequence[SeatGame],
) -> dict[tuple[int, int, int, tuple[int, int, int]], SeatRound]:
    """The rounds of the first player of the line-up, by deal, rotation, number and start."""
    return {
        (game.deal, game.rotation, number, seat.start): seat
        for game in games
        if not game.position
        for number, seat in enumerate(game.rounds)
    }


def _table(
    title: str, players: ByPlayer, rows: Mapping[str, Callable[[Sequence[SeatGame]], str]]
) -> TextTable:
    cells = tuple(
        (name, *(cell(games) for games in players.values())) for name, cell in rows.items()
    )
    return TextTable(title, ("", *players), cells)


def _rounds(games: Sequence[SeatGame]) -> tuple[list[SeatRound], list[int]]:
    """All rounds, and the deal of each."""
    pairs = [(seat, game.deal) for game in games for seat in game.rounds]
    return [seat for seat, _ in pairs], [deal for _, deal in pairs]


def _round_sample(
    games: Sequence[SeatGame],
    value: Callable[[SeatRound], float],
    where: Callable[[SeatRound], bool] = lambda seat: True,
) -> Sample:
    pairs = [(value(seat), deal) for seat, deal in zip(*_rounds(games), strict=True) if where(seat)]
    return [number for number, _ in pairs], [deal for _, deal in pairs]


def _game_sample(games: Sequence[SeatGame], value: Callable[[SeatGame], float]) -> Sample:
    return [value(game) for game in games], [game.deal for game in games]


def _mean(
    sample: Callable[..., Sample], value: Callable[..., float], games: Sequence[SeatGame]
) -> str:
    mean, half = clustered_mean(*sample(games, value))
    return f"{mean:.3f} ± {half:.3f}"


def _points(sample: Sample) -> str:
    mean, half = clustered_mean(*sample)
    return f"{mean:,.0f} ± {half:,.0f}"


def _share_behind(outcome: Outcome, games: Sequence[SeatGame]) -> str:
    sample = _round_sample(games, lambda seat: seat.outcome is outcome, lambda seat: seat.behind)
    mean, half = clustered_mean(*sample)
    return f"{mean:.1%} ± {half:.1%}"


def _points_behind(outcome: Outcome, games: Sequence[SeatGame]) -> str:
    where = partial(_behind_and, outcome)
    return _points(_round_sample(games, lambda seat: seat.balance, where))


def _behind_and(outcome: Outcome, seat: SeatRound) -> bool:
    return seat.behind and seat.outcome is outcome


def _has_rank(rank: int, game: SeatGame) -> bool:
    return game.rank == rank


def _won(seat: SeatRound) -> bool:
    return seat.outcome is Outcome.WIN


def _yaku(games: Sequence[SeatGame]) -> Counter[int]:
    """The number of wins with each yaku; the total number of tiles for each type of dora."""
    counts: Counter[int] = Counter()
    for seat in _rounds(games)[0]:
        for number, han in seat.yaku:
            counts[number] += han if number in _DORA else 1
    return counts
