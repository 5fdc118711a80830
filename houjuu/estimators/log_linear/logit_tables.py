"""Fast sums of the terms of a conditional logit: most terms are added up in advance.

The alternatives lie in blocks, such as the waits of one suit. The features that a block depends on
form slots, such as the unseen and the open copies of one kind. All terms of an alternative that use
one slot alone are one number for each value of the slot. A sum is then a row of a table for each
slot of a block, and a look-up for each of the few terms that use several slots.

One row through the steps: two alternatives in one block, and two slots of one feature each. The
weights are 0, 1, … in the order of the terms (`TermSet`). The term "riichi" has the weights 0 and 1
for the first alternative, 2 and 3 for the second; both share the weights 4 to 6 of "turn"; "both"
depends on both slots:

>>> from houjuu.estimators.log_linear.conditional_logit import LookupTerm
>>> from houjuu.reading.shared_features import FeatureSpec
>>> layout = FeatureLayout(([FeatureSpec("riichi", 2, ""), FeatureSpec("turn", 3, "")], 1))
>>> first = np.array([0, 0])  # both alternatives use the first value of a feature
>>> riichi = LookupTerm("riichi", np.array([0, 1]), [("riichi", first)])
>>> turn = LookupTerm("turn", np.array([0, 0]), [("turn", first)])
>>> both = LookupTerm("both", np.array([0, 1]), [("riichi", first), ("turn", first)])
>>> terms = TermSet([riichi, turn, both], layout)
>>> slots = [("riichi",), ("turn",)]
>>> tables = LogitTables(terms, np.arange(19.0), one_block(layout, 2, slots))

The table has a row for each value of each slot, with a sum for each alternative:

>>> (table,) = tables._tables
>>> table.rows.tolist()
[[0.0, 2.0], [1.0, 3.0], [4.0, 4.0], [5.0, 5.0], [6.0, 6.0]]

A query is riichi 1 and turn 2. It takes row 1 of the first slot and row 2 + 2 of the second, whose
sums are 7 and 9, and the weights of "both" for each alternative, 7 + 1 + 2 · 2 = 12 and 18:

>>> query = np.array([1, 2, 0], np.int8)
>>> table.row_index.rows(query).tolist()
[1, 4]
>>> tables.logits(query).tolist()
[19.0, 27.0]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from houjuu.estimators.log_linear.conditional_logit import TermSet
from houjuu.game.tiles import HONOURS, KINDS
from houjuu.reading.wait_features import LAYOUT, FeatureLayout
from houjuu.util.arrays import Bools, Floats, Int8s, Ints

Slots = Sequence[Sequence[str]]
"""The features of each slot by name; those by kind form a slot for each kind of a block."""

_NO_SLOT = -1
_OUTSIDE = -2


class Blocks(NamedTuple):
    """Several blocks of the same shape, which share their tables.

    Attributes
    ----------
    alternatives : (b, w) array
    positions : (d, b, s) array
        Index of the features of each slot, up to d of them.
    sizes : (d, s) array
        Number of values of each of these features; 1 where a slot has fewer.
    """

    alternatives: Ints
    positions: Ints
    sizes: Ints

    @classmethod
    def from_slots(
        cls, alternatives: Ints, slots: Sequence[Sequence[tuple[int, npt.ArrayLike]]]
    ) -> Self:
        """From the size and the index in every block, (b,), of each feature of each slot."""
        depth = max(map(len, slots))
        positions = np.zeros((depth, len(alternatives), len(slots)), np.intp)
        sizes = np.ones((depth, len(slots)), np.intp)
        for column, slot in enumerate(slots):
            for level, (size, position) in enumerate(slot):
                positions[level, :, column], sizes[level, column] = position, size
        return cls(alternatives, positions, sizes)


def blocks_by_suit(suit: Ints, by_kind: Slots, by_suit: Slots, shared: Slots) -> list[Blocks]:
    """One block for each suit; the honours and alternatives without a suit share the last one.

    Parameters
    ----------
    suit : (a,) array
        Suit of every alternative, in the same order within each suit.
    by_kind, by_suit, shared : Slots
        Of the features by kind, by suit and global.
    """

    def blocks(suits: list[int], ranks: int, alternatives: Ints) -> Blocks:
        kinds = 9 * np.array(suits)[:, None] + np.arange(ranks)
        at = [(names, kinds[:, rank]) for names in by_kind for rank in range(ranks)]
        at += [(names, np.array(suits)) for names in by_suit]
        at += [(names, np.zeros(1, np.intp)) for names in shared]
        return Blocks.from_slots(alternatives, [_slot(LAYOUT, *slot) for slot in at])

    of_suits = np.array([np.flatnonzero(suit == s) for s in range(HONOURS)])
    of_honours = np.flatnonzero(suit >= HONOURS)[None, :]
    return [blocks([0, 1, 2], 9, of_suits), blocks([HONOURS], KINDS - 27, of_honours)]


def one_block(layout: FeatureLayout, alternatives: int, slots: Slots) -> list[Blocks]:
    """All alternatives as one block, with global features."""
    of_slots = [_slot(layout, names, np.zeros(1, np.intp)) for names in slots]
    return [Blocks.from_slots(np.arange(alternatives)[None, :], of_slots)]


def _slot(layout: FeatureLayout, names: Sequence[str], at: Ints) -> list[tuple[int, Ints]]:
    return [(layout.size[name], layout.start[name] + at) for name in names]


class LogitTables:
    """The sum of all terms for every alternative.

    Parameters
    ----------
    terms : TermSet
    weights : (terms.size,) array
    blocks : sequence of Blocks
        Each alternative lies in one of them; if there is one alone, in their order.
    """

    def __init__(self, terms: TermSet, weights: Floats, blocks: Sequence[Blocks]) -> None:
        self._weights = weights
        self._tables = [_BlockTable.from_terms(terms, weights, alike) for alike in blocks]
        self._rest = _Rest.from_terms(terms, blocks)
        indices = [*(table.row_index for table in self._tables), self._rest.weight_index]
        self._index = _Index.joined(indices)
        order = np.concatenate([alike.alternatives.ravel() for alike in blocks])
        self._order = np.argsort(order)

    def logits(self, features: Int8s) -> Floats:
        """Sum of the terms, (…, a), from features, (…, LENGTH)."""
        indices = self._index.rows(features.reshape(-1, features.shape[-1]))
        n_rows = len(indices)
        sums = []
        start = 0
        for table in self._tables:
            end = start + len(table.row_index.first)
            rows = indices[:, start:end].reshape(n_rows, *table.shape)
            by_slot = table.rows.take(rows.transpose(2, 0, 1), axis=0)
            sums.append(by_slot.sum(axis=0).reshape(n_rows, -1))  # faster than over another axis
            start = end
        logits: Floats = sums[0]
        if len(sums) > 1:
            logits = np.concatenate(sums, axis=1).take(self._order, axis=1)
        if len(self._rest.starts):
            weights = self._weights.take(indices[:, start:])
            logits[:, self._rest.alternatives] += np.add.reduceat(
                weights, self._rest.starts, axis=1
            )
        return logits.reshape(*features.shape[:-1], -1)


class _Index(NamedTuple):
    """How numbers follow from the features: first + Σ strides · features.

    Attributes
    ----------
    first : (n,) array
    positions, strides : (d, n) array
    """

    first: Ints
    positions: Ints
    strides: Ints

    @classmethod
    def joined(cls, indices: Sequence[_Index]) -> Self:
        """Several, one after another."""
        first = np.concatenate([index.first for index in indices])
        shape = max(len(index.strides) for index in indices), len(first)
        positions = np.zeros(shape, np.intp)
        strides = np.zeros(shape, np.intp)
        start = 0
        for index in indices:
            part = slice(len(index.strides)), slice(start, start + len(index.first))
            positions[part], strides[part] = index.positions, index.strides
            start += len(index.first)
        return cls(first, positions, strides)

    def rows(self, features: Int8s) -> Ints:
        """The numbers, (…, n), from features, (…, LENGTH)."""
        values = features.astype(np.intp).take(self.positions, axis=-1)
        return np.asarray(np.einsum("...dn,dn->...n", values, self.strides) + self.first)


class _BlockTable(NamedTuple):
    """The terms of some blocks that use one slot alone, or no feature.

    Attributes
    ----------
    shape : (int, int)
        Number of blocks and of slots.
    row_index : _Index
        Row of each slot of each block, one after another.
    rows : (r, w) array
        Sums of terms by alternative; the terms without features are part of the first slot.
    """

    shape: tuple[int, int]
    row_index: _Index
    rows: Floats

    @classmethod
    def from_terms(cls, terms: TermSet, weights: Floats, blocks: Blocks) -> Self:
        """The blocks are alike: the first gives the table of all."""
        sizes = blocks.sizes
        alternatives = blocks.alternatives[0]
        ones = np.ones_like(sizes[:1])
        strides = np.cumprod(np.vstack([ones, sizes[:-1]]), axis=0)
        n_values = sizes.prod(axis=0)
        first_row = np.cumsum(n_values) - n_values
        slots = _slots(terms, blocks)
        at, term = np.nonzero(_in_one_slot(slots))
        slot_of = slots.max(axis=0)[at, term]
        constant = slot_of == _NO_SLOT  # added to the rows of the first slot
        cells = terms.first[alternatives[at], term]
        n_alternatives = len(alternatives)
        base = np.bincount(at[constant], weights[cells[constant]], n_alternatives)
        rows = []
        for slot, size in enumerate(n_values.tolist()):
            # Cell of every term of the slot for every value of the slot: the value is split into
            # those of its features, and each moves the cell by the term's stride.
            in_slot = slot_of == slot
            values = np.arange(size)
            columns = at[in_slot]
            slot_terms = term[in_slot]
            used = cells[in_slot][:, None] + np.zeros_like(values)
            for level, position in enumerate(blocks.positions[:, 0, slot]):
                uses = terms.indices[:, alternatives[columns], slot_terms] == position
                stride = (uses * terms.strides[:, slot_terms]).sum(axis=0)
                digit = values // strides[level, slot] % sizes[level, slot]
                used += stride[:, None] * digit
            positions = values * n_alternatives + columns[:, None]
            sums = np.bincount(positions.ravel(), weights[used].ravel(), size * n_alternatives)
            rows.append(sums.reshape(size, -1))
        rows[0] = rows[0] + base
        depth, n_blocks, n_slots = blocks.positions.shape
        row_index = _Index(
            np.tile(first_row, n_blocks),
            blocks.positions.reshape(depth, -1),
            np.tile(strides * (sizes > 1), n_blocks),
        )
        return cls((n_blocks, n_slots), row_index, np.concatenate(rows))


class _Rest(NamedTuple):
    """The terms that use several slots: one weight each.

    Attributes
    ----------
    weight_index : _Index
        Index of the weights, in the order of the alternatives.
    alternatives : (k,) array
        The alternatives that have such terms, ascending.
    starts : (k,) array
        The first weight of each.
    """

    weight_index: _Index
    alternatives: Ints
    starts: Ints

    @classmethod
    def from_terms(cls, terms: TermSet, blocks: Sequence[Blocks]) -> Self:
        """The terms of all blocks."""
        is_rest = np.zeros_like(terms.first, dtype=bool)
        for alike in blocks:
            is_rest[alike.alternatives] = ~_in_one_slot(_slots(terms, alike))
        at, term = np.nonzero(is_rest)
        starts = np.flatnonzero(np.diff(at, prepend=-1))
        first = terms.first[at, term]
        positions = terms.indices[:, at, term]
        return cls(_Index(first, positions, terms.strides[:, term]), at[starts], starts)


def _slots(terms: TermSet, blocks: Blocks) -> Ints:
    """Slot of each feature of each term, (d, w, f); -1: no feature, -2: in no slot.

    The alternatives are those of the first block.
    """
    slot_of = np.full(terms.layout.length, _OUTSIDE)
    slot_of[terms.layout.pads] = _NO_SLOT
    for level, slot in np.argwhere(blocks.sizes > 1):
        slot_of[blocks.positions[level, 0, slot]] = slot
    slots = slot_of[terms.indices[:, blocks.alternatives[0]]]
    return np.where((terms.strides > 0)[:, None], slots, _NO_SLOT)


def _in_one_slot(slots: Ints) -> Bools:
    """Whether a term has its features in one slot at most, (w, f)."""
    return np.asarray(
        ((slots == _NO_SLOT) | (slots == slots.max(axis=0))).all(axis=0)
        & (slots != _OUTSIDE).all(axis=0)
    )
