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
    arrays = {
        f"{name}/{field.name}": np.asarray(getattr(model, field.name))
        for name, model in ((name, part.model()) for name, part in parts.items())
        for field in fields(model)
    }
    return Parameters(header, arrays)


def with_signs(
    paper: Parameters, regression: SignsRegression, about: Mapping[str, Any]
) -> Parameters:
    """The parameter file of the model "houjuu": the paper's, with its regression on signs."""
    model = regression.model()
    settings = {**paper.header["parameters"], "signs": regression.get_params()}
    arrays = {f"signs/{of.name}": np.asarray(getattr(model, of.name)) for of in fields(model)}
    header = {**paper.header, **about, "model": "houjuu", "parameters": settings}
    return Parameters(header, {**paper.arrays, **arrays})


def check_additive(regression: SignsRegression, model: AdditiveModel, rows: pd.DataFrame) -> float:
    """As `check_against_sklearn`, for the regressions on signs."""
    worst = 0.0
    for melds, of in enumerate(regression.regressions_):
        some = rows[rows["melds"] == melds]
        if of is not None and len(some):
            ours = model.read(some["melds"].to_numpy(np.int64), numbers(some))
            theirs = of.predict_proba(regression.design(some))[:, 1]
            worst = max(worst, float(np.abs(ours - theirs).max()))
    return _within(worst)


def _within(worst: float) -> float:
    if worst > TOLERANCE:
        raise Error(f"the exported model differs from scikit-learn's by {worst:.2e}")
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
