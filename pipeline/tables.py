"""Tables of rows as Parquet files: written in parts, read by split."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from features import schema
from houjuu.errors import Error
from pipeline.files import atomic_path
from pipeline.paths import GAMES


@contextmanager
def row_writer(
    path: str | Path, columns: tuple[schema.Column, ...]
) -> Iterator[Callable[[pd.DataFrame], None]]:
    """Yield a function that appends rows to a Parquet file."""
    arrow = schema.arrow(columns)
    with (
        atomic_path(path) as temporary,
        pq.ParquetWriter(temporary, arrow, compression="zstd") as file,
    ):
        yield lambda rows: file.write_table(pa.Table.from_pandas(rows, arrow, preserve_index=False))


def write_rows(
    path: str | Path, parts: Iterable[pd.DataFrame], columns: tuple[schema.Column, ...]
) -> int:
    """Write parts of a table one after another; returns the number of rows."""
    count = 0
    with row_writer(path, columns) as write:
        for rows in parts:
            write(rows)
            count += len(rows)
    return count


def read_rows(path: str, columns: tuple[schema.Column, ...], *, held_out: bool) -> pd.DataFrame:
    """The rows of the held-out games, or of all others.

    Raises
    ------
    Error
        There are none.
    """
    games = pd.read_parquet(GAMES, columns=["game", "validate"])
    chosen = games.loc[games["validate"] == held_out, "game"]
    rows = pd.read_parquet(path, filters=[("game", "in", list(chosen))] if len(chosen) else None)
    rows = rows[rows["game"].isin(chosen)]
    if rows.empty:
        split = "held out for the evaluation" if held_out else "left to fit to"
        raise Error(
            f"none of its {len(games)} games is {split}; see parse.validate_share", file=GAMES
        )
    return schema.check(rows, columns)


def accepted_games() -> pd.DataFrame:
    """The games that ``parse`` accepted."""
    return pd.read_parquet(GAMES)
