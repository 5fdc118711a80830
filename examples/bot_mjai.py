"""A small bot: it builds its hand, and folds if an opponent is likely tenpai.

    python -m examples.bot_mjai        # mjai: a message a line in, an answer a line out

To write your own bot, copy this file and change `MyPlayer`. `houjuu bot` is the complete bot: it
plays better and calls.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import houjuu
from houjuu.game import Action, ActionKind, View, discards
from houjuu.hands import shanten_of_tiles

FOLD_THRESHOLD = 0.3  # P(tenpai) of any opponent from which the bot folds
FIRST = (ActionKind.TSUMO, ActionKind.RON, ActionKind.RIICHI, ActionKind.PASS)


class MyPlayer:
    """Wins, declares riichi or passes if possible; else it makes the discard of lowest cost."""

    def __init__(self) -> None:
        self.estimator, self.cache = houjuu.load(), houjuu.HandCache()

    def act(self, view: View, actions: Sequence[Action]) -> Action:
        """Pick one of the legal actions."""
        for kind in FIRST:
            for action in actions:
                if action.kind is kind:
                    return action
        risk = self.estimator.deal_in(view, self.cache)
        fold = risk.tenpai.max() >= FOLD_THRESHOLD

        def cost(tile: int) -> tuple[float, ...]:
            points = risk.points_of(tile)
            rest = tuple(other for other in view.hand if other != tile)
            return (points,) if fold else (shanten_of_tiles(rest), points)

        by_tile = discards(actions)
        return by_tile[min(by_tile, key=cost)]


def main() -> None:
    """Answer until the input ends."""
    bot = houjuu.Bot(player=MyPlayer())  # its seat is the id of start_game
    for line in filter(str.strip, sys.stdin):
        print(bot.react(line), flush=True)


if __name__ == "__main__":
    main()
