"""P(final rank), against a plain computation of the same sums and against what must hold."""

from __future__ import annotations

from itertools import pairwise, permutations
from math import exp
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from houjuu.game.events import SEATS
from houjuu.game.rules import M_LEAGUE, MAHJONG_SOUL, TENHOU
from houjuu.player.values import final_ranks
from houjuu.player.values.final_ranks import (
    DEALER_KNOTS,
    FEATURES,
    KNOTS,
    PHASES,
    SCORE_KNOTS,
    TARGET_KNOTS,
    FinalRankModel,
    RoundStarts,
    phases,
)
from houjuu.util.arrays import Floats

Start = tuple[Any, ...]

SCORES = st.lists(st.integers(-200, 900).map(lambda hundreds: 100 * hundreds), min_size=4)
STARTS = st.tuples(st.booleans(), st.integers(0, 11), st.integers(0, 5), st.integers(0, 4), SCORES)


def round_starts(*starts: Start) -> RoundStarts:
    *numbers, scores = zip(*starts, strict=True)
    hanchan, rounds, honba, sticks = map(np.array, numbers)
    four = np.array([of_seats[:4] for of_seats in scores])
    return RoundStarts(hanchan, rounds, honba, sticks, four)


def random_model(seed: int) -> FinalRankModel:
    return FinalRankModel(np.random.default_rng(seed).normal(0, 0.2, (len(PHASES), len(FEATURES))))


def reach(points: float, knots: tuple[float, ...]) -> list[float]:
    return [max(0.0, min(points, high) - low) / 1000 for low, high in pairwise(knots)]


def sides(lead: float, knots: tuple[float, ...]) -> list[float]:
    return [*reach(lead, knots), *(-part for part in reach(-lead, knots))]


def logit(seat: int, others: tuple[int, ...], start: Start, weights: list[float]) -> float:
    """The logit of a seat among others that are left, term by term."""
    hanchan, round_, honba, sticks, scores = start
    last = 7 if hanchan else 3
    dealer, pot = round_ % 4, (300 * honba + 1000 * sticks) / 1000
    terms = [0.0] * (2 * (len(KNOTS) - 1) + 4 * (len(DEALER_KNOTS) - 1) + 1)
    for other in others:
        d = scores[seat] - scores[other] + (50 if seat < other else -50)
        of_pair = [
            *sides(d, KNOTS),
            *(x * (dealer == seat) for x in sides(d, DEALER_KNOTS)),
            *(x * (dealer == other) for x in sides(d, DEALER_KNOTS)),
            max(-1.0, min(1.0, d / 1000)) * min(pot, 2),
        ]
        terms = [sum(pair) for pair in zip(terms, of_pair, strict=True)]
    score = reach(scores[seat], SCORE_KNOTS)
    score[0] += min(scores[seat], 0) / 1000
    lacks = reach(max(30_000 - scores[seat], 0), TARGET_KNOTS)
    deals = sum(r % 4 == seat for r in range(round_, max(last, round_) + 1))
    terms += [*score, *(-part for part in lacks), dealer == seat, deals]
    return sum(weight * term for weight, term in zip(weights, terms, strict=True))


def odds_of(order: tuple[int, ...], start: Start, weights: list[list[float]]) -> float:
    """P(order): the first, the second and the third place, each among those that are left."""
    chance = 1.0
    for place, of_place in enumerate(weights):
        left = order[place:]
        logits = [
            logit(seat, tuple(other for other in left if other != seat), start, of_place)
            for seat in left
        ]
        chance *= exp(logits[0]) / sum(map(exp, logits))
    return chance


@settings(max_examples=25)
@given(start=STARTS, seed=st.integers(0, 9))
def test_predictions_are_the_sums_of_the_orders(start: Start, seed: int) -> None:
    model = random_model(seed)
    (phase,) = phases(*round_starts(start)[:2])
    weights = model.weights[phase].reshape(3, -1).tolist()
    odds = {order: odds_of(order, start, weights) for order in permutations(range(SEATS))}
    expected = np.zeros((SEATS, SEATS))
    for order, odd in odds.items():
        for rank, seat in enumerate(order):
            expected[seat, rank] += odd
    (probabilities,) = model.predict(round_starts(start))
    assert probabilities == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("hanchan", "round_", "name"),
    [
        (False, 0, "East-only: 3 rounds left"),
        (False, 3, "East-only: 0 rounds left"),
        (False, 4, "East-only: extra rounds"),
        (False, 7, "East-only: extra rounds"),
        (True, 0, "hanchan: 7 rounds left"),
        (True, 4, "hanchan: 3 rounds left"),
        (True, 7, "hanchan: 0 rounds left"),
        (True, 9, "hanchan: extra rounds"),
    ],
)
def test_phases(hanchan: bool, round_: int, name: str) -> None:
    (phase,) = phases(np.array([hanchan]), np.array([round_]))
    assert PHASES[phase] == name


def ranks_with_more_points(n: int) -> tuple[Floats, Floats]:
    """The ranks of a seat that the shipped model predicts, and those with some points more, (n, 4).

    At starts of all rounds, most of them the last one or later and near the target; the pot of any
    size.
    """
    rng = np.random.default_rng(0)
    hanchan, honba, sticks = (rng.integers(0, most, n) for most in (2, 6, 5))
    last = 3 + 4 * hanchan
    round_ = np.where(rng.random(n) < 0.3, rng.integers(0, last), rng.integers(last, last + 5))
    scores = rng.integers(0, 450, (n, SEATS)) * 100
    scores[:, 3] = 100_000 - scores[:, :3].sum(axis=1)
    near = rng.random(n) < 0.5
    scores[near] = rng.integers(150, 310, (near.sum(), SEATS)) * 100
    seat = np.arange(SEATS) == rng.integers(0, SEATS, (n, 1))
    more = scores + seat * rng.integers(1, 81, (n, 1)) * rng.choice([1, 100], (n, 1))
    rest = hanchan, round_, honba, sticks
    model = final_ranks.load()
    before, after = (model.predict(RoundStarts(*rest, one))[seat] for one in (scores, more))
    return before, after


def test_more_points_are_never_worse() -> None:
    """The first place and the first two never fall, the mean rank never rises; the last hardly."""
    before, after = ranks_with_more_points(50_000)
    assert (after - before)[:, 0].min() >= 0
    assert (after - before)[:, :2].sum(axis=1).min() > -1e-12
    assert ((after - before) @ np.arange(SEATS)).max() < 1e-12
    assert (after - before)[:, 3].max() < 0.003


@pytest.mark.parametrize("round_", [3, 4, 7, 8, 9, 10, 11])
@pytest.mark.parametrize("hanchan", [False, True])
def test_a_leader_rises_to_the_target(hanchan: bool, round_: int) -> None:
    """Each hundred points count in the last round and after it, for the dealer and others."""
    model = final_ranks.load()
    for seat in range(SEATS):
        starts = []
        for own in range(26_500, 30_000, 100):
            scores = [26_000, 24_000, 50_000 - own]
            scores.insert(seat, own)
            starts.append((hanchan, round_, 0, 0, scores))
        first = model.predict(round_starts(*starts))[:, seat, 0]
        assert np.diff(first).min() > 0, seat


def test_the_target_is_that_of_the_profile() -> None:
    """Points lack to it, and not where no extra round follows the last one."""
    assert MAHJONG_SOUL.last_target == TENHOU.last_target == 30_000
    assert M_LEAGUE.last_target == 0
    start = round_starts((True, 7, 0, 0, [29_000, 26_000, 24_000, 21_000]))
    lacks = [index for index, name in enumerate(final_ranks.COLUMNS) if name.startswith("lacks")]
    n_pairs = final_ranks.COLUMNS.index("score from 0")
    of_seats = final_ranks.features(start)[1]
    reached = final_ranks.features(start._replace(target=0))[1]
    assert of_seats[0, 0, np.array(lacks) - n_pairs].tolist() == [-1.0, 0.0, 0.0, 0.0, 0.0]
    assert of_seats[0, 3, np.array(lacks) - n_pairs].tolist() == [-1.0, -1.0, -2.0, -4.0, -1.0]
    reached[..., np.array(lacks) - n_pairs] += of_seats[..., np.array(lacks) - n_pairs]
    assert reached.tolist() == of_seats.tolist()


def test_the_last_round_is_nearly_decided() -> None:
    """A leader by 40,000 points in South 4 ends first, and one by 1,000 with three behind does not.

    Of 242 last rounds of real games with all seats within 3,000 the leader won 27%.
    """
    far = (True, 7, 0, 0, [60000, 20000, 12000, 8000])
    near = (True, 7, 0, 0, [26000, 25000, 25000, 24000])
    first, second = final_ranks.load().predict(round_starts(far, near))
    assert first[0, 0] > 0.98
    assert 0.25 < second[0, 0] < 0.35


def test_a_file_chooses_its_features_by_name() -> None:
    """In another order they are the same answers; without one its weight is 0."""
    starts = round_starts((True, 3, 1, 1, [31_000, 20_000, 26_000, 22_000]))
    weights = random_model(0).weights
    turned = FinalRankModel(weights[:, ::-1], FEATURES[::-1])
    assert turned.orders(starts).tobytes() == random_model(0).orders(starts).tobytes()
    fewer = FinalRankModel(weights[:, 1:], FEATURES[1:])
    without = FinalRankModel(np.insert(weights[:, 1:], 0, 0.0, axis=1))
    assert fewer.orders(starts).tobytes() == without.orders(starts).tobytes()
