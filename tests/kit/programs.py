"""Games as other programs write them: tenhou.net/6 as its converters do, mjai as six programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from houjuu.game.events import DrawReason, Game
from houjuu.game.yaku import YAKU
from houjuu.logs import mjlog, tenhou6_writer
from houjuu.logs.mjai_writer import messages
from tests.kit import dialects
from tests.kit.dialects import Stream

Writer = Callable[[Game], bytes]
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


def lines(stream: Stream) -> bytes:
    """Messages as a file of mjai."""
    return "\n".join(map(json.dumps, stream)).encode()


def tenhou6(
    game: Game, yaku: dict[str, str] | None = None, limits: dict[str, str] | None = None
) -> bytes:
    """As Tenhou, limit hands without fu and no 裏ドラ(0飜); with other names, as a downloader."""
    dumped = json.loads(tenhou6_writer.write(game))
    for entry in _wins(dumped):
        limit = next((old for old in limits or {} if entry[3].startswith(old)), "")
        entry[3] = (limits or {}).get(limit, "") + entry[3].removeprefix(limit)
        names = [name.partition("(") for name in entry[4:] if name != "裏ドラ(0飜)"]
        entry[4:] = ["".join(((yaku or {}).get(name, name), *rest)) for name, *rest in names]
    for entry in dumped["log"] if yaku else ():
        entry[16][0] = _DRAWS.get(entry[16][0], entry[16][0])
    return json.dumps(dumped, ensure_ascii=False).encode()


def converter(game: Game) -> bytes:
    """As converters: who wins, from whom, and the payments; no score, yaku and results."""
    dumped = json.loads(tenhou6_writer.write(game))
    for entry in _wins(dumped):
        entry[3:] = [""]
    del dumped["sc"]
    return json.dumps(dumped).encode()


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


def mjai_app(game: Game) -> bytes:
    """As mjai.app: arrays of messages, a line each."""
    stream = _plain(game)
    return "\n".join(json.dumps(stream[i : i + 7]) for i in range(0, len(stream), 7)).encode()


def as_program(dialect: dialects.Dialect, game: Game) -> bytes:
    """In a dialect of `tests.kit.dialects`, with the rules in the keys of the program."""
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
    return lines(written)


mortal: Writer = partial(as_program, partial(dialects.mortal, is_whole=True))
WITHOUT_URA = "akochan's logs"
"""Without ura indicators the score of a win in riichi stays unknown."""

PROGRAMS: dict[str, Writer] = {
    "mjlog of Tenhou": mjlog.write,
    "tenhou.net/6 of Tenhou": tenhou6,
    "Mahjong Soul's downloader": partial(tenhou6, yaku=_SOUL_YAKU),
    "the same in English": partial(tenhou6, yaku=_ENGLISH, limits=_LIMITS),
    "converters without scores": converter,
    "mjai of houjuu": lambda game: lines([*messages(game)]),
    "mjai.app": mjai_app,
    "riichienv": partial(as_program, dialects.riichienv),
    "Mortal": mortal,
    "akochan": partial(as_program, dialects.akochan),
    WITHOUT_URA: partial(as_program, dialects.akochan_log),
    "mjai-manue": partial(as_program, dialects.mjai_manue),
}
