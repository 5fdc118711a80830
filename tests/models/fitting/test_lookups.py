"""Look-ups by block against one-hot rows."""

from __future__ import annotations

import numpy as np
import pytest

from houjuu.util.arrays import Floats, Ints
from models.fitting import lookups
from models.fitting.lookups import CodeBlock, Lookups, add_by_code, grouped, looked_up, packed

CLASSES = np.array([[0, 4, 9], [2, 4, 12]])
"""First weights of three terms for two classes; the second term shares its weights."""
SIZES = [2, 5, 3]
LOOKUPS = Lookups(
    [
        CodeBlock.side_by_side(np.column_stack([CLASSES[:, :2], [15, 15]]), [2, 5, 1]),
        CodeBlock.side_by_side(np.column_stack([CLASSES[:, 2], [16, 19]]), [3], [0, 0]),
    ],
    22,
)
"""A constant in the first block, and two terms with the same value in the second."""


@pytest.fixture
def rows() -> tuple[list[Ints], Floats]:
    """Codes of 300 rows, and the one-hot rows."""
    rng = np.random.default_rng(0)
    class_, first, second, third = (rng.integers(n, size=300) for n in (2, 2, 5, 3))
    codes = [packed([class_, first, second], [2, 2, 5]), packed([class_, third], [2, 3])]
    cells = np.column_stack(
        [
            CLASSES[class_, 0] + first,
            4 + second,
            CLASSES[class_, 2] + third,
            np.full(300, 15),
            np.where(class_ == 0, 16, 19) + third,
        ]
    )
    one_hot = np.zeros((300, 22))
    np.add.at(one_hot, (np.arange(300)[:, None], cells), 1.0)
    return [of_block.astype(np.int64) for of_block in codes], one_hot


def test_sums_of_look_ups(rows: tuple[list[Ints], Floats]) -> None:
    codes, one_hot = rows
    weights = np.random.default_rng(1).normal(size=22)
    tables = [table.ravel() for table in LOOKUPS.tables(weights)]
    assert looked_up(tables, codes) == pytest.approx(one_hot @ weights)


def test_sums_by_weight(rows: tuple[list[Ints], Floats]) -> None:
    codes, one_hot = rows
    by_row = np.random.default_rng(2).normal(size=300)
    by_code = [np.zeros(block.shape).ravel() for block in LOOKUPS.blocks]
    add_by_code(by_code, codes, by_row)
    assert LOOKUPS.by_weight(by_code) == pytest.approx(one_hot.T @ by_row)


def test_gram_and_sums_by_group(rows: tuple[list[Ints], Floats]) -> None:
    codes, one_hot = rows
    by_row = np.random.default_rng(2).random(300)
    values = LOOKUPS.values(codes)
    assert LOOKUPS.gram(values, by_row) == pytest.approx(one_hot.T @ (by_row[:, None] * one_hot))
    group = np.sort(np.random.default_rng(3).integers(4, size=300))
    expected = (np.eye(4)[group].T * by_row) @ one_hot
    assert LOOKUPS.by_group(values, group, by_row) == pytest.approx(expected)


def test_some_weights_only(rows: tuple[list[Ints], Floats]) -> None:
    codes, one_hot = rows
    used = np.flatnonzero(np.arange(22) % 3)
    weights = np.append(np.random.default_rng(1).normal(size=len(used)), 0.0)
    tables = [table.ravel() for table in LOOKUPS.restricted(used).tables(weights)]
    assert looked_up(tables, codes) == pytest.approx(one_hot[:, used] @ weights[:-1])


def test_blocks_are_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookups, "MAX_CODES", 20)
    assert grouped([4, 5, 3, 30, 2]) == [slice(0, 2), slice(2, 3), slice(3, 4), slice(4, 5)]
    assert grouped([4, 5], n_classes=2) == [slice(0, 1), slice(1, 2)]
    assert grouped([]) == []


def test_codes_have_the_smallest_type() -> None:
    values = [np.array([1, 3], np.uint8), np.array([2, 99], np.uint8)]
    assert packed(values, [4, 100]).tolist() == [102, 399]
    assert packed(values, [4, 100]).dtype == np.uint16
    assert packed([np.array([1, 0])], [2]).dtype == np.uint8
