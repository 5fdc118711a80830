"""Shares of agreement over games: what is counted, and the intervals."""

from __future__ import annotations

import json
import shlex
import sys
from math import isnan
from pathlib import Path

import pytest

pytest.importorskip("riichienv", reason="it is the referee")
from benchmarks.judge import Answer, judge, main, table
from houjuu.arena.matches import Match
from houjuu.logs import mjlog
from houjuu.util.intervals import clustered_mean


def test_a_player_agrees_with_its_own_games() -> None:
    """Three seats are those of the second engine, which agrees at each of their decisions."""
    game = Match(("v2", "v1", "v1", "v1")).play(0, 0)
    ours, theirs = judge(["v2", "v1"], 7, game)
    assert len(ours) == len(theirs) > 300
    disagreeing = sum(not one.agrees for one in theirs)
    assert 0 < disagreeing < sum(not one.agrees for one in ours)
    assert {one.kind for one in ours} == {"discard", "riichi", "call"}
    assert {one.game for one in ours} == {7}


def test_shares_and_intervals_count_a_game_once() -> None:
    first = [Answer(game, "discard", agrees=game < 20) for game in range(40)]
    second = [Answer(game, "discard", agrees=game > 19) for game in range(40)]
    second[0] = second[0]._replace(absent="it ended with 3")
    rows = {(row["engine"], row["decisions"]): row for row in table(["a", "b"], [first, second])}
    mean, half = clustered_mean(20 * [1] + 20 * [0], range(40))
    assert (rows["a", "all"]["as played"], rows["a", "all"]["±"]) == (mean, half)
    assert (rows["b", "all"]["n"], rows["b", "all"]["answered"]) == (40, 39 / 40)
    assert rows["b", "discard"]["as played"] == 20 / 39  # no answer is no disagreement
    assert rows["b", "all"]["less the first"] == pytest.approx(20 / 39 - 20 / 40)
    assert rows["a", "call"]["n"] == 0


def test_an_engine_that_never_answers_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The reason is on standard error once; its shares are none."""
    log = tmp_path / "game.mjlog"
    log.write_bytes(mjlog.write(Match(("v1",) * 4).play(0, 0)))
    dead = f"mjai:{shlex.quote(sys.executable)} -c exit(3)"
    for engines, status in ((["v1"], 0), (["v1", dead], 1)):
        monkeypatch.setattr("sys.argv", ["judge", str(log), *engines, "--json"])
        with pytest.raises(SystemExit) as end:
            main()
        assert end.value.code == status
    shown = capsys.readouterr()
    assert shown.err.count("decisions; first: it ended with 3") == 1
    _, (alive, *_, dead_all, _, _, _) = map(
        json.loads, shown.out.replace("]\n[", "]\0[").split("\0")
    )
    assert (alive["answered"], dead_all["answered"]) == (1, 0)
    assert isnan(dead_all["as played"])
