"""The players, who differ in how they weigh what they read, and the games they play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from examples.puyo import field
from examples.puyo.field import Boards
from examples.puyo.game import PLACEMENTS, Piece, Placement, Position, Puyo, dropped, lost
from houjuu.player.lookahead import FORMULAS, Danger, Formula, Row, rank

KNOWN = 3
"""Pieces that a player sees: NEXT, NEXT2, NEXT3."""

_BUILT, _FIRED = Row(max, (1,), ("optimistic",)), Row(max, (1,), ("realistic",))
GREEDY: Formula = {
    Danger.NORMAL: _BUILT,
    Danger.RED3: _BUILT,
    Danger.RED2: _FIRED,
    Danger.RED1: _FIRED,
}
"""n1 alone, as if nothing came after; read optimistically until it must fire."""

PLAYERS: Mapping[str, Formula] = {"greedy": GREEDY, **FORMULAS}


class Turn(NamedTuple):
    """A piece that was placed: in what danger, and how many links it fired."""

    danger: Danger
    fired: int


class Question(NamedTuple):
    """A position that all players were asked about, and where each would place the piece."""

    danger: Danger
    answers: tuple[Placement, ...]


class Game(NamedTuple):
    """What came of a game of one player."""

    turns: tuple[Turn, ...]
    choked: bool
    cut: Counter[str]
    questions: tuple[Question, ...]
    best: Boards
    """The field with the piece that fired the longest chain, before anything vanished."""

    @property
    def longest(self) -> int:
        """Links of the longest chain."""
        return max(turn.fired for turn in self.turns)


def pieces(seed: int, number: int, count: int) -> list[Piece]:
    """The pieces of a game, the same for every player; each colour is as likely."""
    colours = np.random.default_rng([seed, number]).integers(field.COLOURS, size=(count, 2))
    return [(first, second) for first, second in colours.tolist()]


def play(player: str, coming: list[Piece], asked: range = range(0)) -> Game:
    """Play until the game is lost, or all pieces are placed but the last, which are only seen.

    Parameters
    ----------
    player : str
        One of `PLAYERS`.
    coming : list of Piece
    asked : range, optional
        Before which pieces all players are asked.
    """
    puyo, board, cut = Puyo(), field.empty(), Counter[str]()
    turns: list[Turn] = []
    questions: list[Question] = []
    best = board
    while not lost(board)[0] and len(turns) <= len(coming) - KNOWN:
        known = tuple(coming[len(turns) :][:KNOWN])
        position = Position(board[..., 0], known)
        ranking = rank(puyo, position, PLAYERS[player])
        if len(turns) in asked:
            answers = (rank(puyo, position, formula).moves[0].move for formula in PLAYERS.values())
            questions.append(Question(ranking.danger, tuple(answers)))
        chosen = PLACEMENTS.index(ranking.moves[0].move)
        placed = dropped(board, np.array([chosen]), known[0])
        board, links = field.settle(placed)
        if links[0] > max((turn.fired for turn in turns), default=0):
            best = placed
        turns.append(Turn(ranking.danger, int(links[0])))
        cut += ranking.cut
    return Game(tuple(turns), bool(lost(board)[0]), cut, tuple(questions), best)
