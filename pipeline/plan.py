"""``make plan LOGS="…"``: what a run on some logs costs, before it starts.

Rows and their size are in proportion to the rounds of a measured run (docs/real-run/costs.json);
fits and reports are on the line through it and the run of the models that ship. Rows of the games
of the last run in this folder are there already.
"""

from __future__ import annotations

import json
import os
from itertools import chain, islice
from pathlib import Path

from houjuu.game.events import Deal
from houjuu.logs import any_format as logs
from houjuu.util.errors import Error
from pipeline import link, log_tasks, settings
from pipeline.engine import SerialEngine
from pipeline.game_shards import accepted_games
from pipeline.paths import GAMES, REAL_RUN

COSTS = Path(__file__).parents[1] / REAL_RUN / "costs.json"
_SAMPLE = 20  # unit: games, whose rounds are counted
OF_HANCHAN = 10.5  # rounds


def main() -> None:
    """Count the games, and print the costs."""
    params = settings.load()
    sources = link.split(os.environ.get("LOGS", "")) or [log_tasks.LOGS]
    games, rounds = params.selfplay.games, OF_HANCHAN
    if sources != [log_tasks.LOGS] or log_tasks.has_logs():
        games, rounds = count(sources, params.parse.games_per_shard)
    there = min(len(accepted_games()) if Path(GAMES).exists() else 0, games)
    costs = cost(games, games * rounds, there, below=params.prior.below)
    cores = os.cpu_count() or 1
    print(f"{games:,} games of {rounds:.1f} rounds; rows of {there:,} are there")
    print(
        f"rows      {costs['rows']:8.2f} hours of one core, {costs['rows'] / cores:.2f} of {cores}"
    )
    print(f"fits      {costs['fits']:8.2f} hours, mostly of one core")
    print(f"reports   {costs['reports']:8.2f} hours of one core")
    print(f"disk      {costs['gigabytes']:8.2f} GB beside the logs")


def count(sources: list[Path], size: int) -> tuple[int, float]:
    """The number of logs, and the mean number of rounds of the first ones.

    Raises
    ------
    Error
        None of them is a game.
    """
    tasks = [log_tasks.log_tasks(path, size, SerialEngine()) for path in sources]
    every = [*chain.from_iterable(tasks)]
    shards = chain.from_iterable(task.shards() for task in every)
    rounds = []
    for name, data in islice(chain.from_iterable(shard.entries for shard in shards), _SAMPLE):
        try:
            game = logs.parse(data if isinstance(data, bytes) else b"", name)
        except Error:
            continue
        rounds.append(sum(isinstance(event, Deal) for event in game.events))
    if not rounds:
        raise Error("has no game among the first logs", file=str(sources[0]))
    return sum(task.size for task in every), sum(rounds) / len(rounds)


def cost(games: int, rounds: float, there: int = 0, *, below: int = 0) -> dict[str, float]:
    """Hours of one core for rows, fits and reports, and gigabytes of logs and rows.

    Parameters
    ----------
    games, there : int
        Number of games, and of those whose rows are there.
    rounds : float
        Of all games.
    below : int
        Number of games from which on a fit has no prior.
    """
    small, large = json.loads(COSTS.read_text())
    ratio = rounds / small["rounds"]
    share = max((rounds - small["rounds"]) / (large["rounds"] - small["rounds"]), 0.0)
    costs = {name: small[name] * ratio for name in ("rows", "gigabytes")}
    for name in ("fits", "reports"):
        costs[name] = small[name] + share * (large[name] - small[name])
    if games < below:
        costs["fits"] += small["adapt"] * ratio
    costs["rows"] *= 1 - there / games
    return costs


if __name__ == "__main__":
    try:
        main()
    except Error as problem:
        raise SystemExit(str(problem)) from None
