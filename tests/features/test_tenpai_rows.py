"""Rows for the tenpai GAM."""

from __future__ import annotations

import pandas as pd
import pytest

from features import tenpai_rows
from houjuu.game.events import Game


@pytest.fixture(scope="module")
def rows(own_games: list[Game]) -> pd.DataFrame:
    return tenpai_rows.rows(own_games)


def test_the_three_opponents_are_sampled_alike(rows: pd.DataFrame) -> None:
    assert 0 < rows["tenpai"].mean() < 0.5
    relative = (rows["opponent"] - rows["seat"]) % 4
    assert relative.value_counts(normalize=True).min() > 0.3
