"""A seat at a running game: the messages of any mjai client in, risks out.

>>> import houjuu
>>> live = houjuu.Live(seat=0)
>>> live.hear('{"type":"start_game","names":[]}')
>>> live.in_step
True
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from houjuu.estimators.loading import load
from houjuu.estimators.protocol import Estimator
from houjuu.game import limits
from houjuu.game.actions import Action
from houjuu.game.events import Call, Deal, Discard, Dora, Draw, Event
from houjuu.game.rules import LAST_ROUND, Rules
from houjuu.game.table import Table, View
from houjuu.hands.claims import can_claim
from houjuu.hands.hand_cache import HandCache
from houjuu.logs import mjai, mjai_messages
from houjuu.logs.mjai_messages import Message, Messages
from houjuu.risk.deal_in import DealIn
from houjuu.risk.unseen import UnseenTiles
from houjuu.util.errors import Error, LogError, ThreePlayerError, shown
from houjuu.util.extras import import_extra
from houjuu.util.json_types import RoomName

_NO_SEAT = "the own seat is unknown: pass seat=, or send start_game with an id"
_UNTIL = "wait for the next start_kyoku"


class OutOfStepWarning(UserWarning):
    """The answer comes from a table that is not the table of the game any more."""


class Live:
    """A seat at a running game: the messages of any mjai client in, risks out.

    It follows the dialects of Mortal, Akagi, mjai-manue, akochan, mjai.app and riichienv. After a
    gap (a lost message, a start in the middle of a round) it is out of step until the next
    ``start_kyoku``.

    Parameters
    ----------
    seat : int or str, optional
        0–3, as a number or a digit. Without it, the seat is the ``id`` of ``start_game``.
    estimator : Estimator, optional
        By default `houjuu.load()`, loaded with the first query.
    rules : Rules, optional
        Those of games whose ``start_game`` states none, as `Rules.from_site` returns them. Without,
        a hanchan of Tenhou is assumed, until a round of it shows that it is one.
    room : str, optional
        The room of the players, of `houjuu.game.rules.ROOMS`. By default the ``room`` of
        ``start_game``, or that of its flags.

    Attributes
    ----------
    seat : int or None
        The own seat, 0–3; None while it is unknown.
    table : Table
        The table of the current round. Every round has a new one.

    Raises
    ------
    Error
        The seat is not 0–3, there is no such room, or the rules are no `houjuu.game.Rules`.

    Examples
    --------
    >>> live = Live(seat=0)
    >>> deal = {"type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0}
    >>> hands = [["E"] * 3 + ["1m"] * 3 + ["9p"] * 3 + ["2s", "3s", "4s", "N"], *[["?"] * 13] * 3]
    >>> live.hear({**deal, "oya": 0, "dora_marker": "3p", "tehais": hands})
    >>> live.hear({"type": "tsumo", "actor": 0, "pai": "C"})
    >>> live.decision
    'discard'
    >>> live.view.tiles_left
    69
    """

    def __init__(
        self,
        seat: int | str | None = None,
        estimator: Estimator | None = None,
        *,
        rules: Rules | None = None,
        room: RoomName | None = None,
    ) -> None:
        if not isinstance(rules, Rules | None):
            raise Error(f"the rules are {shown(rules)}: pass houjuu.game.Rules()")
        self.seat = None if seat is None else limits.seat(seat)
        self.table = Table()
        self._fixed_seat = self.seat
        self._estimator = estimator
        self._cache = HandCache()
        self._reader = mjai.Reader(rules=rules, room=room)
        self._lost: str | None = None  # why messages are ignored until the next start_kyoku
        self._doubt: str | None = None  # what may be wrong at the table, which is still followed
        self._is_refused = False  # the game has three players
        self._is_asked = False  # for risks; a table that is followed alone needs no hands
        self._new_hands = False  # since the cache was prepared

    def __repr__(self) -> str:
        """The seat, whether it is in step, and the table."""
        seat = "unknown" if self.seat is None else self.seat
        step = "in step" if self.in_step else f"out of step: {self.problem}"
        return f"Live(seat {seat}, {step}, {self.table!r})"

    @property
    def in_step(self) -> bool:
        """Whether the table is the table of the game; False after a gap."""
        return self.problem is None

    @property
    def problem(self) -> str | None:
        """Why the table is out of step, in one sentence; None while it is in step."""
        if self._lost or self._doubt:
            return self._lost or self._doubt
        return _NO_SEAT if self.seat is None and self.table.round_state.is_played else None

    @property
    def is_refused(self) -> bool:
        """Whether the game has three players, so that its messages are ignored."""
        return self._is_refused

    @property
    def estimator(self) -> Estimator:
        """The estimator; the default one is loaded at first use."""
        if self._estimator is None:
            self._estimator = load()
        return self._estimator

    @property
    def view(self) -> View:
        """The current view of the own seat.

        Raises
        ------
        Error
            The seat is unknown, or no round has been dealt.
        """
        if self.seat is None:
            raise Error(_NO_SEAT)
        return self.table.view(self.seat)

    @property
    def decision(self) -> Literal["discard", "claim"] | None:
        """The decision of the own seat now, by the tiles of its hand.

        Returns
        -------
        str or None
            "discard" after its own draw, chi or pon; "claim" if the last discard or kan tile can be
            called or won on (whether the win has a yaku is not checked); otherwise None, and
            always None after a lost message.
        """
        if self.seat is None or self._lost:
            return None
        state = self.table.round_state
        if state.actor == self.seat:
            return "discard"
        last = state.claimable
        if last is None:
            return None
        return "claim" if can_claim(self.view, last.tile, last.seat) else None

    def legal_actions(self) -> list[Action]:
        """The legal actions of the own seat now (`houjuu.scoring.legality`).

        Needs the extra "arena": riichienv finds the yaku of a win.

        Returns
        -------
        list of Action
            Empty where the seat has nothing to decide, and out of step. `Action.to_mjai(live.view)`
            is the answer for a server.

        Raises
        ------
        Error
            The seat is unknown while a round is played, or the extra is not installed.
        """
        if self._lost or not self.table.round_state.is_played:
            return []
        legal: list[Action] = import_extra("arena", "scoring.legality").legal_actions(
            self.table, self.view.seat
        )
        return legal

    def hear(self, message: Messages) -> None:
        """Follow one message or several, in order.

        Parameters
        ----------
        message : str, bytes, mapping or sequence
            A decoded message; text with one message, several lines or a JSON array; or a list of
            these. Unknown message types and blank lines are ignored.

        Raises
        ------
        LogError
            A message cannot be read or is impossible. The table is unchanged by it, and out of
            step; the other messages are followed. A three-player game is refused once.
        """
        first: Error | None = None
        for part in mjai_messages.decoded(message):
            try:
                self._hear(part)
            except Error as problem:
                first = first or problem
        self._prepare()
        if first is not None:
            raise first

    def _prepare(self) -> None:
        """Build new hands now, and not when a decision is due; nothing before the first query."""
        if self._new_hands and self._is_asked and self.in_step:
            self._cache.prepare(self.view)
            self._new_hands = False

    def risk(self) -> DealIn:
        """The risk of every discard in the current view.

        Out of step it warns (`OutOfStepWarning`) and answers for the last consistent view.

        Raises
        ------
        Error
            The seat is unknown, or there is no view.
        """
        view = self._last_view()
        self._is_asked = True
        return self.estimator.deal_in(view, self._cache)

    def unseen(self) -> UnseenTiles:
        """Where the tiles are that the current view does not see.

        Out of step it warns and answers as `risk` does.

        Raises
        ------
        Error
            The seat is unknown, or there is no view.
        """
        return self.estimator.unseen(self._last_view())

    def _last_view(self) -> View:
        """The view of a query, with a warning out of step."""
        view = self.view
        if self.problem is not None:
            warnings.warn(f"out of step: {self.problem}", OutOfStepWarning, stacklevel=3)
        return view

    def _hear(self, message: Message | LogError | None) -> None:
        kind = message["type"] if isinstance(message, Mapping) else None
        begins = kind in ("start_game", "start_kyoku")
        if begins:
            self._reader.forget_round()
        try:
            if self._lost and not begins:
                self._reader.skip(message)
                return
            events = self._reader.read(message)
            if kind == "start_game" and isinstance(message, Mapping):
                self._start_game(message)
        except ThreePlayerError as problem:
            self._lose(problem.reason)
            if not self._is_refused:
                self._is_refused = True
                raise
        except LogError as problem:
            self._lose(f"{problem.reason}; {_UNTIL}")
            raise
        else:
            for event in events:
                self._apply(event)

    def _start_game(self, message: Message) -> None:
        self.table = Table(self._reader.rules)
        self._lost = self._doubt = None
        self._is_refused = self._new_hands = False
        if message.get("id") is not None:
            self.seat = self._fixed_seat  # also if the id is invalid
            own_seat = mjai_messages.own_seat(message)
            self.seat = own_seat if self._fixed_seat is None else self._fixed_seat

    def _lose(self, reason: str) -> None:
        self._lost = reason
        self._reader.scores = None

    def _apply(self, event: Event) -> None:
        if isinstance(event, Deal):
            rules = self._reader.rules
            best = max(event.scores or (0,))
            if event.round > LAST_ROUND[False] and best >= rules.profile.target:
                self._reader.rules = replace(rules, stated=True)  # no East-only game goes on
            self.table = Table(self._reader.rules)
            self._is_refused = False
            self._lost = None
            self._doubt = None
            if event.scores is None:
                self._doubt = f"no message shows the scores; {_UNTIL} with scores"
        elif isinstance(event, (Draw, Call)) and self._lacks_indicator():
            self._doubt = f"no dora indicator followed a kan; {_UNTIL}"
        self.table.apply(event)
        self._new_hands |= isinstance(event, (Call, Dora)) or not self.table.round_state.tiles_left

    def _lacks_indicator(self) -> bool:
        """Whether the last event is a discard, and a kan before it has no dora indicator yet."""
        last = next(e for e in reversed(self.table.events) if isinstance(e, (Call, Discard, Deal)))
        return isinstance(last, Discard) and self.table.round_state.missing_indicators > 0
