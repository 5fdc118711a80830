"""Fitted models become the parameter files that the runtime loads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, astuple, fields
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pandas as pd

from features import schema
from features.columns import ints
from features.tenpai_rows import codes_of_rows, feature_matrix
from houjuu.estimators.kurita_hoki.melded_hands import MeldedHandModel
from houjuu.game.tiles import KINDS
from houjuu.reading.table1 import Table1Features
from houjuu.util.arrays import Floats
from houjuu.util.errors import Error
from houjuu.util.parameters import Parameters
from models.houjuu.tenpai_gam import TenpaiGAM
from models.paper.melded import MeldedWeights
from models.paper.tenpai import TenpaiGrid
from models.paper.waits import WaitFrequencies

if TYPE_CHECKING:  # JAX takes seconds to import, and most stages do without
    from models.houjuu.discard_network import DiscardNetworkFit

PAPER = "kurita-hoki-2017"
PRINTED = "kurita-hoki-2017-printed"
ADDITIVE = "houjuu-additive"
HOUJUU = "houjuu"
TOLERANCE = 1e-9
SINGLE_TOLERANCE = 1e-4


class Trainer(Protocol):
    """A fitted estimator of one part."""

    def to_runtime(self) -> Any:
        """The fitted part, a dataclass of arrays, as the runtime loads it."""
        ...

    def get_params(self) -> dict[str, Any]:
        """The settings of the fit."""
        ...


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
    return Parameters(header, _arrays(parts))


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


def log_linear_parameters(
    paper: Parameters, parts: Mapping[str, Trainer], about: Mapping[str, Any]
) -> Parameters:
    """The parameter file of the additive model: that of the paper with further parts, by name."""
    named = {"model": ADDITIVE, "family": "log_linear"}
    return _with_parts(paper, parts, {**about, **named})


def network_parameters(
    additive: Parameters, network: DiscardNetworkFit, about: Mapping[str, Any]
) -> Parameters:
    """The parameter file of the default model: the additive one and the network of discards."""
    return _with_parts(additive, {"discard_network": network}, {**about, "model": HOUJUU})


def _with_parts(
    base: Parameters, parts: Mapping[str, Trainer], about: Mapping[str, Any]
) -> Parameters:
    settings = {name: part.get_params() for name, part in parts.items()}
    header = {**base.header, **about, "parameters": base.header["parameters"] | settings}
    return Parameters(header, {**base.arrays, **_arrays(parts)})


def _arrays(parts: Mapping[str, Trainer]) -> dict[str, Any]:
    return {
        f"{name}/{field.name}": np.asarray(getattr(model, field.name))
        for name, model in ((name, part.to_runtime()) for name, part in parts.items())
        for field in fields(model)
    }


def check_tenpai_gam(gam: TenpaiGAM, rows: pd.DataFrame) -> float:
    """Largest difference between the probabilities of the runtime and of the fit.

    Raises
    ------
    Error
        It exceeds `TOLERANCE`.
    """
    n_open_melds = ints(rows, "n_open_melds")
    predicted = gam.to_runtime().predict(n_open_melds, feature_matrix(rows))
    return _within_tolerance(_largest(predicted - gam.predict(rows)))


def check_network(fit: DiscardNetworkFit, rows: pd.DataFrame) -> float:
    """Largest difference between the terms of the runtime and of the fit, in single precision.

    Raises
    ------
    Error
        It exceeds `SINGLE_TOLERANCE`.
    """
    n_open_melds = ints(rows, "n_open_melds")
    terms = fit.to_runtime().terms(n_open_melds, codes_of_rows(rows))
    return _within_tolerance(_largest(terms - fit.terms(rows)), SINGLE_TOLERANCE)


def check_paper_tenpai(grid: TenpaiGrid, rows: pd.DataFrame) -> float:
    """Largest difference between the probabilities of the runtime and of scikit-learn.

    Raises
    ------
    Error
        It exceeds `TOLERANCE`.
    """
    predicted = grid.to_runtime().predict(Table1Features.from_columns(schema.arrays(rows)))
    pairs = zip(astuple(predicted), astuple(grid.predict(rows)), strict=True)
    return _within_tolerance(max(_largest(ours - theirs) for ours, theirs in pairs))


def _largest(difference: Floats) -> float:
    return float(np.abs(difference).max(initial=0.0))


def _within_tolerance(worst: float, tolerance: float = TOLERANCE) -> float:
    if worst > tolerance:
        raise Error(f"the exported model differs from the fit by {worst:.2e}")
    return worst
