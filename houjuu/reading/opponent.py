"""One opponent as the asking seat sees it: the input of all features.

An `OpponentContext` holds the values that several features share, so that each is computed once a
query. It contains nothing that the asking seat cannot see.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from houjuu.game.seat import SEATS_CACHED
from houjuu.game.table import RiverTile, Seat, View, mask_to_array
from houjuu.game.tiles import DRAGONS, IS_HONOUR, KIND, KINDS, RED_FIVES, SUIT
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

_KIND_OF_TILE, _CLASS_OF_KIND, _SUIT_OF_KIND = (
    bytes(table).ljust(256, b"\0") for table in (KIND, RANK_CLASS, SUIT)
)  # for `bytes.translate`, which looks up a whole river at once

# Copies of all kinds are the digits of one hexadecimal number, the first kind last: such numbers
# are added at once. The red fives are three digits more.
_COPY_OF_TILE = [1 << 4 * kind for kind in KIND]
for _place, _red in enumerate(RED_FIVES, KINDS):
    _COPY_OF_TILE[_red] += 1 << 4 * _place
_ALL_COPIES = sum(_COPY_OF_TILE)
_NUMBER_OF_DIGIT = bytes.maketrans(b"01234", bytes(range(5)))
_IS_LIVE = bytes.maketrans(b"01234", b"".join(b"%d" % (copies >= LIVE) for copies in range(5)))
_RED_FIVES, _NO_REDS = frozenset(RED_FIVES), frozenset[int]()


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
    all_kinds, all_orders : bytes and list of int
        Kind and `RiverTile.order` of each discard.
    called : dict
        The order of the discard of every called tile.
    open_copies : int
        `_COPY_OF_TILE` of the tiles that lie open before the seat, melds included: a called tile
        lies in its meld.
    discards : tuple of RiverTile
        Up to the riichi tile, this included; all discards without riichi.
    mask : int
        Mask of the kinds of `discards`.
    kinds, classes, suits : bytes
        Kind, `RANK_CLASS` and suit of each of `discards`.
    tedashi_turns, tedashi, tedashi_classes : list of int, bytes and bytes
        Index in `discards`, kind and class of each tedashi.
    """

    all_kinds: bytes
    all_orders: list[int]
    called: dict[int, int]
    open_copies: int
    discards: tuple[RiverTile, ...]
    mask: int
    kinds: bytes
    classes: bytes
    suits: bytes
    tedashi_turns: list[int]
    tedashi: bytes
    tedashi_classes: bytes


@lru_cache(maxsize=SEATS_CACHED)
def river_of(seat: Seat) -> River:
    """The river of a seat, computed once while several seats look at it."""
    tiles: list[int] = []
    all_orders: list[int] = []
    turns: list[int] = []
    called: dict[int, int] = {}
    open_copies = 0
    end = len(seat.river)
    for turn, (tile, tsumogiri, riichi, order, _, called_by) in enumerate(seat.river):
        tiles.append(tile)
        all_orders.append(order)
        if called_by is None:
            open_copies += _COPY_OF_TILE[tile]
        else:
            called[tile] = order
        if not tsumogiri and turn < end:
            turns.append(turn)
        if riichi:
            end = turn + 1
    for meld in seat.melds:
        for tile in meld.tiles:
            open_copies += _COPY_OF_TILE[tile]
    all_kinds = bytes(tiles).translate(_KIND_OF_TILE)
    kinds = all_kinds[:end]
    mask = 0
    for kind in kinds:
        mask |= 1 << kind
    tedashi = bytes([kinds[turn] for turn in turns])
    return River(
        all_kinds=all_kinds,
        all_orders=all_orders,
        called=called,
        open_copies=open_copies,
        discards=seat.river[:end],
        mask=mask,
        kinds=kinds,
        classes=kinds.translate(_CLASS_OF_KIND),
        suits=kinds.translate(_SUIT_OF_KIND),
        tedashi_turns=turns,
        tedashi=tedashi,
        tedashi_classes=tedashi.translate(_CLASS_OF_KIND),
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


class OpponentContext(NamedTuple):
    """An opponent as one seat sees it.

    Attributes
    ----------
    view, seat : View and Seat
        The asking seat's view; the opponent's public state.
    opponent_type : OpponentType
    furiten : int
        Mask of the kinds that the opponent cannot win on, `View.furiten`.
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
    tiles: TileCounts
    river: River
    calls: list[int]
    others: list[River]
    yakuhai: set[int]
    faced: list[tuple[int, bool]] | None

    @property
    def genbutsu(self) -> Bools:
        """`furiten` as an array, (34,)."""
        return mask_to_array(self.furiten)


def opponent_contexts(view: View, seats: Sequence[Seat]) -> list[OpponentContext]:
    """Contexts of some opponents for the seat of a view."""
    rivers = [river_of(seat) for seat in view.seats]
    tiles = _tile_counts(view, rivers)
    return [_context(view, seat, tiles, rivers) for seat in seats]


def _tile_counts(view: View, rivers: Sequence[River]) -> TileCounts:
    open_copies = sum([river.open_copies for river in rivers])
    for tile in view.dora_indicators:
        open_copies += _COPY_OF_TILE[tile]
    unseen_copies = _ALL_COPIES - open_copies
    for tile in view.hand:
        unseen_copies -= _COPY_OF_TILE[tile]
    digits = b"%037x" % unseen_copies
    *unseen, red_manzu, red_pinzu, red_souzu = digits[::-1].translate(_NUMBER_OF_DIGIT)
    has_reds = view.rules.red_fives
    return TileCounts(
        unseen=unseen,
        open_copies=[*(b"%037x" % open_copies)[:2:-1].translate(_NUMBER_OF_DIGIT)],
        unseen_middles=sum(map(unseen.__getitem__, _MIDDLES)),
        unseen_reds=red_manzu + red_pinzu + red_souzu if has_reds else 0,
        live=int(digits[len(RED_FIVES) :].translate(_IS_LIVE), 2),
        dora=view.dora,
        reds=_RED_FIVES if has_reds else _NO_REDS,
    )


def _context(view: View, seat: Seat, tiles: TileCounts, rivers: Sequence[River]) -> OpponentContext:
    number = seat.seat
    river = rivers[number]
    return OpponentContext(
        view=view,
        seat=seat,
        opponent_type=OpponentType.from_seat(seat),
        furiten=view.furiten(number),
        tiles=tiles,
        river=river,
        calls=_calls(seat, rivers) if seat.melds else [],
        others=[*rivers[:number], *rivers[number + 1 :]],
        yakuhai={view.round_wind, view.seat_wind(number), *DRAGONS},
        faced=_faced(view, seat, rivers),
    )


def _calls(seat: Seat, rivers: Sequence[River]) -> list[int]:
    orders = {tile: order for river in rivers for tile, order in river.called.items()}
    called = (orders.get(meld.called) for meld in seat.melds if meld.called is not None)
    own_orders = rivers[seat.seat].all_orders
    return sorted(bisect_left(own_orders, order) for order in called if order is not None)


def _faced(view: View, seat: Seat, rivers: Sequence[River]) -> list[tuple[int, bool]] | None:
    """Safety class of each discard since another's riichi, and whether it was a tedashi.

    Against several riichi the most dangerous class counts.
    """
    riichi = [other.seat for other in view.seats if other.in_riichi and other is not seat]
    if not riichi:
        return None
    discards = (zip(river.all_orders, river.all_kinds, strict=True) for river in rivers)
    all_discards = sorted(chain(*discards))
    worst: dict[int, int] = {}
    tedashi = {discard.order: not discard.tsumogiri for discard in seat.river}
    for river in map(rivers.__getitem__, riichi):
        furiten = river.mask
        declared = river.all_orders[len(river.kinds) - 1]
        for order, kind in all_discards[bisect_left(all_discards, (declared + 1, 0)) :]:
            if order in tedashi:
                worst[order] = max(worst.get(order, 0), safety_class(kind, furiten))
            furiten |= 1 << kind
    return [(worst[order], tedashi[order]) for order in sorted(worst)]
