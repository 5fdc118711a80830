"""Messages of mjai, shortly."""

from __future__ import annotations

from typing import Any

from houjuu.game.tiles import mjai_name, parse_tiles

Message = dict[str, Any]
NONE = {"type": "none"}
HIDDEN = ["?"] * 13
HAND = ["1m", "6m", "7m", "1p", "8p", "9p", "5sr", "5s", "7s", "9s", "E", "N", "P"]


def start(hand: str = " ".join(HAND), seat: int = 0, **changes: Any) -> Message:
    """The deal of East 1 as a seat gets it: its hand in the words of mjai, or in the notation."""
    words = hand.split() if " " in hand else [mjai_name(tile) for tile in parse_tiles(hand)]
    hands = [words if other == seat else HIDDEN for other in range(4)]
    deal = {"bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0, "dora_marker": "1s"}
    scores = [25000] * 4
    return {"type": "start_kyoku", **deal, "scores": scores, "tehais": hands, **changes}


def told(kind: str, actor: int, **more: Any) -> Message:
    """A message of a kind about a seat."""
    return {"type": kind, "actor": actor, **more}


def _word(tile: str) -> str:
    """The word of mjai; an honour may be in the notation."""
    return mjai_name(*parse_tiles(tile)) if tile.endswith("z") else tile


def draw(seat: int, tile: str = "?") -> Message:
    return told("tsumo", seat, pai=_word(tile))


def discard(seat: int, tile: str, *, tsumogiri: bool = True) -> Message:
    return told("dahai", seat, pai=_word(tile), tsumogiri=tsumogiri)


def turn(seat: int, tile: str, drawn: str = "?") -> list[Message]:
    """A draw and a discard of the drawn tile, which is hidden."""
    return [draw(seat, drawn), discard(seat, tile)]


def call(kind: str, seat: int, source: int, tile: str, consumed: str) -> Message:
    """A call of the last discard with some tiles of the hand."""
    return told(kind, seat, target=source, pai=tile, consumed=consumed.split())


def dora(indicator: str) -> Message:
    return {"type": "dora", "dora_marker": indicator}
