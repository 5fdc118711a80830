"""Making the groups of `houjuu.hands.tenpai` when a meld or a dora has changed.

The rows, shapes and what they hold of red fives, get a key: a 64-bit sum of random numbers for each
thing that the rows of a group have in common. Among ten thousand groups, two that differ share a
key once in 10^11 times. One sort brings equal keys together; a group that it splits stays split,
which costs a little time and changes no number.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from houjuu.hands.grid import Setting
from houjuu.hands.points import CODES, more_han
from houjuu.hands.score import score
from houjuu.hands.sets import Bytes, Indices, Masks, bools
from houjuu.hands.shapes import Shapes
from houjuu.hands.tenpai import ANY, PLAIN, RED, Floats, Reds, TenpaiHands, suit_ways
from houjuu.tiles import COPIES, KINDS

_FIVE, _RANKS = 4, 9
_SUIT_BITS = np.uint8(7)
_KIND_BITS: Masks = np.uint64(1) << np.arange(4 * _RANKS, dtype=np.uint64)

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
        [ANY if not f >> suit & 1 else RED if reds >> suit & 1 else PLAIN for f, reds in _CASES]
        for suit in range(4)
    ],
    np.intp,
)


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
    order = np.argsort(key.astype(np.uint16), kind="stable")  # 16 bits: a radix sort
    key = key[order]
    first = np.flatnonzero(np.diff(key, prepend=~key[:1]))
    shape, case = shape[order], case[order]
    return _groups(shapes, codes, first, shape, case)


def _possible(shapes: Shapes, setting: Setting, ways: Floats) -> Indices:
    """The shapes that the unseen tiles make, and that wait for a tile that may be left."""
    shown = np.bincount([tile // COPIES for tile in setting.meld_tiles], minlength=4 * _RANKS)
    possible = np.ones(len(shapes), np.bool_)
    gone = np.zeros(len(shapes), np.uint64)
    for suit, column in enumerate(shapes.suit_pattern):
        possible &= (ways[suit, ANY] > 0).take(column)
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
    bits: Bytes = np.packbits(holds, axis=0, bitorder="little")[0]
    return bits


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
