"""Prices add up: on the page, in JSON, and in the index of many games."""

from __future__ import annotations

import re
from typing import Any

import pytest

pytest.importorskip("riichienv", reason="the player that values actions needs it")

from houjuu.game.actions import Action, ActionKind
from houjuu.game.events import Game
from houjuu.game.position import position
from houjuu.logs import mjlog
from houjuu.player.values.outcome import PARTS, Outcome, ValuePart
from houjuu.review import prices
from houjuu.review.alternatives import rounded_parts, valued_action
from houjuu.review.export import action_text
from houjuu.review.page_types import Review, ReviewedChoice
from houjuu.review.rendering import reviewed
from houjuu.review.site.game_record import GamePage, game_records, with_review
from houjuu.review.site.index import index
from houjuu.review.usual import usual_decisions
from houjuu.util.languages import LANGUAGES
from tests.review.page_data import DOCS_GAME, DOCS_SEAT


def docs_game() -> Game:
    (game,) = mjlog.read(DOCS_GAME)
    return game


def loss(choice: ReviewedChoice) -> int:
    """The loss, which is certain, and what one of the slopes leaves of the two values."""
    values = [action["value"] for action in choice["actions"]]
    claimed = 0 if choice["agrees"] else values[0] - values[choice["chosen"]]
    slopes = [min(slope, 1.0) for slope, *_ in prices.slopes().values()]
    assert choice["claimed"] == claimed
    assert choice["value_lost"] in {0, *(round(slope * claimed) for slope in slopes)}
    assert choice["value_gained"] in {0, *(-round(slope * claimed) for slope in slopes)}
    assert (choice["grade"] is None) == (choice["value_lost"] == 0)
    for points in (choice["value_lost"], choice["value_gained"]):
        assert points == 0 or points > choice["uncertainty"]
    return choice["value_lost"]


def check_choices(data: Review) -> None:
    for choice in data["choices"]:
        assert choice["value_lost"] == loss(choice)
        sums = [action["value"] + action["preference"] for action in choice["actions"]]
        assert sums == sorted(sums, reverse=True)
        assert choice["agrees"] == (sums[choice["chosen"]] == sums[0])
        assert len({*map(action_text, choice["actions"])}) == len(sums)
        assert max(action["preference"] for action in choice["actions"]) <= 0
        for action in choice["actions"]:
            assert sum(part["value"] for part in action["parts"]) == action["value"]
            assert "preference" not in [part["name"] for part in action["parts"]]
    for number, round in enumerate(data["rounds"]):
        losses = [loss(choice) for choice in data["choices"] if choice["round"] == number]
        assert (round["luck"]["lost"], round["luck"]["choices"]) == (sum(losses), len(losses))


def check_index(game: Game, data: Review) -> None:
    """The value lost and the luck of the game in the table of all games."""
    (record,) = game_records(game, [data["seat"]])
    with_losses = with_review(record, data)
    assert [one["value_lost"] for one in with_losses.choices] == [*map(loss, data["choices"])]


def check(game: Game, seat: int) -> None:
    data = reviewed(game, seat)
    check_choices(data)
    check_index(game, data)


def test_the_game_of_the_docs_adds_up(docs_review: Review) -> None:
    assert sum(map(loss, docs_review["choices"])) > 0
    assert any(not one["agrees"] and not one["value_lost"] for one in docs_review["choices"])
    check_choices(docs_review)
    check_index(docs_game(), docs_review)


@pytest.mark.deep
def test_own_games_add_up(own_games: list[Game]) -> None:
    for seat in (0, 2):
        check(own_games[seat], seat)
        check(docs_game(), seat)


@pytest.mark.deep
@pytest.mark.real_logs
def test_real_games_add_up(real_games: list[Game]) -> None:
    check(real_games[0], 1)


def test_rounded_parts_add_up_to_the_rounded_sum() -> None:
    parts = {"win": 10.4, "draw": -3.6, "score": 0.4, "others_win": 0.0}
    assert rounded_parts(parts) == {"win": 11, "draw": -4, "score": 0, "others_win": 0}
    thirds = {str(number): 1 / 3 for number in range(10)}
    assert sum(rounded_parts(thirds).values()) == 3
    assert set(rounded_parts(thirds).values()) == {0, 1}


def test_a_preference_is_in_no_price() -> None:
    parts = dict.fromkeys(PARTS, 0.0) | {ValuePart.OWN_WIN: 62.7, ValuePart.DRAW: 0.6}
    outcome = Outcome(Action(ActionKind.PASS), 63.3, parts, win=0.2, deal_in=0.1)
    view = position("123m0678p1199s55z + 4p", dora="3p")
    action = valued_action(outcome.with_preference(-1253.1), view)
    assert (action["value"], action["preference"]) == (63, -1253)
    assert [part["value"] for part in action["parts"]] == [63]


# ---- the page in a browser ----


def number(text: str) -> int:
    """The number of a text such as "−1,128 points"."""
    (digits,) = re.findall(r"[−+±]?[\d,]+", text)
    return int(digits.replace(",", "").replace("−", "-").lstrip("+±"))


PANELS = """() => {
  const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key }));
  const action = (node) => ({
    value: node.querySelector(".value").textContent,
    preference: node.querySelector(".preference").textContent,
    chosen: !!node.querySelector("summary .discarded"),
    advised: !!node.querySelector("summary .advised"),
    parts: [...node.querySelectorAll("tr")].map((row) => row.lastChild.textContent),
  });
  const panels = {};
  press("Home");
  while (!panels[document.body.dataset.position]) {
    const actions = [...document.querySelectorAll("#choices details")].map(action);
    const headline = document.querySelector("#verdict .price")?.textContent;
    const compared = [...document.querySelectorAll("#compared:not([hidden]) tbody tr")]
        .map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent));
    panels[document.body.dataset.position] = { actions, headline, compared };
    press("ArrowRight");
  }
  return panels;
}"""
"""Steps through the page, and returns what its panels of the actions show at each decision."""


def shown_loss(panel: dict[str, Any]) -> int:
    """The loss in the headline, which is the difference of the two prices below it."""
    actions = panel["actions"]
    (advised,) = (number(one["value"]) for one in actions if one["advised"])
    (chosen,) = (number(one["value"]) for one in actions if one["chosen"])
    for action in actions:
        one = abs(number(action["value"])) == 1
        assert action["value"].strip().endswith(" point" if one else " points")
        assert sum(map(number, action["parts"])) == number(action["value"])
        assert number(action["preference"]) <= 0
    price = re.search(r"−([\d,]+) point", panel["headline"])
    lost = int(price[1].replace(",", "")) if price else 0
    assert lost <= max(advised - chosen, 0)
    return lost


def check_comparison(choice: ReviewedChoice, rows: list[list[str]]) -> None:
    """The chosen beside the advised action, where they differ and nowhere else."""
    assert bool(rows) == (choice["chosen"] > 0)
    for cells, figure in zip(rows, choice["comparison"], strict=True):
        scale = 100 if figure["name"] in ("win", "deal_in") else 1
        numbers = [figure["chosen"], figure["advised"], figure["difference"]]
        first = 2 if figure["name"] == "shanten" else 0  # "tenpai" is no number
        shown = [float(re.sub("[±+%,]", "", cell).replace("−", "-")) for cell in cells[first:]]
        assert shown == pytest.approx([scale * one for one in numbers[first:]], abs=0.051)


def test_the_page_adds_up(opened: Any, docs_review: Review) -> None:
    """Every decision: prices, parts and headline; then the list of mistakes and the totals."""
    panels = opened.evaluate(PANELS)
    losses = {}
    for choice in docs_review["choices"]:
        at = f"{choice['round']}.{choice['step'] + 1}"
        losses[at] = shown_loss(panels[at])
        assert losses[at] == choice["value_lost"]
        check_comparison(choice, panels[at]["compared"])
    assert sum(len(one["comparison"]) for one in docs_review["choices"]) > 50
    listed = {
        row.locator("a").get_attribute("href"): number(row.locator("b.ron").first.inner_text())
        for row in opened.locator("section.mistakes tbody tr").all()
    }
    assert len(listed) == sum(value >= prices.LIMIT for value in losses.values())
    assert {at: -value for at, value in listed.items()} == {
        at: losses[at.removeprefix(f"#{DOCS_SEAT}.")] for at in listed
    }
    total = opened.locator("#totals dd").nth(3).inner_text()
    assert number(total.split(" ")[0]) == sum(losses.values())


def test_luck_adds_up(opened: Any, docs_review: Review) -> None:
    """Expected + by decisions + luck = actual in every row, and the rows add up to the last."""
    rows = [
        [number(cell) for cell in row.inner_text().split("\t")[3:]]
        for row in opened.locator("section.luck tbody tr").all()
    ]
    for expected, skill, luck, actual in rows:
        assert expected + skill + luck == actual
    assert [sum(column) for column in zip(*rows[:-1], strict=True)] == rows[-1]
    lucks = with_review(game_records(docs_game(), [DOCS_SEAT])[0], docs_review).lucks
    usual = usual_decisions(hanchan=True)["lost"]
    assert sum(one.luck(usual) for one in lucks) == rows[-1][2]


def test_every_language_names_the_unit(docs_review: Review, opened: Any) -> None:
    units = {"en": "points", "ja": "点", "zh": "点"}
    opened.locator("section.mistakes tbody a").first.click()
    for language in LANGUAGES:
        opened.select_option("#language", language)
        value = opened.locator("#choices summary .value").first.inner_text()
        assert value.strip().endswith(units[language])
        assert units[language] in opened.inner_text("#verdict .price b.ron")
        assert units[language] in opened.inner_text("#compared tbody .row >> nth=0")
        assert units[language] in opened.inner_text(".mistakes thead")


def test_the_index_shows_the_sum(docs_review: Review) -> None:
    game = docs_game()
    (record,) = game_records(game, [DOCS_SEAT])
    pages = [GamePage(with_review(record, docs_review), "games/game.html")]
    lost = sum(map(loss, docs_review["choices"]))
    for language, text in zip(
        LANGUAGES, index("A", pages, [], "houjuu", "en").values(), strict=True
    ):
        row = re.search(r'<a href="games/game.html">.*?</tr>', text, re.DOTALL)
        assert row is not None
        assert f'<td class="value-lost">{lost:,}</td>' in row[0], language
