"""The preferences of players: terms, the fit against what it was drawn from, and bad files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("riichienv", reason="its actions are the choices")

from features import action_rows, schema
from features.action_rows import ACTIONS, TERM_COLUMNS
from houjuu.errors import ParameterError
from houjuu.events import Game
from houjuu.player.action_value.preference_terms import ISOLATED, TERMS, Option, Situation, terms
from houjuu.player.action_value.preferences import PreferenceModel
from houjuu.player.players import value_player
from houjuu.tiles import KIND, KINDS, parse_tiles
from models.metrics import preference_metrics
from models.parts import FrameParts
from models.preferences import PreferenceRegression, decisions, probabilities

PASS = Option("PASS", 0.0, 0.2, shanten=2.0, ways=50.0, points=4000.0)
CALLED = parse_tiles("3p")[0]
CALL = PASS._replace(type="CHI", value=300.0, shanten=1.0, called=CALLED)


def around(hand: str = "12456m24p11567s4z", **changes: Any) -> Situation:
    """A quiet situation with a closed hand, and the dora 9p."""
    tiles = parse_tiles(hand)
    at = Situation(
        hand=tuple(counts(tiles)),
        melded=(0,) * KINDS,
        elsewhere=(0,) * KINDS,
        red_fives=0,
        dora=(kind("9p"),),
        yakuhai=(kind("1z"), *range(KINDS - 3, KINDS)),
        closed=True,
        was_tenpai=False,
        facing_riichi=False,
        dealer=False,
        tiles_left=40,
    )
    return replace(at, **changes)


def counts(tiles: Sequence[int]) -> list[int]:
    return [sum(KIND[tile] == one for tile in tiles) for one in range(KINDS)]


def kind(tile: str) -> int:
    return KIND[parse_tiles(tile)[0]]


def seen(**copies: int) -> tuple[int, ...]:
    """Copies seen elsewhere, by kind with the suit first: p9=1."""
    by_kind = {kind(name[1:] + name[0]): count for name, count in copies.items()}
    return tuple(by_kind.get(one, 0) for one in range(KINDS))


def discard(tile: str, type: str = "DISCARD", shanten: float = 2.0, ways: float = 50.0) -> Option:
    found = parse_tiles(tile)[0]
    return PASS._replace(type=type, discard=found, shanten=shanten, ways=ways)


def by_name(at: Situation, *options: Option) -> list[dict[str, float]]:
    """The terms of each option by name, without those that are 0."""
    table = terms(at, options).tolist()
    return [{name: term for name, term in zip(TERMS, row, strict=True) if term} for row in table]


def weights(**by_name: float) -> PreferenceModel:
    return PreferenceModel(np.array([by_name.get(name, 0.0) for name in TERMS]))


def test_the_terms_of_a_call() -> None:
    passed, call = by_name(around(), PASS, CALL)
    assert call["call into shanten 1"] == call["call into shanten 1, closed"] == call["chi"] == 1
    assert call["call without dora"] == 1
    assert call["call, tiles left, closed"] == pytest.approx(40 / 70)
    assert call["call, terminals and honours"] == 4
    assert call["call, pairs"] == 1
    assert not {"value", "call that keeps the shanten", "call by the dealer"} & set(call)
    assert passed == {
        "value": pytest.approx(-0.3),
        "log P(win)": pytest.approx(np.log(0.21)),
        "farther from tenpai": 1.0,
    }
    open_hand = by_name(around(closed=False, dealer=True), PASS, CALL)[1]
    assert not any("closed" in name for name in open_hand)
    assert open_hand["call by the dealer"] == 1
    same = by_name(around(), PASS, CALL._replace(shanten=2.0))[1]
    assert same["call that keeps the shanten"] == 1


def test_the_terms_of_a_yakuhai() -> None:
    pon = PASS._replace(type="PON", shanten=2.0, called=parse_tiles("1z")[0])
    hand = "12456m24p115s11z"
    call = by_name(around(hand), PASS, pon)[1]
    assert call["call of a yakuhai"] == 1
    assert call["call of a yakuhai, tiles left"] == call["pon, tiles left"] == 40 / 70
    assert call["pon that keeps the shanten"] == 1
    assert "call of a yakuhai, no copy left" not in call
    last = around(hand, elsewhere=seen(z1=2), dora=(kind("1z"),), red_fives=1)
    call = by_name(last, PASS, pon)[1]
    assert call["call of a yakuhai, no copy left"] == 1
    assert call["call, dora"] == call["call, dora, closed"] == 4  # and no more
    other = pon._replace(called=parse_tiles("1s")[0])
    call = by_name(around(hand, elsewhere=seen(s1=2)), PASS, other)[1]
    assert call["pon of another kind, no copy left"] == 1
    assert "call of a yakuhai" not in call


def test_the_terms_of_a_riichi() -> None:
    riichi = discard("4z", "RIICHI", shanten=0.0, ways=6.0)
    found = by_name(around(), riichi)[0]
    assert found["riichi"] == 1
    assert found["riichi, unseen tiles waited for"] == pytest.approx(np.log(6.5))
    assert not {"riichi, early", "riichi, late", "riichi, tenpai before"} & set(found)
    again = by_name(around(was_tenpai=True, facing_riichi=True, tiles_left=17), riichi)[0]
    assert again["riichi, tenpai before"] == again["riichi facing a riichi"] == 1
    assert again["riichi, late"] == 1
    dama = by_name(around(was_tenpai=True), discard("4z", shanten=0.0))[0]
    assert not any("riichi" in name for name in dama)


@pytest.mark.parametrize(
    ("tile", "at", "expected"),
    [
        ("4z", around(), {"discards an isolated guest wind": 1}),
        (
            "4z",
            around(elsewhere=seen(z4=2), tiles_left=60),
            {
                "discards an isolated guest wind": 1,
                "discards an isolated guest wind, early": 1,
                "discards a single guest wind, copies seen": 2,
            },
        ),
        (
            "5z",
            around("1256m24p11567s55z", elsewhere=seen(z5=1)),
            {
                "discards from a pair of a yakuhai": 1,
                "discards from a pair of a yakuhai, copies seen": 1,
            },
        ),
        ("4z", around(facing_riichi=True), {"discards an honour, facing a riichi": 1}),
        ("1m", around("1189m1123345677p"), {}),
        ("1m", around("12m345s22445567p"), {"discards a terminal or honour of a simple hand": 3}),
        ("8s", around("8s123456m11567p4z"), {"discards an isolated 2 or 8": 1}),
        ("7p", around("67p123456m11567s"), {"discards a neighbour of a dora": 1}),
        ("9p", around("99p123456m11567s"), {"dora given up": 1}),
        ("4p", around("44p2266m1177s33z1m"), {"discards from one of many pairs": 1}),
        ("4p", around("1122345678p1s11z"), {"discards a tile of a flush": 3}),
    ],
)
def test_the_terms_of_a_discard(tile: str, at: Situation, expected: dict[str, float]) -> None:
    found = by_name(at, discard(tile))[0]
    assert {name: term for name, term in found.items() if "P(win)" not in name} == expected


def test_preferences_are_points() -> None:
    """A weight of the value of 2 a thousand points makes a term of −1 cost 500 points."""
    model = weights(value=2.0, chi=-1.0)
    assert model.points(around(), [PASS, CALL]) == pytest.approx([0.0, -500.0])
    half = weights(**{"value": 2.0, "value, facing a riichi": 2.0, "chi": -1.0})
    facing = around(facing_riichi=True)
    assert half.points(facing, [PASS, CALL]) == pytest.approx([0.0, -250.0])


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
    expected = -1 if name is None else ISOLATED.index(name)
    assert around(hand).isolated(kind(tile)) == expected


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
    rows = drawn(12_000, true)
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
    rows = action_rows.rows(own_games[:1], player, stride=25, rare_stride=5)
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
