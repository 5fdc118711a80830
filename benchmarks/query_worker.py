"""The timed part of `benchmarks.query`, in a process with numpy alone and lxml to read the games.

Which houjuu it measures depends on PYTHONPATH. Commands come in by standard input, a line each, and
each is answered with a line of JSON. Times are processor times, in milliseconds. The hands of
opponents are built before a query, as `houjuu.Live` does it; `first` and `many` include them.

| command | answer |
|---|---|
| load | time of import and load |
| first | time of the first query of the process, with two open hands |
| game | pairs of group and time, for every decision of the next game; null after the last |
| many | mean time of a view of the last 1,000 decisions: by `deal_in_many`, and by single queries |
| memory | peak memory of the process, in MB |
"""

from __future__ import annotations

import json
import sys
import time
from collections import deque
from collections.abc import Iterator
from resource import RUSAGE_SELF, getrusage

_START = time.process_time()
import houjuu  # noqa: E402
from houjuu.game.events import Discard, Game  # noqa: E402
from houjuu.game.table import View  # noqa: E402
from houjuu.logs import mjlog  # noqa: E402

VIEWS = 1000


class Worker:
    """Answers the commands."""

    def __init__(self, model: str, archive: str) -> None:
        self.estimator = houjuu.load(model)
        self.load_time = 1000 * (time.process_time() - _START)
        self.archive = archive
        self.games = mjlog.read(archive)
        self.queries: deque[tuple[View, float]] = deque(maxlen=VIEWS)

    def load(self) -> float:
        """Time of import and load."""
        return self.load_time

    def first(self) -> float:
        """Time of the first query, with two open hands."""
        views = (view for game in mjlog.read(self.archive) for _, view in decisions(game))
        view = next(v for v in views if sum(seat.n_open_melds > 0 for seat in v.opponents) == 2)
        return self._time(view, houjuu.HandCache())

    def game(self) -> list[tuple[str, float]] | None:
        """Times of the next game, by group."""
        game = next(self.games, None)
        if game is None:
            return None
        caches = [houjuu.HandCache() for _ in range(4)]
        times = []
        for seat, view in decisions(game):
            _prepare(caches[seat], view)
            milliseconds = self._time(view, caches[seat])
            self.queries.append((view, milliseconds))
            times.append((group(view), milliseconds))
        return times

    def many(self) -> tuple[float, float]:
        """Mean time of a view in a batch and alone."""
        views, alone = zip(*self.queries, strict=True)
        start = time.thread_time()
        for risk in self.estimator.deal_in_many(views):
            _ = risk.any, risk.points
        return 1000 * (time.thread_time() - start) / len(views), sum(alone) / len(views)

    def memory(self) -> float:
        """Peak memory, in MB."""
        return getrusage(RUSAGE_SELF).ru_maxrss / 1024

    def _time(self, view: View, cache: houjuu.HandCache) -> float:
        start = time.thread_time()
        risk = self.estimator.deal_in(view, cache)
        _ = risk.any, risk.points
        return 1000 * (time.thread_time() - start)


def _prepare(cache: houjuu.HandCache, view: View) -> None:
    """Build the hands, as `houjuu.Live` does when it hears a call; some checkouts cannot."""
    if hasattr(cache, "prepare"):
        cache.prepare(view)


def decisions(game: Game) -> Iterator[tuple[int, View]]:
    """The views in which a seat that is not in riichi chooses its discard."""
    table = houjuu.Table(game.rules)
    for event in game:
        if isinstance(event, Discard) and not table.seats[event.seat].in_riichi:
            yield event.seat, table.view(event.seat)
        table.apply(event)


def group(view: View) -> str:
    """The opponent with most open melds; riichi or closed if there are none."""
    n_open_melds = max(seat.n_open_melds for seat in view.opponents)
    if n_open_melds:
        return f"{n_open_melds} melds"
    return "riichi" if any(seat.in_riichi for seat in view.opponents) else "closed"


if __name__ == "__main__":
    worker = Worker(*sys.argv[1:])
    for command in sys.stdin:
        print(json.dumps(getattr(worker, command.strip())()), flush=True)
