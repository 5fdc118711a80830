"""The report in every language: one page, which shows the chosen one."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mlflow
import numpy as np
import pandas as pd
import pytest

from features.schema.opponents import OPPONENT_TYPES
from features.schema.predictions import SAFETY_CLASSES, SCORES
from houjuu.game.rules import ROOMS
from houjuu.util import parameters
from houjuu.util.languages import LANGUAGES, NAMES, translate
from models.metrics.calibration import PARTS as PARTS_OF_LOSS
from models.metrics.edges import PAIRS, PARTS
from models.metrics.evaluation import PAPER_EDGES, WINNERS, score_metrics
from models.metrics.hidden_hand_metrics import FAR
from pipeline import figures, mlflow_run, paths, settings
from pipeline.stages import report
from tests.kit.browsers import chromium
from tests.pipeline.page_texts import other_text, texts, unused_keys
from tests.pipeline.repository import ROOT

MODEL = "houjuu"
FIGURES = [
    "table_2",
    "table_3",
    "table_3_without_dora",
    *(f"{measure}_{grouping}" for measure, grouping, _ in report.DETAILS),
]
FIGURES += [f"deal_in_to_{name.replace(' ', '_')}" for name in figures.TYPES]
POINTS = ("mean", "mean_expected", "mean_absolute_error", "mean_absolute_error_base")
MEASURED: dict[str, Any] = {
    "games": 30,
    "rows": 40,
    "predicted": 0.1,
    "measured": 0.1,
    "low": 0.1,
    "high": 0.1,
}
SCORES_OF = {"log_loss": 0.1234, "difference": -0.02, "half_width": 0.01}
NO_CHOICE: dict[str, object] = {
    "games": 0,
    "seen": 0,
    "use": None,
    "lines": [],
    "why": "self-played",
}
CHOICE = {
    "games": 30,
    "seen": 1234,
    "use": "prior",
    "lines": [
        {"row": row, "rows": 40, **line, "own": SCORES_OF, "prior": SCORES_OF, "shipped": SCORES_OF}
        for row, line in (("tenpai", {"line": SCORES_OF}), ("all", {}), ("2 melds", {}))
    ],
}
KEYS = {
    "by_bin": "bin",
    "by_turn": "turn",
    "by_tiles_left": "tiles_left",
    "by_tile": "safety_class",
}


def tables() -> report.Tables:
    made = {}
    for measure, grouping, _ in report.DETAILS:
        by = {"n_open_melds": 1} if measure == "tenpai" else {"opponent_type": "2 melds"}
        values = SAFETY_CLASSES if grouping == "by_tile" else [0, 1]
        lines = [by | {KEYS[grouping]: value} | MEASURED for value in values]
        made[f"{measure}_{grouping}"] = pd.DataFrame(lines)
    table_2 = [
        {"bin": n, "share": 0.2, "paper": 0.3} | MEASURED for n in range(len(PAPER_EDGES) - 1)
    ]
    table_3 = [{"likely": n, "real": n, "share": 0.2, "paper": 0.3} | MEASURED for n in (4, 0)]
    made["table_2"] = made["table_2_of_all"] = pd.DataFrame(table_2)
    made["table_3"] = made["table_3_without_dora"] = pd.DataFrame(table_3)
    points = dict.fromkeys(POINTS, 4000.0)
    made["points"] = pd.DataFrame([{"opponent_type": "all", "rows": 40, **points}])
    slope = {"slope": 0.9, "slope_half": 0.05, "intercept": 0.0, "intercept_half": 0.1}
    unknown = dict.fromkeys(slope, np.nan)
    made["tenpai_edges"] = pd.DataFrame(
        [
            {"group": group, "part": "all"} | MEASURED | line
            for group, line in (("all", slope), ("2", unknown), (PAIRS, slope))
        ]
    )
    made["deal_in_edges"] = pd.DataFrame(
        [
            {"group": group, "part": part} | MEASURED | slope
            for group in ("all", *OPPONENT_TYPES)
            for part in PARTS
        ]
    )
    rooms = [*ROOMS.values(), "unknown"]
    for measure, tasks in (("tenpai", "T"), ("deal_in", "RDA")):
        lines = [
            {"group": room, "part": task, "log_loss": 0.12} for room in rooms for task in tasks
        ]
        made[f"{measure}_by_room"] = pd.DataFrame([line | MEASURED | slope for line in lines])
    made["scores"] = pd.DataFrame(
        [
            {"winner": winner, "safety_class": safety_class, "points": least} | MEASURED
            for winner in WINNERS
            for safety_class in ("all", *SAFETY_CLASSES)
            for least in SCORES
        ]
    )
    return made


@pytest.fixture
def page(page_of: Callable[..., str]) -> str:
    """The report of the shipped model."""
    return page_of("Tenhou logs")


@pytest.fixture
def page_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """The report with empty figures and made-up tables, by the source of the games."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(report, "accepted_games", lambda: pd.DataFrame({"validate": [True]}))
    monkeypatch.setattr(paths, "REJECTS", tmp_path / "rejects.csv")
    (tmp_path / "rejects.csv").write_text("file,reason\na,b\n")
    header = dict(parameters.read(ROOT / f"houjuu/fitted/{MODEL}.npz").header)
    unseen = json.loads((ROOT / paths.REAL_RUN / "unseen_tiles.json").read_text())
    header["metrics"] = header["metrics"] | unseen["scores"]["all"]
    metrics = json.loads((ROOT / paths.REAL_RUN / MODEL / paths.METRICS).read_text())
    line = {"rows": 40, "slope": 1.02, "intercept": -0.03}
    metrics |= {"deal_in_line": line, "tenpai_line": line | {"slope": None}}
    parts = {"log_loss": 0.2} | dict.fromkeys(PARTS_OF_LOSS, 0.004)
    halves: dict[str, float | None] = {f"{name}_half": None for name in PARTS_OF_LOSS}
    halves["miscalibration_half"] = 0.0002
    metrics |= {"deal_in_parts": {"all": parts | halves}, "tenpai_parts": {"2": parts | halves}}
    metrics["within_hand"] = {"all": {"hands": 7, "auc": 0.768, "half_interval": None}}
    drawn = dict.fromkeys(FIGURES, "<svg></svg>")
    hands = json.loads((ROOT / paths.REAL_RUN / "hands.json").read_text())
    line = {"rows": 400, "predicted": 0.1, "measured": 0.13, "half_width": 0.05}
    groups = [*(f"{shanten}-shanten" for shanten in range(FAR + 1)), "5%–10%"]
    hands["all"]["calibration"] = [{"group": group} | line for group in groups]
    hands["all"]["calibration"][-1]["measured"] = 0.16
    hands["all"]["calibration"][0]["half_width"] = None
    hands["an excluded type"] = {"hands": 0, "log_likelihood": None}

    def of_source(source: str, *without: str) -> str:
        fitted_on = header["fitted_on"] | {"source": source}
        shown = header | {"fitted_on": fitted_on}
        those_drawn = {name: svg for name, svg in drawn.items() if name not in without}
        params = settings.load().evaluate
        is_real = source == "Tenhou logs"
        return report.page(
            shown,
            metrics,
            tables(),
            those_drawn,
            params,
            choice=CHOICE if is_real else NO_CHOICE,
            hands={"fitted_on": {"hand_games": 450}, "metrics": hands} if is_real else None,
        )

    return of_source


def test_every_text_is_in_every_language(page: str) -> None:
    used = {language: texts(page, language) for language in LANGUAGES}
    assert len({len(keys) for keys in used.values()}) == 1
    assert "95% interval" in used["en"]
    assert "聴牌率" in used["ja"]
    assert "放铳率" in used["zh"]


def test_a_slope_whose_interval_excludes_1_is_marked(page: str) -> None:
    assert '<td class="outside">0.900<td>± 0.050' in page
    assert "<td>–<td>\n" in page  # too few rows


def test_the_share_of_miscalibration_is_a_sentence(page: str) -> None:
    assert "2.00% ± 0.10% of the log loss is miscalibration" in page
    assert "<td>7<td>0.7680<td>–" in page


def test_whole_hands(page: str, page_of: Callable[..., str]) -> None:
    """The scores of each type, and a calibration outside its interval; else the reason."""
    hands = json.loads((ROOT / paths.REAL_RUN / "hands.json").read_text())
    assert len(hands) > 5
    for scores in hands.values():
        gain = scores["over"]["counting"]
        shown = f"<td>{scores['hands']:,}<td>{scores['log_likelihood']:.2f}<td>{gain['gain']:+.4f}"
        assert f"{shown} ± {gain['half_width']:.4f}".replace("-", "−") in page
    assert "450 games were fitted to" in page
    (outside,) = re.findall('<tr class="outside"><td>(.*) 5%–10%', page)
    assert "a tile completes it" in outside
    assert "<td>400<td>10.00%<td>13.00%<td>± 5.00%" in page
    assert page.count("<td>10.00%<td>13.00%<td>± –") == 1
    assert "the stage train_hands has not run" not in page
    absent = page_of("self-play of houjuu's own bots")
    assert "There are no figures: the stage train_hands has not run" in absent


def test_whole_hands_are_those_of_the_same_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "hands.npz"
    monkeypatch.setattr(paths, "HAND_MODEL", str(file))
    header = dict(parameters.read(ROOT / "houjuu/fitted/hands/hidden_hands.npz").header)
    assert report.whole_hands(header) is None
    file.write_bytes((ROOT / "houjuu/fitted/hands/hidden_hands.npz").read_bytes())
    assert report.whole_hands(header) == header
    assert report.whole_hands({"fitted_on": {"hash": "of other games"}}) is None


def test_no_panel_is_empty_and_no_interval_without_an_event_sets_the_scale() -> None:
    lines = [MEASURED | {"bin": n, "opponent_type": "closed"} for n in (0, 1)]
    lines[1] |= {"measured": 0.0, "low": 0.0, "high": 0.9}
    ends = {name: [0, 1] for name in ("predicted", "measured", "low", "high")}
    curves = pd.DataFrame({"opponent_type": "closed", **ends})
    figure = figures.deal_in_by_bin(pd.DataFrame(lines), [0.0, 0.1, 1.0], curves=curves)
    curve, counts = figure.axes
    assert len(curve.collections) == 2  # the bars of the intervals, and the band
    few = curves[:0].astype(object)  # a file of too few events
    assert figures.deal_in_by_bin(pd.DataFrame(lines), [0.0, 0.1, 1.0], curves=few).axes
    assert curve.get_title() == "closed"
    assert curve.get_ylim()[1] == pytest.approx(1.05 * 0.1)
    assert "isotonic regression, 95%" in curve.get_legend_handles_labels()[1]
    assert len(counts.patches) == 2
    assert not figures.deal_in_by_turn(pd.DataFrame([{"games": 1, "opponent_type": "x"}])).axes


def test_table_3_without_dora_is_left_out_where_no_model_predicts_it(
    page: str, page_of: Callable[..., str]
) -> None:
    title = translate("en", "pipeline.pages").messages["report.table_3_without_dora"]
    assert title in page
    assert title not in page_of("Tenhou logs", "table_3_without_dora")


def test_every_key_is_used(page: str) -> None:
    """The page contains each message, but one of two about the compared model."""
    others = {"report.own_games", "report.use.own", "report.use.shipped", "report.no_choice"}
    others |= {"report.one_candidate", "report.no_whole_hands"}
    unused = unused_keys(page, "report") - others
    assert len(unused) == 1
    assert unused <= {"report.same_model", "report.other_model"}


def test_the_first_screen_is_dealing_in(page: str) -> None:
    """The order: what was fitted to what, dealing in, tenpai, points, the paper, other programs.

    The unseen tiles stand behind the points.
    """
    keys = ["fitted_on", "line", "choice", "deal_ins", "tenpai", "points", "unseen", "whole_hands"]
    keys += ["paper", "more", "peers"]
    texts_of = translate("en", "pipeline.pages").messages
    places = [page.index(f"{texts_of[f'report.{key}'].partition('{')[0]}") for key in keys[:1]]
    places += [page.index(f'<h2><span lang="en">{texts_of[f"report.{key}"]}<') for key in keys[2:]]
    assert places == sorted(places)
    assert "slope 1.020, intercept −0.030" in page
    assert "0.1234<br>−0.0200 ± 0.0100" in page
    assert "left out: 1,234" in page
    assert "Bots of this project" not in page


def test_a_report_of_own_games_warns_first(page_of: Callable[..., str]) -> None:
    page = page_of("self-play of houjuu's own bots")
    assert page.index("they show nothing about people") < page.index("Model houjuu, fitted on")
    assert "there is nothing to choose" in page


def test_the_last_line_says_what_was_learnt() -> None:
    scores = {"rows": 1234, "log_loss": 0.02518, "log_loss_base": 0.0411}
    metrics = {"deal_in": {"all": scores}, "deal_in_line": {"slope": 0.9094}}
    assert report.learnt(metrics) == (
        "dealing in on 1,234 held-out rows: slope 0.909 (1 is calibrated), log loss 0.0252, that "
        "of the constant 0.0411"
    )


def test_scores_stand_in_lines_of_a_winner_and_a_class(page: str) -> None:
    """The open table has the margins; one more for each type of winner has its classes."""
    (head, *lines) = report.score_lines(tables()["scores"])
    assert (head["winner"], head["safety_class"], len(head["cells"])) == ("all", "all", 3)
    assert len(lines) == len(WINNERS) * (1 + len(SAFETY_CLASSES)) - 1
    assert "3,900 points or more" in page
    assert page.count("12,000 points or more") == len(WINNERS)


TIMES = {"train_waits@riichi_han": (1000.0, 1002.5), "train": (5000.0, 5001.0)}


def test_mlflow_accepts_the_names_of_all_metrics(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A comma, as in the name of a safety class, is refused there."""
    monkeypatch.chdir(tmp_path)
    metrics = {"scores": score_metrics(tables()["scores"]), "points": {"rows": 3, "mean": None}}
    digest = hashlib.sha256().hexdigest()
    fitted_on = {"source": "Tenhou logs", "games": 1200, "hash": digest}
    header = {"model": MODEL, "fitted_on": fitted_on, "commit": "x"}
    with mlflow_run.run(header, {}, mlflow_run.tracked(metrics) | {"loss": [3.0, 2.0]}, (), TIMES):
        active = mlflow.active_run()
    assert active is not None
    inputs = mlflow.get_run(active.info.run_id).inputs
    assert inputs is not None
    (dataset,) = inputs.dataset_inputs
    assert dataset.dataset.name == "1,200 games, Tenhou logs"
    assert digest.startswith(dataset.dataset.digest)
    stored = mlflow.get_run(active.info.run_id).data.metrics
    assert len(stored) == len(WINNERS) * len(SCORES) * len(MEASURED) + 2 + len(TIMES)
    history = mlflow.MlflowClient().get_metric_history(active.info.run_id, "loss")
    assert [(metric.step, metric.value) for metric in history] == [(0, 3.0), (1, 2.0)]
    assert stored["seconds.train_waits.riichi_han"] == 2.5
    info = mlflow.get_run(active.info.run_id).info
    assert (info.end_time, info.end_time - info.start_time) == (5_001_000, 3_500)
    assert info.status == "FINISHED"
    assert stored["scores.riichi.8000.measured"] == MEASURED["measured"]
    with mlflow_run.run(header, {}, {"loss": [9.0], "edges": {"all": 0.5}}, (), TIMES):
        again = mlflow.active_run()
    assert again is not None
    assert again.info.run_id == active.info.run_id
    assert mlflow.get_run(again.info.run_id).data.metrics == stored | {"edges.all": 0.5}


def test_all_other_text_is_names_and_numbers(page: str) -> None:
    """Names of programs and models, and rows of the comparison; behind it are parameters."""
    body, _, _ = page.partition('<p><span lang="en">Commit')
    peers = json.loads((ROOT / paths.PEERS).read_text())[MODEL]["lines"]
    names = " ".join(line[key] for line in peers for key in ("row", "peer"))
    words = re.compile(r"[A-Za-z]{3,}")
    assert set(words.findall(other_text(body))) <= {MODEL, *words.findall(names)}


@pytest.mark.deep
def test_the_chosen_language_is_shown(page: str, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(page, encoding="utf-8")
    with chromium() as browser:
        opened = browser.new_page()
        opened.goto(file.as_uri())
        for language, name in NAMES.items():
            opened.click(f"text={name}")
            title = translate(language, "pipeline.pages")("report.title")
            assert opened.inner_text("h1") == title
            assert opened.locator("label:visible").count() == len(NAMES)
