"""The kinds on which a hidden hand wins by ron: the label of all deal-in rows.

riichienv decides whether the hand has a yaku, not `houjuu.hands`, which the estimators use.
"""

from __future__ import annotations

from houjuu.game.events import KANS, Win
from houjuu.game.table import Seat, Table, View
from houjuu.game.tiles import COPIES, KIND
from houjuu.hands.wait_decomposition import count_kinds, winning_kinds
from houjuu.scoring.win_scoring import has_yaku


def ron_kinds(table: Table, view: View, opponent: Seat) -> int:
    """Mask of the kinds on which an opponent wins if the seat of the view discards them.

    Empty if the opponent is furiten. Kinds that would win without a yaku are left out; houtei
    counts as a yaku.
    """
    hand = tuple(table.round_state.hands[opponent.seat])
    kans = [KIND[meld.tiles[0]] for meld in opponent.melds if meld.kind in KANS]
    kinds = winning_kinds(count_kinds(hand), kans)
    if kinds & view.furiten(opponent.seat):
        return 0
    if not kinds or opponent.in_riichi:
        return kinds
    return sum(
        1 << kind
        for kind in range(kinds.bit_length())
        if kinds >> kind & 1 and has_yaku(view, _ron(view, opponent, hand, kind))
    )


def _ron(view: View, opponent: Seat, hand: tuple[int, ...], kind: int) -> Win:
    tile = next(t for t in range(COPIES * kind, COPIES * kind + COPIES) if t not in hand)
    return Win(
        seat=opponent.seat,
        source=view.seat,
        tile=tile,
        hand=(*hand, tile),
        melds=opponent.melds,
        dora_indicators=view.dora_indicators,
    )
