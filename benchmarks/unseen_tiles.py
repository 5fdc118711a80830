"""The model of unseen tiles on held-out real games.

`evaluate` predicts games of every archive: those with the smallest hashes of their names among the
games that the pipeline holds out. The tables of docs/unseen.md are those that `tables` prints of
the file that `evaluate` keeps.

    python -m benchmarks.unseen_tiles evaluate houjuu/fitted/houjuu.npz --keep \
        docs/real-run/unseen_tiles.json
    python -m benchmarks.unseen_tiles tables docs/real-run/unseen_tiles.json
"""

from __future__ import annotations

import argparse
import hashlib
import heapq
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
from tqdm import tqdm

from benchmarks import markdown, output
from features import unseen_rows
from houjuu import logs
from houjuu.estimators.log_linear.unseen_tiles import UnseenTileModel
from houjuu.game.events import Game
from houjuu.logs.reading import game_id
from houjuu.logs.sources import entries
from houjuu.util import parameters
from houjuu.util.errors import Error
from models.metrics import calibration, unseen_metrics
from pipeline import settings
from pipeline.files import save_json
from pipeline.stages.parse import held_out

FITTED = ("phoenix-2024", "phoenix-hanchan", "phoenix-tonpuu")
EVALUATED = (*FITTED, "tokujou-hanchan")
ROOMS = {
    "phoenix-2024": "phoenix room, 2024",
    "phoenix-hanchan": "phoenix room, hanchan, 2009 to 2021",
    "phoenix-tonpuu": "phoenix room, East-only, 2018 and 2023",
    "tokujou-hanchan": "特上卓, hanchan, 2020 to 2023",
    "all": "all",
}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--shared", type=Path, default=output.SHARED, help="folder with tenhou/")
    commands = options.add_subparsers(dest="command", required=True)
    evaluate = commands.add_parser("evaluate")
    evaluate.add_argument("file", type=Path)
    evaluate.add_argument("--games", type=int, default=400, help="of each archive (%(default)s)")
    evaluate.add_argument("--keep", type=Path, help="write the results to this file")
    commands.add_parser("tables").add_argument("file", type=Path)
    arguments = options.parse_args()
    if arguments.command == "evaluate":
        results = evaluation(arguments.file, arguments.shared, arguments.games)
        if arguments.keep:
            save_json(results, arguments.keep)
        print("\n".join(tables(results)))
    else:
        print("\n".join(tables(markdown.read_json(arguments.file))))


def evaluation(file: Path, shared: Path, n_games: int) -> dict[str, Any]:
    """Scores by archive and of all, and the reliability of all."""
    model = UnseenTileModel.from_parameters(parameters.read(file))
    rows = {name: _rows(shared, name, n_games) for name in EVALUATED}
    phoenix = pd.concat([rows[name] for name in FITTED], ignore_index=True)
    rows["all"] = phoenix
    return {
        "games": {name: int(of_archive["game"].nunique()) for name, of_archive in rows.items()},
        "scores": {name: unseen_metrics.evaluate(model, rows[name]) for name in rows},
        "reliability": calibration.records(unseen_metrics.reliability(model, phoenix)),
    }


def _rows(shared: Path, name: str, n_games: int) -> pd.DataFrame:
    games = _held_out_games(shared / "tenhou" / f"{name}.tar.xz", n_games)
    return unseen_rows.rows(tqdm(games, name, total=n_games, unit="game"))


def _held_out_games(path: Path, n_games: int) -> Iterator[Game]:
    """Yield the held-out games of an archive whose names have the smallest hashes."""
    parse = settings.load().parse
    wanted = (
        (hashlib.sha256(name.encode()).digest(), name, data)
        for name, data in entries(path)
        if not isinstance(data, Error) and held_out(game_id(name), parse)
    )
    for _, name, data in heapq.nsmallest(n_games, wanted, key=lambda entry: entry[0]):
        yield logs.parse(data, name)


def tables(results: dict[str, Any]) -> Iterator[str]:
    """Yield the tables of docs/unseen.md as Markdown."""
    scores = results["scores"]
    head = ("log loss", "states", "counting", "houjuu", "difference, 95%")
    yield from markdown.head(*head)
    for name, of_archive in scores.items():
        yield _loss_row(f"next draw: {ROOMS[name]}", of_archive["next_draw"]["all"])
    for group, line in scores["all"]["next_draw"].items():
        if group.startswith("turn"):
            yield _loss_row(f"next draw: {group}", line)
    for location, line in scores["all"]["copies"].items():
        yield _loss_row(f"copies: {location}", line)
    yield ""
    yield from markdown.head("draws of the own hand", "states", "counting", "houjuu", "happened")
    for name, of_archive in scores.items():
        for hand, line in of_archive["useful_draws"].items():
            happened = f"{100 * line['happened']:.2f}% ± {100 * line['happened_half']:.2f}"
            yield markdown.row(
                f"{hand}: {ROOMS[name]}",
                f"{line['rows']:,}",
                *(f"{100 * line[key]:.2f}%" for key in ("counting", "expected")),
                happened,
            )
    yield ""
    yield from markdown.head("chance of a copy in the wall", "copies", "predicted: measured")
    for line in results["reliability"]:
        if line["location"] == "wall":
            low, high = (unseen_metrics.EDGES[line["bin"] + end] for end in (0, 1))
            bin_name = f"{100 * low:.0f} to {100 * high:.0f}%"
            yield markdown.row(bin_name, f"{line['copies']:,}", markdown.calibrated(line))


def _loss_row(name: str, line: dict[str, float]) -> str:
    difference = (
        f"{markdown.short(line['difference'], '+')} ± {markdown.short(line['half_interval'])}"
    )
    losses = (markdown.short(line[key]) for key in ("log_loss_base", "log_loss"))
    return markdown.row(name, f"{line['rows']:,}", *losses, difference)


if __name__ == "__main__":
    main()
