"""States: the knowledge of the models of the round's end after a discard of a seat.

A state is a hand that an action leaves, at the table as the seat sees it. All fields are numbers;
conditions are 1 or 0. `houjuu.player.view_states` makes them from a view.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, NamedTuple, get_type_hints

import numpy as np

from houjuu.player.hand_value.scores import BASE, SCORES
from houjuu.util.arrays import Floats

MAX_SHANTEN = 8
OPPONENTS = 3

SHANTENS = ("tenpai", *(f"{shanten} from tenpai" for shanten in range(1, 5)), "far")
HAND_CLASSES = tuple(f"{name}, {form}" for name in SHANTENS for form in ("closed", "open"))
"""Names of the classes of `States.by_shanten` and `States.by_hand_class`."""

MAX_TENPAI = 0.999
"""P(tenpai) is clipped here, so that its logit is finite."""

_MIN_TENPAI = 0.002
_USUAL_BASE = 1000.0
_MIN_BASE = 125.0

ByOpponent = Annotated[Floats, "a number for each opponent"]
"""The type of the fields with a number for right, across and left."""

ByScore = Annotated[Floats, "a share for each score of a win"]
"""The type of the fields with a share for each of `houjuu.player.hand_value.scores.SCORES`."""


class HandStates(NamedTuple):
    """Hands of 3n + 1 concealed tiles of the seat, each with its melds.

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
    lone, …, touching : (n,) arrays
        As in `houjuu.player.hand_value.shape.Shapes`.
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


class TableState(NamedTuple):
    """The table of each hand, as the seat sees it.

    Attributes
    ----------
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


_FIELD_TYPES = {
    name: field_type
    for part in (HandStates, TableState)
    for name, field_type in get_type_hints(part, include_extras=True).items()
}
FIELDS = tuple(_FIELD_TYPES)
"""The names of all fields."""

WIDTHS = {
    name: {ByOpponent: OPPONENTS, ByScore: len(SCORES)}[field_type]
    for name, field_type in _FIELD_TYPES.items()
    if field_type != Floats
}
"""The numbers of the fields with more than one: for each opponent, or for each score."""


@dataclass(frozen=True, eq=False)
class States:
    """Hands and their tables, with a row for each state.

    The properties are numbers that several features need.
    """

    hands: HandStates
    table: TableState

    @classmethod
    def from_fields(cls, fields: Mapping[str, Floats]) -> States:
        """The states with the arrays of all `FIELDS`, by name."""
        hands = HandStates._make(fields[name] for name in HandStates._fields)
        return cls(hands, TableState._make(fields[name] for name in TableState._fields))

    def fields(self) -> dict[str, Floats]:
        """The arrays of all `FIELDS`, by name."""
        return self.hands._asdict() | self.table._asdict()

    def __len__(self) -> int:
        return len(self.hands.shanten)

    @cached_property
    def log_draws(self) -> Floats:
        """The logarithm of the draws left, (n,)."""
        return np.asarray(np.log(self.table.draws + 0.5))

    @cached_property
    def log_ways(self) -> Floats:
        """The logarithm of the ways over the draws left, (n,)."""
        return np.asarray(np.log(self.hands.later_ways + 0.5))

    @cached_property
    def log_base(self) -> Floats:
        """log2 of the mean base points of a win by ron, else by tsumo, from the usual ones, (n,).

        Base points are those of the hand: the dealer is paid more for them.
        """
        by_ron, by_tsumo = (shares @ BASE for shares in (self.hands.by_ron, self.hands.by_tsumo))
        base = np.maximum(np.where(by_ron > 0, by_ron, by_tsumo), _MIN_BASE)
        return np.asarray(np.log2(base / _USUAL_BASE))

    @cached_property
    def tenpai_count(self) -> Floats:
        """P(the draws that are left bring tenpai), counted as if the hand drew alone, (n,).

        Of N unseen tiles u bring a hand nearer: D draws bring a hand that is s from tenpai there
        with the binomial probability of s useful draws or more, each as likely as the first.
        """
        draws, away = self.table.draws, self.hands.tenpai_shanten
        chance = np.clip(self.hands.tenpai_tiles / self.table.unseen, 1e-9, 1 - 1e-9)
        fewer = np.zeros(len(draws))
        exactly = (1 - chance) ** draws
        for useful in range(MAX_SHANTEN):
            fewer += (useful < away) * exactly
            left = np.maximum(draws - useful, 0)
            exactly = exactly * left / (useful + 1) * chance / (1 - chance)
        return np.clip(1 - fewer, 0.0, 1.0)

    @cached_property
    def improvement(self) -> Floats:
        """`log_ways` less the logarithm of the ways without the draws that better a hand, (n,)."""
        return np.asarray(self.log_ways - np.log(self.hands.ways + 0.5))

    @cached_property
    def dama(self) -> Floats:
        """1 for a closed hand that is tenpai without riichi, else 0, (n,)."""
        hands = self.hands
        return np.asarray((hands.shanten == 0) * hands.closed * (1 - hands.riichi))

    @cached_property
    def opponent_tenpai(self) -> Floats:
        """P(tenpai) of the opponents, in 0–1 also where rows were rounded, (n, 3)."""
        return np.clip(self.table.tenpai, 0, 1)

    @cached_property
    def threats(self) -> Floats:
        """P(tenpai) of the opponents, at most `MAX_TENPAI`, (n, 3)."""
        return np.clip(self.table.tenpai, 0, MAX_TENPAI)

    @cached_property
    def tenpai_logit(self) -> Floats:
        """The logit of P(tenpai), which is finite, (n, 3)."""
        clipped = np.clip(self.table.tenpai, _MIN_TENPAI, MAX_TENPAI)
        return np.asarray(np.log(clipped / (1 - clipped)))

    @cached_property
    def by_shanten(self) -> Floats:
        """1 for the shanten of each state, else 0, (n, `SHANTENS`)."""
        return _by_class(self.hands.shanten)

    @cached_property
    def by_tenpai_shanten(self) -> Floats:
        """1 for the distance to tenpai by shape of each state, else 0, (n, `SHANTENS`)."""
        return _by_class(self.hands.tenpai_shanten)

    @cached_property
    def by_hand_class(self) -> Floats:
        """1 for the shanten of each state, of closed and of open hands apart, (n, classes)."""
        closed = self.hands.closed
        forms = np.column_stack((closed, 1 - closed))
        by_class = self.by_shanten[:, :, None] * forms[:, None]
        return by_class.reshape(len(forms), len(HAND_CLASSES))


def _by_class(shanten: Floats) -> Floats:
    classes = np.minimum(shanten, len(SHANTENS) - 1)
    return np.asarray(classes[:, None] == np.arange(len(SHANTENS)), np.float64)
