"""Rows of the project's own games, once for all tests of the fits."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import pytest

import houjuu
from features import tenpai_rows as tenpai_rows_of
from features import wait_rows as wait_rows_of
from houjuu.estimators.kurita_hoki.model import KuritaHoki
from houjuu.game.events import Game
from models.paper.hand_prior import with_prior_win
from tests.models.isolated import Isolated, isolation


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
    return with_prior_win(paper, wait_rows_of.rows(own_games)[0])


@pytest.fixture(scope="module")
def isolated() -> Iterator[Isolated]:
    """A process for JAX, one for all tests of a module."""
    with isolation() as call:
        yield call
