"""A model family is a package: the rest of the project needs no change to use a new one."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

import houjuu
from features import prediction_rows, tenpai_rows
from features.schema.predictions import PREDICTIONS, RONS
from features.schema.tenpai import TENPAI
from houjuu import estimators
from houjuu.estimators import loading
from houjuu.game.events import Discard, Game
from houjuu.game.table import Table
from houjuu.util import parameters
from houjuu.util.errors import ParameterError
from houjuu.util.parameters import Parameters
from models.metrics import evaluation
from pipeline import mlflow_run, paths
from pipeline.game_shards import write_shard
from pipeline.stages import evaluate

ROOT = Path(__file__).parents[2]

TOY = '''
"""P(tenpai) by the number of open melds, and one P(deals in) for all kinds."""

import numpy as np

from houjuu.risk.opponent_risk import OpponentRisk
from houjuu.estimators.per_opponent import PerOpponentModel
from houjuu.estimators.protocol import TenpaiPrediction
from houjuu.hands.points import CODES, score_code
from houjuu.game.tiles import KINDS


class Model(PerOpponentModel):
    tenpai_table = "tenpai"

    def __init__(self, parameters):
        super().__init__(parameters)
        self.rates = parameters.part("toy")["rates"]
        self.p_win = float(parameters.part("toy")["p_win"])

    def tenpai_of_rows(self, columns):
        return self.rates[np.asarray(columns["n_open_melds"])]

    def _predict_tenpai(self, contexts):
        tenpai = self.rates[[context.seat.n_open_melds for context in contexts]]
        colour = np.full((len(contexts), 4), 0.25)
        return TenpaiPrediction(tenpai, colour, colour * tenpai[:, None])

    def _opponent_risks(self, contexts, prediction, caches):
        risks = []
        for i, context in enumerate(contexts):
            scores = np.zeros((KINDS, CODES))
            scores[~context.genbutsu, score_code(1, 30)] = prediction.tenpai[i] * self.p_win
            tenpai, colour = float(prediction.tenpai[i]), prediction.colour[i]
            risks.append(OpponentRisk.from_context(context, tenpai, colour, scores))
        return risks
'''
RATES = np.array([0.1, 0.3, 0.6, 0.8, 1.0])
P_WIN = 0.05


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A parameter file of the family "toy", whose package lies in a folder of its own."""
    package = tmp_path / "families" / "toy"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(TOY)
    path = [*estimators.__path__, str(package.parent)]
    monkeypatch.setattr(estimators, "__path__", path)
    monkeypatch.setitem(sys.modules, "houjuu.estimators.toy", None)  # removed after the test
    del sys.modules["houjuu.estimators.toy"]
    header = {
        "model": "my-toy",
        "family": "toy",
        "base_rates": {"tenpai": {"all": 0.2, "0": 0.1, "1": 0.3, "2": 0.6, "3": 0.8}},
    }
    arrays = {"toy/rates": RATES, "toy/p_win": np.array(P_WIN)}
    parameters.write(tmp_path / "toy.npz", Parameters(header, arrays))
    return tmp_path / "toy.npz"


def test_a_package_is_a_family(toy: Path, own_games: list[Game]) -> None:
    assert loading.families() == ("kurita_hoki", "log_linear", "toy")
    estimator = houjuu.load(toy)
    assert estimator.model.startswith("my-toy@")
    table, compared = Table(own_games[0].rules), 0
    for event in own_games[0]:
        if isinstance(event, Discard):
            view = table.view(event.seat)
            risk = estimator.deal_in(view)
            for i, opponent in enumerate(view.opponents):
                rate = 1.0 if opponent.in_riichi else RATES[opponent.n_open_melds]
                safe = view.genbutsu(opponent.seat)
                assert estimator.tenpai(view)[i] == risk.tenpai[i] == rate
                assert risk.by_opponent[i] == pytest.approx(np.where(safe, 0.0, P_WIN * rate))
                compared += 1
        table.apply(event)
    assert compared > 300


def test_the_pipeline_evaluates_it(
    toy: Path, own_games: list[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(toy.parent)
    monkeypatch.setitem(paths.MODELS, "toy", str(toy))
    monkeypatch.setattr(mlflow_run, "of_model", lambda *_: nullcontext())
    games = own_games[:2]
    table = pd.DataFrame({"game": [game.id for game in games], "validate": True, "room": "bots"})
    table.pipe(_write, paths.GAMES)
    rows = tenpai_rows.rows(games)
    ((predictions, rons),) = prediction_rows.rows(games, [houjuu.load(toy)])
    for table, columns, folder in (
        (rows, TENPAI, paths.TENPAI_ROWS),
        (predictions, PREDICTIONS, paths.result_path("toy", paths.PREDICTIONS)),
        (rons, RONS, paths.result_path("toy", paths.RONS)),
    ):
        write_shard(Path(folder, paths.HELD_OUT, "000000.parquet"), table, columns)
    (toy.parent / "params.yaml").write_text((ROOT / "params.yaml").read_text())

    evaluate.main("toy")

    metrics = yaml.safe_load(paths.result_path("toy", paths.METRICS).read_text())
    predicted = RATES[rows["n_open_melds"].to_numpy()]
    expected = evaluation.tenpai_metrics(
        rows.assign(predicted=predicted), houjuu.load(toy).header["base_rates"]["tenpai"]
    )
    assert metrics["tenpai"]["all"]["log_loss"] == pytest.approx(expected["all"]["log_loss"])
    assert metrics["deal_in"]["all"]["rows"] == len(predictions) > 1000
    folder = paths.result_path("toy", paths.TABLES)
    assert pd.read_csv(folder / "tenpai_by_bin.csv")["rows"].sum() == len(rows)
    assert pd.read_csv(folder / "deal_in_by_bin.csv")["rows"].sum() == len(predictions)
    by_room = pd.read_csv(folder / "deal_in_by_room.csv")
    assert by_room["part"].tolist() == ["R", "D", "A"]
    assert by_room["rows"][1:].tolist() == [len(predictions), predictions["was_discarded"].sum()]


def _write(table: pd.DataFrame, path: str | Path) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    table.to_parquet(path)


def test_an_unknown_family_is_refused(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimators, "__path__", estimators.__path__[:-1])
    with pytest.raises(ParameterError) as problem:
        houjuu.load(toy)
    assert str(problem.value) == (
        "has the model family 'toy'; this houjuu has kurita_hoki, log_linear"
    )
