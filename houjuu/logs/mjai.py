"""mjai, the JSON-lines protocol of mahjong bots, read (live or from a file) and written.

mjai names tiles ("5mr", "E") without ids, so each new tile gets the first free copy of its kind. A
hand that the server hides ("?") stays unknown. Data of Tenhou's logs for which mjai has no field
(dice, yaku numbers, the result with uma) are written under the key "tenhou", which other programs
ignore. Messages for players who disconnect and come back do not exist.

Clients differ, and the reader accepts all of these:

| client | differs in |
|---|---|
| Mortal | ``hora`` has no ``pai`` and may lack ``deltas``; ``aka_flag`` false: no red fives |
| Akagi | a round ends with ``end_kyoku`` alone |
| mjai-manue | ``start_kyoku`` has no ``scores``; results have ``scores`` beside ``deltas`` |
| akochan | ``hora`` has ``scores`` and no ``deltas``; ``names`` may be empty |
| mjai.app | JSON arrays of messages |
| riichienv | the end of a round has ``deltas``; a ``hora`` by tsumo may lack ``pai`` |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

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
    PerSeat,
    PlayerInfo,
    Riichi,
    RiichiAccepted,
    RoundEnd,
    Rules,
    Win,
    per_seat,
)
from houjuu.logs import mjai_messages as fields
from houjuu.logs.mjai_messages import HIDDEN, Message, Messages, decoded
from houjuu.logs.mjai_writer import messages, write
from houjuu.round_state import RoundState
from houjuu.tiles import COPIES, KIND, RED_FIVES, mjai_name, parse_mjai

__all__ = ["Reader", "events", "messages", "parse", "read", "write"]

START_SCORES: PerSeat = (25_000, 25_000, 25_000, 25_000)
_WINDS = "ESWN"
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
    reader = Reader(name)
    game_events = tuple(reader.events(data))
    if not any(isinstance(event, Deal) for event in game_events):
        raise LogError("is not a game: it has no start_kyoku message", file=name)
    if not (unfinished or reader.round_state.round_over):
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

    A round ends at ``hora``, ``ryukyoku``, ``end_kyoku``, the next ``start_kyoku`` or ``end_game``,
    whichever comes first. Unknown message types and keys are ignored.

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
    scores : tuple of 4 ints or None, unit: points
        Scores for a ``start_kyoku`` without scores, or None if no message shows them.
    """

    def __init__(self, name: str | None = None) -> None:
        self.rules = Rules()
        self.scores: PerSeat | None = START_SCORES
        self._name = name
        self._line = 0
        self._begin_game()
        self._on: dict[str, Callable[[Message], Event | None]] = {
            "start_game": self._start_game,
            "start_kyoku": self._start_kyoku,
            "tsumo": self._tsumo,
            "dahai": self._dahai,
            "chi": self._call,
            "pon": self._call,
            "daiminkan": self._call,
            "ankan": self._ankan,
            "kakan": self._kakan,
            "reach": lambda message: Riichi(fields.seat(message, "actor")),
            "reach_accepted": lambda message: RiichiAccepted(fields.seat(message, "actor")),
            "dora": self._dora,
            "hora": self._hora,
            "ryukyoku": self._ryukyoku,
            "end_kyoku": self._end_kyoku,
            "end_game": self._end_game,
        }

    def events(self, messages: Messages) -> Iterator[Event]:
        """Yield the events of a message, of lines of JSON, of an array, or of a list of these.

        Raises LogError if a message is malformed or impossible.
        """
        for message in decoded(messages):
            yield from self.read(message)

    def read(self, message: Message | LogError | None) -> tuple[Event, ...]:
        """The events of one item of `houjuu.logs.mjai_messages.decoded`: none, one or two."""
        self._line += 1
        if message is None:
            return ()
        try:
            if isinstance(message, LogError):
                raise message
            fields.check_four_players(message)
            handler = self._on.get(message["type"])
            event = None if handler is None else handler(message)
            return () if event is None else self._applied(event)
        except Error as problem:
            error_type = type(problem) if isinstance(problem, LogError) else LogError
            shown = problem.element or fields.shorten(message)
            round_index = None if self._round < 0 else self._round
            raise error_type(
                problem.reason,
                file=self._name,
                round=round_index,
                element=f"line {self._line} {shown}",
            ) from None

    def forget_round(self) -> None:
        """Forget the round: a ``start_kyoku`` that does not follow from it is accepted."""
        self.round_state = RoundState()

    def skip(self, message: Message | LogError | None) -> None:
        """Skip a message after a lost one: only scores are read, for the next round."""
        self._line += 1
        if isinstance(message, Mapping):
            try:
                self.scores = fields.four_numbers(message, "scores") or self.scores
            except LogError:
                self.scores = None

    def _applied(self, event: Event) -> tuple[Event, ...]:
        ends: tuple[Event, ...] = ()
        if isinstance(event, Deal) and self.round_state.is_played:
            ends = (RoundEnd(),)
            self.round_state.apply(ends[0])
        self.round_state.apply(event)
        if self.round_state.round_over:
            known = self.round_state.scores_known
            self.scores = per_seat(self.round_state.scores) if known else None
        return (*ends, event)

    def _begin_game(self) -> None:
        self.round_state = RoundState()
        self.players: tuple[PlayerInfo, ...] = ()
        self.final: FinalScores = None
        self.scores = START_SCORES
        self._round = -1
        self._used: set[int] = set()
        self._honba = 0
        self._dora_indicators: list[int] = []

    def _start_game(self, message: Message) -> None:
        self._begin_game()
        self.rules = fields.rules(message)
        self.players = fields.players(message)

    def _end_kyoku(self, _: Message) -> Event | None:
        return RoundEnd() if self.round_state.is_played else None

    def _end_game(self, message: Message) -> Event | None:
        self.final = fields.final_scores(message)
        return self._end_kyoku(message)

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
        self._honba = fields.number(message, "honba")
        indicator = self._new(fields.tile_name(message, "dora_marker"))
        self._dora_indicators = [indicator]
        hands = fields.hands(message, "tehais")
        scores = fields.four_numbers(message, "scores")
        if scores is None:
            scores = self.scores or START_SCORES
        return Deal(
            round=fields.round_number(message),
            honba=self._honba,
            riichi_sticks=fields.number(message, "kyotaku"),
            dealer=fields.seat(message, "oya"),
            scores=scores,
            dora_indicator=indicator,
            hands=tuple(map(self._dealt, hands)),
            dice=fields.dice(message),
        )

    def _dealt(self, names: list[str] | None) -> tuple[int, ...] | None:
        return None if names is None else tuple(sorted(map(self._new, names)))

    def _tsumo(self, message: Message) -> Draw:
        name = fields.tile_name(message, "pai")
        tile = None if name == HIDDEN else self._new(name)
        return Draw(fields.seat(message, "actor"), tile)

    def _dahai(self, message: Message) -> Discard:
        seat, name = fields.seat(message, "actor"), fields.tile_name(message, "pai")
        tsumogiri = fields.flag(message, "tsumogiri")
        drawn = self.round_state.drawn
        if tsumogiri and drawn is not None:
            if self._name_of(drawn) != name:
                raise LogError(f"seat {seat} drew {self._name_of(drawn)}, not {name}")
            return Discard(seat, drawn, tsumogiri=True)
        others = [self._name_of(tile) for tile in self.round_state.hands[seat] if tile != drawn]
        if drawn is not None and name == self._name_of(drawn) and name not in others:
            return Discard(seat, drawn, tsumogiri=True)  # some servers do not mark a dealt 14th
        return Discard(seat, self._from_hand(seat, [name], excluded=drawn)[0], tsumogiri)

    def _call(self, message: Message) -> Call:
        seat, source = fields.seat(message, "actor"), fields.seat(message, "target")
        name, kind = fields.tile_name(message, "pai"), MeldKind(message["type"])
        last = self.round_state.last_discard
        if last is None or last.seat != source or self._name_of(last.tile) != name:
            raise LogError(f"seat {source} did not just discard {name}")
        count = 3 if kind is MeldKind.DAIMINKAN else 2
        own = self._from_hand(seat, fields.tile_names(message, "consumed", count))
        return Call(seat, Meld(kind, tuple(sorted((*own, last.tile))), last.tile, source))

    def _ankan(self, message: Message) -> Call:
        seat = fields.seat(message, "actor")
        tiles = self._from_hand(seat, fields.tile_names(message, "consumed", 4))
        return Call(seat, Meld(MeldKind.ANKAN, tuple(sorted(tiles))))

    def _kakan(self, message: Message) -> Call:
        seat, name = fields.seat(message, "actor"), fields.tile_name(message, "pai")
        (added,) = self._from_hand(seat, [name])
        for pon in self.round_state.melds[seat]:
            if pon.kind is MeldKind.PON and KIND[pon.tiles[0]] == KIND[added]:
                tiles = tuple(sorted((*pon.tiles, added)))
                return Call(seat, Meld(MeldKind.KAKAN, tiles, pon.called, pon.source, added))
        raise LogError(f"seat {seat} has no pon of {name}")

    def _dora(self, message: Message) -> Dora:
        indicator = self._new(fields.tile_name(message, "dora_marker"))
        self._dora_indicators.append(indicator)
        return Dora(indicator)

    def _hora(self, message: Message) -> Win | RoundEnd:
        seat, source = fields.seat(message, "actor"), fields.seat(message, "target")
        round_state, extra = self.round_state, fields.extra(message)
        tile, hand = self._winning_tile(seat, source, message), self._hand(seat)
        if tile is None:
            return RoundEnd(seat, self._deltas(message))
        ura = fields.tile_names(message, "ura_markers") or fields.tile_names(
            message, "uradora_markers"
        )
        return Win(
            seat=seat,
            source=source,
            tile=tile,
            hand=() if hand is None else tuple(sorted({*hand, tile})),
            melds=tuple(round_state.melds[seat]),
            fu=fields.number(message, "fu", 0),
            points=fields.number(message, "hora_points", 0),
            limit=fields.number(extra, "limit", 0),
            yaku=fields.yaku(extra),
            yakuman=fields.integers(extra, "yakuman"),
            dora_indicators=tuple(self._dora_indicators),
            ura_indicators=self._ura_indicators(ura),
            honba=self._honba,
            riichi_sticks=round_state.riichi_sticks,
            scores=per_seat(round_state.scores),
            deltas=self._deltas(message),
            liable=fields.seat(extra, "liable") if extra.get("liable") is not None else None,
        )

    def _deltas(self, message: Message) -> PerSeat | None:
        """Changes of the scores, from the scores after them if the message has those."""
        scores = fields.four_numbers(message, "scores")
        if scores is None:
            return fields.four_numbers(message, "deltas")
        before = self.round_state.scores
        return per_seat(after - score for after, score in zip(scores, before, strict=True))

    def _winning_tile(self, seat: int, source: int, message: Message) -> int | None:
        """The winning tile; None for the hidden draw of a hidden hand."""
        last, drawn = self.round_state.last_discard, self.round_state.drawn
        if seat != source:
            if last is None:
                raise LogError(f"seat {source} did not just discard")
            return last.tile
        if drawn is not None or message.get("pai") in (None, HIDDEN):
            return drawn
        return self._from_hand(seat, [fields.tile_name(message, "pai")])[0]

    def _ura_indicators(self, names: Iterable[str]) -> tuple[int, ...]:
        """Ura indicators; they stay free, because the message of a second winner repeats them."""
        used = set(self._used)
        tiles = tuple(self._new(name) for name in names)
        self._used = used
        return tiles

    def _ryukyoku(self, message: Message) -> DrawnRound:
        round_state = self.round_state
        shown = fields.hands(message, "tehais") if message.get("tehais") else [None] * 4
        reason = _REASONS.get(str(message.get("reason")), DrawReason.EXHAUSTED)
        deltas = self._deltas(message)
        if deltas is None and reason not in (DrawReason.EXHAUSTED, DrawReason.NAGASHI_MANGAN):
            deltas = (0, 0, 0, 0)
        return DrawnRound(
            reason=reason,
            hands=tuple(self._hand(i) if names else None for i, names in enumerate(shown)),
            honba=self._honba,
            riichi_sticks=round_state.riichi_sticks,
            scores=per_seat(round_state.scores),
            deltas=deltas,
        )

    def _hand(self, seat: int) -> tuple[int, ...] | None:
        """The hand of a seat; None if any of it is hidden."""
        hidden = self.round_state.n_unknown[seat]
        return None if hidden else tuple(sorted(self.round_state.hands[seat]))
