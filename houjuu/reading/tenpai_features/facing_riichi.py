"""Features of pushing and folding against another player's riichi."""

from __future__ import annotations

from houjuu.reading import table1
from houjuu.reading.opponent import OpponentContext
from houjuu.reading.safety import GENBUTSU, HALF_SUJI

NOT_YET, NO_RIICHI = 5, 6
"""Stand for a safety class (`houjuu.reading.safety`): no discard since the riichi; no riichi."""


def tedashi_after_riichi(context: OpponentContext) -> int:
    """Tedashi while another was in riichi (table 1)."""
    return table1.tedashi_after_riichi(context.seat)


def dangerous_discards(context: OpponentContext) -> int:
    """Discards that were not genbutsu to another's riichi."""
    return sum([safety > GENBUTSU for safety, _ in context.faced]) if context.faced else 0


def dangerous_discards_without_suji(context: OpponentContext) -> int:
    """Dangerous discards of a suit that were not suji."""
    return sum([safety >= HALF_SUJI for safety, _ in context.faced]) if context.faced else 0


def dangerous_tedashi_without_suji(context: OpponentContext) -> int:
    """Dangerous tedashi of a suit that were not suji."""
    return (
        sum([safety >= HALF_SUJI and tedashi for safety, tedashi in context.faced])
        if context.faced
        else 0
    )


def last_discard_safety(context: OpponentContext) -> int:
    """0–6, safety class of the last discard to a riichi, `NOT_YET` or `NO_RIICHI`."""
    return _safety(context, 1)


def second_last_discard_safety(context: OpponentContext) -> int:
    """0–6, the same of the second last discard."""
    return _safety(context, 2)


def riichi_faced(context: OpponentContext) -> int:
    """0–3 others in riichi at the last discard."""
    return context.seat.river[-1].others_in_riichi if context.river.kinds else 0


def _safety(context: OpponentContext, discards_ago: int) -> int:
    if context.faced is None:
        return NO_RIICHI
    return context.faced[-discards_ago][0] if len(context.faced) >= discards_ago else NOT_YET


FEATURES = (
    tedashi_after_riichi,
    dangerous_discards,
    dangerous_discards_without_suji,
    dangerous_tedashi_without_suji,
    last_discard_safety,
    second_last_discard_safety,
    riichi_faced,
)

WITHOUT_RIICHI = (0, 0, 0, 0, NO_RIICHI, NO_RIICHI, 0)
"""The features while no other seat is in riichi."""
