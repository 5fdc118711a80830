"""The data that a review page contains, and the games behind them."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast
from unittest.mock import patch

from houjuu.estimators.loading import load_once
from houjuu.game.actions import Action
from houjuu.game.events import Game, Win
from houjuu.game.view import View
from houjuu.review import prices
from houjuu.review.advice import Advice
from houjuu.review.page_types import (
    ActionName,
    ChoiceKind,
    Review,
    ReviewedChoice,
    ReviewedPosition,
    ValuedAction,
)
from houjuu.review.review_data import review
from houjuu.review.site.game_record import GameRecord, game_records, with_review
from houjuu.review.verdict import comparison, verdict, with_preference

Data = dict[str, Any]

SEAT, OTHER_SEAT = 1, 2
"""The seats of the page of the tests."""


class _FirstAction:
    """A player without values."""

    def act(self, view: View, actions: Sequence[Action]) -> Action:
        return actions[0]


ADVICE = Advice(_FirstAction())
"""Advises the first tile that may be discarded."""


def page_data(text: str) -> Data:
    """The data of a page, from its HTML."""
    script = re.search(r'<script id="game" type="text/plain">(.*?)</script>', text, re.DOTALL)
    assert script is not None
    data: Data = json.loads(zlib.decompress(base64.b64decode(script[1])))
    return {**data, "reviews": rows_of(data["reviews"])}


def rows_of(packed: Any) -> list[Any]:
    """The rows that `houjuu.review.packing.columns` packs, as `common.js` reads them."""
    match packed:
        case list():
            return packed
        case {"tuple": columns}:
            return [[*row] for row in zip(*map(rows_of, columns), strict=True)]
        case {"columns": columns, "keys": keys, "n": n}:
            of_key = {key: iter(rows_of(column)) for key, column in columns.items()}
            names = keys if len(keys) == n else keys * n
            return [{key: next(of_key[key]) for key in row.split()} for row in names]
    values = iter(rows_of(packed["values"]))
    match packed:
        case {"words": texts}:
            return [texts[value] for value in values]
        case {"scale": scale}:
            return [value / scale for value in values]
        case {"present": present}:
            return [next(values) if is_there else None for is_there in present]
        case {"lengths": lengths}:
            return [[next(values) for _ in range(n)] for n in lengths]
    return [{key: next(values) for key in row.split()} for row in packed["keys"]]


def points_dealt_in(game: Game, seat: int) -> Iterator[int]:
    """Yield the points that a seat lost by each ron."""
    for event in game:
        if isinstance(event, Win) and event.source == seat != event.seat and event.deltas:
            yield -event.deltas[seat]


def named(text: str) -> ActionName:
    """The action that `houjuu.review.export.action_text` writes in this way."""
    verb, _, tiles = text.partition(" ")
    return {"verb": verb, "tiles": [rank + tiles[-1] for rank in tiles[:-1]]}


def valued(text: str, parts: Mapping[str, int], preference: int = 0, **more: Any) -> ValuedAction:
    """An action made by hand; its value is the sum of its parts."""
    listed = [{"name": name, "value": value} for name, value in parts.items()]
    values = {"value": sum(parts.values()), "preference": preference, "parts": listed}
    return cast("ValuedAction", {**named(text), **values, **more})


def unshrunk() -> Any:
    """Prices are what they claim, and certain."""
    exact = dict.fromkeys(prices.slopes(), (1.0, 0.0, 0.0))
    return patch.object(prices, "slopes", lambda: exact)


def choice_of(
    chosen: ValuedAction,
    *others: ValuedAction,
    kind: ChoiceKind = "discard",
    round: int = 0,
    step: int = 0,
) -> ReviewedChoice:
    """The choice of the first action, among some others."""
    actions = sorted([chosen, *others], key=with_preference, reverse=True)
    index = actions.index(chosen)
    with unshrunk():
        judged = verdict(kind, actions, index, facing_riichi=False)
    return {
        **judged,
        "actions": actions,
        "chosen": index,
        "comparison": comparison(chosen, actions[0]) if index else [],
        "round": round,
        "step": step,
        "reasons": None,
        "why": None,
        "beside": [],
    }


def position_of(choice: ReviewedChoice, data: Review) -> ReviewedPosition:
    """The position of a choice."""
    return data["rounds"][choice["round"]]["decisions"][choice["step"]]


def action_parts(action: ValuedAction) -> dict[str, int]:
    """The parts of the value of an action, by name."""
    return {part["name"]: part["value"] for part in action["parts"]}


def reviewed_records(game: Game, n_seats: int = 4) -> list[GameRecord]:
    """The records of the first seats, with their reviews without a player."""
    estimator = load_once()
    return [
        with_review(record, review(game, record.seat, estimator))
        for record in game_records(game, range(n_seats))
    ]
