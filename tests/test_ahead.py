"""Reading ahead for a discard: the game as the engine asks it, by hand, and a player that does."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

pytest.importorskip("riichienv", reason="it works out points")
from houjuu.arena.matches import Match
from houjuu.deal_in import DealIn
from houjuu.events import Discard
from houjuu.player.ahead import Hand, Reader
from houjuu.player.fear import Discards
from houjuu.player.lookahead import FORMULAS, Danger, rank
from houjuu.player.shanten import shanten
from houjuu.player.value import Worth
from houjuu.table import View
from houjuu.tiles import COPIES, format_tiles, parse_kind
from tests.test_value import seen


class Risk:
    """Nobody is tenpai, or somebody is and a few kinds are safe."""

    def __init__(self, tenpai: float = 0.0, safe: str = "") -> None:
        self.tenpai = np.array([tenpai, 0.0, 0.0])
        self._safe = {parse_kind(name) for name in safe.split()}

    def points_of(self, tile: int) -> float:
        return 0.0 if tile // COPIES in self._safe or not self.tenpai.any() else 900.0


def reader(hand: str, risk: Risk | None = None, **changes: Any) -> Reader:
    view = seen(hand, **changes)
    return Reader(Discards(view, view.hand), cast(DealIn, risk or Risk()))


def turn(of: Reader) -> dict[str, Hand]:
    """The hands after the discards of the turn, by the tile."""
    ((chance,),) = of.chances([of.root])
    return {format_tiles([tile]): hand for tile, hand in chance.moves}


@pytest.mark.parametrize(
    ("left", "tenpai", "expected"),
    [
        (60, 0.1, Danger.NORMAL),
        (60, 0.9, Danger.RED3),
        (30, 0.1, Danger.RED3),
        (30, 0.9, Danger.RED2),
        (18, 0.1, Danger.RED2),
        (10, 0.1, Danger.RED1),
        (10, 0.9, Danger.RED1),
    ],
)
def test_danger_is_by_draws_left_and_tenpai(left: int, tenpai: float, expected: Danger) -> None:
    of = reader("234m456p3457s22z9m1z", Risk(tenpai), tiles_left=left)
    assert of.danger(of.root) == expected


def test_draws_bring_the_hand_nearer() -> None:
    of = reader("234m456p3457s229m1z")
    assert set(turn(of)) == {"7s", "9m", "1z"}
    hand = turn(of)["1z"]
    (chances,) = of.chances([hand])
    assert sum(chance.probability for chance in chances) == pytest.approx(1.0)
    *useful, nothing = chances
    assert nothing.moves == [(hand[0], hand)]
    for chance in useful:
        assert 0 < chance.probability < 0.1
        for tile, rest in chance.moves:
            assert len(rest) == 13
            assert tile not in rest
            assert shanten([of // COPIES for of in rest]) == 0


def test_optimists_are_no_worse_off() -> None:
    of = reader("234m456p3457s229m1z")
    hands = list(turn(of).values())
    real, hopeful = of.worths(hands, "realistic"), of.worths(hands, "optimistic")
    assert all(more > less > 0 for more, less in zip(hopeful, real, strict=True))
    tenpai = reader("234m456p34577s22z1z")
    (hand,) = (hand for tile, hand in turn(tenpai).items() if tile == "1z")
    assert tenpai.worths([hand], "optimistic") == tenpai.worths([hand], "realistic")


def test_what_leaves_nothing_safe_chokes() -> None:
    hand = "234m456p3457s229m1z"
    for safe, reason in (("", "chokes"), ("1z", "chokes"), ("2m", None)):
        of = reader(hand, Risk(0.9, safe))
        assert of.hopeless(turn(of)["1z"], Danger.RED3) == reason
    assert (calm := reader(hand)).hopeless(turn(calm)["1z"], Danger.NORMAL) is None


def test_a_cheap_tenpai_waits_for_a_better() -> None:
    """Of the 3m one is left: to be one away from more is worth more, until later in the round."""
    view = seen("12m345p345s6788s77z", "3m 3m 1z", "3m 2z")
    of = Reader(Discards(view, view.hand), cast(DealIn, Risk()))
    hand = turn(of)["8s"]
    (value,) = Worth(view).of([hand])
    assert value.shanten == 0
    assert value.value < best_later(view)
    assert of.hopeless(hand, Danger.NORMAL) == "fires too soon"
    assert of.hopeless(hand, Danger.RED3) is None
    waits = reader("12m345p345s6788s77z")
    assert waits.hopeless(turn(waits)["8s"], Danger.NORMAL) is None


def best_later(view: View) -> float:
    """The most that a discard is worth which leaves no tenpai."""
    rests = [[other for other in view.hand if other != tile] for tile in view.hand]
    return max(of.value for of in Worth(view).of(rests) if of.shanten > 0)


@pytest.mark.parametrize("formula", sorted(FORMULAS))
def test_all_moves_are_judged(formula: str) -> None:
    of = reader("2379m46p3457s1222z")
    found = rank(of, of.root, FORMULAS[formula])
    assert {format_tiles([judged.move]) for judged in found.moves} <= set(turn(of))
    assert found.danger == Danger.RED3  # thirty tiles are left


def test_a_player_that_reads_ahead() -> None:
    game = Match(("ahead-7", "v2", "v2", "v2")).play(3, 0)
    assert sum(isinstance(event, Discard) and event.seat == 0 for event in game) > 50
