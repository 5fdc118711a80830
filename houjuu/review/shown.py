"""What lies open on a table and what is held, in notation that JSON can hold.

A tile of a river has the marks of `houjuu danger`: ' tsumogiri, * riichi, ~ called away.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from houjuu.events import Meld, Win
from houjuu.table import RiverTile, Seat, Table, View
from houjuu.tiles import format_tiles
from houjuu.yaku import YAKU

Data = dict[str, Any]


def name(tile: int, red_fives: bool = True) -> str:
    """A tile as "5p", "0p" where it is red."""
    return format_tiles([tile], red_fives=red_fives)


def names(tiles: Iterable[int], red_fives: bool = True) -> list[str]:
    """Tiles by name, in their order."""
    return [name(tile, red_fives) for tile in tiles]


def turned(values: Iterable[Any], seat: int) -> list[Any]:
    """What four seats have, from one seat on to the right."""
    absolute = list(values)
    return absolute[seat:] + absolute[:seat]


def open_table(view: View) -> Data:
    """What everybody sees, the viewing seat first."""
    red_fives, seats = view.rules.red_fives, (view.seats[view.seat], *view.opponents)
    return {
        "left": view.tiles_left,
        "sticks": view.riichi_sticks,
        "scores": turned(view.scores, view.seat),
        "indicators": names(view.dora_indicators, red_fives),
        "seats": [_seat(seat, red_fives) for seat in seats],
        "last": _last(seats),
    }


def _last(seats: Sequence[Seat]) -> int | None:
    """Which of the seats discarded last."""
    latest = [(seat.river[-1].order, i) for i, seat in enumerate(seats) if seat.river]
    return max(latest)[1] if latest else None


def hidden_hands(table: Table, view: View) -> list[list[str] | None]:
    """What the opponents of a view hold; None where the log does not tell."""
    ledger, red_fives = table.ledger, view.rules.red_fives
    return [
        None if ledger.unknown[seat.seat] else names(sorted(ledger.hands[seat.seat]), red_fives)
        for seat in view.opponents
    ]


def _seat(seat: Seat, red_fives: bool) -> Data:
    return {
        "river": [_river_tile(discard, red_fives) for discard in seat.river],
        "melds": [_meld(meld, seat.seat, red_fives) for meld in seat.melds],
        "riichi": seat.in_riichi,
    }


def _river_tile(discard: RiverTile, red_fives: bool) -> str:
    called = discard.called_by is not None
    marks = ("'" * discard.tsumogiri, "*" * discard.riichi, "~" * called)
    return name(discard.tile, red_fives) + "".join(marks)


def _meld(meld: Meld, seat: int, red_fives: bool) -> Data:
    """The called and the added tile stand apart; the source is 1–3 seats to the right."""
    apart = [tile for tile in (meld.called, meld.added) if tile is not None]
    return {
        "kind": meld.kind.value,
        "held": names((tile for tile in meld.tiles if tile not in apart), red_fives),
        "apart": names(apart, red_fives),
        "source": None if meld.source is None else (meld.source - seat) % 4,
    }


def won(win: Win, seat: int, red_fives: bool) -> Data:
    """A win as a seat tells it: who, from whom, with what and for how much."""
    return {
        "winner": (win.seat - seat) % 4,
        "source": (win.source - seat) % 4,
        "points": win.points,
        "tile": name(win.tile, red_fives),
        "hand": names((tile for tile in win.hand if tile != win.tile), red_fives),
        "melds": [_meld(meld, win.seat, red_fives) for meld in win.melds],
        "yaku": [YAKU[number].romaji for number in (*dict(win.yaku), *win.yakuman)],
    }
