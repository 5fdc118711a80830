"""Damage to the meaning of a game: correct syntax, but the game cannot have happened."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from itertools import chain, pairwise
from typing import Any

from lxml import etree

from houjuu.game.game_end import results
from houjuu.game.rules import M_LEAGUE
from houjuu.game.tiles import KIND, TILES
from houjuu.hands.shanten import shanten

Element = Any
DRAWS, DISCARDS = "TUVW", "DEFG"
HANCHAN, NO_RED_FIVES, NO_OPEN_TANYAO = 0x08, 0x02, 0x04
TOTAL = 1000  # unit: hundreds of points
TANYAO, AKADORA, CHIIHOU = 8, 54, 38
ABORTED = ("yao9", "kaze4", "reach4", "ron3", "kan4")
HAND = (0, 4, 8, 12, 17, 20, 24, 28, 32, 36, 40, 44, 89)  # 123456789m123p5s
PAIR = 90  # the second 5s
ENDS = ("AGARI", "RYUUKYOKU")


class NoPlaceError(Exception):
    """The game has no place for this kind of damage."""


def numbers_of(element: Element, key: str) -> list[int]:
    return [int(number) for number in element.get(key).split(",")]


def set_numbers(element: Element, key: str, numbers: Iterable[float]) -> None:
    element.set(key, ",".join(map(str, numbers)))


def plus(numbers: list[int], changes: list[int]) -> list[int]:
    return [number + change for number, change in zip(numbers, changes, strict=True)]


def need(condition: object) -> None:
    if not condition:
        raise NoPlaceError


class Log:
    """The elements of an mjlog, and a random generator that chooses among them."""

    def __init__(self, data: bytes, dice: random.Random) -> None:
        self.root: Element = etree.fromstring(data)
        self.dice = dice

    def tagged(self, *tags: str) -> list[Element]:
        return [element for element in self.root if element.tag in tags]

    def turns(self, letters: str) -> list[Element]:
        """The draws or discards."""
        return [e for e in self.root if e.tag[0] in letters and e.tag[1:].isdigit()]

    def any(
        self, *tags: str, key: str = "", where: Callable[[Element], object] = lambda element: True
    ) -> Element:
        return self.choice([e for e in self.tagged(*tags) if (not key or e.get(key)) and where(e)])

    def choice(self, elements: list[Element]) -> Element:
        need(elements)
        return self.dice.choice(elements)

    def add(self, *tags: str, key: str, index: int = 0, value: int) -> None:
        numbers = numbers_of(element := self.any(*tags, key=key), key)
        numbers[index] += value
        set_numbers(element, key, numbers)

    def win(self, change: Callable[[list[int]], object], key: str = "yaku") -> None:
        """Change the numbers of a win under the key."""
        numbers = numbers_of(element := self.any("AGARI", key=key), key)
        change(numbers)
        set_numbers(element, key, numbers)

    def name_next(self, attribute: str, after: str) -> None:
        """Let an attribute of a win name the seat after that of another attribute."""
        element = self.any("AGARI")
        element.set(attribute, str((int(element.get(after)) + 1) % 4))

    def before(self, element: Element) -> list[Element]:
        return list(self.root)[: self.root.index(element)]

    def round_of(self, element: Element) -> list[Element]:
        """The elements of the round of an element, from INIT on."""
        start = next(e for e in [*self.before(element), element][::-1] if e.tag == "INIT")
        rest = list(self.root)[self.root.index(start) + 1 :]
        end = next((i for i, e in enumerate(rest) if e.tag == "INIT"), len(rest))
        return [start, *rest[:end]]

    def carry(self, start: Element, changes: list[int]) -> None:
        """Add to all scores after an element, so that they stay continuous."""
        for element in [start, *list(self.root)[self.root.index(start) + 1 :]]:
            if element is not start and element.get("ten") and element.tag in ("INIT", "REACH"):
                set_numbers(element, "ten", plus(numbers_of(element, "ten"), changes))
            if element is not start and element.get("sc"):
                scores = numbers_of(element, "sc")
                scores[:8:2] = plus(scores[:8:2], changes)
                set_numbers(element, "sc", scores)
            if element.get("owari"):
                values = element.get("owari").split(",")
                values[:8:2] = plus(list(map(int, values[:8:2])), changes)
                set_numbers(element, "owari", values)

    def pay(self, element: Element, changes: list[int]) -> None:
        """Change the payments of an end, and carry the scores on."""
        scores = numbers_of(element, "sc")
        scores[1:8:2] = plus(scores[1:8:2], changes)
        set_numbers(element, "sc", scores)
        self.carry(element, changes)

    def start_with(self, changes: list[int]) -> None:
        """Change the scores at the start of the game, and all later ones."""
        (first, *_) = self.tagged("INIT")
        set_numbers(first, "ten", plus(numbers_of(first, "ten"), changes))
        self.carry(first, changes)

    def final(self) -> tuple[Element, list[int], list[float]]:
        """The element with the final scores, the scores in hundreds, and the results."""
        element = self.any(*ENDS, key="owari")
        values = element.get("owari").split(",")[:8]
        return element, list(map(int, values[::2])), list(map(float, values[1::2]))

    def flip(self, flag: int, *, to: bool | None = None) -> None:
        """Change a flag of the rules; to a value that it does not have yet."""
        (rules,) = self.tagged("GO")
        flags = int(rules.get("type"))
        need(to is None or bool(flags & flag) is not to)
        rules.set("type", str(flags ^ flag))

    def exchange(self, element: Element, seat: int, key: str) -> None:
        """Exchange a dealt tile that is shown at the end for one that the round never has."""
        part = self.round_of(element)
        text = b" ".join(map(etree.tostring, part)).decode()
        dealt, shown = numbers_of(part[0], f"hai{seat}"), numbers_of(element, key)
        kept = [tile for tile in dealt if tile in shown and str(tile) != element.get("machi")]
        seen = {int(number) for number in "".join(c if c.isdigit() else " " for c in text).split()}
        kinds = {KIND[tile] for tile in shown}
        new = [tile for tile in range(TILES) if tile not in seen and KIND[tile] not in kinds]
        new = [tile for tile in new if KIND[tile] >= 27] or new
        old, fresh = self.choice([t for t in kept if KIND[t] < 27] or kept), self.choice(new)
        for place, name, tiles in ((part[0], f"hai{seat}", dealt), (element, key, shown)):
            set_numbers(place, name, [fresh if tile == old else tile for tile in tiles])


def results_of(element: Element, scores: list[int], values: Iterable[float] | None = None) -> None:
    """Set final scores, and the results that follow from them unless others are named."""
    by_rules = results([100 * score for score in scores]) if values is None else values
    set_numbers(element, "owari", chain.from_iterable(zip(scores, by_rules, strict=True)))


def scores_after(element: Element) -> list[int]:
    scores = numbers_of(element, "sc")[:8]
    return plus(scores[::2], scores[1::2])


def finish(element: Element) -> None:
    """End the game with an element; the leader gets the sticks."""
    scores = scores_after(element)
    scores[scores.index(max(scores))] += TOTAL - sum(scores)
    results_of(element, scores)


def copy(element: Element) -> Element:
    return etree.fromstring(etree.tostring(element))


def dealer_differs(log: Log) -> None:
    element = log.any("INIT")
    element.set("oya", str((int(element.get("oya")) + 1) % 4))


def exhausted_draw_with_tiles_left(log: Log) -> None:
    draw = log.any("RYUUKYOKU", where=lambda element: not element.get("type"))
    turns = log.before(draw)[-8:]
    need(all(turn.tag[1:].isdigit() for turn in turns))
    for turn in turns:
        log.root.remove(turn)


def reason_of_a_draw_swapped(log: Log) -> None:
    element = log.any("RYUUKYOKU")
    if element.get("type"):
        del element.attrib["type"]
    else:
        element.set("type", log.dice.choice(("nm", "kaze4", "reach4", "kan4")))


def a_round(log: Log) -> list[Element]:
    """The elements of a round that is not the last."""
    return log.round_of(log.choice(log.tagged("INIT")[:-1]))


def round_left_out(log: Log) -> None:
    need(len(log.tagged("INIT")) > 2)
    for element in a_round(log):
        log.root.remove(element)


def round_doubled(log: Log) -> None:
    part = a_round(log)
    for element in part:
        part[0].addprevious(copy(element))


def discard_that_is_not_held(log: Log) -> None:
    element = log.choice(log.turns(DISCARDS))
    element.tag = f"{element.tag[0]}{(int(element.tag[1:]) + 1) % TILES}"


def tile_drawn_twice(log: Log) -> None:
    before, element = log.choice([*pairwise(log.turns(DRAWS))])
    element.tag = f"{element.tag[0]}{before.tag[1:]}"


def win_twice(log: Log) -> None:
    element = log.any("AGARI")
    element.addnext(copy(element))


def _is_ron(win: Element) -> bool:
    return bool(win.get("who") != win.get("fromWho"))


def ron_as_tsumo(log: Log) -> None:
    element = log.any("AGARI", where=_is_ron)
    element.set("fromWho", element.get("who"))


def second_ron_left_out(log: Log) -> None:
    seconds = [b for a, b in pairwise(log.root) if a.tag == b.tag == "AGARI"]
    log.root.remove(log.choice([second for second in seconds if not second.get("owari")]))


def cut_after_a_round(log: Log) -> None:
    before = log.before(first := log.choice(log.tagged("INIT")[1:]))
    for element in [first, *first.itersiblings()]:
        log.root.remove(element)
    finish([element for element in before if element.get("sc")][-1])


def extra_round_after_the_end(log: Log) -> None:
    """One more round follows: the seat after the dealer wins with the first tile that it draws."""
    element, _, _ = log.final()
    del element.attrib["owari"]
    deal, *_ = part = log.round_of(element)
    number, honba, *_ = numbers_of(deal, "seed")
    dealer = deal.get("oya")
    stays = element.get("type") in ABORTED or element.get(f"hai{dealer}") is not None
    stays |= any(e.tag == "AGARI" and e.get("who") == dealer for e in part)
    honba = honba + 1 if stays or element.tag == "RYUUKYOKU" else 0
    scores = scores_after(element)
    _add_round(log, scores, number + (not stays), honba, sticks=(TOTAL - sum(scores)) // 10)


def _add_round(log: Log, scores: list[int], number: int, honba: int, sticks: int) -> None:
    dealer, winner = number % 4, (number + 1) % 4
    others = iter(sorted(set(range(TILES)) - {*HAND, PAIR}))
    drawn, indicator = next(others), TILES - 1
    start = etree.SubElement(log.root, "INIT", {"oya": str(dealer)})
    set_numbers(start, "seed", (number, honba, sticks, 0, 0, indicator))
    set_numbers(start, "ten", scores)
    for seat in range(4):
        hand = HAND if seat == winner else [next(others) for _ in HAND]
        set_numbers(start, f"hai{seat}", hand)
    for tag in (f"{DRAWS[dealer]}{drawn}", f"{DISCARDS[dealer]}{drawn}", f"{DRAWS[winner]}{PAIR}"):
        etree.SubElement(log.root, tag)
    changes = [-80 - honba] * 4
    changes[dealer] -= 80
    changes[winner] = 0
    changes[winner] = 10 * sticks - sum(changes)
    win = {
        "ba": (honba, sticks),
        "hai": (*HAND, PAIR),
        "machi": [PAIR],
        "ten": (30, 32000, 5),
        "yakuman": [CHIIHOU],
        "doraHai": [indicator],
        "who": [winner],
        "fromWho": [winner],
        "sc": chain(*zip(scores, changes, strict=True)),
    }
    element = etree.SubElement(log.root, "AGARI")
    for key, numbers in win.items():
        set_numbers(element, key, numbers)
    finish(element)


def scores_of_another_start(log: Log) -> None:
    """The total stays."""
    log.start_with([10, -10, 0, 0])
    element, scores, _ = log.final()
    results_of(element, scores)


def _swap(log: Log, first: int, second: int, *, by: Callable[[Log], list[int]]) -> None:
    """Exchange the results of two seats in an order of the seats."""
    element, scores, values = log.final()
    order = by(log)
    a, b = order[first], order[second]
    values[a], values[b] = values[b], values[a]
    results_of(element, scores, values)


def _by_score(log: Log) -> list[int]:
    _, scores, _ = log.final()
    return sorted(range(4), key=lambda seat: -scores[seat])


def _by_result(log: Log) -> list[int]:
    _, _, values = log.final()
    return sorted(range(4), key=lambda seat: values[seat])


def results_changed_but_balanced(log: Log) -> None:
    element, scores, values = log.final()
    first, *_, last = _by_score(log)
    values[first], values[last] = values[first] + 1, values[last] - 1
    results_of(element, scores, values)


def results_with_another_uma(log: Log) -> None:
    element, scores, _ = log.final()
    results_of(element, scores, results([100 * score for score in scores], M_LEAGUE))


def final_scores_of_two_seats_swapped(log: Log) -> None:
    element, scores, values = log.final()
    a, b = log.dice.sample(range(4), 2)
    need(scores[a] != scores[b])
    scores[a], scores[b] = scores[b], scores[a]
    values[a], values[b] = values[b], values[a]
    results_of(element, scores, values)


def east_only_flag_on_a_hanchan(log: Log) -> None:
    need(any(numbers_of(deal, "seed")[0] > 3 for deal in log.tagged("INIT")))
    log.flip(HANCHAN, to=False)


def hanchan_flag_on_an_east_only_game(log: Log) -> None:
    need(min(log.final()[1]) >= 0)
    log.flip(HANCHAN, to=True)


def _wins_with(log: Log, yaku: int) -> list[Element]:
    wins = [win for win in log.tagged("AGARI") if win.get("yaku")]
    return [win for win in wins if yaku in numbers_of(win, "yaku")[::2]]


def no_red_fives_flag_with_red_dora(log: Log) -> None:
    need(_wins_with(log, AKADORA))
    log.flip(NO_RED_FIVES)


def no_open_tanyao_flag_with_open_tanyao(log: Log) -> None:
    """A closed kan has no source in its code."""
    wins = [win for win in _wins_with(log, TANYAO) if win.get("m")]
    need(any(code & 3 for win in wins for code in numbers_of(win, "m")))
    log.flip(NO_OPEN_TANYAO, to=True)


def indicator_of_a_deal(log: Log) -> None:
    """In a round with a win, which names the indicators."""
    deal = log.round_of(log.any("AGARI"))[0]
    seed = numbers_of(deal, "seed")
    seed[5] += log.dice.choice((-4, 4))
    set_numbers(deal, "seed", seed)


def _away(log: Log, *tags: str) -> None:
    turn = log.choice(log.turns(DISCARDS))
    away = set[int]()
    for element in log.before(turn):
        if element.tag == "BYE":
            away.add(int(element.get("who")))
        elif element.tag == "UN":
            away -= {seat for seat in range(4) if element.get(f"n{seat}") is not None}
    seat = log.choice([seat for seat in range(4) if seat not in away])
    for tag in reversed(tags):
        turn.addnext(etree.Element(tag, {"who": str(seat)} if tag == "BYE" else {f"n{seat}": "A"}))


def win_on_an_incomplete_hand(log: Log) -> None:
    element = log.any("AGARI")
    log.exchange(element, int(element.get("who")), "hai")


def noten_paid_as_tenpai(log: Log) -> None:
    draws = [draw for draw in log.tagged("RYUUKYOKU") if not draw.get("type")]
    shown = [(e, seat) for e in draws for seat in range(4) if e.get(f"hai{seat}")]
    element, seat = log.choice(shown)
    log.exchange(element, seat, f"hai{seat}")
    need(shanten([KIND[tile] for tile in numbers_of(element, f"hai{seat}")]) > 0)


def nine_terminals_without_them(log: Log) -> None:
    log.any("RYUUKYOKU", where=lambda draw: draw.get("type") != "yao9").set("type", "yao9")


def riichi_on_any_closed_hand(log: Log) -> None:
    draws = log.turns(DRAWS)
    discard = log.choice([e for e in log.turns(DISCARDS) if e.getprevious() in draws])
    seat = str(DISCARDS.index(discard.tag[0]))
    discard.addprevious(etree.Element("REACH", who=seat, step="1"))
    discard.addnext(etree.Element("REACH", who=seat, step="2"))


def start_of_other_points(log: Log) -> None:
    log.start_with([50, 0, 0, 0])


def final_scores_differ(log: Log) -> None:
    element, (first, *others), values = log.final()
    results_of(element, [first + 10, *others], values)


def ron_paid_by_another(log: Log) -> None:
    element = log.any("AGARI", where=_is_ron)
    payer = int(element.get("fromWho"))
    other = next(seat for seat in range(4) if seat not in (int(element.get("who")), payer))
    changes = [0] * 4
    changes[other] = numbers_of(element, "sc")[2 * payer + 1]
    changes[payer] = -changes[other]
    log.pay(element, changes)


def tenpai_payments_reversed(log: Log) -> None:
    element = log.any("RYUUKYOKU", where=lambda draw: any(numbers_of(draw, "sc")[1::2]))
    log.pay(element, [-2 * delta for delta in numbers_of(element, "sc")[1:8:2]])


def riichi_below_1000_points(log: Log) -> None:
    element = log.any("REACH", where=lambda riichi: riichi.get("step") == "2")
    deal, seat = log.round_of(element)[0], int(element.get("who"))
    changes = [0] * 4
    changes[(seat + 1) % 4] = numbers_of(deal, "ten")[seat] - 5
    changes[seat] = -changes[(seat + 1) % 4]
    ends = [end for end in log.before(deal) if end.get("sc")]
    if ends:
        log.pay(ends[-1], changes)
    else:
        log.start_with(changes)


def ura_in_a_hand(log: Log) -> None:
    element = log.any("AGARI", key="doraHaiUra")
    set_numbers(element, "doraHaiUra", numbers_of(element, "hai")[:1])


def melds_of_a_win_missing(log: Log) -> None:
    del log.any("AGARI", key="m").attrib["m"]


Change = Callable[[Log], object]
FIRST = "the first round is not East 1"
ORDER = f"round and honba do not follow|{FIRST}"
PAYMENTS = "the payments of (a win|the draw) differ"
START = "the game begins with different scores|do not sum to"
YAKU = "the yaku of a win differ"
INCOMPLETE = "a win without a complete hand or without a yaku"
TENPAI = "riichi without tenpai"
WRONG_DORA = "the dora indicators of a win differ"
URA = "an ura indicator of a win is elsewhere"
RESULTS, LAST = "the final results differ", "the final scores differ from the last ones"
PLACES = "the final results are not in the order of the scores"
TURN = "out of turn"

KINDS: dict[str, tuple[Change, str]] = {
    "honba of a deal": (lambda log: log.add("INIT", key="seed", index=1, value=1), ORDER),
    "negative honba": (
        lambda log: log.add("INIT", key="seed", index=1, value=-9),
        "the number of honba is -",
    ),
    "sticks of a deal": (
        lambda log: log.add("INIT", key="seed", index=2, value=1),
        f"scores and sticks do not sum|{FIRST}",
    ),
    "round number plus 4": (lambda log: log.add("INIT", key="seed", value=4), ORDER),
    "round number minus 1": (
        lambda log: log.add("INIT", key="seed", value=-1),
        "the wrong dealer|the round is -1, not",
    ),
    "huge round number": (lambda log: log.add("INIT", key="seed", value=10**9), "the round is 1"),
    "dealer differs": (dealer_differs, TURN),
    "honba of an end": (
        lambda log: log.add(*ENDS, key="ba", value=1),
        "honba and sticks of the end differ",
    ),
    "sticks of an end": (
        lambda log: log.add(*ENDS, key="ba", index=1, value=1),
        "honba and sticks of the end differ",
    ),
    "melds of a win differ": (
        lambda log: log.add("AGARI", key="m", value=1 << 11),
        "the melds of a win differ|does not exist",
    ),
    "melds of a win missing": (melds_of_a_win_missing, "the melds of a win differ"),
    "meld code changed": (
        lambda log: log.add("N", key="m", value=1 << 10),
        "not just discarded|has no pon to add|does not hold",
    ),
    "exhausted draw with tiles left": (
        exhausted_draw_with_tiles_left,
        "an exhausted draw with tiles in the wall|shows .* but holds",
    ),
    "reason of a draw swapped": (
        reason_of_a_draw_swapped,
        "the round cannot be aborted so|no seat has a nagashi|an exhausted draw with",
    ),
    "round left out": (round_left_out, f"do not follow from|{FIRST}"),
    "round doubled": (round_doubled, f"do not follow from|{ORDER}"),
    "discard that is not held": (
        discard_that_is_not_held,
        "does not hold|cannot discard|not just discarded|did not draw",
    ),
    "tile drawn twice": (tile_drawn_twice, "appears twice"),
    "turn left out": (lambda log: log.root.remove(log.choice(log.turns(DRAWS + DISCARDS))), TURN),
    "declaration left out": (
        lambda log: log.root.remove(log.any("REACH")),
        f"a riichi that it did not declare|{TURN}",
    ),
    "win twice": (win_twice, "wins after the round has ended"),
    "ron as tsumo": (ron_as_tsumo, "wins on a tile that it did not draw|after the round has ended"),
    "ron from another seat": (
        lambda log: log.name_next("fromWho", after="fromWho"),
        "wins on a tile that .* did not d",
    ),
    "second ron left out": (second_ron_left_out, "do not follow from"),
    "cut after a round": (cut_after_a_round, "the game stops before its end: round"),
    "extra round after the end": (
        extra_round_after_the_end,
        "the game goes on after its end|a round begins with a score below 0",
    ),
    "scores of another start": (scores_of_another_start, START),
    "results changed but balanced": (results_changed_but_balanced, RESULTS),
    "results of two places swapped": (lambda log: _swap(log, 1, 2, by=_by_score), PLACES),
    "final results swapped": (lambda log: _swap(log, 0, 3, by=_by_result), PLACES),
    "results with another uma": (results_with_another_uma, RESULTS),
    "final scores of two seats swapped": (final_scores_of_two_seats_swapped, LAST),
    "final scores differ": (final_scores_differ, LAST),
    "East-only flag on a hanchan": (east_only_flag_on_a_hanchan, "goes on after its end"),
    "hanchan flag on an East-only game": (
        hanchan_flag_on_an_east_only_game,
        "stops before its end: round",
    ),
    "unknown flag": (
        lambda log: log.flip(1 << log.dice.choice((16, 20, 31, 64))),
        "the type of the game is",
    ),
    "no red fives, with red dora": (no_red_fives_flag_with_red_dora, YAKU),
    "no open tanyao, with open tanyao": (
        no_open_tanyao_flag_with_open_tanyao,
        f"{YAKU}|{INCOMPLETE}",
    ),
    "impossible dice": (
        lambda log: log.add(
            "INIT", key="seed", index=log.dice.choice((3, 4)), value=log.dice.choice((-6, 6))
        ),
        "the dice are not 0 to 5|a die is",
    ),
    "scores of a riichi": (
        lambda log: log.add("REACH", key="ten", index=log.dice.randrange(4), value=10),
        r"ten has the scores \[.*\], but after the riichi they are",
    ),
    "indicator of a deal": (
        indicator_of_a_deal,
        f"appears twice|{WRONG_DORA}|out of range",
    ),
    "ura indicator differs": (
        lambda log: log.add("AGARI", key="doraHaiUra", value=log.dice.choice((-4, 4))),
        f"{URA}|{YAKU}",
    ),
    "away twice": (lambda log: _away(log, "BYE", "BYE"), "a player leaves twice: seat"),
    "back without having left": (
        lambda log: _away(log, "UN"),
        "a player comes back without having left: seat",
    ),
    "win on an incomplete hand": (win_on_an_incomplete_hand, f"{INCOMPLETE}|{TENPAI}"),
    "noten paid as tenpai": (noten_paid_as_tenpai, f"not tenpai is shown as tenpai|{TENPAI}"),
    "nine terminals without them": (
        nine_terminals_without_them,
        "the round cannot be aborted so: yao9",
    ),
    "riichi on any closed hand": (
        riichi_on_any_closed_hand,
        f"declares riichi|cannot discard|after the riichi they are|{TENPAI}",
    ),
    "hand shown is not held": (
        lambda log: log.add("AGARI", key="hai", value=4),
        "shows .* but holds",
    ),
    "payments that do not add up": (
        lambda log: log.pay(log.any(*ENDS, key="sc"), [10, 0, 0, 0]),
        PAYMENTS,
    ),
    "payments changed but balanced": (
        lambda log: log.pay(log.any(*ENDS, key="sc"), [10, -10, 0, 0]),
        PAYMENTS,
    ),
    "one delta changed": (
        lambda log: log.add(*ENDS, key="sc", index=1, value=7),
        "do not follow from|differ",
    ),
    "start of other points": (start_of_other_points, START),
    "points differ from payment": (
        lambda log: log.add("AGARI", key="ten", index=1, value=1000),
        "the points of a win differ",
    ),
    "fu of seven": (lambda log: log.win(lambda ten: ten.insert(0, ten.pop(0) - 13), "ten"), "fu"),
    "negative fu": (
        lambda log: log.win(lambda ten: ten.insert(0, ten.pop(0) - 160), "ten"),
        "the number of fu is -",
    ),
    "limit of 99": (
        lambda log: log.add("AGARI", key="ten", index=2, value=99),
        "the limit of the hand is",
    ),
    "ron paid by another": (ron_paid_by_another, PAYMENTS),
    "tenpai payments reversed": (tenpai_payments_reversed, PAYMENTS),
    "riichi below 1,000 points": (
        riichi_below_1000_points,
        f"{PAYMENTS}|{START}|below 0|fewer than 1000",
    ),
    "unknown yaku": (
        lambda log: log.win(lambda yaku: yaku.__setitem__(0, 99)),
        "wins with an unknown yaku",
    ),
    "negative yaku": (
        lambda log: log.win(lambda yaku: yaku.__setitem__(0, -1)),
        "wins with an unknown yaku",
    ),
    "another yaku": (lambda log: log.win(lambda yaku: yaku.__setitem__(0, yaku[0] ^ 1)), YAKU),
    "no yaku": (lambda log: log.win(lambda yaku: yaku.clear()), "a win has no hand or no yaku"),
    "riichi of the yaku without riichi": (
        lambda log: log.win(lambda yaku: yaku.extend((1, 1))),
        YAKU,
    ),
    "han of a dora": (lambda log: log.win(lambda yaku: yaku.append(yaku.pop() + 1)), YAKU),
    "one more dora": (lambda log: log.win(lambda yaku: yaku.extend((52, 1))), YAKU),
    "indicator of the win differs": (
        lambda log: log.win(lambda dora: dora.append((dora.pop(0) + 4) % TILES), "doraHai"),
        WRONG_DORA,
    ),
    "one more indicator": (
        lambda log: log.win(lambda dora: dora.append((dora[0] + 4) % TILES), "doraHai"),
        WRONG_DORA,
    ),
    "ura in a hand": (ura_in_a_hand, f"{URA}|the wrong number of ura"),
    "ura without riichi": (
        lambda log: log.any("AGARI", where=lambda win: not win.get("doraHaiUra")).set(
            "doraHaiUra", "135"
        ),
        "the wrong number of ura indicators",
    ),
    "liable seat": (
        lambda log: log.name_next("paoWho", after="who"),
        "the liable seat of a win differs",
    ),
    "indicator left out": (
        lambda log: log.root.remove(log.any("DORA")),
        "a dora indicator is missing after a kan",
    ),
    "indicator without a kan": (
        lambda log: log.any("AGARI").addprevious(etree.Element("DORA", hai="0")),
        "an indicator is turned over without a kan",
    ),
}
"""What is damaged: the change, and what the log is refused for."""

POSSIBLE = ("declaration left out", "discard that is not held", "ura indicator differs")
"""Kinds that may make another possible game."""


def damaged(data: bytes, kind: str, seed: int) -> bytes | None:
    """The log with one damage of that kind, or None if it has no place for it."""
    log = Log(data, random.Random(f"{kind} {seed}"))
    try:
        KINDS[kind][0](log)
    except NoPlaceError:
        return None
    return bytes(etree.tostring(log.root))
