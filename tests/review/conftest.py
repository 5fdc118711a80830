"""A page of two seats: the data of a real review, with one mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from houjuu import load
from houjuu.estimators.protocol import Estimator
from houjuu.game.events import Game
from houjuu.review import luck
from houjuu.review.page import page
from houjuu.review.review_data import review
from tests.review.page_data import OTHER_SEAT, SEAT, Data, points_dealt_in


@pytest.fixture(scope="module")
def estimator() -> Estimator:
    return load()


@pytest.fixture(scope="module")
def game(own_games: list[Game]) -> Game:
    return max(own_games, key=lambda game: sum(points_dealt_in(game, seat=SEAT)))


@pytest.fixture(scope="module")
def data(game: Game, estimator: Estimator) -> Data:
    return review(game, SEAT, estimator, lambda view: view.hand[0])


@pytest.fixture(scope="module")
def other_seat(game: Game, estimator: Estimator) -> Data:
    """Another seat, with a mistake: the third discard of the second round."""
    data = review(game, OTHER_SEAT, estimator)
    step = data["rounds"][1]["decisions"][2]
    chosen = f"discard {step['hand'][step['discard_index']]}"
    actions = [
        {"action": action, "value": value, "parts": [{"name": "win", "value": value}]}
        for action, value in ((chosen, 1.0), ("riichi 9p", 2.5))
    ]
    mistake = {"seat": OTHER_SEAT, "round": 1, "step": 2, "kind": "riichi"}
    choices = [{**mistake, "chosen": chosen, "actions": actions}]
    data["rounds"][1]["luck"] = luck.of_round(choices)
    return {**data, "choices": choices}


@pytest.fixture(scope="module")
def page_file(data: Data, other_seat: Data, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of both seats."""
    file = tmp_path_factory.mktemp("page") / "review.html"
    file.write_text(page([data, other_seat], "first tile"), encoding="utf-8")
    return file
