"""The game: seat, rank and points, and what lies on the table."""

from __future__ import annotations

from houjuu.cases import Case
from houjuu.signs.values import LIVE

_DEPOSIT = 1000  # unit: points
_LAST_DRAW = 4  # tiles in the wall, with which a riichi may still be declared


def dealer(case: Case) -> int:
    """0/1."""
    return int(case.seat.seat == case.view.dealer)


def rank(case: Case) -> int:
    """0–3, how many players have more points."""
    own = case.view.scores[case.seat.seat]
    return sum(score > own for score in case.view.scores)


def lead(case: Case) -> int:
    """Hundreds of points before the best of the others; negative behind."""
    scores = list(case.view.scores)
    own = scores.pop(case.seat.seat)
    return (own - max(scores)) // 100


def points(case: Case) -> int:
    """Hundreds of points."""
    return case.view.scores[case.seat.seat] // 100


def cannot_riichi(case: Case) -> int:
    """0/1, fewer than 1,000 points or four tiles in the wall."""
    short = case.view.scores[case.seat.seat] < _DEPOSIT
    return int(short or case.view.tiles_left < _LAST_DRAW)


def rounds_left(case: Case) -> int:
    """Rounds before the last that is sure to be played: 0 in South 4, or East 4 of a tonpuu."""
    return (7 if case.view.rules.hanchan else 3) - case.view.round


def others_melds(case: Case) -> int:
    """Open melds of the three others."""
    return sum(o.open_melds for o in case.view.seats if o.melds and o is not case.seat)


def unseen_middles(case: Case) -> int:
    """Copies of 3 to 7 that the asking seat does not see."""
    return case.unseen_middles


def live_yakuhai(case: Case) -> int:
    """0–5 kinds of yakuhai with two copies unseen or more."""
    return sum(case.unseen[kind] >= LIVE for kind in case.yakuhai)


SIGNS = (
    dealer,
    rank,
    lead,
    points,
    cannot_riichi,
    rounds_left,
    others_melds,
    unseen_middles,
    live_yakuhai,
)
