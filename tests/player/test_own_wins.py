"""What the own hand pays: counted by the rules, and the same hand as dealer half as much again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("riichienv", reason="its actions are what players pick from")

from features import round_end_rows
from features.round_end_rows import state_arrays
from houjuu.estimators.loading import load_once
from houjuu.game.actions import Action, ActionKind
from houjuu.game.decisions import Follower
from houjuu.game.events import Game, Win
from houjuu.game.payments import base_points, hand_points
from houjuu.game.position import position
from houjuu.game.tiles import KIND, parse_kind, parse_tiles
from houjuu.game.view import View
from houjuu.player.hand_value.scores import BASE, RAISED, SCORES, WIN_POINTS, around, index
from houjuu.player.hand_value.value import HandValuer
from houjuu.player.hand_value.win_scores import NONE
from houjuu.player.players import value_player
from houjuu.player.round_end import round_ends
from houjuu.player.values.outcome import Outcome
from houjuu.scoring.win_scoring import win_base, win_result
from tests.player.test_view_states import after_draw

RIVERS = [
    "9s 3z 4z 2s 8m 4p",
    "9p 3z 1s 4z 9m 5z",
    "1p 4z 9s 3z 1m 5z",
    "9m 1z 8s 3p 7z 6s",
]


def at(hand: str, seat: int, **table: object) -> View:
    """East 1 as dealer (0) or another seat; those before it have one discard more."""
    rivers = [RIVERS[(one - seat) % 4] + " 2z" * (one < seat) for one in range(4)]
    arguments = {"rivers": rivers, "dora": "3z", "round": "E1", "seat": seat} | table
    return position(hand, **arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("han", "fu"), [(1, 30), (2, 25), (3, 60), (3, 70), (4, 30), (4, 40), (6, 30)]
)
def test_a_score_pays_what_the_rules_say(han: int, fu: int) -> None:
    score = index(han, fu)
    assert BASE[score] == base_points(han, fu)
    assert BASE[RAISED[1][score]] == base_points(han + 1, fu)
    assert BASE[RAISED[4][score]] == base_points(han + 4, fu)
    for dealer, points in WIN_POINTS.items():
        for tsumo in (False, True):
            paid = hand_points(base_points(han, fu), dealer=dealer, tsumo=tsumo)
            assert points[int(tsumo), score] == paid


def test_shares_around_base_points_keep_their_mean() -> None:
    base = np.array([240.0, 333.3, 1999.0, 2000.0, 4900.0, 8000.0])
    assert around(base) @ BASE == pytest.approx(base)
    assert around(base).sum(axis=1) == pytest.approx(1.0)


def test_each_wait_has_the_score_of_the_judge(own_games: list[Game]) -> None:
    """The hands of wins in games: the waits before the last tile, by the judge of every page."""
    compared = 0
    for game in own_games:
        follower = Follower(game)
        for event, _ in follower:
            if not isinstance(event, Win) or event.ura_indicators:
                continue
            hand = [tile for tile in event.hand if tile != event.tile]
            view = follower.table.view(event.seat)
            if sorted(view.hand)[: len(hand)] != sorted(hand):
                continue
            wait = [one for one in HandValuer(view).waits(hand) if one.kind == KIND[event.tile]]
            result = win_result(view, event, view.rules)
            base = win_base(result, view.rules, closed=not view.seats[event.seat].n_open_melds)
            if not wait or len(result.yaku) == 0:
                continue
            own = wait[0].tsumo if event.source == event.seat else wait[0].ron
            if own[1] != NONE:
                assert BASE[own[1]] <= max(base, 240)
                compared += BASE[own[1]] == base
    assert compared > 3


def shares(by_score: np.ndarray[tuple[int], np.dtype[np.float64]]) -> dict[tuple[int, int], float]:
    return {SCORES[one]: float(by_score[one]) for one in by_score.nonzero()[0]}


def test_a_tenpai_hand_is_its_waits() -> None:
    """55m and 99p: 5m three copies, one of them gone, and two of 9p; three hidden triplets."""
    view = at("55m99p123s234p567p + 1z", 1)
    riichi = after_draw(view, riichi=True)
    assert riichi.ways.tolist() == [3]  # 5m twice and 9p once: one lies in a river
    assert shares(riichi.by_ron[0]) == {(1, 40): 1.0}
    assert shares(riichi.by_tsumo[0]) == {(2, 30): 1.0}
    assert after_draw(view).ron_ways.tolist() == [0]


def test_half_of_a_wait_has_a_yaku() -> None:
    """234 in all suits with 2s alone: a wait for 2s and 5s counts the copies of 2s."""
    melds = {"self": "pon 99~9p"}
    rivers = {"self": "9s 4z", "right": "9m 1s", "across": "9p~ 1p", "left": "9m"}
    view = position("234m234p34s88p + 1z", rivers, melds, dora="3z")
    after = after_draw(view)
    assert after.ways.tolist() == after.ron_ways.tolist() == [4]
    assert after.wait_kinds.tolist() == [1]


def test_a_wait_without_a_copy_counts_nothing_but_furiten() -> None:
    """Tanki on 1s, whose copies are all seen, one of them in the own river."""
    melds = {"self": "pon 66~6z"}
    rivers = {"self": "1s 4z", "right": "9p 1s", "across": "6z~ 1s", "left": "9m"}
    view = position("123m456p789p1s + 2z", rivers, melds, dora="3z")
    after = after_draw(view)
    assert after.ways.tolist() == [0]
    assert after.furiten.tolist() == [1]
    (now,) = [one for one in outcomes(view) if one.discard == view.drawn]
    assert now.win_points < 3_000


def outcomes(view: View, *, riichi: bool = False) -> list[Outcome]:
    actions = [Action(ActionKind.DISCARD, tile) for tile in view.hand]
    return value_player(load_once()).outcomes(
        view, [*actions, *[Action(ActionKind.RIICHI)] * riichi]
    )


HANDS = {
    "123567m34057p678s": "7p",
    "234m345567p2267s + 9m": "9m",
    "23455m666p24678s + 2p": "2p",
    "33m345m234p56678s + 9p": "9p",
    "345m22278p44588s + 8s": "5s",
}


@pytest.mark.parametrize("kind", [ActionKind.DISCARD, ActionKind.RIICHI])
@pytest.mark.parametrize(("hand", "tile"), HANDS.items())
def test_the_same_hand_pays_the_dealer_half_as_much_again(
    hand: str, tile: str, kind: ActionKind
) -> None:
    """In base points the two are the same; the points differ by 1.5, up to rounding."""
    by_seat = []
    for seat in (0, 1):
        view = at(hand, seat)
        of_tile = [
            one
            for one in outcomes(view, riichi=True)
            if one.kind is kind
            and one.discard is not None
            and KIND[one.discard] == parse_kind(tile)
        ]
        by_seat.append(of_tile[0])
    dealer, south = by_seat
    for shares in ("by_ron", "by_tsumo"):  # the walls of the two differ a little
        base = [getattr(one.left, shares) @ BASE for one in by_seat]
        assert base[0] == pytest.approx(base[1], rel=0.06)
    assert dealer.win_points / south.win_points == pytest.approx(1.5, abs=0.06)


def test_the_scores_of_a_hand_do_not_depend_on_the_dealer(own_games: list[Game]) -> None:
    model, estimator = round_ends.load(), load_once()
    states = state_arrays(round_end_rows.rows(own_games[:1], estimator, stride=3))
    scores, sizes = (
        [predict(replace(states, is_dealer=np.full(len(states), one))) for one in (0.0, 1.0)]
        for predict in (model.predict_scores, model.predict_sizes)
    )
    assert (scores[0] == scores[1]).all()
    assert (sizes[0] == sizes[1]).all()


def test_a_dama_of_2900_is_no_dear_hand() -> None:
    """The dealer's pinfu with a red five, 2,900 by ron and 3,900 by tsumo, was 8,000 points."""
    (dama,) = (
        one
        for one in outcomes(at("123567m34057p678s", 0))
        if one.discard is not None and one.discard in parse_tiles("7p")
    )
    assert dama.left.by_ron @ WIN_POINTS[True][0] < 4_500
    assert 2_900 < dama.win_points < 5_000
