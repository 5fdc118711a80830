"""Names in logs of other programs: the reasons of a draw, wins, limits, and texts of a score.

Yaku are in `houjuu.game.yaku`. Names are compared as `houjuu.util.names.folded` returns them. A
name that is in no table is no error: a reader keeps it in `houjuu.game.events.Game.unread`.
"""

from __future__ import annotations

import re
from typing import NamedTuple, TypeVar
from unicodedata import normalize

from houjuu.game.events import DrawReason
from houjuu.util.errors import printable
from houjuu.util.names import folded

_T = TypeVar("_T")
_SHOWN = 40  # unit: characters of an unknown name

_WINS = "和了, 和, agari, hora, win, ron, tsumo, ロン, ツモ, 栄和, 自摸, 荣和, 胡"
_ALL_TENPAI = "全員聴牌, all tenpai, all tempai"
_NONE_TENPAI = "全員不聴, all noten, no tenpai, 全員ノーテン"
_REASONS = {
    DrawReason.EXHAUSTED: "流局, ryuukyoku, ryukyoku, exhausted, exhaustive draw, draw, fanpai, "
    "howanpai, huangpai, huang pai, 荒牌流局, 荒牌平局, kouhai heikyoku, normal, 平局, 通常流局, "
    f"{_ALL_TENPAI}, {_NONE_TENPAI}",
    DrawReason.NAGASHI_MANGAN: "流し満貫, nagashi mangan, mangan at draw, 流局満貫, 流満",
    DrawReason.NINE_TERMINALS: "九種九牌, kyuushu kyuuhai, kyushu kyuhai, kyuushu kyuhai, "
    "nine terminals, nine terminals abortion, nine terminal abortion, nine different terminals, "
    "nine orphans, 九种九牌, 九種幺九牌",
    DrawReason.FOUR_WINDS: "四風連打, suufon renda, sufon renda, sufuurenta, "
    "sufonrenta, suufuu renda, four winds, four wind abortion, four winds abortion, "
    "four winds discarded, four wind discards, 四風子連打",
    DrawReason.FOUR_RIICHI: "四家立直, suucha riichi, sucha reach, suucha reach, four riichi, "
    "four riichi abortion, four players riichi, 四人立直, 四家リーチ",
    DrawReason.THREE_RON: "三家和, 三家和了, sanchahou, sanchaho, triple ron, three ron, "
    "three ron abortion, sancha hou, トリプルロン, 三家栄",
    DrawReason.FOUR_KANS: "四槓散了, 四開槓, suukaikan, sukaikan, suukan sanra, suukan sansen, "
    "four kans, four kan abortion, four kans abortion, four quads abortion, 四槓流れ, 四槓流局",
}
_LIMITS = {
    1: "満貫, mangan, 切り上げ満貫, 切上満貫, kiriage mangan, rounded mangan, kiriage",
    2: "跳満, haneman, ハネ満, 跳満貫",
    3: "倍満, baiman, 倍満貫",
    4: "三倍満, sanbaiman, 三倍満貫",
    5: "数え役満, kazoe yakuman, counted yakuman, 累計役満, kazoe",
}
_YAKUMAN = re.compile(r".*(?:役満|yakuman)s?")  # also of several: ダブル役満
_FU = re.compile(r"(\d{1,3})\s*(?:符|fu)", re.ASCII)
_HAN = re.compile(r"\d{1,3}\s*(?:飜|翻|番|han)", re.ASCII)
_POINTS = re.compile(
    r"(\d{1,7})\s*(?:[-–/]\s*(\d{1,7}))?\s*(?:点|點|points?|pts)\s*(∀|all\b|オール)?", re.ASCII
)


def _by_name(names: dict[_T, str]) -> dict[str, _T]:
    return {folded(name): value for value, row in names.items() for name in row.split(",")}


_REASON_BY_NAME = _by_name(_REASONS) | {reason.value: reason for reason in DrawReason}
_LIMIT_BY_NAME = _by_name(_LIMITS)
_WIN_NAMES = frozenset(map(folded, _WINS.split(",")))
_TENPAI_BY_NAME = _by_name({True: _ALL_TENPAI, False: _NONE_TENPAI})


class Score(NamedTuple):
    """The content of the text of a score; a part that it lacks is None.

    Attributes
    ----------
    fu : int or None
    points : int or None
        Of the hand, without honba and sticks.
    limit : int or None
        As in `houjuu.game.events.Win`.
    unknown : str or None
        A word that is no limit.
    """

    fu: int | None = None
    points: int | None = None
    limit: int | None = None
    unknown: str | None = None


def is_win(name: str) -> bool:
    """Whether the name of a result is that of a win: 和了, Agari."""
    return folded(name) in _WIN_NAMES


def draw_reason(name: str) -> DrawReason | None:
    """The reason of a draw; None if the name is unknown.

    >>> draw_reason("四開槓") is draw_reason("Four Kan Abortion") is DrawReason.FOUR_KANS
    True
    """
    return _REASON_BY_NAME.get(folded(name))


def all_tenpai(name: str) -> bool | None:
    """True for 全員聴牌, False for 全員不聴; None for other names of draws."""
    return _TENPAI_BY_NAME.get(folded(name))


def score(text: str) -> Score | None:
    """Read the text of a score; None if it is not one.

    "2000-4000点" is twice the first payment plus the second.

    >>> score("Mangan 2000-4000点")
    Score(fu=None, points=8000, limit=1, unknown=None)
    >>> score("30 fu 4 han 7700 points")
    Score(fu=30, points=7700, limit=0, unknown=None)
    """
    text = normalize("NFKC", text).casefold()
    fu = _FU.search(text)
    points = _POINTS.search(text)
    rest = folded(_HAN.sub("", _FU.sub("", _POINTS.sub("", text))))
    limit = 5 if _YAKUMAN.fullmatch(rest) else _LIMIT_BY_NAME.get(rest)
    if not (fu or points or limit):
        return None
    unknown = rest if rest and not limit else None
    if limit is None and fu and not unknown:
        limit = 0
    return Score(int(fu[1]) if fu else None, _points(points), limit, unknown)


def _points(match: re.Match[str] | None) -> int | None:
    if match is None:
        return None
    first, second, everyone = match.groups()
    if second is not None:
        return 2 * int(first) + int(second)
    return int(first) * (3 if everyone else 1)


def unread(kind: str, name: object, part: str) -> str:
    """The entry of `Game.unread` for something unknown: ``yaku 'Foo' of round 3``."""
    return f"{kind} {printable(str(name))[:_SHOWN]!r} of {part}"
