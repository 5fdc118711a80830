"""Stage ``parse``: read and replay every log; list the games, and what was refused with the reason.

data/games.parquet has a row per game, sorted by id; data/rejects.csv a row per file that is not one
(or is one that was there already).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any, NamedTuple

import pandas as pd
from tqdm import tqdm

from houjuu import logs
from houjuu.errors import Error
from houjuu.events import Away, Deal, Discard, DrawnRound, Game, Riichi, Win
from houjuu.table import Table
from pipeline import corpus, settings, stage
from pipeline.files import replacing

GAMES = "data/games.parquet"
REJECTS = "data/rejects.csv"

Record = dict[str, Any]


class Checked(NamedTuple):
    """What became of a batch of files."""

    games: list[Record]
    rejects: list[Record]


def main() -> None:
    """Check the logs; fail when too many cannot be read."""
    params = settings.load()
    games, rejects = _collect(corpus.mapped(check, corpus.batches(), params.run))
    rejects += _duplicates(games)
    with replacing(REJECTS) as path:
        columns = ["file", "round", "element", "reason"]
        pd.DataFrame(rejects, columns=columns).sort_values("file").to_csv(path, index=False)
    print(f"{len(games)} games, {len(rejects)} files rejected")
    _judge(len(games), len(rejects), params.parse.max_reject_share)
    table = pd.DataFrame(games).sort_values("game", ignore_index=True)
    table["validate"] = [held_out(game, params.parse) for game in table["game"]]
    with replacing(GAMES) as path:
        table.to_parquet(path, index=False)


def _judge(games: int, rejects: int, most: float) -> None:
    """Raise Error when there is nothing to go on with, or too much was refused."""
    if not games:
        raise Error(f"has no game that can be read; {REJECTS} says why", file=str(corpus.source()))
    share = rejects / (games + rejects)
    if share > most:
        reason = f"{share:.1%} of the files were rejected, more than parse.max_reject_share"
        raise Error(f"{reason}: {most:.1%}; {REJECTS} says why", file=str(corpus.source()))


def check(batch: list[corpus.Entry]) -> Checked:
    """Read and replay a batch of files."""
    checked = Checked([], [])
    for name, data in batch:
        try:
            if isinstance(data, Error):
                raise data
            game = logs.parse(data, name)
            checked.games.append({"source": name, **_summary(game)})
        except Error as problem:
            where = {"round": problem.round, "element": problem.element}
            checked.rejects.append({"file": name, **where, "reason": problem.reason})
    return checked


def _summary(game: Game) -> Record:
    table = Table(game.rules)
    for event in game.events:
        table.apply(event)
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
    """Take out games that are there twice, by their first deal or by their name; returns them.

    Nobody is dealt the same 53 tiles twice. The copy with the most rounds is kept.
    """
    first: dict[str, str] = {}
    doubles = []
    for game in sorted(games, key=lambda game: (-game["rounds"], game["source"])):
        same = first.get(game["digest"]) or first.get(game["game"])
        if same is not None:
            doubles.append(game)
            game["reason"] = f"is the same game as {same}, or has its name"
        first.setdefault(game["digest"], game["source"])
        first.setdefault(game["game"], game["source"])
    for game in doubles:
        games.remove(game)
    return [{"file": game["source"], "reason": game["reason"]} for game in doubles]


def held_out(game: str, params: settings.Parse) -> bool:
    """Whether a game is measured on and never fitted to: by a hash of its id alone."""
    digest = hashlib.sha256(f"{params.salt}:{game}".encode()).digest()
    return int.from_bytes(digest[:8], "big") < params.validate_share * 2**64


if __name__ == "__main__":
    stage.run(main)
