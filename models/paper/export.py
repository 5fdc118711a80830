"""The parameter files of the paper's model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, astuple
from typing import Any

import numpy as np
import pandas as pd

from features import schema
from houjuu.estimators.kurita_hoki.melded_hands import MeldedHandModel
from houjuu.game.tiles import KINDS
from houjuu.reading.table1 import Table1Features
from houjuu.util.parameters import Parameters
from models.export import Trainer, arrays, largest, within_tolerance
from models.paper.melded import MeldedWeights
from models.paper.tenpai import TenpaiGrid
from models.paper.waits import WaitFrequencies

PAPER = "kurita-hoki-2017"
PRINTED = "kurita-hoki-2017-printed"


def paper_parameters(
    grid: TenpaiGrid, waits: WaitFrequencies, melded: MeldedWeights, about: Mapping[str, Any]
) -> Parameters:
    """The parameter file of the paper's model.

    Parameters
    ----------
    grid : TenpaiGrid
    waits : WaitFrequencies
    melded : MeldedWeights
    about : mapping
        Header entries: fitted_on, metrics, commit.
    """
    parts: dict[str, Trainer] = {
        "paper_tenpai": grid,
        "paper_waits": waits,
        "paper_melded": melded,
    }
    header = {
        "model": PAPER,
        "family": "kurita_hoki",
        "parameters": {name: part.get_params() for name, part in parts.items()},
        "base_rates": {"tenpai": grid.rates_},
        **about,
    }
    return Parameters(header, arrays(parts))


def printed_parameters(paper: Parameters) -> Parameters:
    """The parameter file of the paper's model with the constants that the paper prints.

    The weights of hands are those of section 5.2: 0.2 for other waits (equation 15), no reduction
    for hands without a yaku (equations 9–18), no colour with four melds (equations 10 and 11), and
    no floor. Kokushi has probability 0 (section 5.3). Frequencies and regressions are fitted.
    """
    printed = asdict(MeldedHandModel())
    arrays = {f"paper_melded/{name}": np.asarray(value) for name, value in printed.items()}
    header = {
        **paper.header,
        "model": PRINTED,
        "parameters": paper.header["parameters"] | {"paper_melded": printed},
    }
    no_kokushi = {"paper_waits/floor": np.zeros(KINDS)}
    return Parameters(header, {**paper.arrays, **arrays, **no_kokushi})


def check_paper_tenpai(grid: TenpaiGrid, rows: pd.DataFrame) -> float:
    """Largest difference between the probabilities of the runtime and of scikit-learn.

    Raises
    ------
    Error
        It exceeds `models.export.TOLERANCE`.
    """
    predicted = grid.to_runtime().predict(Table1Features.from_columns(schema.arrays(rows)))
    pairs = zip(astuple(predicted), astuple(grid.predict_tenpai(rows)), strict=True)
    return within_tolerance(max(largest(ours - theirs) for ours, theirs in pairs))
