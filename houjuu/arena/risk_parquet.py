"""The parts of the table of risks as one Parquet file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import csv

from houjuu.arena.risk_table import RISKS, names
from houjuu.util.columns import arrow

_GROUP_ROWS = 1 << 16
"""Least number of rows of a row group but the last."""


def schema() -> pa.Schema:
    """The columns of `RISKS`."""
    return arrow(RISKS)


def join(parts: Iterable[Path], output: Path) -> None:
    """Join CSV files without a head; at most a row group is in memory."""
    columns = schema()
    group: list[pa.Table] = []
    with pq.ParquetWriter(output, columns) as writer:
        for part in parts:
            if part.stat().st_size:
                group.append(_read(part, columns))
            if sum(table.num_rows for table in group) >= _GROUP_ROWS:
                writer.write_table(pa.concat_tables(group))
                group = []
        if group:
            writer.write_table(pa.concat_tables(group))


def _read(part: Path, columns: pa.Schema) -> pa.Table:
    return csv.read_csv(
        part,
        read_options=csv.ReadOptions(column_names=names()),
        convert_options=csv.ConvertOptions(
            column_types=columns, null_values=[""], strings_can_be_null=True
        ),
    )
