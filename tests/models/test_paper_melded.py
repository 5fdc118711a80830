"""The weights of melded hands: rows of what was held, and the fit to them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from riichienv import calculate_shanten

from features import paper_melded_rows, schema
from houjuu.estimators.kurita_hoki.melded_hands import MeldedHandModel
from houjuu.events import Discard, Game
from houjuu.table import Seat, Table, View
from models.paper_melded import MeldedWeights, counted, log_likelihood

SHARES = [column.name for column in schema.SHARES]


@pytest.fixture(scope="module")
def rows(own_games: list[Game]) -> pd.DataFrame:
    return paper_melded_rows.rows(own_games)


def drawn(count: int, other_forms: float, no_yaku: float) -> pd.DataFrame:
    """Rows with any shares, whose true hands are drawn by the weights."""
    rng = np.random.default_rng(5)
    shares = rng.dirichlet(np.ones(4), count)
    weighed = shares * [1, no_yaku, other_forms, other_forms * no_yaku]
    until = weighed.cumsum(axis=1) / weighed.sum(axis=1, keepdims=True)
    class_ = (rng.random((count, 1)) > until).sum(axis=1)
    frame = pd.DataFrame(shares, columns=SHARES)
    frame = frame.assign(other_form=class_ >= 2, no_yaku=class_ % 2 == 1)
    frame = frame.assign(game=np.arange(count).astype(str), round=0, seat=0, discard=0)
    frame = frame.assign(opponent=1, sets=2, unexplained=1, missed=0)
    return schema.check(frame, schema.PAPER_MELDED)


@pytest.mark.parametrize(("other_forms", "no_yaku"), [(0.4, 0.1), (0.2, 1.0), (1.5, 0.6)])
def test_known_weights_are_found(other_forms: float, no_yaku: float) -> None:
    weights = MeldedWeights().fit(drawn(20_000, other_forms, no_yaku))
    model = weights.model()
    assert abs(model.other_forms - other_forms) < 4 * weights.other_forms_error_
    assert abs(model.no_yaku - no_yaku) < 4 * weights.no_yaku_error_
    assert weights.other_forms_error_ < 0.05 * other_forms
    assert weights.no_yaku_error_ < 0.05 * no_yaku


def test_the_fit_is_the_most_likely() -> None:
    rows = drawn(2000, 0.4, 0.3)
    best = MeldedWeights(prior_sd=100).fit(rows).model()
    likelihood = log_likelihood(rows, best).sum()
    for a, b in ((1.05, 1), (0.95, 1), (1, 1.05), (1, 0.95)):
        beside = MeldedHandModel(best.other_forms * a, best.no_yaku * b)
        assert log_likelihood(rows, beside).sum() < likelihood


def test_no_rows_leave_the_papers_weights() -> None:
    model = MeldedWeights().fit(drawn(1, 0.4, 0.3)[:0]).model()
    assert (model.other_forms, model.no_yaku) == pytest.approx((0.2, 1.0))


def test_the_floor_is_how_often_it_happens() -> None:
    rows = drawn(6000, 0.4, 0.3)
    assert MeldedWeights().fit(rows[:0]).model().floor == 0.5 / 2000
    rows["missed"] = rows.index < 60
    assert MeldedWeights().fit(rows).model().floor == pytest.approx(60.5 / 8000)


def test_what_no_hand_explains_is_counted(rows: pd.DataFrame) -> None:
    """The true hand wins on next to none of the kinds that the hands looked at leave out."""
    assert (rows["missed"] <= rows["unexplained"]).all()
    assert rows["unexplained"].sum() > 50
    assert rows["missed"].sum() <= 0.02 * rows["unexplained"].sum()


@pytest.mark.parametrize(("count", "prior_sd"), [(1, 1.0), (5, 0.3), (20, 0.1)])
def test_few_rows_leave_about_the_papers_weights(count: int, prior_sd: float) -> None:
    """A row pulls a logarithm with a force of less than 1, and the prior holds it."""
    model = MeldedWeights(prior_sd=prior_sd).fit(drawn(count, 5.0, 0.01)).model()
    moved = np.log([model.other_forms / 0.2, model.no_yaku])
    assert (np.abs(moved) < count * prior_sd**2).all()


def test_rows_of_one_hand_are_one_observation() -> None:
    once = drawn(500, 0.4, 0.3)
    many = pd.concat([once] * 9)
    wide = {"prior_sd": 100.0}
    alone, again = MeldedWeights(**wide).fit(once), MeldedWeights(**wide).fit(many)
    assert again.other_forms_ == pytest.approx(alone.other_forms_, rel=1e-3)
    assert again.other_forms_error_ == pytest.approx(alone.other_forms_error_, rel=1e-2)


def test_rows_keep_to_the_schema(rows: pd.DataFrame) -> None:
    assert list(rows.columns) == schema.names(schema.PAPER_MELDED)
    assert [str(kind) for kind in rows.dtypes] == [column.dtype for column in schema.PAPER_MELDED]
    assert not rows.duplicated(["game", "round", "seat", "discard", "opponent"]).any()
    assert set(counted(rows)["sets"]) == {2, 3} < set(rows["sets"])
    assert schema.check(paper_melded_rows.rows([]), schema.PAPER_MELDED).empty


def test_shares(rows: pd.DataFrame) -> None:
    """They add up to 1, and what was truly held could be drawn."""
    rows = counted(rows)
    shares = rows[SHARES].to_numpy()
    assert np.allclose(shares.sum(axis=1), 1)
    assert shares.min() >= 0
    class_ = (2 * rows["other_form"] + rows["no_yaku"]).to_numpy()
    assert (shares[np.arange(len(rows)), class_] > 0).all()


def test_every_melded_tenpai_is_counted(own_games: list[Game], rows: pd.DataFrame) -> None:
    """Who waits, by another library, is counted; who is furiten is not."""
    rows = counted(rows)
    expected = [state for game in own_games for state in tenpai_states(game)]
    assert len(expected) == len(rows) > 50
    assert expected == list(zip(rows["seat"], rows["opponent"], rows["sets"], strict=True))


def tenpai_states(game: Game) -> list[tuple[int, int, int]]:
    """Decider, opponent and its sets whenever one who may win has acted."""
    table, found, met = Table(game.rules), [], list[Seat]()
    for event in game.events:
        if isinstance(event, Discard) and not table.seats[event.seat].in_riichi:
            view = table.view(event.seat)
            for opponent in view.opponents:
                melded = opponent.n_open_melds and len(opponent.melds) in (2, 3)
                if melded and not any(opponent is seat for seat in met):
                    met.append(opponent)
                    if may_win(view, opponent, table.round_state.hands[opponent.seat]):
                        found.append((event.seat, opponent.seat, len(opponent.melds)))
        table.apply(event)
    return found


def may_win(view: View, opponent: Seat, hand: list[int]) -> bool:
    own = [tile // 4 for tile in hand]
    shown = [tile // 4 for meld in opponent.melds for tile in meld.tiles]
    waits = [
        kind
        for kind in range(34)
        if own.count(kind) < 4 and calculate_shanten([*hand, spare(kind, hand)]) < 0
    ]
    left = any((own + shown).count(kind) < 4 for kind in waits)
    return left and not any(view.furiten(opponent.seat) >> kind & 1 for kind in waits)


def spare(kind: int, hand: list[int]) -> int:
    """A tile of the kind that is not in the hand."""
    return next(tile for tile in range(4 * kind, 4 * kind + 4) if tile not in hand)
