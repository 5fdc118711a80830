"""Stage ``parse``: read and replay every log; list the games, and the rejected files with reasons.

data/games.parquet has a row per game, sorted by id; data/rejects.csv has a row per file without a
valid game, or with a game that another file has.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from functools import partial
from typing import Any, NamedTuple

import pandas as pd
from tqdm import tqdm

from houjuu import logs
from houjuu.arena import strict
from houjuu.errors import Error
from houjuu.events import Away, Deal, Discard, DrawnRound, Game, Riichi, Win
from houjuu.table import Table
from pipeline import log_batches, settings, stage
from pipeline.files import atomic_path
from pipeline.paths import GAMES, REJECTS

Record = dict[str, Any]


class Checked(NamedTuple):
    """The games and the rejected files of a batch."""

    games: list[Record]
    rejects: list[Record]


def main() -> None:
    """Check the logs; fail if too many are rejected."""
    params = settings.load()
    function = partial(check, is_strict=params.parse.strict)
    games, rejects = _collect(log_batches.parallel_map(function, log_batches.batches(), params.run))
    rejects += _duplicates(games)
    with atomic_path(REJECTS) as path:
        columns = ["file", "round", "element", "kind", "reason"]
        pd.DataFrame(rejects, columns=columns).sort_values("file").to_csv(path, index=False)
    print(f"{len(games)} games, {len(rejects)} files rejected")
    for kind, count in Counter(reject["kind"] for reject in rejects).most_common():
        print(f"{count:8} {kind}")
    _judge(len(games), len(rejects), params.parse.max_reject_share)
    table = pd.DataFrame(games).sort_values("game", ignore_index=True)
    table["validate"] = [held_out(game, params.parse) for game in table["game"]]
    with atomic_path(GAMES) as path:
        table.to_parquet(path, index=False)


def _judge(games: int, rejects: int, most: float) -> None:
    """Raise Error if no game is left, or too many files were rejected."""
    if not games:
        raise Error(f"has no valid game; {REJECTS} has the reasons", file=str(log_batches.source()))
    share = rejects / (games + rejects)
    if share > most:
        reason = f"{share:.1%} of the files were rejected, more than parse.max_reject_share"
        raise Error(
            f"{reason}: {most:.1%}; {REJECTS} has the reasons", file=str(log_batches.source())
        )


def check(batch: list[log_batches.Entry], *, is_strict: bool = True) -> Checked:
    """Read and replay a batch of files, with or without `houjuu.arena.strict`."""
    checked = Checked([], [])
    for name, data in batch:
        try:
            if isinstance(data, Error):
                raise data
            game = logs.parse(data, name)
            replay = strict.check if is_strict else _replay
            replay(game)
            checked.games.append({"source": name, **_summary(game)})
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
        "room": game.rules.room,
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
    }


def _collect(batches: Iterable[Checked]) -> tuple[list[Record], list[Record]]:
    games: list[Record] = []
    rejects: list[Record] = []
    with tqdm(desc="parse", unit="game") as progress:
        for batch in batches:
            games += batch.games
            rejects += batch.rejects
            progress.update(len(batch.games) + len(batch.rejects))
            progress.set_postfix(rejected=len(rejects))
    return games, rejects


def _duplicates(games: list[Record]) -> list[Record]:
    """Remove games that occur twice, by their first deal or by their name; returns rejects.

    Two games never have the same 53 tiles in the first deal. The copy with the most rounds stays.
    """
    first: dict[str, str] = {}
    duplicates = []
    for game in sorted(games, key=lambda game: (-game["rounds"], game["source"])):
        same = first.get(game["digest"]) or first.get(game["game"])
        if same is not None:
            duplicates.append(game)
            game["reason"] = f"is the same game as {same}, or has its name"
        first.setdefault(game["digest"], game["source"])
        first.setdefault(game["game"], game["source"])
    for game in duplicates:
        games.remove(game)
    kind = {"kind": "is the same game as another file"}
    return [{"file": game["source"], **kind, "reason": game["reason"]} for game in duplicates]


def held_out(game: str, params: settings.ParseSettings) -> bool:
    """Whether a game is held out for the evaluation and never fitted to, by a hash of its id."""
    digest = hashlib.sha256(f"{params.salt}:{game}".encode()).digest()
    return int.from_bytes(digest[:8], "big") < params.validate_share * 2**64


if __name__ == "__main__":
    stage.run(main)
