"""Rows for the model of final ranks, against the logs that they come from."""

from __future__ import annotations

from dataclasses import replace

from features import final_rank_rows
from houjuu.game.events import SEATS, Deal, Game


def test_a_row_is_a_deal(games: list[Game]) -> None:
    rows = final_rank_rows.rows(games)
    deals = [(game, event) for game in games for event in game if isinstance(event, Deal)]
    assert len(rows) == len(deals) > SEATS
    at_start = final_rank_rows.round_starts(rows)
    for number, (game, deal) in enumerate(deals):
        assert tuple(at_start.scores[number]) == deal.scores
        at_deal = (at_start.hanchan, at_start.round, at_start.honba, at_start.riichi_sticks)
        start = (game.rules.hanchan, deal.round, deal.honba, deal.riichi_sticks)
        assert tuple(int(numbers[number]) for numbers in at_deal) == start


def test_ranks_are_those_of_the_log(games: list[Game]) -> None:
    """The results with uma, which the log has beside the scores, fall with the rank."""
    for game in games:
        (ranks, *_) = final_rank_rows.ranks(final_rank_rows.rows([game])).tolist()
        assert game.final is not None
        results = [result for _, result in game.final]
        in_order = [results[ranks.index(rank)] for rank in range(SEATS)]
        assert in_order == sorted(results, reverse=True)


def test_a_game_that_is_cut_off_has_no_row(own_games: list[Game]) -> None:
    assert final_rank_rows.rows([replace(own_games[0], final=None)]).empty
