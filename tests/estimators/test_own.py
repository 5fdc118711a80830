"""A model of somebody else: three lines over a shipped one, by name wherever a model is named."""

from __future__ import annotations

import csv
import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier

import houjuu
from features import tenpai_rows
from houjuu.cli import main
from houjuu.estimators import DEFAULT_MODEL, WithTenpai, WithWins, shipped_models
from houjuu.estimators.loading import identity, load_once
from houjuu.estimators.seen_games import are_seen
from houjuu.estimators.testing import check
from houjuu.estimators.with_own import COLUMNS, Columns, columns_of, positions
from houjuu.game.events import Game
from houjuu.logs import mjlog
from houjuu.reading import OpponentType
from houjuu.review.rendering import check as check_names
from houjuu.util.arrays import Floats

THREE_LINES = """
import houjuu, joblib, pathlib
from houjuu.estimators import WithTenpai
Mine = WithTenpai(houjuu.load(), joblib.load(pathlib.Path(__file__).with_name("trees.joblib")))
def Wrong(): return 1 / 0
"""
ONE_HAND = ["--hand", "123m067p1199s555z4p", "--dora", "3p"]


def by_melds(columns: Columns) -> Floats:
    return columns["n_open_melds"] / 5


@pytest.fixture(scope="module")
def trees(own_games: list[Game]) -> HistGradientBoostingClassifier:
    rows = tenpai_rows.rows(own_games[:2])
    trees = HistGradientBoostingClassifier(max_iter=20, random_state=0)
    return trees.fit(rows[[*COLUMNS]], rows["tenpai"])


@pytest.fixture(scope="module")
def mine(trees: HistGradientBoostingClassifier, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of the model."""
    folder = tmp_path_factory.mktemp("mine")
    joblib.dump(trees, folder / "trees.joblib")
    (folder / "own_trees.py").write_text(THREE_LINES)
    return f"{folder / 'own_trees.py'}:Mine"


@pytest.mark.parametrize("model", shipped_models())
def test_the_models_that_ship_keep_the_contract(model: str) -> None:
    check(houjuu.load(model))


def test_three_lines_over_scikit_learn(mine: str, trees: HistGradientBoostingClassifier) -> None:
    estimator, shipped = houjuu.load(mine), houjuu.load()
    assert deepcopy(load_once(mine)).model == estimator.model
    check(estimator)
    types = set[str]()
    for view in positions():
        columns = np.column_stack([columns_of([view])[name] for name in COLUMNS])
        expected = trees.predict_proba(pd.DataFrame(columns, columns=COLUMNS))[:, 1]
        for i, seat in enumerate(view.opponents):
            certain = seat.in_riichi or len(seat.melds) > 3
            assert estimator.tenpai(view)[i] == (1 if certain else pytest.approx(expected[i]))
            types.add(OpponentType.from_seat(seat))
        ours, theirs = estimator.deal_in(view), shipped.deal_in(view)
        ratio = np.divide(ours.tenpai, theirs.tenpai)[:, None]
        is_closed = np.array([not seat.melds for seat in view.opponents])
        expected = (theirs.by_opponent * ratio)[is_closed]
        assert ours.by_opponent[is_closed] == pytest.approx(expected)
    assert types == {*OpponentType}


def test_a_model_of_wins() -> None:
    base = houjuu.load()
    mine = WithWins(base, lambda view: np.full((3, 34), 0.03))
    check(mine)
    check(WithWins(WithTenpai(base, by_melds), mine._predict))
    for view in positions():
        risk, tenpai = mine.deal_in(view), base.tenpai(view)
        for i, seat in enumerate(view.opponents):
            safe = view.genbutsu(seat.seat)
            assert risk.by_opponent[i] == pytest.approx(np.where(safe, 0, 0.03 * tenpai[i]))


def test_the_name_and_the_games_of_a_model(mine: str, tmp_path: Path) -> None:
    name = houjuu.load(mine).model
    assert name == load_once(mine).model == f"Mine@{identity(mine)[:8]}"
    (file := tmp_path / "other.py").write_text("import houjuu\nMine = houjuu.load()")
    other = f"{file}:Mine"
    assert identity(other) != identity(mine)
    before = identity(other)
    file.write_text(file.read_text() + "  # changed")
    assert identity(other) != before
    assert load_once(other).model == f"Mine@{identity(other)[:8]}"
    game = "2023062023gm-00e1-0000-b22ca256"
    assert are_seen([game, "a"], other).tolist() == are_seen([game, "a"], DEFAULT_MODEL).tolist()
    first = WithTenpai(houjuu.load(), by_melds, "a")
    assert first.model != WithTenpai(houjuu.load(), lambda c: by_melds(c) / 2).model
    assert len(first.seen) == len(houjuu.load().seen) + 1  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("own", "says"),
    [
        ("Nobody", "has no attribute 'Nobody'"),
        ("Wrong", "ZeroDivisionError"),
        ("joblib", "has no tenpai.*, no deal_in.*WithTenpai"),
    ],
)
def test_what_a_model_lacks_is_said_at_the_start(
    own: str, says: str, mine: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["danger", *ONE_HAND, "--model", mine.replace("Mine", own)]) == 2
    assert capsys.readouterr().err.startswith("houjuu: model ")
    with pytest.raises(houjuu.Error, match=says):
        houjuu.load(mine.replace("Mine", own))


@pytest.mark.parametrize(
    ("predict", "says"),
    [
        (lambda columns: columns["turn"], "KeyError: 'turn'"),
        (lambda columns: 2 + columns["n_open_melds"], "from 0 to 1"),
        (lambda columns: np.zeros(7), r"shape \(7,\)"),
        (HistGradientBoostingClassifier().fit([[0], [1]], [0, 1]), "1 columns without names"),
    ],
)
def test_a_wrong_prediction_is_refused_at_the_start(predict: Any, says: str) -> None:
    with pytest.raises(houjuu.Error, match=says):
        WithTenpai(houjuu.load(), predict)


@pytest.mark.parametrize("name", ["tenpai", "deal_in", "deal_in_many", "tenpai_of_rows", "unseen"])
def test_the_contract_notices_a_wrong_answer(name: str) -> None:
    estimator, paper = houjuu.load(), houjuu.load("kurita-hoki-2017")
    other = paper if name == "unseen" else WithTenpai(paper, by_melds)
    setattr(estimator, name, getattr(other, name))
    with pytest.raises(AssertionError, match=name):
        check(estimator)


def test_doors(
    mine: str, own_games: list[Game], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = houjuu.load(mine).model
    assert main(["danger", *ONE_HAND, "--json", "--model", mine]) == 0
    assert json.loads(capsys.readouterr().out)["model"] == name
    log, output = tmp_path / "game.mjlog", tmp_path / "risks.csv"
    log.write_bytes(mjlog.write(own_games[0]))
    assert main(["risks", str(log), "-o", str(output), "--model", mine, "--jobs", "1"]) == 0
    assert {row["model"] for row in csv.DictReader(output.open())} == {name}
    words = ["arena", str(tmp_path / "match"), f"estimator:model={mine}", "v1", "v1", "v1"]
    assert main([*words, "--deals", "1", "--jobs", "1"]) == 0
    assert f"{mine}: {name}\n" in capsys.readouterr().out
    assert main(["adapt", str(log), "-o", str(output), "--model", mine]) == 2
    assert "this needs a parameter file" in capsys.readouterr().err


def test_a_client_names_no_model(mine: str) -> None:
    """The server has chosen its model: the name of a player cannot run the code of another."""
    with pytest.raises(houjuu.Error, match="names another model"):
        check_names("rank:model=nowhere:Mine", "houjuu")
