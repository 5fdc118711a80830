"""The yaku that a hand may win with, and their expected han: 役の評価関数.

デジタル麻雀の理論: a split of the hand is a vector n of counts
(`houjuu.player.hand_value.hand_decomposition`), a yaku a vector of weights y. For each group of
yaku that go together and each split, the sum is Σ isYaku(Y, form) · Han(Y, closed) · (y · n). The
evaluation of the hand is the highest of these sums.

The source leaves the weights free. Here they are fitted on logs, separately for closed and for open
hands, and y · n goes through a logistic link. The result is the probability that a hand which wins
does so with Y. Its product with the probability of winning in this form in this round is that of
both, so the sum is a number of han. The classes leave out some features, mainly the suits, so
`TERMS` are added to y · n. Han follows the rules, except for 飜牌 and dora, of which a hand may
have several: their han is the mean among wins. isYaku is also 0 where the melds exclude the yaku.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from houjuu.game.yaku import YAKU
from houjuu.player.hand_value import hand_decomposition
from houjuu.player.hand_value.hand_decomposition import CLASSES
from houjuu.player.hand_value.yaku_targets import (
    FOUR_SETS,
    GROUPS,
    HAND_NUMBERS,
    KOKUSHI,
    SEVEN_PAIRS,
    SURE,
    TARGET_YAKU,
    TARGETS,
    YAKUHAI,
    HandSummary,
    YakuTarget,
)
from houjuu.util import parameters
from houjuu.util.arrays import Bools, Floats, Int8s, Ints
from houjuu.util.errors import ParameterError
from houjuu.util.fitted import FittedModel, from_part

MODEL = "yaku"
SHIPPED = "fitted/player/yaku.npz"
TERMS = (*(name for name, _ in HAND_NUMBERS), "shanten × draws", "draws²", "shanten²")
"""The inputs besides the classes: `HAND_NUMBERS` and products of them."""

COLUMNS = ("constant", *CLASSES, *TERMS)
"""Names of the inputs, one for each weight."""

_BY_CLASS = slice(1, 1 + len(CLASSES))
_BY_TERM = slice(1 + len(CLASSES), len(COLUMNS))
_DRAWS = TERMS.index("draws")
_SHANTEN = TERMS.index("shanten")
_DORA = TERMS.index("dora")


def _of_form(form: int) -> slice:
    indices = [index for index, target in enumerate(TARGETS) if target.form == form]
    return slice(indices[0], indices[-1] + 1)


def _members(form: int) -> Floats:
    targets = TARGETS[OF_FORM[form]]
    return np.array([[float(target.yaku in group) for target in targets] for group in GROUPS[form]])


NAMES = [target.name for target in TARGETS]
"""Names of the targets in the header of a parameter file."""

OF_FORM = tuple(map(_of_form, range(len(GROUPS))))
"""The slice of `TARGETS` that contains the targets of each form."""

MEMBERS = tuple(map(_members, range(len(GROUPS))))
"""By form (groups, targets): 1 where the group contains the target, else 0."""

_SURE = tuple(np.array([target.yaku in SURE for target in TARGETS[form]]) for form in OF_FORM)


def terms(numbers: npt.ArrayLike) -> Floats:
    """The values of `TERMS`, (…, 10), from those of `HAND_NUMBERS`, (…, 7)."""
    linear = np.asarray(numbers, np.float64)
    draws = linear[..., _DRAWS]
    shanten = linear[..., _SHANTEN]
    return np.concatenate([linear, np.stack([shanten * draws, draws**2, shanten**2], -1)], -1)


def target_flags(targets: npt.ArrayLike) -> Bools:
    """Sets of targets (bit i for target i) as flags, (…, targets)."""
    return np.asarray(np.asarray(targets)[..., None] >> np.arange(len(TARGETS)) & 1, np.bool_)


@dataclass(frozen=True)
class Evaluation:
    """The evaluation of a hand.

    Attributes
    ----------
    total : float
        Expected han of the best group of yaku in the best split, 0 where the hand does not win:
        the evaluation of the source.
    form : int
        `FOUR_SETS`, `SEVEN_PAIRS` or `KOKUSHI`.
    group : tuple of int
        The yaku of that group (`houjuu.player.hand_value.yaku_targets.TARGET_YAKU`).
    split : dict of str to int
        That split: the number of groups of tiles of each class, melds included.
    by_yaku : dict of int to pair of floats
        For each yaku of the group: P(wins in this form with it), and its han then.
    chances : dict of YakuTarget to float
        P(wins so) for every target, each form in its own best split.
    expected : float
        Expected han of all yaku of all forms, 0 where the hand does not win.
    win : float
        P(wins): the sum over the forms, at most 1. The forms are fitted separately.
    """

    total: float
    form: int
    group: tuple[int, ...]
    split: dict[str, int]
    by_yaku: dict[int, tuple[float, float]]
    chances: dict[YakuTarget, float]
    expected: float
    win: float


class _BestSplit(NamedTuple):
    """A hand in one form, in its best split: chances and han by target, totals by group."""

    form: int
    split: Int8s
    chances: Floats
    han: Floats
    totals: Floats


class _Splits(NamedTuple):
    """Hands in one form: for every split, hand by hand, the chances by target and the totals.

    `first` is the first split of each hand, (hands,); han are by hand and target, totals by group.
    """

    form: int
    first: Ints
    chances: Floats
    han: Floats
    totals: Floats

    def best(self, hand: HandSummary) -> _BestSplit:
        """The split of the highest total of the only hand."""
        best = int(self.totals.max(axis=1).argmax())
        by_suit = _suit_splits(hand, self.form)
        rows = np.unravel_index(best, [len(splits) for splits in by_suit])
        split = sum(splits[row] for splits, row in zip(by_suit, rows, strict=True))
        return _BestSplit(
            form=self.form,
            split=np.asarray(split),
            chances=self.chances[best],
            han=self.han[0],
            totals=self.totals[best],
        )

    def highest(self) -> Floats:
        """The highest total of each hand, (hands,)."""
        return np.asarray(np.maximum.reduceat(self.totals.max(axis=1), self.first), np.float64)


class YakuModel:
    """The evaluation with fitted weights.

    Parameters
    ----------
    weights : (2, targets, columns) array
        For closed and for open hands, by target of `TARGETS` and input of `COLUMNS`. Those of `WIN`
        give the log odds of winning in the form, the others those of the yaku given such a win.
        They are 0 for the yaku in `SURE`.
    yakuhai : (2,) array
        Mean han of 飜牌 where there are any, closed and open.
    dora : (3, 2) array
        Mean han of dora in a closed win with four sets, an open one, and one with seven pairs: the
        han without dora in hand, and the further han for each dora in hand.

    Raises
    ------
    ParameterError
        An array has another shape.
    """

    def __init__(self, weights: Floats, yakuhai: Floats, dora: Floats) -> None:
        shapes = weights.shape, yakuhai.shape, dora.shape
        expected = (2, len(TARGETS), len(COLUMNS)), (2,), (3, 2)
        if shapes != expected:
            raise ParameterError(f"the weights of yaku have the shapes {shapes}, not {expected}")
        for name, values in (("weights", weights), ("yakuhai", yakuhai), ("dora", dora)):
            parameters.require_weights(f"{name} of the yaku", values)
        self.weights = weights
        self.yakuhai = yakuhai
        self.dora = dora
        self._han = np.array(
            [[_han(target, closed) for target in TARGETS] for closed in (True, False)], np.float64
        )
        self._han[:, TARGETS.index(YakuTarget(FOUR_SETS, YAKUHAI))] = yakuhai

    def evaluate(self, hand: HandSummary) -> Evaluation:
        """Evaluate the best group of yaku in the best split of a hand."""
        by_form = [splits.best(hand) for splits in self._forms([hand])]
        best = max(by_form, key=lambda split: float(split.totals.max()))
        group = GROUPS[best.form][int(best.totals.argmax())]
        targets = zip(TARGETS[OF_FORM[best.form]], best.chances, best.han, strict=True)
        chances = np.concatenate([split.chances for split in by_form]).tolist()
        return Evaluation(
            total=float(best.totals.max()),
            form=best.form,
            group=group,
            split={CLASSES[index]: int(best.split[index]) for index in best.split.nonzero()[0]},
            by_yaku={
                target.yaku: (float(chance), float(han))
                for target, chance, han in targets
                if target.yaku in group
            },
            chances=dict.fromkeys(TARGETS, 0.0) | dict(zip(TARGETS, chances, strict=False)),
            expected=float(sum(split.chances @ split.han for split in by_form)),
            win=min(float(sum(split.chances[0] for split in by_form)), 1.0),
        )

    def totals(self, hands: Sequence[HandSummary]) -> Floats:
        """`Evaluation.total` of hands with the same melds and yakuhai, (hands,), at least one."""
        return reduce(np.maximum, (splits.highest() for splits in self._forms(hands)))

    def split(self, hand: HandSummary) -> Int8s:
        """The best split into four sets and a pair, (21,)."""
        return self._splits([hand], terms([hand.numbers]), FOUR_SETS).best(hand).split

    def _forms(self, hands: Sequence[HandSummary]) -> list[_Splits]:
        """The splits of hands as `totals` takes them, in the forms that the melds allow."""
        forms = (FOUR_SETS,) if any(hands[0].melds) else range(len(GROUPS))
        values = terms([hand.numbers for hand in hands])
        return [self._splits(hands, values, form) for form in forms]

    def _splits(self, hands: Sequence[HandSummary], values: Floats, form: int) -> _Splits:
        """The splits of hands with these `values` of `TERMS`, (hands, terms), in a form."""
        weights = self.weights[int(not hands[0].closed), OF_FORM[form]]
        constants = weights[:, 0] + values @ weights[:, _BY_TERM].T
        logits = _logits(hands, form, weights[:, _BY_CLASS], constants)
        n_splits = [len(hand_logits) for hand_logits in logits]
        possible = target_flags(hands[0].possible)[OF_FORM[form]]
        given_win = possible / (1 + np.exp(-np.concatenate(logits)))
        chances = given_win[:, :1] * np.where(_SURE[form], 1.0, given_win)
        han = self._han_of(hands, form)
        totals = (chances * np.repeat(han, n_splits, axis=0)) @ MEMBERS[form].T
        first = np.cumsum([0, *n_splits[:-1]])
        return _Splits(form=form, first=first, chances=chances, han=han, totals=totals)

    def _han_of(self, hands: Sequence[HandSummary], form: int) -> Floats:
        """Han(Y, closed) of the targets of a form, (hands, targets)."""
        closed = hands[0].closed
        han = np.tile(self._han[int(not closed), OF_FORM[form]], (len(hands), 1))
        if form != KOKUSHI:
            without, per_dora = self.dora[2 if form == SEVEN_PAIRS else int(not closed)]
            han[:, -1] = [without + per_dora * hand.numbers[_DORA] for hand in hands]
        return han


def _han(target: YakuTarget, closed: bool) -> int:
    """Han of a target by the rules; 0 for `WIN`."""
    numbers = TARGET_YAKU.get(target.yaku)
    return YAKU[numbers[0]].han(closed=closed) if numbers else 0


def _suit_splits(hand: HandSummary, form: int) -> tuple[Int8s, ...]:
    """The splits of each suit, of the honours and of the melds: a row of each sums to a split."""
    if form == FOUR_SETS:
        splits = hand_decomposition.hand_splits(hand.counts, hand.yakuhai)
        return *splits, np.array([hand.melds], np.int8)
    return (_only_splits([hand], form),)


def _only_splits(hands: Sequence[HandSummary], form: int) -> Int8s:
    """The splits of hands of the same yakuhai in a form that has one for each hand, (hands, 21)."""
    counts = [hand.counts for hand in hands]
    yakuhai = hands[0].yakuhai
    if form == SEVEN_PAIRS:
        return hand_decomposition.seven_pairs_counts(counts, yakuhai)
    return hand_decomposition.kokushi_counts(counts, yakuhai)


def _logits(
    hands: Sequence[HandSummary], form: int, weights: Floats, constants: Floats
) -> list[Floats]:
    """The log odds of every split of each hand, (splits, targets).

    Hands that differ in a tile share suits, whose splits are weighted once.

    Parameters
    ----------
    hands : sequence of HandSummary
    form : int
    weights : (targets, 21) array
        By class.
    constants : (hands, targets) array
        What the other inputs add.
    """
    if form != FOUR_SETS:
        return [*(constants + _only_splits(hands, form) @ weights.T)[:, None]]
    by_hand = [_suit_splits(hand, form) for hand in hands]
    # Suits are cached by their tiles, so that equal suits are the same array.
    distinct = {id(splits): splits for by_suit in by_hand for splits in by_suit}
    ends = np.cumsum([len(splits) for splits in distinct.values()])
    sums = np.split(np.concatenate([*distinct.values()]) @ weights.T, ends[:-1])
    sums_of = dict(zip(distinct, sums, strict=True))
    return [
        hand_decomposition.sums([constant[None], *(sums_of[id(splits)] for splits in by_suit)])
        for constant, by_suit in zip(constants, by_hand, strict=True)
    ]


FITTED = FittedModel(
    SHIPPED,
    from_part("yaku", YakuModel),
    {"model": MODEL, "columns": list(COLUMNS), "targets": NAMES},
)
load = FITTED.load
from_parameters = FITTED.from_parameters
