"""What is seen that bears on what an opponent wins on: numbers by kind, by suit and of the whole.

All are small whole numbers and stand in one flat array, so that the tables of `houjuu.choice` are
look-ups in it. A river counts up to and with the tile that declared riichi, without riichi whole:
what comes after riichi is chosen by the wall. Nothing here is more than the asking seat sees.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from houjuu import reading
from houjuu.cases import RANK_CLASS, Case
from houjuu.signs import game, melds
from houjuu.table import RiverTile, Seat, View
from houjuu.tiles import COPIES, HONOURS, IS_YAOCHU, KINDS, SUIT
from houjuu.waits import yakuhai

Bytes = npt.NDArray[np.int8]

PAD = KINDS
"""The place of no kind in the numbers by kind; 0 stands there."""

NO_SUIT = HONOURS + 1
"""The place of no suit in the numbers by suit; 0 stands there."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One number, or one for every kind or suit: its name, how many values it has, its meaning."""

    name: str
    size: int
    unit: str


BY_KIND = (
    Entry("discarded", 12, "0 not by the opponent; else how, see `how`; of several the highest"),
    Entry("unseen", 5, "0–4 copies that the asking seat does not see"),
    Entry("public", 5, "0–4 copies that lie open"),
    Entry("dora", 3, "how many times it is dora, 2 for more"),
    Entry("yakuhai", 3, "0–2 han of a triplet for the opponent"),
    Entry("passed", 5, "0 no other discarded it; else tedashi of the opponent since, plus 1"),
    Entry("melded", 5, "0–4 copies in the opponent's own sets"),
    Entry("genbutsu", 2, "0/1, the opponent cannot win on it"),
)
BY_SUIT = (
    Entry("in_suit", 9, "discards of the suit, 8 for more"),
    Entry("early_in_suit", 6, "those among the first five discards"),
    Entry("sets_in_suit", 5, "0–4 own sets of the suit"),
)
WHOLE = (
    Entry("turn", 20, "discards, 19 for more"),
    Entry("since", 13, "discards after the riichi tile, 12 for more"),
    Entry("live_suji", 19, "0–18 suji that it can still win on"),
    Entry("riichi_tile", 11, "10 none, else 2 × `cases.RANK_CLASS` of it, + 1 just drawn"),
    Entry("honours", 8, "discards of honours, 7 for more"),
    Entry("since_honour", 11, "0 none, else discards since one from the hand, plus 1"),
    Entry("yaochu", 14, "0–13 kinds of terminals and honours discarded"),
    Entry("tedashi", 16, "discards from the hand, 15 for more"),
    Entry("streak", 9, "discards since the last from the hand, 8 for more"),
    Entry("dealer", 2, "0/1"),
    Entry("others_in_riichi", 3, "0–2, 2 for more"),
    Entry("wall", 12, "tiles left in the wall / 6"),
    Entry("sets", 5, "0–4 sets on the table, closed kans included"),
    Entry("chis", 5, "0–4 chi"),
    Entry("open_yaku", 10, "0–9, as `melds.open_yaku`"),
    Entry("dora_shown", 6, "dora and red fives in its sets, 5 for more"),
    Entry("since_call", 13, "discards since the last call, plus 1, 12 for more; 0 none"),
    Entry("dora_unseen", 6, "dora that the asking seat does not see, red fives too, 5 for more"),
    Entry("indicators", 3, "dora indicators turned over less 1, 2 for more"),
)


class Layout:
    """Where the numbers of entries stand in a flat array.

    Parameters
    ----------
    blocks : (entries, width) pairs
        Of each entry of a block there are so many numbers, which follow each other.

    Attributes
    ----------
    start, size : dict
        Where the numbers of an entry begin, and how many values each has.
    length : int
        Of the array.
    """

    def __init__(self, *blocks: tuple[Sequence[Entry], int]) -> None:
        self.start: dict[str, int] = {}
        self.size: dict[str, int] = {}
        self.length = 0
        for entries, width in blocks:
            for entry in entries:
                self.start[entry.name], self.size[entry.name] = self.length, entry.size
                self.length += width


LAYOUT = Layout((BY_KIND, KINDS + 1), (BY_SUIT, NO_SUIT + 1), (WHOLE, 1))
LENGTH = LAYOUT.length

_YAOCHU = frozenset(np.flatnonzero(IS_YAOCHU).tolist())
_LATE = 6  # discards before which a river is early
_EARLY = 5


def of(evidence: Bytes, name: str) -> Bytes:
    """The numbers by kind of an entry, (…, 34), from the flat array, (…, LENGTH)."""
    start = LAYOUT.start[name]
    return evidence[..., start : start + KINDS]


def columns() -> list[str]:
    """A name for every number of the flat array, (LENGTH,)."""
    by_kind = [f"{entry.name}_{kind}" for entry in BY_KIND for kind in range(KINDS + 1)]
    by_suit = [f"{entry.name}_{suit}" for entry in BY_SUIT for suit in range(NO_SUIT + 1)]
    return [*by_kind, *by_suit, *(entry.name for entry in WHOLE)]


def read(case: Case) -> Bytes:
    """All numbers of an opponent, (LENGTH,), each from 0 up to its size."""
    view, seat = case.view, case.seat
    before = until_riichi(seat)
    kinds = case.kinds[: len(before)]
    unseen = np.array(case.unseen, np.int8)
    found = np.zeros(LENGTH, np.int8)
    by_kind = found[: len(BY_KIND) * (KINDS + 1)].reshape(-1, KINDS + 1)
    by_kind[:, :KINDS] = (
        discarded(before),
        unseen,
        COPIES - unseen - _count(tile >> 2 for tile in view.hand),
        np.minimum(_count(case.dora), 2),
        yakuhai(view.round_wind, view.seat_wind(seat.seat)),
        passed(view, seat),
        _count(tile >> 2 for meld in seat.melds for tile in meld.tiles),
        case.genbutsu,
    )
    by_suit = found[by_kind.size : -len(WHOLE)].reshape(-1, NO_SUIT + 1)
    by_suit[:, :NO_SUIT] = (
        _by_suit(kinds, 8),
        _by_suit(kinds[:_EARLY], _EARLY),
        _by_suit([meld.tiles[0] >> 2 for meld in seat.melds], COPIES),
    )
    found[-len(WHOLE) :] = np.minimum(_whole(case, before, kinds), _MOST)
    return found


_MOST = np.array([entry.size - 1 for entry in WHOLE])


def _whole(case: Case, before: tuple[RiverTile, ...], kinds: list[int]) -> list[int]:
    view, seat = case.view, case.seat
    tedashi = case.turns[: bisect_left(case.turns, len(before))]
    honours = [turn for turn in tedashi if SUIT[kinds[turn]] == HONOURS]
    return [
        len(before),
        len(seat.river) - len(before),
        reading.live_suji(case.furiten),
        _riichi_tile(before),
        sum(SUIT[kind] == HONOURS for kind in kinds),
        len(before) - honours[-1] if honours else 0,
        len(_YAOCHU.intersection(kinds)),
        len(tedashi),
        len(before) - 1 - tedashi[-1] if tedashi else len(before),
        game.dealer(case),
        sum(other.in_riichi for other in view.seats if other is not seat),
        view.tiles_left // 6,
        len(seat.melds),
        melds.chis(case),
        melds.open_yaku(case),
        dora_shown(case),
        melds.since_call(case) + 1,
        dora_unseen(case),
        len(view.dora_indicators) - 1,
    ]


def until_riichi(seat: Seat) -> tuple[RiverTile, ...]:
    """The discards up to and with the one that declared riichi; all of them without riichi."""
    turn = seat.riichi_turn
    return seat.river if turn is None else seat.river[: turn + 1]


def how(place: int, discard: RiverTile) -> int:
    """How a tile was discarded, by its place in the river from 0, as long as nothing follows.

    1–2 just drawn, among the first six or later; 3–6 from the hand, by three discards each; 10–11
    the riichi tile, from the hand or just drawn. `discarded` adds 7–8, the tedashi before the last,
    early or late, and 9, the last tedashi.
    """
    if discard.riichi:
        return 10 + discard.tsumogiri
    return 1 + (place >= _LATE) if discard.tsumogiri else 3 + min(place // 3, 3)


def discarded(before: tuple[RiverTile, ...]) -> list[int]:
    """How each kind was discarded, 0–11 (`how`), (34,)."""
    ways = [how(place, discard) for place, discard in enumerate(before)]
    tedashi = [i for i, d in enumerate(before) if not d.tsumogiri and not d.riichi]
    for place, way in zip(tedashi[:-3:-1], (9, 8), strict=False):
        ways[place] = way if way == 9 or place >= _LATE else 7
    found = [0] * KINDS
    for discard, way in zip(before, ways, strict=True):
        kind = discard.tile >> 2
        found[kind] = max(found[kind], way)
    return found


def passed(view: View, seat: Seat) -> list[int]:
    """Tedashi of the opponent since another seat discarded each kind, plus 1, 4 for more, (34,).

    0 where no other seat discarded it.
    """
    tedashi = [discard.order for discard in seat.river if not discard.tsumogiri]
    found = [0] * KINDS
    for other in view.seats:
        if other.seat == seat.seat:
            continue
        for discard in other.river:
            since = 1 + len(tedashi) - bisect_right(tedashi, discard.order)
            kind = discard.tile >> 2
            found[kind] = min(since, found[kind] or COPIES, COPIES)
    return found


def dora_shown(case: Case) -> int:
    """Dora and red fives in the opponent's sets."""
    tiles = [tile for meld in case.seat.melds for tile in meld.tiles]
    return sum((tile in case.reds) + case.dora.count(tile >> 2) for tile in tiles)


def dora_unseen(case: Case) -> int:
    """Dora that the asking seat does not see, red fives too."""
    return case.unseen_reds + sum(case.unseen[kind] for kind in case.dora)


def _riichi_tile(before: tuple[RiverTile, ...]) -> int:
    if not before or not before[-1].riichi:
        return 10
    return 2 * RANK_CLASS[before[-1].tile >> 2] + before[-1].tsumogiri


def _count(kinds: Iterable[int]) -> Bytes:
    return np.bincount(np.fromiter(kinds, np.int64), minlength=KINDS).astype(np.int8)


def _by_suit(kinds: list[int], most: int) -> list[int]:
    suits = [SUIT[kind] for kind in kinds]
    return [min(suits.count(suit), most) for suit in range(NO_SUIT)]
