"""The fit of whole hands: it is the same again, and makes the true hands likelier."""

from __future__ import annotations

import numpy as np
import pytest

import houjuu
from features.hidden_hand_rows import HandSample, samples, views
from houjuu.estimators.hand_model import SHAPE_FEATURES, HandModel
from houjuu.game.events import Game
from houjuu.game.tiles import EAST
from houjuu.hands.whole_hands import count_weights
from houjuu.reading.hand_features import RIICHI
from models.houjuu.hidden_hands import HiddenHandLogit, shape_features
from models.metrics.hidden_hand_metrics import measured


@pytest.fixture(scope="module")
def own_samples(own_games: list[Game]) -> list[HandSample]:
    estimator = houjuu.load()
    return samples(own_games[:2], estimator)  # type: ignore[arg-type]


def test_views_are_chosen_before_the_round(own_games: list[Game]) -> None:
    """Each seat has one view in a round at most, with the true hands of the others."""
    found = list(views(own_games[0]))
    places = [(v.view.round, v.view.honba, v.view.seat) for v in found]
    assert len({*places}) == len(places) > 10
    for of_view in found:
        assert (of_view.hands.sum(axis=0) <= of_view.view.unseen()).all()


def test_weights_of_kinds_are_those_of_the_features(own_samples: list[HandSample]) -> None:
    """The factors by kind and pattern that are summed are exp of the features that are fitted."""
    model = HandModel.unfitted()
    model.shapes[:] = np.random.default_rng(2).normal(size=model.shapes.shape) / 3
    for sample in own_samples[::9]:
        query, hand = sample.query, sample.hand[None]
        sums = model.hands(query).sums
        ways = np.log(count_weights(query.reading.copies)[np.arange(34), hand]).sum()
        features = shape_features(hand, query)
        assert features.shape == (1, SHAPE_FEATURES)
        expected = ways + features @ model.shapes[query.reading.hand_type]
        assert sums.log_weights(hand) == pytest.approx(expected)


def test_a_mirrored_hand_has_the_same_windows(own_samples: list[HandSample]) -> None:
    """All but that of 4, 5 and 6, which is its own mirror."""
    query, hand = own_samples[0].query, own_samples[0].hand[None]
    mirrored = hand.copy()
    mirrored[:, :EAST] = hand[:, :EAST].reshape(-1, 3, 9)[:, :, ::-1].reshape(1, -1)
    one, other = (shape_features(h, query)[0, 1:-27] for h in (hand, mirrored))
    assert one.tolist() == other.tolist()


@pytest.mark.slow
def test_fitted_hands_are_likelier(own_samples: list[HandSample]) -> None:
    settings = {"hands": 60, "draws": 12, "rounds": 2}
    fit = HiddenHandLogit(**settings).fit(own_samples)
    again = HiddenHandLogit(**settings).fit(own_samples)
    assert np.array_equal(fit.model_.shapes, again.model_.shapes)
    assert fit.model_.river[RIICHI, 0] == -12
    before = measured(HandModel.unfitted(), own_samples[:60])["all"]
    after = measured(fit.to_runtime(), own_samples[:60])["all"]
    assert after["log_likelihood"] > before["log_likelihood"] + 0.5
    assert after["over"]["counting"]["gain"] > 0
