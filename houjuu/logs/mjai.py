"""mjai, the JSON-lines protocol of mahjong bots, read (live or from a file) and written.

mjai names tiles ("5mr", "E") without ids, so each new tile gets the first free copy of its kind. A
hand that the server hides ("?") stays unknown. Data of Tenhou's logs for which mjai has no field
(dice, yaku numbers, the result with uma, who disconnects or comes back after a message) are written
under the key "tenhou", which other programs ignore.

Clients differ, and the reader accepts all of these:

| client | differs in |
|---|---|
| Mortal | ``hora`` has no ``pai`` and may lack ``deltas``; ``aka_flag`` false: no red fives |
| Akagi | a round ends with ``end_kyoku`` alone |
| mjai | ``gametype`` tonpu: East rounds only; ``kyotaku`` and others as 1000.0 |
| mjai-manue | ``start_kyoku`` has no ``scores``; results have ``scores`` beside ``deltas`` |
| akochan | ``kyoku_first`` 4: East rounds only; ``hora`` has ``scores`` and no ``deltas`` |
| mjai-reviewer | ``kyoku_first`` and ``aka_flag`` of every game |
| mjai.app | JSON arrays of messages |
| riichienv | the end of a round has ``deltas``; a ``hora`` by tsumo may lack ``pai`` |

The key ``rules`` of ``start_game`` may name a profile of `houjuu.game.rules`, such as
"m-league". A log without ``aka_flag`` has no red fives if it names a fourth plain five. Unknown
messages and names are listed in `houjuu.game.events.Game.unread`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from math import inf
from typing import Any, ClassVar, cast

from houjuu.game.actions import added_kan
from houjuu.game.events import (
    START_SCORES,
    Call,
    Deal,
    Discard,
    Dora,
    Draw,
    DrawnRound,
    Event,
    FinalScores,
    Game,
    Meld,
    MeldKind,
    PerSeat,
    PlayerInfo,
    Riichi,
    RiichiAccepted,
    RoundEnd,
    per_seat,
)
from houjuu.game.limits import MAX_HONBA, MAX_STICKS
from houjuu.game.round_state import LIVE_WALL, RoundState
from houjuu.game.rules import NO_RED_FIVES, Rules
from houjuu.logs import mjai_messages as fields
from houjuu.logs.mjai_messages import HIDDEN, Message, Messages, decoded
from houjuu.logs.mjai_results import drawn_round, win
from houjuu.logs.mjai_round import NamedRound
from houjuu.logs.mjai_writer import messages, write
from houjuu.logs.names import unread
from houjuu.logs.reading import game_id, read_all, with_red_fives
from houjuu.util.errors import SEVERAL, Error, LogError
from houjuu.util.json_types import RoomName

__all__ = ["Reader", "events", "messages", "own_seat", "parse", "read", "write"]

MAX_MESSAGES = 20_000
"""Of one game; a long one has 3,000."""
_HARMLESS = ("none", "hello", "join", "error", "end_turn", "possible_actions")
_RED_FIVES = (b'"5mr"', b'"5pr"', b'"5sr"')


def events(stream: Iterable[str | bytes | Message]) -> Iterator[Event]:
    """Convert a stream of messages to events, one at a time.

    Parameters
    ----------
    stream : iterable of str, bytes or dict
        Lines of JSON or decoded messages: an open file, the lines of a socket, a list. A line may
        be an array of messages.

    Raises
    ------
    LogError
        A message is malformed or impossible; the error names line and round.
    """
    reader = Reader()
    for part in stream:
        yield from reader.events(part)


def parse(data: bytes, name: str = "mjai", *, unfinished: bool = False) -> Game:
    """Parse one game: lines of JSON, or a JSON array.

    Parameters
    ----------
    data : bytes
    name : str
        Name of the file for error messages; the part between the last / and the first dot is the
        id of the game.
    unfinished : bool
        Whether to accept a game in progress, of which the last round has no end yet.

    Raises
    ------
    LogError
        The data is not a four-player game, or the game is impossible. The message names file, round
        and line.
    """
    return with_red_fives(partial(_parse, data, name, unfinished), _stated_red_fives(data))


read = partial(read_all, parse)
"""Yield all games of a path with mjai files; raises the first Error."""


def _stated_red_fives(data: bytes) -> bool | None:
    """Whether a log names a red five; None if it names none and has no flag of them."""
    return True if any(name in data for name in _RED_FIVES) else None


def _parse(data: bytes, name: str, unfinished: bool, red_fives: bool) -> Game:
    reader = Reader(name, red_fives=red_fives, most_messages=MAX_MESSAGES)
    game_events = tuple(reader.events(data))
    if not any(isinstance(event, Deal) for event in game_events):
        raise LogError("is not a game: it has no start_kyoku message", file=name)
    if reader.games > 1:
        raise LogError(SEVERAL.format(reader.games), file=name)
    if not (unfinished or reader.round_state.round_over):
        raise LogError("is cut off: the last round does not end", file=name)
    return Game(
        id=game_id(name),
        rules=reader.rules,
        players=reader.players,
        events=game_events,
        final=reader.final,
        unread=tuple(reader.unread),
    )


def own_seat(data: bytes) -> int | None:
    """The ``id`` of the first ``start_game`` of a log; None in all other logs."""
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[")):
        return None
    for message in decoded(data):
        kind = message["type"] if isinstance(message, Mapping) else None
        if kind == "start_game":
            with suppress(LogError):
                return fields.own_seat(cast(Message, message))
        if kind == "start_kyoku":
            break
    return None


class Reader:
    """Converts the messages of one stream to events.

    A round ends at ``hora``, ``ryukyoku``, ``end_kyoku``, the next ``start_kyoku`` or ``end_game``,
    whichever comes first. Unknown keys are ignored, and unknown types of messages are listed.

    Parameters
    ----------
    name : str, optional
        Name of the stream for error messages.
    red_fives : bool
        Whether there are red fives if ``start_game`` does not contain it.
    rules : Rules, optional
        Those of a game whose ``start_game`` states none; without them, a hanchan of Tenhou.
    most_messages : int, default=no limit
        More are an error: the time is bounded, not the bytes alone.
    room : str, optional
        The room of the players, if ``start_game`` does not contain it.

    Attributes
    ----------
    rules : Rules
    players : tuple of PlayerInfo
    final : tuple of (score, result), or None
        The fields of `Game`, as far as the stream contains them.
    scores : tuple of 4 ints or None, unit: points
        Scores after the last round, or None if no message shows them. A ``start_kyoku`` may lack
        scores.
    games : int
        Number of games so far.
    unread : dict of str to None
        The entries of `Game.unread`, in order.
    """

    def __init__(
        self,
        name: str | None = None,
        *,
        red_fives: bool = True,
        rules: Rules | None = None,
        most_messages: float = inf,
        room: RoomName | None = None,
    ) -> None:
        flags = Rules().flags | (0 if red_fives else NO_RED_FIVES)
        self._default = rules or Rules(flags, stated=False)
        if room is not None:
            self._default = replace(self._default, named_room=room)
        self.rules = self._default
        self.unread: dict[str, None] = {}
        self.players: tuple[PlayerInfo, ...] = ()
        self.final: FinalScores = None
        self.scores: PerSeat | None = None
        self.games = 1
        self._name = name
        self._most_messages = most_messages
        self._line = 0
        self._round = -1
        self._current = NamedRound(self.rules)

    @property
    def round_state(self) -> RoundState:
        """The state of the current round."""
        return self._current.state

    def events(self, messages: Messages) -> Iterator[Event]:
        """Yield the events of a message, of lines of JSON, of an array, or of a list of these.

        Raises LogError if a message is malformed or impossible.
        """
        for message in decoded(messages):
            yield from self.read(message)

    def read(self, message: Message | LogError | None) -> tuple[Event, ...]:
        """The events of one item of `houjuu.logs.mjai_messages.decoded`."""
        with self._located(message):
            if message is None:
                return ()
            if isinstance(message, LogError):
                raise message
            fields.check_four_players(message)
            handler = self._ON.get(message["type"])
            if handler is None:
                if message["type"] not in _HARMLESS:
                    self._note("message", message["type"])
                return ()
            event = handler(self, message)
            applied = () if event is None else self._applied(event)
            if event is not None and self.round_state.round_over:
                state = self.round_state
                scores = per_seat(state.scores) if state.scores_known else None
                self.scores = scores or fields.four_numbers(message, "scores")
            return (*applied, *fields.presence(message))

    def _note(self, kind: str, text: object) -> None:
        self.unread[unread(kind, text, f"round {max(self._round, 0)}")] = None

    def skip(self, message: Message | LogError | None) -> None:
        """Skip a message after a lost one: only scores are read, for the next round."""
        with self._located(message):
            if isinstance(message, LogError):
                raise message
            if message is not None:
                fields.check_four_players(message)
                with suppress(LogError):
                    self.scores = fields.four_numbers(message, "scores") or self.scores

    def forget_round(self) -> None:
        """Forget the round: a ``start_kyoku`` that does not follow from it is accepted."""
        self._current = NamedRound(self.rules)

    @contextmanager
    def _located(self, message: Message | LogError | None) -> Iterator[None]:
        """Count a message, and add its place to an error."""
        self._line += 1
        try:
            if self._line > self._most_messages:
                raise LogError(f"has more than {self._most_messages:,} messages")
            yield
        except Error as problem:
            shown = problem.element or fields.shorten(message)
            raise LogError.at(
                problem,
                file=self._name,
                round=None if self._round < 0 else self._round,
                element=f"line {self._line} {shown}",
            ) from None

    def _applied(self, event: Event) -> tuple[Event, ...]:
        ends: tuple[Event, ...] = ()
        if isinstance(event, Deal) and self.round_state.is_played:
            ends = (RoundEnd(),)
            self.round_state.apply(ends[0])
        self.round_state.apply(event)
        return (*ends, event)

    def _start_game(self, message: Message) -> None:
        self.rules, unknown = fields.rules(message, self._default)
        for kind, text in unknown:
            self._note(kind, text)
        self.players = fields.players(message)
        self.final = None
        self.scores = None
        self._current = NamedRound(self.rules)
        self.games += self._round >= 0
        self._round = -1

    def _ryukyoku(self, message: Message) -> DrawnRound:
        drawn, unknown = drawn_round(message, self._current)
        if unknown is not None:
            self._note("reason", unknown)
        return drawn

    def _end_kyoku(self, _: Message) -> Event | None:
        return RoundEnd() if self.round_state.is_played else None

    def _end_game(self, message: Message) -> Event | None:
        self.final = fields.final_scores(message)
        return self._end_kyoku(message)

    def _start_kyoku(self, message: Message) -> Deal:
        self._round += 1
        current = self._current
        honba = fields.number(message, "honba", high=MAX_HONBA)
        current.deal(honba, fields.tile_name(message, "dora_marker"))
        hands = fields.hands(message, "tehais")
        round_number = fields.round_number(message)
        scores = fields.four_numbers(message, "scores") or self.scores
        if not (scores or round_number or current.honba):
            scores = START_SCORES
        return Deal(
            round=round_number,
            honba=current.honba,
            riichi_sticks=fields.number(message, "kyotaku", high=MAX_STICKS),
            dealer=fields.seat(message, "oya"),
            scores=scores,
            dora_indicator=current.indicators[0],
            hands=tuple(map(self._dealt, hands)),
            dice=fields.dice(message),
        )

    def _dealt(self, names: list[str] | None) -> tuple[int, ...] | None:
        return None if names is None else tuple(map(self._current.new, names))

    def _tsumo(self, message: Message) -> Draw:
        name = fields.tile_name(message, "pai")
        tile = None if name == HIDDEN else self._current.new(name)
        return Draw(fields.seat(message, "actor"), tile)

    def _dahai(self, message: Message) -> Discard:
        seat = fields.seat(message, "actor")
        name = fields.tile_name(message, "pai")
        tsumogiri = fields.flag(message, "tsumogiri")
        drawn = self.round_state.drawn
        if drawn is None:
            return Discard(seat, self._current.from_hand(seat, [name])[0], tsumogiri)
        drew = self._current.name_of(drawn)
        if tsumogiri and drew == name:
            return Discard(seat, drawn, tsumogiri=True)
        if tsumogiri and self.round_state.tiles_left < LIVE_WALL - 1:
            raise LogError(f"seat {seat} drew {drew}, not {name}")
        others = [tile for tile in self.round_state.hands[seat] if tile != drawn]
        if name == drew and name not in map(self._current.name_of, others):
            return Discard(seat, drawn, tsumogiri=True)  # the dealer is dealt 14 tiles at once
        (tile,) = self._current.from_hand(seat, [name], excluded=drawn)
        return Discard(seat, tile, tsumogiri=False)

    def _call(self, message: Message) -> Call:
        seat = fields.seat(message, "actor")
        source = fields.seat(message, "target")
        name = fields.tile_name(message, "pai")
        kind = MeldKind(message["type"])
        last = self.round_state.last_discard
        if last is None or last.seat != source or self._current.name_of(last.tile) != name:
            raise LogError(f"seat {source} did not just discard {name}")
        count = 3 if kind is MeldKind.DAIMINKAN else 2
        own = self._current.from_hand(seat, fields.tile_names(message, "consumed", count))
        return Call(seat, Meld(kind, tuple(sorted((*own, last.tile))), last.tile, source))

    def _ankan(self, message: Message) -> Call:
        seat = fields.seat(message, "actor")
        tiles = self._current.from_hand(seat, fields.tile_names(message, "consumed", 4))
        return Call(seat, Meld(MeldKind.ANKAN, tuple(sorted(tiles))))

    def _kakan(self, message: Message) -> Call:
        seat = fields.seat(message, "actor")
        name = fields.tile_name(message, "pai")
        (added,) = self._current.from_hand(seat, [name])
        kan = added_kan(self.round_state.melds[seat], added)
        if kan is None:
            raise LogError(f"seat {seat} has no pon of {name}")
        return Call(seat, kan)

    def _dora(self, message: Message) -> Dora:
        indicator = self._current.new(fields.tile_name(message, "dora_marker"))
        self._current.indicators.append(indicator)
        return Dora(indicator)

    # of the class: bound methods in an instance would keep it alive until a garbage collection
    _ON: ClassVar[dict[str, Callable[[Any, Message], Event | None]]] = {
        "start_game": _start_game,
        "start_kyoku": _start_kyoku,
        "tsumo": _tsumo,
        "dahai": _dahai,
        "chi": _call,
        "pon": _call,
        "daiminkan": _call,
        "ankan": _ankan,
        "kakan": _kakan,
        "reach": lambda self, message: Riichi(fields.seat(message, "actor")),
        "reach_accepted": lambda self, message: RiichiAccepted(fields.seat(message, "actor")),
        "dora": _dora,
        "hora": lambda self, message: win(message, self._current),
        "ryukyoku": _ryukyoku,
        "end_kyoku": _end_kyoku,
        "end_game": _end_game,
    }
