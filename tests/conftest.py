"""Games that the tests share: self-played ones always, real ones where they lie beside."""

from __future__ import annotations

import pytest

from houjuu.arena.selfplay import play
from houjuu.events import Game
from houjuu.logs import mjlog
from tests import real

ARCHIVES = ("phoenix-hanchan", "phoenix-tonpuu", "tokujou-hanchan", "lower-rooms", "peer-bench")


@pytest.fixture(scope="session")
def own_games() -> list[Game]:
    """A few games of the project's own bots."""
    return [play(seed) for seed in range(4)]


@pytest.fixture(scope="session")
def real_games() -> list[Game]:
    """A few games of every archive of real logs."""
    found = [member for name in ARCHIVES for member in real.games(name, 12)]
    return [mjlog.parse(data, name) for name, data in found]


@pytest.fixture(params=["own", pytest.param("real", marks=pytest.mark.real_logs)])
def games(request: pytest.FixtureRequest) -> list[Game]:
    """Games of either sort; a test that takes it runs with both."""
    found: list[Game] = request.getfixturevalue(f"{request.param}_games")
    return found
