"""mjai, the JSON-lines protocol of mahjong bots, read (live or from a file) and written.

mjai names tiles ("5mr", "E") without ids, so each new tile gets the first free copy of its kind. A
hand that the server hides ("?") stays unknown. Data of Tenhou's logs for which mjai has no field
(dice, yaku numbers, the result with uma) are written under the key "tenhou", which other programs
ignore. Messages for players who disconnect and come back do not exist.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from houjuu.errors import Error, LogError
from houjuu.events import (
    Call,
    Deal,
    Discard,
    Dora,
    Draw,
    DrawnRound,
    DrawReason,
    Event,
    FinalScores,
    Game,
    Meld,
    MeldKind,
    PlayerInfo,
    Riichi,
    RiichiAccepted,
    Rules,
    Win,
    per_seat,
)
from houjuu.logs.mjai_writer import messages, write
from houjuu.round_state import RoundState
from houjuu.tiles import COPIES, KIND, RED_FIVES, mjai_name, parse_mjai

__all__ = ["Reader", "events", "messages", "parse", "read", "write"]

Message = Mapping[str, Any]
_HIDDEN = "?"
_WINDS = "ESWN"
_MESSAGES_WITHOUT_EVENT = ("start_game", "end_kyoku", "end_game", "none", "hello", "error")
_REASONS = {
    "nagashimangan": DrawReason.NAGASHI_MANGAN,
    "nagashi_mangan": DrawReason.NAGASHI_MANGAN,
    "kyushukyuhai": DrawReason.NINE_TERMINALS,
    "kyushu_kyuhai": DrawReason.NINE_TERMINALS,
    "sufonrenta": DrawReason.FOUR_WINDS,
    "sufuurenta": DrawReason.FOUR_WINDS,
    "suchareach": DrawReason.FOUR_RIICHI,
    "suucha_riichi": DrawReason.FOUR_RIICHI,
    "sanchaho": DrawReason.THREE_RON,
    "sukaikan": DrawReason.FOUR_KANS,
    "suukansansen": DrawReason.FOUR_KANS,
} | {reason.value: reason for reason in DrawReason}
_UNREADABLE = (
    ValueError,
    KeyError,
    TypeError,
    IndexError,
    AttributeError,
    OverflowError,
    RecursionError,
)


def events(stream: Iterable[str | bytes | Message]) -> Iterator[Event]:
    """Convert a stream of messages to events, one at a time.

    Parameters
    ----------
    stream : iterable of str, bytes or dict
        Lines of JSON or decoded messages: an open file, the lines of a socket, a list.

    Raises
    ------
    LogError
        A message is malformed or impossible; the error names line and round.
    """
    reader = Reader()
    for message in stream:
        event = reader.event(message)
        if event is not None:
            yield event


def parse(data: bytes, name: str = "mjai") -> Game:
    """Parse one whole game of JSON lines; see `houjuu.logs.mjlog.parse`."""
    reader = Reader(name)
    lines = (line for line in data.splitlines() if line.strip())
    game_events = tuple(event for line in lines if (event := reader.event(line)))
    if not any(isinstance(event, Deal) for event in game_events):
        raise LogError("is not a game: it has no start_kyoku message", file=name)
    if not reader.round_state.round_over:
        raise LogError("is cut off: the last round does not end", file=name)
    stem = name.rsplit("/", 1)[-1].split(".", 1)[0]
    return Game(stem, reader.rules, reader.players, game_events, reader.final)


def read(path: str | Path) -> Iterator[Game]:
    """Yield all games of a file, folder or archive of mjai files; see `houjuu.logs.mjlog.read`."""
    from houjuu.logs.sources import contents

    for name, data in contents(path):
        yield parse(data, name)


class Reader:
    """Converts the messages of one stream to events.

    Parameters
    ----------
    name : str, optional
        Name of the stream for error messages.

    Attributes
    ----------
    round_state : RoundState
    rules : Rules
    players : tuple of PlayerInfo
    final : tuple of (score, result), or None
        The fields of `Game`, as far as the stream contains them.
    """

    def __init__(self, name: str | None = None) -> None:
        self.round_state = RoundState()
        self.rules = Rules()
        self.players: tuple[PlayerInfo, ...] = ()
        self.final: FinalScores = None
        self._name = name
        self._line = 0
        self._round = -1
        self._used: set[int] = set()
        self._honba = 0
        self._dora_indicators: list[int] = []
        self._on: dict[str, Callable[[Message], Event]] = {
            "start_kyoku": self._start_kyoku,
            "tsumo": self._tsumo,
            "dahai": self._dahai,
            "chi": self._call,
            "pon": self._call,
            "daiminkan": self._call,
            "ankan": self._ankan,
            "kakan": self._kakan,
            "reach": lambda message: Riichi(_seat(message, "actor")),
            "reach_accepted": lambda message: RiichiAccepted(_seat(message, "actor")),
            "dora": self._dora,
            "hora": self._hora,
            "ryukyoku": self._ryukyoku,
        }

    def event(self, message: str | bytes | Message) -> Event | None:
        """The event of a message, or None for messages without one (``start_game``).

        Raises LogError if the message is malformed or impossible.
        """
        self._line += 1
        try:
            decoded = message if isinstance(message, Mapping) else json.loads(message)
            return self._event(decoded)
        except Error as problem:
            raise self._error(message, problem.reason) from None
        except _UNREADABLE as problem:
            reason = f"cannot be read ({type(problem).__name__}: {problem})"
            raise self._error(message, reason.splitlines()[0]) from None

    def _error(self, message: object, reason: str) -> LogError:
        text = message.decode(errors="replace") if isinstance(message, bytes) else str(message)
        element = f"line {self._line} {text.strip()[:160]}"
        round_index = None if self._round < 0 else self._round
        return LogError(reason, file=self._name, round=round_index, element=element)

    def _event(self, message: Message) -> Event | None:
        message_type = message["type"]
        handler = self._on.get(message_type)
        if handler is None:
            if message_type not in _MESSAGES_WITHOUT_EVENT:
                raise LogError(f"{message_type!r} is not a message type of mjai")
            self._store(message)
            return None
        event = handler(message)
        self.round_state.apply(event)
        return event

    def _store(self, message: Message) -> None:
        extra = message.get("tenhou", {})
        if message["type"] == "start_game":
            self.round_state = RoundState()
            self._round = -1
            self.rules = Rules(extra.get("type", self.rules.flags), extra.get("lobby"))
            if self.rules.three_players or len(message.get("names", _WINDS)) != 4:
                raise LogError("is not a four-player game; houjuu supports only four-player games")
            details = extra.get("players") or [[]] * 4
            names = message.get("names", ())
            self.players = tuple(PlayerInfo(n, *a) for n, a in zip(names, details, strict=False))
        elif message["type"] == "end_game" and extra.get("final"):
            self.final = tuple((int(score), float(result)) for score, result in extra["final"])

    def _new(self, name: str) -> int:
        """Id of a new tile: the first free copy of its kind."""
        kind, red = parse_mjai(name)
        first = COPIES * kind
        copies = (first,) if red else range(first, first + COPIES)
        for tile in copies:
            matches = red or not self.rules.red_fives or tile not in RED_FIVES
            if matches and tile not in self._used:
                self._used.add(tile)
                return tile
        raise LogError(f"all copies of {name} are already in the round")

    def _from_hand(
        self, seat: int, names: Iterable[str], excluded: int | None = None
    ) -> tuple[int, ...]:
        """Tiles of these names in a hand: known tiles first, else new ones for unknown tiles."""
        tiles: list[int] = []
        for name in names:
            candidates = (
                tile
                for tile in self.round_state.hands[seat]
                if tile not in tiles and tile != excluded and self._name_of(tile) == name
            )
            tile = next(candidates, None)
            if tile is None and self.round_state.n_unknown[seat] == 0:
                raise LogError(f"seat {seat} does not hold {name}")
            tiles.append(self._new(name) if tile is None else tile)
        return tuple(tiles)

    def _name_of(self, tile: int) -> str:
        return mjai_name(tile, red_fives=self.rules.red_fives)

    def _start_kyoku(self, message: Message) -> Deal:
        self._round += 1
        self._used = set()
        self._honba = int(message["honba"])
        indicator = self._new(message["dora_marker"])
        self._dora_indicators = [indicator]
        extra = message.get("tenhou", {})
        scores = message.get("scores") or [25000] * 4
        return Deal(
            round=4 * _WINDS.index(message["bakaze"]) + int(message["kyoku"]) - 1,
            honba=self._honba,
            riichi_sticks=int(message["kyotaku"]),
            dealer=_seat(message, "oya"),
            scores=per_seat(map(int, scores)),
            dora_indicator=indicator,
            hands=tuple(self._dealt(names) for names in message["tehais"]),
            dice=tuple(extra["dice"]) if "dice" in extra else None,
        )

    def _dealt(self, names: list[str]) -> tuple[int, ...] | None:
        if _HIDDEN in names:
            return None
        return tuple(sorted(self._new(name) for name in names))

    def _tsumo(self, message: Message) -> Draw:
        name = message["pai"]
        return Draw(_seat(message, "actor"), None if name == _HIDDEN else self._new(name))

    def _dahai(self, message: Message) -> Discard:
        seat, name, tsumogiri = _seat(message, "actor"), message["pai"], message["tsumogiri"]
        drawn = self.round_state.drawn
        if tsumogiri and drawn is not None:
            if self._name_of(drawn) != name:
                raise LogError(f"seat {seat} drew {self._name_of(drawn)}, not {name}")
            return Discard(seat, drawn, tsumogiri=True)
        others = [self._name_of(tile) for tile in self.round_state.hands[seat] if tile != drawn]
        if drawn is not None and name == self._name_of(drawn) and name not in others:
            return Discard(seat, drawn, tsumogiri=True)  # some servers do not mark a dealt 14th
        return Discard(seat, self._from_hand(seat, [name], excluded=drawn)[0], bool(tsumogiri))

    def _call(self, message: Message) -> Call:
        seat, source = _seat(message, "actor"), _seat(message, "target")
        last = self.round_state.last_discard
        if last is None or last.seat != source or self._name_of(last.tile) != message["pai"]:
            raise LogError(f"seat {source} did not just discard {message['pai']}")
        own = self._from_hand(seat, message["consumed"])
        tiles = tuple(sorted((*own, last.tile)))
        return Call(seat, Meld(MeldKind(message["type"]), tiles, last.tile, source))

    def _ankan(self, message: Message) -> Call:
        seat = _seat(message, "actor")
        tiles = self._from_hand(seat, message["consumed"])
        return Call(seat, Meld(MeldKind.ANKAN, tuple(sorted(tiles))))

    def _kakan(self, message: Message) -> Call:
        seat = _seat(message, "actor")
        (added,) = self._from_hand(seat, [message["pai"]])
        for pon in self.round_state.melds[seat]:
            if pon.kind is MeldKind.PON and KIND[pon.tiles[0]] == KIND[added]:
                tiles = tuple(sorted((*pon.tiles, added)))
                return Call(seat, Meld(MeldKind.KAKAN, tiles, pon.called, pon.source, added))
        raise LogError(f"seat {seat} has no pon of {message['pai']}")

    def _dora(self, message: Message) -> Dora:
        indicator = self._new(message["dora_marker"])
        self._dora_indicators.append(indicator)
        return Dora(indicator)

    def _hora(self, message: Message) -> Win:
        seat, source = _seat(message, "actor"), _seat(message, "target")
        round_state, extra = self.round_state, message.get("tenhou", {})
        tile = self._winning_tile(seat, source, message.get("pai"))
        ura = message.get("ura_markers") or message.get("uradora_markers") or ()
        return Win(
            seat=seat,
            source=source,
            tile=tile,
            hand=()
            if round_state.n_unknown[seat]
            else tuple(sorted({*round_state.hands[seat], tile})),
            melds=tuple(round_state.melds[seat]),
            fu=int(message.get("fu", 0)),
            points=int(message.get("hora_points", 0)),
            limit=int(extra.get("limit", 0)),
            yaku=tuple((int(number), int(han)) for number, han in extra.get("yaku", ())),
            yakuman=tuple(int(number) for number in extra.get("yakuman", ())),
            dora_indicators=tuple(self._dora_indicators),
            ura_indicators=self._ura_indicators(ura),
            honba=self._honba,
            riichi_sticks=round_state.riichi_sticks,
            scores=per_seat(round_state.scores),
            deltas=per_seat(map(int, message["deltas"])) if message.get("deltas") else None,
            liable=extra.get("liable"),
        )

    def _winning_tile(self, seat: int, source: int, name: str | None) -> int:
        last = self.round_state.last_discard
        if seat != source:
            if last is None:
                raise LogError(f"seat {source} did not just discard")
            return last.tile
        if self.round_state.drawn is not None:
            return self.round_state.drawn
        if name is None:
            raise LogError(f"has no pai: the tile on which seat {seat} wins is unknown")
        return self._from_hand(seat, [name])[0]

    def _ura_indicators(self, names: Iterable[str]) -> tuple[int, ...]:
        """Ura indicators; they stay free, because the message of a second winner repeats them."""
        used = set(self._used)
        tiles = tuple(self._new(name) for name in names)
        self._used = used
        return tiles

    def _ryukyoku(self, message: Message) -> DrawnRound:
        round_state = self.round_state
        shown = message.get("tehais") or [[_HIDDEN]] * 4
        hands = (None if _HIDDEN in names else self._hand(i) for i, names in enumerate(shown))
        return DrawnRound(
            reason=_REASONS.get(message.get("reason", ""), DrawReason.EXHAUSTED),
            hands=tuple(hands),
            honba=self._honba,
            riichi_sticks=round_state.riichi_sticks,
            scores=per_seat(round_state.scores),
            deltas=per_seat(map(int, message["deltas"])) if message.get("deltas") else None,
        )

    def _hand(self, seat: int) -> tuple[int, ...] | None:
        return (
            None
            if self.round_state.n_unknown[seat]
            else tuple(sorted(self.round_state.hands[seat]))
        )


def _seat(message: Message, key: str) -> int:
    seat = message[key]
    if seat not in range(4):
        raise LogError(f"{key} is {seat!r}, but seats are 0 to 3")
    return int(seat)
