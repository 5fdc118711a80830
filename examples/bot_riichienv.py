"""Four copies of the bot of `examples.bot_mjai` play a hanchan on riichienv.

python -m examples.bot_riichienv
"""

from __future__ import annotations

from riichienv import GameRule, RiichiEnv

import houjuu
from examples.bot_mjai import MyPlayer


def play(seed: int) -> list[int]:
    """Play a hanchan and return the four final scores."""
    env = RiichiEnv(game_mode="4p-red-half", seed=seed, rule=GameRule.default_tenhou())
    bots, observations = [houjuu.Bot(seat, MyPlayer()) for seat in range(4)], env.reset()
    while not env.done():
        actions = {}
        for seat, observation in observations.items():
            answer = bots[seat].react(f"[{','.join(observation.new_events())}]")
            actions[seat] = observation.select_action_from_mjai(answer)
            assert actions[seat] is not None, answer
        observations = env.step(actions)
    return list(env.scores())


if __name__ == "__main__":
    print(*play(seed=1))
