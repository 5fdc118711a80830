"""What a closed opponent waits for, by a conditional logit over the 113 waits of `houjuu.waits`.

In place of the factors of Kurita & Hoki 2017, equations 26–34, which it has as special cases:
P(m|u) ∝ ways(m; unseen) · exp(w · φ(m, u)), where φ are look-ups of the evidence by the wait's
sort. Sorts that mirror each other (1-4 and 9-6) share their numbers, and so do the suits. The last
alternative is that the hand wins on nothing: furiten, or, without riichi, without a yaku.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from houjuu import waits
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
    softmax,
    with_none,
)
from houjuu.errors import ParameterError
from houjuu.evidence import NO_SUIT, PAD, of
from houjuu.tiles import HONOURS, KINDS
from houjuu.waits import (
    FIRST_CLOSED,
    FORM,
    HELD,
    HOLDS,
    TOITSU,
    WAIT_SUIT,
    WAITS,
    WINS,
)

SORTS = 21
_RANKS = 9
_FORMS = waits.FORMS + 1


def _sort(wait: int) -> int:
    """Sort of a wait: two-sided 0–2, edge 3, closed 4–7, pair 8–12, single 13–17, honours 18–19."""
    form, rank = FORM[wait], WINS[wait, 0] % 9
    if WAIT_SUIT[wait] == HONOURS:
        return 18 if form == TOITSU else 19
    if form == waits.RYANMEN:
        return int(min(rank, 5 - rank))
    folded = int(min(rank, 8 - rank))
    if wait < FIRST_CLOSED:
        return 3
    return {waits.TATSU: 3, TOITSU: 8, waits.TANKI: 13}[form] + folded


def _mirrored(wait: int) -> bool:
    """Whether the wait lies in the upper half of its suit."""
    if WAIT_SUIT[wait] == HONOURS:
        return False
    return bool(sum(WINS[wait] % 9) > _RANKS - 1)


SORT: Ints = np.array([*map(_sort, range(WAITS)), SORTS - 1])
"""Sort of every alternative, (114,)."""

_MIRRORED = np.array([*map(_mirrored, range(WAITS)), False])
_FORM = np.append(FORM, _FORMS - 1)


def _ends(pairs: npt.NDArray[np.integer]) -> tuple[Ints, Ints]:
    """The lower and the upper of two kinds, the other way round in the upper half; `PAD`: none."""
    first, second = np.append(pairs[:, 0], PAD), np.append(pairs[:, 1], PAD)
    low, high = np.where(_MIRRORED, second, first), np.where(_MIRRORED, first, second)
    return low, high


LOW, HIGH = _ends(HOLDS)
WIN_LOW, WIN_HIGH = _ends(WINS)
_SUIT = np.append(WAIT_SUIT, NO_SUIT)


def _absolute(rank: int) -> Ints:
    """The kind of a rank of the wait's suit, counted from the wait's own side."""
    ranks = np.where(_MIRRORED, _RANKS - 1 - rank, rank)
    return np.where(_SUIT < HONOURS, _RANKS * _SUIT + ranks, PAD)


def _one(where: Ints) -> Ints:
    """The place, or `PAD` where both ends are one and the same."""
    return np.where(LOW == HIGH, PAD, where)


_OTHER_WIN = np.where(WIN_LOW == WIN_HIGH, PAD, WIN_HIGH)


def _tables() -> list[Table]:
    found = [Table("the sort of wait", SORT)]
    found += [
        Table("its discards in the suit", SORT, [("discarded", _absolute(rank))])
        for rank in range(_RANKS)
    ]
    found += [
        Table("its discards beside the wait", _FORM, [("discarded", beside(LOW, _MIRRORED, steps))])
        for steps in range(-3, 6)
    ]
    found += [
        Table("tiles unseen", SORT, [("unseen", LOW), ("unseen", HIGH)]),
        Table("tiles unseen", SORT, [("unseen", WIN_LOW), ("unseen", WIN_HIGH)]),
        Table("tiles lying open", SORT, [("public", WIN_LOW), ("public", WIN_HIGH)]),
        Table("tiles lying open", SORT, [("public", LOW), ("public", HIGH)]),
        Table("tiles lying open", _FORM, [("public", LOW), ("public", WIN_LOW)]),
    ]
    found += [
        Table("where the seen tiles lie", _FORM, [("unseen", unseen), ("public", public)])
        for unseen, public in (
            *((LOW, LOW), (LOW, WIN_HIGH)),
            *((WIN_LOW, WIN_LOW), (WIN_HIGH, WIN_HIGH)),
        )
    ]
    for steps in (-3, -2, -1, 1, 2, 3, 4):
        there = beside(LOW, _MIRRORED, steps)
        found.append(Table("tiles unseen", SORT, [("unseen", there)]))
        found.append(Table("tiles lying open", SORT, [("public", there)]))
    found += [
        Table("dora", _FORM, [("dora", LOW), ("dora", _one(HIGH))]),
        Table("dora", _FORM, [("dora", WIN_LOW), ("dora", _OTHER_WIN)]),
        Table("yakuhai", SORT, [("yakuhai", LOW)]),
        Table("what has passed", SORT, [("passed", WIN_LOW)]),
        Table("what has passed", SORT, [("passed", _OTHER_WIN)]),
        Table("discards of the suit", SORT, [("in_suit", _SUIT)]),
        Table("discards of the suit", SORT, [("early_in_suit", _SUIT)]),
    ]
    whole = [
        ("the turn", "turn"),
        ("the turn", "since"),
        ("live suji", "live_suji"),
        ("the riichi tile", "riichi_tile"),
        ("its honours", "honours"),
        ("its honours", "since_honour"),
        ("its terminals and honours", "yaochu"),
        ("its pace", "tedashi"),
        ("its pace", "streak"),
        ("who it is", "dealer"),
        ("other riichi", "others_in_riichi"),
    ]
    return found + of_whole(SORT, whole)


TABLES = Tables(_tables())
"""The tables over the 113 waits and none."""

_WAYS = np.array([[0, 0, 0], [0, 1, 0], [0, 2, 1], [0, 3, 3], [0, 4, 6]], dtype=np.float64)
_WINNING = np.eye(KINDS)[waits.WIN_KIND]

FOR_NONE = 2.0
"""Offset of "none": where the logarithm of the ways to hold a wait is for the waits."""


def ways(evidence: Bytes) -> Floats:
    """Ways to draw what each wait holds from the unseen tiles, (…, 113)."""
    unseen = of(evidence, "unseen")
    low, high = unseen[..., HOLDS[:, 0]], unseen[..., HOLDS[:, 1]]
    same = HOLDS[:, 0] == HOLDS[:, 1]
    return np.where(same, _WAYS[low, HELD], (low * high).astype(np.float64))


def offsets(evidence: Bytes) -> tuple[Floats, Bools]:
    """Where the scores begin, and what is possible, both (…, 114).

    A wait on genbutsu cannot win, and one that no unseen tiles make is not held.
    """
    found = ways(evidence)
    dead = of(evidence, "genbutsu") != 0
    possible = (found > 0) & ~(dead[..., WINS[:, 0]] | dead[..., WINS[:, 1]])
    return with_none(np.log(np.maximum(found, 1.0)), possible, FOR_NONE)


@dataclass(frozen=True)
class RiverWaits:
    """What a closed opponent wins on, supposing that it is tenpai.

    Parameters
    ----------
    weights : (TABLES.size,) array
    share : (131,) array
        By how much each pair of a wait and a kind (`houjuu.waits.WIN_WAIT`, `WIN_KIND`) counts: a
        hand has 1.2 waits in the mean, and some win on the same kind.
    floor : (34,) array
        P(wins on the kind by none of the waits), which is 国士無双.

    Raises
    ------
    ParameterError
        A shape is wrong, or a number is none that it can be.
    """

    weights: Floats
    share: Floats
    floor: Floats

    def __post_init__(self) -> None:
        if self.share.shape != (len(waits.WIN_WAIT),) or self.floor.shape != (KINDS,):
            raise ParameterError("the shares or the floor of the waits have another shape")
        if not (np.isfinite(self.share) & (self.share >= 0)).all():
            raise ParameterError("a share of the waits is none that can be")
        if not ((self.floor > 0) & (self.floor < 1)).all():
            raise ParameterError("the floor of the waits is no probability")
        _ = self.choice

    @cached_property
    def choice(self) -> Choice:
        """The conditional logit."""
        return Choice(TABLES, self.weights)

    def wins(self, evidence: Bytes) -> Floats:
        """P(wins on the kind by the wait), (…, 131), in the order of `houjuu.waits.WIN_WAIT`."""
        chances = self.choice.read(evidence, *offsets(evidence))
        return np.asarray(chances[..., waits.WIN_WAIT] * self.share)

    def kinds(self, evidence: Bytes) -> Floats:
        """P(wins on the kind), (…, 34)."""
        return self.kinds_of(self.wins(evidence), evidence)

    def kinds_of(self, wins: Floats, evidence: Bytes) -> Floats:
        """P(wins on the kind), (…, 34), by a wait, as `wins` says, or none; never quite certain."""
        floor = np.where(of(evidence, "genbutsu") != 0, 0.0, self.floor)
        return np.minimum(wins @ _WINNING + floor, CERTAIN)

    def why(self, evidence: Bytes, kind: int) -> Reasons:
        """The parts of `kinds` for one kind, from the evidence of one opponent, (LENGTH,)."""
        worth = np.zeros(WAITS + 1)
        here = kind == waits.WIN_KIND
        worth[waits.WIN_WAIT[here]] = self.share[here]
        offset, possible = offsets(evidence)
        everywhere = np.append(ways(evidence) > 0, True)
        found = self.choice.why(evidence, offset, possible, worth)
        anything = float(softmax(offset, everywhere) @ worth)
        base = found.pop("")
        reasons = {"tiles it may hold": anything, "genbutsu and suji": base - anything, **found}
        chance = float(self.kinds(evidence)[kind])
        return {**reasons, "no such wait": chance - sum(reasons.values())}
