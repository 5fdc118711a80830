"""The stage ``parse``, and the stages after it without enough games."""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd
import pytest

from features.schema.paper import PAPER_TENPAI
from houjuu.game.events import Game
from houjuu.logs import mjlog
from houjuu.util.errors import Error
from pipeline import paths, settings, tables
from pipeline.stages import paper_tenpai_rows, paper_wait_counts, parse, predict, wait_rows
from tests.pipeline.repository import ROOT, change_params, run


def test_rejected_files_are_listed(workspace: Path, own_games: list[Game]) -> None:
    logs = workspace / "data" / "logs"
    for game in own_games:
        (logs / f"{game.id}.mjlog").write_bytes(mjlog.write(game))
    (logs / "bad.xml").write_text("<html/>")
    (logs / "twice.xml").write_bytes(mjlog.write(own_games[0]))
    change_params(workspace, "parse", max_reject_share=0.5, validate_share=0.4)
    parse.main()
    rejects = pd.read_csv(paths.REJECTS).set_index("file")["reason"]
    assert "is not mjlog" in rejects["bad.xml"]
    assert "is the same game as" in rejects["twice.xml"]
    assert sorted(pd.read_parquet(paths.GAMES)["game"]) == sorted(game.id for game in own_games)


def test_the_copy_with_the_most_rounds_stays() -> None:
    games = pd.DataFrame(
        {
            "source": ["a", "b", "c", "d"],
            "game": ["1", "2", "3", "2"],
            "digest": ["x", "y", "x", "z"],
            "rounds": [4, 8, 9, 8],
        }
    )
    kept, rejects = parse.without_duplicates(games)
    assert list(kept["source"]) == ["b", "c"]
    reasons = dict(zip(rejects["file"], rejects["reason"], strict=True))
    assert reasons == {
        "a": "is the same game as c, or has its name",
        "d": "is the same game as b, or has its name",
    }


def test_too_many_rejects_fail(workspace: Path, own_games: list[Game]) -> None:
    (workspace / "data" / "logs" / "a.mjlog").write_bytes(mjlog.write(own_games[0]))
    (workspace / "data" / "logs" / "b.mjlog").write_text("nothing")
    with pytest.raises(Error, match=r"50\.0% of .*max_reject_share: 5\.0%; .*rejects\.csv"):
        parse.main()
    assert len(pd.read_csv(paths.REJECTS)) == 1


def test_no_valid_game_is_an_error(workspace: Path) -> None:
    (workspace / "data" / "logs" / "bad.xml").write_text("nothing")
    with pytest.raises(Error, match=r"data/logs: has no valid game"):
        parse.main()


def test_no_held_out_game_fails_at_once(workspace: Path, own_games: list[Game]) -> None:
    """With what to do; a share of 0 holds out none on purpose."""
    (workspace / "data" / "logs" / "a.mjlog").write_bytes(mjlog.write(own_games[0]))
    for share in (1e-9, 0.0):
        change_params(workspace, "parse", validate_share=share)
        if share:
            with pytest.raises(Error, match=r"none of its 1 games is held out .*: add games, or"):
                parse.main()
            assert not Path(paths.GAMES).exists()
    parse.main()


@pytest.mark.slow
def test_without_held_out_games_the_models_are_fitted_but_not_evaluated(
    workspace: Path, own_games: list[Game]
) -> None:
    (workspace / "data" / "logs" / "a.xml").write_bytes(mjlog.write(own_games[0]))
    change_params(workspace, "parse", validate_share=0.0)
    parse.main()
    paper_tenpai_rows.main()
    with pytest.raises(Error, match=r"none of its 1 games is held out for the evaluation"):
        tables.read_rows(paths.PAPER_TENPAI_ROWS, PAPER_TENPAI, held_out=True)
    paper_wait_counts.main()
    wait_rows.main()
    result = run(workspace, sys.executable, "-m", "pipeline.stages.train_paper", check=False)
    assert result.returncode == 0, result.stderr
    result = run(workspace, sys.executable, "-m", "pipeline.stages.export", check=False)
    assert result.stderr.splitlines()[-1].startswith("data/games.parquet: none of its 1 games")
    assert "Traceback" not in result.stderr
    with pytest.raises(Error, match=r"none of its 1 games is held out"):
        predict.main("houjuu")


def test_splits_are_by_game() -> None:
    params = settings.load(ROOT / "params.yaml").parse
    held_out = [parse.held_out(f"game-{i}", params) for i in range(5000)]
    assert sum(held_out) / 5000 == pytest.approx(params.validate_share, abs=0.02)
    assert held_out == [parse.held_out(f"game-{i}", params) for i in range(5000)]
