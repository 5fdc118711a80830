from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pandas as pd
import pytest

from houjuu.game.events import (
    Away,
    Back,
    Call,
    Deal,
    Discard,
    Dora,
    Draw,
    Event,
    Game,
    Meld,
    MeldKind,
    Riichi,
    RiichiAccepted,
    Win,
)
from houjuu.game.table import Seat, Table, View
from houjuu.game.tiles import KIND, parse_kind, parse_tiles
from houjuu.logs import mjlog
from houjuu.util.errors import TableError
from tests.kit import real
from tests.kit.games import played
from tests.kit.recount import validate


def deal(**hands: str) -> Deal:
    """A deal of seat 0; the named seats have these tiles, the other tiles are arbitrary."""
    tiles = iter(parse_tiles("".join(hands.values())))
    counts = {name: sum(letter.isdigit() for letter in text) for name, text in hands.items()}
    fixed = {name: [next(tiles) for _ in range(count)] for name, count in counts.items()}
    used = {tile for tiles in fixed.values() for tile in tiles} | {INDICATOR}
    free = [tile for tile in range(135, -1, -1) if tile not in used]
    dealt = []
    for name in ("east", "south", "west", "north"):
        hand = fixed.get(name, [])
        dealt.append((*hand, *(free.pop() for _ in range(13 - len(hand)))))
    return Deal(0, 0, 0, 0, (25000,) * 4, INDICATOR, tuple(dealt))


(INDICATOR,) = parse_tiles("7z")
PON_OF_HAKU = Meld(MeldKind.PON, (124, 125, 126), called=124, source=0)
EAST_HAKU = "1m123p456p789p5z12s"
SOUTH_HAKU = "5z5z"


def test_the_table_equals_its_recount(games: list[Game]) -> None:
    checks = 0
    for game in games[:6]:
        table = Table(game.rules)
        for index, event in enumerate(game):
            table.apply(event)
            if index % 7 == 0 or isinstance(event, (Call, Win)):
                validate(table)
                checks += 1
    assert checks > 100


def test_the_recount_notices_a_difference() -> None:
    table = played(deal(), Draw(0, 120), Discard(0, 120, tsumogiri=True))
    table.round_state.scores[2] += 100
    with pytest.raises(AssertionError, match="scores is"):
        validate(table)


def reachable(thing: Any, objects: list[Any], seen: set[int]) -> list[Any]:
    """All objects that an object refers to, by fields and elements."""
    if id(thing) in seen or isinstance(thing, (int, str, type(None))):
        return objects
    seen.add(id(thing))
    objects.append(thing)
    if dataclasses.is_dataclass(thing):
        for field in dataclasses.fields(thing):
            reachable(getattr(thing, field.name), objects, seen)
    elif isinstance(thing, (tuple, list)):
        for item in thing:
            reachable(item, objects, seen)
    else:
        raise AssertionError(f"a view contains a {type(thing)}")
    return objects


def test_a_view_reaches_no_other_hand(own_games: list[Game]) -> None:
    """A view contains only immutable objects, public tiles and the tiles of its seat."""
    table = Table()
    for event in own_games[0].events[:120]:
        table.apply(event)
    for seat in range(4):
        view = table.view(seat)
        hands = [set(hand) for hand in table.round_state.hands]
        numbers = {
            t
            for thing in reachable(view, [], set())
            if isinstance(thing, tuple)
            for t in thing
            if isinstance(t, int)
        }
        others = set().union(*(hands[i] for i in range(4) if i != seat))
        assert set(view.hand) == hands[seat]
        assert not set(view.visible()) & others
        assert isinstance(view, View)
        assert all(
            isinstance(thing, (View, Seat, tuple, Meld)) or thing == view.rules
            for thing in reachable(view, [], set())
        )
        assert numbers  # the walk did meet the tiles


def test_views_do_not_depend_on_hidden_tiles() -> None:
    """Two tables that differ only in hidden tiles give equal views."""
    one = deal(east="1m2m3m4m5m6m7m8m9m1p1p1p2p")
    swapped = (one.hands[0], one.hands[2], one.hands[1], one.hands[3])
    other = dataclasses.replace(one, hands=swapped)
    turn = (Draw(0, 131), Discard(0, 131, tsumogiri=True))
    assert played(one, *turn).view(0) == played(other, *turn).view(0)


def test_a_view_does_not_change() -> None:
    table = played(deal(), Draw(0, 120))
    view = table.view(1)
    before = repr(view)
    table.apply(Discard(0, 120, tsumogiri=True))
    assert repr(view) == before
    assert len(table.view(1).seats[0].river) == 1


def test_a_river_has_tedashi_order_and_calls() -> None:
    start = deal(east=EAST_HAKU, south=SOUTH_HAKU)
    (haku,) = set(parse_tiles(EAST_HAKU)) & set(range(124, 128))
    table = played(start, Draw(0, 120), Discard(0, haku, tsumogiri=False))
    assert not table.seats[0].river[0].tsumogiri
    pair = [t for t in table.round_state.hands[1] if KIND[t] == 31][:2]
    pon = Meld(MeldKind.PON, tuple(sorted((haku, *pair))), called=haku, source=0)
    table.apply(Call(1, pon))
    assert table.seats[0].river[0].called_by == 1
    assert table.seats[1].melds == (pon,)
    assert table.seats[1].n_open_melds == 1
    assert table.seats[1].n_concealed == 10
    tile = table.round_state.hands[1][-1]
    table.apply(Discard(1, tile, tsumogiri=False))
    table.apply(Draw(2, 121))
    table.apply(Discard(2, 121, tsumogiri=True))
    assert [d.order for s in (0, 1, 2) for d in table.seats[s].river] == [0, 1, 2]
    assert table.seats[2].river[0].tsumogiri
    validate(table)


def test_dora_and_winds() -> None:
    view = played(deal(), Draw(0, 120)).view(2)
    assert view.dora == (parse_kind("5z"),)  # the indicator is 7z
    assert view.round_wind == parse_kind("1z")
    assert [view.seat_wind(seat) for seat in range(4)] == [27, 28, 29, 30]


def test_riichi_marks_its_tile_and_costs_a_stick() -> None:
    table = played(deal(), Draw(0, 120), Riichi(0), Discard(0, 120, tsumogiri=True))
    assert table.seats[0].declared
    assert not table.seats[0].in_riichi
    table.apply(RiichiAccepted(0))
    assert table.seats[0].in_riichi
    assert table.seats[0].riichi_turn == 0
    assert table.view(1).scores == (24000, 25000, 25000, 25000)
    assert table.view(1).riichi_sticks == 1
    table.apply(Draw(1, 121))
    table.apply(Discard(1, 121, tsumogiri=True))
    assert table.seats[1].river[0].others_in_riichi == 1


def test_a_player_who_is_back_was_away() -> None:
    table, marks = played(deal(), Draw(0, 120)), []
    for event in (Away(1), Back(1), Away(1)):
        table.apply(event)
        marks.append((table.seats[1].away, table.seats[1].was_away))
    assert marks == [(True, True), (False, True), (True, True)]
    assert not any(table.seats[seat].was_away for seat in (0, 2, 3))


def furiten(table: Table, seat: int) -> list[int]:
    return np.flatnonzero(table.view((seat + 1) % 4).genbutsu(seat)).tolist()


def own_furiten(table: Table, seat: int) -> list[int]:
    return np.flatnonzero(table.view(seat).genbutsu(seat)).tolist()


def test_three_types_of_furiten() -> None:
    """Own river; discards of others since the own last discard; all discards since riichi."""
    kinds = [parse_kind(name) for name in ("1z", "2z", "3z", "4z", "5z")]
    own, first, second, third, later = kinds
    tiles = [4 * kind for kind in kinds]

    def turn(seat: int, tile: int) -> tuple[Event, Event]:
        return Draw(seat, tile), Discard(seat, tile, tsumogiri=True)

    hands = deal(east="123456789m1234p", south="123456789p1234s")
    table = played(hands, *turn(0, tiles[0]), *turn(1, tiles[1]), *turn(2, tiles[2]))
    assert furiten(table, 0) == [own, first, second]  # 同巡
    assert furiten(table, 1) == [first, second]
    for event in turn(3, tiles[3]):
        table.apply(event)
    assert furiten(table, 0) == [own, first, second, third]
    assert own_furiten(table, 0) == [own, first, second]  # it can still win on the last discard
    assert own_furiten(table, 1) == [first, second]
    table.apply(Draw(0, tiles[4]))
    assert own_furiten(table, 0) == [own, first, second, third]
    assert own_furiten(table, 1) == [first, second, third]
    table.apply(Riichi(0))
    table.apply(Discard(0, tiles[4], tsumogiri=True))
    table.apply(RiichiAccepted(0))
    assert furiten(table, 0) == [own, later]  # the passes before riichi no longer count
    for seat, tile in ((1, 110), (2, 114), (3, 118), (0, 122), (1, 126)):
        for event in turn(seat, tile):
            table.apply(event)
    assert furiten(table, 0) == [own, first, second, third, later]  # since riichi, all count
    assert first in furiten(table, 1)
    validate(table)


def test_unseen_counts_from_each_seat(own_games: list[Game]) -> None:
    table = Table()
    for event in own_games[1].events[:90]:
        table.apply(event)
    for seat in range(4):
        view = table.view(seat)
        unseen = view.unseen()
        hidden = sum(len(table.round_state.hands[i]) for i in range(4) if i != seat)
        dead = 14 - len(view.dora_indicators)
        assert unseen.sum() == hidden + view.tiles_left + dead
        assert unseen.min() >= 0


@pytest.mark.real_logs
def test_genbutsu_agrees_with_other_programs() -> None:
    """The benchmark of other programs has a genbutsu flag for each tile in hand.

    Its flag ignores the passes of the same turn, except in riichi. The true waits never include our
    genbutsu.
    """
    path = real.archive("peer-bench").parents[1] / "peers" / "tiles.parquet"
    columns = ["game_id", "round", "seat", "discard", "opponent", "tile"]
    columns += ["genbutsu", "riichi", "ronable"]
    stated = pd.read_parquet(path, columns=columns).astype({"game_id": str})
    compared = 0
    for name, data in real.games("peer-bench", 15):
        game = mjlog.parse(data, name)
        rows = stated[stated["game_id"] == game.id]
        key = rows[["round", "seat", "discard", "opponent"]].apply(tuple, axis=1)
        answers = dict(_genbutsu(game))
        pairs = zip(key, rows["tile"], strict=True)
        safe = np.array([bool(answers[k] >> tile & 1) for k, tile in pairs])
        riichi, theirs = rows["riichi"].to_numpy(), rows["genbutsu"].to_numpy()
        assert (safe == theirs)[riichi].all()
        assert safe[theirs].all()
        assert not safe[rows["ronable"]].any()
        compared += len(rows)
    assert compared > 1000


def _genbutsu(game: Game) -> list[tuple[tuple[int, ...], int]]:
    table = Table(game.rules)
    answers: list[tuple[tuple[int, ...], int]] = []
    index = -1
    for event in game:
        index += isinstance(event, Deal)
        if isinstance(event, Discard):
            view = table.view(event.seat)
            turn = len(view.seats[event.seat].river)
            for opponent in view.opponents:
                key = (index, event.seat, turn, opponent.seat)
                answers.append((key, view.furiten(opponent.seat)))
        table.apply(event)
    return answers


TURN = (deal(), Draw(0, 120))


@pytest.mark.parametrize(
    ("events", "reason"),
    [
        ((Draw(0, 120),), "out of turn"),
        ((deal(), Draw(1, 120)), "out of turn"),
        ((deal(), Draw(0, INDICATOR)), "appears twice"),
        ((deal(), deal()), "before the last one ended"),
        ((*TURN, Draw(0, 121)), "out of turn"),
        ((*TURN, Discard(1, 0, tsumogiri=False)), "out of turn"),
        ((*TURN, Discard(0, 130, tsumogiri=False)), "does not hold"),
        ((*TURN, Discard(0, 120, tsumogiri=False)), "from its hand"),
        ((*TURN, Discard(0, 121, tsumogiri=True)), "did not draw"),
        ((*TURN, RiichiAccepted(0)), "did not declare"),
        ((*TURN, Riichi(1)), "seat 1 declares riichi out of turn"),
        ((*TURN, Dora(121)), "without a kan"),
        ((*TURN, Call(0, PON_OF_HAKU)), "not just discarded"),
        ((*TURN, Call(7, PON_OF_HAKU)), "no such seat"),
        ((*TURN, Call(0, Meld(MeldKind.ANKAN, (0, 1, 2, 4)))), "not of one kind"),
        ((*TURN, Call(0, Meld(MeldKind.CHI, (0, 4, 12), called=0, source=3))), "not a run"),
        ((*TURN, Win(1, 0, 120)), "did not discard"),
        ((*TURN, Win(0, 0, 119)), "did not draw"),
    ],
)
def test_impossible_events_are_rejected(events: tuple[Event, ...], reason: str) -> None:
    table = played(*events[:-1])
    before = repr(table.view(0)) if len(events) > 1 else ""
    with pytest.raises(TableError, match=reason):
        table.apply(events[-1])
    if before:
        assert repr(table.view(0)) == before
        validate(table)


def south_after_riichi(*, declares: bool) -> tuple[Event, ...]:
    """South declares riichi on its first discard, and East has drawn again."""
    declared, accepted = (Riichi(1),) * declares, (RiichiAccepted(1),) * declares
    return (
        deal(east="5z3m", south="5z5z5z1m2m6z6z6z"),
        Draw(0, 100),
        Discard(0, 100, tsumogiri=True),
        Draw(1, 101),
        *declared,
        Discard(1, 101, tsumogiri=True),
        *accepted,
        Draw(2, 102),
        Discard(2, 102, tsumogiri=True),
        Draw(3, 103),
        Discard(3, 103, tsumogiri=True),
        Draw(0, 104),
    )


HATSU = tuple(range(128, 132))


@pytest.mark.parametrize(
    "meld",
    [
        Meld(MeldKind.CHI, (0, 4, 8), called=8, source=0),
        PON_OF_HAKU,
        Meld(MeldKind.DAIMINKAN, (124, 125, 126, 127), called=124, source=0),
    ],
)
def test_a_seat_in_riichi_calls_no_discard(meld: Meld) -> None:
    assert meld.called is not None
    for declares in (False, True):
        discard = Discard(0, meld.called, tsumogiri=False)
        table = played(*south_after_riichi(declares=declares), discard)
        if declares:
            with pytest.raises(TableError, match="seat 1 is in riichi"):
                table.apply(Call(1, meld))
            assert not table.seats[1].melds
        else:
            table.apply(Call(1, meld))
            assert table.seats[1].melds == (meld,)


def test_a_seat_in_riichi_makes_a_closed_kan_alone() -> None:
    turn = (Discard(0, 104, tsumogiri=True), Draw(1, HATSU[-1]))
    table = played(*south_after_riichi(declares=True), *turn)
    added = Meld(MeldKind.KAKAN, HATSU, called=HATSU[0], source=0, added=HATSU[-1])
    with pytest.raises(TableError, match="no pon to add"):
        table.apply(Call(1, added))
    table.apply(Call(1, Meld(MeldKind.ANKAN, HATSU)))
    assert [meld.kind for meld in table.seats[1].melds] == [MeldKind.ANKAN]
    with pytest.raises(TableError, match="from its hand"):
        played(*south_after_riichi(declares=True), *turn, Discard(1, HATSU[0], tsumogiri=False))


def test_nobody_draws_before_a_riichi_is_accepted() -> None:
    for seat in (-1, 0, 1):
        with pytest.raises(TableError, match="out of turn"):
            played(*TURN, Riichi(0), Discard(0, 120, tsumogiri=True), Draw(seat, 121))
