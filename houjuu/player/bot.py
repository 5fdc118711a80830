"""A player behind mjai: messages in, answers out.

`houjuu.live.Live` follows the game; `houjuu.scoring.legality` lists the actions at its table.
The bot always answers. At its own draw it discards the drawn tile where it knows no better: after a
lost message, after a failure of the player, of riichienv or of the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy

from houjuu.estimators.last_answer import LastAnswer
from houjuu.estimators.loading import load_once
from houjuu.estimators.protocol import Estimator
from houjuu.game.actions import Action, ActionKind
from houjuu.game.events import Dora, Event, Riichi, RiichiAccepted
from houjuu.game.rules import Rules
from houjuu.game.table import View
from houjuu.game.tiles import parse_mjai
from houjuu.hands.claims import legal_discards
from houjuu.live.advisor import NONE, Advisor, attempt, is_own_draw
from houjuu.logs.mjai_messages import Message
from houjuu.player import players
from houjuu.player.names import parse
from houjuu.player.protocol import DEFAULT_PLAYER, Player
from houjuu.scoring.legality import default_action, legal_actions
from houjuu.util.errors import Error, shown
from houjuu.util.json_types import RoomName


class Bot(Advisor):
    """Plays one seat. It has the shape of the bots of mjai.app: ``Bot(seat).react(events)``.

    Parameters
    ----------
    seat : int or str, optional
        0–3, as a number or a digit; by default the ``id`` of ``start_game``.
    player : Player or str
        A player, or the name of one (`houjuu.player.players.player`).
    estimator : Estimator, optional
        The estimator of `meta`, and of a player that is named. By default that of the player, else
        `houjuu.load()`.
    card, unseen, deals, rules
        As in `Advisor`: what `meta` contains besides, and the rules if no message states them.

    Raises
    ------
    Error
        There is no such player or language, the player has no method ``act``, or its name contains
        a model and there is an estimator, too. Later: ``act`` returns text.
    """

    def __init__(
        self,
        seat: int | str | None = None,
        player: Player | str = DEFAULT_PLAYER,
        estimator: Estimator | None = None,
        card: str | None = None,
        *,
        unseen: bool = False,
        deals: int = 0,
        rules: Rules | None = None,
        room: RoomName | None = None,
    ) -> None:
        self._name = player if isinstance(player, str) else type(player).__name__
        if isinstance(player, str):
            if estimator is not None:
                _refuse_model(player)
                estimator = LastAnswer(estimator)
            player = players.player(player, estimator)
        if not callable(getattr(player, "act", None)):
            raise Error(f"{self._name!r} is no player: write a method act(view, actions) in it")
        estimator = estimator or players.estimator_of(player) or load_once()
        super().__init__(seat, estimator, card, unseen=unseen, deals=deals, rules=rules, room=room)
        self.player = player
        self._answered: Event | None = None  # the event that opened the last decision

    def __repr__(self) -> str:
        """The player, its model and the seat at its game."""
        return f"Bot(player {self._name!r}, model {self.live.estimator.model!r}, {self.live!r})"

    def riichi_discard(self) -> str:
        """The tile that the bot discards if it declares riichi now, by its name in mjai.

        For clients in which declaration and discard are one click: the answer of mjai is a bare
        ``reach``, and the tile the next one.

        Raises
        ------
        Error
            The seat cannot declare riichi now.
        """
        table = deepcopy(self.live.table)
        seat = self.live.view.seat
        if Action(ActionKind.RIICHI) not in legal_actions(table, seat):
            raise Error(f"seat {seat} cannot declare riichi now")
        table.apply(Riichi(seat))
        view = table.view(seat)
        action = self.player.act(view, legal_actions(table, seat))
        return str(action.to_mjai(view)["pai"])

    def _answer(self, turn: Message, seat: int) -> Message:
        live = self.live
        table = live.table
        if table.round_state.n_unknown[seat]:
            return NONE
        if live.decision is None:
            return self._with_meta(_tsumogiri(turn, seat)) if is_own_draw(turn, seat) else NONE
        opened_by = _opening(table.events)
        if opened_by is self._answered:
            return NONE
        self._answered = opened_by
        legal = attempt(lambda: legal_actions(table, seat), "the legal actions are unknown")
        if legal is None and live.decision == "discard":
            legal = [Action(ActionKind.DISCARD, legal_discards(live.view)[-1])]
        return self._with_meta(self._played(live.view, legal)) if legal else NONE

    def _played(self, view: View, legal: Sequence[Action]) -> Message:
        """The player's action; if the player fails, the safest legal one."""
        action = attempt(lambda: self._chosen(view, legal), "the player failed: pass or discard")
        if isinstance(action, str):
            returned = f"{self._name!r} answers the text {shown(action)}"
            raise Error(f"{returned}: return one of the actions that its method act gets")
        return (default_action(view, legal) if action is None else action).to_mjai(view)

    def _chosen(self, view: View, legal: Sequence[Action]) -> Action | str:
        action: Action | str = self.player.act(view, legal)
        if isinstance(action, str):
            return action
        if action not in legal:
            raise Error(f"the player answers {action}, which is illegal")
        return legal[legal.index(action)]  # of equal tiles, the one that may be discarded


def _refuse_model(player: str) -> None:
    if parse(player).model is not None:
        raise Error(f"player {player!r} names a model, and there is another estimator: omit one")


def _opening(events: Sequence[Event]) -> Event:
    """The event that opened the decision: an indicator and a paid riichi leave it open."""
    return next(
        event for event in reversed(events) if not isinstance(event, (Dora, RiichiAccepted))
    )


def _tsumogiri(draw: Message, seat: int) -> Message:
    """The discard of the tile that a message names; ``none`` if it names none."""
    try:
        parse_mjai(str(draw.get("pai")))
    except Error:
        return NONE
    return {"type": "dahai", "actor": seat, "pai": draw["pai"], "tsumogiri": True}
