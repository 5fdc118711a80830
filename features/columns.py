"""Columns of a table of rows as arrays."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

import numpy as np
import pandas as pd

from houjuu.game.events import Game
from houjuu.util.arrays import Floats, Ints

Names = Hashable | list[str]
"""One column, or several."""


def whole_numbers(
    games: Iterable[Game],
    rows_of: Callable[[Game], Iterable[Sequence[int]]],
    names: list[str],
) -> pd.DataFrame:
    """The rows of some games, in the order of play: numbers by name, and the id of each game."""
    numbers: list[Sequence[int]] = []
    ids: list[str] = []
    for game in games:
        numbers += rows_of(game)
        ids += [game.id] * (len(numbers) - len(ids))
    table = np.array(numbers, np.int32).reshape(-1, len(names))
    return pd.DataFrame(table, columns=names).assign(game=pd.Categorical(ids))


def ints(rows: pd.DataFrame, names: Names) -> Ints:
    """One column, (n,), or several, (n, columns), as integers of 64 bits."""
    return rows[names].to_numpy(np.int64)


def floats(rows: pd.DataFrame, names: Names) -> Floats:
    """One column, (n,), or several, (n, columns), in double precision."""
    return rows[names].to_numpy(np.float64)


def row_chunks(rows: pd.DataFrame, size: int) -> Iterator[pd.DataFrame]:
    """Yield the rows in chunks of this size, the last one smaller; of no rows one empty chunk."""
    for start in range(0, max(len(rows), 1), size):
        yield rows.iloc[start : start + size]
