"""Selected games, and functions mapped over them."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from houjuu.errors import Error
from houjuu.events import Game
from houjuu.logs import mjlog
from pipeline import log_batches, settings


def test_the_games_with_the_smallest_digests_are_selected() -> None:
    games = pd.DataFrame(
        {
            "source": list("abcdef"),
            "digest": ["5", "1", "4", "0", "3", "2"],
            "validate": [False, False, False, True, True, True],
        }
    )
    assert log_batches.select_games(games, fitted=2) == {"b", "c"}
    assert log_batches.select_games(games, held_out=1) == {"d"}
    assert log_batches.select_games(games, fitted=1, held_out=2) == {"b", "d", "f"}
    assert log_batches.select_games(games, 100, 100) == set("abcdef")
    assert log_batches.select_games(games) == set()
    shuffled = games.sample(frac=1, random_state=3)
    assert log_batches.select_games(shuffled, 2, 1) == {"b", "c", "d"}


def test_missing_files_are_an_error(workspace: Path, own_games: list[Game]) -> None:
    (workspace / "data" / "logs" / "a.mjlog").write_bytes(mjlog.write(own_games[0]))
    run = settings.load().run
    assert list(log_batches.map_games(len, {"a.mjlog"}, run, "test")) == [1]
    with pytest.raises(Error, match="data/logs: has 1 of the 2 wanted games"):
        list(log_batches.map_games(len, {"a.mjlog", "b.mjlog"}, run, "test"))
