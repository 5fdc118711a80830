"""Outs that are written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import joblib
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from features import schema


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Give a temporary name beside the path, and rename it to the path when all went well."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(path.name + ".part")
    try:
        yield temporary
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def writing(
    path: str | Path, columns: tuple[schema.Column, ...]
) -> Iterator[Callable[[pd.DataFrame], None]]:
    """Give what writes tables of rows one after another to a Parquet file."""
    of = schema.arrow(columns)
    with replacing(path) as temporary, pq.ParquetWriter(temporary, of, compression="zstd") as file:
        yield lambda rows: file.write_table(pa.Table.from_pandas(rows, of, preserve_index=False))


def keep(fitted: object, path: str | Path) -> None:
    """Write what was fitted for the stages after this one, and for no one else: it is a pickle."""
    with replacing(path) as temporary:
        joblib.dump(fitted, temporary)


def write_rows(
    path: str | Path, parts: Iterable[pd.DataFrame], columns: tuple[schema.Column, ...]
) -> int:
    """Write tables of rows one after another to a Parquet file; returns how many rows."""
    count = 0
    with writing(path, columns) as write:
        for rows in parts:
            write(rows)
            count += len(rows)
    return count
