"""The tenpai hands that an opponent may hold, grouped by what they win on and for how much.

How likely a hand is, as far as tiles go, is the number of ways to draw it from what is unseen,
Π C(unseen, held) (Kurita & Hoki 2017, equation 14). It is a product over the suits, so that a query
counts the ways of some thousand holdings of one suit and multiplies four of them for every hand.
Everything else in the posterior (form of wait, furiten, colour, score) is the same for all hands of
a group, and there are far fewer groups than hands.

A hand that holds a five may hold the red one, which is a han more. Such a hand is two *rows*, one
without the red five and one with it, each with its own number of ways.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import comb

import numpy as np
import numpy.typing as npt

from houjuu.events import Rules
from houjuu.hands.points import CODES
from houjuu.hands.sets import Bools, Bytes, Indices, Masks
from houjuu.tiles import COPIES, KINDS, RED_FIVES

Floats = npt.NDArray[np.float64]
Reds = tuple[bool, bool, bool]

ANY, PLAIN, RED = range(3)
"""What is said of the fives held of a suit: nothing; that the red one is not among them; that it
is."""

_FIVE, _RANKS = 4, 9
_WAYS: Floats = np.array(
    [[comb(unseen, held) for held in range(COPIES + 1)] for unseen in range(COPIES + 1)], np.float64
)


@dataclass(frozen=True, slots=True)
class TenpaiHands:
    """Groups of tenpai hands, g of them, the best of each win's readings taken.

    Attributes
    ----------
    patterns : (p, 9) uint8
        The different holdings of one suit, as in `Shapes`.
    row_pattern : (4, rows) intp
        The holding of each row in manzu, pinzu, souzu and honours, as a column of the ways.
    first_row : (g,) intp
        The first row of each group; the rows of a group follow each other.
    waits : (g,) uint64
        Bit h where the hands of the group wait for kind h, whether they have a yaku on it or not.
    forms : (g,) uint8
        Bits of their forms of wait (`houjuu.hands.readings`).
    suits : (g,) uint8
        Bits 0–2 for the suits among their concealed tiles.
    wins : (g,) bool
        They have a yaku on at least one kind.
    win_group, win_kind, win_code : (w,) intp
        The kinds that the hands of a group win on, and the score codes.
    """

    patterns: Bytes
    row_pattern: Indices
    first_row: Indices
    waits: Masks
    forms: Bytes
    suits: Bytes
    wins: Bools
    win_group: Indices
    win_kind: Indices
    win_code: Indices

    def ways(
        self, unseen: npt.NDArray[np.int8], reds_unseen: Reds, factors: Floats | None = None
    ) -> Floats:
        """In how many ways the unseen tiles make the hands of each group, (g,).

        Parameters
        ----------
        unseen : (34,) int8
            Tiles of each kind that are not seen, 0–4; never more than when the groups were made.
        reds_unseen : three bools
            Whether the red five of manzu, pinzu and souzu is among them.
        factors : (4, p), optional
            What a holding of manzu, pinzu, souzu or honours multiplies the ways by.
        """
        ways = suit_ways(self.patterns, unseen, reds_unseen)
        if factors is not None:
            ways *= factors[:, None]
        flat = ways.reshape(4, -1)
        rows = flat[0].take(self.row_pattern[0])
        for suit in (1, 2, 3):
            rows *= flat[suit].take(self.row_pattern[suit])
        return np.add.reduceat(rows, self.first_row) if len(rows) else rows

    def scores(self, weights: Floats) -> Floats:
        """Sum the weights of the groups, (g,), by the kind and the score code won, (34, CODES)."""
        cell = self.win_kind * CODES + self.win_code
        total = np.bincount(cell, weights[self.win_group], minlength=KINDS * CODES)
        return total.astype(np.float64, copy=False).reshape(KINDS, CODES)


def reds_unseen(visible: Iterable[int], rules: Rules) -> Reds:
    """Whether the red five of manzu, pinzu and souzu is not among the tiles (ids) that are seen.

    Where no five is red none is unseen.
    """
    seen = set(visible)
    manzu, pinzu, souzu = (rules.red_fives and red not in seen for red in RED_FIVES)
    return manzu, pinzu, souzu


def suit_ways(patterns: Bytes, unseen: npt.NDArray[np.int8], reds_unseen: Reds) -> Floats:
    """Ways to draw each holding of manzu, pinzu, souzu and honours, (4, 3, p).

    The second axis is what is said of the fives: `ANY`, `PLAIN`, `RED`.
    """
    by_suit = np.zeros((4, _RANKS), np.intp)
    by_suit.ravel()[:KINDS] = unseen
    by_rank = _WAYS[by_suit].transpose(1, 0, 2)  # (9, 4, 5)
    others = np.ones((4, len(patterns)))
    for rank in range(_RANKS):
        if rank != _FIVE:
            others *= by_rank[rank].take(patterns[:, rank], axis=1)
    fives = np.stack([by_rank[_FIVE], by_rank[_FIVE], np.zeros((4, COPIES + 1))], axis=1)
    for suit in range(3):
        if reds_unseen[suit]:
            plain = _WAYS[by_suit[suit, _FIVE] - 1]
            fives[suit, PLAIN] = plain
            fives[suit, RED, 1:] = plain[:-1]
    ways: Floats = others[:, None] * fives.take(patterns[:, _FIVE], axis=2)
    return ways
