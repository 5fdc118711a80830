"""The terms of the preferences of strong players: what an action is like beside its value.

A term is one number for each action of a decision. The groups are those of the value itself, the
hand that the action leaves, the discarded tile, calls, riichi, and kans with the ends of a round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from math import log, log2

import numpy as np

from houjuu.game.actions import CALLS, ENDS, OWN_KANS, WINS, ActionKind
from houjuu.game.tiles import COPIES, KIND
from houjuu.player.preference import discard_terms
from houjuu.player.preference.decision import (
    Option,
    Situation,
    nearest_shanten,
)
from houjuu.player.preference.discard_terms import discarded
from houjuu.player.round_end.logit import places
from houjuu.util.arrays import Floats

UNIT = 1000.0
"""Unit of the values in the logit, points."""

_MAX_VALUE = 4.0
"""A larger difference to the best action of a decision counts as this one, in `UNIT`."""

_FAR = 3  # shanten
_LATE = 18  # tiles left
_TILES = 70
_SMALL_LOSS, _LEAST_POINTS = 10.0, 500.0
_SHANTEN = ("tenpai", "1 from tenpai", "2 from tenpai", "3 from tenpai", "farther")


class _Shape:
    """The numbers of the hand that the terms need; all actions of a decision share them."""

    def __init__(self, at: Situation, options: Sequence[Option]) -> None:
        self.at, self.nearest = at, nearest_shanten(options)
        at_most = min(self.nearest, len(_SHANTEN) - 1)
        self.is_nearest = [float(at_most == shanten) for shanten in range(len(_SHANTEN))]
        self.passed = {one.kind: one.shanten for one in options}.get(ActionKind.PASS, self.nearest)


def _hand(shape: _Shape, options: Sequence[Option]) -> Floats:
    """The terms of the hands that the actions leave, (n, `_HAND`); 0 where the round ends."""
    facing, is_nearest = shape.at.facing_riichi, np.array(shape.is_nearest)
    win = np.array([log(one.win + 0.01) for one in options])
    dealt_in = np.array([one.dealt_in for one in options]) / UNIT
    farther = np.array([one.shanten for one in options]) - shape.nearest
    tiles = [one.discard for one in options]
    dora = np.array([0 if tile is None else shape.at.dora_of(tile) for tile in tiles])
    loss = np.array([log(1 - one.dealt_in / _SMALL_LOSS) for one in options])
    ways = np.array([log(one.ways + 0.5) for one in options])
    points = [log2(max(one.points, _LEAST_POINTS) / _LEAST_POINTS) for one in options]
    twice = [term for one in (win, dealt_in, farther, dora) for term in (one, one * facing)]
    quiet = loss * (not facing)
    by_shanten = np.stack((loss * facing, ways, points), axis=1)[:, :, None] * is_nearest
    columns = (*twice, quiet, quiet * shape.at.tenpai, by_shanten.reshape(len(options), -1))
    left = np.array([one.kind not in ENDS for one in options])
    return np.asarray(np.column_stack(columns) * left[:, None])


_HAND = (
    *("log P(win)", "log P(win), facing a riichi"),
    *("dealing in now", "dealing in now, facing a riichi"),
    *("farther from tenpai", "farther from tenpai, facing a riichi"),
    *("dora given up", "dora given up, facing a riichi"),
    *("log of dealing in now", "log of dealing in now × P(tenpai)"),
    *(f"log of dealing in now, facing a riichi, {name}" for name in _SHANTEN),
    *(f"log of useful tiles, {name}" for name in _SHANTEN),
    *(f"log of points, {name}" for name in _SHANTEN),
)


def _call(shape: _Shape, option: Option, tile: int) -> Iterator[float]:
    at = shape.at
    kind, pon = KIND[tile], float(option.kind is ActionKind.PON)
    left = at.tiles_left / _TILES
    dora = at.own_dora + at.dora_of(tile)
    into = [float(min(option.shanten, _FAR) == shanten) for shanten in range(_FAR + 1)]
    yield from into
    yield from (at.closed * flag for flag in into)
    yield from (float(option.kind is ActionKind.CHI), float(option.kind is ActionKind.DAIMINKAN))
    keeps = float(option.shanten >= shape.passed)
    yield from (keeps, keeps * pon)
    yakuhai = float(kind in at.yakuhai)
    unseen = COPIES - at.hand[kind] - at.elsewhere[kind]
    yield from (yakuhai, yakuhai * left, yakuhai * (unseen == 0))
    yield from (pon * left, pon * (1 - yakuhai) * (unseen == 0))
    yield log(option.ways + 0.5) * (option.shanten >= _FAR)
    yield from (min(dora, 4), at.closed * min(dora, 4), float(dora == 0))
    yield at.closed * left
    yield from (at.yaochu, at.pairs, at.flush)
    yield float(at.dealer)


_CALL = (
    *(f"call into shanten {shanten}" for shanten in ("0", "1", "2", "3 or more")),
    *(f"call into shanten {shanten}, closed" for shanten in ("0", "1", "2", "3 or more")),
    *("chi", "open kan"),
    *("call that keeps the shanten", "pon that keeps the shanten"),
    *("call of a yakuhai", "call of a yakuhai, tiles left", "call of a yakuhai, no copy left"),
    *("pon, tiles left", "pon of another kind, no copy left"),
    "call, useful tiles, far",
    *("call, dora", "call, dora, closed", "call without dora"),
    "call, tiles left, closed",
    *("call, terminals and honours", "call, pairs", "call, flush"),
    "call by the dealer",
)


def _riichi(shape: _Shape, option: Option) -> Iterator[float]:
    at = shape.at
    yield from (1.0, at.facing_riichi, at.was_tenpai)
    yield log(option.ways + 0.5)
    yield from (at.early, at.tiles_left < _LATE)


_RIICHI = (
    *("riichi", "riichi facing a riichi", "riichi, tenpai before"),
    "riichi, unseen tiles waited for",
    *("riichi, early", "riichi, late"),
)


def _other(shape: _Shape, option: Option) -> Iterator[float]:
    kan = float(option.kind in OWN_KANS)
    yield from (kan, kan * shape.at.facing_riichi)
    yield from (float(option.kind in WINS), float(option.kind is ActionKind.NINE_TERMINALS))


_OTHER = ("closed or added kan", "kan facing a riichi", "win", "abort")

VALUES = ("value", "value, facing a riichi")
_BLOCKS = (VALUES, _HAND, discard_terms.NAMES, _CALL, _RIICHI, _OTHER)
_OF_VALUES, _OF_HAND, _OF_DISCARD, _OF_CALL, _OF_RIICHI, _OF_OTHER = places(_BLOCKS)
TERMS = tuple(chain.from_iterable(_BLOCKS))
PREFERENCES = TERMS[len(VALUES) :]
"""Names of the terms: those of the value, and the preferences."""


def terms(situation: Situation, options: Sequence[Option]) -> Floats:
    """The terms of the actions of one decision, (n, terms)."""
    table, shape = np.zeros((len(options), len(TERMS))), _Shape(situation, options)
    values = np.array([option.value for option in options]) / UNIT
    value = np.maximum(values - values.max(), -_MAX_VALUE)
    table[:, _OF_VALUES] = np.column_stack((value, value * situation.facing_riichi))
    table[:, _OF_HAND] = _hand(shape, options)
    far = shape.nearest >= _FAR
    for row, option in zip(table, options, strict=True):
        kind = discarded(option)
        if kind is not None:
            discard_terms.write(row[_OF_DISCARD], situation, kind, far=far)
        if option.called is not None and option.kind in CALLS:
            row[_OF_CALL] = [*_call(shape, option, option.called)]
        if option.kind is ActionKind.RIICHI:
            row[_OF_RIICHI] = [*_riichi(shape, option)]
        elif option.kind in (*ENDS, *OWN_KANS):
            row[_OF_OTHER] = [*_other(shape, option)]
    return table
