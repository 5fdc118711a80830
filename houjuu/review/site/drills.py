"""The page of drills: positions to answer, with the answer and its sentence after the choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from markupsafe import Markup

from houjuu.review.deciding import MISTAKES
from houjuu.review.packing import compressed
from houjuu.review.page_types import HandPosition
from houjuu.review.prices import LIMIT
from houjuu.review.sentences import written_action
from houjuu.review.site.drill import PlacedDrill
from houjuu.review.style import asset, style, template
from houjuu.util.languages import LANGUAGES, NAMES, Catalogue, translate, written
from houjuu.util.languages.names import round_name


class ShownAnswer(TypedDict):
    """An answer as the page shows it; ``lost`` is empty if it loses nothing.

    ``tiles`` are those of the action, then the discard that follows a call.
    """

    label: str
    tiles: list[str]
    lost: str
    right: bool
    chosen: bool


class BoardWords(TypedDict):
    """The texts on the table; winds and scores are by seat."""

    round: str
    sticks: str
    tilesLeft: str
    winds: list[str]
    scores: list[str]


class ShownDrill(TypedDict):
    """A drill as the page shows it; ``id`` is that of its progress."""

    id: str
    mistake: str
    price: int
    title: str
    question: str
    position: HandPosition
    words: BoardWords
    answers: list[ShownAnswer]
    why: str
    href: str


def file_name(language: str, first: str) -> str:
    """The file of the page in a language; the first language has ``drills.html``."""
    return "drills.html" if language == first else f"drills.{language}.html"


def pages(placed: Sequence[PlacedDrill], name: str, first: str) -> dict[str, str]:
    """The page in every language, by file name; `name` is that of the player."""
    return {
        file_name(language, first): _page(placed, translate(language), name, first)
        for language in LANGUAGES
    }


def _page(placed: Sequence[PlacedDrill], t: Catalogue, name: str, first: str) -> str:
    shown = [shown_drill(one, t) for one in placed]
    classes = [one for one in MISTAKES if any(drill["mistake"] == one for drill in shown)]
    text: str = template("review/site", "drills.html.j2").render(
        t=t,
        name=name,
        n=len(shown),
        limit=LIMIT,
        classes=[
            (one, t(f"page.class.{one}"), sum(drill["mistake"] == one for drill in shown))
            for one in classes
        ],
        languages=[(code, NAMES[code], file_name(code, first)) for code in LANGUAGES],
        index="index.html" if t.language == first else f"index.{t.language}.html",
        css=style("review/site/index.css"),
        tiles=asset("review/tiles.svg"),
        js=script(),
        data=compressed(shown),
    )
    return text


def shown_drill(placed: PlacedDrill, t: Catalogue) -> ShownDrill:
    """A drill in a language; its answers are in the order of their names."""
    drill = placed.drill
    position = drill["position"]
    answers = [
        ShownAnswer(
            label=written_action(t, f"page.action.{one['verb']}", one["tiles"], one["discard"]),
            tiles=[*one["tiles"], *([one["discard"]] if one["discard"] else [])],
            lost=written(-one["lost"]) if one["lost"] else "",
            right=number == 0,
            chosen=number == 1,
        )
        for number, one in enumerate(drill["answers"])
    ]
    return {
        "id": placed.href,
        "mistake": drill["mistake"],
        "price": drill["lost"],
        "title": round_name(t, position["round"], position["honba"]),
        "question": t(f"page.kind.{drill['kind']}"),
        "position": position,
        "words": {
            "round": round_name(t, position["round"], 0),
            "sticks": f"{t('round.honba', n=position['honba'])} · "
            f"{t('page.sticks', n=position['sticks'])}",
            "tilesLeft": t("page.tiles_left", n=position["tiles_left"]),
            "winds": [t(f"wind.short.{(seat - position['dealer']) % 4}") for seat in range(4)],
            "scores": [written(score) for score in position["scores"]],
        },
        "answers": sorted(answers, key=lambda answer: answer["label"]),
        "why": drill["why"][t.language],
        "href": placed.href,
    }


def script() -> Markup:
    """The JavaScript of the pages."""
    names = ("shared.js", "board.js", "site/drills.js")
    return Markup("\n").join(asset(f"review/{name}") for name in names)
