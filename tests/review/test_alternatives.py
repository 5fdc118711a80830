"""The actions of the choices of a review, with the values of a player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

pytest.importorskip("riichienv", reason="the player needs it")

from houjuu.estimators.loading import load_once
from houjuu.game.actions import Action, ActionKind
from houjuu.game.events import (
    Call,
    Deal,
    Discard,
    Draw,
    Event,
    Game,
    Meld,
    MeldKind,
    Riichi,
    RiichiAccepted,
    Rules,
)
from houjuu.game.position import position
from houjuu.game.table import View
from houjuu.game.tiles import KIND, parse_kind, parse_tiles
from houjuu.hands import shanten
from houjuu.player.players import player
from houjuu.player.value_player import ValuePlayer
from houjuu.player.values.outcome import Outcome
from houjuu.review.advice import Advice
from houjuu.review.alternatives import alternatives, index_of
from houjuu.review.export import action_text
from houjuu.review.page_types import Review, ReviewedChoice
from houjuu.review.review_data import review
from houjuu.review.verdict import advised_action, chosen_action, comparison, with_preference
from houjuu.risk.own_hand import hands_left
from tests.kit.free_decisions import free_decisions
from tests.review.page_data import position_of, valued

VERBS = ("discard", "riichi")


@pytest.fixture(scope="module")
def reviews(own_games: list[Game]) -> list[Review]:
    """Two seats that play well enough to call and to declare riichi."""
    advice = Advice(player("rank"))
    return [review(own_games[0], seat, load_once(), advice) for seat in (0, 1)]


@pytest.fixture(scope="module")
def choices(reviews: list[Review]) -> list[ReviewedChoice]:
    return [choice for data in reviews for choice in data["choices"]]


def test_the_hand_that_an_action_leaves(reviews: list[Review]) -> None:
    """Shanten and useful tiles from the definition, by the tiles in the name of the action."""
    kinds_of_actions = set()
    for data in reviews:
        for choice in data["choices"]:
            decision = position_of(choice, data)
            for action in choice["actions"]:
                verb, tiles = action["verb"], action["tiles"]
                if verb in ("win", "nine_terminals"):
                    assert not {"shanten", "useful_tiles"} & action.keys()
                    continue
                assert ("discard" in action) == (verb in ("chi", "pon"))
                kinds = [KIND[tile] for tile in parse_tiles("".join(decision["hand"]))]
                for tile in parse_tiles("".join(tiles) + action.get("discard", "")):
                    kinds.remove(KIND[tile])
                assert action["shanten"] == shanten.shanten(kinds)
                if decision["own"] is not None and verb in ("discard", "riichi"):
                    left = decision["own"]["discards"][tiles[0].replace("0", "5")]
                    unseen = decision["unseen"]["copies"]
                    lowering = [KIND[tile] for tile in parse_tiles("".join(left["useful"]))]
                    assert lowering == shanten.useful(kinds)
                    assert action["shanten"] == left["shanten"]
                    assert action["useful_tiles"] == sum(unseen[kind] for kind in lowering)
                kinds_of_actions.add(verb)
    assert {"discard", "riichi", "chi", "pon", "pass"} <= kinds_of_actions


def test_a_kan_leaves_fewer_tiles_than_a_discard() -> None:
    """After the kan the hand waits for 2s, of which two are unseen, and 5s; without 5p it does not.

    The discard is of a hand of four sets, the kan of one of three.
    """
    view = position("1111z234m567p22s34s", {"self": ""}, dora="5z")
    kan = {tile for tile in view.hand if KIND[tile] == parse_kind("1z")}
    discard = {tile for tile in view.hand if KIND[tile] == parse_kind("5p")}
    after_kan, after_discard, _ = hands_left(view, [kan, discard, kan])
    assert after_kan == (0, 2 + 4, ["2s", "5s"])
    left = [KIND[tile] for tile in view.hand if tile not in discard]
    unseen = view.unseen()
    assert after_discard[:2] == (1, sum(int(unseen[kind]) for kind in shanten.useful(left)))


def test_the_comparison_is_that_of_the_actions(choices: list[ReviewedChoice]) -> None:
    """Both numbers as the page shows them, and the difference of these."""
    n_compared = 0
    for choice in choices:
        chosen, advised = choice["actions"][choice["chosen"]], choice["actions"][0]
        assert bool(choice["comparison"]) == (chosen is not advised)
        for figure in choice["comparison"]:
            name = figure["name"]
            assert figure["chosen"] == pytest.approx(chosen[name], abs=0.0005 + 1e-9)
            assert figure["advised"] == pytest.approx(advised[name], abs=0.0005 + 1e-9)
            assert figure["difference"] == pytest.approx(figure["chosen"] - figure["advised"])
            n_compared += 1
    assert n_compared > 50


def test_a_win_is_compared_without_a_hand() -> None:
    win = valued("win", {"win": 900}, win=1.0)
    passing = valued("pass", {"win": 100}, win=0.25, shanten=0)
    assert [figure["name"] for figure in comparison(passing, win)] == ["value", "win"]
    assert comparison(passing, win)[0]["difference"] == -800


def test_advice_is_the_best_discard(reviews: list[Review]) -> None:
    """With or without riichi: the mark in the hand and the verdict name one tile."""
    verbs = Counter[str]()
    for data in reviews:
        for choice in data["choices"]:
            if chosen_action(choice)["verb"] in VERBS:
                discards = [one for one in choice["actions"] if one["verb"] in VERBS]
                best = max(discards, key=with_preference)
                assert [position_of(choice, data)["advice"]] == best["tiles"]
                verbs[f"{choice['kind']} {chosen_action(choice)['verb']} {best['verb']}"] += 1
    assert verbs["discard discard discard"] > 40
    assert verbs["riichi riichi riichi"] > 1


class NeverRiichi(ValuePlayer):
    """The values without a preference, where riichi costs more than a game is worth."""

    def outcomes(self, view: View, actions: Sequence[Action]) -> list[Outcome]:
        outcomes = self.valued(view, actions).every
        return [
            one.with_preference(-1e5) if one.action.kind is ActionKind.RIICHI else one
            for one in outcomes
        ]


def test_the_advised_tile_is_that_of_the_advised_action(own_games: list[Game]) -> None:
    """A seat that declared riichi is advised the discard of the best action, not that of riichi."""
    rank = player("rank")
    assert isinstance(rank, ValuePlayer)
    seat = next(event.seat for event in own_games[0] if isinstance(event, Riichi))
    never = NeverRiichi(rank.estimator, rank.rank_values, rank.model)
    data = review(own_games[0], seat, load_once(), Advice(never))
    declared = [one for one in data["choices"] if chosen_action(one)["verb"] == "riichi"]
    assert declared
    for choice in declared:
        decision = position_of(choice, data)
        assert action_text(advised_action(choice)) == f"discard {decision['advice']}"
        assert decision["riichi"]


def test_a_discard_in_riichi_declares_nothing(own_games: list[Game]) -> None:
    """At a turn in riichi that offers a tsumo; the player may pass it."""
    advice = Advice(player("rank"))
    verbs = []
    for game in own_games:
        for seat in range(4):
            for decision in free_decisions(game, seat):
                own = decision.view.seats[seat]
                if own.in_riichi and len(decision.view.hand) % 3 == 2:
                    actions = alternatives(advice.outcomes(decision), decision.view)
                    verbs.append([action["verb"] for action in actions])
    assert ["discard", "win"] in [sorted(names) for names in verbs]
    assert not any("riichi" in names for names in verbs)


def test_a_riichi_that_leaves_no_tenpai_is_none_of_the_actions() -> None:
    """A log may have it, against the rules: then there is no verdict."""
    rivers = {"self": "9s", "right": "9p", "across": "1p", "left": "9m"}
    view = position("234567m34588p67s + 1z", rivers, dora="2m")
    riichi = Action(ActionKind.RIICHI)
    outcomes = [Outcome(riichi, 0.0, discard=tile, declares=True) for tile in parse_tiles("1z")]
    actions = alternatives(outcomes, view)
    assert index_of(riichi, parse_tiles("1z")[0], actions, view) == 0
    assert index_of(riichi, parse_tiles("2m")[0], actions, view) is None


@pytest.mark.parametrize("riichi", [True, False])
def test_what_the_rules_forbid_has_no_price_and_the_rest_is_reviewed(riichi: bool) -> None:
    """A riichi without tenpai on the first turn, or 2344p that calls 4p and discards 4p."""
    hand = parse_tiles("2344p11m99m19s347z")
    two, three, four, other_four = hand[:4]
    called, drawn, indicator = other_four + 1, *parse_tiles("5z"), *parse_tiles("5s")
    deal = Deal(0, 0, 0, 0, (25_000,) * 4, indicator, (hand, None, None, None))
    discard = Discard(0, drawn, tsumogiri=True)
    declared = [Riichi(0), discard, RiichiAccepted(0)] if riichi else [discard]
    events: list[Event] = [deal, Draw(0, drawn), *declared]
    for seat, tile in enumerate((*parse_tiles("3s2s"), called), 1):
        events += [Draw(seat, tile), Discard(seat, tile, tsumogiri=True)]
    if riichi:
        last = parse_tiles("6z")[0]
        events += [Draw(0, last), Discard(0, last, tsumogiri=True)]
    else:
        meld = Meld(MeldKind.CHI, (two, three, called), called, 3)
        events += [Call(0, meld), Discard(0, four, tsumogiri=False)]
    game = Game("g", Rules(), (), tuple(events))
    data = review(game, 0, load_once(), Advice(player("rank")))
    positions = data["rounds"][0]["decisions"]
    expected = [True, False] if riichi else [False, False, True]
    assert [one["illegal"] for one in positions] == expected
    assert [choice["step"] for choice in data["choices"]] == ([] if riichi else [0, 1])


def test_the_points_of_a_hand_are_those_of_a_win(choices: list[ReviewedChoice]) -> None:
    """No win has fewer than 1,000 points, also of a hand far from tenpai."""
    points = [action.get("hand_points") for one in choices for action in one["actions"]]
    shown = [number for number in points if number is not None]
    assert len(shown) > 500
    assert min(shown) >= 1_000
