"""The weights of melded hands: the rows, and the fit to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from riichienv import calculate_shanten

from features import schema, wait_rows
from features.schema.paper import PAPER_MELDED, SHARES
from features.wait_rows import COUNTED
from houjuu.estimators.kurita_hoki.melded_hands import MeldedHandModel
from houjuu.game.decisions import Follower
from houjuu.game.events import Game
from houjuu.game.table import Seat, View
from houjuu.game.tiles import KIND
from houjuu.util.arrays import Floats
from models.fitting.shards import FrameShards
from models.paper.melded import MeldedWeights, counted_rows

_SHARES = schema.names(SHARES)
KEY = [*schema.names(schema.KEY), "opponent"]


@pytest.fixture(scope="module")
def rows(own_games: list[Game]) -> pd.DataFrame:
    return wait_rows.rows(own_games)[1]


def simulated(count: int, other_forms: float, no_yaku: float) -> pd.DataFrame:
    """Rows with random shares, and true hands drawn by the weights."""
    rng = np.random.default_rng(5)
    shares = rng.dirichlet(np.ones(4), count)
    weighted = shares * [1, no_yaku, other_forms, other_forms * no_yaku]
    until = weighted.cumsum(axis=1) / weighted.sum(axis=1, keepdims=True)
    class_ = (rng.random((count, 1)) > until).sum(axis=1)
    frame = pd.DataFrame(shares, columns=_SHARES)
    frame = frame.assign(other_form=class_ >= 2, no_yaku=class_ % 2 == 1)
    frame = frame.assign(game=np.arange(count).astype(str), round=0, seat=0, turn=0)
    frame = frame.assign(opponent=1, n_melds=2, uncovered_kinds=1, uncovered_wins=0)
    return schema.check(frame, PAPER_MELDED)


def log_likelihood(rows: pd.DataFrame, model: MeldedHandModel) -> Floats:
    """log P(q|T,c,u) less that by the ways to draw q alone (equation 14), nats, (n,)."""
    other_forms, no_yaku = np.log([model.other_forms, model.no_yaku])
    weights = [1, model.no_yaku, model.other_forms, model.other_forms * model.no_yaku]
    true = rows["other_form"] * other_forms + rows["no_yaku"] * no_yaku
    return np.asarray(true - np.log(rows[_SHARES].to_numpy() @ weights))


@pytest.mark.parametrize(("other_forms", "no_yaku"), [(0.4, 0.1), (0.2, 1.0), (1.5, 0.6)])
def test_known_weights_are_recovered(other_forms: float, no_yaku: float) -> None:
    weights = MeldedWeights().fit(FrameShards(simulated(20_000, other_forms, no_yaku)))
    model = weights.to_runtime()
    assert abs(model.other_forms - other_forms) < 4 * weights.other_forms_error_
    assert abs(model.no_yaku - no_yaku) < 4 * weights.no_yaku_error_
    assert weights.other_forms_error_ < 0.05 * other_forms
    assert weights.no_yaku_error_ < 0.05 * no_yaku


def test_the_fit_has_the_highest_likelihood() -> None:
    rows = simulated(2000, 0.4, 0.3)
    best = MeldedWeights(prior_sd=100).fit(FrameShards(rows)).to_runtime()
    likelihood = log_likelihood(rows, best).sum()
    for a, b in ((1.05, 1), (0.95, 1), (1, 1.05), (1, 0.95)):
        other = MeldedHandModel(best.other_forms * a, best.no_yaku * b)
        assert log_likelihood(rows, other).sum() < likelihood


def test_no_rows_leave_the_papers_weights() -> None:
    model = MeldedWeights().fit(FrameShards(simulated(1, 0.4, 0.3)[:0])).to_runtime()
    assert (model.other_forms, model.no_yaku) == pytest.approx((0.2, 1.0))


def test_the_floor_is_the_rate_of_uncovered_wins() -> None:
    rows = simulated(6000, 0.4, 0.3)
    assert MeldedWeights().fit(FrameShards(rows[:0])).to_runtime().floor == 0.5 / 2000
    rows["uncovered_wins"] = rows.index < 60
    assert MeldedWeights().fit(FrameShards(rows)).to_runtime().floor == pytest.approx(60.5 / 8000)


def test_uncovered_kinds_hardly_ever_win(rows: pd.DataFrame) -> None:
    """The true hand wins on almost none of the kinds that no enumerated hand wins on."""
    assert (rows["uncovered_wins"] <= rows["uncovered_kinds"]).all()
    assert rows["uncovered_kinds"].sum() > 20
    assert rows["uncovered_wins"].sum() <= 0.02 * rows["uncovered_kinds"].sum()


@pytest.mark.parametrize(("count", "prior_sd"), [(1, 1.0), (5, 0.3), (20, 0.1)])
def test_few_rows_leave_about_the_papers_weights(count: int, prior_sd: float) -> None:
    """The gradient of a row is less than 1, and the prior bounds the step."""
    model = (
        MeldedWeights(prior_sd=prior_sd).fit(FrameShards(simulated(count, 5.0, 0.01))).to_runtime()
    )
    moved = np.log([model.other_forms / 0.2, model.no_yaku])
    assert (np.abs(moved) < count * prior_sd**2).all()


def test_rows_of_one_hand_are_one_observation() -> None:
    once = simulated(500, 0.4, 0.3)
    many = pd.concat([once] * 9)
    wide = {"prior_sd": 100.0}
    once_fit, repeated = (
        MeldedWeights(**wide).fit(FrameShards(once)),
        MeldedWeights(**wide).fit(FrameShards(many)),
    )
    assert repeated.other_forms_ == pytest.approx(once_fit.other_forms_, rel=1e-3)
    assert repeated.other_forms_error_ == pytest.approx(once_fit.other_forms_error_, rel=1e-2)


def test_rows_of_two_melds_and_more(rows: pd.DataFrame) -> None:
    assert set(counted_rows(rows)["n_melds"]) == {2, 3} < set(rows["n_melds"])


def test_shares(rows: pd.DataFrame) -> None:
    """They add up to 1, and the class of the true hand has a positive share."""
    rows = counted_rows(rows)
    shares = rows[_SHARES].to_numpy()
    assert np.allclose(shares.sum(axis=1), 1)
    assert shares.min() >= 0
    class_ = (2 * rows["other_form"] + rows["no_yaku"]).to_numpy()
    assert (shares[np.arange(len(rows)), class_] > 0).all()


def test_every_melded_tenpai_is_counted(own_games: list[Game], rows: pd.DataFrame) -> None:
    """Tenpai by another library; opponents that cannot win are left out."""
    counted = counted_rows(rows).set_index(KEY)
    expected = 0
    for key, view, hand in melded_hands(own_games):
        if key in rows.set_index(KEY).index:
            can = can_win(view, view.seats[key[-1]], hand)
            assert can == (key in counted.index)
            expected += can
    assert expected == len(counted) > 6


def melded_hands(games: list[Game]) -> Iterator[tuple[tuple[Any, ...], View, list[int]]]:
    """Yield the key of a row, the view and the hand, of opponents with two or three melds."""
    for game in games:
        follower = Follower(game)
        for decision in follower.discards():
            view = decision.view
            for opponent in view.opponents:
                if opponent.n_open_melds and len(opponent.melds) in COUNTED:
                    hand = follower.table.round_state.hands[opponent.seat]
                    yield (game.id, *decision.key, opponent.seat), view, list(hand)


def can_win(view: View, opponent: Seat, hand: list[int]) -> bool:
    own = [KIND[tile] for tile in hand]
    melded = [KIND[tile] for meld in opponent.melds for tile in meld.tiles]
    waits = [
        kind
        for kind in range(34)
        if own.count(kind) < 4 and calculate_shanten([*hand, other_tile(kind, hand)]) < 0
    ]
    has_tile = any((own + melded).count(kind) < 4 for kind in waits)
    return has_tile and not any(view.furiten(opponent.seat) >> kind & 1 for kind in waits)


def other_tile(kind: int, hand: list[int]) -> int:
    """A tile of the kind that is not in the hand."""
    return next(tile for tile in range(4 * kind, 4 * kind + 4) if tile not in hand)
