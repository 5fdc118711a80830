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
_KIND_BITS: Masks = np.uint64(1) << np.arange(4 * _RANKS, dtype=np.uint64)

# Groups are told apart by 64-bit sums of random numbers: among ten thousand groups, two that differ
# share a sum once in 10^11 times.
_random = np.random.default_rng(34)
_KEYS: Masks = _random.integers(1 << 64, size=(KINDS, CODES), dtype=np.uint64)
_KEYS[:, 0] = 0  # no yaku, no win
_KEY_FACTORS: Masks = _random.integers(1 << 64, size=3, dtype=np.uint64) | np.uint64(1)

# By the bits of the suits whose fives may be red: in how many ways they can be, and which.
_CHOSEN = [[reds for reds in range(8) if not reds & ~fives] for fives in range(8)]
_CHOICES: Indices = np.array([len(chosen) for chosen in _CHOSEN], np.intp)
_CASES = [(f, (_CHOSEN[f] + [0] * 8)[nth]) for f in range(8) for nth in range(8)]
_REDS: Indices = np.array([reds.bit_count() for _, reds in _CASES], np.intp)
_KEY_OF_REDS: Masks = _random.integers(1 << 64, size=4, dtype=np.uint64)[_REDS]
_BLOCK: Indices = np.array(
    [
        [_ANY if not f >> suit & 1 else _RED if reds >> suit & 1 else _PLAIN for f, reds in _CASES]
        for suit in range(4)
    ],
    np.intp,
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
    score_key = _score_key(shapes, codes)
    shape = _possible(shapes, setting, suit_ways(shapes.patterns, unseen, reds_unseen))
    fives = _fives(shapes)[shape] & np.packbits(reds_unseen, bitorder="little")
    shape, case = _rows(shape, fives * bools(score_key[shape]))
    key = (_key_but_score(shapes) + score_key)[shape] + _KEY_OF_REDS[case]
    order = np.argsort(key.astype(np.uint16), kind="stable")  # a radix sort
    first = np.flatnonzero(np.diff(key[order], prepend=~key[order[:1]]))
    shape, case = shape[order], case[order]
    return _groups(shapes, codes, first, shape, case)


def _possible(shapes: Shapes, setting: Setting, ways: Floats) -> Indices:
    """The shapes that the unseen tiles make, and that wait for a tile that may be left."""
    shown = np.bincount([tile // COPIES for tile in setting.meld_tiles], minlength=4 * _RANKS)
    possible = np.ones(len(shapes), np.bool_)
    gone = np.zeros(len(shapes), np.uint64)
    for suit, column in enumerate(shapes.suit_pattern):
        possible &= (ways[suit, _ANY] > 0).take(column)
        of_suit = slice(suit * _RANKS, (suit + 1) * _RANKS)
        if shown[of_suit].any():
            exhausted = shapes.patterns + shown[of_suit] >= COPIES
            gone |= np.bitwise_or.reduce(exhausted * _KIND_BITS[of_suit], axis=1).take(column)
    return np.flatnonzero(possible & bools(shapes.waits & ~gone))


def _rows(shape: Indices, fives: Bytes) -> tuple[Indices, Indices]:
    """Shape and case of every row.

    A shape is a row for each choice of red ones among its `fives` (bits of the suits that may hold
    one, 0–7). The case is 8 times these bits, and the number of the choice.
    """
    many = _CHOICES[fives]
    end = many.cumsum()
    nth = np.arange(end[-1] if len(end) else 0) - np.repeat(end - many, many)
    return np.repeat(shape, many), np.repeat(8 * fives.astype(np.intp), many) + nth


def _groups(
    shapes: Shapes, codes: Bytes, first: Indices, shape: Indices, case: Indices
) -> TenpaiHands:
    """The groups that begin at these rows."""
    number = len(shapes.patterns)
    pattern = np.empty((4, len(shape)), np.intp)
    for suit, column in enumerate(shapes.suit_pattern):
        column.take(shape, out=pattern[suit], mode="clip")
        pattern[suit] += (_BLOCK[suit] * number).take(case)
    group_shape, reds = shape[first], _REDS[case[first]]
    group, win = _wins_of(shapes, group_shape)
    code = more_han(codes[win], reds[group])
    won = code > 0
    return TenpaiHands(
        patterns=shapes.patterns,
        row_pattern=pattern,
        first_row=first,
        waits=shapes.waits[group_shape],
        forms=shapes.forms[group_shape],
        suits=shapes.suits[group_shape] & _SUIT_BITS,
        wins=np.bincount(group[won], minlength=len(first)) > 0,
        win_group=group[won],
        win_kind=shapes.win_kind[win[won]].astype(np.intp),
        win_code=code[won].astype(np.intp),
    )


def _wins_of(shapes: Shapes, shape: Indices) -> tuple[Indices, Indices]:
    """The wins of some shapes, as index into the shapes given and index of the win."""
    many = np.diff(shapes.first_win, append=len(shapes.win_kind))[shape]
    which = np.repeat(np.arange(len(shape)), many)
    nth = np.arange(len(which)) - np.repeat(many.cumsum() - many, many)
    return which, shapes.first_win[shape][which] + nth


@cache
def _fives(shapes: Shapes) -> Bytes:
    """Bits 0–2 for the suits of which a shape holds a five, (n,)."""
    holds = (shapes.patterns[:, _FIVE] > 0)[shapes.suit_pattern[:3]]
    return np.packbits(holds, axis=0, bitorder="little")[0]


def _score_key(shapes: Shapes, codes: Bytes) -> Masks:
    """A number that is the same for shapes with the same scores on the same kinds, (n,).

    It is 0 for those that win on nothing.
    """
    until = np.zeros(len(codes) + 1, np.uint64)
    _KEYS.take(shapes.win_kind * np.intp(CODES) + codes).cumsum(out=until[1:])
    return np.diff(until[shapes.first_win], append=until[-1])


@cache
def _key_but_score(shapes: Shapes) -> Masks:
    """A number that is the same for shapes with the same waits, forms and suits, (n,)."""
    parts = (shapes.waits, shapes.forms, shapes.suits & _SUIT_BITS)
    return np.stack([part.astype(np.uint64) for part in parts], axis=1) @ _KEY_FACTORS
