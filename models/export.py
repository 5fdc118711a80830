"""Fitted models become the parameter file that the runtime loads."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import astuple, fields
from typing import Any

import numpy as np
import pandas as pd

from features.signs import numbers
from features.tenpai import shown
from houjuu.additive import AdditiveModel
from houjuu.errors import Error
from houjuu.parameters import Parameters
from houjuu.tenpai import TenpaiModel
from models.hands import MeldedWeights
from models.signs import SignsRegression
from models.tenpai import TenpaiGrid
from models.waits import WaitFrequencies

MODEL = "kurita-hoki-2017"
TOLERANCE = 1e-9


def parameters(
    grid: TenpaiGrid, waits: WaitFrequencies, melded: MeldedWeights, about: Mapping[str, Any]
) -> Parameters:
    """The parameter file of a fitted model.

    Parameters
    ----------
    grid : TenpaiGrid
    waits : WaitFrequencies
    melded : MeldedWeights
    about : mapping
        Goes into the header: fitted_on, metrics, commit.
    """
    parts: dict[str, Any] = {"tenpai": grid, "waits": waits, "melded": melded}
    header = {
        "model": MODEL,
        "parameters": {name: part.get_params() for name, part in parts.items()},
        "base_rates": {"tenpai": grid.rates_},
        **about,
    }
    return Parameters(header, _arrays(parts))


def houjuu(paper: Parameters, parts: Mapping[str, Any], about: Mapping[str, Any]) -> Parameters:
    """The parameter file of the model "houjuu": the paper's, with parts of its own by name."""
    settings = paper.header["parameters"] | {name: of.get_params() for name, of in parts.items()}
    header = {**paper.header, **about, "model": "houjuu", "parameters": settings}
    return Parameters(header, {**paper.arrays, **_arrays(parts)})


def _arrays(parts: Mapping[str, Any]) -> dict[str, Any]:
    return {
        f"{name}/{field.name}": np.asarray(getattr(model, field.name))
        for name, model in ((name, part.model()) for name, part in parts.items())
        for field in fields(model)
    }


def check_additive(regression: SignsRegression, model: AdditiveModel, rows: pd.DataFrame) -> float:
    """The largest difference between the runtime's probabilities and the fit's own.

    Raises
    ------
    Error
        It exceeds `TOLERANCE`.
    """
    ours = model.read(rows["melds"].to_numpy(np.int64), numbers(rows))
    return _within(float(np.abs(ours - regression.predict(rows)).max(initial=0.0)))


def _within(worst: float) -> float:
    if worst > TOLERANCE:
        raise Error(f"the exported model differs from the fit by {worst:.2e}")
    return worst


def commit(paths: Iterable[str]) -> str | None:
    """The commit that last changed some files, with "+" after it when they differ from it now."""
    try:
        last = _git("log", "-1", "--format=%H", "--", *paths)
        changed = _git("status", "--porcelain", "--", *paths)
    except (OSError, subprocess.CalledProcessError):
        return None
    return last + ("+" if changed else "") if last else None


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def check_against_sklearn(grid: TenpaiGrid, model: TenpaiModel, rows: pd.DataFrame) -> float:
    """The largest difference between the runtime's probabilities and scikit-learn's own.

    Raises
    ------
    Error
        It exceeds `TOLERANCE`.
    """
    pairs = zip(astuple(model.read(shown(rows))), astuple(grid.predict(rows)), strict=True)
    return _within(max(float(np.abs(ours - theirs).max(initial=0.0)) for ours, theirs in pairs))
