"""The report of the models of "rank": every text in every language, and all of the figures."""

from __future__ import annotations

import json
import re

import pandas as pd
import pytest

from houjuu.util import parameters
from houjuu.util.languages import LANGUAGES
from models.metrics import round_end_metrics
from pipeline import figures, paths
from pipeline.stages import player_report
from tests.pipeline.page_texts import other_text, texts, unused_keys
from tests.pipeline.repository import ROOT

REAL_RUN = ROOT / paths.REAL_RUN
NAMES = ("round_ends", "final_ranks", "preferences")


@pytest.fixture(scope="module")
def page() -> str:
    """The report of the models that ship, with the committed metrics."""
    accepted = pd.DataFrame({"validate": [True, False, True]})
    files = [ROOT / f"houjuu/fitted/player/{name}.npz" for name in NAMES]
    headers = [dict(parameters.read(file).header) for file in files]
    ends, ranks, choices = (json.loads((REAL_RUN / f"{name}.json").read_text()) for name in NAMES)
    east_only = {**ranks["log_loss"]["hanchan: extra rounds"]}
    ranks["log_loss"]["East-only: 1 rounds left"] = east_only
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(player_report, "accepted_games", lambda: accepted)
        return player_report.page(headers, ends, ranks, choices)


def test_every_text_is_in_every_language(page: str) -> None:
    used = {language: texts(page, language) for language in LANGUAGES}
    assert len({len(keys) for keys in used.values()}) == 1
    assert "流局時の自分の聴牌" in used["ja"]
    assert "面对立直" in used["zh"]
    assert not unused_keys(page, "player")


def test_all_other_text_is_names_and_numbers(page: str) -> None:
    body, _, _ = page.partition("<b>round-ends</b>")
    words = re.findall(r"[A-Za-z]{3,}", other_text(body))
    assert not words


def test_games_are_those_of_the_fits_and_the_held_out(page: str) -> None:
    shown = "\n".join(texts(page, "en"))
    assert re.search(r"Model round-ends, fitted on .*: 6,000 games", shown)
    assert re.search(r"Model preferences, fitted on .*: 500 games", shown)
    assert re.search(r"Model final-ranks, fitted on .*: 25,878 games", shown)
    assert "The rows are of 2 held-out games" in shown


def test_there_is_a_figure_of_every_event(page: str) -> None:
    assert page.count("<svg") == len(round_end_metrics.CALIBRATED) + 2


def test_a_prediction_outside_its_interval_is_coloured(page: str) -> None:
    lines = [line for name in NAMES for line in calibration(name)]
    outside = [line for line in lines if not line["low"] <= line["predicted"] <= line["high"]]
    assert page.count('<tr class="outside">') == len(outside) > 0


def calibration(name: str) -> list[dict[str, float]]:
    lines: list[dict[str, float]] = json.loads((REAL_RUN / f"{name}.json").read_text())[
        "calibration"
    ]
    return lines


def test_a_group_with_enough_games_has_a_panel() -> None:
    line = {"rows": 40, "predicted": 0.1, "measured": 0.15, "low": 0.1, "high": 0.2, "bin": 1}
    lines = [
        {**line, "games": games, "shanten": shanten}
        for games, shanten in ((figures.LEAST_GAMES, 0), (figures.LEAST_GAMES - 1, 1))
    ]
    figure = figures.by_shanten(pd.DataFrame(lines), [0.0, 0.05, 0.2, 1.0])
    curves = [axes for axes in figure.axes if axes.get_ylabel() == "measured"]
    drawn = [curve.lines[1].get_ydata().tolist() for curve in curves]  # type: ignore[union-attr]
    assert [curve.get_title() for curve in curves] == [figures.SHANTEN[0]]
    assert drawn == [[0.15]]
