"""Wait and score of a riichi: Kurita & Hoki 2017, section 5.3, equations 19–34.

P(m|u) ≈ P(k|u) · α_k f_m / Σ of f over the waits of form k (equation 22), with f = f1 · f2 · f3.
The waits m and their forms k are those of `houjuu.hands.wait_types`. A hand may have several waits,
so that the P(m|u) may sum to more than 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
import numpy.typing as npt

from houjuu.game.table import Seat, mask_to_array
from houjuu.game.tiles import COPIES, HONOURS, KINDS
from houjuu.hands.wait_types import (
    FIRST_PENCHAN,
    FIRST_SHANPON,
    FIRST_TANKI,
    FORM,
    FORMS,
    FU,
    HAN,
    HELD,
    HOLDS,
    SHANPON,
    WAIT_SUIT,
    WAITS,
    WIN_KIND,
    WIN_WAIT,
    WINNING,
    WINS,
)
from houjuu.reading import safety, table1
from houjuu.util.arrays import Bools, Floats, Ints
from houjuu.util.errors import ParameterError
from houjuu.util.parameters import require_range

ALPHA: Floats = np.array([1.0, 1.0, 2.0, 1.0])
"""α of equation 19 by form: a hand with a shanpon wait has two of them."""

_MAX_RATIO = 1e12  # of frequencies; the product of 20 of them must not overflow

_STARTS = (0, FIRST_PENCHAN, FIRST_SHANPON, FIRST_TANKI)

CONDITIONS = 19
"""Conditions y of equation 33 in a suit: 0, its red five was discarded before riichi; 1–9, its rank
1–9 was; 10–18, that rank was, followed by a tedashi honour."""

LIVE_SUJI_COUNTS = 19
"""Values of the number of live suji, 0–18."""

NEARNESS: Floats = np.array([0.0, 0.5, 0.8, 1.0, 1.0])
"""f1 by the number of tiles that must still be seen to make the wait impossible, equation 29."""


def fulfilled_conditions(seat: Seat, *, red_fives: bool = True) -> Bools:
    """Which conditions y the river of a seat fulfils, (3, 19), by suit."""
    fulfilled = np.empty((3, CONDITIONS), dtype=np.bool_)
    fulfilled[:, 0] = [red_fives and table1.red_five_discarded(seat, suit) for suit in range(3)]
    fulfilled[:, 1:10] = mask_to_array(table1.kinds_before_riichi(seat))[:27].reshape(3, 9)
    fulfilled[:, 10:] = mask_to_array(table1.kinds_then_honour(seat))[:27].reshape(3, 9)
    return fulfilled


def nearness(unseen: npt.NDArray[np.integer]) -> Floats:
    """f1 (equation 29) of every wait, (113,), from the unseen tiles of every kind, (34,).

    Only the tiles that the opponent must hold matter. The scarcer of two kinds decides; a shanpon
    needs two of its kind. The winning tile needs no factor: the discarder holds it.
    """
    first = unseen[HOLDS[:, 0]]
    second = unseen[HOLDS[:, 1]]
    spare = np.minimum(first, second) - (FORM == SHANPON)
    return np.asarray(NEARNESS[np.clip(spare, 0, COPIES)])


def han_shift(dora: Sequence[int], yakuhai: Sequence[int], red: int = 0) -> Ints:
    """Han that wait and winning tile add, s of equation 23, for the 131 pairs of `WIN_KIND`.

    Parameters
    ----------
    dora : sequence of int
        Kinds that are dora, one for each indicator (`View.dora`).
    yakuhai : sequence of 34 ints
        Han of a triplet, `houjuu.game.tiles.yakuhai_han`: a shanpon wait completes one.
    red : int, default=0
        Mask of the kinds of which the winning tile is the red five. A red five within the wait is
        hidden: it is part of the fixed distribution.
    """
    dora_han = np.bincount(np.asarray(dora, dtype=np.intp), minlength=KINDS)
    in_wait = np.where(HELD == 2, dora_han[HOLDS].sum(axis=1), dora_han[HOLDS[:, 0]])
    in_wait = in_wait + np.where(FORM == SHANPON, np.asarray(yakuhai)[HOLDS[:, 0]], 0)
    return np.asarray(in_wait[WIN_WAIT] + (dora_han + mask_to_array(red))[WIN_KIND])


@dataclass(frozen=True, slots=True)
class WaitPrediction:
    """Prediction for one tenpai opponent with a closed hand.

    Attributes
    ----------
    form : (4,) array
        P(k|u), equations 26 and 28.
    factors : (3, 113) array
        f1, f2 and f3 of equation 34.
    wait : (113,) array
        P(m|u), equation 22.
    kind : (34,) array
        P(the opponent wins on the kind), 0–1: its waits and the floor; 0 for genbutsu.
    floor : (34,) array
        The part of `kind` outside the 113 waits.
    """

    form: Floats
    factors: Floats
    wait: Floats
    kind: Floats
    floor: Floats


@dataclass(frozen=True)
class RiichiWaitModel:
    """The fitted frequencies.

    Parameters
    ----------
    ryanmen : (19,) array
        P(Ryanmen|u) by live suji 0–18, equation 26.
    others : (3,) array
        Shares of `KANCHAN_PENCHAN`, `SHANPON` and `TANKI` in the rest, N_k / (N − N_Ryanmen),
        equation 28; they sum to more than 1 because a hand may have several forms.
    prior : (113,) array
        P(m|k), equation 31.
    given : (113, 19) array
        P(m|k,y) / P(m|k) by condition y in the suit of the wait (equation 32); 1 for honours.
    floor : (34,) array
        P(wins on the kind by none of the 113 waits): kokushi musou, which the paper leaves out.
    han : (13,) array
        p_rh of equation 24, for 1–13 han before the shift.
    fu : (10,) array
        p_rf of equation 24, in the order of `FU`.

    Raises
    ------
    ParameterError
        A shape is wrong, or a number is not a valid frequency.
    """

    ryanmen: Floats
    others: Floats
    prior: Floats
    given: Floats
    floor: Floats
    han: Floats
    fu: Floats

    def __post_init__(self) -> None:
        shapes = {
            "ryanmen": (LIVE_SUJI_COUNTS,),
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
            low, high = (1 / _MAX_RATIO, _MAX_RATIO) if name in ("prior", "given") else (0, 1)
            require_range(f"`{name}` of the waits", numbers, low, high)
        if not (np.isclose(self.han.sum(), 1) and np.isclose(self.fu.sum(), 1)):
            raise ParameterError("the han or the fu of the waits do not sum to 1")

    def predict(
        self,
        seat: Seat,
        unseen: npt.NDArray[np.integer],
        furiten: int,
        *,
        red_fives: bool = True,
    ) -> WaitPrediction:
        """Wait of an opponent, given that it is tenpai.

        Parameters
        ----------
        seat : Seat
            The opponent; without riichi, its whole river counts as before riichi (section 5.4).
        unseen : (34,) array
            Unseen tiles of every kind, `View.unseen`.
        furiten : int
            Mask of its genbutsu, `View.furiten`.
        red_fives : bool, default=True
            Whether one five of each suit is red.
        """
        genbutsu = mask_to_array(furiten)
        near = nearness(unseen)
        fulfilled = fulfilled_conditions(seat, red_fives=red_fives).reshape(-1)
        behaviour = np.exp(self._log_prior + fulfilled @ self._log_given)
        alive = ~(genbutsu[WINS[:, 0]] | genbutsu[WINS[:, 1]])
        product = near * behaviour * alive
        form = self._forms(safety.live_suji(furiten))
        total = np.add.reduceat(product, _STARTS)
        share = np.divide(form * ALPHA, total, out=np.zeros(FORMS), where=total > 0)
        wait = product * share[FORM]
        floor = np.where(genbutsu, 0.0, self.floor)
        kind = np.minimum(wait @ WINNING + floor, 1.0)
        return WaitPrediction(
            form=form, factors=np.stack([near, behaviour, alive]), wait=wait, kind=kind, floor=floor
        )

    def han_given_kind(self, waits: WaitPrediction, shift: Ints) -> Floats:
        """P(han | a kind wins), (34, 13) for 1–13 han, equations 23 and 25.

        Parameters
        ----------
        waits : WaitPrediction
        shift : (131,) array
            The result of `han_shift`.

        Returns
        -------
        (34, 13) array
            Rows sum to 1; more than 13 han count as 13. The row of a kind that cannot win is the
            fixed distribution.
        """
        cell = HAN * WIN_KIND + np.minimum(shift, HAN - 1)
        weight = np.bincount(cell, waits.wait[WIN_WAIT], KINDS * HAN).reshape(KINDS, HAN)
        weight[:, 0] += np.maximum(waits.floor, np.finfo(float).tiny)
        return np.asarray(weight @ self._shifted / weight.sum(axis=1, keepdims=True))

    def scores(self, waits: WaitPrediction, shift: Ints) -> Floats:
        """P(han, fu | a kind wins), (34, 13, 10): han and fu are independent (equation 23)."""
        return self.han_given_kind(waits, shift)[:, :, None] * self.fu

    def _forms(self, live_suji: int) -> Floats:
        """P(k|u), (4,)."""
        return np.append(self.ryanmen[live_suji], (1 - self.ryanmen[live_suji]) * self.others)

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
        """`han` shifted by 0–12, (13, 13); the last column includes more than 13 han."""
        rows = np.zeros((HAN, HAN))
        for shift in range(HAN):
            rows[shift, shift:] = self.han[: HAN - shift]
            rows[shift, -1] += self.han[HAN - shift :].sum()
        return rows
