"""Conditional logits: cells, probabilities and attributions of waits, kinds and han."""

from __future__ import annotations

import dataclasses
import hashlib
from typing import Any

import numpy as np
import pytest

from houjuu.estimators.log_linear import closed_waits, han_model, melded_waits
from houjuu.estimators.log_linear.closed_waits import ClosedWaitModel
from houjuu.estimators.log_linear.conditional_logit import (
    CERTAIN,
    ConditionalLogit,
    LookupTerm,
    TermSet,
)
from houjuu.estimators.log_linear.han_model import ClosedHanModel, MeldedHanModel
from houjuu.estimators.log_linear.melded_waits import MeldedWaitModel
from houjuu.game.tiles import KINDS
from houjuu.hands import wait_types
from houjuu.hands.points import CODES
from houjuu.hands.wait_types import HAN, WAITS, wait_name
from houjuu.reading import wait_features
from houjuu.reading.shared_features import FeatureSpec
from houjuu.reading.wait_features import LAYOUT, LENGTH, FeatureLayout
from houjuu.util.attributions import softmax
from houjuu.util.errors import ParameterError
from tests.kit.files import shipped
from tests.kit.random_features import random_features

TERM_SETS = (closed_waits.TERMS, melded_waits.TERMS)


def renamed(features: Any, kind_to: Any, suit_to: Any) -> Any:
    """The features of the same table with its kinds and suits permuted."""
    permuted = features.copy()
    for specs, to in ((wait_features.BY_KIND, kind_to), (wait_features.BY_SUIT, suit_to)):
        for spec in specs:
            start = LAYOUT.start[spec.name]
            permuted[:, start + np.asarray(to)] = features[:, start : start + len(to)]
    return permuted


MIRROR = [9 * (k // 9) + 8 - k % 9 if k < 27 else k for k in range(KINDS)]
ROTATED = [(k + 9) % 27 if k < 27 else k for k in range(KINDS)]


@pytest.mark.parametrize("terms", TERM_SETS)
def test_every_term_has_cells_of_its_own(terms: TermSet) -> None:
    cells = terms.cells(random_features(200))
    assert cells.shape == (200, terms.alternatives, len(terms.names))
    low, high = cells.min(axis=(0, 1)), cells.max(axis=(0, 1))
    assert (low[1:] > high[:-1]).all()
    assert low[0] >= 0
    assert high[-1] < terms.size


def test_cells_by_hand() -> None:
    layout = FeatureLayout(([FeatureSpec("a", 3, ""), FeatureSpec("b", 2, "")], 2))
    group, own, other = np.array([0, 1]), np.array([0, 1]), np.array([1, 0])
    terms = TermSet(
        [LookupTerm("x", group), LookupTerm("y", group, [("a", own), ("b", other)])], layout
    )
    assert terms.size == 2 + 2 * 6
    features = np.array([2, 1, 0, 1], np.int8)  # a of both, b of both
    assert terms.cells(features).tolist() == [[0, 2 + 2 + 3 * 1], [1, 2 + 6 + 1 + 3 * 0]]


def test_softmax() -> None:
    probabilities = softmax(np.log([[1.0, 2.0, 5.0]]), np.array([[True, True, False]]))
    assert probabilities == pytest.approx(np.array([[1 / 3, 2 / 3, 0]]))
    assert softmax(np.array([900.0, 900.0]), np.array([True, True])) == pytest.approx([0.5, 0.5])


def test_attributions_add_up_to_the_prediction() -> None:
    features = random_features(30)
    rng = np.random.default_rng(6)
    closed = ClosedWaitModel(
        rng.normal(scale=0.5, size=closed_waits.TERMS.size), np.ones(131), np.full(KINDS, 1e-4)
    )
    melded = MeldedWaitModel(
        rng.normal(scale=0.5, size=melded_waits.TERMS.size), np.ones(5), np.full(5, 0.7)
    )
    prior_win = rng.random((30, KINDS)) / 9
    n_genbutsu = 0
    for row in range(30):
        of_melded = melded.predict(features[row], prior_win[row], np.array(2))
        of_closed = closed.predict(features[row])
        for kind in range(0, KINDS, 3):
            parts = closed.explain(features[row])(kind)
            assert sum(parts.values()) == pytest.approx(of_closed[kind], abs=1e-12)
            if wait_features.per_kind(features[row], "genbutsu")[kind]:
                before = parts["unseen tiles of the wait"]
                assert before + parts["genbutsu and suji"] == pytest.approx(0)
                n_genbutsu += 1
            assert abs(parts["none of the waits"]) < 2e-4
            parts = melded.explain(features[row], prior_win[row], 2)(kind)
            assert sum(parts.values()) == pytest.approx(of_melded[kind], abs=1e-6)
    assert n_genbutsu > 50


def test_no_win_is_certain() -> None:
    """All hands win on 1m, and on a second kind: twice the probability would be above 1."""
    features = np.zeros(LENGTH, np.int8)
    scale = np.array([2.0, 2.0, 2.0, 2.0, 1.0])
    model = MeldedWaitModel(np.zeros(melded_waits.TERMS.size), scale, np.ones(5))
    prior_win = np.array([0.9, *[0.0] * (KINDS - 1)])
    predicted = model.predict(features, prior_win, np.array(2))
    assert predicted.tolist() == [CERTAIN, *[0.0] * (KINDS - 1)]
    assert sum(model.explain(features, prior_win, 2)(0).values()) == pytest.approx(
        CERTAIN, abs=1e-12
    )
    assert "upper limit" not in model.explain(features, prior_win, 2)(1)


def test_only_terms_with_weights_are_attributed() -> None:
    """With one term that is not 0, only this term differs from the prior."""
    terms = closed_waits.TERMS
    features = random_features(1)[0]
    cells = terms.cells(features)
    column = terms.names.index("the riichi tile")
    weights = np.zeros(terms.size)
    weights[cells[:, column]] = np.linspace(-1, 1, terms.alternatives)
    model = ClosedWaitModel(weights, np.ones(131), np.full(KINDS, 1e-4))
    genbutsu = wait_features.per_kind(features, "genbutsu")
    kind = int(np.flatnonzero(genbutsu == 0)[0])
    attributed = {name for name, part in model.explain(features)(kind).items() if abs(part) > 1e-9}
    prior = {"unseen tiles of the wait", "genbutsu and suji", "none of the waits"}
    assert "the riichi tile" in attributed
    assert attributed <= {*prior, "the riichi tile"}


def renamed_waits(kind_to: list[int]) -> list[int]:
    """The wait that each wait becomes when the kinds are permuted."""

    def key(wait: int, to: Any) -> Any:
        pairs = wait_types.HOLDS[wait], wait_types.WINS[wait]
        return wait_types.FORM[wait], *(frozenset(to[kind] for kind in pair) for pair in pairs)

    wait_of = {key(wait, range(KINDS)): wait for wait in range(WAITS)}
    return [wait_of[key(wait, kind_to)] for wait in range(WAITS)]


@pytest.mark.parametrize(("kind_to", "suit_to"), [(MIRROR, range(4)), (ROTATED, [1, 2, 0, 3])])
@pytest.mark.parametrize("terms", TERM_SETS)
def test_mirrored_and_rotated_suits_have_the_same_weights(
    terms: TermSet, kind_to: list[int], suit_to: Any
) -> None:
    """Except in the middle of a suit, where the two sides have weights of their own."""
    features = random_features(50)
    permuted = renamed(features, kind_to, list(suit_to))
    logit = ConditionalLogit(terms, np.random.default_rng(8).normal(size=terms.size))
    to = renamed_waits(kind_to) if terms is closed_waits.TERMS else kind_to
    to = [*to, len(to)]
    original, mirrored = (logit.contributions(rows).sum(axis=-1) for rows in (features, permuted))
    compared = [a for a, b in enumerate(to) if a != b or a >= len(to) - 1 or kind_to is ROTATED]
    assert len(compared) > 0.8 * len(to) - 7
    assert mirrored[:, np.array(to)[compared]] == pytest.approx(original[:, compared], abs=1e-9)


def test_without_weights_waits_are_proportional_to_the_ways_to_draw_them() -> None:
    features = random_features(20)
    model = ClosedWaitModel(
        np.zeros(closed_waits.TERMS.size), np.ones(len(wait_types.WIN_WAIT)), np.full(KINDS, 1e-9)
    )
    wins = model.p_win_by_wait(features)
    unseen, genbutsu = (
        wait_features.per_kind(features, "unseen").astype(int),
        wait_features.per_kind(features, "genbutsu") != 0,
    )
    for row in range(20):
        ways = []
        for wait in range(WAITS):
            first, second = wait_types.HOLDS[wait]
            copies = int(unseen[row, first])
            pair = copies * (copies - 1) / 2 if wait_types.HELD[wait] == 2 else copies
            count = pair if first == second else copies * unseen[row, second]
            ways.append(0.0 if genbutsu[row, wait_types.WINS[wait]].any() else count)
        share = np.array(ways) / (sum(ways) + np.exp(closed_waits.NO_WIN_LOGIT))
        assert wins[row] == pytest.approx(share[wait_types.WIN_WAIT], abs=1e-12)


def test_the_tail_of_closed_waits() -> None:
    """High probabilities rise less steeply, others stay; waits and reasons add up to both."""
    features = random_features(50)
    weights = np.random.default_rng(3).normal(size=closed_waits.TERMS.size)
    plain = ClosedWaitModel(weights, np.ones(len(wait_types.WIN_WAIT)), np.full(KINDS, 1e-9))
    lowered = dataclasses.replace(plain, tail=np.array(0.6))
    before, after = plain.predict(features), lowered.predict(features)
    low, high = before < closed_waits.TAIL_FROM, before > closed_waits.TAIL_FROM
    high &= before < CERTAIN
    assert after[low].tobytes() == before[low].tobytes()
    assert high.sum() > 10
    assert after[high] == pytest.approx(0.25 + 0.6 * (before[high] - 0.25), abs=1e-8)
    row, kind = np.argwhere(high)[0]
    parts = lowered.explain(features[row])(int(kind))
    assert parts["upper limit"] == pytest.approx(after[row, kind] - before[row, kind], abs=1e-8)
    assert sum(parts.values()) == pytest.approx(after[row, kind])
    by_wait = lowered.p_win_by_wait(features[row])[kind == wait_types.WIN_KIND]
    assert by_wait.sum() == pytest.approx(after[row, kind], abs=1e-8)


def test_classes_of_waits() -> None:
    """The number of waits in each class, by hand, and one wait of some classes by name."""
    counts = np.bincount(closed_waits.WAIT_CLASS)
    assert counts.tolist() == [6] * 3 + [6] + [6] * 3 + [3] + ([6] * 4 + [3]) * 2 + [7, 7, 1]
    names = {closed_waits.WAIT_CLASS[wait]: wait_name(wait) for wait in range(WAITS)}
    assert [names[wait_class] for wait_class in (0, 3, 7, 12, 18)] == [
        *("ryanmen 78s", "penchan 89s", "kanchan 46s", "shanpon 55s", "shanpon 77z"),
    ]


def test_han_features() -> None:
    features = random_features(5)
    of_tiles = han_model.han_features(features)
    assert of_tiles.shape == (5, KINDS, han_model.LAYOUT.length)
    dora = wait_features.per_kind(features, "dora")
    assert (of_tiles[:, 4, 2] == np.minimum(dora[:, [2, 3, 5, 6]].sum(axis=1), 2)).all()
    assert (of_tiles[:, 33, 0] == 5 + wait_features.per_kind(features, "yakuhai")[:, 33]).all()
    assert (of_tiles[:, [0, 8, 17, 22], 0] == [0, 0, 0, 4]).all()
    weights = np.random.default_rng(2).normal(size=han_model.CLOSED_TERMS.size)
    model = ClosedHanModel(weights, np.full((han_model.TILE_CLASSES, 10), 0.1))
    p_win = np.linspace(0, 1, 5 * KINDS).reshape(5, KINDS)
    as_given, by_han, fu = model.scores(features, p_win)
    assert as_given is p_win
    assert by_han.sum(axis=-1) == pytest.approx(p_win)
    assert fu.sum(axis=-1) == pytest.approx(1.0)
    assert not by_han[..., 0].any()


def test_melded_han_redistribute_the_probability_of_a_kind() -> None:
    """By hand for one kind: P(han) is proportional to the prior times exp of the weights."""
    rng = np.random.default_rng(7)
    features = random_features(1)[0]
    scores = np.zeros((KINDS, CODES))
    scores[:33, 16:] = rng.random((33, CODES - 16)) * (rng.random((33, CODES - 16)) < 0.2)
    weights = rng.normal(size=han_model.MELDED_TERMS.size)
    factors = MeldedHanModel(weights).factors(features, han_model.sum_by_han(scores))
    changed = han_model.times_by_han(scores, factors)
    assert changed.sum(axis=1) == pytest.approx(scores.sum(axis=1))
    kind = 22
    cells = han_model.MELDED_TERMS.cells(han_model.han_features(features)[kind])
    by_han = scores[kind].reshape(14, 16).sum(axis=1)[1:]
    expected = by_han * np.exp(weights[cells].sum(axis=-1))
    changed_by_han = changed[kind].reshape(14, 16).sum(axis=1)[1:]
    assert changed_by_han == pytest.approx(expected / expected.sum() * by_han.sum())


_CLOSED, _MELDED = np.zeros(closed_waits.TERMS.size), np.zeros(melded_waits.TERMS.size)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: MeldedWaitModel(_MELDED, np.zeros(5), np.ones(5)), "`scale` .* from 0.01 to 100"),
        (
            lambda: MeldedWaitModel(_MELDED, np.ones(5), np.zeros(5)),
            "`prior_exponent` .* from 0.01",
        ),
        (lambda: MeldedWaitModel(_MELDED, np.full(5, 2.0), np.ones(5)), "above 1 with four melds"),
        (
            lambda: ClosedWaitModel(_CLOSED, np.full(131, -1.0), np.full(34, 0.1)),
            "`scale` .* from 0 to",
        ),
        (lambda: ClosedWaitModel(_CLOSED, np.ones(131), np.zeros(34)), "`floor`"),
        (
            lambda: ClosedHanModel(np.zeros(han_model.CLOSED_TERMS.size), np.zeros((8, 10))),
            "sum to 1",
        ),
    ],
)
def test_parameters_at_the_edge_are_refused(make: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        make()


def test_reasons_have_the_names_that_players_see() -> None:
    """A page or a catalogue of translations may look them up."""
    both = {
        *("discards of the suit", "dora", "its honours", "its pace", "open tiles", "other riichi"),
        *("passed tiles", "seen tiles", "the turn", "tiles unseen", "yakuhai"),
    }
    assert set(melded_waits.TERMS.names) == both | {
        *("its discards nearby", "its melds", "its melds nearby", "melds of the suit"),
        "the type of tile",
    }
    assert set(closed_waits.TERMS.names) == both | {
        *("its discards beside the wait", "its discards in the suit", "its terminals and honours"),
        *("live suji", "the dealer", "the riichi tile", "the type of wait"),
    }


@pytest.mark.parametrize(
    ("part", "all_terms", "cells"),
    [
        ("closed_waits", closed_waits.TERMS, "f524e1b671066707"),
        ("melded_waits", melded_waits.TERMS, "10ac4b0a9c3c5109"),
        ("closed_han", han_model.CLOSED_TERMS, "b891f7490098a031"),
        ("melded_han", han_model.MELDED_TERMS, "e8a5067957a0e5dd"),
    ],
    ids=["closed waits", "melded waits", "closed han", "melded han"],
)
def test_the_cells_of_the_weights_that_ship(part: str, all_terms: TermSet, cells: str) -> None:
    """Another cell would load, and predict with the weight of something else.

    After another fit with other terms ships, set the new digests here.
    """
    terms = all_terms.chosen(shipped().part(part)["terms"], part)
    features = random_features(200)
    if terms.alternatives == HAN:
        features = han_model.han_features(features)[:, 4]
    numbers = np.ascontiguousarray(terms.cells(features).astype(np.int64))
    assert hashlib.sha256(numbers.tobytes()).hexdigest()[:16] == cells
