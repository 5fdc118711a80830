"""One order of the seats by score, for logs, checks, rows and pages."""

from __future__ import annotations

import numpy as np
import pytest

from houjuu.game import game_end
from houjuu.game.rules import M_LEAGUE, MAHJONG_SOUL, Rules


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([30000, 20000, 26000, 24000], [0, 3, 1, 2]),
        ([25000, 25000, 25000, 25000], [0, 1, 2, 3]),
        ([20000, 30000, 30000, 20000], [2, 0, 1, 3]),
        ([-500, 0, 100500, 0], [3, 1, 0, 2]),
    ],
)
def test_of_equal_scores_the_first_seat_is_above(scores: list[int], expected: list[int]) -> None:
    assert game_end.ranks(scores).tolist() == expected
    assert [game_end.order(scores)[rank] for rank in expected] == [0, 1, 2, 3]
    assert game_end.ranks(np.array([scores, scores])).tolist() == [expected] * 2


SOUTH_4, LEADS = 7, [26_000, 20_000, 20_000, 34_000]


@pytest.mark.parametrize(
    ("scores", "stays", "round", "over"),
    [
        (LEADS, True, SOUTH_4, (True, False)),  # 和了やめ
        (LEADS, False, SOUTH_4, (True, True)),
        ([25_000] * 4, False, SOUTH_4, (False, True)),  # 西入
        ([-1_000, 40_000, 41_000, 20_000], False, 2, (True, False)),  # 飛び
    ],
)
def test_the_game_ends_by_its_rules(
    scores: list[int], stays: bool, round: int, over: tuple[bool, bool]
) -> None:
    """By the rules of Tenhou, and of the M-League."""
    for rules, expected in zip((Rules(), Rules(profile=M_LEAGUE)), over, strict=True):
        arrays = np.array([scores]), np.array([stays]), np.array([False])
        assert game_end.game_over(*arrays, round=round, rules=rules).tolist() == [expected]


def test_results_by_the_rules() -> None:
    scores = (41_200, 24_500, 26_900, 7_400)
    assert game_end.results(scores, MAHJONG_SOUL) == (31.2, -5.5, 6.9, -32.6)
    assert game_end.results(scores, M_LEAGUE) == (61.2, -15.5, 6.9, -52.6)
