"""The data that a review page contains, and the games behind them."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterator
from typing import Any

from houjuu.game.events import Game, Win
from houjuu.review.page_types import ValuedAction

Data = dict[str, Any]

SEAT, OTHER_SEAT = 1, 2
"""The seats of the page of the tests."""


def page_data(text: str) -> Data:
    """The data of a page, from its HTML."""
    script = re.search(r'<script id="game" type="text/plain">(.*?)</script>', text, re.DOTALL)
    assert script is not None
    data: Data = json.loads(zlib.decompress(base64.b64decode(script[1])))
    return data


def points_dealt_in(game: Game, seat: int) -> Iterator[int]:
    """Yield the points that a seat lost by each ron."""
    for event in game:
        if isinstance(event, Win) and event.source == seat != event.seat and event.deltas:
            yield -event.deltas[seat]


def action_parts(action: ValuedAction) -> dict[str, int]:
    """The parts of the value of an action, by name."""
    return {part["name"]: part["value"] for part in action["parts"]}
