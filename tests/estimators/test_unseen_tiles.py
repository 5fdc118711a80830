"""Where the unseen tiles are: sizes, certain facts, counting, explanations, batches."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import houjuu
from houjuu.estimators.log_linear import unseen_tiles
from houjuu.estimators.log_linear.unseen_tiles import PART, TERMS, TILT_SHAPE, UnseenTileModel
from houjuu.game.events import Discard, Draw, Game
from houjuu.game.table import Table, View
from houjuu.game.tiles import COPIES, KINDS, parse_kind
from houjuu.hands.wait_types import HELD, HOLDS, WIN_WAIT, wait_name
from houjuu.reading.opponent import opponent_contexts
from houjuu.risk.unseen import LOCATIONS, WALL, UnseenTiles, balanced, count_probabilities
from houjuu.util import parameters
from houjuu.util.parameters import Parameters
from tests.kit.files import shipped
from tests.kit.games import walk

COUNTS = np.arange(COPIES + 1)


def views(games: list[Game], stride: int) -> Iterator[tuple[Table, View]]:
    """Views before and after draws and discards, of all seats in turn."""
    for number, (table, _) in enumerate(walk(games, Draw, Discard), 1):
        if number % stride == 0:
            yield table, table.view(number // stride % 4)


def random_model(spread: float = 0.3) -> UnseenTileModel:
    rng = np.random.default_rng(7)
    weights = rng.normal(0.0, spread / 3, TERMS.size)
    return UnseenTileModel(weights, rng.normal(0.0, spread, TILT_SHAPE))


def answer_of(model: UnseenTileModel, view: View) -> UnseenTiles:
    return model.predict(opponent_contexts(view, view.opponents))[0]


def true_copies(table: Table, view: View) -> np.ndarray:
    copies = np.zeros((LOCATIONS, KINDS), np.int64)
    copies[WALL] = view.unseen()
    for location, opponent in enumerate(view.opponents):
        for tile in table.round_state.hands[opponent.seat]:
            copies[location, tile // COPIES] += 1
            copies[WALL, tile // COPIES] -= 1
    return copies


def test_margins(games: list[Game]) -> None:
    """Copies sum to the unseen ones and hands to their true sizes; a kind that is gone is gone."""
    estimator = houjuu.load()
    model = random_model()
    n_views = 0
    for table, view in views(games, 37):
        true = true_copies(table, view)
        for answer in (estimator.unseen(view), answer_of(model, view)):
            weighted = answer.wall_weights * view.unseen()
            in_wall = answer.sizes[WALL] / answer.sizes.sum()
            np.testing.assert_allclose(weighted * in_wall, answer.expected[WALL])
            assert weighted.sum() == pytest.approx(view.unseen().sum(), abs=5e-3)
            assert answer.sizes.tolist() == true.sum(axis=1).tolist()
            expected = answer.expected
            assert (expected >= 0).all()
            np.testing.assert_allclose(expected.sum(axis=0), view.unseen(), atol=1e-9)
            np.testing.assert_allclose(expected.sum(axis=1), answer.sizes, atol=1e-3)
            assert (expected[:, view.unseen() == 0] == 0).all()
            assert answer.next_draw.sum() == pytest.approx(1.0, abs=1e-3)
        n_views += 1
    assert n_views > 50


def test_a_tenpai_hand_waits_with_tiles_that_it_can_hold(games: list[Game]) -> None:
    """A wait with any probability needs copies that the hand has with some probability."""
    estimator = houjuu.load()
    n_waits = 0
    for _, view in views(games[:4], 61):
        unseen = estimator.unseen(view)
        at_least = unseen.probabilities[:, :, ::-1].cumsum(axis=-1)[:, :, ::-1]
        for hand, opponent in enumerate(estimator.deal_in(view).opponents):
            if opponent.p_win_by_wait is None:
                continue
            for wait in {*WIN_WAIT[opponent.p_win_by_wait > 0].tolist()}:
                kinds, copies = np.unique(HOLDS[wait, : HELD[wait]], return_counts=True)
                assert (at_least[hand, kinds, copies] > 0).all(), wait_name(wait)
                n_waits += 1
    assert n_waits > 1_000


def test_numbers_of_copies(games: list[Game]) -> None:
    """They have the expected copies as their mean, and the truth is never impossible."""
    model = random_model()
    for table, view in views(games, 211):
        answer = answer_of(model, view)
        np.testing.assert_allclose(answer.probabilities.sum(axis=-1), 1.0)
        np.testing.assert_allclose(answer.probabilities @ COUNTS, answer.expected, atol=0.01)
        too_many = np.minimum(view.unseen(), answer.sizes[:, None])[..., None] < COUNTS
        assert answer.probabilities[too_many].max() < 1e-12
        true = true_copies(table, view)[..., None]
        assert np.take_along_axis(answer.probabilities, true, axis=-1).min() > 0


def test_without_weights_it_counts(own_games: list[Game]) -> None:
    """A model of weights 0, a model without the part, and the paper's give the same numbers."""
    zero = UnseenTileModel(np.zeros(TERMS.size), np.zeros(TILT_SHAPE))
    paper = houjuu.load("kurita-hoki-2017")
    for _, view in views(own_games[:1], 61):
        counted = paper.unseen(view)
        share = counted.sizes / counted.sizes.sum()
        np.testing.assert_allclose(counted.expected, share[:, None] * view.unseen())
        np.testing.assert_allclose(counted.wall_weights, 1.0)
        np.testing.assert_allclose(answer_of(zero, view).expected, counted.expected)
        np.testing.assert_allclose(answer_of(zero, view).probabilities, counted.probabilities)
        assert counted.explain("1z") == {"counting": pytest.approx(counted.expected[WALL, 27])}


def test_counting_draws_without_replacement() -> None:
    """Two copies among six tiles, of which a hand has two: 6, 8 and 1 of 15 ways."""
    sizes, copies = np.array([2, 4]), np.array([2, 4])
    chances = balanced(np.ones((2, 2)), copies, sizes)
    probabilities = count_probabilities(chances, copies, sizes)
    np.testing.assert_allclose(probabilities[0, 0, :3], np.array([6, 8, 1]) / 15)


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.floats(0.0, 1.5))
def test_any_weights_are_balanced(seed: int, spread: float) -> None:
    rng = np.random.default_rng(seed)
    copies = rng.integers(0, COPIES + 1, (3, KINDS))
    sizes = np.tile(rng.integers(1, 14, 3), (3, 1))
    sizes = np.column_stack([sizes, copies.sum(axis=1) - sizes.sum(axis=1)])
    copies, sizes = copies[sizes[:, WALL] > 0], sizes[sizes[:, WALL] > 0]
    weights = np.exp(rng.normal(0.0, spread, (len(copies), LOCATIONS, KINDS)))
    expected = balanced(weights, copies, sizes) * copies[:, None]
    np.testing.assert_allclose(expected.sum(axis=-1), sizes, atol=1e-3)


def test_explanations_add_up(own_games: list[Game]) -> None:
    model = random_model()
    for _, view in views(own_games[:1], 301):
        answer = answer_of(model, view)
        for location in range(LOCATIONS):
            for tile in ("1m", "5p", "0s", "3z"):
                parts = answer.explain(tile, location)
                kind = parse_kind(tile)
                assert sum(parts.values()) == pytest.approx(answer.expected[location, kind])
                assert parts["counting"] == pytest.approx(
                    view.unseen()[kind] * answer.sizes[location] / answer.sizes.sum()
                )
        assert {"other tiles", *TERMS.names} < parts.keys() | {"counting"}


def test_the_answer_as_json(own_games: list[Game]) -> None:
    _, view = next(views(own_games, 150))
    answer = answer_of(random_model(), view)
    by_name = json.loads(json.dumps(answer.to_dict()))
    assert len(by_name) == (view.unseen() > 0).sum()
    for name, one in by_name.items():
        kind = parse_kind(name)
        assert one["unseen"] == view.unseen()[kind]
        assert one["wall"] + sum(one["hands"]) == pytest.approx(one["unseen"], abs=1e-5)
        assert one["none"] == pytest.approx(answer.probabilities[WALL, kind, 0], abs=1e-6)


def test_a_batch_equals_single_queries(own_games: list[Game]) -> None:
    estimator = houjuu.load()
    estimator.unseen_model = random_model()  # type: ignore[attr-defined]
    some = [view for _, view in views(own_games[:1], 17)]
    assert len(some) > 32
    for view, answer in zip(some, estimator.unseen_many(some), strict=True):
        alone = estimator.unseen(view)
        np.testing.assert_allclose(answer.chances, alone.chances, rtol=1e-12)
        np.testing.assert_allclose(answer.probabilities, alone.probabilities, rtol=1e-9)
    assert estimator.unseen_many([]) == []


def test_more_weight_moves_tiles_into_hands(own_games: list[Game]) -> None:
    """The sign of a weight: honours that a hand holds more readily are less often in the wall."""
    (column,) = (i for i, name in enumerate(TERMS.names) if name == "the kind of tile")
    weights = np.zeros(TERMS.size)
    is_honour = unseen_tiles.KIND_CLASS == 0
    first = TERMS.first[is_honour, column][0]
    weights[first : first + TERMS.n_values[column]] = 0.5
    model = UnseenTileModel(weights, np.zeros(TILT_SHAPE))
    for _, view in views(own_games[:1], 301):
        more, counted = answer_of(model, view), houjuu.load("kurita-hoki-2017").unseen(view)
        seen = is_honour & (view.unseen() > 0)
        assert (more.expected[WALL, seen] < counted.expected[WALL, seen]).all()
        other = ~is_honour & (view.unseen() > 0)
        assert (more.expected[WALL, other] > counted.expected[WALL, other]).all()


def test_a_hidden_hand_is_part_of_the_wall(own_games: list[Game]) -> None:
    """On every turn: the 14th tile of a seat belongs to its own location."""
    n_drawn = 0
    for _, view in views(own_games[:1], 23):
        hidden = replace(view, hand=(), drawn=None)
        shown, counted = (houjuu.load("kurita-hoki-2017").unseen(one) for one in (view, hidden))
        assert counted.sizes[:WALL].tolist() == shown.sizes[:WALL].tolist()
        assert counted.sizes[WALL] == shown.sizes[WALL] + len(view.hand)
        n_drawn += shown.sizes[:WALL].tolist() != [one.n_concealed for one in view.opponents]
    assert n_drawn


def test_a_file_without_the_part_counts(own_games: list[Game], tmp_path: Path) -> None:
    fitted = shipped()
    arrays = {name: a for name, a in fitted.arrays.items() if not name.startswith(PART)}
    parameters.write(tmp_path / "old.npz", Parameters(fitted.header, arrays))
    arrays[f"{PART}/weights"] = random_model().weights
    arrays[f"{PART}/tilts"] = random_model().tilts
    parameters.write(tmp_path / "new.npz", Parameters(fitted.header, arrays))
    old, new = houjuu.load(tmp_path / "old.npz"), houjuu.load(tmp_path / "new.npz")
    _, view = next(views(own_games, 50))
    np.testing.assert_allclose(
        old.unseen(view).expected, houjuu.load("kurita-hoki-2017").unseen(view).expected
    )
    assert np.abs(new.unseen(view).expected - old.unseen(view).expected).max() > 0.01
    np.testing.assert_array_equal(old.deal_in(view).any, new.deal_in(view).any)
