"""The terms of the preferences of strong players: what an action is like beside its value.

A term is one number for each action of a decision. The groups are those of the value itself, the
hand that the action leaves, the discarded tile, calls, riichi, and kans with the ends of a round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import log
from typing import NamedTuple

import numpy as np

from houjuu.arrays import Floats
from houjuu.tiles import COPIES, HONOURS, IS_HONOUR, IS_YAOCHU, KIND, KINDS, RED_FIVES, SUIT

UNIT = 1000.0
"""Unit of the values in the logit, points."""

_MAX_VALUE = 4.0
"""A larger difference to the best action of a decision counts as this one, in `UNIT`."""

_FAR = 3  # shanten
_EARLY, _LATE = 45, 18  # tiles left
_TILES = 70
_FLUSH = 9  # tiles of one suit and honours
_SIMPLE = 4  # terminals and honours
_MANY_PAIRS = 5
CALLS = ("CHI", "PON", "DAIMINKAN")
OWN_KANS = ("ANKAN", "KAKAN")
_ENDS = ("TSUMO", "RON", "KYUSHU_KYUHAI")
_NUMBERS = HONOURS * 9  # kinds below are numbered

ISOLATED = ("guest wind", "yakuhai", "terminal", "2 or 8", "3 to 7")
"""Classes of isolated tiles."""


class Option(NamedTuple):
    """An action and the hand that it leaves.

    Attributes
    ----------
    type : str
        The name of riichienv's type of action, such as "DISCARD" or "PON".
    value : float
        By the models, unit: points.
    win : float
        P(the seat wins the round).
    dealt_in : float
        The part of the value that is lost by dealing in now, at most 0.
    shanten, ways, points : float
        As in `houjuu.player.hand_value.value.Outlook`; of an action that ends the round 0.
    discard : int or None
        The id of the tile that the seat discards, or adds to a kan.
    called : int or None
        The id of the tile that it calls.
    """

    type: str
    value: float
    win: float = 0.0
    dealt_in: float = 0.0
    shanten: float = 0.0
    ways: float = 0.0
    points: float = 0.0
    discard: int | None = None
    called: int | None = None


@dataclass(frozen=True, slots=True)
class Situation:
    """What the actions of a decision have in common.

    Attributes
    ----------
    hand, melded : tuple of 34 ints
        Copies of each kind among the concealed tiles, the drawn one included, and in the own melds.
    elsewhere : tuple of 34 ints
        Copies that the seat sees outside its own tiles.
    red_fives : int
        Of the own tiles.
    dora, yakuhai : tuple of int
        Kinds.
    closed : bool
        Whether the hand is closed.
    was_tenpai : bool
        Whether the hand was tenpai before the draw.
    facing_riichi : bool
        Whether an opponent is in riichi.
    dealer : bool
    tiles_left : int
    """

    hand: tuple[int, ...]
    melded: tuple[int, ...]
    elsewhere: tuple[int, ...]
    red_fives: int
    dora: tuple[int, ...]
    yakuhai: tuple[int, ...]
    closed: bool
    was_tenpai: bool
    facing_riichi: bool
    dealer: bool
    tiles_left: int

    @property
    def own(self) -> Sequence[int]:
        """Copies of each kind in hand and melds."""
        return [sum(pair) for pair in zip(self.hand, self.melded, strict=True)]

    def isolated(self, kind: int) -> int:
        """The class of a tile with none near it in the hand, an index into `ISOLATED`; else -1."""
        if IS_HONOUR[kind]:
            near = self.hand[kind]
        else:
            first = kind - kind % 9
            near = sum(self.hand[max(kind - 2, first) : min(kind + 3, first + 9)])
        if near > 1:
            return -1
        if IS_HONOUR[kind]:
            return int(kind in self.yakuhai)
        return {0: 2, 8: 2, 1: 3, 7: 3}.get(kind % 9, 4)

    def dora_of(self, tile: int) -> int:
        """Dora of a tile, that of a red five included."""
        return self.dora.count(KIND[tile]) + (tile in RED_FIVES)


class _Shape:
    """What the terms need of the hand; the same for all actions of a decision."""

    def __init__(self, at: Situation, options: Sequence[Option]) -> None:
        shantens = [(one.type, one.shanten) for one in options if one.type not in _ENDS]
        own = at.own
        suits = [sum(own[first : first + 9]) for first in range(0, _NUMBERS, 9)]
        honours = sum(own[_NUMBERS:])
        self.at = at
        self.nearest = min((shanten for _, shanten in shantens), default=0.0)
        self.passed = dict(shantens).get("PASS", self.nearest)
        self.early = float(at.tiles_left > _EARLY)
        self.main_suit = int(np.argmax(suits))
        self.flush = max(suits[self.main_suit] + honours - _FLUSH, 0)
        self.outer = sum(own[kind] for kind in range(KINDS) if IS_YAOCHU[kind])
        self.pairs = sum(count > 1 for count in at.hand)
        self.dora = at.red_fives + sum(own[kind] for kind in at.dora)


def _hand(shape: _Shape, option: Option) -> Iterator[float]:
    facing = shape.at.facing_riichi
    ends = option.type in _ENDS
    win = 0.0 if ends else log(option.win + 0.01)
    far = option.shanten >= _FAR
    farther = 0.0 if ends else option.shanten - shape.nearest
    given_up = 0 if option.discard is None else shape.at.dora_of(option.discard)
    yield from (win, win * facing)
    yield from (option.dealt_in / UNIT, option.dealt_in / UNIT * facing)
    yield from (farther, farther * facing)
    yield log(option.ways + 0.5) * far
    yield from (given_up, given_up * facing)


_HAND = (
    *("log P(win)", "log P(win), facing a riichi"),
    *("dealing in now", "dealing in now, facing a riichi"),
    *("farther from tenpai", "farther from tenpai, facing a riichi"),
    "useful tiles, far",
    *("dora given up", "dora given up, facing a riichi"),
)


def _discard(shape: _Shape, option: Option) -> Iterator[float]:
    at, tile = shape.at, option.discard
    if tile is None or option.type not in ("DISCARD", "RIICHI"):
        yield from (0.0,) * len(_DISCARD)
        return
    kind = KIND[tile]
    quiet = not at.facing_riichi
    of_kind = at.isolated(kind)
    isolated = [quiet * (of_kind == index) for index in range(len(ISOLATED))]
    honour, yakuhai, copies = IS_HONOUR[kind], kind in at.yakuhai, at.hand[kind]
    seen = at.elsewhere[kind]
    in_flush = shape.flush * (honour or SUIT[kind] == shape.main_suit)
    near_dora = any(
        not honour and SUIT[dora] == SUIT[kind] and 0 < abs(dora - kind) < 3 for dora in at.dora
    )
    yield from isolated
    yield from (shape.early * flag for flag in isolated)
    for of_class in (not yakuhai, yakuhai):
        single, pair = (honour and of_class and copies == count for count in (1, 2))
        yield quiet * single * seen
        yield from (quiet * pair, quiet * pair * seen)
    yield at.facing_riichi * honour
    yield float(copies == 2 and shape.pairs >= _MANY_PAIRS)
    yield from (quiet * in_flush, at.facing_riichi * in_flush)
    yield quiet * near_dora
    yield quiet * IS_YAOCHU[kind] * max(_SIMPLE - shape.outer, 0)


_DISCARD = (
    *(f"discards an isolated {name}" for name in ISOLATED),
    *(f"discards an isolated {name}, early" for name in ISOLATED),
    *(
        text.format(name)
        for name in ("guest wind", "yakuhai")
        for text in (
            "discards a single {}, copies seen",
            *("discards from a pair of a {}", "discards from a pair of a {}, copies seen"),
        )
    ),
    "discards an honour, facing a riichi",
    "discards from one of many pairs",
    *("discards a tile of a flush", "discards a tile of a flush, facing a riichi"),
    "discards a neighbour of a dora",
    "discards a terminal or honour of a simple hand",
)


def _call(shape: _Shape, option: Option) -> Iterator[float]:
    at, tile = shape.at, option.called
    if tile is None or option.type not in CALLS:
        yield from (0.0,) * len(_CALL)
        return
    kind, pon = KIND[tile], float(option.type == "PON")
    left = at.tiles_left / _TILES
    dora = shape.dora + at.dora_of(tile)
    into = [float(min(option.shanten, _FAR) == shanten) for shanten in range(_FAR + 1)]
    yield from into
    yield from (at.closed * flag for flag in into)
    yield from (float(option.type == "CHI"), float(option.type == "DAIMINKAN"))
    keeps = float(option.shanten >= shape.passed)
    yield from (keeps, keeps * pon)
    yakuhai = float(kind in at.yakuhai)
    unseen = COPIES - at.hand[kind] - at.elsewhere[kind]
    yield from (yakuhai, yakuhai * left, yakuhai * (unseen == 0))
    yield from (pon * left, pon * (1 - yakuhai) * (unseen == 0))
    yield log(option.ways + 0.5) * (option.shanten >= _FAR)
    yield from (min(dora, 4), at.closed * min(dora, 4), float(dora == 0))
    yield at.closed * left
    yield from (shape.outer, shape.pairs, shape.flush)
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
    at, declares = shape.at, float(option.type == "RIICHI")
    yield from (declares, declares * at.facing_riichi, declares * at.was_tenpai)
    yield declares * log(option.ways + 0.5)
    yield from (declares * shape.early, declares * (at.tiles_left < _LATE))


_RIICHI = (
    *("riichi", "riichi facing a riichi", "riichi, tenpai before"),
    "riichi, unseen tiles waited for",
    *("riichi, early", "riichi, late"),
)


def _other(shape: _Shape, option: Option) -> Iterator[float]:
    kan = float(option.type in OWN_KANS)
    yield from (kan, kan * shape.at.facing_riichi)
    yield from (float(option.type in ("TSUMO", "RON")), float(option.type == "KYUSHU_KYUHAI"))


_OTHER = ("closed or added kan", "kan facing a riichi", "win", "abort")

_GROUPS: tuple[Callable[[_Shape, Option], Iterator[float]], ...] = (
    *(_hand, _discard, _call, _riichi, _other),
)

VALUES = ("value", "value, facing a riichi")
PREFERENCES = (*_HAND, *_DISCARD, *_CALL, *_RIICHI, *_OTHER)
TERMS = (*VALUES, *PREFERENCES)
"""Names of the terms: those of the value, and the preferences."""


def terms(situation: Situation, options: Sequence[Option]) -> Floats:
    """The terms of the actions of one decision, (n, terms)."""
    values = np.array([option.value for option in options]) / UNIT
    value = np.maximum(values - values.max(), -_MAX_VALUE)
    shape = _Shape(situation, options)
    beyond = [[term for group in _GROUPS for term in group(shape, one)] for one in options]
    return np.column_stack((value, value * situation.facing_riichi, np.array(beyond, float)))
