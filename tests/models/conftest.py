"""Rows of the project's own games, once for all tests of the fits."""

from __future__ import annotations

import pandas as pd
import pytest

import houjuu
from features import tenpai_rows as tenpai_rows_of
from features import wait_rows as wait_rows_of
from houjuu.estimators.kurita_hoki.model import KuritaHoki
from houjuu.game.events import Game


@pytest.fixture(scope="session")
def paper() -> KuritaHoki:
    """The paper's model that ships: its weights of melded hands give the priors."""
    model = houjuu.load("kurita-hoki-2017")
    assert isinstance(model, KuritaHoki)
    return model


@pytest.fixture(scope="session")
def tenpai_rows(own_games: list[Game]) -> pd.DataFrame:
    """Rows of the tenpai GAM."""
    return tenpai_rows_of.rows(own_games)


@pytest.fixture(scope="session")
def wait_rows(own_games: list[Game], paper: KuritaHoki) -> pd.DataFrame:
    """Rows of the wait models."""
    return wait_rows_of.rows(own_games, paper)
