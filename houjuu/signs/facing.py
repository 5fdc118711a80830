"""Pushing and folding against another player's riichi."""

from __future__ import annotations

from houjuu import reading
from houjuu.cases import GENBUTSU, HALF_SUJI, NO_RIICHI, NOT_YET, Case


def tedashi_after_riichi(case: Case) -> int:
    """Tedashi while another was in riichi (table 1)."""
    return reading.tedashi_after_riichi(case.seat)


def pushes(case: Case) -> int:
    """Discards that another riichi might have won on."""
    return sum(danger > GENBUTSU for danger, _ in case.faced or ())


def pushes_without_suji(case: Case) -> int:
    """Those of the pushes that were of a suit and not suji."""
    return sum(danger >= HALF_SUJI for danger, _ in case.faced or ())


def tedashi_without_suji(case: Case) -> int:
    """Those of them that were tedashi."""
    return sum(danger >= HALF_SUJI and tedashi for danger, tedashi in case.faced or ())


def last_faced(case: Case) -> int:
    """0–6, what the last discard was to a riichi (`GENBUTSU` and so on)."""
    return _back(case, 1)


def last_faced_but_one(case: Case) -> int:
    """0–6, what the discard before the last was to a riichi."""
    return _back(case, 2)


def riichi_faced(case: Case) -> int:
    """0–3 others in riichi at the last discard."""
    return case.seat.river[-1].others_in_riichi if case.kinds else 0


def _back(case: Case, many: int) -> int:
    if case.faced is None:
        return NO_RIICHI
    return case.faced[-many][0] if len(case.faced) >= many else NOT_YET


SIGNS = (
    tedashi_after_riichi,
    pushes,
    pushes_without_suji,
    tedashi_without_suji,
    last_faced,
    last_faced_but_one,
    riichi_faced,
)
