"""``make ship``: what was just trained on real logs becomes the model that ships."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from houjuu import parameters
from houjuu.errors import Error
from houjuu.estimator import DEFAULT_MODEL
from houjuu.player import prospects
from pipeline import figures, measured, stage
from pipeline.evaluate import TABLES
from pipeline.files import replacing
from pipeline.foresee import YAKU

FITTED = Path("houjuu/fitted")
PICTURES = {"tenpai_by_turn": figures.by_turn, "deal_in_by_tile": figures.deal_in_by_tile}
"""What is drawn in docs/, of tables of those names about the default model."""


def main() -> None:
    """Copy the exported files under their models' names; refuse what nobody could make again."""
    targets = {path: FITTED / f"{_checked(path)}.npz" for path in measured.FILES.values()}
    _checked(YAKU)
    targets[YAKU] = Path("houjuu") / prospects.SHIPPED
    for source, target in targets.items():
        with replacing(target) as path:
            path.write_bytes(Path(source).read_bytes())
    for name, draw in PICTURES.items():
        with replacing(f"docs/{name.replace('_', '-')}.svg") as path:
            table = measured.place(DEFAULT_MODEL, TABLES) / f"{name}.csv"
            path.write_text(figures.svg(draw(pd.read_csv(table))))


def _checked(path: str) -> str:
    """Name of the model in a file that may be shipped."""
    header = parameters.read(path).header
    if header["fitted_on"]["source"] != "Tenhou logs":
        raise Error("was fitted on self-play, which is no judge of people", file=path)
    if header["commit"] is None or header["commit"].endswith("+"):
        raise Error(f"was fitted by code that is no commit ({header['commit']})", file=path)
    return str(header["model"])


if __name__ == "__main__":
    stage.run(main)
