"""A View cannot be constructed inconsistently; every view of a table is consistent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from houjuu.game.events import (
    Discard,
    DrawnRound,
    Game,
    Meld,
    MeldKind,
    Riichi,
    RiichiAccepted,
    Win,
)
from houjuu.game.table import Table
from houjuu.game.tiles import TILES
from houjuu.game.view import View, with_riichi_accepted
from houjuu.util.errors import TableError
from tests.kit.games import walk

Fields = dict[str, Any]
Damage = Callable[[View], Fields]


def test_every_view_of_a_table_is_consistent(games: list[Game]) -> None:
    n_views = 0
    for game in games[:4]:
        table = Table(game.rules)
        for event in game:
            table.apply(event)
            if not isinstance(event, (Win, DrawnRound)):
                for view in map(table.view, range(4)):
                    assert replace(view) == view
                    n_views += 1
    assert n_views > 1000


def test_a_riichi_is_accepted_as_the_table_accepts_it(games: list[Game]) -> None:
    """Only while its tile may be claimed does a riichi wait; before its tile there is none."""
    n_riichi = 0
    for game in games[:8]:
        table = Table(game.rules)
        for event in game:
            if isinstance(event, RiichiAccepted):
                waiting = [*map(table.view, range(4))]
                table.apply(event)
                for before, after in zip(waiting, map(table.view, range(4)), strict=True):
                    made = with_riichi_accepted(before)
                    assert replace(made, passed=after.passed, moment=after.moment) == after
                    assert before != after
                n_riichi += 1
                continue
            table.apply(event)
            if not isinstance(event, (Win, DrawnRound)):
                view = table.view(0)
                waits = any(seat.declared != seat.in_riichi for seat in view.seats)
                changes = with_riichi_accepted(view) != view
                assert changes == (waits and not isinstance(event, Riichi))
    assert n_riichi > 10


@pytest.fixture(scope="module")
def view(own_games: list[Game]) -> View:
    """A decision after a draw, with an open meld and, for more than a turn, a riichi."""
    for table, event in walk(own_games, Discard):
        if _is_rich(table.view(event.seat)):
            return table.view(event.seat)
    raise AssertionError("no such decision")


def _is_rich(view: View) -> bool:
    riichi = [seat for seat in view.opponents if seat.in_riichi and not seat.river[-1].riichi]
    n_open = sum(seat.n_open_melds for seat in view.seats)
    return bool(riichi and n_open and view.drawn is not None and len(view.hand) == 14)


def with_seat(view: View, index: int, **changes: Any) -> Fields:
    seats = list(view.seats)
    seats[index] = replace(seats[index], **changes)
    return {"seats": tuple(seats)}


def with_discard(view: View, index: int, turn: int, **changes: Any) -> Fields:
    river = list(view.seats[index].river)
    river[turn] = river[turn]._replace(**changes)
    return with_seat(view, index, river=tuple(river))


def riichi_seat(view: View) -> int:
    return next(seat.seat for seat in view.opponents if seat.in_riichi)


def open_seat(view: View) -> int:
    return next(seat.seat for seat in view.seats if seat.n_open_melds)


def unused(view: View) -> int:
    return next(tile for tile in range(TILES) if tile not in view.visible())


def other_source(view: View) -> Fields:
    seat = view.seats[open_seat(view)]
    first, *rest = seat.melds
    across = replace(
        first, source=(seat.seat + 2) % 4 if first.source != (seat.seat + 2) % 4 else 1
    )
    return with_seat(view, seat.seat, melds=(across, *rest))


def not_a_run(view: View) -> Fields:
    free = [tile for tile in range(27 * 4) if tile not in view.visible()]
    tiles = tuple(next(tile for tile in free if tile // 4 == kind) for kind in (18, 20, 25))
    meld = Meld(MeldKind.CHI, tiles, called=0, source=0)
    return with_seat(view, 1, melds=(meld,))


DAMAGES: list[tuple[Damage, str]] = [
    (lambda v: {"seat": 4}, "the seat is 4"),
    (lambda v: {"dealer": -1}, "the dealer is -1"),
    (lambda v: {"dealer": (v.dealer + 1) % 4}, "it is the turn of"),
    (lambda v: {"honba": -1}, "honba is -1"),
    (lambda v: {"seats": v.seats[::-1]}, "0 to 3 in order"),
    (lambda v: {"scores": v.scores[:3]}, "there are 3 scores"),
    (lambda v: {"passed": (1 << 34, 0, 0, 0)}, "4 masks"),
    (lambda v: {"riichi_sticks": 0}, "but there are 0 riichi sticks"),
    (lambda v: {"hand": (v.seats[0].river[0].tile, *v.hand[1:])}, "appears twice"),
    (lambda v: {"hand": (136, *v.hand[1:])}, "there is no tile 136"),
    (lambda v: {"hand": v.hand[1:]}, "the hand has 13 tiles; now it has 14"),
    (lambda v: {"drawn": None}, "the hand has 14 tiles; now it has 13"),
    (lambda v: {"drawn": unused(v)}, "the drawn tile is not in the hand"),
    (lambda v: {"tiles_left": v.tiles_left - 1}, "tiles are left, but"),
    (lambda v: {"tiles_left": v.tiles_left + 1}, "tiles are left, but"),
    (lambda v: {"dora_indicators": ()}, "there are 0 dora indicators"),
    (lambda v: {"dora_indicators": (*v.dora_indicators, unused(v))}, "dora indicators and"),
    (lambda v: with_discard(v, 0, 0, order=99), "not numbered from 0"),
    (lambda v: with_discard(v, 0, 0, others_in_riichi=3), "others in riichi, not 0"),
    (lambda v: with_discard(v, v.seat, 0, called_by=v.opponents[0].seat), "do not agree"),
    (lambda v: with_discard(v, riichi_seat(v), -1, tsumogiri=False), "from its hand in riichi"),
    (lambda v: with_discard(v, riichi_seat(v), -1, riichi=True), "declares riichi twice"),
    (lambda v: with_seat(v, riichi_seat(v), declared=False), "but no riichi"),
    (
        lambda v: with_seat(v, v.seat, in_riichi=True) | {"riichi_sticks": 9},
        "in riichi without its tile",
    ),
    (lambda v: with_seat(v, open_seat(v), declared=True), "in riichi and open"),
    (lambda v: with_seat(v, open_seat(v), melds=()), "do not agree"),
    (other_source, "do not agree|cannot call"),
    (not_a_run, "is not a run"),
]


@pytest.mark.parametrize(("damage", "problem"), DAMAGES, ids=[entry[1] for entry in DAMAGES])
def test_an_inconsistent_view_is_an_error(view: View, damage: Damage, problem: str) -> None:
    with pytest.raises(TableError, match=problem):
        replace(view, **damage(view))
