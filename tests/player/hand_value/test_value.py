"""Values of hands: by hand, against a plain recursion, and as the player uses them."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules

pytest.importorskip("riichienv", reason="it works out shanten and points")
from riichienv import calculate_shanten

from houjuu.game.actions import Action, ActionKind
from houjuu.game.events import Meld, MeldKind
from houjuu.game.position import position
from houjuu.game.table import View
from houjuu.game.tiles import COPIES, KIND, KINDS, RED_FIVES, format_tiles, parse_kind, parse_tiles
from houjuu.hands.shanten_tables import shanten_tables
from houjuu.player.hand_value import yaku_model
from houjuu.player.hand_value.far_hands import AnyHandValuer
from houjuu.player.hand_value.scores import SCORES
from houjuu.player.hand_value.value import FAR, WEIGHTS, HandValuer
from houjuu.player.hand_value.yaku_targets import summarize_view
from houjuu.player.rules.players import HandValuePlayer
from houjuu.player.rules.policies import DiscardOptions, NoFold, RelativeDanger
from tests.kit.positions import changed, pon, view_of

WEST, SOUTH = 29, 28
RULES = OptionalRules(has_open_tanyao=True, has_aka_dora=True, has_double_yakuman=False)


def seen(hand: str, *rivers: str, **changes: Any) -> View:
    """Seat 0, west in an East round, holding a hand while the others have discarded."""
    view = view_of("", *rivers, dora="9p")
    return changed(view, hand=parse_tiles(hand), **changes)


def value(hand: str) -> float:
    """Of a hand, nothing else seen."""
    view = seen(hand)
    return AnyHandValuer(view).values([view.hand])[0].value


def points(tiles: tuple[int, ...], win: int) -> int:
    """By another library: a ron after riichi, seat wind west in an East round, dora 1p."""
    config = HandConfig(is_riichi=True, player_wind=WEST, round_wind=27, options=RULES)
    indicators = [parse_tiles("9p")[0]]
    result = HandCalculator.estimate_hand_value([*tiles, win], win, [], indicators, config)
    return int(result.cost["main"]) if result.cost else 0


def free(kind: int, tiles: tuple[int, ...]) -> int:
    """A copy of a kind that is not held and is no red five."""
    copies = range(COPIES * kind, COPIES * kind + COPIES)
    return next(tile for tile in copies if tile not in tiles and tile not in RED_FIVES)


def slow(tiles: tuple[int, ...], unseen: tuple[int, ...]) -> float:
    """The value by the formula, by a search of every line."""

    @cache
    def value(hand: tuple[int, ...], left: tuple[int, ...]) -> float:
        shanten, total = int(calculate_shanten(hand)), 0.0
        for kind in range(KINDS):
            copies = sum(KIND[tile] == kind for tile in hand)
            if copies == COPIES or not left[kind]:
                continue
            tile = free(kind, hand)
            after = (*hand, tile)
            if calculate_shanten(after) >= shanten:
                continue
            rest = (*left[:kind], left[kind] - 1, *left[kind + 1 :])
            if shanten == 0:
                total += left[kind] * points(hand, tile)
            else:
                after_discard = [
                    value(tuple(sorted(set(after) - {discard})), rest)
                    for discard in after
                    if calculate_shanten([x for x in after if x != discard]) == shanten - 1
                ]
                total += left[kind] * max(after_discard)
        return total / WEIGHTS[shanten]

    return value(tuple(sorted(tiles)), unseen)


@pytest.mark.parametrize(
    "hand",
    [
        "234m456p34567s22z",
        "2340m0p6p34s567s11z",
        "11223344556m77p8p",
        "234m456p3457s22z9m",
        "23m456p3457s22m99p",
    ],
)
def test_values_are_those_of_the_formula(hand: str) -> None:
    view = seen(hand, "5s 2s 8s", "1z 4p 7s")
    unseen = tuple(view.unseen().tolist())
    (result,) = AnyHandValuer(view).values([view.hand])
    assert result.shanten == calculate_shanten(view.hand)
    assert result.value == pytest.approx(slow(view.hand, unseen))


def test_two_away_is_a_weighted_sum() -> None:
    """Of what each useful draw makes of the hand, by the module's own values one away."""
    view = seen("2379m46p3457s122z")
    assert calculate_shanten(view.hand) == 2
    valuer, unseen, total = AnyHandValuer(view), view.unseen(), 0.0
    for kind in range(KINDS):
        after = (*view.hand, free(kind, view.hand))
        if calculate_shanten(after) < 2:
            rests = [[other for other in after if other != tile] for tile in after]
            values = valuer.values(rests)
            total += int(unseen[kind]) * max(v.value for v in values if v.shanten == 1)
    assert valuer.values([view.hand])[0].value == pytest.approx(total / WEIGHTS[2])


def test_a_copy_counts_by_its_weight() -> None:
    """A wait for 5s and 8s of 4 copies each; 8s is twice as likely, 5s half as likely, and riichi
    would not change that. One from tenpai the factors of both draws multiply."""
    weights = np.ones(KINDS)
    weights[parse_kind("5s")], weights[parse_kind("8s")] = 0.5, 2.0
    tenpai, one_away = (seen(hand) for hand in ("234567m34588p67s", "23456m345588p67s"))
    plain, weighted = (HandValuer(tenpai), HandValuer(tenpai, weights=weights))
    assert [wait.left for wait in plain.waits(tenpai.hand)] == [4, 4]
    assert [wait.left for wait in weighted.waits(tenpai.hand)] == [2, 8]
    assert plain.outlooks([tenpai.hand])[0].ways == 8
    assert weighted.outlooks([tenpai.hand])[0].ways == 10
    everything = HandValuer(one_away, weights=np.full(KINDS, 2.0)).outlooks([one_away.hand])[0]
    (once,) = HandValuer(one_away).outlooks([one_away.hand])
    assert everything.ways == pytest.approx(4 * once.ways)
    assert everything.scores == pytest.approx(4 * once.scores)


def test_many_hands_are_worth_what_each_is() -> None:
    view = seen("2340m0p67p34577s22z")
    rests = [[other for other in view.hand if other != tile] for tile in view.hand]
    valuer = AnyHandValuer(view)
    assert valuer.values(rests) == tuple(valuer.values([rest])[0] for rest in rests)
    assert len({value.shanten for value in valuer.values(rests)}) > 1


def test_an_open_hand_needs_a_yaku() -> None:
    """A hand without one is not tenpai, and aims for triplets or a flush."""
    for meld, away in ((pon("777z"), 0), (pon("999p"), 5)):
        view = seen("234m45p22789s")
        (result,) = AnyHandValuer(view, (meld,)).values([view.hand])
        assert result.shanten == away
        assert (result.value > 100) == (away == 0)


@pytest.mark.parametrize("hand", ["124m57p258s1z2z44z9s", "124m57p258s12z77z9s"])
def test_far_hands_are_tiles_times_han(hand: str) -> None:
    """The third and the fourth of a pair of 役牌 count four times."""
    view = seen(hand)
    away, unseen, tiles = int(calculate_shanten(view.hand)), view.unseen(), 0
    assert away >= FAR
    for kind in range(KINDS):
        if calculate_shanten((*view.hand, free(kind, view.hand))) < away:
            tiles += int(unseen[kind]) * (4 if kind == 33 and "77z" in hand else 1)
    han = yaku_model.load().evaluate(summarize_view(view, view.hand, away)).total
    assert value(hand) == pytest.approx(8 * tiles * han / 10 ** (away - FAR))


def test_nearer_goes_before_more() -> None:
    """Tenpai on the last tile rather than one away from much; of equals the last goes."""
    view = seen("222789m22445789p", "3p 3p 3p 3p 6p 6p 6p")
    discards = DiscardOptions(view, view.hand)
    assert format_tiles([discards.best(discards.shanten).tile]) == "5p"
    alone = DiscardOptions(seen("123m456p789s11z2z4z5z"), parse_tiles("2z4z"))
    assert format_tiles([alone.best(alone.shanten).tile]) == "4z"


def test_no_decision_waits_for_the_tables() -> None:
    """A player builds the tables of shanten, and loads the yaku model, when it is made."""
    shanten_tables.cache_clear()
    HandValuePlayer(NoFold())
    assert shanten_tables.cache_info().currsize == 1


def test_a_poor_hand_folds_before_a_riichi() -> None:
    """A genbutsu goes, which without the riichi, or without fear, does not."""
    hand, discards = "124m57p2589s12467z", []
    calm, warned = seen(hand, "7z 5p 8s"), seen(hand, "7z 5p 8s*")
    for view, policy in ((calm, RelativeDanger()), (warned, NoFold()), (warned, RelativeDanger())):
        actions = [Action(ActionKind.DISCARD, tile) for tile in view.hand]
        discards.append(format_tiles(HandValuePlayer(policy).act(view, actions).from_hand))
    assert discards[0] == discards[1]
    assert discards[0] not in ("7z", "5p", "8s")
    assert discards[2] in ("7z", "5p", "8s")


def called(hand: str, kind: MeldKind, tile: str, use: str, *rivers: str) -> bool:
    view = seen(hand, *rivers)
    (claimed,) = parse_tiles(tile)
    wanted, consumed = [parse_kind(use[i : i + 2]) for i in (0, 2)], []
    for kind_used in wanted:
        consumed.append(next(t for t in view.hand if KIND[t] == kind_used and t not in consumed))
    free_copy = free(KIND[claimed], view.hand)
    tiles = tuple(sorted((*consumed, free_copy)))
    call = Action.from_meld(Meld(kind, tiles, free_copy, source=3))
    chosen = HandValuePlayer(RelativeDanger()).act(view, [Action(ActionKind.PASS), call])
    return chosen == call


def test_calls_are_for_hands_with_a_yaku() -> None:
    assert called("55z234m45p22789s1z", MeldKind.PON, "5z", "5z5z")
    assert not called("99m234m45p22789s1z", MeldKind.PON, "9m", "9m9m")
    assert called("34m68p234s56s88s25p", MeldKind.CHI, "5m", "3m4m")  # 断幺九


def test_calls_under_riichi_are_for_tenpai() -> None:
    for river in ("1z 5p 9s", "1z 5p 9s*"):
        near = called("55z234m45p22789s1z", MeldKind.PON, "5z", "5z5z", river)
        far = called("55z234m47p22789s1z", MeldKind.PON, "5z", "5z5z", river)
        assert near
        assert far == ("*" not in river)


def test_a_double_riichi_is_two_han() -> None:
    """The dealer waits with 平和: 2 han with a late riichi, 3 with one on the first discard."""
    rivers = {"right": "9p 1p", "across": "1p 9m", "left": "9m 1m"}
    hand = "12378m456p22789s"
    late, double = (
        position(f"{hand} + 2z", rivers | {"self": own}, dora="4s") for own in ("9s 1z*", "9s* 1z'")
    )
    found = [
        HandValuer(view).outlooks([[tile for tile in view.hand if tile != view.drawn]])[0].scores
        for view in (late, double)
    ]
    assert [SCORES[by_score[0].argmax()] for by_score in found] == [(2, 30), (3, 30)]
