"""The answer as text: the best discard in a sentence, and a card for programs that show one.

The form of the card is ``meta.show`` of Akagi, ``mjai_bot/README.md`` of
https://github.com/shinkuan/Akagi.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypedDict

from houjuu.risk.answers import OPPONENTS, OpponentAnswer, TileAnswer, TileRisks
from houjuu.util.json_types import Keywords
from houjuu.util.languages import LANGUAGES, Catalogue, Language, translate
from houjuu.util.languages.glossary import term
from houjuu.util.languages.names import tile_names


class BestDiscard(TypedDict):
    """The discard with the lowest expected loss."""

    tile: Annotated[str, Keywords(example="N")]
    """Its name; of equal losses that with the lowest probability."""
    why: Mapping[Language, Annotated[str, Keywords(example="North costs least: …")]]
    """A sentence in each language: its risk, the opponent with the largest part of its loss,
    and the tile that comes next.
    """


def best_discard(answer: TileRisks) -> BestDiscard | None:
    """The discard with the lowest expected loss of an answer; None without tiles.

    The names of the tiles are those of a position, such as ``0p`` and ``1z``.
    """
    tiles = answer["tiles"]
    by_loss = sorted(tiles, key=lambda name: (tiles[name]["points"], tiles[name]["deal_in"]))
    if not by_loss:
        return None
    why = {language: _sentence(translate(language), answer, by_loss) for language in LANGUAGES}
    return {"tile": by_loss[0], "why": why}


def _sentence(t: Catalogue, answer: TileRisks, by_loss: list[str]) -> str:
    best, *others = by_loss
    risk = answer["tiles"][best]
    losses = risk["points_by_opponent"]
    values = {"tile": tile_names(t, best), "chance": f"{100 * risk['deal_in']:.1f}"}
    if max(losses) > 0:
        opponent = _opponent(t, answer, losses.index(max(losses)))
        text = t("why.best.risk", **values, points=risk["points"], opponent=opponent)
    else:
        text = t("why.best.safe", **values)
    if others:
        loss = answer["tiles"][others[0]]["points"]
        text = t("why.best.next", text=text, tile=tile_names(t, others[0]), points=loss)
    return t("why.sentence", text=text[:1].upper() + text[1:])


def _opponent(t: Catalogue, answer: TileRisks, index: int) -> str:
    opponent_type = answer["opponents"][index]["type"]
    state = opponent_type if opponent_type in ("riichi", "closed") else "melds"
    return t(f"why.opponent.{state}", seat=t(f"why.seat.{OPPONENTS[index]}"))


SAFE, RISKY, DANGEROUS = "#2e9e5b", "#d99a00", "#d1383d"
"""Colours of the rows of tiles."""

_MOST_SAFE, _MOST_RISKY = 0.02, 0.06  # unit: probability of dealing in


class _Optional(TypedDict, total=False):
    pais: Annotated[list[Annotated[str, Keywords(example="5mr")]], Keywords(length=1)]
    """The tile by its name in mjai."""
    value: Annotated[str, Keywords(example="3.6%")]
    """P(tenpai), or P(the tile deals in)."""
    color: Annotated[str, Keywords(pattern="^#[0-9a-f]{6}$", example="#d99a00")]
    """`SAFE`, `RISKY` or `DANGEROUS`, by the probability that the tile deals in."""


class CardItem(_Optional):
    """A row of a card; the last three keys may be absent."""

    label: Annotated[str, Keywords(example="−253")]
    """An opponent, the expected loss of a tile, or the sentence of a card without risks."""
    note: Annotated[str, Keywords(example="riichi")]
    """The type of the opponent; the probabilities by opponent; the reason why there are no
    risks.
    """


class Card(TypedDict):
    """A heading and its rows: the opponents, then the tiles, the lowest expected loss first."""

    title: Annotated[str, Keywords(example="Deal-in risk (houjuu)")]
    """The heading, with the name of the model."""
    items: list[CardItem]
    """The rows."""


def card(answer: TileRisks, model: str, catalogue: Catalogue) -> Card:
    """The card of the risks of a seat by a model, in the language of the catalogue."""
    tiles = sorted(answer["tiles"].items(), key=lambda item: item[1]["points"])
    rows = [_opponent_row(opponent, catalogue) for opponent in answer["opponents"]]
    rows += [_tile_row(name, risk, catalogue) for name, risk in tiles]
    room = answer["room"]
    if room is not None:
        model = catalogue("card.of_room", model=model, room=catalogue(f"page.room.{room}"))
    return {"title": catalogue("card.title", model=model), "items": rows}


def card_without_risks(problem: str, model: str, catalogue: Catalogue) -> Card:
    """The card that replaces the last one while there are no risks; the reason is in English."""
    row: CardItem = {"label": catalogue("card.out_of_step"), "note": problem}
    return {"title": catalogue("card.title", model=model), "items": [row]}


def _opponent_row(opponent: OpponentAnswer, catalogue: Catalogue) -> CardItem:
    return {
        "label": catalogue(f"seat.{opponent['name']}"),
        "note": term(catalogue, opponent["type"]),
        "value": catalogue("position.tenpai", p=f"{100 * opponent['tenpai']:.0f}"),
    }


def _tile_row(name: str, risk: TileAnswer, catalogue: Catalogue) -> CardItem:
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
