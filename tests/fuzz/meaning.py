"""Damage to the meaning of a game: correct syntax, but the game cannot have happened.

A mutator takes the elements of an mjlog and a random generator. It returns False if the game has no
place for this kind of damage.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from lxml import etree

Root = Any
Mutator = Callable[[Root, random.Random], bool]
KINDS: dict[str, Mutator] = {}
_DRAWS, _DISCARDS = "TUVW", "DEFG"


def damage(function: Mutator) -> Mutator:
    """Register a mutator."""
    KINDS[function.__name__] = function
    return function


def damaged(data: bytes, kind: str, seed: int) -> bytes | None:
    """The log with one damage of that kind, or None."""
    root = etree.fromstring(data)
    if not KINDS[kind](root, random.Random(f"{kind} {seed}")):
        return None
    return bytes(etree.tostring(root))


def _numbers(element: Root, key: str) -> list[int]:
    return [int(number) for number in element.get(key).split(",")]


def _set(element: Root, key: str, numbers: list[int]) -> bool:
    element.set(key, ",".join(map(str, numbers)))
    return True


def _plus(numbers: list[int], changes: list[int]) -> list[int]:
    return [number + change for number, change in zip(numbers, changes, strict=True)]


def _all(root: Root, *tags: str) -> list[Root]:
    return [element for element in root if element.tag in tags]


def _one(root: Root, dice: random.Random, *tags: str, key: str = "") -> Root | None:
    found = [element for element in _all(root, *tags) if not key or key in element.attrib]
    return dice.choice(found) if found else None


def _add(element: Root | None, key: str, index: int, value: int) -> bool:
    if element is None:
        return False
    numbers = _numbers(element, key)
    numbers[index] += value
    return _set(element, key, numbers)


def _carry(root: Root, start: Root, changes: list[int]) -> None:
    """Add to all scores after an element, so that they stay continuous."""
    after = False
    for element in root:
        if after and element.tag == "INIT":
            _set(element, "ten", _plus(_numbers(element, "ten"), changes))
        if after and element.get("sc"):
            scores = _numbers(element, "sc")
            scores[::2] = _plus(scores[::2], changes)
            _set(element, "sc", scores)
        if (after or element is start) and element.get("owari"):
            values = element.get("owari").split(",")
            values[::2] = list(map(str, _plus(list(map(int, values[::2])), changes)))
            element.set("owari", ",".join(values))
        after |= element is start


def _pay(root: Root, element: Root | None, changes: list[int]) -> bool:
    """Change the payments of an end, and carry the scores on."""
    if element is None:
        return False
    scores = _numbers(element, "sc")
    scores[1::2] = _plus(scores[1::2], changes)
    _set(element, "sc", scores)
    _carry(root, element, changes)
    return True


def _round_of(root: Root, element: Root) -> list[Root]:
    """The elements of the round of an element, from INIT on."""
    elements = list(root)
    index = elements.index(element)
    start = max(i for i in range(index + 1) if elements[i].tag == "INIT")
    rest = (i for i in range(start + 1, len(elements)) if elements[i].tag == "INIT")
    return elements[start : next(rest, len(elements))]


def _exchange(root: Root, element: Root, seat: int, key: str, dice: random.Random) -> bool:
    """Exchange a dealt tile that is shown at the end for one that never appears in the round."""
    part = _round_of(root, element)
    text = b" ".join(etree.tostring(e) for e in part).decode()
    dealt = _numbers(part[0], f"hai{seat}")
    shown = _numbers(element, key)
    kept = [tile for tile in dealt if tile in shown and str(tile) != element.get("machi")]
    seen = {int(number) for number in "".join(c if c.isdigit() else " " for c in text).split()}
    kinds = [tile // 4 for tile in shown]
    new = [t for t in range(136) if t not in seen and kinds.count(t // 4) == 0 and t // 4 >= 27]
    new = new or [t for t in range(136) if t not in seen and t // 4 not in kinds]
    lone = [tile for tile in kept if tile // 4 < 27] or kept
    if not lone or not new:
        return False
    old, fresh = dice.choice(lone), dice.choice(new)
    _set(part[0], f"hai{seat}", [fresh if tile == old else tile for tile in dealt])
    return _set(element, key, [fresh if tile == old else tile for tile in shown])


# Points


@damage
def payments_that_do_not_add_up(root: Root, dice: random.Random) -> bool:
    return _pay(root, _one(root, dice, "AGARI", "RYUUKYOKU", key="sc"), [10, 0, 0, 0])


@damage
def payments_changed_but_balanced(root: Root, dice: random.Random) -> bool:
    return _pay(root, _one(root, dice, "AGARI", "RYUUKYOKU", key="sc"), [10, -10, 0, 0])


@damage
def one_delta_changed(root: Root, dice: random.Random) -> bool:
    return _add(_one(root, dice, "AGARI", "RYUUKYOKU", key="sc"), "sc", 1, 7)


@damage
def start_of_other_points(root: Root, dice: random.Random) -> bool:
    (first, *_) = _all(root, "INIT")
    for element in root:
        if element.get("sc"):
            _add(element, "sc", 0, 50)
    for element in _all(root, "INIT"):
        _add(element, "ten", 0, 50)
    _carry(root, first, [0] * 4)
    return True


@damage
def final_scores_differ(root: Root, dice: random.Random) -> bool:
    element = _one(root, dice, "AGARI", "RYUUKYOKU", key="owari")
    assert element is not None
    values = element.get("owari").split(",")
    values[0] = str(int(values[0]) + 10)
    element.set("owari", ",".join(values))
    return True


@damage
def final_results_swapped(root: Root, dice: random.Random) -> bool:
    element = _one(root, dice, "AGARI", "RYUUKYOKU", key="owari")
    assert element is not None
    values = element.get("owari").split(",")
    order = sorted(range(1, 8, 2), key=lambda index: float(values[index]))
    values[order[0]], values[order[3]] = values[order[3]], values[order[0]]
    element.set("owari", ",".join(values))
    return True


@damage
def points_differ_from_payment(root: Root, dice: random.Random) -> bool:
    return _add(_one(root, dice, "AGARI"), "ten", 1, 1000)


@damage
def fu_of_seven(root: Root, dice: random.Random) -> bool:
    wins = [element for element in _all(root, "AGARI") if element.get("yaku")]
    return bool(wins) and _add(dice.choice(wins), "ten", 0, -13)


@damage
def fu_negative(root: Root, dice: random.Random) -> bool:
    wins = [element for element in _all(root, "AGARI") if element.get("yaku")]
    return bool(wins) and _add(dice.choice(wins), "ten", 0, -60)


@damage
def limit_of_99(root: Root, dice: random.Random) -> bool:
    return _add(_one(root, dice, "AGARI"), "ten", 2, 99)


@damage
def ron_paid_by_another(root: Root, dice: random.Random) -> bool:
    rons = [e for e in _all(root, "AGARI") if e.get("who") != e.get("fromWho")]
    if not rons:
        return False
    element = dice.choice(rons)
    payer = int(element.get("fromWho"))
    other = next(seat for seat in range(4) if str(seat) not in (element.get("who"), str(payer)))
    delta = _numbers(element, "sc")[2 * payer + 1]
    changes = [0] * 4
    changes[payer], changes[other] = -delta, delta
    return _pay(root, element, changes)


@damage
def tenpai_payments_reversed(root: Root, dice: random.Random) -> bool:
    draws = [e for e in _all(root, "RYUUKYOKU") if any(_numbers(e, "sc")[1::2])]
    if not draws:
        return False
    element = dice.choice(draws)
    return _pay(root, element, [-2 * delta for delta in _numbers(element, "sc")[1::2]])


@damage
def riichi_below_1000_points(root: Root, dice: random.Random) -> bool:
    accepted = [e for e in _all(root, "REACH") if e.get("step") == "2"]
    if not accepted:
        return False
    element = dice.choice(accepted)
    part, seat = _round_of(root, element), int(element.get("who"))
    score = _numbers(part[0], "ten")[seat]
    changes = [0] * 4
    changes[seat], changes[(seat + 1) % 4] = 5 - score, score - 5
    _set(part[0], "ten", _plus(_numbers(part[0], "ten"), changes))
    _carry(root, part[0], changes)
    if part[0] is not _all(root, "INIT")[0]:
        end = [e for e in list(root)[: list(root).index(part[0])] if e.get("sc")][-1]
        scores = _numbers(end, "sc")
        scores[1::2] = _plus(scores[1::2], changes)
        _set(end, "sc", scores)
    return True


# Hands


@damage
def win_on_an_incomplete_hand(root: Root, dice: random.Random) -> bool:
    element = _one(root, dice, "AGARI")
    return element is not None and _exchange(root, element, int(element.get("who")), "hai", dice)


@damage
def noten_paid_as_tenpai(root: Root, dice: random.Random) -> bool:
    shown = [
        (element, seat)
        for element in _all(root, "RYUUKYOKU")
        for seat in range(4)
        if element.get(f"hai{seat}") and not element.get("type")
    ]
    if not shown:
        return False
    element, seat = dice.choice(shown)
    return _exchange(root, element, seat, f"hai{seat}", dice)


@damage
def nine_terminals_without_them(root: Root, dice: random.Random) -> bool:
    element = _one(root, dice, "RYUUKYOKU")
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
        if element.tag[0] in _DISCARDS
        and element.tag[1:].isdigit()
        and elements[index - 1].tag[0] in _DRAWS
        and elements[index - 1].tag[1:].isdigit()
    ]
    if not discards:
        return False
    index = dice.choice(discards)
    seat = str(_DISCARDS.index(elements[index].tag[0]))
    root.insert(index, etree.Element("REACH", who=seat, step="1"))
    root.insert(index + 2, etree.Element("REACH", who=seat, step="2"))
    return True


@damage
def hand_shown_is_not_held(root: Root, dice: random.Random) -> bool:
    return _add(_one(root, dice, "AGARI"), "hai", 0, 4)


# Yaku and dora


def _yaku(root: Root, dice: random.Random, change: Callable[[list[int]], object]) -> bool:
    wins = [element for element in _all(root, "AGARI") if element.get("yaku")]
    if not wins:
        return False
    element = dice.choice(wins)
    numbers = _numbers(element, "yaku")
    change(numbers)
    return _set(element, "yaku", numbers)


@damage
def unknown_yaku(root: Root, dice: random.Random) -> bool:
    return _yaku(root, dice, lambda numbers: numbers.__setitem__(0, 99))


@damage
def negative_yaku(root: Root, dice: random.Random) -> bool:
    return _yaku(root, dice, lambda numbers: numbers.__setitem__(0, -1))


@damage
def another_yaku(root: Root, dice: random.Random) -> bool:
    return _yaku(root, dice, lambda numbers: numbers.__setitem__(0, numbers[0] ^ 1))


@damage
def no_yaku(root: Root, dice: random.Random) -> bool:
    return _yaku(root, dice, lambda numbers: numbers.clear())


@damage
def riichi_yaku_without_riichi(root: Root, dice: random.Random) -> bool:
    return _yaku(root, dice, lambda numbers: numbers.extend((1, 1)))


@damage
def han_of_a_dora(root: Root, dice: random.Random) -> bool:
    return _yaku(root, dice, lambda numbers: numbers.__setitem__(-1, numbers[-1] + 1))


@damage
def one_more_dora(root: Root, dice: random.Random) -> bool:
    return _yaku(root, dice, lambda numbers: numbers.extend((52, 1)))


@damage
def indicator_of_the_win_differs(root: Root, dice: random.Random) -> bool:
    element = _one(root, dice, "AGARI")
    if element is None:
        return False
    numbers = _numbers(element, "doraHai")
    return _set(element, "doraHai", [(numbers[0] + 4) % 136, *numbers[1:]])


@damage
def one_more_indicator(root: Root, dice: random.Random) -> bool:
    element = _one(root, dice, "AGARI")
    if element is None:
        return False
    numbers = _numbers(element, "doraHai")
    return _set(element, "doraHai", [*numbers, (numbers[0] + 4) % 136])


@damage
def ura_in_a_hand(root: Root, dice: random.Random) -> bool:
    element = _one(root, dice, "AGARI", key="doraHaiUra")
    return element is not None and _set(element, "doraHaiUra", _numbers(element, "hai")[:1])


@damage
def ura_without_riichi(root: Root, dice: random.Random) -> bool:
    wins = [element for element in _all(root, "AGARI") if not element.get("doraHaiUra")]
    if not wins:
        return False
    dice.choice(wins).set("doraHaiUra", "135")
    return True


@damage
def liable_seat(root: Root, dice: random.Random) -> bool:
    return _name_next_seat(root, dice, "paoWho", after="who")


def _name_next_seat(root: Root, dice: random.Random, attribute: str, after: str) -> bool:
    """Let an attribute of a win name the seat after that of another attribute."""
    element = _one(root, dice, "AGARI")
    if element is None:
        return False
    element.set(attribute, str((int(element.get(after)) + 1) % 4))
    return True


@damage
def indicator_left_out(root: Root, dice: random.Random) -> bool:
    return _remove(root, _one(root, dice, "DORA"))


def _remove(root: Root, element: Root | None) -> bool:
    if element is not None:
        root.remove(element)
    return element is not None


@damage
def indicator_without_a_kan(root: Root, dice: random.Random) -> bool:
    element = _one(root, dice, "AGARI")
    if element is None:
        return False
    element.addprevious(etree.Element("DORA", hai="0"))
    return True


# The course of the game


def _seed(root: Root, dice: random.Random, index: int, value: int) -> bool:
    return _add(_one(root, dice, "INIT"), "seed", index, value)


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
    element = _one(root, dice, "INIT")
    assert element is not None
    element.set("oya", str((int(element.get("oya")) + 1) % 4))
    return True


@damage
def honba_of_an_end(root: Root, dice: random.Random) -> bool:
    return _add(_one(root, dice, "AGARI", "RYUUKYOKU", key="ba"), "ba", 0, 1)


@damage
def sticks_of_an_end(root: Root, dice: random.Random) -> bool:
    return _add(_one(root, dice, "AGARI", "RYUUKYOKU", key="ba"), "ba", 1, 1)


@damage
def melds_of_a_win_differ(root: Root, dice: random.Random) -> bool:
    return _add(_one(root, dice, "AGARI", key="m"), "m", 0, 1 << 11)


@damage
def melds_of_a_win_missing(root: Root, dice: random.Random) -> bool:
    element = _one(root, dice, "AGARI", key="m")
    if element is None:
        return False
    del element.attrib["m"]
    return True


@damage
def meld_code_changed(root: Root, dice: random.Random) -> bool:
    return _add(_one(root, dice, "N"), "m", 0, 1 << 10)


@damage
def exhausted_draw_with_tiles_left(root: Root, dice: random.Random) -> bool:
    draws = [element for element in _all(root, "RYUUKYOKU") if not element.get("type")]
    if not draws:
        return False
    part = _round_of(root, draws[0])
    for turn in part[part.index(draws[0]) - 8 : part.index(draws[0])]:
        if not turn.tag[1:].isdigit():
            return False
        root.remove(turn)
    return True


@damage
def reason_of_a_draw_swapped(root: Root, dice: random.Random) -> bool:
    element = _one(root, dice, "RYUUKYOKU")
    if element is None:
        return False
    if element.get("type"):
        del element.attrib["type"]
    else:
        element.set("type", dice.choice(("nm", "kaze4", "reach4", "kan4")))
    return True


@damage
def round_left_out(root: Root, dice: random.Random) -> bool:
    deals = _all(root, "INIT")
    if len(deals) < 3:
        return False
    for element in _round_of(root, dice.choice(deals[:-1])):
        root.remove(element)
    return True


@damage
def round_doubled(root: Root, dice: random.Random) -> bool:
    deals = _all(root, "INIT")
    if len(deals) < 2:
        return False
    part = _round_of(root, dice.choice(deals[:-1]))
    for element in part:
        part[0].addprevious(etree.fromstring(etree.tostring(element)))
    return True


@damage
def discard_that_is_not_held(root: Root, dice: random.Random) -> bool:
    discards = [e for e in root if e.tag[0] in _DISCARDS and e.tag[1:].isdigit()]
    element = dice.choice(discards)
    element.tag = f"{element.tag[0]}{(int(element.tag[1:]) + 1) % 136}"
    return True


@damage
def tile_drawn_twice(root: Root, dice: random.Random) -> bool:
    draws = [e for e in root if e.tag[0] in _DRAWS and e.tag[1:].isdigit()]
    element = dice.choice(draws[1:])
    element.tag = f"{element.tag[0]}{draws[draws.index(element) - 1].tag[1:]}"
    return True


@damage
def turn_left_out(root: Root, dice: random.Random) -> bool:
    return _remove(root, dice.choice([e for e in root if e.tag[1:].isdigit()]))


@damage
def declaration_left_out(root: Root, dice: random.Random) -> bool:
    return _remove(root, dice.choice([*_all(root, "REACH"), None]))


@damage
def win_twice(root: Root, dice: random.Random) -> bool:
    element = _one(root, dice, "AGARI")
    if element is None:
        return False
    element.addnext(etree.fromstring(etree.tostring(element)))
    return True


@damage
def ron_as_tsumo(root: Root, dice: random.Random) -> bool:
    rons = [e for e in _all(root, "AGARI") if e.get("who") != e.get("fromWho")]
    if not rons:
        return False
    element = dice.choice(rons)
    element.set("fromWho", element.get("who"))
    return True


@damage
def ron_from_another_seat(root: Root, dice: random.Random) -> bool:
    return _name_next_seat(root, dice, "fromWho", after="fromWho")


@damage
def second_ron_left_out(root: Root, dice: random.Random) -> bool:
    elements = list(root)
    seconds = [b for a, b in pairwise(elements) if a.tag == b.tag == "AGARI"]
    if not seconds or seconds[0].get("owari"):
        return False
    return _remove(root, seconds[0])
