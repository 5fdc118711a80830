"""Tenhou's mjlog XML, read and written.

Every element is one thing that happens: ``<T126/>`` seat 0 draws tile 126, ``<D120/>`` it discards
120 (T U V W and D E F G for the seats 0 to 3), ``<N/>`` a call packed into a 16-bit number. Other
elements (``SHUFFLE``) carry nothing that is seen at the table and are passed over.
"""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterator
from math import isfinite
from pathlib import Path
from typing import cast
from urllib.parse import unquote

try:
    from lxml import etree
except ImportError:
    raise ImportError("reading mjlog needs lxml: pip install houjuu[logs]") from None

from houjuu.errors import Error, LogError
from houjuu.events import (
    Away,
    Back,
    Deal,
    Discard,
    Dora,
    Draw,
    DrawnRound,
    DrawReason,
    Event,
    Final,
    Game,
    Player,
    Riichi,
    RiichiAccepted,
    Rules,
    Win,
    four,
)
from houjuu.ledger import Ledger
from houjuu.logs.meld_codes import call, meld
from houjuu.logs.mjlog_writer import write
from houjuu.tiles import TILES

__all__ = ["parse", "read", "write"]

Attributes = dict[str, str]
MAX_BYTES = 1 << 20  # unit: bytes; the longest of 30,000 real games has 26,144
_MAX_ATTRIBUTES = 32  # unit: attributes; an AGARI has 17 at most
_PARSER = etree.XMLParser(
    resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, collect_ids=False
)
_NESTED = etree.XPath("boolean(*/*)")
_SEATS = range(4)
_HANDS = ("hai0", "hai1", "hai2", "hai3")
_DRAWS = {
    f"{letter}{tile}": Draw(seat, tile)
    for seat, letter in enumerate("TUVW")
    for tile in range(TILES)
}
_DISCARDS = {  # from the hand, and of the tile just drawn
    f"{letter}{tile}": (tile, Discard(seat, tile, False), Discard(seat, tile, True))
    for seat, letter in enumerate("DEFG")
    for tile in range(TILES)
}
_TILE_IDS = {str(tile): tile for tile in range(TILES)}


def read(path: str | Path) -> Iterator[Game]:
    """Yield every game of a file, folder or archive of mjlog files.

    Raises LogError at the first that is not one; `houjuu.logs.games` can go on past it.
    """
    from houjuu.logs.sources import contents

    for name, data in contents(path):
        yield parse(data, name)


def parse(data: bytes, name: str = "mjlog") -> Game:
    """Read one mjlog document.

    Parameters
    ----------
    data : bytes
        The XML, not compressed.
    name : str
        The file's name, for messages; the part between the last / and the first dot becomes the
        id of the game.

    Raises
    ------
    LogError
        It is no mjlog of a whole four-player game, or the game in it is impossible. The message
        names file, round and element.
    """
    return _Reader(name).read(_root(data, name))


def _root(data: bytes, name: str) -> etree._Element:
    if len(data) > MAX_BYTES:
        raise LogError(f"is longer than {MAX_BYTES} bytes", file=name)
    if b"<!" in data:  # a DOCTYPE is where entities come from; mjlog has none, nor comments
        raise LogError("has a declaration or comment (<!…), which no mjlog has", file=name)
    try:
        root = etree.fromstring(data, _PARSER)
    except (etree.XMLSyntaxError, ValueError) as problem:
        raise LogError(f"is not XML: {_first_line(problem)}", file=name) from None
    if root.getroottree().docinfo.internalDTD is not None:  # written in some other encoding
        raise LogError("has a declaration (<!…), which no mjlog has", file=name)
    if root.tag != "mjloggm":
        raise LogError(f"is not mjlog: its root is <{root.tag}>", file=name)
    if _NESTED(root):
        raise LogError("is not mjlog: it has elements within elements", file=name)
    return root


def _first_line(problem: Exception) -> str:
    return str(problem).splitlines()[0] if str(problem) else type(problem).__name__


class _Reader:
    """Turns elements into events; a Ledger checks each as it comes."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.events: list[Event] = []
        self.ledger = Ledger()
        self.rules: Rules | None = None
        self.players: tuple[Player, ...] = ()
        self.final: Final = None
        self.round = -1
        self._on: dict[str, Callable[[Attributes], Event | None]] = {
            "GO": self._go,
            "UN": self._un,
            "BYE": lambda of: Away(_seat(of, "who")),
            "INIT": self._init,
            "N": lambda of: call(_seat(of, "who"), _number(of, "m")),
            "REACH": _reach,
            "DORA": lambda of: Dora(_tile(of, "hai")),
            "AGARI": self._agari,
            "RYUUKYOKU": self._ryuukyoku,
        }

    def read(self, root: etree._Element) -> Game:
        ledger, append = self.ledger, self.events.append
        enter_draw, enter_discard = ledger.draw, ledger.discard
        element = root
        try:
            for element in root:
                tag = element.tag
                if tag in _DRAWS:
                    draw = _DRAWS[tag]
                    enter_draw(draw)
                    append(draw)
                elif tag in _DISCARDS:
                    tile, tedashi, tsumogiri = _DISCARDS[tag]
                    discard = tsumogiri if tile == ledger.drawn else tedashi
                    enter_discard(discard)
                    append(discard)
                elif event := self._other(element):
                    ledger.apply(event)
                    append(event)
        except Error as problem:
            raise self._at(element, problem.reason) from None
        except (ValueError, KeyError, IndexError) as problem:
            raise self._at(element, f"cannot be read ({_first_line(problem)})") from None
        if self.rules is None or self.round < 0:
            raise LogError("is not a game: no GO or no INIT element", file=self.name)
        if self.final is None:
            raise LogError("is cut off: no element has the final scores", file=self.name)
        stem = self.name.rsplit("/", 1)[-1].split(".", 1)[0]
        return Game(stem, self.rules, self.players, tuple(self.events), self.final)

    def _at(self, element: etree._Element, reason: str) -> LogError:
        text = etree.tostring(element, encoding="unicode", with_tail=False)
        if len(text) > 160:
            text = text[:160] + "…"
        where = None if self.round < 0 else self.round
        return LogError(reason, file=self.name, round=where, element=text)

    def _other(self, element: etree._Element) -> Event | None:
        tag = str(element.tag)
        if tag[:1] in "TUVWDEFG" and tag[1:].isdigit():
            raise LogError(f"tile {tag[1:]} is out of range")
        handler = self._on.get(tag)
        if handler is None:
            return None
        if len(element.attrib) > _MAX_ATTRIBUTES:
            raise LogError("has more attributes than any element of mjlog")
        return handler(dict(cast("ItemsView[str, str]", element.items())))

    def _go(self, of: Attributes) -> None:
        rules = Rules(_number(of, "type"), of.get("lobby"))
        if rules.three_players:
            raise LogError("is a three-player game; houjuu reads four-player games")
        self.rules = rules

    def _un(self, of: Attributes) -> Event | None:
        names = [of.get(f"n{seat}") for seat in _SEATS]
        back = [seat for seat in _SEATS if names[seat] is not None]
        if self.players:
            if len(back) != 1:
                raise LogError(f"{len(back)} players come back at once")
            return Back(back[0])
        if len(back) < 4 or not names[3]:
            raise LogError("has fewer than four players")
        self.players = tuple(_players(of, names))
        return None

    def _init(self, of: Attributes) -> Deal:
        seed = _numbers(of, "seed")
        if len(seed) != 6:
            raise LogError(f"seed has {len(seed)} numbers, not 6")
        if self.final is not None:
            raise LogError("a round follows the final scores")
        self.round += 1
        hands = tuple([_tiles(of, key) for key in _HANDS])
        return Deal(
            round=seed[0],
            honba=seed[1],
            riichi_sticks=seed[2],
            dealer=_seat(of, "oya"),
            scores=four([100 * score for score in _numbers(of, "ten")]),
            dora_indicator=seed[5],
            hands=hands,
            dice=(seed[3], seed[4]),
        )

    def _end(self, of: Attributes) -> tuple[int, int, list[int]]:
        """Honba, sticks and ``sc`` of the element that ends a round; notes ``owari``."""
        if "owari" in of:
            values = of["owari"].split(",")
            if len(values) != 8:
                raise LogError("owari has not 8 numbers")
            pairs = zip(values[::2], values[1::2], strict=True)
            self.final = tuple((100 * int(score), float(result)) for score, result in pairs)
            if not all(isfinite(result) for _, result in self.final):
                raise LogError("owari has a result that is no number")
        honba, sticks = _numbers(of, "ba")
        changes = [100 * value for value in _numbers(of, "sc")]
        if len(changes) != 8:
            raise LogError("sc has not 8 numbers")
        return honba, sticks, changes

    def _agari(self, of: Attributes) -> Win:
        honba, sticks, changes = self._end(of)
        fu, points, limit = _numbers(of, "ten")
        yaku = _numbers(of, "yaku")
        seat = _seat(of, "who")
        return Win(
            seat=seat,
            source=_seat(of, "fromWho"),
            tile=_tile(of, "machi"),
            hand=_tiles(of, "hai"),
            melds=tuple(meld(seat, code) for code in _numbers(of, "m")),
            fu=fu,
            points=points,
            limit=limit,
            yaku=tuple(zip(yaku[::2], yaku[1::2], strict=True)),
            yakuman=tuple(_numbers(of, "yakuman")),
            dora_indicators=_tiles(of, "doraHai"),
            ura_indicators=_tiles(of, "doraHaiUra"),
            honba=honba,
            riichi_sticks=sticks,
            scores=four(changes[::2]),
            deltas=four(changes[1::2]),
            liable=_seat(of, "paoWho") if "paoWho" in of else None,
        )

    def _ryuukyoku(self, of: Attributes) -> DrawnRound:
        honba, sticks, changes = self._end(of)
        return DrawnRound(
            reason=DrawReason(of.get("type", "exhausted")),
            hands=tuple(_tiles(of, key) if key in of else None for key in _HANDS),
            honba=honba,
            riichi_sticks=sticks,
            scores=four(changes[::2]),
            deltas=four(changes[1::2]),
        )


def _reach(of: Attributes) -> Event:
    seat, step = _seat(of, "who"), _number(of, "step")
    if step not in (1, 2):
        raise LogError(f"riichi has no step {step}")
    return Riichi(seat) if step == 1 else RiichiAccepted(seat)


def _players(of: Attributes, names: list[str | None]) -> Iterator[Player]:
    columns = [of.get(key, ",,,").split(",") for key in ("dan", "rate", "sx")]
    for seat, name in enumerate(names):
        dan, rate, sex = (column[seat] if seat < len(column) else "" for column in columns)
        shown = unquote(name or "", errors="strict")
        yield Player(shown, int(dan) if dan else None, float(rate) if rate else None, sex or None)


def _numbers(of: Attributes, key: str) -> list[int]:
    text = of.get(key)
    return list(map(int, text.split(","))) if text else []


def _tiles(of: Attributes, key: str) -> tuple[int, ...]:
    text = of.get(key)
    try:
        return tuple(map(_TILE_IDS.__getitem__, text.split(","))) if text else ()
    except KeyError as unknown:
        raise LogError(f"tile {unknown.args[0]} is out of range") from None


def _number(of: Attributes, key: str) -> int:
    text = of.get(key)
    if text is None:
        raise LogError(f"has no {key}")
    return int(text)


def _seat(of: Attributes, key: str) -> int:
    seat = _number(of, key)
    if seat not in _SEATS:
        raise LogError(f"{key} {seat} is no seat")
    return seat


def _tile(of: Attributes, key: str) -> int:
    tile = _number(of, key)
    if not 0 <= tile < TILES:
        raise LogError(f"tile {tile} is out of range")
    return tile
