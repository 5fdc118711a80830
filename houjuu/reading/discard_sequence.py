"""The discards of every seat in order, as numbers: the input of the recurrent network.

A discard is described by some small numbers, its codes (`FIELDS`), as everybody saw it when it was
made: later events change none of them.
"""

from __future__ import annotations

from operator import itemgetter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from houjuu.game.events import Meld, MeldKind
from houjuu.game.payments import RIICHI_STICK
from houjuu.game.seat import RiverTile
from houjuu.game.table import View
from houjuu.game.tiles import AROUND, COPIES, DRAGONS, IS_HONOUR, KIND, KINDS, RED_FIVES, SUIT
from houjuu.reading.safety import NO_SUJI, safety_class
from houjuu.reading.shared_features import FeatureSpec

Codes = npt.NDArray[np.uint8]

_FIRST_LEFT = 69  # tiles in the wall at the first discard
_NEVER = -99
_NO_RIICHI = NO_SUJI + 1
_FAR = 4  # unit: ranks
_TABLES_CACHED = 128
_EVENTS_BACK = 9


FIELDS = (
    FeatureSpec("kind", KINDS, "0–33"),
    FeatureSpec("tedashi", 2, "0/1"),
    FeatureSpec("call", 3, "before it the seat called: 0 nothing, 1 chi, 2 pon or kan"),
    FeatureSpec("riichi", 4, "other seats in riichi"),
    FeatureSpec("safety", _NO_RIICHI + 1, "worst safety class against their riichi; 5 without one"),
    FeatureSpec("passed", 4, "another discarded it 0 just before, 1 up to three ago, 2 ago, 3 not"),
    FeatureSpec("seen", COPIES, "0–3 copies of the kind that lay open"),
    FeatureSpec("dora", 3, "1 a dora, 2 a red five"),
    FeatureSpec("tiles_left", _FIRST_LEFT + 1, "in the wall; closed and added kans take none"),
    FeatureSpec("others_calls", 13, "calls of the other seats"),
    FeatureSpec("yakuhai", 3, "winds and dragons of the seat that the kind is, 2: double wind"),
    FeatureSpec("calls", 5, "calls of the seat"),
    FeatureSpec("around", 17, "copies within two ranks that lay open"),
    FeatureSpec("suit_discards", 16, "discards of the suit before"),
    FeatureSpec("rank_gap", 7, "ranks to the nearest of them, at most 5; 6 for an honour"),
    FeatureSpec("dealer", 2, "0/1, the seat is the dealer"),
    FeatureSpec("rank", 4, "other seats with more points at the deal"),
    FeatureSpec("rounds_left", 8, "scheduled rounds after this one"),
    FeatureSpec("dora_gap", 5, "ranks to the first dora, 4: further, or an honour"),
)
"""The codes of a discard, in their order. The dora is that of the first indicator."""

SIZES = np.array([field.size for field in FIELDS])


class _Event(NamedTuple):
    """A discard, or a call of the discard of that order."""

    order: int
    seat: int
    tile: tuple[int, bool, bool, int, int] | None = None
    meld: Meld | None = None


def discard_codes(view: View) -> list[Codes]:
    """The codes of all discards of the four seats.

    Earlier queries of the same round make it faster and change nothing.

    Returns
    -------
    list of four (d, f) arrays
        By absolute seat: a row for each of its discards, and a column for each of `FIELDS`.
    """
    deal = _public_deal(view)
    events = _events(view)
    table, n = _latest_table(deal, events)
    if n < len(events):
        table = table.copy()
        for event in events[n:]:
            table.apply(event)
        _tables[deal, events] = table
    return [from_bytes(codes) for codes in table.codes]


def from_bytes(codes: bytes) -> Codes:
    """The codes of some discards, (d, f), from their bytes."""
    return np.frombuffer(codes, np.uint8).reshape(-1, len(FIELDS))


class _PublicDeal(NamedTuple):
    """The public facts of a deal, by seat where there are four numbers.

    Attributes
    ----------
    dora : int
        The kind of the first.
    reds : bool
        Whether there are red fives.
    by_seat : tuple of (int, int, int)
        The codes "dealer", "rank" and "rounds_left".
    yakuhai : tuple of tuples of kinds
        With a double wind twice.
    """

    dora: int
    reds: bool
    by_seat: tuple[tuple[int, int, int], ...]
    yakuhai: tuple[tuple[int, ...], ...]


class _OpenTiles:
    """The tiles that lie open, event by event, and the codes of the discards so far."""

    def __init__(self, deal: _PublicDeal) -> None:
        self.codes = [b""] * 4
        self._deal = deal
        self._seen = [0] * KINDS
        self._n_calls = [0] * 4
        self._last_call = [0] * 4
        self._n_without_draw = 0
        self._kinds: list[tuple[int, ...]] = [()] * 4
        self._last = [[_NEVER] * KINDS for _ in range(4)]
        self._furiten: dict[int, int] = {}

    def copy(self) -> _OpenTiles:
        """A copy that changes on its own."""
        copied = _OpenTiles(self._deal)
        copied.codes, copied._seen, copied._kinds = [*self.codes], [*self._seen], [*self._kinds]
        copied._n_calls, copied._last_call = [*self._n_calls], [*self._last_call]
        copied._n_without_draw = self._n_without_draw
        copied._last = [[*last] for last in self._last]
        copied._furiten = {**self._furiten}
        return copied

    def apply(self, event: _Event) -> None:
        """Make a call, or a discard, whose codes are added."""
        if event.meld is not None:
            self._call(event.seat, event.meld)
        elif event.tile is not None:
            tile = RiverTile(*event.tile)
            self.codes[event.seat] += bytes(self._discard_codes(event.seat, tile))
            self._discard(event.seat, tile)

    def _call(self, seat: int, meld: Meld) -> None:
        for tile in meld.tiles:
            self._seen[KIND[tile]] += tile not in (meld.called, meld.added)
        self._n_without_draw += meld.kind is not MeldKind.DAIMINKAN
        self._n_calls[seat] += 1
        self._last_call[seat] = 1 if meld.kind is MeldKind.CHI else 2

    def _discard(self, seat: int, tile: RiverTile) -> None:
        kind = KIND[tile.tile]
        self._seen[kind] += 1
        self._kinds[seat] += (kind,)
        self._last[seat][kind] = tile.order
        self._last_call[seat] = 0
        for other in self._furiten:
            self._furiten[other] |= 1 << kind
        if tile.riichi:
            self._furiten[seat] = sum(1 << own for own in {*self._kinds[seat]})

    def _discard_codes(self, seat: int, tile: RiverTile) -> tuple[int, ...]:
        """The codes of a discard that comes next, in the order of `FIELDS`."""
        deal = self._deal
        kind = KIND[tile.tile]
        seen = self._seen
        honour = IS_HONOUR[kind]
        suit = SUIT[kind]
        same_suit = [other for other in self._kinds[seat] if SUIT[other] == suit]
        n_calls = self._n_calls[seat]
        dora_gap = abs(kind - deal.dora) if suit == SUIT[deal.dora] else _FAR
        is_red = deal.reds and tile.tile in RED_FIVES
        return (
            *(kind, int(not tile.tsumogiri), self._last_call[seat], tile.others_in_riichi),
            *(self._safety(seat, kind), self._passed(seat, kind, tile.order), min(seen[kind], 3)),
            2 if is_red else int(kind == deal.dora),
            max(_FIRST_LEFT - tile.order + self._n_without_draw, 0),
            min(sum(self._n_calls) - n_calls, 12),
            *(deal.yakuhai[seat].count(kind), n_calls),
            *(sum([seen[other] for other in AROUND[kind]]), min(len(same_suit), 15)),
            6 if honour else min([5, *[abs(other - kind) for other in same_suit]]),
            *deal.by_seat[seat],
            _FAR if honour else min(dora_gap, _FAR),
        )

    def _safety(self, seat: int, kind: int) -> int:
        riichi = [mask for other, mask in self._furiten.items() if other != seat]
        return max([safety_class(kind, mask) for mask in riichi]) if riichi else _NO_RIICHI

    def _passed(self, seat: int, kind: int, order: int) -> int:
        last = max([self._last[other][kind] for other in range(4) if other != seat])
        ago = order - last
        return 3 if last == _NEVER else 0 if ago <= 1 else 1 if ago <= 3 else 2


_tables: dict[tuple[_PublicDeal, tuple[_Event, ...]], _OpenTiles] = {}
"""The tables after some events; none changes any more."""


def _latest_table(deal: _PublicDeal, events: tuple[_Event, ...]) -> tuple[_OpenTiles, int]:
    """The table after the most events for which there is one, and their number."""
    if len(_tables) > _TABLES_CACHED:
        _tables.clear()
    for n in range(len(events), max(len(events) - _EVENTS_BACK, 0), -1):
        table = _tables.get((deal, events[:n]))
        if table is not None:
            return table, n
    return _OpenTiles(deal), 0


def _public_deal(view: View) -> _PublicDeal:
    paid = [RIICHI_STICK * seat.in_riichi for seat in view.seats]
    scores = [score + stick for score, stick in zip(view.scores, paid, strict=True)]
    rounds_left = min(max(view.rules.last_round - view.round, 0), 7)
    by_seat = [
        (int(seat == view.dealer), sum([score > own for score in scores]), rounds_left)
        for seat, own in enumerate(scores)
    ]
    yakuhai = [(view.round_wind, view.seat_wind(seat), *DRAGONS) for seat in range(4)]
    return _PublicDeal(view.dora[0], view.rules.red_fives, tuple(by_seat), tuple(yakuhai))


def _events(view: View) -> tuple[_Event, ...]:
    """All discards and the calls of discards, in order."""
    events = [_Event(tile.order, seat.seat, tile[:5]) for seat in view.seats for tile in seat.river]
    if any(seat.melds for seat in view.seats):
        orders = {tile.tile: tile.order for seat in view.seats for tile in seat.river}
        events += [
            _Event(orders[meld.called], seat.seat, None, meld)
            for seat in view.seats
            for meld in seat.melds
            if meld.called in orders
        ]
    return tuple(sorted(events, key=itemgetter(0)))  # a call stays behind its discard
