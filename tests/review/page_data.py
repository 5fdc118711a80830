"""The data that a review page contains, and the games behind them."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast
from unittest.mock import Mock, patch

from houjuu.estimators.loading import load_once
from houjuu.game.actions import Action
from houjuu.game.events import Game, Win
from houjuu.game.view import View
from houjuu.review import prices
from houjuu.review.advice import Advice
from houjuu.review.alternatives import KINDS
from houjuu.review.deciding import MISTAKES
from houjuu.review.page_types import (
    ActionName,
    ChoiceKind,
    Review,
    ReviewedChoice,
    ReviewedPosition,
    ValuedAction,
)
from houjuu.review.review_data import review
from houjuu.review.site.drill import PlacedDrill, drills
from houjuu.review.site.game_record import GamePage, GameRecord, game_records, with_review
from houjuu.review.verdict import comparison, verdict, with_preference

Data = dict[str, Any]

SEAT, OTHER_SEAT = 1, 2
"""The seats of the page of the tests."""
DOCS_GAME = Path(__file__).parents[2] / "docs" / "game.mjlog"
DOCS_SEAT = 2
"""Of the picture in the docs."""
FEW, MANY = 3, 24  # unit: games; few have no trends and no comparison


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
    exact = Mock(get=lambda *_: (1.0, 0.0, 0.0))
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


def game_pages(game: Game, n_games: int) -> list[GamePage]:
    """A game as many, with decisions of all kinds, and luck; the first has no date."""
    (record,) = reviewed_records(game, 1)
    return [GamePage(_dated(record, i), f"games/{i}.html") for i in range(n_games)]


def _dated(record: GameRecord, number: int) -> GameRecord:
    lost = 500 if number % 2 else 1000
    choices = [
        {"kind": kind, "agrees": number % 3 > 0, "value_lost": lost, "mistake": mistake}
        for kind, mistake in zip(KINDS, MISTAKES, strict=False)
    ]
    luck = {"expected": -100, "lost": 1000, "choices": 6, "balance": 900 * (number % 2)}
    more = {"id": f"game {number}", "date": f"2024-01-{number:02}" if number else None}
    return GameRecord.from_dict({**record.to_dict(), **more, "choices": choices, "lucks": [luck]})


def placed_drills(data: Review) -> list[PlacedDrill]:
    """The drills of a review, as they lie beside its page."""
    return [
        PlacedDrill(one, f"games/game.html#{one['round']}.{one['step']}") for one in drills(data)
    ]
