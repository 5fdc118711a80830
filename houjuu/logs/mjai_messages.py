"""The messages of mjai: text is decoded, and every field is checked where it is read.

mjai has no strict standard. `decoded` accepts one message, lines of JSON and JSON arrays, with
blank lines and a byte order mark. The other functions each return one field of a message or raise a
LogError that names the field.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from houjuu.game import limits
from houjuu.game.events import Away, Back, FinalScores, PerSeat, PlayerInfo, per_seat
from houjuu.game.limits import MAX_DAN, MAX_HAN, MAX_RATE, MAX_SCORE, points, real, whole
from houjuu.game.payments import RIICHI_STICK
from houjuu.game.rules import HANCHAN, NO_RED_FIVES, PROFILES, ROOMS, Rules
from houjuu.logs.reading import integral
from houjuu.util.errors import LogError, ThreePlayerError, shown

Message: TypeAlias = Mapping[str, Any]
Messages: TypeAlias = str | bytes | Message | Sequence[str | bytes | Message]
"""What a client may pass on: a decoded message, text with lines or an array, or a list of these."""

HIDDEN = "?"
_SHOWN = 160  # unit: characters of a message in an error message
_MAX_DEPTH = 3  # a list of lines that are arrays of messages
_WINDS = ("E", "S", "W", "N")
_THREE_PLAYERS_POINTS = 105_000  # unit: points of a three-player game
_BOM = "\ufeff"
_LENGTHS: dict[str, dict[int | str, bool]] = {
    "kyoku_first": {0: True, 4: False},
    "gametype": {"tonnan": True, "tonpu": False},
}
"""Keys of ``start_game`` for the length of the game, with the values for a hanchan, or for East."""


def decoded(messages: object, depth: int = 0) -> Iterator[Message | LogError | None]:
    """Yield the messages one by one, None for a blank line, a LogError for an unreadable part."""
    if isinstance(messages, Mapping):
        if isinstance(messages.get("type"), str):
            yield messages
        else:
            yield _unreadable("is not a message of mjai: it has no type", messages)
    elif isinstance(messages, bytes):
        try:
            yield from _of_text(messages.decode(), depth)
        except UnicodeDecodeError:
            yield _unreadable("is not text in UTF-8", messages)
    elif isinstance(messages, str):
        yield from _of_text(messages, depth)
    elif isinstance(messages, (list, tuple)) and depth < _MAX_DEPTH:
        for message in messages:
            yield from decoded(message, depth + 1)
    else:
        yield _unreadable("is not a message of mjai, which is a JSON object", messages)


def _of_text(text: str, depth: int) -> Iterator[Message | LogError | None]:
    text = text.removeprefix(_BOM).strip()
    if not text:
        yield None
        return
    try:  # one message, or an array on one or several lines
        value = json.loads(text, parse_float=integral)
    except (ValueError, RecursionError) as problem:
        lines = text.split("\n")
        if len(lines) > 1:
            for line in lines:
                yield from _of_text(line, depth)
        else:
            yield _unreadable(f"is not JSON ({problem})", text)
    else:
        if isinstance(value, str):
            yield _unreadable("is not a message of mjai, which is a JSON object", text)
        else:
            yield from decoded(value, depth)


def _unreadable(reason: str, part: object) -> LogError:
    return LogError(reason.splitlines()[0], element=shorten(part))


def shorten(part: object) -> str:
    """The text of a message for an error message, on one line."""
    text = part.decode(errors="replace") if isinstance(part, bytes) else part
    if not isinstance(text, str):
        text = shown(text, 2 * _SHOWN)
    return " ".join(text[: 2 * _SHOWN].split())[:_SHOWN]


def seat(message: Message, key: str) -> int:
    """The seat under a key, 0–3."""
    value = _field(message, key)
    if type(value) is not int or value not in range(4):
        raise LogError(f"{key} is {shown(value)}, but seats are 0 to 3")
    return value


def own_seat(message: Message) -> int | None:
    """The seat under ``id`` of ``start_game``, as a number or a digit; None if it has none."""
    value = message.get("id")
    return None if value is None else limits.seat(value, "id", LogError)


def number(message: Message, key: str, default: int | None = None, high: int = MAX_SCORE) -> int:
    """The integer from 0 to `high` under a key; `default`, if given, for a missing one."""
    value = _field(message, key) if default is None else message.get(key, default)
    return whole(value, key, high, error=LogError)


def number_or_none(message: Message, key: str) -> int | None:
    """The integer from 0 under a key; None if it is missing or null."""
    return None if message.get(key) is None else number(message, key)


def tile_name(message: Message, key: str) -> str:
    """The name of a tile under a key; `HIDDEN` is one."""
    return _name(_field(message, key), key)


def tile_names(message: Message, key: str, count: int | None = None) -> list[str]:
    """The list of `count` names under a key; any number if None."""
    value = _field(message, key) if count is not None else message.get(key) or []
    return _names(value, key, count)


def hands(message: Message, key: str) -> list[list[str] | None]:
    """The four lists of names under a key, None for a hidden hand."""
    value = _field(message, key)
    if not isinstance(value, Sequence) or len(value) != 4:
        raise LogError(f"{key} is not a list of four hands")
    return [_hand(names, key) for names in value]


def _hand(value: object, key: str) -> list[str] | None:
    names = _names(value, key, None)
    n_hidden = names.count(HIDDEN)
    if 0 < n_hidden < len(names):
        raise LogError(f"{key} has a hand of which only some tiles are hidden")
    return None if n_hidden else names


def four_numbers(message: Message, key: str) -> PerSeat | None:
    """The four integers under a key; None if it is missing, null or empty."""
    value = message.get(key)
    if not value:
        return None
    if not isinstance(value, Sequence) or len(value) != 4:
        raise LogError(f"{key} is {shown(value)}, not a list of four numbers")
    return per_seat(points(entry, key, LogError) for entry in value)


def integers(message: Message, key: str) -> tuple[int, ...]:
    """The integers under a key; none if it is missing."""
    value = message.get(key) or ()
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise LogError(f"{key} is {shown(value)}, not a list of numbers")
    return tuple(points(entry, key, LogError) for entry in value)


def flags(message: Message, key: str) -> tuple[bool | None, ...]:
    """The four truth values under a key; None for null."""
    value = _field(message, key)
    if not isinstance(value, Sequence) or len(value) != 4:
        raise LogError(f"{key} is {value!r:.40}, not a list of four truth values")
    return tuple(None if entry is None else flag({key: entry}, key) for entry in value)


def flag(message: Message, key: str) -> bool:
    """The truth value under a key."""
    value = _field(message, key)
    if type(value) is not bool:
        raise LogError(f"{key} is {shown(value)}, not true or false")
    return value


def round_number(message: Message) -> int:
    """Number of the round, 0 for East 1, from ``bakaze`` and ``kyoku``."""
    wind = _field(message, "bakaze")
    kyoku = number(message, "kyoku")
    if wind not in _WINDS or kyoku not in range(1, 5):
        raise LogError(f"{shown(wind)} {kyoku} is not a round such as E 1")
    return 4 * _WINDS.index(wind) + kyoku - 1


def extra(message: Message) -> Message:
    """The part of a message that `houjuu.logs.mjai_writer` adds for Tenhou's logs."""
    value = message.get("tenhou")
    return value if isinstance(value, Mapping) else {}


def presence(message: Message) -> Iterator[Away | Back]:
    """Yield who disconnects or comes back after a message, if Tenhou's log has it."""
    entries = extra(message).get("presence", ())
    if not isinstance(entries, Sequence) or not all(map(_is_pair, entries)):
        raise LogError(f"presence is {shown(entries)}, not a list of pairs")
    for kind, who in entries:
        if kind not in ("away", "back"):
            raise LogError(f"presence is {shown(kind)}, not away or back")
        yield (Away if kind == "away" else Back)(seat({kind: who}, kind))


def rules(message: Message, default: Rules) -> tuple[Rules, list[tuple[str, object]]]:
    """The rules of a ``start_game``, and kind and name of each unknown entry.

    Without an entry, they are the default.
    """
    details = extra(message)
    lobby = details.get("lobby")
    flags = number(details, "type", default.flags)
    stated = default.stated or "type" in details
    unknown: list[tuple[str, object]] = []
    if "type" not in details:
        for key, lengths in _LENGTHS.items():
            value = message.get(key)
            if value is None:
                continue
            if type(value) in (int, str) and value in lengths:
                flags = flags | HANCHAN if lengths[value] else flags & ~HANCHAN
                stated = True
            else:
                unknown.append((key, value))
    if message.get("aka_flag") is not None:
        flags = flags & ~NO_RED_FIVES if message["aka_flag"] else flags | NO_RED_FIVES
    profile = message.get("rules", details.get("rules", default.profile.name))
    if not isinstance(profile, str) or profile not in PROFILES:
        unknown.append(("rules", profile))
        profile = default.profile.name
    room = message.get("room", details.get("room", default.named_room))
    if room not in (None, *ROOMS.values()):
        unknown.append(("room", room))
        room = default.named_room
    lobby = None if lobby is None else str(lobby)
    stated_rules = Rules(flags, lobby, stated, PROFILES[profile], room)
    if stated_rules.three_players:
        raise ThreePlayerError
    return stated_rules, unknown


def players(message: Message) -> tuple[PlayerInfo, ...]:
    """The players of a ``start_game``; none if it has no names."""
    names = message.get("names") or ()
    if not isinstance(names, Sequence) or len(names) not in (0, 4):
        raise LogError(f"names is {shown(names)}, not a list of four names")
    details = extra(message).get("players")
    if not isinstance(details, Sequence) or len(details) != len(names):
        details = [()] * 4
    return tuple(_player(name, detail) for name, detail in zip(names, details, strict=False))


def _player(name: object, detail: Any) -> PlayerInfo:
    is_complete = isinstance(detail, (list, tuple)) and len(detail) == 3
    dan, rate, sex = detail if is_complete else (None, None, None)
    return PlayerInfo(
        "" if name is None else str(name).encode(errors="replace").decode(),
        None if dan is None else whole(dan, "dan", MAX_DAN, error=LogError),
        None if rate is None else real(rate, "rate", MAX_RATE, LogError),
        sex if isinstance(sex, str) else None,
    )


def dice(message: Message) -> tuple[int, int] | None:
    """The dice of a ``start_kyoku``, if Tenhou's log has them."""
    numbers = integers(extra(message), "dice")
    return (numbers[0], numbers[1]) if len(numbers) == 2 else None


def yaku(details: Message) -> tuple[tuple[int, int], ...]:
    """Number and han of each yaku."""
    pairs = details.get("yaku") or ()
    if not isinstance(pairs, Sequence) or not all(map(_is_pair, pairs)):
        raise LogError("yaku is not a list of numbers and han")
    return tuple(
        (
            whole(number, "a yaku", MAX_HAN, error=LogError),
            whole(han, "han", MAX_HAN, error=LogError),
        )
        for number, han in pairs
    )


def final_scores(message: Message) -> FinalScores:
    """Final scores and results of an ``end_game``, if Tenhou's log has them."""
    pairs = extra(message).get("final")
    if not pairs:
        return None
    if not isinstance(pairs, Sequence) or not all(map(_is_pair, pairs)):
        raise LogError("final is not a list of scores and results")
    return tuple(
        (points(score, "a final score", LogError), real(result, "a result", MAX_SCORE, LogError))
        for score, result in pairs
    )


def _is_pair(pair: object) -> bool:
    return isinstance(pair, Sequence) and not isinstance(pair, str) and len(pair) == 2


def check_four_players(message: Message) -> None:
    """Raise a ThreePlayerError if the message belongs to a three-player game."""
    tehais = message.get("tehais")
    names = message.get("names")
    if (
        message["type"] in ("nukidora", "kita")
        or (message["type"] == "start_game" and _length(names) == 3)
        or (
            message["type"] == "start_kyoku"
            and (_length(tehais) == 3 or _are_three_scores(message))
        )
    ):
        raise ThreePlayerError


def _are_three_scores(message: Message) -> bool:
    """Whether the scores are those of three players, perhaps with a 0 for the empty seat."""
    scores = message.get("scores")
    sticks = message.get("kyotaku")
    if not isinstance(scores, Sequence) or list(scores[3:]) != [0]:
        return _length(scores) == 3
    whole = all(type(number) is int for number in (*scores, sticks))
    return whole and sum(scores) + RIICHI_STICK * int(sticks or 0) == _THREE_PLAYERS_POINTS


def _length(value: object) -> int:
    return len(value) if isinstance(value, Sequence) else -1


def _field(message: Message, key: str) -> Any:
    try:
        return message[key]
    except KeyError:
        raise LogError(f"has no {key}") from None


def _name(value: object, key: str) -> str:
    if not isinstance(value, str):
        raise LogError(f"{key} is {shown(value)}, not the name of a tile")
    return value


def _names(value: object, key: str, count: int | None) -> list[str]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise LogError(f"{key} is {shown(value)}, not a list of tiles")
    if count is not None and len(value) != count:
        raise LogError(f"{key} has {len(value)} tiles, not {count}")
    return [_name(name, key) for name in value]
