"""Random hands won by ron, rich in rare yaku, and their scores by two other programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.meld import Meld as TheirMeld
from riichienv import _riichienv as core

from houjuu.game.events import KANS, Meld, MeldKind
from houjuu.game.tiles import COPIES, EAST, IS_YAOCHU, KIND, KINDS, RED_FIVES, SUIT, dora_of
from houjuu.hands.hand_grid import ScoringContext
from houjuu.hands.points import MAX_FU, POINTS
from houjuu.hands.sets import RUNS, SETS, Indices, set_kinds
from houjuu.util.arrays import Bools, UInt8s
from tests.hands.shapes import Shapes, score, shapes

Score = tuple[int, int, int]
"""Han (13 for a yakuman, 0 for no win), fu, points."""

WINS_PER_CONTEXT = 40


@dataclass(frozen=True)
class Hand:
    """A hand won by ron; the last of the concealed tiles is the winning one."""

    context: ScoringContext
    indicators: tuple[int, ...]
    tiles: tuple[int, ...]
    code: int

    @property
    def dealer(self) -> bool:
        return self.context.seat_wind == EAST

    @property
    def score(self) -> Score:
        """Score by houjuu."""
        if not self.code:
            return 0, 0, 0
        return self.code >> 4, self.code % 16 * 10, int(POINTS[int(self.dealer), self.code])


def hands(seed: int, number: int, tiles: tuple[int, ...] = (1, 4, 7)) -> Iterator[Hand]:
    """Yield hands, some dozens for each context, with many different scores."""
    rng = np.random.default_rng(seed)
    n_hands = 0
    while n_hands < number:
        for hand in _hands_of_a_context(rng, int(rng.choice(tiles))):
            yield hand
            n_hands += 1
            if n_hands == number:
                return


def random_context(rng: np.random.Generator, n_melds: int) -> ScoringContext:
    """Melds, winds and dora of an opponent; the melds often have a theme."""
    dora = tuple(int(kind) for kind in rng.integers(KINDS, size=int(rng.integers(4))))
    round_wind, seat_wind = (int(rng.integers(EAST, EAST + n)) for n in (2, 4))
    return ScoringContext(_melds(rng, n_melds), round_wind, seat_wind, dora)


def _hands_of_a_context(rng: np.random.Generator, tiles: int) -> Iterator[Hand]:
    melds = _melds(rng, 4 - tiles // 3)
    used = [tile for meld in melds for tile in meld.tiles]
    free = [tile for tile in range(4 * KINDS) if tile not in used]
    indicators = tuple(int(t) for t in rng.choice(free, int(rng.integers(1, 4)), replace=False))
    closed = not any(meld.is_open for meld in melds)
    round_wind, seat_wind = (int(rng.integers(EAST, EAST + n)) for n in (2, 4))
    dora = tuple(dora_of(KIND[tile]) for tile in indicators)
    riichi = int(closed and rng.random() < 0.5)
    context = ScoringContext(melds, round_wind, seat_wind, dora, extra_yaku=riichi)
    all_shapes = shapes(tiles)
    codes = _codes(context, tiles)
    for win in _varied_wins(rng, tiles, codes, used + list(indicators)):
        kinds = np.repeat(np.arange(KINDS), _counts(tiles)[win_shapes(all_shapes)[win]])
        ids = _ids(rng, [*kinds.tolist(), int(all_shapes.win_kind[win])], used)
        with_reds = replace(context, red_fives=sum(tile in RED_FIVES for tile in ids))
        yield Hand(with_reds, indicators, ids, int(_codes(with_reds, tiles)[win]))


def win_shapes(all_shapes: Shapes) -> Indices:
    """Index of the shape of each win, (w,)."""
    n_wins = np.diff(all_shapes.first_win, append=len(all_shapes.win_kind))
    return np.repeat(np.arange(len(all_shapes)), n_wins)


@cache
def _counts(tiles: int) -> UInt8s:
    return shapes(tiles).counts()


@cache
def _codes(context: ScoringContext, tiles: int) -> UInt8s:
    return score(shapes(tiles), context)


def _melds(rng: np.random.Generator, number: int) -> tuple[Meld, ...]:
    """Melds of a theme, such as triplets of honours or runs with a terminal."""
    suit = int(rng.integers(3))
    themes = (
        lambda kinds: True,
        lambda kinds: SUIT[kinds[0]] in (suit, 3),
        lambda kinds: any(IS_YAOCHU[kind] for kind in kinds),
        lambda kinds: len(set(kinds)) == 1 and IS_YAOCHU[kinds[0]],
        lambda kinds: len(set(kinds)) == 1,
        lambda kinds: kinds[0] >= EAST,
        lambda kinds: not any(IS_YAOCHU[kind] for kind in kinds),
        lambda kinds: kinds[0] % 9 == suit,
        lambda kinds: len(set(kinds)) == 3 and kinds[0] % 3 == 0 and kinds[0] // 9 == suit,
    )
    theme = themes[rng.integers(len(themes))]
    choices = [set_ for set_ in range(SETS) if theme(set_kinds(set_))]
    concealed = rng.random() < 0.25
    kans = rng.random() * rng.random()
    left = {kind: list(range(4 * kind, 4 * kind + 4)) for kind in range(KINDS)}
    melds: list[Meld] = []
    while len(melds) < number:
        pool = choices if rng.random() < 0.95 else range(SETS)
        meld = _meld(rng, int(rng.choice(pool)), left, kans, concealed)
        if meld:
            melds.append(meld)
            for tile in meld.tiles:
                left[KIND[tile]].remove(tile)
    return tuple(melds)


def _meld(
    rng: np.random.Generator, set_: int, left: dict[int, list[int]], kans: float, concealed: bool
) -> Meld | None:
    kinds = set_kinds(set_)
    if set_ < RUNS:
        if concealed or not all(left[kind] for kind in kinds):
            return None
        tiles = tuple(int(rng.choice(left[kind])) for kind in kinds)
        return Meld(MeldKind.CHI, tiles, tiles[0], 3)
    own = left[kinds[0]]
    if len(own) < 3:
        return None
    if len(own) == 4 and (concealed or rng.random() < kans):
        if concealed or rng.random() < 0.4:
            return Meld(MeldKind.ANKAN, tuple(own))
        if rng.random() < 0.5:
            return Meld(MeldKind.DAIMINKAN, tuple(own), own[0], 1)
        return Meld(MeldKind.KAKAN, tuple(own), own[0], 1, own[3])
    tiles = tuple(sorted(int(t) for t in rng.choice(own, 3, replace=False)))
    return Meld(MeldKind.PON, tiles, tiles[0], 1)


def _varied_wins(rng: np.random.Generator, tiles: int, codes: UInt8s, used: list[int]) -> list[int]:
    """Wins that the free tiles allow: half of them random, half spread over the scores."""
    all_shapes, shape_counts = shapes(tiles), _counts(tiles)
    win_shape = win_shapes(all_shapes)
    free = COPIES - np.bincount([KIND[tile] for tile in used], minlength=KINDS)
    possible: Bools = np.all(shape_counts <= free, axis=1)[win_shape]
    win_kind = all_shapes.win_kind
    possible &= shape_counts[win_shape, win_kind] < free[win_kind]
    wins = np.flatnonzero(possible)
    counts = np.bincount(codes[wins], minlength=256)
    spread = 1 / counts[codes[wins]]
    number = min(len(wins), WINS_PER_CONTEXT // 2)
    if not number:
        return []
    at_random = rng.choice(wins, number)
    varied = rng.choice(wins, number, p=spread / spread.sum())
    return [int(win) for win in (*at_random, *varied)]


def _ids(rng: np.random.Generator, kinds: list[int], used: list[int]) -> tuple[int, ...]:
    free = [tile for tile in range(4 * KINDS) if tile not in used]
    ids: list[int] = []
    for kind in kinds:
        copies = [tile for tile in free if KIND[tile] == kind and tile not in ids]
        ids.append(int(rng.choice(copies)))
    return tuple(ids)


_RULES = OptionalRules(has_open_tanyao=True, has_aka_dora=True, has_double_yakuman=False)


def by_mahjong(hand: Hand) -> Score:
    """Score by the package `mahjong`."""
    context = hand.context
    melds = [
        TheirMeld(
            TheirMeld.CHI
            if meld.kind is MeldKind.CHI
            else TheirMeld.KAN
            if meld.kind in KANS
            else TheirMeld.PON,
            meld.tiles,
            opened=meld.is_open,
        )
        for meld in context.melds
    ]
    config = HandConfig(
        is_riichi=context.extra_yaku == 1,
        player_wind=context.seat_wind,
        round_wind=context.round_wind,
        options=_RULES,
    )
    result = HandCalculator.estimate_hand_value(
        [*hand.tiles, *context.meld_tiles],
        hand.tiles[-1],
        melds,
        hand.indicators,
        config,
    )
    if result.error is not None:
        assert result.error == "no_yaku", (result.error, hand)
        return 0, 0, 0
    assert result.yaku is not None
    assert result.cost is not None
    assert result.han is not None
    assert result.fu is not None
    yakuman = any(yaku.is_yakuman for yaku in result.yaku)
    points = min(result.cost["main"], 48000 if hand.dealer else 32000)
    return 13 if yakuman else min(result.han, 13), min(result.fu, MAX_FU), points


_WINDS = (core.Wind.East, core.Wind.South, core.Wind.West, core.Wind.North)
_THEIR_KINDS = {
    MeldKind.CHI: core.MeldType.Chi,
    MeldKind.PON: core.MeldType.Pon,
    MeldKind.DAIMINKAN: core.MeldType.Daiminkan,
    MeldKind.ANKAN: core.MeldType.Ankan,
    MeldKind.KAKAN: core.MeldType.Kakan,
}


def by_riichienv(hand: Hand) -> Score:
    """Score by riichienv."""
    context = hand.context
    melds = [
        core.Meld(_THEIR_KINDS[meld.kind], list(meld.tiles), meld.is_open) for meld in context.melds
    ]
    conditions = core.Conditions(
        riichi=context.extra_yaku == 1,
        player_wind=_WINDS[context.seat_wind - EAST],
        round_wind=_WINDS[context.round_wind - EAST],
    )
    evaluator = core.HandEvaluator(sorted(hand.tiles), melds)
    result = evaluator.calc(hand.tiles[-1], list(hand.indicators), [], conditions)
    if not result.is_win:
        return 0, 0, 0
    points = min(result.ron_agari, 48000 if hand.dealer else 32000)
    if result.yakuman:  # their fu is 0
        return 13, hand.score[1], points
    return min(result.han, 13), result.fu, points
