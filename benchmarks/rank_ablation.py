"""Matches of "rank" without one of its parts, each in seat 0 of the same deals.

"no-game" plays for points alone, without the model of final ranks; "no-plan" does not see which
safe tiles a hand keeps for later; "no-calls" passes every chi, pon and open kan; "no-preferences"
takes the best action of the models, and "no-network" that of the terms without the network. The
tables are those of `benchmarks.sweep`.

    python -m benchmarks.rank_ablation FOLDER --deals 200
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial

import numpy as np
from riichienv import Action, ActionType

from benchmarks import output, sweep
from houjuu.game.view import View
from houjuu.player.players import PLAYERS, value_player
from houjuu.player.protocol import Player
from houjuu.player.round_end.round_ends import RoundEndModel
from houjuu.player.states import States
from houjuu.player.value_player import ValuePlayer
from houjuu.scoring.riichienv_adapter import CALLS
from houjuu.util.arrays import Floats


class _NoPlan(RoundEndModel):
    """The model, but all hands of a query keep as many safe tiles as the first."""

    def predict_endings(self, states: States) -> Floats:
        """As the model."""
        hands = states.hands
        genbutsu, suji = (
            np.broadcast_to(tiles[:1], tiles.shape) for tiles in (hands.genbutsu, hands.suji)
        )
        same = hands._replace(genbutsu=genbutsu, suji=suji)
        return super().predict_endings(replace(states, hands=same))


class _NoCalls:
    """The player, which passes instead of a chi, pon or open kan."""

    def __init__(self) -> None:
        self._player = value_player()

    def act(self, view: View, actions: Sequence[Action]) -> Action:
        """Pick an action."""
        passes = any(action.action_type == ActionType.PASS for action in actions)
        left = [one for one in actions if not passes or one.action_type not in CALLS]
        return self._player.act(view, left)


def _no_plan() -> ValuePlayer:
    player = value_player()
    arrays = {field.name: getattr(player.model, field.name) for field in fields(player.model)}
    player.model = _NoPlan(**arrays)
    return player


def _no_preferences() -> ValuePlayer:
    player = value_player()
    player.preferences = None
    return player


def _no_network() -> ValuePlayer:
    player = value_player()
    if player.preferences is not None:
        player.preferences = replace(player.preferences, network=None)
    return player


VARIANTS: Mapping[str, Callable[[], Player]] = {
    "no-game": partial(value_player, first=0, second=0, third=0, last=0, per_point=1),
    "no-plan": _no_plan,
    "no-calls": _NoCalls,
    "no-preferences": _no_preferences,
    "no-network": _no_network,
}


def main() -> None:
    """Run the command."""
    options = output.parser(__doc__)
    sweep.add_arguments(options, deals=200, seed=3)
    options.add_argument("--others", default="estimator", help="player of the other three seats")
    arguments = options.parse_args()
    PLAYERS.update(VARIANTS)
    records = sweep.play(["rank", *VARIANTS], arguments, others=arguments.others)
    print("\n\n".join(table.markdown() for table in sweep.tables(records)))


if __name__ == "__main__":
    main()
