"""The result of one query: the risk of discarding each kind, by opponent, kind and score."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from houjuu.game.payments import HONBA
from houjuu.game.tiles import COPIES, KIND, KINDS, RED_FIVES, TILES, format_tiles, parse_name
from houjuu.hands.points import CODES, add_han
from houjuu.risk.opponent_risk import Explanation, OpponentRisk
from houjuu.util.arrays import Floats, read_only
from houjuu.util.errors import Error

_OPPONENTS = ("right", "across", "left")
_DIGITS = 6  # of a probability in `DealIn.to_dict`, after the point
_WITH_A_RED_FIVE = add_han(np.arange(CODES, dtype=np.uint8), 1)
_PLAIN_TILES = tuple(COPIES * kind + COPIES - 1 for kind in range(KINDS))


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
        parts = zip(_OPPONENTS, self.by_opponent, strict=True)
        shares = ", ".join(f"{name} {100 * p:.1f}%" for name, p in parts)
        return f"{self.name}: {100 * self.probability:.1f}%, {self.points:.0f} points ({shares})"

    def to_dict(self) -> dict[str, Any]:
        """The risk for `json.dumps`: probabilities to 6 digits, points to whole points."""
        return {
            "deal_in": round(self.probability, _DIGITS),
            "points": round(self.points),
            "by_opponent": [round(p, _DIGITS) for p in self.by_opponent],
            "points_by_opponent": [round(points) for points in self.points_by_opponent],
        }


@dataclass(frozen=True, repr=False)
class DealIn:
    """The risk of discarding each kind; all arrays are read-only.

    ``risk["5p"]`` is the `TileRisk` of one tile.

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

    def __repr__(self) -> str:
        """P(tenpai) of each opponent and the most dangerous kind."""
        opponents = ", ".join(
            f"{name} {opponent.opponent_type} {100 * opponent.tenpai:.1f}% tenpai"
            for name, opponent in zip(_OPPONENTS, self.opponents, strict=True)
        )
        most_dangerous = self._tile_risk(_PLAIN_TILES[self.any.argmax()])
        return f"DealIn({opponents}; most dangerous {most_dangerous})"

    def __getitem__(self, name: str) -> TileRisk:
        """The risk of a tile by its name, in any notation of `houjuu.game.tiles.parse_name`.

        ``0p`` and mjai's ``5pr`` are the red five, which costs a han more.

        Raises
        ------
        Error
            There is no such tile, or no red five in this game.
        """
        kind, red = parse_name(name)
        if red and not self.red_fives:
            raise Error(f"{name!r} is a red five, and this game has none")
        return self._tile_risk(COPIES * kind if red else _PLAIN_TILES[kind])

    def _tile_risk(self, tile: int) -> TileRisk:
        kind = KIND[tile]
        points = self.tile_points_by_opponent(tile)
        return TileRisk(
            name=format_tiles([tile], red_fives=self.red_fives),
            probability=float(self.any[kind]),
            points=float(points.sum()),
            by_opponent=tuple(self.by_opponent[:, kind].tolist()),
            points_by_opponent=tuple(points.tolist()),
        )

    def to_dict(self, tiles: Iterable[int] | None = None) -> dict[str, Any]:
        """The whole answer for `json.dumps`.

        Parameters
        ----------
        tiles : iterable of int, optional
            Ids of the tiles to include; by default each kind and each red five.

        Returns
        -------
        dict
            ``opponents``: right, across and left, with ``name``, absolute ``seat``, ``type`` and
            ``tenpai``. ``tiles``: `TileRisk.to_dict` by name, such as ``5p``, ``0p`` and ``1z``.
        """
        if tiles is None:
            tiles = (*_PLAIN_TILES, *(RED_FIVES if self.red_fives else ()))
        risks = map(self._tile_risk, sorted(tiles))
        return {
            "opponents": [
                {
                    "name": name,
                    "seat": opponent.seat,
                    "type": str(opponent.opponent_type),
                    "tenpai": round(opponent.tenpai, _DIGITS),
                }
                for name, opponent in zip(_OPPONENTS, self.opponents, strict=True)
            ],
            "tiles": {risk.name: risk.to_dict() for risk in risks},
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
        return read_only(np.asarray(1.0 - np.prod(1.0 - self.by_opponent, axis=0)))

    @cached_property
    def points(self) -> Floats:
        """Expected points lost by discarding the kind, (34,), honba included, not a red five."""
        return read_only(np.asarray(self.points_by_opponent.sum(axis=0)))

    @cached_property
    def points_by_opponent(self) -> Floats:
        """Expected points lost to each opponent, (3, 34), honba included."""
        ron = [opponent.expected_points for opponent in self.opponents]
        return read_only(np.array(ron) + HONBA * self.honba * self.by_opponent)

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
            points = opponent.points + HONBA * self.honba
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
        return np.asarray(self.scores_of_tiles([tile])[0])

    def scores_of_tiles(self, tiles: Sequence[int]) -> Floats:
        """`tile_scores` of several tiles, (n, 3, 224)."""
        for tile in tiles:
            if tile not in range(TILES):
                raise Error(f"there is no tile {tile}; they are 0 to {TILES - 1}")
        kinds = [KIND[tile] for tile in tiles]
        scores = np.stack([one.score_distribution[kinds] for one in self.opponents], axis=1)
        for tile, of_tile in zip(tiles, scores, strict=True):
            if self.red_fives and tile in RED_FIVES:
                of_tile[:] = [np.bincount(_WITH_A_RED_FIVE, plain, CODES) for plain in of_tile]
        return scores

    def tile_points_by_opponent(self, tile: int) -> Floats:
        """Expected points lost to each opponent by discarding a tile (id 0–135), (3,)."""
        return np.asarray(self._tile_losses(tile).sum(axis=1))

    def points_of(self, tile: int) -> float:
        """Expected points lost by discarding a tile (id 0–135), honba included."""
        return float(self._tile_losses(tile).sum())

    def _tile_losses(self, tile: int) -> Floats:
        """Points times probability by opponent and score code, (3, 224)."""
        return self._points_of_codes * self.tile_scores(tile)

    @cached_property
    def _points_of_codes(self) -> Floats:
        """Points by opponent and score code, honba included, (3, 224)."""
        ron = np.stack([opponent.points for opponent in self.opponents])
        return np.asarray(ron + HONBA * self.honba)

    def explain(self, kind: int) -> tuple[Explanation, Explanation, Explanation]:
        """The parts of the probability of a kind, by opponent."""
        right, across, left = (opponent.explain(kind) for opponent in self.opponents)
        return right, across, left
