"""What an opponent shows beyond table 1 of Kurita & Hoki 2017: the numbers of the model "houjuu".

Each is a plain function of a `Case` and an entry of `SIGNS`, which gives it a name and a unit.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from houjuu import reading
from houjuu.cases import GENBUTSU, HALF_SUJI, NO_RIICHI, NOT_YET, Case
from houjuu.events import Meld
from houjuu.tiles import HONOURS, IS_HONOUR, IS_YAOCHU, KINDS, SUIT

Ints = npt.NDArray[np.int64]

NONE = -1
"""What a sign says where there is nothing to count from: no call, no tedashi."""

_NOTHING_DISCARDED = 5
_AROUND = tuple(
    tuple(k for k in range(kind - 2, kind + 3) if k != kind and k >= 0 and SUIT[k] == SUIT[kind])
    if not IS_HONOUR[kind]
    else ()
    for kind in range(KINDS)
)
_WITHIN_THREE = tuple(
    sum(1 << k for k in range(KINDS) if SUIT[k] == SUIT[kind] and 0 < abs(k - kind) <= 3)
    for kind in range(KINDS)
)
_HONOURS = tuple(kind for kind in range(KINDS) if IS_HONOUR[kind])
_LATE = 8  # discards before
_LIVE = 2  # copies unseen
_DEPOSIT = 1000  # unit: points
_LAST_DRAW = 4  # tiles in the wall, with which a riichi may still be declared


# Pace: how fast a hand changes


def discards(case: Case) -> int:
    """Discards of the opponent."""
    return len(case.kinds)


def tiles_left(case: Case) -> int:
    """0–69 tiles in the wall."""
    return case.view.tiles_left


def tedashi(case: Case) -> int:
    """Discards from the hand."""
    return len(case.turns)


def tsumogiri_streak(case: Case) -> int:
    """Tsumogiri since the last tedashi."""
    return len(case.kinds) - 1 - case.turns[-1] if case.turns else len(case.kinds)


def last_four(case: Case) -> int:
    """The last four discards as bits, tedashi 1, the latest lowest; above 15 there are fewer."""
    made = len(case.kinds)
    bits = sum(1 << made - 1 - turn for turn in case.turns[-4:] if turn >= made - 4)
    return bits + 16 * max(4 - made, 0)


def tedashi_of_six(case: Case) -> int:
    """Tedashi among the last six discards."""
    return len(case.turns) - bisect_left(case.turns, len(case.kinds) - 6)


def since_tedashi_before(case: Case) -> int:
    """Discards since the tedashi before the last."""
    return len(case.kinds) - 1 - case.turns[-2] if len(case.turns) > 1 else NONE


def since_tedashi_third_last(case: Case) -> int:
    """Discards since the tedashi before that."""
    return len(case.kinds) - 1 - case.turns[-3] if len(case.turns) > 2 else NONE


# The river


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
    return case.classes[1] if len(case.classes) > 1 else _NOTHING_DISCARDED


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
    return sum(case.unseen[kind] >= _LIVE for kind in late)


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
    return sum(case.unseen[kind] >= _LIVE and not case.own >> kind & 1 for kind in _HONOURS)


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


# The last discards


def last_discard(case: Case) -> int:
    """Class of the last discard (`RANK_CLASS`); 5 before the first."""
    return case.classes[-1] if case.classes else _NOTHING_DISCARDED


def last_discard_seen(case: Case) -> int:
    """Copies of its kind that the asking seat sees, 0–4."""
    return 4 - case.unseen[case.kinds[-1]] if case.kinds else 0


def tsumogiri_middles_since(case: Case) -> int:
    """Tsumogiri of 3 to 7 since the last tedashi."""
    since = case.classes[case.turns[-1] + 1 :] if case.turns else case.classes
    return since.count(3) + since.count(4)


def last_tedashi_is_dora(case: Case) -> int:
    """0/1, the last tedashi was a dora or a red five."""
    if not case.turns:
        return 0
    tile = case.seat.river[case.turns[-1]].tile
    return int(tile in case.reds or tile >> 2 in case.dora)


def last_tedashi_seen(case: Case) -> int:
    """Copies of the last tedashi's kind that the asking seat sees, 0–4."""
    return 4 - case.unseen[case.tedashi[-1]] if case.turns else 0


def last_tedashi_around(case: Case) -> int:
    """0–16 copies unseen of the kinds within two ranks of the last tedashi; -1 of an honour."""
    around = _AROUND[case.tedashi[-1]] if case.turns else ()
    return sum(map(case.unseen.__getitem__, around)) if around else NONE


def last_tedashi_again(case: Case) -> int:
    """0/1, its kind had been discarded before."""
    return int(bool(case.turns) and case.tedashi[-1] in case.kinds[: case.turns[-1]])


def last_tedashi_beside(case: Case) -> int:
    """Ranks to the nearest discard of its suit before it, at most 5; 6 for an honour."""
    if not case.turns or IS_HONOUR[case.tedashi[-1]]:
        return 6
    last, turn = case.tedashi[-1], case.turns[-1]
    before = zip(case.kinds[:turn], case.suits[:turn], strict=True)
    return min([5, *(abs(kind - last) for kind, suit in before if suit == SUIT[last])])


def last_tedashi_neighbours(case: Case) -> int:
    """0–6 kinds within three ranks of the last tedashi that it has discarded; 7 for an honour."""
    if not case.turns or IS_HONOUR[case.tedashi[-1]]:
        return 7
    return (case.own & _WITHIN_THREE[case.tedashi[-1]]).bit_count()


def last_tedashi_passed(case: Case) -> int:
    """How many of its kind others had discarded before it."""
    if not case.turns:
        return 0
    last = case.seat.river[case.turns[-1]]
    others = (seat.river for seat in case.view.seats if seat is not case.seat)
    return sum(d.order < last.order and d.tile >> 2 == last.tile >> 2 for r in others for d in r)


def last_tedashi_of_suit(case: Case) -> int:
    """Discards from the tedashi of its suit before the last tedashi to that; 20 without one."""
    if not case.turns:
        return NONE
    suits = [case.suits[turn] for turn in case.turns]
    same = [turn for turn, suit in zip(case.turns, suits, strict=True) if suit == suits[-1]]
    return same[-1] - same[-2] if len(same) > 1 else 20


def last_two_tedashi(case: Case) -> int:
    """1–3 for kinds of a suit 0–2 ranks apart, 4 further, 1 for one honour twice, else 0."""
    if len(case.tedashi) < 2:
        return 0
    before, last = case.tedashi[-2:]
    if SUIT[before] != SUIT[last] or IS_HONOUR[last]:
        return int(before == last)
    return min(abs(before - last), 3) + 1


def tedashi_before(case: Case) -> int:
    """Class of the tedashi before the last; 5 where there is none."""
    return case.tedashi_classes[-2] if len(case.turns) > 1 else _NOTHING_DISCARDED


def tedashi_third_last(case: Case) -> int:
    """Class of the tedashi before that; 5 where there is none."""
    return case.tedashi_classes[-3] if len(case.turns) > 2 else _NOTHING_DISCARDED


# Against another player's riichi


def tedashi_after_riichi(case: Case) -> int:
    """Tedashi while another was in riichi (table 1)."""
    return reading.tedashi_after_riichi(case.seat)


def pushes(case: Case) -> int:
    """Discards that another riichi might have won on."""
    return sum(danger > GENBUTSU for danger, _ in case.faced or ())


def pushes_without_suji(case: Case) -> int:
    """Those of the pushes that were of a suit and not suji."""
    return sum(danger >= HALF_SUJI for danger, _ in case.faced or ())


def tedashi_without_suji(case: Case) -> int:
    """Those of them that were tedashi."""
    return sum(danger >= HALF_SUJI and tedashi for danger, tedashi in case.faced or ())


def last_faced(case: Case) -> int:
    """0–6, what the last discard was to a riichi (`GENBUTSU` and so on)."""
    return _back(case, 1)


def last_faced_but_one(case: Case) -> int:
    """0–6, what the discard before the last was to a riichi."""
    return _back(case, 2)


def riichi_faced(case: Case) -> int:
    """0–3 others in riichi at the last discard."""
    return case.seat.river[-1].others_in_riichi if case.kinds else 0


def _back(case: Case, many: int) -> int:
    if case.faced is None:
        return NO_RIICHI
    return case.faced[-many][0] if len(case.faced) >= many else NOT_YET


# Calls


def chis(case: Case) -> int:
    """Chi."""
    return sum(not _same(meld) for meld in case.seat.melds)


def two_sided_chis(case: Case) -> int:
    """Chi of a tile that a two-sided shape took."""
    return sum(not _same(meld) and _two_sided(meld) for meld in case.seat.melds)


def simple_sets(case: Case) -> int:
    """Pon and kan of 2 to 8, closed kans too."""
    return sum(_same(meld) and not IS_YAOCHU[meld.tiles[0] >> 2] for meld in case.seat.melds)


def open_yaku(case: Case) -> int:
    """0 no set, 1 yakuhai, else 2, +1 tanyao, +2 one suit, +4 all triplets possible."""
    melds = case.seat.melds
    if not melds:
        return 0
    if any(meld.tiles[0] >> 2 in case.yakuhai for meld in melds):
        return 1
    tanyao = not any(IS_YAOCHU[tile >> 2] for meld in melds for tile in meld.tiles)
    return 2 + tanyao + 2 * (len(reading.meld_suits(melds)) < 2) + 4 * all(map(_same, melds))


def first_call(case: Case) -> int:
    """Discards before the first call."""
    return case.calls[0] if case.calls else NONE


def since_call(case: Case) -> int:
    """Discards since the last call."""
    return len(case.kinds) - case.calls[-1] if case.calls else NONE


def since_call_before(case: Case) -> int:
    """Discards since the call before the last."""
    return len(case.kinds) - case.calls[-2] if len(case.calls) > 1 else NONE


def tedashi_since_call(case: Case) -> int:
    """Tedashi since the last call, the discard after it included."""
    if not case.calls:
        return NONE
    return len(case.turns) - bisect_left(case.turns, case.calls[-1])


def middles_since_call(case: Case) -> int:
    """Those of them of 3 to 7."""
    if not case.calls:
        return NONE
    since = case.tedashi_classes[bisect_left(case.turns, case.calls[-1]) :]
    return since.count(3) + since.count(4)


def after_call(case: Case) -> int:
    """Class of the discard after the last call; 5 without one."""
    called = bool(case.calls) and case.calls[-1] < len(case.kinds)
    return case.classes[case.calls[-1]] if called else _NOTHING_DISCARDED


def _same(meld: Meld) -> bool:
    return meld.tiles[0] >> 2 == meld.tiles[-1] >> 2


def _two_sided(meld: Meld) -> bool:
    low, called = meld.tiles[0] >> 2, (meld.called or 0) >> 2
    return (called == low and low % 9 < 6) or (called == low + 2 and low % 9 > 0)


# The game


def dealer(case: Case) -> int:
    """0/1."""
    return int(case.seat.seat == case.view.dealer)


def rank(case: Case) -> int:
    """0–3, how many players have more points."""
    own = case.view.scores[case.seat.seat]
    return sum(score > own for score in case.view.scores)


def lead(case: Case) -> int:
    """Hundreds of points before the best of the others; negative behind."""
    scores = list(case.view.scores)
    own = scores.pop(case.seat.seat)
    return (own - max(scores)) // 100


def points(case: Case) -> int:
    """Hundreds of points."""
    return case.view.scores[case.seat.seat] // 100


def cannot_riichi(case: Case) -> int:
    """0/1, fewer than 1,000 points or four tiles in the wall."""
    short = case.view.scores[case.seat.seat] < _DEPOSIT
    return int(short or case.view.tiles_left < _LAST_DRAW)


def rounds_left(case: Case) -> int:
    """Rounds before the last that is sure to be played: 0 in South 4, or East 4 of a tonpuu."""
    return (7 if case.view.rules.hanchan else 3) - case.view.round


def others_melds(case: Case) -> int:
    """Open melds of the three others."""
    return sum(o.open_melds for o in case.view.seats if o.melds and o is not case.seat)


def unseen_middles(case: Case) -> int:
    """Copies of 3 to 7 that the asking seat does not see."""
    return case.unseen_middles


def live_yakuhai(case: Case) -> int:
    """0–5 kinds of yakuhai with two copies unseen or more."""
    return sum(case.unseen[kind] >= _LIVE for kind in case.yakuhai)


@dataclass(frozen=True, slots=True)
class Sign:
    """One number: its name, its unit or range, and how it is read."""

    name: str
    unit: str
    read: Callable[[Case], int]


def _sign(read: Callable[[Case], int]) -> Sign:
    unit = (read.__doc__ or "").splitlines()[0].rstrip(".")
    return Sign(read.__name__, unit, read)


SECTIONS: dict[str, tuple[Callable[[Case], int], ...]] = {
    "its pace": (
        discards,
        tiles_left,
        tedashi,
        tsumogiri_streak,
        last_four,
        tedashi_of_six,
        since_tedashi_before,
        since_tedashi_third_last,
    ),
    "its river": (
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
    ),
    "its last discards": (
        last_discard,
        last_discard_seen,
        tsumogiri_middles_since,
        last_tedashi_is_dora,
        last_tedashi_seen,
        last_tedashi_around,
        last_tedashi_again,
        last_tedashi_beside,
        last_tedashi_neighbours,
        last_tedashi_passed,
        last_tedashi_of_suit,
        last_two_tedashi,
        tedashi_before,
        tedashi_third_last,
    ),
    "pushing and folding": (
        tedashi_after_riichi,
        pushes,
        pushes_without_suji,
        tedashi_without_suji,
        last_faced,
        last_faced_but_one,
        riichi_faced,
    ),
    "its melds": (
        chis,
        two_sided_chis,
        simple_sets,
        open_yaku,
        first_call,
        since_call,
        since_call_before,
        tedashi_since_call,
        middles_since_call,
        after_call,
    ),
    "the game": (
        dealer,
        rank,
        lead,
        points,
        cannot_riichi,
        rounds_left,
        others_melds,
        unseen_middles,
        live_yakuhai,
    ),
}
"""What the signs tell of, in words, and the signs."""

SIGNS = tuple(_sign(read) for signs in SECTIONS.values() for read in signs)
"""Every sign, in the order of the parameter file's columns."""


def read(case: Case) -> list[int]:
    """All signs of an opponent, in the order of `SIGNS`."""
    return [sign.read(case) for sign in SIGNS]
