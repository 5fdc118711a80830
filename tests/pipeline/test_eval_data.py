"""The rows of the prediction tasks."""

from __future__ import annotations

import pandas as pd
import pytest

from features import schema
from houjuu.util.errors import Error
from models.metrics.eval_tasks import TASKS
from pipeline import eval_data, paths
from tests.pipeline.repository import ROOT

GAMES = dict.fromkeys(TASKS, 2)
TENPAI = pd.DataFrame({"game": ["a", "b"]})
WAITS = pd.DataFrame({"opponent_type": ["riichi", "closed", "2 melds"], "game": ["a", "a", "b"]})


def _give(monkeypatch: pytest.MonkeyPatch, held_out_waits: pd.DataFrame) -> None:
    def read_rows(
        path: str, columns: tuple[schema.Column, ...], *, held_out: bool, games: int = 0
    ) -> pd.DataFrame:
        if path == paths.TENPAI_ROWS:
            return TENPAI
        return held_out_waits if held_out else WAITS

    monkeypatch.setattr(eval_data, "read_rows", read_rows)
    monkeypatch.setattr(eval_data, "with_prior_win", lambda paper, rows: rows)
    monkeypatch.setattr(eval_data, "PAPER_MODEL", ROOT / "houjuu/fitted/kurita-hoki-2017.npz")


def test_every_task_has_the_rows_of_its_opponents(monkeypatch: pytest.MonkeyPatch) -> None:
    _give(monkeypatch, WAITS)
    tasks = list(eval_data.task_rows(GAMES))
    assert [task.task for task in tasks] == list(TASKS)
    assert sum(len(task.held_out) for task in tasks[1:]) == len(WAITS)


def test_a_task_without_rows_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    _give(monkeypatch, WAITS[WAITS["opponent_type"] != "closed"])
    with pytest.raises(Error, match="the held-out games have no row of the task"):
        list(eval_data.task_rows(GAMES))


def test_some_tasks_in_their_own_order(monkeypatch: pytest.MonkeyPatch) -> None:
    _give(monkeypatch, WAITS)
    tasks = list(eval_data.task_rows({"melded": 2, "tenpai": 2}))
    assert [task.task for task in tasks] == ["tenpai", "melded"]


def test_an_unknown_task_is_named_beside_the_known_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    _give(monkeypatch, WAITS)
    expected = r"^params\.yaml: no task 'meld'; the tasks are tenpai, riichi, closed, melded$"
    with pytest.raises(Error, match=expected):
        list(eval_data.task_rows({"meld": 2}))
