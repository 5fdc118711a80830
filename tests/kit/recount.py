"""A slow oracle of the game table: it recomputes the whole state from the events of the round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from houjuu.game.events import (
    Away,
    Back,
    Call,
    Deal,
    Discard,
    Dora,
    Draw,
    DrawnRound,
    Event,
    Meld,
    MeldKind,
    Riichi,
    RiichiAccepted,
    Win,
)
from houjuu.game.table import RiverTile, Table
from houjuu.game.tiles import KIND, KINDS, TILES

Checks = dict[str, tuple[Any, Any]]


def validate(table: Table) -> None:
    """Raise AssertionError if the state of the table differs from the recomputed state."""
    for name, (value, expected) in _checks(table).items():
        assert value == expected, f"{name} is {value}, but the events give {expected}"


def _checks(table: Table) -> Checks:
    """Values of the table and recomputed values, by name."""
    events = table.events
    deal = cast(Deal, events[0])
    checks: Checks = {
        "scores": (table.round_state.scores, _scores(events, deal)),
        "tiles_left": (table.round_state.tiles_left, 70 - sum(type(e) is Draw for e in events)),
    }
    for seat in range(4):
        checks |= _seat_checks(table, seat, events, deal)
    return checks


def _seat_checks(table: Table, seat: int, events: Sequence[Event], deal: Deal) -> Checks:
    public, view = table.seats[seat], table.view(seat)
    melds = _melds(events, seat)
    hand = _hand(events, deal, seat)
    accepted = RiichiAccepted(seat) in events
    return {
        f"melds of {seat}": (sorted(public.melds, key=str), sorted(melds, key=str)),
        f"river of {seat}": (public.river, _river(events, seat)),
        f"hand of {seat}": (None if hand is None else sorted(view.hand), hand),
        f"riichi of {seat}": (
            (public.declared, public.in_riichi, table.round_state.in_riichi[seat]),
            (Riichi(seat) in events, accepted, accepted),
        ),
        f"passed by {seat}": (view.passed[seat], _passed(events, seat)),
        f"away of {seat}": (public.was_away or Away(seat) not in events, True),
        f"unseen of {seat}": (
            None if hand is None else view.unseen().tolist(),
            None if hand is None else _unseen(events, deal, hand),
        ),
    }


def _melds(events: Sequence[Event], seat: int) -> list[Meld]:
    called = [e.meld for e in events if isinstance(e, Call) and e.seat == seat]
    extended = {m.called for m in called if m.kind is MeldKind.KAKAN}
    return [m for m in called if m.kind is not MeldKind.PON or m.called not in extended]


def _hand(events: Sequence[Event], deal: Deal, seat: int) -> list[int] | None:
    """Concealed tiles in ascending order, or None if the hand is hidden."""
    dealt = deal.hands[seat]
    if dealt is None:
        return None
    drawn = [e.tile for e in events if isinstance(e, Draw) and e.seat == seat]
    removed = [e.tile for e in events if isinstance(e, Discard) and e.seat == seat]
    for event in events:
        if isinstance(event, Call) and event.seat == seat:
            removed += event.meld.from_hand
    return sorted({*dealt, *cast(list[int], drawn)} - set(removed))


def _river(events: Sequence[Event], seat: int) -> tuple[RiverTile, ...]:
    river = []
    discards = [i for i, e in enumerate(events) if isinstance(e, Discard)]
    for order, index in enumerate(discards):
        discard = cast(Discard, events[index])
        if discard.seat != seat:
            continue
        before = events[:index]
        river.append(
            RiverTile(
                discard.tile,
                discard.tsumogiri,
                Riichi(seat) in before and RiichiAccepted(seat) not in before,
                order,
                sum(isinstance(e, RiichiAccepted) and e.seat != seat for e in before),
                _caller(events[index + 1 :], discard.tile),
            )
        )
    return tuple(river)


def _caller(later: Sequence[Event], tile: int) -> int | None:
    calls = (e for e in later if isinstance(e, Call) and e.meld.called == tile)
    return next((e.seat for e in calls), None)


def _passed(events: Sequence[Event], seat: int) -> int:
    own = [i for i, e in enumerate(events) if isinstance(e, Discard) and e.seat == seat]
    if Riichi(seat) in events:
        declaring = [i for i in own if i > events.index(Riichi(seat))][:1]
        own = declaring or own
    mask, claimable = 0, _claimable(events)
    for event in events[own[-1] + 1 if own else 0 :]:
        if event is claimable:
            continue
        if isinstance(event, Discard) and event.seat != seat:
            mask |= 1 << KIND[event.tile]
        if isinstance(event, Call) and event.seat != seat and event.meld.added is not None:
            mask |= 1 << KIND[event.meld.added]
    return mask


def _claimable(events: Sequence[Event]) -> Event | None:
    """The last discard or added kan, if its tile can still be won on."""
    without_effect = (Dora, RiichiAccepted, Away, Back)
    last = next(event for event in reversed(events) if not isinstance(event, without_effect))
    return last if isinstance(last, (Discard, Call)) else None


def _scores(events: Sequence[Event], deal: Deal) -> list[int]:
    scores = list(deal.scores or ())
    for event in events:
        if isinstance(event, RiichiAccepted):
            scores[event.seat] -= 1000
        elif isinstance(event, (Win, DrawnRound)) and event.deltas:
            scores = [score + delta for score, delta in zip(scores, event.deltas, strict=True)]
    return scores


def _unseen(events: Sequence[Event], deal: Deal, hand: list[int]) -> list[int]:
    """Number of tiles of each kind without the hand and all tiles that were ever visible."""
    seen = {deal.dora_indicator, *hand}
    for event in events:
        match event:
            case Discard(_, tile, _) | Dora(tile):
                seen.add(tile)
            case Call(_, meld):
                seen.update(meld.tiles)
            case _:
                pass
    counts = [0] * KINDS
    for tile in set(range(TILES)) - seen:
        counts[KIND[tile]] += 1
    return counts
