"""The pages that the pipeline writes: each is one file without external assets."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

_FOLDER = Path(__file__).parent


def template(name: str) -> Template:
    """A template of this folder; all have the same style."""
    loader = FileSystemLoader(_FOLDER)
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    environment.globals["css"] = (_FOLDER / "style.css").read_text()
    return environment.get_template(name)


def flag_outside(table: pd.DataFrame) -> pd.DataFrame:
    """A calibration table with `outside`: the prediction lies outside the measured interval."""
    outside = (table["predicted"] < table["low"]) | (table["predicted"] > table["high"])
    return table.assign(outside=outside)
