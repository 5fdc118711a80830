"""Construction of the groups of `houjuu.hands.tenpai_hands`, after a new meld or dora.

A row is a shape with a choice of red fives. Each row gets a key: a 64-bit sum of one random number
for each property that the rows of a group share. With ten thousand groups, two different groups
have the same key with a probability of about 10^-11. A sort by 16 bits of the key joins equal keys.
It may split a group, which costs a little time and changes no result.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from houjuu.arrays import Floats, Int8s, UInt8s
from houjuu.hands.hand_grid import ScoringContext
from houjuu.hands.points import CODES, add_han
from houjuu.hands.score import score
from houjuu.hands.sets import Indices, Masks, bools
from houjuu.hands.shapes import Shapes
from houjuu.hands.tenpai_hands import ANY, PLAIN, RED, Reds, TenpaiHands, suit_ways
from houjuu.tiles import COPIES, KIND, KINDS

_FIVE, _RANKS = 4, 9
_SUIT_BITS = np.uint8(7)
_KIND_BITS: Masks = np.uint64(1) << np.arange(4 * _RANKS, dtype=np.uint64)

_random = np.random.default_rng(34)
_KEYS: Masks = _random.integers(1 << 64, size=(KINDS, CODES), dtype=np.uint64)
_KEYS[:, 0] = 0  # without a yaku there is no win
_KEY_FACTORS: Masks = _random.integers(1 << 64, size=3, dtype=np.uint64) | np.uint64(1)

# Choices of red fives, by the bits of the suits with a five that may be red. A case is 8 times
# these bits plus the index of the choice.
_CHOICES = [[reds for reds in range(8) if not reds & ~fives] for fives in range(8)]
_N_CHOICES: Indices = np.array([len(choices) for choices in _CHOICES], np.intp)
_CASES = [(f, (_CHOICES[f] + [0] * 8)[nth]) for f in range(8) for nth in range(8)]
_REDS: Indices = np.array([reds.bit_count() for _, reds in _CASES], np.intp)
_KEY_OF_REDS: Masks = _random.integers(1 << 64, size=4, dtype=np.uint64)[_REDS]
_CONDITION: Indices = np.array(
    [
        [ANY if not f >> suit & 1 else RED if reds >> suit & 1 else PLAIN for f, reds in _CASES]
        for suit in range(4)
    ],
    np.intp,
)


def tenpai_hands(
    shapes: Shapes, context: ScoringContext, unseen: Int8s, reds_unseen: Reds
) -> TenpaiHands:
    """The tenpai hands that the unseen tiles allow together with the melds of an opponent.

    The result depends on the context, which changes with a meld or a dora. It stays valid, but
    larger than necessary, when more tiles become visible.

    Parameters
    ----------
    shapes : Shapes
        The shapes with the number of concealed tiles of the opponent.
    context : ScoringContext
        Its `red_fives` should be 0.
    unseen : (34,) int8
        Unseen tiles of each kind, 0–4.
    reds_unseen : three bools
        Whether the red fives of manzu, pinzu and souzu are unseen.
    """
    codes = score(shapes, context)
    score_key = _score_key(shapes, codes)
    shape = _possible(shapes, context, suit_ways(shapes.patterns, unseen, reds_unseen))
    fives = _fives(shapes)[shape] & np.packbits(reds_unseen, bitorder="little")
    shape, case = _rows(shape, fives * bools(score_key[shape]))
    key = (_key_but_score(shapes) + score_key)[shape] + _KEY_OF_REDS[case]
    order = np.argsort(key.astype(np.uint16), kind="stable")  # 16 bits: a radix sort
    key = key[order]
    first = np.flatnonzero(np.diff(key, prepend=~key[:1]))
    shape, case = shape[order], case[order]
    return _groups(shapes, codes, first, shape, case)


def _possible(shapes: Shapes, context: ScoringContext, ways: Floats) -> Indices:
    """Indices of the shapes that the unseen tiles allow and that wait for a tile not exhausted."""
    melded = np.bincount([KIND[tile] for tile in context.meld_tiles], minlength=4 * _RANKS)
    possible = np.ones(len(shapes), np.bool_)
    exhausted = np.zeros(len(shapes), np.uint64)
    for suit, column in enumerate(shapes.suit_pattern):
        possible &= (ways[suit, ANY] > 0).take(column)
        kinds = slice(suit * _RANKS, (suit + 1) * _RANKS)
        if melded[kinds].any():
            has_all = shapes.patterns + melded[kinds] >= COPIES
            exhausted |= np.bitwise_or.reduce(has_all * _KIND_BITS[kinds], axis=1).take(column)
    return np.flatnonzero(possible & bools(shapes.waits & ~exhausted))


def _rows(shape: Indices, fives: UInt8s) -> tuple[Indices, Indices]:
    """Shape and case of each row: one row for each choice of red fives among `fives`, 0–7."""
    n_choices = _N_CHOICES[fives]
    end = n_choices.cumsum()
    nth = np.arange(end[-1] if len(end) else 0) - np.repeat(end - n_choices, n_choices)
    return np.repeat(shape, n_choices), np.repeat(8 * fives.astype(np.intp), n_choices) + nth


def _groups(
    shapes: Shapes, codes: UInt8s, first: Indices, shape: Indices, case: Indices
) -> TenpaiHands:
    """The groups whose first rows are `first`."""
    n_patterns = len(shapes.patterns)
    pattern = np.empty((4, len(shape)), np.uint16)
    for suit, column in enumerate(shapes.suit_pattern):
        pattern[suit] = column.take(shape) + (_CONDITION[suit] * n_patterns).take(case)
    group_shape, reds = shape[first], _REDS[case[first]]
    group, win = _wins_of(shapes, group_shape)
    code = add_han(codes[win], reds[group])
    won = code > 0
    return TenpaiHands(
        patterns=shapes.patterns,
        row_pattern=pattern,
        first_row=first.astype(np.int32),
        waits=shapes.waits[group_shape],
        forms=shapes.forms[group_shape],
        suits=shapes.suits[group_shape] & _SUIT_BITS,
        has_yaku=np.bincount(group[won], minlength=len(first)) > 0,
        win_group=group[won].astype(np.int32),
        win_kind=shapes.win_kind[win[won]],
        win_code=code[won],
    )


def _wins_of(shapes: Shapes, shape: Indices) -> tuple[Indices, Indices]:
    """The wins of shapes: index into `shape` and index of the win."""
    n_wins = np.diff(shapes.first_win, append=len(shapes.win_kind))[shape]
    position = np.repeat(np.arange(len(shape)), n_wins)
    nth = np.arange(len(position)) - np.repeat(n_wins.cumsum() - n_wins, n_wins)
    return position, shapes.first_win[shape][position] + nth


@cache
def _fives(shapes: Shapes) -> UInt8s:
    """Bits 0–2 for the suits in which a shape has a five, (n,)."""
    has_five = (shapes.patterns[:, _FIVE] > 0)[shapes.suit_pattern[:3]]
    bits: UInt8s = np.packbits(has_five, axis=0, bitorder="little")[0]
    return bits


def _score_key(shapes: Shapes, codes: UInt8s) -> Masks:
    """A key that is equal for shapes with equal scores on equal kinds, (n,); 0 without a win."""
    sums = np.zeros(len(codes) + 1, np.uint64)
    _KEYS.take(shapes.win_kind * np.intp(CODES) + codes).cumsum(out=sums[1:])
    return np.diff(sums[shapes.first_win], append=sums[-1])


@cache
def _key_but_score(shapes: Shapes) -> Masks:
    """A key that is equal for shapes with equal waits, forms and suits, (n,)."""
    parts = (shapes.waits, shapes.forms, shapes.suits & _SUIT_BITS)
    return np.stack([part.astype(np.uint64) for part in parts], axis=1) @ _KEY_FACTORS
