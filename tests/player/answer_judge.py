"""A judge of answers: a riichienv that hears the messages which a table accepts, as they are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from riichienv import ActionType, GameRule, RiichiEnv

from houjuu.game.events import Call, Event
from houjuu.game.tiles import MJAI_NAMES, mjai_name
from houjuu.live.live import Live
from houjuu.logs.mjai_messages import decoded
from houjuu.util.errors import Error, ThreePlayerError

_NAMES = {*MJAI_NAMES, "5mr", "5pr", "5sr"}
_NO_TURN = ("dora", "reach_accepted")
_TURNS = (
    *("start_game", "start_kyoku", "tsumo", "dahai", "chi", "pon", "daiminkan", "ankan", "kakan"),
    *("reach", "hora", "ryukyoku", "end_kyoku", "end_game"),
)


class Judge:
    """Judges the answers for one seat.

    Parameters
    ----------
    seat : int or None
        The seat that the bot received.
    """

    def __init__(self, seat: int | None) -> None:
        self._live = Live(seat)
        self._env: RiichiEnv | None = None
        self._observation: Any = None
        self._deal: Event | None = None
        self._refused = False
        self._turn: Mapping[str, Any] | None = None
        self._drawn: str | None = None  # the tile that the seat has drawn and not discarded

    @property
    def seat(self) -> int | None:
        """The own seat, as far as the messages contain it."""
        return self._live.seat

    def hear(self, line: str | bytes) -> None:
        """Hear the messages of a line."""
        self._turn = None
        for part in decoded(line):
            if isinstance(part, Mapping):
                self._hear(part)
            elif part is not None:
                self._accepts("{")

    def _accepts(self, message: Any) -> bool:
        """Whether the table accepts a message, and changes."""
        table = self._live.table
        n_events = len(self._live.table.events)
        try:
            self._live.hear(message)
        except Error as error:
            self._refused |= isinstance(error, ThreePlayerError)
            return False
        return self._live.table is not table or len(table.events) > n_events

    def _hear(self, message: Mapping[str, Any]) -> None:
        kind = message["type"]
        accepted = self._accepts(message)
        if kind in _TURNS:
            self._turn = message
        events = self._live.table.events
        if not accepted or self.seat is None or not events:
            return
        if events[0] is not self._deal:
            self._env = _new_env(self.seat)
            self._deal = events[0]
            self._refused = False
        if kind not in ("reach", "dora"):
            own_draw = kind == "tsumo" and message["actor"] == self.seat
            self._drawn = message["pai"] if own_draw else None
        if self._env is None:
            return
        try:
            observed = self._env.observe_event(dict(message), self.seat)
        except BaseException as failure:  # a panic is no Exception
            if isinstance(failure, KeyboardInterrupt):
                raise
            self._env = self._observation = None
            return
        if observed is not None or kind not in _NO_TURN:
            self._observation = observed

    def kind(self, answer: Any) -> str:
        """The type of an answer, and whether it was judged."""
        kind = str(answer.get("type")) if isinstance(answer, dict) else "no message"
        if self._live.problem is not None:
            return f"{kind} (out of step)"
        return f"{kind} (unjudged)" if self._is_helpless and kind != "none" else kind

    @property
    def _is_helpless(self) -> bool:
        """Whether riichienv failed, or lists nothing though the seat may act."""
        live = self._live
        robs = live.decision == "claim" and isinstance(live.table.events[-1], Call)
        must = live.decision == "discard" or robs  # riichienv does not list the win on a kan
        return self._env is None or (self._observation is None and must)

    def problem(self, answer: Any) -> str:
        """The fault of an answer; empty if it is legal."""
        if not isinstance(answer, dict) or answer.get("type") in (None, "error"):
            return "is no answer of mjai"
        turn = self._turn or {"type": None}
        live = self._live
        none = answer["type"] == "none"
        own_draw = turn["type"] == "tsumo" and turn.get("actor") == self.seat is not None
        if not none and answer.get("actor") != self.seat:
            return "is for another seat"
        if none:
            must = live.decision == "discard" or (own_draw and str(turn.get("pai")) in _NAMES)
            silent = self._turn is None or self._refused or self._hidden()
            return "" if silent or not must else "does not act"
        if self._turn is None or self._refused or self._hidden():
            return "acts without a turn"
        if "meta" not in answer:
            return "has no meta"
        if live.decision is None and not live.in_step:
            tsumogiri = answer["type"] == "dahai" and answer["tsumogiri"] is True
            return "" if own_draw and tsumogiri and answer["pai"] == turn["pai"] else "is a guess"
        return self._illegal(answer)

    def _hidden(self) -> bool:
        return bool(self.seat is not None and self._live.table.round_state.n_unknown[self.seat])

    def _illegal(self, answer: dict[str, Any]) -> str:
        """Why an action in step is illegal; without riichienv only the hand is checked."""
        if answer["type"] == "dahai":
            hand = [mjai_name(tile) for tile in self._live.view.hand]
            if self._drawn is not None:
                hand.remove(self._drawn)
            own = self._live.view.seats[self._live.view.seat]
            if answer["tsumogiri"]:
                if answer["pai"] != self._drawn:
                    return "discards a tile that it did not draw"
            elif answer["pai"] not in hand or own.in_riichi:
                return "discards a tile that it cannot"
        if self._is_helpless:
            return ""
        if self._observation is None:
            return "acts out of turn"
        legal = self._observation.legal_actions()
        return "" if any(_is(action, answer, self.seat) for action in legal) else "is illegal"


def _new_env(seat: int) -> RiichiEnv:
    env = RiichiEnv(game_mode="4p-red-half", rule=GameRule.default_tenhou())
    env.observe_event({"type": "start_game"}, seat)
    return env


def _is(action: Any, answer: dict[str, Any], seat: int | None) -> bool:
    """Whether a legal action is the answer."""
    message = json.loads(action.to_mjai())
    if message["type"] != answer["type"]:
        return False
    if action.action_type in (ActionType.TSUMO, ActionType.RON):
        return bool((answer["target"] == seat) == (action.action_type == ActionType.TSUMO))
    if action.action_type == ActionType.ANKAN:
        message.pop("pai")
    return all(_sorted(answer.get(key)) == _sorted(message[key]) for key in message)


def _sorted(value: Any) -> Any:
    return sorted(value) if isinstance(value, list) else value
