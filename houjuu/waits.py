"""What an opponent in riichi waits for: Kurita & Hoki 2017, section 5.3, equations 19–34.

A wait is the part of a tenpai hand that the winning tile completes. There are 113 in four forms:

| waits | form | wins on | holds |
|---|---|---|---|
| 0–17 | `RYANMEN`, two-sided: 56, and 4567 as a pair wait (両面単騎) | 2 kinds | 2 |
| 18–23 | `TATSU`, edge (辺) | 1 | 2 |
| 24–44 | `TATSU`, closed (嵌) | 1 | 2 |
| 45–78 | `TOITSU`, one of the two pairs of a シャボ | 1 | 2 of a kind |
| 79–112 | `TANKI`, any other single tile, that of 七対子 included | 1 | 1 |

P(m|u) ≈ P(k|u) · α_k f_m / Σ of f over the waits of form k (equation 22), with f = f1 · f2 · f3.
A hand may have several waits, so that the P(m|u) may sum to more than 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
import numpy.typing as npt

from houjuu import reading
from houjuu.errors import ParameterError
from houjuu.table import Seat, bits
from houjuu.tiles import COPIES, HAKU, HONOURS, KINDS, SUIT, SUIT_LETTERS

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

FORMS = 4
RYANMEN, TATSU, TOITSU, TANKI = range(FORMS)
ALPHA = (1.0, 1.0, 2.0, 1.0)
"""α of equation 19: a hand with a pair wait has two of them."""

FIRST_EDGE, FIRST_CLOSED, FIRST_TOITSU, FIRST_TANKI, WAITS = 18, 24, 45, 79, 113
"""Where each sort of wait begins, and how many waits there are."""


def two_sided(suit: int, low: int) -> int:
    """The wait on the ranks low and low + 3, counted from 0: `reading.SUJI` in its order."""
    return 6 * suit + low


def edge(suit: int, high: int) -> int:
    """The wait of 12 on 3 (high = 0) or of 89 on 7 (high = 1)."""
    return FIRST_EDGE + 2 * suit + high


def closed(suit: int, low: int) -> int:
    """The wait of the ranks low and low + 2, counted from 0, on the one between."""
    return FIRST_CLOSED + 7 * suit + low


def _holds() -> list[tuple[int, int]]:
    """The kinds that each wait holds; one that it holds alone stands twice."""
    tatsu = [(9 * suit + low, 9 * suit + low + 1) for suit in range(3) for low in (0, 7)]
    gaps = [(9 * suit + low, 9 * suit + low + 2) for suit in range(3) for low in range(7)]
    inner = [(low + 1, low + 2) for low, _ in reading.SUJI]
    return inner + tatsu + gaps + [(kind, kind) for kind in range(KINDS)] * 2


def _wins() -> list[tuple[int, int]]:
    """The kinds that each wait wins on; one that it wins on alone stands twice."""
    edges = [9 * suit + rank for suit in range(3) for rank in (2, 6)]
    gaps = [9 * suit + low + 1 for suit in range(3) for low in range(7)]
    return [
        *reading.SUJI,
        *((kind, kind) for kind in [*edges, *gaps, *range(KINDS), *range(KINDS)]),
    ]


FORM: Ints = np.repeat(np.arange(FORMS), (18, 27, 34, 34))
"""Form of every wait, (113,)."""

HOLDS: Ints = np.array(_holds())
"""Kinds held, (113, 2); a pair, and a single tile, is written twice."""

HELD: Ints = np.where(FORM == TANKI, 1, 2)
"""How many tiles the wait holds, (113,)."""

WINS: Ints = np.array(_wins())
"""Kinds won on, (113, 2); written twice where there is one alone."""

WAIT_SUIT: Ints = np.array(SUIT)[HOLDS[:, 0]]
"""Suit of every wait, (113,); 3 for honours."""

WIN_WAIT: Ints = np.concatenate([np.arange(WAITS), np.arange(FIRST_EDGE)])
WIN_KIND: Ints = np.concatenate([WINS[:, 0], WINS[:FIRST_EDGE, 1]])
"""The 131 pairs of a wait and a kind that it wins on."""

_STARTS = (0, FIRST_EDGE, FIRST_TOITSU, FIRST_TANKI)
_ALPHA: Floats = np.array(ALPHA)
_WINNING: Floats = np.zeros((WAITS, KINDS))
_WINNING[WIN_WAIT, WIN_KIND] = 1.0

_NAMES = ("two-sided", "edge or closed", "pair", "single")


def wait_name(wait: int) -> str:
    """A wait in words.

    >>> wait_name(two_sided(0, 1)), wait_name(FIRST_TOITSU + 33)
    ('two-sided 34m', 'pair 77z')
    """
    held = HOLDS[wait, : HELD[wait]]
    ranks = "".join(str(kind % 9 + 1) for kind in held)
    return f"{_NAMES[FORM[wait]]} {ranks}{SUIT_LETTERS[WAIT_SUIT[wait]]}"


CONDITIONS = 19
"""Conditions y of equation 33 in a suit: 0, its red five was discarded before riichi; 1–9, its rank
1–9 was; 10–18, that rank was, and then an honour from the hand."""

LIVE = 19  # 0–18 live suji
HAN = 13
FU = (25, 30, 40, 50, 60, 70, 80, 90, 100, 110)
"""The han 1–13 (a yakuman counts as 13) and fu of a ron, section 4."""

NEARNESS: Floats = np.array([0.0, 0.5, 0.8, 1.0, 1.0])
"""f1 by how many more tiles must be seen before the wait is impossible, equation 29."""


def conditions(seat: Seat, *, red_fives: bool = True) -> Bools:
    """Which conditions y the river of a seat fulfils, (3, 19) by suit."""
    found = np.empty((3, CONDITIONS), dtype=np.bool_)
    found[:, 0] = [red_fives and reading.red_five_discarded(seat, suit) for suit in range(3)]
    found[:, 1:10] = bits(reading.kinds_before_riichi(seat))[:27].reshape(3, 9)
    found[:, 10:] = bits(reading.kinds_then_honour(seat))[:27].reshape(3, 9)
    return found


def nearness(unseen: npt.NDArray[np.integer]) -> Floats:
    """f1 (equation 29) of every wait, (113,), from the unseen tiles of every kind, (34,).

    The tiles that matter are those the opponent must hold. Of two kinds the scarcer decides; a
    pair needs two of its kind. That the winning tile exists needs no factor: it is the one that
    the discarder holds.
    """
    of_first, of_second = unseen[HOLDS[:, 0]], unseen[HOLDS[:, 1]]
    spare = np.minimum(of_first, of_second) - (FORM == TOITSU)
    return np.asarray(NEARNESS[np.clip(spare, 0, COPIES)])


def yakuhai(round_wind: int, seat_wind: int) -> Ints:
    """Han that a triplet of each kind is worth to a seat, (34,): 2 for its double wind."""
    han = np.zeros(KINDS, dtype=np.int64)
    han[HAKU:] = 1
    han[round_wind] += 1
    han[seat_wind] += 1
    return han


def han_shift(dora: Sequence[int], yakuhai: Ints, red: int = 0) -> Ints:
    """Han that wait and winning tile add, s of equation 23, for the 131 pairs of `WIN_KIND`.

    Parameters
    ----------
    dora : sequence of int
        Kinds that are dora, one for each indicator (`View.dora`).
    yakuhai : (34,) array
        Han of a triplet, which a pair wait completes.
    red : int, default=0
        Kinds (bit h for kind h) of which the winning tile is the red five. A red five that the
        wait itself holds is hidden: it is part of the fixed distribution.
    """
    worth = np.bincount(np.asarray(dora, dtype=np.int64), minlength=KINDS)
    held = np.where(HELD == 2, worth[HOLDS].sum(axis=1), worth[HOLDS[:, 0]])
    held = held + np.where(FORM == TOITSU, yakuhai[HOLDS[:, 0]], 0)
    return np.asarray(held[WIN_WAIT] + (worth + bits(red))[WIN_KIND])


@dataclass(frozen=True, slots=True)
class WaitReading:
    """What is believed of one opponent that is tenpai with a closed hand.

    Attributes
    ----------
    form : (4,) array
        P(k|u), equations 26 and 28.
    factors : (3, 113) array
        f1, f2 and f3 of equation 34.
    wait : (113,) array
        P(m|u), equation 22.
    kind : (34,) array
        P(the opponent wins on the kind), in 0–1: the waits on it, and the floor; 0 for genbutsu.
    floor : (34,) array
        The share of `kind` that no wait explains.
    """

    form: Floats
    factors: Floats
    wait: Floats
    kind: Floats
    floor: Floats


@dataclass(frozen=True)
class WaitModel:
    """The fitted frequencies.

    Parameters
    ----------
    two_sided : (19,) array
        P(Ryanmen|u) by live suji 0–18, equation 26.
    others : (3,) array
        What the forms `TATSU`, `TOITSU` and `TANKI` get of the rest, N_k / (N − N_Ryanmen),
        equation 28; they sum to more than 1 because of hands with several forms.
    prior : (113,) array
        P(m|k), equation 31.
    given : (113, 19) array
        P(m|k,y) / P(m|k) by condition y in the suit of the wait (equation 32); 1 for honours.
    floor : (34,) array
        P(wins on the kind by none of the 113 waits), which is 国士無双.
    han : (13,) array
        p_rh of equation 24, for 1–13 han before the shift.
    fu : (10,) array
        p_rf of equation 24, in the order of `FU`.

    Raises
    ------
    ParameterError
        A shape is wrong, or a number is none that a frequency can be.
    """

    two_sided: Floats
    others: Floats
    prior: Floats
    given: Floats
    floor: Floats
    han: Floats
    fu: Floats

    def __post_init__(self) -> None:
        shapes = {
            "two_sided": (LIVE,),
            "others": (FORMS - 1,),
            "prior": (WAITS,),
            "given": (WAITS, CONDITIONS),
            "floor": (KINDS,),
            "han": (HAN,),
            "fu": (len(FU),),
        }
        for name in (field.name for field in fields(self)):
            numbers = getattr(self, name)
            if numbers.shape != shapes[name]:
                raise ParameterError(f"{name} of the waits has shape {numbers.shape}")
            if not (np.isfinite(numbers) & (numbers >= 0)).all():
                raise ParameterError(f"{name} of the waits has a number that is no frequency")
        if not ((self.prior > 0).all() and (self.given > 0).all() and (self.floor > 0).all()):
            raise ParameterError("a frequency of the waits is 0, which would rule a wait out")
        if not (np.isclose(self.han.sum(), 1) and np.isclose(self.fu.sum(), 1)):
            raise ParameterError("the han or the fu of the waits do not sum to 1")
        if (self.two_sided > 1).any():
            raise ParameterError("a probability of a two-sided wait is above 1")

    def read(
        self,
        seat: Seat,
        unseen: npt.NDArray[np.integer],
        furiten: int,
        *,
        red_fives: bool = True,
    ) -> WaitReading:
        """What an opponent's river says of its wait, supposing that it is tenpai.

        Parameters
        ----------
        seat : Seat
            The opponent; without riichi, its whole river counts as before riichi (section 5.4).
        unseen : (34,) array
            Unseen tiles of every kind, `View.unseen`.
        furiten : int
            Its genbutsu (bit h for kind h), `View.furiten`.
        red_fives : bool, default=True
            Whether one five of each suit is red.
        """
        dead = bits(furiten)
        near = nearness(unseen)
        fulfilled = conditions(seat, red_fives=red_fives).reshape(-1)
        behaviour = np.exp(self._log_prior + fulfilled @ self._log_given)
        alive = ~(dead[WINS[:, 0]] | dead[WINS[:, 1]])
        product = near * behaviour * alive
        form = self._forms(reading.live_suji(furiten))
        total = np.add.reduceat(product, _STARTS)
        share = np.divide(form * _ALPHA, total, out=np.zeros(FORMS), where=total > 0)
        wait = product * share[FORM]
        floor = np.where(dead, 0.0, self.floor)
        kind = np.minimum(wait @ _WINNING + floor, 1.0)
        return WaitReading(form, np.stack([near, behaviour, alive]), wait, kind, floor)

    def han_given_kind(self, read: WaitReading, shift: Ints) -> Floats:
        """P(han | a kind wins), (34, 13) for 1–13 han, equations 23 and 25.

        Parameters
        ----------
        read : WaitReading
        shift : (131,) array
            What `han_shift` gives.

        Returns
        -------
        (34, 13) array
            Rows sum to 1; what is above 13 han counts as 13. The row of a kind that cannot win is
            the fixed distribution.
        """
        cell = HAN * WIN_KIND + np.minimum(shift, HAN - 1)
        weight = np.bincount(cell, read.wait[WIN_WAIT], KINDS * HAN).reshape(KINDS, HAN)
        weight[:, 0] += np.maximum(read.floor, np.finfo(float).tiny)
        return np.asarray(weight @ self._shifted / weight.sum(axis=1, keepdims=True))

    def scores(self, read: WaitReading, shift: Ints) -> Floats:
        """P(han, fu | a kind wins), (34, 13, 10): han and fu are independent (equation 23)."""
        return self.han_given_kind(read, shift)[:, :, None] * self.fu

    def _forms(self, live: int) -> Floats:
        """P(k|u), (4,)."""
        return np.append(self.two_sided[live], (1 - self.two_sided[live]) * self.others)

    @cached_property
    def _log_prior(self) -> Floats:
        return np.log(self.prior)

    @cached_property
    def _log_given(self) -> Floats:
        """Logarithms of `given`, (57, 113): a row per suit and condition, 0 off the suit."""
        logs = np.zeros((HONOURS, CONDITIONS, WAITS))
        for suit in range(HONOURS):
            logs[suit][:, suit == WAIT_SUIT] = np.log(self.given[suit == WAIT_SUIT].T)
        return logs.reshape(-1, WAITS)

    @cached_property
    def _shifted(self) -> Floats:
        """`han` shifted by 0–12, (13, 13); the last column takes what is above 13."""
        rows = np.zeros((HAN, HAN))
        for shift in range(HAN):
            rows[shift, shift:] = self.han[: HAN - shift]
            rows[shift, -1] += self.han[HAN - shift :].sum()
        return rows
