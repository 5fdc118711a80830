"""The text of ``houjuu danger``: the position, a line for each tile, the parts of a risk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from houjuu.deal_in import DealIn
from houjuu.opponent_risk import Term
from houjuu.table import RiverTile, Seat, View
from houjuu.tiles import EAST, KIND, format_tiles, kind_name

WINDS = "東南西北"
_OPPONENTS = ("right", "across", "left")
_MOST_TERMS = 4  # waits or scores listed for one opponent
_LEAST_LISTED = 0.00005  # unit: probability; reasons below it are left out


def table_text(view: View) -> str:
    """The position as text. River marks: ' tsumogiri, * riichi, ~ called."""
    dora = format_tiles(view.dora_indicators)
    lines = [
        f"{WINDS[view.round // 4 % 4]}{view.round % 4 + 1}局 {view.honba}本場, "
        f"{view.riichi_sticks} sticks, {view.tiles_left} tiles left, indicator {dora}"
    ]
    seats = (view.seats[view.seat], *view.opponents)
    for name, seat in zip(("self", *_OPPONENTS), seats, strict=True):
        lines.append(_seat_text(view, name, seat))
    return "\n".join([*lines, f"hand    {_hand_text(view)}"])


def _seat_text(view: View, name: str, seat: Seat) -> str:
    wind = WINDS[view.seat_wind(seat.seat) - EAST]
    river = " ".join(_river_text(discard) for discard in seat.river)
    melds = "".join(f" [{meld.kind} {format_tiles(meld.tiles)}]" for meld in seat.melds)
    return f"{name:7} {wind} {view.scores[seat.seat]:6}  {river}{melds}"


def _river_text(discard: RiverTile) -> str:
    marks = ("'" * discard.tsumogiri, "*" * discard.riichi, "~" * (discard.called_by is not None))
    return format_tiles([discard.tile]) + "".join(marks)


def _hand_text(view: View) -> str:
    undrawn = [tile for tile in view.hand if tile != view.drawn]
    return format_tiles(undrawn) + (
        "" if view.drawn is None else f" + {format_tiles([view.drawn])}"
    )


def danger_text(view: View, risk: DealIn, chosen: int) -> str:
    """A line for each tile of the hand, the lowest expected loss first; > marks the discard."""
    names = [
        f"{name} {opponent.opponent_type}"
        for name, opponent in zip(_OPPONENTS, risk.opponents, strict=True)
    ]
    lines = ["tile   " + "".join(f"{name:>16}" for name in names) + f"{'any':>9}{'points':>9}"]
    tenpai = "".join(f"{100 * p:15.1f}%" for p in risk.tenpai)
    lines.append(f"tenpai {tenpai}")
    points = {format_tiles([tile]): (risk.points_of(tile), KIND[tile]) for tile in view.hand}
    for name, (expected, kind) in sorted(points.items(), key=lambda item: item[1]):
        probabilities = "".join(f"{100 * p:15.2f}%" for p in risk.by_opponent[:, kind])
        mark = ">" if name == format_tiles([chosen]) else " "
        lines.append(f"{mark} {name:5}{probabilities}{100 * risk.any[kind]:8.2f}%{expected:9.0f}")
    return "\n".join(lines)


def explanation_texts(risk: DealIn, kind: int) -> Iterator[str]:
    """Yield the parts of the risk of a kind for each opponent, in percentage points."""
    for name, explanation in zip(_OPPONENTS, risk.explain(kind), strict=True):
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
