"""Rows of unseen tiles: the truth of a view before a draw, chosen without looking ahead."""

from __future__ import annotations

import numpy as np
import pytest

from features import unseen_rows
from features.unseen_rows import copy_array, feature_array
from houjuu.game.events import Deal, Draw, Game, Win
from houjuu.game.table import Table, View
from houjuu.game.tiles import KIND
from houjuu.reading import unseen_features
from houjuu.reading.unseen_features import LAYOUT
from houjuu.risk.unseen import WALL
from tests.kit.games import walk


def test_rows_agree_with_the_table(games: list[Game]) -> None:
    for game in games[:6]:
        rows = unseen_rows.rows([game])
        copies = copy_array(rows)
        views: dict[tuple[int, int, int], list[tuple[View, Draw]]] = {}
        table = Table(game.rules)
        deal = -1
        for event in game:
            deal += isinstance(event, Deal)
            if isinstance(event, Draw):
                turn = len(table.seats[event.seat].river)
                views.setdefault((deal, event.seat, turn), []).append(
                    (table.view(event.seat), event)
                )
            table.apply(event)
        numbers = rows[["round", "seat", "turn", "tiles_left", "drawn"]].to_numpy(int).tolist()
        for (*key, tiles_left, drawn), in_location in zip(numbers, copies, strict=True):
            deal, seat, turn = key
            same_turn = views[deal, seat, turn]
            view, draw = next(one for one in same_turn if one[0].tiles_left == tiles_left)
            assert draw.tile is not None
            assert KIND[draw.tile] == drawn
            assert in_location.sum(axis=0).tolist() == view.unseen().tolist()
            assert in_location[:WALL].sum(axis=1).tolist() == [
                o.n_concealed for o in view.opponents
            ]
            assert in_location[WALL, drawn] > 0
            assert view.drawn is None
            assert len(view.hand) == view.seats[view.seat].n_concealed
        keys = rows[["round", "seat"]].drop_duplicates()
        assert len(keys) == len(rows) > 0


def test_rows_depend_on_the_game_alone(own_games: list[Game]) -> None:
    both = unseen_rows.rows(own_games[:2])
    alone = unseen_rows.rows(own_games[1:2])
    second = both[both["game"] == own_games[1].id].reset_index(drop=True)
    assert second.drop(columns="game").equals(alone.drop(columns="game"))


def test_winning_draws_are_not_chosen_too_often(own_games: list[Game]) -> None:
    """The draw is chosen before the round: its number does not depend on where the round ends."""
    rows = unseen_rows.rows(own_games)
    turns = rows["turn"].to_numpy()
    draws = np.zeros(40, int)
    n_wins = 0
    for table, event in walk(own_games):
        if isinstance(event, Draw):
            draws[len(table.seats[event.seat].river)] += 1
        n_wins += isinstance(event, Win)
    chosen = np.bincount(turns, minlength=40)
    middle = slice(0, 8)  # every seat draws, so that each n-th draw is chosen as often
    assert n_wins
    assert chosen[middle].sum() / draws[middle].sum() == pytest.approx(1 / 18, rel=0.25)


def test_features_are_within_their_sizes(games: list[Game]) -> None:
    features = feature_array(unseen_rows.rows(games[:6]))
    assert features.shape[1:] == (3, unseen_features.LENGTH)
    for name, start in LAYOUT.start.items():
        width = LAYOUT.length - start if name == "was_away" else 1
        values = features[..., start : start + width]
        assert values.min() >= 0
        assert values.max() < LAYOUT.size[name], name
