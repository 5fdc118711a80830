"""Choosing a discard: the source's own example, ties, and properties of every hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mahjong.shanten import Shanten

pytest.importorskip("riichienv", reason="it works out shanten")
from houjuu.game.tiles import COPIES, KIND, KINDS, RED_FIVES, kind_name, parse_kind, parse_tiles
from houjuu.player.rules import discard

hands = st.lists(st.integers(0, 135), min_size=14, max_size=14, unique=True)


def unseen(hand: list[int]) -> list[int]:
    kinds = [KIND[tile] for tile in hand]
    return [COPIES - kinds.count(kind) for kind in range(KINDS)]


def chosen(text: str, rule: str, **left: int) -> str:
    hand = list(parse_tiles(text))
    seen = unseen(hand)
    for kind, count in left.items():
        seen[parse_kind(kind[::-1])] = count
    return kind_name(discard.choose(hand, seen, hand, rule) // COPIES)


def shanten(hand: list[int]) -> int:
    """By another library."""
    kinds = [KIND[tile] for tile in hand]
    return int(Shanten().calculate_shanten([kinds.count(kind) for kind in range(KINDS)]))


@pytest.mark.parametrize(("rule", "expected"), [("v1", "5p"), ("v2", "4p"), ("v3", "4p")])
def test_the_example_of_the_source(rule: str, expected: str) -> None:
    """小林聡, 麻雀の打牌選択アルゴリズム(1): a wait on two pairs, or a two-sided one."""
    assert chosen("222789m22445789p", rule) == expected


def test_what_lies_open_counts_for_the_third_rule_alone() -> None:
    assert chosen("222789m22445789p", "v2", p3=0, p6=1) == "4p"
    assert chosen("222789m22445789p", "v3", p3=0, p6=1) == "5p"


def test_of_equals_the_later() -> None:
    """Any of the tiles that stand alone may go."""
    assert chosen("123m456p789s11z2z3z5z", "v2") == "5z"
    assert chosen("19m19p19s1234567z1m", "v1") == "1m"  # kokushi: all but the pair would cost


def test_a_red_five_stays() -> None:
    hand = list(parse_tiles("123m456p789s11z05s2z"))
    alone = [tile for tile in hand if KIND[tile] == parse_kind("5s")]
    assert discard.choose(hand, unseen(hand), alone) not in RED_FIVES


def test_what_may_not_be_discarded_stays() -> None:
    hand = list(parse_tiles("222789m22445789p"))
    allowed = [tile for tile in hand if KIND[tile] != parse_kind("5p")]
    assert kind_name(discard.choose(hand, unseen(hand), allowed, "v1") // COPIES) == "4p"


@given(hands, st.sampled_from(sorted(discard.RULES)))
def test_no_discard_raises_the_shanten(hand: list[int], rule: str) -> None:
    tile = discard.choose(hand, unseen(hand), hand, rule)
    rest = [other for other in hand if other != tile]
    assert shanten(rest) == shanten(hand) if shanten(hand) >= 0 else shanten(rest) == 0
