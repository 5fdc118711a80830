"""The network of preferences: its inputs, its equation, and a fit to choices by combinations."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

pytest.importorskip("riichienv", reason="its actions are the choices")

from features.action_rows import INPUT_COLUMNS, TERM_COLUMNS
from houjuu.game.actions import ActionKind
from houjuu.game.tiles import COPIES, EAST, KINDS
from houjuu.player.preference.features import FEATURES, VALUES, features
from houjuu.player.preference.inputs import INPUTS, inputs
from houjuu.player.preference.network import MOST, NAMES, PreferenceNetwork
from houjuu.player.preference.preferences import PreferenceModel
from houjuu.util.arrays import Floats
from houjuu.util.errors import ParameterError
from models.fitting.shards import FrameShards
from models.metrics import preference_metrics
from models.player import preference_network
from models.player.preference_network import PreferenceNetworkFit
from tests.models.isolated import Isolated
from tests.models.situations import CALL, PASS, decision_context, discard, kind, outcome, seen

SMALL: dict[str, Any] = {"units": 16, "epochs": 30, "batch": 64, "learning_rate": 0.02}
SURROUNDINGS = INPUTS[INPUTS.index("rank 1 from the edge") : -1]
FIRST, SECOND = "P(tenpai)", "copies at +0"
"""An input that all actions share, and one of the discarded tile."""


def by_input(*options: Any, **changes: Any) -> list[dict[str, float]]:
    """The inputs of each option by name, without those that are 0."""
    table = inputs(decision_context(**changes), options).tolist()
    return [{name: one for name, one in zip(INPUTS, row, strict=True) if one} for row in table]


def network(seed: int = 0, units: int = 5) -> PreferenceNetwork:
    rng = np.random.default_rng(seed)
    n = len(NAMES)
    return PreferenceNetwork(
        rng.normal(size=n),
        rng.uniform(0.2, 2.0, n),
        rng.normal(size=(n, units)),
        rng.normal(size=units),
        rng.normal(size=units),
    )


def test_the_context_is_that_of_the_decision() -> None:
    (of_pass, of_call) = by_input(PASS, CALL, tenpai=0.25, tiles_left=35, dealer=True)
    assert of_pass == of_call
    expected = {
        "P(tenpai)": 0.25,
        "tiles left": 0.5,
        "shanten 1": 1.0,
        "closed": 1.0,
        "dealer": 1.0,
        "pairs": 1.0,
        "terminals and honours": 4.0,
        "log of the largest P(win)": np.log(0.21),
    }
    assert {name: of_pass.get(name) for name in expected} == pytest.approx(expected)
    (of_hand,) = by_input(PASS, hand="123m55s1z4z")
    parts = {name: one for name, one in of_hand.items() if name.startswith("parts of the hand")}
    assert parts["parts of the hand: pair of simples"] == 1.0
    assert parts["parts of the hand: single other wind"] == 1.0
    assert 0 < parts["parts of the hand: run with a terminal"] <= 1.0


def test_the_context_of_an_open_hand() -> None:
    """Two melds, a dora and a red five; three dora of a meld and the red five are four."""
    melded = tuple(int(one in (kind("1z"), kind("2z"))) * 3 for one in range(KINDS))
    changes: dict[str, Any] = {"closed": False, "was_tenpai": True, "facing_riichi": True}
    (features,) = by_input(
        PASS, hand="1245m5z", melded=melded, red_fives=1, dora=(kind("5z"),), **changes
    )
    expected = {"melds": 2.0, "dora": 2.0, "tenpai before": 1.0, "facing a riichi": 1.0}
    assert {name: features.get(name) for name in expected} == expected
    assert "closed" not in features
    (most,) = by_input(PASS, hand="1245m55z", melded=melded, red_fives=1, dora=(kind("1z"),))
    assert most["dora"] == 4.0


def test_the_place_in_the_game() -> None:
    (features,) = by_input(
        PASS, rank=2, behind=12_000, ahead=40_000, rounds_left=2, last_round=True
    )
    ranks = {name: one for name, one in features.items() if name.startswith("rank ")}
    assert ranks == {"rank 3": 1.0}
    assert features["points behind"] == 1.5
    assert features["points ahead"] == 3.0  # the most
    assert features["rounds left"] == 0.25
    assert features["last round"] == 1.0


def test_the_surroundings_of_a_discard() -> None:
    """The 2m in 12456m: the third tile below it would be outside the suit."""
    elsewhere = seen(m1=1, m2=1, m4=2)
    (features,) = by_input(discard("2m"), elsewhere=elsewhere, dora=(kind("3m"),))
    surroundings = {name: value for name, value in features.items() if name in SURROUNDINGS}
    assert surroundings == {
        "rank 2 from the edge": 1.0,
        "copies at -1": 1.0,
        "copies at +0": 1.0,
        "copies at +2": 1.0,
        "copies at +3": 1.0,
        "unseen copies at -1": COPIES - 2.0,
        "unseen copies at +0": COPIES - 2.0,
        "unseen copies at +1": float(COPIES),
        "unseen copies at +2": COPIES - 3.0,
        "unseen copies at +3": COPIES - 1.0,
        "dora at +1": 1.0,
        "tiles of the suit": 0.5,
    }


def test_the_surroundings_of_an_honour() -> None:
    by_discard = by_input(
        discard("7z"), discard("4z"), hand="12456m24p1156s47z", elsewhere=seen(z7=2)
    )
    red, north = (
        {name: features[name] for name in features if name in SURROUNDINGS}
        for features in by_discard
    )
    unseen = "unseen copies at +0"
    assert red == {"copies at +0": 1.0, unseen: 1.0, "yakuhai": 1.0, "copies of an honour seen": 2}
    assert north == {"copies at +0": 1.0, unseen: 3.0}


@given(st.permutations(range(3)), st.tuples(*[st.booleans()] * 3), st.integers(0, 13))
def test_suits_and_their_ends_are_equal(
    order: list[int], mirrored: tuple[bool, ...], position: int
) -> None:
    """The inputs are the same with other suits, and from the other end of a suit but for a 5."""
    hand = "1246m3357p3468s57z" if position % 2 else "11267m499p34588s7z"
    at = decision_context(hand, elsewhere=seen(m1=1, m3=2, p4=1, s9=2), dora=(kind("2m"),))
    kinds = [one for one in range(KINDS) for _ in range(at.hand[one])]
    image = [
        order[one // 9] * 9 + (8 - one % 9 if mirrored[one // 9] else one % 9)
        if one < EAST
        else one
        for one in range(KINDS)
    ]

    def moved(copies: tuple[int, ...]) -> tuple[int, ...]:
        there = [0] * KINDS
        for one, count in enumerate(copies):
            there[image[one]] = count
        return tuple(there)

    changes: dict[str, Any] = {
        "hand": moved(at.hand),
        "elsewhere": moved(at.elsewhere),
        "dora": tuple(image[one] for one in at.dora),
    }
    tile = kinds[position]
    assume(tile % 9 != 4 or tile >= EAST or not mirrored[tile // 9])
    here = inputs(at, [outcome(ActionKind.DISCARD, discard=COPIES * tile + 1)])
    there = inputs(
        replace(at, **changes),
        [outcome(ActionKind.DISCARD, discard=COPIES * image[tile] + 1)],
    )
    assert there == pytest.approx(here)


def test_the_term_is_that_of_the_equation() -> None:
    model, rng = network(), np.random.default_rng(1)
    columns = rng.normal(0.0, 4.0, (3, len(NAMES)))
    expected = []
    for x in columns:
        z = [
            min(max((one - m) / s, -MOST), MOST)
            for one, m, s in zip(x, model.center, model.scale, strict=True)
        ]
        units = [
            max(b + sum(v * one for v, one in zip(of_unit, z, strict=True)), 0.0)
            for b, of_unit in zip(model.bias, model.hidden.T, strict=True)
        ]
        expected.append(sum(w * unit for w, unit in zip(model.output, units, strict=True)))
    assert model.logits(columns) == pytest.approx(expected)


def test_the_network_counts_beside_the_terms() -> None:
    """Half of the points with twice the weight of the value; the likeliest action has 0."""
    weights = np.array([2.0 * (name == VALUES[0]) - (name == "chi") for name in FEATURES])
    at, actions = decision_context(), [PASS, CALL, discard("4z")]
    model, alone = PreferenceModel(weights, network()), PreferenceModel(weights)
    rows, of_inputs = features(at, actions), inputs(at, actions)
    columns = np.column_stack((rows[:, len(VALUES) :], of_inputs))
    logits = network().logits(columns)
    assert model.logits(rows, of_inputs) == pytest.approx(rows @ weights + logits)
    assert alone.logits(rows, of_inputs) == pytest.approx(rows @ weights)
    beyond = rows[:, len(VALUES) :] @ weights[len(VALUES) :] + logits
    assert model.points(at, actions) == pytest.approx(500 * (beyond - beyond.max()))


def test_parts_add_up_to_the_difference_from_mean_inputs() -> None:
    model, rng = network(units=40), np.random.default_rng(2)
    columns = model.center + rng.normal(0.0, 3.0, (4, len(NAMES)))
    columns[3] = model.center
    parts = model.parts(columns)
    at_mean = model.logits(model.center[None])
    assert parts.sum(axis=1) == pytest.approx(model.logits(columns) - at_mean)
    assert not parts[3].any()


def test_parts_are_those_of_the_slopes_on_the_way() -> None:
    """The mean slope at many places between the means and the inputs, times the distance."""
    model = network(units=40)
    distance = np.random.default_rng(2).uniform(-3.0, 3.0, len(NAMES))
    places = (np.arange(4000) + 0.5) / 4000
    active = places[:, None] * (distance @ model.hidden) + model.bias > 0
    slopes = (active * model.output).mean(axis=0) @ model.hidden.T
    (parts,) = model.parts((model.center + distance * model.scale)[None])
    assert parts == pytest.approx(distance * slopes, abs=0.02)


@pytest.mark.parametrize(("bias", "active"), [(1.0, 1.0), (-1.0, 0.0)])
def test_inputs_that_cancel_have_parts_of_an_active_unit(bias: float, active: float) -> None:
    hidden = np.zeros((len(NAMES), 1))
    hidden[:2, 0] = 1.0, -1.0
    n = len(NAMES)
    model = PreferenceNetwork(np.zeros(n), np.ones(n), hidden, np.array([bias]), np.array([2.0]))
    (parts,) = model.parts(np.ones((1, n)))
    assert parts[:3].tolist() == [2.0 * active, -2.0 * active, 0.0]


def test_an_explanation_adds_up_to_the_points() -> None:
    weights = np.linspace(0.5, -0.5, len(FEATURES))
    at, actions = decision_context(), [CALL, discard("4z"), PASS]
    for model in (PreferenceModel(weights, network()), PreferenceModel(weights)):
        points, parts = model.points(at, actions), model.explain(at, actions)
        assert [sum(one.values()) for one in parts] == pytest.approx(points.tolist())
        assert points.max() == 0
        assert not any(parts[points.argmax()].values())
    (of_call, _, of_pass) = PreferenceModel(weights).explain(at, actions)
    chi = 1000 * weights[FEATURES.index("chi")] / weights[0]
    assert of_call["chi"] - of_pass["chi"] == pytest.approx(chi)


def combined(n: int, seed: int) -> pd.DataFrame:
    """Decisions of two or three actions, chosen by the product of two inputs."""
    rng = np.random.default_rng(seed)
    rows = []
    for number in range(n):
        shared, size = rng.choice([-1.0, 1.0]), int(rng.integers(2, 4))
        own = rng.normal(size=size)
        chosen = int((2 * shared * own + rng.gumbel(size=size)).argmax())
        for index in range(size):
            numbers = dict.fromkeys((*TERM_COLUMNS, *INPUT_COLUMNS), 0.0)
            numbers[INPUT_COLUMNS[INPUTS.index(FIRST)]] = shared
            numbers[INPUT_COLUMNS[INPUTS.index(SECOND)]] = own[index]
            key = {"game": f"g{number // 10}", "decision": number % 10, "type": "discard"}
            phase = {"facing_riichi": False, "last_round": False}
            rows.append(key | phase | numbers | {"chosen": index == chosen})
    return pd.DataFrame(rows).astype({"game": "category"})


def no_terms() -> Floats:
    return np.array([float(name == VALUES[0]) for name in FEATURES])


def _fitted(settings: dict[str, Any], rows: pd.DataFrame) -> PreferenceNetworkFit:
    return PreferenceNetworkFit(**settings).fit(FrameShards(rows, 20), no_terms())


@pytest.mark.deep
def test_a_combination_is_learnt(isolated: Isolated) -> None:
    """The terms see nothing; the loss comes near that of the model that drew the choices."""
    fit = isolated(_fitted, SMALL, combined(2000, 0))
    fresh = combined(1000, 1)
    result = preference_metrics.evaluate(PreferenceModel(no_terms(), fit.to_runtime()), fresh)
    true = preference_metrics.evaluate(PreferenceModel(no_terms(), _drew()), fresh)
    assert result["log_loss_terms"] == pytest.approx(np.log([2, 3]).mean(), abs=0.05)
    assert true["log_loss"] < 0.65
    assert result["log_loss"] < true["log_loss"] + 0.05
    assert result["agreement"][0]["same"] > result["agreement"][0]["same_terms"] + 0.2
    again = isolated(_fitted, SMALL, combined(2000, 0))
    assert all((fit.weights_[name] == again.weights_[name]).all() for name in fit.weights_)


def _drew() -> PreferenceNetwork:
    """2·a·b for a = ±1, of which a unit each has a half."""
    columns = {name: NAMES.index(name, len(FEATURES) - len(VALUES)) for name in (FIRST, SECOND)}
    hidden = np.zeros((len(NAMES), 4))
    for unit, (sign, slope) in enumerate(((1, 1), (1, -1), (-1, 1), (-1, -1))):
        hidden[columns[FIRST], unit] = 10.0 * sign
        hidden[columns[SECOND], unit] = slope
    n = len(NAMES)
    output = np.array([1.0, -1.0, -1.0, 1.0])
    return PreferenceNetwork(np.zeros(n), np.ones(n), hidden, np.zeros(4), output)


def test_batches_have_every_decision_once() -> None:
    rows = combined(100, 3)
    n = len(NAMES)
    choices = preference_network._choices(no_terms(), np.zeros(n), np.ones(n), rows)
    choices = choices._replace(columns=np.arange(len(rows), dtype=np.float16)[:, None])
    batches = [*preference_network.batches(choices, 32, np.random.default_rng(0))]
    assert {batch.columns.shape[:2] for batch in batches} == {(32, 3)}
    counted = [batch.counts.sum() for batch in batches]
    assert counted == [32, 32, 32, 4]
    actions = np.concatenate(
        [batch.columns[batch.counts][batch.is_action[batch.counts]].ravel() for batch in batches]
    )
    assert sorted(actions.tolist()) == list(range(len(rows)))
    chosen = np.concatenate(
        [
            batch.columns[np.arange(32), batch.chosen, 0][batch.counts].astype(np.int64)
            for batch in batches
        ]
    )
    assert sorted(chosen.tolist()) == np.flatnonzero(rows["chosen"]).tolist()


def test_the_scales_are_positive() -> None:
    with pytest.raises(ParameterError, match="not positive"):
        replace(network(), scale=np.zeros(len(NAMES)))


def test_names_are_those_of_the_inputs() -> None:
    assert NAMES[-len(INPUTS) :] == INPUTS
    assert len(NAMES) == len(FEATURES) - len(VALUES) + len(INPUTS)
