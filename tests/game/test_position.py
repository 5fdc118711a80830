"""A position by hand equals the view of a log, and an impossible one is an error."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import houjuu
from houjuu.game.events import Discard, Game, MeldKind
from houjuu.game.notation import parse_round, parse_seat
from houjuu.game.position import arguments, position
from houjuu.game.table import View
from houjuu.util.errors import Error
from tests.kit.games import walk

HAND = "123m0678p1199s55z + 4p"
FOUR = {"self": "9m", "right": "4z", "across": "1m'", "left": "1z*"}


def decisions(games: list[Game], stride: int) -> Iterator[View]:
    """Every `stride`-th decision that the notation can express completely."""
    for count, (table, event) in enumerate(walk(games, Discard), 1):
        view = table.view(event.seat)
        melds = [meld.kind for seat in view.seats for meld in seat.melds]
        was_away = any(seat.was_away for seat in view.seats)
        if MeldKind.KAKAN not in melds and not was_away and count % stride == 0:
            yield view


@pytest.mark.deep
def test_a_view_written_and_read_again_gives_the_same_risks(games: list[Game]) -> None:
    estimator = houjuu.load()
    n_views = 0
    for view in decisions(games, 23):
        written = json.loads(json.dumps(arguments(view)))
        again = position(**written, rules=view.rules)
        assert arguments(again) == written
        expected, risk = estimator.deal_in(view), estimator.deal_in(again)
        for name in ("tenpai", "by_opponent", "points_by_opponent"):
            assert np.array_equal(getattr(risk, name), getattr(expected, name))
        n_views += 1
    assert n_views > 50


def test_the_parts_of_a_position() -> None:
    rivers = {"self": "9m 1m'", "right": "4z 5pr", "across": "1m' 2s~", "left": "西 E"}
    view = position(HAND.replace("0", "5"), rivers, {"left": "chi 2~34s"}, dora="3p", round="E1.2")
    assert (view.seat, view.dealer, view.round, view.honba) == (0, 0, 0, 2)
    right, across, left = view.opponents
    assert [tile.tile for tile in right.river] == [120, 52]
    assert [tile.order for tile in left.river] == [3, 7]
    assert across.river[1].called_by == 3
    assert left.melds[0].kind is MeldKind.CHI
    assert (left.melds[0].called, left.melds[0].source) == (across.river[1].tile, 2)
    assert view.tiles_left == 70 - 8
    assert view.drawn == view.hand[-1]
    assert view.scores == (25000,) * 4


def test_a_riichi_is_a_mark_or_a_number() -> None:
    marked = position(HAND, FOUR, dora="3p")
    numbered = position(HAND, FOUR | {"left": "1z"}, riichi={"left": 1}, dora="3p")
    assert marked == numbered
    assert marked.scores == (25000, 25000, 25000, 24000)
    assert marked.riichi_sticks == 1
    view = position(HAND, {name: f"{river} 8s" for name, river in FOUR.items()}, dora="3p")
    assert [tile.tsumogiri for tile in view.seats[3].river] == [False, True]
    assert [seat.river[1].others_in_riichi for seat in view.seats] == [1, 1, 1, 0]


def test_the_last_tile_is_the_drawn_one() -> None:
    assert position(HAND.replace(" + ", ""), FOUR, dora="3p") == position(HAND, FOUR, dora="3p")


def test_after_a_claim_no_tile_is_drawn() -> None:
    rivers = {"self": "9m", "right": "4z", "across": "1m'", "left": "7z~"}
    view = position("123m0678p1199s", rivers, {"self": "pon 777z"}, dora="3p")
    assert view.drawn is None
    assert view.seats[0].melds[0].source == 3
    assert view.tiles_left == 70 - 4


def test_kans() -> None:
    rivers = {
        "self": "9m 1m' 8s 7s",
        "right": "4z 9p~ 9s 9s 3m'",
        "across": "1m' 5s~ 8m' 8p",
        "left": "3z 2z 2m~ 2s",
    }
    melds = {
        "self": ["daiminkan 2~222m"],
        "left": "[pon 9~99p from right], [ankan 4444s]",
        "right": "kakan 5~055s from across",
    }
    view = position("678p345m1199s + 5z", rivers, melds, dora="3p1z", riichi_sticks=2)
    right, across, left = view.opponents
    assert [meld.kind for meld in left.melds] == [MeldKind.PON, MeldKind.ANKAN]
    assert right.melds[0].added is not None
    assert 88 in right.melds[0].tiles
    assert [tile.called_by for tile in across.river] == [None, 1, None, None]
    assert len(view.dora_indicators) == 2
    assert view.tiles_left == 70 - 18  # 17 discards less 2 pon, 2 kans on own turns, 1 drawn
    assert right.melds[0].kind is MeldKind.KAKAN
    assert arguments(position(**arguments(view))) == arguments(view)
    after_pon = {"self": "9m 1m", "right": "4z 9p~", "across": "1m'", "left": "3z 2z"}
    with pytest.raises(Error, match="left has had no turn to make 'ankan 4444s'"):
        position(HAND, after_pon, {"left": "pon 999p, ankan 4444s"}, dora="3p")


def test_seats_by_wind_and_number() -> None:
    south = position(HAND, dora="3p", round="E2", seat="E")
    assert (south.seat, south.dealer) == (1, 1)
    assert position(HAND, dora="3p", round="東2局 0本場", seat=1) == south
    assert [parse_seat(name, 1) for name in ("E", "北", "0", 3)] == [1, 0, 0, 3]
    assert [parse_seat(name, 1, 2) for name in ("self", "right", "across", "left")] == [2, 3, 0, 1]
    assert parse_round("W4.10") == (11, 10)


def test_a_hand_without_red_fives() -> None:
    rules = houjuu.events.Rules(flags=0x0B)
    assert not rules.red_fives
    view = position("5555m123p123456s + 9s", dora="3p", rules=rules)
    assert view.hand[:4] == (16, 17, 18, 19)
    with pytest.raises(Error, match="no red fives"):
        position("0555m123p123456s + 9s", dora="3p", rules=rules)
    with pytest.raises(Error, match="three 5m beside the red one"):
        position("5555m123p123456s + 9s", dora="3p")


IMPOSSIBLE: list[tuple[dict[str, Any], str]] = [
    ({"hand": "1111m678p1199s55z + 1m"}, "the hand has one tile too many: there are only four 1m"),
    ({"hand": "123m"}, "the hand has 3 tiles; with 0 melds it has 13, or 14 on its own turn"),
    ({"hand": "123m0678p1199s55z + 4p5p"}, "has 2 tiles behind +"),
    ({"hand": "123m0678p1199s55z4x"}, "is not a list of tiles"),
    ({"hand": "123m0678p1199s55"}, "ends in digits without a suit letter"),
    ({"dora": 3}, "the dora indicator must be text, not 3"),
    ({"round": 1}, "the round must be text, not 1"),
    ({"rivers": {"self": "9m", "left": "1z*"}}, "the river of right is too short: discard 1"),
    ({"rivers": FOUR | {"self": ""}}, "the river of self is too short"),
    ({"rivers": {"self": "9m", "right": "1z"}}, "so it is its turn, but .* the turn of across"),
    ({"rivers": FOUR | {"self": "9m9m"}}, "the river of self: '9m9m' is not one tile"),
    ({"rivers": FOUR | {"left": "9p* 9s*"}}, "the river of left: .* declares riichi twice"),
    ({"rivers": FOUR | {"west": "9p"}}, "'west' is not a seat"),
    ({"rivers": FOUR | {"N": "9p"}}, "the river of left is written twice"),
    ({"rivers": ["9m", "4z"]}, "not a mapping by seat or a list of four"),
    ({"rivers": FOUR | {"self": 9}}, "the river of self: it must be text, not 9"),
    ({"rivers": FOUR | {"left": "7z~"}}, "discard 1 of left, 7z~, is called, but"),
    ({"melds": {"left": "pon 777z"}}, "no discard is called for 'pon 777z' of left; mark it"),
    ({"melds": {"left": "pon 77z"}}, "is not a meld of 3 tiles"),
    ({"melds": {"left": "pong 777z"}}, "is not a meld such as"),
    ({"melds": {"left": "ankan 7~777z"}}, "is a closed kan, which calls no tile"),
    ({"rivers": FOUR | {"left": "7z~"}, "melds": {"self": "pon 7~67z"}}, "not of one kind"),
    (
        {"rivers": FOUR | {"across": "3m~"}, "melds": {"self": "chi 3~45m"}},
        "discard 1 of across, 3m~, is called, but it is not in the next meld",
    ),
    ({"riichi": {"right": 2}}, "the river of right has no discard 2"),
    ({"riichi": ["right"]}, "not a mapping by seat or a list of four"),
    ({"riichi_sticks": 0}, "1 seats are in riichi, but there are 0 riichi sticks"),
    ({"dora": "3p4p"}, "an indicator is turned over without a kan"),
    ({"dora": ""}, "there is no dora indicator"),
    ({"round": "X1"}, "'X1' is not a round"),
    ({"seat": 4}, "4 is not a seat"),
    ({"scores": {"self": "many"}}, "the score of self: it is 'many', not a whole number from"),
]


@pytest.mark.parametrize(("changes", "problem"), IMPOSSIBLE, ids=[text for _, text in IMPOSSIBLE])
def test_an_impossible_position_is_an_error(changes: dict[str, Any], problem: str) -> None:
    everything: dict[str, Any] = {"hand": HAND, "rivers": FOUR, "dora": "3p"}
    position(**everything)
    with pytest.raises(Error, match=problem):
        position(**(everything | changes))


TEXTS = st.text("0123456789mpsz+~'* chipon[],fromESWN東5pr", max_size=24)
VALUES = st.one_of(TEXTS, st.integers(-2, 40), st.none(), st.lists(TEXTS, max_size=4))
BY_SEAT = st.one_of(
    VALUES, st.dictionaries(st.sampled_from(["self", "right", "N", 0, "x"]), VALUES, max_size=3)
)


@given(
    changes=st.dictionaries(st.sampled_from(["hand", "dora", "round", "seat"]), VALUES, max_size=2),
    by_seat=st.dictionaries(
        st.sampled_from(["rivers", "melds", "riichi", "scores", "riichi_sticks"]), BY_SEAT
    ),
)
def test_any_other_value_is_an_error_of_ours(
    changes: dict[str, Any], by_seat: dict[str, Any]
) -> None:
    everything: dict[str, Any] = {"hand": HAND, "rivers": FOUR, "dora": "3p"}
    with contextlib.suppress(Error):
        position(**(everything | changes | by_seat))


def test_every_argument_takes_every_name_of_a_tile() -> None:
    """Notation, the names of mjai and ids, as text or as lists."""
    rivers = {"self": "9m", "right": "4z", "across": "1m", "left": "1z"}
    plain = position("123m0678p1199s55z + 4p", rivers, dora="4z")
    named = {"self": ["9m"], "right": "N", "across": [3], "left": ["東"]}
    assert position("1m 2m 3m 5pr678p1199sPP + 4p", named, dora="N") == plain
    ids = [0, 4, 8, 52, 56, 60, 64, 72, 73, 104, 105, 124, 125, 48]
    assert position(np.array(ids), named, dora=["N"], scores=np.full(4, 25_000)) == plain


@pytest.mark.parametrize(
    ("melds", "problem"),
    [
        ("chi 135m", "'chi 135m' is not a run"),
        ("chi 8~91m", "'chi 8~91m' is not a run"),
        ("pon 112m", "'pon 112m' is not of one kind"),
        ("kan 1111z", "or 'ankan 1111z'"),
    ],
)
def test_a_meld_is_a_run_or_a_set(melds: str, problem: str) -> None:
    with pytest.raises(Error, match=problem):
        position("123m0678p1199s55z + 4p", FOUR, {"left": melds}, dora="3p")


def test_a_hand_that_is_short_before_its_draw() -> None:
    with pytest.raises(Error, match=r"has 12 tiles; with 0 melds it has 13 before the \+"):
        position("123m067p1199s55z + 4p", FOUR, dora="3p")
