"""Logs of other programs: names in other languages, rules, redundant cells, absent players."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from houjuu.cli import main
from houjuu.game.events import (
    Away,
    Back,
    Deal,
    Draw,
    DrawnRound,
    DrawReason,
    Event,
    Game,
    Rules,
    Win,
)
from houjuu.logs import mjai, mjlog, names
from houjuu.scoring import strict
from houjuu.util.errors import LogError
from tests.kit.messages import discard, draw
from tests.kit.tenhou6 import CALLED_TWICE, NO_CHANGE, TSUMO, Cells, Lists, parse, round_of

DRAW = ([44], [60])


def _with_result(result: Cells, number: int = 0) -> Cells:
    entry = [*CALLED_TWICE[:16], result]
    entry[0] = [number, 0, 0]
    return entry


def _only(game: Game, kind: type[Event]) -> Any:
    (event,) = (event for event in game if isinstance(event, kind))
    return event


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Ryuukyoku", DrawReason.EXHAUSTED),
        ("Exhaustive Draw", DrawReason.EXHAUSTED),
        ("All noten", DrawReason.EXHAUSTED),
        ("Nagashi Mangan", DrawReason.NAGASHI_MANGAN),
        ("Mangan at Draw", DrawReason.NAGASHI_MANGAN),
        ("Kyuushu Kyuuhai", DrawReason.NINE_TERMINALS),
        ("Nine Terminal Abortion", DrawReason.NINE_TERMINALS),
        ("Suufon Renda", DrawReason.FOUR_WINDS),
        ("Four Wind Abortion", DrawReason.FOUR_WINDS),
        ("Suucha Riichi", DrawReason.FOUR_RIICHI),
        ("Four Riichi", DrawReason.FOUR_RIICHI),
        ("Sanchahou", DrawReason.THREE_RON),
        ("三家和", DrawReason.THREE_RON),
        ("Three Ron Abortion", DrawReason.THREE_RON),
        ("Suukaikan", DrawReason.FOUR_KANS),
        ("Four Kan Abortion", DrawReason.FOUR_KANS),
        ("四开杠", DrawReason.FOUR_KANS),
    ],
)
def test_names_of_draws(name: str, reason: DrawReason) -> None:
    game = parse(round_of(DRAW, ([], []), ([], []), ([], []), result=[name, NO_CHANGE]))
    assert (_only(game, DrawnRound).reason, game.unread) == (reason, ())


@pytest.mark.parametrize("reason", DrawReason)
def test_each_reason_of_mjai_has_its_own_name(reason: DrawReason) -> None:
    assert names.draw_reason(reason.value) is reason


@pytest.mark.parametrize("name", ["All tenpai", "全員聴牌"])
def test_all_tenpai(name: str) -> None:
    game = parse(round_of(DRAW, ([], []), ([], []), ([], []), result=[name]))
    assert None not in _only(game, DrawnRound).hands


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("満貫8000点", (None, 8000, 1)),
        ("Mangan 2000-4000点", (None, 8000, 1)),
        ("Haneman 6000点∀", (None, 18000, 2)),
        ("Baiman 16000 Points", (None, 16000, 3)),
        ("Sanbaiman 24000点", (None, 24000, 4)),
        ("三倍满24000点", (None, 24000, 4)),
        ("Yakuman 32000点", (None, 32000, 5)),
        ("Double Yakuman 64000点", (None, 64000, 5)),
        ("ダブル役満64000点", (None, 64000, 5)),
        ("Counted Yakuman 8000-16000点", (None, 32000, 5)),
        ("切り上げ満貫8000点", (None, 8000, 1)),
        ("Rounded Mangan 8000点", (None, 8000, 1)),
        ("40符4飜満貫8000点", (40, 8000, 1)),
        ("30符4飜7700点", (30, 7700, 0)),
        ("30 fu 4 han 7700 points", (30, 7700, 0)),
        ("30Fu4Han7700Points", (30, 7700, 0)),
        ("30符1翻1000點", (30, 1000, 0)),
        ("30 fu 4 han", (30, None, 0)),
        ("満貫", (None, None, 1)),
    ],
)
def test_texts_of_scores(text: str, score: tuple[int | None, ...]) -> None:
    read = names.score(text)
    assert read is not None
    assert (*read[:3], read.unknown) == (*score, None)


def test_yaku_in_english() -> None:
    yaku = ["Seat Wind(1飜)", "Half Flush(3飜)", "Red Five(1 han)", "Prevalent Wind(1翻)"]
    result = ["Agari", *TSUMO[1:2], [0, 0, 0, "Mangan 4000点∀", *yaku]]
    win = _only(parse(_with_result(result, 4)), Win)
    assert win.yaku == ((10, 1), (34, 3), (54, 1), (15, 1))
    assert (win.limit, win.points) == (1, 12000)


def test_the_seat_wind_is_that_of_the_winner() -> None:
    """In South 2 the dealer is seat 1, and seat 0 is North."""
    result = ["和了", [4000, -1000, -2000, -1000], [0, 0, 0, "30符3飜", "役牌:自風牌(1飜)"]]
    lists: list[Lists] = [([44], []), ([36], [60]), ([38], [60]), ([29], [60])]
    entry = round_of(*lists, result=result, first=(5, 0, 0))
    assert _only(parse(entry), Win).yaku == ((13, 1),)


def test_an_unknown_yaku_is_listed_and_the_hand_is_scored() -> None:
    result = [*TSUMO[:2], [*TSUMO[2], "大車輪(役満)"]]
    game = parse(CALLED_TWICE, _second(result))
    win = [event for event in game if isinstance(event, Win)][-1]
    assert (win.yaku, win.yakuman) == (((0, 1), (7, 1), (24, 2), (52, 1)), ())  # of the hand
    assert game.unread == ("yaku '大車輪' of round 1",)


def _second(result: Cells) -> Cells:
    return [[0, 1, 0], [31000, 23000, 23000, 23000], *_with_result(result)[2:]]


@pytest.mark.parametrize(
    ("result", "unread"),
    [
        (["流れ", NO_CHANGE], "result '流れ' of round 0"),
        (["和了", TSUMO[1], [0, 0, 0, "Limit 2000点∀", "平和(1飜)"]], "limit 'limit' of round 0"),
        (["和了", TSUMO[1], [0, 0, 0, "2000点∀", "Kita(1飜)"]], "yaku 'Kita' of round 0"),
    ],
)
def test_unknown_names_are_listed_and_refused_by_the_strict_check(
    result: Cells, unread: str
) -> None:
    game = parse(_with_result(result))
    assert game.unread == (unread,)
    with pytest.raises(LogError, match=f"contains what houjuu cannot read: {unread}"):
        strict.check(game)


def test_unknown_elements_of_an_mjlog_are_listed(own_games: list[Game]) -> None:
    text = mjlog.write(own_games[0]).decode()
    with_more = text.replace("<INIT", '<SHUFFLE seed=""/><NEWS a="1"/><NEWS/><INIT', 1)
    game = mjlog.parse(with_more.encode(), own_games[0].id)
    assert game.unread == ("element 'NEWS' of round 0",)
    assert game.events == own_games[0].events
    with pytest.raises(LogError, match="cannot read: element 'NEWS'"):
        strict.check(game)


def test_unknown_messages_and_reasons_of_mjai_are_listed(own_games: list[Game]) -> None:
    lines = mjai.write(own_games[0]).splitlines()
    drawn = '{"type":"ryukyoku","reason":"meteorite"}'
    text = "\n".join([*lines[:3], '{"type":"none"}', '{"type":"hello"}', '{"type":"noise"}', drawn])
    game = mjai.parse(text.encode())
    assert game.unread == ("message 'noise' of round 0", "reason 'meteorite' of round 0")


def test_parse_counts_the_unknown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = mjai.write(mjai.parse(_mjai({}))).splitlines()
    for name in ("a", "b"):
        (tmp_path / f"{name}.json").write_text("\n".join([*lines, '{"type":"noise"}']))
    assert main(["parse", str(tmp_path)]) == 0
    assert "       2 warning: unknown message … of round …\n2 games" in capsys.readouterr().out
    assert main(["parse", "--strict", str(tmp_path)]) == 1


# Rules.


def _mjai(start: dict[str, Any], **deal: Any) -> bytes:
    hands = [["1m", "2m", "3m", "4m", "5m", "5m", "6m", "7m", "8m", "9m", "1p", "2p", "3p"]]
    messages = [
        {"type": "start_game", "names": ["A", "B", "C", "D"], **start},
        {"type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0}
        | {"dora_marker": "9s", "tehais": hands + [["?"] * 13] * 3, **deal},
        draw(0, "5m"),
        discard(0, "1m", tsumogiri=False),
        draw(1),
        discard(1, "9p"),
        {"type": "ryukyoku", "deltas": [0.0, 0, 0, 0]},
    ]
    return "\n".join(map(json.dumps, messages)).encode()


def test_a_fourth_plain_five_shows_that_no_five_is_red() -> None:
    data = _mjai({}).replace(b'"9p"', b'"5m"')
    assert mjai.parse(_mjai({})).rules.red_fives is True
    assert mjai.parse(data).rules.red_fives is False
    with pytest.raises(LogError, match="all copies of 5m"):
        mjai.parse(_mjai({"aka_flag": True}).replace(b'"9p"', b'"5m"'))
    with pytest.raises(LogError, match="all copies of 5m"):
        mjai.parse(data.replace(b'"1p"', b'"5pr"'))


@pytest.mark.parametrize(
    ("start", "hanchan", "unread"),
    [
        ({"kyoku_first": 0}, True, ()),
        ({"kyoku_first": 4}, False, ()),
        ({"kyoku_first": 4, "tenhou": {"type": 9}}, True, ()),
        ({"gametype": "tonpu"}, False, ()),
        ({"gametype": "tonnan"}, True, ()),
        ({"kyoku_first": 2}, True, ("kyoku_first '2' of round 0",)),
    ],
)
def test_the_length_of_a_game_in_mjai(
    start: dict[str, Any], hanchan: bool, unread: tuple[str, ...]
) -> None:
    game = mjai.parse(_mjai(start))
    assert (game.rules.hanchan, game.unread) == (hanchan, unread)


def test_the_rules_of_a_lobby() -> None:
    rule = ["200001012100", "200012312300", "00a9", "0", "0", "0", "0"]
    game = parse(CALLED_TWICE, rule=rule, csrule=["4120DF0F"], lobby=18940)
    assert (game.rules, game.unread) == (Rules(0xA9, "18940"), ())
    entry = json.loads(json.dumps(CALLED_TWICE))
    assert parse(entry, rule=[*rule[:2], "000B"]).rules.red_fives is False
    entry[4][4] = 51
    assert parse(entry, rule=[*rule[:2], "000B"]).rules == Rules(0x09)
    assert parse(entry, rule=[*rule[:2], "?"]).unread == ("rule '?' of the lobby",)


def _richer(event: Any, more: int) -> Any:
    if getattr(event, "scores", None) is None:
        return event
    return replace(event, scores=tuple(score + more for score in event.scores))


def test_other_starting_points(own_games: list[Game]) -> None:
    """The strict check takes the total from the first deal."""
    (game,) = own_games[:1]
    assert game.final is not None
    events = tuple(_richer(event, 5000) for event in game)
    final = tuple((score + 5000, result) for score, result in game.final)
    special = replace(game.rules, flags=game.rules.flags | 0x200)
    richer = replace(game, rules=special, events=events, final=final)
    strict.check(mjlog.parse(mjlog.write(richer), game.id))
    deals = [i for i, event in enumerate(game) if isinstance(event, Deal)]
    changed = (*game.events[: deals[1]], *events[deals[1] :])
    with pytest.raises(LogError, match="do not sum to 100000"):
        strict.check(replace(game, events=changed))
    scores = (30_000, 30_000, 30_000, 29_000)
    first = game.events[0]
    assert isinstance(first, Deal)
    unequal = replace(first, scores=scores)
    with pytest.raises(LogError, match="begins with different scores"):
        strict.check(replace(game, events=(unequal, *game.events[1:])))


# Redundant cells.


def test_a_winner_of_two_fields_and_decimal_changes() -> None:
    result = ["和了", [6000.0, -2000, -2000.0, -2000], [0, 0]]
    game = parse(_with_result(result))
    win = _only(game, Win)
    assert (win.seat, win.source, win.liable, win.points) == (0, 0, 0, 6000)
    assert win.deltas == (6000, -2000, -2000, -2000)
    with pytest.raises(LogError, match="is not a list of four integers"):
        parse(_with_result(["和了", [0.5, 0, 0, 0], [0, 0]]))


def test_equal_owari_twice(own_games: list[Game]) -> None:
    text = mjlog.write(own_games[0]).decode()
    (owari,) = (part for part in text.split(" ") if part.startswith("owari="))
    owari = owari.split("/>")[0]
    twice = text.replace(owari, f"{owari} {owari}")
    assert mjlog.parse(twice.encode(), own_games[0].id) == own_games[0]
    other = text.replace(owari, f'{owari} owari="250,1.0,250,0.0,250,0.0,250,-1.0"')
    with pytest.raises(LogError, match="is not XML"):
        mjlog.parse(other.encode())


# Absent players.


def _changes(*entries: tuple[int, int, int, int]) -> list[dict[str, int]]:
    return [dict(zip(("what", "log", "who", "step"), entry, strict=True)) for entry in entries]


def test_players_who_leave_and_come_back() -> None:
    connection = _changes((0, 0, 2, 0), (1, 0, 2, 3), (0, 0, 1, 99))
    game = parse(CALLED_TWICE, connection=connection)
    plain = parse(CALLED_TWICE)
    assert [event for event in game if not isinstance(event, (Away, Back))] == list(plain)
    events = game.events
    assert events[1] == Away(2)  # after the deal
    assert isinstance(events[2], Draw)
    assert events.index(Back(2)) == 5  # after a draw, a discard and a call
    assert (type(events[-2]), events[-1]) == (Win, Away(1))  # after the end of the round
    assert parse(CALLED_TWICE, connection=_changes((0, 1, 3, 0))).events[-1] == Away(3)


@pytest.mark.parametrize(
    "connection", [1, [1], [{}], _changes((2, 0, 0, 0)), _changes((0, 0, 4, 0), (0, -1, 0, 0))]
)
def test_a_malformed_list_of_absent_players_is_refused(connection: Any) -> None:
    with pytest.raises(LogError, match="connection"):
        parse(CALLED_TWICE, connection=connection)
