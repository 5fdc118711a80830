"""Wait and score of an open hand: Kurita & Hoki 2017, section 5.2.

Every tenpai hand that the unseen tiles allow has a weight f1 · f2 · f3 (equations 14–17): the ways
to draw it, its form of wait, and 0 if furiten. Within each colour of section 5.1 the weights are
normalized (equation 13) and multiplied by P(T|c,u) P(c|u) (equation 18). A hand without a yaku on a
tile keeps its weight and does not win on it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from houjuu.game.table import View
from houjuu.hands.hand_cache import CONCEALED_SETS, HandCache
from houjuu.hands.points import score_code
from houjuu.hands.suit_ways import reds_unseen
from houjuu.hands.tenpai_hands import NO_SUIT
from houjuu.reading.table1 import SEVERAL
from houjuu.util.arrays import Floats, Ints
from houjuu.util.errors import ParameterError

_FLOOR_CODE = score_code(1, 30)
_ONE_TILE = max(CONCEALED_SETS)  # number of melds

_MAX_WEIGHT = 1e9


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
        with one meld the yaku may lie in the tiles that the hands leave out. Not added with four
        melds. The paper has none.
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
        n_melds = np.array(len(view.seats[seat].melds))
        reds = reds_unseen(view.visible(), view.rules)
        hands = cache.hands(view, seat)
        weights = hands.weights(view.unseen(), reds, view.furiten(seat), self.other_forms)
        scores = weights.scores(self.factors(weights.by_class, joint, n_melds))
        uncovered = ~scores.any(axis=1) & ~view.genbutsu(seat)
        scores[uncovered, _FLOOR_CODE] = self.floors(n_melds) * joint.sum()
        return scores

    def factors(self, by_class: Floats, joint: Floats, n_melds: Ints) -> Floats:
        """Σ over the colours of P(T|c,u) P(c|u) / Σ of the weights within the colour, (…, 5).

        Parameters
        ----------
        by_class : (…, 5, 4) array
            Sums of the weights by colour and class of the hand, as `HandWeights.by_class`.
        joint : (…, 4) array
            P(T|c,u) P(c|u).
        n_melds : (…) array
            1–4.
        """
        one_tile = n_melds == _ONE_TILE
        no_yaku = np.where(one_tile, 0.0, self.no_yaku)  # equation 10: a hand that cannot win
        total = by_class[..., ::2].sum(axis=-1)
        total += no_yaku[..., None] * by_class[..., 1::2].sum(axis=-1)
        within = total[..., : SEVERAL + 1].copy()
        within[..., :SEVERAL] += total[..., NO_SUIT:]
        share = _share(joint, within)
        factor = np.concatenate([share, share[..., :SEVERAL].sum(axis=-1, keepdims=True)], axis=-1)
        if not self.colour_of_one_tile:
            without_colour = _share(joint.sum(axis=-1), total.sum(axis=-1))
            factor = np.where(one_tile[..., None], without_colour[..., None], factor)
        return np.asarray(factor)

    def floors(self, n_melds: Ints) -> Floats:
        """P(wins on a kind | tenpai) where no hand does, (…); 0 with four melds.

        With four melds every hand is enumerated: with a floor the kinds would exceed 1.
        """
        return np.where(n_melds == _ONE_TILE, 0.0, self.floor)


def _share(probability: Floats, total: Floats) -> Floats:
    return np.divide(probability, total, out=np.zeros(np.shape(total)), where=total > 0)


def colours_within(colour: int) -> list[int]:
    """The colours of whole hands that belong to a colour of section 5.1.

    A hand of honours alone is within all three suits (section 4, the definition of Q_Honitsu).
    """
    return [colour] if colour == SEVERAL else [colour, NO_SUIT]
