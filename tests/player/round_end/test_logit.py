"""The shapes that a logit takes when it is fitted: an own weight for each alternative, or two."""

from __future__ import annotations

import numpy as np
import pytest

from houjuu.player.round_end.logit import by_alternative, either, logits, places, probabilities

FEATURES = np.array([[1.0, 2.0], [0.5, -1.0], [0.0, 3.0]])


def test_either_is_logistic_regression() -> None:
    weights = np.array([0.7, -0.4])
    expected = 1 / (1 + np.exp(-FEATURES @ weights))
    assert probabilities(either(FEATURES), weights)[:, 1] == pytest.approx(expected)


def test_each_alternative_has_its_own_weights() -> None:
    weights = np.arange(8.0).reshape(4, 2)
    assert logits(by_alternative(FEATURES, 4), weights.ravel()) == pytest.approx(
        FEATURES @ weights.T
    )


def test_places_follow_one_another() -> None:
    assert places([("a",), ("b", "c"), ()]) == [slice(0, 1), slice(1, 3), slice(3, 3)]
