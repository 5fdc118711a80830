"""For how much a closed opponent wins: P(han | wins on a kind), as a conditional logit over 1–13.

In place of the one distribution of Kurita & Hoki 2017, equation 23, shifted by the dora and yakuhai
of the wait: what the tile is, the dora that nobody has seen, the turn and the river tell more.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from houjuu import evidence
from houjuu.choice import Bytes, Choice, Floats, Table, Tables, softmax
from houjuu.errors import ParameterError
from houjuu.evidence import WHOLE, Entry, Layout
from houjuu.tiles import HONOURS, IS_HONOUR, KINDS, SUIT
from houjuu.waits import FU, HAN

_OF_TILE = (
    Entry("tile", 8, "0–4 from 1 and 9 to 5, 5 + han of a triplet for honours"),
    Entry("tile_dora", 3, "how many times it is dora, 2 for more"),
    Entry("dora_near", 3, "dora within two ranks of it, 2 for more"),
    Entry("tile_in_suit", 9, "discards of its suit, 8 for more"),
)
LAYOUT = Layout((_OF_TILE, 1), (WHOLE, 1))
TILES = _OF_TILE[0].size

_ALL = np.arange(HAN)
_HERE = np.zeros(HAN, np.int64)
_RANK = np.array([min(kind % 9, 8 - kind % 9) for kind in range(KINDS)])
_HONOUR = np.array(IS_HONOUR)
_SUIT = np.array(SUIT)
_NEAR = np.array(
    [
        [SUIT[a] == SUIT[b] < HONOURS and 0 < abs(a - b) <= 2 for b in range(KINDS)]
        for a in range(KINDS)
    ],
    dtype=np.float64,
)

_LOOKS = [
    ("the tile", ["tile"]),
    ("dora", ["tile_dora", "dora_unseen"]),
    ("dora", ["dora_near"]),
    ("dora", ["indicators"]),
    ("discards of the suit", ["tile_in_suit"]),
    ("the turn", ["turn"]),
    ("the turn", ["since"]),
    ("the turn", ["wall"]),
    ("the riichi tile", ["riichi_tile"]),
    ("its honours", ["honours"]),
    ("its terminals and honours", ["yaochu", "tile"]),
    ("its pace", ["tedashi"]),
    ("who it is", ["dealer"]),
    ("other riichi", ["others_in_riichi"]),
    ("its closed kans", ["sets"]),
]
TABLES = Tables(
    [Table(name, _ALL, [(entry, _HERE) for entry in looks]) for name, looks in _LOOKS], LAYOUT
)
"""The tables over 1–13 han."""


_TOLD = {entry.name for entry in _OF_TILE}
_PARTS = [
    TABLES.some([i for i, (_, looks) in enumerate(_LOOKS) if bool(_TOLD & set(looks)) is of_tile])
    for of_tile in (True, False)
]
"""The tables that look at the tile, and those that say the same of every tile."""

_POSSIBLE = np.ones(HAN, dtype=bool)


def of_tiles(read: Bytes) -> Bytes:
    """What `TABLES` look at, for every kind, (…, 34, length), from the evidence, (…, LENGTH)."""
    dora = evidence.of(read, "dora")
    start = evidence.LAYOUT.start["in_suit"]
    in_suit = read[..., start : start + HONOURS + 1]
    tile = np.where(_HONOUR, 5 + evidence.of(read, "yakuhai"), _RANK)
    near = np.minimum(dora @ _NEAR, 2.0)
    found = np.stack([tile, dora, near, in_suit[..., _SUIT]], axis=-1)
    whole = read[..., None, -len(WHOLE) :]
    whole = np.broadcast_to(whole, (*found.shape[:-1], len(WHOLE)))
    return np.concatenate([found, whole], axis=-1).astype(np.int8)


@dataclass(frozen=True)
class HanModel:
    """The fitted numbers.

    Parameters
    ----------
    weights : (TABLES.size,) array
    fu : (8, 10) array
        P(fu) in the order of `houjuu.waits.FU`, by what the tile is.

    Raises
    ------
    ParameterError
        A shape is wrong, or the fu of a tile do not sum to 1.
    """

    weights: Floats
    fu: Floats

    def __post_init__(self) -> None:
        if self.fu.shape != (TILES, len(FU)):
            raise ParameterError(f"the fu of the han have shape {self.fu.shape}")
        if not ((self.fu >= 0).all() and np.allclose(self.fu.sum(axis=1), 1)):
            raise ParameterError("the fu of the han do not sum to 1")
        _ = self.choice

    @cached_property
    def choice(self) -> Choice:
        """The conditional logit."""
        return Choice(TABLES, self.weights)

    @cached_property
    def _parts(self) -> list[Choice]:
        return [Choice(tables, self.weights) for tables in _PARTS]

    def scores(self, read: Bytes) -> Floats:
        """P(han, fu | a kind wins), (34, 13, 10), from the evidence, (LENGTH,)."""
        looked = of_tiles(read)
        by_tile, of_all = self._parts
        score = by_tile.terms(looked).sum(axis=-1) + of_all.terms(looked[0]).sum(axis=-1)
        han = softmax(score, _POSSIBLE)
        return np.asarray(han[:, :, None] * self.fu[looked[:, 0]][:, None, :])
