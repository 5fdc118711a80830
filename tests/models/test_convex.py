"""The search of the fits: it finds the minimum, says when it has not, and forgets the processor."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from houjuu.arrays import Floats
from houjuu.errors import Error
from models import convex, logistic

KERNELS = ("Nehalem", "Sandybridge", "Haswell")
FIT = """
import json
import numpy as np
from threadpoolctl import threadpool_info
from models.conditional_logit import fit
from tests.models.test_conditional_logit import binary_samples
from tests.models.test_convex import weighted_rows
from models import logistic

terms, samples, _ = binary_samples(np.ones(3000))
coef, intercept = logistic.fit(*weighted_rows(), np.full(30, 0.3))
print(json.dumps({
    "kernels": sorted({info["architecture"] for info in threadpool_info()
                       if info["internal_api"] == "openblas"}),
    "weights": [*fit(terms, samples, penalty=2.0).tolist(), *coef.tolist(), intercept],
}))
"""


def weighted_rows() -> tuple[sparse.csr_matrix, Floats, Floats]:
    """Design, label and weight of rows with 30 correlated flags."""
    rng = np.random.default_rng(0)
    flags = rng.random((4000, 30)) < rng.random(30)
    flags[:, 1] = flags[:, 0] ^ (rng.random(4000) < 0.02)
    probability = 1 / (1 + np.exp(-(flags @ rng.normal(size=30))))
    label = (rng.random(4000) < probability).astype(float)
    weight = rng.integers(1, 4, 4000).astype(float)
    return sparse.csr_matrix(flags.astype(float)), label, weight


def test_the_minimum_is_that_of_scikit_learn() -> None:
    design, label, weight = weighted_rows()
    coef, intercept = logistic.fit(design, label, weight, np.full(30, 0.3))
    theirs = LogisticRegression(C=1 / 0.3, tol=1e-12, max_iter=10_000)
    theirs.fit(design.toarray(), label, weight)
    assert coef == pytest.approx(theirs.coef_[0], abs=1e-5)
    assert intercept == pytest.approx(theirs.intercept_[0], abs=1e-5)


def test_each_weight_has_its_penalty() -> None:
    design, label, weight = weighted_rows()
    penalty = np.full(30, 0.3)
    free, _ = logistic.fit(design, label, weight, penalty)
    penalty[5] = 1e6
    held, _ = logistic.fit(design, label, weight, penalty)
    assert abs(held[5]) < 1e-2 < abs(free[5])


def test_a_start_changes_nothing() -> None:
    rows, penalty = weighted_rows(), np.full(30, 0.3)
    first = logistic.fit(*rows, penalty)
    again = logistic.fit(*rows, penalty, start=(np.linspace(-2, 2, 30), 1.0))
    assert again[0] == pytest.approx(first[0], abs=1e-6)
    assert again[1] == pytest.approx(first[1], abs=1e-6)


def test_a_loss_without_a_minimum_is_an_error() -> None:
    def falling(weights: Floats) -> tuple[float, Floats]:
        return -float(weights.sum()), -np.ones(2)

    with pytest.raises(Error, match="has not converged"):
        convex.minimize_whitened(falling, lambda _: np.eye(2), np.zeros(2), np.ones(2))


@pytest.mark.slow
def test_other_kernels_give_the_same_weights() -> None:
    """`python -m benchmarks.kernels` does this with all fits and real rows."""
    fits = {}
    for kernel in KERNELS:
        done = subprocess.run(
            [sys.executable, "-c", FIT],
            env=os.environ | {"OPENBLAS_CORETYPE": kernel},
            check=True,
            capture_output=True,
            text=True,
        )
        fits[kernel] = json.loads(done.stdout.splitlines()[-1])
    if len({str(fit["kernels"]) for fit in fits.values()}) < len(KERNELS):
        pytest.skip("the linear algebra has no kernels to choose from")
    expected = fits[KERNELS[0]]["weights"]
    assert len(expected) > 30
    for fit in fits.values():
        assert fit["weights"] == pytest.approx(expected, rel=1e-6, abs=1e-7)
