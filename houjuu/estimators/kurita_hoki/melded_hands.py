"""Wait and score of an open hand: Kurita & Hoki 2017, section 5.2.

Every tenpai hand that the unseen tiles allow has a weight f1 · f2 · f3 (equations 14–17): the ways
to draw it, its form of wait, and 0 if furiten. Within each colour of section 5.1 the weights are
normalized (equation 13) and multiplied by P(T|c,u) P(c|u) (equation 18). A hand without a yaku on a
tile keeps its weight and does not win on it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from houjuu.arrays import Bools, Floats, UInt8s
from houjuu.errors import ParameterError
from houjuu.events import Meld
from houjuu.hands.completions import RYANMEN, SHANPON
from houjuu.hands.hand_cache import CONCEALED, HandCache
from houjuu.hands.open_yaku import meld_suits
from houjuu.hands.points import score_code
from houjuu.hands.tenpai_hands import TenpaiHands, reds_unseen
from houjuu.reading.table1 import SEVERAL
from houjuu.table import View

_FLOOR_CODE = score_code(1, 30)

_MAX_WEIGHT = 1e9

GOOD_FORMS = RYANMEN | SHANPON
"""Bits of the forms of wait with weight 1 in equation 15."""


@dataclass(frozen=True)
class MeldedHandModel:
    """The weights of hands.

    Parameters
    ----------
    other_forms : float, default=0.2
        Weight f2 of a hand without a ryanmen or shanpon wait (equation 15).
    no_yaku : float, default=1.0
        Weight of a hand without a yaku on any of its waits. The paper supposes that nobody builds
        such a hand (section 5.2.1) but uses the supposition with four melds alone; its equations
        with fewer melds imply 1.
    floor : float, default=0.0
        P(wins on a kind | tenpai) where no hand wins on the kind and furiten does not forbid it:
        with one meld the yaku may lie in the tiles that the hands leave out. The paper has none.
    colour_of_one_tile : float, default=0.0
        1 if the colours of section 5.1 also weight the hands of one tile, with four melds; 0 as in
        equations 10 and 11, which have no colour.

    Raises
    ------
    ParameterError
        A weight is not positive or is extreme, the floor is not a probability, or
        `colour_of_one_tile` is neither 0 nor 1.
    """

    other_forms: float = 0.2
    no_yaku: float = 1.0
    floor: float = 0.0
    colour_of_one_tile: float = 0.0

    def __post_init__(self) -> None:
        for weight in (self.other_forms, self.no_yaku):
            if not 1 / _MAX_WEIGHT <= weight <= _MAX_WEIGHT:  # 0 would exclude a hand
                raise ParameterError(
                    f"a weight of the melded hands is {weight}; it must be > 0 and not extreme"
                )
        if not 0 <= self.floor < 1:
            raise ParameterError(f"the floor of the melded hands is {self.floor}; it must be 0–1")
        if self.colour_of_one_tile not in (0, 1):
            raise ParameterError(
                f"colour_of_one_tile of the melded hands is {self.colour_of_one_tile}, not 0 or 1"
            )

    def scores(self, view: View, seat: int, joint: Floats, cache: HandCache) -> Floats:
        """P(the opponent wins on kind h with score code s | u), equation 18, and the floor.

        Parameters
        ----------
        view : View
            What the asking seat sees.
        seat : int
            The opponent, with one to four melds.
        joint : (4,) array
            P(T|c,u) P(c|u) by colour.
        cache : HandCache
            Has the hands of the opponent.

        Returns
        -------
        (34, 224) array
            By kind and score code (`houjuu.hands.points`).
        """
        scores = self.enumerated_scores(view, seat, joint, cache)
        uncovered = ~scores.any(axis=1) & ~view.genbutsu(seat)
        scores[uncovered, _FLOOR_CODE] = self.floor * joint.sum()
        return scores

    def enumerated_scores(self, view: View, seat: int, joint: Floats, cache: HandCache) -> Floats:
        """The same as `scores`, without the floor."""
        hands = cache.hands(view, seat)
        reds = reds_unseen(view.visible(), view.rules)
        weight = hands.ways(view.unseen(), reds)
        good = (hands.forms & GOOD_FORMS) != 0
        weight *= np.where(good, 1.0, self.other_forms)
        weight *= (hands.waits & np.uint64(view.furiten(seat))) == 0
        melds = view.seats[seat].melds
        one_tile = len(melds) == max(CONCEALED)  # equation 10: a hand that cannot win is not held
        weight *= np.where(hands.has_yaku, 1.0, 0.0 if one_tile else self.no_yaku)
        if one_tile and not self.colour_of_one_tile:
            factor = _normalized(weight, np.zeros(len(weight), np.uint8), joint.sum(keepdims=True))
        else:
            factor = _normalized(weight, suits_of(hands, melds), joint)
        return hands.weight_by_score(weight * factor)


def suits_of(hands: TenpaiHands, melds: tuple[Meld, ...]) -> UInt8s:
    """Bits 0–2 for the suits of the whole hand, melds included, (g,)."""
    shown = sum(1 << suit for suit in meld_suits(melds))
    suits: UInt8s = hands.suits | np.uint8(shown)
    return suits


def within_colour(suits: UInt8s, colour: int) -> Bools:
    """Which hands are of a colour, by the bits of `suits_of`, (g,).

    A hand of honours alone is within all three suits (section 4, the definition of Q_Honitsu).
    """
    single = (suits & (suits - np.uint8(1))) == 0  # one bit at most
    within: Bools = (suits & ~np.uint8(1 << colour)) == 0
    return ~single if colour == SEVERAL else within


def _normalized(weight: Floats, suits: UInt8s, joint: Floats) -> Floats:
    """Σ over colours of P(T|c,u) P(c|u) / Σ of the weights within the colour, for each group."""
    factor = np.zeros(len(weight))
    for colour, probability in enumerate(joint):
        within = within_colour(suits, colour)
        total = float(weight[within].sum())
        if total > 0 and probability > 0:
            factor[within] += probability / total
    return factor
