"""Rows in shards: the partition changes no fit, and the processes not even its bytes."""

from __future__ import annotations

import pickle
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from features import paper_tenpai_rows, ron_score_rows, yaku_rows
from features import wait_rows as wait_rows_of
from houjuu.estimators.kurita_hoki.model import KuritaHoki
from houjuu.game.events import Game
from houjuu.reading.tenpai_features import FEATURES
from models.fitting import logistic
from models.fitting.shards import FrameShards, SelectedShards, Shards, game_hashes, sums
from models.houjuu.tenpai_gam import TenpaiGAM
from models.houjuu.wait_models import HanLogit, MeldedHanLogit, MeldedWaitLogit, WaitLogit
from models.metrics.eval_tasks import rows_of_task
from models.paper.hand_prior import with_prior_han
from models.paper.melded import MeldedWeights
from models.paper.tenpai import TenpaiGrid
from models.player.yaku import YakuRegression
from tests.models.pools import LazyShards, PooledShards

Rows = dict[str, pd.DataFrame]
FITS: dict[str, Callable[[], Any]] = {
    "tenpai": lambda: TenpaiGAM(fine=6, coarse=3, pair_rounds=1, pairs=3, subsample_stride=2),
    "riichi_waits": WaitLogit,
    "melded_waits": MeldedWaitLogit,
    "riichi_han": HanLogit,
    "melded_han": MeldedHanLogit,
    "paper_tenpai": TenpaiGrid,
    "paper_melded": MeldedWeights,
    "yaku": lambda: YakuRegression(iterations=1),
}

SLOW = ("riichi_waits", "paper_tenpai", "yaku")
"""Fits that take more than some seconds."""


@pytest.fixture(scope="module")
def rows(
    tenpai_rows: pd.DataFrame, wait_rows: pd.DataFrame, own_games: list[Game], paper: KuritaHoki
) -> Rows:
    """Rows of every fit, as if of eight games: the halves of each."""
    rons = with_prior_han(paper, ron_score_rows.rows(own_games))
    of_fits = {
        "tenpai": tenpai_rows,
        "riichi_waits": rows_of_task(wait_rows, "riichi"),
        "melded_waits": rows_of_task(wait_rows, "melded"),
        "riichi_han": rows_of_task(rons, "riichi"),
        "melded_han": rows_of_task(rons, "melded"),
        "paper_tenpai": paper_tenpai_rows.rows(own_games),
        "paper_melded": wait_rows_of.rows(own_games)[1],
        "yaku": yaku_rows.rows(own_games, decision_stride=4),
    }
    return {name: table.assign(game=halves(table)) for name, table in of_fits.items()}


def halves(rows: pd.DataFrame) -> Any:
    return pd.Categorical(rows["game"].astype(str) + (rows["round"] % 2).astype(str))


def numbers(fit: Any) -> np.ndarray:
    """All fitted numbers."""
    model = fit if isinstance(fit, YakuRegression) else fit.to_runtime()
    names = ("weights_", "yakuhai_", "dora_") if model is fit else model.__dataclass_fields__
    arrays = (np.asarray(getattr(model, name)) for name in names)
    return np.concatenate([array.ravel() for array in arrays if array.dtype.kind != "U"])


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in FITS]
)
def test_the_partition_changes_nothing(rows: Rows, name: str) -> None:
    """Eight games in one shard, and in three."""
    table = rows[name].sort_values("game", kind="stable")
    whole, parts = (numbers(FITS[name]().fit(FrameShards(table, games))) for games in (8, 3))
    assert np.abs(whole).max() > 0.05
    assert parts == pytest.approx(whole, abs=1e-5)


@pytest.mark.deep
@pytest.mark.parametrize("name", FITS)
def test_processes_and_their_order_change_no_byte(rows: Rows, name: str, tmp_path: Path) -> None:
    frames = list(FrameShards(rows[name], 2).map(lambda shard: shard))
    assert len(frames) >= 2
    pooled = FITS[name]().fit(PooledShards(tmp_path / "rows", frames))
    here = FITS[name]().fit(FrameShards(rows[name], 2))
    assert numbers(pooled).tobytes() == numbers(here).tobytes()


def made_rows(shard: int) -> pd.DataFrame:
    """20 games of 500 rows each, with random features."""
    rng = np.random.default_rng(shard)
    columns: dict[str, Any] = {f.name: rng.integers(0, 6, 10_000) for f in FEATURES}
    logit = columns[FEATURES[0].name] - 3.0
    columns["tenpai"] = rng.random(10_000) < 1 / (1 + np.exp(-logit))
    columns["n_open_melds"] = rng.integers(0, 3, 10_000)
    columns["game"] = pd.Categorical(np.repeat([f"{shard}-{game}" for game in range(20)], 500))
    return pd.DataFrame(columns)


@pytest.mark.deep
def test_memory_does_not_grow_with_the_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logistic, "_HESSIAN_ROWS", 2000)
    peaks = []
    for count in (2, 6):
        folder = tmp_path / str(count)
        folder.mkdir()
        tracemalloc.start()
        FITS["tenpai"]().fit(LazyShards(count, made_rows, folder))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.1 * peaks[0]


def test_a_game_lies_in_one_part() -> None:
    frame = pd.DataFrame({"game": list("aabbccaad"), "number": range(9)})
    shards = [shard["number"].tolist() for shard in FrameShards(frame, 2).map(lambda shard: shard)]
    assert shards == [[0, 1, 2, 3, 6, 7], [4, 5, 8]]


def test_no_rows_are_one_empty_part() -> None:
    frame = pd.DataFrame({"game": [], "number": []})
    assert [len(shard) for shard in FrameShards(frame).map(lambda shard: shard)] == [0]


def test_some_rows_of_every_part() -> None:
    frame = pd.DataFrame({"game": list("aabb"), "number": [1, 2, 3, 4]})
    odd: Shards = SelectedShards(FrameShards(frame, 1), lambda rows: rows[rows["number"] % 2 == 1])
    assert list(odd.map(lambda rows: rows["number"].tolist())) == [[1], [3]]
    arrays = odd.prepare(lambda rows: {"number": rows["number"].to_numpy()})
    assert list(arrays.map(lambda arrays: arrays["number"].tolist())) == [[1], [3]]


def test_sums_are_in_the_order_of_the_parts() -> None:
    results = [(1e16, np.array([1.0])), (-1e16, np.array([2.0])), (1.0, np.array([3.0]))]
    total, array = sums(results)
    assert total == 1.0
    assert array.tolist() == [6.0]


def test_the_hash_of_a_game_is_that_of_its_id() -> None:
    games = pd.Series(["a", "b", "a"], dtype="category")
    hashes = game_hashes(games)
    assert hashes[0] == hashes[2] != hashes[1]
    assert game_hashes(games[1:2]).tolist() == [hashes[1]]
    assert pickle.loads(pickle.dumps(hashes)).tolist() == hashes.tolist()
    many = game_hashes(pd.Series(range(2000)))
    assert (many & np.uint64(1)).mean() == pytest.approx(0.5, abs=0.05)
