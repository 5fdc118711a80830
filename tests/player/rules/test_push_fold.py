"""Relative danger and push/fold: the source's figure, every cell of its table, what must hold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houjuu.game.tiles import KINDS, parse_kind
from houjuu.player.rules import push_fold, relative_danger
from houjuu.player.rules.push_fold import Limits, limit, may_push
from tests.kit.positions import view_of

SAFE, NONE = 1.0, 5.0
ONE_AWAY, TENPAI, FAR = 1, 0, 3

unseen = st.lists(st.integers(0, 4), min_size=KINDS, max_size=KINDS)
genbutsu = st.sets(st.integers(0, KINDS - 1))


@pytest.mark.parametrize("kind", [0, 8, 18, 17])
def test_the_figure_of_the_source(kind: int) -> None:
    """Nothing seen but the tile itself, a 1 or 9 has 2.25: 13 points of 578."""
    seen = [4 - (other == kind) for other in range(KINDS)]
    danger = relative_danger.relative(seen, (), {kind})[kind]
    assert danger == pytest.approx(100 * 13 / 578) == pytest.approx(2.25, abs=0.005)


def test_answers_of_the_program_of_the_source() -> None:
    """`suanpai.json` has the answers of 電脳麻将 (majiang-ai 1.0.13, suan_weixian_all)."""
    positions = json.loads(Path(__file__).with_name("suanpai.json").read_text())
    for position in positions:
        unseen, genbutsu, own_kinds = (position[name] for name in ("unseen", "genbutsu", "held"))
        danger = relative_danger.relative(unseen, genbutsu, own_kinds)
        assert danger == pytest.approx(position["danger"], abs=1e-8)
    assert len(positions) == 30


@given(unseen, genbutsu, genbutsu)
def test_shares_of_all_there_is(unseen: list[int], genbutsu: set[int], own_kinds: set[int]) -> None:
    unseen = [min(count, 3) if kind in own_kinds else count for kind, count in enumerate(unseen)]
    danger = relative_danger.relative(unseen, genbutsu, own_kinds)
    assert not danger[sorted(genbutsu)].any()
    assert (danger >= 0).all()
    assert danger.sum() == pytest.approx(100) or not danger.any()


def test_only_riichi_are_feared() -> None:
    assert relative_danger.against_riichi(view_of("", "1z 4m 9p")) is None
    danger = relative_danger.against_riichi(view_of("", "1z 4m 9p*"))
    assert danger is not None
    assert danger[parse_kind("4m")] == 0
    assert danger[parse_kind("7m")] < danger[parse_kind("6m")]


@pytest.mark.parametrize(
    ("shanten", "value", "least", "below"),
    [
        (FAR, 5000.0, SAFE, 0.0),  # poor: fold
        (ONE_AWAY, 399.0, SAFE, 0.0),
        (FAR, 5000.0, NONE, 8.0),
        (ONE_AWAY, 399.0, NONE, 8.0),
        (ONE_AWAY, 400.0, SAFE, 3.0),  # good
        (2, 1199.0, SAFE, 3.0),
        (ONE_AWAY, 400.0, NONE, 8.0),
        (2, 1199.0, NONE, 8.0),
        (ONE_AWAY, 1200.0, SAFE, 12.0),  # very good
        (2, 1200.0, NONE, 12.0),
        (TENPAI, 1300.0, SAFE, 12.0),
        (TENPAI, 300.0, SAFE, 12.0),
        (TENPAI, 0.0, NONE, 12.0),
    ],
)
def test_every_cell_of_the_table(shanten: int, value: float, least: float, below: float) -> None:
    assert push_fold.limit(shanten, value, least) == below
    assert may_push(least, least, shanten, value)  # the safest tile always
    for other in (least + 0.01, 2.99, 3.0, 7.99, 8.0, 11.99, 12.0):
        if other > least:
            assert may_push(other, least, shanten, value) == (other < below)


DISTINCT = Limits(3.0, 4.0, 20.0, 8.0, 7.0, 13.0, 12.0, 400.0, 1200.0)


@pytest.mark.parametrize(
    ("shanten", "value", "least", "expected"),
    [
        (TENPAI, 0.0, SAFE, DISTINCT.formal_tenpai),
        (TENPAI, 0.5, SAFE, DISTINCT.poor_tenpai),
        (TENPAI, 399.0, SAFE, DISTINCT.poor_tenpai),
        (TENPAI, 400.0, SAFE, DISTINCT.very_good),
        (ONE_AWAY, 399.0, 3.9, 0.0),
        (ONE_AWAY, 399.0, 4.0, DISTINCT.poor),
        (ONE_AWAY, 400.0, 3.9, DISTINCT.safe),
        (ONE_AWAY, 400.0, 4.0, DISTINCT.good),
        (ONE_AWAY, 1199.0, 4.0, DISTINCT.good),
        (ONE_AWAY, 1200.0, SAFE, DISTINCT.very_good),
        (FAR, 1200.0, SAFE, 0.0),
    ],
)
def test_the_limit_at_every_boundary(
    shanten: int, value: float, least: float, expected: float
) -> None:
    assert limit(shanten, value, least, DISTINCT) == expected
