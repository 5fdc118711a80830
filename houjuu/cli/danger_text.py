"""The text of ``houjuu danger``: the position, a line for each tile, the parts of a risk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from houjuu.cli.decisions import japanese_round
from houjuu.deal_in import DealIn
from houjuu.notation import (
    SEAT_NAMES,
    WINDS,
    format_hand,
    format_melds,
    format_river,
    seat_name,
)
from houjuu.opponent_risk import Term
from houjuu.seat import Seat
from houjuu.tiles import EAST, KIND, format_tiles, kind_name
from houjuu.view import View

_MOST_TERMS = 4  # waits or scores listed for one opponent
_DIGITS = 6  # of a probability in JSON, after the point
_LEAST_LISTED = 0.00005  # unit: probability; reasons below it are left out


def table_text(view: View) -> str:
    """The position as text, in the notation of `houjuu.notation`."""
    dora = format_tiles(view.dora_indicators, red_fives=view.rules.red_fives)
    lines = [
        f"{japanese_round(view.round, view.honba)}, "
        f"{view.riichi_sticks} sticks, {view.tiles_left} tiles left, indicator {dora}"
    ]
    lines += [_seat_text(view, seat) for seat in (view.seats[view.seat], *view.opponents)]
    return "\n".join([*lines, f"hand    {format_hand(view)}"])


def _seat_text(view: View, seat: Seat) -> str:
    wind = WINDS[view.seat_wind(seat.seat) - EAST]
    river = format_river(seat, red_fives=view.rules.red_fives)
    melds = "".join(f" [{meld}]" for meld in format_melds(view, seat))
    return f"{seat_name(view, seat.seat):7} {wind} {view.scores[seat.seat]:6}  {river}{melds}"


def danger_text(view: View, risk: DealIn, chosen: int | None) -> str:
    """A line for each tile of the hand, the lowest expected loss first; > marks the discard."""
    red_fives = view.rules.red_fives

    def name_of(tile: int | None) -> str | None:
        return None if tile is None else format_tiles([tile], red_fives=red_fives)

    names = [
        f"{name} {opponent.opponent_type}"
        for name, opponent in zip(SEAT_NAMES[1:], risk.opponents, strict=True)
    ]
    lines = ["tile   " + "".join(f"{name:>16}" for name in names) + f"{'any':>9}{'points':>9}"]
    tenpai = "".join(f"{100 * p:15.1f}%" for p in risk.tenpai)
    lines.append(f"tenpai {tenpai}")
    points = {name_of(tile): (risk.points_of(tile), KIND[tile]) for tile in view.hand}
    for name, (expected, kind) in sorted(points.items(), key=lambda item: item[1]):
        probabilities = "".join(f"{100 * p:15.2f}%" for p in risk.by_opponent[:, kind])
        mark = ">" if name == name_of(chosen) else " "
        lines.append(f"{mark} {name:5}{probabilities}{100 * risk.any[kind]:8.2f}%{expected:9.0f}")
    return "\n".join(lines)


def explanation_texts(risk: DealIn, kind: int) -> Iterator[str]:
    """Yield the parts of the risk of a kind for each opponent, in percentage points."""
    for name, explanation in zip(SEAT_NAMES[1:], risk.explain(kind), strict=True):
        probability = f"{100 * explanation.probability:.2f}% for {kind_name(kind)}"
        lines = [f"{name} ({explanation.opponent_type}): {probability}"]
        terms = explanation.terms[:_MOST_TERMS]
        lines += _part_lines("score" if explanation.opponent_type.is_melded else "wait", terms)
        lines += _part_lines("reason", explanation.reasons)
        if explanation.tenpai_reasons:
            lines.append(f"  tenpai {100 * explanation.tenpai:.1f}%")
            lines += _part_lines("  reason", explanation.tenpai_reasons)
        yield "\n".join(lines)


def _part_lines(label: str, parts: Iterable[Term]) -> Iterator[str]:
    for part in parts:
        if abs(part.probability) >= _LEAST_LISTED:
            yield f"  {100 * part.probability:+8.2f}  {label}: {part.name}"


def explanation_dicts(risk: DealIn, kind: int) -> list[dict[str, Any]]:
    """The parts of the risk of a kind for each opponent, for JSON."""
    return [
        {
            "opponent": name,
            "deal_in": round(explanation.probability, _DIGITS),
            "tenpai": round(explanation.tenpai, _DIGITS),
            "genbutsu": explanation.genbutsu,
            "terms": _part_dicts(explanation.terms),
            "reasons": _part_dicts(explanation.reasons),
            "tenpai_reasons": _part_dicts(explanation.tenpai_reasons),
        }
        for name, explanation in zip(SEAT_NAMES[1:], risk.explain(kind), strict=True)
    ]


def _part_dicts(parts: Iterable[Term]) -> list[dict[str, Any]]:
    return [{"name": part.name, "probability": round(part.probability, _DIGITS)} for part in parts]
