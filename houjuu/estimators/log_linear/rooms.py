"""Factors by room: players of other rooms are tenpai at other times than those of the fit.

The factors of a room change the weights once, so that every answer and explanation has them. A
penalty pulls them to other factors where they are fitted. Its strength is the one with the lowest
loss on kept games: each tenth of the games judges the fit to the others. Factors that gain less
there than their standard error stay.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from houjuu.estimators.log_linear.tenpai_gam import MELD_GROUPS, NO_EDGE
from houjuu.game.rules import ROOMS
from houjuu.util.arrays import Bools, Floats, Ints, sigmoid
from houjuu.util.errors import ParameterError
from houjuu.util.features import columns_of
from houjuu.util.game_hashes import Hashes
from houjuu.util.intervals import clustered_mean
from houjuu.util.json_types import RoomName
from houjuu.util.parameters import Array, Parameters, require_range

PART = "rooms"
"""The part of a parameter file with the factors."""
DEFAULT_ROOM: RoomName = "phoenix"
"""The room of games whose own is unknown."""
_ABOVE = {"general": "advanced", "advanced": "expert"}
FACED = "riichi_faced"
"""The feature that tells whether the last discard of an opponent faced a riichi."""
UNCHANGED = (1.0, 1.0, 0.0, 0.0)
PULLS = (1000.0, 100.0, 10.0)
"""Strengths of the penalty: so many rows speak for the factors of the model."""
_FOLDS = np.arange(10, dtype=np.uint64)
_STEPS = 30  # of Newton's method, at most
_STEP = 1e-9  # the last one
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
        """`tenpai` and `waits` of a room, else of the one above, else without change."""
        names = self.names.tolist()
        while room not in names:
            if room == DEFAULT_ROOM:
                return np.tile(UNCHANGED, (MELD_GROUPS, 1)), np.ones(2)
            room = _ABOVE.get(room, DEFAULT_ROOM)
        i = names.index(room)
        return self.tenpai[i], self.waits[i]


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


class Rows(Protocol):
    """Rows of a part, and how its factors fit them."""

    @property
    def game(self) -> Hashes:
        """A hash of the game of each row, (m,)."""
        ...

    def fit(self, chosen: Bools, prior: Floats, pull: float) -> Floats:
        """Factors of some rows, pulled to those of `prior`."""
        ...

    def losses(self, factors: Floats) -> Floats:
        """The log loss of each row, nats, (m,)."""
        ...


class TenpaiRows(NamedTuple):
    """Opponents without riichi.

    Attributes
    ----------
    terms : (m, k) array
        Of the logit. Those of a room: the terms of the GAM and of the network, 1, and whether the
        last discard faced a riichi.
    melds : (m,) array
        Open melds, 0–3.
    label : (m,) array
        Whether the opponent is tenpai.
    game : (m,) array
        A hash of the game.
    """

    terms: Floats
    melds: Ints
    label: Bools
    game: Hashes

    def fit(self, chosen: Bools, prior: Floats, pull: float) -> Floats:
        """`RoomFactors.tenpai` of a room; see `Rows.fit`."""
        return np.array(
            [self._line(chosen & (self.melds == f), prior[f], pull) for f in range(MELD_GROUPS)]
        )

    def _line(self, chosen: Bools, prior: Floats, pull: float) -> Floats:
        terms, label = self.terms[chosen], self.label[chosen]
        factors, penalty = prior.copy(), pull * np.eye(len(prior))
        for _ in range(_STEPS):
            predicted = sigmoid(terms @ factors)
            gradient = terms.T @ (predicted - label) + penalty @ (factors - prior)
            weighted = terms * (predicted * (1 - predicted))[:, None]
            step = np.linalg.solve(weighted.T @ terms + penalty, gradient)
            factors = factors - step / max(abs(step).max(), 1.0)  # rare outcomes overshoot
            if abs(step).max() < _STEP:
                break
        return factors

    def losses(self, factors: Floats) -> Floats:
        """See `Rows.losses`."""
        logits = (factors[self.melds] * self.terms).sum(axis=1)
        return np.asarray(np.logaddexp(0.0, logits) - self.label * logits)


class Gain(NamedTuple):
    """The log loss that factors take off a row of games that they have not seen.

    `half` is half of its 95% interval. The `pull` is None where the factors stay as they were.
    """

    gain: float
    half: float
    pull: float | None


def fitted(rows: Rows, prior: Floats) -> tuple[Floats, Gain]:
    """The factors of the rows, and what they gain."""
    best, chosen = Gain(0.0, float("nan"), None), prior
    fold = (rows.game >> np.uint64(32)) % np.uint64(len(_FOLDS))
    before = rows.losses(prior)
    for pull in PULLS:
        after = before.copy()
        for kept in fold == _FOLDS[:, None]:
            after[kept] = rows.losses(rows.fit(~kept, prior, pull))[kept]
        gain = Gain(*clustered_mean(before - after, rows.game), pull)
        if gain.gain > max(best.gain, gain.half / 2):  # about a standard error
            best, chosen = gain, rows.fit(fold >= 0, prior, pull)
    return chosen, best
