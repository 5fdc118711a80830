"""The rank of the wait among the tiles held, against a count by hand."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from models.metrics.wait_ranks import hand_aucs, rank_metrics, wait_ranks

TILES = st.lists(st.tuples(st.sampled_from([0.0, 0.1, 0.2, 0.4]), st.booleans()), max_size=14)


def _rows(hands: list[list[tuple[float, bool]]]) -> pd.DataFrame:
    rows = [(hand, *tile) for hand, tiles in enumerate(hands) for tile in tiles]
    return pd.DataFrame(rows, columns=["hand", "predicted", "label"])


@given(st.lists(TILES, max_size=5))
def test_a_rank_counts_the_tiles_that_come_before(hands: list[list[tuple[float, bool]]]) -> None:
    ranks = wait_ranks(_rows(hands), ["hand"])
    expected = {}
    for number, tiles in enumerate(hands):
        in_order = sorted(tiles, key=lambda tile: (-tile[0], tile[1]))
        if any(wins for _, wins in tiles):
            expected[number] = [wins for _, wins in in_order].index(True) + 1
    assert ranks.to_dict() == expected


def test_the_order_of_the_rows_does_not_matter() -> None:
    rows = _rows([[(0.1, True), (0.3, False)], [(0.2, False)], [(0.2, True), (0.1, True)]])
    shuffled = rows.sample(frac=1.0, random_state=1)
    assert wait_ranks(rows, ["hand"]).to_dict() == wait_ranks(shuffled, ["hand"]).to_dict()


@given(st.lists(TILES, max_size=5))
def test_the_auc_of_a_hand(hands: list[list[tuple[float, bool]]]) -> None:
    rows = _rows(hands)
    predicted, label = rows["predicted"].to_numpy(float), rows["label"].to_numpy(bool)
    expected = {
        number: roc_auc_score([wins for _, wins in tiles], [p for p, _ in tiles])
        for number, tiles in enumerate(hands)
        if len({wins for _, wins in tiles}) == 2
    }
    assert hand_aucs(rows, ["hand"], predicted, label).to_dict() == pytest.approx(expected)


def test_metrics_of_ranks() -> None:
    assert rank_metrics(pd.Series([1, 1, 3, 7])) == {
        "hands": 4,
        "hit_1": pytest.approx(0.5),
        "hit_3": pytest.approx(0.75),
        "mean": pytest.approx(3.0),
    }
