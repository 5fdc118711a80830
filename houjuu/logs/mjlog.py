"""Tenhou's mjlog XML, read and written.

Each element is one event: with ``<T126/>`` seat 0 draws tile 126, with ``<D120/>`` it discards 120
(T U V W and D E F G for the seats 0 to 3), ``<N/>`` is a call with a 16-bit code.

Files differ, and the reader accepts all of these:

| file | differs in |
|---|---|
| Tenhou, today | ``SHUFFLE`` has the wall; ``BYE``: a player leaves; a short ``UN``: is back |
| Tenhou, 2009 | no ``lobby``; ``INIT`` has ``shuffle``; ``REACH`` of step 2 has no ``ten`` |
| Tenhou, May 2010 | the last element may have ``owari`` twice |
| games with chips | ``sc`` and ``owari`` have eight more numbers |
| downloaders | no ``SHUFFLE`` |

An unknown element without tiles is listed in `houjuu.game.events.Game.unread`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, ClassVar, TypeVar
from urllib.parse import unquote

from houjuu.game.events import (
    ABORTED,
    Away,
    Back,
    Deal,
    Discard,
    Dora,
    Draw,
    DrawnRound,
    DrawReason,
    Event,
    FinalScores,
    Game,
    PlayerInfo,
    Riichi,
    RiichiAccepted,
    Rules,
    Win,
    per_seat,
)
from houjuu.game.limits import MAX_DAN, MAX_RATE, MAX_SCORE, points, real, whole
from houjuu.game.payments import RIICHI_STICK
from houjuu.game.round_state import RoundState
from houjuu.game.tiles import TILES
from houjuu.logs.meld_codes import decode_call, decode_meld
from houjuu.logs.mjlog_writer import write
from houjuu.logs.names import unread
from houjuu.logs.reading import game_id, read_all
from houjuu.logs.xml_elements import Document, Element, document, shown
from houjuu.util.errors import Error, LogError, ThreePlayerError

__all__ = ["parse", "read", "write"]

Attributes = dict[str, str]
_T = TypeVar("_T")
MAX_BYTES = 1 << 20  # unit: bytes; the longest of 30,000 real games has 26,144
_MAX_ATTRIBUTES = 32  # unit: attributes; an AGARI has 17 at most
_SEATS = range(4)
_HANDS = ("hai0", "hai1", "hai2", "hai3")
_DRAWS = {
    f"{letter}{tile}": Draw(seat, tile)
    for seat, letter in enumerate("TUVW")
    for tile in range(TILES)
}
_DISCARDS = {  # tile, discard from the hand, discard of the tile just drawn
    f"{letter}{tile}": (tile, Discard(seat, tile, False), Discard(seat, tile, True))
    for seat, letter in enumerate("DEFG")
    for tile in range(TILES)
}
_HARMLESS = ("SHUFFLE", "TAIKYOKU")  # elements without an event at the table
_OWARI_TWICE = re.compile(rb'(\sowari="[^"<>]{0,200}")([^<>]{0,400}?)\1')
_TILE_IDS = {str(tile): tile for tile in range(TILES)}


def parse(data: bytes, name: str = "mjlog", *, unfinished: bool = False) -> Game:
    """Parse one mjlog document.

    Parameters
    ----------
    data : bytes
        The XML, not compressed.
    name : str
        Name of the file for error messages; the part between the last / and the first dot is the
        id of the game.
    unfinished : bool
        Whether to accept a game in progress: the last round may lack its end, and the game its
        final scores.

    Raises
    ------
    LogError
        The data is not an mjlog of a whole four-player game, or the game is impossible. The message
        names file, round and element.
    """
    return _MjlogParser(name).parse(_elements(data, name), unfinished)


read = partial(read_all, parse)
"""Yield all games of a path with mjlog files; raises the first Error."""


def _elements(data: bytes, name: str) -> Sequence[Element]:
    if len(data) > MAX_BYTES:
        raise LogError(f"is longer than {MAX_BYTES} bytes", file=name)
    if b"<!" in data:  # a DOCTYPE could define entities; mjlog has neither it nor comments
        raise LogError("has a declaration or comment (<!…), which mjlog does not allow", file=name)
    tag, elements, is_nested, is_declared = _document(data, name)
    if is_declared:  # in another encoding
        raise LogError("has a declaration (<!…), which mjlog does not allow", file=name)
    if tag != "mjloggm":
        raise LogError(f"is not mjlog: the root is <{tag}>, not <mjloggm>", file=name)
    if is_nested:
        raise LogError("is not mjlog: it has elements within elements", file=name)
    return elements


def _document(data: bytes, name: str) -> Document:
    try:
        return document(data)
    except ValueError as problem:
        once, n_twice = _OWARI_TWICE.subn(rb"\1\2", data)
        if n_twice:
            with suppress(ValueError):
                return document(once)
        raise LogError(f"is not XML: {_first_line(problem)}", file=name) from None


def _first_line(problem: Exception) -> str:
    return str(problem).splitlines()[0] if str(problem) else type(problem).__name__


class _MjlogParser:
    """Converts elements to events; a RoundState checks each event."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.events: list[Event] = []
        self.round_state = RoundState()
        self.rules: Rules | None = None
        self.players: tuple[PlayerInfo, ...] = ()
        self.final: FinalScores = None
        self.round = -1
        self.unread: dict[str, None] = {}  # in order, without repetitions

    def parse(self, elements: Iterable[Element], unfinished: bool) -> Game:
        round_state = self.round_state
        append = self.events.append
        apply_draw = round_state.draw
        apply_discard = round_state.discard
        try:
            for element in elements:
                tag = element.tag
                if tag in _DRAWS:
                    draw = _DRAWS[tag]
                    apply_draw(draw)
                    append(draw)
                elif tag in _DISCARDS:
                    tile, tedashi, tsumogiri = _DISCARDS[tag]
                    discard = tsumogiri if tile == round_state.drawn else tedashi
                    apply_discard(discard)
                    append(discard)
                elif event := self._other(element):
                    round_state.apply(event)
                    append(event)
        except Error as problem:
            raise self._at(element, problem) from None
        except (ValueError, KeyError, IndexError) as problem:
            unreadable = LogError(f"cannot be read ({_first_line(problem)})")
            raise self._at(element, unreadable) from None
        if self.rules is None or self.round < 0:
            raise LogError("is not a game: it has no GO or no INIT element", file=self.name)
        if self.final is None and not unfinished:
            raise LogError("is cut off: no element has the final scores (owari)", file=self.name)
        return Game(
            id=game_id(self.name),
            rules=self.rules,
            players=self.players,
            events=tuple(self.events),
            final=self.final,
            unread=tuple(self.unread),
        )

    def _at(self, element: Element, problem: Error) -> LogError:
        text = shown(element)
        if len(text) > 160:
            text = text[:160] + "…"
        round_index = None if self.round < 0 else self.round
        return LogError.at(problem, file=self.name, round=round_index, element=text)

    def _other(self, element: Element) -> Event | None:
        tag: str = element.tag
        if tag[:1] in "TUVWDEFG" and tag[1:].isdigit():
            raise LogError(_no_tile(tag[1:]))
        handler = self._ON.get(tag)
        if handler is None:
            if tag not in _HARMLESS:
                self.unread[unread("element", tag, f"round {max(self.round, 0)}")] = None
            return None
        if len(element.attrib) > _MAX_ATTRIBUTES:  # lxml reads a million of them for minutes
            raise LogError(
                f"has more than {_MAX_ATTRIBUTES} attributes, more than any element of mjlog"
            )
        return handler(self, dict(element.items()))

    def _go(self, attributes: Attributes) -> None:
        rules = Rules(_number(attributes, "type"), attributes.get("lobby"))
        if rules.three_players:
            raise ThreePlayerError
        self.rules = rules

    def _un(self, attributes: Attributes) -> Event | None:
        names = [attributes.get(f"n{seat}") for seat in _SEATS]
        named = [seat for seat in _SEATS if names[seat] is not None]
        if self.players:
            if len(named) != 1:
                raise LogError(f"{len(named)} players come back at once; one is expected")
            return Back(named[0])
        if len(named) < 4 or not names[3]:
            raise LogError("has fewer than four players")
        self.players = tuple(_players(attributes, names))
        return None

    def _init(self, attributes: Attributes) -> Deal:
        seed = _numbers(attributes, "seed")
        if len(seed) != 6:
            raise LogError(f"seed has {len(seed)} numbers, not 6")
        if self.final is not None:
            raise LogError("a round begins after the final scores")
        self.round += 1
        hands = tuple([_tiles(attributes, key) for key in _HANDS])
        return Deal(
            round=seed[0],
            honba=seed[1],
            riichi_sticks=seed[2],
            dealer=_seat(attributes, "oya"),
            scores=per_seat([100 * score for score in _numbers(attributes, "ten")]),
            dora_indicator=seed[5],
            hands=hands,
            dice=(seed[3], seed[4]),
        )

    def _reach(self, attributes: Attributes) -> Event:
        seat = _seat(attributes, "who")
        step = _number(attributes, "step")
        if step not in (1, 2):
            raise LogError(f"step must be 1 or 2, not {step}")
        if step == 1:
            return Riichi(seat)
        scores = list(self.round_state.scores)
        scores[seat] -= RIICHI_STICK
        named = [100 * score for score in _numbers(attributes, "ten")]
        if named and named != scores:  # logs of 2009 have no ten
            raise LogError(f"ten has the scores {named}, but after the riichi they are {scores}")
        return RiichiAccepted(seat)

    def _end(self, attributes: Attributes) -> tuple[int, int, list[int]]:
        """Honba, sticks and ``sc`` of an element that ends a round; stores ``owari``."""
        if "owari" in attributes:
            values = _without_chips(attributes["owari"].split(","), "owari")
            pairs = zip(values[::2], values[1::2], strict=True)
            self.final = tuple(
                (
                    points(100 * int(score), "a final score"),
                    real(float(result), "a result", MAX_SCORE),
                )
                for score, result in pairs
            )
        honba, sticks = _numbers(attributes, "ba")
        changes = [100 * value for value in _without_chips(_numbers(attributes, "sc"), "sc")]
        return honba, sticks, changes

    def _agari(self, attributes: Attributes) -> Win:
        honba, sticks, changes = self._end(attributes)
        fu, points, limit = _numbers(attributes, "ten")
        yaku = _numbers(attributes, "yaku")
        yakuman = _numbers(attributes, "yakuman")
        seat = _seat(attributes, "who")
        if not (yaku or yakuman) or "hai" not in attributes:
            raise LogError("a win has no hand or no yaku")
        return Win(
            seat=seat,
            source=_seat(attributes, "fromWho"),
            tile=_tile(attributes, "machi"),
            hand=_tiles(attributes, "hai"),
            # The last call is written first.
            melds=tuple(decode_meld(seat, code) for code in _numbers(attributes, "m"))[::-1],
            fu=fu,
            points=points,
            limit=limit,
            yaku=tuple(zip(yaku[::2], yaku[1::2], strict=True)),
            yakuman=tuple(yakuman),
            dora_indicators=_tiles(attributes, "doraHai"),
            ura_indicators=_tiles(attributes, "doraHaiUra"),
            honba=honba,
            riichi_sticks=sticks,
            scores=per_seat(changes[::2]),
            deltas=per_seat(changes[1::2]),
            liable=_seat(attributes, "paoWho") if "paoWho" in attributes else seat,
        )

    def _ryuukyoku(self, attributes: Attributes) -> DrawnRound:
        honba, sticks, changes = self._end(attributes)
        reason = DrawReason(attributes.get("type", "exhausted"))
        shown = [key in attributes for key in _HANDS]
        return DrawnRound(
            reason=reason,
            hands=tuple(_tiles(attributes, key) if key in attributes else None for key in _HANDS),
            tenpai=(None,) * 4 if reason in ABORTED else tuple(shown),
            honba=honba,
            riichi_sticks=sticks,
            scores=per_seat(changes[::2]),
            deltas=per_seat(changes[1::2]),
        )

    # of the class: bound methods in an instance would keep it alive until a garbage collection
    _ON: ClassVar[dict[str, Callable[[Any, Attributes], Event | None]]] = {
        "GO": _go,
        "UN": _un,
        "BYE": lambda self, attributes: Away(_seat(attributes, "who")),
        "INIT": _init,
        "N": lambda self, attributes: decode_call(
            _seat(attributes, "who"), _number(attributes, "m")
        ),
        "REACH": _reach,
        "DORA": lambda self, attributes: Dora(_tile(attributes, "hai")),
        "AGARI": _agari,
        "RYUUKYOKU": _ryuukyoku,
    }


def _without_chips(values: list[_T], key: str) -> list[_T]:
    """The eight numbers of the scores; in a game with chips (祝儀) eight of the chips follow."""
    if len(values) not in (8, 16):
        raise LogError(f"{key} has {len(values)} numbers, not 8, or 16 with chips")
    return values[:8]


def _players(attributes: Attributes, names: list[str | None]) -> Iterator[PlayerInfo]:
    columns = [attributes.get(key, ",,,").split(",") for key in ("dan", "rate", "sx")]
    for seat, name in enumerate(names):
        dan, rate, sex = (column[seat] if seat < len(column) else "" for column in columns)
        decoded = unquote(name or "", errors="strict")
        yield PlayerInfo(
            decoded,
            whole(int(dan), "dan", MAX_DAN) if dan else None,
            real(float(rate), "rate", MAX_RATE) if rate else None,
            sex or None,
        )


def _numbers(attributes: Attributes, key: str) -> list[int]:
    text = attributes.get(key)
    return list(map(int, text.split(","))) if text else []


def _tiles(attributes: Attributes, key: str) -> tuple[int, ...]:
    text = attributes.get(key)
    try:
        return tuple(map(_TILE_IDS.__getitem__, text.split(","))) if text else ()
    except KeyError as problem:
        raise LogError(f"{key}: {_no_tile(problem.args[0])}") from None


def _number(attributes: Attributes, key: str) -> int:
    text = attributes.get(key)
    if text is None:
        raise LogError(f"has no attribute {key}")
    return int(text)


def _seat(attributes: Attributes, key: str) -> int:
    seat = _number(attributes, key)
    if seat not in _SEATS:
        raise LogError(f"{key} is {seat}, but seats are 0 to 3")
    return seat


def _tile(attributes: Attributes, key: str) -> int:
    tile = _number(attributes, key)
    if not 0 <= tile < TILES:
        raise LogError(f"{key}: {_no_tile(tile)}")
    return tile


def _no_tile(tile: str | int) -> str:
    return f"tile {tile} is out of range; tiles are 0 to {TILES - 1}"
