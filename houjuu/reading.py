"""What an opponent's river and melds say, one number a function.

Kurita & Hoki 2017 is 栗田・保木「麻雀における他家の手牌と待ちの予測に基づく放銃確率推定」:
its table 1 lists the features of the tenpai regressions (types 1, 2 and 3), its section 5.3 the
suji count and the order of discards that tell a riichi's wait. A river holds the called tiles too;
a suit is 0–2.
"""

from __future__ import annotations

from collections.abc import Iterable

from houjuu.events import Meld
from houjuu.table import RiverTile, Seat
from houjuu.tiles import HONOURS, IS_HONOUR, IS_YAOCHU, KINDS, RED_FIVES, SUIT

SUJI = tuple((9 * suit + low, 9 * suit + low + 3) for suit in range(3) for low in range(6))
"""The 18 two-sided waits (筋), as the two kinds that each wins on: 1-4, 2-5 … 6-9 of each suit."""

SEVERAL = 3
"""The colour of a hand that is not within one suit and honours (複数色); 0–2 are the suits."""

_LOWS = sum(1 << low for low, _ in SUJI)
_OTHER_ENDS = tuple(
    sum(1 << low + high - kind for low, high in SUJI if kind in (low, high))
    for kind in range(KINDS)
)
_YAOCHU = sum(IS_YAOCHU[kind] << kind for kind in range(KINDS))


# Table 1, type 1: does the whole hand stay in a suit and honours?


def longest_run_off(suits: Iterable[int], suit: int) -> tuple[int, int]:
    """Start and length of the first of the longest runs of the other two suits among suits."""
    best_start = best_length = length = 0
    for index, of in enumerate(suits):
        length = 0 if of in (suit, HONOURS) else length + 1
        if length > best_length:
            best_start, best_length = index - length + 1, length
    return best_start, best_length


def _off_suit_run(seat: Seat, suit: int) -> tuple[int, int]:
    return longest_run_off([SUIT[discard.tile >> 2] for discard in seat.river], suit)


def off_suit_run(seat: Seat, suit: int) -> int:
    """How many discards the longest run has that are neither of the suit nor honours.

    Kurita & Hoki 2017, table 1, type 1, second row.
    """
    return _off_suit_run(seat, suit)[1]


def last_tedashi_in_colour(seat: Seat, suit: int) -> bool:
    """Whether the last tedashi was of the suit or an honour; False before the first.

    Kurita & Hoki 2017, table 1, type 1, the flag of the third row.
    """
    for discard in reversed(seat.river):
        if not discard.tsumogiri:
            return SUIT[discard.tile >> 2] in (suit, HONOURS)
    return False


def honour_before_run(seat: Seat, suit: int) -> bool:
    """Whether an honour was discarded before the run of `off_suit_run` began.

    Kurita & Hoki 2017, table 1, type 1, fourth row; of several longest runs the first counts.
    """
    start, _ = _off_suit_run(seat, suit)
    return any(IS_HONOUR[discard.tile >> 2] for discard in seat.river[:start])


def suit_before_run(seat: Seat, suit: int) -> bool:
    """Whether the suit was discarded before the run of `off_suit_run` began.

    Kurita & Hoki 2017, table 1, type 1, fifth row; of several longest runs the first counts.
    """
    start, _ = _off_suit_run(seat, suit)
    return any(SUIT[discard.tile >> 2] == suit for discard in seat.river[:start])


# Table 1, type 2: tenpai, given the suit


def kinds_of_suit(seat: Seat, suit: int) -> int:
    """How many kinds of a suit (3: of honours) were discarded, 0–9.

    Kurita & Hoki 2017, table 1, type 2, second row (honours) and third row (the suit).
    """
    return len({d.tile >> 2 for d in seat.river if SUIT[d.tile >> 2] == suit})


# Table 1, type 3: tenpai, given a hand of several colours


def tedashi(seat: Seat) -> int:
    """How many discards came from the hand.

    Kurita & Hoki 2017, table 1, type 3, second row.
    """
    return sum(not discard.tsumogiri for discard in seat.river)


def tedashi_after_riichi(seat: Seat) -> int:
    """How many discards came from the hand while another player was in riichi.

    Kurita & Hoki 2017, table 1, type 3, third row.
    """
    return sum(not d.tsumogiri and d.others_in_riichi > 0 for d in seat.river)


def yaochu_kinds(discarded: int) -> int:
    """How many kinds of terminals and honours were discarded, 0–13.

    `discarded` are the kinds (bit h for kind h) of a river, `houjuu.table.river_kinds`. Kurita &
    Hoki 2017, table 1, type 3, fourth row.
    """
    return (discarded & _YAOCHU).bit_count()


def simple_kinds(discarded: int) -> int:
    """How many kinds of simples, 2–8 of the suits, were discarded, 0–21.

    `discarded` as in `yaochu_kinds`. Kurita & Hoki 2017, table 1, type 3, fifth row.
    """
    return (discarded & ~_YAOCHU).bit_count()


# What the melds allow


def meld_suits(melds: Iterable[Meld]) -> set[int]:
    """The suits 0–2 of sets on the table; honours are of none."""
    return {SUIT[meld.tiles[0] >> 2] for meld in melds} - {HONOURS}


def allowed_colours(seat: Seat) -> tuple[int, ...]:
    """Colours that the whole hand may have for all that the melds show, in ascending order.

    The suits 0–2 whose hand (that suit and honours alone) the melds do not rule out, and
    `SEVERAL`, which nothing rules out. Kurita & Hoki 2017, section 4, footnote 1.
    """
    shown = meld_suits(seat.melds)
    if not shown:
        return (0, 1, 2, SEVERAL)
    return (*shown, SEVERAL) if len(shown) == 1 else (SEVERAL,)


# Section 5.3: suji, and the order of discards


def live_suji(furiten: int) -> int:
    """How many of the 18 suji a seat can still win on, 0–18.

    `furiten` are the kinds (bit h for kind h) it cannot win on, `View.furiten`; a suji is dead
    when either end is among them. Kurita & Hoki 2017, equation 26, the l of a state.
    """
    return (_LOWS & ~(furiten | furiten >> 3)).bit_count()


def dead_suji(kind: int, furiten: int) -> int:
    """How many of the suji through a kind are dead by furiten: 0–2, 0 for honours.

    With `suji_through`, this tells no suji (無筋), half suji (片筋) and suji (筋) apart.
    """
    ends = _OTHER_ENDS[kind]
    return (ends if furiten >> kind & 1 else ends & furiten).bit_count()


def suji_through(kind: int) -> int:
    """How many suji a kind is an end of: 2 for 4, 5, 6, else 1, 0 for honours."""
    return _OTHER_ENDS[kind].bit_count()


def before_riichi(seat: Seat) -> tuple[RiverTile, ...]:
    """The discards before the one that declared riichi; all of them without riichi."""
    turn = seat.riichi_turn
    return seat.river if turn is None else seat.river[:turn]


def red_five_discarded(seat: Seat, suit: int) -> bool:
    """Whether the red five of a suit was discarded before riichi.

    Kurita & Hoki 2017, section 5.3, the first condition y of equation 33.
    """
    return any(discard.tile == RED_FIVES[suit] for discard in before_riichi(seat))


def kinds_before_riichi(seat: Seat) -> int:
    """Kinds (bit h for kind h) discarded before riichi.

    Kurita & Hoki 2017, section 5.3, the second conditions y of equation 33.
    """
    mask = 0
    for discard in before_riichi(seat):
        mask |= 1 << (discard.tile >> 2)
    return mask


def kinds_then_honour(seat: Seat) -> int:
    """Kinds (bit h for kind h) discarded and then, still before riichi, an honour from the hand.

    Kurita & Hoki 2017, section 5.3, the third conditions y of equation 33.
    """
    mask = before_last = 0
    for discard in before_riichi(seat):
        if IS_HONOUR[discard.tile >> 2] and not discard.tsumogiri:
            before_last = mask
        mask |= 1 << (discard.tile >> 2)
    return before_last


def kind_discarded(seat: Seat, kind: int) -> bool:
    """Whether a kind is among `kinds_before_riichi`."""
    return bool(kinds_before_riichi(seat) >> kind & 1)


def kind_then_honour(seat: Seat, kind: int) -> bool:
    """Whether a kind is among `kinds_then_honour`."""
    return bool(kinds_then_honour(seat) >> kind & 1)
