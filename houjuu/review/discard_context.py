"""The situation in which a seat discards: who threatens it, and where the game stands."""

from __future__ import annotations

from enum import StrEnum

from houjuu.game.game_end import order
from houjuu.game.seat import Seat
from houjuu.game.view import View
from houjuu.review.page_types import DiscardSituation

_MANY_MELDS = 2  # unit: open melds of one opponent


class Threat(StrEnum):
    """The threats that a discard meets; each discard has exactly one."""

    FIRST_RIICHI = "first_riichi"
    """In riichi, declared before all others."""
    CHASING_RIICHI = "chasing_riichi"
    """In riichi, declared after another seat."""
    AGAINST_RIICHI = "against_riichi"
    """One opponent is in riichi."""
    AGAINST_RIICHIS = "against_riichis"
    """Two or three opponents are in riichi."""
    AGAINST_MELDS = "against_melds"
    """No opponent is in riichi, and one has at least two open melds."""
    NONE = "no_threat"


def discard_context(view: View) -> DiscardSituation:
    """The situation of the viewing seat before its discard."""
    return {
        "threat": _threat(view).value,
        "last_round": view.round >= view.rules.last_round,
        "leading": int(order(view.scores)[0]) == view.seat,
    }


def _threat(view: View) -> Threat:
    n_riichi = sum(opponent.in_riichi for opponent in view.opponents)
    own = view.seats[view.seat]
    if own.declared:
        return Threat.CHASING_RIICHI if _is_chasing(own, n_riichi) else Threat.FIRST_RIICHI
    if n_riichi:
        return Threat.AGAINST_RIICHI if n_riichi == 1 else Threat.AGAINST_RIICHIS
    n_melds = max(opponent.n_open_melds for opponent in view.opponents)
    return Threat.AGAINST_MELDS if n_melds >= _MANY_MELDS else Threat.NONE


def _is_chasing(own: Seat, n_riichi: int) -> bool:
    """Whether others were in riichi at the declaration, which may be the discard to come."""
    declared = next((tile for tile in own.river if tile.riichi), None)
    return bool(n_riichi if declared is None else declared.others_in_riichi)
