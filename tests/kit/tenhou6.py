"""Short rounds of tenhou.net/6 for the tests of the parser."""

from __future__ import annotations

import json
from typing import Any

from houjuu import logs
from houjuu.game.events import Game
from houjuu.scoring.win_scoring import scored

HANDS = [
    [11, 12, 13, 14, 15, 16, 17, 18, 19, 21, 21, 22, 23],
    [24, 24, 25, 26, 27, 28, 29, 31, 31, 31, 45, 45, 47],
    [32, 33, 34, 35, 36, 37, 38, 39, 41, 41, 42, 42, 43],
    [43, 43, 44, 44, 46, 46, 47, 47, 12, 12, 13, 13, 14],
]
NO_CHANGE = [0, 0, 0, 0]
DRAWN = ["流局", NO_CHANGE]
Cells = list[Any]
Lists = tuple[Cells, Cells]  # draws and discards of a seat


def round_of(
    *lists: Lists,
    result: Cells = DRAWN,
    dora: Cells | None = None,
    ura: Cells | None = None,
    first: tuple[int, int, int] = (0, 0, 0),
    scores: Cells | None = None,
) -> Cells:
    entry: Cells = [list(first), scores or [25000] * 4, dora or [11], ura or []]
    for hand, (draws, discards) in zip(HANDS, lists, strict=True):
        entry += [hand, draws, discards]
    return [*entry, result]


def log_of(*rounds: Cells, **more: Any) -> dict[str, Any]:
    return {"name": list("ABCD"), "rule": {"disp": "鳳南喰赤", "aka": 1}, "log": rounds, **more}


def parse(*rounds: Cells, **more: Any) -> Game:
    return logs.parse(json.dumps(log_of(*rounds, **more)).encode(), "2018/a.json", judge=scored)


TSUMO = ["和了", [6000, -2000, -2000, -2000], [0, 0, 0, "30符4飜2000点∀", "平和(1飜)"]]
CALLED_TWICE = round_of(
    ([44, 47, 24], [60, 60]),
    ([], []),
    ([], []),
    (["4444p44", "4747p47"], [12, 12]),
    result=TSUMO,
)
KAKAN: list[Lists] = [([46, 36], [60, 60]), ([37], [60]), ([38], [60])]
