"""The result of one query: the risk of discarding each kind, by opponent, kind and score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from houjuu.game.payments import HONBA
from houjuu.game.tiles import KIND, KINDS, RED_FIVES, SUJI, Tile, format_tiles, kind_name, tile_id
from houjuu.risk.answers import DIGITS, OPPONENTS, RiskAnswer, TileAnswer
from houjuu.risk.opponent_risk import Explanation, OpponentRisk, with_a_red_five
from houjuu.util.arrays import Floats, read_only
from houjuu.util.errors import Error
from houjuu.util.json_types import RoomName

_PLAIN_TILES = tuple(tile_id(kind_name(kind)) for kind in range(KINDS))


@dataclass(frozen=True, slots=True)
class TileRisk:
    """The risk of discarding one tile.

    Attributes
    ----------
    name : str
        The tile in notation, such as ``5p``, or ``0p`` for the red one.
    probability : float
        P(deals in to at least one opponent), 0–1.
    points : float
        Expected points lost, honba included.
    by_opponent : tuple of 3 floats
        P(deals in to that opponent): right, across, left.
    points_by_opponent : tuple of 3 floats
        Expected points lost to each of them.
    """

    name: str
    probability: float
    points: float
    by_opponent: tuple[float, ...]
    points_by_opponent: tuple[float, ...]

    def __str__(self) -> str:
        """One line: ``5p: 3.9%, 444 points (right 3.5%, across 0.4%, left 0.0%)``."""
        parts = zip(OPPONENTS, self.by_opponent, strict=True)
        shares = ", ".join(f"{name} {100 * p:.1f}%" for name, p in parts)
        return f"{self.name}: {100 * self.probability:.1f}%, {self.points:.0f} points ({shares})"

    def to_dict(self) -> TileAnswer:
        """The risk for `json.dumps`: probabilities to 6 digits, points to whole points."""
        return {
            "deal_in": round(self.probability, DIGITS),
            "points": round(self.points),
            "by_opponent": [round(p, DIGITS) for p in self.by_opponent],
            "points_by_opponent": [round(points) for points in self.points_by_opponent],
        }


@dataclass(frozen=True, repr=False)
class DealIn:
    """The risk of discarding each kind; all arrays are read-only.

    Every method takes a tile by its name or its id, as `houjuu.game.tiles.tile_id` reads it:
    ``risk["5p"]`` and ``risk[55]`` are the `TileRisk` of a plain five, ``risk["0p"]`` is that of
    the red one, which costs a han more. An unknown tile is an `houjuu.Error`. The arrays have an
    index by kind, 0–33.

    Attributes
    ----------
    opponents : tuple of 3 OpponentRisk
        To the right, across and to the left.
    honba : int
    red_fives : bool
        Whether one five of each suit is red.
    hand : tuple of int
        The ids of the own tiles; empty if it is not known.
    room : str or None
        The room for which the estimates hold, of `houjuu.game.rules.ROOMS`: that of the game, or
        "phoenix" for an unknown one; None of a model without factors by room.
    """

    opponents: tuple[OpponentRisk, OpponentRisk, OpponentRisk]
    honba: int
    red_fives: bool = True
    hand: tuple[int, ...] = ()
    room: RoomName | None = None

    def __repr__(self) -> str:
        """P(tenpai) of each opponent and the most dangerous kind."""
        opponents = ", ".join(
            f"{name} {opponent.opponent_type} {100 * opponent.tenpai:.1f}% tenpai"
            for name, opponent in zip(OPPONENTS, self.opponents, strict=True)
        )
        most_dangerous = self[_PLAIN_TILES[self.any.argmax()]]
        return f"DealIn({opponents}; most dangerous {most_dangerous})"

    def __getitem__(self, tile: Tile) -> TileRisk:
        """The risk of a tile."""
        number = self._id(tile)
        kind = KIND[number]
        points = self.points_by_opponent[:, kind]
        if number in RED_FIVES:
            points = self.tile_points_by_opponent(number)
        return TileRisk(
            name=format_tiles([number]),
            probability=float(self.any[kind]),
            points=float(points.sum()),
            by_opponent=tuple(self.by_opponent[:, kind].tolist()),
            points_by_opponent=tuple(points.tolist()),
        )

    def __contains__(self, tile: object) -> bool:
        """Whether a value is a tile, by its name or its id."""
        try:
            self._id(tile)  # type: ignore[arg-type]
        except Error:
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        """The names of all tiles: 34, and the red fives."""
        reds = RED_FIVES if self.red_fives else ()
        return iter([format_tiles([tile]) for tile in sorted((*_PLAIN_TILES, *reds))])

    def to_dict(self, tiles: Iterable[Tile] | None = None) -> RiskAnswer:
        """The whole answer for `json.dumps`.

        Parameters
        ----------
        tiles : iterable of str or int, optional
            The tiles to include; by default each kind and each red five.

        Returns
        -------
        RiskAnswer
            The tiles by name in their order, such as ``5p``, ``0p`` and ``1z``.
        """
        if tiles is None:
            tiles = (*_PLAIN_TILES, *(RED_FIVES if self.red_fives else ()))
        numbers = sorted(map(self._id, tiles))
        risks = (self[number] for number in numbers)
        kinds = {KIND[number] for number in numbers}
        suji = [[_PLAIN_TILES[kind] for kind in pair] for pair in SUJI if kinds.issuperset(pair)]
        return {
            "room": self.room,
            "opponents": [
                {
                    "name": name,
                    "seat": opponent.seat,
                    "type": opponent.opponent_type.value,
                    "tenpai": round(opponent.tenpai, DIGITS),
                    "silent": opponent.silent,
                }
                for name, opponent in zip(OPPONENTS, self.opponents, strict=True)
            ],
            "tiles": {risk.name: risk.to_dict() for risk in risks},
            "either": {
                " ".join(kind_name(KIND[tile]) for tile in pair): round(self.either(pair), DIGITS)
                for pair in suji
            },
        }

    @cached_property
    def tenpai(self) -> Floats:
        """P(tenpai) of right, across and left, (3,), 0–1."""
        return read_only(np.array([opponent.tenpai for opponent in self.opponents]))

    @cached_property
    def by_opponent(self) -> Floats:
        """P(deals in to that opponent), (3, 34), 0–1."""
        return read_only(np.array([opponent.p_win for opponent in self.opponents]))

    @cached_property
    def any(self) -> Floats:
        """P(deals in to at least one opponent), (34,), 0–1: 1 − Π (1 − p) over the opponents.

        Opponents are independent given the view; a double ron counts once.
        """
        return read_only(1.0 - np.multiply.reduce(1.0 - self.by_opponent))

    def either(self, tiles: Iterable[Tile]) -> float:
        """P(at least one of several tiles deals in), 0–1, if all of them were discarded now.

        One wait may win on two of them, such as 67p on 5p and 8p: the chances of the tiles are not
        independent, and their product would say too much.
        """
        kinds = [KIND[self._id(tile)] for tile in tiles]
        return 1.0 - prod(1.0 - opponent.either(kinds) for opponent in self.opponents)

    @cached_property
    def points(self) -> Floats:
        """Expected points lost by discarding the kind, (34,), honba included, not a red five."""
        return read_only(np.asarray(self.points_by_opponent.sum(axis=0)))

    @cached_property
    def points_by_opponent(self) -> Floats:
        """Expected points lost to each opponent, (3, 34), honba included."""
        ron = [opponent.expected_points for opponent in self.opponents]
        return read_only(np.array(ron) + HONBA * self.honba * self.by_opponent)

    def scores(self, tile: Tile) -> dict[int, float]:
        """P(deals in for so many points), by points, honba included; to any of the opponents."""
        probabilities: dict[int, float] = {}
        for points, scores in zip(self._points_of_codes, self.tile_scores(tile), strict=True):
            for code in np.flatnonzero(scores):
                score = int(points[code])
                probabilities[score] = probabilities.get(score, 0.0) + float(scores[code])
        return dict(sorted(probabilities.items()))

    def tile_scores(self, tile: Tile) -> Floats:
        """P(deals in to that opponent with the score code), (3, 224), by discarding a tile.

        The row of the kind in `OpponentRisk.score_distribution`; a red five adds a han.
        """
        return np.asarray(self.scores_of_tiles([tile])[0])

    def scores_of_tiles(self, tiles: Sequence[Tile]) -> Floats:
        """`tile_scores` of several tiles, (n, 3, 224)."""
        numbers = list(map(self._id, tiles))
        kinds = [KIND[number] for number in numbers]
        scores = np.stack([one.score_distribution[kinds] for one in self.opponents], axis=1)
        for number, of_tile in zip(numbers, scores, strict=True):
            if number in RED_FIVES:
                of_tile[:] = list(map(with_a_red_five, of_tile))
        return scores

    def tile_points_by_opponent(self, tile: Tile) -> Floats:
        """Expected points lost to each opponent by discarding a tile, (3,)."""
        return np.asarray(self._tile_losses(tile).sum(axis=1))

    def points_of(self, tile: Tile) -> float:
        """Expected points lost by discarding a tile of the hand, honba included.

        Raises Error for a tile that is not in the hand: ``risk[tile].points`` is for any.
        """
        names = {format_tiles([own]) for own in self.hand}
        if names and (name := format_tiles([self._id(tile)])) not in names:
            raise Error(f"there is no {name} in the hand; risk[{name!r}].points is for any tile")
        return float(self._tile_losses(tile).sum())

    def _id(self, tile: Tile) -> int:
        return tile_id(tile, red_fives=self.red_fives)

    def _tile_losses(self, tile: Tile) -> Floats:
        """Points times probability by opponent and score code, (3, 224)."""
        return self._points_of_codes * self.tile_scores(tile)

    @cached_property
    def _points_of_codes(self) -> Floats:
        """Points by opponent and score code, honba included, (3, 224)."""
        ron = np.stack([opponent.points for opponent in self.opponents])
        return np.asarray(ron + HONBA * self.honba)

    def explain(self, tile: Tile) -> tuple[Explanation, Explanation, Explanation]:
        """The parts of the probability of a tile, by opponent."""
        number = self._id(tile)
        right, across, left = (opponent.explain(number) for opponent in self.opponents)
        return right, across, left
