"""The fitted preferences choose their features by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from houjuu.game.actions import ActionKind
from houjuu.player.preference import features, inputs, preferences
from houjuu.player.preference.features import VALUES, feature_names
from houjuu.player.preference.inputs import input_names
from houjuu.util import parameters
from houjuu.util.errors import ParameterError
from houjuu.util.features import Feature, Table
from houjuu.util.parameters import Parameters
from tests.models.situations import CALL, PASS, decision_context, discard

FILE = Path(preferences.__file__).parents[2] / preferences.SHIPPED
OPTIONS = [PASS, CALL, discard("1m"), discard("4z", ActionKind.RIICHI, shanten=0.0)]


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
        extended: Table[Any] = Table(first, more.named(f"more of {group}"), *rest)
        monkeypatch.setitem(features.TABLES, group, extended)
    monkeypatch.setattr(inputs, "TABLE", Table(more, *inputs.TABLE.features))
    assert len(feature_names()) == len(names) + len(features.TABLES)
    assert len(input_names()) == input_count + 1
    assert answers() == expected


@pytest.mark.parametrize("names", ["terms", "inputs"])
def test_an_unknown_feature_is_named(names: str) -> None:
    shipped = parameters.read(FILE)
    header = {**shipped.header, names: [*shipped.header[names][:-1], "how it feels"]}
    with pytest.raises(ParameterError, match=r"has the feature 'how it feels', which this version"):
        preferences.from_parameters(Parameters(header, shipped.arrays))


def test_the_values_come_first() -> None:
    shipped = parameters.read(FILE)
    first, *rest = shipped.header["terms"]
    assert first == VALUES[0]
    header = {**shipped.header, "terms": [*rest, first]}
    with pytest.raises(ParameterError, match="of the value are not the first"):
        preferences.from_parameters(Parameters(header, shipped.arrays))
    header = {**shipped.header, "inputs": shipped.header["inputs"][1:]}
    with pytest.raises(ParameterError, match="does not fit its inputs"):
        preferences.from_parameters(Parameters(header, shipped.arrays))
