"""The factors of the rooms, and every row of the comparison by room before and after them.

Half of the games of a room, by the hash, give the factors, which start from those of the room
above; the other half measures them. The games of the phoenix room are held out from the model's own
fit, so take "houjuu-evaluated"; `--into` writes the factors into more files, as the last fit. The
bots' room is played by `houjuu.arena.selfplay`. "ratio" is measured / predicted.

    python -m benchmarks.rooms --into houjuu/fitted/houjuu{,-evaluated}.npz --write FILE
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed

from benchmarks import output
from features import prediction_rows
from features.columns import floats
from houjuu.arena.selfplay import play
from houjuu.estimators import loading
from houjuu.estimators.adaptation import MAKERS, WaitRows, rows_of, with_factors
from houjuu.estimators.log_linear.conditional_logit import CERTAIN
from houjuu.estimators.log_linear.factor_fits import TenpaiRows
from houjuu.estimators.log_linear.rooms import DEFAULT_ROOM, PART, RoomFactors, in_room
from houjuu.estimators.seen_games import are_seen
from houjuu.game.events import Game
from houjuu.game.rules import ROOMS
from houjuu.game.tiles import KINDS
from houjuu.logs import any_format as logs
from houjuu.reading.opponent import OpponentType
from houjuu.util import parameters
from houjuu.util.arrays import Bools, Floats, sigmoid
from houjuu.util.files import without_nan, write_text
from houjuu.util.game_hashes import OF_ROOMS, Hashes, hashes
from houjuu.util.intervals import clustered_mean
from houjuu.util.parameters import Parameters
from models.metrics.calibration import logit_line, row_losses

STARTS = {"advanced": "expert", "general": "advanced"}
"""Where the fit of a room starts, if not from the phoenix room: one room higher."""
ARCHIVES = "lower-rooms", "tokujou-hanchan", "phoenix-2024"
KEPT = Path("build/rooms")
_FIRST_SEED = 7_000_000
_CHUNK = 10  # unit: games


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("--model", default=loading.EVALUATED_MODEL, help="(%(default)s)")
    options.add_argument("--into", nargs="*", type=Path, default=[], help="parameter files")
    options.add_argument("--games", type=int, default=600, help="of a room (%(default)s)")
    options.add_argument("--predicted", type=int, default=80, help="of these, for R, D and A")
    options.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    options.add_argument("--keep", type=Path, default=KEPT, help="folder of rows (%(default)s)")
    options.add_argument("--write", type=Path, help="the file of the rows")
    arguments = options.parse_args()
    file = loading.parameter_file(arguments.model)
    base = in_room(parameters.from_bytes(file, str(arguments.model)), None)
    model, found = base, list[dict[str, Any]]()
    for room, games in _by_room(arguments).items():
        rows = _rows(room, games, base, arguments)
        model, _ = with_factors(model, room, _half(rows, 1), STARTS.get(room, DEFAULT_ROOM))
        unseen = [game for game in games if not _half_of(hashes([game.id]))[0]]
        predicted = unseen[: arguments.predicted]
        shown = [
            *_row_metrics(_half(rows, 0), model, room),
            *(_predicted(predicted, base, model, arguments.jobs) if predicted else ()),
        ]
        found += [{"room": room, **row} for row in shown]
    for path in arguments.into:
        _write_factors(path, model)
    if arguments.write:
        write_text(
            arguments.write, json.dumps(without_nan(found), indent=1, ensure_ascii=False) + "\n"
        )
    output.show(found, as_json=arguments.json)


def _by_room(arguments: Any) -> dict[str, list[Game]]:
    """Games by room that the model has not seen; those of the phoenix room come first."""
    rooms: dict[str, list[Game]] = {room: [] for room in ROOMS.values()}
    for name in ARCHIVES:
        path = arguments.shared / "tenhou" / f"{name}.tar.xz"
        games = logs.games(str(path), lambda problem: None)
        usual = (game for game in games if game.rules.red_fives and game.rules.open_tanyao)
        unseen = (game for game in usual if not _is_of_the_fit(game, arguments.model))
        for game in islice(unseen, arguments.games):
            rooms[game.rules.room or DEFAULT_ROOM].append(game)
    seeds = range(_FIRST_SEED, _FIRST_SEED + arguments.games)
    rooms["bots"] = Parallel(arguments.jobs)(delayed(play)(seed) for seed in seeds)
    return rooms


def _is_of_the_fit(game: Game, model: str) -> bool:
    """Whether a game may be in the fit of the weights; the factors may have others from a file."""
    return game.rules.room == DEFAULT_ROOM and bool(are_seen([game.id], model)[0])


def _rows(room: str, games: list[Game], base: Parameters, arguments: Any) -> dict[str, Any]:
    """The rows of a room: those that an earlier run has kept, or new ones."""
    file = arguments.keep / f"{room}.npz"
    if not file.exists():
        chunks = [games[start : start + _CHUNK] for start in range(0, len(games), _CHUNK)]
        shards = Parallel(arguments.jobs)(delayed(rows_of)(chunk, base) for chunk in chunks)
        arrays: dict[str, Any] = {}
        for part in MAKERS:
            columns = zip(*(shard[part] for shard in shards if part in shard), strict=True)
            arrays |= {f"{part}/{i}": np.concatenate(column) for i, column in enumerate(columns)}
        arguments.keep.mkdir(parents=True, exist_ok=True)
        np.savez(file, **arrays)
    with np.load(file) as kept:
        return {
            part: maker(*(kept[f"{part}/{i}"] for i in range(len(maker._fields))))
            for part, maker in MAKERS.items()
        }


def _half_of(games: Hashes) -> Bools:
    """Which games give the factors."""
    return np.asarray((games >> np.uint64(8)) % np.uint64(2) == 1)


def _half(rows: dict[str, Any], fitted: int) -> dict[str, Any]:
    masks = {part: _half_of(of_part.game) == fitted for part, of_part in rows.items()}
    return {p: type(one)(*(column[masks[p]] for column in one)) for p, one in rows.items()}


def _row_metrics(rows: dict[str, Any], model: Parameters, room: str) -> Iterator[dict[str, Any]]:
    """Yield T with its parts, and the waits of silent and of open hands."""
    models = in_room(model, None), model
    factors = [RoomFactors.from_parameters(one).of_room(room) for one in models]
    tenpai: TenpaiRows = rows["tenpai"]
    lines = [of_tenpai[tenpai.melds] for of_tenpai, _ in factors]
    before, after = (sigmoid((line * tenpai.terms).sum(axis=1)) for line in lines)
    faced = tenpai.terms[:, 3] > 0
    groups = {"T": tenpai.melds >= 0, "T, closed": tenpai.melds == 0, "T, open": tenpai.melds > 0}
    groups["T, closed, faces a riichi"] = faced & (tenpai.melds == 0)
    for name, mask in groups.items():
        yield _line(name, before[mask], after[mask], tenpai.label[mask], tenpai.game[mask])
    waits: WaitRows = rows["waits"]
    for number, name in enumerate(("waits, silent", "waits, open")):
        mask = waits.is_open == number
        label, games = waits.label[mask].ravel(), np.repeat(waits.game[mask], KINDS)
        wins = [of_waits[number] * waits.wins[mask].ravel() for _, of_waits in factors]
        before, after = np.minimum(wins, CERTAIN)
        yield _line(name, before, after, label, games)


def _predicted(
    games: list[Game], base: Parameters, model: Parameters, jobs: int
) -> Iterator[dict[str, Any]]:
    """Yield R, D and A, which need a query of every decision."""
    estimators = [loading.from_parameters(one) for one in (base, model)]
    shards = Parallel(jobs)(delayed(prediction_rows.rows)([game], estimators) for game in games)
    first, second = (pd.concat([shard[i].predictions for shard in shards]) for i in (0, 1))
    riichi = (first["opponent_type"] == OpponentType.RIICHI).to_numpy()
    melds = first["opponent_type"].astype(str).str.contains("meld").to_numpy()
    groups = {"R": riichi, "D": riichi | True, "D, open": melds, "D, silent": ~(riichi | melds)}
    groups["A"] = first["was_discarded"].to_numpy(bool)
    for name, mask in groups.items():
        before, after = (floats(one, ["predicted"]).ravel()[mask] for one in (first, second))
        games_of = first["game"].astype(str).to_numpy()[mask]
        yield _line(name, before, after, first["label"].to_numpy(bool)[mask], games_of)


def _line(name: str, before: Floats, after: Floats, label: Bools, games: Any) -> dict[str, Any]:
    """A row: log losses, their difference, what was measured by what was predicted, the slope."""
    losses = [row_losses(one, label) for one in (before, after)]
    difference, half = clustered_mean(losses[1] - losses[0], games)
    _, error = clustered_mean(label - after, games)
    return {
        "row": name,
        "games": len(np.unique(games)),
        "rows": len(label),
        "before": round(float(losses[0].mean()), 5),
        "after": round(float(losses[1].mean()), 5),
        "difference": round(difference, 5),
        "±": round(half, 5),
        "ratio before": round(float(label.mean() / before.mean()), 3),
        "ratio": round(float(label.mean() / after.mean()), 3),
        "± of it": round(error / float(after.mean()), 3),
        "slope": round(float(logit_line(after, label, games)["slope"]), 3),
    }


def _write_factors(path: Path, model: Parameters) -> None:
    """Write the factors of the rooms into a file, and which games have given them."""
    old = parameters.read(path)
    factors = {
        name: model.arrays[name] for name in model.arrays if name.startswith((PART, OF_ROOMS))
    }
    parameters.write(path, Parameters(old.header, {**old.arrays, **factors}))


if __name__ == "__main__":
    main()
