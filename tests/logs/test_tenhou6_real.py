"""Games parsed from mjlog and from tenhou.net/6 are equal; jansou writes tenhou.net/6."""

from __future__ import annotations

import json
import re
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
from houjuu.logs import mjlog, tenhou6_writer
from houjuu.scoring.win_scoring import scored
from tests import real


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
                    sorted(map(comparable_meld, event.melds), key=str),
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


def content(game: Game) -> list[tuple[Any, ...]]:
    """The events; jansou writes no disconnected players."""
    kept = (event for event in game if not isinstance(event, (Away, Back)))
    return [comparable(event, game.rules.red_fives) for event in kept]


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


def as_tenhou6(data: bytes, game: Game) -> dict[str, Any]:
    """A game of mjlog in this format, written by jansou, with results that jansou omits."""
    dumped: dict[str, Any] = dump_tenhou_json(parse_mjlog(data))
    if not game.rules.red_fives:  # jansou ignores this rule
        dumped["log"] = [[*r[:2], *map(_without_red_fives, r[2:16]), r[16]] for r in dumped["log"]]
    for theirs, ours in zip(
        dumped["log"], json.loads(tenhou6_writer.write(game))["log"], strict=True
    ):
        theirs[16] = ours[16]
    dumped["rule"] = {"aka": int(game.rules.red_fives)}
    return dumped


def without_kans(node: Any) -> Any:
    """The lists of a round; jansou marks a kan from the right in another place."""
    if isinstance(node, list):
        return [without_kans(child) for child in node]
    kan = isinstance(node, str) and node.isascii() and re.fullmatch(r"[\dmk]{9}", node)
    return "".join(sorted(node)) if kan else node


ARCHIVES = [("phoenix-hanchan", 200), ("phoenix-tonpuu", 250), ("lower-rooms", 120)]


@pytest.mark.deep
@pytest.mark.real_logs
@pytest.mark.parametrize(("name", "limit"), ARCHIVES)
def test_real_games_equal_those_of_mjlog(name: str, limit: int) -> None:
    compared = 0
    for member, data in real.games(name, limit):
        game = mjlog.parse(data, member)
        theirs = as_tenhou6(data, game)
        ours = tenhou6_writer.write(game)
        assert without_kans(json.loads(ours)["log"]) == without_kans(theirs["log"])
        for text in (json.dumps(theirs, ensure_ascii=False), ours):
            parsed = logs.parse(text.encode(), member, judge=scored)
            assert content(parsed) == content(game)
        assert (parsed.rules, parsed.players, parsed.final) == (
            game.rules,
            game.players,
            game.final,
        )
        compared += 1
    assert compared == limit
