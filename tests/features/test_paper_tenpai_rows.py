"""Rows for the paper's tenpai model: features of a live query, labels by another library."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from mahjong.shanten import Shanten

from features import paper_tenpai_rows, schema
from features.schema.paper import SUITS
from houjuu.game.events import Away, Deal, Discard, Game
from houjuu.game.table import Table, View
from houjuu.game.tiles import KIND
from houjuu.logs import mjlog
from houjuu.reading.table1 import Table1Features
from tests.kit import real


@pytest.fixture(scope="module")
def rows(own_games: list[Game]) -> pd.DataFrame:
    return paper_tenpai_rows.rows(own_games)


def decisions_by_replay(game: Game) -> list[tuple[tuple[int, ...], View, Table]]:
    """Some decisions, each with a table of its own that is replayed from the start."""
    positions: list[tuple[tuple[int, ...], View, Table]] = []
    index = -1
    for number, event in enumerate(game.events):
        index += isinstance(event, Deal)
        if isinstance(event, Discard) and number % 11 == 0:
            table = Table(game.rules)
            for earlier in game.events[:number]:
                table.apply(earlier)
            key = (index, event.seat, len(table.seats[event.seat].river))
            positions.append((key, table.view(event.seat), table))
    return positions


def test_rows_have_the_features_of_a_live_query(games: list[Game]) -> None:
    """A row has the features that the runtime extracts in the same position."""
    game = games[0]
    rows = paper_tenpai_rows.rows([game]).set_index(["round", "seat", "turn", "opponent"])
    compared = 0
    for key, view, table in decisions_by_replay(game):
        for opponent in view.opponents:
            expected = not (
                view.seats[view.seat].in_riichi
                or view.seats[view.seat].away
                or opponent.in_riichi
                or opponent.was_away
            )
            assert ((*key, opponent.seat) in rows.index) == expected
            if expected:
                row = rows.loc[[(*key, opponent.seat)]]
                same(
                    Table1Features.from_columns(schema.arrays(row)),
                    Table1Features.from_seats([opponent]),
                )
                hand = table.round_state.hands[opponent.seat]
                assert bool(row["tenpai"].iloc[0]) == is_tenpai(hand)
                compared += 1
    assert compared > 50


def is_tenpai(hand: list[int]) -> bool:
    """Shanten 0 by another library."""
    counts = np.bincount([KIND[tile] for tile in hand], minlength=34).tolist()
    return int(Shanten().calculate_shanten(counts)) == 0


def same(ours: Table1Features, theirs: Table1Features) -> None:
    for name in Table1Features.__dataclass_fields__:
        assert np.array_equal(getattr(ours, name), getattr(theirs, name)), name


def test_the_numbers_have_ranges(rows: pd.DataFrame) -> None:
    assert rows["n_open_melds"].between(0, 4).all()
    assert (rows["n_open_melds"] <= rows["n_melds"]).all()
    assert rows["tiles_left"].between(0, 69).all()
    numbers = rows.drop(columns=["game", "round", "tiles_left"]).astype(int)
    assert numbers.to_numpy().min() >= 0
    assert numbers.to_numpy().max() < 32  # models.paper.tenpai packs each into five bits


def test_labels_of_colour(rows: pd.DataFrame) -> None:
    """A hand within a suit has melds that allow it, and is in two suits only without any."""
    for suit in SUITS:
        assert rows.loc[rows[f"within_{suit}"], f"allowed_{suit}"].all()


@pytest.mark.real_logs
def test_players_who_are_away_have_no_rows() -> None:
    compared = 0
    for name, data in real.games("phoenix-tonpuu", 120):
        game = mjlog.parse(data, name)
        if not any(isinstance(event, Away) for event in game):
            continue
        rows = paper_tenpai_rows.rows([game])
        table, index = Table(game.rules), -1
        for event in game:
            index += isinstance(event, Deal)
            if isinstance(event, Discard) and table.seats[event.seat].away:
                n_discards = len(table.seats[event.seat].river)
                own = rows[(rows["round"] == index) & (rows["opponent"] == event.seat)]
                decided = rows[(rows["round"] == index) & (rows["seat"] == event.seat)]
                assert (own["discards"] <= n_discards).all()
                assert not (decided["turn"] == n_discards).any()
                compared += 1
            table.apply(event)
    assert compared > 20
