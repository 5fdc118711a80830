"""The preferences in positions: their features by name, and the points that they make of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

pytest.importorskip("riichienv", reason="its actions are what players pick from")

from houjuu.estimators.loading import load_once
from houjuu.game.actions import Action, ActionKind
from houjuu.game.events import Game, Meld, MeldKind
from houjuu.game.position import position
from houjuu.game.tiles import COPIES, KIND, KINDS, PINZU, SOUZU, format_tiles, parse_tiles
from houjuu.game.view import View
from houjuu.player.hand_value.hand_decomposition import CLASSES
from houjuu.player.players import value_player
from houjuu.player.preference import features, preferences
from houjuu.player.preference.features import FEATURES, ValuedDecision, feature_names
from houjuu.player.preference.preferences import PreferenceModel
from houjuu.player.view_states import DecisionContext
from houjuu.util.features import Columns, Feature
from tests.kit.free_decisions import free_decisions
from tests.player.hand_value.test_hand_decomposition import SIZES

RIVERS = {"self": "9s", "right": "9p", "across": "1p", "left": "9m"}


def valued(view: View, *more: Action) -> ValuedDecision:
    """The decision about the discards, and more actions."""
    discards = [Action(ActionKind.DISCARD, tile) for tile in view.hand if view.drawn is not None]
    return value_player(load_once()).valued(view, [*discards, *more])


def by_name(decision: ValuedDecision) -> dict[str, dict[str, float]]:
    """The features of each action that are not 0, by its tile or kind."""
    rows = features.features(decision).tolist()
    named = {}
    for one, row in zip(decision.outcomes, rows, strict=True):
        is_discard = one.action.kind is ActionKind.DISCARD
        name = format_tiles(one.action.from_hand) if is_discard else one.action.kind.value
        named[name] = {term: value for term, value in zip(FEATURES, row, strict=True) if value}
    return named


@pytest.mark.parametrize(
    ("scores", "place"),
    [
        ((25_000, 25_000, 25_000, 25_000), (2, 0, 0)),  # seat 2: the lower seats are ahead
        ((31_000, 20_000, 30_500, 18_500), (1, 500, 10_500)),
        ((20_000, 21_000, 40_000, 19_000), (0, 0, 19_000)),
        ((30_000, 30_000, 10_000, 30_000), (3, 20_000, 0)),
    ],
)
def test_the_place_by_the_scores(scores: Sequence[int], place: tuple[int, int, int]) -> None:
    rivers = {"self": "9s", "right": "9p", "across": "1p", "left": "9m 1z"}
    names = ("across", "left", "self", "right")  # of the seats 0 to 3, seen from 2
    by_seat = dict(zip(names, scores, strict=True))
    table: dict[str, Any] = {"dora": "3z", "round": "S2", "seat": 2, "scores": by_seat}
    view = position("123456m33789p46s + 1z", rivers, **table)
    assert DecisionContext(view, np.zeros(3)).place == place
    shown = by_name(valued(view))["1z"]
    assert shown[f"place {place[0] + 1}"] == 1
    assert shown.get("points behind", 0.0) == min(place[1] / 8000, 3)
    assert shown["rounds left"] == 2 / 8
    assert "last round" not in shown


@pytest.mark.parametrize(
    ("hand", "flush"),
    [("12345p111222z9s1m + 3z", (PINZU, 5 + 7 - 9)), ("1258m14p257899s1z + 2z", (SOUZU, 0))],
)
def test_a_flush(hand: str, flush: tuple[int, int]) -> None:
    assert DecisionContext(position(hand, RIVERS, dora="4z"), np.zeros(3)).flush == flush


def test_a_discard_by_its_neighbours() -> None:
    """The 2m in 12456m: the third tile below it would be outside the suit."""
    view = position("12456m24p115678s + 4z", RIVERS, dora="2m")
    shown = by_name(valued(view))["2m"]
    own = {name: shown[name] for name in FEATURES if name.startswith("copies at") if name in shown}
    assert own == dict.fromkeys(("copies at -1", "copies at +0", "copies at +2", "copies at +3"), 1)
    assert shown["rank 2 from the edge"] == 1
    assert shown["tiles of the suit"] == 0.5
    unseen = view.unseen()
    assert shown["unseen copies at +1"] == unseen[2] == COPIES
    assert shown["unseen copies at +3"] == unseen[4] == COPIES - 1
    north = by_name(valued(view))["4z"]
    assert north["guest wind"] == 1
    assert "yakuhai" not in north
    assert not [name for name in north if name.startswith("copies at") and name[-1] != "0"]


def test_features_of_real_decisions(own_games: list[Game]) -> None:
    """A discard gives up one tile; no number is absurd; what ends the round leaves no hand."""
    parts = [FEATURES.index(f"parts given up: {name}") for name in CLASSES]
    compared = 0
    for number, decision in enumerate(free_decisions(own_games[0], 1)):
        if number % 4:
            continue
        made = value_player(load_once()).valued(decision.view, decision.legal)
        if made.declared:
            continue
        rows = features.features(made)
        assert np.isfinite(rows).all()
        discards = made.kinds >= 0
        assert rows[discards][:, parts] @ SIZES == pytest.approx(-1.0)
        assert not rows[~discards][:, parts].any()
        assert (made.context.hand[made.kinds[discards]] > 0).all()
        assert features.value(made).max() == 0
        compared += 1
    assert compared > 10


def test_a_call_and_the_pass() -> None:
    """Pon of haku: the pass is no call, and a copy is left."""
    rivers = {"self": "9s", "right": "9p", "across": "1p", "left": "9m 5z"}
    view = position("123m456p789s55z79p", rivers | {"self": "9s 1z"}, dora="3z", seat=1)
    tile = view.opponents[-1].river[-1].tile
    pair = [one for one in view.hand if KIND[one] == KIND[tile]]
    pon = Action.from_meld(Meld(MeldKind.PON, tuple(sorted((*pair, tile))), tile, 0))
    shown = by_name(valued(view, pon, Action(ActionKind.PASS)))
    assert shown["pon"]["pon"] == shown["pon"]["call of a yakuhai"] == 1
    assert shown["pass"]["pass"] == 1
    assert not {"call of a yakuhai", "pon"} & {*shown["pass"]}
    assert len([name for name in shown["pon"] if name.startswith("call into shanten")]) == 1
    assert "call of the last copy" not in shown["pon"]


def test_the_best_action_has_no_points_against_it() -> None:
    view = position("234567m34588p67s + 1z", RIVERS, dora="2m")
    made = valued(view, Action(ActionKind.RIICHI))
    points = preferences.load().points(made)
    assert len(points) == len(made.every) > len(made.outcomes)
    assert points.max() == 0


def test_points_are_the_logit_by_the_weight_of_the_value() -> None:
    """A weight of the value of 2 a thousand points makes a unit less cost 500 points."""
    n = len(FEATURES)
    hidden = 1.0 * (np.array(FEATURES) == "guest wind")[:, None]
    weights = {"center": np.zeros(n), "scale": np.ones(n), "hidden": hidden}
    weights |= {"bias": np.zeros(1), "output": -np.ones(1)}
    model = PreferenceModel(value=np.array([np.log(2.0), 0.0, 0.0]), **weights)
    made = valued(position("12456m24p115678s + 4z", RIVERS, dora="2m"))
    by_kind = dict(zip(made.kinds.tolist(), model.points(made).tolist(), strict=True))
    assert by_kind == {kind: -500.0 * (kind == KIND[parse_tiles("4z")[0]]) for kind in by_kind}


def test_a_file_chooses_its_features_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """The code knows one more in each group: the answers stay the same."""
    made = valued(position("234567m34588p67s + 1z", RIVERS, dora="2m"))

    expected, names = preferences.load().points(made).tolist(), feature_names()
    more: Feature[Any] = Feature(("more",), "1", lambda _: 1.0)
    for group, table in features.TABLES.items():
        first, *rest = table.features
        extended: Columns[Any] = Columns(first, more.named(f"more of {group}"), *rest)
        monkeypatch.setitem(features.TABLES, group, extended)
    assert len(feature_names()) == len(names) + len(features.TABLES)
    assert preferences.load().points(made).tolist() == expected


def test_the_features_are_named_once() -> None:
    assert len({*FEATURES}) == len(FEATURES)
    assert KINDS == 34
    for table in features.TABLES.values():
        assert all(one.unit for one in table.features)
