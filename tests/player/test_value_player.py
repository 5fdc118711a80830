"""The player by action values: kans, wins, calls, and its answers in whole games."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("riichienv", reason="its actions are what players pick from")
from houjuu.arena import hanchan
from houjuu.game.actions import Action, ActionKind, own_kan
from houjuu.game.events import Game, MeldKind
from houjuu.game.position import position
from houjuu.game.table import View
from houjuu.game.tiles import COPIES, KIND, RED_FIVES, parse_kind, parse_tiles
from houjuu.logs import mjlog
from houjuu.player.game_decisions import game_decisions
from houjuu.player.hand_value.shanten import shanten
from houjuu.player.players import player, value_player
from houjuu.player.rules.calls import harmless_kans
from houjuu.player.value_player import situation
from houjuu.player.values.action_values import ActionValue

ROOT = Path(__file__).parents[2]
RIVERS = {"self": "9s", "right": "9p", "across": "1p", "left": "9m"}


def test_a_hanchan_with_others_is_legal_to_the_end() -> None:
    """riichienv accepts every action; calls, riichi and wins occur."""
    seats = [player("rank"), player("estimator"), player("rank"), player("v1")]
    game = hanchan.play("legal", 7, seats, ["rank", "estimator", "rank", "v1"])
    assert game.final is not None
    chosen: Counter[ActionKind] = Counter()
    for seat in (0, 2):
        for decision in game_decisions(game, seat):
            if decision.chosen is not None:
                chosen[decision.chosen.kind] += 1
    assert {ActionKind.DISCARD, ActionKind.PASS, ActionKind.RIICHI} <= set(chosen)


def test_decisions_are_those_of_the_game(own_games: list[Game]) -> None:
    """Replayed, the same player chooses the same."""
    names = ["rank", "v1", "v1", "rank"]
    game = hanchan.play("again", 3, [player(name) for name in names], names)
    compared = 0
    for seat in (0, 3):
        for decision in game_decisions(game, seat):
            if decision.chosen is None:
                continue
            again = player("rank").act(decision.view, decision.legal)
            assert again == decision.chosen
            compared += 1
    assert compared > 150


def test_a_tsumo_is_taken_and_a_ron_too() -> None:
    view = position("234567m345p6688s + 6s", RIVERS, dora="1z")
    tile = view.drawn
    assert tile is not None
    actions = [Action(ActionKind.DISCARD, tile), Action(ActionKind.TSUMO, tile)]
    assert player("rank").act(view, actions).kind == ActionKind.TSUMO
    rivers = {"self": "9s", "right": "9p 6s"}
    waiting = position(
        "234567m345p6688s", rivers | {"across": "1p", "left": "9m"}, dora="1z", seat=3
    )
    (ron,) = (tile for tile in parse_tiles("6s"))
    legal = [Action(ActionKind.RON, ron), Action(ActionKind.PASS)]
    choices = {one.action.kind: one.value for one in value_player().choices(waiting, legal)}
    assert choices[ActionKind.RON].value > choices[ActionKind.PASS].value
    assert choices[ActionKind.RON].win == 1.0


@pytest.mark.parametrize(("better", "worse"), [(30.0, -30.0)])
def test_values_of_ranks_are_options(better: float, worse: float) -> None:
    text = f"rank:first={better},second=0,third=0,last={worse}"
    made = player(text)
    assert made.game.value.ranks == (better, 0.0, 0.0, worse)  # type: ignore[attr-defined]


def test_a_kan_is_valued_as_a_hand_that_draws() -> None:
    """The kan of a hand that it leaves tenpai, with nobody else near it."""
    view = position("1111m234567p456s + 9s", RIVERS, dora="1z")
    actions = [Action.from_meld(own_kan(view, parse_kind("1m")))]
    actions += [Action(ActionKind.DISCARD, tile) for tile in view.hand]
    values = {one.action.kind: one for one in value_player().choices(view, actions)}
    assert values[ActionKind.ANKAN].value.shanten <= 1
    assert MeldKind.ANKAN.value == "ankan"
    assert values[ActionKind.ANKAN].value.win > 0.2


def test_a_tenpai_hand_may_declare_riichi_after_its_kan() -> None:
    """Without riichi the hand has no yaku; a hand that may not declare loses by the kan."""
    view = position("345m678p4588s222z + 2z", RIVERS, dora="3z")
    actions = [Action.from_meld(own_kan(view, parse_kind("2z")))]
    actions += [Action(ActionKind.DISCARD, tile) for tile in view.hand]
    without = _best(view, actions, ActionKind.ANKAN)
    value = _best(view, [*actions, Action(ActionKind.RIICHI)], ActionKind.ANKAN)
    assert (
        value.value - value.parts["preference"] > 500 + without.value - without.parts["preference"]
    )
    assert value.parts["riichi stick"] < 0 == without.parts["riichi stick"]


def test_an_added_kan_takes_its_tile_from_the_hand() -> None:
    """The kan was made at shanten 2: with the tile left in the hand it could hardly win."""
    (game,) = mjlog.read(ROOT / "docs" / "game.mjlog")
    (decision,) = (
        decision
        for decision in game_decisions(game, 0)
        if any(action.kind is ActionKind.KAKAN for action in decision.legal)
    )
    kan = decision.chosen
    assert kan is not None
    assert kan.kind is ActionKind.KAKAN
    assert kan.from_hand == (decision.view.drawn,)
    (value,) = (
        choice.value
        for choice in value_player().choices(decision.view, decision.legal)
        if choice.action == kan
    )
    rest = [KIND[tile] for tile in decision.view.hand if tile != decision.view.drawn]
    assert value.shanten == shanten(rest) == 2
    assert value.win > 0.1
    (harmless,) = harmless_kans(decision.view, [kan])
    assert harmless == (kan, 2)


def _best(view: View, actions: list[Action], kind: ActionKind) -> ActionValue:
    values = [one.value for one in value_player().choices(view, actions) if one.action.kind == kind]
    return max(values, key=lambda value: value.value)


def test_the_situation_is_that_of_the_view(own_games: list[Game]) -> None:
    seen_melds = 0
    for decision in islice(game_decisions(own_games[0], 0), 0, None, 3):
        view, found = decision.view, situation(decision.view, 0.3)
        melded = [tile for meld in view.seats[0].melds for tile in meld.tiles]
        assert (sum(found.hand), sum(found.melded)) == (len(view.hand), len(melded))
        assert found.red_fives == len({*RED_FIVES} & {*view.hand, *melded})
        copies = np.array([found.hand, found.melded, found.elsewhere, view.unseen()])
        assert (copies >= 0).all()
        assert (copies.sum(axis=0) == COPIES).all()
        assert found.closed == all(meld.kind == MeldKind.ANKAN for meld in view.seats[0].melds)
        seen_melds += bool(melded)
    assert seen_melds


def test_a_riichi_passed_once_is_passed_again() -> None:
    """The same fourteen tiles: tenpai by the draw, or tenpai before it."""
    parts = {}
    for hand in ("234567m34588p7s1z + 6s", "234567m34588p67s + 1z"):
        view = position(hand, RIVERS, dora="2m")
        tile = parse_tiles("1z")[0]
        actions = [Action(ActionKind.DISCARD, tile), Action(ActionKind.RIICHI)]
        dama, riichi = value_player().choices(view, actions)
        assert dama.discard == riichi.discard == tile
        parts[situation(view, 0.0).was_tenpai] = [
            one.value.parts["preference"] for one in (dama, riichi)
        ]
    first, again = parts[False], parts[True]
    assert first[1] - first[0] > again[1] - again[0] + 500
