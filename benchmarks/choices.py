"""Ablation of the choices that the paper leaves open: tenpai log loss on held-out games.

Run it after `make train`, which writes the rows in data/. Each variant is fitted to all training
games, and to the first few hundred, where cells have few samples. "difference" is to the default of
params.yaml, in thousandths of a nat, with its 95% interval clustered by game; negative is better.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from benchmarks import output
from features.schema import PAPER_TENPAI
from houjuu.util.arrays import Floats
from houjuu.util.intervals import clustered_mean
from models.fitting.shards import FrameShards
from models.metrics.calibration import row_losses
from models.paper.tenpai import TenpaiGrid
from pipeline import settings
from pipeline.paths import PAPER_TENPAI_ROWS
from pipeline.tables import read_rows

VARIANTS: tuple[dict[str, Any], ...] = (
    {},
    {"share_suits": False},
    *({"max_discards": discards} for discards in (9, 12, 15, 21)),
    *({"borrow": share} for share in (0.0, 0.3, 0.7, 0.9)),
    *({"borrow_below": count} for count in (1000, 16_000, 10**9)),
    *({"C": strength} for strength in (0.01, 0.1, 10.0)),
)


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("--few", type=int, default=300, help="number of games of the small fit")
    arguments = options.parse_args()
    rows, held_out = (
        read_rows(PAPER_TENPAI_ROWS, PAPER_TENPAI, held_out=held_out) for held_out in (False, True)
    )
    first = rows["game"].drop_duplicates()[: arguments.few]
    lines = [
        line
        for name, fitted in (("all", rows), (f"{arguments.few}", rows[rows["game"].isin(first)]))
        for line in compare(name, fitted, held_out)
    ]
    output.show(lines, as_json=arguments.json)


def compare(name: str, rows: pd.DataFrame, held_out: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield a line for each variant, the default first."""
    default = settings.load().paper_tenpai
    base: Floats | None = None
    for variant in VARIANTS:
        loss = losses(TenpaiGrid(**default | variant).fit(FrameShards(rows)), held_out)
        base = loss if base is None else base
        changed = ", ".join(f"{key} {value}" for key, value in variant.items())
        n_open_melds = held_out["n_open_melds"].to_numpy()
        yield {
            "games": name,
            "changed": changed or "the default",
            "log loss": float(loss.mean()),
            **{f"{f} melds": float(loss[n_open_melds == f].mean()) for f in range(4)},
            "difference": float(1000 * (loss - base).mean()),
            "95%": interval(1000 * (loss - base), held_out["game"]),
        }


def losses(grid: TenpaiGrid, rows: pd.DataFrame) -> Floats:
    """Log loss of each row, (n,), in nats."""
    return row_losses(grid.predict(rows).tenpai, rows["tenpai"].to_numpy(dtype=bool))


def interval(values: Floats, games: pd.Series[Any]) -> list[float]:
    """95% interval of a mean, clustered by game."""
    mean, half = clustered_mean(values, games.to_numpy(object))
    return [mean - half, mean + half]


if __name__ == "__main__":
    main()
