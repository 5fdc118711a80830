"""The player by action values: kans, wins, calls, and its answers in whole games."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path
from unittest.mock import create_autospec

import numpy as np
import pytest

pytest.importorskip("riichienv", reason="its actions are what players pick from")
from houjuu.arena import hanchan
from houjuu.estimators.loading import load_once
from houjuu.game.actions import WINS, Action, ActionKind, own_kan
from houjuu.game.events import Game, Meld, MeldKind
from houjuu.game.position import position
from houjuu.game.table import View
from houjuu.game.tiles import COPIES, KIND, RED_FIVES, TILES, parse_kind, parse_tiles
from houjuu.game.view import with_riichi_accepted
from houjuu.hands.shanten import shanten
from houjuu.logs import mjlog
from houjuu.player.players import player, value_player
from houjuu.player.rules.players import harmless_kans
from houjuu.player.value_player import ValuePlayer
from houjuu.player.values.action_values import ActionValuer
from houjuu.player.values.outcome import Outcome, ValuePart
from houjuu.player.view_states import DecisionContext, HandsLeft
from tests.kit.free_decisions import free_decisions

ROOT = Path(__file__).parents[2]
RIVERS = {"self": "9s", "right": "9p", "across": "1p", "left": "9m"}


def rank_player() -> ValuePlayer:
    return value_player(load_once())


def test_decisions_are_those_of_the_game() -> None:
    """Replayed, the same player chooses the same."""
    names = ["v1", "v1", "v1", "rank"]
    game = hanchan.play("again", 3, [player(name) for name in names], names)
    decided = [one for one in free_decisions(game, 3) if one.chosen is not None]
    for decision in decided:
        assert player("rank").act(decision.view, decision.legal) == decision.chosen
    assert len(decided) > 50


def test_values_of_ranks_are_options() -> None:
    made = player("rank:first=30,second=0,third=0,last=-30")
    assert made.rank_values.value.ranks == (30, 0, 0, -30)  # type: ignore[attr-defined]


def valuer(view: View) -> ActionValuer:
    made = rank_player()
    tenpai, wall = made.estimator.tenpai(view), made.estimator.unseen(view).wall_weights
    return ActionValuer(DecisionContext(view, tenpai, wall), made.rank_values, made.model)


def without_preference(view: View, action: Action, *others: Action) -> Outcome:
    """The value of the first action by the models alone."""
    choices = rank_player().valued(view, [action, *others]).every
    (outcome,) = (one for one in choices if one.action == action)
    return outcome


def test_after_a_closed_kan_the_seat_draws_at_once() -> None:
    """The next draw is the seat's own, and an indicator is turned over."""
    view = position("1111m234567p456s + 9s", RIVERS, dora="1z")
    meld = own_kan(view, parse_kind("1m"))
    action = Action.from_meld(meld)
    rest = [tile for tile in view.hand if tile not in meld.tiles]
    hands = HandsLeft([rest], [None], (meld,), turns_until_draw=1, new_indicators=1)
    (expected,) = valuer(view).after([action], hands)
    assert without_preference(view, action) == expected
    states = DecisionContext(view, np.full(3, 0.1)).states(hands)
    assert states.draws.tolist() == [(view.tiles_left - 1) // 4 + 1]
    assert states.indicators.tolist() == [2]
    for changed in (hands._replace(turns_until_draw=4), hands._replace(new_indicators=0)):
        (value,) = valuer(view).after([action], changed)
        assert value.value != expected.value


def test_after_an_open_kan_the_seat_draws_at_once() -> None:
    rivers = {"self": "9s", "right": "9p", "across": "1p", "left": "1m"}
    view = position("111m234567p4568s", rivers, dora="1z")
    called = view.seats[3].river[-1].tile
    rest = [tile for tile in view.hand if KIND[tile] != KIND[called]]
    own = [tile for tile in view.hand if KIND[tile] == KIND[called]]
    meld = Meld(MeldKind.DAIMINKAN, tuple(sorted((*own, called))), called, 3)
    action = Action.from_meld(meld)
    hands = HandsLeft([rest], [None], (meld,), turns_until_draw=1, new_indicators=1)
    (expected,) = valuer(view).after([action], hands)
    assert without_preference(view, action, Action(ActionKind.PASS)) == expected


def test_an_added_kan_may_be_robbed() -> None:
    """Its tile is at risk as a discard is; then the seat draws at once."""
    rivers = {"self": "9s 2s", "right": "9p 1s*", "across": "1m~ 1p", "left": "9m"}
    view = position("234567p456s8s + 1m", rivers, {"self": "pon 11~1m"}, dora="1z")
    (pon,) = view.seats[view.seat].melds
    tile = view.drawn
    assert tile is not None
    meld = Meld(MeldKind.KAKAN, tuple(sorted((*pon.tiles, tile))), pon.called, pon.source, tile)
    action = Action.from_meld(meld)
    rest = [kept for kept in view.hand if kept != tile]
    hands = HandsLeft([rest], [tile], (meld,), turns_until_draw=1, new_indicators=1)
    (expected,) = valuer(view).after([action], hands, rank_player().estimator.deal_in(view))
    value = without_preference(view, action)
    assert value == replace(expected, discard=None)  # the tile is added, not discarded
    assert value.parts[ValuePart.DEALS_IN_NOW_RIGHT] < 0


@pytest.mark.parametrize("discarder", [1, 2, 3])
def test_a_pass_waits_for_the_own_turn(discarder: int) -> None:
    """The next draw is as far away as the seats between the discard and the seat."""
    rivers = ["9s 1s", "9p 8p", "1p 2p", "9m 8m"]
    rivers[discarder] = rivers[discarder][:2] + " 6s"
    rivers[discarder + 1 :] = [river[:2] for river in rivers[discarder + 1 :]]
    view = position("234567m345p6688s", rivers, dora="1z")
    turns = 4 - discarder
    tile = view.seats[discarder].river[-1].tile
    waiting = HandsLeft([view.hand], [None], turns_until_draw=turns)
    passing = Action(ActionKind.PASS)
    (calls,) = valuer(view).after([passing], waiting)
    pair = [copy for copy in view.hand if KIND[copy] == KIND[tile]][:2]
    pon = Action.from_meld(Meld(MeldKind.PON, tuple(sorted((*pair, tile))), tile, discarder))
    assert without_preference(view, passing, pon) == calls
    (furiten,) = valuer(view).after([passing], waiting._replace(passes_ron=True))
    ron = Action(ActionKind.RON, tile)
    assert without_preference(view, passing, ron) == furiten
    assert furiten.win < calls.win


def test_nine_terminals_abort_the_round() -> None:
    view = position("19m19p19s1234z234m + 6p", dora="3z")
    discard = Action(ActionKind.DISCARD, view.hand[0])
    action = Action(ActionKind.NINE_TERMINALS)
    assert without_preference(view, action, discard) == valuer(view).abort(action)


def test_without_preferences_the_values_are_those_of_the_models() -> None:
    view = position("234567m34588p67s + 1z", RIVERS | {"right": "9p*"}, dora="2m")
    actions = [Action(ActionKind.DISCARD, tile) for tile in view.hand]
    made = rank_player()
    models_alone = ValuePlayer(made.estimator, made.rank_values, made.model)
    assert models_alone.outcomes(view, actions) == made.valued(view, actions).every


def test_a_tenpai_hand_may_declare_riichi_after_its_kan() -> None:
    """Without riichi the hand has no yaku; a hand that may not declare loses by the kan."""
    view = position("345m678p4588s222z + 2z", RIVERS, dora="3z")
    actions = [Action.from_meld(own_kan(view, parse_kind("2z")))]
    actions += [Action(ActionKind.DISCARD, tile) for tile in view.hand]
    without = _best(view, actions, ActionKind.ANKAN)
    value = _best(view, [*actions, Action(ActionKind.RIICHI)], ActionKind.ANKAN)
    assert (
        value.value - value.parts[ValuePart.PREFERENCE]
        > 500 + without.value - without.parts[ValuePart.PREFERENCE]
    )
    assert value.parts[ValuePart.RIICHI_STICK] < 0 == without.parts[ValuePart.RIICHI_STICK]


def test_an_added_kan_takes_its_tile_from_the_hand() -> None:
    """The kan was made at shanten 2: with the tile left in the hand it could hardly win."""
    (game,) = mjlog.read(ROOT / "docs" / "game.mjlog")
    (decision,) = (
        decision
        for decision in free_decisions(game, 0)
        if any(action.kind is ActionKind.KAKAN for action in decision.legal)
    )
    kan = decision.chosen
    assert kan is not None
    assert kan.kind is ActionKind.KAKAN
    assert kan.from_hand == (decision.view.drawn,)
    (value,) = (
        choice
        for choice in rank_player().outcomes(decision.view, decision.legal)
        if choice.action == kan
    )
    rest = [KIND[tile] for tile in decision.view.hand if tile != decision.view.drawn]
    assert value.left.shanten == shanten(rest) == 2
    assert value.win > 0.1
    (harmless,) = harmless_kans(decision.view, [kan])
    assert harmless == (kan, 2)


def test_a_riichi_discards_the_tile_that_it_was_declared_for() -> None:
    """East 4, seat 2: the preferences of a plain discard once chose another tile for it."""
    (game,) = mjlog.read(ROOT / "docs" / "game.mjlog")
    decisions = [one for one in free_decisions(game, 2) if one.view.round == 3]
    made = rank_player()
    compared = 0
    for before, after in pairwise(decisions):
        if before.chosen != Action(ActionKind.RIICHI):
            continue
        first, second = (made.outcomes(one.view, one.legal) for one in (before, after))
        declared = [one for one in first if one.action.kind is ActionKind.RIICHI]
        by_tile = {one.discard: one.value for one in second}
        assert {one.discard for one in declared} == {*by_tile}
        for one in declared:
            before_and_after = one.value - by_tile[one.discard]
            assert before_and_after == pytest.approx(
                declared[0].value - by_tile[declared[0].discard]
            )
        best = max(declared, key=lambda one: one.value)
        assert made.act(after.view, after.legal).tile == best.discard
        compared += len(declared)
    assert compared > 1


def test_the_states_in_riichi_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dama hand without a yaku is in part its riichi, with any copy of the tile (6s)."""
    view = position("123456m33789p46s + 6s", RIVERS, dora="2m")
    legal = [Action(ActionKind.DISCARD, tile) for tile in dict.fromkeys(reversed(view.hand))]
    states = create_autospec(DecisionContext.states, side_effect=DecisionContext.states)
    monkeypatch.setattr(DecisionContext, "states", states)
    outcomes = rank_player().outcomes(view, [*legal, Action(ActionKind.RIICHI)])
    declared = [one.discard for one in outcomes if one.action.kind is ActionKind.RIICHI]
    assert len(declared) > 1
    asked = (call.args[1] for call in states.call_args_list)
    (in_riichi,) = (hands for hands in asked if hands.riichi)
    assert list(in_riichi.discards) == declared


def test_who_claims_a_riichi_tile_faces_the_riichi(own_games: list[Game]) -> None:
    """All but a win has the value that it has once the riichi is accepted and paid."""
    made, n_claims = rank_player(), 0
    for game in own_games:
        for decision in free_decisions(game, 0):
            accepted = with_riichi_accepted(decision.view)
            if accepted is decision.view:
                continue
            legal = [action for action in decision.legal if action.kind not in WINS]
            outcomes = made.valued(decision.view, legal).every
            faced = made.valued(accepted, legal).every
            assert [one.value for one in outcomes] == [one.value for one in faced]
            n_claims += 1
    assert n_claims


def _best(view: View, actions: list[Action], kind: ActionKind) -> Outcome:
    outcomes = rank_player().outcomes(view, actions)
    return max((one for one in outcomes if one.action.kind == kind), key=lambda one: one.value)


def test_the_context_is_that_of_the_view(own_games: list[Game]) -> None:
    seen_melds = 0
    for decision in islice(free_decisions(own_games[0], 0), 0, None, 3):
        view = decision.view
        context = DecisionContext(view, np.zeros(3))
        tiles = [*view.hand, *(tile for meld in view.seats[0].melds for tile in meld.tiles)]
        assert (context.hand.sum(), context.held.sum()) == (len(view.hand), len(tiles))
        assert (context.held + context.unseen <= COPIES).all()
        dora = sum(view.dora.count(KIND[tile]) for tile in tiles)
        assert context.dora_of[context.tiles].sum() == len({*RED_FIVES} & {*tiles}) + dora
        seen_melds += len(tiles) > len(view.hand)
        kept = view.hand[: len(view.hand) // 3 * 3 + 1]
        states = context.states(HandsLeft([kept], [None]))
        assert states.unseen.tolist() == [TILES - len(view.visible())]
        assert states.melds.tolist() == [len(view.seats[0].melds)]
        opponents = view.opponents
        assert states.opponent_dealer.tolist() == [[one.seat == view.dealer for one in opponents]]
        melded = [[tile for meld in one.melds for tile in meld.tiles] for one in opponents]
        of_melds = [
            sum((KIND[tile] in view.dora) + (tile in RED_FIVES) for tile in of_one)
            for of_one in melded
        ]
        assert states.dora.tolist() == [of_melds]
    assert seen_melds


def test_the_preferences_have_no_say_in_riichi() -> None:
    """A riichi gets the points of its tile; the values alone choose between it and dama."""
    view = position("234567m34588p67s + 1z", RIVERS, dora="2m")
    actions = [Action(ActionKind.DISCARD, tile) for tile in view.hand]
    found = rank_player().outcomes(view, [*actions, Action(ActionKind.RIICHI)])
    by_action = {(one.kind, one.discard): one.parts[ValuePart.PREFERENCE] for one in found}
    tile = parse_tiles("1z")[0]
    assert by_action[ActionKind.RIICHI, tile] == by_action[ActionKind.DISCARD, tile]
    assert len({*by_action.values()}) > 1
