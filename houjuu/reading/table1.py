"""The features of Kurita & Hoki 2017, one function a number.

栗田・保木「麻雀における他家の手牌と待ちの予測に基づく放銃確率推定」: table 1 lists the features of
the tenpai regressions (types 1, 2 and 3); section 5.3 uses the order of discards before riichi. A
river includes the called tiles. A suit is 0–2. A mask has bit h for kind h.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from houjuu.game.seat import SEATS_CACHED
from houjuu.game.table import RiverTile, Seat, river_mask
from houjuu.game.tiles import HONOURS, IS_HONOUR, KIND, RANKS, RED_FIVES, SUIT, SUIT_LETTERS, YAOCHU
from houjuu.hands.open_yaku import flush_suits
from houjuu.util.arrays import Bools, Floats, Ints

SEVERAL = 3
"""The colour of a hand that is not within one suit and honours (複数色); 0–2 are the suits."""

_YAOCHU = sum(1 << kind for kind in YAOCHU)
_ONE_SUIT = (1 << RANKS) - 1
_OFF_SUIT = tuple(
    b"".join(b"%d" % (suit not in (own, HONOURS)) for suit in range(256)) for own in range(HONOURS)
)


# Table 1, type 1: does the whole hand stay in a suit and honours?


def off_suit_run(suits: Iterable[int], suit: int) -> tuple[int, int]:
    """Start and length of the longest run of discards that are neither of a suit nor honours.

    Of several longest runs the first counts. Kurita & Hoki 2017, table 1, type 1, second row.

    >>> off_suit_run([0, 1, 2, 0, 1], 0)
    (1, 2)
    """
    off_suit = bytes(suits).translate(_OFF_SUIT[suit])
    longest = max(off_suit.split(b"0"))
    return off_suit.find(longest), len(longest)


def last_tedashi_in_colour(seat: Seat, suit: int) -> bool:
    """Whether the last tedashi was of the suit or an honour; False before the first.

    Kurita & Hoki 2017, table 1, type 1, the flag of the third row.
    """
    for discard in reversed(seat.river):
        if not discard.tsumogiri:
            return SUIT[KIND[discard.tile]] in (suit, HONOURS)
    return False


# Table 1, type 2: tenpai, given the suit


def kinds_of_suit(seat: Seat, suit: int) -> int:
    """Number of kinds of a suit (3: of honours) that were discarded, 0–9.

    Kurita & Hoki 2017, table 1, type 2, second row (honours) and third row (the suit).
    """
    return (river_mask(seat) >> RANKS * suit & _ONE_SUIT).bit_count()


# Table 1, type 3: tenpai, given a hand of several colours


def tedashi(seat: Seat) -> int:
    """Number of discards from the hand.

    Kurita & Hoki 2017, table 1, type 3, second row.
    """
    return sum([not discard.tsumogiri for discard in seat.river])


def tedashi_after_riichi(seat: Seat) -> int:
    """Number of discards from the hand while another player was in riichi.

    Kurita & Hoki 2017, table 1, type 3, third row.
    """
    return sum([not d.tsumogiri and d.others_in_riichi > 0 for d in seat.river])


def yaochu_kinds(discarded: int) -> int:
    """Number of kinds of terminals and honours in a mask of discarded kinds, 0–13.

    Kurita & Hoki 2017, table 1, type 3, fourth row.
    """
    return (discarded & _YAOCHU).bit_count()


def simple_kinds(discarded: int) -> int:
    """Number of kinds of simples, 2–8 of the suits, in a mask of discarded kinds, 0–21.

    Kurita & Hoki 2017, table 1, type 3, fifth row.
    """
    return (discarded & ~_YAOCHU).bit_count()


# The colours and forms that the melds allow


def allowed_colours(seat: Seat) -> tuple[int, ...]:
    """Colours that the melds leave possible for the whole hand, in ascending order.

    A suit 0–2 stands for a hand of that suit and honours alone. `SEVERAL` is always
    possible. Kurita & Hoki 2017, section 4, footnote 1.
    """
    return (*flush_suits(seat.melds), SEVERAL)


# Section 5.3: the order of discards


def discards_before_riichi(seat: Seat) -> tuple[RiverTile, ...]:
    """Discards before the riichi tile, this excluded; all of them without riichi."""
    turn = seat.riichi_turn
    return seat.river if turn is None else seat.river[:turn]


def red_five_discarded(seat: Seat, suit: int) -> bool:
    """Whether the red five of a suit was discarded before riichi.

    Kurita & Hoki 2017, section 5.3, the first condition y of equation 33.
    """
    return any(discard.tile == RED_FIVES[suit] for discard in discards_before_riichi(seat))


def kinds_before_riichi(seat: Seat) -> int:
    """Mask of the kinds discarded before riichi.

    Kurita & Hoki 2017, section 5.3, the second conditions y of equation 33.
    """
    mask = 0
    for discard in discards_before_riichi(seat):
        mask |= 1 << KIND[discard.tile]
    return mask


def kinds_then_honour(seat: Seat) -> int:
    """Mask of the kinds discarded before riichi and followed, before riichi, by a tedashi honour.

    Kurita & Hoki 2017, section 5.3, the third conditions y of equation 33.
    """
    mask = before_last = 0
    for discard in discards_before_riichi(seat):
        if IS_HONOUR[KIND[discard.tile]] and not discard.tsumogiri:
            before_last = mask
        mask |= 1 << KIND[discard.tile]
    return before_last


# The three types as arrays

TYPE1 = {
    suit: (f"run_{suit}", f"run_last_{suit}", f"honour_before_{suit}", f"suit_before_{suit}")
    for suit in SUIT_LETTERS[:HONOURS]
}
TYPE2 = {suit: (f"honours_{suit}", f"kinds_{suit}") for suit in SUIT_LETTERS[:HONOURS]}
TYPE3 = ("tedashi", "tedashi_after_riichi", "yaochu_kinds", "simple_kinds")
"""Column names of the features of each type, by suit where there is one."""


@lru_cache(maxsize=SEATS_CACHED)
def type1(seat: Seat) -> list[tuple[int, int, int, int]]:
    """Does the whole hand stay in a suit and honours? Table 1, type 1, by suit, without the 1.

    The run of `off_suit_run`; its length if the last tedashi was of the suit or an honour, else 0;
    whether an honour, and whether the suit, was discarded before the run.
    """
    suits = bytes([SUIT[KIND[discard.tile]] for discard in seat.river])
    features = []
    for suit in range(HONOURS):
        start, run = off_suit_run(suits, suit)
        before = suits[:start]
        run_last = run if last_tedashi_in_colour(seat, suit) else 0
        features.append((run, run_last, int(HONOURS in before), int(suit in before)))
    return features


def type2(seat: Seat) -> list[tuple[int, int]]:
    """Is it tenpai, given the suit? Table 1, type 2, by suit, without the leading 1."""
    honours = kinds_of_suit(seat, HONOURS)
    return [(honours, kinds_of_suit(seat, suit)) for suit in range(HONOURS)]


def type3(seat: Seat) -> tuple[int, int, int, int]:
    """Is it tenpai, given several colours? Table 1, type 3, without the leading 1."""
    discarded = river_mask(seat)
    return (
        tedashi(seat),
        tedashi_after_riichi(seat),
        yaochu_kinds(discarded),
        simple_kinds(discarded),
    )


@dataclass(frozen=True, slots=True)
class ColourFeatures:
    """The features of n opponents that predict the colour, without the leading 1.

    Attributes
    ----------
    type1 : (n, 3, 4) array
    allowed : (n, 3) array of bool
        Whether the melds allow a hand of each suit and honours alone.
    n_open_melds : (n,) array
        0–4, the paper's f.
    n_melds : (n,) array
        0–4, closed kans included: with four, only one tile is concealed.
    discards : (n,) array
        Number of discards, the paper's d.
    """

    type1: Floats
    allowed: Bools
    n_open_melds: Ints
    n_melds: Ints
    discards: Ints

    @classmethod
    def from_seats(cls, seats: Sequence[Seat]) -> ColourFeatures:
        """Features of seats at the table."""
        colours = [allowed_colours(seat) for seat in seats]
        return ColourFeatures(
            type1=np.array([type1(seat) for seat in seats], float),
            allowed=np.array([[suit in allowed for suit in range(3)] for allowed in colours]),
            n_open_melds=np.array([seat.n_open_melds for seat in seats]),
            n_melds=np.array([len(seat.melds) for seat in seats]),
            discards=np.array([len(seat.river) for seat in seats]),
        )


@dataclass(frozen=True, slots=True)
class Table1Features(ColourFeatures):
    """All features of table 1 of n opponents.

    Attributes
    ----------
    type2 : (n, 3, 2) array
    type3 : (n, 4) array
    """

    type2: Floats
    type3: Floats

    @classmethod
    def from_seats(cls, seats: Sequence[Seat]) -> Table1Features:
        """Features of seats at the table."""
        colour = ColourFeatures.from_seats(seats)
        return Table1Features(
            type1=colour.type1,
            allowed=colour.allowed,
            n_open_melds=colour.n_open_melds,
            n_melds=colour.n_melds,
            discards=colour.discards,
            type2=np.array([type2(seat) for seat in seats], float),
            type3=np.array([type3(seat) for seat in seats], float),
        )

    @classmethod
    def from_columns(cls, columns: Mapping[str, npt.ArrayLike]) -> Table1Features:
        """Features of n rows, from the columns of a table by name."""

        def stack(names: Iterable[str], *shape: int) -> Floats:
            stacked = np.column_stack([np.asarray(columns[name], float) for name in names])
            return stacked.reshape(-1, *shape)

        suits = SUIT_LETTERS[:HONOURS]
        return Table1Features(
            type1=stack([name for suit in suits for name in TYPE1[suit]], 3, 4),
            type2=stack([name for suit in suits for name in TYPE2[suit]], 3, 2),
            type3=stack(TYPE3, 4),
            allowed=stack([f"allowed_{suit}" for suit in suits], 3).astype(bool),
            n_open_melds=np.asarray(columns["n_open_melds"], np.intp),
            n_melds=np.asarray(columns["n_melds"], np.intp),
            discards=np.asarray(columns["discards"], np.intp),
        )
