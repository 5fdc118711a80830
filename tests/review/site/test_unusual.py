"""Pages and indices where a class of mistake or a habit has no usual figure."""

from __future__ import annotations

import re
from typing import Any

import pytest

from houjuu.game.events import Game
from houjuu.review import usual
from houjuu.review.page import page, page_data
from houjuu.review.page_types import Review
from houjuu.review.site import charts
from houjuu.review.site.habits import Figure
from houjuu.review.site.index import index
from tests.review.page_data import MANY, game_pages

UNKNOWN = ("mistakes.", "rounds.", "wins.", "deal_ins.", "discards.", "games.")
"""What was not measured: the classes of mistakes, and all habits."""


@pytest.fixture
def unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    content: dict[str, Any] = {**usual._phoenix()}
    for section in ("hanchan", "east_only"):
        figures = content[section]["figures"]
        kept = {key: value for key, value in figures.items() if not key.startswith(UNKNOWN)}
        content[section] = {**content[section], "figures": kept}
    monkeypatch.setattr(usual, "_phoenix", lambda: content)


def rendered(game: Game) -> str:
    """The index of many games, without its style."""
    text = index("bot 0", game_pages(game, MANY), [], "houjuu", "en")["index.html"]
    return text[text.index("</style>") :]


def test_an_index_without_usual_figures(
    own_games: list[Game], unknown: None, request: pytest.FixtureRequest
) -> None:
    text = rendered(own_games[0])
    assert "usual-line" not in text
    assert 'class="usual"' not in text
    assert 'class="whisker"' in text
    section = re.search(r'<section id="mistakes".*?</section>', text, re.DOTALL)
    assert section is not None
    assert section[0].count("<td></td><td></td>") == 2 * section[0].count('<th scope="row">')
    monkeypatch: pytest.MonkeyPatch = request.getfixturevalue("monkeypatch")
    monkeypatch.undo()
    known = rendered(own_games[0])
    assert known.count('<th scope="row">') == text.count('<th scope="row">')
    assert "usual-line" in known
    assert 'class="usual"' in known


def test_a_page_without_usual_figures(other_seat: Review, unknown: None) -> None:
    (summary,) = page_data([other_seat], "rank", "en")["summaries"]
    assert summary["classes"]
    for one in summary["classes"]:
        assert (one["usual"], one["interval"], one["usual_lost"]) == (None, None, None)
    assert page([other_seat], "first tile").strip().endswith("</html>")


def test_a_chart_without_a_usual_figure() -> None:
    found = charts.interval(Figure(0.2, 0.1, 10), None)
    assert (found.low, found.high) == (charts.MARGIN, charts.WIDTH - charts.MARGIN)
    assert found.usual is None
    assert charts.trend([Figure(1, 0, 1), Figure(3, 1, 1)], None).usual is None
