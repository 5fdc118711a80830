"""The table and the hands in notation that JSON can represent.

River tiles have the marks of `houjuu danger`: ' tsumogiri, * riichi, ~ called away.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TypeVar

from houjuu.game.events import Meld, Win
from houjuu.game.table import RiverTile, Seat, Table, View
from houjuu.game.tiles import format_tiles, kind_name
from houjuu.review.page_types import MeldTiles, OpenTable, PublicSeat, WinResult

T = TypeVar("T")


@cache
def name(tile: int, red_fives: bool = True) -> str:
    """A tile in notation: "5p", or "0p" for the red five."""
    return format_tiles([tile], red_fives=red_fives)


def names(tiles: Iterable[int], red_fives: bool = True) -> list[str]:
    """Tiles in notation, in the given order."""
    return [name(tile, red_fives) for tile in tiles]


def relative(values: Iterable[T], seat: int) -> list[T]:
    """Values of the four absolute seats in relative order: the seat, right, across, left."""
    absolute = list(values)
    return absolute[seat:] + absolute[:seat]


def open_table(view: View) -> OpenTable:
    """The public state of the table, the viewing seat first."""
    red_fives = view.rules.red_fives
    seats = (view.seats[view.seat], *view.opponents)
    return {
        "tiles_left": view.tiles_left,
        "sticks": view.riichi_sticks,
        "scores": relative(view.scores, view.seat),
        "indicators": names(view.dora_indicators, red_fives),
        "dora": [kind_name(kind) for kind in view.dora],
        "seats": [_seat(seat, red_fives) for seat in seats],
        "last_discarder": _last_discarder(seats),
    }


def _last_discarder(seats: Sequence[Seat]) -> int | None:
    """Index of the seat that made the latest discard."""
    last_orders = [(seat.river[-1].order, i) for i, seat in enumerate(seats) if seat.river]
    return max(last_orders)[1] if last_orders else None


def opponent_hands(table: Table, view: View) -> list[list[str] | None]:
    """Concealed tiles of the opponents of a view; None where the log does not show them."""
    state = table.round_state
    red_fives = view.rules.red_fives
    return [
        None if state.n_unknown[seat.seat] else names(sorted(state.hands[seat.seat]), red_fives)
        for seat in view.opponents
    ]


def _seat(seat: Seat, red_fives: bool) -> PublicSeat:
    return {
        "river": [_river_tile(discard, red_fives) for discard in seat.river],
        "melds": [_meld(meld, seat.seat, red_fives) for meld in seat.melds],
        "riichi": seat.in_riichi,
    }


def _river_tile(discard: RiverTile, red_fives: bool) -> str:
    called = discard.called_by is not None
    marks = ("'" * discard.tsumogiri, "*" * discard.riichi, "~" * called)
    return name(discard.tile, red_fives) + "".join(marks)


def _meld(meld: Meld, seat: int, red_fives: bool) -> MeldTiles:
    called = [tile for tile in (meld.called, meld.added) if tile is not None]
    return {
        "kind": meld.kind.value,
        "own": names((tile for tile in meld.tiles if tile not in called), red_fives),
        "called": names(called, red_fives),
        "source": None if meld.source is None else (meld.source - seat) % 4,
    }


def win(win: Win, seat: int, points: int | None, red_fives: bool) -> WinResult:
    """A win, with winner and source relative to a seat; `points` is None if they are unknown."""
    return {
        "winner": (win.seat - seat) % 4,
        "source": (win.source - seat) % 4,
        "points": points,
        "tile": name(win.tile, red_fives),
        "hand": names((tile for tile in win.hand if tile != win.tile), red_fives),
        "melds": [_meld(meld, win.seat, red_fives) for meld in win.melds],
        "yaku": [*dict(win.yaku), *win.yakuman],
    }
