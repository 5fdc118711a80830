"""Texts with several games, and addresses in place of a log.

``https://tenhou.net/6/#json=…`` contains a game; a text file has an address, or the JSON of a game,
a line. NAGA writes a game as one address a round: lines of one game that follow each other are
joined. Messages of mjai with several ``start_game`` are as many games, as a recorded session has
them. Nothing is downloaded: the address of a page is an error that names the place of the log.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any
from urllib.parse import unquote_to_bytes

from houjuu.logs.unpacking import Entry
from houjuu.util.errors import LogError

_ADDRESS = re.compile(rb"\s*(?:https?:/|tenhou\.net/6/#json=)", re.IGNORECASE)
_JSON = re.compile(rb"#json=(.*?)(?:&t[a-z]=\w*)*\Z", re.DOTALL)  # options of the viewer follow
_TENHOU_ID = re.compile(rb"\b\d{10}gm-[0-9a-f]{4}-\d{4,5}-x?[0-9a-f]{8,}", re.IGNORECASE)
_MAHJONG_SOUL = re.compile(rb"mahjongsoul|maj-soul|majsoul|paipu=", re.IGNORECASE)
_START, _ROUND = b'"start_game"', b'"start_kyoku"'
_HEAD = 100  # lines that are looked through for two games
_OFFLINE = "is the address of a page, which houjuu does not download"


def is_address(text: bytes) -> bool:
    """Whether a text begins with an address; that of a path may have lost a slash."""
    return _ADDRESS.match(text) is not None


def entries(name: str, text: bytes) -> list[Entry]:
    """Name and content of each game of a text, or an Error for a line; of most texts the text.

    Several games get numbers: those of ``a.txt`` are ``a-1.txt``, ``a-2.txt``.
    """
    contents = _contents(text)
    named: list[Entry] = []
    for number, content in enumerate(contents, 1):
        entry_name = name if len(contents) == 1 else _numbered(name, number)
        if isinstance(content, LogError):
            named.append((entry_name, LogError(content.reason, file=entry_name)))
        else:
            named.append((entry_name, content))
    return named


def _numbered(name: str, number: int) -> str:
    folder, slash, file = name.rpartition("/")
    stem, dot, suffix = file.partition(".")
    return f"{folder}{slash}{stem}-{number}{dot}{suffix}"


def _contents(text: bytes) -> list[bytes | LogError]:
    if is_address(text) or has_lines_of_games(text):
        return list(_games(text))
    return _sessions(text) if text.count(_START) > 1 else [text]


def has_lines_of_games(text: bytes) -> bool:
    """Whether the first two lines are each the JSON of tenhou.net/6."""
    lines = [line for line in islice(text.splitlines(), _HEAD) if line.strip()][:2]
    return len(lines) == 2 and all(_decoded(line) is not None for line in lines)


def _sessions(text: bytes) -> list[bytes | LogError]:
    """Messages of mjai, of which each further ``start_game`` after a round begins a game."""
    lines = text.strip().splitlines()
    if text.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["):
        try:
            lines = [json.dumps(message).encode() for message in json.loads(text)]
        except (ValueError, RecursionError, TypeError):
            return [text]  # the reader names the problem
    games: list[list[bytes]] = [[]]
    has_round = False
    for line in lines:
        if has_round and _START in line:
            games.append([])
            has_round = False
        has_round |= _ROUND in line
        games[-1].append(line)
    return [b"\n".join(game) + b"\n" for game in games] if len(games) > 1 else [text]


def only_content(text: bytes) -> bytes:
    """The JSON of a text with the addresses, or the lines, of one game.

    Raises
    ------
    LogError
        There is no game or more than one, or the address is that of a page.
    """
    contents = list(_games(text))
    if len(contents) != 1:
        raise LogError(f"contains {len(contents)} games, not one")
    (content,) = contents
    if isinstance(content, LogError):
        raise content
    return content


def _games(text: bytes) -> Iterator[bytes | LogError]:
    """The JSON of each game; lines with the rounds of one game are joined."""
    joined: list[dict[str, Any]] = []
    for line in filter(None, map(bytes.strip, text.splitlines())):
        content = _content(line)
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


def _content(line: bytes) -> bytes | LogError:
    if line.startswith(b"{"):
        return line
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
