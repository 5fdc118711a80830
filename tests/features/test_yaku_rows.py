"""Rows for the yaku model, against the games that they come from."""

from __future__ import annotations

import pandas as pd
import pytest
from riichienv import calculate_shanten

from features import schema, yaku_rows
from houjuu.game.events import Deal, Discard, Game, Win
from houjuu.game.table import Table
from houjuu.game.yaku import CHIITOITSU
from houjuu.player.hand_value import yaku_targets
from houjuu.player.hand_value.yaku_targets import (
    FOUR_SETS,
    SEVEN_PAIRS,
    SURE,
    TARGET_YAKU,
    TARGETS,
)


@pytest.fixture(scope="module")
def rows(own_games: list[Game]) -> pd.DataFrame:
    return yaku_rows.rows(own_games, decision_stride=1)


def test_rows_are_the_hands_of_a_live_game(own_games: list[Game], rows: pd.DataFrame) -> None:
    """Each row contains the hand after a discard, equal to that of the table."""
    keyed = rows.set_index(schema.names(schema.KEY))
    hand_of = dict(zip(keyed.index, yaku_rows.hands(rows), strict=True))
    compared = 0
    for game in own_games:
        table, index = Table(game.rules), -1
        for event in game:
            index += isinstance(event, Deal)
            table.apply(event)
            if not isinstance(event, Discard):
                continue
            view = table.view(event.seat)
            seat = view.seats[event.seat]
            hand = hand_of.get((game.id, index, event.seat, len(seat.river) - 1))
            if hand is None:
                assert seat.in_riichi
                continue
            shanten = int(calculate_shanten(view.hand))
            assert hand == yaku_targets.summarize_view(view, view.hand, shanten)
            compared += 1
    assert compared == len(rows) > 1000


def test_rows_have_the_yaku_of_the_win(own_games: list[Game], rows: pd.DataFrame) -> None:
    counted = {number for numbers in TARGET_YAKU.values() for number in numbers}
    compared = 0
    for game in own_games:
        index = -1
        for event in game:
            index += isinstance(event, Deal)
            if not isinstance(event, Win) or event.yakuman:
                continue
            of_win = rows.query("game == @game.id and round == @index and seat == @event.seat")
            han = sum(han for yaku, han in event.yaku if yaku in counted)
            assert (of_win["won_han"] == han).all()
            numbers = {number for number, _ in event.yaku}
            form = SEVEN_PAIRS if CHIITOITSU in numbers else FOUR_SETS
            for bit, target in enumerate(TARGETS):
                has = target.yaku in SURE or bool(numbers & set(TARGET_YAKU[target.yaku]))
                won = of_win["won_targets"].to_numpy() >> bit & 1
                assert (won == (has and target.form == form)).all()
            compared += len(of_win)
    assert compared > 100
    assert (rows["won_targets"] & ~rows["possible_targets"] == 0).all()
    assert (rows["won_targets"] > 0).equals(rows["won_form"] >= 0)


def test_one_of_several_decisions_is_used(own_games: list[Game], rows: pd.DataFrame) -> None:
    every_fourth = yaku_rows.rows(own_games, decision_stride=4)
    used = rows[(rows["round"] + rows["seat"] + rows["turn"]) % 4 == 0]
    assert every_fourth.equals(used.reset_index(drop=True))
    assert set(every_fourth["turn"]) >= set(range(12))
