"""A round of mjai: it names tiles ("5mr", "E") without ids, so each gets a free id of its kind."""

from __future__ import annotations

from collections.abc import Iterable

from houjuu.game.events import Rules
from houjuu.game.round_state import RoundState
from houjuu.game.tiles import COPIES, RED_FIVES, mjai_name, parse_mjai
from houjuu.logs.reading import NoFreeCopyError
from houjuu.util.errors import LogError


class NamedRound:
    """The state of a round and the ids in use.

    Parameters
    ----------
    rules : Rules
        They decide whether the name "5m" may be the id of the red five.

    Attributes
    ----------
    state : RoundState
    honba : int
    indicators : list of int
        The dora indicators.
    """

    def __init__(self, rules: Rules) -> None:
        self.state = RoundState()
        self.honba = 0
        self.indicators: list[int] = []
        self._rules = rules
        self._used: set[int] = set()

    def deal(self, honba: int, indicator: str) -> None:
        """Begin a round: all ids are free but that of the indicator."""
        self._used = set()
        self.honba = honba
        self.indicators = [self.new(indicator)]

    def new(self, name: str) -> int:
        """Id of a new tile: the first free copy of its kind."""
        tile = self._free(name, self._used)
        self._used.add(tile)
        return tile

    def beside(self, names: Iterable[str]) -> tuple[int, ...]:
        """Ids of tiles that stay free: the message of a second winner repeats ura indicators."""
        used = set(self._used)
        tiles = []
        for name in names:
            tiles.append(self._free(name, used))
            used.add(tiles[-1])
        return tuple(tiles)

    def _free(self, name: str, used: set[int]) -> int:
        kind, red = parse_mjai(name)
        first = COPIES * kind
        for tile in (first,) if red else range(first, first + COPIES):
            matches = red or not self._rules.red_fives or tile not in RED_FIVES
            if matches and tile not in used:
                return tile
        raise NoFreeCopyError(f"all copies of {name} are already in the round")

    def from_hand(
        self, seat: int, names: Iterable[str], excluded: int | None = None
    ) -> tuple[int, ...]:
        """Tiles of these names in a hand: known tiles first, else new ones for hidden tiles."""
        tiles: list[int] = []
        for name in names:
            candidates = (
                tile
                for tile in self.state.hands[seat]
                if tile not in tiles and tile != excluded and self.name_of(tile) == name
            )
            tile = next(candidates, None)
            if tile is None and self.state.n_unknown[seat] == 0:
                raise LogError(f"seat {seat} does not hold {name}")
            tiles.append(self.new(name) if tile is None else tile)
        return tuple(tiles)

    def hand(self, seat: int) -> tuple[int, ...] | None:
        """The hand of a seat; None if any of it is hidden."""
        return None if self.state.n_unknown[seat] else tuple(sorted(self.state.hands[seat]))

    def name_of(self, tile: int) -> str:
        """The name of a tile by the rules of the game."""
        return mjai_name(tile, red_fives=self._rules.red_fives)
