"""Rows for the tenpai GAM."""

from __future__ import annotations

import pandas as pd
import pytest

from features import schema, tenpai_rows
from features.schema.tenpai import TENPAI
from houjuu.game.events import Game


@pytest.fixture(scope="module")
def rows(own_games: list[Game]) -> pd.DataFrame:
    return tenpai_rows.rows(own_games)


def test_rows_keep_to_the_schema(rows: pd.DataFrame) -> None:
    assert list(rows.columns) == schema.names(TENPAI)
    assert len(set(rows.columns)) == len(rows.columns)
    assert [str(dtype) for dtype in rows.dtypes] == [column.dtype for column in TENPAI]
    assert not rows.duplicated(schema.names(schema.KEY)).any()
    assert 0 < rows["tenpai"].mean() < 0.5
    assert tenpai_rows.rows([]).empty


def test_the_three_opponents_are_sampled_alike(rows: pd.DataFrame) -> None:
    relative = (rows["opponent"] - rows["seat"]) % 4
    assert relative.value_counts(normalize=True).min() > 0.3
