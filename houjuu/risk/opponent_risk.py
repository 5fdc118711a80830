"""The risk of discarding each kind against one opponent, and its parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from houjuu.game.payments import YAKUMAN_HAN
from houjuu.game.tiles import KIND, KINDS, RED_FIVES, SUJI, Tile, tile_id
from houjuu.hands.points import CODES, FU_CLASSES, KIRIAGE_POINTS, POINTS, add_han, fu_of, han_of
from houjuu.hands.wait_types import WAITS, WIN_KIND, WIN_WAIT, wait_name
from houjuu.reading.opponent import OpponentContext, OpponentType
from houjuu.util.arrays import Bools, Floats, Ints, read_only
from houjuu.util.attributions import Attributions, Explainer

SILENT = 0.3
"""P(tenpai) from which a hand without riichi and open melds is likely silent (ダマテン)."""
_NEGLIGIBLE = 1e-12  # a probability that is not listed

_BOTH_SUJI = 0.69
"""Of the hands with open melds that win on the less likely of two suji those that win on both.

134 for 196 expected in 24 hanchan of the phoenix room; of other pairs .01 to .08.
"""


class Term(NamedTuple):
    """A named part of a probability."""

    name: str
    probability: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """The parts of the probability that a tile deals in to one opponent.

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
        P(the opponent wins on the tile); the sum of the terms, up to a floor.
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


class FactoredScores(NamedTuple):
    """P(wins on the kind with the score code) of a hand whose fu depend little on its han.

    Attributes
    ----------
    p_win : (34,) array, read-only
        P(wins on the kind).
    by_han : (34, 14) array, read-only
        P(wins on the kind with the han), 0 for no han.
    fu : (34, 3, 16) array, read-only
        P(tens of fu | wins on the kind with 1, 2, or more han), as the score codes count them.
    """

    p_win: Floats
    by_han: Floats
    fu: Floats


@dataclass(frozen=True, repr=False)
class OpponentRisk:
    """The predictions for one opponent; all arrays are read-only.

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
    scores : (34, 224) array or FactoredScores
        P(wins on the kind with the score code | u), see `score_distribution`.
    p_win_by_wait : (131,) array or None
        P(wins on the kind by the wait | tenpai), in the order of
        `houjuu.hands.wait_types.WIN_WAIT`; None for an open hand.
    explainer, tenpai_explainer : callable or None
        Attributions of P(wins on a kind | tenpai) and of P(T|u), where the model has them.
    kiriage : bool, default=False
        Whether the rules round up to mangan.
    """

    seat: int
    opponent_type: OpponentType
    dealer: bool
    genbutsu: Bools
    tenpai: float
    colour: Floats
    scores: Floats | FactoredScores
    p_win_by_wait: Floats | None = None
    explainer: Explainer | None = None
    tenpai_explainer: Callable[[], Attributions] | None = None
    kiriage: bool = False

    def __post_init__(self) -> None:
        for name in ("genbutsu", "colour", "scores", "p_win_by_wait"):
            array = getattr(self, name)
            if isinstance(array, np.ndarray):
                object.__setattr__(self, name, read_only(array))

    def __repr__(self) -> str:
        """The opponent in a few words."""
        tenpai = f"{100 * self.tenpai:.1f}% tenpai"
        return f"OpponentRisk(seat {self.seat}, {self.opponent_type}, {tenpai})"

    @classmethod
    def from_context(
        cls,
        context: OpponentContext,
        tenpai: float,
        colour: Floats,
        scores: Floats | FactoredScores,
        *,
        p_win_by_wait: Floats | None = None,
        explainer: Explainer | None = None,
        tenpai_explainer: Callable[[], Attributions] | None = None,
    ) -> OpponentRisk:
        """The predictions for the opponent of a context."""
        return cls(
            seat=context.seat.seat,
            opponent_type=context.opponent_type,
            dealer=context.seat.seat == context.view.dealer,
            kiriage=context.view.rules.profile.kiriage,
            genbutsu=context.genbutsu,
            tenpai=tenpai,
            colour=colour,
            scores=scores,
            p_win_by_wait=p_win_by_wait,
            explainer=explainer,
            tenpai_explainer=tenpai_explainer,
        )

    def explain(self, tile: Tile) -> Explanation:
        """The parts of the probability of a tile, as `houjuu.game.tiles.tile_id` reads it."""
        number = tile_id(tile)
        kind = KIND[number]
        wins = self.p_win_by_wait
        terms = self._score_terms(number) if wins is None else self._wait_terms(kind, wins)
        return Explanation(
            seat=self.seat,
            opponent_type=self.opponent_type,
            genbutsu=bool(self.genbutsu[kind]),
            tenpai=self.tenpai,
            colour=self.colour,
            probability=float(self.score_distribution[kind].sum()),
            terms=_largest_first(terms),
            reasons=_largest_first(self._reasons(kind)),
            tenpai_reasons=self.tenpai_reasons,
        )

    @cached_property
    def tenpai_reasons(self) -> tuple[Term, ...]:
        """As those of `Explanation`."""
        parts = self.tenpai_explainer() if self.tenpai_explainer else {}
        return _largest_first(Term(*part) for part in parts.items())

    @cached_property
    def score_distribution(self) -> Floats:
        """P(wins on the kind with the score code | u), (34, 224), see `houjuu.hands.points`."""
        if isinstance(self.scores, FactoredScores):
            _, by_han, fu = self.scores
            scores = by_han[:, :, None] * fu.take(_FU_CLASS, axis=1)
            return read_only(scores.reshape(KINDS, CODES))
        return self.scores

    @property
    def p_win(self) -> Floats:
        """P(wins on the kind | u), (34,): the sum of `score_distribution`."""
        if isinstance(self.scores, FactoredScores):
            return self.scores.p_win
        return np.asarray(self.scores.sum(axis=1))

    @property
    def silent(self) -> bool:
        """Whether it is likely tenpai without riichi and open melds, see `SILENT`."""
        return self.opponent_type is OpponentType.CLOSED and self.tenpai >= SILENT

    def either(self, kinds: Iterable[int]) -> float:
        """P(wins on at least one of several kinds | u), 0–1.

        Waits of a closed hand exclude each other, and one that wins on several of the kinds counts
        once. Where waits are not known apart, as of open melds, of two suji the less likely counts
        for the hands that do not win on both.

        Parameters
        ----------
        kinds : iterable of int
            0–33.
        """
        listed = sorted(set(kinds), key=lambda kind: -self.p_win[kind])
        total, by_wait = 0.0, np.zeros((len(listed), WAITS))
        for row, kind in enumerate(listed):
            new = float(self.p_win[kind])
            if self.p_win_by_wait is None:
                suji = sum(tuple(sorted((kind, other))) in SUJI for other in listed[:row])
                new *= max(1.0 - _BOTH_SUJI * suji, 0.0)
            else:
                wins = kind == WIN_KIND
                by_wait[row, WIN_WAIT[wins]] = self.tenpai * self.p_win_by_wait[wins]
                before = by_wait[:row].max(axis=0, initial=0.0)
                new -= float(np.minimum(by_wait[row], before).sum())
            total += new
        return min(total, self.tenpai)

    @property
    def expected_points(self) -> Floats:
        """Points of a ron times its probability, without honba, (34,)."""
        if isinstance(self.scores, FactoredScores):
            _, by_han, fu = self.scores
            by_fu = by_han @ _BY_HAN_AND_FU[self.kiriage][int(self.dealer)]
            return np.asarray((by_fu * fu.reshape(KINDS, -1)).sum(axis=1))
        return self.scores @ self.points

    @property
    def points(self) -> Ints:
        """Points of a ron by score code, without honba, (224,)."""
        return np.asarray((KIRIAGE_POINTS if self.kiriage else POINTS)[int(self.dealer)])

    def _reasons(self, kind: int) -> Iterator[Term]:
        if self.explainer is not None:
            for name, part in self.explainer(kind).items():
                yield Term(name, self.tenpai * part)

    def _score_terms(self, tile: int) -> Iterator[Term]:
        plain = self.score_distribution[KIND[tile]]
        scores = with_a_red_five(plain) if tile in RED_FIVES else plain
        codes = np.flatnonzero(scores)
        for code, probability in zip(codes.tolist(), scores[codes].tolist(), strict=True):
            yield Term(_SCORE_NAMES[code], probability)

    def _wait_terms(self, kind: int, wins: Floats) -> Iterator[Term]:
        here = np.flatnonzero((kind == WIN_KIND) & (wins > 0))
        for wait, probability in zip(WIN_WAIT[here].tolist(), wins[here].tolist(), strict=True):
            yield Term(wait_name(wait), self.tenpai * probability)
        rest = float(self.score_distribution[kind].sum() - self.tenpai * wins[here].sum())
        if rest > _NEGLIGIBLE:
            yield Term("none of the waits", rest)


_CODES = np.arange(CODES, dtype=np.uint8)
_SCORE_NAMES = [f"{han} han {fu} fu" for han, fu in zip(han_of(_CODES), fu_of(_CODES), strict=True)]
_FU_CLASS = np.array([0, *(min(han, FU_CLASSES) - 1 for han in range(1, YAKUMAN_HAN + 1))])
_OF_CLASS = _FU_CLASS[:, None, None] == np.arange(FU_CLASSES)[:, None]
_BY_HAN_AND_FU = [
    (points.reshape(2, YAKUMAN_HAN + 1, 1, -1) * _OF_CLASS).reshape(2, YAKUMAN_HAN + 1, -1) * 1.0
    for points in (POINTS, KIRIAGE_POINTS)
]

_WITH_A_RED_FIVE = add_han(_CODES, 1)


def with_a_red_five(scores: Floats) -> Floats:
    """The distribution over score codes, (224,), of a win on the red five instead of a plain one.

    A red five adds a han.
    """
    return np.asarray(np.bincount(_WITH_A_RED_FIVE, scores, CODES), np.float64)


def _largest_first(terms: Iterable[Term]) -> tuple[Term, ...]:
    return tuple(sorted(terms, key=lambda term: -abs(term.probability)))


def score_distribution(scores: Floats, fu: tuple[int, ...]) -> Floats:
    """A distribution over (kind, han 1–13, fu), (34, 13, f), as one over score codes, (34, 224)."""
    distribution = np.zeros((len(scores), CODES))
    distribution[:, _codes(scores.shape[1], fu)] = scores.reshape(len(scores), -1)
    return distribution


def _codes(most_han: int, fu: tuple[int, ...]) -> Ints:
    """Score codes of 1 to `most_han` han with each fu, in one row."""
    han = np.arange(1, most_han + 1)
    return np.asarray((16 * han[:, None] + np.array(fu) // 10).ravel())
