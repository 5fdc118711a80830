"""Features of the game: seat, rank and points, and the table."""

from __future__ import annotations

from houjuu.game.payments import RIICHI_STICK
from houjuu.reading.opponent import OpponentContext
from houjuu.reading.shared_features import dealer
from houjuu.util.features import Feature, feature

_LAST_DRAW = 4  # tiles in the wall, with which a riichi may still be declared


@feature()
def rank(context: OpponentContext) -> int:
    """0–3 players with more points."""
    own = context.view.scores[context.seat.seat]
    return sum([score > own for score in context.view.scores])


@feature()
def points_vs_best(context: OpponentContext) -> int:
    """Hundreds of points ahead of the best of the others; negative behind."""
    scores = list(context.view.scores)
    own = scores.pop(context.seat.seat)
    return (own - max(scores)) // 100


@feature()
def cannot_riichi(context: OpponentContext) -> int:
    """0/1, fewer than 1,000 points or four tiles in the wall."""
    short = context.view.scores[context.seat.seat] < RIICHI_STICK
    return int(short or context.view.tiles_left < _LAST_DRAW)


_row = Feature[OpponentContext].row
FEATURES = (
    dealer,
    rank,
    points_vs_best,
    _row(
        "points",
        "Hundreds of points",
        lambda context: context.view.scores[context.seat.seat] // 100,
    ),
    cannot_riichi,
    _row(
        "rounds_left",
        "Rounds until the last scheduled one: 0 in South 4, or East 4 of an East-only game",
        lambda context: context.view.rules.last_round - context.view.round,
    ),
    _row(
        "others_melds",
        "Open melds of the three other seats",
        lambda context: sum(
            [o.n_open_melds for o in context.view.seats if o.melds and o is not context.seat]
        ),
    ),
    _row(
        "unseen_middles",
        "Copies of 3 to 7 that the asking seat does not see",
        lambda context: context.tiles.unseen_middles,
    ),
    _row(
        "live_yakuhai",
        "0–5 kinds of yakuhai with two or more copies unseen",
        lambda context: sum([context.tiles.live >> kind & 1 for kind in context.yakuhai]),
    ),
)
