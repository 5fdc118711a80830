"""Factors of the two terms of the logit of P(tenpai), by number of open melds.

    logit P = a_f · GAM + b_f · network + c_f

The factors are fitted to rows that the networks have not seen. A penalty on their distance to
(1, 1, 0) leaves the terms nearly unchanged where rows are few. `chosen` keeps a network only where
it is certain to help: each half of the games judges the factors of the other half.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import expit

from houjuu.estimators.log_linear.tenpai_gam import MELD_GROUPS
from houjuu.util.arrays import Bools, Floats, Ints
from models.fitting import convex, pull

UNCHANGED = (1.0, 1.0, 0.0)
WITHOUT = (1.0, 0.0, 0.0)
"""The GAM alone."""
PENALTY = 20.0


class TermRows(NamedTuple):
    """Rows of both terms.

    Attributes
    ----------
    gam, network : (m,) arrays
        The terms of the logit.
    melds : (m,) array
        Open melds, 0–3.
    label : (m,) array
        Whether the opponent is tenpai.
    game : (m,) array
        A hash of the game.
    """

    gam: Floats
    network: Floats
    melds: Ints
    label: Bools
    game: npt.NDArray[np.uint64]

    def subset(self, mask: Bools) -> TermRows:
        """Some of the rows."""
        gam, network, melds, label, game = self
        return TermRows(gam[mask], network[mask], melds[mask], label[mask], game[mask])


def chosen(rows: TermRows, default: tuple[float, float, float] = WITHOUT) -> Floats:
    """The default, the fitted factors or the GAM alone: what loses least, (4, 3).

    Something else than the default must be better by more than a standard error over games.

    Parameters
    ----------
    rows : TermRows
        Of games that the networks have not seen.
    default : tuple of 3 floats, default=`WITHOUT`
        For a network of another fit: `UNCHANGED`.
    """
    fixed = {row: np.tile(row, (MELD_GROUPS, 1)) for row in (default, WITHOUT)}
    half = (rows.game & np.uint64(1)).astype(bool)
    if not half.any() or half.all():
        return fixed[default]
    losses = {row: _by_game(rows, factors) for row, factors in fixed.items()}
    crossed = [(fit(*rows.subset(~part)[:-1]), rows.subset(part)) for part in (half, ~half)]
    fitted = pd.concat([_by_game(others, factors) for factors, others in crossed])
    candidates = [(fixed[WITHOUT], losses[WITHOUT]), (fit(*rows[:-1]), fitted.sort_index())]
    best, factors = losses[default], fixed[default]
    for candidate, loss in candidates:
        mean, error = pull.gain(best, loss)
        if mean > error:
            best, factors = loss, candidate
    return factors


def fit(gam: Floats, network: Floats, melds: Ints, label: Bools) -> Floats:
    """The factors of the GAM and of the network, and the constant, (4, 3).

    Parameters as in `TermRows`.
    """
    terms = np.column_stack([gam, network, np.ones(len(gam))])
    start = np.array(UNCHANGED)
    groups = [melds == group for group in range(MELD_GROUPS)]
    fits = [partial(_derivatives, terms[rows], label[rows]) for rows in groups]
    return np.array([convex.newton(derivatives, start) for derivatives in fits])


def _by_game(rows: TermRows, factors: Floats) -> pd.Series[float]:
    """The sum of the log loss of each game, nats."""
    a, b, c = factors[rows.melds].T
    logit = a * rows.gam + b * rows.network + c
    losses = np.logaddexp(0.0, logit) - rows.label * logit
    return pd.Series(losses).groupby(rows.game).sum()


def _derivatives(terms: Floats, label: Bools, factors: Floats) -> tuple[float, Floats, Floats]:
    """The log loss and the penalty, with the gradient and the Hessian."""
    logit = terms @ factors
    predicted = expit(logit)
    away = factors - UNCHANGED
    loss = (np.logaddexp(0.0, logit) - label * logit).sum() + PENALTY / 2 * away @ away
    gradient = terms.T @ (predicted - label) + PENALTY * away
    weight = predicted * (1.0 - predicted)
    hessian = (terms * weight[:, None]).T @ terms + PENALTY * np.eye(len(factors))
    return float(loss), gradient, hessian
