"""Factors of the two terms of the logit of P(tenpai), by number of open melds.

    logit P = a_f · GAM + b_f · network + c_f

The factors are fitted to rows that the networks have not seen. A penalty on their distance to
(1, 1, 0) leaves the terms nearly unchanged where rows are few.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.special import expit

from houjuu.estimators.log_linear.tenpai_gam import MELD_GROUPS
from houjuu.util.arrays import Bools, Floats, Ints
from models.fitting import convex

UNCHANGED = (1.0, 1.0, 0.0)
PENALTY = 20.0


def fit(gam: Floats, network: Floats, melds: Ints, label: Bools) -> Floats:
    """The factors of the GAM and of the network, and the constant, (4, 3).

    Parameters
    ----------
    gam, network : (m,) arrays
        The terms of the logit.
    melds : (m,) array
        Open melds, 0–3.
    label : (m,) array
        Whether the opponent is tenpai.
    """
    terms = np.column_stack([gam, network, np.ones(len(gam))])
    start = np.array(UNCHANGED)
    groups = [melds == group for group in range(MELD_GROUPS)]
    fits = [partial(_derivatives, terms[rows], label[rows]) for rows in groups]
    return np.array([convex.newton(derivatives, start) for derivatives in fits])


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
