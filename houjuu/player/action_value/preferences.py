"""The preferences of phoenix players beyond the values of the models.

The models see hands after the choices of good players: hands were opened when it was good to open
them, for reasons that shanten, useful tiles and points do not show. A conditional logit of the
choices themselves corrects for that. Its logit of an action is a weight times the value plus a few
terms; divided by that weight, the terms are points too, and one more part of the value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from houjuu import parameters
from houjuu.arrays import Floats
from houjuu.errors import ParameterError
from houjuu.player.fitted import FittedModel
from houjuu.tiles import HONOURS, SUIT

MODEL = "preferences"
SHIPPED = "fitted/player/preferences.npz"

_UNIT = 1000.0
"""Unit of the values in the logit, points."""

_MAX_VALUE = 4.0
"""A larger difference to the best action of a decision counts as this one, in `_UNIT`."""

_NEAR = 3
_EARLY = 45  # tiles left
_CALLS = ("CHI", "PON", "DAIMINKAN")
_OWN_KANS = ("ANKAN", "KAKAN")


class Option(NamedTuple):
    """An action and the hand that it leaves.

    Attributes
    ----------
    type : str
        The name of riichienv's type of action, such as "DISCARD" or "PON".
    value : float
        By the models, unit: points.
    shanten, ways, points : float
        As in `houjuu.player.hand_value.value.Outlook`; of an action that ends the round 0.
    closed : bool
        Whether the hand is closed after the action.
    was_closed : bool
        Whether it is closed before.
    facing_riichi : bool
        Whether an opponent is in riichi.
    tiles_left : int
    isolated : int
        An index into `ISOLATED` where the discard has no tile near it in the hand; else -1.
    dora : int
        Dora that the discard gives up, red fives included.
    """

    type: str
    value: float
    shanten: float
    ways: float
    points: float
    closed: bool
    was_closed: bool
    facing_riichi: bool
    tiles_left: int
    isolated: int
    dora: int


ISOLATED = ("guest wind", "yakuhai", "terminal", "2 or 8", "3 to 7")
"""Classes of isolated tiles."""


def isolated(kind: int, hand: Sequence[int], yakuhai: Sequence[int]) -> int:
    """The class of an isolated discard, an index into `ISOLATED`; -1 with a tile near it.

    Parameters
    ----------
    kind : int
    hand : sequence of int
        Kinds of the concealed tiles, the discard included.
    yakuhai : sequence of int
        Kinds of which a triplet is a yaku.
    """
    reach = 0 if SUIT[kind] == HONOURS else 2
    near = [other for other in hand if SUIT[other] == SUIT[kind] and abs(other - kind) <= reach]
    if len(near) > 1:
        return -1
    if SUIT[kind] == HONOURS:
        return int(kind in yakuhai)
    return {0: 2, 8: 2, 1: 3, 7: 3}.get(kind % 9, 4)


TERMS = (
    "value",
    "value, facing a riichi",
    "farther from tenpai",
    "farther from tenpai, facing a riichi",
    "useful tiles, near",
    "useful tiles, far",
    "useful tiles, facing a riichi",
    "points, near",
    "points, far",
    "han, far",
    "dora given up",
    "dora given up, facing a riichi",
    *(f"discards an isolated {name}" for name in ISOLATED),
    *(f"discards an isolated {name}, early" for name in ISOLATED),
    *(f"call into shanten {shanten}" for shanten in ("0", "1", "2", "3 or more")),
    "call with a closed hand",
    "chi",
    "call facing a riichi",
    "open kan",
    "riichi",
    "riichi facing a riichi",
    "closed or added kan",
    "kan facing a riichi",
    "win",
    "abort",
)
"""Names of the terms: those of the value, and the preferences."""

_N_VALUES = 2


def terms(options: Sequence[Option]) -> Floats:
    """The terms of the actions of one decision, (n, terms)."""
    values = np.array([option.value for option in options]) / _UNIT
    nearest = min(option.shanten for option in options)
    table = np.zeros((len(options), len(TERMS)))
    table[:, 0] = np.maximum(values - values.max(), -_MAX_VALUE)
    for row, option in zip(table, options, strict=True):
        row[1] = row[0] * option.facing_riichi
        row[_N_VALUES:] = _terms(option, nearest)
    return table


def _terms(option: Option, nearest: float) -> list[float]:
    """All terms but those of the value."""
    riichi = float(option.facing_riichi)
    near = float(option.shanten < _NEAR)
    farther = option.shanten - nearest
    ways, points = np.log(option.ways + 0.5), np.log2(max(option.points, 500.0) / 4000.0)
    call = float(option.type in _CALLS)
    kan = float(option.type in _OWN_KANS)
    declares = float(option.type == "RIICHI")
    early = float(option.tiles_left > _EARLY)
    alone = [float(option.isolated == index and not riichi) for index in range(len(ISOLATED))]
    into = [call * (min(option.shanten, 3) == shanten) for shanten in range(4)]
    return [
        farther,
        farther * riichi,
        ways * near,
        ways * (1 - near),
        ways * riichi,
        points * near,
        points * (1 - near),
        np.log(np.log2(max(option.points, 500.0) / 500.0) + 0.1) * (1 - near),
        float(option.dora),
        option.dora * riichi,
        *alone,
        *(early * flag for flag in alone),
        *into,
        call * option.was_closed,
        float(option.type == "CHI"),
        call * riichi,
        float(option.type == "DAIMINKAN"),
        declares,
        declares * riichi,
        kan,
        kan * riichi,
        float(option.type in ("TSUMO", "RON")),
        float(option.type == "KYUSHU_KYUHAI"),
    ]


@dataclass(frozen=True)
class PreferenceModel:
    """The fitted weights.

    Parameters
    ----------
    weights : (terms,) array

    Raises
    ------
    ParameterError
        The shape is wrong, a weight is absurd, or the value has no positive weight.
    """

    weights: Floats

    def __post_init__(self) -> None:
        if self.weights.shape != (len(TERMS),):
            found = self.weights.shape
            raise ParameterError(f"the weights of preferences have the shape {found}")
        parameters.require_weights("the weights of preferences", self.weights)
        if self.weights[0] <= 0 or self.weights[:_N_VALUES].sum() <= 0:
            raise ParameterError("the weight of the value in the preferences is not positive")

    def points(self, options: Sequence[Option]) -> Floats:
        """The worth of the terms beside the value, (n,), unit: points."""
        beyond = terms(options)[:, _N_VALUES:] @ self.weights[_N_VALUES:]
        of_value = self.weights[0] + self.weights[1] * options[0].facing_riichi
        return np.asarray(_UNIT * (beyond - beyond.max()) / of_value)


FITTED = FittedModel(MODEL, "preferences", SHIPPED, {"terms": list(TERMS)}, PreferenceModel)
load, from_parameters = FITTED.load, FITTED.from_parameters
