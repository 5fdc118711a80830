"""``meta``: the risks of a seat as JSON for overlays and other programs.

The schema and its versions are documented in docs/meta.md.
"""

from __future__ import annotations

from typing import Any

from houjuu.game.table import View
from houjuu.game.tiles import KIND, RED_FIVES, mjai_name
from houjuu.live import Live
from houjuu.risk.deal_in import DealIn

SCHEMA = "houjuu/1"
"""Name and version of the schema; the number changes if a key changes its meaning or goes away."""

_DIGITS = 6  # of a probability, after the point


def meta(live: Live) -> dict[str, Any]:
    """The risks of the seat's current view, as in docs/meta.md.

    Parameters
    ----------
    live : Live
        In step, or out of step: then the reason replaces the risks.

    Returns
    -------
    dict
        For `json.dumps`. Seats are absolute; tile names are those of mjai; probabilities are 0–1
        and rounded to 6 digits; points are rounded to whole points.

    Raises
    ------
    Error
        It is in step, but there is no round or no seat.
    """
    model = live.estimator.model
    if not live.in_step:
        return {**_start(model, live.seat, in_step=False), "problem": live.problem}
    return view_meta(live.view, live.risk(), model)


def view_meta(view: View, risk: DealIn, model: str) -> dict[str, Any]:
    """`meta` of a seat in step, from its view and the risk that the model of this name gives."""
    return {
        **_start(model, view.seat, in_step=True),
        "tenpai": _by_seat(view, risk.tenpai.tolist()),
        "tiles": _tiles(view, risk),
    }


def _start(model: str, seat: int | None, *, in_step: bool) -> dict[str, Any]:
    return {"schema": SCHEMA, "model": model, "seat": seat, "in_step": in_step}


def _tiles(view: View, risk: DealIn) -> dict[str, dict[str, Any]]:
    """The risk of each distinct tile in hand, by name, in the order of the tiles."""
    any_ = risk.any.tolist()
    by_opponent = risk.by_opponent.T.tolist()
    points = risk.points.tolist()
    names = {
        mjai_name(tile, red_fives=view.rules.red_fives): tile
        for tile in sorted(view.hand, reverse=True)
    }
    return {
        name: {
            "deal_in": round(any_[KIND[tile]], _DIGITS),
            "points": round(risk.points_of(tile) if tile in RED_FIVES else points[KIND[tile]]),
            "by_seat": _by_seat(view, by_opponent[KIND[tile]]),
        }
        for name, tile in reversed(names.items())
    }


def _by_seat(view: View, by_opponent: list[float]) -> list[float | None]:
    """Probabilities of right, across and left, by absolute seat; None for the own seat."""
    result: list[float | None] = [None] * 4
    for opponent, probability in zip(view.opponents, by_opponent, strict=True):
        result[opponent.seat] = round(probability, _DIGITS)
    return result
