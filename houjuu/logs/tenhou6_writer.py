"""Writer of the JSON of tenhou.net/6; `houjuu.logs.tenhou6` parses the result as the same events.

The format has no tile ids, so tiles are equal by kind and colour. `houjuu.logs.tenhou6_lists` has
its cells.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from houjuu.game.events import (
    SEATS,
    Away,
    Back,
    Call,
    Deal,
    Discard,
    Dora,
    Draw,
    DrawnRound,
    DrawReason,
    Event,
    Game,
    Meld,
    MeldKind,
    PerSeat,
    Riichi,
    Win,
)
from houjuu.game.rules import MAHJONG_SOUL, TENHOU, Rules
from houjuu.game.tiles import KIND, RED_FIVES
from houjuu.game.yaku import YAKU
from houjuu.logs.tenhou6 import DAN
from houjuu.util.errors import LogError

_ROOMS = {0: "般", 0x80: "上", 0x20: "特", 0xA0: "鳳"}
_LIMITS = ("", "満貫", "跳満", "倍満", "三倍満", "役満")
_DRAWS = {
    DrawReason.EXHAUSTED: "流局",
    DrawReason.NAGASHI_MANGAN: "流し満貫",
    DrawReason.NINE_TERMINALS: "九種九牌",
    DrawReason.FOUR_WINDS: "四風連打",
    DrawReason.FOUR_RIICHI: "四家立直",
    DrawReason.THREE_RON: "三家和了",
    DrawReason.FOUR_KANS: "四槓散了",
}
_LETTERS = {
    MeldKind.CHI: "c",
    MeldKind.PON: "p",
    MeldKind.DAIMINKAN: "m",
    MeldKind.KAKAN: "k",
    MeldKind.ANKAN: "a",
}
_TSUMOGIRI, _NO_DISCARD = 60, 0
_HONBA = 100  # unit: points that each payer of a tsumo adds for a honba


def write(game: Game) -> str:
    """The game as JSON in one line.

    Raises
    ------
    LogError
        The format has no place for a part of the game: a hidden tile, an end without its changes of
        the scores, or the rules of another site.
    """
    document = {
        "title": ["", ""],
        "name": [player.name for player in game.players] or list("ABCD"),
        "rule": _rule(game.rules),
        **({"ref": game.id} if game.id else {}),
        **_players(game),
        "log": [_Round(events, game.rules).cells() for events in _rounds(game.events)],
        "connection": [*_connection(game.events)],
    }
    if game.rules.lobby is not None and game.rules.lobby.isdecimal():
        document["lobby"] = int(game.rules.lobby)
    if game.final is not None:
        document["sc"] = [number for pair in game.final for number in pair]
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def _rule(rules: Rules) -> object:
    """The rules; those of a lobby, or of programs, as the list that Tenhou writes for a lobby."""
    if rules.profile not in (TENHOU, MAHJONG_SOUL):
        raise LogError(f"has the rules {rules.profile.name!r}, which tenhou.net/6 cannot name")
    if rules.special or rules.room == "bots":
        return ["", "", f"{rules.flags:04x}"]
    room = "玉の間" if rules.profile == MAHJONG_SOUL else _ROOMS[rules.flags & 0xA0]
    length = "南" if rules.hanchan else "東"
    marks = (("喰", rules.open_tanyao), ("赤", rules.red_fives), ("速", rules.flags & 0x40))
    name = room + length + "".join(mark for mark, holds in marks if holds)
    return {"disp": name, "aka": int(rules.red_fives)}


def _players(game: Game) -> dict[str, list[Any]]:
    """The columns about the players that the game knows."""
    columns: dict[str, list[Any]] = {
        "dan": ["" if player.dan is None else DAN[player.dan] for player in game.players],
        "rate": [player.rate for player in game.players],
        "sx": [player.sex for player in game.players],
    }
    return {key: column for key, column in columns.items() if any(column)}


def _rounds(events: Iterable[Event]) -> Iterator[list[Event]]:
    """Yield the events of each round."""
    round_events: list[Event] = []
    for event in events:
        if isinstance(event, Deal) and round_events:
            yield round_events
            round_events = []
        if round_events or isinstance(event, Deal):
            round_events.append(event)
    if round_events:
        yield round_events


def _connection(events: Iterable[Event]) -> Iterator[dict[str, int]]:
    """Yield who leaves and who comes back, after how many draws, discards and calls of a round.

    The end of the round is one more step, so that a change between two rounds keeps its place.
    """
    index, step = 0, 0
    is_over = False
    for event in events:
        if isinstance(event, (Away, Back)):
            what = int(isinstance(event, Back))
            yield {"what": what, "log": index, "who": event.seat, "step": step + is_over}
        elif isinstance(event, (Draw, Discard, Call)):
            step += 1
        elif isinstance(event, Deal) and is_over:
            index, step, is_over = index + 1, 0, False
        is_over |= isinstance(event, (Win, DrawnRound))


class _Round:
    """The lists of a round."""

    def __init__(self, events: Sequence[Event], rules: Rules) -> None:
        self._red_fives = rules.red_fives
        deal, *self._rest = events
        assert isinstance(deal, Deal)
        self._deal = deal
        self._draws: list[list[Any]] = [[] for _ in range(SEATS)]
        self._discards: list[list[Any]] = [[] for _ in range(SEATS)]
        self._indicators = [deal.dora_indicator]
        self._ends: list[Win | DrawnRound] = []

    def cells(self) -> list[Any]:
        """The 17 entries."""
        deal = self._deal
        declares = False
        for event in self._rest:
            match event:
                case Draw(seat, tile):
                    self._draws[seat].append(self._code(tile))
                case Riichi():
                    declares = True
                case Discard(seat, tile, tsumogiri):
                    cell = _TSUMOGIRI if tsumogiri else self._code(tile)
                    self._discards[seat].append(f"r{cell}" if declares else cell)
                    declares = False
                case Call(seat, meld):
                    self._call(seat, meld)
                case Dora(indicator):
                    self._indicators.append(indicator)
                case Win() | DrawnRound():
                    self._ends.append(event)
                case _:
                    pass
        ura = next((win.ura_indicators for win in self._wins() if win.ura_indicators), ())
        lists = (
            cells
            for hand, *turns in zip(deal.hands, self._draws, self._discards, strict=True)
            for cells in ([*map(self._code, self._whole(hand))], *turns)
        )
        return [
            [deal.round, deal.honba, deal.riichi_sticks],
            list(self._whole(deal.scores)),
            [*map(self._code, self._indicators)],
            [*map(self._code, ura)],
            *lists,
            self._result(),
        ]

    def _whole(self, values: tuple[int, ...] | None) -> tuple[int, ...]:
        if values is None:
            raise LogError("hides a hand or the scores, which tenhou.net/6 needs")
        return values

    def _code(self, tile: int | None) -> int:
        """The number of a tile: 11 to 47, and 51 to 53 for the red fives."""
        if tile is None:
            raise LogError("hides a tile, which tenhou.net/6 needs")
        if self._red_fives and tile in RED_FIVES:
            return 51 + RED_FIVES.index(tile)
        suit, rank = divmod(KIND[tile], 9)
        return 10 * (suit + 1) + rank + 1

    def _call(self, seat: int, meld: Meld) -> None:
        """A meld: the tile after the letter is the called, the added, or the last one."""
        others = [tile for tile in meld.tiles if tile not in (meld.called, meld.added)]
        place = 0
        marked = [tile for tile in (meld.added, meld.called) if tile is not None]
        if meld.source is None:
            place, marked = 3, [others.pop()]
        elif meld.kind is not MeldKind.CHI:
            from_left = (seat - meld.source) % SEATS  # 1: the seat to the left
            place = 3 if meld.kind is MeldKind.DAIMINKAN and from_left == 3 else from_left - 1
        codes = [str(self._code(tile)) for tile in (*others[:place], *marked, *others[place:])]
        codes[place] = _LETTERS[meld.kind] + codes[place]
        is_own_kan = meld.kind in (MeldKind.ANKAN, MeldKind.KAKAN)
        (self._discards if is_own_kan else self._draws)[seat].append("".join(codes))
        if meld.kind is MeldKind.DAIMINKAN:
            self._discards[seat].append(_NO_DISCARD)

    def _wins(self) -> Iterator[Win]:
        return (end for end in self._ends if isinstance(end, Win))

    def _result(self) -> list[Any]:
        if not self._ends:
            raise LogError("has a round without its end, which tenhou.net/6 needs")
        entry: list[Any] = ["和了"]
        for end in self._ends:
            if end.deltas is None:
                raise LogError("has no changes of the scores, which tenhou.net/6 needs")
            if isinstance(end, DrawnRound):
                return self._drawn(end, end.deltas)
            liable = end.seat if end.liable is None else end.liable
            entry += [
                list(end.deltas),
                [end.seat, end.source, liable, *self._score(end, end.deltas, liable)],
            ]
        return entry

    def _drawn(self, end: DrawnRound, deltas: PerSeat) -> list[Any]:
        if end.reason is None:
            raise LogError("has a draw without its reason, which tenhou.net/6 needs")
        if end.reason is DrawReason.EXHAUSTED and not any(deltas) and None not in end.tenpai:
            return ["全員聴牌" if all(end.tenpai) else "全員不聴"]
        return [_DRAWS[end.reason], list(deltas)]

    def _score(self, win: Win, deltas: PerSeat, liable: int) -> Iterator[str]:
        """Yield the text of the score, if it is known, and of each yaku."""
        if win.points is None:
            return
        points = f"{win.points}点"
        dealer = self._deal.dealer
        if win.seat == win.source and liable == win.seat:
            paid = [-delta - _HONBA * win.honba for delta in deltas]
            others = [paid[seat] for seat in range(SEATS) if seat not in (win.seat, dealer)]
            dealers = f"{others[0]}-{paid[dealer]}点"
            points = f"{others[0]}点∀" if win.seat == dealer else dealers
        han = sum(han for _, han in win.yaku)
        limit = _LIMITS[win.limit or 0]
        # The fu of a limit hand follow from its tiles; those of a yakuman stand in the log alone.
        fu = f"{win.fu}符" if win.fu and (win.yakuman or not limit) else ""
        yield fu + (limit or (f"{han}飜" if fu else "")) + points
        yield from (f"{YAKU[number].japanese}({han}飜)" for number, han in win.yaku)
        yield from (f"{YAKU[number].japanese}(役満)" for number in win.yakuman)
