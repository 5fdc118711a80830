"""The same games as mjlog and as tenhou.net/6 read the same; jansou writes the latter."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jansou.io.mjlog import parse_mjlog
from jansou.io.tenhou_json import dump_tenhou_json

from houjuu.events import (
    Away,
    Back,
    Call,
    Deal,
    Discard,
    Dora,
    Draw,
    DrawnRound,
    DrawReason,
    Event,
    Game,
    Meld,
    Win,
)
from houjuu.logs import mjlog, tenhou6
from houjuu.tiles import COPIES, RED_FIVES
from houjuu.yaku import YAKU
from tests import real
from tests.tenhou6 import Cells


def comparable(event: Event, red_fives: bool) -> tuple[Any, ...]:
    """What the format can tell of an event: tiles by kind and colour, in no order."""

    def faces(tiles: tuple[int, ...]) -> tuple[tuple[int, bool], ...]:
        return tuple(sorted((tile // COPIES, red_fives and tile in RED_FIVES) for tile in tiles))

    def face(tile: int | None) -> tuple[int, bool] | None:
        return None if tile is None else (tile // COPIES, red_fives and tile in RED_FIVES)

    def shown(meld: Meld) -> tuple[Any, ...]:
        marks = (face(meld.called), face(meld.added))
        return meld.kind, faces(meld.tiles), *marks, meld.source

    match event:
        case Deal():
            hands = tuple(faces(hand or ()) for hand in event.hands)
            start = (event.round, event.honba, event.riichi_sticks, event.dealer, event.scores)
            return *start, faces((event.dora_indicator,)), hands
        case Draw(seat, tile):
            return "draw", seat, face(tile)
        case Discard(seat, tile, tsumogiri):
            return "discard", seat, face(tile), tsumogiri
        case Call(seat, meld):
            return seat, shown(meld)
        case Dora(indicator):
            return "dora", face(indicator)
        case Win():
            tiles = (event.hand, event.dora_indicators, event.ura_indicators, (event.tile,))
            return (
                *(event.seat, event.source, *map(faces, tiles), *map(shown, event.melds)),
                *(event.limit or event.fu, event.points, event.limit, event.yaku, event.yakuman),
                *(event.honba, event.riichi_sticks, event.scores, event.deltas, event.liable),
            )
        case DrawnRound():
            # Who was tenpai is not told where nobody paid for it, nor which three won.
            told = event.reason not in (DrawReason.NAGASHI_MANGAN, DrawReason.THREE_RON)
            hands = tuple(faces(hand or ()) for hand in event.hands) if told else ()
            end = (event.reason, event.honba, event.riichi_sticks, event.scores, event.deltas)
            return *end, hands
        case _:
            return (event,)


LIMITS = ["", "満貫", "跳満", "倍満", "三倍満", "役満"]
TAGS = {
    DrawReason.EXHAUSTED: "流局",
    DrawReason.NAGASHI_MANGAN: "流し満貫",
    DrawReason.NINE_TERMINALS: "九種九牌",
    DrawReason.FOUR_WINDS: "四風連打",
    DrawReason.FOUR_RIICHI: "四家立直",
    DrawReason.THREE_RON: "三家和了",
    DrawReason.FOUR_KANS: "四槓散了",
}


def _worth(win: Win, dealer: int) -> str:
    """The worth as Tenhou spells it, its payments taken from the changes of the scores."""
    points = f"{win.points}点"
    if win.seat == win.source and win.liable is None:
        paid = [-delta - 100 * win.honba for delta in win.deltas or ()]
        others = [paid[seat] for seat in range(4) if seat not in (win.seat, dealer)]
        points = f"{others[0]}点∀" if win.seat == dealer else f"{others[0]}-{paid[dealer]}点"
    han = sum(han for _, han in win.yaku)
    return (LIMITS[win.limit] or f"{win.fu}符{han}飜") + points


def _ended(ends: list[Win | DrawnRound], dealer: int) -> Cells:
    """The result of a round as Tenhou writes it."""
    entry: Cells = ["和了"]
    for end in ends:
        deltas = list(end.deltas or ())
        if isinstance(end, DrawnRound):
            shown = [hand is not None for hand in end.hands]
            if end.reason is DrawReason.EXHAUSTED and len(set(shown)) == 1:
                return ["全員聴牌" if shown[0] else "全員不聴"]
            return [TAGS[end.reason], deltas]
        yaku = [f"{YAKU[number].japanese}({han}飜)" for number, han in end.yaku]
        yaku += [f"{YAKU[number].japanese}(役満)" for number in end.yakuman]
        liable = end.seat if end.liable is None else end.liable
        entry += [deltas, [end.seat, end.source, liable, _worth(end, dealer), *yaku]]
    return entry


PLAIN = {51: 15, 52: 25, 53: 35}


def _without_red_fives(node: Any) -> Any:
    if isinstance(node, list):
        return [_without_red_fives(child) for child in node]
    if isinstance(node, str):
        for red, plain in PLAIN.items():
            node = node.replace(str(red), str(plain)) if node[:1] == "r" else node
        letters = [i for i, letter in enumerate(node) if letter in "cpmka"]
        if letters and node.isascii():
            at = letters[0]
            pairs = [node[i : i + 2] for i in (*range(0, at, 2), *range(at + 1, len(node), 2))]
            codes = [str(PLAIN.get(int(code), code)) for code in pairs]
            node = "".join([*codes[: at // 2], node[at], *codes[at // 2 :]])
        return node
    return PLAIN.get(node, node) if type(node) is int else node


def as_tenhou6(data: bytes, game: Game) -> bytes:
    """A game of mjlog in this format, written by jansou; the results it leaves out are ours."""
    dumped = dump_tenhou_json(parse_mjlog(data))
    ends: list[list[Win | DrawnRound]] = []
    for event in game:
        if isinstance(event, Deal):
            ends.append([])
        elif isinstance(event, (Win, DrawnRound)):
            ends[-1].append(event)
    if not game.rules.red_fives:  # which jansou does not heed
        dumped["log"] = [[*r[:2], *map(_without_red_fives, r[2:16]), r[16]] for r in dumped["log"]]
    for entry, end in zip(dumped["log"], ends, strict=True):
        entry[16] = _ended(end, entry[0][0] % 4)
    dumped["rule"] = {"aka": int(game.rules.red_fives)}
    return json.dumps(dumped, ensure_ascii=False).encode()


ARCHIVES = [("phoenix-hanchan", 200), ("phoenix-tonpuu", 250), ("lower-rooms", 120)]


@pytest.mark.real_logs
@pytest.mark.parametrize(("name", "limit"), ARCHIVES)
def test_real_games_read_the_same_as_from_mjlog(name: str, limit: int) -> None:
    compared = 0
    for member, data in real.games(name, limit):
        game = mjlog.parse(data, member)
        read = tenhou6.parse(as_tenhou6(data, game), member)
        red = game.rules.red_fives
        # The format does not tell who drops out.
        known = [event for event in game if not isinstance(event, (Away, Back))]
        assert [comparable(event, red) for event in read] == [comparable(e, red) for e in known]
        compared += 1
    assert compared == limit
