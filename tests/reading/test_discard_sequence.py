"""The codes of discards: against the events that they come from, and against their later selves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from houjuu.game.events import KANS, Call, Deal, Discard, Game, Meld, MeldKind
from houjuu.game.table import Table
from houjuu.game.tiles import IS_HONOUR, KIND, KINDS, RED_FIVES, SUIT, parse_tiles
from houjuu.game.view import View
from houjuu.reading import discard_sequence
from houjuu.reading.discard_sequence import FIELDS, Codes, discard_codes
from houjuu.reading.safety import safety_class
from tests.kit.positions import changed, chi, pon, view_of

_KAN = parse_tiles("9999m")
DAIMINKAN = Meld(MeldKind.DAIMINKAN, tuple(sorted(_KAN)), called=_KAN[0])
NAMES = [field.name for field in FIELDS]
Expected = dict[str, int]


def test_a_river_by_hand() -> None:
    codes = discard_codes(view_of("", "9m 1z' 3p 0s 4s 9m'", dora="3s"))[1]
    by_name = dict(zip(NAMES, codes.T.tolist(), strict=True))
    assert by_name["kind"] == [8, 27, 11, 22, 21, 8]
    assert by_name["tedashi"] == [1, 0, 1, 1, 1, 0]
    assert by_name["dora"] == [0, 0, 0, 2, 1, 0]
    assert by_name["dora_gap"] == [4, 4, 4, 1, 0, 4]
    assert by_name["suit_discards"] == [0, 0, 0, 0, 1, 1]
    assert by_name["rank_gap"] == [5, 6, 5, 5, 1, 0]
    assert by_name["seen"] == [0, 0, 0, 0, 0, 1]
    assert by_name["safety"] == [5] * 6


def test_no_discard_has_no_codes() -> None:
    codes = discard_codes(view_of("", ""))
    assert [of_seat.shape for of_seat in codes] == [(0, len(FIELDS))] * 4


def test_later_events_change_no_code(games: list[Game]) -> None:
    """At every discard each seat's codes begin with those at the discard before."""
    compared = 0
    for game in games[:6]:
        table, before = Table(game.rules), [b""] * 4
        for event in game:
            table.apply(event)
            if isinstance(event, Deal):
                before = [b""] * 4
            elif isinstance(event, Discard):
                asking = (event.seat + 1) % 4
                after = [codes.tobytes() for codes in discard_codes(table.view(asking))]
                assert all(new.startswith(old) for old, new in zip(before, after, strict=True))
                assert len(after[event.seat]) == len(before[event.seat]) + len(FIELDS)
                before, compared = after, compared + 1
    assert compared > 1000


def test_earlier_queries_change_no_code(own_games: list[Game]) -> None:
    """The tables that are kept from query to query: views of two games by turns, then afresh."""
    views = []
    for game in own_games[:2]:
        table = Table(game.rules)
        for event in game:
            table.apply(event)
            if isinstance(event, Discard):
                views.append(table.view(event.seat))
    by_turns = [view for pair in zip(views[:200], views[-200:], strict=True) for view in pair]
    kept = [[codes.tobytes() for codes in discard_codes(view)] for view in by_turns]
    for view, expected in zip(by_turns, kept, strict=True):
        discard_sequence._tables.clear()
        assert [codes.tobytes() for codes in discard_codes(view)] == expected


def test_the_order_of_queries_changes_no_code(own_games: list[Game]) -> None:
    """Views of the same rounds from the last to the first, and by turns from both ends."""
    table, views = Table(own_games[0].rules), []
    for event in own_games[0]:
        table.apply(event)
        if not isinstance(event, Deal):
            views.append(table.view(0))
    from_both_ends = [view for pair in zip(views, views[::-1], strict=True) for view in pair]
    for view in (*views[::-1], *from_both_ends[:400]):
        kept = [codes.tobytes() for codes in discard_codes(view)]
        discard_sequence._tables.pop(discard_sequence._public_deal(view), None)
        assert kept == [codes.tobytes() for codes in discard_codes(view)]


def test_other_courses_of_a_deal_change_no_code() -> None:
    """Each position, after each of the others, has the codes that it has alone."""
    positions = [
        view_of("", river, caller)
        for river in ("9m 1z", "9m 2z", "9m 1z 3p", "9m 1z* 3p")
        for caller in ("", "8m", "8m 5p 6p")
    ]
    positions += [
        _with_melds(view, melds)
        for view in positions
        for melds in ((pon("999m"),), (pon("111z"),), (chi("978m"),), (DAIMINKAN,))
    ]
    alone = []
    for view in positions:
        discard_sequence._tables.clear()
        alone.append([codes.tobytes() for codes in discard_codes(view)])
    for before in positions:
        for view, expected in zip(positions, alone, strict=True):
            discard_sequence._tables.clear()
            discard_codes(before)
            assert [codes.tobytes() for codes in discard_codes(view)] == expected


def _with_melds(view: View, melds: tuple[Meld, ...]) -> View:
    """The view after seat 2 has called tiles of seat 1; an unknown tile is no event."""
    caller = replace(view.seats[2], melds=tuple(replace(meld, source=1) for meld in melds))
    return changed(view, seats=(*view.seats[:2], caller, view.seats[3]))


def test_codes_are_those_of_the_events(games: list[Game]) -> None:
    seen: set[tuple[str, int]] = set()
    for game in games[:8]:
        for expected, codes in _rounds(game):
            for of_discard, row in zip(expected, codes, strict=True):
                got = dict(zip(NAMES, row.tolist(), strict=True))
                assert {name: got[name] for name in of_discard} == of_discard
                seen |= set(of_discard.items())
    values = {name: {value for field, value in seen if field == name} for name, _ in seen}
    assert values["safety"] >= {0, 1, 2, 4, 5}
    assert values["call"] == {0, 1, 2}
    assert values["passed"] == {0, 1, 2, 3}
    assert values["rank"] == {0, 1, 2, 3}


def _rounds(game: Game) -> Iterator[tuple[list[Expected], Codes]]:
    """Yield the expected and the computed codes of every seat and round, at its last discard."""
    table, before = Table(game.rules), None
    expected: list[list[Expected]] = []
    for event, following in pairwise([*game, None]):
        assert event is not None
        if isinstance(event, Deal):
            expected = [[] for _ in range(4)]
        if isinstance(event, Discard):
            expected[event.seat].append(_expected(table, event, before))
        table.apply(event)
        before = event
        if isinstance(event, Discard):
            view = table.view(0)
        if expected and (following is None or isinstance(following, Deal)):
            yield from zip(expected, discard_codes(view), strict=True)


def _expected(table: Table, discard: Discard, before: object) -> Expected:
    """The codes that follow from the table before a discard."""
    seat, kind = discard.seat, KIND[discard.tile]
    view = table.view(seat)
    deal = table.events[0]
    assert isinstance(deal, Deal)
    scores = deal.scores or ()
    calls = [event for event in table.events if isinstance(event, Call)]
    made = [KIND[tile.tile] for tile in view.seats[seat].river]
    open_calls = [call for call in calls if call.meld.kind in (MeldKind.CHI, MeldKind.PON)]
    open_calls += [call for call in calls if call.meld.kind is MeldKind.DAIMINKAN]
    riichi = [other.seat for other in view.seats if other.in_riichi and other.seat != seat]
    safety = [safety_class(kind, view.furiten(other)) for other in riichi]
    others = [event for event in table.events if isinstance(event, Discard) and event.seat != seat]
    discards = [event for event in table.events if isinstance(event, Discard)]
    last = [len(discards) - discards.index(event) for event in others if KIND[event.tile] == kind]
    ago, red = min(last, default=99), view.rules.red_fives and discard.tile in RED_FIVES
    expected = {
        "kind": kind,
        "tedashi": int(not discard.tsumogiri),
        "riichi": len(riichi),
        "safety": max(safety, default=5),
        "passed": 0 if ago == 1 else 1 if ago <= 3 else 2 if ago < 99 else 3,
        "calls": sum(call.seat == seat for call in open_calls),
        "others_calls": sum(call.seat != seat for call in open_calls),
        "yakuhai": (kind == view.round_wind) + (kind == view.seat_wind(seat)) + (kind > 30),
        "suit_discards": sum(SUIT[other] == SUIT[kind] for other in made),
        "dealer": int(seat == deal.dealer),
        "rank": sum(score > scores[seat] for score in scores),
        "dora": 2 if red else int(view.dora[0] == kind),
    }
    if not any(call.meld.kind in KANS for call in calls):
        expected["call"] = _call_code(before)
        expected["tiles_left"] = table.round_state.tiles_left
        counts = [0] * KINDS
        for tile in _open_tiles(table):
            counts[KIND[tile]] += 1
        near = [] if IS_HONOUR[kind] else range(max(kind - 2, 0), min(kind + 3, KINDS))
        near_kinds = [k for k in near if k != kind and SUIT[k] == SUIT[kind]]
        expected |= {"seen": min(counts[kind], 3), "around": sum(counts[k] for k in near_kinds)}
    return expected


def _call_code(before: object) -> int:
    if not isinstance(before, Call):
        return 0
    return 1 if before.meld.kind is MeldKind.CHI else 2


def _open_tiles(table: Table) -> Iterator[int]:
    """Every tile that lies in a river or a meld, once; no indicator."""
    for seat in table.seats:
        yield from (tile.tile for tile in seat.river if tile.called_by is None)
        for meld in seat.melds:
            yield from meld.tiles
