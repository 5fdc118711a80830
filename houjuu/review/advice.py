"""The advice of a player: the outcomes of all actions if it values them, else a discard.

Needs the extra "arena".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from houjuu.game.actions import DISCARDS, Action, ActionKind
from houjuu.game.decisions import Decision, LegalActions
from houjuu.game.view import View
from houjuu.hands.claims import legal_discards
from houjuu.player.protocol import Player
from houjuu.player.value_player import ValuePlayer
from houjuu.player.values.outcome import Outcome
from houjuu.scoring.legality import legal_actions

if TYPE_CHECKING:  # a browser starts no program
    from houjuu.player.foreign import EngineAnswer


class Advice:
    """The advice of a player for the decisions of a seat.

    Parameters
    ----------
    player : Player

    Attributes
    ----------
    legal : callable or None
        The legal actions, as `houjuu.game.decisions.Follower` takes them; None if the player values
        no actions.
    beside : dict of str to dict
        By the name of another player its answers, by the event of the decision.
    """

    def __init__(self, player: Player) -> None:
        self.beside: Mapping[str, Mapping[int, EngineAnswer]] = {}
        self._player = player
        self._is_valuing = isinstance(player, ValuePlayer)
        self.legal: LegalActions | None = legal_actions if self._is_valuing else None

    def outcomes(self, decision: Decision) -> list[Outcome]:
        """The outcomes of the legal actions, the best first; none if there is only one action."""
        if not isinstance(self._player, ValuePlayer) or len(decision.legal) < 2:
            return []
        outcomes = self._player.outcomes(decision.view, decision.legal)
        return sorted(outcomes, key=lambda outcome: -round(outcome.value, 6))  # on every processor

    def tile(self, view: View, outcomes: list[Outcome]) -> int:
        """The best tile to discard, with or without riichi.

        Parameters
        ----------
        view : View
        outcomes : list of Outcome
            `outcomes` of the decision.
        """
        discards = (one.discard for one in outcomes if one.action.kind in DISCARDS)
        best = next((tile for tile in discards if tile is not None), None)
        if best is not None:
            return best
        legal = legal_discards(view)
        if self._is_valuing:
            return legal[-1]
        actions = [Action(ActionKind.DISCARD, tile) for tile in legal]
        return self._player.act(view, actions).from_hand[0]
