"""An exported estimator as a registered model of MLflow."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import houjuu
from houjuu.game.events import Game
from houjuu.logs import mjai, mjai_writer
from models import pyfunc
from pipeline.stages import report
from tests.kit.files import FITTED

SHIPPED = FITTED / "houjuu.npz"


def test_it_predicts_as_the_estimator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own_games: list[Game]
) -> None:
    import mlflow

    monkeypatch.chdir(tmp_path)
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/mlflow.db")
    mlflow.set_experiment("test")
    rows = pd.concat([report.model_input(game) for game in own_games[:3]], ignore_index=True)
    with mlflow.start_run():
        pyfunc.log(SHIPPED, "houjuu", rows)
    model = mlflow.pyfunc.load_model("models:/houjuu/1")
    assert model.metadata.signature == pyfunc.SIGNATURE
    pd.testing.assert_frame_equal(model.input_example, rows)
    predicted, estimator = model.predict(rows), houjuu.load()
    assert len(predicted) == len(rows) == 3
    for row, prediction in zip(rows.itertuples(), predicted.itertuples(), strict=True):
        table = houjuu.Table()
        for event in mjai.events(str(row.events).splitlines()):
            table.apply(event)
        risk = estimator.deal_in(table.view(seat=int(str(row.seat))))
        for name in ("tenpai", "by_opponent", "any", "points"):
            assert np.array_equal(getattr(prediction, name), getattr(risk, name)), name


def test_the_example_is_a_decision_after_a_riichi(own_games: list[Game]) -> None:
    assert own_games
    for game in own_games:
        (row,) = report.model_input(game).itertuples()
        lines = str(row.events).splitlines()
        types = [message["type"] for message in mjai_writer.messages(game)][: len(lines)]
        assert types[-1] == "tsumo"
        assert "reach" in types
        assert types[types.index("reach") :].count("tsumo") == 1
