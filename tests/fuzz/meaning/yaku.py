"""Damage to the yaku, the dora and the liable seat of a win."""

from __future__ import annotations

import random
from collections.abc import Callable

from lxml import etree

from tests.fuzz.meaning.elements import (
    Root,
    any_of,
    damage,
    name_next_seat,
    numbers_of,
    remove,
    set_numbers,
    with_tags,
)


def _numbers(
    root: Root, dice: random.Random, change: Callable[[list[int]], object], key: str = "yaku"
) -> bool:
    """Change the numbers of a win under the key."""
    wins = [element for element in with_tags(root, "AGARI") if element.get(key)]
    if not wins:
        return False
    element = dice.choice(wins)
    numbers = numbers_of(element, key)
    change(numbers)
    return set_numbers(element, key, numbers)


@damage
def unknown_yaku(root: Root, dice: random.Random) -> bool:
    return _numbers(root, dice, lambda numbers: numbers.__setitem__(0, 99))


@damage
def negative_yaku(root: Root, dice: random.Random) -> bool:
    return _numbers(root, dice, lambda numbers: numbers.__setitem__(0, -1))


@damage
def another_yaku(root: Root, dice: random.Random) -> bool:
    return _numbers(root, dice, lambda numbers: numbers.__setitem__(0, numbers[0] ^ 1))


@damage
def no_yaku(root: Root, dice: random.Random) -> bool:
    return _numbers(root, dice, lambda numbers: numbers.clear())


@damage
def riichi_yaku_without_riichi(root: Root, dice: random.Random) -> bool:
    return _numbers(root, dice, lambda numbers: numbers.extend((1, 1)))


@damage
def han_of_a_dora(root: Root, dice: random.Random) -> bool:
    return _numbers(root, dice, lambda numbers: numbers.__setitem__(-1, numbers[-1] + 1))


@damage
def one_more_dora(root: Root, dice: random.Random) -> bool:
    return _numbers(root, dice, lambda numbers: numbers.extend((52, 1)))


@damage
def indicator_of_the_win_differs(root: Root, dice: random.Random) -> bool:
    return _numbers(root, dice, lambda tiles: tiles.append((tiles.pop(0) + 4) % 136), "doraHai")


@damage
def one_more_indicator(root: Root, dice: random.Random) -> bool:
    return _numbers(root, dice, lambda tiles: tiles.append((tiles[0] + 4) % 136), "doraHai")


@damage
def ura_in_a_hand(root: Root, dice: random.Random) -> bool:
    element = any_of(root, dice, "AGARI", key="doraHaiUra")
    return element is not None and set_numbers(
        element, "doraHaiUra", numbers_of(element, "hai")[:1]
    )


@damage
def ura_without_riichi(root: Root, dice: random.Random) -> bool:
    wins = [element for element in with_tags(root, "AGARI") if not element.get("doraHaiUra")]
    if not wins:
        return False
    dice.choice(wins).set("doraHaiUra", "135")
    return True


@damage
def liable_seat(root: Root, dice: random.Random) -> bool:
    return name_next_seat(root, dice, "paoWho", after="who")


@damage
def indicator_left_out(root: Root, dice: random.Random) -> bool:
    return remove(root, any_of(root, dice, "DORA"))


@damage
def indicator_without_a_kan(root: Root, dice: random.Random) -> bool:
    element = any_of(root, dice, "AGARI")
    if element is None:
        return False
    element.addprevious(etree.Element("DORA", hai="0"))
    return True
