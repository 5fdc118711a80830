"""The result of one query: the risk of discarding each kind, by opponent, kind and score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import numpy as np

from houjuu.arrays import Bools, Floats, Ints
from houjuu.attributions import Attributions
from houjuu.errors import Error
from houjuu.hands.points import CODES, POINTS, add_han, fu_of, han_of
from houjuu.hands.wait_types import WIN_KIND, WIN_WAIT, wait_name
from houjuu.reading.opponent import OpponentContext, OpponentType
from houjuu.tiles import KIND, KINDS, RED_FIVES, TILES

Explainer = Callable[[int], Attributions]
"""Maps a kind to the parts of P(wins on the kind | tenpai)."""

HONBA_POINTS = 300  # unit: points a honba, added to a ron
_NEGLIGIBLE = 1e-12  # a probability that is not listed
_WITH_A_RED_FIVE = add_han(np.arange(CODES, dtype=np.uint8), 1)


@dataclass(frozen=True, slots=True)
class Term:
    """A named part of a probability."""

    name: str
    probability: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """The parts of the probability that a kind deals in to one opponent.

    Attributes
    ----------
    seat : int
        The opponent, absolute.
    opponent_type : OpponentType
    genbutsu : bool
        Furiten makes the tile safe.
    tenpai : float
        P(T|u).
    colour : (4,) array
        P(c|u): manzu, pinzu, souzu, several.
    probability : float
        P(the opponent wins on the kind); the sum of the terms, up to a floor.
    terms : tuple of Term
        Waits of a closed hand, scores of an open one, the most likely first.
    reasons : tuple of Term
        Attributions of the probability by feature group, the largest first; they add up to it.
        Empty where the model has none.
    tenpai_reasons : tuple of Term
        The same for P(T|u).
    """

    seat: int
    opponent_type: OpponentType
    genbutsu: bool
    tenpai: float
    colour: Floats
    probability: float
    terms: tuple[Term, ...]
    reasons: tuple[Term, ...] = ()
    tenpai_reasons: tuple[Term, ...] = ()


@dataclass(frozen=True)
class OpponentRisk:
    """The predictions for one opponent.

    Attributes
    ----------
    seat : int
        Absolute.
    opponent_type : OpponentType
    dealer : bool
    genbutsu : (34,) array of bool
    tenpai : float
        P(T|u), 0–1.
    colour : (4,) array
        P(c|u).
    score_distribution : (34, 224) array
        P(wins on the kind with the score code | u), see `houjuu.hands.points`.
    p_win_by_wait : (131,) array or None
        P(wins on the kind by the wait | tenpai), in the order of
        `houjuu.hands.wait_types.WIN_WAIT`; None for an open hand.
    explainer, tenpai_explainer : callable or None
        Attributions of P(wins on a kind | tenpai) and of P(T|u), where the model has them.
    """

    seat: int
    opponent_type: OpponentType
    dealer: bool
    genbutsu: Bools
    tenpai: float
    colour: Floats
    score_distribution: Floats = field(repr=False)
    p_win_by_wait: Floats | None = field(default=None, repr=False)
    explainer: Explainer | None = field(default=None, repr=False)
    tenpai_explainer: Callable[[], Attributions] | None = field(default=None, repr=False)

    @classmethod
    def unknown(cls, context: OpponentContext, tenpai: float, colour: Floats) -> OpponentRisk:
        """The risk of an opponent before its waits are predicted: 0 for every kind."""
        return cls(
            context.seat.seat,
            OpponentType.of(context.seat),
            context.seat.seat == context.view.dealer,
            context.genbutsu,
            tenpai,
            colour,
            _NO_SCORES,
        )

    def with_scores(
        self,
        score_distribution: Floats,
        p_win_by_wait: Floats | None = None,
        explainer: Explainer | None = None,
        tenpai_explainer: Callable[[], Attributions] | None = None,
    ) -> OpponentRisk:
        """The same opponent with predicted waits and scores."""
        return replace(
            self,
            score_distribution=score_distribution,
            p_win_by_wait=p_win_by_wait,
            explainer=explainer,
            tenpai_explainer=tenpai_explainer,
        )

    def explain(self, kind: int) -> Explanation:
        """The parts of the probability of a kind."""
        wins = self.p_win_by_wait
        terms = self._score_terms(kind) if wins is None else self._wait_terms(kind, wins)
        tenpai_parts = self.tenpai_explainer() if self.tenpai_explainer else {}
        return Explanation(
            self.seat,
            self.opponent_type,
            bool(self.genbutsu[kind]),
            self.tenpai,
            self.colour,
            float(self.score_distribution[kind].sum()),
            _largest_first(terms),
            _largest_first(self._reasons(kind)),
            _largest_first(Term(*part) for part in tenpai_parts.items()),
        )

    def _reasons(self, kind: int) -> Iterator[Term]:
        if self.explainer is not None:
            for name, part in self.explainer(kind).items():
                yield Term(name, self.tenpai * part)

    def _score_terms(self, kind: int) -> Iterator[Term]:
        codes = np.flatnonzero(self.score_distribution[kind]).astype(np.uint8)
        probabilities = self.score_distribution[kind, codes]
        for han, fu, probability in zip(han_of(codes), fu_of(codes), probabilities, strict=True):
            yield Term(f"{han} han {fu} fu", float(probability))

    def _wait_terms(self, kind: int, wins: Floats) -> Iterator[Term]:
        here = np.flatnonzero((kind == WIN_KIND) & (wins > 0))
        for wait, probability in zip(WIN_WAIT[here].tolist(), wins[here].tolist(), strict=True):
            yield Term(wait_name(wait), self.tenpai * probability)
        rest = float(self.score_distribution[kind].sum() - self.tenpai * wins[here].sum())
        if rest > _NEGLIGIBLE:
            yield Term("none of the waits", rest)


_NO_SCORES: Floats = np.zeros((KINDS, CODES))


@dataclass(frozen=True)
class DealIn:
    """The risk of discarding each kind.

    Attributes
    ----------
    opponents : tuple of 3 OpponentRisk
        To the right, across and to the left.
    honba : int
    red_fives : bool
        Whether one five of each suit is red.
    """

    opponents: tuple[OpponentRisk, OpponentRisk, OpponentRisk]
    honba: int
    red_fives: bool = True

    @cached_property
    def tenpai(self) -> Floats:
        """P(tenpai) of right, across and left, (3,), 0–1."""
        return np.array([opponent.tenpai for opponent in self.opponents])

    @cached_property
    def by_opponent(self) -> Floats:
        """P(deals in to that opponent), (3, 34), 0–1."""
        return np.stack([opponent.score_distribution.sum(axis=1) for opponent in self.opponents])

    @cached_property
    def any(self) -> Floats:
        """P(deals in to at least one opponent), (34,), 0–1: 1 − Π (1 − p) over the opponents.

        Opponents are independent given the view; a double ron counts once.
        """
        return np.asarray(1.0 - np.prod(1.0 - self.by_opponent, axis=0))

    @cached_property
    def points(self) -> Floats:
        """Expected points lost by discarding the kind, (34,), honba included, not a red five."""
        return np.asarray(self.points_by_opponent.sum(axis=0))

    @cached_property
    def points_by_opponent(self) -> Floats:
        """Expected points lost to each opponent, (3, 34), honba included."""
        ron = [opponent.score_distribution @ _points(opponent) for opponent in self.opponents]
        return np.stack(ron) + HONBA_POINTS * self.honba * self.by_opponent

    def scores(self, kind: int) -> dict[int, float]:
        """P(deals in for so many points), by points, honba included; to any of the opponents.

        Raises
        ------
        Error
            There is no such kind.
        """
        if kind not in range(KINDS):
            raise Error(f"there is no kind {kind}; they are 0 to {KINDS - 1}")
        probabilities: dict[int, float] = {}
        for opponent in self.opponents:
            points = _points(opponent) + HONBA_POINTS * self.honba
            for code in np.flatnonzero(opponent.score_distribution[kind]):
                score = int(points[code])
                probability = float(opponent.score_distribution[kind, code])
                probabilities[score] = probabilities.get(score, 0.0) + probability
        return dict(sorted(probabilities.items()))

    def tile_scores(self, tile: int) -> Floats:
        """P(deals in to that opponent with the score code), (3, 224), by discarding a tile.

        The row of the kind in `OpponentRisk.score_distribution`; a red five adds a han.

        Parameters
        ----------
        tile : int
            Its id, 0–135.

        Raises
        ------
        Error
            There is no such tile.
        """
        if tile not in range(TILES):
            raise Error(f"there is no tile {tile}; they are 0 to {TILES - 1}")
        scores = [opponent.score_distribution[KIND[tile]] for opponent in self.opponents]
        if self.red_fives and tile in RED_FIVES:
            scores = [np.bincount(_WITH_A_RED_FIVE, plain, CODES) for plain in scores]
        return np.stack(scores)

    def tile_points_by_opponent(self, tile: int) -> Floats:
        """Expected points lost to each opponent by discarding a tile (id 0–135), (3,)."""
        return np.asarray(self._tile_losses(tile).sum(axis=1))

    def points_of(self, tile: int) -> float:
        """Expected points lost by discarding a tile (id 0–135), honba included."""
        return float(self._tile_losses(tile).sum())

    def _tile_losses(self, tile: int) -> Floats:
        """Points times probability by opponent and score code, (3, 224)."""
        ron = np.stack([_points(opponent) for opponent in self.opponents])
        return (ron + HONBA_POINTS * self.honba) * self.tile_scores(tile)

    def explain(self, kind: int) -> tuple[Explanation, Explanation, Explanation]:
        """The parts of the probability of a kind, by opponent."""
        right, across, left = (opponent.explain(kind) for opponent in self.opponents)
        return right, across, left


def _points(opponent: OpponentRisk) -> Ints:
    """Ron points by score code, (224,)."""
    return np.asarray(POINTS[int(opponent.dealer)])


def _largest_first(terms: Iterable[Term]) -> tuple[Term, ...]:
    return tuple(sorted(terms, key=lambda term: -abs(term.probability)))


def score_distribution(scores: Floats, fu: tuple[int, ...]) -> Floats:
    """A distribution over (kind, han 1–13, fu), (34, 13, f), as one over score codes, (34, 224)."""
    distribution = np.zeros((len(scores), CODES))
    distribution[:, _codes(scores.shape[1], fu)] = scores.reshape(len(scores), -1)
    return distribution


@lru_cache
def _codes(most_han: int, fu: tuple[int, ...]) -> Ints:
    """Score codes of 1 to `most_han` han with each fu, in one row."""
    han = np.arange(1, most_han + 1)
    return np.asarray((16 * han[:, None] + np.array(fu) // 10).ravel())
