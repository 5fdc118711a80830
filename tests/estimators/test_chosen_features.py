"""A parameter file chooses its features by name: the code may know more of them."""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Iterator
from types import ModuleType

import numpy as np
import pytest

import houjuu
from houjuu.estimators import loading
from houjuu.estimators.log_linear import closed_waits, han_model, melded_waits, unseen_tiles
from houjuu.estimators.log_linear.conditional_logit import LookupTerm, TermSet
from houjuu.reading import tenpai_features
from houjuu.reading.opponent import OpponentContext
from houjuu.reading.tenpai_features import river
from houjuu.util.errors import ParameterError
from houjuu.util.features import feature
from houjuu.util.parameters import Parameters
from tests.kit.files import shipped
from tests.kit.positions import changed, pon, view_of

TERMS = [
    (closed_waits, "TERMS"),
    (melded_waits, "TERMS"),
    (han_model, "CLOSED_TERMS"),
    (han_model, "MELDED_TERMS"),
    (unseen_tiles, "TERMS"),
]


HANDS = view_of("9p 3z 1m", "2s 3p 9m 1z 4p*", "1z! 9s 2p 6m! 8p", "4z 3s 2m! 7p!", dora="2p")
VIEW = changed(
    HANDS,
    seats=(*HANDS.seats[:3], dataclasses.replace(HANDS.seats[3], melds=(pon("777z"),))),
)
"""Opponents in riichi, closed, and open."""


def answers() -> list[bytes | str]:
    """Of the shipped file, loaded again, for opponents in riichi, closed and open."""
    estimator = houjuu.load()
    risk = estimator.deal_in(VIEW)
    arrays = (risk.tenpai, risk.by_opponent, risk.points, estimator.unseen(VIEW).wall_weights)
    explanations = [repr(risk.explain(kind)) for kind in ("5m", "1z", "2p")]
    return [*(array.tobytes() for array in map(np.asarray, arrays)), *explanations]


@pytest.fixture
def another_tenpai_feature() -> Iterator[None]:
    """The code with one more feature of tenpai, in the middle."""

    @feature()
    def n_rivers(context: OpponentContext) -> int:
        """4 rivers."""
        return len(context.view.seats)

    before, count = river.PACE, len(tenpai_features.FEATURES)
    try:
        river.PACE = (*before[:3], n_rivers, *before[3:])  # type: ignore[assignment]
        importlib.reload(tenpai_features)
        assert len(tenpai_features.FEATURES) == count + 1
        yield
    finally:
        river.PACE = before
        importlib.reload(tenpai_features)


@pytest.fixture(scope="module")
def expected() -> list[bytes | str]:
    return answers()


def test_features_of_tenpai(expected: list[bytes | str], another_tenpai_feature: None) -> None:
    assert answers() == expected


@pytest.mark.parametrize(("module", "name"), TERMS)
def test_terms(
    module: ModuleType,
    name: str,
    expected: list[bytes | str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terms: TermSet = getattr(module, name)
    assert len(set(terms.keys)) == len(terms.keys)
    first, *rest = terms.terms
    by_turn = [("discards", np.zeros(terms.alternatives, np.int64))]
    more = LookupTerm("more", first.group, by_turn)
    monkeypatch.setattr(module, name, TermSet([first, more, *rest], terms.layout))
    assert answers() == expected
    assert "more: discards" in getattr(module, name).keys


def test_a_part_without_names_has_all_terms_of_the_code(expected: list[bytes | str]) -> None:
    """As in files of earlier versions; another number of weights is refused."""
    file = shipped()
    nameless = {name: array for name, array in file.arrays.items() if not name.endswith("/terms")}
    estimator = loading.FITTED.from_parameters(Parameters(file.header, nameless))
    assert np.asarray(estimator.deal_in(VIEW).by_opponent).tobytes() == expected[1]
    nameless["riichi_waits/weights"] = nameless["riichi_waits/weights"][:-1]
    with pytest.raises(ParameterError, match="run `make train` and load models"):
        loading.FITTED.from_parameters(Parameters(file.header, nameless))
