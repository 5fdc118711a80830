"""What an opponent shows beyond table 1 of Kurita & Hoki 2017: the numbers of the model "houjuu".

Each is a plain function of a view and of one of its opponents, and an entry of `SIGNS`, which gives
it a name and a unit. Nothing here is more than the asking seat sees.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from houjuu import reading
from houjuu.events import Meld
from houjuu.table import RiverTile, Seat, View
from houjuu.tiles import HAKU, HONOURS, IS_HONOUR, IS_YAOCHU, RED_FIVES, SUIT

Ints = npt.NDArray[np.int64]

NONE = -1
"""What a sign says where there is nothing to count from: no call, no tedashi."""

_BY_RANK = (1, 2, 3, 4, 4, 4, 3, 2, 1)
_NOTHING_DISCARDED = 5


def rank_class(kind: int) -> int:
    """0 for honours, 1 for 1 and 9, 2 for 2 and 8, 3 for 3 and 7, 4 for 4 to 6."""
    return 0 if IS_HONOUR[kind] else _BY_RANK[kind % 9]


# Pace: how fast a hand changes


def tsumogiri_streak(view: View, seat: Seat) -> int:
    """Tsumogiri since the last tedashi."""
    streak = 0
    for discard in reversed(seat.river):
        if not discard.tsumogiri:
            break
        streak += 1
    return streak


def last_four(view: View, seat: Seat) -> int:
    """The last four discards as bits, tedashi 1, the latest lowest; above 15 there are fewer."""
    bits = 0
    for discard in seat.river[-4:]:
        bits = 2 * bits + (not discard.tsumogiri)
    return bits + 16 * (4 - min(len(seat.river), 4))


# Pushing against another player's riichi


def pushes(view: View, seat: Seat) -> int:
    """Discards that another riichi might have won on."""
    return sum(danger > 0 for danger in _dangers(view, seat))


def pushes_without_suji(view: View, seat: Seat) -> int:
    """Those of the pushes that were of a suit and not suji."""
    return sum(danger == 2 for danger in _dangers(view, seat))


def folds(view: View, seat: Seat) -> int:
    """Discards of another riichi's genbutsu, for each riichi."""
    return sum(danger == 0 for danger in _dangers(view, seat))


def _dangers(view: View, seat: Seat) -> list[int]:
    """For each other riichi and discard since: 0 genbutsu, 1 not so, 2 nor suji."""
    found = []
    for other in view.seats:
        turn = other.riichi_turn
        if other is not seat and other.in_riichi and turn is not None:
            found += _against(view, other, other.river[turn].order, seat)
    return found


def _against(view: View, riichi: Seat, declared: int, seat: Seat) -> list[int]:
    passed = sorted((d.order, d.tile >> 2) for s in view.seats for d in s.river)
    furiten, found = 0, []
    own = {discard.order for discard in seat.river}
    theirs = {discard.order for discard in riichi.river}
    for order, kind in passed:
        if order > declared and order in own:
            dead = reading.dead_suji(kind, furiten) == reading.suji_through(kind)
            found.append(0 if furiten >> kind & 1 else 1 if dead else 2)
        if order > declared or order in theirs:
            furiten |= 1 << kind
    return found


# Calls


def chis(view: View, seat: Seat) -> int:
    """Chi."""
    return sum(not _same(meld) for meld in seat.melds)


def same_kind_sets(view: View, seat: Seat) -> int:
    """Pon and kan, closed ones too."""
    return sum(_same(meld) for meld in seat.melds)


def yakuhai_shown(view: View, seat: Seat) -> int:
    """Han of yakuhai on the table."""
    winds = (view.round_wind, view.seat_wind(seat.seat))
    kinds = [meld.tiles[0] >> 2 for meld in seat.melds]
    return sum((kind >= HAKU) + winds.count(kind) for kind in kinds)


def dora_shown(view: View, seat: Seat) -> int:
    """Dora and red fives on the table."""
    tiles = [tile for meld in seat.melds for tile in meld.tiles]
    reds = sum(tile in RED_FIVES for tile in tiles) if view.rules.red_fives else 0
    return reds + sum(view.dora.count(tile >> 2) for tile in tiles)


def yaochu_sets(view: View, seat: Seat) -> int:
    """Sets on the table with a terminal or an honour."""
    return sum(any(IS_YAOCHU[tile >> 2] for tile in meld.tiles) for meld in seat.melds)


def first_call(view: View, seat: Seat) -> int:
    """Discards before the first call."""
    return min(_calls(view, seat), default=NONE)


def since_call(view: View, seat: Seat) -> int:
    """Discards since the last call."""
    calls = _calls(view, seat)
    return len(seat.river) - max(calls) if calls else NONE


def tedashi_since_call(view: View, seat: Seat) -> int:
    """Tedashi since the last call, the discard after it included."""
    calls = _calls(view, seat)
    return sum(not discard.tsumogiri for discard in seat.river[max(calls) :]) if calls else NONE


def _same(meld: Meld) -> bool:
    return meld.tiles[0] >> 2 == meld.tiles[-1] >> 2


def _calls(view: View, seat: Seat) -> list[int]:
    """How many discards the seat had made when it made each call."""
    taken = {
        discard.tile: discard.order
        for other in view.seats
        for discard in other.river
        if discard.called_by == seat.seat
    }
    orders = [taken[meld.called] for meld in seat.melds if meld.called in taken]
    return [sum(discard.order < order for discard in seat.river) for order in orders]


# The last tedashi


def last_tedashi(view: View, seat: Seat) -> int:
    """Class of the last tedashi (`rank_class`); 5 before the first."""
    last = _tedashi(seat)
    return rank_class(last[-1].kind) if last else _NOTHING_DISCARDED


def last_tedashi_is_dora(view: View, seat: Seat) -> int:
    """0/1, the last tedashi was a dora or a red five."""
    last = _tedashi(seat)
    return int(bool(last) and _is_dora(view, last[-1]))


def last_tedashi_in_melds_suit(view: View, seat: Seat) -> int:
    """0/1, the last tedashi was of a suit that the melds have."""
    last = _tedashi(seat)
    return int(bool(last) and SUIT[last[-1].kind] in _suits(seat))


def last_tedashi_near_meld(view: View, seat: Seat) -> int:
    """0/1, it lay within three ranks of the lowest tile of a meld."""
    last = _tedashi(seat)
    if not last or IS_HONOUR[last[-1].kind]:
        return 0
    kind = last[-1].kind
    lows = [meld.tiles[0] >> 2 for meld in seat.melds]
    return int(any(SUIT[low] == SUIT[kind] and abs(low - kind) <= 3 for low in lows))


def last_tedashi_seen(view: View, seat: Seat) -> int:
    """Copies of the last tedashi's kind that the asking seat sees, 0–4."""
    last = _tedashi(seat)
    return 4 - int(view.unseen()[last[-1].kind]) if last else 0


def tedashi_before(view: View, seat: Seat) -> int:
    """Class of the tedashi before the last; 5 where there is none."""
    last = _tedashi(seat)
    return rank_class(last[-2].kind) if len(last) > 1 else _NOTHING_DISCARDED


def since_tedashi_before(view: View, seat: Seat) -> int:
    """Discards since the tedashi before the last."""
    last = _tedashi(seat)
    if len(last) < 2:
        return NONE
    return sum(discard.order > last[-2].order for discard in seat.river)


def _tedashi(seat: Seat) -> list[RiverTile]:
    return [discard for discard in seat.river if not discard.tsumogiri]


def _is_dora(view: View, discard: RiverTile) -> bool:
    red = view.rules.red_fives and discard.tile in RED_FIVES
    return red or discard.kind in view.dora


def _suits(seat: Seat) -> set[int]:
    return {SUIT[meld.tiles[0] >> 2] for meld in seat.melds}


# The river


def middles(view: View, seat: Seat) -> int:
    """Discards of 4 to 6."""
    return sum(rank_class(discard.kind) == 4 for discard in seat.river)


def thirds(view: View, seat: Seat) -> int:
    """Discards of 3 and 7."""
    return sum(rank_class(discard.kind) == 3 for discard in seat.river)


def early_middles(view: View, seat: Seat) -> int:
    """Discards of 3 to 7 among the first five."""
    return sum(rank_class(discard.kind) >= 3 for discard in seat.river[:5])


def late_middles(view: View, seat: Seat) -> int:
    """Tedashi of 3 to 7 among the last six discards."""
    last = seat.river[-6:]
    return sum(not d.tsumogiri and rank_class(d.kind) >= 3 for d in last)


def dora_discarded(view: View, seat: Seat) -> int:
    """Dora and red fives discarded."""
    return sum(_is_dora(view, discard) for discard in seat.river)


def scarcest_suit(view: View, seat: Seat) -> int:
    """Discards of the suit with the fewest."""
    return min(_by_suit(seat))


def melds_suit(view: View, seat: Seat) -> int:
    """Discards of the suits of the melds; without any, of the suit with the fewest."""
    by_suit, suits = _by_suit(seat), _suits(seat) - {HONOURS}
    return sum(by_suit[suit] for suit in suits) if suits else min(by_suit)


def run_to_colour(view: View, seat: Seat) -> int:
    """The longest run off a suit and honours where the last tedashi was of them (table 1)."""
    suits = range(HONOURS)
    runs = [s for s in suits if reading.last_tedashi_in_colour(seat, s)]
    return max((reading.off_suit_run(seat, suit) for suit in runs), default=0)


def _by_suit(seat: Seat) -> list[int]:
    suits = [SUIT[discard.kind] for discard in seat.river]
    return [suits.count(suit) for suit in range(HONOURS)]


# The game


def rank(view: View, seat: Seat) -> int:
    """0–3, how many players have more points."""
    return sum(score > view.scores[seat.seat] for score in view.scores)


def lead(view: View, seat: Seat) -> int:
    """Hundreds of points before the best of the others; negative behind."""
    best = max(score for who, score in enumerate(view.scores) if who != seat.seat)
    return (view.scores[seat.seat] - best) // 100


def others_in_riichi(view: View, seat: Seat) -> int:
    """0–3."""
    return sum(other.in_riichi for other in view.seats if other is not seat)


def others_melds(view: View, seat: Seat) -> int:
    """Open melds of the three others."""
    return sum(other.open_melds for other in view.seats if other is not seat)


@dataclass(frozen=True, slots=True)
class Sign:
    """One number: its name, its unit or range, and how it is read."""

    name: str
    unit: str
    read: Callable[[View, Seat], int]


def _sign(read: Callable[[View, Seat], int]) -> Sign:
    unit = (read.__doc__ or "").splitlines()[0].rstrip(".")
    return Sign(read.__name__, unit, read)


SIGNS: tuple[Sign, ...] = (
    Sign("discards", "discards of the opponent", lambda view, seat: len(seat.river)),
    Sign("tiles_left", "0–69 tiles in the wall", lambda view, seat: view.tiles_left),
    Sign("tedashi", "discards from the hand", lambda view, seat: reading.tedashi(seat)),
    Sign(
        "tedashi_after_riichi",
        "those while another was in riichi",
        lambda view, seat: reading.tedashi_after_riichi(seat),
    ),
    Sign("yaochu_kinds", "0–13", lambda view, seat: reading.yaochu_kinds(seat)),
    Sign("simple_kinds", "0–21", lambda view, seat: reading.simple_kinds(seat)),
    Sign("dealer", "0/1", lambda view, seat: int(seat.seat == view.dealer)),
    Sign("kyoku", "0 for East 1 …", lambda view, seat: view.round),
    *map(
        _sign,
        (
            tsumogiri_streak,
            last_four,
            pushes,
            pushes_without_suji,
            folds,
            others_in_riichi,
            chis,
            same_kind_sets,
            yakuhai_shown,
            dora_shown,
            yaochu_sets,
            first_call,
            since_call,
            tedashi_since_call,
            last_tedashi,
            last_tedashi_is_dora,
            last_tedashi_in_melds_suit,
            last_tedashi_near_meld,
            last_tedashi_seen,
            tedashi_before,
            since_tedashi_before,
            middles,
            thirds,
            early_middles,
            late_middles,
            dora_discarded,
            scarcest_suit,
            melds_suit,
            run_to_colour,
            rank,
            lead,
            others_melds,
        ),
    ),
)
"""Every sign, in the order of the parameter file's columns."""


def read(view: View, seat: Seat) -> list[int]:
    """All signs of an opponent, in the order of `SIGNS`."""
    return [sign.read(view, seat) for sign in SIGNS]
