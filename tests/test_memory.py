"""Tables and readers are freed by reference counts: a server collects garbage rarely."""

from __future__ import annotations

import gc
from collections.abc import Callable

import pytest

import houjuu
from houjuu.game.events import Game
from houjuu.logs import mjai, mjlog
from houjuu.scoring import strict


def follow(game: Game) -> None:
    live = houjuu.Live(0)
    for message in mjai.messages(game):
        live.hear(message)


@pytest.mark.parametrize(
    "use",
    [
        follow,
        lambda game: mjai.parse(mjai.write(game).encode(), "x"),
        lambda game: mjlog.parse(mjlog.write(game), "x.mjlog"),
        strict.check,
    ],
    ids=["live", "mjai", "mjlog", "strict"],
)
def test_a_game_leaves_no_cycles(use: Callable[[Game], object], own_games: list[Game]) -> None:
    use(own_games[0])  # fills the caches
    gc.collect()
    gc.disable()
    try:
        use(own_games[0])
        assert gc.collect() == 0
    finally:
        gc.enable()
