"""Matches of "ahead-4", "ahead-6" and "ahead-7" against three "relative", beside "estimator".

The players are "estimator" with values from a look-ahead search; each has a formula of
`examples.lookahead.reading_ahead`. All play seat 0 of the same deals. The tables are those of
`benchmarks.sweep`.

    python -m examples.lookahead FOLDER --deals 1000 --seed 2
    python -m examples.lookahead FOLDER estimator ahead-7:fold_threshold=0.25 --deals 1000
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from benchmarks import sweep
from examples.lookahead.reading_ahead import FORMULAS, Chance, Danger, Reading, rank
from houjuu.estimators import Estimator
from houjuu.game import COPIES, KIND
from houjuu.hands import shanten_of_counts, useful
from houjuu.player import (
    ESTIMATOR_PLAYERS,
    FAR,
    AnyHandValuer,
    DiscardOption,
    DiscardOptions,
    ExpectedValue,
    HandValuePlayer,
    Player,
    Value,
    nearest_discards,
)
from houjuu.risk import DealIn

Hand = tuple[int, ...]
"""Ids of 3n + 1 tiles."""

DRAWS: Mapping[Danger, int] = {Danger.RED1: 2, Danger.RED2: 4, Danger.RED3: 7}
"""The most draws left at each level of danger."""

TENPAI = 0.5
"""P(tenpai) of the likeliest opponent from which the danger is one level higher."""

SAFE = 150.0
"""The highest expected loss of a safe discard, unit: points."""

_NEARER = {Danger.NORMAL: Danger.RED3, Danger.RED3: Danger.RED2, Danger.RED2: Danger.RED1}


class DiscardSearch:
    """A seat's turn as a `SearchGame` of `reading_ahead`: positions are hands after a discard.

    Parameters
    ----------
    discards : DiscardOptions
        Those that leave the lowest shanten are searched.
    risk : DealIn or None
        The risk of discards; None where losses do not count.
    """

    def __init__(self, discards: DiscardOptions, risk: DealIn | None) -> None:
        self.view = discards.view
        self.root: Hand = self.view.hand
        self._tiles, self._risk = discards.nearest(), risk
        self._threatened = risk is not None and bool(risk.tenpai.max() >= TENPAI)
        self._valuer, self._unseen = AnyHandValuer(self.view), self.view.unseen()
        self._discards = discards
        self._known: dict[Hand, Value] = {}
        self._useful_draws: dict[Hand, list[tuple[int, list[tuple[int, Hand]]]]] = {}
        self._losses: dict[int, float] = {}

    @cached_property
    def _best_without_tenpai(self) -> float:
        """The highest value of a discard that does not leave a tenpai."""
        options = self._discards.valued(self._discards.shanten)
        return max((option.value for option in options if option.shanten > 0), default=0.0)

    def danger(self, position: Hand) -> Danger:
        """The danger by the draws left, one level higher if an opponent is probably tenpai."""
        draws = self.view.tiles_left // 4
        by_draws = [danger for danger, most in DRAWS.items() if draws <= most]
        danger = by_draws[0] if by_draws else Danger.NORMAL
        return _NEARER.get(danger, danger) if self._threatened else danger

    def chances(self, positions: Sequence[Hand]) -> list[list[Chance[Hand, int]]]:
        """The discards of the turn; for a hand after a discard its useful draws."""
        chances = [self._draws(hand) if hand != self.root else [self._turn()] for hand in positions]
        self._values_of([after for drawn in chances for _, moves in drawn for _, after in moves])
        return chances

    def values(self, positions: Sequence[Hand], reading: Reading) -> list[float]:
        """評価値; in an optimistic reading that after the best draw, if it is higher."""
        realistic = [value.value for value in self._values_of(positions)]
        if reading == "realistic":
            return realistic
        after = [self._after(hand) for hand in positions]
        values = iter(self._values_of([rest for rests in after for rest in rests]))
        best = [max((next(values).value for _ in rests), default=0.0) for rests in after]
        return list(map(max, realistic, best))

    def hopeless(self, position: Hand, danger: Danger) -> str | None:
        """Reject a hand without a safe tile, and a tenpai of less value than a hand without it."""
        if self._threatened and self._cheapest(position) > SAFE:
            return "chokes"
        (value,) = self._values_of([position])
        if (
            danger == Danger.NORMAL
            and value.shanten == 0
            and value.value < self._best_without_tenpai
        ):
            return "fires too soon"
        return None

    def _cheapest(self, hand: Hand) -> float:
        """Expected loss by the safest tile of a hand, unit: points."""
        return min(map(self._loss, hand)) if self._risk else 0.0

    def _loss(self, tile: int) -> float:
        """Expected loss by a tile, unit: points."""
        assert self._risk is not None
        if tile not in self._losses:
            self._losses[tile] = self._risk[tile].points
        return self._losses[tile]

    def _values_of(self, hands: Sequence[Hand]) -> list[Value]:
        """Shanten and value of hands, computed once in the turn."""
        unknown = [*dict.fromkeys(hand for hand in hands if hand not in self._known)]
        self._known.update(zip(unknown, self._valuer.values(unknown), strict=True))
        return [self._known[hand] for hand in hands]

    def _turn(self) -> Chance[Hand, int]:
        return Chance(1.0, [(tile, _without(self.root, tile)) for tile in self._tiles])

    def _draws(self, hand: Hand) -> list[Chance[Hand, int]]:
        """The useful draws with their probabilities, and the chance that none comes."""
        total = int(self._unseen.sum())
        chances = [Chance(left / total, moves) for left, moves in self._useful(hand)]
        nothing = 1.0 - sum(chance.probability for chance in chances)
        return [*chances, Chance(nothing, [(hand[0], hand)])]

    def _after(self, hand: Hand) -> list[Hand]:
        """All hands after a useful draw and a discard that keeps the lower shanten."""
        return [rest for _, moves in self._useful(hand) for _, rest in moves]

    def _useful(self, hand: Hand) -> list[tuple[int, list[tuple[int, Hand]]]]:
        """The useful draws: unseen copies, and the discards that keep the lower shanten."""
        if hand not in self._useful_draws:
            self._useful_draws[hand] = self._found_useful(hand)
        return self._useful_draws[hand]

    def _found_useful(self, hand: Hand) -> list[tuple[int, list[tuple[int, Hand]]]]:
        kinds, goals = [KIND[tile] for tile in hand], self._valuer.goals
        if shanten_of_counts(kinds, goals) <= 0:  # the next useful draw wins
            return []
        draws = []
        for kind in useful(kinds, goals):
            ids = (COPIES * kind + copy for copy in (1, 2, 3, 0))
            tiles = (*hand, next(tile for tile in ids if tile not in hand))
            _, discards = nearest_discards(tiles, tiles, goals)
            left = int(self._unseen[kind])
            if left:
                draws.append((left, [(tile, _without(tiles, tile)) for tile in discards]))
        return draws


def _without(hand: Iterable[int], tile: int) -> Hand:
    return tuple(other for other in hand if other != tile)


@dataclass
class Lookahead(ExpectedValue):
    """`ExpectedValue` with values from a look-ahead search.

    Attributes
    ----------
    formula : str
        One of `examples.lookahead.reading_ahead.FORMULAS`. The other attributes are those of
        `houjuu.player.rules.policies.ExpectedValue`.
    """

    formula: str = "rensa-yomi-7"

    def _options(
        self, discards: DiscardOptions, risk: DealIn | None, tiles: Sequence[int]
    ) -> Sequence[DiscardOption]:
        """The nearest with values from the search, except the hopeless; others by 評価値."""
        if min(discards.shanten.values()) >= FAR:
            return super()._options(discards, risk, tiles)
        ranking = rank(DiscardSearch(discards, risk), discards.view.hand, FORMULAS[self.formula])
        scale = sum(ranking.row.weights) if ranking.row.joined is sum else 1.0
        searched = {
            rated.move: DiscardOption(rated.move, discards.shanten[rated.move], rated.value / scale)
            for rated in ranking.moves
        }
        nearest_tiles = set(discards.nearest())
        others = discards.valued(tile for tile in tiles if tile not in nearest_tiles)
        options = {option.tile: option for option in others} | searched
        return [options[tile] for tile in tiles if tile in options]


def _player(formula: str, estimator: Estimator, **weights: float) -> Player:
    return HandValuePlayer(Lookahead(estimator, formula=formula, **weights))


NAMES = {f"ahead-{formula[-1]}": formula for formula in FORMULAS}
"""The formula of each player."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m examples.lookahead", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    sweep.add_arguments(parser)
    parser.add_argument("players", nargs="*", help="players, perhaps with other numbers")
    parser.add_argument("--others", default="relative", help="player of the other three seats")
    options = parser.parse_args(arguments)
    players = {name: partial(_player, formula) for name, formula in NAMES.items()}
    ESTIMATOR_PLAYERS.update(players)
    records = sweep.play(options.players or ["estimator", *NAMES], options, others=options.others)
    print("\n\n".join(table.text() for table in sweep.tables(records)))


if __name__ == "__main__":
    main()
