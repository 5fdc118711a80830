"""Damage to the course of a game: rounds, honba, sticks, melds, turns and ends."""

from __future__ import annotations

import random
from itertools import pairwise

from lxml import etree

from tests.fuzz.meaning.elements import (
    DISCARDS,
    DRAWS,
    Root,
    add,
    any_of,
    damage,
    name_next_seat,
    remove,
    round_of,
    with_tags,
)


def _seed(root: Root, dice: random.Random, index: int, value: int) -> bool:
    return add(any_of(root, dice, "INIT"), "seed", index, value)


@damage
def honba_of_a_deal(root: Root, dice: random.Random) -> bool:
    return _seed(root, dice, 1, 1)


@damage
def negative_honba(root: Root, dice: random.Random) -> bool:
    return _seed(root, dice, 1, -9)


@damage
def sticks_of_a_deal(root: Root, dice: random.Random) -> bool:
    return _seed(root, dice, 2, 1)


@damage
def round_number_plus_4(root: Root, dice: random.Random) -> bool:
    return _seed(root, dice, 0, 4)


@damage
def round_number_minus_1(root: Root, dice: random.Random) -> bool:
    return _seed(root, dice, 0, -1)


@damage
def round_number_huge(root: Root, dice: random.Random) -> bool:
    return _seed(root, dice, 0, 10**9)


@damage
def dealer_differs(root: Root, dice: random.Random) -> bool:
    element = any_of(root, dice, "INIT")
    assert element is not None
    element.set("oya", str((int(element.get("oya")) + 1) % 4))
    return True


@damage
def honba_of_an_end(root: Root, dice: random.Random) -> bool:
    return add(any_of(root, dice, "AGARI", "RYUUKYOKU", key="ba"), "ba", 0, 1)


@damage
def sticks_of_an_end(root: Root, dice: random.Random) -> bool:
    return add(any_of(root, dice, "AGARI", "RYUUKYOKU", key="ba"), "ba", 1, 1)


@damage
def melds_of_a_win_differ(root: Root, dice: random.Random) -> bool:
    return add(any_of(root, dice, "AGARI", key="m"), "m", 0, 1 << 11)


@damage
def melds_of_a_win_missing(root: Root, dice: random.Random) -> bool:
    element = any_of(root, dice, "AGARI", key="m")
    if element is None:
        return False
    del element.attrib["m"]
    return True


@damage
def meld_code_changed(root: Root, dice: random.Random) -> bool:
    return add(any_of(root, dice, "N"), "m", 0, 1 << 10)


@damage
def exhausted_draw_with_tiles_left(root: Root, dice: random.Random) -> bool:
    draws = [element for element in with_tags(root, "RYUUKYOKU") if not element.get("type")]
    if not draws:
        return False
    part = round_of(root, draws[0])
    for turn in part[part.index(draws[0]) - 8 : part.index(draws[0])]:
        if not turn.tag[1:].isdigit():
            return False
        root.remove(turn)
    return True


@damage
def reason_of_a_draw_swapped(root: Root, dice: random.Random) -> bool:
    element = any_of(root, dice, "RYUUKYOKU")
    if element is None:
        return False
    if element.get("type"):
        del element.attrib["type"]
    else:
        element.set("type", dice.choice(("nm", "kaze4", "reach4", "kan4")))
    return True


@damage
def round_left_out(root: Root, dice: random.Random) -> bool:
    deals = with_tags(root, "INIT")
    if len(deals) < 3:
        return False
    for element in round_of(root, dice.choice(deals[:-1])):
        root.remove(element)
    return True


@damage
def round_doubled(root: Root, dice: random.Random) -> bool:
    deals = with_tags(root, "INIT")
    if len(deals) < 2:
        return False
    part = round_of(root, dice.choice(deals[:-1]))
    for element in part:
        part[0].addprevious(etree.fromstring(etree.tostring(element)))
    return True


@damage
def discard_that_is_not_held(root: Root, dice: random.Random) -> bool:
    discards = [e for e in root if e.tag[0] in DISCARDS and e.tag[1:].isdigit()]
    element = dice.choice(discards)
    element.tag = f"{element.tag[0]}{(int(element.tag[1:]) + 1) % 136}"
    return True


@damage
def tile_drawn_twice(root: Root, dice: random.Random) -> bool:
    draws = [e for e in root if e.tag[0] in DRAWS and e.tag[1:].isdigit()]
    element = dice.choice(draws[1:])
    element.tag = f"{element.tag[0]}{draws[draws.index(element) - 1].tag[1:]}"
    return True


@damage
def turn_left_out(root: Root, dice: random.Random) -> bool:
    return remove(root, dice.choice([e for e in root if e.tag[1:].isdigit()]))


@damage
def declaration_left_out(root: Root, dice: random.Random) -> bool:
    return remove(root, dice.choice([*with_tags(root, "REACH"), None]))


@damage
def win_twice(root: Root, dice: random.Random) -> bool:
    element = any_of(root, dice, "AGARI")
    if element is None:
        return False
    element.addnext(etree.fromstring(etree.tostring(element)))
    return True


@damage
def ron_as_tsumo(root: Root, dice: random.Random) -> bool:
    rons = [e for e in with_tags(root, "AGARI") if e.get("who") != e.get("fromWho")]
    if not rons:
        return False
    element = dice.choice(rons)
    element.set("fromWho", element.get("who"))
    return True


@damage
def ron_from_another_seat(root: Root, dice: random.Random) -> bool:
    return name_next_seat(root, dice, "fromWho", after="fromWho")


@damage
def second_ron_left_out(root: Root, dice: random.Random) -> bool:
    elements = list(root)
    seconds = [b for a, b in pairwise(elements) if a.tag == b.tag == "AGARI"]
    if not seconds or seconds[0].get("owari"):
        return False
    return remove(root, seconds[0])
