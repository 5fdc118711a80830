"""``make ship``: what was just trained on real logs becomes the model that ships."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from houjuu import parameters
from houjuu.errors import Error
from pipeline import figures, stage
from pipeline.evaluate import TABLES
from pipeline.export import ESTIMATOR
from pipeline.files import replacing

FITTED = Path("houjuu/fitted")
PICTURES = {"tenpai_by_turn": figures.by_turn, "deal_in_by_tile": figures.deal_in_by_tile}
"""What is drawn in docs/, of tables of those names."""


def main() -> None:
    """Copy the exported file under its model's name; refuse one that nobody could make again."""
    header = parameters.read(ESTIMATOR).header
    if header["fitted_on"]["source"] != "Tenhou logs":
        raise Error("was fitted on self-play, which is no judge of people", file=ESTIMATOR)
    if header["commit"] is None or header["commit"].endswith("+"):
        raise Error(f"was fitted by code that is no commit ({header['commit']})", file=ESTIMATOR)
    with replacing(FITTED / f"{header['model']}.npz") as path:
        path.write_bytes(Path(ESTIMATOR).read_bytes())
    for name, draw in PICTURES.items():
        with replacing(f"docs/{name.replace('_', '-')}.svg") as path:
            path.write_text(figures.svg(draw(pd.read_csv(TABLES / f"{name}.csv"))))


if __name__ == "__main__":
    stage.run(main)
