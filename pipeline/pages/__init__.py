"""The pages that the pipeline writes: one file each, with nothing outside of it."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

_FOLDER = Path(__file__).parent


def template(name: str) -> Template:
    """One of the folder's templates; all of them have the same style."""
    loader = FileSystemLoader(_FOLDER)
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    environment.globals["css"] = (_FOLDER / "style.css").read_text()
    return environment.get_template(name)


def missed(table: pd.DataFrame) -> pd.DataFrame:
    """A calibration table with `out`: what is predicted lies outside the measured interval."""
    out = (table["predicted"] < table["low"]) | (table["predicted"] > table["high"])
    return table.assign(out=out)
