"""Two runs that were asked about the same decisions, beside each other."""

from __future__ import annotations

import numpy as np
import pandas as pd

from features import schema
from models.comparison import difference, loss
from models.evaluation import DECISION

ROW = [*DECISION, "opponent", "kind"]
OF = ("all", *schema.READ_AS)


def paired(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    """Log loss of dealing in on the rows that both runs have.

    Parameters
    ----------
    first, second : DataFrame
        `features.schema.DANGERS`.

    Returns
    -------
    DataFrame
        A row a class of opponent, and one for all: of, rows, first and second (log loss, nats),
        less (second less first) and half (half its 95% interval, in which a game counts once).
    """
    columns = [*ROW, "predicted"]
    both = second.merge(first[columns], on=ROW, suffixes=("", "_first"), validate="1:1")
    groups = ((name, both if name == "all" else both[both["read_as"] == name]) for name in OF)
    lines = [_line(name, rows) for name, rows in groups if len(rows)]
    return pd.DataFrame(lines, columns=["of", "rows", "first", "second", "less", "half"])


def _line(name: str, rows: pd.DataFrame) -> tuple[str, int, float, float, float, float]:
    measured = rows["measured"].to_numpy()
    first, second = (
        loss(rows[of].to_numpy(dtype=np.float64), measured)
        for of in ("predicted_first", "predicted")
    )
    less = difference(second, first, rows["game"].to_numpy())
    return (name, len(rows), float(first.mean()), float(second.mean()), *less)
