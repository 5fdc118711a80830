"""What a melded opponent may win on, and for how much: Kurita & Hoki 2017, section 5.2.

Every tenpai hand that the unseen tiles allow gets a weight f1 · f2 · f3 (equations 14–17): the ways
to draw it, how well it waits, whether it is furiten. Within each colour of section 5.1 the weights
are shared out (equation 13) and multiplied by P(T|c,u) P(c|u) (equation 18). A hand that has no
yaku on a tile keeps its share and does not win on it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from houjuu.errors import ParameterError
from houjuu.events import Meld
from houjuu.hands.grid import Setting
from houjuu.hands.grouping import tenpai_hands
from houjuu.hands.readings import RYANMEN, TOITSU
from houjuu.hands.shapes import shapes
from houjuu.hands.tenpai import TenpaiHands, reds_unseen
from houjuu.reading import SEVERAL, meld_suits
from houjuu.table import View

Floats = npt.NDArray[np.float64]

_LEAST = 16 * 1 + 3
"""Score code of 1 han 30 fu."""

CONCEALED = {1: 7, 2: 7, 3: 4, 4: 1}
"""Concealed tiles by the number of sets on the table; with one set the paper pretends that seven
tiles and three sets are the whole game (section 5.2.4)."""

GOOD_FORMS = RYANMEN | TOITSU
"""Bits of the forms of wait that weigh 1 in equation 15: two-sided ones and pair waits."""


@dataclass(slots=True)
class Kept:
    """What can be kept between the queries of one seat: the hands of each opponent.

    They change with a meld or a dora, and on the last discard. Whoever asks holds on to one of
    these and hands it in with every query; without it the hands are worked out anew each time.
    """

    _hands: dict[int, tuple[tuple[int, ...], Setting, TenpaiHands]] = field(default_factory=dict)

    def hands(self, view: View, seat: int) -> TenpaiHands:
        """The tenpai hands that an opponent with one to four sets may hold."""
        setting = Setting.of(view, seat)
        deal = (view.seat, view.round, view.honba, view.dora_indicators[0])
        kept = self._hands.get(seat)
        if kept is None or kept[:2] != (deal, setting):
            reds = reds_unseen(view.visible(), view.rules)
            of = shapes(CONCEALED[len(setting.melds)])
            kept = deal, setting, tenpai_hands(of, setting, view.unseen(), reds)
            self._hands[seat] = kept
        return kept[2]


@dataclass(frozen=True)
class MeldedModel:
    """The weights of hands.

    Parameters
    ----------
    other_forms : float, default=0.2
        Weight f2 of a hand without a two-sided or pair wait (equation 15).
    no_yaku : float, default=1.0
        Weight of a hand that has no yaku on any of its waits. The paper supposes that nobody builds
        such a hand (section 5.2.1) but takes the supposition into account with four melds alone;
        1 is what its equations say with fewer.
    floor : float, default=0.00025
        P(wins on a kind | tenpai) where none of the hands wins on it, and furiten does not forbid
        it: with one set on the table the yaku may be in the tiles that the hands leave out.

    Raises
    ------
    ParameterError
        One of them is not a positive number.
    """

    other_forms: float = 0.2
    no_yaku: float = 1.0
    floor: float = 0.00025

    def __post_init__(self) -> None:
        for weight in (self.other_forms, self.no_yaku, self.floor):
            if not 0 < weight < np.inf:
                raise ParameterError(f"the weight of a form of hand is {weight}")

    def scores(self, view: View, seat: int, colours: Floats, kept: Kept) -> Floats:
        """P(the opponent wins on kind h with score code s | u), equation 18, and the floor.

        Parameters
        ----------
        view : View
            What the asking seat sees.
        seat : int
            The opponent, with one to four sets on the table.
        colours : (4,) array
            P(T|c,u) P(c|u) by colour.
        kept : Kept
            Holds the opponent's hands.

        Returns
        -------
        (34, 224) array
            By kind and score code (`houjuu.hands.points`).
        """
        scores = self.by_hands(view, seat, colours, kept)
        unexplained = ~scores.any(axis=1) & ~view.genbutsu(seat)
        scores[unexplained, _LEAST] = self.floor * colours.sum()
        return scores

    def by_hands(self, view: View, seat: int, colours: Floats, kept: Kept) -> Floats:
        """As `scores`, without the floor."""
        hands = kept.hands(view, seat)
        reds = reds_unseen(view.visible(), view.rules)
        weight = hands.ways(view.unseen(), reds)
        good = (hands.forms & GOOD_FORMS) != 0
        weight *= np.where(good, 1.0, self.other_forms)
        weight *= (hands.waits & np.uint64(view.furiten(seat))) == 0
        melds = view.seats[seat].melds
        single = len(melds) == max(CONCEALED)  # equation 10: what cannot win is not held
        weight *= np.where(hands.wins, 1.0, 0.0 if single else self.no_yaku)
        return hands.scores(weight * _share(weight, suits_of(hands, melds), colours))


def suits_of(hands: TenpaiHands, melds: tuple[Meld, ...]) -> npt.NDArray[np.uint8]:
    """Bits 0–2 for the suits of the whole hand, melds included, (g,)."""
    shown = sum(1 << suit for suit in meld_suits(melds))
    suits: npt.NDArray[np.uint8] = hands.suits | np.uint8(shown)
    return suits


def within_colour(suits: npt.NDArray[np.uint8], colour: int) -> npt.NDArray[np.bool_]:
    """Which hands are of a colour, by the bits of `suits_of`, (g,).

    A hand of honours alone is within all three suits (section 4, the definition of Q_Honitsu).
    """
    single = (suits & (suits - np.uint8(1))) == 0  # one bit at most
    within: npt.NDArray[np.bool_] = (suits & ~np.uint8(1 << colour)) == 0
    return ~single if colour == SEVERAL else within


def _share(weight: Floats, suits: npt.NDArray[np.uint8], colours: Floats) -> Floats:
    """Σ over colours of P(T|c,u) P(c|u) / Σ of the weights within the colour, for each group."""
    share = np.zeros(len(weight))
    for colour, probability in enumerate(colours):
        within = within_colour(suits, colour)
        total = float(weight[within].sum())
        if total > 0 and probability > 0:
            share[within] += probability / total
    return share
