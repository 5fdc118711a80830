"""Games in all formats and dialects: read, checked, and equal to their mjlog.

Games of mjlog are written as other programs write them: the JSON of tenhou.net/6 as Tenhou, as a
downloader of Mahjong Soul and as converters without scores, mjai as six programs. A game is equal
if all wins and draws have the same score, yaku and payments after reading, whatever the dialect
leaves out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from houjuu import logs
from houjuu.game.events import DrawnRound, DrawReason, Game, Win
from houjuu.game.yaku import YAKU
from houjuu.logs import mjlog
from houjuu.logs.mjai_writer import messages
from houjuu.scoring import strict
from houjuu.scoring.win_scoring import scored
from tests import mjai_dialects, real
from tests.logs.test_tenhou6_real import as_tenhou6

Stream = list[dict[str, Any]]
_SOUL_YAKU = {
    "自風 東": "役牌:自風牌",
    "自風 南": "役牌:自風牌",
    "自風 西": "役牌:自風牌",
    "自風 北": "役牌:自風牌",
    "場風 東": "役牌:場風牌",
    "場風 南": "役牌:場風牌",
    "場風 西": "役牌:場風牌",
    "役牌 白": "役牌:白",
    "役牌 發": "役牌:發",
    "役牌 中": "役牌:中",
    "両立直": "ダブル立直",
    "国士無双１３面": "国士無双十三面待ち",
}
_ENGLISH = {
    **{yaku.japanese: yaku.romaji.title() for yaku in YAKU},
    "立直": "Riichi",
    "門前清自摸和": "Fully Concealed Hand",
    "断幺九": "All Simples",
}
_LIMITS = {"三倍満": "Sanbaiman ", "倍満": "Baiman ", "跳満": "Haneman ", "満貫": "Mangan "}
_DRAWS = {
    "流局": "Ryuukyoku",
    "全員聴牌": "Ryuukyoku",
    "全員不聴": "Ryuukyoku",
    "流し満貫": "Nagashi Mangan",
    "九種九牌": "Kyuushu Kyuuhai",
    "四風連打": "Suufon Renda",
    "四家立直": "Suucha Riichi",
    "三家和了": "Sanchahou",
    "四槓散了": "Suukaikan",
}


def tenhou(data: bytes, game: Game) -> bytes:
    """As Tenhou: limit hands without fu, no 裏ドラ(0飜)."""
    dumped = as_tenhou6(data, game)
    for entry in _wins(dumped):
        entry[4:] = [name for name in entry[4:] if name != "裏ドラ(0飜)"]
    return json.dumps(dumped, ensure_ascii=False).encode()


def mahjong_soul(data: bytes, game: Game) -> bytes:
    """As a downloader of Mahjong Soul: its names of yaku and romaji names of draws."""
    return _renamed(data, game, _SOUL_YAKU)


def english(data: bytes, game: Game) -> bytes:
    """As the same downloader in English: names of yaku and limits, too."""
    return _renamed(data, game, _ENGLISH, _LIMITS)


def converter(data: bytes, game: Game) -> bytes:
    """As converters: who wins, from whom, and the payments; no score, yaku and results."""
    dumped = as_tenhou6(data, game)
    for entry in _wins(dumped):
        entry[3:] = [""]
    dumped.pop("sc", None)
    return json.dumps(dumped).encode()


def _renamed(
    data: bytes, game: Game, yaku: dict[str, str], limits: dict[str, str] | None = None
) -> bytes:
    dumped = json.loads(tenhou(data, game))
    for entry in _wins(dumped):
        for old, new in (limits or {}).items():
            if entry[3].startswith(old):
                entry[3] = new + entry[3].removeprefix(old)
                break
        entry[4:] = [_renamed_yaku(name, yaku) for name in entry[4:]]
    for entry in dumped["log"]:
        entry[16][0] = _DRAWS.get(entry[16][0], entry[16][0])
    return json.dumps(dumped, ensure_ascii=False).encode()


def _renamed_yaku(text: str, names: dict[str, str]) -> str:
    name, bracket, rest = text.partition("(")
    return names.get(name, name) + bracket + rest


def _wins(dumped: dict[str, Any]) -> Iterator[list[Any]]:
    for entry in dumped["log"]:
        if entry[16][0] == "和了":
            yield from entry[16][2::2]


def _plain(game: Game) -> Stream:
    """The messages without what only this project writes."""
    return [
        {key: value for key, value in message.items() if key != "tenhou"}
        for message in messages(game)
    ]


def own(data: bytes, game: Game) -> bytes:
    """As this project writes it."""
    del data
    return _lines(list(messages(game)))


def mjai_app(data: bytes, game: Game) -> bytes:
    """As mjai.app: arrays of messages, a line each."""
    del data
    stream = _plain(game)
    return "\n".join(json.dumps(stream[i : i + 7]) for i in range(0, len(stream), 7)).encode()


def _as_program(dialect: mjai_dialects.Dialect, data: bytes, game: Game) -> bytes:
    """In a dialect of `tests.mjai_dialects`, with the rules in the keys of the program."""
    del data
    stream = _plain(game)
    draws = iter([message for message in stream if message["type"] == "ryukyoku"])
    written = dialect(stream, 0)
    for message in written:
        if message["type"] == "start_game":
            message["aka_flag"] = game.rules.red_fives
            if "kyoku_first" in message:
                message["kyoku_first"] = 0 if game.rules.hanchan else 4
        elif message["type"] == "ryukyoku" and "tenpais" in message:
            draw = next(draws)
            message["tenpais"] = draw["tenpais"]
            if draw["reason"] != DrawReason.EXHAUSTED:
                del message["tenpais"], message["reason"], message["tehais"]
    return _lines(written)


def mortal(data: bytes, game: Game) -> bytes:
    """As Mortal: who wins on what, the payments and the ura indicators; of a draw the payments."""
    del data
    keys = {
        "start_game": ("type", "names"),
        "hora": ("type", "actor", "target", "deltas", "ura_markers"),
        "ryukyoku": ("type", "deltas"),
    }
    stream = [{k: m[k] for k in keys.get(m["type"], m) if k in m} for m in _plain(game)]
    stream[0] |= {
        "kyoku_first": 0 if game.rules.hanchan else 4,
        "aka_flag": game.rules.red_fives,
    }
    return _lines(stream)


def _lines(stream: Stream) -> bytes:
    return "\n".join(map(json.dumps, stream)).encode()


Writer = Callable[[bytes, Game], bytes]
DIALECTS: dict[tuple[str, str], Writer] = {
    ("mjlog", "Tenhou"): lambda data, game: data,
    ("tenhou.net/6", "Tenhou"): tenhou,
    ("tenhou.net/6", "Mahjong Soul's downloader"): mahjong_soul,
    ("tenhou.net/6", "the same in English"): english,
    ("tenhou.net/6", "converters without scores"): converter,
    ("mjai", "houjuu"): own,
    ("mjai", "mjai.app"): mjai_app,
    ("mjai", "riichienv"): partial(_as_program, mjai_dialects.riichienv),
    ("mjai", "Mortal"): mortal,
    ("mjai", "akochan"): partial(_as_program, mjai_dialects.akochan),
    ("mjai", "akochan's logs"): partial(_as_program, mjai_dialects.akochan_log),
    ("mjai", "mjai-manue"): partial(_as_program, mjai_dialects.mjai_manue),
}


def ends(game: Game) -> list[Win | DrawnRound]:
    """The wins and draws of a game, with the details that follow in every format."""
    return [_comparable(event) for event in game if isinstance(event, (Win, DrawnRound))]


def _comparable(end: Win | DrawnRound) -> Win | DrawnRound:
    if isinstance(end, DrawnRound):
        return replace(end, hands=(None,) * 4, scores=None)
    nobody = end.liable in (end.seat, end.source)
    return replace(
        end,
        hand=(),
        melds=(),
        dora_indicators=(),
        ura_indicators=(),
        tile=0,
        fu=0 if end.yakuman else end.fu,
        yaku=tuple(sorted(pair for pair in end.yaku if pair[1])),
        scores=None,
        liable=None if nobody else end.liable,
    )


WITHOUT_URA = ("mjai", "akochan's logs")
"""It has no ura indicators, so that the score of a win in riichi stays unknown."""


def check(games: list[tuple[str, bytes]]) -> None:
    for name, data in games:
        game = logs.parse(data, name, judge=scored)
        for dialect, write in DIALECTS.items():
            read = logs.parse(write(data, game), name, judge=scored)
            strict.check(read)
            assert dialect == WITHOUT_URA or ends(read) == ends(game), dialect


def test_games_of_the_project(own_games: list[Game]) -> None:
    check([(game.id, mjlog.write(game)) for game in own_games[:2]])


@pytest.mark.deep
@pytest.mark.real_logs
@pytest.mark.parametrize("name", ["phoenix-hanchan", "phoenix-tonpuu", "lower-rooms"])
def test_real_games(name: str) -> None:
    check(real.games(name, 10))
