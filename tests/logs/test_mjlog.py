"""Parsed games agree with the numbers in the log and with an independent parser."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jansou.io import paifu
from jansou.io.mjlog import parse_mjlog
from jansou.io.tiles import tile_from_136
from riichienv import HandEvaluator, calculate_shanten

from houjuu.game.events import (
    Call,
    Deal,
    Discard,
    Dora,
    Draw,
    DrawnRound,
    DrawReason,
    Game,
    RiichiAccepted,
    Win,
)
from houjuu.game.round_state import meld_problem
from houjuu.game.table import Table, public_tiles
from houjuu.game.tiles import KIND
from houjuu.logs import mjlog
from houjuu.logs.meld_codes import decode_meld, encode_meld
from houjuu.util.errors import LogError
from tests.conftest import ARCHIVES
from tests.kit import real
from tests.kit.games import walk


def ends(game: Game) -> Iterator[tuple[Table, Win | DrawnRound]]:
    """The table before each win and drawn round."""
    return walk(game, Win, DrawnRound)


def test_winning_hands_of_the_log(games: list[Game]) -> None:
    n_wins = 0
    for game in games:
        for table, win in ends(game):
            if not isinstance(win, Win):
                continue
            n_wins += 1
            ron = [win.tile] if win.source != win.seat else []
            hand = table.round_state.hands[win.seat] + ron
            assert sorted(win.hand) == sorted(hand)
            assert set(win.melds) == set(table.seats[win.seat].melds)
            assert win.scores == tuple(table.round_state.scores)
            waiting = [tile for tile in win.hand if tile != win.tile]
            assert KIND[win.tile] in waits(waiting)
    assert n_wins > 20


def waits(hand: list[int]) -> list[int]:
    """Kinds that complete a concealed hand of 1, 4, … 13 tiles, by another library."""
    kinds: list[int] = HandEvaluator(hand).get_waits() if len(hand) == 13 else []
    return kinds or [
        kind
        for kind in range(34)
        for tile in [next((t for t in range(4 * kind, 4 * kind + 4) if t not in hand), None)]
        if tile is not None and calculate_shanten([*hand, tile]) == -1
    ]


def test_tenpai_hands_of_the_log(games: list[Game]) -> None:
    n_hands = 0
    for game in games:
        for table, drawn in ends(game):
            if not isinstance(drawn, DrawnRound) or drawn.reason is not DrawReason.EXHAUSTED:
                continue
            for seat, shown in enumerate(drawn.hands):
                hand = table.round_state.hands[seat]
                n_hands += 1
                if shown is not None:
                    assert sorted(shown) == sorted(hand)
                    assert calculate_shanten(hand) == 0
                else:
                    assert not table.seats[seat].in_riichi
    assert n_hands


def test_all_136_tiles_are_accounted_for(games: list[Game]) -> None:
    n_rounds = 0
    for game in games:
        for table, end in ends(game):
            view = table.view(0)
            concealed = [tile for hand in table.round_state.hands for tile in hand]
            tiles = [*public_tiles(view.seats, view.dora_indicators), *concealed]
            assert len(tiles) == len(set(tiles))
            dead = 14 - len(view.dora_indicators)
            assert len(tiles) + view.tiles_left + dead == 136, (game.id, end)
            n_rounds += 1
    assert n_rounds > 20


@pytest.mark.real_logs
@pytest.mark.parametrize("name", ARCHIVES)
def test_scores_of_the_log(name: str, real_limit: int) -> None:
    """The table computes the scores that INIT, REACH, AGARI and RYUUKYOKU contain."""
    n_games = 0
    for file, data in real.games(name, 2 * real_limit):
        game = mjlog.parse(data, file)
        tags = ("INIT", "REACH", "AGARI", "RYUUKYOKU")
        elements = [e for e in ET.fromstring(data) if e.tag in tags and e.get("step") != "1"]
        table = Table(game.rules)
        computed: list[list[int]] = []
        for event in game:
            if isinstance(event, (Win, DrawnRound)):
                computed.append(list(table.round_state.scores))
            table.apply(event)
            if isinstance(event, (Deal, RiichiAccepted)):
                computed.append(list(table.round_state.scores))
        for element, expected in zip(elements, computed, strict=True):
            assert scores(element) in (expected, None)
        n_games += 1
    assert n_games


def scores(element: ET.Element) -> list[int] | None:
    """The scores of an element; in 2009 a REACH has none."""
    text = element.get("sc") or element.get("ten")
    values = [100 * int(value) for value in text.split(",")] if text else None
    return values[::2] if values and "sc" in element.attrib else values


@pytest.mark.real_logs
@pytest.mark.parametrize("name", ARCHIVES)
def test_jansou_parses_the_same(name: str, real_limit: int) -> None:
    n_rounds = 0
    for file, data in real.games(name, 2 * real_limit):
        ours = iter(mjlog.parse(data, file))
        for theirs in parse_mjlog(data).rounds:
            deal = next(event for event in ours if isinstance(event, Deal))
            assert (deal.honba, deal.riichi_sticks, deal.dealer) == (
                theirs.honba,
                theirs.riichi_sticks,
                theirs.dealer,
            )
            assert deal.scores == theirs.scores
            assert [list(map(tile_from_136, hand or ())) for hand in deal.hands] == [
                list(hand) for hand in theirs.hands
            ]
            tile_events = (
                event for event in ours if isinstance(event, (Draw, Discard, Call, Dora))
            )
            for expected in theirs.events:
                same(next(tile_events), expected)
            n_rounds += 1
    assert n_rounds


def same(ours: object, theirs: object) -> None:
    match ours, theirs:
        case Draw(seat, tile), paifu.Draw():
            assert (seat, tile_from_136(tile or 0)) == (theirs.seat, theirs.tile)
        case Discard(seat, tile, tsumogiri), paifu.Discard():
            assert (seat, tile_from_136(tile)) == (theirs.seat, theirs.tile)
            assert tsumogiri == theirs.tsumogiri
        case Call(seat, shown), paifu.Call():
            assert seat == theirs.seat
            assert sorted(map(str, map(tile_from_136, shown.tiles))) == sorted(
                map(str, theirs.meld.tiles)
            )
        case Dora(indicator), paifu.DoraReveal():
            assert tile_from_136(indicator) == theirs.indicator
        case _:
            raise AssertionError(f"{ours} is not {theirs}")


@pytest.mark.real_logs
def test_players_who_disconnect_and_come_back() -> None:
    games = [mjlog.parse(data, name) for name, data in real.games("phoenix-tonpuu", 60)]
    kinds = [type(event).__name__ for game in games for event in game]
    assert kinds.count("Away") >= kinds.count("Back") > 0


@given(st.integers(0, 3), st.integers(0, (1 << 16) - 1))
def test_meld_codes(seat: int, code: int) -> None:
    """Encoding a decoded meld gives a code of the same meld."""
    try:
        decoded = decode_meld(seat, code)
    except LogError:
        return
    if meld_problem(decoded) is None:
        assert decode_meld(seat, encode_meld(seat, decoded)) == decoded


def test_content_of_a_small_log() -> None:
    game = mjlog.parse(SMALL.encode(), "somewhere/2009010100gm-00a9-0000-abc.xml.gz")
    assert game.id == "2009010100gm-00a9-0000-abc"
    assert game.date == "2009-01-01"
    assert [player.name for player in game.players] == ["EVANSIU", "b", "c", "d"]
    assert game.rules.red_fives
    assert game.rules.room == "phoenix"
    assert [type(event) for event in game.events] == [Deal, Draw, Win]
    assert game.final == ((73000, 93.0), (9000, -41.0), (9000, -31.0), (9000, -21.0))


SMALL = """<mjloggm ver="2.3"><SHUFFLE seed="x" ref=""/><GO type="169"/>
<UN n0="%45%56%41%4E%53%49%55" n1="b" n2="c" n3="d" dan="16,17,16,17" rate="1,2,3,4" sx="M,M,F,C"/>
<TAIKYOKU oya="0"/>
<INIT seed="0,0,0,4,1,130" ten="250,250,250,250" oya="0" hai0="0,1,2,4,8,12,17,20,24,28,32,33,34"
 hai1="36,37,38,39,40,41,42,43,44,45,46,47,48" hai2="49,50,51,52,53,54,55,56,57,58,59,60,61"
 hai3="62,63,64,65,66,67,68,69,70,71,72,73,74"/>
<T35/><AGARI ba="0,0" hai="0,1,2,4,8,12,17,20,24,28,32,33,34,35" machi="35" ten="40,48000,5"
 yakuman="37,46" doraHai="130" who="0" fromWho="0" sc="250,480,250,-160,250,-160,250,-160"
 owari="730,93.0,90,-41.0,90,-31.0,90,-21.0"/></mjloggm>"""
