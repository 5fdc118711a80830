"""A classifier of rows with two labels, as scikit-learn calls it.

A fit takes the shards of a table, and the label is a column of it. Predictions take rows.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from houjuu.util.arrays import Bools, Floats

CLASSES = np.array([False, True])


class BinaryClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """The methods of a classifier, from the probability of the label.

    Attributes
    ----------
    classes_ : (2,) array
        `CLASSES`, set by the fit.
    """

    classes_: Any

    @abstractmethod
    def _probability(self, rows: pd.DataFrame) -> Floats:
        """P(label) of each row, (m,), 0–1."""

    def predict_proba(self, rows: pd.DataFrame) -> Floats:
        """Probability of each class, (m, 2).

        Raises
        ------
        NotFittedError
            There was no fit.
        """
        check_is_fitted(self)
        p = self._probability(rows)
        return np.column_stack([1.0 - p, p])

    def predict(self, rows: pd.DataFrame) -> Bools:
        """The likelier class of each row, (m,)."""
        likelier = self.predict_proba(rows).argmax(axis=1)
        return np.asarray(self.classes_[likelier])
