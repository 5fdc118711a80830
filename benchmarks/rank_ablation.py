"""One "rank" without a part against three "estimator", on duplicate deals with rotated seats.

The parts are "improvement" (a hand near to tenpai wins as it is now), "wall" (an unseen tile
counts 1, wherever it may be), "preference" (the values decide alone) and "network" (the preference
has its terms alone). The models are fitted with the parts and are not fitted again without them. A
match with the whole player, on the same deals, is compared with.

    houjuu arena rank-estimator rank estimator estimator estimator --deals 250 --rotations 4
    python -m benchmarks.rank_ablation wall no-wall --beside rank-estimator --deals 75 --rotations 4
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from unittest.mock import patch

from houjuu import cli
from houjuu.estimators.last_answer import LastAnswer
from houjuu.estimators.loading import load_once
from houjuu.estimators.protocol import Estimator
from houjuu.game.actions import Action
from houjuu.game.view import View
from houjuu.player import view_states
from houjuu.player.players import ESTIMATOR_PLAYERS, value_player
from houjuu.player.value_player import Choice, ValuePlayer

OPPONENT = "estimator"


class WithoutImprovement(ValuePlayer):
    """It expects no draw to better a hand that stays as far from tenpai."""

    def choices(self, view: View, actions: Sequence[Action]) -> list[Choice]:
        """As `ValuePlayer.choices`."""
        with patch.object(view_states, "over_draws", _unchanged):
            return super().choices(view, actions)


def _unchanged(ways: float, points: float, *_: object, **__: object) -> tuple[float, float]:
    return ways, points


class _Counting(LastAnswer):
    """An estimator that counts unseen tiles, wherever they may be, as the paper's model does."""

    def __init__(self, estimator: Estimator) -> None:
        super().__init__(estimator)
        self._unseen = load_once("kurita-hoki-2017").unseen


def without(part: str, estimator: Estimator) -> ValuePlayer:
    """The player "rank" without a part.

    Raises
    ------
    KeyError
        There is no such part.
    """
    whole = value_player(estimator)
    preferences = whole.preferences
    assert preferences is not None
    parts = whole.rank_values, whole.model
    players: dict[str, Callable[[], ValuePlayer]] = {
        "improvement": lambda: WithoutImprovement(estimator, *parts, preferences),
        "wall": lambda: ValuePlayer(_Counting(estimator), *parts, preferences),
        "preference": lambda: ValuePlayer(estimator, *parts),
        "network": lambda: ValuePlayer(estimator, *parts, replace(preferences, network=None)),
    }
    return players[part]()


PARTS = ("improvement", "wall", "preference", "network")


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("part", choices=PARTS)
    options.add_argument("folder", help="folder of the game logs; options of houjuu arena follow")
    arguments, of_arena = options.parse_known_args()
    line_up = f"rank-without-{arguments.part}", *(OPPONENT,) * 3
    return cli.main(["arena", arguments.folder, *line_up, *of_arena])


for _part in PARTS:
    ESTIMATOR_PLAYERS[f"rank-without-{_part}"] = partial(without, _part)

if __name__ == "__main__":
    sys.exit(main())
