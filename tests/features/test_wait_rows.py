"""What tenpai opponents win on: rows from games, and the fits to them."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from riichienv import calculate_shanten

import houjuu
from features import ron_score_rows, schema, wait_rows
from features.prediction_rows import opponent_type
from features.replay import decisions
from houjuu.estimators.log_linear import han_model
from houjuu.estimators.log_linear.conditional_logit import ConditionalLogit
from houjuu.events import Deal, Game, Win
from houjuu.hands.points import YAKUMAN_HAN
from houjuu.hands.wait_types import WAITS, WIN_KIND, WIN_WAIT, ryanmen
from houjuu.reading import wait_features
from houjuu.reading.opponent import opponent_contexts
from houjuu.table import Table
from houjuu.tiles import KINDS, RED_FIVES
from models import wait_models


@pytest.fixture(scope="module")
def paper() -> houjuu.Estimator:
    return houjuu.load("kurita-hoki-2017")


@pytest.fixture(scope="module")
def rows(own_games: list[Game], paper: houjuu.Estimator) -> pd.DataFrame:
    return wait_rows.rows(own_games, paper)


def test_each_hand_is_drawn_once_and_says_of_how_many(
    own_games: list[Game], rows: pd.DataFrame
) -> None:
    """A drawn row stands for every decision that faced the hand; counted again, plainly."""
    faced: Counter[tuple[object, ...]] = Counter()
    for game in own_games:
        for table, index, discard in decisions(game):
            for other in table.view(discard.seat).opponents:
                tenpai = calculate_shanten(table.round_state.hands[other.seat]) == 0
                if (tenpai or other.in_riichi) and not other.was_away:
                    faced[game.id, index, other.seat, opponent_type(other), len(other.melds)] += 1
    told = {
        (row.game, row.round, row.opponent, row.read_as, row.sets): row.times
        for row in rows.itertuples()
    }
    assert told == dict(faced)
    assert set(rows["read_as"]) >= {"riichi", "closed", "1 meld", "2 melds"}


def test_a_row_is_what_the_seat_saw(
    own_games: list[Game], rows: pd.DataFrame, paper: houjuu.Estimator
) -> None:
    wanted = {tuple(key) for key in rows[[*schema.names(schema.KEY), "opponent"]].to_numpy()}
    found = 0
    told = rows.set_index([*schema.names(schema.KEY), "opponent"])
    for game in own_games[:1]:
        for table, index, discard in decisions(game):
            view = table.view(discard.seat)
            for case in opponent_contexts(view, view.opponents):
                key = game.id, index, view.seat, len(view.seats[view.seat].river), case.seat.seat
                if key in wanted:
                    found += 1
                    row = told.loc[[key]]
                    assert (
                        wait_models.wait_feature_matrix(row) == wait_features.extract(case)
                    ).all()
                    assert paper.deal_in(view).by_opponent.shape == (3, KINDS)
    assert found == (rows["game"] == own_games[0].id).sum()


def test_some_classes_alone(own_games: list[Game], paper: houjuu.Estimator) -> None:
    found = wait_rows.rows(own_games[:1], paper, {"riichi"})
    assert set(found["read_as"]) == {"riichi"}
    assert not wait_models.prior_win(found).any()


def test_winning_kinds_are_those_of_the_waits(rows: pd.DataFrame) -> None:
    """Of the kinds that a closed hand wins on, all but 国士無双 are won on by its waits."""
    closed = rows[rows["read_as"].isin({"riichi", "closed"})]
    opponent_contexts = wait_models.wait_samples(closed, 0.5)
    won = opponent_contexts.target[:, :WAITS] > 0
    by_waits = np.zeros((len(closed), KINDS), dtype=bool)
    np.logical_or.at(by_waits.T, WIN_KIND, won[:, WIN_WAIT].T)
    kinds = wait_models.win_flags(closed)
    assert (by_waits | ~kinds).mean() > 0.999
    assert opponent_contexts.target.sum(axis=1) == pytest.approx(np.ones(len(closed)))
    assert not (opponent_contexts.target > 0)[~opponent_contexts.possible].any()


def test_shares_by_hand() -> None:
    """A three-sided wait is two waits that win on one kind between them: 1-4 and 4-7."""
    won = np.zeros((1, WAITS), dtype=bool)
    won[0, [ryanmen(0, 0), ryanmen(0, 3)]] = True
    kinds = np.zeros((1, KINDS), dtype=bool)
    kinds[0, [0, 3, 6]] = True
    shares = wait_models._shares(won, kinds, np.ones(1))
    parts = won / 2
    expected = np.zeros(KINDS)
    np.add.at(expected, WIN_KIND, parts[0, WIN_WAIT] * shares)
    assert expected[[0, 3, 6]] == pytest.approx([1, 1, 1])


@pytest.mark.parametrize("classes", [{"riichi"}, {"closed"}])
def test_a_fit_says_in_the_mean_what_happens(rows: pd.DataFrame, classes: set[str]) -> None:
    of = rows[rows["read_as"].isin(classes)]
    model = wait_models.WaitLogit(penalty=0.1, evening=0.0).fit(of).model()
    read = wait_models.wait_feature_matrix(of)
    measured = wait_models.win_flags(of)
    assert model.kinds(read).sum() == pytest.approx(measured.sum(), rel=0.2)
    assert not model.kinds(read)[wait_features.per_kind(read, "genbutsu") != 0].any()
    predicted, happened, asked = wait_models.evaluated_kinds(model, of)
    predicted, happened = predicted[asked], happened[asked]
    flat = np.full(len(happened), happened.mean())
    assert loss(predicted, happened) < loss(flat, happened)


def test_melded_hands(rows: pd.DataFrame) -> None:
    of = rows[rows["sets"].gt(0) & ~rows["read_as"].isin({"riichi", "closed"})]
    model = wait_models.MeldedWaitLogit(penalty=0.1, evening=0.0).fit(of).model()
    predicted, happened, asked = wait_models.evaluated_kinds(model, of)
    predicted, happened = predicted[asked], happened[asked]
    assert predicted.mean() == pytest.approx(happened.mean(), rel=0.2)
    flat = np.full(len(happened), happened.mean())
    assert loss(predicted, happened) < loss(flat, happened)


@pytest.fixture(scope="module")
def rons(own_games: list[Game], paper: houjuu.Estimator) -> pd.DataFrame:
    return ron_score_rows.rows(own_games, paper)


def test_wins_are_those_of_the_log(own_games: list[Game], rons: pd.DataFrame) -> None:
    expected = []
    for game in own_games:
        table, index = Table(game.rules), -1
        for event in game:
            index += isinstance(event, Deal)
            if isinstance(event, Win) and event.source != event.seat:
                expected.append((game.id, index, event.seat, event.tile // 4, han_of(event)))
            table.apply(event)
    names = ["game", "round", "opponent", "tile", "han"]
    assert list(rons[names].itertuples(index=False, name=None)) == expected
    closed = rons[rons["read_as"].isin({"riichi", "closed"})]
    model = wait_models.HanLogit().fit(closed).model()
    scores = model.scores(wait_models.wait_feature_matrix(closed)[0])
    assert scores.sum(axis=(1, 2)) == pytest.approx(np.ones(KINDS))


def test_han_of_melded_hands(rons: pd.DataFrame) -> None:
    """What the hands say of han is a distribution, and the fit is nearer to what happens."""
    melded = rons[~rons["read_as"].isin({"riichi", "closed"})]
    shapes = melded[schema.names(schema.RON_SCORES, "shapes_han")].to_numpy(dtype=np.float64)
    assert len(melded) > 10
    assert shapes.sum(axis=1) == pytest.approx(np.ones(len(melded)))
    opponent_contexts = wait_models.han_samples(melded, shapes)
    model = wait_models.MeldedHanLogit(penalty=1.0).fit(melded).model()
    fitted = ConditionalLogit(han_model.MELDED_TERMS, model.weights)
    plain = ConditionalLogit(han_model.MELDED_TERMS, np.zeros(han_model.MELDED_TERMS.size))
    asked = opponent_contexts.evidence, opponent_contexts.offset, opponent_contexts.possible
    near, far = (
        (opponent_contexts.target * choice.read(*asked)).sum(axis=1) for choice in (fitted, plain)
    )
    assert -np.log(near).mean() < -np.log(far).mean()


def han_of(win: Win) -> int:
    if win.yakuman:
        return YAKUMAN_HAN
    return sum(han_model for _, han in win.yaku) - (win.tile in RED_FIVES)


def loss(p: np.ndarray, happened: np.ndarray) -> float:
    return float(-np.log(np.where(happened, p, 1 - p)).mean())
