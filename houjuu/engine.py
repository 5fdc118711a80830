"""riichienv's words for ours: winds and melds."""

from __future__ import annotations

from typing import Any

from riichienv import Meld as EngineMeld
from riichienv import MeldType, Wind

from houjuu.events import Meld, MeldKind

WINDS = (Wind.East, Wind.South, Wind.West, Wind.North)

_MELD_TYPES = {
    MeldKind.CHI: MeldType.Chi,
    MeldKind.PON: MeldType.Pon,
    MeldKind.DAIMINKAN: MeldType.Daiminkan,
    MeldKind.ANKAN: MeldType.Ankan,
    MeldKind.KAKAN: MeldType.Kakan,
}


def engine_meld(meld: Meld) -> Any:
    """A meld as riichienv has it."""
    return EngineMeld(_MELD_TYPES[meld.kind], list(meld.tiles), meld.is_open, meld.source or 0)
