"""Inputs of the network of preferences, beside the features of the logit.

The logit adds up its features. A network combines them with facts that all actions of a decision
share, which cancel out of a logit, and with the tiles around a discard, one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from houjuu.game.actions import ENDS
from houjuu.game.events import SEATS
from houjuu.game.tiles import EAST, KINDS, RANKS
from houjuu.player.hand_value.hand_decomposition import CLASSES
from houjuu.player.preference.decision import Actions, DecisionContext
from houjuu.player.preference.discard_features import mean_parts_of_hand
from houjuu.player.values.outcome import Outcome
from houjuu.util.arrays import Bools, Floats, Ints
from houjuu.util.features import Columns, Feature, feature

_MIDDLE = 4  # ranks from the edge
_TILES = 70
_FARTHEST = 4  # shanten
_MOST_DORA = 4
_SETS = 3  # tiles of a meld
_SUIT_TILES = 10
_GAP = 8_000.0  # points
_LARGEST_GAP = 3.0  # of these
_ROUNDS = 8
_OFFSETS = range(-3, 4)
"""Ranks around a discarded tile; those above 0 are towards the middle, of a 5 towards the 9."""


@feature(*(f"shanten {shanten}" for shanten in ("0", "1", "2", "3", "4 or more")))
def least_shanten(actions: Actions) -> Bools:
    """0/1, by the least shanten that an action leaves."""
    return np.asarray(min(actions.nearest, _FARTHEST) == np.arange(_FARTHEST + 1))


@feature(*(f"parts of the hand: {name}" for name in CLASSES))
def parts_of_the_hand(actions: Actions) -> Floats:
    """Mean number of parts of each class over the splits of the hand."""
    return mean_parts_of_hand(actions.context.hand, actions.context.yakuhai)


@feature(*(f"rank {rank + 1}" for rank in range(SEATS)))
def rank(actions: Actions) -> Bools:
    """0/1, by the rank."""
    return np.asarray(actions.context.rank == np.arange(SEATS))


@feature("log of the largest P(win)")
def largest_win(actions: Actions) -> Floats:
    """The log of the largest P(win) plus 0.01."""
    wins = (outcome.win for outcome in actions.outcomes if outcome.kind not in ENDS)
    return np.asarray(np.log(max(wins, default=0.0) + 0.01))


def _from_edge(kind: int) -> list[float]:
    """1 for the rank from the edge of a tile of a suit, else 0."""
    rank = min(kind % RANKS, RANKS - 1 - kind % RANKS) if kind < EAST else -1
    return [float(rank == distance) for distance in range(_MIDDLE + 1)]


def _neighbours(kind: int) -> list[int]:
    """The kinds at `_OFFSETS` from a kind, `_NO_KIND` beyond the edge of its suit."""
    if kind >= EAST:
        return [_NO_KIND if offset else kind for offset in _OFFSETS]
    first = kind - kind % RANKS
    rank = kind % RANKS
    ranks = [rank + offset * (1 if rank <= _MIDDLE else -1) for offset in _OFFSETS]
    return [first + nearby if 0 <= nearby < RANKS else _NO_KIND for nearby in ranks]


_NO_KIND = KINDS
_FROM_EDGE, _NEIGHBOURS = (
    np.array([table(kind) for kind in range(KINDS + 1)]) for table in (_from_edge, _neighbours)
)


def _at_offsets(
    name: str, unit: str, copies: Callable[[DecisionContext], Ints]
) -> Feature[Actions]:
    """A number of the kinds at each offset from the discard, by that of every kind, (34,)."""

    def compute(actions: Actions) -> Ints:
        by_kind = np.append(copies(actions.context), 0)
        return np.asarray(by_kind[_NEIGHBOURS[actions.kinds]])

    names = tuple(f"{name} at {offset:+d}" for offset in _OFFSETS)
    return Feature(names, unit, compute)


@feature(*(f"rank {distance + 1} from the edge" for distance in range(_MIDDLE + 1)))
def from_edge(actions: Actions) -> Floats:
    """0/1, by the rank of a tile of a suit from the edge."""
    return np.asarray(_FROM_EDGE[actions.kinds])


@feature()
def yakuhai(actions: Actions) -> list[bool]:
    """0/1."""
    return [kind in actions.context.yakuhai for kind in actions.kinds.tolist()]


@feature("copies of an honour seen")
def honour_seen(actions: Actions) -> list[int]:
    """0–4 outside the own tiles; 0 for a tile of a suit."""
    seen = actions.context.elsewhere
    return [seen[kind] if kind >= EAST else 0 for kind in actions.kinds.tolist()]


@feature("tiles of the suit")
def suit_tiles(actions: Actions) -> list[float]:
    """0–1.4, tenths of the concealed tiles; 0 for an honour."""
    hand = actions.context.hand
    by_suit = [sum(hand[start : start + RANKS]) / _SUIT_TILES for start in range(0, EAST, RANKS)]
    return [by_suit[kind // RANKS] if 0 <= kind < EAST else 0.0 for kind in actions.kinds.tolist()]


_row = Feature[Actions].row
TABLE = Columns(
    _row(
        "facing a riichi",
        "0/1, an opponent is in riichi",
        lambda actions: actions.context.facing_riichi,
    ),
    _row("P(tenpai)", "0–1, of the likeliest opponent", lambda actions: actions.context.tenpai),
    _row("tiles left", "0–1, of 70", lambda actions: actions.context.tiles_left / _TILES),
    least_shanten,
    _row("closed", "0/1, the hand is closed", lambda actions: actions.context.closed),
    _row("tenpai before", "0/1, before the draw", lambda actions: actions.context.was_tenpai),
    _row("dealer", "0/1", lambda actions: actions.context.dealer),
    _row(
        "dora",
        "0–4 dora and red fives in hand and melds",
        lambda actions: min(actions.context.own_dora, _MOST_DORA),
    ),
    _row("pairs", "0–7", lambda actions: actions.context.pairs),
    _row(
        "terminals and honours", "0–14, in hand and melds", lambda actions: actions.context.yaochu
    ),
    _row(
        "flush", "Tiles of one suit and honours beyond nine", lambda actions: actions.context.flush
    ),
    _row("melds", "Tiles in melds, thirds", lambda actions: sum(actions.context.melded) / _SETS),
    parts_of_the_hand,
    rank,
    _row(
        "points behind",
        "0–3, of 8,000 points to the next rank above",
        lambda actions: min(actions.context.behind / _GAP, _LARGEST_GAP),
    ),
    _row(
        "points ahead",
        "0–3, of 8,000 points to the next rank below",
        lambda actions: min(actions.context.ahead / _GAP, _LARGEST_GAP),
    ),
    _row("rounds left", "0–1, of 8", lambda actions: actions.context.rounds_left / _ROUNDS),
    _row("last round", "0/1", lambda actions: actions.context.last_round),
    from_edge,
    _at_offsets("copies", "0–4", lambda context: np.array(context.hand)),
    _at_offsets("unseen copies", "0–4", lambda context: np.array(context.unseen)),
    _at_offsets("dora", "times", lambda context: np.bincount(context.dora, minlength=KINDS)),
    yakuhai,
    honour_seen,
    suit_tiles,
    largest_win,
)
"""The inputs: first those that all actions share, then those of a discard, which are 0 for others.
"""


def input_names() -> tuple[str, ...]:
    """The names of the inputs."""
    return TABLE.names


INPUTS = input_names()
"""Names of the inputs."""


def inputs(context: DecisionContext, outcomes: Sequence[Outcome]) -> Floats:
    """The inputs of the actions of one decision, (n, inputs)."""
    actions = Actions(context, outcomes)
    values = {one: one.compute(actions) for one in TABLE.inputs}
    return TABLE.matrix(values, (len(outcomes),))
