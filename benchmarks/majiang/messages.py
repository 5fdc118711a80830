"""Events as messages of majiang: 開局 kaiju, 配牌 qipai, 自摸 zimo, 打牌 dapai ….

Majiang numbers seats in two ways: `id` is absolute, as in houjuu, and `l` is the seat wind, 0 for
the dealer. Hidden tiles and hands are empty strings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from benchmarks.majiang.notation import hand_text, meld_text, tile_text
from houjuu.game.events import (
    KANS,
    Call,
    Deal,
    Discard,
    Dora,
    Draw,
    DrawnRound,
    DrawReason,
    Event,
    Meld,
    MeldKind,
    Riichi,
    Win,
)
from houjuu.game.tiles import KIND

Message = dict[str, Any]
_T = TypeVar("_T")

RULES: Message = {"ダブル役満あり": False}
"""The rules in which Tenhou differs from the defaults of majiang."""

_OWN_KANS = (MeldKind.ANKAN, MeldKind.KAKAN)
_DRAWS = {
    DrawReason.EXHAUSTED: "荒牌平局",
    DrawReason.NAGASHI_MANGAN: "流し満貫",
    DrawReason.NINE_TERMINALS: "九種九牌",
    DrawReason.FOUR_WINDS: "四風連打",
    DrawReason.FOUR_RIICHI: "四家立直",
    DrawReason.THREE_RON: "三家和",
    DrawReason.FOUR_KANS: "四開槓",
}


def visible_event(event: Event, seat: int) -> Event:
    """The event as a seat sees it: hands and draws of other seats are None."""
    if isinstance(event, Deal):
        hands = tuple(hand if n == seat else None for n, hand in enumerate(event.hands))
        return replace(event, hands=hands)
    return Draw(event.seat, None) if isinstance(event, Draw) and event.seat != seat else event


class Messages:
    """Converts the events that a seat sees to messages.

    Parameters
    ----------
    seat : int
        0–3.
    """

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self._dealer = 0
        self._melds: list[list[Meld]] = [[], [], [], []]
        self._riichi = [False] * 4
        self._declares_riichi = self._after_kan = False
        self._converters: dict[type, Callable[[Any], Message]] = {
            Deal: self._qipai,
            Draw: self._zimo,
            Discard: self._dapai,
            Call: self._called,
            Dora: lambda dora: {"kaigang": {"baopai": tile_text(dora.indicator)}},
            Win: self._hule,
            DrawnRound: self._pingju,
        }

    def begin(self) -> Message:
        """The message at the start of a game."""
        names = [f"seat {seat}" for seat in range(4)]
        return {"kaiju": {"id": self.seat, "rule": RULES, "title": "", "player": names, "qijia": 0}}

    def end(self, scores: Sequence[int]) -> Message:
        """The message at the end of a game."""
        return {"jieju": {"defen": list(scores)}}

    def convert(self, event: Event) -> Message | None:
        """The message for an event; None if majiang has none.

        The message of its discard declares a riichi, and the next message implies its acceptance.
        """
        if isinstance(event, Riichi):
            self._riichi[event.seat] = self._declares_riichi = True
        convert = self._converters.get(type(event))
        return None if convert is None else convert(event)

    def _wind(self, seat: int) -> int:
        return (seat - self._dealer) % 4

    def _by_wind(self, values: Sequence[_T]) -> list[_T]:
        return [values[(self._dealer + wind) % 4] for wind in range(4)]

    def _hand(self, seat: int, tiles: Sequence[int], last: int | None = None) -> str:
        melds = [meld_text(meld, seat) for meld in self._melds[seat]]
        return hand_text(tiles, melds, last=last, riichi=self._riichi[seat])

    def _qipai(self, deal: Deal) -> Message:
        self._dealer = deal.dealer
        self._melds = [[], [], [], []]
        self._riichi = [False] * 4
        self._declares_riichi = False
        self._after_kan = False
        return {
            "qipai": {
                "zhuangfeng": deal.round // 4,
                "jushu": deal.round % 4,
                "changbang": deal.honba,
                "lizhibang": deal.riichi_sticks,
                "defen": self._by_wind(deal.scores or ()),
                "baopai": tile_text(deal.dora_indicator),
                "shoupai": self._by_wind(["" if h is None else hand_text(h) for h in deal.hands]),
            }
        }

    def _zimo(self, draw: Draw) -> Message:
        kind = "gangzimo" if self._after_kan else "zimo"
        self._after_kan = False
        text = "" if draw.tile is None else tile_text(draw.tile)
        return {kind: {"l": self._wind(draw.seat), "p": text}}

    def _dapai(self, discard: Discard) -> Message:
        text = tile_text(discard.tile) + "_" * discard.tsumogiri + "*" * self._declares_riichi
        self._declares_riichi = False
        return {"dapai": {"l": self._wind(discard.seat), "p": text}}

    def _called(self, call: Call) -> Message:
        melds = self._melds[call.seat]
        kind = call.meld.kind
        if kind is MeldKind.KAKAN:
            kan_kind = KIND[call.meld.tiles[0]]
            melds[:] = [call.meld if KIND[meld.tiles[0]] == kan_kind else meld for meld in melds]
        else:
            melds.append(call.meld)
        self._after_kan = kind in KANS
        content = {"l": self._wind(call.seat), "m": meld_text(call.meld, call.seat)}
        return {"gang" if kind in _OWN_KANS else "fulou": content}

    def _hule(self, win: Win) -> Message:
        ron = win.source != win.seat
        yakuman = len(win.yakuman)
        han = sum(han for _, han in win.yaku)
        return {
            "hule": {
                "l": self._wind(win.seat),
                "shoupai": self._hand(win.seat, win.hand, win.tile),
                "baojia": self._wind(win.source) if ron else None,
                "fubaopai": [tile_text(tile) for tile in win.ura_indicators or ()] or None,
                **({"damanguan": yakuman} if yakuman else {"fu": win.fu, "fanshu": han}),
                "defen": win.points,
                "fenpei": self._by_wind(win.deltas or (0, 0, 0, 0)),
            }
        }

    def _pingju(self, draw: DrawnRound) -> Message:
        hands = ["" if h is None else self._hand(n, h) for n, h in enumerate(draw.hands)]
        return {
            "pingju": {
                "name": _DRAWS[draw.reason or DrawReason.EXHAUSTED],
                "shoupai": self._by_wind(hands),
                "fenpei": self._by_wind(draw.deltas or (0, 0, 0, 0)),
            }
        }
