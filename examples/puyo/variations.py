"""Other limits of danger and other cuts, to show whether the conclusions of the source hold.

The source names the levels of danger, but not their limits, which are choices of this example. Each
variation changes one limit or cut, or moves all limits. All variations have the same pieces.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from examples.lookahead.reading_ahead import Danger
from examples.puyo.game import CHOKES, CUTS, TOO_SOON, Puyo
from examples.puyo.players import PLAYERS, Game
from examples.puyo.report import interval, longest, markdown, share

CHOSEN = "as chosen"


def _free_rows(red3: float, red2: float, red1: float) -> tuple[str, Puyo]:
    limits = {Danger.RED1: red1, Danger.RED2: red2, Danger.RED3: red3}
    return f"{red3:g}, {red2:g}, {red1:g} free rows", Puyo(limits)


VARIATIONS: Mapping[str, Puyo] = {
    CHOSEN: Puyo(),
    **dict(
        _free_rows(*limits)
        for limits in (
            *((5, 3, 2), (3, 3, 2)),
            *((4, 4, 2), (4, 2, 2)),
            *((4, 3, 3), (4, 3, 1)),
            *((5, 4, 3), (3, 2, 1)),
        )
    ),
    f"no cut: {CHOKES}": Puyo(cuts={TOO_SOON: CUTS[TOO_SOON]}),
    f"no cut: {TOO_SOON}": Puyo(cuts={CHOKES: CUTS[CHOKES]}),
    f"cut in red3, too: {TOO_SOON}": Puyo(cuts={**CUTS, TOO_SOON: (Danger.NORMAL, Danger.RED3)}),
}
"""The game to search by variation: a row more or less for red3, red2, red1 or all, and other cuts.

Where two limits are equal, the earlier of the two levels never occurs.
"""

COMPARISONS = (
    ("rensa-yomi-6", "greedy"),
    ("rensa-yomi-7", "greedy"),
    ("rensa-yomi-6", "realistic"),
    ("rensa-yomi-7", "rensa-yomi-4-2"),
)
"""Pairs of players whose first has the longer chains by the source.

The reasons: reading a second piece ahead, twice; the optimistic reading of the opening; the
realistic reading of the end.
"""

VARIED = tuple(player for player in PLAYERS if any(player in pair for pair in COMPARISONS))
"""The players of the comparisons."""

Varied = Mapping[tuple[str, str], Sequence[Game]]
"""Games by variation and player; games at the same index have the same pieces."""


def tables(games: Varied) -> str:
    """All tables, in Markdown."""
    return "\n\n".join([comparisons(games), changes(games), losses(games)])


def comparisons(games: Varied) -> str:
    """Differences of the longest chain between two players in each variation."""

    def difference(variation: str, pair: tuple[str, str]) -> str:
        first, second = (longest(games[variation, player]) for player in pair)
        return interval(first - second, "+")

    rows = ([name, *(difference(name, pair) for pair in COMPARISONS)] for name in VARIATIONS)
    return markdown(["", *(f"{first} less {second}" for first, second in COMPARISONS)], rows)


def changes(games: Varied) -> str:
    """The longest chain of each player as chosen, and its change in each variation."""

    def change(variation: str, player: str) -> str:
        chosen, varied = (longest(games[name, player]) for name in (CHOSEN, variation))
        return interval(chosen) if variation == CHOSEN else interval(varied - chosen, "+")

    rows = ([name, *(change(name, player) for player in VARIED)] for name in VARIATIONS)
    return markdown(["longest chain, and its change", *VARIED], rows)


def losses(games: Varied) -> str:
    """Shares of games that each player loses in each variation."""

    def lost(variation: str, player: str) -> str:
        played = games[variation, player]
        return share(sum(game.choked for game in played), len(played))

    rows = ([name, *(lost(name, player) for player in VARIED)] for name in VARIATIONS)
    return markdown(["games lost", *VARIED], rows)
