"""The wait of a closed hand: a conditional logit over the 113 waits of `houjuu.hands.wait_types`.

It replaces the factors of Kurita & Hoki 2017, equations 26–34, which are special cases of it:
P(m|u) ∝ ways(m; unseen) · exp(w · φ(m, u)), where φ are look-ups by the class of the wait. Classes
that mirror each other (1-4 and 9-6) share their weights, and so do the suits. The last alternative
is "no win": furiten or, without riichi, no yaku.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from houjuu.estimators.log_linear.conditional_logit import (
    CERTAIN,
    ConditionalLogit,
    LookupTerm,
    TermSet,
    global_terms,
    neighbour_kinds,
    with_no_win_class,
)
from houjuu.estimators.log_linear.logit_tables import LogitTables, blocks_by_suit
from houjuu.game.tiles import HONOURS, KINDS, RANKS
from houjuu.hands import wait_types
from houjuu.hands.wait_types import (
    FIRST_KANCHAN,
    FORM,
    HELD,
    HOLDS,
    SHANPON,
    WAIT_SUIT,
    WAITS,
    WIN_KIND,
    WIN_WAIT,
    WINS,
)
from houjuu.reading.wait_features import LAYOUT, NO_SUIT, PAD, per_kind
from houjuu.util.arrays import Bools, Floats, Int8s, Ints
from houjuu.util.attributions import Attributions, Explainer, softmax
from houjuu.util.errors import ParameterError
from houjuu.util.parameters import require_range

CLASSES = 21
_MAX_SCALE = 100.0
_FORMS = wait_types.FORMS + 1


def _class_of(wait: int) -> int:
    """Ryanmen 0–2, penchan 3, kanchan 4–7, shanpon 8–12, tanki 13–17, honours 18–19."""
    form = FORM[wait]
    rank = WINS[wait, 0] % 9
    if WAIT_SUIT[wait] == HONOURS:
        return 18 if form == SHANPON else 19
    if form == wait_types.RYANMEN:
        return int(min(rank, 5 - rank))
    folded = int(min(rank, 8 - rank))
    if wait < FIRST_KANCHAN:
        return 3
    return {wait_types.KANCHAN_PENCHAN: 3, SHANPON: 8, wait_types.TANKI: 13}[form] + folded


def _mirrored(wait: int) -> bool:
    """Whether the wait lies in the upper half of its suit."""
    if WAIT_SUIT[wait] == HONOURS:
        return False
    return bool(sum(WINS[wait] % 9) > RANKS - 1)


WAIT_CLASS: Ints = np.array([*map(_class_of, range(WAITS)), CLASSES - 1])
"""Class of every alternative, (114,)."""

_MIRRORED = np.array([*map(_mirrored, range(WAITS)), False])
_FORM = np.append(FORM, _FORMS - 1)


def _ends(pairs: npt.NDArray[np.integer]) -> tuple[Ints, Ints]:
    """The lower and the upper of two kinds, swapped in the upper half of a suit; `PAD` for none."""
    first = np.append(pairs[:, 0], PAD)
    second = np.append(pairs[:, 1], PAD)
    low = np.where(_MIRRORED, second, first)
    high = np.where(_MIRRORED, first, second)
    return low, high


LOW, HIGH = _ends(HOLDS)
WIN_LOW, WIN_HIGH = _ends(WINS)
WAIT_SUITS = np.append(WAIT_SUIT, NO_SUIT)


def _absolute(rank: int) -> Ints:
    """The kind of a rank of the suit of the wait, counted from the wait's own end."""
    ranks = np.where(_MIRRORED, RANKS - 1 - rank, rank)
    return np.where(WAIT_SUITS < HONOURS, RANKS * WAIT_SUITS + ranks, PAD)


def _unless_same(index: Ints) -> Ints:
    """The index, or `PAD` where both ends are the same kind."""
    return np.where(LOW == HIGH, PAD, index)


_OTHER_WIN = np.where(WIN_LOW == WIN_HIGH, PAD, WIN_HIGH)


def _terms() -> list[LookupTerm]:
    terms = [LookupTerm("the type of wait", WAIT_CLASS)]
    terms += [
        LookupTerm(
            "its discards in the suit",
            WAIT_CLASS,
            [("discard_code", _absolute(rank))],
            f"rank {rank + 1}",
        )
        for rank in range(RANKS)
    ]
    terms += [
        LookupTerm(
            "its discards beside the wait",
            _FORM,
            [("discard_code", neighbour_kinds(LOW, _MIRRORED, steps))],
            f"{steps:+d}",
        )
        for steps in range(-3, 6)
    ]
    terms += [
        LookupTerm(name, WAIT_CLASS, [(feature, first), (feature, second)], detail)
        for name, feature, first, second, detail in (
            ("tiles unseen", "unseen", LOW, HIGH, "held"),
            ("tiles unseen", "unseen", WIN_LOW, WIN_HIGH, "won"),
            ("open tiles", "open_copies", WIN_LOW, WIN_HIGH, "won"),
            ("open tiles", "open_copies", LOW, HIGH, "held"),
        )
    ]
    low_ends = [("open_copies", LOW), ("open_copies", WIN_LOW)]
    terms.append(LookupTerm("open tiles", _FORM, low_ends, "held and won, by form"))
    terms += [
        LookupTerm("seen tiles", _FORM, [("unseen", unseen), ("open_copies", open_copies)], detail)
        for unseen, open_copies, detail in (
            (LOW, LOW, "held low"),
            (LOW, WIN_HIGH, "held low and won high"),
            (WIN_LOW, WIN_LOW, "won low"),
            (WIN_HIGH, WIN_HIGH, "won high"),
        )
    ]
    for steps in (-3, -2, -1, 1, 2, 3, 4):
        neighbours = neighbour_kinds(LOW, _MIRRORED, steps)
        at = f"{steps:+d}"
        terms.append(LookupTerm("tiles unseen", WAIT_CLASS, [("unseen", neighbours)], at))
        terms.append(LookupTerm("open tiles", WAIT_CLASS, [("open_copies", neighbours)], at))
    terms += [
        LookupTerm("dora", _FORM, [("dora", LOW), ("dora", _unless_same(HIGH))], "held"),
        LookupTerm("dora", _FORM, [("dora", WIN_LOW), ("dora", _OTHER_WIN)], "won"),
        LookupTerm("yakuhai", WAIT_CLASS, [("yakuhai", LOW)]),
        LookupTerm("passed tiles", WAIT_CLASS, [("passed", WIN_LOW)], "won low"),
        LookupTerm("passed tiles", WAIT_CLASS, [("passed", _OTHER_WIN)], "won high"),
        LookupTerm("discards of the suit", WAIT_CLASS, [("in_suit", WAIT_SUITS)]),
        LookupTerm("discards of the suit", WAIT_CLASS, [("early_in_suit", WAIT_SUITS)]),
    ]
    return terms + global_terms(WAIT_CLASS, _GLOBAL)


_GLOBAL = (
    ("the turn", "discards"),
    ("the turn", "discards_since_riichi"),
    ("live suji", "live_suji"),
    ("the riichi tile", "riichi_tile"),
    ("its honours", "honour_discards"),
    ("its honours", "discards_since_honour"),
    ("its terminals and honours", "yaochu_kinds"),
    ("its pace", "tedashi"),
    ("its pace", "tsumogiri_streak"),
    ("the dealer", "dealer"),
    ("other riichi", "others_in_riichi"),
)

TERMS = TermSet(_terms())
"""The terms over the 113 waits and "no win"."""

BLOCKS = blocks_by_suit(
    WAIT_SUITS,
    by_kind=(
        ("discard_code", "genbutsu"),
        ("unseen", "open_copies"),
        ("dora", "yakuhai", "passed"),
    ),
    by_suit=(("in_suit", "early_in_suit"),),
    shared=[(feature,) for _, feature in _GLOBAL],
)
"""The waits of each suit, with the features that share a table."""

_WINNING = np.eye(KINDS)[WIN_KIND]

_WAYS = np.array([[0, 0, 0], [0, 1, 0], [0, 2, 1], [0, 3, 3], [0, 4, 6]], dtype=np.float64)

TAIL_FROM = 0.25
"""Probability of a win on a kind above which `ClosedWaitModel.tail` applies."""

NO_WIN_LOGIT = 2.0
"""Prior logit of "no win"; that of a wait is the logarithm of the ways to draw it."""


def ways(features: Int8s) -> Floats:
    """Ways to draw the tiles of each wait from the unseen tiles, (…, 113)."""
    unseen = per_kind(features, "unseen")
    low = unseen[..., HOLDS[:, 0]]
    high = unseen[..., HOLDS[:, 1]]
    same = HOLDS[:, 0] == HOLDS[:, 1]
    return np.where(same, _WAYS[low, HELD], (low * high).astype(np.float64))


def prior_logits(features: Int8s) -> tuple[Floats, Bools]:
    """Prior logits and mask of the alternatives, both (…, 114).

    A wait on genbutsu cannot win; a wait that the unseen tiles cannot make is not held.
    """
    n_ways = ways(features)
    genbutsu = per_kind(features, "genbutsu") != 0
    mask = (n_ways > 0) & ~(genbutsu[..., WINS[:, 0]] | genbutsu[..., WINS[:, 1]])
    return with_no_win_class(np.log(np.maximum(n_ways, 1.0)), mask, NO_WIN_LOGIT)


_PRIOR_TERMS = (
    LookupTerm("ways", WAIT_CLASS, [("unseen", LOW), ("unseen", HIGH)]),
    LookupTerm("genbutsu", WAIT_CLASS, [("genbutsu", WIN_LOW)]),
    LookupTerm("genbutsu", WAIT_CLASS, [("genbutsu", WIN_HIGH)]),
)


def _prior_weights() -> Floats:
    """Weights of `_PRIOR_TERMS`: the same as `prior_logits`, -inf where its mask is False."""
    n_values = LAYOUT.size["unseen"]
    logits = np.full((CLASSES, n_values, n_values), NO_WIN_LOGIT)  # class, high, low
    high, low = np.indices(logits.shape[1:])
    with np.errstate(divide="ignore"):
        for wait in range(WAITS):
            same = HOLDS[wait, 0] == HOLDS[wait, 1]
            n_ways = _WAYS[low, HELD[wait]] if same else (low * high).astype(np.float64)
            logits[WAIT_CLASS[wait]] = np.log(n_ways)
    genbutsu = np.tile([0.0, -np.inf], CLASSES)
    return np.concatenate([logits.ravel(), genbutsu, genbutsu])


_PRIOR_WEIGHTS = _prior_weights()


@dataclass(frozen=True)
class ClosedWaitModel:
    """Wins of a tenpai opponent without open melds.

    Parameters
    ----------
    weights : (size of the terms,) array
    scale : (131,) array
        Scale from wait probability to win probability, by pair of wait and kind
        (`houjuu.hands.wait_types.WIN_WAIT`, `WIN_KIND`): it corrects for hands with several waits
        and for waits that win on the same kind.
    floor : (34,) array
        P(wins on the kind by none of the waits): kokushi musou.
    terms : array of str, default=all of the code
        The keys of the terms, in the order of the weights.
    tail : () array, default=1
        Slope of the probability of a win on a kind above `TAIL_FROM`, 0–1: where few suji are left
        the logit is too sure of the last ones.

    Raises
    ------
    ParameterError
        A term is unknown, a shape is wrong, or a number is out of its range.
    """

    weights: Floats
    scale: Floats
    floor: Floats
    terms: npt.NDArray[np.str_] = field(default_factory=lambda: TERMS.keys)
    tail: Floats = field(default_factory=lambda: np.ones(()))

    def __post_init__(self) -> None:
        if self.tail.shape:
            raise ParameterError(f"`tail` of the waits has shape {self.tail.shape}")
        require_range("`tail` of the waits", self.tail, 0, 1)
        if self.scale.shape != (len(WIN_WAIT),) or self.floor.shape != (KINDS,):
            shapes = self.scale.shape, self.floor.shape
            raise ParameterError(f"scale and floor of the waits have shapes {shapes}")
        require_range("`scale` of the waits", self.scale, 0, _MAX_SCALE)
        if not ((self.floor > 0) & (self.floor < 1)).all():
            raise ParameterError("`floor` of the waits must lie between 0 and 1")
        _ = self.logit, self._tables

    @cached_property
    def logit(self) -> ConditionalLogit:
        """The conditional logit."""
        return ConditionalLogit(TERMS.chosen(self.terms, "the model of closed waits"), self.weights)

    @cached_property
    def _tables(self) -> LogitTables:
        """The sum of all terms and of the prior, -inf for impossible waits."""
        weights = np.concatenate([self.weights, _PRIOR_WEIGHTS])
        return LogitTables(TermSet([*self.logit.terms.terms, *_PRIOR_TERMS]), weights, BLOCKS)

    def p_win_by_wait(self, features: Int8s) -> Floats:
        """P(wins on the kind by the wait), (…, 131), in the order of `WIN_WAIT`."""
        probabilities = softmax(self._tables.logits(features))
        wins = probabilities.take(WIN_WAIT, axis=-1) * self.scale
        return np.asarray(wins * self._kept(wins @ _WINNING).take(WIN_KIND, axis=-1))

    def _kept(self, by_kind: Floats) -> Floats:
        """The share of probabilities of wins on the kinds that `tail` keeps."""
        above = np.maximum(by_kind - TAIL_FROM, 0.0)
        return np.asarray(1.0 - (1.0 - self.tail) * above / np.maximum(by_kind, TAIL_FROM))

    def predict(self, features: Int8s) -> Floats:
        """P(wins on the kind), (…, 34), at most `CERTAIN`."""
        return self.sum_by_kind(self.p_win_by_wait(features), features)

    def sum_by_kind(self, wins: Floats, features: Int8s) -> Floats:
        """P(wins on the kind), (…, 34), from `p_win_by_wait`; at most `CERTAIN`."""
        floor = np.where(per_kind(features, "genbutsu") != 0, 0.0, self.floor)
        return np.minimum(wins @ _WINNING + floor, CERTAIN)

    def explain(self, features: Int8s) -> Explainer:
        """Parts of `predict` by kind, from the features of one opponent, (LENGTH,)."""
        values = np.zeros((KINDS, WAITS + 1))
        values[WIN_KIND, WIN_WAIT] = self.scale
        prior, mask = prior_logits(features)
        drawable = np.append(ways(features) > 0, True)
        before_genbutsu = values @ softmax(prior, drawable)
        probabilities = self.predict(features)
        explained = self.logit.explain(features, prior, mask, values)

        def explainer(kind: int) -> Attributions:
            base, parts = explained(kind)
            before = float(before_genbutsu[kind])
            known = {
                "unseen tiles of the wait": before,
                "genbutsu and suji": base - before,
                **parts,
            }
            by_waits = np.array(sum(known.values()))
            if by_waits > TAIL_FROM:
                known["upper limit"] = float((self._kept(by_waits) - 1.0) * by_waits)
            return {**known, "none of the waits": float(probabilities[kind]) - sum(known.values())}

        return explainer
