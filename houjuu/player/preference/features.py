"""The features of the preferences of strong players: what an action is like beside its value.

A feature is one number for each action of a decision. The groups are those of the value itself, the
effect on the ranks beyond the points, the hand that the action leaves, the discarded tile, calls,
riichi, and kans with the ends of a round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from math import log, log2

import numpy as np

from houjuu.game.actions import CALLS, ENDS, OWN_KANS, WINS, ActionKind
from houjuu.game.tiles import COPIES, KIND
from houjuu.player.preference import discard_features
from houjuu.player.preference.decision import (
    DecisionContext,
    Option,
    nearest_shanten,
)
from houjuu.player.preference.discard_features import discarded
from houjuu.player.round_end.logit import places
from houjuu.util.arrays import Floats

UNIT = 1000.0
"""Unit of the values in the logit, points."""

_MAX_VALUE = 4.0
"""A larger difference to the best action of a decision counts as this one, in `UNIT`."""

_FAR = 3  # shanten
_LATE = 18  # tiles left
_TILES = 70
_SMALL_LOSS = 10.0
_LEAST_POINTS = 500.0
_SHANTEN = ("tenpai", "1 from tenpai", "2 from tenpai", "3 from tenpai", "farther")


def _score_situation(options: Sequence[Option], values: Floats) -> Floats:
    """The score situation of each action less that of the best, (n,), unit: `UNIT`."""
    parts = np.array([option.score_situation for option in options]) / UNIT
    difference = parts - parts[values.argmax()]
    return np.asarray(difference.clip(-_MAX_VALUE, _MAX_VALUE))


def _hand(context: DecisionContext, options: Sequence[Option], nearest: float) -> Floats:
    """The features of the hands that the actions leave, (n, `_HAND`); 0 where the round ends."""
    facing = context.facing_riichi
    win = np.array([log(option.win + 0.01) for option in options])
    dealt_in = np.array([option.dealt_in for option in options])
    farther = np.array([option.shanten for option in options]) - nearest
    tiles = [option.discard for option in options]
    dora = np.array([0 if tile is None else context.dora_of(tile) for tile in tiles])
    shared = (win, dealt_in / UNIT, farther, dora)
    twice = [column for feature in shared for column in (feature, feature * facing)]
    loss = np.array([log(1 - points / _SMALL_LOSS) for points in dealt_in.tolist()])
    quiet = loss * (not facing)
    ways = np.array([log(option.ways + 0.5) for option in options])
    points = [log2(max(option.points, _LEAST_POINTS) / _LEAST_POINTS) for option in options]
    is_nearest = min(nearest, len(_SHANTEN) - 1) == np.arange(len(_SHANTEN))
    by_shanten = np.stack((loss * facing, ways, points), axis=1)[:, :, None] * is_nearest
    columns = (*twice, quiet, quiet * context.tenpai, by_shanten.reshape(len(options), -1))
    goes_on = np.array([option.kind not in ENDS for option in options])
    return np.asarray(np.column_stack(columns) * goes_on[:, None])


_HAND = (
    "log P(win)",
    "log P(win), facing a riichi",
    "dealing in now",
    "dealing in now, facing a riichi",
    "farther from tenpai",
    "farther from tenpai, facing a riichi",
    "dora given up",
    "dora given up, facing a riichi",
    "log of dealing in now",
    "log of dealing in now × P(tenpai)",
    *(f"log of dealing in now, facing a riichi, {name}" for name in _SHANTEN),
    *(f"log of useful tiles, {name}" for name in _SHANTEN),
    *(f"log of points, {name}" for name in _SHANTEN),
)


def _call(
    context: DecisionContext, option: Option, tile: int, pass_shanten: float
) -> Iterator[float]:
    closed = context.closed
    left = context.tiles_left / _TILES
    into = [float(min(option.shanten, _FAR) == shanten) for shanten in range(_FAR + 1)]
    yield from into
    yield from (closed * flag for flag in into)
    pon = float(option.kind is ActionKind.PON)
    yield float(option.kind is ActionKind.CHI)
    yield float(option.kind is ActionKind.DAIMINKAN)
    keeps = float(option.shanten >= pass_shanten)
    yield keeps
    yield keeps * pon
    kind = KIND[tile]
    yakuhai = float(kind in context.yakuhai)
    unseen = COPIES - context.hand[kind] - context.elsewhere[kind]
    yield yakuhai
    yield yakuhai * left
    yield yakuhai * (unseen == 0)
    yield pon * left
    yield pon * (1 - yakuhai) * (unseen == 0)
    yield log(option.ways + 0.5) * (option.shanten >= _FAR)
    dora = context.own_dora + context.dora_of(tile)
    yield min(dora, 4)
    yield closed * min(dora, 4)
    yield float(dora == 0)
    yield closed * left
    yield context.yaochu
    yield context.pairs
    yield context.flush
    yield float(context.dealer)


_CALL = (
    *(f"call into shanten {shanten}" for shanten in ("0", "1", "2", "3 or more")),
    *(f"call into shanten {shanten}, closed" for shanten in ("0", "1", "2", "3 or more")),
    "chi",
    "open kan",
    "call that keeps the shanten",
    "pon that keeps the shanten",
    "call of a yakuhai",
    "call of a yakuhai, tiles left",
    "call of a yakuhai, no copy left",
    "pon, tiles left",
    "pon of another kind, no copy left",
    "call, useful tiles, far",
    "call, dora",
    "call, dora, closed",
    "call without dora",
    "call, tiles left, closed",
    "call, terminals and honours",
    "call, pairs",
    "call, flush",
    "call by the dealer",
)


def _riichi(context: DecisionContext, option: Option) -> Iterator[float]:
    yield 1.0
    yield context.facing_riichi
    is_same = option.discard is not None and KIND[option.discard] == context.drawn
    yield context.was_tenpai and is_same
    yield context.was_tenpai and not is_same
    yield log(option.ways + 0.5)
    yield context.early
    yield context.tiles_left < _LATE
    yield option.wait_kinds > 1
    yield option.dama_points == 0
    yield log2(max(option.dama_points, _LEAST_POINTS) / _LEAST_POINTS)


LATER_RIICHI = ("riichi, same hand as before", "riichi, changed hand of tenpai")
"""Features of a riichi by a seat that was tenpai before, and did not declare then."""

_RIICHI = (
    "riichi",
    "riichi facing a riichi",
    *LATER_RIICHI,
    "riichi, unseen tiles waited for",
    "riichi, early",
    "riichi, late",
    "riichi, several kinds waited for",
    "riichi without another yaku",
    "riichi, points without it",
)


def _other(context: DecisionContext, option: Option) -> Iterator[float]:
    kan = float(option.kind in OWN_KANS)
    yield kan
    yield kan * context.facing_riichi
    yield float(option.kind in WINS)
    yield float(option.kind is ActionKind.NINE_TERMINALS)


_OTHER = ("closed or added kan", "kan facing a riichi", "win", "abort")

VALUES = ("value", "value, facing a riichi", "value, last round")
_RANKS = ("score situation",)
_BLOCKS = (VALUES, _RANKS, _HAND, discard_features.NAMES, _CALL, _RIICHI, _OTHER)
(
    _VALUE_COLUMNS,
    _RANK_COLUMNS,
    _HAND_COLUMNS,
    _DISCARD_COLUMNS,
    _CALL_COLUMNS,
    _RIICHI_COLUMNS,
    _OTHER_COLUMNS,
) = places(_BLOCKS)
FEATURES = tuple(chain.from_iterable(_BLOCKS))
PREFERENCES = FEATURES[len(VALUES) :]
"""Names of the features: those of the value, and the preferences."""


def features(context: DecisionContext, options: Sequence[Option]) -> Floats:
    """The features of the actions of one decision, (n, features)."""
    rows = np.zeros((len(options), len(FEATURES)))
    nearest = nearest_shanten(options)
    values = np.array([option.value for option in options]) / UNIT
    value = np.maximum(values - values.max(), -_MAX_VALUE)
    phases = np.array([True, context.facing_riichi, context.last_round])
    rows[:, _VALUE_COLUMNS] = value[:, None] * phases
    rows[:, _RANK_COLUMNS] = _score_situation(options, values)[:, None]
    rows[:, _HAND_COLUMNS] = _hand(context, options, nearest)
    pass_shanten = {option.kind: option.shanten for option in options}.get(ActionKind.PASS, nearest)
    for row, option in zip(rows, options, strict=True):
        kind = discarded(option)
        if kind is not None:
            far = nearest >= _FAR
            discard_features.write(row[_DISCARD_COLUMNS], context, kind, far=far)
        if option.called is not None and option.kind in CALLS:
            row[_CALL_COLUMNS] = [*_call(context, option, option.called, pass_shanten)]
        if option.kind is ActionKind.RIICHI:
            row[_RIICHI_COLUMNS] = [*_riichi(context, option)]
        elif option.kind in (*ENDS, *OWN_KANS):
            row[_OTHER_COLUMNS] = [*_other(context, option)]
    return rows
