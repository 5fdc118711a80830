"""The usual figures of players of Tenhou's phoenix room: see `benchmarks.usual_habits`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any

from houjuu.review.site.game_record import GameRecord
from houjuu.review.site.habits import Figure, Figures

PHOENIX_FILE = "phoenix.json"


def usual_figures(records: Sequence[GameRecord]) -> Figures:
    """The usual figures for the length of most of the games, hanchan or East-only."""
    return _figures(hanchan=2 * sum(record.hanchan for record in records) >= len(records))


def usual_decisions(*, hanchan: bool) -> dict[str, float]:
    """The usual share of decisions that ``agrees`` with the best one, and the value ``lost``."""
    usual = _figures(hanchan=hanchan)
    return {measure: usual[f"choices.all.{measure}"].mean for measure in ("agrees", "lost")}


def usual_player() -> str:
    """The player by whose values the decisions of phoenix players are measured."""
    return str(_phoenix()["player"])


def _figures(*, hanchan: bool) -> Figures:
    section = _phoenix()["hanchan" if hanchan else "east_only"]
    return {key: Figure(*values) for key, values in section["figures"].items()}


@cache
def _phoenix() -> dict[str, Any]:
    file = resources.files(__package__) / PHOENIX_FILE
    content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return content
