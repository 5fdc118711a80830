"""A page of two seats: the data of a real review, with one mistake."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from houjuu import load
from houjuu.estimators.protocol import Estimator
from houjuu.game.events import Game
from houjuu.logs import mjlog
from houjuu.review import luck
from houjuu.review.page import page
from houjuu.review.page_types import AnswerBeside, Review
from houjuu.review.rendering import reviewed
from houjuu.review.review_data import discarded_tile, engine_beside, review
from houjuu.review.site.drills import pages as drill_pages
from houjuu.review.site.index import index
from houjuu.util.errors import Error
from tests.kit.browsers import REVIEW, visited
from tests.kit.once import once
from tests.review.page_data import (
    ADVICE,
    DOCS_GAME,
    DOCS_SEAT,
    FEW,
    MANY,
    OTHER_SEAT,
    SEAT,
    choice_of,
    game_pages,
    named,
    placed_drills,
    points_dealt_in,
    valued,
)


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
def docs_review(tmp_path_factory: pytest.TempPathFactory) -> Review:
    """The seat of the docs in their game."""
    with once(tmp_path_factory, "docs_review") as (folder, missing):
        file = folder / "review.json"
        if missing:
            folder.mkdir()
            (game,) = mjlog.read(DOCS_GAME)
            file.write_text(json.dumps(reviewed(game, DOCS_SEAT)), encoding="utf-8")
    return cast("Review", json.loads(file.read_text(encoding="utf-8")))


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
    none: AnswerBeside = {"action": None, "absent": None, "gives": None, "gives_chosen": None}
    choices[0]["beside"] = [
        {
            **none,
            "action": named("riichi"),
            "gives": {"value": 0.5, "probability": 0.75},
            "gives_chosen": {"value": -1.25, "probability": None},
        },
        {**none, "absent": "it ended with 9"},
        none,
    ]
    engines = [engine_beside(f"engine {n}", choices, n) for n in range(3)]
    return {**data, "choices": choices, "beside": engines}


@pytest.fixture(scope="session")
def pages(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with each page that browsers open.

    `seats.html` is that of both seats, `mistake.html` that of the docs; `drills/`, `few/` and
    `many/` have the drills of that seat and the indices of so many games, in every language.
    """
    value = request.getfixturevalue
    with once(tmp_path_factory, "pages") as (folder, missing):
        if missing:
            docs, games = value("docs_review"), game_pages(value("own_games")[0], MANY)
            problems = [Error("a.xml: is not mjlog")]
            texts = {
                "seats.html": page([value("data"), value("other_seat")], "first tile"),
                "mistake.html": page([docs], "rank", "en"),
            }
            sites = {
                "drills": drill_pages(placed_drills(docs), "a < b", "en"),
                "few": index("bot 0", games[:FEW], problems, "houjuu", "en", follows=True),
                "many": index("bot 0", games, problems, "houjuu", "en", follows=True),
            }
            for site, files in sites.items():
                texts |= {f"{site}/{name}": text for name, text in files.items()}
            for name, text in texts.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def opened(browser: Any, pages: Path) -> Iterator[Any]:
    """The page of the docs as it opens: at the largest mistake."""
    with visited(browser, (pages / "mistake.html").as_uri(), REVIEW) as opened:
        yield opened
