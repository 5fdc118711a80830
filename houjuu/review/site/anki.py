"""The drills as a deck for Anki: a CSV whose cards are text, one kilobyte each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from houjuu.review.page_types import HandPosition
from houjuu.review.site.drill import PlacedDrill
from houjuu.review.site.drills import ShownDrill, shown_drill
from houjuu.util.csv_text import csv_text
from houjuu.util.languages import Catalogue, written
from houjuu.util.languages.names import tile_names

HEAD = "#separator:Comma\n#html:true\n#columns:Front,Back,Tags\n#tags column:3\n"
"""What Anki reads before the rows."""

_PLACES = ("you", "right", "across", "left")
_MARKS = {"'": "<small>{}</small>", "*": "<b>[{}]</b>", "~": "<s>{}</s>"}
"""Tsumogiri are small, the riichi tile stands in brackets, a called one is crossed out."""


def deck(placed: Sequence[PlacedDrill], t: Catalogue) -> str:
    """A row for each drill: the question with its position, the answer with its sentence, tags."""
    shown = ((shown_drill(one, t), one.drill["position"]) for one in placed)
    return HEAD + csv_text(
        [_front(one, position, t), _back(one, t), f"houjuu::{one['mistake']}"]
        for one, position in shown
    )


def _front(drill: ShownDrill, position: HandPosition, t: Catalogue) -> str:
    answers = "".join(f"<li>{escape(one['label'])}</li>" for one in drill["answers"])
    rows = "".join(f"<tr><td>{'</td><td>'.join(row)}</td></tr>" for row in _rows(position, t))
    return (
        f"<p><b>{escape(drill['title'])}</b> {escape(drill['question'])}</p>"
        f"<table>{rows}</table><ul>{answers}</ul>"
    )


def _rows(position: HandPosition, t: Catalogue) -> Iterator[tuple[str, str]]:
    """The table in words: indicators, each seat with its melds and its river, the own hand."""
    tiles_left = t("page.tiles_left", n=position["tiles_left"])
    indicators = _tiles(position["indicators"], t)
    yield "", t("page.described_table", indicators=indicators, tiles=tiles_left)
    for seat in (3, 2, 1, 0):
        public, score = position["seats"][seat], written(position["scores"][seat])
        wind = t(f"wind.short.{(seat - position['dealer']) % 4}")
        melds = [_tiles([*meld["own"], *meld["called"]], t) for meld in public["melds"]]
        riichi = [t("term.riichi")] * public["riichi"]
        name = f"{t(f'seat.{_PLACES[seat]}')} {wind}"
        lines = [" · ".join([score, *riichi, *melds]), _tiles(public["river"], t)]
        yield f"<b>{name}</b>", "<br/>".join(lines)
    *rest, last = position["hand"]
    gap = " + " if position["drawn"] else " "
    yield f"<b>{t('page.hand')}</b>", _tiles(rest, t) + gap + _tiles([last], t)


def _tiles(tiles: Sequence[str], t: Catalogue) -> str:
    names = []
    for tile in tiles:
        name = escape(tile_names(t, tile[:2]))
        for mark in tile[2:]:
            name = _MARKS[mark].format(name)
        names.append(name)
    return " ".join(names)


def _back(drill: ShownDrill, t: Catalogue) -> str:
    (right,) = (one["label"] for one in drill["answers"] if one["right"])
    name = t(f"page.class.{drill['mistake']}")
    return f"<p><b>{escape(right)}</b></p><p>{escape(name)}: {escape(drill['why'])}</p>"
