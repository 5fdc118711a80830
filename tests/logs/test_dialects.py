"""Games in all formats and dialects: read, checked, and equal to their mjlog."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.dialects import DIALECTS, results
from houjuu.game.events import Game
from houjuu.logs import mjlog
from tests import real

WITHOUT_URA = ("mjai", "akochan's logs")
"""It has no ura indicators, so that the score of a win in riichi stays unknown."""


def counted(logs: list[tuple[str, bytes]]) -> Counter[tuple[str, str, str]]:
    counts: Counter[tuple[str, str, str]] = Counter()
    for log in logs:
        counts.update(results(log))
    return counts


def check(logs: list[tuple[str, bytes]]) -> None:
    counts = counted(logs)
    for dialect in DIALECTS:
        assert counts[*dialect, "read"] == counts[*dialect, "strict"] == len(logs), dialect
        if dialect != WITHOUT_URA:
            assert counts[*dialect, "equal"] == len(logs), dialect


def test_games_of_the_project(own_games: list[Game]) -> None:
    check([(game.id, mjlog.write(game)) for game in own_games[:2]])


@pytest.mark.slow
@pytest.mark.real_logs
@pytest.mark.parametrize("name", ["phoenix-hanchan", "phoenix-tonpuu", "lower-rooms"])
def test_real_games(name: str) -> None:
    check(real.games(name, 10))
