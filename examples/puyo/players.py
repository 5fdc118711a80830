"""The players, which differ in their formula of the search, and their games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from examples.lookahead.reading_ahead import FORMULAS, Danger, Formula, Reading, Row, rank
from examples.puyo import field
from examples.puyo.game import PLACEMENTS, Piece, Placement, Position, Puyo, dropped, lost

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
