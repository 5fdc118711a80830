"""The data of a reviewed game as one HTML file that needs no network and no server."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import resources

from markupsafe import Markup

from houjuu.game.tiles import KINDS, kind_name
from houjuu.game.yaku import YAKU
from houjuu.review import risk_bar
from houjuu.review.packing import columns, compressed
from houjuu.review.page_types import PageData, Review
from houjuu.review.prices import LIMIT
from houjuu.review.review_data import decisions
from houjuu.review.style import style, template
from houjuu.review.summary import summary
from houjuu.review.usual import usual_decisions
from houjuu.util.languages import LANGUAGES, NAMES, Language, translate
from houjuu.util.languages.glossary import message

_START = "start.js"
"""The script that reports that the others cannot start."""
_FIRST, _LAST = "common.js", "navigation.js"
"""All scripts share one scope: the first one defines what all use, the last one starts the page."""
_FILES = resources.files("houjuu.review")
_COMMENT = re.compile(r"^ *(/\*.*?\*/\n|//.*?\n|)", re.DOTALL | re.MULTILINE)
_NOT_ON_THE_PAGE = {"app", "danger", "match", "parse", "position", "server", "site", "why"}
"""Places whose texts the page does not contain: a key of the catalogues is PLACE.NAME."""


def page(reviews: Sequence[Review], player: str | None, language: str | None = None) -> str:
    """Render the page.

    Parameters
    ----------
    reviews : sequence of Review
        Results of `houjuu.review.review_data.review` for seats of one game. The page opens with
        the first one.
    player : str or None
        Name of the player whose advice the data contain.
    language : str, optional
        One of `houjuu.util.languages.LANGUAGES`. By default the browser's language.
    """
    first = reviews[0]
    start, js = scripts()
    text: str = template("review", "page.html.j2").render(
        name=first["names"][0],
        date=first["date"],
        id=first["id"],
        language=language,
        catalogues=[translate(code) for code in LANGUAGES],
        data=compressed({**page_data(reviews, player, language), "reviews": columns(reviews)}),
        css=style(),
        start=start,
        js=js,
    )
    return text


def page_data(reviews: Sequence[Review], player: str | None, language: str | None) -> PageData:
    """All that the scripts of the page read; the parameters are those of `page`."""
    usual = usual_decisions(hanchan=reviews[0]["hanchan"])
    return {
        "reviews": list(reviews),
        "summaries": [summary(review, usual) for review in reviews],
        "player": player,
        "language": language,
        "languages": NAMES,
        "tags": {language: translate(language).tag for language in LANGUAGES},
        "texts": _texts(),
        "terms": {name: term for name in _names(reviews) if (term := message(name))},
        "yaku": {
            yaku.number: {language: yaku.name(language) for language in LANGUAGES} for yaku in YAKU
        },
        "usual": usual,
        "limit": LIMIT,
        "kinds": [kind_name(kind) for kind in range(KINDS)],
        "colours": {"light": risk_bar.LIGHT, "dark": risk_bar.DARK},
        "tiles": _file("tiles.svg"),
    }


@cache
def scripts() -> tuple[Markup, Markup]:
    """The JavaScript of every page: what reports that the page cannot start, and the page."""
    files = {file.name for file in _FILES.iterdir() if file.name.endswith(".js")}
    panels = sorted(files - {_START, _FIRST, _LAST})
    return _file(_START), Markup("\n").join(map(_file, [_FIRST, *panels, _LAST]))


def _file(name: str) -> Markup:
    """A file without indents, and without comments that have lines of their own."""
    return Markup(_COMMENT.sub("", (_FILES / name).read_text(encoding="utf-8")))


def _texts() -> dict[Language, dict[str, str]]:
    return {
        language: {
            key: text
            for key, text in translate(language).messages.items()
            if key.partition(".")[0] not in _NOT_ON_THE_PAGE
        }
        for language in LANGUAGES
    }


def _names(reviews: Iterable[Review]) -> Iterator[str]:
    """The names of all terms, reasons and types of opponents."""
    for position in (one for review in reviews for one in decisions(review["rounds"])):
        yield from position["opponent_types"]
        explained = [one for row in position["explanations"].values() for one in row]
        lists = [terms for one in explained for terms in (one["terms"], one["reasons"])]
        for terms in (*position["tenpai_reasons"], *lists):
            yield from (term["name"] for term in terms)
