"""A page of two seats: the data of a real review, with one mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from houjuu import load
from houjuu.estimators.protocol import Estimator
from houjuu.game.events import Game
from houjuu.logs import mjlog
from houjuu.review import luck
from houjuu.review.page import page
from houjuu.review.page_types import Review
from houjuu.review.rendering import reviewed
from houjuu.review.review_data import discarded_tile, review
from tests.review.page_data import (
    ADVICE,
    OTHER_SEAT,
    SEAT,
    choice_of,
    points_dealt_in,
    valued,
)

DOCS_GAME = Path(__file__).parents[2] / "docs" / "game.mjlog"


@pytest.fixture(scope="session")
def estimator() -> Estimator:
    return load()


@pytest.fixture(scope="session")
def game(own_games: list[Game]) -> Game:
    return max(own_games, key=lambda game: sum(points_dealt_in(game, seat=SEAT)))


@pytest.fixture(scope="session")
def data(game: Game, estimator: Estimator) -> Review:
    return review(game, SEAT, estimator, ADVICE)


@pytest.fixture(scope="session")
def docs_review() -> Review:
    """The seat of the docs in their game."""
    (game,) = mjlog.read(DOCS_GAME)
    return reviewed(game, 2)


@pytest.fixture(scope="session")
def other_seat(game: Game, estimator: Estimator) -> Review:
    """Another seat, with a mistake: the third discard of the second round."""
    data = review(game, OTHER_SEAT, estimator)
    tile = discarded_tile(data["rounds"][1]["decisions"][2])
    chosen, advised = (
        valued(text, {"win": value}, preference=-1)
        for text, value in ((f"discard {tile}", 1), ("riichi 9p", 3))
    )
    choices = [choice_of(chosen, advised, kind="riichi", round=1, step=2)]
    data["rounds"][1]["luck"] = luck.round_luck(choices)
    return {**data, "choices": choices}


@pytest.fixture(scope="session")
def page_file(data: Review, other_seat: Review, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of both seats."""
    file = tmp_path_factory.mktemp("page") / "review.html"
    file.write_text(page([data, other_seat], "first tile"), encoding="utf-8")
    return file
