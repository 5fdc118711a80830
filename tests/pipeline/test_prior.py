"""When a fit has a prior, which, and which model the report recommends."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from houjuu.estimators import seen_games
from houjuu.estimators.loading import DEFAULT_MODEL, EVALUATED_MODEL
from houjuu.util import parameters
from houjuu.util.errors import ParameterError
from houjuu.util.parameters import Parameters
from pipeline import log_tasks, paths, prior
from pipeline.settings import PriorSettings
from pipeline.stages import choose

LIMITS = PriorSettings(DEFAULT_MODEL, 3)
SEEN = "2024041200gm-00a9-0000-4e21a8c7"
"""A game of the last fit that the evaluated one has not seen."""


def name_of(
    monkeypatch: pytest.MonkeyPatch, *held_out: str, fitted: int = 2, logs: bool = True
) -> str | None:
    games = pd.DataFrame({"game": [*held_out, *(f"g{n}" for n in range(fitted))]})
    games["validate"] = np.arange(len(games)) < len(held_out)
    monkeypatch.setattr(log_tasks, "has_logs", lambda: logs)
    chosen = prior.chosen(LIMITS, games)
    return None if chosen is None else chosen[0]


def test_few_real_games_have_a_prior(monkeypatch: pytest.MonkeyPatch) -> None:
    assert name_of(monkeypatch, "h") == DEFAULT_MODEL
    assert name_of(monkeypatch, "h", fitted=3) is None
    assert name_of(monkeypatch, "h", logs=False) is None
    assert prior.listing().startswith(DEFAULT_MODEL)
    monkeypatch.setenv(prior.VARIABLE, "houjuu-additive")
    assert name_of(monkeypatch, "h", fitted=3, logs=False) == "houjuu-additive"
    monkeypatch.setenv(prior.VARIABLE, prior.NONE)
    assert name_of(monkeypatch, "h") is None
    assert prior.listing() == "none\n"


def test_a_prior_has_not_seen_the_held_out_games(monkeypatch: pytest.MonkeyPatch) -> None:
    assert seen_games.are_seen([SEEN], DEFAULT_MODEL).all()
    assert name_of(monkeypatch, SEEN) == EVALUATED_MODEL
    monkeypatch.setenv(prior.VARIABLE, "houjuu-additive")
    with pytest.raises(ParameterError, match="has seen every held-out game"):
        name_of(monkeypatch, SEEN)
    assert name_of(monkeypatch) == "houjuu-additive"  # none is held out, so it has seen none
    monkeypatch.setenv(prior.VARIABLE, "kurita-hoki-2017")
    with pytest.raises(ParameterError, match="cannot be a prior"):
        name_of(monkeypatch, "h")


@pytest.mark.parametrize(
    ("own", "adapted", "expected"),
    [(0.2, 0.1, "prior"), (0.1, 0.2, "own"), (0.45, 0.45, "shipped"), (0.3, 0.3, "shipped")],
)
def test_a_model_that_is_certainly_better_is_recommended(
    own: float, adapted: float, expected: str
) -> None:
    """Rows of 40 games where nobody deals in; the shipped model predicts .3."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"game": np.repeat([f"g{n}" for n in range(40)], 10), "label": False})
    noise = 0.01 * rng.random(400)
    table = table.assign(
        opponent_type="riichi", shipped=0.3, own=own + noise, prior=adapted + noise
    )
    with_line = choose.compared(table.assign(line=0.4), choose.TENPAI_ROW)
    lines = [*with_line, *choose.compared(table)]
    assert [line["row"] for line in lines] == ["tenpai", "all", "riichi"]
    assert lines[0]["own"]["difference"] == pytest.approx(
        -np.log1p(-table["own"]).mean() + np.log(0.7)
    )
    assert lines[0]["line"]["difference"] == pytest.approx(np.log(0.7 / 0.6))
    assert "line" not in lines[1]
    assert choose.best(lines) == expected
    assert choose.best(lines[:1]) is None
    without = table.drop(columns="prior")
    assert "prior" not in choose.compared(without)[0]


def test_self_played_games_without_a_prior_leave_nothing_to_choose(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stage writes it down; with logs, or with a prior, it goes on to the games."""
    header: dict[str, object] = {}
    monkeypatch.setattr(parameters, "read", lambda _: Parameters(header, {}))
    choose.main()
    choice = json.loads((workspace / paths.CHOICE).read_text())
    assert choice == {"games": 0, "seen": 0, "use": None, "lines": [], "why": "self-played"}
    header["prior"] = {"model": DEFAULT_MODEL}
    with pytest.raises(FileNotFoundError, match=r"games\.parquet"):
        choose.main()
    header.clear()
    (workspace / "data/logs/a.xml").touch()
    with pytest.raises(FileNotFoundError, match=r"games\.parquet"):
        choose.main()
