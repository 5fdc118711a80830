"""The public state of one seat: its river, melds and riichi."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from houjuu.game.events import Meld
from houjuu.game.round_state import meld_problem
from houjuu.game.tiles import KIND
from houjuu.util.errors import TableError

SEATS_CACHED = 64
"""Size of the caches by `Seat`: the queries of several seats at one table share the rivers."""


class RiverTile(NamedTuple):
    """A discard.

    Attributes
    ----------
    tile : int
        Tile id, 0–135.
    tsumogiri : bool
        Whether it was the tile just drawn; otherwise it came from the hand (tedashi).
    riichi : bool
        Whether it declared riichi, accepted or not.
    order : int
        Number of earlier discards in the round, by all seats.
    others_in_riichi : int
        Number of other seats in riichi at the time of the discard.
    called_by : int or None
        The seat that called the tile.
    """

    tile: int
    tsumogiri: bool
    riichi: bool
    order: int
    others_in_riichi: int
    called_by: int | None = None

    @property
    def kind(self) -> int:
        """Kind of the tile, 0–33."""
        return KIND[self.tile]


@dataclass(frozen=True, slots=True)
class Seat:
    """Public state of one seat.

    Attributes
    ----------
    seat : int
        0–3, absolute.
    river : tuple of RiverTile
        Discards in order, called ones included.
    melds : tuple of Meld
        Sets on the table, closed kans included.
    declared : bool
        Whether the seat has declared riichi, accepted or not.
    in_riichi : bool
        Whether the riichi was accepted.
    away : bool
        Whether the player is disconnected, so that the discards are automatic.
    was_away : bool
        Whether the player was disconnected at any time in this round.
    """

    seat: int
    river: tuple[RiverTile, ...] = ()
    melds: tuple[Meld, ...] = ()
    declared: bool = False
    in_riichi: bool = False
    away: bool = False
    was_away: bool = False

    def __hash__(self) -> int:
        """A hash of the seat and its last discard: that of the whole river takes longer.

        Each discard and each meld changes it, so that few seats in a cache share one.
        """
        return hash((self.seat, len(self.river), self.river[-1:], len(self.melds)))

    @property
    def n_open_melds(self) -> int:
        """Number of 副露, 0–4; closed kans do not count."""
        return sum(meld.is_open for meld in self.melds)

    @property
    def n_concealed(self) -> int:
        """Number of concealed tiles between turns: 13, 10, 7, 4 or 1."""
        return 13 - 3 * len(self.melds)

    @property
    def declares(self) -> bool:
        """Whether the seat has declared riichi, and it is not yet accepted."""
        return self.declared and not self.in_riichi

    @property
    def riichi_turn(self) -> int | None:
        """Index in the river of the discard that declared riichi."""
        return next((i for i, discard in enumerate(self.river) if discard.riichi), None)


def opponents_of(seats: Sequence[Seat], seat: int) -> tuple[Seat, Seat, Seat]:
    """The other seats in playing order: right, across, left."""
    return seats[(seat + 1) % 4], seats[(seat + 2) % 4], seats[(seat + 3) % 4]


@lru_cache(maxsize=SEATS_CACHED)
def river_mask(seat: Seat) -> int:
    """Mask of the kinds (bit h for kind h) in the river of a seat."""
    mask = 0
    for discard in seat.river:
        mask |= 1 << KIND[discard.tile]
    return mask


def public_tiles(seats: tuple[Seat, ...], dora_indicators: tuple[int, ...]) -> Iterator[int]:
    """Ids of all face-up tiles, each once: a called tile counts in its meld, not in the river."""
    for seat in seats:
        yield from (discard.tile for discard in seat.river if discard.called_by is None)
        for meld in seat.melds:
            yield from meld.tiles
    yield from dora_indicators


def require(condition: bool, problem: str) -> None:
    """Raise TableError with the problem unless the condition holds."""
    if not condition:
        raise TableError(problem)


def check_seat(seat: Seat) -> None:
    """Raise TableError if the melds, the river and the riichi of a seat contradict each other."""
    require(len(seat.melds) <= 4, f"seat {seat.seat} has {len(seat.melds)} melds")
    for meld in seat.melds:
        problem = meld_problem(meld)
        require(problem is None, f"seat {seat.seat}: {problem}")
    turns = [turn for turn, discard in enumerate(seat.river) if discard.riichi]
    require(len(turns) <= 1, f"seat {seat.seat} declares riichi twice")
    require(not turns or seat.declared, f"seat {seat.seat} has a riichi tile, but no riichi")
    require(not seat.in_riichi or bool(turns), f"seat {seat.seat} is in riichi without its tile")
    require(not (seat.declared and seat.n_open_melds), f"seat {seat.seat} is in riichi and open")
    later = seat.river[turns[0] + 1 :] if turns else ()
    tsumogiri = all(discard.tsumogiri for discard in later)
    require(tsumogiri, f"seat {seat.seat} discards from its hand in riichi")
