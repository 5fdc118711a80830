"""Complete hands beside the melds of an opponent, as a grid to score at once.

Axis 0 are the combinations of concealed sets, axis 1 the 34 kinds of the pair
(`houjuu.hands.sets`). Nothing here or in `houjuu.hands.yaku` and `houjuu.hands.fu` knows how many
sets a hand should have, so that the game of one meld and seven tiles, three sets in all (Kurita &
Hoki 2017, section 5.2.4), is scored as any other.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from houjuu.events import Meld, MeldKind, Rules
from houjuu.hands.sets import (
    PAIR_SUIT,
    PAIR_TRAITS,
    SET_BIT,
    SET_SUIT,
    SET_TRAITS,
    Bools,
    Bytes,
    Combinations,
    Indices,
    Masks,
    combinations,
    set_of,
)
from houjuu.table import View
from houjuu.tiles import COPIES, EAST, RED_FIVES

KANS = (MeldKind.ANKAN, MeldKind.DAIMINKAN, MeldKind.KAKAN)


@dataclass(frozen=True, slots=True)
class Setting:
    """What the score of a ron depends on beside the concealed tiles.

    It is hashable: whatever was worked out for it can be kept until it changes.

    Attributes
    ----------
    melds : tuple of Meld
        Of the seat that wins, closed kans included. Red fives in them count as dora.
    round_wind, seat_wind : int
        Kinds, 27–30.
    dora : tuple of int
        The kinds that are dora, one an indicator; a kind may come twice.
    rules : Rules
        Whether tanyao counts in an open hand, and whether there are red fives.
    extra_yaku : int
        Han of yaku that are not in the tiles: riichi, ippatsu, houtei, chankan.
    red_fives : int
        How many of the concealed tiles and the winning tile are red.
    """

    melds: tuple[Meld, ...] = ()
    round_wind: int = EAST
    seat_wind: int = EAST
    dora: tuple[int, ...] = ()
    rules: Rules = field(default_factory=Rules)
    extra_yaku: int = 0
    red_fives: int = 0

    @classmethod
    def of(cls, view: View, seat: int) -> Setting:
        """What is known of a seat to somebody at the table; on the last discard 河底 is a yaku."""
        winds = (view.round_wind, view.seat_wind(seat))
        last = int(view.tiles_left == 0)
        return cls(view.seats[seat].melds, *winds, view.dora, view.rules, extra_yaku=last)

    @property
    def closed(self) -> bool:
        """Whether the hand is closed (門前): no meld but closed kans."""
        return not any(meld.is_open for meld in self.melds)

    @property
    def meld_tiles(self) -> tuple[int, ...]:
        """Ids of all tiles in the melds."""
        return tuple(tile for meld in self.melds for tile in meld.tiles)

    @property
    def bonus(self) -> int:
        """Han of the dora and red fives that do not depend on the concealed tiles."""
        shown = sum(self.dora.count(tile // COPIES) for tile in self.meld_tiles)
        reds = sum(tile in RED_FIVES for tile in self.meld_tiles) if self.rules.red_fives else 0
        return shown + reds + self.red_fives


@dataclass(frozen=True, slots=True)
class Grid:
    """The complete hands with `c` combinations of concealed sets and every pair.

    Attributes
    ----------
    setting : Setting
    concealed : Combinations
        The concealed sets alone.
    sets : (c, 1) uint64
        Bit s where set s is in the hand, concealed or melded.
    traits : (c, 34) uint8
        Bits of the traits that every set and the pair have.
    suits : (c, 34) uint8
        Bits of the suits 0–3 that are in the hand.
    runs : (c, 1) int
        How many sets are runs.
    concealed_triplets : (c, 1) int
        How many sets are concealed triplets or closed kans before the win.
    """

    setting: Setting
    concealed: Combinations
    sets: Masks
    traits: Bytes
    suits: Bytes
    runs: Indices
    concealed_triplets: Indices

    @classmethod
    def of(cls, setting: Setting, number: int) -> Grid:
        """The hands with this number of concealed sets (0–2) beside the melds."""
        concealed = combinations(number)
        melds = np.array([set_of(meld) for meld in setting.melds], np.intp)
        ankans = sum(meld.kind is MeldKind.ANKAN for meld in setting.melds)
        traits = concealed.traits & np.bitwise_and.reduce(SET_TRAITS[melds])
        suits = concealed.suits | np.bitwise_or.reduce(SET_SUIT[melds])
        chis = sum(meld.kind is MeldKind.CHI for meld in setting.melds)
        return cls(
            setting=setting,
            concealed=concealed,
            sets=(concealed.mask | np.bitwise_or.reduce(SET_BIT[melds]))[:, None],
            traits=traits[:, None] & PAIR_TRAITS,
            suits=suits[:, None] | PAIR_SUIT,
            runs=(number - concealed.triplets.astype(np.intp) + chis)[:, None],
            concealed_triplets=(concealed.triplets.astype(np.intp) + ankans)[:, None],
        )

    def has(self, trait: int) -> Bools:
        """Whether every set and the pair have the trait, (c, 34) bool."""
        return (self.traits & np.uint8(trait)).astype(np.bool_)

    def has_sets(self, *sets: int) -> Bools:
        """Whether all of these sets are in the hand, (c, 1) bool."""
        missing: Masks = np.bitwise_or.reduce(SET_BIT[list(sets)]) & ~self.sets
        return ~missing.astype(np.bool_)

    @property
    def kans(self) -> int:
        """How many of the melds are kans."""
        return sum(meld.kind in KANS for meld in self.setting.melds)
