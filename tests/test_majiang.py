"""Majiang as a bot of mjai: its messages, and the answers for its replies."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("riichienv", reason="matches are played on it")

from houjuu.arena.matches import Match
from houjuu.arena.selfplay import play
from houjuu.game.events import SEATS, Game, visible
from houjuu.game.tiles import COPIES, IS_HONOUR, KINDS, RED_FIVES, TILES, mjai_name, parse_tiles
from houjuu.hands.sets import SETS, set_kinds
from houjuu.logs import mjai_writer
from tests.kit.absent import leave_out, program

needs_node = pytest.mark.usefixtures("node")
HERE = Path(__file__).parents[1] / "benchmarks" / "majiang"
Message = dict[str, Any]


@pytest.fixture(scope="session")
def node() -> None:
    """The program and the packages of the player."""
    program("node")
    if not (HERE / "node_modules").exists():
        leave_out("benchmarks/majiang/install.sh has installed no packages")


def names(tiles: Sequence[int]) -> Counter[str]:
    """Tiles by name, red fives apart."""
    return Counter(mjai_name(tile) for tile in tiles)


def parse_hand(text: str) -> tuple[int, ...]:
    """A hand in majiang's notation, in which suit letters precede the ranks."""
    return parse_tiles(re.sub(r"([mpsz])(\d+)", r"\2\1", text))


def tile_text(tile: int) -> str:
    """A tile in majiang's notation."""
    kind, name = tile // COPIES, mjai_name(tile)
    if IS_HONOUR[kind]:
        return f"z{kind % 9 + 1}"
    return name[1] + ("0" if tile in RED_FIVES else name[0])


def messages_of_mjai(game: Game, seat: int, *, all_seats: bool = False) -> list[Message]:
    """The messages to one seat; with `all_seats`, nothing is hidden."""
    start = {**mjai_writer.start_game(game.rules, game.players), "id": seat}
    events = game.events if all_seats else (visible(event, seat) for event in game)
    rounds = [one for event in events for one in mjai_writer.event_messages(event, game.rules)]
    end = {"type": "end_game", "scores": [score for score, _ in game.final or ()]}
    return [start, *rounds, end]


def converted(games: Sequence[list[Message]]) -> list[dict[str, Any]]:
    """What `majiang_messages.js` makes of messages of mjai."""
    text = "".join(json.dumps(messages) + "\n" for messages in games)
    return [json.loads(line) for line in run_node("majiang_messages.js", text).splitlines()]


def messages_of_majiangs_referee(games: list[Game]) -> list[list[list[Message]]]:
    """The messages of majiang's own referee to each seat when it replays the games."""
    lines = []
    for whole in converted([messages_of_mjai(game, 0, all_seats=True) for game in games]):
        start, *messages, _ = whole["converted"]
        log: list[list[Message]] = []
        for message in messages:
            log += [[]] if "qipai" in message else []
            log[-1].append(message)
        script = {**start["kaiju"], "log": log}
        lines.append(json.dumps({"script": script, "rule": start["kaiju"]["rule"]}) + "\n")
    return [json.loads(line) for line in run_node("majiang_replay.js", "".join(lines)).splitlines()]


def run_node(script: str, text: str) -> str:
    """The output of a script beside the tests that reads the text."""
    return subprocess.run(
        ["node", str(Path(__file__).with_name(script))],
        env={**os.environ, "NODE_PATH": str(HERE / "node_modules")},
        input=text,
        capture_output=True,
        check=True,
        encoding="utf-8",
    ).stdout


def _comparable(message: Message) -> Message:
    """A message without the names of yaku and without the order of the tiles of a shown hand."""
    kind, content = next(iter(message.items()))
    if kind == "jieju":
        return {kind: content["defen"]}
    if kind == "pingju":
        hands = [names(parse_hand(hand.split(",")[0].rstrip("*"))) for hand in content["shoupai"]]
        return {kind: {**content, "shoupai": hands}}
    return {kind: {key: value for key, value in content.items() if key not in ("hupai", "rule")}}


@needs_node
def test_majiangs_referee_sends_the_same_messages(own_games: list[Game]) -> None:
    """It receives the draws and actions of our games; the points are compared too.

    The dora of a kan may come before or after the next kan, so it is compared separately.
    """
    assert own_games
    for game, theirs in zip(own_games, messages_of_majiangs_referee(own_games), strict=True):
        seats = converted([messages_of_mjai(game, seat) for seat in range(SEATS)])
        for ours, his in zip(seats, theirs, strict=True):
            for is_dora in (False, True):
                mine, majiangs = (
                    [_comparable(m) for m in messages if ("kaigang" in m) == is_dora]
                    for messages in (ours["converted"], his)
                )
                assert mine == majiangs


@needs_node
def test_replies_become_the_right_answers() -> None:
    """The reply that chooses an action of a game is the message of that action again."""
    with_kans = [play(seed) for seed in (5, 8)]
    games = [messages_of_mjai(game, seat) for game in with_kans for seat in range(SEATS)]
    kinds: Counter[str] = Counter()
    for game in converted(games):
        for message, answer in game["answers"]:
            for one in (message, answer):
                one["consumed"] = sorted(one.get("consumed", []))
            assert message == answer
            kinds[answer["type"]] += 1
    assert {"dahai", "chi", "pon", "daiminkan", "ankan", "kakan"} == {*kinds}


@needs_node
def test_a_match() -> None:
    """Majiang gives no illegal answer, and the same seed gives the same game."""
    line_up = (f"mjai:node {HERE / 'bot.js'}", "v1", "v1", "v1")
    first, second = (Match(line_up).play_with((), 0, 1) for _ in range(2))
    assert first.game == second.game
    assert first.answers[1].problems == []
    assert first.answers[1].answered > 50


def near_win(rng: Random, n_melds: int) -> list[int]:
    """A complete hand beside `n_melds` melds, the same with another last tile, or without it."""
    sets = [set_kinds(number) for number in range(SETS)]
    while True:
        chosen = [*rng.choices(sets, k=4 - n_melds), (rng.randrange(KINDS),) * 2]
        kinds = Counter(kind for tiles in chosen for kind in tiles)
        if max(kinds.values()) <= COPIES:
            break
    tiles = [COPIES * kind + copy for kind, number in kinds.items() for copy in range(number)]
    rng.shuffle(tiles)
    other = rng.choice([tile for tile in range(TILES) if tile not in tiles])
    return tiles[:-1] + rng.choice([tiles[-1:], [other], []])


@needs_node
def test_fast_shantens_and_waits_are_those_of_npm() -> None:
    """For hands of all tiles, of one suit and near a win, with and without melds."""
    rng = Random(1)
    hands = []
    for number in range(4000):
        pool = range(TILES) if number % 2 else range(36 * (number % 3), 36 * (number % 3) + 36)
        melds = rng.randrange(4)
        tiles = rng.sample(pool, 13 - 3 * melds + rng.randrange(2))
        hands += [(tiles, count) for count in (0, melds)]
        hands += [(near_win(rng, melds), melds)]
    named = [([tile_text(tile) for tile in tiles], melds) for tiles, melds in hands]
    assert run_node("majiang_shanten.js", json.dumps(named)) == "0\n"
