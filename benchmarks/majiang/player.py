"""Majiang's player as one of the arena's: it hears what its seat hears, and is asked by node."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from riichienv import Action, ActionType

from benchmarks.majiang.messages import Message, Messages
from benchmarks.majiang.notation import meld_text, tile_text
from houjuu.errors import Error
from houjuu.events import Event, Meld, MeldKind
from houjuu.table import View

HERE = Path(__file__).parent
_NEEDED = HERE / "node_modules" / "@kobalab" / "majiang-ai"

Reply = dict[str, str] | None
_WINS = (ActionType.TSUMO, ActionType.RON)
_CLAIMS = {
    ActionType.CHI: MeldKind.CHI,
    ActionType.PON: MeldKind.PON,
    ActionType.DAIMINKAN: MeldKind.DAIMINKAN,
}


class Host:
    """The node process that majiang's players live in, one a seat.

    Attributes
    ----------
    waited : float, unit: seconds
        How long it has been waited for, all in all.

    Raises
    ------
    Error
        Node, or majiang, is not installed.
    """

    def __init__(self) -> None:
        node = shutil.which("node")
        if node is None or not _NEEDED.exists():
            what = "node" if node is None else "what benchmarks/majiang/install.sh installs"
            raise Error(f"majiang needs {what}")
        self.waited = 0.0
        self._process = subprocess.Popen(
            [node, str(HERE / "host.js")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )

    def tell(self, seat: int, messages: Sequence[Message]) -> list[Reply]:
        """Tell a seat's player something; gives its reply to each message.

        Raises
        ------
        Error
            It failed; what it says about that is on standard error.
        """
        start = time.perf_counter()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps([seat, messages]) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass
        line = self._process.stdout.readline()
        self.waited += time.perf_counter() - start
        if not line:
            raise Error(f"majiang ended when seat {seat} was told {messages[-1]}")
        replies: list[Reply] = json.loads(line)
        return replies


@cache
def _host(process: int) -> Host:
    return Host()


def host() -> Host:
    """The host of this process, started when it is first needed."""
    return _host(os.getpid())


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
        self._host = host()
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
        """Pick an action: the one that the reply to the last message means.

        A riichi is one reply and two actions: at the second there is nothing new to tell.
        """
        if self._unsaid:
            replies = self._tell(len(self._unsaid) - 1)
            self._reply = replies[-1]
        return self._chosen(view, actions)

    def _tell(self, unasked: int) -> list[Reply]:
        """Tell what is new; to the first of it no reply is wanted."""
        told, self._unsaid = self._unsaid, []
        replies = self._host.tell(self._messages.seat, told)
        for message, reply in zip(told[:unasked], replies, strict=False):
            if reply:
                self._differ("not asked", message, reply)
        return replies

    def _chosen(self, view: View, actions: Sequence[Action]) -> Action:
        reply = dict(self._reply or {})
        legal = {_meant(view, action): action for action in reversed(actions)}
        discard = reply.get("dapai", "")
        if discard.endswith("*"):
            reply["dapai"] = discard.removesuffix("*")
            if not view.seats[view.seat].declared:
                reply = {"lizhi": ""}
        meant = next(iter(reply.items()), None)
        if any(action.action_type in _WINS for action in actions) and meant != _WIN:
            self._differ("win not taken", [*map(_name, actions)], self._reply)
        if meant in legal:
            return legal[meant]
        self._differ("not legal", [*map(str, legal)], self._reply)
        drawn = (action for action in actions if action.tile == view.drawn)
        return legal.get(None) or next(drawn, actions[0])

    def _differ(self, what: str, of: Any, reply: Reply) -> None:
        told = {"seat": self._messages.seat, "what": what, "of": of, "reply": reply}
        self.mismatches.append(told)


_WIN = ("hule", "-")


def _name(action: Action) -> str:
    return str(action.action_type)


def _meant(view: View, action: Action) -> tuple[str, str] | None:
    """What majiang replies to mean an action, but for the discard of a riichi; None to pass."""
    kind, tile, seat = action.action_type, action.tile, view.seat
    if kind in _WINS:
        return _WIN
    if kind == ActionType.DISCARD:
        return "dapai", tile_text(tile) + "_" * (tile == view.drawn)
    if kind == ActionType.RIICHI:
        return "lizhi", ""
    if kind == ActionType.KYUSHU_KYUHAI:
        return "daopai", "-"
    if kind == ActionType.ANKAN:
        return "gang", meld_text(Meld(MeldKind.ANKAN, tuple(sorted(action.consume_tiles))), seat)
    if kind == ActionType.KAKAN:
        pon = next(m for m in view.seats[seat].melds if m.tiles[0] >> 2 == tile >> 2)
        return "gang", meld_text(pon, seat) + tile_text(tile)[1]
    if kind in _CLAIMS:
        tiles = tuple(sorted((*action.consume_tiles, tile)))
        return "fulou", meld_text(Meld(_CLAIMS[kind], tiles, tile, _last_to_discard(view)), seat)
    return None


def _last_to_discard(view: View) -> int:
    rivers = [seat for seat in view.seats if seat.river]
    return max(rivers, key=lambda seat: seat.river[-1].order).seat
