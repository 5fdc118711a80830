"""Factors by room: players of other rooms are tenpai at other times than those of the fit.

The factors of a room change the weights once, so that every answer and explanation has them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from houjuu.estimators.log_linear.tenpai_gam import MELD_GROUPS, NO_EDGE
from houjuu.game.rules import ROOMS
from houjuu.util.arrays import Floats
from houjuu.util.errors import ParameterError
from houjuu.util.features import columns_of
from houjuu.util.json_types import RoomName
from houjuu.util.parameters import Array, Parameters, require_range

PART = "rooms"
"""The part of a parameter file with the factors."""
DEFAULT_ROOM: RoomName = "phoenix"
"""The room of games whose own is unknown."""
FACED = "riichi_faced"
"""The feature that tells whether the last discard of an opponent faced a riichi."""
UNCHANGED = (1.0, 1.0, 0.0, 0.0)
_LIMIT = 3.0  # of factors; the weights that they change stay below the limit of a weight


@dataclass(frozen=True)
class RoomFactors:
    """The factors of r rooms.

    Parameters
    ----------
    names : (r,) array of str
        Of `houjuu.game.rules.ROOMS`.
    tenpai : (r, 4, 4) array
        By open melds: the factors of the GAM and of the network in the logit of P(tenpai), a
        constant, and another where the opponent's last discard faced a riichi.
    waits : (r, 2) array
        Factors of P(wins on the kind | tenpai) of silent and of open hands.

    Raises
    ------
    ParameterError
        A shape is wrong, or a number is out of its range.
    """

    names: npt.NDArray[np.str_]
    tenpai: Floats
    waits: Floats

    def __post_init__(self) -> None:
        columns_of(self.names.tolist(), [*ROOMS.values()], "names of the factors of rooms")
        rooms = len(self.names)
        shapes = self.tenpai.shape, self.waits.shape
        if shapes != ((rooms, MELD_GROUPS, len(UNCHANGED)), (rooms, 2)):
            names = "names, tenpai and waits of the factors of rooms"
            raise ParameterError(f"{names} have the shapes {(rooms,)}, {shapes}")
        require_range("`tenpai` of the factors of rooms", self.tenpai, -_LIMIT, _LIMIT)
        require_range("`waits` of the factors of rooms", self.waits, 1 / _LIMIT, _LIMIT)

    @classmethod
    def from_parameters(cls, parameters: Parameters) -> RoomFactors:
        """Those of a parameter file; of no room where it has none."""
        if parameters.has(PART):
            return cls(**parameters.part(PART))
        shape = 0, MELD_GROUPS, len(UNCHANGED)
        return cls(np.zeros(0, "U"), np.zeros(shape), np.zeros((0, 2)))

    def of_room(self, room: str) -> tuple[Floats, Floats]:
        """`tenpai` and `waits` of a room, else of the default one, else without change."""
        names = self.names.tolist()
        for name in (room, DEFAULT_ROOM):
            if name in names:
                i = names.index(name)
                return self.tenpai[i], self.waits[i]
        return np.tile(UNCHANGED, (MELD_GROUPS, 1)), np.ones(2)


def in_room(parameters: Parameters, room: str | None) -> Parameters:
    """The parameters with the factors of a room in their weights; None for those of no room."""
    arrays = {k: a for k, a in parameters.arrays.items() if not k.startswith(PART)}
    if room is not None:
        tenpai, waits = RoomFactors.from_parameters(parameters).of_room(room)
        arrays |= with_line(arrays, tenpai) | _waits(arrays, waits)
    return Parameters(parameters.header, arrays, parameters.digest)


def with_line(arrays: Mapping[str, Array], factors: Floats) -> dict[str, Array]:
    """The weights of P(tenpai) that factors change, as `RoomFactors.tenpai` of one room."""
    of_gam, of_network, constant, faced = factors.T[..., None]
    weights = of_gam * arrays["tenpai_gam/weights"]
    names, edges = arrays["tenpai_gam/names"].tolist(), arrays["tenpai_gam/fine"]
    if FACED in names and 1 in (its_edges := edges[names.index(FACED)].tolist()):
        ends = np.cumsum((edges != NO_EDGE).sum(axis=1) + 1)
        end = int(ends[names.index(FACED)])
        n_bins = its_edges.index(NO_EDGE) - its_edges.index(1)
        weights[:, end - n_bins : end] += faced
    changed = {
        "tenpai_gam/weights": weights,
        "tenpai_gam/bias": of_gam[:, 0] * arrays["tenpai_gam/bias"] + constant[:, 0],
    }
    for name, factor in (("output", of_network), ("constant", of_network[:, 0])):
        if f"discard_network/{name}" in arrays:
            changed[f"discard_network/{name}"] = factor * arrays[f"discard_network/{name}"]
    return changed


def _waits(arrays: Mapping[str, Array], waits: Floats) -> dict[str, Array]:
    changed = {
        f"closed_waits/{name}": waits[0] * arrays[f"closed_waits/{name}"]
        for name in ("scale", "floor")
    }
    scale = waits[1] * arrays["melded_waits/scale"]
    scale[-1] = min(scale[-1], 1.0)  # with four melds one tile waits for one kind
    return {**changed, "melded_waits/scale": scale}
