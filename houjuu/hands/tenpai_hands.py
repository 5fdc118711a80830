"""The possible tenpai hands of an opponent, grouped by waits, forms, suits and scores.

The prior weight of a hand is the number of ways to draw it from the unseen tiles,
Π C(unseen, count) (Kurita & Hoki 2017, equation 14). It is a product over the suits: a query counts
the ways of some thousand patterns of one suit and multiplies four of them for each hand. All other
factors of the posterior (wait form, furiten, colour, score) are the same for all hands of a group,
and there are far fewer groups than hands.

A hand with a five may contain the red five, which adds one han. Such a hand is two *rows*, without
and with the red five, each with its own number of ways.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import comb

import numpy as np

from houjuu.arrays import Bools, Floats, Int8s, Int32s, UInt8s, UInt16s
from houjuu.events import Rules
from houjuu.hands.points import CODES
from houjuu.hands.sets import Masks
from houjuu.tiles import COPIES, KINDS, RED_FIVES

Reds = tuple[bool, bool, bool]

ANY, PLAIN, RED = range(3)
"""Condition on the fives of a suit: none; without the red five; with the red five."""

_FIVE, _RANKS = 4, 9
_WAYS: Floats = np.array(
    [[comb(unseen, count) for count in range(COPIES + 1)] for unseen in range(COPIES + 1)],
    np.float64,
)


@dataclass(frozen=True, slots=True)
class TenpaiHands:
    """Arrays of g groups of tenpai hands; each win has the score of its best completion.

    The integers are as short as possible, because the object may be cached for every seat of many
    games: some 1 MB for an opponent with seven concealed tiles.

    Attributes
    ----------
    patterns : (p, 9) uint8
        The distinct patterns of one suit, as in `houjuu.hands.shapes.Shapes`.
    row_pattern : (4, rows) uint16
        Index of the pattern of each row in manzu, pinzu, souzu and honours, plus p times the
        condition on its fives.
    first_row : (g,) int32
        Index of the first row of each group; the rows of a group are contiguous.
    waits : (g,) uint64
        Bit h if the hands of the group wait for kind h, with or without a yaku.
    forms : (g,) uint8
        Bits of the wait forms (`houjuu.hands.completions`).
    suits : (g,) uint8
        Bits 0–2 for the suits of the concealed tiles.
    has_yaku : (g,) bool
        Whether the hands have a yaku on at least one kind.
    win_group : (w,) int32
        Group of each of the w wins.
    win_kind, win_code : (w,) uint8
        Winning kind and score code of each win.
    """

    patterns: UInt8s
    row_pattern: UInt16s
    first_row: Int32s
    waits: Masks
    forms: UInt8s
    suits: UInt8s
    has_yaku: Bools
    win_group: Int32s
    win_kind: UInt8s
    win_code: UInt8s

    def ways(self, unseen: Int8s, reds_unseen: Reds) -> Floats:
        """Number of ways to draw the hands of each group from the unseen tiles, (g,).

        Parameters
        ----------
        unseen : (34,) int8
            Unseen tiles of each kind, 0–4; never more than at the construction of the groups.
        reds_unseen : three bools
            Whether the red fives of manzu, pinzu and souzu are unseen.
        """
        ways = suit_ways(self.patterns, unseen, reds_unseen).reshape(4, -1)
        rows = ways[0].take(self.row_pattern[0])
        for suit in (1, 2, 3):
            rows *= ways[suit].take(self.row_pattern[suit])
        return np.add.reduceat(rows, self.first_row) if len(rows) else rows

    def weight_by_score(self, weights: Floats) -> Floats:
        """Sum the weights of the groups, (g,), by winning kind and score code, (34, CODES)."""
        cell = self.win_kind * np.intp(CODES) + self.win_code
        total = np.bincount(cell, weights[self.win_group], minlength=KINDS * CODES)
        return total.astype(np.float64, copy=False).reshape(KINDS, CODES)


def reds_unseen(visible: Iterable[int], rules: Rules) -> Reds:
    """Whether the red fives of manzu, pinzu and souzu are not among the visible tile ids.

    All False if the rules have no red fives.
    """
    seen = set(visible)
    manzu, pinzu, souzu = (rules.red_fives and red not in seen for red in RED_FIVES)
    return manzu, pinzu, souzu


def suit_ways(patterns: UInt8s, unseen: Int8s, reds_unseen: Reds) -> Floats:
    """Number of ways to draw each pattern of manzu, pinzu, souzu and honours, (4, 3, p).

    The second axis is the condition on the fives: `ANY`, `PLAIN`, `RED`.
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
