"""The fit of the preferences: it finds combinations, and its measures count what they say."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("riichienv", reason="its actions are the choices")

from features.action_rows import TERM_COLUMNS
from houjuu.player.preference.features import FEATURES
from houjuu.player.preference.preferences import MOST, PreferenceModel
from models.fitting.shards import FrameShards
from models.metrics import preference_metrics
from models.player import preferences
from models.player.preferences import PreferenceFit, best, log_odds
from tests.models.isolated import Isolated

SMALL: dict[str, Any] = {"units": 16, "epochs": 30, "batch": 64, "learning_rate": 0.02}
FIRST, SECOND = FEATURES.index("P(tenpai)"), FEATURES.index("copies at +0")
"""A feature that all actions share, and one of the discarded tile."""
N = len(FEATURES)


def model(seed: int = 0, units: int = 5, **changes: Any) -> PreferenceModel:
    rng = np.random.default_rng(seed)
    weights = {
        "value": np.zeros(3),
        "center": rng.normal(size=N),
        "scale": rng.uniform(0.2, 2.0, N),
        "hidden": rng.normal(size=(N, units)),
        "bias": rng.normal(size=units),
        "output": rng.normal(size=units),
    }
    return PreferenceModel(**weights | changes)


def plain(units: int = 4, **changes: Any) -> PreferenceModel:
    """Without any weight but the changes."""
    zeros = {"center": np.zeros(N), "scale": np.ones(N)}
    zeros |= {"hidden": np.zeros((N, units)), "bias": np.zeros(units), "output": np.zeros(units)}
    return model(units=units, **zeros | changes)


def test_the_logit_is_that_of_the_equation() -> None:
    made, rng = model(), np.random.default_rng(1)
    columns = rng.normal(0.0, 4.0, (3, N))
    expected = []
    for x in columns:
        z = [
            min(max((one - m) / s, -MOST), MOST)
            for one, m, s in zip(x, made.center, made.scale, strict=True)
        ]
        units = [
            max(b + sum(v * one for v, one in zip(of_unit, z, strict=True)), 0.0)
            for b, of_unit in zip(made.bias, made.hidden.T, strict=True)
        ]
        expected.append(sum(w * unit for w, unit in zip(made.output, units, strict=True)))
    assert made.logits(columns) == pytest.approx(expected)


def test_the_weight_of_the_value_is_positive_in_each_phase() -> None:
    made = model(value=np.array([np.log(2.0), np.log(1.5), np.log(0.1)]))
    phases = np.array([[1.0, 0, 0], [1, 1, 0], [1, 1, 1]])
    assert made.value_weight(phases) == pytest.approx([2.0, 3.0, 0.3])


def combined(n: int, seed: int) -> pd.DataFrame:
    """Decisions of two or three actions, chosen by the product of two features and the value."""
    rng = np.random.default_rng(seed)
    rows = []
    for number in range(n):
        shared, size = rng.choice([-1.0, 1.0]), int(rng.integers(2, 4))
        own, value = rng.normal(size=size), rng.normal(size=size)
        chosen = int((2 * shared * own + value + rng.gumbel(size=size)).argmax())
        for index in range(size):
            terms = np.zeros(N)
            terms[FIRST], terms[SECOND] = shared, own[index]
            key = {"game": f"g{number // 10}", "decision": number % 10, "type": "discard"}
            phase = {"facing_riichi": False, "last_round": False, "value": value[index]}
            columns = dict(zip(TERM_COLUMNS, terms.tolist(), strict=True))
            rows.append(key | phase | columns | {"chosen": index == chosen})
    return pd.DataFrame(rows).astype({"game": "category"})


def _fitted(settings: dict[str, Any], rows: pd.DataFrame) -> PreferenceFit:
    return PreferenceFit(**settings).fit(FrameShards(rows, 20))


@pytest.mark.deep
def test_a_combination_is_learnt(isolated: Isolated) -> None:
    """The loss comes near that of the model that drew the choices."""
    fit = isolated(_fitted, SMALL, combined(2000, 0))
    fresh = combined(1000, 1)
    result = preference_metrics.evaluate(fit.to_runtime(), fresh)
    true = preference_metrics.evaluate(_drew(), fresh)
    assert true["log_loss"] < true["log_loss_values"] - 0.1
    assert result["log_loss"] < true["log_loss"] + 0.05
    assert result["agreement"][0]["same"] > result["agreement"][0]["same_values"] + 0.1
    assert np.exp(fit.weights_["value"][0]) == pytest.approx(1.0, abs=0.3)
    again = isolated(_fitted, SMALL, combined(2000, 0))
    assert all((fit.weights_[name] == again.weights_[name]).all() for name in fit.weights_)


def _drew() -> PreferenceModel:
    """2·a·b for a = ±1, of which a unit each has a half."""
    hidden = np.zeros((N, 4))
    for unit, (sign, slope) in enumerate(((1, 1), (1, -1), (-1, 1), (-1, -1))):
        hidden[FIRST, unit] = 10.0 * sign
        hidden[SECOND, unit] = slope
    return plain(hidden=hidden, output=np.array([1.0, -1.0, -1.0, 1.0]))


def test_batches_have_every_decision_once() -> None:
    rows = combined(100, 3)
    choices = preferences._choices(np.zeros(N), np.ones(N), rows)
    choices = choices._replace(columns=np.arange(len(rows), dtype=np.float16)[:, None])
    batches = [*preferences.batches(choices, 32, np.random.default_rng(0))]
    assert {batch.columns.shape[:2] for batch in batches} == {(32, 3)}
    assert [batch.counts.sum() for batch in batches] == [32, 32, 32, 4]
    actions = np.concatenate(
        [batch.columns[batch.counts][batch.is_action[batch.counts]].ravel() for batch in batches]
    )
    assert sorted(actions.tolist()) == list(range(len(rows)))
    chosen = [batch.columns[np.arange(32), batch.chosen, 0][batch.counts] for batch in batches]
    expected = np.flatnonzero(rows["chosen"].to_numpy())
    assert sorted(np.concatenate(chosen).astype(int).tolist()) == expected.tolist()


def test_the_best_action_is_the_first_of_equals() -> None:
    best_actions = best(np.array([0.1, 0.5, 0.5, -9.0, -1.0, -2.0]), np.array([0, 3, 4]))
    assert best_actions.tolist() == [1, 3, 4]


def test_decisions_have_their_own_odds() -> None:
    """Decisions of different sizes: the odds of each add up to 1, however large the logits."""
    rng = np.random.default_rng(5)
    logits = rng.normal(size=(6, 2)) @ np.array([1.0, 900.0])
    odds = np.exp(log_odds(logits, np.array([0, 1, 3])))
    assert [odds[:1].sum(), odds[1:3].sum(), odds[3:].sum()] == pytest.approx([1.0] * 3)
    assert odds[1] == pytest.approx(1 / (1 + np.exp(logits[2] - logits[1])))


def drawn(n: int) -> pd.DataFrame:
    """Decisions of three actions, chosen by their values."""
    rng = np.random.default_rng(3)
    value = rng.normal(size=(n, 3))
    chosen = (value + rng.gumbel(size=(n, 3))).argmax(axis=1)
    rows = pd.DataFrame(0.0, range(3 * n), TERM_COLUMNS)
    rows["value"] = value.ravel()
    rows["game"] = pd.Categorical(np.repeat([f"g{i // 10}" for i in range(n)], 3))
    rows["decision"] = np.repeat(np.arange(n) % 10, 3)
    rows["chosen"] = (np.arange(3) == chosen[:, None]).ravel()
    rows["type"], rows["facing_riichi"], rows["last_round"] = "discard", False, True
    return rows


def test_agreement_counts_the_best_action() -> None:
    rows = drawn(200)
    result = preference_metrics.evaluate(plain(value=np.zeros(3)), rows)
    of_all, line = result["agreement"]
    best_rows = rows.loc[rows.groupby(["game", "decision"], observed=True)["value"].idxmax()]
    assert line["same"] == line["same_values"] == pytest.approx(best_rows["chosen"].mean())
    assert (line["kind"], line["phase"]) == ("discard", "no riichi, last round")
    assert of_all == line | {"phase": preference_metrics.ALL}


def test_calls_are_counted_where_they_are_legal() -> None:
    """Two calls and a pass in every decision but the last ten, which are discards."""
    rows = drawn(400)
    rows["type"] = ["pass", "chi", "pon"] * 390 + ["discard"] * 30
    result = preference_metrics.evaluate(plain(value=np.zeros(3)), rows)
    (line,) = result["actions"]
    value = np.exp(rows["value"].to_numpy().reshape(-1, 3))[:390]
    chosen = rows["chosen"].to_numpy().reshape(-1, 3)[:390]
    calls = value[:, 1:].sum(axis=1) / value.sum(axis=1)
    assert (line["action"], line["decisions"]) == ("call", 390)
    assert line["taken"] == pytest.approx(chosen[:, 1:].any(axis=1).mean())
    assert line["expected"] == pytest.approx(calls.mean())
    assert line["expected"] == pytest.approx(line["taken"], abs=2 * line["half_interval"])
    assert line["likeliest"] == pytest.approx((value.argmax(axis=1) > 0).mean())
    bins = pd.DataFrame(result["calibration"])
    assert set(bins["action"]) == {"call"}
    assert (bins["predicted"] * bins["rows"]).sum() == pytest.approx(calls.sum())
    assert (bins["measured"] * bins["rows"]).sum() == pytest.approx(chosen[:, 1:].sum())


def test_a_phase_changes_the_weight_of_the_value() -> None:
    rows = drawn(50)
    late = plain(value=np.array([0.0, 0.0, np.log(3.0)]))
    choices = preferences.decisions(rows)
    logits, by_value = preferences.logits(late, choices)
    assert logits == pytest.approx(3 * rows["value"].to_numpy())
    assert by_value == pytest.approx(logits)
    early = choices._replace(phases=np.array([[1.0, 0.0, 0.0]] * 50, np.float32))
    assert preferences.logits(late, early)[1] == pytest.approx(rows["value"].to_numpy())
    changed = replace(late, hidden=np.ones((N, 4)), output=np.ones(4))
    assert preferences.logits(changed, choices)[0] == pytest.approx(logits)  # no feature is there
