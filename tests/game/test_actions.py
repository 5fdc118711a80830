"""Actions: equal for equal tiles, to and from mjai, and an added kan with the tile of the hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houjuu.game.actions import (
    CALLS,
    OWN_KANS,
    WINS,
    Action,
    ActionKind,
    added_kan,
    discards,
    own_kan,
    source_of,
)
from houjuu.game.events import Meld, MeldKind
from houjuu.game.position import position
from houjuu.game.tiles import COPIES, KIND, KINDS, RED_FIVES, parse_kind, parse_tiles
from houjuu.game.view import View
from houjuu.util.errors import Error
from tests.kit.messages import discard, told

RIVERS = {"self": "9s", "right": "9p", "across": "1p", "left": "5m"}
TILES = st.integers(0, 4 * KINDS - 1)


def ids(text: str) -> tuple[int, ...]:
    return tuple(sorted(parse_tiles(text)))


def call(kind: MeldKind, tiles: tuple[int, ...], called: int, source: int = 3) -> Action:
    return Action.from_meld(Meld(kind, tuple(sorted(tiles)), called, source))


def same_tiles(tile: int) -> st.SearchStrategy[int]:
    """Tiles of the same kind and redness."""
    first = tile - tile % COPIES
    copies = [
        one for one in range(first, first + COPIES) if (one in RED_FIVES) == (tile in RED_FIVES)
    ]
    return st.sampled_from(copies)


@given(st.data(), TILES, TILES)
def test_equal_tiles_make_equal_actions(data: st.DataObject, tile: int, other: int) -> None:
    """Equal actions have equal hashes; other tiles and other kinds make others."""
    discard = Action(ActionKind.DISCARD, tile)
    again = Action(ActionKind.DISCARD, data.draw(same_tiles(tile)))
    assert discard == again
    assert hash(discard) == hash(again)
    assert discard != Action(ActionKind.RON, tile)
    is_same = (KIND[tile], tile in RED_FIVES) == (KIND[other], other in RED_FIVES)
    assert (discard == Action(ActionKind.DISCARD, other)) == is_same


def test_an_action_equals_no_other_thing() -> None:
    assert Action(ActionKind.PASS) != ActionKind.PASS
    assert Action(ActionKind.PASS) not in [None, (ActionKind.PASS, None)]


def test_equal_melds_make_equal_actions() -> None:
    one, two, three = ids("678p")
    chi = call(MeldKind.CHI, (one, two, three), one)
    assert chi == call(MeldKind.CHI, (one + 1, two + 2, three + 3), one + 1)
    assert len({chi, call(MeldKind.CHI, (one + 1, two, three), one + 1)}) == 1
    assert chi != call(MeldKind.CHI, (one, two, three), two)
    red, *plain = ids("0555s")
    pons = [
        call(MeldKind.PON, (plain[0], plain[1], red), plain[0]),
        call(MeldKind.PON, (plain[0], plain[1], plain[2]), plain[0]),
        call(MeldKind.PON, (plain[0], plain[1], red), red),
        call(MeldKind.PON, (plain[0], plain[1], red), red, source=1),
    ]
    assert len(set(pons)) == len(pons)
    assert pons[0] == call(MeldKind.PON, (plain[1], plain[2], red), plain[2])


def test_a_copy_of_a_red_five_is_no_red_five() -> None:
    """Added to a pon of plain fives or taken from it, the red one makes another kan."""
    red, *plain = ids("0555m")
    kans = [added_kan([Meld(MeldKind.PON, ids("0555m"), called=plain[0], source=1)], red)]
    for tile in (red, plain[2]):
        tiles = tuple(one for one in (red, *plain) if one != tile)
        kans.append(added_kan([Meld(MeldKind.PON, tiles, called=plain[0], source=1)], tile))
    assert all(kans)
    assert kans[1] != kans[2]
    assert [kan.from_hand for kan in kans[1:] if kan] == [(red,), (plain[2],)]
    assert added_kan([Meld(MeldKind.CHI, ids("456m"), plain[0], 3)], red) is None


@pytest.mark.parametrize(
    ("kind", "tile", "meld"),
    [
        (ActionKind.DISCARD, None, None),
        (ActionKind.PASS, 3, None),
        (ActionKind.TSUMO, None, None),
        (ActionKind.PON, 3, None),
        (ActionKind.PON, None, Meld(MeldKind.ANKAN, ids("1111z"))),
        (ActionKind.RIICHI, None, Meld(MeldKind.ANKAN, ids("1111z"))),
        (ActionKind.DISCARD, 3, Meld(MeldKind.ANKAN, ids("1111z"))),
    ],
)
def test_what_is_no_action_is_refused(
    kind: ActionKind, tile: int | None, meld: Meld | None
) -> None:
    with pytest.raises(Error, match="is no action"):
        Action(kind, tile, meld)


def test_kinds() -> None:
    melds = {kind.value for kind in MeldKind}
    assert {kind.value for kind in (*CALLS, *OWN_KANS)} == melds
    assert {kind.value for kind in ActionKind} - melds == {
        *("discard", "riichi", "pass", "nine_terminals"),
        *(kind.value for kind in WINS),
    }


def drawn() -> View:
    """A hand with a pon of plain fives, the red one just drawn."""
    return position(
        "234m66p78999s + 0p",
        {"self": "4z 1s", "right": "9p 2z", "across": "5p~ 3z", "left": "3z"},
        melds={"self": "pon 5~55p from across"},
        dora="3p",
    )


def claiming() -> View:
    """A hand that can chi, pon and kan the last discard of left, a 5m; red fives among its own."""
    return position("34055m66p789s111z", RIVERS, dora="3p")


def claims(view: View) -> list[Action]:
    """The calls and the ron of the last discard of left."""
    source, tile = view.opponents[-1].seat, view.opponents[-1].river[-1].tile
    own = {
        kind: [one for one in view.hand if KIND[one] == parse_kind(kind)]
        for kind in ("3m", "4m", "5m")
    }
    red, *plain = own["5m"]
    return [
        Action(ActionKind.PASS),
        Action(ActionKind.RON, tile),
        call(MeldKind.CHI, (own["3m"][0], own["4m"][0], tile), tile, source),
        call(MeldKind.PON, (plain[0], red, tile), tile, source),
        call(MeldKind.PON, (*plain, tile), tile, source),
        call(MeldKind.DAIMINKAN, (red, *plain, tile), tile, source),
    ]


def test_own_actions_to_mjai_and_back() -> None:
    view = drawn()
    (red,) = (tile for tile in view.hand if tile in RED_FIVES)
    kan = Action.from_meld(own_kan(view, KIND[red]))
    assert kan.from_hand == (red,) == (view.drawn,)
    assert kan.to_mjai(view) == told("kakan", view.seat, pai="5pr", consumed=["5p", "5p", "5p"])
    first = view.hand[0]
    messages = {
        kan: kan.to_mjai(view),
        Action(ActionKind.DISCARD, red): discard(view.seat, "5pr"),
        Action(ActionKind.DISCARD, first): discard(view.seat, "2m", tsumogiri=False),
        Action(ActionKind.RIICHI): told("reach", view.seat),
        Action(ActionKind.NINE_TERMINALS): {
            "type": "ryukyoku",
            "reason": "kyushukyuhai",
            "actor": view.seat,
        },
        Action(ActionKind.TSUMO, red): told("hora", view.seat, target=view.seat, pai="5pr"),
    }
    for action, message in messages.items():
        assert action.to_mjai(view) == message
        assert Action.from_mjai(message, view) == action
    assert discards(messages) == {tile: Action(ActionKind.DISCARD, tile) for tile in (red, first)}


def test_claims_to_mjai_and_back() -> None:
    view = claiming()
    view_claims = claims(view)
    for action in view_claims:
        message = action.to_mjai(view)
        again = Action.from_mjai(message, view)
        assert (again, again.from_hand) == (action, action.from_hand)
    messages = [action.to_mjai(view) for action in view_claims]
    assert messages[0] == {"type": "none"}
    assert messages[1] == told("hora", 0, target=3, pai="5m")
    assert messages[3] == told("pon", 0, target=3, pai="5m", consumed=["5mr", "5m"])
    assert {action.claimed for action in view_claims[1:]} == {view.seats[3].river[-1].tile}


def test_without_red_fives_all_fives_have_one_name() -> None:
    view = claiming()
    view = replace(view, rules=replace(view.rules, flags=view.rules.flags | 0x02))
    kan = claims(view)[-1]
    assert kan.to_mjai(view)["consumed"] == ["5m"] * 3
    assert Action.from_mjai(kan.to_mjai(view), view) == kan


def test_of_equal_copies_tsumogiri_names_the_drawn_one() -> None:
    view = position("1134m66p789s1234z + 1m", RIVERS, dora="3p")
    message = {"type": "dahai", "actor": 0, "pai": "1m"}
    for tsumogiri in (True, False):
        action = Action.from_mjai({**message, "tsumogiri": tsumogiri}, view)
        assert (action.tile == view.drawn) is tsumogiri
        assert action.to_mjai(view)["tsumogiri"] is tsumogiri
    assert Action.from_mjai(message, view).tile == view.drawn  # also without the flag


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ({"type": "dahai", "pai": "7z"}, "no tile 7z"),
        ({"type": "dahai"}, "is no action here"),
        ({}, "is no action here"),
        ({"type": "tsumo", "pai": "1m"}, "is no action here"),
        ({"type": "chi", "target": 3, "pai": "6m", "consumed": ["3m", "4m"]}, "no tile 6m"),
        ({"type": "pon", "target": 3, "pai": "5m", "consumed": ["5m"] * 3}, "no tile 5m"),
        (
            {"type": "pon", "target": 3, "pai": "5m", "consumed": ["5m"]},
            "3 different tiles",
        ),
        ({"type": "kakan", "pai": "5m", "consumed": ["5m"] * 3}, "is no action here"),
        ({"type": "hora", "target": 2, "pai": "5m"}, "no tile 5m"),
    ],
)
def test_impossible_messages_are_refused(message: dict[str, object], reason: str) -> None:
    with pytest.raises(Error, match=reason):
        Action.from_mjai({"actor": 0, **message}, claiming())


def test_the_source_of_a_robbed_kan() -> None:
    """Its tile lies in a meld, and a later discard of another seat is no matter."""
    view = position(
        "46s234m234678p11z",
        {"self": "9s 9m", "right": "5s~ 9p", "across": "1p 2p", "left": "3z 4z"},
        melds={"across": "kakan 5~550s from right"},
        dora="3p",
    )
    red = RED_FIVES[2]
    assert source_of(view, red) == view.opponents[1].seat
    ron = Action(ActionKind.RON, red)
    assert ron.to_mjai(view) == told("hora", 0, target=2, pai="5sr")
    assert Action.from_mjai(ron.to_mjai(view), view) == ron
    with pytest.raises(Error, match="no opponent"):
        source_of(view, view.hand[0])
