"""P(final rank), against a plain computation of the same sums and against what must hold."""

from __future__ import annotations

from itertools import pairwise, permutations
from math import exp
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from houjuu.game.events import SEATS
from houjuu.player.values import final_ranks
from houjuu.player.values.final_ranks import (
    DEALER_KNOTS,
    FEATURES,
    KNOTS,
    PHASES,
    SCORE_KNOTS,
    FinalRankModel,
    RoundStarts,
    phases,
)

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


def reach(points: float, knots: tuple[int, ...]) -> list[float]:
    parts = []
    for low, high in pairwise(knots):
        parts.append(max(0.0, min(abs(points), high) - low) * (1 if points > 0 else -1) / 1000)
    return parts


def logit(order: tuple[int, ...], start: Start, weights: list[float]) -> float:
    """The logit of an order, term by term."""
    hanchan, round_, honba, sticks, scores = start
    last = 7 if hanchan else 3
    deals = [sum(r % 4 == seat for r in range(round_, max(last, round_) + 1)) for seat in range(4)]
    dealer, pot = round_ % 4, (300 * honba + 1000 * sticks) / 1000
    total = 0.0
    for a in range(4):
        for b in range(a + 1, 4):
            d = scores[a] - scores[b] + 50
            values = [
                *reach(d, KNOTS),
                *(x * (dealer in (a, b)) for x in reach(d, DEALER_KNOTS)),
                max(-1.0, min(1.0, d / 1000)) * min(pot, 2),
                (dealer == a) - (dealer == b),
                deals[a] - deals[b],
            ]
            part = sum(w * v for w, v in zip(weights, values, strict=False))
            total += part / 2 if order.index(a) < order.index(b) else -part / 2
    n = len(SCORE_KNOTS) - 1
    places = (order[0], weights[-3 * n : -2 * n]), (order[2], weights[-2 * n : -n])
    for seat, of_place in (*places, (order[3], weights[-n:])):
        parts = reach(scores[seat], SCORE_KNOTS)
        total += sum(w * v for w, v in zip(of_place, parts, strict=True))
    return total


@given(start=STARTS, seed=st.integers(0, 9))
def test_predictions_are_the_sums_of_the_orders(start: Start, seed: int) -> None:
    model = random_model(seed)
    (phase,) = phases(*round_starts(start)[:2])
    weights = model.weights[phase].tolist()
    odds = {order: exp(logit(order, start, weights)) for order in permutations(range(SEATS))}
    expected = np.zeros((SEATS, SEATS))
    for order, odd in odds.items():
        for rank, seat in enumerate(order):
            expected[seat, rank] += odd / sum(odds.values())
    (probabilities,) = model.predict(round_starts(start))
    assert probabilities == pytest.approx(expected, abs=1e-9)


@given(st.lists(STARTS, min_size=1, max_size=4), st.integers(0, 9))
def test_rows_and_columns_sum_to_one(starts: list[Start], seed: int) -> None:
    probabilities = random_model(seed).predict(round_starts(*starts))
    assert probabilities.sum(axis=1) == pytest.approx(np.ones((len(starts), SEATS)))
    assert probabilities.sum(axis=2) == pytest.approx(np.ones((len(starts), SEATS)))
    alone = np.concatenate([random_model(seed).predict(round_starts(one)) for one in starts])
    assert probabilities == pytest.approx(alone, abs=1e-12)


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


def test_more_points_are_hardly_ever_worse() -> None:
    """The model that ships, in the scheduled rounds of games that go on, the pot of any size.

    A feature of a pot of any size made 1,000 more points worse by .2 of a rank.
    """
    rng = np.random.default_rng(0)
    n, ranks = 50_000, np.arange(SEATS)
    hanchan, round_, honba, sticks = (rng.integers(0, most, n) for most in (2, 8, 6, 5))
    round_ %= 4 + 4 * hanchan
    scores = rng.integers(150, 350, (n, SEATS)) * 100
    scores[:, 3] = 100_000 - scores[:, :3].sum(axis=1)
    seat = ranks == rng.integers(0, SEATS, (n, 1))
    more = scores + seat * rng.integers(1, 81, (n, 1)) * 100
    rest = hanchan, round_, honba, sticks
    before, after = (
        final_ranks.load().predict(RoundStarts(*rest, s))[seat] for s in (scores, more)
    )
    assert (after @ ranks - before @ ranks).max() < 0.035
    assert (before - after)[:, 0].max() < 0.03
    assert (after - before)[:, 3].max() < 0.01


def test_the_last_round_is_nearly_decided() -> None:
    """A leader by 40,000 points in South 4 ends first; one by 1,000 with three behind does not."""
    far = (True, 7, 0, 0, [60000, 20000, 12000, 8000])
    near = (True, 7, 0, 0, [26000, 25000, 25000, 24000])
    first, second = final_ranks.load().predict(round_starts(far, near))
    assert first[0, 0] > 0.98
    assert 0.3 < second[0, 0] < 0.6


def test_a_file_chooses_its_features_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """The code knows one more, in the middle: the answers stay the same, to the byte."""
    starts = round_starts((True, 3, 1, 1, [31_000, 20_000, 26_000, 22_000]))
    expected = final_ranks.load().orders(starts).tobytes()
    known, compute = final_ranks.FEATURES, final_ranks.features
    monkeypatch.setattr(final_ranks, "FEATURES", (*known[:5], "more", *known[5:]))
    monkeypatch.setattr(
        final_ranks, "features", lambda starts: np.insert(compute(starts), 5, 7.0, axis=-1)
    )
    assert final_ranks.load().orders(starts).tobytes() == expected
