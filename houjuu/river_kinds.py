"""What the river adds to the shapes of a melded opponent: a conditional logit over the 34 kinds.

P(h|u) ∝ P0(h|u)^t · exp(w · φ(h, u)): P0 is what the hands that the unseen tiles allow say
(`houjuu.melded`), t how far to trust it, φ are look-ups of the evidence by the sort of kind. Kinds
that mirror each other (1 and 9) share their numbers, and so do the suits. The last alternative is
that the hand wins on nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from houjuu.choice import (
    CERTAIN,
    Bools,
    Bytes,
    Choice,
    Floats,
    Ints,
    Reasons,
    Table,
    Tables,
    beside,
    of_whole,
    with_none,
)
from houjuu.errors import ParameterError
from houjuu.evidence import LAYOUT, NO_SUIT, of
from houjuu.tiles import HONOURS, KINDS, SUIT

_RANKS = 9
_HONOUR, _SORTS = 5, 7

_KIND = np.arange(KINDS + 1)
_WHOLE = np.zeros(KINDS + 1, np.int64)
_SUIT = np.array([*SUIT, NO_SUIT])
_MIRRORED = (_SUIT < HONOURS) & (_KIND % _RANKS > _RANKS // 2)

SORT: Ints = np.where(_SUIT < HONOURS, np.minimum(_KIND % _RANKS, 8 - _KIND % _RANKS), _HONOUR)
"""Sort of every alternative, (35,): 0–4 from 1 and 9 to 5, 5 for honours, 6 for none."""
SORT[-1] = _SORTS - 1


def _tables() -> list[Table]:
    found = [Table("the sort of tile", SORT)]
    for steps in range(-4, 5):
        there = beside(_KIND, _MIRRORED, steps) if steps else _KIND
        if steps:
            found.append(Table("its discards beside", SORT, [("discarded", there)]))
        if abs(steps) <= 3:
            found += [
                Table("tiles unseen", SORT, [("unseen", there)]),
                Table("tiles lying open", SORT, [("public", there)]),
                Table("its melds beside", SORT, [("melded", there)]),
                Table("dora", SORT, [("dora", there)]),
            ]
        if abs(steps) in (0, 3):
            found.append(Table("what has passed", SORT, [("passed", there)]))
    found += [
        Table("where the seen tiles lie", SORT, [("unseen", _KIND), ("public", _KIND)]),
        Table("what has passed", SORT, [("passed", _KIND), ("unseen", _KIND)]),
        Table("what has passed", SORT, [("passed", _KIND), ("sets", _WHOLE)]),
        Table("what has passed", SORT, [("passed", _KIND), ("since_call", _WHOLE)]),
        Table("yakuhai", SORT, [("yakuhai", _KIND)]),
        Table("discards of the suit", SORT, [("in_suit", _SUIT)]),
        Table("melds of the suit", SORT, [("sets_in_suit", _SUIT), ("in_suit", _SUIT)]),
    ]
    whole = [
        ("the turn", "turn"),
        ("the turn", "wall"),
        ("its honours", "honours"),
        ("its pace", "tedashi"),
        ("its pace", "streak"),
        ("its melds", "sets"),
        ("its melds", "chis"),
        ("its melds", "open_yaku"),
        ("its melds", "dora_shown"),
        ("its melds", "since_call"),
        ("other riichi", "others_in_riichi"),
    ]
    return found + of_whole(SORT, whole)


TABLES = Tables(_tables())
"""The tables over the 34 kinds and none."""

FOR_NONE = float(np.log(0.2))
"""Offset of "none"."""

_WHOLLY = np.ones(())


def offsets(evidence: Bytes, shapes: Floats, trust: Floats = _WHOLLY) -> tuple[Floats, Bools]:
    """Where the scores begin, and what is possible, both (…, 35).

    Parameters
    ----------
    evidence : (…, LENGTH) array
    shapes : (…, 34) array
        P0(h | tenpai).
    trust : (…) array
        Power of P0, 1 unless told.
    """
    possible = (shapes > 0) & (of(evidence, "genbutsu") == 0)
    logs = np.log(np.maximum(shapes, np.finfo(np.float32).tiny))
    return with_none(trust[..., None] * logs, possible, FOR_NONE)


@dataclass(frozen=True)
class RiverKinds:
    """What a melded opponent wins on, supposing that it is tenpai.

    Parameters
    ----------
    weights : (TABLES.size,) array
    share : (5,) array
        Kinds that a hand wins on, by its sets on the table, if it wins on any.
    trust : (5,) array
        How far to trust the hands (`offsets`), by sets on the table.

    Raises
    ------
    ParameterError
        A shape is wrong, or a number is none that it can be.
    """

    weights: Floats
    share: Floats
    trust: Floats

    def __post_init__(self) -> None:
        for name, numbers in (("share of", self.share), ("trust in", self.trust)):
            if numbers.shape != (LAYOUT.size["sets"],):
                raise ParameterError(f"the {name} the kinds has shape {numbers.shape}")
            if not (np.isfinite(numbers) & (numbers > 0)).all():
                raise ParameterError(f"the {name} the kinds is none that can be")
        _ = self.choice

    @cached_property
    def choice(self) -> Choice:
        """The conditional logit."""
        return Choice(TABLES, self.weights)

    def kinds(self, evidence: Bytes, shapes: Floats, sets: Ints) -> Floats:
        """P(wins on the kind | tenpai), (…, 34), never quite certain.

        See `offsets`; `sets` are those on the table, (…).
        """
        chances = self.choice.read(evidence, *offsets(evidence, shapes, self.trust[sets]))
        return np.minimum(chances[..., :KINDS] * self.share[sets][..., None], CERTAIN)

    def why(self, evidence: Bytes, shapes: Floats, sets: int, kind: int) -> Reasons:
        """The parts of `kinds` for one kind, of one opponent."""
        worth = np.zeros(KINDS + 1)
        worth[kind] = self.share[sets]
        found = self.choice.why(evidence, *offsets(evidence, shapes, self.trust[sets, ...]), worth)
        reasons = {"hands that the tiles allow": found.pop(""), **found}
        over = sum(reasons.values()) - CERTAIN
        return {**reasons, "never quite certain": -over} if over > 0 else reasons
