"""States: the knowledge of the models of the round's end after a discard of a seat.

A state is a hand that an action leaves, at the table as the seat sees it. All fields are numbers;
conditions are 1 or 0. `houjuu.player.view_states` makes them from a view.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, get_type_hints

import numpy as np

from houjuu.player.hand_value.scores import SCORES
from houjuu.util.arrays import Floats

MAX_SHANTEN = 8
OPPONENTS = 3

SHANTENS = ("tenpai", *(f"{shanten} from tenpai" for shanten in range(1, 5)), "far")
HAND_CLASSES = tuple(f"{name}, {form}" for name in SHANTENS for form in ("closed", "open"))
"""Names of the classes of `States.by_shanten` and `States.by_hand_class`."""

MAX_TENPAI = 0.999
"""P(tenpai) is clipped here, so that its logit is finite."""

ByOpponent = Annotated[Floats, "a number for each opponent"]
"""The type of the fields with a number for right, across and left."""

ByScore = Annotated[Floats, "a share for each score of a win"]
"""The type of the fields with a share for each of `houjuu.player.hand_value.scores.SCORES`."""


@dataclass(eq=False)
class States:
    """Hands of 3n + 1 concealed tiles of the seat, with melds, at the table as the seat sees it.

    A row is a state; the fields of one row are numbers. Properties are what several features need.
    Unseen tiles count more or less than 1 each, by the chance that they are in the wall.

    Attributes
    ----------
    shanten : (n,) array
        At most `MAX_SHANTEN`.
    ways : (n,) array
        As in `houjuu.player.hand_value.value.Outlook`.
    later_ways : (n,) array
        Ways over the draws left: of a hand up to 1 from tenpai, not in riichi, with the draws that
        better it (`houjuu.player.hand_value.improvement`); of other hands `ways`.
    by_ron, by_tsumo : (n, scores) arrays
        The shares of these ways by the score of a win (`houjuu.player.hand_value.scores`); 0 from
        shanten 3 on. A closed hand wins in riichi; one that is tenpai without it wins so, if a
        ron has a yaku.
    ron_ways : (n,) array
        For tenpai hands: unseen tiles that win by ron without riichi.
    tenpai_shanten : (n,) array
        The distance to tenpai by shape: a hand without a yaku can have 0 (形式聴牌).
    tenpai_tiles : (n,) array
        The unseen tiles that lower it, without a call.
    wait_kinds : (n,) array
        For tenpai hands: the kinds waited for with an unseen copy and a yaku.
    lone : (n,) array
        Tiles without a copy and without a tile of their suit at most two ranks away.
    pairs, triplets : (n,) arrays
        Kinds of which the hand has two, and more.
    joined, gapped : (n,) arrays
        Pairs of ranks in hand that differ by one, and by two.
    yakuhai_pairs : (n,) array
        Pairs of yakuhai with a copy that is not seen.
    yakuhai_sets, yaochu, suit : (n,) arrays
        Triplets of yakuhai, terminals and honours, and tiles of the longest suit and honours, melds
        included.
    touching : (n,) array
        Unseen copies of the kinds that the hand has, or that are at most two ranks away.
    dora_held : (n,) array
        Dora and red fives in hand and melds.
    easy : (n,) array
        For tenpai hands: the unseen tiles that win and are honours, or suji of the own river.
    furiten : (n,) array
        For tenpai hands: whether the seat has discarded a kind that it waits for.
    closed : (n,) array
    melds : (n,) array
        0–4, closed kans included.
    genbutsu : (n, 3) array
        The tiles of the hand that an opponent cannot win on.
    riichi : (n,) array
        Whether the seat is in riichi, or declares it with the discard.
    declares : (n,) array
        Whether it declares riichi with the discard.
    is_dealer : (n,) array
        Whether the seat is dealer.
    draws : (n,) array
        Draws left to the seat.
    tiles_left, unseen : (n,) arrays
        Tiles left in the wall, and tiles that the seat does not see.
    indicators : (n,) array
        Dora indicators.
    tenpai : (n, 3) array
        P(tenpai) of the opponents: right, across, left.
    opponent_riichi, opponent_dealer : (n, 3) arrays
    open_melds, dora : (n, 3) arrays
        Open melds, and the dora and red fives in the melds.
    """

    shanten: Floats
    ways: Floats
    later_ways: Floats
    by_ron: ByScore
    by_tsumo: ByScore
    ron_ways: Floats
    wait_kinds: Floats
    easy: Floats
    furiten: Floats
    closed: Floats
    melds: Floats
    genbutsu: ByOpponent
    riichi: Floats
    declares: Floats
    tenpai_shanten: Floats
    tenpai_tiles: Floats
    lone: Floats
    pairs: Floats
    triplets: Floats
    joined: Floats
    gapped: Floats
    yakuhai_pairs: Floats
    yakuhai_sets: Floats
    yaochu: Floats
    suit: Floats
    touching: Floats
    dora_held: Floats
    is_dealer: Floats
    draws: Floats
    tiles_left: Floats
    unseen: Floats
    indicators: Floats
    tenpai: ByOpponent
    opponent_riichi: ByOpponent
    opponent_dealer: ByOpponent
    open_melds: ByOpponent
    dora: ByOpponent

    @classmethod
    def from_fields(cls, fields: Mapping[str, Floats]) -> States:
        """The states with the arrays of all `FIELDS`, by name."""
        return cls(**{name: fields[name] for name in FIELDS})

    def fields(self) -> dict[str, Floats]:
        """The arrays of all `FIELDS`, by name."""
        return {name: getattr(self, name) for name in FIELDS}

    def rows(self) -> Iterator[States]:
        """Yield each state alone."""
        return map(States, *self.fields().values())

    def __len__(self) -> int:
        return len(self.shanten)

    @cached_property
    def log_ways(self) -> Floats:
        """The logarithm of the ways over the draws left, (n,)."""
        return np.asarray(np.log(self.later_ways + 0.5))

    @cached_property
    def dama(self) -> Floats:
        """1 for a closed hand that is tenpai without riichi, else 0, (n,)."""
        return np.asarray((self.shanten == 0) * self.closed * (1 - self.riichi))

    @cached_property
    def opponent_tenpai(self) -> Floats:
        """P(tenpai) of the opponents, in 0–1 also where rows were rounded, (n, 3)."""
        return np.clip(self.tenpai, 0, 1)

    @cached_property
    def threats(self) -> Floats:
        """P(tenpai) of the opponents, at most `MAX_TENPAI`, (n, 3)."""
        return np.clip(self.tenpai, 0, MAX_TENPAI)

    @cached_property
    def by_shanten(self) -> Floats:
        """1 for the shanten of each state, else 0, (n, `SHANTENS`)."""
        return by_class(self.shanten)

    @cached_property
    def by_hand_class(self) -> Floats:
        """1 for the shanten of each state, of closed and of open hands apart, (n, classes)."""
        closed = self.closed
        forms = np.column_stack((closed, 1 - closed))
        both = self.by_shanten[:, :, None] * forms[:, None]
        return both.reshape(len(forms), len(HAND_CLASSES))


_FIELD_TYPES = get_type_hints(States, include_extras=True)
FIELDS = tuple(_FIELD_TYPES)
"""The names of all fields."""

WIDTHS = {
    name: {ByOpponent: OPPONENTS, ByScore: len(SCORES)}[field_type]
    for name, field_type in _FIELD_TYPES.items()
    if field_type != Floats
}
"""The numbers of the fields with more than one: for each opponent, or for each score."""


def by_class(shanten: Floats) -> Floats:
    """1 for the class of each shanten, else 0, (n, `SHANTENS`)."""
    classes = np.minimum(shanten, len(SHANTENS) - 1)
    return np.asarray(classes[:, None] == np.arange(len(SHANTENS)), np.float64)
