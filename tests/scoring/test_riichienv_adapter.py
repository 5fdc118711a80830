"""Wins evaluated by riichienv, against another library, with 0 to 4 kans."""

from __future__ import annotations

import pytest
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.meld import Meld as OtherMeld

pytest.importorskip("riichienv", reason="it evaluates the wins")

from houjuu.game.events import Meld, MeldKind
from houjuu.game.payments import hand_points, win_payments
from houjuu.game.tiles import EAST, SOUTH, parse_tiles
from houjuu.scoring.riichienv_adapter import (
    WINDS,
    Conditions,
    engine_meld,
    evaluate_win,
    win_base,
)
from tests.positions import chi, pon

RULES = OptionalRules(has_open_tanyao=True, has_aka_dora=True, has_double_yakuman=False)
OTHER_KINDS = {
    MeldKind.CHI: OtherMeld.CHI,
    MeldKind.PON: OtherMeld.PON,
    MeldKind.ANKAN: OtherMeld.KAN,
    MeldKind.DAIMINKAN: OtherMeld.KAN,
}


def ankan(text: str) -> Meld:
    return Meld(MeldKind.ANKAN, parse_tiles(text))


def daiminkan(text: str) -> Meld:
    tiles = parse_tiles(text)
    return Meld(MeldKind.DAIMINKAN, tiles, called=tiles[0], source=2)


def points(tiles: tuple[int, ...], win: int, melds: tuple[Meld, ...], dora: int) -> int:
    """Points of a ron of the south seat in an east round, by the other library."""
    others = [OtherMeld(OTHER_KINDS[meld.kind], meld.tiles, opened=meld.is_open) for meld in melds]
    every = [*tiles, *(tile for meld in melds for tile in meld.tiles)]
    config = HandConfig(player_wind=SOUTH, round_wind=EAST, options=RULES)
    result = HandCalculator.estimate_hand_value(every, win, others, [dora], config)
    return int(result.cost["main"]) if result.cost else 0


@pytest.mark.parametrize(
    ("hand", "win", "melds"),
    [
        ("234m456p34567s33z8s", "8s", ()),
        ("234m456p345s88p", "2m", (ankan("8888s"),)),
        ("345s678p22m", "2m", (ankan("8888m"), ankan("5550p"))),
        ("345s678p22m", "5s", (daiminkan("8888m"), ankan("4444p"))),
        ("345s678p22m", "5s", (daiminkan("6666z"), daiminkan("9999p"))),
        ("345s99p", "3s", (ankan("1111z"), daiminkan("7777z"), pon("222m"))),
        ("345s99p", "3s", (ankan("1111z"), daiminkan("7777z"), chi("234m"))),
        ("345s99p", "3s", (ankan("1111z"), daiminkan("7777z"), ankan("2222m"))),
        ("99p", "9p", (ankan("1111z"), daiminkan("7777z"), ankan("2222m"), daiminkan("6666s"))),
        ("345s678p22m", "5s", (daiminkan("9999m"), daiminkan("1111p"))),
    ],
)
def test_points_with_kans(hand: str, win: str, melds: tuple[Meld, ...]) -> None:
    tiles, (dora,) = tuple(sorted(parse_tiles(hand))), parse_tiles("3z")
    tile = next(own for own in tiles if own // 4 == parse_tiles(win)[0] // 4)
    conditions = Conditions(player_wind=WINDS[1], round_wind=WINDS[0])
    result = evaluate_win(
        tiles, [engine_meld(meld) for meld in melds], tile, conditions, dora_indicators=[dora]
    )
    expected = points(tiles, tile, melds, dora)
    assert (int(result.ron_agari) if result.is_win else 0) == expected
    without_yaku = (daiminkan("9999m"), daiminkan("1111p"))
    assert bool(expected) == (melds != without_yaku)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("hand", "win"),
    [
        ("234m456p34567s33z8s", "8s"),  # without a yaku, but for tsumo
        ("123m456p789s1178s9s", "9s"),
        ("19m19p19s1234567z7z", "7z"),  # thirteen waits count double
        ("555666777z1112z2z", "2z"),
        ("111222333444z55z", "5z"),
        ("222333444m55p678s", "5p"),
        ("112233m778899p11s", "1s"),
    ],
)
def test_base_points_pay_what_the_engine_pays(hand: str, win: str, seat: int) -> None:
    tiles, (tile,) = parse_tiles(hand), parse_tiles(win)
    for tsumo in (False, True):
        conditions = Conditions(tsumo=tsumo, player_wind=WINDS[seat], round_wind=WINDS[0])
        result = evaluate_win(sorted({*tiles, tile}), [], tile, conditions)
        points = int(hand_points(win_base(result), dealer=seat == 0, tsumo=tsumo))
        paid = win_payments(points, seat, seat if tsumo else 3, dealer=0).tolist()
        if not tsumo:
            assert -paid[3] == result.ron_agari
        elif result.is_win:
            assert -paid[3] == result.tsumo_agari_ko
            assert -paid[1 - seat] == (result.tsumo_agari_oya or result.tsumo_agari_ko)
