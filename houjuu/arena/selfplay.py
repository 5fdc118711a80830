"""Games of the project's own: `play(seed)` gives the same game for the same seed, always."""

from __future__ import annotations

from random import Random

from houjuu.arena import hanchan
from houjuu.arena.bots import Bot, draw_temper
from houjuu.events import Game


def play(seed: int) -> Game:
    """Play one hanchan with four bots.

    Parameters
    ----------
    seed : int
        Decides everything: the walls, how the bots are minded, what they do.

    Returns
    -------
    Game
        All four hands are in its events; its id is ``selfplay-<seed>``.
    """
    rng = Random(seed)
    walls = rng.getrandbits(63)
    bots = [Bot(draw_temper(rng), Random(rng.getrandbits(63))) for _ in range(4)]
    return hanchan.play(f"selfplay-{seed}", walls, bots, [f"bot {seat}" for seat in range(4)])
