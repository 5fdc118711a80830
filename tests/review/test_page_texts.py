"""The texts of the review page in Chromium: those of the program, and no notation of tiles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from houjuu.review.page import page
from houjuu.review.page_types import Review
from houjuu.review.review_data import discarded_tile
from houjuu.util.languages import LANGUAGES, Language, translate
from houjuu.util.languages.glossary import term
from houjuu.util.languages.names import round_name, tile_names
from tests.kit.browsers import REVIEW, visited, written
from tests.message_texts import NOTATION, TILE_NAMES, number_texts
from tests.review.page_data import choice_of, named, valued

FUNCTIONS = "t, term, tileLabel, actionLabel, roundName, get game() { return game; }"
STEP = 7
"""One of so many decisions is read."""

ACTIONS = {
    "discard 2z": ("discard South", "打南", "打南"),
    "discard 0p": ("discard red 5p", "打赤5p", "打赤5p"),
    "riichi 0m": ("riichi red 5m", "赤5m切りリーチ", "打赤5m立直"),
    "chi 40s": ("chi 4s red 5s", "チー4s赤5s", "吃4s赤5s"),
    "pon 55z": ("pon haku", "ポン白", "碰白"),
    "daiminkan 666z": ("daiminkan hatsu", "大明槓發", "大明杠发"),
    "ankan 1111z": ("ankan East", "暗槓東", "暗杠东"),
    "kakan 7z": ("kakan chun", "加槓中", "加杠中"),
    "win": ("win", "和了", "和牌"),
    "pass": ("pass", "スルー", "不鸣"),
    "nine_terminals": ("kyuushu kyuuhai", "九種九牌", "九种九牌"),
}


def with_actions(data: Review) -> Review:
    """The review, with every action in the choice at the first discard."""
    chosen = f"discard {discarded_tile(data['rounds'][0]['decisions'][0])}"
    texts = dict.fromkeys([chosen, *ACTIONS])
    actions = [valued(text, {"win": value}) for value, text in enumerate(texts)]
    return {**data, "choices": [choice_of(*actions, kind="call")]}


@pytest.fixture(scope="module")
def opened(browser: Any, data: Review, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The page with its functions as names of the window."""
    text = page([with_actions(data)], "first tile")
    before, end, after = text.rpartition("</script>")
    exposed = (
        f"Object.defineProperties(window, Object.getOwnPropertyDescriptors({{ {FUNCTIONS} }}))"
    )
    address = written(tmp_path_factory.mktemp("texts"), f"{before};{exposed}{end}{after}")
    with visited(browser, address, REVIEW) as opened:
        yield opened


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_writes_numbers_as_the_program_does(opened: Any, language: str) -> None:
    opened.select_option("#language", language)
    keys = set(opened.evaluate("Object.keys(game.texts.en)"))
    texts = [one for one in number_texts("houjuu.util.languages", language) if one[0] in keys]
    calls = [[key, values] for key, _, values, _ in texts]
    assert len(calls) > 5 * 10
    shown = opened.evaluate("(calls) => calls.map(([key, values]) => t(key, values))", calls)
    assert shown == [text for *_, text in texts]


def test_a_value_that_is_an_element_selects_a_form(opened: Any) -> None:
    opened.select_option("#language", "en")
    opened.evaluate("document.querySelector('#live').textContent = '1'")
    values = "{ any: '2%', points: document.querySelector('#live') }"
    assert opened.evaluate(f"t('page.risk', {values})") == "deals in 2% · expected loss 1 point"


@pytest.mark.parametrize("language", LANGUAGES)
def test_actions_tiles_and_rounds_have_names(opened: Any, language: Language) -> None:
    number = LANGUAGES.index(language)
    opened.select_option("#language", language)
    catalogue = translate(language)
    for action, labels in ACTIONS.items():
        assert opened.evaluate("(action) => actionLabel(action)", named(action)) == labels[number]
    for notation in TILE_NAMES:
        label = opened.evaluate("(tiles) => tileLabel(tiles)", notation)
        assert label == tile_names(catalogue, notation)
    for round, honba in ((0, 0), (5, 1), (11, 12)):
        name = opened.evaluate("(round) => roundName(round)", {"round": round, "honba": honba})
        assert name == round_name(catalogue, round, honba)
    for name in opened.evaluate("Object.keys(game.terms)"):
        assert opened.evaluate("(name) => term(name)", name) == term(catalogue, name)


SHOWN = """() => [
    document.body.innerText,
    ...["#description", "#help"].map((id) => document.querySelector(id).textContent),
    ...[...document.querySelectorAll("[aria-label], [title]")].flatMap((node) =>
        [node.getAttribute("aria-label") ?? "", node.getAttribute("title") ?? ""]),
].join("\\n")"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_tile_is_in_notation(opened: Any, data: Review, language: str) -> None:
    opened.select_option("#language", language)
    lengths = [len(one["decisions"]) for one in data["rounds"]]
    positions = [f"{i}.{j + 1}" for i, length in enumerate(lengths) for j in range(length)]
    for position in positions[::STEP]:
        opened.evaluate(f"location.hash = '{data['seat']}.{position}'")
        opened.wait_for_selector(f"body[data-position='{position}']")
        shown = opened.evaluate(SHOWN)
        assert len(shown) > 1000
        assert not NOTATION.search(shown), position
        assert "undefined" not in shown
