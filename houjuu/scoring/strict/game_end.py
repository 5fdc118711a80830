"""The beginning and the end of a game, and its results.

A game that goes on after its end, or that stops before it, is refused. So are results that follow
from the final scores by no known uma. Lobbies with rules of their own (flags from 0x100) may have
another target and uma, which are not checked.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from houjuu.game.events import (
    ABORTED,
    START_SCORE,
    START_SCORES,
    Deal,
    DrawnRound,
    Game,
    PerSeat,
    Rules,
)
from houjuu.game.game_end import game_over, results
from houjuu.game.rules import TENHOU
from houjuu.game.table import Table
from houjuu.scoring.strict.course import End, deal_of, dealer_stays
from houjuu.util.errors import LogError

_TOLERANCE = 0.05  # of a result, which has one decimal
_OLD_EAST_ONLY = TENHOU._replace(uma=(10, 5))  # of Tenhou in 2009


def check_deal(table: Table, rules: Rules, deal: Deal, end: End) -> None:
    """Raise LogError if the game was over before a round, or begins with unequal scores.

    Parameters
    ----------
    table : Table
        Before the deal, after the payments of the round before it.
    rules : Rules
    deal : Deal
    end : sequence of Win, DrawnRound or RoundEnd
        The end of the round before; empty for the first round.
    """
    if not end:
        if deal.scores is not None and not rules.special:
            _check_start(deal.scores, rules)
        return
    extra_rounds = rules.profile.extra_rounds
    if rules.lobby is not None and deal.round > rules.last_round + extra_rounds:
        raise LogError(f"a round after the last extra round: {deal.round}")
    must_end, _ = _must_and_may_end(table, rules, end)
    if must_end:
        raise LogError(f"the game goes on after its end: {table.round_state.scores}")


def _check_start(scores: PerSeat, rules: Rules) -> None:
    if len(set(scores)) > 1:
        raise LogError(f"the game begins with different scores: {scores}")
    if rules.stated and scores != START_SCORES:
        raise LogError(f"the game does not begin with {START_SCORE} points each: {scores}")


def check_stop(table: Table, game: Game, end: End) -> None:
    """Raise LogError if a game with final scores stops before its end.

    Parameters
    ----------
    table : Table
        After the last event.
    game : Game
    end : sequence of Win, DrawnRound or RoundEnd
        The end of the last round.
    """
    if game.final is None:
        return
    _, may_end = _must_and_may_end(table, game.rules, end) if end else (False, False)
    if not may_end:
        round = deal_of(table).round
        scores = table.round_state.scores
        raise LogError(f"the game stops before its end: round {round}, {scores}")


def _must_and_may_end(table: Table, rules: Rules, end: End) -> tuple[bool, bool]:
    """Whether a game must be over after the end of a round, and whether it may be."""
    deal, scores = deal_of(table), np.array(table.round_state.scores)
    stays = dealer_stays(deal.dealer, end)
    if not rules.stated or not table.round_state.scores_known or stays is None:
        return False, True
    if rules.special:
        return False, min(scores) < 0 or deal.round >= rules.last_round
    first = end[0]
    without_win = isinstance(first, DrawnRound)
    aborted = isinstance(first, DrawnRound) and first.reason in ABORTED
    over = game_over(
        scores,
        np.array(stays),
        np.array(aborted),
        round=deal.round,
        rules=rules,
    )
    if rules.lobby is not None or min(scores) < 0:
        return bool(over), bool(over)
    # In logs without a lobby, those of 2009, a dealer in the lead goes on after a draw, and the
    # extra rounds do not end with the fourth.
    optional = (stays and without_win) or max(scores) < rules.profile.target
    return bool(over) and not optional, bool(over)


def check_results(game: Game) -> None:
    """Raise LogError if the final results do not follow from the final scores by any known uma."""
    if game.final is None or game.rules.special:
        return
    scores = [score for score, _ in game.final]
    final = [result for _, result in game.final]
    expected = _expected_results(scores, game.rules)
    if not any(_equal(final, one) for one in expected):
        raise LogError(f"the final results differ: {final}, not {list(expected[0])}")


def _expected_results(scores: Sequence[int], rules: Rules) -> list[tuple[float, ...]]:
    profiles = [possible.profile for possible in rules.possible]
    if rules.profile == TENHOU and not rules.hanchan:
        profiles.append(_OLD_EAST_ONLY)
    return [results(scores, each, whole=whole) for each in profiles for whole in (False, True)]


def _equal(results: Sequence[float], expected: Sequence[float]) -> bool:
    return all(
        abs(result - right) < _TOLERANCE for result, right in zip(results, expected, strict=True)
    )
