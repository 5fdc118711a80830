"""The fitted preferences choose their features by name."""

from __future__ import annotations

from typing import Any

import pytest

from houjuu.player.preference import features, inputs, preferences
from houjuu.player.preference.features import feature_names
from houjuu.player.preference.inputs import input_names
from houjuu.util.features import Columns, Feature
from tests.models.situations import CALL, PASS, decision_context, discard

OPTIONS = [PASS, CALL, discard("1m"), discard("4z", shanten=0.0)]


def answers() -> list[bytes | str]:
    model = preferences.load()
    context = decision_context(facing_riichi=True)
    points = model.points(context, OPTIONS)
    logits = model.logits(features.features(context, OPTIONS), inputs.inputs(context, OPTIONS))
    return [points.tobytes(), logits.tobytes(), repr(model.explain(context, OPTIONS))]


def test_a_file_chooses_its_features_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """The code knows one more in each group, and one more input: the answers stay the same."""
    expected = answers()
    names, input_count = feature_names(), len(input_names())
    more: Feature[Any] = Feature(("more",), "1", lambda _: 1.0)
    for group, table in features.TABLES.items():
        first, *rest = table.features
        extended: Columns[Any] = Columns(first, more.named(f"more of {group}"), *rest)
        monkeypatch.setitem(features.TABLES, group, extended)
    monkeypatch.setattr(inputs, "TABLE", Columns(more, *inputs.TABLE.features))
    assert len(feature_names()) == len(names) + len(features.TABLES)
    assert len(input_names()) == input_count + 1
    assert answers() == expected
