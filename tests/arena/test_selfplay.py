"""Games of the project's own: the same for a seed, sound, written and read back, and varied."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import pytest

from houjuu.game.actions import Action
from houjuu.game.events import Deal, Discard, DrawnRound, RiichiAccepted, Win
from houjuu.game.table import Table
from houjuu.game.view import View
from houjuu.logs import mjlog
from houjuu.scoring import strict
from tests.kit.recount import validate

pytest.importorskip("riichienv", reason="the games are played on riichienv")
from houjuu.arena.hanchan import Hanchan
from houjuu.arena.selfplay import play

SEEDS = range(12)
TOTAL = 100_000  # unit: points
ROOT = Path(__file__).parents[2]

game = lru_cache(maxsize=None)(play)


@pytest.mark.deep
def test_seeds_that_are_near_do_not_share_walls() -> None:
    deals = [event.hands for seed in SEEDS for event in game(seed) if isinstance(event, Deal)]
    assert len(set(deals)) == len(deals)


@pytest.mark.parametrize("hash_seed", ["0", "4711"])
def test_another_process_plays_the_same_game(hash_seed: str) -> None:
    code = (
        "import hashlib; from houjuu.arena.selfplay import play; from houjuu.logs import mjlog;"
        "print(hashlib.sha256(mjlog.write(play(3))).hexdigest())"
    )
    process = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert process.stdout.strip() == hashlib.sha256(mjlog.write(game(3))).hexdigest()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_game_keeps_every_rule_and_is_read_back(seed: int) -> None:
    played = game(seed)
    strict.check(played)
    assert not strict.missing_details(played)
    assert sum(score for score, _ in played.final or ()) == TOTAL
    assert mjlog.parse(mjlog.write(played), f"{played.id}.mjlog") == played


@pytest.mark.parametrize("seed", [0, 1])
def test_the_table_is_valid_at_the_end_of_every_round(seed: int) -> None:
    table = Table()
    for event in game(seed):
        table.apply(event)
        if isinstance(event, (Win, DrawnRound)):
            validate(table)


def test_everything_that_is_to_be_learnt_occurs() -> None:
    seen: Counter[str] = Counter()
    for seed in SEEDS:
        table = Table()
        for event in game(seed):
            table.apply(event)
            if isinstance(event, Discard):
                seen[f"{table.seats[event.seat].n_open_melds} melds"] += 1
            elif isinstance(event, Win):
                seen["tsumo" if event.seat == event.source else "ron"] += 1
                seen["open win"] += any(meld.is_open for meld in event.melds)
            elif isinstance(event, (RiichiAccepted, DrawnRound)):
                seen["riichi" if isinstance(event, RiichiAccepted) else str(event.reason)] += 1
    for sort in ("1 melds", "2 melds", "3 melds", "riichi"):
        assert seen[sort] >= 20, sort
    for sort in ("ron", "tsumo", "open win", "exhausted"):
        assert seen[sort] >= 5, sort


def test_a_fork_goes_on_as_the_game_or_in_another_way() -> None:
    """The walls and the players are those of the game, which the fork leaves alone."""
    played = Hanchan(5, [_First()] * 4)
    observations = played.start()
    forks: list[Hanchan] = []
    while not played.env.done():
        if len(played.events) > 40 and not forks:
            forks = [played.fork(), played.fork()]
            seat = played.table.round_state.actor
            _, legal = played.decision(seat, observations[seat])
            observed = [
                forks[0].step(observations, {}),
                forks[1].step(observations, {seat: legal[0]}),
            ]
        observations = played.step(observations, {})
    for number, fork in enumerate(forks):
        while not fork.env.done():
            observed[number] = fork.step(observed[number], {})
    assert forks[0].events == played.events
    assert forks[1].events != played.events
    assert forks[1].events[:40] == played.events[:40]


class _First:
    """Takes the last action, which is never a call where it may pass."""

    def act(self, view: View, actions: Sequence[Action]) -> Action:
        return actions[-1]
