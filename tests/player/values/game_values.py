"""Values of the end of a game: equal steps, uma with points, rank points of Tenhou's rooms."""

from __future__ import annotations

from houjuu.player.values.next_round import AVERAGE_RANK, GameValue

GAME_VALUES = {
    "rank": AVERAGE_RANK,
    "uma-10-20": GameValue((20.0, 10.0, -10.0, -20.0), 0.001),
    "uma-10-30": GameValue((30.0, 10.0, -10.0, -30.0), 0.001),
    "houou-7dan": GameValue((90.0, 45.0, 0.0, -135.0)),
    "tokujou-4dan": GameValue((75.0, 30.0, 0.0, -90.0)),
    "joukyuu-1dan": GameValue((60.0, 15.0, 0.0, -45.0)),
    "points": GameValue((0.0, 0.0, 0.0, 0.0), 0.001),
}
"""Values by name: equal steps, uma with points, and Tenhou's rank points of a hanchan by room (that
of the last place depends on the own dan; here the one that is named)."""
