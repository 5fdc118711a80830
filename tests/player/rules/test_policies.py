"""Discard policies: exact choices by a stub estimator and hand-made values."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp
from typing import Any, cast

import numpy as np
import pytest

pytest.importorskip("riichienv", reason="it computes points")
from houjuu.estimators.protocol import Estimator, TenpaiPrediction
from houjuu.game.table import View
from houjuu.game.tiles import KIND, kind_name, parse_kind, parse_tiles
from houjuu.hands.hand_cache import HandCache
from houjuu.player.hand_value.value import Value
from houjuu.player.rules import policies
from houjuu.player.rules.policies import (
    DiscardOption,
    DiscardOptions,
    ExpectedValue,
    NoFold,
    RelativeDanger,
)
from houjuu.player.rules.push_fold import Limits
from houjuu.risk.deal_in import DealIn
from tests.kit.positions import changed, view_of

EARLY = 60  # unit: tiles left, more than the horizon needs


class Risk:
    """Expected losses in points by kind; 0 for the others."""

    def __init__(self, losses: Mapping[str, float]) -> None:
        self._losses = {parse_kind(name): loss for name, loss in losses.items()}

    def points_of(self, tile: int) -> float:
        return self._losses.get(KIND[tile], 0.0)


class StubEstimator:
    """P(tenpai) of the opponent to the right, and losses by kind; counts its queries."""

    def __init__(self, tenpai: float = 0.0, **losses: float) -> None:
        self.header: Mapping[str, Any] = {}
        self.tenpai_table, self.model = "stub", "stub"
        self._risk = Risk({name[::-1]: loss for name, loss in losses.items()})
        self._prediction = TenpaiPrediction(
            np.array([0.0, tenpai, 0.0]), np.full((3, 4), 0.25), np.zeros((3, 4))
        )
        self.caches: list[HandCache | None] = []

    def predict_tenpai(self, view: View) -> TenpaiPrediction:
        return self._prediction

    def deal_in(
        self,
        view: View,
        cache: HandCache | None = None,
        prediction: TenpaiPrediction | None = None,
    ) -> DealIn:
        assert prediction is self._prediction
        self.caches.append(cache)
        return cast(DealIn, self._risk)


class Options(DiscardOptions):
    """Discards whose shanten and value are written down, by kind, in this order."""

    def __init__(self, view: View, **after: tuple[int, float]) -> None:
        self.view = view
        self._after = {4 * parse_kind(name[::-1]) + 1: entry for name, entry in after.items()}
        self.shanten = {tile: shanten for tile, (shanten, _) in self._after.items()}

    def valued(self, tiles: Any) -> list[DiscardOption]:
        return [DiscardOption(tile, *self._after[tile]) for tile in tiles]


def view(*rivers: str, tiles_left: int = EARLY) -> View:
    return changed(view_of("", *rivers), tiles_left=tiles_left)


def policy(estimator: StubEstimator, **numbers: float) -> ExpectedValue:
    return ExpectedValue(cast(Estimator, estimator), **numbers)


def choice(policy: policies.DiscardPolicy, options: Options) -> str:
    return kind_name(KIND[policy.choose(options).tile])


def gain(shanten: int, value: float, tiles_left: int, **numbers: float) -> float:
    option = DiscardOption(1, shanten, value)
    return policy(StubEstimator(), **numbers)._gain(option, tiles_left)


@pytest.mark.parametrize(
    ("shanten", "value", "tiles_left", "expected"),
    [
        (1, 500.0, 24, 500.0),  # six draws: the whole value
        (1, 500.0, 60, 500.0),
        (1, 500.0, 12, 500.0 / 4),
        (2, 800.0, 12, 800.0 / 8),
        (3, 810.0, 8, 810.0 / 81),
        (1, 500.0, 0, 0.0),
        (0, 500.0, 0, 1000.0),
        (0, 0.0, 25, 1000.0 * exp(-1)),
        (0, 600.0, 50, 600.0 + 1000.0 * exp(-2)),
        (0, 600.0, 12, 600.0 / 2 + 1000.0 * exp(-12 / 25)),
    ],
)
def test_the_gain_by_default(shanten: int, value: float, tiles_left: int, expected: float) -> None:
    assert gain(shanten, value, tiles_left) == pytest.approx(expected, rel=1e-12)


def test_every_number_of_the_gain_counts() -> None:
    assert gain(1, 500, 60, value_scale=0.5) == 250
    assert gain(1, 512, 16, draw_horizon=8.0) == 512 / 4
    assert gain(0, 0, 25, tenpai_value=300.0) == pytest.approx(300 * exp(-1))
    assert gain(1, 0, 25, tenpai_value=300.0) == 0  # not tenpai


def test_gain_and_loss_have_one_unit() -> None:
    """A gain of 501 less a loss of 100 exceeds one of 400, and one of 499 does not."""
    for value, expected in ((501.0, "2m"), (499.0, "5p")):
        options = Options(view(), m2=(1, value), p5=(1, 400.0))
        assert choice(policy(StubEstimator(0.9, m2=100.0)), options) == expected


@pytest.mark.parametrize(("tenpai", "queries"), [(0.399, 0), (0.4, 1), (0.41, 1)])
def test_losses_count_from_the_threshold(tenpai: float, queries: int) -> None:
    """Below it the discard of lowest shanten and highest value goes, whatever it costs."""
    stub = StubEstimator(tenpai, m2=5000.0)
    options = Options(view(), m2=(1, 900.0), s3=(1, 600.0), p5=(2, 2000.0))
    assert choice(policy(stub), options) == ("5p" if queries else "2m")
    assert len(stub.caches) == queries


def test_the_threshold_can_be_moved() -> None:
    for threshold, expected in ((0.2, "5p"), (0.31, "2m")):
        stub = StubEstimator(0.3, m2=5000.0)
        options = Options(view(), m2=(1, 900.0), p5=(1, 300.0))
        assert choice(policy(stub, fold_threshold=threshold), options) == expected


def test_a_riichi_counts_below_the_threshold() -> None:
    for river, expected in (("1z 9p", "2m"), ("1z 9p*", "5p")):
        stub = StubEstimator(0.0, m2=5000.0)
        options = Options(view(river), m2=(1, 900.0), p5=(1, 300.0))
        assert choice(policy(stub), options) == expected


def test_tenpai_at_the_end_of_the_wall_is_worth_points() -> None:
    """Without a draw left tenpai is worth 1,000, so a loss of 999 is accepted, 1,001 is not."""
    for loss, expected in ((999.0, "2m"), (1001.0, "5p")):
        stub = StubEstimator(0.9, m2=loss)
        options = Options(view(tiles_left=0), m2=(0, 0.0), p5=(1, 0.0))
        assert choice(policy(stub), options) == expected


def test_ties_go_to_the_last_tile() -> None:
    for tenpai in (0.0, 0.9):
        stub = StubEstimator(tenpai)
        options = Options(view(), m2=(1, 500.0), p5=(1, 500.0), s1=(1, 400.0))
        assert choice(policy(stub), options) == "5p"


def test_one_cache_serves_all_queries() -> None:
    stub = StubEstimator(0.9)
    player = policy(stub)
    for _ in range(2):
        player.choose(Options(view(), m2=(1, 500.0)))
    assert len(stub.caches) == 2
    assert stub.caches[0] is stub.caches[1] is not None


def test_no_fold_takes_the_best_hand() -> None:
    options = Options(view("1z 9p*"), m2=(1, 500.0), p5=(1, 700.0), s1=(1, 700.0), m9=(2, 9000.0))
    assert choice(NoFold(), options) == "1s"
    assert NoFold().may_call(options.view, Value(3, 0.0))


SAFE, DANGEROUS = "9p", "5s"
"""Against the riichi of `RIICHI` 9p is genbutsu; 5s is the most dangerous kind, 4.7%."""
RIICHI = "1z 9p*"


def test_relative_danger_without_a_riichi_takes_the_best_hand() -> None:
    options = Options(view("1z 9p"), p9=(2, 100.0), s5=(1, 300.0))
    assert choice(RelativeDanger(), options) == DANGEROUS


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ((1, 1200.0), DANGEROUS),  # very good: below 12%
        ((1, 1199.0), SAFE),  # good: below 3%, since there is a safe tile
        ((1, 300.0), SAFE),  # poor: folds
        ((3, 5000.0), SAFE),  # too far
        ((0, 300.0), DANGEROUS),  # tenpai: below 12%
    ],
)
def test_relative_danger_pushes_by_the_table(after: tuple[int, float], expected: str) -> None:
    options = Options(view(RIICHI), p9=(4, 0.0), s5=after)
    assert choice(RelativeDanger(), options) == expected


def test_relative_danger_has_limits_to_set() -> None:
    options = Options(view(RIICHI), p9=(2, 0.0), s5=(1, 1200.0))
    assert choice(RelativeDanger(Limits(very_good=4.0)), options) == SAFE


def test_relative_danger_pushes_only_the_lowest_shanten_and_breaks_ties_by_the_last() -> None:
    pushed = Options(view(RIICHI), s4=(1, 1500.0), s5=(1, 1500.0), p9=(2, 9000.0))
    assert choice(RelativeDanger(), pushed) == "5s"
    folded = Options(view("1z 9p 3m*"), m3=(2, 100.0), p9=(2, 100.0), s5=(1, 100.0))
    assert choice(RelativeDanger(), folded) == "9p"


@pytest.mark.parametrize(
    ("after", "allowed"),
    [
        (Value(0, 500.0), True),
        (Value(-1, 500.0), True),
        (Value(0, 499.0), False),
        (Value(1, 1199.0), False),
        (Value(1, 1200.0), True),
    ],
)
def test_calls_against_a_riichi(after: Value, allowed: bool) -> None:
    for careful in (RelativeDanger(), policy(StubEstimator())):
        assert careful.may_call(view(), after)
        assert careful.may_call(view(RIICHI), after) == allowed


def test_discard_options_of_a_hand() -> None:
    """One of each distinct tile; the nearest are those that leave tenpai."""
    hand = parse_tiles("234m456p3457s22z9m1z")
    seen = changed(view(), hand=hand)
    discards = DiscardOptions(seen, hand)
    shanten = {kind_name(KIND[tile]): after for tile, after in discards.shanten.items()}
    assert len(shanten) == 13
    assert {name for name, after in shanten.items() if after == 1} == {"9m", "7s", "1z"}
    assert [kind_name(KIND[tile]) for tile in discards.nearest()] == ["9m", "7s", "1z"]
    options = discards.valued(discards.nearest())
    assert [option.shanten for option in options] == [1, 1, 1]
    best = max(options, key=lambda option: option.value)
    assert discards.best(discards.shanten) == best
    assert discards.valued([]) == []


def test_the_best_discard_has_the_highest_value() -> None:
    """Not the last tile, 7s."""
    hand = parse_tiles("9m234p456p3457s22p6m")
    discards = DiscardOptions(changed(view(), hand=hand), hand)
    options = discards.valued(discards.nearest())
    best = discards.best(discards.shanten)
    assert kind_name(KIND[best.tile]) == "9m"
    assert best.value == max(option.value for option in options)
    assert kind_name(KIND[max(option.tile for option in options)]) == "7s"
