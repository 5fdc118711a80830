"""A win that can be declared now: the moment, the rules and the payments.

``--real-games 100000`` compares every win of the archives with its log.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

pytest.importorskip("riichienv", reason="it evaluates the wins")

from houjuu import logs
from houjuu.game.actions import WINS, ActionKind, source_of
from houjuu.game.decisions import Follower
from houjuu.game.events import (
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
from houjuu.game.position import position
from houjuu.game.rules import M_LEAGUE, MAHJONG_SOUL, Rules
from houjuu.game.table import Table
from houjuu.game.tiles import Copies, format_tiles, parse_name, split_tiles
from houjuu.game.view import View
from houjuu.game.yaku import ALL_DORA, URADORA, YAKU
from houjuu.player.players import player
from houjuu.scoring.legality import legal_actions
from houjuu.scoring.win_scoring import own_win, payments
from tests.kit import real
from tests.kit.games import played

HAND = "234567m34588p78s"  # waits for 6s (タンヤオ, 平和) and 9s
RIVERS = {"self": "9s 1z 2z", "right": "9p 1p 3z", "across": "1p 9m 2z", "left": "9m 1m 5z"}
ARCHIVES = ("lower-rooms", "phoenix-2024", "phoenix-hanchan", "phoenix-tonpuu", "tokujou-hanchan")


def tenpai(seat: int, *, riichi: str = "9s 1z 2z", **table: Any) -> View:
    """The hand on the turn of a seat, the first dealer's or that to its right."""
    rivers = RIVERS | {"self": riichi}
    rivers["left"] += " 4z" * seat  # the first dealer has discarded once more
    return position(f"{HAND} + 6s", rivers, dora="1z", seat=seat, **table)


def paid(view: View, source: int) -> list[int]:
    assert view.drawn is not None
    changes: list[int] = payments(view, own_win(view, view.drawn, source)).tolist()
    return changes


LATE, NOW, DOUBLE = "9s 1z* 2z'", "9s 1z 2z*", "9s* 1z' 2z'"
CASES = [
    # 2 han of 30 fu by ron; 3 of 20 fu by tsumo
    (tenpai(1), 3, [0, 2000, 0, -2000]),
    (tenpai(1), 1, [-1300, 2700, -700, -700]),
    (tenpai(0), 3, [2900, 0, 0, -2900]),
    (tenpai(0), 0, [3900, -1300, -1300, -1300]),
    # a han more by riichi, two by ippatsu or a double riichi
    (tenpai(1, riichi=LATE), 3, [0, 3900 + 1000, 0, -3900]),
    (tenpai(1, riichi=LATE), 1, [-2600, 5200 + 1000, -1300, -1300]),
    (tenpai(1, riichi=NOW), 3, [0, 7700 + 1000, 0, -7700]),
    (tenpai(1, riichi=DOUBLE), 3, [0, 7700 + 1000, 0, -7700]),
    # two honba and three sticks
    (tenpai(1, round="E1.2", riichi_sticks=3), 3, [0, 2600 + 3000, 0, -2600]),
    (tenpai(1, round="E1.2", riichi_sticks=3), 1, [-1500, 3300 + 3000, -900, -900]),
    (tenpai(0, round="E1.2", riichi_sticks=3), 0, [4500 + 3000, -1500, -1500, -1500]),
    # rounded up to mangan
    (tenpai(1, riichi=NOW, rules=Rules(profile=M_LEAGUE)), 3, [0, 9000, 0, -8000]),
    (tenpai(1, riichi=NOW, rules=Rules(0x209)), 3, [0, 9000, 0, -8000]),
]


@pytest.mark.parametrize(("view", "source", "expected"), CASES)
def test_payments(view: View, source: int, expected: list[int]) -> None:
    assert paid(view, source) == expected


@pytest.mark.parametrize(("rules", "points"), [(Rules(), 3900), (Rules(0x0B), 2000)])
def test_red_fives_count_where_the_rules_have_them(rules: Rules, points: int) -> None:
    hand = "234567m34077p78s" if rules.red_fives else "234567m34577p78s"
    view = position(
        f"{hand} + 6s", RIVERS | {"left": "9m 1m 5z 4z"}, dora="1z", seat=1, rules=rules
    )
    red = replace(view, hand=tuple(sorted({*view.hand} - {53, 54, 55} | {52})))  # the red 5p, by id
    assert paid(red, 3)[1] == points


def test_the_first_draw_of_the_dealer_wins() -> None:
    """天和: 48,000 points, and the player takes them."""
    view = position("123m456p789s11p23s + 1s", dora="9m")
    assert paid(view, 0) == [48_000, -16_000, -16_000, -16_000]
    actions = legal_actions(table_of(view), 0)
    assert player("rank").act(view, actions).kind is ActionKind.TSUMO


def table_of(view: View) -> Table:
    """A table with the hand of the first dealer, on its first draw."""
    assert view.drawn is not None
    own = tuple(tile for tile in view.hand if tile != view.drawn)
    hidden = (None, None, None)
    deal = Deal(0, 0, 0, 0, (25_000,) * 4, view.dora_indicators[0], (own, *hidden))
    return played(deal, Draw(0, view.drawn))


class Wall:
    """A deal of some hands, the others hidden, and the tiles that are left."""

    def __init__(self, *hands: str) -> None:
        self._copies = Copies()
        self.hands = [tuple(map(self.take, split_tiles(hand))) for hand in hands]
        hidden = [None] * (4 - len(hands))
        self.deal = Deal(0, 0, 0, 0, (25_000,) * 4, self.take("9m"), (*self.hands, *hidden))

    def take(self, name: str) -> int:
        """The id of a copy that is left."""
        return self._copies.take(*parse_name(name), "the test")

    def own(self, name: str) -> list[int]:
        """The tiles of a name in the first hand."""
        return [tile for tile in self.hands[0] if format_tiles([tile]) == name]

    def meld(self, kind: MeldKind, name: str, tile: int, source: int | None = None) -> Meld:
        """A meld of the first hand's tiles of a name and another one."""
        tiles = tuple(sorted((*self.own(name), tile)))
        return Meld(kind, tiles, None if source is None else tile, source)


def yaku_of(win: Win) -> set[str]:
    return {YAKU[number].romaji for number, _ in win.yaku if number not in ALL_DORA}


@pytest.mark.parametrize("dora_first", [True, False])
def test_an_indicator_between_a_kan_and_the_draw_changes_no_yaku(dora_first: bool) -> None:
    wall = Wall("111m234567p99s13s")
    kan, two, dora = wall.take("1m"), wall.take("2s"), Dora(wall.take("8p"))
    ankan = Call(0, wall.meld(MeldKind.ANKAN, "1m", kan))
    draw = Draw(0, two)
    table = played(wall.deal, Draw(0, kan), ankan, *((dora, draw) if dora_first else (draw, dora)))
    assert yaku_of(own_win(table.view(0), two, 0)) == {"rinshan kaihou", "menzen tsumo"}
    assert ActionKind.TSUMO in {action.kind for action in legal_actions(table, 0)}
    table.apply(Discard(0, two, tsumogiri=True))
    assert not table.round_state.moment.from_dead_wall


@pytest.mark.parametrize("dora", [True, False])
def test_a_kan_is_robbed_after_an_indicator(dora: bool) -> None:
    """Seat 0 adds to two pons, and the indicator of the first is turned over after the second."""
    wall = Wall("22m33m147p1479s1z5z", "45m111p99p345s678s")

    def tsumogiri(seat: int, tile: int) -> tuple[Event, Event]:
        return Draw(seat, tile), Discard(seat, tile, tsumogiri=True)

    events: list[Event] = [wall.deal, *tsumogiri(0, wall.take("6z"))]
    pons = []
    for name, cut in (("2m", "1z"), ("3m", "5z")):
        tile = wall.take(name)
        pons.append(wall.meld(MeldKind.PON, name, tile, 2))
        events += [*tsumogiri(1, wall.take("7z")), *tsumogiri(2, tile), Call(0, pons[-1])]
        events += [Discard(0, wall.own(cut)[0], tsumogiri=False)]
    for seat in (1, 2, 3):
        events += tsumogiri(seat, wall.take("4z"))
    for pon in pons:
        added = wall.take(format_tiles(pon.tiles[:1]))
        tiles = tuple(sorted((*pon.tiles, added)))
        kakan = Meld(MeldKind.KAKAN, tiles, pon.called, pon.source, added)
        events += [Draw(0, added), Call(0, kakan)]
    table = played(*events, *([Dora(wall.take("8p"))] if dora else ()))
    view = table.view(1)
    assert ActionKind.RON in {action.kind for action in legal_actions(table, 1)}
    assert yaku_of(own_win(view, added, 0)) == {"chankan"}
    assert view.moment.offered_kan is MeldKind.KAKAN


@pytest.mark.parametrize("call", [MeldKind.PON, MeldKind.ANKAN, None])
def test_a_call_ends_ippatsu_and_prevents_a_double_riichi(call: MeldKind | None) -> None:
    """Seat 0 calls or makes a kan, then seat 1 declares riichi on its first discard."""
    wall = Wall("777z147m147p147s1z", "123m456p789s1122z")
    seven = wall.take("7z")
    events: list[Event] = [wall.deal]
    if call is MeldKind.ANKAN:
        events += [Draw(0, seven), Call(0, wall.meld(call, "7z", seven)), Draw(0, wall.take("9p"))]
    else:
        events += [Draw(0, wall.take("9p"))]
    (cut,), drawn = wall.own("1z"), wall.take("9p")
    events += [Discard(0, cut, tsumogiri=False), Draw(1, drawn), Riichi(1)]
    table = played(*events, Discard(1, drawn, tsumogiri=True), RiichiAccepted(1))
    assert table.round_state.moment.double_riichi == (0, call is not MeldKind.ANKAN, 0, 0)
    assert table.round_state.moment.ippatsu == (0, 1, 0, 0)
    draw, tile = Draw(2, None), (seven if call is MeldKind.PON else wall.take("3z"))
    for event in (draw, Discard(2, tile, tsumogiri=False)):
        table.apply(event)
    if call is MeldKind.PON:
        tiles = tuple(sorted((*wall.own("7z")[:2], seven)))
        table.apply(Call(0, Meld(call, tiles, seven, 2)))
    assert table.round_state.moment.ippatsu == (0, call is not MeldKind.PON, 0, 0)


def test_mahjong_soul_counts_some_yakuman_twice() -> None:
    rivers = {"self": "1z", "right": "2z", "across": "3z", "left": "4z"}
    view = position("222333444m6665s + 5s", rivers, dora="1z")
    other = replace(view, rules=Rules(profile=MAHJONG_SOUL))
    assert (paid(view, 3)[0], paid(other, 3)[0]) == (48_000, 96_000)


def log_less_ura(win: Win) -> tuple[int | None, tuple[tuple[int, int], ...], tuple[int, ...]]:
    """Points, yaku and yakuman of a win, the points only where there are no ura dora."""
    ura = dict(win.yaku).get(URADORA)
    yaku = tuple(sorted((number, han) for number, han in win.yaku if number != URADORA))
    return None if ura else win.points, yaku, win.yakuman


@pytest.mark.real_logs
@pytest.mark.parametrize("archive", ARCHIVES)
def test_the_price_at_the_moment_is_the_payment_of_the_log_less_ura(
    archive: str, real_limit: int
) -> None:
    wins = [
        win
        for name, log in real.games(archive, 12 * real_limit)
        for win in _wins(logs.parse(log, name))
    ]
    assert len(wins) > 50
    for seen, won in wins:
        points, yaku, yakuman = log_less_ura(seen)
        assert (won.yaku, won.yakuman) == (yaku, yakuman)
        assert points in (None, won.points)


def _wins(game: Game) -> Sequence[tuple[Win, Win]]:
    """The wins of a game with their payments checked, and each as it is scored at the moment."""
    table, wins = Table(game.rules), []
    for event in game:
        if isinstance(event, Win):
            view = table.view(event.seat)
            won = own_win(view, event.tile, event.source)
            first = not table.round_state.round_over
            paid_by_log = replace(
                won,
                points=event.points,
                honba=first * won.honba,
                riichi_sticks=first * won.riichi_sticks,
            )
            assert tuple(payments(view, paid_by_log)) == event.deltas
            wins.append((event, won))
        table.apply(event)
    return wins


@pytest.mark.real_logs
def test_a_win_by_ippatsu_that_takes_second_place_is_taken() -> None:
    """South 4, 17,400 points: 7,700 with 一発 make the second place, 3,900 would make the third."""
    wanted = "2016122621gm-0009-4217-c5c56c9c"
    log = next(data for name, data in real.games("lower-rooms", 10_000) if wanted in name)
    follower = Follower(logs.parse(log, wanted), [1], legal_actions)
    last = [one for one in follower.decisions() if one.chosen and one.chosen.kind in WINS][-1]
    assert last.chosen is not None
    assert last.chosen.tile is not None
    won = own_win(last.view, last.chosen.tile, source_of(last.view, last.chosen.tile))
    assert (last.view.round, won.points) == (7, 7_700)
    assert player("rank").act(last.view, last.legal) == last.chosen
