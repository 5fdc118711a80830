"""Values hold where a hand was once judged on two scales: far and near, a yaku and none, no draw.

Each position is one that a strong player refutes at a glance where the values fail.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

pytest.importorskip("riichienv", reason="its actions are what players pick from")

from houjuu.estimators.loading import load_once
from houjuu.game.actions import Action, ActionKind
from houjuu.game.events import Meld, MeldKind
from houjuu.game.position import position
from houjuu.game.tiles import format_tiles
from houjuu.game.view import View
from houjuu.hands.claims import legal_discards
from houjuu.player.players import value_player
from houjuu.player.values.outcome import Outcome


def outcomes(view: View, actions: Sequence[Action]) -> dict[str, Outcome]:
    """The outcome of each action by the values alone; discards by their tile."""
    found = value_player(load_once()).valued(view, actions).every
    return {
        format_tiles(one.action.from_hand)
        if one.action.kind is ActionKind.DISCARD
        else one.action.kind.value: one
        for one in found
    }


def discards(hand: str, **table: Any) -> dict[str, Outcome]:
    view = position(hand, **table)
    return outcomes(view, [Action(ActionKind.DISCARD, tile) for tile in legal_discards(view)])


def call_or_pass(hand: str, call: str, claimed: str, **table: Any) -> dict[str, Outcome]:
    """A call of the last discard of left with these tiles of the hand, and the pass."""
    view = position(hand, **table)
    left = view.opponents[-1]
    tile = left.river[-1].tile
    assert format_tiles([tile]) == claimed
    own = {format_tiles([tile]): tile for tile in view.hand}
    used = [own[name] for name in call.split()]
    meld = Meld(MeldKind.CHI, tuple(sorted((*used, tile))), tile, left.seat)
    return outcomes(view, [Action.from_meld(meld), Action(ActionKind.PASS)])


_WIDE = "a hand 3 from tenpai with 70 useful tiles is still rated above a narrow one 2 from it"


@pytest.mark.parametrize(
    ("hand", "cut", "other", "table"),
    [
        (
            "3m124568p1s22336z + 6z",
            "3m",
            "1p",
            {
                "rivers": {
                    "self": "7s 6s'",
                    "right": "7z 5z'~",
                    "across": "7z 6z 1z",
                    "left": "4z 6z 9s'",
                },
                "melds": {"across": "pon 5~55z from right"},
                "dora": "9s",
                "round": "S1.1",
                "seat": 2,
                "scores": [18900, 26800, 23800, 30500],
            },
        ),
        pytest.param(
            "233406p245778s2z + 3m",
            "2z",
            "2s",
            {
                "rivers": {"self": "3z", "right": "4z", "across": "1z", "left": "4z 1m"},
                "dora": "2m",
                "round": "S1.4",
                "seat": 1,
                "scores": [19000, 32000, 16800, 31200],
            },
            marks=pytest.mark.xfail(reason=_WIDE, strict=True),
        ),
    ],
)
def test_a_floater_can_go(hand: str, cut: str, other: str, table: dict[str, Any]) -> None:
    """It keeps every draw of the other discard, which leaves a wide hand 3 from tenpai."""
    found = discards(hand, **table)
    assert found[cut].win > found[other].win - 0.05


def test_a_dead_shape_does_not_end_a_hand() -> None:
    """All four 7s are visible, so that 68s waits for nothing; other shapes go on."""
    rivers = {
        "self": "3z 1p 9p 1z 2z",
        "right": "1s 8p 2s' 8m 9m",
        "across": "1m 9p 4s 1z 7s~ 7s",
        "left": "2z 3z 9m 6z 7z~ 9s 7p",
    }
    melds = {"across": "pon 7~77z from left", "left": "pon 7~77s from across"}
    table = {"rivers": rivers, "melds": melds, "dora": "5m", "round": "E2.1", "seat": 2}
    found = call_or_pass("33667m56p266668s", "5p 6p", "7p", **table)
    assert found["pass"].win > 0.03
    assert found["pass"].win > found["chi"].win / 3


def test_formal_tenpai_is_kept_at_the_end() -> None:
    """形式聴牌: without a yaku and without a draw, it is paid like any other."""
    rivers = {
        "self": "1s 7z' 5z' 1p 1z' 7m 9p' 7m' 3m~ 5z' 2z 2z 4z 8s 7s 2p 1p",
        "right": "9s 1p' 8s 4z 6p 3z 7m 7p' 8p' 4p 8p' 5p' 9s' 7z 7s' 7z 2s~ 3m'",
        "across": "4z 4z' 5z 7z 4m 1s' 0m'~ 6m' 9m 9s' 8m~ 8m 9m' 9p 2z' 9m' 1z' 4s~ 2s'",
        "left": "1s 2s 1s' 2m 3z' 8s 4m 9s' 6m 7s 8p 7p 2p' 7m' 1p' 1z' 6p~ 4s",
    }
    melds = {
        "self": "chi 6~40p",
        "right": "pon 0~55m from across, chi 3~12m",
        "across": "chi 2~34s",
        "left": "pon 8~88m from across, chi 4~35s",
    }
    scores = [31600, 34800, 4700, 28900]
    found = discards(
        "23456m567p05s + 1m",
        rivers=rivers,
        melds=melds,
        dora="5z",
        round="E4.1",
        seat=1,
        scores=scores,
    )
    assert max(found["3m"].value, found["6m"].value) > found["1m"].value


@pytest.mark.parametrize(
    ("hand", "call", "claimed", "table"),
    [
        (
            "588m12230678p23s",
            "2s 3s",
            "1s",
            {
                "rivers": {
                    "right": "1m 9s",
                    "across": "9p 6z 7z",
                    "left": "4z 9s 1s",
                    "self": "9s 1m",
                },
                "dora": "7m",
                "round": "W2.0",
                "seat": 3,
                "scores": [24700, 24000, 27900, 23400],
            },
        ),
        (
            "888m788p113468s3z",
            "7p 8p",
            "9p",
            {
                "rivers": {
                    "right": "1m 9s",
                    "across": "9m 6z",
                    "left": "4z 9s 9p",
                    "self": "9s 1m",
                },
                "dora": "7m",
                "round": "S3.0",
                "seat": 3,
            },
        ),
    ],
)
def test_a_call_that_leaves_no_yaku_hardly_wins(
    hand: str, call: str, claimed: str, table: dict[str, Any]
) -> None:
    """What is left is a flush of a suit that the hand does not hold, or 一通 by two tiles."""
    found = call_or_pass(hand, call, claimed, **table)
    assert found["chi"].win < 0.35
    assert found["chi"].win_points < 9_000  # a mangan with three dora
    assert found["pass"].value > found["chi"].value


def test_a_leader_of_an_extra_round_wins() -> None:
    """West 2: with 29,800 it leads and deals next; 1,000 points later would not end the game."""
    rivers = {
        "self": "1m 3z 1s' 1m' 8p' 1p 6z 3s 1p'",
        "right": "2z' 1z 1s 8m 4z' 5z 6z 7z 4s",
        "across": "2z 5z 7z 9p 2p'~ 1m 9p' 2m 7p",
        "left": "9p 4z 2z 7z 6z 1z 8m'~ 2m' 2s'",
    }
    view = position(
        "567m44p34s",
        rivers,
        {"self": "pon 2~22p from across, chi 8~67m"},
        dora="8s",
        round="W2",
        seat=2,
        scores=[20_000, 26_700, 28_800, 24_500],
    )
    tile = view.opponents[-1].river[-1].tile
    found = outcomes(view, [Action(ActionKind.RON, tile), Action(ActionKind.PASS)])
    assert found["ron"].value > found["pass"].value + 500
