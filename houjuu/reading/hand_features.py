"""Features of whole hands against the river of their opponent.

A hand is judged by the tiles that its owner has thrown and could use now, by the waits that others
let pass, and by what it still can draw. Copies are counted from the opponent's side: it sees its
own hand and the open tiles, and not the hand of the asking seat.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from houjuu.game.tiles import COPIES, EAST, IS_YAOCHU, KIND, KINDS, RANKS
from houjuu.hands.shanten import (
    CLOSED,
    KIND_KEYS,
    Changes,
    Target,
    changed_shantens,
    shantens,
)
from houjuu.reading import wait_features
from houjuu.reading.opponent import OpponentContext, OpponentType
from houjuu.util.arrays import Bools, Floats, Int8s, Ints

HAND_TYPES = (
    *("closed, to 5 discards", "closed, 6 to 10", "closed, 11 or more", "riichi"),
    *("1 meld", "2 melds", "3 or more melds"),
)
"""Types of opponents that have weights of their own; closed kans are melds here."""
RIICHI = 3
_TURNS = (5, 10)

NAMES = (
    "tenpai: furiten",
    "tenpai: a wait passed since the last tedashi",
    "tenpai: a wait passed, one tedashi since",
    "tenpai: 2 kinds",
    "tenpai: 3 kinds or more",
    "tenpai: log of the predicted share of its waits",
    "useful kinds thrown since the last tedashi",
    "useful kinds among the last 3 tedashi",
    "useful kinds among earlier tedashi",
    "useful tsumogiri before the last tedashi",
    "the last tedashi cost 1 shanten",
    "the last tedashi cost 2 shanten or more",
    "the last tedashi is useful now",
    "holds a copy of the last tedashi",
    "tenpai: live copies of its waits, quarters",
    "useful kinds, tenths",
    "five pairs or more",
    "simples only",
    "flush but one tile",
    "flush",
    "dora",
    "open without a yaku in sight",
    "open without a yaku in sight, tenpai",
)
"""The features of `features`, in their order."""

_YAOCHU = np.array(IS_YAOCHU)
_LEAST_SHARE = 3e-3
_LATE_TEDASHI = 3


class HandReading(NamedTuple):
    """The part of an opponent's context that hands are compared with.

    Attributes
    ----------
    hand_type : int
        Index in `HAND_TYPES`.
    n_tiles : int
        Concealed tiles between two turns: 13, 10, 7, 4 or 1.
    copies : (34,) array
        That the asking seat does not see.
    live : (34,) array
        Copies that nobody shows.
    furiten : (34,) array of bool
        Kinds on which the opponent cannot win.
    passed : (34,) array
        0 no other discarded it; else tedashi of the opponent since, plus 1.
    thrown : (4, 34) array of bool
        Kinds since the last tedashi, of the last 3 tedashi, of earlier ones, and of the other
        tsumogiri.
    last_tedashi : int
        Its kind; −1 without one.
    melds : (34,) array
        Copies in the opponent's melds.
    is_open : bool
    dora : (34,) array
    yakuhai : (34,) array of bool
    numbers : tuple of float
        Discards and tiles left in the wall.
    """

    hand_type: int
    n_tiles: int
    copies: Ints
    live: Ints
    furiten: Bools
    passed: Int8s
    thrown: Bools
    last_tedashi: int
    melds: Ints
    is_open: bool
    dora: Ints
    yakuhai: Bools
    numbers: tuple[float, float]

    @property
    def sets(self) -> int:
        """Sets that the concealed tiles must make."""
        return self.n_tiles // 3

    @classmethod
    def from_context(cls, context: OpponentContext) -> HandReading:
        """The reading of an opponent."""
        seat = context.seat
        river = [(KIND[discard.tile], not discard.tsumogiri) for discard in seat.river]
        tedashi = [turn for turn, (_, by_hand) in enumerate(river) if by_hand]
        last = tedashi[-1] if tedashi else -1
        late = tedashi[-_LATE_TEDASHI:]
        thrown = np.zeros((4, KINDS), np.bool_)
        for turn, (kind, by_hand) in enumerate(river):
            group = 0 if turn > last else (1 if turn in late else 2) if by_hand else 3
            thrown[group, kind] = True
        yakuhai = np.zeros(KINDS, np.bool_)
        yakuhai[list(context.yakuhai)] = True
        melds = [KIND[tile] for meld in seat.melds for tile in meld.tiles]
        n_melds = len(seat.melds)
        if context.opponent_type is OpponentType.RIICHI:
            hand_type = RIICHI
        elif n_melds:
            hand_type = RIICHI + min(n_melds, 3)
        else:
            hand_type = sum(len(river) > turns for turns in _TURNS)
        return cls(
            hand_type=hand_type,
            n_tiles=13 - 3 * n_melds,
            copies=np.array(context.tiles.unseen),
            live=COPIES - np.array(context.tiles.open_copies),
            furiten=context.genbutsu,
            passed=np.frombuffer(wait_features.passed.compute(context), np.int8),
            thrown=thrown,
            last_tedashi=river[last][0] if tedashi else -1,
            melds=np.bincount(melds, minlength=KINDS),
            is_open=seat.n_open_melds > 0,
            dora=np.bincount(context.tiles.dora, minlength=KINDS),
            yakuhai=yakuhai,
            numbers=(float(len(river)), float(context.view.tiles_left)),
        )


class Useful(NamedTuple):
    """Shanten of n hands, (n,), and the kinds that lower it, (n, 34)."""

    shanten: Ints
    kinds: Bools

    @property
    def waits(self) -> Bools:
        """The kinds that complete each hand, (n, 34)."""
        return np.asarray(self.kinds & (self.shanten == 0)[:, None])


def useful(hands: Int8s, sets: int) -> Useful:
    """Shanten of hands of one size, any winning form, and the kinds that lower it."""
    keys = hands.astype(np.intp) @ KIND_KEYS
    target = Target(sets, CLOSED)
    shanten = shantens(keys, target)
    rows, kinds = np.nonzero(hands < COPIES)
    lowers = changed_shantens(keys, Changes(rows, kinds, 1), target) < shanten[rows]
    mask = np.zeros(hands.shape, np.bool_)
    mask[rows[lowers], kinds[lowers]] = True
    return Useful(shanten, mask)


def features(
    hands: Int8s, reading: HandReading, shares: Floats, usefuls: Useful | None = None
) -> Floats:
    """The features `NAMES` of hands of an opponent, (n, 23).

    Parameters
    ----------
    hands : (n, 34) array
    reading : HandReading
    shares : (34,) array
        P(wins on the kind | tenpai) by a model.
    usefuls : Useful, optional
        Of the hands.
    """
    shanten, useful_kinds = usefuls = usefuls or useful(hands, reading.sets)
    waits = usefuls.waits
    tenpai, further = shanten == 0, shanten > 0
    n_useful = useful_kinds.sum(axis=1)
    columns = np.zeros((len(NAMES), len(hands)))
    river = reading.thrown.any(axis=0)
    columns[0] = (waits & (reading.furiten | river)).any(axis=1)
    columns[1] = (waits & (reading.passed == 1) & ~river).any(axis=1)
    columns[2] = (waits & (reading.passed == 2) & ~river).any(axis=1)
    columns[3], columns[4] = tenpai & (n_useful == 2), tenpai & (n_useful > 2)
    columns[5] = tenpai * np.log(np.clip(waits @ shares, _LEAST_SHARE, 1.0))
    for column, (thrown, most) in enumerate(zip(reading.thrown, (2, 2, 3, 3), strict=True), 6):
        columns[column] = further * np.minimum((useful_kinds & thrown).sum(axis=1), most)
    last = reading.last_tedashi
    if last >= 0:
        cost = shanten - _before(hands, last, reading.sets)
        columns[10], columns[11] = cost == 1, cost > 1
        columns[12], columns[13] = further & useful_kinds[:, last], hands[:, last] > 0
    live = np.maximum(reading.live - hands, 0)
    columns[14] = tenpai * np.minimum((waits * live).sum(axis=1), 8) / 4
    columns[15] = further * np.minimum(n_useful, 20) / 10
    columns[16] = ((hands >= 2).sum(axis=1) >= 5) & (reading.n_tiles == 13)
    simples = ~hands[:, _YAOCHU].any(axis=1) & ~reading.melds[_YAOCHU].any()
    flush = _flush(hands, reading)
    columns[17] = simples
    columns[18], columns[19] = flush == reading.n_tiles - 1, flush == reading.n_tiles
    columns[20] = np.minimum(hands @ reading.dora, 3)
    if reading.is_open and not reading.melds[reading.yakuhai].any():
        pairs = hands >= 2
        hidden = pairs[:, reading.yakuhai].any(axis=1) | (pairs.sum(axis=1) > reading.sets)
        none = ~simples & (flush < reading.n_tiles) & ~hidden
        columns[21], columns[22] = none & further, none & tenpai
    return columns.T


def _before(hands: Int8s, last: int, sets: int) -> Ints:
    """The lowest shanten that the hands could have kept when they threw a tile, (n,)."""
    before = hands.copy()
    before[:, last] += 1
    rows, kinds = np.nonzero(before)
    keys = before.astype(np.intp) @ KIND_KEYS
    after = changed_shantens(keys, Changes(rows, kinds, -1), Target(sets, CLOSED))
    return np.asarray(np.minimum.reduceat(after, np.flatnonzero(np.diff(rows, prepend=-1))))


def _flush(hands: Int8s, reading: HandReading) -> Ints:
    """The most tiles of a suit with honours that the melds allow, (n,)."""
    numbers = reading.melds[:EAST].sum()
    most = np.zeros(len(hands), np.intp)
    for suit in range(0, EAST, RANKS):
        own = slice(suit, suit + RANKS)
        if reading.melds[own].sum() == numbers:
            tiles = hands[:, own].sum(axis=1) + hands[:, EAST:].sum(axis=1)
            most = np.maximum(most, tiles)
    return most
