"""What games of the players show, as tables. A game is the unit of intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, pairwise
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import binomtest

from examples.puyo.game import CHOKES, TOO_SOON
from examples.puyo.players import PLAYERS, Game
from houjuu.player.lookahead import Danger

Games = Mapping[str, Sequence[Game]]
"""By player; a place is a game of the same pieces."""

_Z = 1.96
_EDGES = (0, 4, 6, 8, 10, 12)


def tables(games: Games) -> str:
    """All tables, in Markdown."""
    return "\n\n".join([chains(games), lengths(games), levels(games), answers(games)])


def chains(games: Games) -> str:
    """The longest chain of a game, beside the other players' with the same pieces, and losses."""
    others = list(games)[:-1]
    rows = []
    for place, (player, played) in enumerate(games.items()):
        less = [_interval(longest(played) - longest(games[other]), "+") for other in others[:place]]
        lost = _share(sum(game.choked for game in played), len(played))
        rows.append([player, _interval(longest(played)), lost, *less, *[""] * len(others[place:])])
    head = ["", "longest chain", "games lost", *(f"less that of {other}" for other in others)]
    return _markdown(head, rows)


def lengths(games: Games) -> str:
    """In what share of games the longest chain had how many links."""
    rows = []
    for player, played in games.items():
        counts, _ = np.histogram(longest(played), [*_EDGES, np.inf])
        rows.append([player, *(f"{count / len(played):.1%}" for count in counts)])
    groups = [f"{low}–{high - 1}" for low, high in pairwise(_EDGES)]
    return _markdown(["longest chain", *groups, f"{_EDGES[-1]} or more"], rows)


def levels(games: Games) -> str:
    """How much is placed in which danger, what is fired there, and what is cut a placement."""
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
    return _markdown(head, rows)


def answers(games: Games) -> str:
    """How often two players place a piece differently in the same position, by danger."""
    asked = [
        question for played in games.values() for game in played for question in game.questions
    ]
    by_danger = [[q.answers for q in asked if q.danger is danger] for danger in Danger]
    rows = [
        [f"{one}, {other}", *(_percent([a[i] != a[j] for a in here]) for here in by_danger)]
        for (i, one), (j, other) in combinations(enumerate(PLAYERS), 2)
    ]
    rows.append(["positions", *(str(len(here)) for here in by_danger)])
    return _markdown(["choose differently", *Danger], rows)


def longest(played: Sequence[Game]) -> npt.NDArray[np.int64]:
    """Links of the longest chain of each game."""
    return np.array([game.longest for game in played])


def half_width(numbers: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Of the 95% interval of a mean over the first axis, of two or more."""
    return np.asarray(_Z * numbers.std(axis=0, ddof=1) / sqrt(len(numbers)))


def _interval(numbers: npt.NDArray[np.int64], sign: str = "") -> str:
    return f"{numbers.mean():{sign}.2f} ± {half_width(numbers):.2f}".replace("-", "−")


def _share(count: int, of: int) -> str:
    low, high = binomtest(count, of).proportion_ci(method="wilson")
    return f"{count / of:.1%} [{low:.1%}, {high:.1%}]"


def _percent(of: Sequence[bool]) -> str:
    return f"{np.mean(of):.1%}" if len(of) else "–"


def _markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
