"""Riichi and tenpai: hands that must be ready, and stay so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from houjuu.game.events import Call, Discard, DrawnRound, Event
from houjuu.game.table import Table
from houjuu.game.tiles import KIND
from houjuu.hands.claims import is_tenpai, kuikae_kinds
from houjuu.scoring import engine
from houjuu.util.errors import LogError


def _is_ready(table: Table, seat: int, tiles: Sequence[int]) -> bool:
    melds, rules = table.seats[seat].melds, table.rules
    counts = rules.profile.empty_wait or is_tenpai(tiles, melds, rules)
    return counts and engine.is_tenpai(tiles, melds)


def check_riichi(table: Table, seat: int, following: Iterable[Event]) -> None:
    """Raise LogError if a seat cannot declare riichi, or its discard leaves a hand that is noten.

    Parameters
    ----------
    table : Table
        Before the declaration.
    seat : int
    following : iterable of Event
        The events after the declaration.
    """
    state = table.round_state
    profile = table.rules.profile
    if state.scores_known and state.scores[seat] < profile.riichi_points:
        raise LogError(f"riichi without the points for it: seat {seat}")
    if state.tiles_left < profile.riichi_tiles:
        least = profile.riichi_tiles
        raise LogError(f"riichi with fewer than {least} tiles in the wall: seat {seat}")
    discard = _next_discard(following)
    if discard is not None and not state.n_unknown[seat]:
        kept = [own for own in state.hands[seat] if own != discard.tile]
        if not _is_ready(table, seat, kept):
            raise LogError(f"riichi without tenpai: seat {seat}")


def _next_discard(following: Iterable[Event]) -> Discard | None:
    return next((event for event in following if isinstance(event, Discard)), None)


def check_discard(table: Table, call: Call, following: Iterable[Event]) -> None:
    """Raise LogError if the discard after a pon or chi swaps its tile (喰い替え)."""
    discard = _next_discard(following)
    if discard is None or len(call.meld.tiles) == 4:
        return
    if KIND[discard.tile] in kuikae_kinds(call.meld, table.rules):
        raise LogError(f"a discard swaps the called tile: seat {call.seat}")


def check_kan(table: Table, call: Call) -> None:
    """Raise LogError if a closed kan in riichi is not of the drawn tile, or changes the waits."""
    state, seat, tiles = table.round_state, call.seat, call.meld.tiles
    melds = table.seats[seat].melds
    if not state.in_riichi[seat] or state.n_unknown[seat] or state.drawn is None:
        return
    if state.drawn not in tiles:
        raise LogError(f"a kan in riichi is not of the drawn tile: seat {seat}")
    before = [own for own in state.hands[seat] if own != state.drawn]
    after = [own for own in before if own not in tiles]
    waits = engine.waits
    if waits(before, melds) != waits(after, [*melds, call.meld]):
        raise LogError(f"a kan in riichi changes the waits: seat {seat}")


def check_tenpai(table: Table, drawn: DrawnRound) -> None:
    """Raise LogError unless the tenpai hands of an exhausted draw are, and those in riichi are."""
    state = table.round_state
    for seat, ready in enumerate(drawn.tenpai):
        if ready is False and table.seats[seat].in_riichi:
            raise LogError(f"a hand in riichi is not shown as tenpai: seat {seat}")
        hand = drawn.hands[seat] or (None if state.n_unknown[seat] else state.hands[seat])
        if ready and hand and not _is_ready(table, seat, hand):
            raise LogError(f"a hand that is not tenpai is shown as tenpai: seat {seat}")
