"""The benchmark of decisions that are played both ways."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from benchmarks.replay import later_riichi
from houjuu.player.values.action_values import LATER_RIICHI


@pytest.mark.parametrize("rate", [0.02, 0.12])
def test_the_share_of_later_riichi_is_found_again(rate: float) -> None:
    rng = np.random.default_rng(0)
    draws, alone = rng.integers(0, 15, 100_000), rng.uniform(0.05, 0.4, 100_000)
    drawn, claimed = (alone + 0.15 * (1 - (1 - one) ** draws) for one in (rate, LATER_RIICHI))
    won = rng.random(len(draws)) < drawn
    columns = {"draws": draws, "win": alone + 0.15, "other_win": claimed, "other_won": won}
    assert later_riichi(pd.DataFrame(columns)) == pytest.approx(rate, abs=0.01)
