"""Majiang's player as one of the arena's: it hears what its seat hears, and is asked in node."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from riichienv import Action, ActionType

from benchmarks.majiang import host
from benchmarks.majiang.host import Reply
from benchmarks.majiang.messages import Message, Messages
from benchmarks.majiang.notation import meld_text, tile_text
from houjuu.events import Event, Meld, MeldKind
from houjuu.table import View

Meaning = tuple[str, str] | None
"""The one pair that a reply consists of; None to pass."""

_WIN, _RIICHI = ("hule", "-"), ("lizhi", "")
_WINS = (ActionType.TSUMO, ActionType.RON)
_CLAIMS = {
    ActionType.CHI: MeldKind.CHI,
    ActionType.PON: MeldKind.PON,
    ActionType.DAIMINKAN: MeldKind.DAIMINKAN,
}


class Majiang:
    """The player.

    Attributes
    ----------
    mismatches : list of dict
        Where it and the referee disagree about what may be done: a reply that is not legal, one
        that nobody asked for, a win that it was offered and did not take.
    """

    def __init__(self) -> None:
        self.mismatches: list[dict[str, Any]] = []
        self._host = host.host()
        self._messages = Messages(0)
        self._unsaid: list[Message] = []
        self._reply: Reply = None

    def sit(self, seat: int) -> None:
        """Take a seat; a game begins."""
        self._messages = Messages(seat)
        self._unsaid = [self._messages.begin()]

    def hear(self, event: Event) -> None:
        """Hear an event as the seat may."""
        message = self._messages.of(event)
        if message is not None:
            self._unsaid.append(message)

    def leave(self, scores: Sequence[int]) -> None:
        """The game is over."""
        self._unsaid.append(self._messages.end(scores))
        self._tell(len(self._unsaid))

    def act(self, view: View, actions: Sequence[Action]) -> Action:
        """Pick the action that the reply to the last message means.

        A riichi is one reply and two actions: at the second there is nothing new to tell. Where
        majiang and the referee disagree, it passes or discards what it drew.
        """
        if self._unsaid:
            self._reply = self._tell(len(self._unsaid) - 1)[-1]
        meaning = _meaning(self._reply, declared=view.seats[view.seat].declared)
        legal = {_meant(view, action): action for action in reversed(actions)}
        if _WIN in legal and meaning != _WIN:
            self._differ("win not taken", list(legal), self._reply)
        if meaning in legal:
            return legal[meaning]
        self._differ("not legal", list(legal), self._reply)
        drawn = (action for action in actions if action.tile == view.drawn)
        return legal.get(None) or next(drawn, actions[0])

    def _tell(self, unasked: int) -> list[Reply]:
        """Tell what is new; to so many of the messages no reply is wanted."""
        told, self._unsaid = self._unsaid, []
        replies = self._host.tell(self._messages.seat, told)
        for message, reply in zip(told[:unasked], replies, strict=False):
            if reply:
                self._differ("not asked", message, reply)
        return replies

    def _differ(self, what: str, of: Any, reply: Reply) -> None:
        told = {"seat": self._messages.seat, "what": what, "of": of, "reply": reply}
        self.mismatches.append(told)


def _meaning(reply: Reply, *, declared: bool) -> Meaning:
    """What a reply means: a riichi tile is a riichi first, and a discard once it is declared."""
    kind, what = next(iter((reply or {}).items()), ("", ""))
    if kind == "dapai" and what.endswith("*"):
        return (kind, what.removesuffix("*")) if declared else _RIICHI
    return (kind, what) if kind else None


def _meant(view: View, action: Action) -> Meaning:
    """What a reply must mean for an action to be taken."""
    kind, tile, seat = action.action_type, action.tile, view.seat
    if kind in _WINS:
        return _WIN
    if kind == ActionType.DISCARD:
        return "dapai", tile_text(tile) + "_" * (tile == view.drawn)
    if kind == ActionType.RIICHI:
        return _RIICHI
    if kind == ActionType.KYUSHU_KYUHAI:
        return "daopai", "-"
    if kind == ActionType.ANKAN:
        return "gang", meld_text(Meld(MeldKind.ANKAN, tuple(sorted(action.consume_tiles))), seat)
    if kind == ActionType.KAKAN:
        pon = next(meld for meld in view.seats[seat].melds if meld.tiles[0] >> 2 == tile >> 2)
        return "gang", meld_text(pon, seat) + tile_text(tile)[1]
    if kind in _CLAIMS:
        tiles = tuple(sorted((*action.consume_tiles, tile)))
        return "fulou", meld_text(Meld(_CLAIMS[kind], tiles, tile, _last_to_discard(view)), seat)
    return None


def _last_to_discard(view: View) -> int:
    rivers = (seat for seat in view.seats if seat.river)
    return max(rivers, key=lambda seat: seat.river[-1].order).seat
