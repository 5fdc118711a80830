"""Games that the tests share: self-played ones always, real ones where they lie beside."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from typing import Any

os.environ["LANGUAGE"] = "en"  # the default of --lang
os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy: the workers of pytest share the cores

import absl.logging
import pytest
from hypothesis import settings

from houjuu.game.events import Game
from houjuu.logs import mjlog
from tests.fuzz.budget import INPUTS
from tests.kit import real
from tests.kit.browsers import chromium

# A process in the background of a shell ignores Ctrl-C, and so would the commands that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)
settings.register_profile("untimed", deadline=None)  # the machine may be busy
settings.load_profile("untimed")

# The handler of absl, which optax imports, closes the stream that it finds at its import, and that
# of pytest would be closed when uvicorn configures its loggers.
absl.logging.get_absl_handler().python_handler.stream = sys.__stderr__

REAL_GAMES = 6  # unit: games of each archive
SHORT = (46, 87, 62, 86)  # seeds of games of five to eight rounds, with kans of all kinds and draws
MOST_SECONDS = 15.0  # of processor time, 10 on an idle machine, for tests without these marks:
LONG = {"slow", "deep"}


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--real-games 100000`` reads them all, which takes an hour."""
    help_ = "how many games of each archive of real logs the tests read (%(default)s)"
    parser.addoption("--real-games", type=int, default=REAL_GAMES, help=help_)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Fail a test that takes more processor time than `make test` can wait for."""
    start = os.times()
    yield
    used = sum(end - begin for end, begin in zip(os.times()[:4], start[:4], strict=True))
    is_small = item.config.getoption("--real-games") == REAL_GAMES and not INPUTS
    if used > MOST_SECONDS and is_small and not any(map(item.get_closest_marker, LONG)):
        pytest.fail(f"it took {used:.0f} s of processor time: mark it slow, or make it faster")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One worker begins with the run of the pipeline; the tests that wait for it come last."""

    def waits(item: pytest.Item) -> bool:
        return "finished_run" in getattr(item, "fixturenames", ())

    waiting = list(filter(waits, items))
    others = [item for item in items if not waits(item)]
    items[:] = waiting[:1] + others + waiting[1:]


@pytest.fixture(scope="session")
def real_limit(pytestconfig: pytest.Config) -> int:
    """How many games of each archive to read."""
    limit: int = pytestconfig.getoption("--real-games")
    return limit


ARCHIVES = ("phoenix-hanchan", "phoenix-tonpuu", "tokujou-hanchan", "lower-rooms", "peer-bench")


@pytest.fixture(scope="session")
def own_games() -> list[Game]:
    """Four short games of the project's own bots."""
    pytest.importorskip("houjuu.arena", reason="its bots play the games")
    from houjuu.arena.selfplay import play

    return [play(seed) for seed in SHORT]


@pytest.fixture(scope="session")
def real_games(real_limit: int) -> list[Game]:
    """A few games of every archive of real logs."""
    logs = [member for name in ARCHIVES for member in real.games(name, real_limit)]
    return [mjlog.parse(data, name) for name, data in logs]


@pytest.fixture(params=["own", pytest.param("real", marks=pytest.mark.real_logs)])
def games(request: pytest.FixtureRequest) -> list[Game]:
    """Games of either sort; a test that takes it runs with both."""
    played: list[Game] = request.getfixturevalue(f"{request.param}_games")
    return played


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One headless Chromium for all tests of a module; its loop would stop those of others."""
    with chromium() as context:
        yield context.browser
