"""The wait of an open hand: a conditional logit over the 34 kinds, on top of enumerated hands.

P(h|u) ∝ P0(h|u)^t · exp(w · φ(h, u)). P0 is the prediction of the enumerated hands
(`houjuu.estimators.kurita_hoki.melded_hands`), t its exponent, φ are look-ups by the class of the
kind. Kinds that mirror each other (1 and 9) share their weights, and so do the suits. The last
alternative is "no win".
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
from houjuu.game.tiles import HONOURS, KINDS, RANKS, SUIT
from houjuu.reading.wait_features import LAYOUT, NO_SUIT, per_kind
from houjuu.util.arrays import Bools, Floats, Int8s, Ints
from houjuu.util.attributions import Attributions, Explainer
from houjuu.util.errors import ParameterError
from houjuu.util.parameters import require_range

_MAX_SCALE = 100.0
_HONOUR = 5
_CLASSES = 7

_KIND = np.arange(KINDS + 1)
_GLOBAL_INDEX = np.zeros(KINDS + 1, np.intp)
KIND_SUITS = np.array([*SUIT, NO_SUIT])
_MIRRORED = (KIND_SUITS < HONOURS) & (_KIND % RANKS > RANKS // 2)

KIND_CLASS: Ints = np.where(
    KIND_SUITS < HONOURS, np.minimum(_KIND % RANKS, 8 - _KIND % RANKS), _HONOUR
)
"""Class of every alternative, (35,): 0–4 from 1 and 9 to 5, 5 for honours, 6 for "no win"."""
KIND_CLASS[-1] = _CLASSES - 1


def _terms() -> list[LookupTerm]:
    terms = [LookupTerm("the type of tile", KIND_CLASS)]
    for steps in range(-4, 5):
        kinds = neighbour_kinds(_KIND, _MIRRORED, steps) if steps else _KIND
        named = []
        if steps:
            named.append(("its discards nearby", "discard_code"))
        if abs(steps) <= 3:
            named += [
                ("tiles unseen", "unseen"),
                ("open tiles", "open_copies"),
                ("its melds nearby", "in_melds"),
                ("dora", "dora"),
            ]
        if abs(steps) in (0, 3):
            named.append(("passed tiles", "passed"))
        terms += [
            LookupTerm(name, KIND_CLASS, [(feature, kinds)], f"{steps:+d}")
            for name, feature in named
        ]
    pairs = (
        ("seen tiles", ("unseen", _KIND), ("open_copies", _KIND)),
        ("passed tiles", ("passed", _KIND), ("unseen", _KIND)),
        ("passed tiles", ("passed", _KIND), ("n_melds", _GLOBAL_INDEX)),
        ("passed tiles", ("passed", _KIND), ("call_age", _GLOBAL_INDEX)),
    )
    terms += [LookupTerm(name, KIND_CLASS, features) for name, *features in pairs]
    terms += [
        LookupTerm("yakuhai", KIND_CLASS, [("yakuhai", _KIND)]),
        LookupTerm("discards of the suit", KIND_CLASS, [("in_suit", KIND_SUITS)]),
        LookupTerm(
            "melds of the suit",
            KIND_CLASS,
            [("melds_in_suit", KIND_SUITS), ("in_suit", KIND_SUITS)],
        ),
    ]
    return terms + global_terms(KIND_CLASS, _GLOBAL)


_GLOBAL = (
    ("the turn", "discards"),
    ("the turn", "wall_sixths"),
    ("its honours", "honour_discards"),
    ("its pace", "tedashi"),
    ("its pace", "tsumogiri_streak"),
    ("its melds", "n_melds"),
    ("its melds", "chis"),
    ("its melds", "open_yaku"),
    ("its melds", "dora_in_melds"),
    ("its melds", "call_age"),
    ("other riichi", "others_in_riichi"),
)

TERMS = TermSet(_terms())
"""The terms over the 34 kinds and "no win"."""

NO_WIN_LOGIT = float(np.log(0.2))
"""Prior logit of "no win"."""

_ONE = np.ones(())


def prior_logits(
    features: Int8s, prior_win: Floats, exponent: Floats = _ONE
) -> tuple[Floats, Bools]:
    """Prior logits and mask of the alternatives, both (…, 35).

    Parameters
    ----------
    features : (…, LENGTH) array
    prior_win : (…, 34) array
        P0(h | tenpai).
    exponent : (…) array, default=1
        Exponent t of P0.
    """
    mask = (prior_win > 0) & (per_kind(features, "genbutsu") == 0)
    logs = np.log(np.maximum(prior_win, np.finfo(np.float32).tiny))
    return with_no_win_class(exponent[..., None] * logs, mask, NO_WIN_LOGIT)


@dataclass(frozen=True)
class MeldedWaitModel:
    """Wins of a tenpai opponent with open melds.

    Parameters
    ----------
    weights : (size of the terms,) array
    scale : (5,) array
        Kinds that a hand with any win wins on, by its number of melds; at most 1 with four melds,
        because one tile waits for one kind.
    prior_exponent : (5,) array
        Exponent t of P0, by the number of melds.
    terms : array of str, default=all of the code
        The keys of the terms, in the order of the weights.

    Raises
    ------
    ParameterError
        A term is unknown, a shape is wrong, or a number is out of its range.
    """

    weights: Floats
    scale: Floats
    prior_exponent: Floats
    terms: npt.NDArray[np.str_] = field(default_factory=lambda: TERMS.keys)

    def __post_init__(self) -> None:
        for name in ("scale", "prior_exponent"):
            values = getattr(self, name)
            if values.shape != (LAYOUT.size["n_melds"],):
                raise ParameterError(f"`{name}` of the melded waits has shape {values.shape}")
            require_range(f"`{name}` of the melded waits", values, 1 / _MAX_SCALE, _MAX_SCALE)
        if self.scale[-1] > 1:
            raise ParameterError("`scale` of the melded waits is above 1 with four melds")
        _ = self.logit

    @cached_property
    def logit(self) -> ConditionalLogit:
        """The conditional logit."""
        return ConditionalLogit(TERMS.chosen(self.terms, "the model of melded waits"), self.weights)

    def predict(self, features: Int8s, prior_win: Floats, n_melds: Ints) -> Floats:
        """P(wins on the kind | tenpai), (…, 34), at most `CERTAIN`.

        Parameters as in `prior_logits`, and the number of melds, (…).
        """
        prior = prior_logits(features, prior_win, self.prior_exponent[n_melds])
        probabilities = self.logit.predict(features, *prior)
        return np.minimum(probabilities[..., :KINDS] * self.scale[n_melds][..., None], CERTAIN)

    def explain(self, features: Int8s, prior_win: Floats, n_melds: int) -> Explainer:
        """Parts of `predict` by kind, of one opponent."""
        values = self.scale[n_melds] * np.eye(KINDS, KINDS + 1)
        prior, mask = prior_logits(features, prior_win, self.prior_exponent[n_melds, ...])
        explained = self.logit.explain(features, prior, mask, values)

        def explainer(kind: int) -> Attributions:
            base, parts = explained(kind)
            attributions = {"hands that the tiles allow": base, **parts}
            excess = sum(attributions.values()) - CERTAIN
            return {**attributions, "upper limit": -excess} if excess > 0 else attributions

        return explainer
