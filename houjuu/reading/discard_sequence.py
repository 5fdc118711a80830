"""The discards of every seat in order, as numbers: the input of the recurrent network.

A discard is described by some small numbers, its codes (`FIELDS`), as everybody saw it when it was
made: later events change none of them.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import starmap
from operator import itemgetter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from houjuu.game.events import Meld, MeldKind
from houjuu.game.payments import RIICHI_STICK
from houjuu.game.seat import RiverTile
from houjuu.game.table import View
from houjuu.game.tiles import AROUND, COPIES, DRAGONS, EAST, IS_HONOUR, KIND, KINDS, RED_FIVES, SUIT
from houjuu.reading.safety import NO_SUJI, safety_class
from houjuu.reading.shared_features import FeatureSpec

Codes = npt.NDArray[np.uint8]

_FIRST_LEFT = 69  # tiles in the wall at the first discard
_NEVER = -99
_NO_RIICHI = NO_SUJI + 1
_FAR = 4  # unit: ranks
_DEALS_CACHED = 128
_CALLED_BY = 5  # index in `RiverTile` of the one number that changes later


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


class _OpenedMeld(NamedTuple):
    """A call of a discard; a tile that is added to it later changes nothing.

    `opened` are the kinds of the tiles that lie open since the call.
    """

    opened: tuple[int, ...]
    code: int
    has_draw: bool


class _Event(NamedTuple):
    """A discard, or a call of the discard of that order."""

    order: int
    seat: int
    what: RiverTile | _OpenedMeld


class _Made(NamedTuple):
    """The discards of each seat, and the calls of discards in order, up to some time."""

    rivers: list[tuple[RiverTile, ...]]
    calls: list[_Event]

    def events_after(self, before: _Made) -> list[_Event] | None:
        """The events that are not in `before`, in order; None if it is not the beginning."""
        rivers = [*zip(before.rivers, self.rivers, strict=True)]
        if before.calls != self.calls[: len(before.calls)] or not all(starmap(_begins, rivers)):
            return None
        events = [
            _Event(tile.order, seat, tile)
            for seat, (earlier, river) in enumerate(rivers)
            for tile in river[len(earlier) :]
        ]
        events += self.calls[len(before.calls) :]
        events.sort(key=itemgetter(0))  # a call stays behind its discard
        last = max([river[-1].order for river in before.rivers if river], default=-1)
        return events if not events or events[0].order >= last else None


def _begins(earlier: tuple[RiverTile, ...], river: tuple[RiverTile, ...]) -> bool:
    """Whether the one river is the beginning of the other; calls of its tiles do not count."""
    start = river[: len(earlier)]
    return start == earlier or [d[:_CALLED_BY] for d in start] == [d[:_CALLED_BY] for d in earlier]


def discard_codes(view: View) -> list[Codes]:
    """The codes of all discards of the four seats.

    Earlier queries of the same round make it faster and change nothing.

    Returns
    -------
    list of four (d, f) arrays
        By absolute seat: a row for each of its discards, and a column for each of `FIELDS`.
    """
    deal = _public_deal(view)
    made = _Made([seat.river for seat in view.seats], _calls(view))
    table = _tables.get(deal) or _OpenTiles(deal)
    later = made.events_after(table.made)
    if later is None and table.made.events_after(made) is None:  # another course of the deal
        table = _OpenTiles(deal)
        later = made.events_after(table.made)
    if later:
        table = table.after(later, made)
        _keep(deal, table)
    lengths = [len(river) * len(FIELDS) for river in made.rivers]
    return [from_bytes(codes[:n]) for codes, n in zip(table.codes, lengths, strict=True)]


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
        self.made = _Made([()] * 4, [])
        self._deal = deal
        self._seen = [0] * KINDS
        self._n_calls = [0] * 4
        self._last_call = [0] * 4
        self._n_without_draw = 0
        self._kinds: list[tuple[int, ...]] = [()] * 4
        self._last = [[_NEVER] * KINDS for _ in range(4)]
        self._furiten: dict[int, int] = {}

    def after(self, events: list[_Event], made: _Made) -> _OpenTiles:
        """The table after more events, by which `made` has been made; this one does not change."""
        table = self._copy()
        table.made = made
        for event in events:
            if isinstance(event.what, _OpenedMeld):
                table._call(event.seat, event.what)
            else:
                table.codes[event.seat] += bytes(table._discard_codes(event.seat, event.what))
                table._discard(event.seat, event.what)
        return table

    def _copy(self) -> _OpenTiles:
        copied = _OpenTiles(self._deal)
        copied.codes, copied._seen, copied._kinds = [*self.codes], [*self._seen], [*self._kinds]
        copied._n_calls, copied._last_call = [*self._n_calls], [*self._last_call]
        copied._n_without_draw = self._n_without_draw
        copied._last = [[*last] for last in self._last]
        copied._furiten = {**self._furiten}
        return copied

    def _call(self, seat: int, call: _OpenedMeld) -> None:
        for kind in call.opened:
            self._seen[kind] += 1
        self._n_without_draw += not call.has_draw
        self._n_calls[seat] += 1
        self._last_call[seat] = call.code

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


_tables: dict[_PublicDeal, _OpenTiles] = {}
"""The last table of each deal; none changes any more."""


def _keep(deal: _PublicDeal, table: _OpenTiles) -> None:
    if len(_tables) > _DEALS_CACHED:
        _tables.clear()
    _tables[deal] = table


def _public_deal(view: View) -> _PublicDeal:
    scores = [
        score + RIICHI_STICK * seat.in_riichi
        for score, seat in zip(view.scores, view.seats, strict=True)
    ]
    rounds_left = min(max(view.rules.last_round - view.round, 0), 7)
    winds = tuple(map(view.seat_wind, range(4)))
    return _deal(
        dora=view.dora[0],
        reds=view.rules.red_fives,
        scores=tuple(scores),
        rounds_left=rounds_left,
        round_wind=view.round_wind,
        winds=winds,
    )


@lru_cache(maxsize=_DEALS_CACHED)
def _deal(
    *,
    dora: int,
    reds: bool,
    scores: tuple[int, ...],
    rounds_left: int,
    round_wind: int,
    winds: tuple[int, ...],
) -> _PublicDeal:
    by_seat = [
        (int(wind == EAST), sum([score > own for score in scores]), rounds_left)
        for wind, own in zip(winds, scores, strict=True)
    ]
    yakuhai = [(round_wind, wind, *DRAGONS) for wind in winds]
    return _PublicDeal(dora, reds, tuple(by_seat), tuple(yakuhai))


def _calls(view: View) -> list[_Event]:
    """The calls of discards, in order."""
    return sorted(
        _Event(discard.order, seat.seat, _call_of(meld))
        for seat in view.seats
        for meld in seat.melds
        if meld.source is not None
        for discard in view.seats[meld.source].river
        if discard.tile == meld.called
    )


def _call_of(meld: Meld) -> _OpenedMeld:
    opened = [KIND[tile] for tile in meld.tiles if tile not in (meld.called, meld.added)]
    code = 1 if meld.kind is MeldKind.CHI else 2
    return _OpenedMeld(tuple(opened), code, meld.kind is MeldKind.DAIMINKAN)
