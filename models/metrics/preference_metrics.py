"""Agreement with strong players on held-out games, by kind of decision and by phase.

P(call) and P(kan) are also measured: how often the players do so, how often the model expects it,
and how often it is the likeliest action.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from houjuu.game.actions import CALLS, OWN_KANS, WINS
from houjuu.player.preference.preferences import PreferenceModel
from houjuu.util.arrays import Bools, Floats
from houjuu.util.intervals import clustered_mean
from models.metrics import calibration
from models.player.preferences import Choices, best, decisions, log_odds, logits

EDGES = [0.0, 0.02, 0.05, *(tenth / 10 for tenth in range(1, 10)), 0.95, 1.0]
"""Edges of the bins of P(action)."""

ALL = "all"
"""The phase of all decisions of a kind."""

_LEAST = math.log(1e-6)
_RARE = {"call": CALLS, "kan": OWN_KANS}


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
        ``agreement``: by kind of decision and phase, and of all phases, the decisions, the share
        that agrees, half of its 95% interval, and the share with the values alone. ``actions``: of
        calls and kans the decisions that offer one, the share that takes it, half of its 95%
        interval, the mean P(action), and the share where it is the likeliest. ``calibration``: a
        line for each of them and bin of P(action).
    """
    choices = decisions(rows)
    frame = _decisions(rows)
    result: dict[str, Any] = {}
    starts = choices.starts
    taken = starts + choices.chosen
    odds, by_values = (log_odds(one, starts) for one in logits(model, choices))
    for suffix, action_odds in {"": odds, "_values": by_values}.items():
        chosen = np.maximum(action_odds[taken], _LEAST)
        result[f"log_loss{suffix}"] = -float(chosen.mean())
        frame[f"same{suffix}"] = best(action_odds, starts) == taken
    phases = pd.concat([frame, frame.assign(phase=ALL)])
    groups = phases.groupby(["kind", "phase"], observed=True)
    result["agreement"] = [
        {"kind": str(kind), "phase": str(phase), **_agreement(group)}
        for (kind, phase), group in groups
    ]
    offered = {name: rows["type"].isin(types).to_numpy() for name, types in _RARE.items()}
    rare = [_taken(name, actions, odds, choices, rows) for name, actions in offered.items()]
    result["actions"] = [_shares(offers) for offers in rare if len(offers)]
    table = calibration.calibration(pd.concat(rare), ["action", "bin"])
    result["calibration"] = calibration.records(table)
    return result


def _taken(
    name: str, offered: Bools, odds: Floats, choices: Choices, rows: pd.DataFrame
) -> pd.DataFrame:
    """A row for each decision that offers an action of some: P(action), and its label."""
    starts = choices.starts
    predicted = np.add.reduceat(np.exp(odds) * offered, starts)
    frame = pd.DataFrame(
        {
            "game": rows["game"].to_numpy()[starts],
            "action": name,
            "bin": calibration.bins(predicted, EDGES),
            "predicted": predicted,
            "label": offered[starts + choices.chosen],
            "likeliest": offered[best(odds, starts)],
        }
    )
    return frame[np.logical_or.reduceat(offered, starts)]


def _shares(offers: pd.DataFrame) -> dict[str, Any]:
    games = pd.factorize(offers["game"])[0].tolist()
    mean, half = clustered_mean(offers["label"].astype(float).tolist(), games)
    return {
        "action": str(offers["action"].iloc[0]),
        "decisions": len(offers),
        "taken": mean,
        "half_interval": half,
        "expected": float(offers["predicted"].mean()),
        "likeliest": float(offers["likeliest"].mean()),
    }


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
    frame = groups[["facing_riichi", "last_round"]].first().reset_index()
    all_types = (set(map(str, types)) for _, types in groups["type"])
    frame["kind"] = [_kind(types) for types in all_types]
    late = np.where(frame["last_round"], "no riichi, last round", "no riichi")
    frame["phase"] = np.where(frame["facing_riichi"], "facing a riichi", late)
    return frame


def _kind(types: set[str]) -> str:
    if types & set(WINS):
        return "win or pass"
    if types & set(CALLS):
        return "call or pass"
    return "kan or not" if types & set(OWN_KANS) else "discard"
