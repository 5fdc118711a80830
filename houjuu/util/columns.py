"""A column of a table of rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table: its type, its unit or range, and its source."""

    name: str
    dtype: str
    unit: str
    source: str


def arrow(columns: Iterable[Column]) -> pa.Schema:
    """The columns as a Parquet schema, whose fields have unit and source as their metadata.

    Categories are dictionary-encoded texts. It needs pyarrow.
    """
    import pyarrow as pa

    text = pa.dictionary(pa.int32(), pa.string())
    types = {"category": text, "bool": pa.bool_(), "object": pa.binary()}
    return pa.schema(
        [
            pa.field(
                column.name,
                types.get(column.dtype) or pa.type_for_alias(column.dtype),
                metadata={"unit": column.unit, "source": column.source},
            )
            for column in columns
        ]
    )
