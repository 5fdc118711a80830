"""The 113 waits: every one by its name, the kinds that it holds and those that it wins on."""

from __future__ import annotations

import numpy as np

from houjuu.game.tiles import KIND, KINDS, SUIT, parse_tiles
from houjuu.hands import wait_types
from houjuu.hands.wait_types import (
    FORM,
    HELD,
    HOLDS,
    WAIT_SUIT,
    WAITS,
    WIN_KIND,
    WINNING,
    WINS,
    wait_name,
)
from tests.hands.shapes import shapes


def kinds(text: str) -> list[int]:
    return [KIND[tile] for tile in parse_tiles(text)]


def test_names_are_of_the_held_tiles() -> None:
    names = [wait_name(wait) for wait in range(WAITS)]
    assert len(set(names)) == WAITS
    for wait, name in enumerate(names):
        assert kinds(name.split()[1]) == HOLDS[wait, : HELD[wait]].tolist()
    for wait, name in (
        (wait_types.ryanmen(2, 5), "ryanmen 78s"),
        (wait_types.penchan(0, 1), "penchan 89m"),
        (wait_types.kanchan(1, 0), "kanchan 13p"),
        (wait_types.FIRST_SHANPON, "shanpon 11m"),
        (wait_types.FIRST_TANKI + 33, "tanki 7z"),
    ):
        assert names[wait] == name


def test_a_wait_wins_on_what_completes_it() -> None:
    """A run, a triplet or a pair, by the definition of each form."""
    for wait in range(WAITS):
        tiles = HOLDS[wait, : HELD[wait]].tolist()
        completing = []
        for kind in range(KINDS):
            complete = sorted([*tiles, kind])
            same = len(set(complete)) == 1
            run = (
                len(complete) == 3
                and complete[0] // 9 == complete[2] // 9 < 3
                and [kind - complete[0] for kind in complete] == [0, 1, 2]
            )
            if same or run:
                completing.append(kind)
        assert sorted({*WINS[wait].tolist()}) == completing
        assert np.flatnonzero(WINNING[wait]).tolist() == completing


def test_numbers_of_waits() -> None:
    names = [wait_name(wait).split()[0] for wait in range(WAITS)]
    numbers = {name: names.count(name) for name in dict.fromkeys(names)}
    assert numbers == {"ryanmen": 18, "penchan": 6, "kanchan": 21, "shanpon": 34, "tanki": 34}
    assert np.bincount(FORM).tolist() == [18, 27, 34, 34]
    assert [SUIT[kind] for kind in HOLDS[:, 0]] == WAIT_SUIT.tolist()
    assert len(WIN_KIND) == 131


def test_hands_of_one_tile_are_the_tanki() -> None:
    tanki = [wait for wait in range(WAITS) if FORM[wait] == wait_types.TANKI]
    assert [int(HOLDS[wait, 0]) for wait in tanki] == list(range(KINDS))
    assert len(shapes(1)) == len(tanki)
