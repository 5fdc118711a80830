"""Evaluation of the model of final ranks on held-out games.

The baseline knows the phase of the game and the present rank of a seat: it predicts how often that
rank became each final rank in the games that were fitted to.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from features.final_rank_rows import ranks, round_starts
from houjuu.game import game_end
from houjuu.game.events import SEATS
from houjuu.player.values.final_ranks import PHASES, FinalRankModel, phases
from houjuu.util.arrays import Floats, Ints
from models.fitting.shards import Shards, sums
from models.metrics import calibration

EDGES = [0.0, 0.05, *(tenth / 10 for tenth in range(1, 10)), 0.95, 1.0]
"""Edges of the bins of the predicted probability."""


def rates(shards: Shards) -> Floats:
    """P(final rank | phase, present rank), (phases, 4, 4), from counts, each plus one."""
    (counts,) = sums(shards.map(_counts))
    counts = counts + 1.0
    return np.asarray(counts / counts.sum(axis=2, keepdims=True))


def evaluate(model: FinalRankModel, rates: Floats, rows: pd.DataFrame) -> dict[str, Any]:
    """Log loss by phase, and the calibration of each rank.

    Parameters
    ----------
    model : FinalRankModel
    rates : (phases, 4, 4) array
        `rates` of the games that were fitted to.
    rows : DataFrame
        `features.final_rank_rows.FINAL_RANKS` of held-out games.

    Returns
    -------
    dict
        ``log_loss`` by phase and of all: rows (seats), log_loss and log_loss_base (nats a seat),
        the difference and half of its 95% interval. ``calibration``: a line for each rank, 1–4, and
        bin of the prediction.
    """
    at_start = round_starts(rows)
    true = ranks(rows)
    phase = phases(at_start.hanchan, at_start.round)
    predicted = model.predict(at_start)
    base = rates[phase[:, None], game_end.ranks(at_start.scores)]
    losses = -np.log(_of_true(predicted, true))
    base_losses = -np.log(_of_true(base, true))
    games = rows["game"].to_numpy()
    groups = {"all": np.ones(len(rows), bool)}
    groups |= {name: phase == index for index, name in enumerate(PHASES)}
    scores = {}
    for name, mask in groups.items():
        if mask.any():
            scores[name] = calibration.compared(losses[mask], base_losses[mask], games[mask])
    return {"log_loss": scores, "calibration": _calibration(predicted, true, games)}


def _counts(rows: pd.DataFrame) -> tuple[Floats]:
    at_start = round_starts(rows)
    true = ranks(rows)
    counts = np.zeros((len(PHASES), SEATS, SEATS))
    phase = np.repeat(phases(at_start.hanchan, at_start.round), SEATS)
    present = game_end.ranks(at_start.scores).ravel()
    np.add.at(counts, (phase, present, true.ravel()), 1.0)
    return (counts,)


def _of_true(table: Floats, true: Ints) -> Floats:
    """The probability of the true rank of each seat, (n, 4)."""
    of_rank = np.take_along_axis(table, true[:, :, None], axis=2)
    return np.asarray(of_rank[:, :, 0])


def _calibration(predicted: Floats, true: Ints, games: Any) -> list[dict[str, Any]]:
    n_seats = SEATS * len(predicted)
    is_true = true[:, :, None] == np.arange(SEATS)
    rows = pd.DataFrame(
        {
            "game": np.repeat(games, SEATS * SEATS),
            "rank": np.tile(np.arange(1, SEATS + 1), n_seats),
            "predicted": predicted.ravel(),
            "bin": calibration.bins(predicted.ravel(), EDGES),
            "label": is_true.ravel(),
        }
    )
    table = calibration.calibration(rows, ["rank", "bin"])
    return calibration.records(table)
