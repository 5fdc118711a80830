"""P(tenpai) of an opponent from what it has shown: Kurita & Hoki 2017, section 5.1.

P(T|u) = Σ over colours c of P(T|c,u) · P(c|u) (equation 3), each factor a logistic regression whose
weights depend on the number of open melds f and of discards d (equations 5–7). A colour is one of
the three suits (the whole hand is of that suit and honours) or `reading.SEVERAL`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from houjuu import reading
from houjuu.errors import ParameterError
from houjuu.table import Seat, river_kinds
from houjuu.tiles import HONOURS

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

MAX_MELDS = 3
"""With more open melds than this the hand is tenpai for certain, and no regression is asked."""


def type1(seat: Seat, suit: int) -> tuple[int, int, int, int]:
    """Does the whole hand stay in a suit and honours? Table 1, type 1, without the leading 1."""
    run = reading.off_suit_run(seat, suit)
    return (
        run,
        run * reading.last_tedashi_in_colour(seat, suit),
        int(reading.honour_before_run(seat, suit)),
        int(reading.suit_before_run(seat, suit)),
    )


def type2(seat: Seat, suit: int) -> tuple[int, int]:
    """Is it tenpai, given the suit? Table 1, type 2, without the leading 1."""
    return reading.kinds_of_suit(seat, HONOURS), reading.kinds_of_suit(seat, suit)


def type3(seat: Seat) -> tuple[int, int, int, int]:
    """Is it tenpai, given several colours? Table 1, type 3, without the leading 1."""
    discarded = river_kinds(seat)
    return (
        reading.tedashi(seat),
        reading.tedashi_after_riichi(seat),
        reading.yaochu_kinds(discarded),
        reading.simple_kinds(discarded),
    )


@dataclass(frozen=True, slots=True)
class ShownColours:
    """The numbers of table 1 that tell the colour of n opponents; the features lack the leading 1.

    Attributes
    ----------
    type1 : (n, 3, 4) array
    allowed : (n, 3) array of bool
        Whether the melds leave the hand free to be of each suit and honours alone.
    melds : (n,) array
        Open melds, f.
    sets : (n,) array
        Sets on the table, closed kans included: with four, only one tile is concealed.
    discards : (n,) array
        Discards, d.
    """

    type1: Floats
    allowed: npt.NDArray[np.bool_]
    melds: Ints
    sets: Ints
    discards: Ints

    @classmethod
    def of(cls, seats: Sequence[Seat]) -> ShownColours:
        """Read seats at the table."""
        colours = [reading.allowed_colours(seat) for seat in seats]
        return ShownColours(
            type1=np.array([[type1(seat, suit) for suit in range(3)] for seat in seats], float),
            allowed=np.array([[suit in of for suit in range(3)] for of in colours]),
            melds=np.array([seat.open_melds for seat in seats]),
            sets=np.array([len(seat.melds) for seat in seats]),
            discards=np.array([len(seat.river) for seat in seats]),
        )


@dataclass(frozen=True, slots=True)
class Shown(ShownColours):
    """All numbers of table 1 for n opponents.

    Attributes
    ----------
    type2 : (n, 3, 2) array
    type3 : (n, 4) array
    """

    type2: Floats
    type3: Floats

    @classmethod
    def of(cls, seats: Sequence[Seat]) -> Shown:
        """Read seats at the table."""
        told = ShownColours.of(seats)
        return Shown(
            *(told.type1, told.allowed, told.melds, told.sets, told.discards),
            type2=np.array([[type2(seat, suit) for suit in range(3)] for seat in seats], float),
            type3=np.array([type3(seat) for seat in seats], float),
        )


@dataclass(frozen=True, slots=True)
class TenpaiReading:
    """What is believed of n opponents; every array sums or is bounded as a probability.

    Attributes
    ----------
    colour : (n, 4) array
        P(c|u), c being manzu, pinzu, souzu and several; rows sum to 1.
    tenpai_given : (n, 4) array
        P(T|c,u).
    tenpai : (n,) array
        P(T|u), equation 3.
    """

    colour: Floats
    tenpai_given: Floats
    tenpai: Floats


@dataclass(frozen=True)
class TenpaiModel:
    """The fitted regressions.

    Parameters
    ----------
    type1 : (s, 4, D + 1, 5) array
        Weights of equation 5 by suit, open melds 0–3 and discards 0–D; s is 3, or 1 where one
        regression serves all three suits. Discards above D count as D.
    type2 : (s, 4, D + 1, 3) array
        Weights of equation 6.
    type3 : (4, D + 1, 5) array
        Weights of equation 7.

    Raises
    ------
    ParameterError
        The shapes do not fit together, or a weight is not finite.
    """

    type1: Floats
    type2: Floats
    type3: Floats

    def __post_init__(self) -> None:
        deep = self.type3.shape[1] if self.type3.ndim == 3 else 0
        suits = self.type1.shape[0] if self.type1.ndim == 4 else 0
        grid = (MAX_MELDS + 1, deep)
        shapes = (self.type1.shape, self.type2.shape, self.type3.shape)
        if shapes != ((suits, *grid, 5), (suits, *grid, 3), (*grid, 5)) or suits not in (1, 3):
            raise ParameterError(f"the weights of the tenpai regressions have shapes {shapes}")
        if not all(np.isfinite(weights).all() for weights in (self.type1, self.type2, self.type3)):
            raise ParameterError("a weight of the tenpai regressions is not finite")

    def read(self, shown: Shown) -> TenpaiReading:
        """What the numbers of table 1 say about n opponents that are not in riichi."""
        f, d = self._cells(shown)
        given = np.column_stack(
            [_sigmoid(self._type2[f, d], shown.type2), _sigmoid(self.type3[f, d], shown.type3)]
        )
        certain = shown.sets > MAX_MELDS
        given[certain] = 1.0
        colour = self.colours(shown)
        return TenpaiReading(colour, given, np.einsum("nc,nc->n", colour, given))

    def colours(self, shown: ShownColours) -> Floats:
        """P(c|u) alone, (n, 4)."""
        cells = self._cells(shown)
        return with_several(_sigmoid(self._type1[cells], shown.type1) * shown.allowed)

    @cached_property
    def _type1(self) -> Floats:
        """`type1` by open melds, discards and suit."""
        return _by_suit(self.type1)

    @cached_property
    def _type2(self) -> Floats:
        return _by_suit(self.type2)

    def _cells(self, shown: ShownColours) -> tuple[Ints, Ints]:
        """Open melds and discards, each up to the most that has regressions of its own."""
        deepest = self.type3.shape[1] - 1
        return np.minimum(shown.melds, MAX_MELDS), np.minimum(shown.discards, deepest)


def _by_suit(weights: Floats) -> Floats:
    """Weights of one suit or of three, (s, f, d, w), as (f, d, 3, w)."""
    return np.moveaxis(np.broadcast_to(weights, (3, *weights.shape[1:])), 0, 2)


def _sigmoid(weights: Floats, features: Floats) -> Floats:
    """σ(w · (1, x)) over the last axis, as a tanh, which cannot overflow."""
    score = weights[..., 0] + (weights[..., 1:] * features).sum(axis=-1)
    return np.asarray(0.5 + 0.5 * np.tanh(0.5 * score))


def with_several(in_suit: Floats) -> Floats:
    """Append what the suits leave to P(several) as column `reading.SEVERAL`, (n, 3) → (n, 4).

    The three regressions do not know of each other: where they sum to more than 1, nothing is left
    and they are scaled down to 1.
    """
    total = in_suit.sum(axis=1, keepdims=True)
    several = np.maximum(0.0, 1.0 - total)
    return np.asarray(np.hstack([in_suit, several]) / np.maximum(total, 1.0))
