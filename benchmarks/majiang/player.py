"""The player of majiang as a player of the arena: it receives the events of its seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.majiang import host
from benchmarks.majiang.host import Reply
from benchmarks.majiang.messages import Message, Messages
from benchmarks.majiang.notation import meld_text, tile_text
from houjuu.game.actions import OWN_KANS, WINS, Action, ActionKind
from houjuu.game.events import Event
from houjuu.game.table import View

Choice = tuple[str, str] | None
"""The key and value of a reply; None to pass."""

_WIN = ("hule", "-")
_RIICHI = ("lizhi", "")
_TENPAI = {"daopai": "-"}


class Majiang:
    """The player.

    Parameters
    ----------
    routine : str, default=""
        One of `benchmarks.majiang.host.routines`, or "" for the routine of npm.

    Attributes
    ----------
    mismatches : list of dict
        Disagreements with the referee about legal actions: an illegal reply, a reply when none was
        due, or a legal win that it did not take.
    """

    def __init__(self, routine: str = "") -> None:
        self.routine = routine
        self.mismatches: list[dict[str, Any]] = []
        self._host = host.host()
        self._messages = Messages(0)
        self._unsent: list[Message] = []
        self._reply: Reply = None

    def sit(self, seat: int) -> None:
        """Take a seat at the start of a game."""
        self._messages = Messages(seat)
        self._unsent = [self._messages.begin()]

    def receive(self, event: Event) -> None:
        """Receive an event as the seat sees it."""
        message = self._messages.convert(event)
        if message is not None:
            self._unsent.append(message)

    def leave(self, scores: Sequence[int]) -> None:
        """Send the final scores at the end of a game."""
        self._unsent.append(self._messages.end(scores))
        self._send(len(self._unsent))

    def act(self, view: View, actions: Sequence[Action]) -> Action:
        """Select the action of the reply to the last message.

        A riichi is one reply and two actions; before the second there is no new message. If majiang
        and the referee disagree, the player passes or discards the drawn tile.
        """
        if self._unsent:
            self._reply = self._send(len(self._unsent) - 1)[-1]
        choice = _choice(self._reply, declared=view.seats[view.seat].declared)
        legal = {_choice_of_action(view, action): action for action in reversed(actions)}
        if _WIN in legal and choice != _WIN:
            self._record_mismatch("win not taken", list(legal), self._reply)
        if choice in legal:
            return legal[choice]
        self._record_mismatch("not legal", list(legal), self._reply)
        drawn = (action for action in actions if action.tile == view.drawn)
        return legal.get(None) or next(drawn, actions[0])

    def _send(self, n_unasked: int) -> list[Reply]:
        """Send the new messages; the first `n_unasked` of them need no reply.

        Older routines declare tenpai after the last discard of a round. Tenhou's rules have no such
        choice, so the reply is dropped.
        """
        messages = self._unsent
        self._unsent = []
        replies = [
            None if "dapai" in message and reply == _TENPAI else reply
            for message, reply in zip(
                messages,
                self._host.send(self._messages.seat, messages, self.routine),
                strict=True,
            )
        ]
        for message, reply in zip(messages[:n_unasked], replies, strict=False):
            if reply:
                self._record_mismatch("not asked", message, reply)
        return replies

    def _record_mismatch(self, what: str, asked: Any, reply: Reply) -> None:
        self.mismatches.append(
            {"seat": self._messages.seat, "what": what, "asked": asked, "reply": reply}
        )


def _choice(reply: Reply, *, declared: bool) -> Choice:
    """The choice of a reply; a discard with riichi is a riichi until it is declared."""
    key, value = next(iter((reply or {}).items()), ("", ""))
    if key == "dapai" and value.endswith("*"):
        return (key, value.removesuffix("*")) if declared else _RIICHI
    return (key, value) if key else None


def _choice_of_action(view: View, action: Action) -> Choice:
    """The choice that selects an action."""
    if action.kind in WINS:
        return _WIN
    if action.meld is not None:
        return "gang" if action.kind in OWN_KANS else "fulou", meld_text(action.meld, view.seat)
    if action.tile is not None:
        return "dapai", tile_text(action.tile) + "_" * (action.tile == view.drawn)
    if action.kind is ActionKind.RIICHI:
        return _RIICHI
    return ("daopai", "-") if action.kind is ActionKind.NINE_TERMINALS else None
