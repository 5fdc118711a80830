"""The drills of a game: their data, and the page in Chromium."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("riichienv", reason="the player needs it")

from houjuu.cli import main
from houjuu.review.export import action_text
from houjuu.review.page_types import Review
from houjuu.review.prices import LIMIT
from houjuu.review.site.drill import (
    MOST_PER_CLASS,
    MOST_PER_GAME,
    PlacedDrill,
    selected,
)
from houjuu.review.site.drills import file_name, shown_drill
from houjuu.util.languages import LANGUAGES, translate, written
from tests.kit.browsers import DRILL, visited
from tests.review.page_data import DOCS_GAME, placed_drills, position_of


@pytest.fixture(scope="module")
def placed(docs_review: Review) -> list[PlacedDrill]:
    return placed_drills(docs_review)


def test_the_drills_are_the_largest_mistakes(
    docs_review: Review, placed: list[PlacedDrill]
) -> None:
    lost = sorted((one["value_lost"] for one in docs_review["choices"]), reverse=True)
    assert [one.drill["lost"] for one in placed] == [
        value for value in lost[:MOST_PER_GAME] if value >= LIMIT
    ]
    at = {(one["round"], one["step"] + 1): one for one in docs_review["choices"]}
    for drill, _ in placed:
        choice = at[drill["round"], drill["step"]]
        position = position_of(choice, docs_review)
        assert drill["position"]["hand"] == position["hand"]
        assert drill["why"] == choice["why"]
        advised, chosen = choice["actions"][0], choice["actions"][choice["chosen"]]
        actions = {action_text(one): one for one in choice["actions"]}
        answers = {action_text(one): one for one in drill["answers"]}
        assert [*answers][:2] == [action_text(advised), action_text(chosen)]
        assert len(answers) == len(drill["answers"])
        for text, answer in answers.items():
            assert answer["discard"] == actions[text].get("discard")
            assert 0 <= answer["lost"] <= max(advised["value"] - actions[text]["value"], 0)
        assert answers[action_text(chosen)]["lost"] == drill["lost"]


def test_a_class_has_so_many_drills_at_most(placed: list[PlacedDrill]) -> None:
    many = [placed[0]] * (MOST_PER_CLASS + 5)
    assert selected(many) == many[:MOST_PER_CLASS]
    assert selected(placed[::-1]) == placed


@pytest.fixture
def opened(browser: Any, pages: Path) -> Iterator[Any]:
    with visited(browser, (pages / "drills/drills.html").as_uri(), DRILL) as opened:
        yield opened


def answer(opened: Any, drill: PlacedDrill, *, right: bool) -> None:
    """Choose the advised action, or the one of the game."""
    shown = shown_drill(drill, translate("en"))
    labels = [one["label"] for one in shown["answers"] if one["right" if right else "chosen"]]
    opened.locator("#answers button", has_text=labels[0]).first.click()
    assert opened.inner_text("#sentence") == shown["why"]
    assert opened.get_attribute("#link", "href") == drill.href


def test_answering(opened: Any, placed: list[PlacedDrill]) -> None:
    """A right answer counts and does not come again, a wrong one does; the browser remembers."""
    n = len(placed)
    everything = opened.locator(".filters button").first
    answer(opened, placed[0], right=False)
    assert opened.get_attribute("#answers .wrong", "disabled") is not None
    assert everything.inner_text().endswith(f"0/{n}")
    opened.click("#next")
    answer(opened, placed[1], right=True)
    assert everything.inner_text().endswith(f"1/{n}")
    opened.reload()
    opened.wait_for_selector("#answers button")
    assert everything.inner_text().endswith(f"1/{n}")
    for drill in placed[2:]:
        answer(opened, drill, right=True)
        opened.click("#next")
    answer(opened, placed[0], right=True)
    opened.click("#next")
    assert opened.is_visible("#done")
    assert opened.is_hidden("#drill")
    opened.click("#again")
    assert everything.inner_text().endswith(f"0/{n}")


def test_the_picture_has_the_hand_and_no_danger(opened: Any, placed: list[PlacedDrill]) -> None:
    position = placed[0].drill["position"]
    drawn = opened.evaluate(
        "[...document.querySelectorAll('#picture use')].map((use) => use.getAttribute('href'))"
    )
    assert Counter(f"#t{tile}" for tile in position["hand"]) <= Counter(drawn)
    text = opened.locator("#picture").text_content()
    assert "%" not in text
    assert all(written(score) in text for score in position["scores"])


def test_drills_by_class(opened: Any, placed: list[PlacedDrill]) -> None:
    for mistake in {one.drill["mistake"] for one in placed}:
        opened.click(f".filters [data-class='{mistake}']")
        first = next(one for one in placed if one.drill["mistake"] == mistake)
        answer(opened, first, right=True)
        opened.click("#next")


def test_the_command_writes_drills(tmp_path: Path) -> None:
    arguments = ["review", str(DOCS_GAME), "-o", f"{tmp_path}/", "--seat", "2", "--lang", "ja"]
    with redirect_stdout(io.StringIO()):
        assert main([*arguments, "--jobs", "1"]) == 0
    record = json.loads((tmp_path / "games" / "game.json").read_text(encoding="utf-8"))["game"]
    names = {file_name(language, "ja") for language in LANGUAGES}
    assert names <= {file.name for file in tmp_path.iterdir()}
    assert 'href="drills.html"' in (tmp_path / "index.html").read_text(encoding="utf-8")
    assert 'href="drills.en.html"' in (tmp_path / "index.en.html").read_text(encoding="utf-8")
    assert len(record["drills"]) >= 4
