"""The card of an answer: its risks as rows of text, for programs that show a bot's own card.

The form is ``meta.show`` of Akagi, ``mjai_bot/README.md`` of https://github.com/shinkuan/Akagi.
"""

from __future__ import annotations

from typing import TypedDict

from houjuu.risk.answers import OpponentAnswer, RiskAnswer, TileAnswer
from houjuu.util.languages import Catalogue
from houjuu.util.languages.glossary import term

SAFE, RISKY, DANGEROUS = "#2e9e5b", "#d99a00", "#d1383d"
"""Colours of the rows of tiles."""

_MOST_SAFE, _MOST_RISKY = 0.02, 0.06  # unit: probability of dealing in


class _Optional(TypedDict, total=False):
    pais: list[str]
    value: str
    color: str


class CardItem(_Optional):
    """A row of a card; the last three keys may be absent.

    Attributes
    ----------
    label : str
        An opponent, the expected loss of a tile, or the sentence of a card without risks.
    note : str
        The type of the opponent; the probabilities by opponent; the reason why there are no risks.
    pais : list of str
        The tile by its name in mjai.
    value : str
        P(tenpai), or P(the tile deals in).
    color : str
        `SAFE`, `RISKY` or `DANGEROUS`, by the probability that the tile deals in.
    """

    label: str
    note: str


class Card(TypedDict):
    """A heading and its rows: the opponents, then the tiles, the lowest expected loss first."""

    title: str
    items: list[CardItem]


def card(answer: RiskAnswer, catalogue: Catalogue) -> Card:
    """The card of the risks of a seat, in the language of the catalogue."""
    tiles = sorted(answer["tiles"].items(), key=lambda item: item[1]["points"])
    rows = [_opponent(one, catalogue) for one in answer["opponents"]]
    rows += [_tile(name, risk, catalogue) for name, risk in tiles]
    return {"title": catalogue("card.title"), "items": rows}


def card_without_risks(problem: str, catalogue: Catalogue) -> Card:
    """The card that replaces the last one while there are no risks; the reason is in English."""
    row: CardItem = {"label": catalogue("card.out_of_step"), "note": problem}
    return {"title": catalogue("card.title"), "items": [row]}


def _opponent(opponent: OpponentAnswer, catalogue: Catalogue) -> CardItem:
    return {
        "label": catalogue(f"seat.{opponent['name']}"),
        "note": term(catalogue, opponent["type"]),
        "value": catalogue("position.tenpai", p=f"{100 * opponent['tenpai']:.0f}"),
    }


def _tile(name: str, risk: TileAnswer, catalogue: Catalogue) -> CardItem:
    right, across, left = (f"{100 * p:.1f}" for p in risk["by_opponent"])
    return {
        "label": catalogue("card.loss", points=risk["points"]),
        "note": catalogue("card.by_opponent", right=right, across=across, left=left),
        "pais": [name],
        "value": f"{100 * risk['deal_in']:.1f}%",
        "color": _color(risk["deal_in"]),
    }


def _color(deal_in: float) -> str:
    return SAFE if deal_in < _MOST_SAFE else RISKY if deal_in < _MOST_RISKY else DANGEROUS
