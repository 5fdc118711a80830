"""Random wait features, for properties of every table."""

from __future__ import annotations

import numpy as np

from houjuu.game.tiles import KINDS
from houjuu.reading import wait_features
from houjuu.reading.wait_features import LAYOUT, LENGTH, NO_SUIT
from houjuu.util.arrays import Int8s


def random_features(count: int, seed: int = 3) -> Int8s:
    """Each feature uniform in its range and the pads 0, (count, LENGTH)."""
    rng = np.random.default_rng(seed)
    features = np.zeros((count, LENGTH), np.int8)
    blocks = (
        (wait_features.BY_KIND, KINDS),
        (wait_features.BY_SUIT, NO_SUIT),
        (wait_features.GLOBAL, 1),
    )
    for specs, used in blocks:
        for spec in specs:
            start = LAYOUT.start[spec.name]
            features[:, start : start + used] = rng.integers(spec.size, size=(count, used))
    return features
