"""The pages that the pipeline writes: each is one file without external assets or scripts.

A page contains its text in every language, and a style that shows the chosen one.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from houjuu.util.languages import LANGUAGES, NAMES, Value, translate

_FOLDER = Path(__file__).parent
_CATALOGUES = [translate(language, __name__) for language in LANGUAGES]


def template(name: str) -> Template:
    """A template of this folder; all have the same style."""
    loader = FileSystemLoader(_FOLDER)
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    environment.globals["css"] = (_FOLDER / "style.css").read_text()
    environment.globals["t"] = in_all_languages
    environment.globals["languages"] = [
        (catalogue, NAMES[catalogue.language]) for catalogue in _CATALOGUES
    ]
    return environment.get_template(name)


def in_all_languages(key: str, **values: Value) -> Markup:
    """The message of a key in every language, of which a page shows one."""
    element = Markup('<span lang="{}">{}</span>')
    return Markup().join(
        element.format(catalogue.tag, catalogue(key, **values)) for catalogue in _CATALOGUES
    )


def flag_outside(table: pd.DataFrame) -> pd.DataFrame:
    """A calibration table with `outside`: the prediction lies outside the measured interval."""
    outside = (table["predicted"] < table["low"]) | (table["predicted"] > table["high"])
    return table.assign(outside=outside)


def lines(table: pd.DataFrame, key: str, edges: Sequence[float]) -> list[dict[Hashable, Any]]:
    """The lines of a table, with the value of the key as `group` and the flag `outside`."""
    names = [f"{100 * low:g}–{100 * high:g}%" for low, high in pairwise(edges)]
    group = [names[value] if key == "bin" else value for value in table[key]]
    return flag_outside(table).assign(group=group).to_dict("records")
