"""Play games of all players with the same pieces, and print their chains."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, pairwise, product
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from joblib import Parallel, delayed
from scipy.stats import binomtest
from tqdm import tqdm

from examples.lookahead.reading_ahead import FORMULAS, Danger, Formula, Reading, Row, rank
from examples.puyo import field
from examples.puyo.game import (
    CHOKES,
    PLACEMENTS,
    TOO_SOON,
    Piece,
    Placement,
    Position,
    Puyo,
    dropped,
    lost,
)

KNOWN = 3
"""Pieces that a player sees: NEXT, NEXT2, NEXT3."""

_BUILT, _FIRED = Row(max, (1,), ("optimistic",)), Row(max, (1,), ("realistic",))
GREEDY: Formula = {
    Danger.NORMAL: _BUILT,
    Danger.RED3: _BUILT,
    Danger.RED2: _FIRED,
    Danger.RED1: _FIRED,
}
"""The value of the next position alone; optimistic until the player must fire."""

_FIRST = "rensa-yomi-4"
_REALISTIC: Reading = "realistic"
REALISTIC: Formula = {
    danger: Row(row.joined, row.weights, (_REALISTIC,) * len(row.weights))
    for danger, row in FORMULAS["rensa-yomi-6"].items()
}
"""Formula 6 with the realistic reading alone, at all levels of danger."""

PLAYERS: Mapping[str, Formula] = {
    "greedy": GREEDY,
    "realistic": REALISTIC,
    _FIRST: FORMULAS[_FIRST],
    f"{_FIRST}-2": FORMULAS[_FIRST],
    **{name: formula for name, formula in FORMULAS.items() if name != _FIRST},
}
"""Formulas by player. The source introduced the cuts with RensaYomi4-2: all but 4 have them."""

GAMES: Mapping[str, Puyo] = {name: Puyo(cuts={}) if name == _FIRST else Puyo() for name in PLAYERS}
"""The game that each player searches."""


class Turn(NamedTuple):
    """A placed piece: the danger before it, and the links that it fired."""

    danger: Danger
    fired: int


class Question(NamedTuple):
    """A position, and the placements that all players would choose."""

    danger: Danger
    answers: tuple[Placement, ...]


class Game(NamedTuple):
    """A finished game of one player."""

    turns: tuple[Turn, ...]
    choked: bool
    cut: Counter[str]
    questions: tuple[Question, ...]

    @property
    def longest(self) -> int:
        """Links of the longest chain."""
        return max(turn.fired for turn in self.turns)


def pieces(seed: int, number: int, count: int) -> list[Piece]:
    """The pieces of a game, the same for every player; all colours are equally likely."""
    colours = np.random.default_rng([seed, number]).integers(field.COLOURS, size=(count, 2))
    return [(first, second) for first, second in colours.tolist()]


def play(player: str, coming: list[Piece], question_turns: range = range(0)) -> Game:
    """Play until the game is lost or only the visible next pieces are left.

    Parameters
    ----------
    player : str
        One of `PLAYERS`.
    coming : list of Piece
    question_turns : range, optional
        Turns at which all players choose a placement.
    """
    board, cut = field.empty(), Counter[str]()
    turns: list[Turn] = []
    questions: list[Question] = []
    while not lost(board)[0] and len(turns) <= len(coming) - KNOWN:
        visible = tuple(coming[len(turns) :][:KNOWN])
        position = Position(board[..., 0], visible)
        ranking = rank(GAMES[player], position, PLAYERS[player])
        if len(turns) in question_turns:
            answers = (rank(GAMES[name], position, PLAYERS[name]).moves[0].move for name in PLAYERS)
            questions.append(Question(ranking.danger, tuple(answers)))
        chosen = PLACEMENTS.index(ranking.moves[0].move)
        board, links = field.settle(dropped(board, np.array([chosen]), visible[0]))
        turns.append(Turn(ranking.danger, int(links[0])))
        cut += ranking.cut
    return Game(tuple(turns), bool(lost(board)[0]), cut, tuple(questions))


QUESTION_INTERVAL = 10
"""Every tenth position is given to all players; the first one differs by game."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    options = _options(arguments)
    work = list(product(PLAYERS, range(options.games)))
    results = Parallel(n_jobs=options.jobs, return_as="generator")(
        delayed(play)(
            player,
            pieces(options.seed, number, options.pieces + KNOWN - 1),
            range(number % QUESTION_INTERVAL, options.pieces, QUESTION_INTERVAL),
        )
        for player, number in work
    )
    progress = iter(tqdm(results, "puyo", total=len(work), unit="game"))
    print(tables({name: [next(progress) for _ in range(options.games)] for name in PLAYERS}))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m examples.puyo", description=__doc__)
    parser.add_argument(
        "--games", type=_at_least(2), default=200, help="games per player (%(default)s)"
    )
    parser.add_argument(
        "--pieces", type=_at_least(1), default=80, help="pieces per game (%(default)s)"
    )
    parser.add_argument(
        "--seed", type=_at_least(0), default=1, help="seed of the pieces (%(default)s)"
    )
    parser.add_argument("--jobs", type=_at_least(1), default=1, help="processes (%(default)s)")
    return parser.parse_args(arguments)


def _at_least(least: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number of at least {least}")
        return int(text)

    return number


Games = Mapping[str, Sequence[Game]]
"""Games by player; games at the same index have the same pieces."""

_Z = 1.96
_EDGES = (0, 4, 6, 8, 10, 12)


def tables(games: Games) -> str:
    """All tables, in Markdown."""
    return "\n\n".join([chains(games), lengths(games), levels(games), answers(games)])


def chains(games: Games) -> str:
    """Longest chains, their differences to other players with the same pieces, and losses."""
    others = list(games)[:-1]
    rows = []
    for index, (player, played) in enumerate(games.items()):
        less = [interval(longest(played) - longest(games[other]), "+") for other in others[:index]]
        lost = share(sum(game.choked for game in played), len(played))
        rows.append([player, interval(longest(played)), lost, *less, *[""] * len(others[index:])])
    head = ["", "longest chain", "games lost", *(f"less that of {other}" for other in others)]
    return markdown(head, rows)


def lengths(games: Games) -> str:
    """Shares of games by the links of the longest chain."""
    rows = []
    for player, played in games.items():
        counts, _ = np.histogram(longest(played), [*_EDGES, np.inf])
        rows.append([player, *(f"{count / len(played):.1%}" for count in counts)])
    groups = [f"{low}–{high - 1}" for low, high in pairwise(_EDGES)]
    return markdown(["longest chain", *groups, f"{_EDGES[-1]} or more"], rows)


def levels(games: Games) -> str:
    """Shares of placements by danger, chains fired there, and positions pruned per placement."""
    rows = []
    for player, played in games.items():
        turns = [turn for game in played for turn in game.turns]
        row = [player]
        for danger in Danger:
            fired = [turn.fired for turn in turns if turn.danger is danger]
            chains = [links for links in fired if links]
            mean = f" of {np.mean(chains):.1f}" if chains else ""
            row.append(f"{len(fired) / len(turns):.1%}: {len(chains) / len(played):.2f}{mean}")
        for reason in (CHOKES, TOO_SOON):
            row.append(f"{sum(game.cut[reason] for game in played) / len(turns):.1f}")
        rows.append(row)
    head = ["placed: chains a game, of links", *Danger, f"cut: {CHOKES}", f"cut: {TOO_SOON}"]
    return markdown(head, rows)


def answers(games: Games) -> str:
    """Shares of positions in which two players choose differently, by danger."""
    questions = [
        question for played in games.values() for game in played for question in game.questions
    ]
    by_danger = [[q.answers for q in questions if q.danger is danger] for danger in Danger]
    rows = [
        [f"{one}, {other}", *(_percent([a[i] != a[j] for a in level]) for level in by_danger)]
        for (i, one), (j, other) in combinations(enumerate(PLAYERS), 2)
    ]
    rows.append(["positions", *(str(len(level)) for level in by_danger)])
    return markdown(["choose differently", *Danger], rows)


def longest(played: Sequence[Game]) -> npt.NDArray[np.int64]:
    """Links of the longest chain of each game."""
    return np.array([game.longest for game in played])


def half_width(numbers: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Half width of the 95% interval of a mean over the first axis, of at least two."""
    return np.asarray(_Z * numbers.std(axis=0, ddof=1) / sqrt(len(numbers)))


def interval(numbers: npt.NDArray[np.int64], sign: str = "") -> str:
    """The mean of numbers, one for each game, and its 95% interval."""
    return f"{numbers.mean():{sign}.2f} ± {half_width(numbers):.2f}".replace("-", "−")


def share(count: int, total: int) -> str:
    """A share and its 95% interval."""
    low, high = binomtest(count, total).proportion_ci(method="wilson")
    return f"{count / total:.1%} [{low:.1%}, {high:.1%}]"


def _percent(flags: Sequence[bool]) -> str:
    return f"{np.mean(flags):.1%}" if len(flags) else "–"


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    main()
