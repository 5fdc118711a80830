"""mjai, the JSON-lines protocol of mahjong bots, read (live or from a file) and written.

mjai names tiles ("5mr", "E") and does not tell copies apart, so the reader gives every tile that it
has not met the first free copy. A hand that the server hides ("?") stays unseen. What Tenhou's logs
say and mjai has no word for (dice, yaku numbers, the result with uma) is written under the key
"tenhou", which other readers pass over; players who drop out and come back have no message at all.
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
    Final,
    Game,
    Meld,
    MeldKind,
    Player,
    Riichi,
    RiichiAccepted,
    Rules,
    Win,
    four,
)
from houjuu.ledger import Ledger
from houjuu.logs.mjai_writer import messages, write
from houjuu.tiles import COPIES, RED_FIVES, mjai_name, parse_mjai

__all__ = ["Reader", "messages", "parse", "read", "read_games", "write"]

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


def read(stream: Iterable[str | bytes | Message]) -> Iterator[Event]:
    """Turn messages into events as they come.

    Parameters
    ----------
    stream : iterable of str, bytes or dict
        Lines of JSON, or messages already decoded: an open file, a socket's lines, a list.

    Raises
    ------
    LogError
        A message cannot be understood or cannot happen; names the line and the round.
    """
    reader = Reader()
    for message in stream:
        event = reader.event(message)
        if event is not None:
            yield event


def parse(data: bytes, name: str = "mjai") -> Game:
    """Read one whole game of JSON lines; see `houjuu.logs.mjlog.parse`."""
    reader = Reader(name)
    events = [event for line in data.splitlines() if line.strip() if (event := reader.event(line))]
    if not any(isinstance(event, Deal) for event in events):
        raise LogError("is not a game: no start_kyoku message", file=name)
    if not reader.ledger.round_over:
        raise LogError("is cut off: the last round does not end", file=name)
    stem = name.rsplit("/", 1)[-1].split(".", 1)[0]
    return Game(stem, reader.rules, reader.players, tuple(events), reader.final)


def read_games(path: str | Path) -> Iterator[Game]:
    """Yield every game of a file, folder or archive of mjai files; see `houjuu.logs.mjlog.read`."""
    from houjuu.logs.sources import contents

    for name, data in contents(path):
        yield parse(data, name)


class Reader:
    """Follows one stream of messages.

    Attributes
    ----------
    ledger : Ledger
    rules : Rules
    players : tuple of Player
    final : tuple of (score, result), or None
        What `Game` holds, as far as the stream has told it.
    """

    def __init__(self, name: str | None = None) -> None:
        self.ledger = Ledger()
        self.rules = Rules()
        self.players: tuple[Player, ...] = ()
        self.final: Final = None
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
        """The event that a message tells, or None where it tells none (``start_game``)."""
        self._line += 1
        try:
            decoded = message if isinstance(message, Mapping) else json.loads(message)
            return self._event(decoded)
        except Error as problem:
            raise self._at(message, problem.reason) from None
        except _UNREADABLE as problem:
            reason = f"cannot be read ({type(problem).__name__}: {problem})"
            raise self._at(message, reason.splitlines()[0]) from None

    def _at(self, message: object, reason: str) -> LogError:
        text = message.decode(errors="replace") if isinstance(message, bytes) else str(message)
        element = f"line {self._line} {text.strip()[:160]}"
        where = None if self._round < 0 else self._round
        return LogError(reason, file=self._name, round=where, element=element)

    def _event(self, message: Message) -> Event | None:
        kind = message["type"]
        handler = self._on.get(kind)
        if handler is None:
            if kind not in _MESSAGES_WITHOUT_EVENT:
                raise LogError(f"{kind!r} is no message of mjai")
            self._note(message)
            return None
        event = handler(message)
        self.ledger.apply(event)
        return event

    def _note(self, message: Message) -> None:
        extra = message.get("tenhou", {})
        if message["type"] == "start_game":
            self.ledger = Ledger()
            self._round = -1
            self.rules = Rules(extra.get("type", self.rules.flags), extra.get("lobby"))
            if self.rules.three_players or len(message.get("names", _WINDS)) != 4:
                raise LogError("is not a four-player game")
            about = extra.get("players") or [[]] * 4
            names = message.get("names", ())
            self.players = tuple(Player(n, *a) for n, a in zip(names, about, strict=False))
        elif message["type"] == "end_game" and extra.get("final"):
            self.final = tuple((int(score), float(result)) for score, result in extra["final"])

    def _new(self, name: str) -> int:
        """Give a tile that was not met before the first free copy of its kind."""
        kind, red = parse_mjai(name)
        first = COPIES * kind
        copies = (first,) if red else range(first, first + COPIES)
        for tile in copies:
            plain = red or not self.rules.red_fives or tile not in RED_FIVES
            if plain and tile not in self._used:
                self._used.add(tile)
                return tile
        raise LogError(f"there is no further {name}")

    def _of_hand(self, seat: int, names: Iterable[str], but: int | None = None) -> tuple[int, ...]:
        """Tiles of these names from a hand: known ones where there are, else unseen ones."""
        chosen: list[int] = []
        for name in names:
            known = (
                tile
                for tile in self.ledger.hands[seat]
                if tile not in chosen and tile != but and self._name_of(tile) == name
            )
            tile = next(known, None)
            if tile is None and self.ledger.unknown[seat] == 0:
                raise LogError(f"seat {seat} does not hold {name}")
            chosen.append(self._new(name) if tile is None else tile)
        return tuple(chosen)

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
            scores=four(map(int, scores)),
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
        drawn = self.ledger.drawn
        if tsumogiri and drawn is not None:
            if self._name_of(drawn) != name:
                raise LogError(f"seat {seat} drew {self._name_of(drawn)}, not {name}")
            return Discard(seat, drawn, tsumogiri=True)
        known = [self._name_of(tile) for tile in self.ledger.hands[seat] if tile != drawn]
        if drawn is not None and name == self._name_of(drawn) and name not in known:
            return Discard(seat, drawn, tsumogiri=True)  # some servers count a dealt 14th as held
        return Discard(seat, self._of_hand(seat, [name], but=drawn)[0], bool(tsumogiri))

    def _call(self, message: Message) -> Call:
        seat, source = _seat(message, "actor"), _seat(message, "target")
        last = self.ledger.last_discard
        if last is None or last.seat != source or self._name_of(last.tile) != message["pai"]:
            raise LogError(f"seat {source} did not just discard {message['pai']}")
        held = self._of_hand(seat, message["consumed"])
        tiles = tuple(sorted((*held, last.tile)))
        return Call(seat, Meld(MeldKind(message["type"]), tiles, last.tile, source))

    def _ankan(self, message: Message) -> Call:
        seat = _seat(message, "actor")
        held = self._of_hand(seat, message["consumed"])
        return Call(seat, Meld(MeldKind.ANKAN, tuple(sorted(held))))

    def _kakan(self, message: Message) -> Call:
        seat = _seat(message, "actor")
        (added,) = self._of_hand(seat, [message["pai"]])
        for pon in self.ledger.melds[seat]:
            if pon.kind is MeldKind.PON and pon.tiles[0] // COPIES == added // COPIES:
                tiles = tuple(sorted((*pon.tiles, added)))
                return Call(seat, Meld(MeldKind.KAKAN, tiles, pon.called, pon.source, added))
        raise LogError(f"seat {seat} has no pon of {message['pai']}")

    def _dora(self, message: Message) -> Dora:
        indicator = self._new(message["dora_marker"])
        self._dora_indicators.append(indicator)
        return Dora(indicator)

    def _hora(self, message: Message) -> Win:
        seat, source = _seat(message, "actor"), _seat(message, "target")
        ledger, extra = self.ledger, message.get("tenhou", {})
        tile = self._winning_tile(seat, source, message.get("pai"))
        ura = message.get("ura_markers") or message.get("uradora_markers") or ()
        return Win(
            seat=seat,
            source=source,
            tile=tile,
            hand=() if ledger.unknown[seat] else tuple(sorted({*ledger.hands[seat], tile})),
            melds=tuple(ledger.melds[seat]),
            fu=int(message.get("fu", 0)),
            points=int(message.get("hora_points", 0)),
            limit=int(extra.get("limit", 0)),
            yaku=tuple((int(number), int(han)) for number, han in extra.get("yaku", ())),
            yakuman=tuple(int(number) for number in extra.get("yakuman", ())),
            dora_indicators=tuple(self._dora_indicators),
            ura_indicators=self._turned_up(ura),
            honba=self._honba,
            riichi_sticks=ledger.riichi_sticks,
            scores=four(ledger.scores),
            deltas=four(map(int, message["deltas"])) if message.get("deltas") else None,
            liable=extra.get("liable"),
        )

    def _winning_tile(self, seat: int, source: int, name: str | None) -> int:
        last = self.ledger.last_discard
        if seat != source:
            if last is None:
                raise LogError(f"seat {source} did not just discard")
            return last.tile
        if self.ledger.drawn is not None:
            return self.ledger.drawn
        if name is None:
            raise LogError(f"does not say on which tile seat {seat} wins")
        return self._of_hand(seat, [name])[0]

    def _turned_up(self, names: Iterable[str]) -> tuple[int, ...]:
        """Ura indicators, which a second winner's message names again."""
        used = set(self._used)
        tiles = tuple(self._new(name) for name in names)
        self._used = used
        return tiles

    def _ryukyoku(self, message: Message) -> DrawnRound:
        ledger = self.ledger
        shown = message.get("tehais") or [[_HIDDEN]] * 4
        hands = (None if _HIDDEN in names else self._shown(i) for i, names in enumerate(shown))
        return DrawnRound(
            reason=_REASONS.get(message.get("reason", ""), DrawReason.EXHAUSTED),
            hands=tuple(hands),
            honba=self._honba,
            riichi_sticks=ledger.riichi_sticks,
            scores=four(ledger.scores),
            deltas=four(map(int, message["deltas"])) if message.get("deltas") else None,
        )

    def _shown(self, seat: int) -> tuple[int, ...] | None:
        return None if self.ledger.unknown[seat] else tuple(sorted(self.ledger.hands[seat]))


def _seat(message: Message, key: str) -> int:
    seat = message[key]
    if seat not in range(4):
        raise LogError(f"{key} {seat} is no seat")
    return int(seat)
