"""Features of pushing and folding against another player's riichi."""

from __future__ import annotations

from houjuu.reading import table1
from houjuu.reading.opponent import OpponentContext
from houjuu.reading.safety import GENBUTSU, HALF_SUJI
from houjuu.util.features import Feature, feature

NOT_YET, NO_RIICHI = 5, 6
"""Stand for a safety class (`houjuu.reading.safety`): no discard since the riichi; no riichi."""


@feature(of="riichi")
def dangerous_discards(context: OpponentContext) -> int:
    """Discards that were not genbutsu to another's riichi."""
    return sum([safety > GENBUTSU for safety, _ in context.faced]) if context.faced else 0


@feature(of="riichi")
def dangerous_discards_without_suji(context: OpponentContext) -> int:
    """Dangerous discards of a suit that were not suji."""
    return sum([safety >= HALF_SUJI for safety, _ in context.faced]) if context.faced else 0


@feature(of="riichi")
def dangerous_tedashi_without_suji(context: OpponentContext) -> int:
    """Dangerous tedashi of a suit that were not suji."""
    return (
        sum([safety >= HALF_SUJI and tedashi for safety, tedashi in context.faced])
        if context.faced
        else 0
    )


def _safety(context: OpponentContext, discards_ago: int) -> int:
    if context.faced is None:
        return NO_RIICHI
    return context.faced[-discards_ago][0] if len(context.faced) >= discards_ago else NOT_YET


_row = Feature[OpponentContext].row
FEATURES = (
    _row(
        "tedashi_after_riichi",
        "Tedashi while another was in riichi (table 1)",
        lambda context: table1.tedashi_after_riichi(context.seat),
        of="riichi",
    ),
    dangerous_discards,
    dangerous_discards_without_suji,
    dangerous_tedashi_without_suji,
    _row(
        "last_discard_safety",
        "0–6, safety class of the last discard to a riichi, `NOT_YET` or `NO_RIICHI`",
        lambda context: _safety(context, 1),
        of="riichi",
        without=NO_RIICHI,
    ),
    _row(
        "second_last_discard_safety",
        "0–6, the same of the second last discard",
        lambda context: _safety(context, 2),
        of="riichi",
        without=NO_RIICHI,
    ),
    _row(
        "riichi_faced",
        "0–3 others in riichi at the last discard",
        lambda context: context.seat.river[-1].others_in_riichi if context.river.kinds else 0,
        of="riichi",
    ),
)
