"""Reading ahead for a discard: the hand after one, two and three useful draws.

`houjuu.player.lookahead` judges; here is the game that it asks. A move is a discard, a position the
hand that it leaves, and what comes next are the draws that bring it nearer. Read realistically a
hand is worth its 評価値 (`houjuu.player.value`) and draws are weighed by what is unseen; read
optimistically the best of them comes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from houjuu.deal_in import DealIn
from houjuu.player.discard import nearest
from houjuu.player.fear import Choice, Discards, Estimated
from houjuu.player.lookahead import FORMULAS, Chance, Danger, Reading, rank
from houjuu.player.shanten import shanten, useful
from houjuu.player.value import FAR, Worth
from houjuu.tiles import COPIES

Hand = tuple[int, ...]
"""Ids of 3n + 1 tiles."""

DRAWS: Mapping[Danger, int] = {Danger.RED1: 2, Danger.RED2: 4, Danger.RED3: 7}
"""With so many draws left, or fewer, it is as near the end."""

TENPAI = 0.5
"""P(tenpai) of the likeliest opponent that brings the end a step nearer."""

SAFE = 150.0
"""What a discard may cost and still be safe, unit: points."""

_NEARER = {Danger.NORMAL: Danger.RED3, Danger.RED3: Danger.RED2, Danger.RED2: Danger.RED1}


class Reader:
    """A seat's turn as `houjuu.player.lookahead.Game`: positions are hands after a discard.

    Parameters
    ----------
    discards : Discards
        Which are read: those that leave the lowest shanten.
    risk : DealIn or None
        What discards cost; None where nobody is dangerous.
    """

    def __init__(self, discards: Discards, risk: DealIn | None) -> None:
        self.view = discards.view
        self.root: Hand = self.view.hand
        self._tiles, self._risk = discards.nearest(), risk
        self._threatened = risk is not None and bool(risk.tenpai.max() >= TENPAI)
        self._worth, self._unseen = Worth(self.view), self.view.unseen()
        self._discards = discards

    @cached_property
    def _later(self) -> float:
        """The most that a discard is worth which leaves no tenpai."""
        values = self._discards.valued(self._discards.shanten)
        return max((choice.value for choice in values if choice.shanten > 0), default=0.0)

    def danger(self, position: Hand) -> Danger:
        """By draws left, and whether somebody is probably tenpai."""
        draws = self.view.tiles_left // 4
        near = [danger for danger, most in DRAWS.items() if draws <= most]
        found = near[0] if near else Danger.NORMAL
        return _NEARER.get(found, found) if self._threatened else found

    def chances(self, positions: Sequence[Hand]) -> list[list[Chance[Hand, int]]]:
        """The discards of the turn; of a hand after a discard the draws that bring it nearer."""
        return [self._draws(hand) if hand != self.root else [self._turn()] for hand in positions]

    def worths(self, positions: Sequence[Hand], reading: Reading) -> list[float]:
        """評価値; read optimistically that of the hand after the best draw, short of a win."""
        found = [value.value for value in self._worth.of(positions)]
        if reading == "realistic":
            return found
        after = [self._after(hand) for hand in positions]
        come = iter(self._worth.of([rest for rests in after for rest in rests]))
        best = [max((next(come).value for _ in rests), default=0.0) for rests in after]
        return list(map(max, found, best))

    def hopeless(self, position: Hand, danger: Danger) -> str | None:
        """A hand that has nothing safe left, and a tenpai worth less than waiting for a better."""
        if self._threatened and self._cheapest(position) > SAFE:
            return "chokes"
        (value,) = self._worth.of([position])
        if danger == Danger.NORMAL and value.shanten == 0 and value.value < self._later:
            return "fires too soon"
        return None

    def _cheapest(self, hand: Hand) -> float:
        """What the safest tile of a hand costs, unit: points."""
        return min(float(self._risk.points_of(tile)) for tile in hand) if self._risk else 0.0

    def _turn(self) -> Chance[Hand, int]:
        return Chance(1.0, [(tile, _without(self.root, tile)) for tile in self._tiles])

    def _draws(self, hand: Hand) -> list[Chance[Hand, int]]:
        """Useful draws by how likely, and that none comes."""
        total = int(self._unseen.sum())
        found = [Chance(left / total, moves) for left, moves in self._useful(hand)]
        nothing = 1.0 - sum(chance.probability for chance in found)
        return [*found, Chance(nothing, [(hand[0], hand)])]

    def _after(self, hand: Hand) -> list[Hand]:
        """All that a useful draw and a discard may make of a hand."""
        return [rest for _, moves in self._useful(hand) for _, rest in moves]

    def _useful(self, hand: Hand) -> list[tuple[int, list[tuple[int, Hand]]]]:
        """The useful draws: unseen copies, and what discards leave the hand nearer."""
        kinds, found = [tile // COPIES for tile in hand], []
        if shanten(kinds, self._worth.aims) <= 0:  # what it draws next it wins on
            return []
        for kind in useful(kinds, self._worth.aims):
            drawn = next(
                COPIES * kind + copy for copy in (1, 2, 3, 0) if COPIES * kind + copy not in hand
            )
            tiles = (*hand, drawn)
            _, gone = nearest(tiles, tiles, self._worth.aims)
            left = int(self._unseen[kind])
            if left:
                found.append((left, [(tile, _without(tiles, tile)) for tile in gone]))
        return found


def _without(hand: Iterable[int], tile: int) -> Hand:
    return tuple(other for other in hand if other != tile)


@dataclass
class Ahead(Estimated):
    """The estimator's player whose hands are worth what reading ahead makes of them.

    Attributes
    ----------
    formula : str
        One of `houjuu.player.lookahead.FORMULAS`; the others are `Estimated`'s.
    """

    formula: str = "rensa-yomi-7"

    def _judged(
        self, discards: Discards, risk: DealIn | None, tiles: Sequence[int]
    ) -> Sequence[Choice]:
        """The nearest as they are read, but for the hopeless; others by their values."""
        if min(discards.shanten.values()) >= FAR:
            return super()._judged(discards, risk, tiles)
        ranking = rank(Reader(discards, risk), discards.view.hand, FORMULAS[self.formula])
        scale = sum(ranking.row.weights) if ranking.row.joined is sum else 1.0
        worth = {judged.move: judged.worth / scale for judged in ranking.moves}
        read_on = set(discards.nearest())
        valued = discards.valued(tile for tile in tiles if tile not in read_on)
        others = {choice.tile: choice for choice in valued}
        read = {tile: Choice(tile, discards.shanten[tile], of) for tile, of in worth.items()}
        known = others | read
        return [known[tile] for tile in tiles if tile in known]
