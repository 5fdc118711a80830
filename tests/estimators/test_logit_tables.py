"""Sums of terms from tables against the terms one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from houjuu.estimators.log_linear import closed_waits, han_model, melded_waits
from houjuu.estimators.log_linear.conditional_logit import ConditionalLogit, TermSet
from houjuu.estimators.log_linear.han_model import ClosedHanModel, MeldedHanModel
from houjuu.estimators.log_linear.logit_tables import LogitTables, Slots, blocks_by_suit
from houjuu.util.arrays import Floats, Int8s
from tests.kit.random_features import random_features

SUITS = {
    closed_waits.TERMS: closed_waits.WAIT_SUITS,
    melded_waits.TERMS: melded_waits.KIND_SUITS,
}


def random_weights(terms: TermSet, seed: int = 5) -> Floats:
    weights: Floats = np.random.default_rng(seed).normal(size=terms.size)
    return weights


def one_by_one(terms: TermSet, features: Int8s) -> Floats:
    logit = ConditionalLogit(terms, random_weights(terms))
    return np.asarray(logit.contributions(features).sum(axis=-1))


def test_waits() -> None:
    """With every value of every feature, in batches of any shape."""
    terms = closed_waits.TERMS
    tables = LogitTables(terms, random_weights(terms), closed_waits.BLOCKS)
    features = random_features(300)
    sums = tables.logits(features)
    assert sums == pytest.approx(one_by_one(terms, features), abs=1e-12)
    assert (tables.logits(features.reshape(20, 15, -1)).reshape(sums.shape) == sums).all()
    assert (tables.logits(features[7]) == sums[7]).all()


@pytest.mark.parametrize("model", [ClosedHanModel, MeldedHanModel])
def test_han(model: type[ClosedHanModel] | type[MeldedHanModel]) -> None:
    closed = model is ClosedHanModel
    terms = han_model.CLOSED_TERMS if closed else han_model.MELDED_TERMS
    features = han_model.han_features(random_features(40))
    sums = han_model._HanTerms.from_terms(terms).tables(random_weights(terms)).logits(features)
    assert sums == pytest.approx(one_by_one(terms, features), abs=1e-12)


BY_KIND = st.permutations(["discard_code", "unseen", "open_copies", "dora", "yakuhai", "passed"])


@given(st.sampled_from([closed_waits.TERMS, melded_waits.TERMS]), BY_KIND, st.integers(1, 3))
def test_slots_change_nothing(terms: TermSet, names: list[str], together: int) -> None:
    """Any grouping of some features: terms across slots, or of features in no slot, remain."""
    by_kind: Slots = [names[i : i + together] for i in range(0, len(names) - 1, together)]
    blocks = blocks_by_suit(SUITS[terms], by_kind, [["in_suit"]], [["tedashi"], ["n_melds"]])
    features = random_features(5)
    sums = LogitTables(terms, random_weights(terms), blocks).logits(features)
    assert sums == pytest.approx(one_by_one(terms, features), abs=1e-12)
