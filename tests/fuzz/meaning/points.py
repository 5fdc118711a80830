"""Damage to points, payments and results."""

from __future__ import annotations

import random

from tests.fuzz.meaning.elements import (
    Root,
    add,
    any_of,
    carry,
    damage,
    numbers_of,
    pay,
    plus,
    round_of,
    set_numbers,
    with_tags,
)


@damage
def payments_that_do_not_add_up(root: Root, dice: random.Random) -> bool:
    return pay(root, any_of(root, dice, "AGARI", "RYUUKYOKU", key="sc"), [10, 0, 0, 0])


@damage
def payments_changed_but_balanced(root: Root, dice: random.Random) -> bool:
    return pay(root, any_of(root, dice, "AGARI", "RYUUKYOKU", key="sc"), [10, -10, 0, 0])


@damage
def one_delta_changed(root: Root, dice: random.Random) -> bool:
    return add(any_of(root, dice, "AGARI", "RYUUKYOKU", key="sc"), "sc", 1, 7)


@damage
def start_of_other_points(root: Root, dice: random.Random) -> bool:
    (first, *_) = with_tags(root, "INIT")
    for element in root:
        if element.get("sc"):
            add(element, "sc", 0, 50)
    for element in with_tags(root, "INIT"):
        add(element, "ten", 0, 50)
    carry(root, first, [0] * 4)
    return True


@damage
def final_scores_differ(root: Root, dice: random.Random) -> bool:
    element = any_of(root, dice, "AGARI", "RYUUKYOKU", key="owari")
    assert element is not None
    values = element.get("owari").split(",")
    values[0] = str(int(values[0]) + 10)
    element.set("owari", ",".join(values))
    return True


@damage
def final_results_swapped(root: Root, dice: random.Random) -> bool:
    element = any_of(root, dice, "AGARI", "RYUUKYOKU", key="owari")
    assert element is not None
    values = element.get("owari").split(",")
    order = sorted(range(1, 8, 2), key=lambda index: float(values[index]))
    values[order[0]], values[order[3]] = values[order[3]], values[order[0]]
    element.set("owari", ",".join(values))
    return True


@damage
def points_differ_from_payment(root: Root, dice: random.Random) -> bool:
    return add(any_of(root, dice, "AGARI"), "ten", 1, 1000)


@damage
def fu_of_seven(root: Root, dice: random.Random) -> bool:
    wins = [element for element in with_tags(root, "AGARI") if element.get("yaku")]
    return bool(wins) and add(dice.choice(wins), "ten", 0, -13)


@damage
def fu_negative(root: Root, dice: random.Random) -> bool:
    wins = [element for element in with_tags(root, "AGARI") if element.get("yaku")]
    return bool(wins) and add(dice.choice(wins), "ten", 0, -60)


@damage
def limit_of_99(root: Root, dice: random.Random) -> bool:
    return add(any_of(root, dice, "AGARI"), "ten", 2, 99)


@damage
def ron_paid_by_another(root: Root, dice: random.Random) -> bool:
    rons = [e for e in with_tags(root, "AGARI") if e.get("who") != e.get("fromWho")]
    if not rons:
        return False
    element = dice.choice(rons)
    payer = int(element.get("fromWho"))
    other = next(seat for seat in range(4) if str(seat) not in (element.get("who"), str(payer)))
    delta = numbers_of(element, "sc")[2 * payer + 1]
    changes = [0] * 4
    changes[payer], changes[other] = -delta, delta
    return pay(root, element, changes)


@damage
def tenpai_payments_reversed(root: Root, dice: random.Random) -> bool:
    draws = [e for e in with_tags(root, "RYUUKYOKU") if any(numbers_of(e, "sc")[1::2])]
    if not draws:
        return False
    element = dice.choice(draws)
    return pay(root, element, [-2 * delta for delta in numbers_of(element, "sc")[1::2]])


@damage
def riichi_below_1000_points(root: Root, dice: random.Random) -> bool:
    accepted = [e for e in with_tags(root, "REACH") if e.get("step") == "2"]
    if not accepted:
        return False
    element = dice.choice(accepted)
    part, seat = round_of(root, element), int(element.get("who"))
    score = numbers_of(part[0], "ten")[seat]
    changes = [0] * 4
    changes[seat], changes[(seat + 1) % 4] = 5 - score, score - 5
    set_numbers(part[0], "ten", plus(numbers_of(part[0], "ten"), changes))
    carry(root, part[0], changes)
    if part[0] is not with_tags(root, "INIT")[0]:
        end = [e for e in list(root)[: list(root).index(part[0])] if e.get("sc")][-1]
        scores = numbers_of(end, "sc")
        scores[1::2] = plus(scores[1::2], changes)
        set_numbers(end, "sc", scores)
    return True
