"""The edges of a calibration: errors there are seen, and calibrated models are not marked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit
from sklearn.metrics import log_loss

from models.metrics.edges import PAIRS, PARTS, by_room, deal_in_edges, tenpai_edges

GAMES = 400
ROWS = 120_000


def predictions(rng: np.random.Generator, slope: float, discarded_at: float) -> pd.DataFrame:
    """Rows with a slope of the logits, right in the middle; discards at a share of the risk."""
    logits = rng.normal(-3, 1.2, ROWS)
    was_discarded = rng.random(ROWS) < 0.08
    risk = expit(slope * (logits + 3) - 3) * np.where(was_discarded, discarded_at, 1.0)
    return pd.DataFrame(
        {
            "game": rng.integers(0, GAMES, ROWS).astype(str),
            "opponent_type": rng.choice(["riichi", "closed", "2 melds"], ROWS),
            "safety_class": rng.choice(["no suji", "genbutsu"], ROWS, p=[0.9, 0.1]),
            "was_discarded": was_discarded,
            "predicted": expit(logits),
            "label": rng.random(ROWS) < risk,
        }
    )


def by_part(rows: pd.DataFrame) -> dict[str, Any]:
    """The lines of all opponents by part, as objects."""
    table = deal_in_edges(rows)
    return {str(line.part): line for line in table[table["group"] == "all"].itertuples()}


def outside(line: Any) -> bool:
    return not line.low <= line.predicted <= line.high


def test_a_calibrated_model_is_within_its_intervals() -> None:
    table = deal_in_edges(predictions(np.random.default_rng(1), 1.0, 1.0))
    assert list(table["part"]) == [*PARTS] * 4
    assert (np.abs(table["slope"] - 1) > table["slope_half"]).mean() < 0.2
    assert np.mean([outside(line) for line in table.itertuples()]) < 0.2


def test_high_risks_that_are_too_high_are_seen() -> None:
    """A slope of .8, as an overconfident model has it."""
    lines = by_part(predictions(np.random.default_rng(2), 0.8, 1.0))
    everything = lines["all"]
    assert everything.slope == pytest.approx(0.8, abs=everything.slope_half)
    assert everything.slope + everything.slope_half < 1
    assert lines["highest"].predicted > lines["highest"].high
    assert lines["highest"].rows == pytest.approx(everything.rows / 100, rel=0.02)


def test_discarded_tiles_that_are_safer_are_seen() -> None:
    lines = by_part(predictions(np.random.default_rng(3), 1.0, 0.8))
    assert lines["discarded"].predicted > lines["discarded"].high
    assert not outside(lines["kept"])


def test_genbutsu_are_left_out() -> None:
    rows = predictions(np.random.default_rng(4), 1.0, 1.0)
    table = deal_in_edges(rows)
    assert table["rows"][0] == (rows["safety_class"] != "genbutsu").sum()


def test_tenpai_by_melds() -> None:
    rng = np.random.default_rng(5)
    melds = rng.integers(0, 3, ROWS)
    logits = rng.normal(-2, 1, ROWS)
    label = rng.random(ROWS) < expit(np.where(melds == 2, 0.8, 1.0) * logits)
    games = rng.integers(0, GAMES, ROWS).astype(str)
    columns = {"game": games, "n_open_melds": melds, "predicted": expit(logits), "label": label}
    rows = pd.DataFrame(columns).assign(round=0, seat=0, turn=range(ROWS), opponent=1)
    table = tenpai_edges(rows)
    assert table["group"].tolist() == ["all", "0", "1", "2"]  # nobody has three melds
    slopes, halves = table["slope"].tolist(), table["slope_half"].tolist()
    assert slopes[3] + halves[3] < 1
    assert slopes[2] == pytest.approx(1, abs=2 * halves[2])


@pytest.mark.parametrize("excluded", [0.0, 0.4])
def test_pairs_that_exclude_each_other_are_seen(excluded: float) -> None:
    """A share of the first opponents is not tenpai where the second one is."""
    rng = np.random.default_rng(6)
    n_decisions = ROWS // 3
    melds = np.tile([1, 2, 0], (n_decisions, 1))
    predicted = expit(rng.normal(0, 1, melds.shape))
    label = rng.random(melds.shape) < predicted
    label[:, 0] &= ~(label[:, 1] & (rng.random(n_decisions) < excluded))
    decision = np.repeat(np.arange(n_decisions), 3)
    columns = {"opponent": np.tile([0, 1, 2], n_decisions), "n_open_melds": melds.ravel()}
    columns |= {"round": decision // GAMES, "label": label.ravel(), "predicted": predicted.ravel()}
    rows = pd.DataFrame(columns).assign(game=(decision % GAMES).astype(str), seat=3, turn=0)
    table = tenpai_edges(rows)
    (line,) = table[table["group"] == PAIRS].itertuples()
    assert line.rows == n_decisions
    product = predicted[:, 0] * predicted[:, 1]
    assert line.predicted == pytest.approx(product.mean())
    assert line.measured == pytest.approx((label[:, 0] & label[:, 1]).mean())
    assert outside(line) == (excluded > 0)


def test_each_room_has_its_own_line() -> None:
    """The predictions of one of two rooms have a slope of .8."""
    rng = np.random.default_rng(7)
    tables = [predictions(rng, slope, 1.0) for slope in (1.0, 0.8)]
    rows = pd.concat([tables[0], tables[1].assign(game="b" + tables[1]["game"])])
    games = rows["game"].unique()
    rooms = pd.Series(["bots" if game.startswith("b") else "general" for game in games], games)
    table = by_room({"D": rows, "A": rows[rows["was_discarded"]]}, rooms)
    assert [*zip(table["group"], table["part"], strict=True)] == [
        (room, task) for task in "DA" for room in ("bots", "general")
    ]
    assert table["slope"][:2].tolist() == pytest.approx([0.8, 1.0], abs=0.05)
    loss = log_loss(tables[1]["label"], tables[1]["predicted"])
    assert table["log_loss"][0] == pytest.approx(loss)
