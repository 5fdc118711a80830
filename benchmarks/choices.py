"""What each choice that the paper leaves open is worth: tenpai log loss on held-out games.

Run after `make train`, on the rows that it left in data/. Every setting is fitted to all games that
are not held out, and to the first few hundred of them, where cells are thin; "difference" is to the
default of params.yaml in thousandths of a nat, with its 95% interval, games being the units; below
zero is better.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from benchmarks import output
from features.tenpai import shown
from models.calibration import CLIP, Z95
from models.tenpai import TenpaiGrid
from pipeline import settings
from pipeline.fit import read_rows

VARIANTS: tuple[dict[str, Any], ...] = (
    {},
    {"share_suits": False},
    *({"max_discards": most} for most in (9, 12, 15, 21)),
    *({"borrow": share} for share in (0.0, 0.3, 0.7, 0.9)),
    *({"borrow_below": count} for count in (1000, 16_000, 10**9)),
    *({"C": strength} for strength in (0.01, 0.1, 10.0)),
)


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("--few", type=int, default=300, help="games of the small fit")
    arguments = options.parse_args()
    rows, held_out = read_rows(held_out=False), read_rows(held_out=True)
    first = rows["game"].drop_duplicates()[: arguments.few]
    lines = [
        line
        for name, fitted in (("all", rows), (f"{arguments.few}", rows[rows["game"].isin(first)]))
        for line in compare(name, fitted, held_out)
    ]
    output.show(lines, as_json=arguments.json)


def compare(name: str, rows: pd.DataFrame, held_out: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield a line per variant, the default first."""
    default = settings.load().tenpai
    base: npt.NDArray[np.float64] | None = None
    for variant in VARIANTS:
        loss = losses(TenpaiGrid(**default | variant).fit(rows), held_out)
        base = loss if base is None else base
        changed = ", ".join(f"{key} {value}" for key, value in variant.items())
        melds = held_out["melds"].to_numpy()
        yield {
            "games": name,
            "changed": changed or "the default",
            "log loss": float(loss.mean()),
            **{f"{f} melds": float(loss[melds == f].mean()) for f in range(4)},
            "difference": float(1000 * (loss - base).mean()),
            "95%": interval(1000 * (loss - base), held_out["game"]),
        }


def losses(grid: TenpaiGrid, rows: pd.DataFrame) -> npt.NDArray[np.float64]:
    """Log loss of every row."""
    p = np.clip(grid.model().read(shown(rows)).tenpai, CLIP, 1 - CLIP)
    return -np.log(np.where(rows["tenpai"].to_numpy(dtype=bool), p, 1 - p))


def interval(values: npt.NDArray[np.float64], games: pd.Series[Any]) -> list[float]:
    """95% interval of a mean whose rows come in games."""
    codes, names = pd.factorize(games)
    residual = np.bincount(codes, values - values.mean())
    error = np.sqrt((residual**2).sum() * len(names) / max(len(names) - 1, 1)) / len(values)
    return [float(values.mean() - Z95 * error), float(values.mean() + Z95 * error)]


if __name__ == "__main__":
    main()
