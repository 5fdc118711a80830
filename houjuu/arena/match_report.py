"""The tables of matches: ranks and rates, yaku, and rounds where another seat was first in riichi.

The rows are those of 小林聡's tables. Intervals have 95% and count a deal once. ``language`` is
one of `houjuu.util.languages.LANGUAGES`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil, isnan
from pathlib import Path
from statistics import fmean
from typing import NamedTuple
from urllib.parse import quote

from houjuu.arena.matches import (
    ANSWERS_FILE,
    Match,
    answers,
    deal_and_rotation,
    play_matches,
    read_match,
    title,
)
from houjuu.game.events import SEATS, Game
from houjuu.game.yaku import ALL_DORA, YAKU
from houjuu.player.foreign import AnswerRecord, absence, is_foreign
from houjuu.player.names import short
from houjuu.scoring.seat_rounds import SeatResult, SeatRound, order, seat_rounds
from houjuu.util.csv_text import csv_text
from houjuu.util.errors import Error
from houjuu.util.intervals import clustered_difference, clustered_mean, with_interval
from houjuu.util.languages import DEFAULT, Catalogue, translate
from houjuu.util.languages.width import left, right, width
from houjuu.util.names import shown_name


@dataclass(frozen=True)
class TextTable:
    """A table of texts; the first column contains the names of the rows."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def text(self) -> str:
        """Aligned columns under the title."""
        rows = [self.head, *self.rows]
        widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
        return "\n".join([self.title, "", *(_aligned(row, widths) for row in rows)])

    def csv(self) -> str:
        """Comma-separated values; the first line is the title."""
        return csv_text([[self.title], self.head, *self.rows])


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = zip(row, widths, strict=True)
    return "  ".join([left(*first), *(right(*cell) for cell in rest)]).rstrip()


@dataclass(frozen=True, slots=True)
class SeatGame:
    """The record of a player in a seat of a game.

    Attributes
    ----------
    deal : int
    position : int
        Position in the line-up, 0–3.
    rank : int
        1–4.
    rounds : tuple of SeatRound
    rotation : int
        By how many seats the line-up was rotated, 0–3.
    answers : AnswerRecord or None
        Of a player that others wrote.
    """

    deal: int
    position: int
    rank: int
    rounds: tuple[SeatRound, ...]
    rotation: int = 0
    answers: AnswerRecord | None = None


def by_player(
    games: Iterable[Game], answers: Mapping[str, Mapping[int, AnswerRecord]] | None = None
) -> dict[str, list[SeatGame]]:
    """The records of every player, by name; a game counts once for each seat of a player.

    `answers` are those of `houjuu.arena.matches.answers`.
    """
    records: dict[str, list[SeatGame]] = {}
    for game in games:
        ranking = order(game)
        rounds = [*seat_rounds(game)]
        deal, rotation = deal_and_rotation(game)
        for seat, name in enumerate(game.names):
            own = tuple(seats[seat] for seats in rounds)
            position = (seat - rotation) % SEATS
            rank = 1 + ranking.index(seat)
            record = SeatGame(
                deal=deal,
                position=position,
                rank=rank,
                rounds=own,
                rotation=rotation,
                answers=(answers or {}).get(game.id, {}).get(seat),
            )
            records.setdefault(name, []).append(record)
    return records


ByPlayer = Mapping[str, Sequence[SeatGame]]
"""The records of players, by the name in the head of the table."""

Sample = tuple[Sequence[float], Sequence[int]]
"""Numbers, and the deal of each."""

_WANTED = 0.1  # of a rank
_MIN_SHARE = 0.005  # of the wins, for a yaku to be listed


class MatchRecords(NamedTuple):
    """The records of a match.

    Attributes
    ----------
    name : str
    first : str
        The first player of its line-up.
    players : dict
        The records by player.
    """

    name: str
    first: str
    players: dict[str, list[SeatGame]]


def records(folder: Path, match: Match, games: Iterable[Game]) -> MatchRecords:
    """The records of the games of a match, which has the name of its folder in the tables.

    Raises
    ------
    Error
        The answers of a player that others wrote are missing.
    """
    players = by_player(games, answers(folder))
    for name in map(short, filter(is_foreign, match.line_up)):
        for game in players[name]:
            if game.answers is None:
                lost = title(game.deal, game.rotation)
                raise Error(
                    f"lacks the answers of {lost}: remove {lost}.mjlog, and it is played again",
                    file=str(folder / ANSWERS_FILE),
                )
    return MatchRecords(shown_name(folder.name), short(match.line_up[0]), players)


def tables(
    match: MatchRecords, beside: MatchRecords | None = None, language: str = DEFAULT
) -> list[TextTable]:
    """All tables of a match.

    With another match on the same deals, `beside`, its columns are added, and the first players of
    both line-ups are compared deal by deal.
    """
    columns = match.players
    comparison = []
    if beside is not None:
        pair = match, beside
        columns = {f"{one.name}: {name}": one.players[name] for one in pair for name in one.players}
        first, second = (f"{one.name}: {one.first}" for one in pair)
        title = translate(language)("match.less", first=first, second=second)
        ours, theirs = (one.players[one.first] for one in pair)
        comparison = [against(ours, theirs, title, language)]
    return [
        results(columns, language),
        *foreign_answers(columns, language),
        yaku(columns, language),
        behind(columns, language),
        *comparison,
    ]


def results(players: ByPlayer, language: str = DEFAULT) -> TextTable:
    """Ranks of games, and rates of rounds."""
    t = translate(language)
    by_game: dict[str, Callable[[SeatGame], float]] = {
        **{t("match.rank", rank=rank): partial(_has_rank, rank) for rank in range(1, 5)},
        t("site.games.rank"): _rank,
    }
    by_round: dict[str, Callable[[SeatRound], float]] = {
        t("site.rounds.wins"): lambda seat: seat.outcome is SeatResult.WIN,
        t("site.rounds.deal_ins"): lambda seat: seat.outcome is SeatResult.DEAL_IN,
        t("site.rounds.riichi"): lambda seat: seat.riichi,
        t("site.rounds.calls"): lambda seat: seat.called,
    }
    return _table(
        t("match.results"),
        players,
        {
            t("match.games"): lambda games: f"{len(games):,}",
            **{name: partial(_mean, _game_sample, value) for name, value in by_game.items()},
            t("match.rounds"): lambda games: f"{len(_rounds(games)[0]):,}",
            **{name: partial(_mean, _round_sample, value) for name, value in by_round.items()},
            t("site.wins.points"): lambda games: _points(
                _round_sample(games, lambda seat: seat.points or 0, _won)
            ),
        },
    )


def foreign_answers(players: ByPlayer, language: str = DEFAULT) -> list[TextTable]:
    """The answers of the players that others wrote; no table without any."""
    t = translate(language)
    of_others = {name: games for name, games in players.items() if _sum(games).asked}
    rows: dict[str, Callable[[Sequence[SeatGame]], str]] = {
        t("match.decisions"): lambda games: f"{_sum(games).asked:,}",
        t("page.answered"): lambda games: f"{_sum(games).answered / _sum(games).asked:.1%}",
        t("match.illegal"): lambda games: f"{len(_sum(games).problems):,}",
        t("match.milliseconds"): lambda games: with_interval(
            *clustered_mean(*_game_sample(games, _milliseconds)), ",.1f"
        ),
        t("match.slowest"): lambda games: f"{1000 * _sum(games).slowest:,.0f}",
    }
    return [_table(t("match.foreign"), of_others, rows)] if of_others else []


def play_variants(
    names: Iterable[str], others: str, folder: Path, seed: int, *, deals: int, jobs: int | None
) -> dict[str, list[SeatGame]]:
    """Play each of several players against three others on the same walls, in a folder of its own.

    Returns the records of the players. Matches that are in the folder already continue.
    """
    matches = [
        (Match((name, *(others,) * 3), seed), folder / folder_name(name))
        for name in dict.fromkeys(names)
    ]
    play_matches(matches, deals, jobs=jobs)
    return {match.line_up[0]: first_players(at, seed, deals) for match, at in matches}


def first_players(folder: Path, seed: int, deals: int) -> list[SeatGame]:
    """The records of the first player of the line-up in the games of a match."""
    _, games = read_match(folder, seed, deals, 1)
    by_name = by_player(games, answers(folder)).values()
    return [game for of_player in by_name for game in of_player if not game.position]


def folder_name(player: str) -> str:
    """The name of the folder of a player: that of the player without slashes."""
    return quote(player, safe=":=,")


def ladder(players: ByPlayer, language: str = DEFAULT) -> TextTable:
    """A line for each player, the lowest average rank first, and its rank less that of the last.

    All met the same opponents on the same walls.
    """
    t = translate(language)
    *_, added = players
    rank = partial(_game_sample, value=_rank)
    rows = [
        (
            name,
            f"{len(games):,}",
            with_interval(*clustered_mean(*rank(games)), ".3f"),
            "" if name == added else _difference(rank(games), rank(players[added]), digits=3),
        )
        for name, games in sorted(players.items(), key=lambda item: fmean(rank(item[1])[0]))
    ]
    less = t("match.less", first=t("site.games.rank"), second=added)
    head = ("", t("match.games"), t("site.games.rank"), less)
    return TextTable(t("match.ladder"), head, tuple(rows))


def precision(
    ours: Sequence[SeatGame], theirs: Sequence[SeatGame] = (), language: str = DEFAULT
) -> str:
    """What a match can show: the interval of the average rank, and the deals for `_WANTED`.

    With another sample on the same deals, it is the interval of the difference. Empty below two
    deals.
    """
    own, others = (_game_sample(games, _rank) for games in (ours, theirs))
    _, half = clustered_difference(*own, *others) if theirs else clustered_mean(*own)
    if isnan(half):
        return ""
    more = max(len({*own[1]}) * ((half / _WANTED) ** 2 - 1), 0)
    t = translate(language)
    key = "match.shows_difference" if theirs else "match.shows"
    return t(key, half=f"{half:.2f}", wanted=f"{_WANTED:.1f}", n=ceil(more))


def _rank(game: SeatGame) -> float:
    return game.rank


def absences(players: ByPlayer) -> Iterator[Error]:
    """Yield why a player that others wrote gave no answer, the first reason of each."""
    for name, games in players.items():
        total = _sum(games)
        if total.absent:
            yield absence(name, total.answered, total.asked, total.absent)


def _sum(games: Sequence[SeatGame]) -> AnswerRecord:
    """The answers in all games as one record, but for their time."""
    total = AnswerRecord()
    for one in filter(None, (game.answers for game in games)):
        total.asked += one.asked
        total.answered += one.answered
        total.absent = total.absent or one.absent
        total.slowest = max(total.slowest, one.slowest)
        total.problems += one.problems
    return total


def _milliseconds(game: SeatGame) -> float:
    """The average time for an answer in a game."""
    record = game.answers
    return 1000 * record.seconds / max(record.asked, 1) if record else 0.0


def yaku(players: ByPlayer, language: str = DEFAULT) -> TextTable:
    """The share of wins with each yaku, and the mean number of dora; rare yaku are left out."""
    counts = {name: _yaku(games) for name, games in players.items()}
    wins = {name: max(sum(map(_won, _rounds(games)[0])), 1) for name, games in players.items()}
    listed = [
        yaku
        for yaku in YAKU
        if any(counts[name][yaku.number] >= _MIN_SHARE * wins[name] for name in players)
    ]
    rows = [
        (
            yaku.name(language),
            *(f"{counts[name][yaku.number] / wins[name]:.2%}" for name in players),
        )
        for yaku in listed
    ]
    return TextTable(translate(language)("match.yaku"), ("", *players), tuple(rows))


def behind(players: ByPlayer, language: str = DEFAULT) -> TextTable:
    """Rounds in which another seat was first in riichi: shares of outcomes and average points."""
    t = translate(language)
    rows: dict[str, Callable[[Sequence[SeatGame]], str]] = {}
    for outcome in SeatResult:
        name = _outcome_name(t, outcome)
        rows[t("match.share", outcome=name)] = partial(_share_behind, outcome)
        rows[t("match.points", outcome=name)] = partial(_points_behind, outcome)
    rows[t("match.all_points")] = lambda games: _points(balance_behind(games))
    return _table(t("match.behind"), players, rows)


def _outcome_name(t: Catalogue, outcome: SeatResult) -> str:
    return t(f"match.outcome.{outcome.name.lower()}")


def balance_behind(games: Sequence[SeatGame]) -> Sample:
    """Points won or lost in every round in which another seat was first in riichi."""
    return _round_sample(games, lambda seat: seat.balance, lambda seat: seat.behind)


def against(
    ours: Sequence[SeatGame], theirs: Sequence[SeatGame], name: str, language: str = DEFAULT
) -> TextTable:
    """Differences between the first players of two line-ups on the same deals, paired by deal."""
    t = translate(language)
    pair = [[game for game in games if not game.position] for games in (ours, theirs)]
    ranks = [_game_sample(games, _rank) for games in pair]
    rows = (
        (t("site.games.rank"), _difference(*ranks, digits=3)),
        (t("match.points_behind"), _difference(*map(balance_behind, pair), digits=0)),
    )
    return TextTable(t("match.by_deal"), ("", name), rows)


def paired_by_round(
    ours: Sequence[SeatGame], theirs: Sequence[SeatGame], name: str, language: str = DEFAULT
) -> TextTable:
    """Difference of the points of rounds with another seat first in riichi, paired by round.

    Two rounds are a pair if their wall, seats, honba and riichi sticks are the same. Most pairs do
    not differ where two players differ in one number: the number that do is the effective sample.
    Rounds with another dealer or other sticks, after a difference, have no pair and are left out.
    """
    first = _first_players_rounds(ours)
    second = _first_players_rounds(theirs)
    both = [
        (first[key], second[key], key[0])
        for key in first.keys() & second.keys()
        if first[key].behind or second[key].behind
    ]
    differences = [own.balance - other.balance for own, other, _ in both]
    differ = sum((own.outcome, own.balance) != (o.outcome, o.balance) for own, o, _ in both)
    mean, half = clustered_mean(differences, [deal for *_, deal in both])
    t = translate(language)
    rows = (
        (t("match.pairs"), f"{len(both):,}"),
        (t("match.pairs_that_differ"), f"{differ:,}"),
        (t("match.mean_points"), with_interval(mean, half, "+,.1f", ",.1f")),
    )
    return TextTable(t("match.by_round"), ("", name), rows)


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
    return with_interval(*clustered_mean(*sample(games, value)), ".3f")


def _difference(ours: Sample, theirs: Sample, *, digits: int) -> str:
    difference = clustered_difference(*ours, *theirs)
    return with_interval(*difference, f"+,.{digits}f", f",.{digits}f")


def _points(sample: Sample) -> str:
    return with_interval(*clustered_mean(*sample), ",.0f")


def _share_behind(outcome: SeatResult, games: Sequence[SeatGame]) -> str:
    sample = _round_sample(games, lambda seat: seat.outcome is outcome, lambda seat: seat.behind)
    return with_interval(*clustered_mean(*sample), ".1%")


def _points_behind(outcome: SeatResult, games: Sequence[SeatGame]) -> str:
    where = partial(_behind_and, outcome)
    return _points(_round_sample(games, lambda seat: seat.balance, where))


def _behind_and(outcome: SeatResult, seat: SeatRound) -> bool:
    return seat.behind and seat.outcome is outcome


def _has_rank(rank: int, game: SeatGame) -> bool:
    return game.rank == rank


def _won(seat: SeatRound) -> bool:
    return seat.outcome is SeatResult.WIN


def _yaku(games: Sequence[SeatGame]) -> Counter[int]:
    """The number of wins with each yaku; the total number of tiles for each type of dora."""
    counts: Counter[int] = Counter()
    for seat in _rounds(games)[0]:
        for number, han in seat.yaku:
            counts[number] += han if number in ALL_DORA else 1
    return counts
