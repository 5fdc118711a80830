"""The JSON of tenhou.net/6, Tenhou's log editor, as mjlog2json and many programs write it.

A round is a list of 17 entries: its number, honba and sticks; scores; dora indicators; ura
indicators; hand, draws and discards of each seat (`tenhou6_lists`); and the result
(`tenhou6_results`).

Programs differ, and the reader accepts all of these:

| program | differs in |
|---|---|
| Tenhou | a limit hand has no fu: 満貫8000点; ``connection`` lists who leaves and comes back |
| Tenhou's lobbies | ``rule`` is a list with the type of the game; ``csrule`` is ignored |
| tensoul (Mahjong Soul) | names in Japanese, romaji, English; winds without name: 役牌:自風牌 |
| NAGA | a round for each address ``https://tenhou.net/6/#json=…`` (`houjuu.logs.addresses`) |
| other programs | a winner without score and yaku; 1000.0 for 1000; tsumogiri as a plain tile |

Red fives: 51 to 53 show that there are some, whatever ``rule`` contains; a fourth plain five shows
that there are none.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from unicodedata import normalize

from houjuu.game.events import (
    Away,
    Back,
    Call,
    Discard,
    Draw,
    DrawnRound,
    Event,
    FinalScores,
    Game,
    PlayerInfo,
    Riichi,
    Win,
)
from houjuu.game.limits import MAX_SCORE
from houjuu.game.round_state import RoundState
from houjuu.game.rules import MAHJONG_SOUL, NO_RED_FIVES, TENHOU, Rules
from houjuu.logs import addresses, names
from houjuu.logs.reading import game_id, integral, read_all, with_red_fives
from houjuu.logs.tenhou6_lists import has_red_five, parse_tile, parse_turns, shorten, turn_orders
from houjuu.logs.tenhou6_play import RoundReplay
from houjuu.logs.tenhou6_results import are_integers, four_numbers, parse_result
from houjuu.util.errors import Error, LogError, ThreePlayerError

_FOREIGN = {
    "qijia": "a log of majiang (電脳麻将), which houjuu does not read",
    "head": "a record of Mahjong Soul: convert it to tenhou.net/6 JSON, for instance with tensoul",
}
"""Formats of other programs by a key that they have."""
MAX_BYTES = 1 << 20  # unit: bytes; a long game has 20,000
MAX_ROUNDS = 100
MAX_ORDERS = 20
_ENTRIES = 17  # round, scores, indicators, ura, three lists a seat, result
_MAHJONG_SOUL = re.compile(
    r"[銅銀金玉]の間|王座の間|友人戦|\b(?:(?:Bronze|Silver|Gold|Jade|Throne) Room|Friendly)\b"
)
_DISP = re.compile(r"([般上特鳳])[東南](喰?)(赤?)(速?)")
_ROOMS = {"般": 0, "上": 0x80, "特": 0x20, "鳳": 0xA0}
DAN = [
    "新人",
    *(f"{n}級" for n in range(9, 0, -1)),
    *(f"{n}段" for n in "初二三四五六七八九十"),
    "天鳳位",
]
"""The dan ranks by their number in mjlog, from 0."""


def parse(data: bytes, name: str = "tenhou6") -> Game:
    """Parse one game.

    Parameters
    ----------
    data : bytes
        The JSON, or an address ``https://tenhou.net/6/#json=…`` that contains it.
    name : str
        Name of the file for error messages. If the JSON has no ``ref``, the part between the last /
        and the first dot is the id of the game.

    Returns
    -------
    Game
        The fu of a `Win` are None if the file has only a limit; hand, melds and indicators come
        from the table. `final` is None if the file has no ``sc``.

    Raises
    ------
    LogError
        The data is not a four-player game, or the game is impossible. The message names file,
        round and element.
    """
    try:
        return _game(_load(data), name)
    except Error as problem:
        where = problem.round
        what = problem.element
        raise LogError.at(problem, file=name, round=where, element=what) from None


read = partial(read_all, parse)
"""Yield all games of a path with tenhou.net/6 files; raises the first Error."""


def _load(data: bytes) -> dict[str, Any]:
    if len(data) > MAX_BYTES:
        raise LogError(f"is longer than {MAX_BYTES} bytes")
    if addresses.is_tenhou6_list(data):
        data = addresses.only_content(data)
    try:
        game = json.loads(data, parse_float=integral)
    except (ValueError, RecursionError) as problem:
        raise LogError(f"is not JSON: {problem}") from None
    if isinstance(game, dict) and (foreign := next((k for k in _FOREIGN if k in game), None)):
        raise LogError(f"is {_FOREIGN[foreign]}")
    if not isinstance(game, dict) or not isinstance(game.get("log"), list):
        raise LogError("is not tenhou.net/6 JSON: it has no list of rounds under the key log")
    return game


def _game(game: dict[str, Any], name: str) -> Game:
    rules, unread = _rules(game)
    players = _players(game)
    rounds = game["log"]
    if not 1 <= len(rounds) <= MAX_ROUNDS:
        raise LogError(f"has {len(rounds)} rounds, not 1 to {MAX_ROUNDS}")
    changes = parse_connection(game.get("connection"))
    ref = game.get("ref")
    if not isinstance(ref, str) or not re.fullmatch(r"[\w-]{1,64}", ref, re.ASCII):
        ref = game_id(name)

    def played(red_fives: bool) -> Game:
        flags = rules.flags & ~NO_RED_FIVES | (0 if red_fives else NO_RED_FIVES)
        events, unknown = _rounds(rounds, red_fives, changes)
        return Game(
            id=ref,
            rules=replace(rules, flags=flags),
            players=players,
            events=tuple(events),
            final=_final(game),
            unread=(*unread, *unknown),
        )

    if any(map(has_red_five, rounds)):
        return played(True)
    return with_red_fives(played, stated=None if rules.red_fives else False)


def _rounds(rounds: list[Any], red_fives: bool, changes: Changes) -> tuple[list[Event], list[str]]:
    """The events of all rounds, and the unknown names in their results."""
    round_state = RoundState()
    events = list[Event]()
    unread = list[str]()
    for index, entry in enumerate(rounds):
        try:
            round_events, unknown = _round(entry, red_fives)
            for event in round_events:
                round_state.apply(event)
        except Error as problem:
            raise LogError.at(problem, file=None, round=index, element=problem.element) from None
        events += with_changes(round_events, changes.get(index, ()))
        unread += [names.unread(kind, text, f"round {index}") for kind, text in unknown]
    for index in sorted(changes.keys() - range(len(rounds))):
        events += (change for _, change in changes[index])
    return events, unread


def _rules(game: dict[str, Any]) -> tuple[Rules, tuple[str, ...]]:
    """The rules as flags of an mjlog, and the entry of `Game.unread` for an unknown ``rule``.

    Speed and room are only in Tenhou's own short form and in the list of a tournament lobby.
    """
    rule = game.get("rule") or {}
    lobby = str(game["lobby"]) if type(game.get("lobby")) is int else None
    if isinstance(rule, list):
        return _lobby_rules(rule, lobby)
    if not isinstance(rule, dict):
        raise LogError("is not a set of rules (an object)", element=shorten(rule))
    disp = rule.get("disp", "")
    if not isinstance(disp, str):
        raise LogError("is not a name of rules (a text)", element=shorten(disp))
    if disp.startswith("三") or "三人" in disp or "三麻" in disp:
        raise ThreePlayerError
    flags = 0x01 | (0 if "東" in disp or "East" in disp else 0x08)
    red = [bool(value) for key, value in rule.items() if key.startswith("aka")]
    red_fives = any(red) if red else True
    if short := _DISP.match(disp):
        flags |= _ROOMS[short[1]] | (0 if short[2] else 0x04) | (0x40 if short[4] else 0)
        red_fives = any(red) if red else bool(short[3])
    profile = MAHJONG_SOUL if _MAHJONG_SOUL.search(disp) else TENHOU
    return Rules(flags | (0 if red_fives else NO_RED_FIVES), lobby, profile=profile), ()


def _lobby_rules(rule: list[Any], lobby: str | None) -> tuple[Rules, tuple[str, ...]]:
    """The rules of a tournament lobby: its third text is the type of an mjlog in hexadecimal."""
    text = rule[2] if len(rule) > 2 else None
    if not isinstance(text, str) or not re.fullmatch(
        r"[0-9a-f]{4}", text, re.ASCII | re.IGNORECASE
    ):
        return Rules(lobby=lobby), (names.unread("rule", text, "the lobby"),)
    rules = Rules(int(text, 16), lobby)
    if rules.three_players:
        raise ThreePlayerError
    return rules, ()


def _players(game: dict[str, Any]) -> tuple[PlayerInfo, ...]:
    names = game.get("name")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise LogError(
            "is not tenhou.net/6 JSON: it has no list of player names under the key name"
        )
    if len(names) == 3 or (len(names) == 4 and any(names[:3]) and not names[3]):
        raise ThreePlayerError
    if len(names) != 4:
        raise LogError(f"has {len(names)} players, not 4")
    dans = _column(game, "dan")
    rates = _column(game, "rate")
    sexes = _column(game, "sx")
    return tuple(
        PlayerInfo(
            name.encode(errors="replace").decode(),
            _dan(dan),
            float(rate) if _is_number(rate) else None,
            sex if sex in ("M", "F", "C") else None,
        )
        for name, dan, rate, sex in zip(names, dans, rates, sexes, strict=True)
    )


def _dan(name: Any) -> int | None:
    name = normalize("NFKC", name) if isinstance(name, str) else ""
    return DAN.index(name) if name in DAN else None


def _column(game: dict[str, Any], key: str) -> list[Any]:
    column = game.get(key)
    return column if isinstance(column, list) and len(column) == 4 else [None] * 4


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) <= MAX_SCORE  # False for NaN


def _final(game: dict[str, Any]) -> FinalScores:
    numbers = game.get("sc")
    if numbers is None:
        return None
    is_list = isinstance(numbers, list) and len(numbers) in (8, 16)  # 16 with chips (祝儀)
    if not is_list or not all(map(_is_number, numbers)):
        raise LogError(
            "is not a list of four final scores and results", element=f"sc {shorten(numbers)}"
        )
    scores = numbers[:8:2]
    results = numbers[1:8:2]
    return tuple((int(s), float(r)) for s, r in zip(scores, results, strict=True))


def _round(entry: Any, red_fives: bool) -> tuple[list[Event], Sequence[tuple[str, str]]]:
    """Events of a round in the first possible order of its turns, and unknown names."""
    if not isinstance(entry, list) or len(entry) != _ENTRIES:
        raise LogError(
            f"a round of tenhou.net/6 is a list of {_ENTRIES} entries", element=shorten(entry)
        )
    number, honba, sticks = _round_number(entry[0])
    indicators, ura = ([parse_tile(cell) for cell in _list(cells)] for cells in entry[2:4])
    if not 1 <= len(indicators) <= 5 or len(ura) > 5:
        raise LogError(f"has {len(indicators)} dora and {len(ura)} ura indicators, not 1–5 and 0–5")
    hands = [[parse_tile(cell) for cell in _list(entry[seat])] for seat in range(4, 16, 3)]
    turns = [parse_turns(seat, *entry[5 + 3 * seat : 7 + 3 * seat]) for seat in range(4)]
    result = parse_result(entry[16], number)
    first_problem = None
    for index, order in enumerate(turn_orders(turns, number % 4)):
        replay = RoundReplay(red_fives, indicators, ura)
        try:
            replay.deal(number, honba, sticks, four_numbers(entry[1]), hands)
            replay.play(order, result)
        except Error as problem:
            first_problem = first_problem or problem
            if index == MAX_ORDERS:
                break
        else:
            return replay.events, result.unread
    raise first_problem or LogError("no order of its turns is possible")


def _round_number(numbers: Any) -> tuple[int, int, int]:
    if are_integers(numbers, 3) and min(numbers) >= 0:
        number, honba, sticks = numbers
        return number, honba, sticks
    raise LogError("is not a list of round, honba and sticks", element=shorten(numbers))


def _list(cells: Any) -> list[Any]:
    if not isinstance(cells, list):
        raise LogError("is not a list of tiles", element=shorten(cells))
    return cells


Change = tuple[int, Away | Back]
"""Number of the steps before it, and the event."""
Changes = Mapping[int, list[Change]]
"""The changes in each round, by its index."""

_EVENTS = (Away, Back)
_MAX_STEP = 10_000  # of an index or a step; far more than any game has
_STEPS = (Draw, Discard, Call)
_ENDS = (Win, DrawnRound)


def parse_connection(entries: Any) -> Changes:
    """The changes of the list ``connection`` in each round, by its index.

    ``{"what":0,"log":2,"who":1,"step":9}``: in the third round seat 1 leaves (``what`` 0) or comes
    back (1) after nine steps. A step is a draw, a discard, a call, or the end of the round.

    Raises
    ------
    LogError
        An entry is malformed.
    """
    changes = defaultdict[int, list[Change]](list)
    if not isinstance(entries or [], list):
        raise LogError("is not a list", element=f"connection {shorten(entries)}")
    for entry in entries or []:
        fields = entry if isinstance(entry, dict) else {}
        numbers: list[Any] = [fields.get(key) for key in ("what", "log", "who", "step")]
        if not are_integers(numbers, 4):
            raise LogError("has no numbers what, log, who and step", element=_shown(entry))
        what, index, seat, step = numbers
        if what not in (0, 1) or seat not in range(4) or not 0 <= min(index, step) <= _MAX_STEP:
            raise LogError("is not a player who leaves or comes back", element=_shown(entry))
        changes[index].append((step, _EVENTS[what](seat)))
    return changes


def _shown(entry: Any) -> str:
    return f"connection {shorten(entry)}"


def with_changes(events: Iterable[Event], changes: Iterable[Change]) -> list[Event]:
    """The events of a round with the players who leave and come back, the last after its end."""
    pending = sorted(changes, key=lambda change: change[0])
    result = list[Event]()
    step = 0
    for event in events:
        if isinstance(event, (*_STEPS, *_ENDS, Riichi)):
            while pending and pending[0][0] <= step:
                result.append(pending.pop(0)[1])
        step += isinstance(event, _STEPS)
        result.append(event)
    return [*result, *(change for _, change in pending)]
