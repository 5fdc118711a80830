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
    Game,
)
from houjuu.logs import mjlog, tenhou6_writer
from houjuu.scoring.win_scoring import scored
from tests.kit import real
from tests.kit.events import content

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
