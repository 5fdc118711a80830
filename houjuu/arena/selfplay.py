"""Self-played games: `play(seed)` returns the same game for the same seed, always."""

from __future__ import annotations

from random import Random

from houjuu.arena import hanchan
from houjuu.arena.bots import SelfPlayBot, draw_style
from houjuu.game.events import Game


def play(seed: int) -> Game:
    """Play one hanchan with four bots.

    Parameters
    ----------
    seed : int
        Determines the walls, the styles of the bots and their actions.

    Returns
    -------
    Game
        Its events contain all four hands; its id is ``selfplay-<seed>``.
    """
    rng = Random(seed)
    walls = rng.getrandbits(63)
    bots = [SelfPlayBot(draw_style(rng), Random(rng.getrandbits(63))) for _ in range(4)]
    return hanchan.play(f"selfplay-{seed}", walls, bots, [f"bot {seat}" for seat in range(4)])
