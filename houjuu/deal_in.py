"""The answer to one query: how likely every kind deals in, to whom, and for how many points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from houjuu.choice import Reasons, Why
from houjuu.errors import Error
from houjuu.hands.points import CODES, POINTS, fu_of, han_of, more_han
from houjuu.tiles import COPIES, KINDS, RED_FIVES
from houjuu.waits import WIN_KIND, WIN_WAIT, wait_name

Floats = npt.NDArray[np.float64]

_LEAST = 1e-12  # of a probability, that it be told
HONBA_POINTS = 300  # unit: points a honba, on top of a ron
_WITH_A_RED_FIVE = more_han(np.arange(CODES, dtype=np.uint8), 1)


class Kind(StrEnum):
    """How an opponent is read."""

    RIICHI = "riichi"
    MELDED = "melded"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Term:
    """One way in which an opponent may win on a kind, and its probability."""

    name: str
    probability: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """What stands behind the probability of a kind against one opponent.

    Attributes
    ----------
    seat : int
        The opponent, absolute.
    kind : Kind
        How it is read: from its riichi, its melds, or as a closed hand (sections 5.3, 5.2, 5.4).
    genbutsu : bool
        Furiten makes the tile safe.
    tenpai : float
        P(T|u).
    colour : (4,) array
        P(c|u): manzu, pinzu, souzu, several.
    probability : float
        P(the opponent wins on the kind); the sum of the terms, up to a floor.
    terms : tuple of Term
        The most likely first: waits for a closed hand, scores for a melded one.
    reasons : tuple of Term
        What the probability stands on, in words, the weightiest first; they add up to it. Empty
        where the model cannot tell.
    tenpai_reasons : tuple of Term
        The same of P(T|u).
    """

    seat: int
    kind: Kind
    genbutsu: bool
    tenpai: float
    colour: Floats
    probability: float
    terms: tuple[Term, ...]
    reasons: tuple[Term, ...] = ()
    tenpai_reasons: tuple[Term, ...] = ()


@dataclass(frozen=True)
class Opponent:
    """What is believed of one opponent.

    Attributes
    ----------
    seat : int
        Absolute.
    kind : Kind
    dealer : bool
    genbutsu : (34,) array of bool
    tenpai : float
    colour : (4,) array
    scores : (34, 224) array
        P(wins on the kind with the score code | u), see `houjuu.hands.points`.
    wins : (131,) array or None
        P(wins on the kind by the wait | tenpai), in the order of `houjuu.waits.WIN_WAIT`, of an
        opponent that is read so.
    why, why_tenpai : callable or None
        The parts of P(wins on a kind | tenpai) and of P(tenpai), where the model can tell.
    """

    seat: int
    kind: Kind
    dealer: bool
    genbutsu: npt.NDArray[np.bool_]
    tenpai: float
    colour: Floats
    scores: Floats
    wins: Floats | None = field(default=None, repr=False)
    why: Why | None = field(default=None, repr=False)
    why_tenpai: Callable[[], Reasons] | None = field(default=None, repr=False)

    def explain(self, kind: int) -> Explanation:
        """The terms behind the number of a kind."""
        terms = self._scores(kind) if self.wins is None else self._waits(kind, self.wins)
        return Explanation(
            self.seat,
            self.kind,
            bool(self.genbutsu[kind]),
            self.tenpai,
            self.colour,
            float(self.scores[kind].sum()),
            _weightiest(terms),
            _weightiest(self._reasons(kind)),
            _weightiest(Term(*part) for part in (self.why_tenpai or dict)().items()),
        )

    def _reasons(self, kind: int) -> Iterator[Term]:
        if self.why is not None:
            for name, part in self.why(kind).items():
                yield Term(name, self.tenpai * part)

    def _scores(self, kind: int) -> Iterator[Term]:
        codes = np.flatnonzero(self.scores[kind]).astype(np.uint8)
        chances = self.scores[kind, codes]
        for han, fu, chance in zip(han_of(codes), fu_of(codes), chances, strict=True):
            yield Term(f"{han} han {fu} fu", float(chance))

    def _waits(self, kind: int, wins: Floats) -> Iterator[Term]:
        here = np.flatnonzero((kind == WIN_KIND) & (wins > 0))
        for wait, chance in zip(WIN_WAIT[here].tolist(), wins[here].tolist(), strict=True):
            yield Term(wait_name(wait), self.tenpai * chance)
        rest = float(self.scores[kind].sum() - self.tenpai * wins[here].sum())
        if rest > _LEAST:
            yield Term("none of the waits", rest)


@dataclass(frozen=True)
class DealIn:
    """What discarding each kind risks.

    Attributes
    ----------
    opponents : tuple of 3 Opponents
        To the right, across and to the left.
    honba : int
    red_fives : bool
        Whether one five of each suit is red.
    """

    opponents: tuple[Opponent, Opponent, Opponent]
    honba: int
    red_fives: bool = True

    @cached_property
    def tenpai(self) -> Floats:
        """P(tenpai) of right, across and left, (3,)."""
        return np.array([opponent.tenpai for opponent in self.opponents])

    @cached_property
    def by_opponent(self) -> Floats:
        """P(deals in to that opponent), (3, 34)."""
        return np.stack([opponent.scores.sum(axis=1) for opponent in self.opponents])

    @cached_property
    def any(self) -> Floats:
        """P(deals in to anybody), (34,): hands taken as independent, a double ron counted once."""
        return np.asarray(1.0 - np.prod(1.0 - self.by_opponent, axis=0))

    @cached_property
    def points(self) -> Floats:
        """Expected points lost by discarding the kind, no red five, honba in, (34,)."""
        return np.asarray(self.points_by_opponent.sum(axis=0))

    @cached_property
    def points_by_opponent(self) -> Floats:
        """Expected points lost to each opponent, (3, 34)."""
        ron = [opponent.scores @ POINTS[int(opponent.dealer)] for opponent in self.opponents]
        return np.stack(ron) + HONBA_POINTS * self.honba * self.by_opponent

    def scores(self, kind: int) -> dict[int, float]:
        """P(deals in for so many points), honba in, by points; to any of the opponents.

        Raises
        ------
        Error
            There is no such kind.
        """
        if kind not in range(KINDS):
            raise Error(f"there is no kind {kind}; they are 0 to {KINDS - 1}")
        found: dict[int, float] = {}
        for opponent in self.opponents:
            points = POINTS[int(opponent.dealer)] + HONBA_POINTS * self.honba
            for code in np.flatnonzero(opponent.scores[kind]):
                worth = int(points[code])
                found[worth] = found.get(worth, 0.0) + float(opponent.scores[kind, code])
        return dict(sorted(found.items()))

    def scores_of(self, tile: int) -> Floats:
        """P(deals in to that opponent with the score code), (3, 224), by discarding a tile.

        As `Opponent.scores` has it for the kind, but for a red five, which is worth a han more.

        Parameters
        ----------
        tile : int
            Its id, 0–135.

        Raises
        ------
        Error
            There is no such tile.
        """
        if tile not in range(COPIES * KINDS):
            raise Error(f"there is no tile {tile}; they are 0 to {COPIES * KINDS - 1}")
        scores = [opponent.scores[tile // COPIES] for opponent in self.opponents]
        if self.red_fives and tile in RED_FIVES:
            scores = [np.bincount(_WITH_A_RED_FIVE, plain, CODES) for plain in scores]
        return np.stack(scores)

    def points_of(self, tile: int) -> float:
        """Expected points lost by discarding a tile (id 0–135), honba in; see `scores_of`."""
        scores = self.scores_of(tile)
        ron = POINTS[[int(opponent.dealer) for opponent in self.opponents]]
        return float(((ron + HONBA_POINTS * self.honba) * scores).sum())

    def explain(self, kind: int) -> tuple[Explanation, Explanation, Explanation]:
        """The terms behind the number of a kind, by opponent."""
        right, across, left = (opponent.explain(kind) for opponent in self.opponents)
        return right, across, left


def _weightiest(terms: Iterable[Term]) -> tuple[Term, ...]:
    return tuple(sorted(terms, key=lambda term: -abs(term.probability)))


def codes_of(scores: Floats, fu: tuple[int, ...]) -> Floats:
    """A distribution over (kind, han 1–13, fu), (34, 13, f), as one over score codes, (34, 224)."""
    found = np.zeros((len(scores), CODES))
    found[:, _codes(scores.shape[1], fu)] = scores.reshape(len(scores), -1)
    return found


@lru_cache
def _codes(most_han: int, fu: tuple[int, ...]) -> npt.NDArray[np.int64]:
    """The score codes of 1 to so many han with each fu, in one row."""
    han = np.arange(1, most_han + 1)
    return np.asarray((16 * han[:, None] + np.array(fu) // 10).ravel())
