"""What an opponent shows beyond table 1 of Kurita & Hoki 2017: the numbers of the model "houjuu".

Each is a plain function of a `Case` of a module here, and an entry of `SIGNS`, which gives
it a name and a unit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from houjuu.cases import Case
from houjuu.signs import facing, game, last_discards, melds, pace, river

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Sign:
    """One number: its name, its unit or range, and how it is read."""

    name: str
    unit: str
    read: Callable[[Case], int]


def _sign(read: Callable[[Case], int]) -> Sign:
    unit = (read.__doc__ or "").splitlines()[0].rstrip(".")
    return Sign(read.__name__, unit, read)


SECTIONS: dict[str, tuple[Callable[[Case], int], ...]] = {
    "its pace": pace.SIGNS,
    "its river": river.SIGNS,
    "its last discards": last_discards.SIGNS,
    "pushing and folding": facing.SIGNS,
    "its melds": melds.SIGNS,
    "the game": game.SIGNS,
}
"""What the signs tell of, in words, and the signs."""

SIGNS = tuple(_sign(read) for signs in SECTIONS.values() for read in signs)
"""Every sign, in the order of the parameter file's columns."""


def read(case: Case) -> list[int]:
    """All signs of an opponent, in the order of `SIGNS`."""
    return [sign.read(case) for sign in SIGNS]
