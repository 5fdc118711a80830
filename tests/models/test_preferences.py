"""The preferences of players: terms, the fit against what it was drawn from, and bad files."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("riichienv", reason="its actions are the choices")

from features import action_rows, schema
from features.action_rows import ACTIONS, TERM_COLUMNS
from houjuu.errors import ParameterError
from houjuu.events import Game
from houjuu.player.action_value.preferences import (
    ISOLATED,
    TERMS,
    Option,
    PreferenceModel,
    isolated,
    terms,
)
from houjuu.player.players import value_player
from houjuu.tiles import KIND, parse_tiles
from models.metrics import preference_metrics
from models.parts import FrameParts
from models.preferences import PreferenceRegression, decisions, probabilities

PASS = Option("PASS", 0.0, 2.0, 50.0, 4000.0, True, True, False, 40, -1, 0)
CALL = PASS._replace(type="CHI", value=300.0, shanten=1.0, closed=False)


def weights(**by_name: float) -> PreferenceModel:
    return PreferenceModel(np.array([by_name.get(name, 0.0) for name in TERMS]))


def test_the_terms_of_a_call() -> None:
    found = dict(zip(TERMS, terms([PASS, CALL])[1].tolist(), strict=True))
    assert found["value"] == 0.0
    assert found["call into shanten 1"] == found["chi"] == found["call with a closed hand"] == 1.0
    assert found["call into shanten 2"] == found["call facing a riichi"] == 0.0
    passed = dict(zip(TERMS, terms([PASS, CALL])[0].tolist(), strict=True))
    assert passed["value"] == pytest.approx(-0.3)
    assert passed["farther from tenpai"] == 1.0


def test_preferences_are_points() -> None:
    """A weight of the value of 2 a thousand points makes a term of −1 cost 500 points."""
    model = weights(value=2.0, chi=-1.0)
    assert model.points([PASS, CALL]) == pytest.approx([0.0, -500.0])
    facing = [one._replace(facing_riichi=True) for one in (PASS, CALL)]
    half = weights(**{"value": 2.0, "value, facing a riichi": 2.0, "chi": -1.0})
    assert half.points(facing) == pytest.approx([0.0, -250.0])


@pytest.mark.parametrize(
    ("tile", "hand", "name"),
    [
        ("4z", "4z123m", "guest wind"),
        ("1z", "1z123m", "yakuhai"),
        ("1m", "1m456m2p", "terminal"),
        ("8s", "8s123s", "2 or 8"),
        ("5p", "5p5m1p", "3 to 7"),
        ("5p", "57p", None),
        ("4z", "44z", None),
        ("9m", "9m1p", "terminal"),
    ],
)
def test_isolated_tiles(tile: str, hand: str, name: str | None) -> None:
    kind, kinds = KIND[parse_tiles(tile)[0]], [KIND[one] for one in parse_tiles(hand)]
    expected = -1 if name is None else ISOLATED.index(name)
    assert isolated(kind, kinds, yakuhai=[27, 31, 32, 33]) == expected


def drawn(n: int, true: np.ndarray[tuple[int], np.dtype[np.float64]]) -> pd.DataFrame:
    """Decisions of three actions, chosen by a conditional logit."""
    rng = np.random.default_rng(3)
    table = rng.normal(size=(n, 3, len(TERMS)))
    chosen = (table @ true + rng.gumbel(size=(n, 3))).argmax(axis=1)
    rows = pd.DataFrame(table.reshape(-1, len(TERMS)), columns=TERM_COLUMNS)
    rows["game"] = pd.Categorical(np.repeat([f"g{i // 10}" for i in range(n)], 3))
    rows["decision"] = np.repeat(np.arange(n) % 10, 3)
    rows["chosen"] = (np.arange(3) == chosen[:, None]).ravel()
    rows["type"], rows["facing_riichi"] = "DISCARD", False
    return rows


def test_the_fit_finds_what_the_choices_were_drawn_from() -> None:
    true = np.linspace(-1, 1, len(TERMS))
    true[0] = 1.0
    rows = drawn(4000, true)
    fitted = PreferenceRegression(penalty=0.1).fit(FrameParts(rows, 100)).weights_
    assert fitted == pytest.approx(true, abs=0.15)
    whole = PreferenceRegression(penalty=0.1).fit(FrameParts(rows, 10_000)).weights_
    assert fitted == pytest.approx(whole, abs=1e-9)
    odds = probabilities(fitted, decisions(rows))
    assert odds.sum(axis=1) == pytest.approx(1.0)
    assert (odds[:, 3:] == 0).all()


def test_agreement_counts_the_best_action() -> None:
    rows = drawn(50, np.eye(len(TERMS))[0] * 3)
    model = weights(value=1.0)
    result = preference_metrics.evaluate(model, rows)
    (line,) = result["agreement"]
    best = rows.loc[rows.groupby(["game", "decision"], observed=True)["term_0"].idxmax()]
    assert line["same"] == line["same_values"] == pytest.approx(best["chosen"].mean())
    assert line["kind"] == "discard"


def test_rows_are_the_decisions_of_the_games(own_games: list[Game]) -> None:
    player = value_player()
    player.preferences = None
    rows = action_rows.rows(own_games[:1], player, stride=25)
    assert [str(dtype) for dtype in rows.dtypes] == [column.dtype for column in ACTIONS]
    assert list(rows.columns) == schema.names(ACTIONS)
    by_decision = rows.groupby("decision")
    assert (by_decision["chosen"].sum() == 1).all()
    assert (by_decision["term_0"].max() == 0).all()
    assert by_decision.ngroups > 10


@pytest.mark.parametrize(
    ("array", "problem"),
    [
        (np.zeros(3), "shape"),
        (np.zeros(len(TERMS)), "not positive"),
        (np.full(len(TERMS), 1e9), "weights"),
    ],
)
def test_absurd_weights_are_refused(
    array: np.ndarray[tuple[int], np.dtype[np.float64]], problem: str
) -> None:
    with pytest.raises(ParameterError, match=problem):
        PreferenceModel(array)
