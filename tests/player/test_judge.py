"""Shares of agreement over games: what is counted, and the intervals."""

from __future__ import annotations

import pytest

pytest.importorskip("riichienv", reason="it is the referee")
from benchmarks.judge import Answer, judge, table
from houjuu.arena.matches import Match
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
    first = [Answer(game, "discard", agrees=game < 20, legal=True) for game in range(40)]
    second = [Answer(game, "call", agrees=False, legal=game > 0) for game in range(40)]
    rows = {(row["engine"], row["decisions"]): row for row in table(["a", "b"], [first, second])}
    mean, half = clustered_mean(20 * [1] + 20 * [0], range(40))
    assert (rows["a", "all"]["as played"], rows["a", "all"]["±"]) == (mean, half)
    assert rows["b", "all"]["less the first"] == -0.5
    assert (rows["b", "call"]["no legal answer"], rows["a", "call"]["n"]) == (1, 0)
