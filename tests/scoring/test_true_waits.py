"""The kinds on which a hidden hand wins by ron, by hand."""

from __future__ import annotations

import dataclasses

import pytest

from houjuu.game.events import Meld
from houjuu.game.table import Table
from houjuu.game.tiles import parse_kind, parse_tiles
from houjuu.scoring.true_waits import ron_kinds
from tests.kit.positions import ankan, pon, view_of


@pytest.mark.parametrize(
    ("meld", "kinds"),
    [
        (ankan("0555s"), ["8s"]),  # no fifth 5s
        (ankan("1111p"), ["5s", "8s"]),
        (pon("555s"), ["5s", "8s"]),  # the fourth 5s may be discarded
    ],
)
def test_a_kan_leaves_no_tile_to_win_on(meld: Meld, kinds: list[str]) -> None:
    """The hand waits for 5s and 8s; with its riichi every kind has a yaku."""
    table, view = Table(), view_of()
    table.round_state.hands[1] = list(parse_tiles("123m456p11z67s"))
    opponent = dataclasses.replace(view.seats[1], melds=(meld,), in_riichi=True)
    expected = sum(1 << parse_kind(name) for name in kinds)
    assert ron_kinds(table, view, opponent) == expected
    furiten = view_of("", "8s")
    opponent = dataclasses.replace(furiten.seats[1], melds=(meld,), in_riichi=True)
    assert ron_kinds(table, furiten, opponent) == 0
