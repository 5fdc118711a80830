"""The JSON of tenhou.net/6, Tenhou's log editor, as mjlog2json and many programs write it.

A round is a list of 17: its number, honba and sticks; scores; indicators; ura indicators; for each
seat hand, draws and discards (`tenhou6_lists`); how it ended (`tenhou6_results`). The format does
not tell who is away.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unicodedata import normalize
from urllib.parse import unquote_to_bytes

from houjuu.errors import Error, LogError
from houjuu.events import Event, Final, Game, Player, Rules
from houjuu.ledger import Ledger
from houjuu.logs.tenhou6_lists import clipped, face, orders, turns
from houjuu.logs.tenhou6_play import Play
from houjuu.logs.tenhou6_results import MAX_NUMBER, four, result, whole_numbers

MAX_BYTES = 1 << 20  # unit: bytes; a long game takes 20,000
MAX_ROUNDS = 100
MAX_ORDERS = 20
_ENTRIES = 17  # round, scores, indicators, ura, three lists a seat, result
_DISP = re.compile(r"([般上特鳳])[東南](喰?)(赤?)(速?)")
_ROOMS = {"般": 0, "上": 0x80, "特": 0x20, "鳳": 0xA0}
_DAN = [
    "新人",
    *(f"{n}級" for n in range(9, 0, -1)),
    *(f"{n}段" for n in "初二三四五六七八九十"),
    "天鳳位",
]
"""The ranks in the order in which mjlog numbers them, from 0."""


def read(path: str | Path) -> Iterator[Game]:
    """Yield every game of a file, folder or archive of tenhou.net/6 files.

    Raises LogError at the first that is not one.
    """
    from houjuu.logs.sources import entries

    for name, data in entries(path):
        if isinstance(data, Error):
            raise data
        yield parse(data, name)


def parse(data: bytes, name: str = "tenhou6") -> Game:
    """Read one game.

    Parameters
    ----------
    data : bytes
        The JSON, or an address ``https://tenhou.net/6/#json=…`` with it.
    name : str
        The file's name, for messages. When the JSON has no ``ref``, the part between the last /
        and the first dot becomes the id of the game.

    Returns
    -------
    Game
        In a `Win`, fu is 0 where the format tells a limit alone; the hand, melds and indicators
        are those of the table. `final` is None when the file has no ``sc``.

    Raises
    ------
    LogError
        It is no four-player game, or an impossible one. The message names file, round and
        element.
    """
    try:
        return _game(_load(data), name)
    except Error as problem:
        raise LogError(
            problem.reason, file=name, round=problem.round, element=problem.element
        ) from None


def _load(data: bytes) -> dict[str, Any]:
    if len(data) > MAX_BYTES:
        raise LogError(f"is longer than {MAX_BYTES} bytes")
    if data.lstrip()[:4] == b"http":
        data = unquote_to_bytes(data.partition(b"#json=")[2].partition(b"&")[0].strip())
    try:
        game = json.loads(data)
    except (ValueError, RecursionError) as problem:
        raise LogError(f"is not JSON: {problem}") from None
    if not isinstance(game, dict) or not isinstance(game.get("log"), list):
        raise LogError("is not of tenhou.net/6: it has no list of rounds under log")
    return game


def _game(game: dict[str, Any], name: str) -> Game:
    rules, players = _rules(game), _players(game)
    rounds = game["log"]
    if not 1 <= len(rounds) <= MAX_ROUNDS:
        raise LogError(f"has {len(rounds)} rounds")
    ledger, events = Ledger(), list[Event]()
    for index, entry in enumerate(rounds):
        try:
            played = _round(entry, rules.red_fives)
            for event in played:
                ledger.apply(event)
        except Error as problem:
            raise LogError(problem.reason, round=index, element=problem.element) from None
        events += played
    ref = game.get("ref")
    if not isinstance(ref, str) or not re.fullmatch(r"[\w-]{1,64}", ref, re.ASCII):
        ref = name.rsplit("/", 1)[-1].split(".", 1)[0]
    return Game(ref, rules, players, tuple(events), _final(game))


def _rules(game: dict[str, Any]) -> Rules:
    """Gather the bits of an mjlog from ``rule``, as far as Tenhou's own short form tells them."""
    rule = game.get("rule") or {}
    if not isinstance(rule, dict):
        raise LogError("is no set of rules", element=clipped(rule))
    disp = rule.get("disp", "")
    if not isinstance(disp, str):
        raise LogError("is no name of rules", element=clipped(disp))
    if disp.startswith("三") or "三人" in disp or "三麻" in disp:
        raise LogError("is a three-player game; houjuu reads four-player games")
    flags = 0x01 | (0 if "東" in disp or "East" in disp else 0x08)
    red = [bool(value) for key, value in rule.items() if key.startswith("aka")]
    red_fives = any(red) if red else True
    if short := _DISP.match(disp):
        flags |= _ROOMS[short[1]] | (0 if short[2] else 0x04) | (0x40 if short[4] else 0)
        red_fives = any(red) if red else bool(short[3])
    lobby = game.get("lobby")
    return Rules(flags | (0 if red_fives else 0x02), str(lobby) if type(lobby) is int else None)


def _players(game: dict[str, Any]) -> tuple[Player, ...]:
    names = game.get("name")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise LogError("has no list of players under name")
    if len(names) == 3 or (len(names) == 4 and any(names[:3]) and not names[3]):
        raise LogError("is a three-player game; houjuu reads four-player games")
    if len(names) != 4:
        raise LogError(f"has {len(names)} players")
    dans, rates, sexes = (_column(game, key) for key in ("dan", "rate", "sx"))
    return tuple(
        Player(
            name.encode(errors="replace").decode(),
            _dan(dan),
            float(rate) if _is_number(rate) else None,
            sex if sex in ("M", "F", "C") else None,
        )
        for name, dan, rate, sex in zip(names, dans, rates, sexes, strict=True)
    )


def _dan(name: Any) -> int | None:
    name = normalize("NFKC", name) if isinstance(name, str) else ""
    return _DAN.index(name) if name in _DAN else None


def _column(game: dict[str, Any], key: str) -> list[Any]:
    column = game.get(key)
    return column if isinstance(column, list) and len(column) == 4 else [None] * 4


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) < MAX_NUMBER  # which NaN is not


def _final(game: dict[str, Any]) -> Final:
    numbers = game.get("sc")
    if numbers is None:
        return None
    if not isinstance(numbers, list) or len(numbers) != 8 or not all(map(_is_number, numbers)):
        raise LogError("are not the final scores and results", element=f"sc {clipped(numbers)}")
    scores, results = numbers[::2], numbers[1::2]
    return tuple((int(s), float(r)) for s, r in zip(scores, results, strict=True))


def _round(entry: Any, red_fives: bool) -> list[Event]:
    """Read a round; of the orders in which its turns may have come, the first that is possible."""
    if not isinstance(entry, list) or len(entry) != _ENTRIES:
        raise LogError(f"a round is no list of {_ENTRIES} entries", element=clipped(entry))
    number, honba, sticks = _three(entry[0])
    indicators, ura = ([face(cell) for cell in _list(cells)] for cells in entry[2:4])
    if not 1 <= len(indicators) <= 5 or len(ura) > 5:
        raise LogError(f"has {len(indicators)} indicators and {len(ura)} ura indicators")
    hands = [[face(cell) for cell in _list(entry[seat])] for seat in range(4, 16, 3)]
    seats = [turns(seat, *entry[5 + 3 * seat : 7 + 3 * seat]) for seat in range(4)]
    ended = result(entry[16])
    first = None
    for tried, order in enumerate(orders(seats, number % 4)):
        play = Play(red_fives, indicators, ura)
        try:
            play.deal(number, honba, sticks, four(entry[1]), hands)
            play.play(order, ended)
        except Error as problem:
            first = first or problem
            if tried == MAX_ORDERS:
                break
        else:
            return play.events
    raise first or LogError("its turns fit in no order")


def _three(numbers: Any) -> tuple[int, int, int]:
    if whole_numbers(numbers, 3) and min(numbers) >= 0:
        number, honba, sticks = numbers
        return number, honba, sticks
    raise LogError("are not round, honba and sticks", element=clipped(numbers))


def _list(cells: Any) -> list[Any]:
    if not isinstance(cells, list):
        raise LogError("is no list of tiles", element=clipped(cells))
    return cells
