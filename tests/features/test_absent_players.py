"""A player who was away in a round is no opponent in it, in any table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pandas as pd
import pytest

import houjuu
from features import (
    paper_tenpai_rows,
    paper_wait_counts,
    prediction_rows,
    ron_score_rows,
    tenpai_rows,
    wait_rows,
)
from houjuu.game.events import Away, Back, Deal, Game, RiichiAccepted

ABSENT = 1
Rows = Callable[[list[Game]], pd.DataFrame]

TABLES: dict[str, Rows] = {
    "paper_tenpai": paper_tenpai_rows.rows,
    "predictions": lambda games: (
        prediction_rows.rows(games[:1], [houjuu.load("kurita-hoki-2017")])[0].predictions
    ),
    "rons": ron_score_rows.rows,
    "tenpai": tenpai_rows.rows,
    "waits": lambda games: wait_rows.rows(games)[0],
    "paper_melded": lambda games: wait_rows.rows(games)[1],
}


@pytest.fixture(scope="module")
def left(own_games: list[Game]) -> list[Game]:
    """Games in which a player leaves in every round and is back at once."""
    absence = (Away(ABSENT), Back(ABSENT))
    return [
        replace(
            game,
            events=tuple(
                after
                for event in game
                for after in ((event, *absence) if isinstance(event, Deal) else (event,))
            ),
        )
        for game in own_games
    ]


@pytest.mark.parametrize("name", TABLES)
def test_an_opponent_who_was_away_has_no_rows(
    name: str, own_games: list[Game], left: list[Game]
) -> None:
    """All other rows stay, but for the waits: the absence changes which decision is drawn."""
    rows, before = TABLES[name](left), TABLES[name](own_games)
    is_absent = before["opponent"] == ABSENT
    assert is_absent.any()
    assert (rows["seat"] == ABSENT).any()
    if name in {"waits", "paper_melded"}:
        assert not (rows["opponent"] == ABSENT).any()
    else:
        kept = before[~is_absent].reset_index(drop=True)
        pd.testing.assert_frame_equal(rows, kept, check_categorical=False)


def test_a_riichi_of_a_player_who_was_away_does_not_count(
    own_games: list[Game], left: list[Game]
) -> None:
    riichi = [event.seat for game in own_games for event in game if type(event) is RiichiAccepted]
    assert paper_wait_counts.count(own_games).riichi == len(riichi)
    assert paper_wait_counts.count(left).riichi == len(riichi) - riichi.count(ABSENT)
    assert riichi.count(ABSENT) > 3
