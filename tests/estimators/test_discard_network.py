"""The network of discards at runtime: its equations, its cache, and its part in explanations."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logit

import houjuu
from houjuu.estimators.log_linear import Model
from houjuu.estimators.log_linear.discard_network import DiscardNetwork
from houjuu.estimators.log_linear.tenpai_model import ORDER_OF_DISCARDS, TenpaiModel
from houjuu.game.events import Discard, Game
from houjuu.game.table import Table
from houjuu.reading import discard_sequence
from houjuu.reading.discard_sequence import FIELDS, SIZES, Codes, from_bytes
from houjuu.reading.opponent import OpponentContext, opponent_contexts
from houjuu.reading.shared_features import FeatureSpec
from houjuu.util.arrays import Floats
from tests.kit.positions import view_of

UNITS = 5


def network(seed: int = 0) -> DiscardNetwork:
    rng = np.random.default_rng(seed)
    return DiscardNetwork(
        np.array([field.name for field in FIELDS]),
        rng.normal(0, 0.5, (SIZES.sum(), 3 * UNITS)),
        rng.normal(0, 0.5, 3 * UNITS),
        rng.normal(0, 0.5, (UNITS, 3 * UNITS)),
        rng.normal(0, 1, (4, UNITS)),
        rng.normal(0, 1, 4),
    )


def random_codes(lengths: list[int], seed: int = 1) -> list[Codes]:
    rng = np.random.default_rng(seed)
    return [rng.integers(0, SIZES, (length, len(SIZES))).astype(np.uint8) for length in lengths]


def term_by_hand(model: DiscardNetwork, n_open_melds: int, codes: Codes) -> float:
    """Number by number, from the equations of Cho et al. 2014."""

    def sigma(x: float) -> float:
        return float(1 / (1 + np.exp(-x)))

    h = [0.0] * UNITS
    starts = [sum(SIZES[:i]) for i in range(len(SIZES))]
    for row in codes.tolist():
        x = model.bias.copy()
        for start, code in zip(starts, row, strict=True):
            x += model.embedding[start + code]
        u = [sum(h[i] * model.recurrent[i, k] for i in range(UNITS)) for k in range(3 * UNITS)]
        after = []
        for i in range(UNITS):
            update = sigma(x[i] + u[i])
            reset = sigma(x[UNITS + i] + u[UNITS + i])
            candidate = float(np.tanh(x[2 * UNITS + i] + reset * u[2 * UNITS + i]))
            after.append((1 - update) * h[i] + update * candidate)
        h = after
    of_melds = model.output[min(n_open_melds, 3)]
    return float(model.constant[min(n_open_melds, 3)] + sum(of_melds * h))


def test_a_file_chooses_its_fields_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """The code knows one more, in the middle: the terms stay the same, to the byte."""
    melds, codes = np.array([0, 2, 1]), random_codes([5, 9, 3])
    expected = network().terms(melds, codes).tobytes()
    fields = (*FIELDS[:2], FeatureSpec("more", 7, "0–6"), *FIELDS[2:])
    monkeypatch.setattr(discard_sequence, "FIELDS", fields)
    more = [np.insert(of_seat, 2, 6, axis=1) for of_seat in codes]
    assert network().terms(melds, more).tobytes() == expected


def test_terms_are_those_of_the_equations() -> None:
    model, codes = network(), random_codes([0, 1, 7, 18, 3])
    melds = np.array([0, 1, 2, 3, 4])
    expected = [term_by_hand(model, *pair) for pair in zip(melds.tolist(), codes, strict=True)]
    assert model.terms(melds, codes) == pytest.approx(np.array(expected), abs=1e-12)


@given(lengths=st.lists(st.integers(0, 12), min_size=1, max_size=6), seed=st.integers(0, 99))
def test_a_term_depends_on_its_own_sequence_alone(lengths: list[int], seed: int) -> None:
    """Neither the other sequences nor the states in the cache change a bit of it."""
    codes, melds = random_codes(lengths, seed), np.arange(len(lengths)) % 4
    together = network().terms(melds, codes)
    model = network()
    model.terms(melds[:1], [codes[-1][: len(codes[-1]) // 2]])
    alone = [model.terms(melds[i : i + 1], [codes[i]])[0] for i in reversed(range(len(codes)))]
    assert together.tolist() == alone[::-1]
    assert model.terms(melds, codes).tolist() == together.tolist()


def test_the_cache_stays_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houjuu.estimators.log_linear.discard_network._STATES_CACHED", 20)
    model = network()
    for seed in range(30):
        model.terms(np.array([0]), random_codes([9], seed))
        assert len(model._cache) <= 20 + 9


def test_rows_and_opponents_have_the_same_terms() -> None:
    model, codes = network(), random_codes([4, 0, 9] * 300)
    melds = np.arange(len(codes)) % 4
    as_bytes = [of_row.tobytes() for of_row in codes]
    alone = [network().terms(melds[i : i + 1], [codes[i]])[0] for i in range(len(codes))]
    assert model.terms(melds, [from_bytes(row) for row in as_bytes]).tolist() == alone
    assert model.terms(melds[:0], []).shape == (0,)


@pytest.fixture(scope="module")
def shipped() -> TenpaiModel:
    estimator = houjuu.load("houjuu")
    assert isinstance(estimator, Model)
    return estimator.tenpai_model


def _contexts(game: Game, stride: int = 7) -> list[OpponentContext]:
    table, contexts = Table(game.rules), list[OpponentContext]()
    for number, event in enumerate(game):
        table.apply(event)
        if isinstance(event, Discard) and number % stride == 0:
            view = table.view(event.seat)
            contexts += opponent_contexts(view, [o for o in view.opponents if not o.in_riichi])
    return contexts


def test_parts_add_up_and_name_the_network(own_games: list[Game], shipped: TenpaiModel) -> None:
    contexts = _contexts(own_games[0])
    predicted: Floats = shipped.predict(contexts)
    largest = 0.0
    for context, probability in zip(contexts, predicted.tolist(), strict=True):
        parts = shipped.explain(context)
        assert sum(parts.values()) == pytest.approx(probability, abs=1e-12)
        largest = max(largest, abs(parts[ORDER_OF_DISCARDS]))
    assert largest > 0.02


def test_the_additive_model_has_no_network(own_games: list[Game], shipped: TenpaiModel) -> None:
    """The same GAM, by name; "houjuu" makes its logit smaller, by a factor for each number
    of melds."""
    estimator = houjuu.load("houjuu-additive")
    assert isinstance(estimator, Model)
    additive = estimator.tenpai_model
    assert additive.network is None
    contexts = _contexts(own_games[1])
    assert ORDER_OF_DISCARDS not in additive.explain(contexts[0])
    without = dataclasses.replace(shipped, network=None)
    assert without.predict(contexts).tolist() != shipped.predict(contexts).tolist()
    melds = np.array([context.seat.n_open_melds for context in contexts])
    for n_melds in (0, 1):
        chosen = [contexts[i] for i in np.flatnonzero(melds == n_melds)]
        logits, smaller = (logit(model.predict(chosen)) for model in (additive, without))
        slope, start = np.polyfit(logits, smaller, 1)
        assert 0.8 < slope < 1
        assert smaller == pytest.approx(slope * logits + start, abs=1e-6)


def test_the_order_alone_changes_the_prediction(shipped: TenpaiModel) -> None:
    """The same discards: dangerous ones first and then folding, or the other way round."""
    pushing = view_of("", "1z 9s 1p 2z 5z 9p 3m! 2z! 5m! 4p!", "1m 9m 9s 1z' 2s' 3s'*")
    folding = view_of("", "1z 9s 1p 2z 5z 9p 5m! 4p! 2z! 3m!", "1m 9m 9s 1z' 2s' 3s'*")
    terms = []
    for view in (pushing, folding):
        (context,) = opponent_contexts(view, [view.seats[1]])
        terms.append(shipped.explain(context)[ORDER_OF_DISCARDS])
    assert abs(terms[0] - terms[1]) > 1e-4
