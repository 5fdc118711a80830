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

from dataclasses import dataclass
from functools import cache
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from houjuu.hands.grid import Setting
from houjuu.hands.points import CODES, more_han
from houjuu.hands.score import score
from houjuu.hands.sets import Bools, Bytes, Indices, Masks, bools
from houjuu.hands.shapes import Shapes
from houjuu.tiles import COPIES, KINDS

Floats = npt.NDArray[np.float64]
Reds = tuple[bool, bool, bool]

_FIVE = 4  # the rank of the fives, from 0
_RANKS = 9
_ANY, _PLAIN, _RED = range(3)  # fives of a suit: whichever; not the red one; the red one among them
_SUIT_BITS = np.uint8(7)
_WAYS: Floats = np.array(
    [[comb(unseen, held) for held in range(COPIES + 1)] for unseen in range(COPIES + 1)], np.float64
)
_EVERY_CODE: Bytes = np.arange(CODES, dtype=np.uint8)

# Groups are told apart by 64-bit sums of random numbers: among ten thousand groups, two that differ
# share a sum once in 10^11 times.
_random = np.random.default_rng(34)
_KEYS: Masks = _random.integers(1 << 64, size=(KINDS, CODES), dtype=np.uint64)
_KEYS[:, 0] = 0  # no yaku, no win
_KEY_FACTORS: Masks = _random.integers(1 << 64, size=3, dtype=np.uint64) | np.uint64(1)


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
        return total.reshape(KINDS, CODES)


def suit_ways(patterns: Bytes, unseen: npt.NDArray[np.int8], reds_unseen: Reds) -> Floats:
    """Ways to draw each holding of manzu, pinzu, souzu and honours, (4, 3, p).

    The second axis is what is said of the fives: nothing; the red one is not among them; it is.
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
            fives[suit, _PLAIN] = plain
            fives[suit, _RED, 1:] = plain[:-1]
    return others[:, None] * fives.take(patterns[:, _FIVE], axis=2)


def tenpai_hands(
    shapes: Shapes, setting: Setting, unseen: npt.NDArray[np.int8], reds_unseen: Reds
) -> TenpaiHands:
    """The tenpai hands that the unseen tiles allow beside an opponent's melds.

    To be made anew when the setting changes, that is with a meld or a dora; it stays right, if not
    as small as it could be, while more tiles are seen.

    Parameters
    ----------
    shapes : Shapes
        Of the number of concealed tiles.
    setting : Setting
        Its `red_fives` should be 0.
    unseen : (34,) int8
        Tiles of each kind that are not seen, 0–4.
    reds_unseen : three bools
        Whether the red five of manzu, pinzu and souzu is among them.
    """
    codes = score(shapes, setting)
    possible = _possible(shapes, setting, suit_ways(shapes.patterns, unseen, reds_unseen))
    rows = _with_reds(shapes, np.flatnonzero(possible), codes, reds_unseen)
    return _grouped(shapes, codes, rows)


class _Rows(NamedTuple):
    """Rows before grouping: the shape, the columns of the ways by suit, red fives held."""

    shape: Indices
    pattern: Indices
    reds: Indices


def _possible(shapes: Shapes, setting: Setting, ways: Floats) -> Bools:
    """The shapes that the unseen tiles make, and that wait for a tile that may be left, (n,)."""
    shown = np.zeros((4, _RANKS), np.intp)
    kinds = [tile // COPIES for tile in setting.meld_tiles]
    np.add.at(shown.ravel(), kinds, 1)
    bits = np.uint64(1) << np.arange(4 * _RANKS, dtype=np.uint64).reshape(4, _RANKS)
    possible = np.ones(len(shapes), np.bool_)
    gone = np.zeros(len(shapes), np.uint64)
    for suit, column in enumerate(shapes.suit_pattern):
        possible &= (ways[suit, _ANY] > 0).take(column)
        if shown[suit].any():
            exhausted = shapes.patterns + shown[suit] >= COPIES
            gone |= np.bitwise_or.reduce(exhausted * bits[suit], axis=1).take(column)
    return possible & bools(shapes.waits & ~gone)


def _with_reds(shapes: Shapes, shape: Indices, codes: Bytes, reds_unseen: Reds) -> _Rows:
    """A row for each shape; for each way to hold red fives where that tells in the score."""
    can_win = np.maximum.reduceat(codes, shapes.first_win)[shape] > 0
    pattern, reds = shapes.suit_pattern[:, shape], np.zeros(len(shape), np.intp)
    number = len(shapes.patterns)
    five = shapes.patterns[:, _FIVE] > 0
    for suit in range(3):
        if not reds_unseen[suit]:
            continue
        holds = np.flatnonzero(five[pattern[suit]] & can_win)
        with_red = pattern[:, holds]
        with_red[suit] += _RED * number
        pattern[suit, holds] += _PLAIN * number
        pattern = np.concatenate([pattern, with_red], axis=1)
        shape, can_win = (np.concatenate([of, of[holds]]) for of in (shape, can_win))
        reds = np.concatenate([reds, reds[holds] + 1])
    return _Rows(shape, pattern, reds)


def _grouped(shapes: Shapes, codes: Bytes, rows: _Rows) -> TenpaiHands:
    """Bring the rows together that agree in everything but the ways to draw them."""
    key = _key_but_score(shapes)[rows.shape]
    cell = shapes.win_kind * np.intp(CODES) + codes
    for reds in range(int(rows.reds.max(initial=0)) + 1):
        score_keys = _KEYS[:, more_han(_EVERY_CODE, reds)].ravel().take(cell)
        of_shape = np.add.reduceat(score_keys, shapes.first_win)
        mine = rows.reds == reds
        key[mine] += of_shape[rows.shape[mine]]
    order = np.argsort(key)
    key = key[order]
    first = np.flatnonzero(np.diff(key, prepend=~key[:1]))
    group_shape, group_reds = rows.shape[order[first]], rows.reds[order[first]]
    group, win = _wins_of(shapes, group_shape)
    code = more_han(codes[win], group_reds[group])
    won = code > 0
    return TenpaiHands(
        patterns=shapes.patterns,
        row_pattern=np.ascontiguousarray(rows.pattern[:, order]),
        first_row=first,
        waits=shapes.waits[group_shape],
        forms=shapes.forms[group_shape],
        suits=shapes.suits[group_shape] & _SUIT_BITS,
        wins=np.bincount(group[won], minlength=len(first)) > 0,
        win_group=group[won],
        win_kind=shapes.win_kind[win[won]].astype(np.intp),
        win_code=code[won].astype(np.intp),
    )


@cache
def _key_but_score(shapes: Shapes) -> Masks:
    """A number that is the same for shapes with the same waits, forms and suits, (n,)."""
    parts = (shapes.waits, shapes.forms, shapes.suits & _SUIT_BITS)
    return np.stack([part.astype(np.uint64) for part in parts], axis=1) @ _KEY_FACTORS


def _wins_of(shapes: Shapes, shape: Indices) -> tuple[Indices, Indices]:
    """The wins of some shapes, as index into the shapes given and index of the win."""
    many = np.diff(shapes.first_win, append=len(shapes.win_kind))[shape]
    which = np.repeat(np.arange(len(shape)), many)
    nth = np.arange(len(which)) - np.repeat(many.cumsum() - many, many)
    return which, shapes.first_win[shape][which] + nth
