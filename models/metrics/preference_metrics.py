"""Agreement with strong players on held-out games, by kind of decision and by phase."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from houjuu.intervals import clustered_mean
from houjuu.player.action_value.preference_terms import CALLS, OWN_KANS, TERMS
from houjuu.player.action_value.preferences import PreferenceModel
from models.preferences import decisions, probabilities


def evaluate(model: PreferenceModel, rows: pd.DataFrame) -> dict[str, Any]:
    """Log loss of the choices, and how often the most valuable action is the chosen one.

    Parameters
    ----------
    model : PreferenceModel
    rows : DataFrame
        `features.action_rows.ACTIONS` of held-out games.

    Returns
    -------
    dict
        ``log_loss`` (nats a decision), ``log_loss_values`` (with the values alone) and
        ``agreement``: by kind of decision and phase the decisions, the share that agrees, half of
        its 95% interval, and the share with the values alone.
    """
    arrays, frame = decisions(rows), _decisions(rows)
    alone = np.where([name.startswith("value") for name in TERMS], model.weights, 0.0)
    index = np.arange(len(frame))
    found = {"": probabilities(model.weights, arrays), "_values": probabilities(alone, arrays)}
    result: dict[str, Any] = {}
    for suffix, odds in found.items():
        losses = -np.log(np.maximum(odds[index, arrays["chosen"]], 1e-6))
        result[f"log_loss{suffix}"] = float(losses.mean())
        frame[f"same{suffix}"] = odds.argmax(axis=1) == arrays["chosen"]
    groups = frame.groupby(["kind", "phase"], observed=True)
    result["agreement"] = [
        {"kind": str(kind), "phase": str(phase), **_agreement(group)}
        for (kind, phase), group in groups
    ]
    return result


def _agreement(group: pd.DataFrame) -> dict[str, float]:
    games = pd.factorize(group["game"])[0].tolist()
    mean, half = clustered_mean(group["same"].astype(float).tolist(), games)
    return {
        "decisions": len(group),
        "same": mean,
        "half_interval": half,
        "same_values": float(group["same_values"].mean()),
    }


def _decisions(rows: pd.DataFrame) -> pd.DataFrame:
    """A row for each decision: its game, kind and phase."""
    groups = rows.groupby(["game", "decision"], observed=True, sort=False)
    frame = groups["facing_riichi"].first().reset_index()
    frame["kind"] = [_kind(set(map(str, types))) for _, types in groups["type"]]
    frame["phase"] = np.where(frame["facing_riichi"], "facing a riichi", "no riichi")
    return frame


def _kind(types: set[str]) -> str:
    if types & {"RON", "TSUMO"}:
        return "win or pass"
    if types & set(CALLS):
        return "call or pass"
    if "RIICHI" in types:
        return "riichi or not"
    return "kan or not" if types & set(OWN_KANS) else "discard"
