"""One order of the seats by score, for logs, checks, rows and pages."""

from __future__ import annotations

import numpy as np
import pytest

from houjuu.game import game_end


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
