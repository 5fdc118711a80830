"""Complete hands with the melds of an opponent, as a grid to score at once.

Axis 0 is the combination of concealed sets, axis 1 the pair (`houjuu.hands.sets`).
`houjuu.hands.score` does not require four sets, so that hands of one meld and seven tiles, three
sets in all (Kurita & Hoki 2017, section 5.2.4), are scored in the same way.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from houjuu.game.events import KANS, Meld, MeldKind, Rules
from houjuu.game.seat import SEATS_CACHED
from houjuu.game.table import View
from houjuu.game.tiles import COPIES, EAST, KIND, RED_FIVES
from houjuu.hands.sets import (
    PAIR_SUIT,
    PAIR_TRAITS,
    SET_BIT,
    SET_SUIT,
    SET_TRAITS,
    Combinations,
    Indices,
    Masks,
    set_of,
)
from houjuu.util.arrays import Bools, UInt8s


@dataclass(frozen=True, slots=True)
class ScoringContext:
    """The context of a ron: everything besides the concealed tiles that changes the score.

    It is hashable, so that results can be cached by it.

    Attributes
    ----------
    melds : tuple of Meld
        Melds of the winner, closed kans included. Red fives in them count as dora.
    round_wind, seat_wind : int
        Kinds, 27–30.
    dora : tuple of int
        Kinds of the dora, one for each indicator; a kind may occur twice.
    rules : Rules
        Whether tanyao counts in an open hand, and whether there are red fives.
    extra_yaku : int
        Han of yaku that do not depend on the tiles: riichi, ippatsu, houtei, chankan.
    red_fives : int
        Number of red fives among the concealed tiles and the winning tile.
    """

    melds: tuple[Meld, ...] = ()
    round_wind: int = EAST
    seat_wind: int = EAST
    dora: tuple[int, ...] = ()
    rules: Rules = field(default_factory=Rules)
    extra_yaku: int = 0
    red_fives: int = 0

    @classmethod
    def from_view(cls, view: View, seat: int) -> ScoringContext:
        """Context of a seat in a view; on the last discard houtei (河底) is a yaku.

        Seats that score alike have equal contexts: melds and dora are in a fixed order, and melds
        have tiles of fixed ids, and no seat that they come from.
        """
        return cls(
            melds=that_score_alike(view.seats[seat].melds),
            round_wind=view.round_wind,
            seat_wind=view.seat_wind(seat),
            dora=tuple(sorted(view.dora)),
            rules=view.rules.of_scores,
            extra_yaku=int(view.tiles_left == 0),
        )

    @property
    def closed(self) -> bool:
        """Whether the hand is closed (門前): it has no melds except closed kans."""
        return not any(meld.is_open for meld in self.melds)

    @property
    def meld_tiles(self) -> tuple[int, ...]:
        """Ids of all tiles in the melds."""
        return tuple(tile for meld in self.melds for tile in meld.tiles)

    @property
    def bonus(self) -> int:
        """Han of the dora and red fives that do not depend on the concealed tiles."""
        dora = sum(self.dora.count(KIND[tile]) for tile in self.meld_tiles)
        reds = sum(tile in RED_FIVES for tile in self.meld_tiles) if self.rules.red_fives else 0
        return dora + reds + self.red_fives


@lru_cache(maxsize=SEATS_CACHED)
def that_score_alike(melds: tuple[Meld, ...]) -> tuple[Meld, ...]:
    """Melds that score as these, and are the same for all melds that do."""
    same = [
        Meld(MeldKind.DAIMINKAN if meld.kind is MeldKind.KAKAN else meld.kind, _tiles(meld))
        for meld in melds
    ]
    return tuple(sorted(same, key=lambda meld: (meld.tiles, meld.kind)))


def _tiles(meld: Meld) -> tuple[int, ...]:
    """The last copies of the kinds of a meld, but the red five if it is in the meld."""
    reds = [tile for tile in meld.tiles if tile in RED_FIVES]
    copies = Counter(KIND[tile] for tile in meld.tiles if tile not in RED_FIVES)
    plain = (COPIES * kind + COPIES - 1 - i for kind, n in copies.items() for i in range(n))
    return tuple(sorted([*reds, *plain]))


@dataclass(frozen=True, slots=True)
class HandGrid:
    """The complete hands of c combinations of concealed sets and p pairs.

    Attributes
    ----------
    context : ScoringContext
    concealed : Combinations
        The concealed sets alone.
    pairs : (p,) intp
        Kinds of the pairs.
    sets : (c, 1) uint64
        Bit s if set s is in the hand, concealed or melded.
    traits : (c, p) uint8
        Bits of the traits that all sets and the pair have.
    suits : (c, p) uint8
        Bits of the suits 0–3 in the hand.
    n_runs : (c, 1) intp
    n_concealed_triplets : (c, 1) intp
        Number of concealed triplets and closed kans before the win.
    """

    context: ScoringContext
    concealed: Combinations
    pairs: Indices
    sets: Masks
    traits: UInt8s
    suits: UInt8s
    n_runs: Indices
    n_concealed_triplets: Indices

    @classmethod
    def from_sets(
        cls, context: ScoringContext, concealed: Combinations, pairs: Indices
    ) -> HandGrid:
        """The hands with these concealed sets, these pairs and the melds."""
        n_sets = concealed.sets.shape[1]
        melds = np.array([set_of(meld) for meld in context.melds], np.intp)
        n_ankans = sum(meld.kind is MeldKind.ANKAN for meld in context.melds)
        n_chis = sum(meld.kind is MeldKind.CHI for meld in context.melds)
        n_triplets = concealed.n_triplets.astype(np.intp)
        traits = concealed.traits & np.bitwise_and.reduce(SET_TRAITS[melds])
        suits = concealed.suits | np.bitwise_or.reduce(SET_SUIT[melds])
        return cls(
            context=context,
            concealed=concealed,
            pairs=pairs,
            sets=(concealed.mask | np.bitwise_or.reduce(SET_BIT[melds]))[:, None],
            traits=traits[:, None] & PAIR_TRAITS[pairs],
            suits=suits[:, None] | PAIR_SUIT[pairs],
            n_runs=(n_sets - n_triplets + n_chis)[:, None],
            n_concealed_triplets=(n_triplets + n_ankans)[:, None],
        )

    def has(self, trait: int) -> Bools:
        """Whether all sets and the pair have the trait, (c, p) bool."""
        return (self.traits & np.uint8(trait)).astype(np.bool_)

    def has_sets(self, *sets: int) -> Bools:
        """Whether all these sets are in the hand, (c, 1) bool."""
        missing: Masks = np.bitwise_or.reduce(SET_BIT[list(sets)]) & ~self.sets
        return ~missing.astype(np.bool_)

    @property
    def n_kans(self) -> int:
        """Number of kans among the melds."""
        return sum(meld.kind in KANS for meld in self.context.melds)
