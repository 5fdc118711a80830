"""Legal actions by riichienv, which follows the table of a seat event by event.

riichienv hears the events that the `Table` accepted, not the messages of a client: dialects and
unknown keys do not reach it. Its actions are translated to the tile ids of the table.
"""

from __future__ import annotations

from typing import Any

from riichienv import GameRule, RiichiEnv

from houjuu.game.actions import Action, ActionKind
from houjuu.game.events import (
    KANS,
    Call,
    Dora,
    DrawnRound,
    Event,
    RiichiAccepted,
    RoundEnd,
    Win,
)
from houjuu.game.table import Table
from houjuu.hands.claims import can_claim
from houjuu.logs.mjai_writer import event_message
from houjuu.player.advisor import attempt
from houjuu.scoring.riichienv_adapter import from_engine_names


class Referee:
    """Lists the legal actions of a seat; it follows one round after the other."""

    def __init__(self) -> None:
        self._env: RiichiEnv | None = None
        self._deal: Event | None = None
        self._n_heard = 0
        self._legal: list[Any] = []  # riichienv's
        self._robbing: list[Action] = []

    def follow(self, table: Table, seat: int) -> None:
        """Hear the new events of the table.

        After a failure of riichienv, which is logged, it lists nothing until the next deal.
        """
        events = table.events
        if events and events[0] is not self._deal:
            self._env = RiichiEnv(game_mode="4p-red-half", rule=GameRule.default_tenhou())
            self._env.observe_event({"type": "start_game"}, seat)
            self._deal = events[0]
            self._n_heard = 0
        for event in events[self._n_heard :]:
            self._hear(event, seat, table.rules.red_fives)
        self._n_heard = len(events)
        self._robbing = _robbing(table, seat, events[-1]) if events else []

    def _hear(self, event: Event, seat: int, red_fives: bool) -> None:
        env = self._env
        message = event_message(event, red_fives=red_fives)
        if isinstance(event, (Win, DrawnRound, RoundEnd)):
            self._env = None
            self._legal = []
            return
        if env is None or message is None:
            return
        observed = attempt(lambda: [env.observe_event(message, seat)], "riichienv failed")
        if observed is None:
            self._env = None
            self._legal = []
        elif observed[0] is not None:
            own_kan = isinstance(event, Call) and event.seat == seat and event.meld.kind in KANS
            self._legal = [] if own_kan else list(observed[0].legal_actions())
        elif not isinstance(event, (Dora, RiichiAccepted)):  # these do not end a decision
            self._legal = []

    def legal_actions(self, table: Table, seat: int) -> list[Action]:
        """The legal actions of the open decision, with tile ids of the table; each list once.

        None of a hidden hand, and none, which is logged, where riichienv lists the impossible.
        """
        legal = self._legal
        self._legal = []
        robbing = self._robbing
        self._robbing = []
        if not legal or table.round_state.n_unknown[seat]:
            return robbing
        view = table.view(seat)
        last = table.round_state.last_discard
        actions = attempt(
            lambda: [from_engine_names(view, last, action) for action in legal], "riichienv failed"
        )
        return actions or []


def _robbing(table: Table, seat: int, event: Event) -> list[Action]:
    """The win on the tile of a kan, which riichienv does not list: chankan is a yaku itself."""
    last = table.round_state.last_discard
    if last is None or not isinstance(event, Call):
        return []
    if not can_claim(table.view(seat), last.tile, event.seat, event.meld.kind):
        return []
    return [Action(ActionKind.RON, last.tile), Action(ActionKind.PASS)]
