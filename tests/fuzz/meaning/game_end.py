"""Damage to the beginning and the end of a game, its results and its rules."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import chain

from lxml import etree

from houjuu.game.game_end import results
from houjuu.game.rules import M_LEAGUE
from houjuu.game.tiles import TILES
from tests.fuzz.meaning.elements import (
    DISCARDS,
    DRAWS,
    Root,
    add,
    any_of,
    carry,
    damage,
    numbers_of,
    plus,
    round_of,
    set_numbers,
    with_tags,
)

HANCHAN, NO_RED_FIVES, NO_OPEN_TANYAO = 0x08, 0x02, 0x04
TOTAL = 1000  # unit: hundreds of points
TANYAO, AKADORA, CHIIHOU = 8, 54, 38
ABORTED = ("yao9", "kaze4", "reach4", "ron3", "kan4")
HAND = (0, 4, 8, 12, 17, 20, 24, 28, 32, 36, 40, 44, 89)  # 123456789m123p5s
PAIR = 90  # the second 5s


def _owari(root: Root) -> tuple[Root, list[int], list[float]]:
    """The element with the final scores, the scores in hundreds, and the results."""
    element = next(element for element in root if element.get("owari"))
    values = element.get("owari").split(",")[:8]
    return element, list(map(int, values[::2])), list(map(float, values[1::2]))


def _set_owari(element: Root, scores: list[int], results: list[float]) -> bool:
    pairs = zip(scores, results, strict=True)
    element.set("owari", ",".join(map(str, chain.from_iterable(pairs))))
    return True


def _finish(element: Root) -> bool:
    """End the game with an element; the leader gets the sticks."""
    scores = _scores_after(element)
    scores[scores.index(max(scores))] += TOTAL - sum(scores)
    return _set_owari(element, scores, list(results([100 * score for score in scores])))


def _scores_after(element: Root) -> list[int]:
    scores = numbers_of(element, "sc")[:8]
    return plus(scores[::2], scores[1::2])


def _order(scores: list[int]) -> list[int]:
    return sorted(range(4), key=lambda seat: -scores[seat])


@damage
def cut_after_a_round(root: Root, dice: random.Random) -> bool:
    deals = with_tags(root, "INIT")
    if len(deals) < 2:
        return False
    first = dice.choice(deals[1:])
    elements = list(root)
    index = elements.index(first)
    for element in elements[index:]:
        root.remove(element)
    return _finish([e for e in elements[:index] if e.get("sc")][-1])


@damage
def extra_round_after_the_end(root: Root, dice: random.Random) -> bool:
    """One more round follows: the seat after the dealer wins with the first tile that it draws."""
    element, _, _ = _owari(root)
    del element.attrib["owari"]
    deal, *_ = part = round_of(root, element)
    number, honba, *_ = numbers_of(deal, "seed")
    dealer = int(deal.get("oya"))
    stays = element.get("type") in ABORTED or element.get(f"hai{dealer}") is not None
    stays |= any(e.tag == "AGARI" and e.get("who") == str(dealer) for e in part)
    drawn = element.tag == "RYUUKYOKU"
    scores = _scores_after(element)
    return _add_round(
        root,
        scores,
        number + (not stays),
        honba=honba + 1 if stays or drawn else 0,
        sticks=(TOTAL - sum(scores)) // 10,
    )


def _add_round(root: Root, scores: list[int], number: int, honba: int, sticks: int) -> bool:
    dealer, winner = number % 4, (number + 1) % 4
    others = iter(sorted(set(range(TILES)) - {*HAND, PAIR}))
    hands = {
        f"hai{seat}": ",".join(map(str, HAND if seat == winner else [next(others) for _ in HAND]))
        for seat in range(4)
    }
    drawn, indicator = next(others), TILES - 1
    seed = f"{number},{honba},{sticks},0,0,{indicator}"
    start = {"seed": seed, "ten": ",".join(map(str, scores)), "oya": str(dealer)}
    root.append(etree.Element("INIT", {**start, **hands}))
    for tag in (f"{DRAWS[dealer]}{drawn}", f"{DISCARDS[dealer]}{drawn}", f"{DRAWS[winner]}{PAIR}"):
        root.append(etree.Element(tag))
    changes = [-80 - honba] * 4
    changes[dealer] -= 80
    changes[winner] = 0
    changes[winner] = 10 * sticks - sum(changes)
    win = {
        "ba": f"{honba},{sticks}",
        "hai": ",".join(map(str, (*HAND, PAIR))),
        "machi": str(PAIR),
        "ten": "30,32000,5",
        "yakuman": str(CHIIHOU),
        "doraHai": str(indicator),
        "who": str(winner),
        "fromWho": str(winner),
        "sc": ",".join(map(str, chain(*zip(scores, changes, strict=True)))),
    }
    element = etree.SubElement(root, "AGARI", win)
    return _finish(element)


@damage
def scores_of_another_start(root: Root, dice: random.Random) -> bool:
    """The total stays."""
    (first, *_) = with_tags(root, "INIT")
    changes = [10, -10, 0, 0]
    set_numbers(first, "ten", plus(numbers_of(first, "ten"), changes))
    for element in round_of(root, first):
        if element.get("sc"):
            scores = numbers_of(element, "sc")
            scores[:8:2] = plus(scores[:8:2], changes)
            set_numbers(element, "sc", scores)
        if element.tag == "REACH" and element.get("ten"):
            set_numbers(element, "ten", plus(numbers_of(element, "ten"), changes))
    end = [element for element in round_of(root, first) if element.get("sc")][-1]
    carry(root, end, changes)
    for element in list(root)[list(root).index(end) :]:
        if element.tag == "REACH" and element.get("ten"):
            set_numbers(element, "ten", plus(numbers_of(element, "ten"), changes))
    element, scores, _ = _owari(root)
    return _set_owari(element, scores, list(results([100 * score for score in scores])))


@damage
def results_changed_but_balanced(root: Root, dice: random.Random) -> bool:
    element, scores, values = _owari(root)
    first, *_, last = _order(scores)
    values[first], values[last] = values[first] + 1, values[last] - 1
    return _set_owari(element, scores, values)


@damage
def results_of_two_places_swapped(root: Root, dice: random.Random) -> bool:
    element, scores, values = _owari(root)
    _, second, third, _ = _order(scores)
    values[second], values[third] = values[third], values[second]
    return _set_owari(element, scores, values)


@damage
def results_with_another_uma(root: Root, dice: random.Random) -> bool:
    element, scores, _ = _owari(root)
    points = [100 * score for score in scores]
    return _set_owari(element, scores, list(results(points, M_LEAGUE)))


@damage
def final_scores_of_two_seats_swapped(root: Root, dice: random.Random) -> bool:
    element, scores, values = _owari(root)
    a, b = dice.sample(range(4), 2)
    if scores[a] == scores[b]:
        return False
    scores[a], scores[b] = scores[b], scores[a]
    values[a], values[b] = values[b], values[a]
    return _set_owari(element, scores, values)


def _flip(root: Root, flag: int) -> bool:
    (rules,) = with_tags(root, "GO")
    rules.set("type", str(int(rules.get("type")) ^ flag))
    return True


def _has_flag(root: Root, flag: int) -> bool:
    (rules,) = with_tags(root, "GO")
    return bool(int(rules.get("type")) & flag)


@damage
def east_only_flag_on_a_hanchan(root: Root, dice: random.Random) -> bool:
    reaches_south = any(numbers_of(deal, "seed")[0] > 3 for deal in with_tags(root, "INIT"))
    return _has_flag(root, HANCHAN) and reaches_south and _flip(root, HANCHAN)


@damage
def hanchan_flag_on_an_east_only_game(root: Root, dice: random.Random) -> bool:
    _, scores, _ = _owari(root)
    return not _has_flag(root, HANCHAN) and min(scores) >= 0 and _flip(root, HANCHAN)


@damage
def unknown_flag(root: Root, dice: random.Random) -> bool:
    return _flip(root, 1 << dice.choice((16, 20, 31, 64)))


def _win_with(root: Root, yaku: int, is_right: Callable[[Root], bool]) -> bool:
    wins = [win for win in with_tags(root, "AGARI") if win.get("yaku") and is_right(win)]
    return any(yaku in numbers_of(win, "yaku")[::2] for win in wins)


def _is_open(win: Root) -> bool:
    """A closed kan has no source in its code."""
    return bool(win.get("m")) and any(code & 3 for code in numbers_of(win, "m"))


@damage
def no_red_fives_flag_with_red_dora(root: Root, dice: random.Random) -> bool:
    return _win_with(root, AKADORA, lambda win: True) and _flip(root, NO_RED_FIVES)


@damage
def no_open_tanyao_flag_with_open_tanyao(root: Root, dice: random.Random) -> bool:
    has_place = not _has_flag(root, NO_OPEN_TANYAO) and _win_with(root, TANYAO, _is_open)
    return has_place and _flip(root, NO_OPEN_TANYAO)


@damage
def impossible_dice(root: Root, dice: random.Random) -> bool:
    return add(any_of(root, dice, "INIT"), "seed", dice.choice((3, 4)), dice.choice((-6, 6)))


@damage
def scores_of_a_riichi(root: Root, dice: random.Random) -> bool:
    return add(any_of(root, dice, "REACH", key="ten"), "ten", dice.randrange(4), 10)


@damage
def indicator_of_a_deal(root: Root, dice: random.Random) -> bool:
    """In a round with a win, which names the indicators."""
    win = any_of(root, dice, "AGARI")
    return win is not None and add(round_of(root, win)[0], "seed", 5, dice.choice((-4, 4)))


@damage
def ura_indicator_differs(root: Root, dice: random.Random) -> bool:
    """To another kind of tile; the dora are not counted again."""
    element = any_of(root, dice, "AGARI", key="doraHaiUra")
    return element is not None and add(element, "doraHaiUra", 0, dice.choice((-4, 4)))


def _away(root: Root, dice: random.Random, *tags: str) -> bool:
    turns = [
        element for element in root if element.tag[0] in DISCARDS and element.tag[1:].isdigit()
    ]
    turn = dice.choice(turns)
    seat = _seat_at_the_table(root, turn, dice)
    if seat is None:
        return False
    for tag in reversed(tags):
        attributes = {"who": str(seat)} if tag == "BYE" else {f"n{seat}": "A"}
        turn.addnext(etree.Element(tag, attributes))
    return True


def _seat_at_the_table(root: Root, turn: Root, dice: random.Random) -> int | None:
    away = set[int]()
    for element in list(root)[: list(root).index(turn)]:
        if element.tag == "BYE":
            away.add(int(element.get("who")))
        elif element.tag == "UN":
            away -= {seat for seat in range(4) if element.get(f"n{seat}") is not None}
    present = [seat for seat in range(4) if seat not in away]
    return dice.choice(present) if present else None


@damage
def away_twice(root: Root, dice: random.Random) -> bool:
    return _away(root, dice, "BYE", "BYE")


@damage
def back_without_having_left(root: Root, dice: random.Random) -> bool:
    return _away(root, dice, "UN")
