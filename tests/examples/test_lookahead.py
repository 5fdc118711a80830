"""Reading ahead for a discard: the game as the engine asks it, by hand, and a player that does."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

pytest.importorskip("riichienv", reason="it works out points")
from examples.lookahead.__main__ import DiscardSearch, Hand, main
from examples.lookahead.reading_ahead import FORMULAS, Danger, rank
from houjuu.game.table import View
from houjuu.game.tiles import KIND, format_tiles, parse_kind
from houjuu.hands.shanten import shanten
from houjuu.player.hand_value.far_hands import AnyHandValuer
from houjuu.player.rules.policies import DiscardOptions
from houjuu.risk.deal_in import DealIn
from tests.player.hand_value.test_value import seen


class Risk:
    """Nobody is tenpai, or somebody is and a few kinds are safe."""

    def __init__(self, tenpai: float = 0.0, safe: str = "") -> None:
        self.tenpai = np.array([tenpai, 0.0, 0.0])
        self._safe = {parse_kind(name) for name in safe.split()}

    def __getitem__(self, tile: int) -> SimpleNamespace:
        is_safe = KIND[tile] in self._safe or not self.tenpai.any()
        return SimpleNamespace(points=0.0 if is_safe else 900.0)


def reader(hand: str, risk: Risk | None = None, **changes: Any) -> DiscardSearch:
    view = seen(hand, **changes)
    return DiscardSearch(DiscardOptions(view, view.hand), cast(DealIn, risk or Risk()))


def turn(search: DiscardSearch) -> dict[str, Hand]:
    """The hands after the discards of the turn, by the tile."""
    ((chance,),) = search.chances([search.root])
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
    search = reader("234m456p3457s22z9m1z", Risk(tenpai), tiles_left=left)
    assert search.danger(search.root) == expected


def test_draws_bring_the_hand_nearer() -> None:
    search = reader("234m456p3457s229m1z")
    assert set(turn(search)) == {"7s", "9m", "1z"}
    hand = turn(search)["1z"]
    (chances,) = search.chances([hand])
    assert sum(chance.probability for chance in chances) == pytest.approx(1.0)
    *useful, nothing = chances
    assert nothing.moves == [(hand[0], hand)]
    for chance in useful:
        assert 0 < chance.probability < 0.1
        for tile, rest in chance.moves:
            assert len(rest) == 13
            assert tile not in rest
            assert shanten([KIND[other] for other in rest]) == 0


def test_optimists_are_no_worse_off() -> None:
    search = reader("234m456p3457s229m1z")
    hands = list(turn(search).values())
    real, hopeful = search.values(hands, "realistic"), search.values(hands, "optimistic")
    assert all(more > less > 0 for more, less in zip(hopeful, real, strict=True))
    tenpai = reader("234m456p34577s22z1z")
    (hand,) = (hand for tile, hand in turn(tenpai).items() if tile == "1z")
    assert tenpai.values([hand], "optimistic") == tenpai.values([hand], "realistic")


def test_what_leaves_nothing_safe_chokes() -> None:
    hand = "234m456p3457s229m1z"
    for safe, reason in (("", "chokes"), ("1z", "chokes"), ("2m", None)):
        search = reader(hand, Risk(0.9, safe))
        assert search.hopeless(turn(search)["1z"], Danger.RED3) == reason
    assert (calm := reader(hand)).hopeless(turn(calm)["1z"], Danger.NORMAL) is None


def test_a_cheap_tenpai_waits_for_a_better() -> None:
    """Of the 3m one is left: to be one away from more is worth more, until later in the round."""
    view = seen("12m345p345s6788s77z", "3m 3m 1z", "3m 2z")
    search = DiscardSearch(DiscardOptions(view, view.hand), cast(DealIn, Risk()))
    hand = turn(search)["8s"]
    (value,) = AnyHandValuer(view).values([hand])
    assert value.shanten == 0
    assert value.value < best_later(view)
    assert search.hopeless(hand, Danger.NORMAL) == "fires too soon"
    assert search.hopeless(hand, Danger.RED3) is None
    waits = reader("12m345p345s6788s77z")
    assert waits.hopeless(turn(waits)["8s"], Danger.NORMAL) is None


def best_later(view: View) -> float:
    """The most that a discard is worth which leaves no tenpai."""
    rests = [[other for other in view.hand if other != tile] for tile in view.hand]
    return max(value.value for value in AnyHandValuer(view).values(rests) if value.shanten > 0)


@pytest.mark.parametrize("formula", sorted(FORMULAS))
def test_all_moves_are_judged(formula: str) -> None:
    search = reader("2379m46p3457s1222z")
    ranking = rank(search, search.root, FORMULAS[formula])
    assert {format_tiles([rated.move]) for rated in ranking.moves} <= set(turn(search))
    assert ranking.danger == Danger.RED3  # thirty tiles are left


@pytest.mark.deep
def test_the_command_plays_and_compares(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([str(tmp_path), *["--others", "v2", "--deals", "1", "--jobs", "1"]])
    out = capsys.readouterr().out
    assert all(f"ahead-{number} less estimator" in out for number in "467")
    assert out.count("Paired by deal") == 3
