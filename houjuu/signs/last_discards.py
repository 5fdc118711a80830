"""The last discards, those from the hand above all."""

from __future__ import annotations

from houjuu.cases import Case
from houjuu.signs.values import NONE, NOTHING_DISCARDED
from houjuu.tiles import IS_HONOUR, KINDS, SUIT

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


def last_discard(case: Case) -> int:
    """Class of the last discard (`RANK_CLASS`); 5 before the first."""
    return case.classes[-1] if case.classes else NOTHING_DISCARDED


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
    return case.tedashi_classes[-2] if len(case.turns) > 1 else NOTHING_DISCARDED


def tedashi_third_last(case: Case) -> int:
    """Class of the tedashi before that; 5 where there is none."""
    return case.tedashi_classes[-3] if len(case.turns) > 2 else NOTHING_DISCARDED


SIGNS = (
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
)
