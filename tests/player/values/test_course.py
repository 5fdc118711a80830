"""The next round and the payments, against the logs."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

import numpy as np
import pytest

from houjuu import logs
from houjuu.game.events import Deal, DrawnRound, DrawReason, Game, Win
from houjuu.game.game_end import game_over
from houjuu.game.payments import hand_points
from houjuu.game.rules import Rules
from houjuu.hands.points import POINTS
from houjuu.player.hand_value.scores import BASE
from houjuu.player.round_end import round_ends
from houjuu.player.round_end.endings import (
    DRAW,
    SIZES,
    USUAL_BASE,
    WINNER,
    ending_payments,
    size,
    usual_shares,
)
from houjuu.player.values import final_ranks as rank_model
from houjuu.player.values.final_ranks import FEATURES, PHASES, FinalRankModel
from houjuu.player.values.next_round import GAME_VALUES, Ends, ranks_after
from houjuu.player.values.round_values import RankValues, Standing
from houjuu.util.arrays import Bools, Ints
from tests.kit import real

ODD_ENDS = 0.003
"""Share of the rounds that end otherwise: before a change of Tenhou's rules a dealer in the lead
went on after a draw, and some logs stop early."""


class End(NamedTuple):
    deal: Deal
    events: list[Win | DrawnRound]
    following: Deal | None


def ends(game: Game) -> list[End]:
    rounds: list[tuple[Deal, list[Win | DrawnRound]]] = []
    for event in game:
        if isinstance(event, Deal):
            rounds.append((event, []))
        elif isinstance(event, (Win, DrawnRound)):
            rounds[-1][1].append(event)
    deals = [deal for deal, _ in rounds]
    following = [*deals[1:], None]
    return [End(*both, after) for both, after in zip(rounds, following, strict=True)]


def stays(end: End) -> bool:
    first = end.events[0]
    if isinstance(first, DrawnRound):
        return aborted(end) or first.hands[end.deal.dealer] is not None
    return any(isinstance(event, Win) and event.seat == end.deal.dealer for event in end.events)


def aborted(end: End) -> bool:
    first = end.events[0]
    exhausted = (DrawReason.EXHAUSTED, DrawReason.NAGASHI_MANGAN)
    return isinstance(first, DrawnRound) and first.reason not in exhausted


def after(end: End) -> Ends:
    deltas = [event.deltas for event in end.events]
    scores = np.array(end.events[0].scores) + np.array(deltas).sum(axis=0)
    zero = np.zeros(1, np.int64)
    return Ends(scores[None], np.array([stays(end)]), zero, zero, np.array([aborted(end)]))


def over(game: Game, end: End) -> Bools:
    ends, round = after(end), end.deal.round
    return game_over(ends.scores, ends.dealer_stays, ends.aborted, round=round, rules=game.rules)


def real_games(name: str, limit: int) -> Iterator[Game]:
    for source, log in real.games(name, limit):
        game = logs.parse(log, source)
        if game.final is not None:
            yield game


@pytest.mark.parametrize("name", ["phoenix-2024", "phoenix-tonpuu", "phoenix-hanchan"])
def test_games_end_when_the_logs_do(name: str) -> None:
    rounds = [(game, end) for game in real_games(name, 80) for end in ends(game)]
    wrong = [
        (game.id, end.deal.round)
        for game, end in rounds
        if bool(over(game, end)[0]) != (end.following is None)
    ]
    assert len(wrong) <= ODD_ENDS * len(rounds), wrong
    assert len(rounds) > 320


def test_sizes_are_those_of_their_names() -> None:
    for index, name in enumerate(SIZES):
        points = float(name.split()[0].replace(",", ""))
        assert size(points / 4) == index
    assert size(300 / 4) == 0
    assert size(8000) == len(SIZES) - 1


def test_the_scores_of_a_size_have_its_mean() -> None:
    """They are scores that hands have, and a size of 1,000 does not pay 1,200."""
    mean = round_ends.load().base_points
    points = hand_points(USUAL_BASE, dealer=False)
    assert {*points.ravel().tolist()} <= {*POINTS[0].tolist()}
    assert [[size(one / 4) for one in pair] for pair in points] == [[n] * 2 for n in range(8)]
    shares = usual_shares(mean)
    assert shares.min() >= 0
    assert shares.sum(axis=1) == pytest.approx(np.ones(len(SIZES)))
    assert (shares * points).sum(axis=1) == pytest.approx(4 * mean, rel=0.01)


def test_the_final_ranks_are_certain_at_the_end_and_predicted_before() -> None:
    model = FinalRankModel(np.random.default_rng(1).normal(0, 0.1, (len(PHASES), len(FEATURES))))
    scores = np.array([[41_000, 20_000, 19_000, 20_000], [24_000, 25_000, 26_000, 25_000]])
    no, zero = np.zeros(2, bool), np.zeros(2, np.int64)
    ranks = ranks_after(Ends(scores, no, zero, zero, no), 7, Rules(), model)
    assert ranks[0].argmax(axis=1).tolist() == [0, 1, 3, 2]
    assert ranks[0].max(axis=1).tolist() == [1.0] * 4
    south_1 = [np.array([number]) for number in (True, 8, 0, 0)]
    following = rank_model.RoundStarts._make((*south_1, scores[1:], np.array([30_000])))
    assert ranks[1] == pytest.approx(model.predict(following)[0])


def place(scores: Ints, seat: int) -> int:
    """The rank of a seat, 0–3; the nearer to the first dealer wins a tie."""
    return sum((-score, other) < (-scores[seat], seat) for other, score in enumerate(scores))


def is_over(scores: Ints, *, dealer_wins: bool, round: int) -> bool:
    """The end of a hanchan on Tenhou after a win, once more."""
    if min(scores) < 0 or round < 7:
        return bool(min(scores) < 0)
    if dealer_wins:
        return max(scores) >= 30_000 and place(scores, round % 4) == 0
    return round == 11 or max(scores) >= 30_000


@pytest.mark.parametrize("round", [0, 6, 7, 8, 10, 11])
@pytest.mark.parametrize("seat", range(4))
def test_a_win_that_ends_the_game_has_the_ranks_of_its_scores(seat: int, round: int) -> None:
    """And no other has: each win of each size, beside a bust that gives the seat the same rank."""
    rng = np.random.default_rng(round)
    model = FinalRankModel(rng.normal(0, 0.05, (len(PHASES), len(FEATURES))))
    worth = RankValues(model, GAME_VALUES["rank"])
    dealer, lowest = round % 4, hand_points(USUAL_BASE[:, 0], dealer=False) / 4
    scores_before = np.roll([28_900, 28_000, 9_000, 29_000], seat)
    standing = Standing(seat, dealer, Rules(), round, 1, 1, tuple(scores_before.tolist()))
    bust = np.array([[50_000, 40_000, 10_100, -100]] * 4)
    bust = np.array([np.roll(row, seat - rank) for rank, row in enumerate(bust)])
    no, zero = np.zeros(4, bool), np.zeros(4, np.int64)
    ended = worth.effects(standing, Ends(bust, no, zero, zero, no))
    view = cast(Any, SimpleNamespace(**standing._asdict()))
    values = worth.round_values(view, lowest, riichi=False)
    n_over = 0
    for wins, base, effects in (
        (range(4), BASE, values.own_wins),
        (range(4, DRAW), USUAL_BASE[:, 0], values.wins),
    ):
        payments = ending_payments(base, (dealer - seat) % 4, 1, 1)[wins.start : wins.stop]
        payments = np.roll(payments, seat, axis=2)
        for index, score in np.ndindex(effects.shape):
            scores, winner = (
                scores_before + payments[index, score],
                (WINNER[wins[index]] + seat) % 4,
            )
            over = is_over(scores, dealer_wins=bool(winner == dealer), round=round)
            is_ended = effects[index, score] == pytest.approx(ended[place(scores, seat)])
            assert is_ended == over, (wins[index], score)
            if winner == seat:
                own = worth.own_win(view, payments[index, score])
                assert own == pytest.approx(effects[index, score])
            n_over += over
    assert n_over


def test_values_of_a_game_fall_with_the_rank() -> None:
    for value in GAME_VALUES.values():
        assert list(value.ranks) == sorted(value.ranks, reverse=True)
        ranks, scores = np.eye(4), np.array([25_000] * 4)
        assert value.expected(ranks, scores) == pytest.approx(value.ranks)
