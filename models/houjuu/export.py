"""The parameter files of the default model, without and with the network of discards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from features.tenpai_rows import codes_of_rows, feature_matrix
from houjuu.estimators.log_linear.tenpai_gam import TenpaiGAMModel
from houjuu.util.parameters import Parameters
from models.export import joined, largest, part_parameters, within_tolerance
from models.houjuu.tenpai_gam import TenpaiGAM

if TYPE_CHECKING:  # JAX takes seconds to import, and most stages do without
    from models.houjuu.discard_network import DiscardNetworkFit

ADDITIVE = "houjuu-additive"
HOUJUU = "houjuu"
SINGLE_TOLERANCE = 1e-4


def log_linear_parameters(
    paper: Parameters, parts: Iterable[Parameters], about: Mapping[str, Any]
) -> Parameters:
    """The parameter file of the additive model: that of the paper with further parts."""
    named = {"model": ADDITIVE, "family": "log_linear"}
    return joined(paper, parts, {**about, **named})


def network_part(gam: TenpaiGAMModel, network: DiscardNetworkFit) -> Parameters:
    """The network of discards, and the GAM's weights times the factors that its fit found."""
    part = part_parameters("discard_network", network)
    scaled = gam.scaled(network.gam_factors_)
    weights = {f"tenpai_gam/{name}": getattr(scaled, name) for name in ("bias", "weights")}
    return Parameters(part.header, {**part.arrays, **weights})


def network_parameters(
    additive: Parameters, part: Parameters, about: Mapping[str, Any]
) -> Parameters:
    """The parameter file of the default model: the additive one with a `network_part`."""
    return joined(additive, [part], {**about, "model": HOUJUU})


def check_tenpai_gam(gam: TenpaiGAM, rows: pd.DataFrame) -> float:
    """Largest difference between the probabilities of the runtime and of the fit.

    Raises
    ------
    Error
        It exceeds `models.export.TOLERANCE`.
    """
    n_open_melds = rows["n_open_melds"].to_numpy(np.int64)
    predicted = gam.to_runtime().predict(n_open_melds, feature_matrix(rows))
    return within_tolerance(largest(predicted - gam.predict_proba(rows)[:, 1]))


def check_network(fit: DiscardNetworkFit, rows: pd.DataFrame) -> float:
    """Largest difference between the terms of the runtime and of the fit, in single precision.

    Raises
    ------
    Error
        It exceeds `SINGLE_TOLERANCE`.
    """
    n_open_melds = rows["n_open_melds"].to_numpy(np.int64)
    terms = fit.to_runtime().terms(n_open_melds, codes_of_rows(rows))
    return within_tolerance(largest(terms - fit.terms(rows)), SINGLE_TOLERANCE)
