"""The cost of a run before it starts."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from houjuu.game.events import Game
from houjuu.logs import mjlog
from houjuu.util.errors import Error
from pipeline import plan
from pipeline.paths import GAMES
from tests.kit.archives import zipped


def test_the_logs_of_a_plan_are_counted(
    workspace: Path,
    own_games: list[Game],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    archive = workspace / "two words.zip"
    archive.write_bytes(zipped({f"{game.id}.mjlog": mjlog.write(game) for game in own_games}))
    pd.DataFrame({"game": ["a"]}).to_parquet(GAMES)
    monkeypatch.setenv("LOGS", str(archive))
    plan.main()
    rounds = [
        event for game in own_games for event in game.events if type(event).__name__ == "Deal"
    ]
    head = f"4 games of {len(rounds) / 4:.1f} rounds; rows of 1 are there"
    assert capsys.readouterr().out.splitlines()[0] == head
    archive.write_bytes(zipped({"a.xml": b"<html/>"}))
    with pytest.raises(Error, match="has no game among"):
        plan.main()


def test_costs_grow_with_the_rounds() -> None:
    """Games whose rows are there cost no rows, and a prior costs a fit more."""
    small, large = plan.cost(1000, 10_000), plan.cost(10_000, 100_000)
    for name in ("rows", "gigabytes"):
        assert large[name] == pytest.approx(10 * small[name])
    assert small["fits"] < large["fits"] < 10 * small["fits"]
    assert plan.cost(1000, 10_000, 900)["rows"] == pytest.approx(0.1 * small["rows"])
    assert plan.cost(1000, 10_000, below=1001)["fits"] > small["fits"]
