"""What a hand promises: the yaku that it may end with, and their han. 役の評価関数.

小林聡, デジタル麻雀の理論: a split of the hand is a vector n of counts (`houjuu.player.splits`), a
yaku a vector of weights y. The hand has, of each group of yaku that go together and each split,
Σ isYaku(Y, form) · Han(Y, closed) · (y · n); the best of them is what it is worth.

The source leaves the weights free. Here they are fitted on logs, closed and open hands apart, and
y · n goes through a logistic link: it becomes the probability that a hand which wins does so with
Y; times another, that it wins in this form in this round, it is that of both, and the sum is a
number of han. What the classes cannot see, the suits foremost, is added to y · n (`TERMS`). Han is
the rules', but for 飜牌 and dora, of which a hand may have several: there it is the mean of what
was won with. isYaku is also 0 where the sets on the table rule the yaku out.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from houjuu import parameters
from houjuu.errors import ParameterError
from houjuu.parameters import Parameters
from houjuu.player import splits
from houjuu.player.aims import (
    AIMS,
    FOUR_SETS,
    GROUPS,
    KOKUSHI,
    NUMBERS,
    SEVEN_PAIRS,
    SURE,
    YAKU,
    YAKUHAI,
    Aim,
    Hand,
    Yaku,
)
from houjuu.player.splits import CLASSES, Counts

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

MODEL = "yaku"
SHIPPED = "fitted/player/yaku.npz"
TERMS = (*(name for name, _ in NUMBERS), "shanten × draws", "draws²", "shanten²")
"""What y · n grows by: `NUMBERS`, and products of them."""

COLUMNS = ("constant", *CLASSES, *TERMS)
"""What each weight is of."""

_BY_CLASS = slice(1, 1 + len(CLASSES))
_BY_TERM = slice(1 + len(CLASSES), len(COLUMNS))
_DRAWS, _SHANTEN, _DORA = (TERMS.index(name) for name in ("draws", "shanten", "dora"))


def _of_form(form: int) -> slice:
    places = [place for place, aim in enumerate(AIMS) if aim.form == form]
    return slice(places[0], places[-1] + 1)


def _members(form: int) -> Floats:
    aims = AIMS[OF_FORM[form]]  # dora last
    groups = [group.split("/") for group in GROUPS[form]]
    return np.array([[float(aim.yaku in group) for aim in aims] for group in groups])


NAMES = [aim.name for aim in AIMS]
"""The aims as the header of a parameter file has them."""

OF_FORM = tuple(map(_of_form, range(len(GROUPS))))
"""Where the aims of each form stand in `AIMS`."""

MEMBERS = tuple(map(_members, range(len(GROUPS))))
"""By form 1 where a group (row) has an aim of the form (column)."""

_SURE = tuple(np.array([aim.yaku in SURE for aim in AIMS[of]]) for of in OF_FORM)


def terms(numbers: npt.ArrayLike) -> Floats:
    """`TERMS` of `NUMBERS`, of one hand or of many, (…, 10)."""
    known = np.asarray(numbers, np.float64)
    draws, shanten = known[..., _DRAWS], known[..., _SHANTEN]
    return np.concatenate([known, np.stack([shanten * draws, draws**2, shanten**2], -1)], -1)


def bits(aims: npt.ArrayLike) -> Bools:
    """Sets of aims (bit i for aim i) as an array, (…, aims)."""
    return np.asarray(np.asarray(aims)[..., None] >> np.arange(len(AIMS)) & 1, np.bool_)


@dataclass(frozen=True)
class Evaluation:
    """What a hand promises.

    Attributes
    ----------
    total : float
        Han that the best group of yaku promises in the best split, nothing where the hand does not
        win: the source's evaluation.
    form : int
        `FOUR_SETS`, `SEVEN_PAIRS` or `KOKUSHI`.
    group : str
        That group, as the source spells it.
    split : dict of str to int
        That split: the classes in it and how many of each, sets on the table included.
    by_yaku : dict of str to pair of floats
        Of the yaku of the group: P(wins in this form and with it), and the han that it has then.
    chances : dict of Aim to float
        P(wins so) of all aims, each form in its own best split.
    expected : float
        Han of all yaku of all forms: what the hand wins on average, nothing where it does not win.
    win : float
        P(wins), the sum over the forms; 1 where these, fitted apart, make more.
    """

    total: float
    form: int
    group: str
    split: dict[str, int]
    by_yaku: dict[str, tuple[float, float]]
    chances: dict[Aim, float]
    expected: float
    win: float


class _Read(NamedTuple):
    """A hand as one form has it, in its best split: by aim of the form, and by group."""

    form: int
    split: Counts
    chances: Floats
    han: Floats
    totals: Floats


class _Splits(NamedTuple):
    """A hand as one form has it: of every split the chances by aim and the totals by group."""

    form: int
    parts: tuple[Counts, ...]
    chances: Floats
    han: Floats
    totals: Floats

    def best(self) -> _Read:
        """The split of the highest total."""
        best = int(self.totals.max(axis=1).argmax())
        rows = np.unravel_index(best, [len(part) for part in self.parts])
        split = sum(part[row] for part, row in zip(self.parts, rows, strict=True))
        told = self.chances[best], self.han, self.totals[best]
        return _Read(self.form, np.asarray(split), *told)


class Prospects:
    """The evaluation with fitted weights.

    Parameters
    ----------
    weights : (2, aims, columns) array
        Of closed and of open hands, by aim of `AIMS`, of each of `COLUMNS`: log odds of winning in
        the form, for `WIN`, and of the yaku given that win, for the others; 0 for those that are
        `SURE`.
    yakuhai : (2,) array
        Han of 飜牌 where there are any, closed and open.
    dora : (3, 2) array
        Han of dora of a win with four sets closed, open, and with seven pairs: where the hand holds
        none, and more for each that it holds.

    Raises
    ------
    ParameterError
        An array has another shape.
    """

    def __init__(self, weights: Floats, yakuhai: Floats, dora: Floats) -> None:
        shapes = weights.shape, yakuhai.shape, dora.shape
        known = (2, len(AIMS), len(COLUMNS)), (2,), (3, 2)
        if shapes != known:
            raise ParameterError(f"the weights of yaku are of shapes {shapes}, not {known}")
        self.weights, self.yakuhai, self.dora = weights, yakuhai, dora
        rules = [YAKU.get(aim.yaku, Yaku((), 0, 0)) for aim in AIMS]
        self._han = np.array([[of.closed for of in rules], [of.open for of in rules]], np.float64)
        self._han[:, AIMS.index(Aim(FOUR_SETS, YAKUHAI))] = yakuhai

    def evaluate(self, hand: Hand) -> Evaluation:
        """What a hand promises: the best group of yaku in the best split."""
        read = [of.best() for of in self._forms(hand)]
        best = max(read, key=lambda of: float(of.totals.max()))
        group = GROUPS[best.form][int(best.totals.argmax())]
        told = zip(AIMS[OF_FORM[best.form]], best.chances, best.han, strict=True)
        chances = np.concatenate([of.chances for of in read]).tolist()
        return Evaluation(
            total=float(best.totals.max()),
            form=best.form,
            group=group,
            split={CLASSES[place]: int(best.split[place]) for place in best.split.nonzero()[0]},
            by_yaku={
                aim.yaku: (float(chance), float(han))
                for aim, chance, han in told
                if aim.yaku in group.split("/")
            },
            chances=dict.fromkeys(AIMS, 0.0) | dict(zip(AIMS, chances, strict=False)),
            expected=float(sum(of.chances @ of.han for of in read)),
            win=min(float(sum(of.chances[0] for of in read)), 1.0),
        )

    def total(self, hand: Hand) -> float:
        """`Evaluation.total` alone."""
        return max(float(of.totals.max()) for of in self._forms(hand))

    def split(self, hand: Hand) -> Counts:
        """The best split into four sets and a pair, (21,)."""
        of = self._splits(hand, FOUR_SETS, terms(hand.numbers), bits(hand.possible))
        return of.best().split

    def why(self, hand: Hand, told: Evaluation, yaku: str) -> dict[str, float]:
        """What a probability of the evaluation is made of.

        Parameters
        ----------
        hand : Hand
        told : Evaluation
            Of that hand.
        yaku : str
            `WIN`, or one of the evaluation's group that is not `SURE`.

        Returns
        -------
        dict
            By name of `COLUMNS` what each adds to the log odds: of winning in this form, or of
            having the yaku given such a win. What adds nothing is left out.
        """
        counts = [told.split.get(name, 0) for name in CLASSES]
        known = [1.0, *counts, *terms(hand.numbers)]
        added = self.weights[int(not hand.closed), AIMS.index(Aim(told.form, yaku))] * known
        return {name: float(of) for name, of in zip(COLUMNS, added, strict=True) if of}

    def _forms(self, hand: Hand) -> list[_Splits]:
        """The hand in the forms that the sets on the table allow."""
        forms = (FOUR_SETS,) if any(hand.melds) else range(len(GROUPS))
        known, possible = terms(hand.numbers), bits(hand.possible)
        return [self._splits(hand, form, known, possible) for form in forms]

    def _splits(self, hand: Hand, form: int, known: Floats, possible: Bools) -> _Splits:
        weights = self.weights[int(not hand.closed), OF_FORM[form]]
        parts = _parts(hand, form)
        constant = weights[:, 0] + weights[:, _BY_TERM] @ known
        score = splits.sums([constant[None], *(part @ weights[:, _BY_CLASS].T for part in parts)])
        said = possible[OF_FORM[form]] / (1 + np.exp(-score))
        chances = said[:, :1] * np.where(_SURE[form], 1.0, said)
        han = self._han_of(hand, form)
        return _Splits(form, parts, chances, han, (chances * han) @ MEMBERS[form].T)

    def _han_of(self, hand: Hand, form: int) -> Floats:
        """Han(Y, closed) of the aims of a form."""
        found = self._han[int(not hand.closed), OF_FORM[form]].copy()
        if form != KOKUSHI:
            none, each = self.dora[2 if form == SEVEN_PAIRS else int(not hand.closed)]
            found[-1] = none + each * hand.numbers[_DORA]
        return found


def _parts(hand: Hand, form: int) -> tuple[Counts, ...]:
    """Arrays of which any sum of a row each is a split of the hand."""
    if form == FOUR_SETS:
        return *splits.of_hand(hand.counts, hand.yakuhai), np.array([hand.melds], np.int8)
    of = splits.for_seven_pairs if form == SEVEN_PAIRS else splits.for_kokushi
    return (of(hand.counts, hand.yakuhai)[None],)


def of_parameters(fitted: Parameters) -> Prospects:
    """The evaluation of a parameter file.

    Raises
    ------
    ParameterError
        It is another model's, or has other columns than this houjuu.
    """
    if fitted.header["model"] != MODEL:
        raise ParameterError(f"model {fitted.header['model']!r} is no evaluation of yaku")
    if fitted.header.get("columns") != list(COLUMNS) or fitted.header.get("aims") != NAMES:
        raise ParameterError("the weights of yaku are of other classes than this houjuu has")
    try:
        return Prospects(**fitted.part("yaku"))
    except TypeError as problem:
        raise ParameterError(f"the weights of yaku are incomplete ({problem})") from None


def load(path: str | Path | None = None) -> Prospects:
    """The evaluation that ships with houjuu, or that of a parameter file.

    Raises
    ------
    ParameterError
        The file is missing, damaged, or of another version or model.
    """
    if path is not None:
        return of_parameters(parameters.read(path))
    with resources.as_file(resources.files("houjuu") / SHIPPED) as shipped:
        return of_parameters(parameters.read(shipped))
