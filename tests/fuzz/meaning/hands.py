"""Damage to the hands at an end, and to riichi."""

from __future__ import annotations

import random

from lxml import etree

from houjuu.game.tiles import KIND
from houjuu.hands.shanten import shanten
from tests.fuzz.meaning.elements import (
    DISCARDS,
    DRAWS,
    Root,
    add,
    any_of,
    damage,
    exchange,
    numbers_of,
    with_tags,
)


@damage
def win_on_an_incomplete_hand(root: Root, dice: random.Random) -> bool:
    element = any_of(root, dice, "AGARI")
    return element is not None and exchange(root, element, int(element.get("who")), "hai", dice)


@damage
def noten_paid_as_tenpai(root: Root, dice: random.Random) -> bool:
    shown = [
        (element, seat)
        for element in with_tags(root, "RYUUKYOKU")
        for seat in range(4)
        if element.get(f"hai{seat}") and not element.get("type")
    ]
    if not shown:
        return False
    element, seat = dice.choice(shown)
    changed = exchange(root, element, seat, f"hai{seat}", dice)
    return changed and shanten([KIND[tile] for tile in numbers_of(element, f"hai{seat}")]) > 0


@damage
def nine_terminals_without_them(root: Root, dice: random.Random) -> bool:
    element = any_of(root, dice, "RYUUKYOKU")
    if element is None or element.get("type") == "yao9":
        return False
    element.set("type", "yao9")
    return True


@damage
def riichi_on_any_closed_hand(root: Root, dice: random.Random) -> bool:
    elements = list(root)
    discards = [
        index
        for index, element in enumerate(elements[1:], 1)
        if element.tag[0] in DISCARDS
        and element.tag[1:].isdigit()
        and elements[index - 1].tag[0] in DRAWS
        and elements[index - 1].tag[1:].isdigit()
    ]
    if not discards:
        return False
    index = dice.choice(discards)
    seat = str(DISCARDS.index(elements[index].tag[0]))
    root.insert(index, etree.Element("REACH", who=seat, step="1"))
    root.insert(index + 2, etree.Element("REACH", who=seat, step="2"))
    return True


@damage
def hand_shown_is_not_held(root: Root, dice: random.Random) -> bool:
    return add(any_of(root, dice, "AGARI"), "hai", 0, 4)
