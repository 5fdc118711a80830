"""A page of two seats: the data of a real review, with one mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from houjuu import load
from houjuu.estimators.protocol import Estimator
from houjuu.game.events import Game
from houjuu.review import luck
from houjuu.review.page import page
from houjuu.review.page_types import Review, ReviewedChoice, ValuedAction
from houjuu.review.review_data import discarded_tile, review
from houjuu.review.verdict import verdict
from tests.review.page_data import OTHER_SEAT, SEAT, points_dealt_in


@pytest.fixture(scope="module")
def estimator() -> Estimator:
    return load()


@pytest.fixture(scope="module")
def game(own_games: list[Game]) -> Game:
    return max(own_games, key=lambda game: sum(points_dealt_in(game, seat=SEAT)))


@pytest.fixture(scope="module")
def data(game: Game, estimator: Estimator) -> Review:
    return review(game, SEAT, estimator, lambda view: view.hand[0])


@pytest.fixture(scope="module")
def other_seat(game: Game, estimator: Estimator) -> Review:
    """Another seat, with a mistake: the third discard of the second round."""
    data = review(game, OTHER_SEAT, estimator)
    chosen = f"discard {discarded_tile(data['rounds'][1]['decisions'][2])}"
    actions: list[ValuedAction] = [
        {
            "action": action,
            "value": value,
            "preference": -1,
            "parts": [{"name": "win", "value": value}],
        }
        for action, value in (("riichi 9p", 3), (chosen, 1))
    ]
    choices: list[ReviewedChoice] = [
        {
            "seat": OTHER_SEAT,
            "round": 1,
            "step": 2,
            "why": None,
            "kind": "riichi",
            "chosen": chosen,
            "actions": actions,
            **verdict({"kind": "riichi", "actions": actions}, chosen),
        }
    ]
    data["rounds"][1]["luck"] = luck.round_luck(choices)
    return {**data, "choices": choices}


@pytest.fixture(scope="module")
def page_file(data: Review, other_seat: Review, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of both seats."""
    file = tmp_path_factory.mktemp("page") / "review.html"
    file.write_text(page([data, other_seat], "first tile"), encoding="utf-8")
    return file
