"""The base of all kinds of damage: the elements of an mjlog, their numbers, and the registry."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from lxml import etree

Root = Any
Mutator = Callable[[Root, random.Random], bool]
KINDS: dict[str, Mutator] = {}
DRAWS, DISCARDS = "TUVW", "DEFG"


def damage(function: Mutator) -> Mutator:
    """Register a mutator."""
    KINDS[function.__name__] = function
    return function


def numbers_of(element: Root, key: str) -> list[int]:
    return [int(number) for number in element.get(key).split(",")]


def set_numbers(element: Root, key: str, numbers: list[int]) -> bool:
    element.set(key, ",".join(map(str, numbers)))
    return True


def plus(numbers: list[int], changes: list[int]) -> list[int]:
    return [number + change for number, change in zip(numbers, changes, strict=True)]


def with_tags(root: Root, *tags: str) -> list[Root]:
    return [element for element in root if element.tag in tags]


def any_of(root: Root, dice: random.Random, *tags: str, key: str = "") -> Root | None:
    elements = [element for element in with_tags(root, *tags) if not key or key in element.attrib]
    return dice.choice(elements) if elements else None


def add(element: Root | None, key: str, index: int, value: int) -> bool:
    if element is None:
        return False
    numbers = numbers_of(element, key)
    numbers[index] += value
    return set_numbers(element, key, numbers)


def carry(root: Root, start: Root, changes: list[int]) -> None:
    """Add to all scores after an element, so that they stay continuous."""
    after = False
    for element in root:
        if after and element.tag == "INIT":
            set_numbers(element, "ten", plus(numbers_of(element, "ten"), changes))
        if after and element.get("sc"):
            scores = numbers_of(element, "sc")
            scores[::2] = plus(scores[::2], changes)
            set_numbers(element, "sc", scores)
        if (after or element is start) and element.get("owari"):
            values = element.get("owari").split(",")
            values[::2] = list(map(str, plus(list(map(int, values[::2])), changes)))
            element.set("owari", ",".join(values))
        after |= element is start


def pay(root: Root, element: Root | None, changes: list[int]) -> bool:
    """Change the payments of an end, and carry the scores on."""
    if element is None:
        return False
    scores = numbers_of(element, "sc")
    scores[1::2] = plus(scores[1::2], changes)
    set_numbers(element, "sc", scores)
    carry(root, element, changes)
    return True


def round_of(root: Root, element: Root) -> list[Root]:
    """The elements of the round of an element, from INIT on."""
    elements = list(root)
    index = elements.index(element)
    start = max(i for i in range(index + 1) if elements[i].tag == "INIT")
    rest = (i for i in range(start + 1, len(elements)) if elements[i].tag == "INIT")
    return elements[start : next(rest, len(elements))]


def exchange(root: Root, element: Root, seat: int, key: str, dice: random.Random) -> bool:
    """Exchange a dealt tile that is shown at the end for one that never appears in the round."""
    part = round_of(root, element)
    text = b" ".join(etree.tostring(e) for e in part).decode()
    dealt = numbers_of(part[0], f"hai{seat}")
    shown = numbers_of(element, key)
    kept = [tile for tile in dealt if tile in shown and str(tile) != element.get("machi")]
    seen = {int(number) for number in "".join(c if c.isdigit() else " " for c in text).split()}
    kinds = [tile // 4 for tile in shown]
    new = [t for t in range(136) if t not in seen and kinds.count(t // 4) == 0 and t // 4 >= 27]
    new = new or [t for t in range(136) if t not in seen and t // 4 not in kinds]
    lone = [tile for tile in kept if tile // 4 < 27] or kept
    if not lone or not new:
        return False
    old, fresh = dice.choice(lone), dice.choice(new)
    set_numbers(part[0], f"hai{seat}", [fresh if tile == old else tile for tile in dealt])
    return set_numbers(element, key, [fresh if tile == old else tile for tile in shown])


def name_next_seat(root: Root, dice: random.Random, attribute: str, after: str) -> bool:
    """Let an attribute of a win name the seat after that of another attribute."""
    element = any_of(root, dice, "AGARI")
    if element is None:
        return False
    element.set(attribute, str((int(element.get(after)) + 1) % 4))
    return True


def remove(root: Root, element: Root | None) -> bool:
    if element is not None:
        root.remove(element)
    return element is not None
