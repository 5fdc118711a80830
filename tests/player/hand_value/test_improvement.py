"""Draws that better a hand, counted by hand and against a search of all draws."""

from __future__ import annotations

import pytest

pytest.importorskip("riichienv", reason="it works out points")

import numpy as np

from houjuu.game.position import position
from houjuu.game.tiles import COPIES, KIND, KINDS, RED_FIVES
from houjuu.hands.shanten import shanten
from houjuu.player.hand_value.improvement import share_of_draws
from houjuu.player.hand_value.scores import BASE, index
from houjuu.player.hand_value.value import HandValuer
from tests.player.test_view_states import after_draw

OTHERS = {"self": "9s", "right": "9p", "across": "1p", "left": "9m"}


@pytest.mark.parametrize(
    "hand", ["123456m33789p46s", "1344556m406p789s", "2345678m345p222s", "1133557799m11p3z"]
)
def test_every_draw_is_searched(hand: str) -> None:
    """The sum over the draws that do not win: the best of the hands that stay tenpai."""
    view = position(f"{hand} + 4z", OTHERS, dora="3z")
    tiles = [tile for tile in view.hand if tile != view.drawn]
    valuer = HandValuer(view)
    before = valuer.outlooks([tiles])[0]
    unseen = view.unseen()
    total, ways = 0.0, 0.0
    for kind in range(KINDS):
        rests = _rests(tiles, kind, 0)
        if not unseen[kind] or not rests:
            continue
        best = max(valuer.outlooks(rests), key=lambda one: one.value)
        if best.value > before.value:
            total += unseen[kind]
            ways += unseen[kind] * best.ways
    (improvement,) = valuer.improvements([tiles])
    assert improvement.tiles == total > 0
    assert improvement.scores[0].sum() == pytest.approx(ways / total, rel=0.05)


@pytest.mark.parametrize(
    "hand", ["123456m335789p4s", "24568m406p789s55z", "2345m345p22288s9m", "24m345567p223s11z"]
)
def test_every_draw_is_searched_1_from_tenpai(hand: str) -> None:
    """Draws after which more tiles are useful; of the discards that leave the most the best one."""
    view = position(f"{hand} + 4z", OTHERS, dora="3z")
    tiles = [tile for tile in view.hand if tile != view.drawn]
    valuer = HandValuer(view)
    (before,) = valuer.outlooks([tiles])
    unseen = view.unseen()

    def draws(concealed: list[int], kind: int) -> int:
        """The copies that may be drawn, without those drawn before."""
        more = sum(KIND[tile] == kind and tile not in tiles for tile in concealed)
        return max(int(unseen[kind]) - more, 0)

    def useful(concealed: list[int]) -> int:
        kinds = [KIND[tile] for tile in concealed]
        return sum(draws(concealed, kind) for kind in range(KINDS) if shanten([*kinds, kind]) < 1)

    now = useful(tiles)
    total, ways, scores = 0.0, 0.0, np.zeros((2, len(BASE)))
    for kind in range(KINDS):
        near = _rests(tiles, kind, 1)
        if not unseen[kind] or not near:
            continue
        most = max(map(useful, near))
        chosen = [rest for rest in near if useful(rest) == most]
        best = max(valuer.outlooks(chosen), key=lambda one: one.value)
        if most > now and best.value > before.value:
            total += unseen[kind]
            ways += unseen[kind] * best.ways
            scores += unseen[kind] * best.scores
    (improvement,) = valuer.improvements([tiles])
    assert improvement.tiles == total > 0
    assert improvement.scores[0].sum() == pytest.approx(ways / total)
    assert improvement.scores == pytest.approx(scores / total)


def _rests(tiles: list[int], kind: int, level: int) -> list[list[int]]:
    """The hands of a shanten after a draw that keeps it and a discard; red fives leave last."""
    copies = range(COPIES * kind, COPIES * kind + COPIES)
    free = [tile for tile in copies if tile not in tiles and tile not in RED_FIVES]
    after = [*tiles, *free[:1]]
    if not free or shanten([KIND[tile] for tile in after]) < level:
        return []
    rests = [[tile for tile in after if tile != gone] for gone in after]
    plain = [rest for rest in rests if {*RED_FIVES} & {*tiles} <= {*rest}]
    return [rest for rest in plain if shanten([KIND[tile] for tile in rest]) == level]


def test_hands_of_both_shanten_at_once() -> None:
    """A hand's improvement depends on nothing else in the list."""
    view = position("123456m33789p46s + 1z", OTHERS, dora="3z")
    hands = [[tile for tile in view.hand if tile != gone] for gone in view.hand]
    levels = [shanten([KIND[tile] for tile in hand]) for hand in hands]
    assert {*levels} == {0, 1}
    for hand, together in zip(hands, HandValuer(view).improvements(hands), strict=True):
        (alone,) = HandValuer(view).improvements([hand])
        assert together.tiles == alone.tiles
        assert together.scores == pytest.approx(alone.scores)


def test_the_share_of_draws() -> None:
    """Half of the unseen tiles better it: after one, two and three draws 0, 1/2 and 3/4."""
    assert share_of_draws(1, 2, 1) == 0
    assert share_of_draws(1, 2, 2) == pytest.approx(1 / 4)
    assert share_of_draws(1, 2, 3) == pytest.approx((0 + 1 / 2 + 3 / 4) / 3)
    assert share_of_draws(0, 2, 3) == share_of_draws(1, 2, 0) == 0
    assert share_of_draws(3, 2, 3) == pytest.approx(2 / 3)


def test_riichi_closes_the_door() -> None:
    """The same hand with riichi and without: it declares, and its waits stay."""
    view = position("123456m33789p46s + 1z", OTHERS, dora="3z")
    hand = [tile for tile in view.hand if tile != view.drawn]
    dama, riichi = (after_draw(view, riichi=flag) for flag in (False, True))
    assert dama.ways == riichi.ways == riichi.later_ways == 4
    draws = (view.tiles_left - 4) // 4 + 1
    share = share_of_draws(8, int(view.unseen().sum()), draws)
    assert 0.3 < share < 0.7
    assert dama.later_ways[0] == pytest.approx((1 - share) * 4 + share * 8)
    assert dama.ron_ways == 0
    (better,) = HandValuer(view).improvements([hand])
    assert dama.by_ron[0] == pytest.approx(better.scores[1] / 8)  # before it a ron has no yaku
    assert riichi.by_ron[0][index(1, 40)] == 1
    assert dama.by_tsumo[0] @ BASE > riichi.by_ron[0] @ BASE
    assert [dama.declares[0], riichi.declares[0]] == [0, 1]
    assert dama.wait_kinds == riichi.wait_kinds == 1


def test_an_open_hand_improves_too() -> None:
    melds = {"self": "pon 77~7z"}
    rivers = {"self": "9s 4z", "right": "9p 1s", "across": "7z~ 1p", "left": "9m"}
    view = position("123456m33p46s + 1z", rivers, melds, dora="3z")
    hand = [tile for tile in view.hand if tile != view.drawn]
    (improvement,) = HandValuer(view).improvements([hand])
    assert improvement.tiles == 8  # 3s and 7s
    assert improvement.scores[0].sum() == 8
