"""The preferences of players: terms, the fit against what it was drawn from, and bad files."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("riichienv", reason="its actions are the choices")

from features.action_rows import INPUT_COLUMNS, TERM_COLUMNS
from houjuu.game.actions import ActionKind
from houjuu.game.tiles import KIND, KINDS, parse_tiles
from houjuu.player.hand_value.hand_decomposition import CLASSES
from houjuu.player.preference.decision import DecisionContext
from houjuu.player.preference.discard_features import TILE_ROLES, tile_role
from houjuu.player.preference.features import FEATURES, features
from houjuu.player.preference.preferences import PreferenceModel
from houjuu.player.values.outcome import Outcome
from houjuu.util.errors import ParameterError
from models.fitting.shards import FrameShards
from models.metrics import preference_metrics
from models.player.preferences import (
    LEAST_VALUE,
    PreferenceRegression,
    best,
    decisions,
    log_odds,
)
from tests.models.situations import (
    CALL,
    PASS,
    decision_context,
    discard,
    kind,
    outcome,
    seen,
)
from tests.models.situations import (
    call as changed_call,
)


def by_name(at: DecisionContext, *outcomes: Outcome) -> list[dict[str, float]]:
    """The terms of each option by name, without those that are 0."""
    table = features(at, outcomes).tolist()
    return [{name: term for name, term in zip(FEATURES, row, strict=True) if term} for row in table]


def weights(**by_name: float) -> PreferenceModel:
    return PreferenceModel(np.array([by_name.get(name, 0.0) for name in FEATURES]))


def test_the_terms_of_a_call() -> None:
    pass_terms, call = by_name(decision_context(), PASS, CALL)
    assert call["call into shanten 1"] == call["call into shanten 1, closed"] == call["chi"] == 1
    assert call["call without dora"] == 1
    assert call["call, tiles left, closed"] == pytest.approx(40 / 70)
    assert call["call, terminals and honours"] == 4
    assert call["call, pairs"] == 1
    assert not {"value", "call that keeps the shanten", "call by the dealer"} & set(call)
    assert pass_terms == {
        "value": pytest.approx(-0.3),
        "log P(win)": pytest.approx(np.log(0.21)),
        "farther from tenpai": 1.0,
        "log of useful tiles, 1 from tenpai": pytest.approx(np.log(50.5)),
        "log of points of a win, 1 from tenpai": pytest.approx(3.0),
    }
    open_hand = by_name(decision_context(closed=False, dealer=True), PASS, CALL)[1]
    assert not any("closed" in name for name in open_hand)
    assert open_hand["call by the dealer"] == 1
    same = by_name(decision_context(), PASS, changed_call(shanten=2.0))[1]
    assert same["call that keeps the shanten"] == 1


def test_the_score_situation_is_that_beyond_the_best_value() -> None:
    """Less than the best action has, and more; a large difference counts as 4,000 points."""
    best = outcome(value=900.0, score_situation=-400.0)
    others = [outcome(score_situation=points) for points in (-1_000.0, 100.0, -9_000.0)]
    terms = [row.get("score situation", 0.0) for row in by_name(decision_context(), best, *others)]
    assert terms == pytest.approx([0.0, -0.6, 0.5, -4.0])


def test_the_terms_of_a_yakuhai() -> None:
    pon = outcome(ActionKind.PON, shanten=2.0, called=parse_tiles("1z")[0])
    hand = "12456m24p115s11z"
    call = by_name(decision_context(hand), PASS, pon)[1]
    assert call["call of a yakuhai"] == 1
    assert call["call of a yakuhai, tiles left"] == call["pon, tiles left"] == 40 / 70
    assert call["pon that keeps the shanten"] == 1
    assert "call of a yakuhai, no copy left" not in call
    last = decision_context(hand, elsewhere=seen(z1=2), dora=(kind("1z"),), red_fives=1)
    call = by_name(last, PASS, pon)[1]
    assert call["call of a yakuhai, no copy left"] == 1
    assert call["call, dora"] == call["call, dora, closed"] == 4  # and no more
    other = outcome(ActionKind.PON, called=parse_tiles("1s")[0])
    call = by_name(decision_context(hand, elsewhere=seen(s1=2)), PASS, other)[1]
    assert call["pon of another kind, no copy left"] == 1
    assert "call of a yakuhai" not in call


@pytest.mark.parametrize(
    ("tile", "at", "expected"),
    [
        ("4z", decision_context(), {"parts: single other wind": -1}),
        (
            "4z",
            decision_context(elsewhere=seen(z4=2), tiles_left=60),
            {
                "discards a guest wind alone, early": 1,
                "parts: single other wind": -1,
                "discards a single tile of a guest wind, copies seen": 2,
            },
        ),
        (
            "5z",
            decision_context("1256m24p11567s55z", elsewhere=seen(z5=1), tiles_left=60),
            {
                "parts: pair of yakuhai": -1,
                "parts: single yakuhai": 1,
                "discards one of a pair of a yakuhai, copies seen": 1,
            },
        ),
        (
            "4z",
            decision_context(elsewhere=seen(z4=2), facing_riichi=True),
            {
                "parts: single other wind, facing a riichi": -1,
                "discards an honour, facing a riichi": 1,
                "unseen copies of an honour, facing a riichi": 1,
            },
        ),
        (
            "8s",
            decision_context("8s123456m11567p4z"),
            {
                "discards a 2 or 8, alone": 1,
                "parts: single 2 8": -1,
                "unseen copies up to one rank away": 4 + 3 + 4,
                "unseen copies up to two ranks away": 4 + 4 + 3 + 4,
            },
        ),
        (
            "7p",
            decision_context("67p123456m11567s"),
            {
                "discards a 3 or 7, one beside": 1,
                "parts: two-sided, inner": -1,
                "parts: single 4 5 6": 1,
                "discards a neighbour of a dora": 1,
                "unseen copies up to one rank away": 3 + 3 + 4,
                "unseen copies up to two ranks away": 4 + 3 + 3 + 4 + 4,
            },
        ),
        (
            "9p",
            decision_context("99p123456m11567s", facing_riichi=True),
            {
                "dora given up": 1,
                "dora given up, facing a riichi": 1,
                "discards a terminal, pair, facing a riichi": 1,
                "parts: pair of terminals or other winds, facing a riichi": -1,
                "parts: single 1 9, facing a riichi": 1,
                "unseen copies of a suit's tile, facing a riichi": 2,
            },
        ),
    ],
)
def test_the_terms_of_a_discard(tile: str, at: DecisionContext, expected: dict[str, float]) -> None:
    terms = by_name(at, discard(tile))[0]
    of_hand = ("log P(win)", "log of useful tiles", "log of points of a win")
    assert {name: term for name, term in terms.items() if not name.startswith(of_hand)} == expected


@pytest.mark.parametrize(
    ("tile", "hand", "name", "expected"),
    [
        ("1m", "12m345s22445567p", "discards a terminal or honour of a simple hand", 3),
        ("4p", "44p2266m1177s33z1m", "discards from one of many pairs", 1),
        ("4p", "44p2266m1177s123p9m", "discards from one of many pairs", 1),
        ("4p", "44p2266m11s12367p9m", "discards from one of many pairs", 0),
        ("4p", "444p2266m1177s33z", "discards from one of many pairs", 0),
        ("5m", "2345m123p456s1122z", "parts: single 4 5 6", -0.25),
        ("5m", "2345m123p456s1122z", "parts: single 2 8", -0.25),
        ("5m", "2345m123p456s1122z", "parts: run of simples", 0.5),
        ("4p", "1122345678p1s11z", "discards a tile of a flush", 3),
        ("1z", "1122345678p1s11z", "discards a tile of a flush", 3),
        ("1s", "1122345678p1s11z", "discards a tile of a flush", 0),
    ],
)
def test_the_terms_of_a_whole_hand(tile: str, hand: str, name: str, expected: float) -> None:
    assert by_name(decision_context(hand), discard(tile))[0].get(name, 0) == expected


def test_the_terms_of_danger() -> None:
    dangerous = discard("7s", dealt_in=-90.0)
    safe, quiet = by_name(decision_context(), discard("4z"), dangerous)
    assert not any("dealing in now" in name for name in safe)
    assert quiet["dealing in now"] == pytest.approx(-0.09)
    assert quiet["log of dealing in now"] == pytest.approx(np.log(10))
    assert quiet["log of dealing in now × P(tenpai)"] == pytest.approx(np.log(10) / 4)
    assert not any("facing" in name for name in quiet)
    facing = by_name(decision_context(facing_riichi=True), dangerous)[0]
    name = "log of dealing in now, facing a riichi, 2 from tenpai"
    assert facing[name] == pytest.approx(np.log(10))
    assert "log of dealing in now" not in facing
    farther = by_name(
        decision_context(facing_riichi=True),
        replace(dangerous, left=dangerous.left._replace(shanten=6.0)),
    )[0]
    assert farther["log of dealing in now, facing a riichi, farther"] == pytest.approx(np.log(10))


@pytest.mark.parametrize(("shanten", "far"), [(2.0, False), (3.0, True)])
def test_a_hand_is_far_from_shanten_3(shanten: float, far: bool) -> None:
    terms = by_name(decision_context(facing_riichi=True), discard("4z", shanten=shanten))[0]
    assert ("discards an honour, facing a riichi, far" in terms) == far


@pytest.mark.parametrize(("points", "expected"), [(100.0, 0.0), (800.0, np.log2(1.6))])
def test_points_count_from_500(points: float, expected: float) -> None:
    terms = by_name(decision_context(), outcome(win_points=points))[0]
    assert terms.get("log of points of a win, 2 from tenpai", 0.0) == pytest.approx(expected)


SIZES = np.array([3, 3, 3, 3, 2, 2, 2, 2, 2, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1])
"""Tiles of a part of each class."""


@given(st.lists(st.integers(0, 135), min_size=14, max_size=14, unique=True))
def test_a_discard_takes_one_tile_from_the_parts(tiles: list[int]) -> None:
    at = decision_context("1z")
    hand = tuple(sum(KIND[tile] == one for tile in tiles) for one in range(KINDS))
    options = [outcome(ActionKind.DISCARD, discard=tile) for tile in tiles]
    columns = [FEATURES.index(f"parts: {name}") for name in CLASSES]
    change = features(replace(at, hand=hand), options)[:, columns]
    assert change @ SIZES == pytest.approx(-1.0)


@given(st.lists(st.integers(0, 4), min_size=9, max_size=9), st.integers(0, 8))
def test_places_are_the_same_from_both_ends(counts: list[int], rank: int) -> None:
    counts[rank] = max(counts[rank], 1)
    name = TILE_ROLES[tile_role(tuple(counts), rank)]
    assert name == TILE_ROLES[tile_role(tuple(counts[::-1]), 8 - rank)]


def test_preferences_are_points() -> None:
    """A weight of the value of 2 a thousand points makes a term of −1 cost 500 points."""
    model = weights(value=2.0, chi=-1.0)
    assert model.points(decision_context(), [PASS, CALL]) == pytest.approx([0.0, -500.0])
    half = weights(**{"value": 2.0, "value, facing a riichi": 2.0, "chi": -1.0})
    facing = decision_context(facing_riichi=True)
    late = weights(**{"value": 2.0, "value, last round": 6.0, "chi": -1.0})
    assert late.points(decision_context(last_round=True), [PASS, CALL])[1] == -125.0
    assert half.points(facing, [PASS, CALL]) == pytest.approx([0.0, -250.0])


@pytest.mark.parametrize(
    ("tile", "hand", "name"),
    [
        ("1m", "1m456m2p", "terminal, alone"),
        ("8s", "8s123s", "2 or 8, alone"),
        ("5p", "5p5m1p", "4 to 6, alone"),
        ("5p", "57p", "4 to 6, one after a gap"),
        ("5p", "357p", "4 to 6, two after gaps"),
        ("3p", "34p", "3 or 7, one beside"),
        ("5p", "457p", "4 to 6, one beside, another after a gap"),
        ("7s", "789s", "3 or 7, end of a run"),
        ("1s", "123s", "terminal, end of a run"),
        ("8s", "789s", "2 or 8, two beside"),
        ("9m", "99m", "terminal, pair"),
        ("9m", "799m", "terminal, pair with neighbours"),
        ("4m", "3444m", "4 to 6, triplet"),
    ],
)
def test_the_place_of_a_tile(tile: str, hand: str, name: str) -> None:
    suit, rank = divmod(kind(tile), 9)
    assert TILE_ROLES[tile_role(decision_context(hand).hand[9 * suit : 9 * suit + 9], rank)] == name


def drawn(n: int, true: np.ndarray[tuple[int], np.dtype[np.float64]]) -> pd.DataFrame:
    """Decisions of three actions, chosen by a conditional logit."""
    rng = np.random.default_rng(3)
    table = rng.normal(size=(n, 3, len(FEATURES)))
    chosen = (table @ true + rng.gumbel(size=(n, 3))).argmax(axis=1)
    rows = pd.DataFrame(table.reshape(-1, len(FEATURES)), columns=TERM_COLUMNS)
    rows = rows.join(pd.DataFrame(0.0, rows.index, INPUT_COLUMNS))
    rows["game"] = pd.Categorical(np.repeat([f"g{i // 10}" for i in range(n)], 3))
    rows["decision"] = np.repeat(np.arange(n) % 10, 3)
    rows["chosen"] = (np.arange(3) == chosen[:, None]).ravel()
    rows["type"], rows["facing_riichi"], rows["last_round"] = "discard", False, True
    return rows


def test_the_fit_finds_what_the_choices_were_drawn_from() -> None:
    true = np.linspace(-1, 1, len(FEATURES))
    true[:3] = 1.0, -0.5, 0.5
    rows = drawn(12_000, true)
    fitted = PreferenceRegression(penalty=0.1).fit(FrameShards(rows, 100)).weights_
    assert fitted == pytest.approx(true, abs=0.15)
    whole = PreferenceRegression(penalty=0.1).fit(FrameShards(rows, 10_000)).weights_
    assert fitted == pytest.approx(whole, abs=1e-9)
    arrays = decisions(rows)
    odds = np.exp(log_odds(arrays["terms"] @ fitted, arrays["starts"])).reshape(-1, 3)
    assert odds.sum(axis=1) == pytest.approx(1.0)


@pytest.mark.parametrize("facing", [0.0, -3.0])
def test_the_value_keeps_a_weight_where_the_choices_show_none(facing: float) -> None:
    """Players who prefer the worst values: all other weights are fitted beside the least one."""
    true = np.zeros(len(FEATURES))
    true[:4] = -2.0 if not facing else 1.0, facing, 0.0, 1.0
    fitted = PreferenceRegression().fit(FrameShards(drawn(2_000, true)))
    assert fitted.weights_[:3].tolist() == [LEAST_VALUE, 0.0, 0.0]
    assert fitted.weights_[3] > 0.3
    assert fitted.to_runtime().weights[0] == LEAST_VALUE


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


def test_agreement_counts_the_best_action() -> None:
    rows = drawn(100, np.eye(len(FEATURES))[0] * 2)
    model = weights(value=1.0)
    result = preference_metrics.evaluate(model, rows)
    of_all, line = result["agreement"]
    best = rows.loc[rows.groupby(["game", "decision"], observed=True)["term_0"].idxmax()]
    assert line["same"] == line["same_values"] == pytest.approx(best["chosen"].mean())
    assert (line["kind"], line["phase"]) == ("discard", "no riichi, last round")
    assert of_all == line | {"phase": preference_metrics.ALL}


def test_calls_are_counted_where_they_are_legal() -> None:
    """Two calls and a pass in every decision but the last ten, which are discards."""
    rows = drawn(400, np.eye(len(FEATURES))[0])
    rows["type"] = ["pass", "chi", "pon"] * 390 + ["discard"] * 30
    result = preference_metrics.evaluate(weights(value=1.0), rows)
    (line,) = result["actions"]
    value = np.exp(rows["term_0"].to_numpy().reshape(-1, 3))[:390]
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


def test_the_weight_of_the_value_is_positive() -> None:
    with pytest.raises(ParameterError, match="not positive"):
        PreferenceModel(np.zeros(len(FEATURES)))
