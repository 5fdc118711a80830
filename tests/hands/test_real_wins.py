"""Rons of the real logs on 1, 4 or 7 concealed tiles: han, fu and points equal the log.

``--real-games 100000`` checks all games.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from houjuu.game.events import Deal, Rules, Win
from houjuu.game.payments import YAKUMAN_HAN
from houjuu.game.tiles import EAST, KIND, KINDS, RED_FIVES, dora_of
from houjuu.hands.hand_grid import ScoringContext
from houjuu.hands.points import POINTS
from houjuu.logs import mjlog
from tests.hands.random_hands import win_shapes
from tests.hands.shapes import score, shapes
from tests.kit import real

ARCHIVES = (
    *("lower-rooms", "peer-bench", "phoenix-hanchan"),
    *("phoenix-tonpuu", "tokujou-hanchan", "with-wall-seed"),
)
GAMES = 25
"""Games of each archive for every game of ``--real-games``."""

NOT_IN_THE_TILES = (1, 2, 3, 6, 21)
"""Tenhou's numbers of riichi, ippatsu, chankan, houtei and double riichi."""


def wins(archive: str, limit: int) -> Iterator[tuple[str, Rules, Deal, Win]]:
    """Yield the rons on hands of 1, 4 or 7 concealed tiles in the first games."""
    for name, data in real.games(archive, limit):
        game = mjlog.parse(data, name)
        deal = None
        for event in game:
            if isinstance(event, Deal):
                deal = event
            if isinstance(event, Win) and event.source != event.seat and len(event.hand) < 9:
                assert deal is not None
                yield name, game.rules, deal, event


def context_of(rules: Rules, deal: Deal, win: Win) -> ScoringContext:
    indicators = (*win.dora_indicators, *(win.ura_indicators or ()))
    return ScoringContext(
        melds=win.melds,
        round_wind=EAST + deal.round // 4,
        seat_wind=EAST + (win.seat - deal.dealer) % 4,
        dora=tuple(dora_of(KIND[tile]) for tile in indicators),
        rules=rules,
        extra_yaku=sum(han for yaku, han in win.yaku if yaku in NOT_IN_THE_TILES),
        red_fives=sum(tile in RED_FIVES for tile in win.hand) if rules.red_fives else 0,
    )


@cache
def _index(tiles: int) -> dict[bytes, int]:
    return {row.tobytes(): index for index, row in enumerate(shapes(tiles).counts())}


def code_of(context: ScoringContext, win: Win) -> int:
    tiles = len(win.hand) - 1
    all_shapes = shapes(tiles)
    kinds = [KIND[tile] for tile in win.hand if tile != win.tile]
    shape = _index(tiles)[np.bincount(kinds, minlength=KINDS).astype(np.uint8).tobytes()]
    is_win = (win_shapes(all_shapes) == shape) & (all_shapes.win_kind == KIND[win.tile])
    (index,) = np.flatnonzero(is_win)
    return int(score(all_shapes, context)[index])


@pytest.mark.real_logs
@pytest.mark.parametrize("archive", ARCHIVES)
def test_rons_score_as_in_the_log(archive: str, real_limit: int) -> None:
    compared = 0
    for name, rules, deal, win in wins(archive, GAMES * real_limit):
        context = context_of(rules, deal, win)
        code = code_of(context, win)
        points = POINTS[int(win.seat == deal.dealer), code]
        if win.yakuman:
            assert code >> 4 == YAKUMAN_HAN, (name, win)
            assert points * len(win.yakuman) == win.points, (name, win)
        else:
            han = min(sum(han for _, han in win.yaku), YAKUMAN_HAN)
            assert (code >> 4, code % 16 * 10, points) == (han, win.fu, win.points), (name, win)
        compared += 1
    assert compared
