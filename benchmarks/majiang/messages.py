"""What a seat hears, in majiang's messages: 開局 kaiju, 配牌 qipai, 自摸 zimo, 打牌 dapai ….

Majiang counts seats in two ways: `id` is ours, absolute, and `l` is the seat's wind, 0 for the
dealer. What is hidden from the seat is an empty text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from benchmarks.majiang.notation import hand_text, meld_text, tile_text
from houjuu.events import (
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

Message = dict[str, Any]
_T = TypeVar("_T")

RULES: Message = {"ダブル役満あり": False}
"""Where Tenhou's rules differ from what majiang takes unless told."""

_KANS = (MeldKind.ANKAN, MeldKind.KAKAN, MeldKind.DAIMINKAN)
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


def heard(event: Event, seat: int) -> Event:
    """The event as a seat hears it: the hands and the draws of others are None."""
    if isinstance(event, Deal):
        hands = tuple(hand if n == seat else None for n, hand in enumerate(event.hands))
        return replace(event, hands=hands)
    return Draw(event.seat, None) if isinstance(event, Draw) and event.seat != seat else event


class Messages:
    """Turns the events that a seat hears into messages.

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
        self._declares = self._after_kan = False
        self._on: dict[type, Callable[[Any], Message]] = {
            Deal: self._qipai,
            Draw: self._zimo,
            Discard: self._dapai,
            Call: self._called,
            Dora: lambda dora: {"kaigang": {"baopai": tile_text(dora.indicator)}},
            Win: self._hule,
            DrawnRound: self._pingju,
        }

    def begin(self) -> Message:
        """A game begins."""
        names = [f"seat {seat}" for seat in range(4)]
        told = {"id": self.seat, "rule": RULES, "title": "", "player": names, "qijia": 0}
        return {"kaiju": told}

    def end(self, scores: Sequence[int]) -> Message:
        """The game is over."""
        return {"jieju": {"defen": list(scores)}}

    def of(self, event: Event) -> Message | None:
        """The message that tells an event; None where majiang has none.

        A riichi is told by its discard, and that it was accepted by what follows.
        """
        if isinstance(event, Riichi):
            self._riichi[event.seat] = self._declares = True
        tell = self._on.get(type(event))
        return None if tell is None else tell(event)

    def _wind(self, seat: int) -> int:
        return (seat - self._dealer) % 4

    def _by_wind(self, of: Sequence[_T]) -> list[_T]:
        return [of[(self._dealer + wind) % 4] for wind in range(4)]

    def _hand(self, seat: int, tiles: Sequence[int], last: int | None = None) -> str:
        melds = [meld_text(meld, seat) for meld in self._melds[seat]]
        return hand_text(tiles, melds, last=last, riichi=self._riichi[seat])

    def _qipai(self, deal: Deal) -> Message:
        self._dealer, self._melds = deal.dealer, [[], [], [], []]
        self._riichi, self._declares, self._after_kan = [False] * 4, False, False
        return {
            "qipai": {
                "zhuangfeng": deal.round // 4,
                "jushu": deal.round % 4,
                "changbang": deal.honba,
                "lizhibang": deal.riichi_sticks,
                "defen": self._by_wind(deal.scores),
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
        text = tile_text(discard.tile) + "_" * discard.tsumogiri + "*" * self._declares
        self._declares = False
        return {"dapai": {"l": self._wind(discard.seat), "p": text}}

    def _called(self, call: Call) -> Message:
        melds, kind = self._melds[call.seat], call.meld.kind
        if kind is MeldKind.KAKAN:
            of = call.meld.tiles[0] >> 2
            melds[:] = [call.meld if meld.tiles[0] >> 2 == of else meld for meld in melds]
        else:
            melds.append(call.meld)
        self._after_kan = kind in _KANS
        told = {"l": self._wind(call.seat), "m": meld_text(call.meld, call.seat)}
        return {"gang" if kind in _OWN_KANS else "fulou": told}

    def _hule(self, win: Win) -> Message:
        ron, yakuman = win.source != win.seat, len(win.yakuman)
        han = sum(han for _, han in win.yaku)
        return {
            "hule": {
                "l": self._wind(win.seat),
                "shoupai": self._hand(win.seat, win.hand, win.tile),
                "baojia": self._wind(win.source) if ron else None,
                "fubaopai": [tile_text(tile) for tile in win.ura_indicators] or None,
                **({"damanguan": yakuman} if yakuman else {"fu": win.fu, "fanshu": han}),
                "defen": win.points,
                "fenpei": self._by_wind(win.deltas or (0, 0, 0, 0)),
            }
        }

    def _pingju(self, draw: DrawnRound) -> Message:
        shown = ["" if h is None else self._hand(n, h) for n, h in enumerate(draw.hands)]
        return {
            "pingju": {
                "name": _DRAWS[draw.reason],
                "shoupai": self._by_wind(shown),
                "fenpei": self._by_wind(draw.deltas or (0, 0, 0, 0)),
            }
        }
