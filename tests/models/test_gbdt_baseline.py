"""The yardstick: what trees are told, that they fit, and that they say the same everywhere."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from houjuu.hands.hand_cache import HandCache

import houjuu
from benchmarks.gbdt_baseline import Yardstick
from features import tenpai_rows as rows_of
from features import wait_rows
from features.prediction_rows import opponent_type
from features.replay import decisions
from features.tenpai_rows import feature_matrix
from houjuu.errors import Error
from houjuu.events import Game
from houjuu.reading import wait_features
from houjuu.reading.opponent import opponent_contexts
from houjuu.tiles import KINDS, parse_kind
from models import wait_models
from models.gbdt_baseline import TenpaiTrees, WinTrees, gbdt_features
from models.metrics import calibration, evaluation
from models.metrics.eval_tasks import TASKS, rows_of_task, task_of, win_metrics
from tests.positions import view_of

FEW: dict[str, Any] = {"max_iter": 20, "min_samples_leaf": 5}
Trees = dict[str, TenpaiTrees | WinTrees]


@pytest.fixture(scope="module")
def hands(own_games: list[Game]) -> pd.DataFrame:
    return wait_rows.rows(own_games, houjuu.load("kurita-hoki-2017"))


@pytest.fixture(scope="module")
def signs(own_games: list[Game]) -> pd.DataFrame:
    return rows_of.rows(own_games)


@pytest.fixture(scope="module")
def trees(hands: pd.DataFrame, signs: pd.DataFrame) -> Trees:
    wins: Trees = {q: WinTrees(FEW).fit(rows_of_task(hands, q)) for q in TASKS[1:]}
    return {"tenpai": TenpaiTrees(FEW, every=2).fit(signs), **wins}


def test_tenpai_beats_its_rate(signs: pd.DataFrame, trees: Trees) -> None:
    of = trees["tenpai"]
    assert isinstance(of, TenpaiTrees)
    said = of.read(signs["melds"].to_numpy(), feature_matrix(signs))
    scores = evaluation.tenpai_metrics(signs.assign(predicted=said), of.rates_)
    assert scores["all"]["rate"] == of.rates_["all"]
    assert scores["all"]["log_loss"] < 0.8 * scores["all"]["log_loss_base"]
    assert said.mean() == pytest.approx(signs["tenpai"].mean(), rel=0.1)  # as if all were taken
    assert scores["all"]["rows"] == len(signs)


@pytest.mark.parametrize("question", TASKS[1:])
def test_wins_beat_their_rate(hands: pd.DataFrame, trees: Trees, question: str) -> None:
    of, rows = trees[question], rows_of_task(hands, question)
    assert isinstance(of, WinTrees)
    said, asked = of.kinds_of(rows), wait_models.evaluated_mask(rows)
    assert not said[~asked].any()
    assert ((said[asked] > 0) & (said[asked] < 1)).all()
    for name, scores in win_metrics(rows, question, of.kinds_of).items():
        assert task_of(name) == question
        assert scores["log_loss"] < scores["log_loss_base"]


def test_scores_are_those_of_the_kinds_asked(hands: pd.DataFrame) -> None:
    """The same that the rows give one by one, genbutsu and kinds not in the hand left out."""
    rows = hands[hands["read_as"] == "riichi"]
    won, safe = (
        wait_models.win_flags(rows),
        wait_features.per_kind(wait_models.wait_feature_matrix(rows), "genbutsu") != 0,
    )
    asked = wait_models.in_hand(rows) & ~safe
    flat = np.full(asked.sum(), 0.1)
    scores = win_metrics(rows, "riichi", lambda of: np.full((len(of), KINDS), 0.1))
    rate = float(won[asked].mean())
    assert scores == {"riichi": calibration.metrics(flat, won[asked], rate)}


def test_fitting_twice_gives_the_same_bytes(hands: pd.DataFrame) -> None:
    rows = rows_of_task(hands, "closed")
    one, other = (pickle.dumps(WinTrees(FEW).fit(rows)) for _ in range(2))
    assert pickle.dumps(pickle.loads(one)) == pickle.dumps(pickle.loads(other))


def test_one_outcome_alone_is_refused(signs: pd.DataFrame) -> None:
    with pytest.raises(Error, match=r"TenpaiTrees: its \d+ rows have one outcome alone"):
        TenpaiTrees(FEW).fit(signs[~signs["tenpai"]])


def told_of_kind(river: str, kind: str) -> list[float]:
    (case,) = opponent_contexts(view := view_of("", river), [view.seats[1]])
    asked = np.zeros((1, KINDS), bool)
    asked[0, parse_kind(kind)] = True
    told: list[float] = gbdt_features(
        wait_features.extract(case)[None], np.zeros((1, KINDS)), asked
    )[0].tolist()
    return told


def test_a_kind_is_told_from_its_side_of_the_suit() -> None:
    told = told_of_kind("1z 4m 9m 2p'", "1m")
    assert told == told_of_kind("1z 6s 1s 8m'", "9s")
    assert told != told_of_kind("1z 4m 9m 2p'", "9m")
    assert told != told_of_kind("1z 3m 9m 2p'", "1m")
    assert len(told) == len(told_of_kind("1z 4m 9m 2p'", "7z"))


def test_the_bench_asks_what_was_fitted(
    own_games: list[Game], hands: pd.DataFrame, trees: Trees
) -> None:
    """Positions taken down one by one give the numbers of the rows."""
    estimator = houjuu.load("kurita-hoki-2017")
    yardstick = Yardstick(trees, estimator)
    found: dict[tuple[int, ...], list[tuple[int, str]]] = {}
    for game in own_games[:1]:
        kept = [HandCache() for _ in range(4)]
        for table, index, discard in decisions(game):
            view = table.view(discard.seat)
            yardstick.look(view, kept[discard.seat])
            key = index, discard.seat, len(view.seats[discard.seat].river)
            found[key] = [(seat.seat, opponent_type(seat)) for seat in view.opponents]
    tenpai, wins = yardstick.tenpai(), yardstick.wins()
    assert tenpai.shape == (len(found), 3)
    assert ((tenpai >= 0) & (tenpai <= 1)).all()
    for place, opponents in enumerate(found.values()):
        assert [p == 1 for p in tenpai[place]] == [of == "riichi" for _, of in opponents]
    places = {key: place for place, key in enumerate(found)}
    rows = hands[hands["game"] == own_games[0].id]
    for question in TASKS[1:]:
        some, of = rows_of_task(rows, question), trees[question]
        assert isinstance(of, WinTrees)
        keys = some[["round", "seat", "discard", "opponent"]].to_numpy().tolist()
        for said, (*decision, opponent) in zip(of.kinds_of(some), keys, strict=True):
            place = places[tuple(decision)]
            seats = [seat for seat, _ in found[tuple(decision)]]
            assert wins[place, seats.index(opponent)] == pytest.approx(said)
