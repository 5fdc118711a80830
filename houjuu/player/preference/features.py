"""The features of the preferences of strong players: what an action is like beside its value.

A feature has a number for each action of a decision, or one that all share, which a network
combines with the others. Riichi is no action here: the preferences have no say in it, and the tile
that it discards is preferred as without it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from houjuu.game.actions import CALLS, ENDS, OWN_KANS, WINS, ActionKind
from houjuu.game.events import SEATS
from houjuu.game.tiles import (
    COPIES,
    EAST,
    HONOURS,
    KIND,
    KINDS,
    RANKS,
    YAOCHU,
)
from houjuu.hands.shanten import shanten
from houjuu.player.hand_value.hand_decomposition import (
    CACHED_SUITS,
    CLASSES,
    honour_splits,
    suit_splits,
)
from houjuu.player.values.outcome import Outcome, ValuePart
from houjuu.util.arrays import Bools, Floats, Ints, read_only
from houjuu.util.features import Columns, Feature, feature

if TYPE_CHECKING:  # the models need no riichienv
    from houjuu.player.view_states import DecisionContext

UNIT = 1000.0
"""Unit of the values in the logit, points."""

_MAX_VALUE = 4.0
"""A larger difference to the best action of a decision counts as this one, in `UNIT`."""

_SMALL_LOSS = 10.0  # points
_LATE = 18  # tiles left
_TILES = 70
_FARTHEST = 4  # shanten
_AWAY = ("0", "1", "2", "3", "4 or more")
_MOST_DORA = 4
_SETS = 3  # tiles of a meld
_FLUSH = 9  # tiles of one suit and honours
_SUIT_TILES = 10
_GAP = 8_000.0  # points
_LARGEST_GAP = 3.0  # of these
_ROUNDS = 8
_MIDDLE = 4  # ranks from the edge
_OFFSETS = range(-3, 4)
"""Ranks around a discarded tile; those above 0 are towards the middle, of a 5 towards the 9."""


@dataclass(frozen=True, eq=False)
class ValuedDecision:
    """A decision as the preferences see it.

    Parameters
    ----------
    context : DecisionContext
    every : sequence of Outcome
        Of all actions.
    """

    context: DecisionContext
    every: Sequence[Outcome]

    @property
    def declared(self) -> bool:
        """Whether the seat has declared riichi, and now discards."""
        return self.context.own.declares

    @cached_property
    def outcomes(self) -> list[Outcome]:
        """The outcomes without riichi."""
        return [one for one in self.every if not one.declares]

    @cached_property
    def riichi(self) -> tuple[Outcome, int] | None:
        """The most valuable riichi, and the index of its discard without riichi."""
        offered = [one for one in self.every if one.declares]
        if self.declared or not offered:
            return None
        best = max(offered, key=lambda one: one.value)
        tiles = [one.kind is ActionKind.DISCARD and one.discard for one in self.outcomes]
        return best, tiles.index(best.discard)

    @cached_property
    def row(self) -> Ints:
        """The index in `outcomes` of each of `every`; of all riichi that of `riichi`."""
        own = np.cumsum([not one.declares for one in self.every]) - 1
        if self.riichi is not None:
            own[[one.declares for one in self.every]] = self.riichi[1]
        return own

    @cached_property
    def values(self) -> Floats:
        """The values of the actions, (n,), unit: points; a discard may be in riichi."""
        values = np.array([outcome.value for outcome in self.outcomes])
        if self.riichi is not None:
            best, index = self.riichi
            values[index] = max(values[index], best.value)
        return values

    @cached_property
    def kinds(self) -> Ints:
        """The kind that each action discards, or −1; a kan discards none."""
        return np.array([_kind(one.discard) for one in self.outcomes])

    @cached_property
    def called(self) -> list[int]:
        """The kind that each action calls, or −1."""
        return [_kind(one.action.claimed) if one.kind in CALLS else -1 for one in self.outcomes]

    def left(self, name: str) -> Floats:
        """A number of the hand that each action leaves, (n,)."""
        return np.array([getattr(one.left, name) for one in self.outcomes])

    @cached_property
    def goes_on(self) -> Bools:
        """Whether the round goes on after each action, (n,)."""
        return np.array([one.kind not in ENDS for one in self.outcomes])

    @cached_property
    def nearest(self) -> float:
        """The least shanten that an action leaves; 0 where all end the round."""
        return float(min(self.left("shanten")[self.goes_on], default=0.0))


def _kind(tile: int | None) -> int:
    return -1 if tile is None else KIND[tile]


def value(decision: ValuedDecision) -> Floats:
    """The value, −4 to 0 `UNIT`, less than the best action has, (n,)."""
    values = decision.values / UNIT
    return np.asarray(np.maximum(values - values.max(), -_MAX_VALUE))


def phase(decision: ValuedDecision) -> Floats:
    """What the weight of the value depends on: 1, facing a riichi, and the last round."""
    context = decision.context
    return np.array([1.0, any(context.opponent_riichi), context.last_round])


def leaves_tenpai(hand: Sequence[int], discard: int) -> bool:
    """Whether the concealed tiles are tenpai without one of them."""
    return shanten([KIND[tile] for tile in hand if tile != discard]) == 0


# What all actions share

_row = Feature[ValuedDecision].row


def _seen(
    name: str, unit: str, number: Callable[[DecisionContext], float]
) -> Feature[ValuedDecision]:
    """A number of what the seat sees."""
    return _row(name, unit, lambda one: number(one.context))


def _dora(decision: ValuedDecision, tile: int | None) -> int:
    return 0 if tile is None else int(decision.context.dora_of[tile])


@feature(*(f"shanten {shanten}" for shanten in _AWAY))
def least_shanten(decision: ValuedDecision) -> Bools:
    """0/1, by the least shanten that an action leaves."""
    return np.asarray(min(decision.nearest, _FARTHEST) == np.arange(_FARTHEST + 1))


@feature()
def tenpai_before(decision: ValuedDecision) -> bool:
    """0/1, before the draw."""
    view = decision.context.view
    return view.drawn is not None and leaves_tenpai(view.hand, view.drawn)


@feature(*(f"parts of the hand: {name}" for name in CLASSES))
def parts_of_the_hand(decision: ValuedDecision) -> Floats:
    """Mean number of parts of each class over the splits of the hand."""
    hand = tuple(decision.context.hand.tolist())
    suits = (hand[first : first + RANKS] for first in range(0, EAST, RANKS))
    honours = _mean_parts(hand[EAST:], decision.context.yakuhai)
    return sum((_mean_parts(suit, ()) for suit in suits), honours)


@lru_cache(maxsize=CACHED_SUITS)
def _mean_parts(tiles: tuple[int, ...], yakuhai: tuple[int, ...]) -> Floats:
    """The mean number of parts of each class over the splits of a suit, or of the honours."""
    splits = honour_splits(tiles, yakuhai) if len(tiles) < RANKS else suit_splits(tiles)
    return read_only(np.asarray(splits.mean(axis=0), np.float64))


@feature(*(f"place {place + 1}" for place in range(SEATS)))
def place(decision: ValuedDecision) -> Bools:
    """0/1, by the scores."""
    return np.asarray(decision.context.place[0] == np.arange(SEATS))


_SHARED = Columns(
    _seen("facing a riichi", "0/1, an opponent is in riichi", lambda one: any(one.opponent_riichi)),
    _seen("P(tenpai)", "0–1, of the likeliest opponent", lambda one: one.tenpai.max()),
    _seen("tiles left", "0–1, of 70", lambda one: one.view.tiles_left / _TILES),
    _seen("late", "0/1, fewer than 18 tiles are left", lambda one: one.view.tiles_left < _LATE),
    least_shanten,
    _seen("closed", "0/1", lambda one: not one.own.n_open_melds),
    tenpai_before,
    _seen("dealer", "0/1", lambda one: one.is_dealer),
    _seen(
        "dora",
        "0–4 dora and red fives",
        lambda one: min(one.dora_of[one.tiles].sum(), _MOST_DORA),
    ),
    _seen("pairs", "0–7 kinds with two or more copies", lambda one: (one.hand > 1).sum()),
    _seen(
        "terminals and honours", "0–14, in hand and melds", lambda one: one.held[[*YAOCHU]].sum()
    ),
    _seen("flush", "tiles of one suit and honours beyond nine", lambda one: one.flush[1]),
    _seen("melds", "tiles in melds, thirds", lambda one: (one.held - one.hand).sum() / _SETS),
    parts_of_the_hand,
    place,
    _seen(
        "points behind",
        "0–3, of 8,000 points to the next place above",
        lambda one: min(one.place[1] / _GAP, _LARGEST_GAP),
    ),
    _seen(
        "points ahead",
        "0–3, of 8,000 points to the next place below",
        lambda one: min(one.place[2] / _GAP, _LARGEST_GAP),
    ),
    _seen(
        "rounds left",
        "0–1, of 8",
        lambda one: max(one.view.rules.last_round - one.view.round, 0) / _ROUNDS,
    ),
    _seen("last round", "0/1", lambda one: one.last_round),
    _row(
        "log of the largest P(win)",
        "the log of P(win) plus 0.01",
        lambda one: np.log(
            max([two.win for two in one.outcomes if two.kind not in ENDS], default=0.0) + 0.01
        ),
    ),
)

# The hand that an action leaves


@feature()
def score_situation(decision: ValuedDecision) -> Floats:
    """−4 to 4 `UNIT`, less that of the best action."""
    parts = np.array([one.parts[ValuePart.SCORE_SITUATION] for one in decision.outcomes]) / UNIT
    difference = parts - parts[decision.values.argmax()]
    return np.asarray(difference.clip(-_MAX_VALUE, _MAX_VALUE))


@feature("dora given up")
def dora_given_up(decision: ValuedDecision) -> list[int]:
    """Dora of the discarded tile."""
    return [_dora(decision, one.discard) for one in decision.outcomes]


@feature("farther from tenpai by shape, late")
def late_farther(decision: ValuedDecision) -> Floats:
    """Shanten by shape beyond the least of the decision, with fewer than 18 tiles left."""
    away = decision.left("tenpai_shanten")
    nearest = min(away[decision.goes_on], default=0.0)
    return np.asarray((away - nearest) * (decision.context.view.tiles_left < _LATE))


def _loss(decision: ValuedDecision) -> Floats:
    return np.array([one.dealt_in for one in decision.outcomes])


_LEFT = Columns(
    _row(
        "log P(win)",
        "the log of P(win) plus 0.01",
        lambda one: np.log(np.array([two.win for two in one.outcomes]) + 0.01),
    ),
    _row("dealing in now", "at most 0, unit: `UNIT`", lambda one: _loss(one) / UNIT),
    _row(
        "log of dealing in now",
        "the log of 1 plus a tenth of the points",
        lambda one: np.log1p(-_loss(one) / _SMALL_LOSS),
    ),
    _row(
        "farther from tenpai",
        "shanten beyond the least of the decision",
        lambda one: one.left("shanten") - one.nearest,
    ),
    dora_given_up,
    late_farther,
    _row("log of useful tiles", "the log of the ways", lambda one: np.log(one.left("ways") + 0.5)),
    _row(
        "log of points of a win",
        "log2 of the mean points, from 500",
        lambda one: np.log2([max(two.win_points, 500.0) / 500.0 for two in one.outcomes]),
    ),
    score_situation,
)

# The discarded tile


def _from_edge(kind: int) -> list[float]:
    """1 for the rank from the edge of a tile of a suit, else 0."""
    rank = min(kind % RANKS, RANKS - 1 - kind % RANKS) if kind < EAST else -1
    return [float(rank == distance) for distance in range(_MIDDLE + 1)]


def _neighbours(kind: int) -> list[int]:
    """The kinds at `_OFFSETS` from a kind, `KINDS` beyond the edge of its suit."""
    if kind >= EAST:
        return [KINDS if offset else kind for offset in _OFFSETS]
    first = kind - kind % RANKS
    rank = kind % RANKS
    ranks = [rank + offset * (1 if rank <= _MIDDLE else -1) for offset in _OFFSETS]
    return [first + nearby if 0 <= nearby < RANKS else KINDS for nearby in ranks]


_FROM_EDGE, _NEIGHBOURS = (
    np.array([table(kind) for kind in range(KINDS + 1)]) for table in (_from_edge, _neighbours)
)


def _at_offsets(
    name: str, unit: str, copies: Callable[[DecisionContext], Ints]
) -> Feature[ValuedDecision]:
    """A number of the kinds at each offset from the discard, by that of every kind, (34,)."""

    def compute(decision: ValuedDecision) -> Ints:
        by_kind = np.append(copies(decision.context), 0)
        return np.asarray(by_kind[_NEIGHBOURS[decision.kinds]])

    return Feature(tuple(f"{name} at {offset:+d}" for offset in _OFFSETS), unit, compute)


@feature(*(f"rank {distance + 1} from the edge" for distance in range(_MIDDLE + 1)))
def from_edge(decision: ValuedDecision) -> Floats:
    """0/1, by the rank of a tile of a suit from the edge."""
    return np.asarray(_FROM_EDGE[decision.kinds])


@feature("guest wind", "yakuhai")
def honour(decision: ValuedDecision) -> list[tuple[bool, bool]]:
    """0/1."""
    yakuhai = decision.context.yakuhai
    return [
        (kind >= EAST and kind not in yakuhai, kind in yakuhai) for kind in decision.kinds.tolist()
    ]


@feature("copies of an honour seen")
def honour_seen(decision: ValuedDecision) -> Ints:
    """0–4 outside the own tiles; 0 for a tile of a suit."""
    elsewhere = np.append(COPIES - decision.context.unseen - decision.context.held, 0)
    return np.asarray(elsewhere[decision.kinds] * (decision.kinds >= EAST))


@feature("tiles of the suit", "tiles of the flush")
def suit_tiles(decision: ValuedDecision) -> list[tuple[float, int]]:
    """Tenths of the concealed tiles, 0 for an honour; and tiles of its flush beyond nine."""
    by_suit = decision.context.hand[:EAST].reshape(HONOURS, RANKS).sum(axis=1) / _SUIT_TILES
    suit, flush = decision.context.flush
    return [
        (
            by_suit[kind // RANKS] if kind < EAST else 0.0,
            flush * (kind >= EAST or kind // RANKS == suit),
        )
        for kind in decision.kinds.tolist()
    ]


@feature(*(f"parts given up: {name}" for name in CLASSES))
def parts_given_up(decision: ValuedDecision) -> list[Floats]:
    """The change of the mean number of parts of each class."""
    hand, yakuhai = tuple(decision.context.hand.tolist()), decision.context.yakuhai
    return [
        _change(hand[kind - kind % RANKS :][:RANKS], kind % RANKS, yakuhai * (kind >= EAST))
        if kind >= 0
        else _NO_CHANGE
        for kind in decision.kinds.tolist()
    ]


_NO_CHANGE: Floats = np.zeros(len(CLASSES))


@lru_cache(maxsize=CACHED_SUITS)
def _change(tiles: tuple[int, ...], rank: int, yakuhai: tuple[int, ...]) -> Floats:
    """How the mean parts of a suit, or of the honours, change without a tile."""
    after = (*tiles[:rank], tiles[rank] - 1, *tiles[rank + 1 :])
    return read_only(_mean_parts(after, yakuhai) - _mean_parts(tiles, yakuhai))


_DISCARD = Columns(
    from_edge,
    _at_offsets("copies", "0–4", lambda one: one.hand),
    _at_offsets("unseen copies", "0–4", lambda one: one.unseen),
    _at_offsets("dora", "times", lambda one: one.dora),
    honour,
    honour_seen,
    suit_tiles,
    parts_given_up,
)

# Calls, kans and ends

_KINDS = (ActionKind.PASS, ActionKind.CHI, ActionKind.PON, ActionKind.DAIMINKAN)


@feature(*(kind.value for kind in _KINDS), "own kan", "win", "abort")
def kind_of_action(decision: ValuedDecision) -> list[list[bool]]:
    """0/1."""
    return [
        [
            *(one.kind is kind for kind in _KINDS),
            one.kind in OWN_KANS,
            one.kind in WINS,
            one.kind is ActionKind.NINE_TERMINALS,
        ]
        for one in decision.outcomes
    ]


@feature(*(f"call into shanten {shanten}" for shanten in _AWAY))
def call_into(decision: ValuedDecision) -> Bools:
    """0/1."""
    left = np.minimum(decision.left("shanten"), _FARTHEST)
    calls = np.array(decision.called) >= 0
    return np.asarray((left[:, None] == np.arange(_FARTHEST + 1)) & calls[:, None])


@feature(
    *("call of a yakuhai", "call of the last copy", "call that keeps the shanten"),
    *("call into tenpai without a yaku", "dora called"),
)
def call(decision: ValuedDecision) -> list[list[float]]:
    """0/1, and 0–2 dora."""
    passes = [one.left.shanten for one in decision.outcomes if one.kind is ActionKind.PASS]
    kept = passes[0] if passes else decision.nearest
    return [
        [
            kind in decision.context.yakuhai,
            float(decision.context.unseen[kind] == 0),
            float(one.left.shanten >= kept),
            float(one.left.tenpai_shanten == 0 < one.left.shanten),
            _dora(decision, one.action.claimed),
        ]
        if kind >= 0
        else [0] * 5
        for kind, one in zip(decision.called, decision.outcomes, strict=True)
    ]


_ACTION = Columns(kind_of_action, call_into, call)
TABLES = {"shared": _SHARED, "left": _LEFT, "discard": _DISCARD, "action": _ACTION}
"""The features in groups; those of the hand that is left are 0 where an action ends the round, and
those of a discard for other actions."""


def feature_names() -> tuple[str, ...]:
    """The names of the features."""
    return tuple(name for table in TABLES.values() for name in table.names)


FEATURES = feature_names()


def features(decision: ValuedDecision) -> Floats:
    """The features of the actions of one decision, (n, features)."""
    masks = {"left": decision.goes_on, "discard": decision.kinds >= 0}
    columns = []
    for group, table in TABLES.items():
        values = {one: one.compute(decision) for one in table.inputs}
        matrix = table.matrix(values, (len(decision.outcomes),))
        columns.append(matrix * masks[group][:, None] if group in masks else matrix)
    return np.concatenate(columns, axis=1)
