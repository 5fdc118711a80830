"""The river: what has been discarded."""

from __future__ import annotations

from bisect import bisect_left

from houjuu import reading
from houjuu.cases import Case
from houjuu.signs.values import LIVE, NONE, NOTHING_DISCARDED
from houjuu.tiles import HONOURS, IS_HONOUR, KINDS, SUIT

_HONOURS = tuple(kind for kind in range(KINDS) if IS_HONOUR[kind])
_LATE = 8  # discards before


def yaochu_kinds(case: Case) -> int:
    """0–13 kinds of terminals and honours (table 1)."""
    return reading.yaochu_kinds(case.own)


def simple_kinds(case: Case) -> int:
    """0–21 kinds of 2 to 8 (table 1)."""
    return reading.simple_kinds(case.own)


def middles(case: Case) -> int:
    """Discards of 4 to 6."""
    return case.classes.count(4)


def early_middles(case: Case) -> int:
    """Discards of 3 to 7 among the first five."""
    first = case.classes[:5]
    return first.count(3) + first.count(4)


def first_middle(case: Case) -> int:
    """Discards before the first of 3 to 7."""
    return next((turn for turn, of in enumerate(case.classes) if of >= 3), NONE)


def second_discard(case: Case) -> int:
    """Class of the second discard (`RANK_CLASS`); 5 before it."""
    return case.classes[1] if len(case.classes) > 1 else NOTHING_DISCARDED


def tedashi_honours(case: Case) -> int:
    """Tedashi of honours."""
    return case.tedashi_classes.count(0)


def tedashi_yaochu(case: Case) -> int:
    """Tedashi of terminals and honours."""
    return case.tedashi_classes.count(0) + case.tedashi_classes.count(1)


def tedashi_seconds(case: Case) -> int:
    """Tedashi of 2 and 8."""
    return case.tedashi_classes.count(2)


def tedashi_middles(case: Case) -> int:
    """Tedashi of 3 to 7."""
    return case.tedashi_classes.count(3) + case.tedashi_classes.count(4)


def tsumogiri_middles(case: Case) -> int:
    """Tsumogiri of 3 to 7."""
    return case.classes.count(3) + case.classes.count(4) - tedashi_middles(case)


def yaochu_after_middle(case: Case) -> int:
    """Tedashi of terminals and honours after the first tedashi of 3 to 7."""
    classes = case.tedashi_classes
    start = next((turn for turn, of in enumerate(classes) if of >= 3), len(classes))
    return sum(of <= 1 for of in classes[start:])


def live_tedashi(case: Case) -> int:
    """Tedashi from the ninth discard on of kinds with two copies unseen or more."""
    late = case.tedashi[bisect_left(case.turns, _LATE) :]
    return sum(case.unseen[kind] >= LIVE for kind in late)


def dora_discarded(case: Case) -> int:
    """Dora and red fives discarded."""
    return sum(d.tile in case.reds or d.tile >> 2 in case.dora for d in case.seat.river)


def yakuhai_discarded(case: Case) -> int:
    """Discards of kinds whose pon were a yaku to it."""
    return sum(map(case.kinds.count, case.yakuhai))


def honours(case: Case) -> int:
    """Discards of honours."""
    return case.classes.count(0)


def honours_not_shown(case: Case) -> int:
    """0–7 kinds of honours that it has not discarded, with two copies unseen or more."""
    return sum(case.unseen[kind] >= LIVE and not case.own >> kind & 1 for kind in _HONOURS)


def scarcest_suit(case: Case) -> int:
    """Discards of the suit with the fewest."""
    return min(map(case.suits.count, range(HONOURS)))


def commonest_suit(case: Case) -> int:
    """Discards of the suit with the most."""
    return max(map(case.suits.count, range(HONOURS)))


def melds_suit(case: Case) -> int:
    """Discards of the suits of the melds; without any, of the suit with the fewest."""
    suits = reading.meld_suits(case.seat.melds)
    return sum(map(case.suits.count, suits)) if suits else scarcest_suit(case)


def run_to_colour(case: Case) -> int:
    """The longest run off a suit and honours where the last tedashi was of them (table 1)."""
    if not case.turns:
        return 0
    last = SUIT[case.tedashi[-1]]
    suits = range(HONOURS) if last == HONOURS else (last,)
    return max(reading.longest_run_off(case.suits, suit)[1] for suit in suits)


def own_live_suji(case: Case) -> int:
    """0–18 suji of which it has discarded neither end."""
    return reading.live_suji(case.own)


SIGNS = (
    yaochu_kinds,
    simple_kinds,
    middles,
    early_middles,
    first_middle,
    second_discard,
    tedashi_honours,
    tedashi_yaochu,
    tedashi_seconds,
    tedashi_middles,
    tsumogiri_middles,
    yaochu_after_middle,
    live_tedashi,
    dora_discarded,
    yakuhai_discarded,
    honours,
    honours_not_shown,
    scarcest_suit,
    commonest_suit,
    melds_suit,
    run_to_colour,
    own_live_suji,
)
