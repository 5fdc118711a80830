"""Inputs of the network of preferences, beside the features of the logit.

The logit adds up its features. A network combines them with facts that all actions of a decision
share, which cancel out of a logit, and with the tiles around a discard, one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from houjuu.game.actions import ENDS, ActionKind
from houjuu.game.events import SEATS
from houjuu.game.tiles import EAST, KINDS, RANKS
from houjuu.player.hand_value.hand_decomposition import CLASSES
from houjuu.player.preference.decision import (
    DecisionContext,
    Option,
    nearest_shanten,
)
from houjuu.player.preference.discard_features import discarded, mean_parts_of_hand
from houjuu.util.arrays import Floats

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


def _context_inputs(context: DecisionContext, options: Sequence[Option]) -> Iterator[float]:
    nearest = nearest_shanten(options)
    yield float(context.facing_riichi)
    yield context.tenpai
    yield context.tiles_left / _TILES
    yield from (float(min(nearest, _FARTHEST) == shanten) for shanten in range(_FARTHEST + 1))
    yield float(context.closed)
    yield float(context.was_tenpai)
    yield float(context.dealer)
    yield float(min(context.own_dora, _MOST_DORA))
    yield float(context.pairs)
    yield float(context.yaochu)
    yield float(context.flush)
    yield sum(context.melded) / _SETS
    yield from mean_parts_of_hand(context.hand, context.yakuhai).tolist()
    yield from (float(context.rank == rank) for rank in range(SEATS))
    yield from (min(gap / _GAP, _LARGEST_GAP) for gap in (context.behind, context.ahead))
    yield context.rounds_left / _ROUNDS
    yield float(context.last_round)


CONTEXT = (
    "facing a riichi",
    "P(tenpai)",
    "tiles left",
    *(f"shanten {shanten}" for shanten in ("0", "1", "2", "3", "4 or more")),
    "closed",
    "tenpai before",
    "dealer",
    "dora",
    "pairs",
    "terminals and honours",
    "flush",
    "melds",
    *(f"parts of the hand: {name}" for name in CLASSES),
    *(f"rank {rank + 1}" for rank in range(SEATS)),
    "points behind",
    "points ahead",
    "rounds left",
    "last round",
)
"""Names of the inputs that all actions of a decision share."""


def _largest_win(options: Sequence[Option]) -> Floats:
    """The log of the largest P(win) for each action, (n,).

    The actions with riichi are apart: they are compared alike before and after the declaration.
    """
    with_riichi = [option.kind is ActionKind.RIICHI for option in options]
    largest = {
        flag: max(
            (
                option.win
                for option, own in zip(options, with_riichi, strict=True)
                if own is flag and option.kind not in ENDS
            ),
            default=0.0,
        )
        for flag in (False, True)
    }
    return np.log(np.array([largest[flag] for flag in with_riichi]) + 0.01)


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


def _surroundings(context: DecisionContext, options: Sequence[Option]) -> Floats:
    """The inputs of the discards, (n, `SURROUNDINGS`); those of other actions are 0."""
    kinds = [_NO_KIND if (kind := discarded(option)) is None else kind for option in options]
    hand, unseen, dora, yakuhai, seen, in_suit = by_kind = np.zeros((6, KINDS + 1))
    hand[:KINDS], unseen[:KINDS] = context.hand, context.unseen
    seen[EAST:KINDS] = context.elsewhere[EAST:]
    dora[:KINDS] = np.bincount(context.dora, minlength=KINDS)
    yakuhai[list(context.yakuhai)] = 1
    in_suit[:EAST] = np.repeat(hand[:EAST].reshape(-1, RANKS).sum(axis=1) / _SUIT_TILES, RANKS)
    neighbours = by_kind[:3, _NEIGHBOURS[kinds]]
    return np.column_stack((_FROM_EDGE[kinds], *neighbours, by_kind[3:, kinds].T))


SURROUNDINGS = (
    *(f"rank {distance + 1} from the edge" for distance in range(_MIDDLE + 1)),
    *(f"copies at {offset:+d}" for offset in _OFFSETS),
    *(f"unseen copies at {offset:+d}" for offset in _OFFSETS),
    *(f"dora at {offset:+d}" for offset in _OFFSETS),
    "yakuhai",
    "copies of an honour seen",
    "tiles of the suit",
)
"""Names of the inputs of a discard; of any other action they are 0."""

INPUTS = (*CONTEXT, *SURROUNDINGS, "log of the largest P(win)")


def inputs(context: DecisionContext, options: Sequence[Option]) -> Floats:
    """The inputs of the actions of one decision, (n, inputs)."""
    shared = np.array([*_context_inputs(context, options)])
    return np.column_stack(
        (
            np.broadcast_to(shared, (len(options), len(CONTEXT))),
            _surroundings(context, options),
            _largest_win(options),
        )
    )
