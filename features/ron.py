"""On what a hidden hand wins by ron: the label of whatever is measured or fitted on deal-ins.

Whether it has a yaku is riichienv's word, not that of `houjuu.hands`, which estimators use.
"""

from __future__ import annotations

from features import shapes
from houjuu.arena.wins import evaluated
from houjuu.events import Win
from houjuu.hands.grid import KANS
from houjuu.table import Seat, Table, View
from houjuu.tiles import COPIES


def ronable(table: Table, view: View, opponent: Seat) -> int:
    """Kinds (bit h for kind h) on which an opponent wins if the seat of the view discards them.

    None in furiten, none without a yaku; 河底 is one.
    """
    hand = tuple(table.ledger.hands[opponent.seat])
    kans = [meld.tiles[0] // COPIES for meld in opponent.melds if meld.kind in KANS]
    kinds = shapes.winning_kinds(shapes.counts_of(hand), kans)
    if kinds & view.furiten(opponent.seat):
        return 0
    if not kinds or opponent.in_riichi:
        return kinds
    return sum(
        1 << kind
        for kind in range(kinds.bit_length())
        if kinds >> kind & 1 and _has_yaku(table, view, opponent, hand, kind)
    )


def _has_yaku(table: Table, view: View, opponent: Seat, hand: tuple[int, ...], kind: int) -> bool:
    tile = next(t for t in range(COPIES * kind, COPIES * kind + COPIES) if t not in hand)
    win = Win(
        seat=opponent.seat,
        source=view.seat,
        tile=tile,
        hand=(*hand, tile),
        melds=opponent.melds,
        dora_indicators=view.dora_indicators,
    )
    return bool(evaluated(table, win).is_win)
