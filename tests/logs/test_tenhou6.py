from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from houjuu.game.events import (
    Call,
    Discard,
    Dora,
    Draw,
    DrawnRound,
    DrawReason,
    Event,
    Riichi,
    RiichiAccepted,
    Rules,
    Win,
)
from houjuu.game.rules import MAHJONG_SOUL
from houjuu.game.table import Table
from houjuu.game.tiles import format_tiles
from houjuu.logs import tenhou6
from houjuu.logs.tenhou6_results import parse_result
from houjuu.util.errors import LogError
from tests.kit.recount import validate
from tests.kit.tenhou6 import (
    CALLED_TWICE,
    KAKAN,
    NO_CHANGE,
    Cells,
    Lists,
    log_of,
    parse,
    round_of,
)


def _short(events: tuple[Event, ...]) -> list[str]:
    """Events as words: "0+9m" a draw, "0-9m" a discard, "0-9m!" tsumogiri, "3 pon 444z"."""
    return [word for event in events if (word := _word(event))]


def _word(event: Event) -> str:
    match event:
        case Draw(seat, tile):
            return f"{seat}+{format_tiles([-1 if tile is None else tile])}"
        case Discard(seat, tile, tsumogiri):
            return f"{seat}-{format_tiles([tile])}{'!' * tsumogiri}"
        case Call(seat, meld):
            return f"{seat} {meld.kind} {format_tiles(meld.tiles)} from {meld.source}"
        case Dora(indicator):
            return f"dora {format_tiles([indicator])}"
        case Riichi(seat) | RiichiAccepted(seat):
            return f"{seat} {type(event).__name__}"
        case Win(seat, source):
            return f"{seat} wins from {source}"
        case DrawnRound(reason):
            return str(reason)
        case _:
            return ""


def test_turns_are_put_in_order() -> None:
    game = parse(CALLED_TWICE)
    assert _short(game.events) == [
        *("0+4z", "0-4z!", "3 pon 444z from 0", "3-2m"),
        *("0+7z", "0-7z!", "3 pon 777z from 0", "3-2m"),
        *("0+4p", "0 wins from 0"),
    ]
    win = game.events[-1]
    assert isinstance(win, Win)
    assert (format_tiles(win.hand), win.points, win.fu) == ("123456789m11234p", 6000, 30)
    assert (win.scores, win.deltas) == ((25000,) * 4, (6000, -2000, -2000, -2000))
    assert (win.yaku, win.limit, win.liable) == (((7, 1),), 0, 0)


def test_table_follows_the_events() -> None:
    game = parse(CALLED_TWICE)
    table = Table(game.rules)
    for event in game:
        table.apply(event)
        validate(table)


@pytest.mark.parametrize("won", [False, True])
def test_riichi_is_paid_unless_won_on(won: bool) -> None:
    ron = ["和了", [-1000, 0, 1000, 0], [2, 0, 2, "30符1飜1000点", "自風 西(1飜)"]]
    game = parse(
        round_of(([41], ["r60"]), ([], []), ([], []), ([], []), result=ron)
        if won
        else round_of(([41], ["r60"]), ([29], [60]), ([], []), ([], []))
    )
    expected = ["0+1z", "0 Riichi", "0-1z!"]
    expected += ["2 wins from 0"] if won else ["0 RiichiAccepted", "1+9p", "1-9p!", "exhausted"]
    assert _short(game.events) == expected
    end = game.events[-1]
    assert isinstance(end, (Win, DrawnRound))
    assert end.riichi_sticks == (not won)
    assert end.scores == (24000 + 1000 * won, 25000, 25000, 25000)


def test_riichi_is_not_paid_when_three_win_on_it() -> None:
    lists: tuple[Lists, ...] = (([41], ["r60"]), ([], []), ([], []), ([], []))
    assert _short(parse(round_of(*lists, result=["三家和了"])).events)[-2:] == ["0-1z!", "ron3"]


def test_closed_kan_turns_over_at_once() -> None:
    lists: tuple[Lists, ...] = (([46], [60]), ([31, 32], ["313131a31", 60]), ([], []), ([], []))
    assert _short(parse(round_of(*lists, dora=[11, 29])).events) == [
        *("0+6z", "0-6z!", "1+1s", "1 ankan 1111s from None", "dora 9p", "1+2s", "1-2s!"),
        "exhausted",
    ]


def test_open_kan_turns_over_before_the_discard() -> None:
    lists: tuple[Lists, ...] = (([31], [60]), (["m31313131", 32], [0, 60]), ([], []), ([], []))
    assert _short(parse(round_of(*lists, dora=[11, 29])).events) == [
        *("0+1s", "0-1s!", "1 daiminkan 1111s from 0", "1+2s", "dora 9p", "1-2s!", "exhausted"),
    ]


@pytest.mark.parametrize("meld", ["4646p46", "46p4646", "p464646"])
def test_added_kan_grows_from_the_pon(meld: str) -> None:
    source = {0: 2, 2: 1, 4: 0}[meld.index("p")]
    before = [[46 if seat == source else 34 + seat] for seat in range(source + 1)]
    draws = [[*(before[seat] if seat <= source else []), 36 + seat] for seat in range(3)]
    others: list[Lists] = [(drawn, [60] * len(drawn)) for drawn in draws]
    lists = (*others, ([meld, 46, 39], [12, meld.replace("p", "k46"), 60]))
    words = _short(parse(round_of(*lists, dora=[11, 29])).events)
    hand = [word for word in words if word[0] == "3" or "dora" in word]
    assert hand == [
        *(f"3 pon 666z from {source}", "3-2m", "3+6z", f"3 kakan 6666z from {source}"),
        *("3+9s", "dora 9p", "3-9s!"),
    ]


def test_robbed_kan_turns_nothing_over() -> None:
    ron = ["和了", [1000, 0, 0, -1000], [0, 3, 0, "30符1飜1000点", "槍槓(1飜)"]]
    lists: tuple[Lists, ...] = (*KAKAN, (["4646p46", 46], [12, "4646k4646"]))
    game = parse(round_of(*lists, result=ron))
    assert _short(game.events)[-2:] == ["3 kakan 6666z from 0", "0 wins from 3"]
    win = game.events[-1]
    assert isinstance(win, Win)
    assert format_tiles([win.tile]) == "6z"


def test_closed_kan_after_an_added_one_turns_over_both() -> None:
    lists = (*KAKAN, (["4646p46", 46, 43, 15], [12, "4646k4646", "434343a43", 60]))
    entry = round_of(*lists, dora=[11, 29, 28])
    entry[10], entry[13] = ([44 if c == 43 else c for c in entry[10]], [43, *entry[13]])
    entry[13].remove(44)
    assert _short(parse(entry).events)[-7:] == [
        *("3+3z", "3 ankan 3333z from None", "dora 9p", "dora 8p", "3+5m", "3-5m!", "exhausted"),
    ]


def test_call_that_fits_two_discards_is_of_the_later_one() -> None:
    # Seat 3 cannot have called the first 4z: seat 0 would have had to draw before its own pon.
    lists: tuple[Lists, ...] = (
        ([44, "2121p21"], [44, 44]),
        ([21], [60]),
        ([], []),
        (["4444p44"], [12]),
    )
    entry = round_of(*lists)
    entry[4] = [11, 12, 13, 14, 15, 16, 17, 18, 19, 21, 21, 22, 44]
    entry[13] = [43, 43, 45, 44, 44, 46, 46, 47, 12, 12, 13, 13, 14]
    assert _short(parse(entry).events) == [
        *("0+4z", "0-4z", "1+1p", "1-1p!", "0 pon 111p from 1", "0-4z"),
        *("3 pon 444z from 0", "3-2m", "exhausted"),
    ]


def test_pon_comes_before_a_chi_of_the_same_tile() -> None:
    lists: tuple[Lists, ...] = (
        ([27, "p292929"], [60, 21]),
        (["c272628", "c212223"], [29, 31]),
        ([], []),
        ([], []),
    )
    entry = round_of(*lists)
    entry[4] = [11, 12, 13, 14, 15, 16, 17, 18, 19, 21, 29, 29, 23]
    entry[7] = [22, 23, 25, 26, 27, 28, 29, 31, 31, 31, 45, 45, 46]
    with pytest.raises(LogError, match="can follow this one"):
        parse(entry)  # a call of seat 0 from its right is written with the letter last
    entry[5] = [27, "2929p29"]
    assert _short(parse(entry).events)[2:] == [
        *("1 chi 678p from 0", "1-9p", "0 pon 999p from 1", "0-1p", "1 chi 123p from 0", "1-1s"),
        "exhausted",
    ]


def test_red_fives_keep_their_ids() -> None:
    entry = round_of(([51], [60]), (["c51"], []), ([], []), ([], []))
    entry[5:9] = [[52], [60], [14, 16, 24, 26, 27, 28, 29, 31, 31, 31, 45, 45, 46], ["c522426"]]
    entry[9] = [31]
    game = parse(entry)
    assert Draw(0, 52) in game.events
    assert _short(game.events)[2:4] == ["1 chi 406p from 0", "1-1s"]


def test_without_red_fives_every_copy_is_plain() -> None:
    entry = round_of(([15], [60]), ([15], [60]), ([15], [60]), ([15], [60]))
    entry[4] = [11, 12, 13, 14, 21, 16, 17, 18, 19, 21, 21, 22, 23]
    assert parse(entry, rule={"aka": 0}).rules.red_fives is False
    assert parse(entry).rules.red_fives is False  # a fourth plain five
    entry[5] = [51]
    assert parse(entry, rule={"aka": 0}).rules.red_fives is True  # the tiles decide
    entry[4][4] = 15
    with pytest.raises(LogError, match="more 5m than the rules allow"):
        parse(entry, rule={"aka": 0})


def test_discard_of_the_drawn_tile_is_tsumogiri_even_when_spelled_out() -> None:
    events = parse(round_of(([44, 19], [44, 19]), *[([n], [60]) for n in (47, 45, 46)])).events
    assert _short(events)[1] == "0-4z!"
    assert _short(events)[-2] == "0-9m"  # another 9m in the hand, so this may be a tedashi


def test_double_ron() -> None:
    ron = [
        *("和了", [0, 3300, 0, -3300], [1, 3, 1, "40符2飜3000点", "立直(1飜)", "裏ドラ(1飜)"]),
        *([0, 0, 2000, -2000], [2, 3, 2, "30符2飜2000点", "自風 西(1飜)", "ドラ(1飜)"]),
    ]
    ron[1] = [0, 4300, 0, -3300]
    lists: tuple[Lists, ...] = (([41], [60]), ([46], ["r60"]), ([47], [60]), ([45], [60]))
    game = parse(round_of(*lists, result=ron, ura=[29], first=(0, 1, 0)))
    one, two = game.events[-2:]
    assert isinstance(one, Win)
    assert isinstance(two, Win)
    assert (one.riichi_sticks, two.riichi_sticks, one.honba, two.honba) == (1, 0, 1, 1)
    assert (format_tiles(one.ura_indicators or ()), two.ura_indicators) == ("9p", ())
    assert two.scores == (25000, 28300, 25000, 21700)


@pytest.mark.parametrize(
    ("result", "reason", "shown"),
    [
        (["流局", [3000, -1000, -1000, -1000]], DrawReason.EXHAUSTED, [0]),
        (["全員聴牌"], DrawReason.EXHAUSTED, [0, 1, 2, 3]),
        (["全員不聴"], DrawReason.EXHAUSTED, []),
        (["流し満貫", [8000, -4000, -2000, -2000]], DrawReason.NAGASHI_MANGAN, [3]),
        (["九種九牌"], DrawReason.NINE_TERMINALS, [0]),
        (["四風連打"], DrawReason.FOUR_WINDS, []),
        (["四家立直"], DrawReason.FOUR_RIICHI, [0, 1, 2, 3]),
        (["三家和了"], DrawReason.THREE_RON, []),
        (["四槓散了"], DrawReason.FOUR_KANS, []),
    ],
)
def test_rounds_without_a_winner(result: Cells, reason: DrawReason, shown: list[int]) -> None:
    drawn = parse(round_of(([41], []), ([], []), ([], []), ([], []), result=result)).events[-1]
    assert isinstance(drawn, DrawnRound)
    assert drawn.reason is reason
    assert [seat for seat, hand in enumerate(drawn.hands) if hand is not None] == shown
    assert list(drawn.deltas or ()) == (result[1] if result[1:] else NO_CHANGE)


@pytest.mark.parametrize(
    ("score", "fu", "points", "limit"),
    [
        ("30符3飜3900点", 30, 3900, 0),
        ("40符2飜700-1300点", 40, 2700, 0),
        ("30符3飜2000点∀", 30, 6000, 0),
        ("満貫8000点", None, 8000, 1),
        ("満貫2000-4000点", None, 8000, 1),
        ("跳満6000点∀", None, 18000, 2),
        ("倍満4000-8000点", None, 16000, 3),
        ("三倍満36000点", None, 36000, 4),
        ("役満32000点", None, 32000, 5),
        ("数え役満48000点", None, 48000, 5),
        ("", None, 1000, None),  # other programs omit it; the changes of the scores have the points
    ],
)
def test_points_of_a_hand(score: str, fu: int | None, points: int, limit: int | None) -> None:
    ron = ["和了", [-1000, 0, 1000, 0], [2, 0, 2, score]]
    win = parse(round_of(([41], [60]), ([], []), ([], []), ([], []), result=ron)).events[-1]
    assert isinstance(win, Win)
    assert (win.fu, win.points, win.limit) == (fu, points, limit)


def test_yaku_and_liability() -> None:
    names = ["国士無双(役満)", "大三元(役満5枚)", "ドラ(2飜)", "All Green(役満)"]
    (winner,) = parse_result(["和了", NO_CHANGE, [1, 2, 3, "役満64000点", *names]], 0).winners
    assert (winner.yakuman, winner.yaku, winner.liable) == ((47, 39, 43), ((52, 2),), 3)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ({"disp": "鳳南喰赤", "aka51": 1, "aka52": 1, "aka53": 1}, Rules(0xA9)),
        ({"disp": "特東喰赤速", "aka": 1}, Rules(0x61)),
        ({"disp": "上南喰赤"}, Rules(0x89)),
        ({"disp": "般東", "aka": 0}, Rules(0x07)),
        ({"disp": "Jade Room East", "aka": 1}, Rules(0x01, profile=MAHJONG_SOUL)),
        ({"disp": "玉の間南喰赤"}, Rules(0x09, profile=MAHJONG_SOUL)),
        ({}, Rules(0x09)),
    ],
)
def test_rules(rule: dict[str, Any], expected: Rules) -> None:
    assert parse(CALLED_TWICE, rule=rule).rules == expected


def test_players_and_final_scores() -> None:
    game = parse(
        CALLED_TWICE,
        ref="2019050417gm-0029-0000-4f2a8622",
        dan=["七段", "天鳳位", "６級", "?"],
        rate=[1912.87, 2200, None, 1500.0],
        sx=["F", "M", "C", "M"],
        lobby=0,
        sc=[31000, 41.0, 23000, 3, 23000, -17, 23000, -27.0],
    )
    assert game.id == "2019050417gm-0029-0000-4f2a8622"
    assert [player.dan for player in game.players] == [16, 20, 4, None]
    assert (game.players[0].rate, game.players[0].sex) == (1912.87, "F")
    assert game.rules.lobby == "0"
    assert game.final == ((31000, 41), (23000, 3), (23000, -17), (23000, -27))
    chips = parse(CALLED_TWICE, sc=[31000, 41.0, 23000, 3, 23000, -17, 23000, -27, *[0] * 8])
    assert chips.final == game.final


def test_address_of_the_editor_is_read() -> None:
    text = quote(json.dumps(log_of(CALLED_TWICE), ensure_ascii=False))
    address = f"https://tenhou.net/6/#json={text}&ts=0".encode()
    assert tenhou6.parse(address, "a.txt").events == parse(CALLED_TWICE).events


def test_folder_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(log_of(CALLED_TWICE)))
    (game,) = tenhou6.read(tmp_path)
    assert (game.id, game.rounds) == ("a", 1)
    (tmp_path / "b.json").write_bytes(b"\x1f\x8b")
    with pytest.raises(LogError, match=r"b\.json: cannot be read"):
        list(tenhou6.read(tmp_path))
