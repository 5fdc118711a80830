"""The drills as a deck for Anki: a CSV with the pictures in its cells."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from html import escape

from houjuu.review.site.drill import PlacedDrill
from houjuu.review.site.drills import ShownDrill, shown_drill
from houjuu.util.csv_text import csv_text
from houjuu.util.languages import Catalogue

HEAD = "#separator:Comma\n#html:true\n#columns:Front,Back,Tags\n#tags column:3\n"
"""What Anki reads before the rows."""


def deck(placed: Sequence[PlacedDrill], t: Catalogue) -> str:
    """A row for each drill: the question with its picture, the answer with its sentence, tags."""
    shown = (shown_drill(one, t, with_drawings=True) for one in placed)
    return HEAD + csv_text(
        [_front(one), _back(one, t), f"houjuu::{one['mistake']}"] for one in shown
    )


def _front(drill: ShownDrill) -> str:
    picture = base64.b64encode(drill["picture"].encode()).decode()
    answers = "".join(f"<li>{escape(one['label'])}</li>" for one in drill["answers"])
    return (
        f"<p><b>{escape(drill['title'])}</b> {escape(drill['question'])}</p>"
        f'<img src="data:image/svg+xml;base64,{picture}"><ul>{answers}</ul>'
    )


def _back(drill: ShownDrill, t: Catalogue) -> str:
    (right,) = (one["label"] for one in drill["answers"] if one["right"])
    name = t(f"page.class.{drill['mistake']}")
    return f"<p><b>{escape(right)}</b></p><p>{escape(name)}: {escape(drill['why'])}</p>"
