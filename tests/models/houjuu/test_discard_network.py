"""The fit of the network of discards, on rows whose label is in the order of the discards."""

from __future__ import annotations

import dataclasses
import resource
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

from features import schema
from features.schema.tenpai import TENPAI
from features.tenpai_rows import codes_of_rows
from houjuu.estimators.log_linear.tenpai_gam import NO_EDGE, TenpaiGAMModel
from houjuu.reading.discard_sequence import FIELDS, SIZES, Codes
from houjuu.reading.tenpai_features import FEATURES
from houjuu.util.errors import Error
from models.fitting.shards import FrameShards
from models.houjuu import discard_network, export
from models.houjuu.discard_network import DiscardNetworkFit
from models.metrics.calibration import row_losses
from tests.models.isolated import Isolated

NAMES = [feature.name for feature in FEATURES]
SMALL: dict[str, Any] = {
    "units": 8,
    "epochs": 200,
    "batch": 32,
    "learning_rate": 0.01,
}
GAM = TenpaiGAMModel(
    np.array(NAMES),
    np.full((len(NAMES), 1), NO_EDGE),
    np.full((len(NAMES), 1), NO_EDGE),
    np.zeros((0, 2), int),
    np.array([-1.0, 0.0, 0.0, 0.5]),
    np.zeros((4, len(NAMES))),
)
"""A model that knows the number of melds alone."""


def order_rows(n_games: int, seed: int = 0) -> pd.DataFrame:
    """Rows of seats that are tenpai if the last discard is a tsumogiri after a tedashi."""
    rng = np.random.default_rng(seed)
    rows = []
    for game, opponent in product(range(n_games), range(4)):
        codes = np.zeros((8, len(FIELDS)), np.uint8)
        codes[:, :2] = rng.integers(0, SIZES[:2], (8, 2))
        for n in range(9):
            tedashi = codes[:n, 1]
            tenpai = bool(n >= 2 and tedashi[-2] and not tedashi[-1])
            rows.append(_row(game, opponent, codes[:n], tenpai=tenpai))
    return schema.check(pd.DataFrame(rows), TENPAI)


def _row(game: int, opponent: int, codes: Codes, *, tenpai: bool) -> dict[str, Any]:
    return {
        **dict.fromkeys(schema.names(TENPAI), 0),
        "game": f"g{game}",
        "opponent": opponent,
        "seat": (opponent + 1) % 4,
        "n_open_melds": game % 4,
        "discards": len(codes),
        "tenpai": tenpai,
        "shanten": 0 if tenpai else 1 + len(codes) % 3,
        "discard_codes": codes.tobytes(),
    }


def _fitted(settings: dict[str, Any], rows: pd.DataFrame, n_games: int = 40) -> DiscardNetworkFit:
    return DiscardNetworkFit(**settings).fit(FrameShards(rows, n_games), GAM)


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    return order_rows(150)


@pytest.fixture(scope="module")
def fit(rows: pd.DataFrame, isolated: Isolated) -> Any:
    return isolated(_fitted, SMALL, rows)


@pytest.mark.deep
def test_the_order_is_learnt(fit: DiscardNetworkFit, isolated: Isolated) -> None:
    """On rows of other games: the log loss of the GAM falls to a tenth."""
    fresh = order_rows(30, seed=1)
    melds = fresh["n_open_melds"].to_numpy(np.int64)
    logits = GAM.logits(melds, fresh[NAMES].to_numpy(np.int64))
    label = fresh["tenpai"].to_numpy()

    def loss(further: Any) -> float:
        return float(row_losses(1 / (1 + np.exp(-logits - further)), label).mean())

    assert loss(isolated(fit.terms, fresh)) < 0.1 * loss(0.0)


@pytest.mark.deep
def test_short_rounds_have_no_more_weight(isolated: Isolated) -> None:
    """A seat is tenpai with probability 1/4 at each discard, and the round then ends.

    Rows of short rounds are tenpai more often. The mean prediction is that of all rows.
    """
    rng = np.random.default_rng(5)
    rows = []
    for game, opponent in product(range(300), range(4)):
        codes = np.zeros((8, len(FIELDS)), np.uint8)
        for n in range(1, 9):
            tenpai = bool(rng.random() < 0.25)
            rows.append(_row(game, opponent, codes[:n], tenpai=tenpai))
            if tenpai:
                break
    table = schema.check(pd.DataFrame(rows), TENPAI)
    fit = isolated(_fitted, SMALL | {"epochs": 30}, table)
    logits = GAM.logits(table["n_open_melds"].to_numpy(np.int64), table[NAMES].to_numpy(np.int64))
    predicted = 1 / (1 + np.exp(-logits - isolated(fit.terms, table)))
    assert predicted.mean() == pytest.approx(table["tenpai"].mean(), abs=0.02)


@pytest.mark.slow
def test_runtime_and_fit_agree(
    fit: DiscardNetworkFit,
    rows: pd.DataFrame,
    isolated: Isolated,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terms = isolated(fit.terms, rows[:2000])
    monkeypatch.setattr(DiscardNetworkFit, "terms", lambda self, rows: terms)
    assert export.check_network(fit, rows[:2000]) < 1e-4
    model = fit.to_runtime()
    wrong = dataclasses.replace(model, constant=model.constant + 0.1)
    monkeypatch.setattr(DiscardNetworkFit, "to_runtime", lambda self: wrong)
    with pytest.raises(Error, match="differs from the fit"):
        export.check_network(fit, rows[:2000])


@pytest.mark.deep
def test_the_terms_of_many_rows_need_little_memory(isolated: Isolated) -> None:
    """Those of the check before the export: all at once they would take 6 GB."""
    assert isolated(_peak_of_terms, 10_000) < 1.5e9


def _peak_of_terms(n_rows: int) -> int:
    """The most memory of a process that computes the terms of rows of twenty discards, bytes."""
    fit, rng = DiscardNetworkFit(), np.random.default_rng(0)
    fit.weights_ = fit._start(rng)
    codes = [rng.integers(0, SIZES, (20, len(FIELDS)), np.uint8).tobytes() for _ in range(n_rows)]
    rows = pd.DataFrame({"n_open_melds": 1, "discard_codes": codes})
    assert fit.terms(rows).shape == (n_rows,)
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


@pytest.mark.deep
def test_the_same_rows_give_the_same_weights(rows: pd.DataFrame, isolated: Isolated) -> None:
    """However the shards are cut."""
    few, rows = SMALL | {"epochs": 2}, rows[: len(rows) // 4]
    fit, again = (isolated(_fitted, few, rows, n) for n in (40, 150))
    for name, array in fit.weights_.items():
        assert array.tobytes() == again.weights_[name].tobytes()
    other = isolated(_fitted, few | {"seed": 1}, rows)
    assert not np.allclose(other.weights_["embedding"], fit.weights_["embedding"])


def test_the_terms_of_an_average_are_the_means(isolated: Isolated) -> None:
    """Of networks with other weights; each reads the discards on its own."""
    rng = np.random.default_rng(2)
    one, other, both = (DiscardNetworkFit(units=4) for _ in range(3))
    for fit in (one, other):
        start = fit._start(rng)
        fit.weights_ = {name: rng.normal(0, 0.5, array.shape) for name, array in start.items()}
    both.weights_ = discard_network.average([one.weights_, other.weights_])
    rows = order_rows(4)
    melds, codes = rows["n_open_melds"].to_numpy(np.int64), codes_of_rows(rows)
    first, second, mean = (fit.to_runtime().terms(melds, codes) for fit in (one, other, both))
    assert not np.allclose(first, second)
    assert mean == pytest.approx((first + second) / 2, abs=1e-12)
    assert isolated(both.terms, rows) == pytest.approx(mean, abs=1e-4)


def test_every_row_and_sequence_is_in_one_batch(rows: pd.DataFrame) -> None:
    """Rows in any order; each has the state after its own discards, and its own labels."""
    shuffled = rows.sample(frac=1.0, random_state=3)
    shards = [discard_network.sequences(GAM, shard) for _, shard in shuffled.groupby("game")]
    every = discard_network.concatenated(shards)
    assert len(every.lengths) == 600
    assert len(every.discards) == len(rows)
    batched = []
    for batch in discard_network.batches(every, np.arange(600), 64, np.random.default_rng(0)):
        longest = batch.codes.shape[1]
        sequence, n = np.divmod(batch.state[batch.is_row], longest + 1)
        for s, made, melds, shanten in zip(
            *(sequence, n, batch.melds[batch.is_row], batch.shanten[batch.is_row]), strict=True
        ):
            batched.append((_key(batch.codes[s, :made]), int(melds), int(shanten)))
    expected = [
        (_key(codes), melds, shanten)
        for codes, melds, shanten in zip(
            codes_of_rows(rows), rows["n_open_melds"], rows["shanten"], strict=True
        )
    ]
    assert sorted(batched) == sorted(expected)


def _key(codes: Codes) -> bytes:
    """The codes but for suits and ranks, which a batch changes."""
    rank = np.minimum(codes[:, 0] % 9, 8 - codes[:, 0] % 9)
    kinds = np.where(codes[:, 0] < 27, rank, codes[:, 0])
    return np.column_stack([kinds, codes[:, 1:]]).astype(np.uint8).tobytes()


def test_suits_are_permuted_and_mirrored_alike_in_a_sequence() -> None:
    kinds = np.tile(np.arange(34, dtype=np.uint8), (300, 1))
    permuted = discard_network._permuted(kinds, np.random.default_rng(0))
    assert (np.sort(permuted, axis=1) == kinds).all()
    assert (permuted[:, 27:] == kinds[:, 27:]).all()
    suits, ranks = np.divmod(permuted[:, :27].reshape(300, 3, 9), 9)
    assert (suits == suits[:, :, :1]).all()
    up, down = (ranks == np.arange(9)).all(axis=2), (ranks == np.arange(8, -1, -1)).all(axis=2)
    assert (up ^ down).all()
    images = np.concatenate([suits[:, :, 0], up], axis=1)
    assert len({tuple(image) for image in images.tolist()}) == 6 * 8


def test_the_recurrent_weights_begin_with_the_spread_of_their_number() -> None:
    start = DiscardNetworkFit(units=16)._start(np.random.default_rng(0))
    assert start["recurrent"].std() == pytest.approx(16**-0.5, rel=0.1)
