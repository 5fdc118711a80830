"""The report of several models: by hand, in every language, and by the command."""

from __future__ import annotations

import base64
import re
import zipfile
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import houjuu
from houjuu.arena import risk_table
from houjuu.cli import main
from houjuu.estimators import WithTenpai
from houjuu.game.events import Game
from houjuu.logs import mjlog
from houjuu.util.csv_text import csv_text
from houjuu.util.errors import Error
from houjuu.util.languages import LANGUAGES, translate
from models.metrics.model_comparison import comparison
from pipeline import model_report, risk_tables
from pipeline.risk_tables import RiskTable
from tests.pipeline.page_texts import other_text, texts, unused_keys


@pytest.fixture(scope="module")
def files(own_games: list[Game], tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The tables of two models of two games."""
    shipped = houjuu.load()
    folder = tmp_path_factory.mktemp("tables")
    half = WithTenpai(shipped, lambda columns: 0.5 * shipped.tenpai_of_rows(columns))
    found = []
    for name, estimator in (("shipped", shipped), ("half", half)):
        rows = [row for game in own_games[:2] for row in risk_table.rows(game, estimator)]
        found.append(folder / f"{name}.csv")
        found[-1].write_text(csv_text([risk_table.names(), *rows]))
    return found


@pytest.fixture(scope="module")
def tables(files: list[Path]) -> list[RiskTable]:
    return [*map(risk_tables.read, files)]


def losses(predicted: Sequence[float], label: Sequence[bool]) -> np.ndarray:
    clipped = np.clip(predicted, 1e-6, 1 - 1e-6)
    return -np.log(np.where(label, clipped, 1 - clipped))


def test_the_lines_are_those_of_the_rows(tables: list[RiskTable]) -> None:
    """In any order of the rows; those that one table lacks are left out."""
    first, second = tables
    shuffled = RiskTable(second.file, second.rows[300:].sample(frac=1, random_state=1))
    tenpai, deal_in, (one, other) = model_report._rows([first, shuffled])
    expected = sum(len(_kinds(hand)) for hand in first.rows["hand"][300:])
    assert len(deal_in) == expected
    assert deal_in["label"].sum() > 10
    assert (tenpai["n_open_melds"] < 4).all()
    assert 0.3 < len(tenpai) / (first.rows[300:]["opponent_type"] != "riichi").sum() < 0.37
    assert tenpai[other].to_numpy() == pytest.approx(tenpai[one] / 2, abs=1e-5)
    (line, *by_type) = comparison(deal_in, [one, other], one)
    label = deal_in["label"].tolist()
    difference = losses(deal_in[other].tolist(), label) - losses(deal_in[one].tolist(), label)
    assert line[other]["difference"] == pytest.approx(difference.mean())
    assert line[other]["half_width"] > 0
    assert "difference" not in line[one]
    assert sum(part["rows"] for part in by_type) == line["rows"] == len(deal_in)


def _kinds(text: str) -> set[str]:
    """The kinds of "1m05p2z", a red five as a plain one."""
    suits = re.findall(r"(\d+)([mpsz])", text)
    return {(digit + suit).replace("0", "5") for digits, suit in suits for digit in digits}


def test_the_page(tables: list[RiskTable]) -> None:
    names = [table.rows["model"].iloc[0] for table in tables]
    page = model_report.page(tables)
    assert unused_keys(page, "comparison") == set()
    for language in LANGUAGES:
        assert translate(language, "pipeline.pages")("comparison.title") in texts(page, language)
    words = {*re.findall("[A-Za-z]{3,}", other_text(page))}
    assert words <= {*re.findall("[A-Za-z]{3,}", " ".join(names))}
    assert page.count("<svg") == 2 * len(tables) + 2
    assert "isotonic" in page
    assert "all opponents" in page
    ((archive,),) = [re.findall(r"application/zip;base64,([^\"]+)", page)]
    with zipfile.ZipFile(BytesIO(base64.b64decode(archive))) as contents:
        found = contents.namelist()
        lines = pd.read_csv(contents.open("models.csv"))
    assert lines["row"].tolist()[:2] == ["tenpai", "all"]
    for name in names:
        assert {f"{name}/deal_in_by_bin.svg", f"{name}/tenpai_curve.csv"} <= {*found}


def test_what_cannot_be_compared_is_refused(tables: list[RiskTable]) -> None:
    first, second = tables
    other = RiskTable("other", second.rows.assign(game=second.rows["game"] + "x"))
    with pytest.raises(Error, match="no row is in all tables"):
        model_report.page([first, other])
    with pytest.raises(Error, match="no table has the hand and the truth"):
        model_report.page([RiskTable("bare", first.rows.assign(hand=""))])
    with pytest.raises(Error, match="column 1m: is empty"):
        model_report.page([first, RiskTable("few", second.rows.assign(**{"1m": np.nan}))])


def test_the_command(
    files: list[Path],
    own_games: list[Game],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In any folder, of a log and a table of another model of the same game."""
    monkeypatch.chdir(tmp_path)
    log = f"{own_games[0].id}.mjlog"
    Path(log).write_bytes(mjlog.write(own_games[0]))
    (tmp_path / "mine.py").write_text("import houjuu\nMine = houjuu.load()\n")
    words = ["report", log, str(files[1]), "--model", "mine.py:Mine", "--jobs", "1"]
    assert main([*words, "-o", "own.html"]) == 0
    assert capsys.readouterr().out == "own.html: open it in a browser\n"
    page = Path("own.html").read_text()
    assert "Mine@" in page
    assert "<lambda>@" not in page  # escaped
    assert "lambda" in page
    assert {path.name for path in tmp_path.glob("*.*")} == {"own.html", log, "mine.py"}
