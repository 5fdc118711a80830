"""Conditional logits: the tables' cells, the fit, and what they say of waits, kinds and han."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from houjuu.errors import ParameterError
from houjuu.estimators.log_linear import closed_waits, han_model, melded_waits
from houjuu.estimators.log_linear.closed_waits import ClosedWaitModel
from houjuu.estimators.log_linear.conditional_logit import (
    CERTAIN,
    ConditionalLogit,
    LookupTerm,
    TermSet,
    softmax,
)
from houjuu.estimators.log_linear.han_model import ClosedHanModel, MeldedHanModel
from houjuu.estimators.log_linear.melded_waits import MeldedWaitModel
from houjuu.hands import wait_types
from houjuu.hands.points import CODES
from houjuu.hands.wait_types import WAITS, wait_name
from houjuu.reading import wait_features
from houjuu.reading.wait_features import LAYOUT, LENGTH, NO_SUIT, FeatureLayout, FeatureSpec
from houjuu.tiles import KINDS
from models.conditional_logit import LogitSamples, fit, fit_independent

ALL = (closed_waits.TERMS, melded_waits.TERMS)


def any_evidence(count: int, seed: int = 3) -> Any:
    """Evidence with any numbers in their ranges, (count, LENGTH)."""
    rng = np.random.default_rng(seed)
    read = np.zeros((count, LENGTH), np.int8)
    widths = (
        (wait_features.BY_KIND, KINDS, KINDS + 1),
        (wait_features.BY_SUIT, NO_SUIT, NO_SUIT + 1),
    )
    for entries, used, _ in (*widths, (wait_features.WHOLE, 1, 1)):
        for entry in entries:
            start = LAYOUT.start[entry.name]
            read[:, start : start + used] = rng.integers(entry.size, size=(count, used))
    return read


def moved(read: Any, kind_to: Any, suit_to: Any) -> Any:
    """The evidence of the same table with other kinds and suits in place of these."""
    found = read.copy()
    for entries, to in ((wait_features.BY_KIND, kind_to), (wait_features.BY_SUIT, suit_to)):
        for entry in entries:
            start = LAYOUT.start[entry.name]
            found[:, start + np.asarray(to)] = read[:, start : start + len(to)]
    return found


MIRROR = [9 * (k // 9) + 8 - k % 9 if k < 27 else k for k in range(KINDS)]
ROTATED = [(k + 9) % 27 if k < 27 else k for k in range(KINDS)]


@pytest.mark.parametrize("tables", ALL)
def test_every_table_has_cells_of_its_own(tables: TermSet) -> None:
    cells = tables.cells(any_evidence(200))
    assert cells.shape == (200, tables.alternatives, len(tables.names))
    low, high = cells.min(axis=(0, 1)), cells.max(axis=(0, 1))
    assert (low[1:] > high[:-1]).all()
    assert low[0] >= 0
    assert high[-1] < tables.size


def test_cells_by_hand() -> None:
    layout = FeatureLayout(([FeatureSpec("a", 3, ""), FeatureSpec("b", 2, "")], 2))
    group, here, beside = np.array([0, 1]), np.array([0, 1]), np.array([1, 0])
    tables = TermSet(
        [LookupTerm("x", group), LookupTerm("y", group, [("a", here), ("b", beside)])], layout
    )
    assert tables.size == 2 + 2 * 6
    read = np.array([2, 1, 0, 1], np.int8)  # a of the two, b of the two
    assert tables.cells(read).tolist() == [[0, 2 + 2 + 3 * 1], [1, 2 + 6 + 1 + 3 * 0]]


def test_softmax() -> None:
    found = softmax(np.log([[1.0, 2.0, 5.0]]), np.array([[True, True, False]]))
    assert found == pytest.approx(np.array([[1 / 3, 2 / 3, 0]]))
    assert softmax(np.array([900.0, 900.0]), np.array([True, True])) == pytest.approx([0.5, 0.5])


def test_two_alternatives_are_a_logistic_regression() -> None:
    """One that is always 0 beside one with tables: scikit-learn's regression, penalty and all."""
    rng = np.random.default_rng(1)
    layout = FeatureLayout(([FeatureSpec("a", 4, ""), FeatureSpec("b", 3, "")], 1))
    group, zero = np.array([0, 1]), np.zeros(2, np.int64)
    tables = TermSet(
        [LookupTerm("a", group, [("a", zero)]), LookupTerm("b", group, [("b", zero)])], layout
    )
    read = np.column_stack([rng.integers(4, size=3000), rng.integers(3, size=3000)]).astype(np.int8)
    chance = 1 / (1 + np.exp(-0.7 * read[:, 0] + 1.1 * read[:, 1]))
    happened = rng.random(3000) < chance
    both = np.ones((3000, 2), dtype=bool)
    target = np.column_stack([~happened, happened]).astype(float)
    cases = LogitSamples(read, np.zeros((3000, 2)), both, target, np.ones(3000))
    weights = fit(tables, cases, penalty=2.0, iterations=500)
    ones = np.hstack([np.eye(4)[read[:, 0]], np.eye(3)[read[:, 1]]])
    # the two groups' weights are equal and opposite: their penalty counts for half
    theirs = LogisticRegression(C=1.0, fit_intercept=False, tol=1e-10, max_iter=1000)
    theirs.fit(ones, happened)
    ours = ConditionalLogit(tables, weights).read(read, np.zeros((3000, 2)), both)[:, 1]
    assert ours == pytest.approx(theirs.predict_proba(ones)[:, 1], abs=2e-4)


def test_reasons_add_up_to_what_is_said() -> None:
    read = any_evidence(30)
    rng = np.random.default_rng(6)
    riichi = ClosedWaitModel(
        rng.normal(scale=0.5, size=closed_waits.TERMS.size), np.ones(131), np.full(KINDS, 1e-4)
    )
    melded = MeldedWaitModel(
        rng.normal(scale=0.5, size=melded_waits.TERMS.size), np.ones(5), np.full(5, 0.7)
    )
    shapes = rng.random((30, KINDS)) / 9
    for row in range(30):
        kinds = melded.kinds(read[row], shapes[row], np.array(2))
        for kind in range(0, KINDS, 3):
            why = riichi.why(read[row], kind)
            assert sum(why.values()) == pytest.approx(riichi.kinds(read[row])[kind], abs=1e-12)
            if wait_features.per_kind(read[row], "genbutsu")[kind]:
                parts = why["tiles it may hold"], why["genbutsu and suji"]
                assert sum(parts) == pytest.approx(0)
            assert abs(why["no such wait"]) < 2e-4
            why = melded.why(read[row], shapes[row], 2, kind)
            assert sum(why.values()) == pytest.approx(kinds[kind], abs=1e-6)


def test_nothing_is_certain() -> None:
    """All hands win on 1m and on a kind besides: twice the chance would be above 1."""
    read = np.zeros(LENGTH, np.int8)
    model = MeldedWaitModel(np.zeros(melded_waits.TERMS.size), np.full(5, 2.0), np.ones(5))
    shapes = np.array([0.9, *[0.0] * (KINDS - 1)])
    found = model.kinds(read, shapes, np.array(2))
    assert found.tolist() == [CERTAIN, *[0.0] * (KINDS - 1)]
    assert sum(model.why(read, shapes, 2, 0).values()) == pytest.approx(CERTAIN, abs=1e-12)
    assert "never quite certain" not in model.why(read, shapes, 2, 1)


def test_a_reason_is_the_only_table_that_speaks() -> None:
    """With one table that is not 0, all that differs from the offsets alone is its own."""
    tables = closed_waits.TERMS
    read = any_evidence(1)[0]
    cells = tables.cells(read)
    place = tables.names.index("the riichi tile")
    weights = np.zeros(tables.size)
    weights[cells[:, place]] = np.linspace(-1, 1, tables.alternatives)
    model = ClosedWaitModel(weights, np.ones(131), np.full(KINDS, 1e-4))
    dead = wait_features.per_kind(read, "genbutsu")
    kind = int(np.flatnonzero(dead == 0)[0])
    moved = {name for name, part in model.why(read, kind).items() if abs(part) > 1e-9}
    told = {"tiles it may hold", "genbutsu and suji", "the riichi tile", "no such wait"}
    assert "the riichi tile" in moved
    assert moved <= told


def test_shares_and_trust_are_found_again() -> None:
    """Coins thrown by a known model of two groups: four alternatives and none."""
    rng = np.random.default_rng(8)
    rows, group = 20000, np.array([0, 1, 2, 3, 4])
    layout = FeatureLayout(([FeatureSpec("a", 2, "")], 5))
    tables = TermSet([LookupTerm("a", group, [("a", group)])], layout)
    read = rng.integers(2, size=(rows, 5)).astype(np.int8)
    read[:, -1] = 0
    offset = np.column_stack([rng.normal(size=(rows, 4)), np.zeros(rows)])
    possible = np.ones((rows, 5), dtype=bool)
    possible[:, 0] = rng.random(rows) < 0.5
    groups = rng.random(rows)[:, None] < [0.5, 1.0]
    groups[:, 1] &= ~groups[:, 0]
    share, trust = groups @ [1.2, 0.6], groups @ [0.5, 1.5]
    weights = np.array([0.0, 0.8, 0.0, -0.9, 0.0, 0.4, 0.0, 0.0, 0.0, 0.0])
    powers = np.column_stack([np.repeat(trust[:, None], 4, axis=1), np.ones(rows)])
    chances = ConditionalLogit(tables, weights).read(read, powers * offset, possible)
    chances[:, :4] *= share[:, None]
    so = rng.random((rows, 5)) < chances
    so[:, 4] = False
    cases = LogitSamples(read, offset, possible, so.astype(float), np.ones(rows))
    found = fit_independent(tables, cases, groups, penalty=1e-3, iterations=300)
    assert found.share == pytest.approx([1.2, 0.6], abs=0.05)
    assert found.trust == pytest.approx([0.5, 1.5], abs=0.1)
    again = ConditionalLogit(tables, found.weights).read(read, powers * offset, possible)
    again[:, :4] *= share[:, None]
    assert again[:, :4] == pytest.approx(chances[:, :4], abs=0.06)


def test_nothing_to_fit_to() -> None:
    tables = melded_waits.TERMS
    shape = (0, tables.alternatives)
    nothing = np.zeros(shape)
    cases = LogitSamples(any_evidence(0), nothing, nothing.astype(bool), nothing, np.zeros(0))
    assert not fit(tables, cases, 1.0, 5).any()
    each = fit_independent(tables, cases, np.zeros((0, 5), bool), 1.0, 5)
    assert not each.weights.any()
    MeldedWaitModel(each.weights, each.share, each.trust)


def moved_waits(kind_to: list[int]) -> list[int]:
    """Which wait each becomes when the kinds are others."""

    def told(wait: int, to: Any) -> Any:
        pairs = wait_types.HOLDS[wait], wait_types.WINS[wait]
        return wait_types.FORM[wait], *(frozenset(to[kind] for kind in pair) for pair in pairs)

    found = {told(wait, range(KINDS)): wait for wait in range(WAITS)}
    return [found[told(wait, kind_to)] for wait in range(WAITS)]


@pytest.mark.parametrize(("kind_to", "suit_to"), [(MIRROR, range(4)), (ROTATED, [1, 2, 0, 3])])
@pytest.mark.parametrize("tables", ALL)
def test_mirrored_and_other_suits_are_read_alike(
    tables: TermSet, kind_to: list[int], suit_to: Any
) -> None:
    """But for what lies in the middle of a suit, whose two sides have numbers of their own."""
    read = any_evidence(50)
    there = moved(read, kind_to, list(suit_to))
    weights = np.random.default_rng(8).normal(size=tables.size)
    to = moved_waits(kind_to) if tables is closed_waits.TERMS else kind_to
    to = [*to, len(to)]
    one, other = (ConditionalLogit(tables, weights).terms(of).sum(axis=-1) for of in (read, there))
    turned = [a for a, b in enumerate(to) if a != b or a >= len(to) - 1 or kind_to is ROTATED]
    assert len(turned) > 0.8 * len(to) - 7
    assert other[:, np.array(to)[turned]] == pytest.approx(one[:, turned], abs=1e-9)


def test_waits_without_weights_are_the_ways_to_hold_them() -> None:
    read = any_evidence(20)
    plain = ClosedWaitModel(
        np.zeros(closed_waits.TERMS.size), np.ones(len(wait_types.WIN_WAIT)), np.full(KINDS, 1e-9)
    )
    wins = plain.wins(read)
    unseen, dead = (
        wait_features.per_kind(read, "unseen").astype(int),
        wait_features.per_kind(read, "genbutsu") != 0,
    )
    for row in range(20):
        ways = []
        for wait in range(WAITS):
            first, second = wait_types.HOLDS[wait]
            u = int(unseen[row, first])
            pair = u * (u - 1) / 2 if wait_types.HELD[wait] == 2 else u
            count = pair if first == second else u * unseen[row, second]
            ways.append(0.0 if dead[row, wait_types.WINS[wait]].any() else count)
        share = np.array(ways) / (sum(ways) + np.exp(closed_waits.NO_WIN_LOGIT))
        assert wins[row] == pytest.approx(share[wait_types.WIN_WAIT], abs=1e-12)


def test_sorts_of_wait() -> None:
    """Each sort by hand: how many waits of a suit it has, and that none is left out."""
    counts = np.bincount(closed_waits.SORT)
    assert counts.tolist() == [6] * 3 + [6] + [6] * 3 + [3] + ([6] * 4 + [3]) * 2 + [7, 7, 1]
    names = {closed_waits.SORT[wait]: wait_name(wait) for wait in range(WAITS)}
    assert [names[sort] for sort in (0, 3, 7, 12, 18)] == [
        *("two-sided 78s", "edge or closed 89s", "edge or closed 46s", "pair 55s", "pair 77z"),
    ]


def test_han_of_tiles() -> None:
    read = any_evidence(5)
    looked = han_model.han_features(read)
    assert looked.shape == (5, KINDS, han_model.LAYOUT.length)
    dora = wait_features.per_kind(read, "dora")
    assert (looked[:, 4, 2] == np.minimum(dora[:, [2, 3, 5, 6]].sum(axis=1), 2)).all()
    assert (looked[:, 33, 0] == 5 + wait_features.per_kind(read, "yakuhai")[:, 33]).all()
    assert (looked[:, [0, 8, 17, 22], 0] == [0, 0, 0, 4]).all()
    weights = np.random.default_rng(2).normal(size=han_model.CLOSED_TERMS.size)
    model = ClosedHanModel(weights, np.full((han_model.TILE_CLASSES, 10), 0.1))
    assert model.scores(read[0]).sum(axis=(1, 2)) == pytest.approx(np.ones(KINDS))


def test_melded_han_share_out_what_a_kind_has() -> None:
    """By hand for one kind: P(han) in proportion to the hands' share times exp of the numbers."""
    rng = np.random.default_rng(7)
    read = any_evidence(1)[0]
    scores = np.zeros((KINDS, CODES))
    scores[:33, 16:] = rng.random((33, CODES - 16)) * (rng.random((33, CODES - 16)) < 0.2)
    weights = rng.normal(size=han_model.MELDED_TERMS.size)
    changed = scores * MeldedHanModel(weights).factors(read, scores)
    assert changed.sum(axis=1) == pytest.approx(scores.sum(axis=1))
    kind = 22
    terms = weights[han_model.MELDED_TERMS.cells(han_model.han_features(read)[kind])].sum(axis=-1)
    by_han = scores[kind].reshape(14, 16).sum(axis=1)[1:]
    expected = by_han * np.exp(terms)
    told = changed[kind].reshape(14, 16).sum(axis=1)[1:]
    assert told == pytest.approx(expected / expected.sum() * by_han.sum())


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: ConditionalLogit(melded_waits.TERMS, np.zeros(3)), "of its tables"),
        (
            lambda: ConditionalLogit(melded_waits.TERMS, np.full(melded_waits.TERMS.size, np.nan)),
            "finite",
        ),
        (
            lambda: MeldedWaitModel(np.zeros(melded_waits.TERMS.size), np.ones(4), np.ones(5)),
            "shape",
        ),
        (
            lambda: MeldedWaitModel(np.zeros(melded_waits.TERMS.size), np.zeros(5), np.ones(5)),
            "share",
        ),
        (
            lambda: MeldedWaitModel(np.zeros(melded_waits.TERMS.size), np.ones(5), np.zeros(5)),
            "trust",
        ),
        (lambda: ClosedWaitModel(np.zeros(3), np.ones(131), np.full(34, 0.1)), "of its tables"),
        (lambda: ClosedWaitModel(np.zeros(3), np.ones(3), np.full(34, 0.1)), "shape"),
        (lambda: ClosedWaitModel(np.zeros(3), np.full(131, -1.0), np.full(34, 0.1)), "share"),
        (lambda: ClosedWaitModel(np.zeros(3), np.ones(131), np.zeros(34)), "floor"),
        (
            lambda: ClosedHanModel(np.zeros(han_model.CLOSED_TERMS.size), np.zeros((8, 10))),
            "sum to 1",
        ),
        (lambda: ClosedHanModel(np.zeros(han_model.CLOSED_TERMS.size), np.zeros((7, 10))), "shape"),
        (lambda: MeldedHanModel(np.zeros(3)), "of its tables"),
    ],
)
def test_what_is_refused(make: Any, says: str) -> None:
    with pytest.raises(ParameterError, match=says):
        make()
