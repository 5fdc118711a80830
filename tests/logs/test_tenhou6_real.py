"""Games parsed from mjlog and from tenhou.net/6 are equal; jansou writes tenhou.net/6."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jansou.io.mjlog import parse_mjlog
from jansou.io.tenhou_json import dump_tenhou_json

from houjuu import logs
from houjuu.game.events import (
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
from houjuu.game.tiles import KIND, RED_FIVES
from houjuu.game.yaku import YAKU
from houjuu.logs import mjlog
from houjuu.scoring.win_scoring import scored
from tests import real
from tests.logs.tenhou6_samples import Cells


def comparable(event: Event, red_fives: bool) -> tuple[Any, ...]:
    """The content of an event in this format: tiles by kind and colour, without order."""

    def tile_types(tiles: tuple[int, ...]) -> tuple[tuple[int, bool], ...]:
        return tuple(sorted((KIND[tile], red_fives and tile in RED_FIVES) for tile in tiles))

    def tile_type(tile: int | None) -> tuple[int, bool] | None:
        return None if tile is None else (KIND[tile], red_fives and tile in RED_FIVES)

    def comparable_meld(meld: Meld) -> tuple[Any, ...]:
        marks = (tile_type(meld.called), tile_type(meld.added))
        return meld.kind, tile_types(meld.tiles), *marks, meld.source

    match event:
        case Deal():
            hands = tuple(tile_types(hand or ()) for hand in event.hands)
            start = (event.round, event.honba, event.riichi_sticks, event.dealer, event.scores)
            return *start, tile_types((event.dora_indicator,)), hands
        case Draw(seat, tile):
            return "draw", seat, tile_type(tile)
        case Discard(seat, tile, tsumogiri):
            return "discard", seat, tile_type(tile), tsumogiri
        case Call(seat, meld):
            return seat, comparable_meld(meld)
        case Dora(indicator):
            return "dora", tile_type(indicator)
        case Win():
            ura = event.ura_indicators or ()
            tiles = (event.hand, event.dora_indicators, ura, (event.tile,))
            return (
                *(
                    event.seat,
                    event.source,
                    *map(tile_types, tiles),
                    *map(comparable_meld, event.melds),
                ),
                *(event.yakuman or event.fu, event.points, event.limit, sorted(event.yaku)),
                *(event.honba, event.riichi_sticks, event.scores, event.deltas, event.liable),
            )
        case DrawnRound():
            # The format omits tenpai hands without payments and the winners of a triple ron.
            has_hands = event.reason not in (DrawReason.NAGASHI_MANGAN, DrawReason.THREE_RON)
            hands = tuple(tile_types(hand or ()) for hand in event.hands) if has_hands else ()
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


def _score(win: Win, dealer: int) -> str:
    """The score text of Tenhou, with payments from the changes of the scores."""
    points = f"{win.points}点"
    if win.seat == win.source and win.liable == win.seat:
        paid = [-delta - 100 * win.honba for delta in win.deltas or ()]
        others = [paid[seat] for seat in range(4) if seat not in (win.seat, dealer)]
        points = f"{others[0]}点∀" if win.seat == dealer else f"{others[0]}-{paid[dealer]}点"
    han = sum(han for _, han in win.yaku)
    return (LIMITS[win.limit or 0] or f"{win.fu}符{han}飜") + points


def _ended(ends: list[Win | DrawnRound], dealer: int) -> Cells:
    """The result of a round as Tenhou writes it."""
    entry: Cells = ["和了"]
    for end in ends:
        deltas = list(end.deltas or ())
        if isinstance(end, DrawnRound):
            shown = [hand is not None for hand in end.hands]
            if end.reason is DrawReason.EXHAUSTED and len(set(shown)) == 1:
                return ["全員聴牌" if shown[0] else "全員不聴"]
            assert end.reason is not None
            return [TAGS[end.reason], deltas]
        yaku = [f"{YAKU[number].japanese}({han}飜)" for number, han in end.yaku]
        yaku += [f"{YAKU[number].japanese}(役満)" for number in end.yakuman]
        entry += [deltas, [end.seat, end.source, end.liable, _score(end, dealer), *yaku]]
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
            mark = letters[0]
            pairs = [node[i : i + 2] for i in (*range(0, mark, 2), *range(mark + 1, len(node), 2))]
            codes = [str(PLAIN.get(int(code), code)) for code in pairs]
            node = "".join([*codes[: mark // 2], node[mark], *codes[mark // 2 :]])
        return node
    return PLAIN.get(node, node) if type(node) is int else node


def as_tenhou6(data: bytes, game: Game) -> bytes:
    """A game of mjlog in this format, written by jansou, with results that jansou omits."""
    dumped = dump_tenhou_json(parse_mjlog(data))
    ends: list[list[Win | DrawnRound]] = []
    for event in game:
        if isinstance(event, Deal):
            ends.append([])
        elif isinstance(event, (Win, DrawnRound)):
            ends[-1].append(event)
    if not game.rules.red_fives:  # jansou ignores this rule
        dumped["log"] = [[*r[:2], *map(_without_red_fives, r[2:16]), r[16]] for r in dumped["log"]]
    for entry, end in zip(dumped["log"], ends, strict=True):
        entry[16] = _ended(end, entry[0][0] % 4)
    dumped["rule"] = {"aka": int(game.rules.red_fives)}
    return json.dumps(dumped, ensure_ascii=False).encode()


ARCHIVES = [("phoenix-hanchan", 200), ("phoenix-tonpuu", 250), ("lower-rooms", 120)]


@pytest.mark.slow
@pytest.mark.real_logs
@pytest.mark.parametrize(("name", "limit"), ARCHIVES)
def test_real_games_equal_those_of_mjlog(name: str, limit: int) -> None:
    compared = 0
    for member, data in real.games(name, limit):
        game = mjlog.parse(data, member)
        parsed = logs.parse(as_tenhou6(data, game), member, judge=scored)
        red = game.rules.red_fives
        # The format does not contain disconnected players.
        expected = [event for event in game if not isinstance(event, (Away, Back))]
        assert [comparable(event, red) for event in parsed] == [
            comparable(e, red) for e in expected
        ]
        compared += 1
    assert compared == limit
