"""A live seat: whole games in every dialect, rounds that end in any way, gaps, refusals."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest

pytest.importorskip("riichienv", reason="it plays the games")

import houjuu
from houjuu.errors import LogError, ThreePlayerError
from houjuu.live import Live, OutOfStepWarning
from houjuu.logs import mjai
from tests.live_truth import differences, views_before_actions
from tests.mjai_dialects import DIALECTS, akagi, as_text, batches, hanchan, mjai_manue, riichienv

GAMES = 8  # unit: hanchan
ESTIMATOR = houjuu.load()


def views_of(live: Live, stream: list[dict[str, Any]], seat: int, text: bool) -> list[houjuu.View]:
    """The views before own actions, as the stream is heard."""
    views = []
    for batch in batches(stream, seat):
        live.hear(as_text(batch) if text else batch)
        assert live.in_step, live.problem
        if live.decision == "discard":
            views.append(live.view)
    return views


@pytest.mark.slow
@pytest.mark.parametrize("name", [*DIALECTS, "mjai_app"])
def test_whole_masked_games_in_every_dialect(name: str) -> None:
    """Live stays in step to the end, and its views and risks are those of the full log."""
    dialect = DIALECTS.get(name, riichienv)
    compared = 0
    for seed in range(GAMES):
        log, streams = hanchan(seed)
        for seat in range(4):
            live = Live(seat, ESTIMATOR)
            views = views_of(live, dialect(streams[seat], seat), seat, text=name == "mjai_app")
            truths = views_before_actions(log, seat)
            assert len(views) == len(truths)
            for view, truth in zip(views, truths, strict=True):
                assert not differences(view, truth)
            for view, truth in [*zip(views, truths, strict=True)][seed::60]:
                compare_risks(view, truth)
                compared += 1
    assert compared > 50


def compare_risks(view: houjuu.View, truth: houjuu.View) -> None:
    ours, theirs = ESTIMATOR.deal_in(view), ESTIMATOR.deal_in(truth)
    assert np.array_equal(ours.tenpai, theirs.tenpai)
    assert np.array_equal(ours.by_opponent, theirs.by_opponent)
    assert np.array_equal(ours.points, theirs.points)
