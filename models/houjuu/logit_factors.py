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
from houjuu.util.intervals import student95
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
    """The default, the fitted factors or the GAM alone, (4, 3).

    Something else than the default must be better with certainty, by a 95% interval over games.

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
    fitted = _crossed(rows, half)
    if default == WITHOUT:
        # The GAM may have seen the rows: its own factor alone must not speak for the network.
        without_network = rows._replace(network=np.zeros(len(rows.gam)))
        is_better = _certainly_less(fitted, _crossed(without_network, half))
        return fit(*rows[:-1]) if is_better else fixed[WITHOUT]
    before = _by_game(rows, fixed[default])
    if _certainly_less(_by_game(rows, fixed[WITHOUT]), before):
        return fixed[WITHOUT]
    return fit(*rows[:-1]) if _certainly_less(fitted, before) else fixed[default]


def _crossed(rows: TermRows, half: Bools) -> pd.Series[float]:
    """The loss of each game with the factors that are fitted to the other half of the games."""
    halves = [(rows.subset(part), rows.subset(~part)) for part in (half, ~half)]
    return pd.concat([_by_game(of_half, fit(*others[:-1])) for of_half, others in halves])


def _certainly_less(losses: pd.Series[float], others: pd.Series[float]) -> bool:
    """Whether games lose less than with others, by a 95% interval."""
    mean, error = pull.gain(others, losses)
    return mean > student95(len(losses) - 1) * error


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
