"""Texts with several games, and addresses in place of a log.

``https://tenhou.net/6/#json=…`` contains a game; a text has an address, or the JSON of a game, a
line, or several JSON objects one after the other or in an array. NAGA writes a game as one address
a round: rounds of one game that follow each other are joined. Messages of mjai with several
``start_game`` are as many games, as a recorded session has them. Nothing is downloaded: the address
of a page is an error that names the place of the log.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any
from urllib.parse import unquote_to_bytes

from houjuu.logs.unpacking import Entry
from houjuu.util.errors import SEVERAL, LogError

_ADDRESS = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:https?:/|tenhou\.net/6/#json=)", re.IGNORECASE)
_JSON = re.compile(rb"#json=(.*?)(?:&t[a-z]=\w*)*\Z", re.DOTALL)  # options of the viewer follow
_TENHOU_ID = re.compile(rb"\b\d{10}gm-[0-9a-f]{4}-\d{4,5}-x?[0-9a-f]{8,}", re.IGNORECASE)
_MAHJONG_SOUL = re.compile(rb"mahjongsoul|maj-soul|majsoul|paipu=", re.IGNORECASE)
_START, _ROUND = b'"start_game"', b'"start_kyoku"'
_LOG = re.compile(rb'"log"\s*:')
_BOM = b"\xef\xbb\xbf"
_HEAD = 64  # bytes; an object or an array begins within them
_NOT_SPACE = re.compile(r"\S")
_OFFLINE = "is the address of a page, which houjuu does not download"


def is_address(text: bytes) -> bool:
    """Whether a text begins with an address; that of a path may have lost a slash."""
    return _ADDRESS.match(text) is not None


def entries(name: str, text: bytes) -> Iterator[Entry]:
    """Yield name and content of each game of a text, or an Error for one; of most texts the text.

    Several games get numbers: those of ``a.txt`` are ``a#1.txt``, ``a#2.txt``.
    """
    contents = _contents(text)
    first_two = list(islice(contents, 2))
    for number, content in enumerate(chain(first_two, contents), 1):
        entry_name = name if len(first_two) == 1 else _numbered(name, number)
        if isinstance(content, LogError):
            yield entry_name, LogError(content.reason, file=entry_name)
        else:
            yield entry_name, content


def _numbered(name: str, number: int) -> str:
    folder, slash, file = name.rpartition("/")
    stem, dot, suffix = file.partition(".")
    return f"{folder}{slash}{stem}#{number}{dot}{suffix}"


def _contents(text: bytes) -> Iterator[bytes | LogError]:
    if is_tenhou6_list(text):
        return _games(text)
    return _sessions(text) if text.count(_START) > 1 else iter([text])


def is_tenhou6_list(text: bytes) -> bool:
    """Whether a text has addresses, several JSON objects of tenhou.net/6, or an array of them."""
    if is_address(text):
        return True
    start = text[:_HEAD].removeprefix(_BOM).lstrip()
    if not start.startswith((b"{", b"[")) or _ROUND in text:
        return False
    least = 1 if start.startswith(b"[") else 2
    return len(list(islice(_LOG.finditer(text), least))) == least


def _sessions(text: bytes) -> Iterator[bytes | LogError]:
    """Messages of mjai, of which each further ``start_game`` after a round begins a game."""
    lines: list[bytes] = []
    has_round = False
    for line in _message_lines(text.removeprefix(_BOM)):
        if has_round and _START in line:
            yield b"\n".join(lines)
            lines, has_round = [], False
        has_round |= _ROUND in line
        lines.append(line)
    yield b"\n".join(lines)


def _message_lines(text: bytes) -> Iterator[bytes]:
    """The lines of a text, with a line for each message of its arrays."""
    text = text.strip()
    if text.startswith(b"["):
        try:
            messages = json.loads(text)
        except (ValueError, RecursionError):
            pass  # the reader names the problem
        else:
            yield from (json.dumps(message).encode() for message in messages)
            return
    lines = text.splitlines()
    for line in lines if len(lines) > 1 else ():
        yield from _message_lines(line)
    if len(lines) <= 1:
        yield text


def only_content(text: bytes) -> bytes:
    """The JSON of a text with the addresses, or the objects, of one game.

    Raises
    ------
    LogError
        There is no game or more than one, or the address is that of a page.
    """
    contents = list(_games(text))
    if len(contents) != 1:
        raise LogError(SEVERAL.format(len(contents)))
    (content,) = contents
    if isinstance(content, LogError):
        raise content
    return content


def _games(text: bytes) -> Iterator[bytes | LogError]:
    """The JSON of each game; rounds of one game that follow each other are joined."""
    joined: list[dict[str, Any]] = []
    text = text.removeprefix(_BOM)
    for content in map(_content, _lines(text)) if is_address(text) else _objects(text):
        game = _decoded(content) if isinstance(content, bytes) else None
        if game is not None and joined and _continues(joined[-1], game):
            joined.append(game)
            continue
        if joined:
            yield _encoded(joined)
            joined = []
        if game is not None:
            joined = [game]
        else:
            yield content
    if joined:
        yield _encoded(joined)


def _lines(text: bytes) -> list[bytes]:
    return [line for line in map(bytes.strip, text.splitlines()) if line]


def _objects(text: bytes) -> Iterator[bytes | LogError]:
    """The JSON objects of a text: one a line, one after the other, or in an array."""
    lines = _lines(text)
    if len(lines) > 1 and all(line.startswith(b"{") for line in lines):
        yield from lines  # a damaged line loses no other
        return
    rest = text.decode(errors="replace")
    decoder = json.JSONDecoder()
    position = 0
    while start := _NOT_SPACE.search(rest, position):
        try:
            value, position = decoder.raw_decode(rest, start.start())
        except (ValueError, RecursionError) as problem:
            yield LogError(f"is not JSON: {problem}")
            return
        for game in value if isinstance(value, list) else [value]:
            yield json.dumps(game).encode()


def _content(line: bytes) -> bytes | LogError:
    if not is_address(line):
        return LogError("has a line that is not an address such as https://tenhou.net/6/#json=…")
    if match := _JSON.search(line):
        return unquote_to_bytes(match[1])
    if match := _TENHOU_ID.search(line):
        log = f"https://tenhou.net/0/log/?{match[0].decode()}"
        return LogError(f"{_OFFLINE}; save the log from {log} and pass that file")
    if _MAHJONG_SOUL.search(line):
        return LogError(
            f"{_OFFLINE}; save the game as tenhou.net/6 JSON with a downloader of Mahjong Soul's "
            "logs, such as tensoul, and pass that file"
        )
    return LogError(f"{_OFFLINE}; save the log as a file and pass that")


def _decoded(content: bytes) -> dict[str, Any] | None:
    """The game of a JSON with rounds; None for other data, of which the reader names the error."""
    try:
        game = json.loads(content)
    except (ValueError, RecursionError):
        return None
    rounds = game.get("log") if isinstance(game, dict) else None
    return game if isinstance(rounds, list) and rounds else None


def _continues(game: dict[str, Any], following: dict[str, Any]) -> bool:
    """Whether the rounds of a game follow those of the line before."""
    if game | {"log": None} != following | {"log": None}:
        return False
    try:
        last, first = game["log"][-1][0][:2], following["log"][0][0][:2]
        return bool(last < first)  # number and honba
    except (TypeError, IndexError, KeyError):
        return False


def _encoded(games: list[dict[str, Any]]) -> bytes:
    rounds = [entry for game in games for entry in game["log"]]
    return json.dumps(games[0] | {"log": rounds}).encode()
