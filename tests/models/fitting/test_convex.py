"""The search of the fits: it finds the minimum or raises an error, on every processor alike."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from houjuu.util.arrays import Floats
from houjuu.util.errors import Error
from models.fitting import convex, logistic
from models.fitting.logistic import CodedRows
from models.fitting.lookups import CodeBlock, Lookups, packed
from models.fitting.shards import ArrayList, Arrays, Part, early_part

Result = TypeVar("Result")

KERNELS = ("Nehalem", "Sandybridge", "Haswell")
FIT = """
import json
import numpy as np
from threadpoolctl import threadpool_info
from models.fitting.conditional_logit import compact, fit
from models.fitting.shards import ArrayList
from tests.models.fitting.test_conditional_logit import binary_samples
from tests.models.fitting.test_convex import fitted, weighted_rows

terms, samples, _ = binary_samples(np.ones(3000))
shards = ArrayList([compact(terms, samples)])
print(json.dumps({
    "kernels": sorted({info["architecture"] for info in threadpool_info()
                       if info["internal_api"] == "openblas"}),
    "weights": [*fit(terms, shards, penalty=2.0).tolist(), *fitted(weighted_rows()).tolist()],
}))
"""


LOOKUPS = Lookups(
    [
        CodeBlock.side_by_side(np.array([[0, 2, 4, 60]]), [2, 2, 2, 1]),
        *(CodeBlock.side_by_side(np.array([[first]]), [2]) for first in range(6, 60, 2)),
    ],
    61,
)
"""30 flags, three of them in one block with the intercept, which is the last weight."""


def weighted_rows() -> Arrays:
    """Rows with 30 correlated flags."""
    rng = np.random.default_rng(0)
    flags = rng.random((4000, 30)) < rng.random(30)
    flags[:, 1] = flags[:, 0] ^ (rng.random(4000) < 0.02)
    probability = 1 / (1 + np.exp(-(flags @ rng.normal(size=30))))
    label = rng.random(4000) < probability
    return {"flags": flags, "label": label, "weight": rng.integers(1, 4, 4000).astype(float)}


def read(arrays: Arrays) -> Iterator[CodedRows]:
    flags = arrays["flags"].T.astype(np.uint8)
    codes = [packed(flags[:3], [2, 2, 2]), *flags[3:]]
    offset = np.zeros(len(arrays["label"]))
    yield CodedRows(0, codes, arrays["label"], arrays["weight"], offset)


def fitted(rows: Arrays, penalty: Floats | None = None, start: Floats | None = None) -> Floats:
    """Weights of both values of every flag, and the intercept."""
    penalty = np.append(np.full(60, 0.3), 0.0) if penalty is None else penalty
    start = np.zeros(61) if start is None else start
    shards = ArrayList({name: array[i::2] for name, array in rows.items()} for i in range(2))
    return logistic.fit(shards, read, LOOKUPS, penalty, start)


def test_the_minimum_is_that_of_scikit_learn() -> None:
    rows = weighted_rows()
    weights = fitted(rows)
    one_hot = np.stack([~rows["flags"], rows["flags"]], axis=2).reshape(4000, 60).astype(float)
    theirs = LogisticRegression(C=1 / 0.3, tol=1e-10, max_iter=1000, solver="newton-cg")
    theirs.fit(one_hot, rows["label"], rows["weight"])
    assert weights[:-1] == pytest.approx(theirs.coef_[0], abs=1e-5)
    assert weights[-1] == pytest.approx(theirs.intercept_[0], abs=1e-5)


def test_each_weight_has_its_penalty() -> None:
    rows = weighted_rows()
    penalty = np.append(np.full(60, 0.3), 0.0)
    free = fitted(rows, penalty)
    penalty[10:12] = 1e6
    penalized = fitted(rows, penalty)
    assert np.abs(penalized[10:12]).max() < 1e-2 < np.abs(free[10:12]).min()


def test_a_start_changes_nothing() -> None:
    rows = weighted_rows()
    again = fitted(rows, start=np.linspace(-2, 2, 61))
    assert again == pytest.approx(fitted(rows), abs=1e-6)


def test_a_loss_without_a_minimum_is_an_error() -> None:
    def falling(_: Part, weights: Floats) -> tuple[float, Floats]:
        return -float(weights.sum()), -np.ones(2)

    with pytest.raises(Error, match="has not converged"):
        convex.minimize_whitened(ArrayList([]), falling, lambda *_: np.eye(2), np.zeros(2))


class Counted(ArrayList):
    """Shards that count their passes by the number of shards seen."""

    def __init__(self, shards: Iterable[Arrays], seen: Counter[int]) -> None:
        super().__init__(shards)
        self.seen = seen

    def map(self, function: Callable[[Arrays], Result]) -> Iterator[Result]:
        self.seen[len(self)] += 1
        return super().map(function)

    def every(self, step: int) -> Counted:
        return Counted(self._shards[::step], self.seen)


def test_the_early_rounds_see_a_part_of_many_shards() -> None:
    """Of 40 shards four; the minimum is that of all of them, after fewer passes over all."""
    rows = weighted_rows()
    shards = [{name: array[i::40] for name, array in rows.items()} for i in range(40)]
    penalty = np.append(np.full(60, 0.3), 0.0)
    seen: Counter[int] = Counter()
    weights = logistic.fit(Counted(shards, seen), read, LOOKUPS, penalty, np.zeros(61))
    assert weights == pytest.approx(fitted(rows), abs=1e-6)
    assert seen.keys() == {4, 40}
    few: Counter[int] = Counter()
    joined = [{name: array[i::19] for name, array in rows.items()} for i in range(19)]
    logistic.fit(Counted(joined, few), read, LOOKUPS, penalty, np.zeros(61))
    assert few.keys() == {19}
    assert seen[40] < few[19]


def test_a_part_stands_for_all_shards() -> None:
    shards = ArrayList({"number": np.array([i])} for i in range(25))
    part = early_part(shards)
    assert [arrays["number"].tolist() for arrays in part.shards.map(dict)] == [[0], [10], [20]]
    assert part.sums(lambda arrays: (len(arrays["number"]),)) == [25]
    whole = early_part(shards.every(2))
    assert (len(whole.shards), whole.factor) == (13, 1.0)


@pytest.mark.deep
def test_other_kernels_give_the_same_weights() -> None:
    """A fit has converged when another processor gives the same metrics to six digits."""
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
