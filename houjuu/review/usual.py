"""The usual figures of players of Tenhou's phoenix room: see `benchmarks.usual_habits`.

A figure is its mean, half of its 95% interval, and the number of its rounds, discards or decisions.
A class of mistake or a habit that is newer than the file has no usual figure.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from houjuu.review.deciding import MISTAKES
from houjuu.review.page_types import MistakeClass, UsualDecisions, UsualMistakes

PHOENIX_FILE = "phoenix.json"


def usual(*, hanchan: bool) -> Mapping[str, list[Any]]:
    """The figures by key (`houjuu.review.site.habits`), of hanchan or of East-only games."""
    section = _phoenix()["hanchan" if hanchan else "east_only"]
    figures: Mapping[str, list[Any]] = section["figures"]
    return figures


def quantiles(*, hanchan: bool) -> Mapping[str, list[float]]:
    """The quantiles of a figure over players, from 0 to 1 in equal steps, by key."""
    of_players: Mapping[str, list[float]] = _phoenix()["hanchan" if hanchan else "east_only"][
        "players"
    ]["quantiles"]
    return of_players


def usual_decisions(*, hanchan: bool) -> UsualDecisions:
    """The usual agreement with the best decision, the value lost, and the mistakes."""
    figures = usual(hanchan=hanchan)
    of_games = _phoenix()["hanchan" if hanchan else "east_only"]["lost_quantiles"]
    agrees, lost = (float(figures[f"choices.all.{name}"][0]) for name in ("agrees", "lost"))
    mistakes: dict[MistakeClass, UsualMistakes] = {
        name: {
            "share": float(figures[f"mistakes.{name}.share"][0]),
            "lost": float(figures[f"mistakes.{name}.lost"][0]),
        }
        for name in MISTAKES
        if f"mistakes.{name}.lost" in figures
    }
    return {"agrees": agrees, "lost": lost, "quantiles": of_games, "mistakes": mistakes}


def usual_player() -> str:
    """The player by whose values the decisions of phoenix players are measured."""
    return str(_phoenix()["player"])


@cache
def _phoenix() -> dict[str, Any]:
    file = resources.files(__package__) / PHOENIX_FILE
    content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return content
