"""Reading a table of risks (`houjuu.arena.risk_table`) of any program, and refusing a bad one.

Another program writes the key, from `game` to `opponent`, and its predictions. A column that it
does not have counts as empty.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from features.schema.opponents import OPPONENT_TYPES
from houjuu.arena.risk_table import KIND_NAMES, NO_TILES, RISKS, VERSION, names
from houjuu.game.tiles import KIND, KINDS, parse_tiles
from houjuu.util.arrays import Bools, Floats
from houjuu.util.errors import Error

KEY = ["game", "round", "seat", "turn", "opponent"]
_TEXTS = {column.name for column in RISKS if column.dtype == "string"}
_MOST = {"seat": 3, "opponent": 3, "is_tenpai": 1, "ronned": 1, "tenpai": 1, "next_draw": 1}
_MOST |= dict.fromkeys(KIND_NAMES, 1) | {"version": VERSION, "counted_draw": 1}
_WHOLE = {"version", "round", "seat", "turn", "opponent", "is_tenpai", "ronned", "paid"}


@dataclass(frozen=True)
class RiskTable:
    """A table with all columns of `RISKS`; an empty cell is NaN.

    Attributes
    ----------
    file : str
    rows : DataFrame
        Numbers are floats, but for the key; texts are str, "" if empty.
    """

    file: str
    rows: pd.DataFrame

    @property
    def risks(self) -> Floats:
        """P(the kind deals in), (n, 34)."""
        return np.asarray(self.rows[list(KIND_NAMES)].to_numpy(dtype=float))

    @property
    def has_truth(self) -> bool:
        """Whether every row has what the log shows of each decision."""
        return bool((self.rows[["opponent_type", "hand", "discard", "genbutsu"]] != "").all().all())

    def masks(self, column: str) -> Bools:
        """The kinds of a column of tiles, (n, 34); none for an empty cell."""
        masks = {text: _mask(text) for text in self.rows[column].unique()}
        return np.array([masks[text] for text in self.rows[column]]).reshape(-1, KINDS)

    def require_predictions(self, hands: Bools, riichi: pd.Series[bool]) -> None:
        """Raise Error unless every kind of a hand, (n, 34), has a risk, and P(tenpai) or no row.

        In riichi P(tenpai) may be empty.
        """
        empty = self.rows["tenpai"].isna().to_numpy()
        missing = empty & ~riichi.to_numpy()
        self.refuse(missing & ~empty.all(), "tenpai", "is empty, and other rows have one")
        no_risk: Bools = np.isnan(self.risks) & hands
        for kind in np.flatnonzero(no_risk.any(axis=0)).tolist():
            self.refuse(
                no_risk[:, kind], KIND_NAMES[kind], "is empty, and the hand has such a tile"
            )

    def refuse(self, bad: Iterable[bool], column: str, reason: str) -> None:
        """Raise the Error of the first bad row, if there is one; rows are numbered from 1.

        In the reason ``{}`` stands for the cell.
        """
        flags = np.asarray(bad, dtype=bool)
        if flags.any():
            row = self.rows.iloc[int(flags.argmax())]
            key = ", ".join(f"{name} {row[name]}" for name in KEY)
            cell = repr(row[column]) if isinstance(row[column], str) else row[column]
            where = f"row {flags.argmax() + 1} ({key}), column {column}"
            raise Error(f"{where}: {reason.format(cell)}", file=self.file)


def read(path: Path) -> RiskTable:
    """Read and check a table.

    Raises
    ------
    Error
        It is not a table of risks; the message names row and column.
    """
    raw = _raw(path)
    unknown = [name for name in raw if name not in names()]
    if unknown:
        raise Error(f"has a column {unknown[0]!r}, which no table of risks has", file=str(path))
    for name in KEY:
        if name not in raw:
            raise Error(f"has no column {name!r}", file=str(path))
    if raw.empty:
        raise Error("has no rows", file=str(path))
    rows = pd.DataFrame({name: _column(raw, name, str(path)) for name in names()})
    table = RiskTable(str(path), rows)
    table.refuse(rows["opponent"] == rows["seat"], "opponent", "{} is the seat itself")
    table.refuse(rows.duplicated(KEY), "opponent", "{} is the second row of this decision")
    for name in ("hand", "discard", "genbutsu", "wins", "drawn"):
        table.refuse(~rows[name].map(_is_tiles), name, "{} is neither tiles nor 'none'")
    types = rows["opponent_type"].isin([*OPPONENT_TYPES, ""])
    table.refuse(~types, "opponent_type", f"{{}} is none of {', '.join(OPPONENT_TYPES)}")
    return table


def _raw(path: Path) -> pd.DataFrame:
    try:
        if path.suffix == ".parquet":
            return pd.read_parquet(path)
        return pd.read_csv(path, dtype=str, keep_default_na=False, na_values=[""])
    except FileNotFoundError:
        raise Error("does not exist", file=str(path)) from None
    except (OSError, ValueError) as problem:
        reason = " ".join(str(problem).split())
        raise Error(f"is no table in CSV or Parquet ({reason})", file=str(path)) from None


def _column(raw: pd.DataFrame, name: str, file: str) -> pd.Series[Any]:
    if name not in raw:
        return pd.Series("" if name in _TEXTS else np.nan, index=raw.index)
    cells = raw[name]
    if name in _TEXTS:
        texts = cells.fillna("").astype(str)
        _refuse_first(file, cells, name, (texts == "") & (name in KEY), "is empty")
        return texts
    numbers = pd.to_numeric(cells, errors="coerce").astype(float)
    empty = cells.isna() | (cells.astype(str).str.strip() == "")
    _refuse_first(file, cells, name, empty & (name in KEY), "is empty")
    least, most = VERSION * (name == "version"), _MOST.get(name, np.inf)
    inside = numbers.between(least, most) & np.isfinite(numbers)
    if name in _WHOLE:
        inside &= numbers % 1 == 0
    _refuse_first(file, cells, name, ~(inside | empty), f"is not {_range(name, least, most)}")
    return numbers.astype(int) if name in KEY else numbers


def _range(name: str, least: float, most: float) -> str:
    kind = "a whole number" if name in _WHOLE else "a number"
    if least == most:
        return f"{least}"
    return f"{kind} from {least}" + ("" if most == np.inf else f" to {most:g}")


def _refuse_first(
    file: str, cells: pd.Series[Any], name: str, bad: pd.Series[bool], reason: str
) -> None:
    if bad.any():
        number = int(np.argmax(bad))
        value = cells.iloc[number]
        shown = "" if pd.isna(value) else f" {value!r}"
        raise Error(f"row {number + 1}, column {name}:{shown} {reason}", file=file)


def _is_tiles(text: str) -> bool:
    try:
        _mask(text)
    except Error:
        return False
    return True


@cache
def _mask(text: str) -> Bools:
    mask = np.zeros(KINDS, bool)
    if text not in ("", NO_TILES):
        mask[[KIND[tile] for tile in parse_tiles(text)]] = True
    return mask
