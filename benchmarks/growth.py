"""Growth of the pipeline's cost with the number of games and with the number of workers.

Runs `benchmarks.pipeline` on 1/4, 1/2, 1 and 2 times a number of games, and then on that number
with other numbers of workers. Twice the games are the games and copies of them under other names,
in which the copies of every kind of tile but the red fives change places: they play alike, and no
stage takes them for the same games.
"""

from __future__ import annotations

import zipfile
from argparse import Namespace
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.ticker import NullFormatter, StrMethodFormatter

from benchmarks import output, pipeline
from houjuu.game.events import Call, Deal, Discard, Dora, Draw, DrawnRound, Event, Game, Meld, Win
from houjuu.game.tiles import COPIES
from houjuu.logs import mjlog
from tests.pipeline import repository

FACTORS = (0.25, 0.5, 1.0, 2.0)
_MOVED = (0, 2, 3, 1)  # the red five of a kind is its copy 0


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("logs", type=Path, help="an archive of hanchan or East-only games")
    options.add_argument("--games", type=int, default=1000, help="games of factor 1 (%(default)s)")
    options.add_argument("--games-per-shard", type=int, default=50, help="(%(default)s)")
    options.add_argument("--workers", type=int, nargs="*", default=[1, 2, 4])
    options.add_argument("--skip", nargs="*", default=[], help="stages to leave out")
    options.add_argument("--plot", type=Path, help="an SVG file for time and memory by games")
    arguments = options.parse_args()
    games = list(islice(mjlog.read(arguments.logs), arguments.games))
    results: list[dict[str, Any]] = []
    for factor in FACTORS:
        results += _run(games, factor, 2, arguments)
    for workers in arguments.workers:
        if workers != 2:
            results += _run(games, 1.0, workers, arguments)
    output.show(results, as_json=arguments.json)
    if arguments.plot:
        draw(results, arguments.plot)


def _run(
    games: list[Game], factor: float, workers: int, arguments: Namespace
) -> Iterator[dict[str, Any]]:
    with TemporaryDirectory() as temporary:
        archive = Path(temporary, "games.zip")
        n_games = write(archive, times(games, factor))
        folder = pipeline.make(Path(temporary, "run"), [archive], workers)
        repository.change_params(folder, "parse", games_per_shard=arguments.games_per_shard)
        for stage in pipeline.measure(folder, frozenset(arguments.skip)):
            yield {"games": n_games, "workers": workers, **asdict(stage)}


def times(games: list[Game], factor: float) -> Iterator[Game]:
    """A part of some games, or all of them and copies."""
    yield from games[: round(factor * len(games))]
    for number in range(1, round(factor)):
        yield from (copied(game, number) for game in games)


def copied(game: Game, number: int) -> Game:
    """The game with other copies of the tiles, under another name; `number` is 1 or 2."""
    events = tuple(_event(event, number) for event in game.events)
    return replace(game, id=f"{game.id}-copy{number}", events=events)


def _tile(tile: int, number: int) -> int:
    copy = tile % COPIES
    for _ in range(number):
        copy = _MOVED[copy]
    return tile - tile % COPIES + copy


def _tiles(tiles: Iterable[int], number: int) -> tuple[int, ...]:
    return tuple(_tile(tile, number) for tile in tiles)


def _hands(
    hands: tuple[tuple[int, ...] | None, ...], number: int
) -> tuple[tuple[int, ...] | None, ...]:
    return tuple(None if hand is None else _tiles(hand, number) for hand in hands)


def _meld(meld: Meld, number: int) -> Meld:
    called, added = (
        None if tile is None else _tile(tile, number) for tile in (meld.called, meld.added)
    )
    return replace(
        meld, tiles=tuple(sorted(_tiles(meld.tiles, number))), called=called, added=added
    )


def _event(event: Event, number: int) -> Event:
    match event:
        case Deal():
            indicator = _tile(event.dora_indicator, number)
            return replace(event, dora_indicator=indicator, hands=_hands(event.hands, number))
        case Draw(tile=int(tile)) | Discard(tile=tile):
            return replace(event, tile=_tile(tile, number))
        case Call():
            return replace(event, meld=_meld(event.meld, number))
        case Dora():
            return replace(event, indicator=_tile(event.indicator, number))
        case DrawnRound():
            return replace(event, hands=_hands(event.hands, number))
        case Win():
            return replace(
                event,
                tile=_tile(event.tile, number),
                hand=_tiles(event.hand, number),
                melds=tuple(_meld(meld, number) for meld in event.melds),
                dora_indicators=_tiles(event.dora_indicators, number),
                ura_indicators=_tiles(event.ura_indicators, number),
            )
    return event


def write(path: Path, games: Iterable[Game]) -> int:
    """Write games as a zip of mjlog; returns their number."""
    count = 0
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for game in games:
            archive.writestr(f"{game.id}.mjlog", mjlog.write(game))
            count += 1
    return count


def draw(results: list[dict[str, Any]], path: Path) -> None:
    """Time and memory of every stage by the number of games, with two workers."""
    figure, axes = plt.subplots(1, 2, figsize=(10, 4.5), layout="constrained")
    of_two = [line for line in results if line["workers"] == 2]
    stages = list(dict.fromkeys(line["stage"] for line in of_two))
    for number, stage in enumerate(stages):
        of_stage = [line for line in of_two if line["stage"] == stage]
        games = [line["games"] for line in of_stage]
        style = {"color": f"C{number % 10}", "linestyle": "-" if number < 10 else "--"}
        for axis, name in zip(axes, ("seconds", "megabytes"), strict=True):
            axis.plot(games, [line[name] for line in of_stage], marker="o", label=stage, **style)
    ticks = [5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]
    for axis, title in zip(axes, ("time, s", "memory of all processes, MB"), strict=True):
        axis.set(title=title, xlabel="games", xscale="log", yscale="log")
        axis.set_xticks(sorted({line["games"] for line in of_two}))
        low, high = axis.get_ylim()
        axis.set_yticks([tick for tick in ticks if low < tick < high])
        for one in (axis.xaxis, axis.yaxis):
            one.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
            one.set_minor_formatter(NullFormatter())
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right center", fontsize=8)
    with mpl.rc_context({"svg.hashsalt": "houjuu"}):
        figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


if __name__ == "__main__":
    main()
