"""Rows for the models of the round's end, against the games that they come from."""

from __future__ import annotations

import pandas as pd
import pytest
from riichienv import calculate_shanten

from features import round_end_rows, schema
from features.round_end_rows import state_arrays
from houjuu.estimators.loading import load_once
from houjuu.game.events import Deal, Discard, DrawnRound, DrawReason, Game, Win
from houjuu.game.payments import base_points
from houjuu.game.table import Table
from houjuu.player.round_end.endings import DRAW, PAYER, WINNER, ending
from houjuu.player.states import FIELDS
from houjuu.player.view_states import DecisionContext, HandsLeft
from tests.features import small_games


@pytest.fixture(scope="module")
def rows(own_games: list[Game]) -> pd.DataFrame:
    return round_end_rows.rows(own_games[:2], load_once(), stride=5)


def test_rows_are_the_states_of_a_live_game(own_games: list[Game], rows: pd.DataFrame) -> None:
    """The state after each discard, from the view before it, and every tenpai has a row."""
    arrays, compared, estimator = state_arrays(rows).fields(), 0, load_once()
    keys = rows[schema.names(schema.KEY)].itertuples(index=False, name=None)
    row_of = {key: i for i, key in enumerate(keys)}
    for game in own_games[:1]:
        table, index = Table(game.rules), -1
        for event in game:
            index += isinstance(event, Deal)
            if isinstance(event, Discard) and not table.seats[event.seat].in_riichi:
                view = table.view(event.seat)
                key = (game.id, index, event.seat, len(view.seats[event.seat].river))
                tiles = [tile for tile in view.hand if tile != event.tile]
                if key in row_of:
                    hands = HandsLeft([tiles], [event.tile])
                    wall = estimator.unseen(view).wall_weights
                    context = DecisionContext(view, estimator.tenpai(view), wall)
                    live = context.states(hands).fields()
                    row = {name: arrays[name][row_of[key]] for name in FIELDS}
                    assert [*live] == [*FIELDS]
                    for name, expected in live.items():
                        assert row[name] == pytest.approx(expected[0], rel=1e-6), name
                    compared += 1
                elif calculate_shanten(tiles) <= 0:
                    assert is_last(game, index, event) or ends_oddly(game, index)
            table.apply(event)
    assert compared > 100


def of_round(game: Game, index: int) -> list[object]:
    starts = [i for i, event in enumerate(game.events) if isinstance(event, Deal)]
    return list(game.events[starts[index] : [*starts, None][index + 1]])


def is_last(game: Game, index: int, discard: Discard) -> bool:
    return [event for event in of_round(game, index) if isinstance(event, Discard)][-1] is discard


def ends_oddly(game: Game, index: int) -> bool:
    drawn = [event for event in of_round(game, index) if isinstance(event, DrawnRound)]
    return bool(drawn) and drawn[0].reason is not DrawReason.EXHAUSTED


def test_labels_are_the_ends_of_the_log(own_games: list[Game], rows: pd.DataFrame) -> None:
    by_game = {game.id: game for game in own_games}
    for row in rows.to_dict("records"):
        seat, index = row["seat"], row["ending"]
        events = of_round(by_game[str(row["game"])], row["round"])
        wins = [event for event in events if isinstance(event, Win)]
        if not wins:
            (drawn,) = (event for event in events if isinstance(event, DrawnRound))
            assert index == DRAW
            ready = [drawn.hands[(seat + i) % 4] is not None for i in range(4)]
            assert row["tenpai_at_draw"] == sum(tenpai << i for i, tenpai in enumerate(ready))
            assert row["size"] == row["base_points"] == -1
            continue
        relative = ((wins[0].seat - seat) % 4, (wins[0].source - seat) % 4)
        assert (WINNER[index], PAYER[index]) == relative
        assert row["tenpai_at_draw"] == -1
        assert wins[0].fu is not None
        base = base_points(sum(han for _, han in wins[0].yaku), wins[0].fu)
        assert row["base_points"] == pytest.approx(base, abs=75)  # three payments round up


@pytest.mark.parametrize(
    ("winner", "source", "points", "base"),
    [
        (0, 1, 11600, 1933),  # the dealer pays and is paid for six shares, another for four
        (0, 3, 1500, 250),
        (0, 0, 12000, 2000),
        (2, 1, 7700, 1925),
        (2, 0, 1000, 250),
        (2, 2, 7900, 1975),
    ],
)
def test_labels_of_a_round_by_hand(winner: int, source: int, points: int, base: int) -> None:
    game = small_games.won(winner, source, points)
    rows = round_end_rows.rows([game], load_once(), stride=100)
    (row,) = rows[rows["seat"] == winner].to_dict("records")
    assert row["base_points"] == base
    assert row["ending"] == ending(0, (source - winner) % 4)
    assert row["size"] == (0 if base == 250 else 5)
    assert row["tenpai_at_draw"] == -1


@pytest.mark.parametrize("last", range(4))
def test_the_last_discard_of_a_drawn_round_has_a_row(last: int) -> None:
    """Nobody wins on it, whoever makes it; the hand of seat 1 alone is shown."""
    shown = small_games.game(1, []).events[0]
    assert isinstance(shown, Deal)
    drawn = DrawnRound(
        DrawReason.EXHAUSTED,
        hands=(None, shown.hands[1], None, None),
        tenpai=(False, True, False, False),
    )
    turns = [(seat, [drawn] if seat == last else []) for seat in range(last + 1)]
    rows = round_end_rows.rows([small_games.game(1, turns)], load_once(), stride=1)
    assert rows["seat"].tolist() == list(range(last + 1))
    assert (rows["ending"] == DRAW).all()
    assert rows["tenpai_at_draw"].tolist() == [0b0010, 0b0001, 0b1000, 0b0100][: last + 1]


def test_a_discard_that_deals_in_has_no_row(own_games: list[Game], rows: pd.DataFrame) -> None:
    keys = set(rows[schema.names(schema.KEY)].itertuples(index=False, name=None))
    for game in own_games[:2]:
        for index in range(sum(isinstance(event, Deal) for event in game)):
            events = of_round(game, index)
            discards = [event for event in events if isinstance(event, Discard)]
            for win in (event for event in events if isinstance(event, Win)):
                if win.source != win.seat and discards[-1].seat == win.source:
                    turn = sum(event.seat == win.source for event in discards) - 1
                    assert (game.id, index, win.source, turn) not in keys
