"""One opponent as the asking seat sees it: the input of all features.

An `OpponentContext` holds the values that several features share, so that each is computed once a
query. It contains nothing that the asking seat cannot see.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import lru_cache, reduce, update_wrapper
from operator import or_
from typing import NamedTuple

from houjuu.game.seat import SEATS_CACHED
from houjuu.game.table import RiverTile, Seat, View, mask_to_array, public_tiles
from houjuu.game.tiles import COPIES, DRAGONS, IS_HONOUR, KIND, KINDS, RED_FIVES, SUIT
from houjuu.reading.safety import safety_class
from houjuu.util.arrays import Bools

_BY_RANK = (1, 2, 3, 4, 4, 4, 3, 2, 1)
RANK_CLASS = tuple(0 if IS_HONOUR[kind] else _BY_RANK[kind % 9] for kind in range(KINDS))
"""By kind: 0 for honours, 1 for 1 and 9, 2 for 2 and 8, 3 for 3 and 7, 4 for 4 to 6."""
NOTHING_DISCARDED = 5
"""Stands for a class (`RANK_CLASS`) where there is no such discard."""

_MIDDLES = tuple(kind for kind in range(KINDS) if RANK_CLASS[kind] >= 3)


LIVE = 2
"""Unseen copies from which a kind can still become a set."""


class OpponentType(StrEnum):
    """The types of opponents that models treat apart: riichi, closed without riichi, 1–4 melds."""

    RIICHI = "riichi"
    CLOSED = "closed"
    ONE_MELD = "1 meld"
    TWO_MELDS = "2 melds"
    THREE_MELDS = "3 melds"
    FOUR_MELDS = "4 melds"

    @classmethod
    def from_seat(cls, seat: Seat) -> OpponentType:
        """Type of a seat, by its riichi and its open melds."""
        melds = seat.n_open_melds
        if melds:
            return _MELDED_TYPES[melds - 1]
        return cls.RIICHI if seat.in_riichi else cls.CLOSED

    @property
    def is_melded(self) -> bool:
        """Whether the hand is open."""
        return self in _MELDED_TYPES


_MELDED_TYPES = tuple(OpponentType)[2:]


class River(NamedTuple):
    """The discards of a seat, the same for everybody who sees them.

    All but the first two attributes end with the tile that declared riichi: the wall chooses all
    later discards.

    Attributes
    ----------
    all_kinds, all_orders : lists of int
        Kind and `RiverTile.order` of each discard.
    discards : tuple of RiverTile
        Up to the riichi tile, this included; all discards without riichi.
    mask : int
        Mask of the kinds of `discards`.
    kinds, classes, suits : lists of int
        Kind, `RANK_CLASS` and suit of each of `discards`.
    tedashi_turns, tedashi, tedashi_classes : lists of int
        Index in `discards`, kind and class of each tedashi.
    """

    all_kinds: list[int]
    all_orders: list[int]
    discards: tuple[RiverTile, ...]
    mask: int
    kinds: list[int]
    classes: list[int]
    suits: list[int]
    tedashi_turns: list[int]
    tedashi: list[int]
    tedashi_classes: list[int]


@lru_cache(maxsize=SEATS_CACHED)
def river_of(seat: Seat) -> River:
    """The river of a seat, computed once while several seats look at it."""
    discards = discards_through_riichi(seat)
    all_kinds = [KIND[discard.tile] for discard in seat.river]
    kinds = all_kinds[: len(discards)]
    turns = [turn for turn, discard in enumerate(discards) if not discard.tsumogiri]
    tedashi = [kinds[turn] for turn in turns]
    return River(
        all_kinds=all_kinds,
        all_orders=[discard.order for discard in seat.river],
        discards=discards,
        mask=reduce(or_, (1 << kind for kind in kinds), 0),
        kinds=kinds,
        classes=[RANK_CLASS[kind] for kind in kinds],
        suits=[SUIT[kind] for kind in kinds],
        tedashi_turns=turns,
        tedashi=tedashi,
        tedashi_classes=[RANK_CLASS[kind] for kind in tedashi],
    )


class TileCounts(NamedTuple):
    """The tiles that a seat sees and those that it does not.

    Attributes
    ----------
    unseen : list of 34 ints
        Copies that the asking seat does not see, 0–4.
    open_copies : list of 34 ints
        Copies that everybody sees, 0–4.
    unseen_middles : int
        Unseen copies of 3 to 7 in all suits.
    unseen_reds : int
        Unseen red fives, 0–3.
    live : int
        Mask of the kinds of which two or more copies are unseen, so that they can become a set.
    dora : tuple of int
        Kinds, one for each indicator.
    reds : frozenset of int
        Ids of the red fives; empty where the rules have none.
    """

    unseen: list[int]
    open_copies: list[int]
    unseen_middles: int
    unseen_reds: int
    live: int
    dora: tuple[int, ...]
    reds: frozenset[int]


class _AllRivers(NamedTuple):
    """The four rivers together.

    Attributes
    ----------
    by_seat : list of River
        By absolute seat.
    call_orders : dict
        The order of the discard of every called tile.
    all_discards : list of (int, int)
        Order and kind of every discard, ascending; empty while nobody is in riichi.
    """

    by_seat: list[River]
    call_orders: dict[int, int]
    all_discards: list[tuple[int, int]]


class OpponentContext(NamedTuple):
    """An opponent as one seat sees it.

    Attributes
    ----------
    view, seat : View and Seat
        The asking seat's view; the opponent's public state.
    opponent_type : OpponentType
    furiten : int
        Mask of the kinds that the opponent cannot win on, `View.furiten`.
    genbutsu : (34,) array of bool
        The same as an array.
    tiles : TileCounts
        Those of the asking seat.
    river : River
        That of the opponent.
    calls : list of int
        Number of discards that the opponent had made at each call, ascending.
    others : list of River
        Rivers of the three other seats, the asking one included.
    yakuhai : set of int
        Kinds of which a triplet is a yaku for the opponent.
    faced : list of (int, bool), or None while no other seat is in riichi
        For each discard since another's riichi: safety class against it, and whether tedashi.
    """

    view: View
    seat: Seat
    opponent_type: OpponentType
    furiten: int
    genbutsu: Bools
    tiles: TileCounts
    river: River
    calls: list[int]
    others: list[River]
    yakuhai: set[int]
    faced: list[tuple[int, bool]] | None


class RiverFeature:
    """Decorates a feature of the river alone: a function of the context of the same name.

    Such features are computed once while several seats look at the river.

    Parameters
    ----------
    of_river : callable
        Its function of a `River`.
    """

    __name__: str

    def __init__(self, of_river: Callable[[River], int]) -> None:
        self.of_river = of_river
        update_wrapper(self, of_river)

    def __call__(self, context: OpponentContext) -> int:
        """The feature of an opponent."""
        return self.of_river(context.river)


def opponent_contexts(view: View, seats: Sequence[Seat]) -> list[OpponentContext]:
    """Contexts of some opponents for the seat of a view."""
    tiles = _tile_counts(view)
    rivers = _all_rivers(view)
    return [_context(view, seat, tiles, rivers) for seat in seats]


def discards_through_riichi(seat: Seat) -> tuple[RiverTile, ...]:
    """Discards up to and including the riichi tile; all of them without riichi."""
    turn = seat.riichi_turn
    return seat.river if turn is None else seat.river[: turn + 1]


def _tile_counts(view: View) -> TileCounts:
    public = [*public_tiles(view.seats, view.dora_indicators)]
    open_copies = [0] * KINDS
    for tile in public:
        open_copies[KIND[tile]] += 1
    unseen = [COPIES - copies for copies in open_copies]
    for tile in view.hand:
        unseen[KIND[tile]] -= 1
    reds = frozenset(RED_FIVES) if view.rules.red_fives else frozenset[int]()
    return TileCounts(
        unseen=unseen,
        open_copies=open_copies,
        unseen_middles=sum(map(unseen.__getitem__, _MIDDLES)),
        unseen_reds=len(reds.difference(public, view.hand)),
        live=sum(1 << kind for kind, copies in enumerate(unseen) if copies >= LIVE),
        dora=view.dora,
        reds=reds,
    )


def _all_rivers(view: View) -> _AllRivers:
    rivers = [river_of(seat) for seat in view.seats]
    orders = {d.tile: d.order for seat in view.seats for d in seat.river if d.called_by is not None}
    discards: list[tuple[int, int]] = []
    if any(seat.in_riichi for seat in view.seats):
        for river in rivers:
            discards += zip(river.all_orders, river.all_kinds, strict=True)
    return _AllRivers(rivers, orders, sorted(discards))


def _context(view: View, seat: Seat, tiles: TileCounts, rivers: _AllRivers) -> OpponentContext:
    furiten = view.furiten(seat.seat)
    return OpponentContext(
        view=view,
        seat=seat,
        opponent_type=OpponentType.from_seat(seat),
        furiten=furiten,
        genbutsu=mask_to_array(furiten),
        tiles=tiles,
        river=rivers.by_seat[seat.seat],
        calls=_calls(seat, rivers) if seat.melds else [],
        others=[river for index, river in enumerate(rivers.by_seat) if index != seat.seat],
        yakuhai={view.round_wind, view.seat_wind(seat.seat), *DRAGONS},
        faced=_faced(view, seat, rivers.all_discards) if rivers.all_discards else None,
    )


def _calls(seat: Seat, rivers: _AllRivers) -> list[int]:
    called = (rivers.call_orders.get(meld.called) for meld in seat.melds if meld.called is not None)
    own_orders = rivers.by_seat[seat.seat].all_orders
    return sorted(bisect_left(own_orders, order) for order in called if order is not None)


def _faced(
    view: View, seat: Seat, all_discards: list[tuple[int, int]]
) -> list[tuple[int, bool]] | None:
    """Safety class of each discard since another's riichi, and whether it was a tedashi.

    Against several riichi the most dangerous class counts.
    """
    worst: dict[int, int] = {}
    tedashi = {discard.order: not discard.tsumogiri for discard in seat.river}
    riichi = [other for other in view.seats if other.in_riichi and other is not seat]
    for river in map(discards_through_riichi, riichi):
        furiten = 0
        for discard in river:
            furiten |= 1 << KIND[discard.tile]
        start = bisect_left(all_discards, (river[-1].order + 1, 0))
        for order, kind in all_discards[start:]:
            if order in tedashi:
                worst[order] = max(worst.get(order, 0), safety_class(kind, furiten))
            furiten |= 1 << kind
    return [(worst[order], tedashi[order]) for order in sorted(worst)] if riichi else None
