"""Stage ``parse``: read and replay every log; list the games, and the rejected files with reasons.

data/game_logs has the accepted logs in shards. data/games.parquet has a row per game, sorted by id;
data/rejects.csv has a row per file without a valid game, or with a game that another file has.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from houjuu.game.events import Away, Deal, Discard, DrawnRound, Game, Riichi, Win
from houjuu.game.table import Table
from houjuu.logs import any_format as logs
from houjuu.logs.sources import Entry
from houjuu.scoring import strict
from houjuu.scoring.win_scoring import scored
from houjuu.util.columns import Column, arrow
from houjuu.util.csv_text import cell
from houjuu.util.errors import Error
from houjuu.util.files import atomic_path
from pipeline import log_tasks, settings, stage
from pipeline.engine import open_engine
from pipeline.log_tasks import LogShard
from pipeline.paths import GAME_LOGS, GAMES, REJECTS
from pipeline.resume import Counts, Job, make_shards, shard_file

Record = dict[str, Any]
CHECKED_GAMES, CHECKED_REJECTS = "data/checked_games", "data/checked_rejects"
"""What ``parse`` makes of each shard, and joins at the end."""

_REJECT_COLUMNS = ("file", "round", "element", "kind", "reason")


GAME_COLUMNS = (
    Column("source", "string", "name of the file or member", "the logs"),
    Column("log", "string", "hash of the log", "the log"),
    Column("game", "string", "id of the game", "the log's file name"),
    Column("digest", "string", "hash of the first deal: equal games are one", "the log"),
    Column("date", "string", "YYYY-MM-DD, null if unknown", "the log"),
    Column("room", "string", "of `houjuu.game.rules.ROOMS`, or unknown", "the log"),
    Column("hanchan", "bool", "False for an East-only game", "the log"),
    Column("red_fives", "bool", "played with red fives", "the log"),
    Column("open_tanyao", "bool", "an open hand may have tanyao", "the log"),
    *(
        Column(name, "int64", f"number of {unit}", "the log")
        for name, unit in (
            ("rounds", "rounds"),
            ("events", "events"),
            ("discards", "discards"),
            ("riichi", "declarations of riichi"),
            ("wins", "wins, each of several winners"),
            ("drawn_rounds", "rounds without a winner"),
            ("away", "times that a player left or came back"),
            ("unread", "names and elements that were not understood"),
        )
    ),
    Column("shard", "int64", "number of the shard with its log", "data/game_logs"),
    Column("position", "int64", "place of its log in the shard, from 0", "data/game_logs"),
    Column("validate", "bool", "held out for the evaluation", "hash of the id"),
)
"""A row per accepted game, sorted by id."""


class Checked(NamedTuple):
    """The games, the rejected files and the accepted logs of a shard."""

    games: list[Record]
    rejects: list[Record]
    accepted: list[tuple[str, bytes]]


def main() -> None:
    """Check the logs; fail if too many are rejected, or none is held out."""
    params = settings.load()
    with open_engine(params.run) as engine:
        tasks = log_tasks.log_tasks(log_tasks.source(), params.parse.games_per_shard, engine)
        make = partial(_make, params.parse.strict)
        job = Job("parse", (GAME_LOGS, CHECKED_GAMES, CHECKED_REJECTS))
        make_shards(job, make, tasks, engine)
    games, rejects = (_joined(folder) for folder in (CHECKED_GAMES, CHECKED_REJECTS))
    games, duplicates = without_duplicates(games)
    rejects = pd.concat([rejects, duplicates]).reindex(columns=_REJECT_COLUMNS)
    cells = rejects.apply(lambda column: column.map(cell))
    with atomic_path(REJECTS) as path:
        cells.sort_values("file", kind="stable").to_csv(path, index=False)
    print(f"{len(games)} games, {len(rejects)} files rejected")
    if len(games) and games["unread"].sum():
        print(f"{games['unread'].sum():8} unknown names or elements in games")
    for kind, count in rejects["kind"].value_counts().items():
        print(f"{count:8} {kind}")
    _judge(len(games), len(rejects), params.parse.max_reject_share)
    games = games.sort_values("game", ignore_index=True)
    games["validate"] = [held_out(game, params.parse) for game in games["game"]]
    if params.parse.validate_share and not games["validate"].any():
        reason = f"none of its {len(games)} games is held out for the evaluation"
        more = "add games, or change parse.validate_share in params.yaml; 0 evaluates nothing"
        raise Error(f"{reason}: {more}", file=str(log_tasks.source()))
    with atomic_path(GAMES) as path:
        table = pa.Table.from_pandas(games, arrow(GAME_COLUMNS), preserve_index=False)
        pq.write_table(table, path)
    for folder in (CHECKED_GAMES, CHECKED_REJECTS):
        shutil.rmtree(folder)


def _make(is_strict: bool, shard: LogShard, folder: Path) -> Counts:
    checked = check(shard.entries, is_strict=is_strict)
    _write_logs(folder, checked.accepted)
    games = pd.DataFrame(checked.games)
    games["position"] = range(len(games))
    rejects = pd.DataFrame(checked.rejects, columns=_REJECT_COLUMNS)
    for out, rows in ((CHECKED_GAMES, games), (CHECKED_REJECTS, rejects)):
        if len(rows):
            with atomic_path(shard_file(folder, out)) as path:
                rows.to_parquet(path, index=False)
    return {"games": len(games), "rejects": len(rejects)}


def _write_logs(folder: Path, accepted: Sequence[tuple[str, bytes]]) -> None:
    """Write the accepted logs of a shard, with the names of their files."""
    names, contents = zip(*accepted, strict=True) if accepted else ((), ())
    types = pa.schema([("source", pa.string()), ("log", pa.binary())])
    table = pa.Table.from_arrays([pa.array(names), pa.array(contents, pa.binary())], schema=types)
    with atomic_path(shard_file(folder, GAME_LOGS)) as path:
        pq.write_table(table, path, compression="zstd")


def _joined(folder: str) -> pd.DataFrame:
    """The rows of all shards, each with the number of its own."""
    paths = sorted(Path(folder).glob("*.parquet"))
    shards = [pd.read_parquet(path).assign(shard=int(path.stem)) for path in paths]
    return pd.concat(shards, ignore_index=True) if shards else pd.DataFrame()


def _judge(games: int, rejects: int, most: float) -> None:
    """Raise Error if no game is left, or too many files were rejected."""
    if not games:
        raise Error(f"has no valid game; {REJECTS} has the reasons", file=str(log_tasks.source()))
    share = rejects / (games + rejects)
    if share > most:
        reason = f"{share:.1%} of the files were rejected, more than parse.max_reject_share"
        raise Error(
            f"{reason}: {most:.1%}; {REJECTS} has the reasons", file=str(log_tasks.source())
        )


def check(entries: Iterable[Entry], *, is_strict: bool = True) -> Checked:
    """Read and replay some files, with or without `houjuu.scoring.strict`."""
    checked = Checked([], [], [])
    for name, data in entries:
        try:
            if isinstance(data, Error):
                raise data
            game = logs.parse(data, name, judge=scored)
            replay = strict.check if is_strict else _replay
            replay(game)
            log = {"source": name, "log": hashlib.sha256(data).hexdigest()[:32]}
            checked.games.append(log | _summary(game))
            checked.accepted.append((name, data))
        except Error as problem:
            position = {"round": problem.round, "element": problem.element}
            reasons = {"kind": problem.kind, "reason": problem.reason}
            checked.rejects.append({"file": name, **position, **reasons})
    return checked


def _replay(game: Game) -> None:
    table = Table(game.rules)
    for event in game.events:
        table.apply(event)


def _summary(game: Game) -> Record:
    kinds = [type(event) for event in game.events]
    deal = next(event for event in game.events if isinstance(event, Deal))
    return {
        "game": game.id,
        "digest": hashlib.sha256(repr(deal).encode()).hexdigest(),
        "date": game.date,
        "room": game.rules.room or "unknown",
        "hanchan": game.rules.hanchan,
        "red_fives": game.rules.red_fives,
        "open_tanyao": game.rules.open_tanyao,
        "rounds": kinds.count(Deal),
        "events": len(kinds),
        "discards": kinds.count(Discard),
        "riichi": kinds.count(Riichi),
        "wins": kinds.count(Win),
        "drawn_rounds": kinds.count(DrawnRound),
        "away": kinds.count(Away),
        "unread": len(game.unread),
    }


def without_duplicates(games: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The games, and as rejects those that occur twice, by their first deal or by their name.

    Two games never have the same 53 tiles in the first deal. The copy with the most rounds stays.
    """
    if games.empty:
        return games, pd.DataFrame(columns=_REJECT_COLUMNS)
    ordered = games.sort_values(["rounds", "source"], ascending=[False, True], kind="stable")
    twice = ordered["digest"].duplicated() | ordered["game"].duplicated()
    by_deal, by_name = (
        ordered.groupby(column)["source"].transform("first") for column in ("digest", "game")
    )
    first = by_deal.where(by_deal != ordered["source"], by_name)[twice]
    kind = "is the same game as another file"
    rejects = pd.DataFrame({"file": ordered.loc[twice, "source"], "kind": kind})
    rejects["reason"] = [f"is the same game as {same}, or has its name" for same in first]
    return games.drop(index=ordered.index[twice]), rejects


def held_out(game: str, params: settings.ParseSettings) -> bool:
    """Whether a game is held out for the evaluation and never fitted to, by a hash of its id."""
    digest = hashlib.sha256(f"{params.salt}:{game}".encode()).digest()
    return int.from_bytes(digest[:8], "big") < params.validate_share * 2**64


if __name__ == "__main__":
    stage.run(main)
