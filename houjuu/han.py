"""For how much an opponent wins: P(han | wins on a kind), as conditional logits over 1–13.

Of a closed hand in place of the one distribution of Kurita & Hoki 2017, equation 23, shifted by the
dora and yakuhai of the wait: what the tile is, the dora that nobody has seen, the turn and the
river tell more. Of a melded hand on top of what the enumerated hands say (equation 18), which do
not know what players like to keep, nor the tiles that they leave out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from houjuu import evidence
from houjuu.choice import Bools, Bytes, Choice, Floats, Table, Tables, softmax
from houjuu.errors import ParameterError
from houjuu.evidence import WHOLE, Entry, Layout
from houjuu.hands.points import CODES, YAKUMAN_HAN
from houjuu.tiles import HONOURS, IS_HONOUR, KINDS, SUIT
from houjuu.waits import FU, HAN

_OF_TILE = (
    Entry("tile", 8, "0–4 from 1 and 9 to 5, 5 + han of a triplet for honours"),
    Entry("tile_dora", 3, "how many times it is dora, 2 for more"),
    Entry("dora_near", 3, "dora within two ranks of it, 2 for more"),
    Entry("tile_in_suit", 9, "discards of its suit, 8 for more"),
    Entry("tile_melds", 5, "0–4 own sets of its suit"),
)
LAYOUT = Layout((_OF_TILE, 1), (WHOLE, 1))
TILES = _OF_TILE[0].size

_CODES_A_HAN = CODES // (YAKUMAN_HAN + 1)
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

_OF_ANY = (
    ("the tile", "tile"),
    ("dora", "tile_dora dora_unseen"),
    ("dora", "dora_near"),
    ("dora", "indicators"),
    ("discards of the suit", "tile_in_suit"),
    ("the turn", "turn"),
    ("the turn", "wall"),
    ("its honours", "honours"),
    ("its terminals and honours", "yaochu tile"),
    ("its pace", "tedashi"),
    ("who it is", "dealer"),
    ("other riichi", "others_in_riichi"),
)
_OF_CLOSED = (
    *_OF_ANY,
    ("the turn", "since"),
    ("the riichi tile", "riichi_tile"),
    ("its closed kans", "sets"),
)
_OF_MELDED = (
    *_OF_ANY,
    ("its melds", "sets open_yaku"),
    ("its melds", "sets chis"),
    ("its melds", "tile_melds tile_in_suit"),
    ("its melds", "since_call"),
    ("dora", "sets dora_shown"),
    ("dora", "sets dora_unseen"),
)


class _Asked(NamedTuple):
    """Tables over han, those that look at the tile, and those that say the same of every tile."""

    all: Tables
    by_tile: Tables
    of_all: Tables

    @classmethod
    def of(cls, looks: Sequence[tuple[str, str]]) -> Self:
        """From names and the entries that a table of the name looks at."""
        entries = [of.split() for _, of in looks]
        found = Tables(
            [
                Table(name, _ALL, [(entry, _HERE) for entry in of])
                for (name, _), of in zip(looks, entries, strict=True)
            ],
            LAYOUT,
        )
        told = {entry.name for entry in _OF_TILE}
        by_tile = [i for i, of in enumerate(entries) if told.intersection(of)]
        of_all = [i for i, of in enumerate(entries) if not told.intersection(of)]
        return cls(found, found.some(by_tile), found.some(of_all))

    def scores(self, weights: Floats, looked: Bytes) -> Floats:
        """The numbers of all tables added up, (34, 13), from what `of_tiles` gives for one seat."""
        by_tile = weights.take(self.by_tile.cells(looked)).sum(axis=-1)
        return np.asarray(by_tile + weights.take(self.of_all.cells(looked[0])).sum(axis=-1))


_CLOSED, _MELDED = _Asked.of(_OF_CLOSED), _Asked.of(_OF_MELDED)

TABLES, MELDED_TABLES = _CLOSED.all, _MELDED.all
"""The tables over 1–13 han, of closed and of melded hands."""

_POSSIBLE = np.ones(HAN, dtype=bool)


def of_tiles(read: Bytes) -> Bytes:
    """What the tables look at, for every kind, (…, 34, length), from the evidence, (…, LENGTH)."""
    dora = evidence.of(read, "dora")
    in_suit, melds = (
        read[..., start : start + HONOURS + 1]
        for start in (evidence.LAYOUT.start[name] for name in ("in_suit", "sets_in_suit"))
    )
    tile = np.where(_HONOUR, 5 + evidence.of(read, "yakuhai"), _RANK)
    near = np.minimum(dora @ _NEAR, 2.0)
    found = np.stack([tile, dora, near, in_suit[..., _SUIT], melds[..., _SUIT]], axis=-1)
    whole = read[..., None, -len(WHOLE) :]
    whole = np.broadcast_to(whole, (*found.shape[:-1], len(WHOLE)))
    return np.concatenate([found, whole], axis=-1).astype(np.int8)


@dataclass(frozen=True)
class HanModel:
    """Han and fu of a closed hand.

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
        Choice(TABLES, self.weights)

    def scores(self, read: Bytes) -> Floats:
        """P(han, fu | a kind wins), (34, 13, 10), from the evidence, (LENGTH,)."""
        looked = of_tiles(read)
        han = softmax(_CLOSED.scores(self.weights, looked), _POSSIBLE)
        return np.asarray(han[:, :, None] * self.fu[looked[:, 0]][:, None, :])


@dataclass(frozen=True)
class MeldedHan:
    """Han of a melded hand: by how much more or less likely than the enumerated hands say.

    Parameters
    ----------
    weights : (MELDED_TABLES.size,) array

    Raises
    ------
    ParameterError
        The shape is wrong.
    """

    weights: Floats

    def __post_init__(self) -> None:
        Choice(MELDED_TABLES, self.weights)

    def factors(self, read: Bytes, scores: Floats) -> Floats:
        """What every score code is multiplied by, (34, 224); a kind's sum stays what it is.

        Parameters
        ----------
        read : (LENGTH,) array
            The evidence.
        scores : (34, 224) array
            In proportion to P(wins on the kind with the score code), by the enumerated hands.
        """
        shapes = of_codes(scores)
        shapes /= np.maximum(shapes.sum(axis=1, keepdims=True), np.finfo(np.float64).tiny)
        offset, possible = offsets(shapes)
        han = softmax(offset + _MELDED.scores(self.weights, of_tiles(read)), possible)
        found = np.divide(han, shapes, out=np.ones_like(shapes), where=shapes > 0)
        return np.repeat(np.column_stack([np.ones(KINDS), found]), _CODES_A_HAN, axis=1)


def of_codes(scores: Floats) -> Floats:
    """Sums by han 1–13, (n, 13), of numbers by score code (`houjuu.hands.points`), (n, 224)."""
    by_han = scores.reshape(len(scores), -1, _CODES_A_HAN).sum(axis=2)
    return np.asarray(by_han[:, 1:])


def offsets(shapes: Floats) -> tuple[Floats, Bools]:
    """Where the scores begin, and what is possible, (…, 13), by P(han | wins) of the hands.

    Where no hand wins everything is possible.
    """
    possible = (shapes > 0) | ~shapes.any(axis=-1, keepdims=True)
    return np.log(np.maximum(shapes, np.finfo(np.float32).tiny)), possible
