"""Advice for a review: the discards of a player, and the values of the actions if it has them.

Needs the extra "arena".
"""

from __future__ import annotations

from houjuu.estimators.protocol import Estimator
from houjuu.game.actions import Action, ActionKind
from houjuu.game.events import Game
from houjuu.game.table import View
from houjuu.player import players
from houjuu.player.rules.calls import legal_discards
from houjuu.player.value_player import ValuePlayer
from houjuu.review.action_choices import ValuedChoices
from houjuu.review.choices import Values
from houjuu.review.review_data import Advice


def of_player(
    name: str, estimator: Estimator, game: Game, seat: int
) -> tuple[Advice, Values | None]:
    """The advice of a player, by its name, and the values of its choices.

    A player whose name has no model queries the estimator.

    Raises
    ------
    Error
        There is no such player.
    """
    player = players.player(name, estimator)
    if isinstance(player, ValuePlayer):
        valued = ValuedChoices(game, seat, player)
        return valued.advice, valued.values

    def advice(view: View) -> int:
        actions = [Action(ActionKind.DISCARD, tile) for tile in legal_discards(view)]
        return player.act(view, actions).from_hand[0]

    return advice, None
