"""The scores of the prediction tasks."""

from __future__ import annotations

import numpy as np
import pandas as pd

from houjuu.game.tiles import KINDS
from houjuu.reading import wait_features
from models.houjuu import wait_models
from models.metrics import calibration
from models.metrics.eval_tasks import win_metrics


def test_win_metrics_are_those_of_the_evaluated_kinds(wait_rows: pd.DataFrame) -> None:
    """Genbutsu, and kinds that are not in the hand, are left out."""
    rows = wait_rows[wait_rows["opponent_type"] == "riichi"]
    genbutsu = wait_features.per_kind(wait_models.wait_feature_matrix(rows), "genbutsu") != 0
    in_hand = rows["hand_kinds_mask"].to_numpy()[:, None] >> np.arange(KINDS) & 1 == 1
    label = wait_models.win_flags(rows)[in_hand & ~genbutsu]
    metrics = win_metrics(rows, "riichi", lambda hands: np.full((len(hands), KINDS), 0.1))
    expected = calibration.metrics(np.full(len(label), 0.1), label, float(label.mean()))
    assert metrics == {"riichi": expected}
