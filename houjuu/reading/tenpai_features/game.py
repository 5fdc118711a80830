"""Features of the game: seat, rank and points, and the table."""

from __future__ import annotations

from houjuu.game.payments import RIICHI_STICK
from houjuu.reading.opponent import OpponentContext
from houjuu.reading.shared_features import dealer

_LAST_DRAW = 4  # tiles in the wall, with which a riichi may still be declared


def rank(context: OpponentContext) -> int:
    """0–3 players with more points."""
    own = context.view.scores[context.seat.seat]
    return sum([score > own for score in context.view.scores])


def points_vs_best(context: OpponentContext) -> int:
    """Hundreds of points ahead of the best of the others; negative behind."""
    scores = list(context.view.scores)
    own = scores.pop(context.seat.seat)
    return (own - max(scores)) // 100


def points(context: OpponentContext) -> int:
    """Hundreds of points."""
    return context.view.scores[context.seat.seat] // 100


def cannot_riichi(context: OpponentContext) -> int:
    """0/1, fewer than 1,000 points or four tiles in the wall."""
    short = context.view.scores[context.seat.seat] < RIICHI_STICK
    return int(short or context.view.tiles_left < _LAST_DRAW)


def rounds_left(context: OpponentContext) -> int:
    """Rounds until the last scheduled one: 0 in South 4, or East 4 of an East-only game."""
    return context.view.rules.last_round - context.view.round


def others_melds(context: OpponentContext) -> int:
    """Open melds of the three other seats."""
    return sum([o.n_open_melds for o in context.view.seats if o.melds and o is not context.seat])


def unseen_middles(context: OpponentContext) -> int:
    """Copies of 3 to 7 that the asking seat does not see."""
    return context.tiles.unseen_middles


def live_yakuhai(context: OpponentContext) -> int:
    """0–5 kinds of yakuhai with two or more copies unseen."""
    return sum([context.tiles.live >> kind & 1 for kind in context.yakuhai])


FEATURES = (
    dealer,
    rank,
    points_vs_best,
    points,
    cannot_riichi,
    rounds_left,
    others_melds,
    unseen_middles,
    live_yakuhai,
)
