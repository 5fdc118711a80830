"""What the opponents may hold in a position: shanten, likely waits, and the true hand among others.

The waits are those of `HiddenHands.likely`; what waits for a discard is counted in the deals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from operator import itemgetter

import numpy as np

from houjuu.game.tiles import KINDS, kind_name, parse_kind
from houjuu.hands.wait_decomposition import waits
from houjuu.hands.wait_types import HELD, HOLDS, WINS
from houjuu.review.board_reasons import plain
from houjuu.review.page_types import HeldBlock, HiddenHand, ReviewedPosition, WaitShape
from houjuu.review.risk_json import rounded
from houjuu.review.sentences import joined
from houjuu.risk.hidden_hands import HiddenHands
from houjuu.util.arrays import Int8s

SHAPES = 3
"""The most waits of a hand."""
DRAWN = 100
"""Hands beside the true one."""
LEAST_DANGER = 0.05
"""P(the discard deals in to the opponent) from which on it is explained."""
LEAST_SHARE = 0.01
"""P(a wait) from which on it is listed."""
_FAR = 3  # from this shanten on hands are one class
_ALL = 1 << 20  # shapes


def hidden_hands(hands: HiddenHands, position: ReviewedPosition) -> list[HiddenHand]:
    """The hidden hand of each opponent of a position; its own ``hidden`` is not read."""
    return [
        {
            "shanten": [*map(rounded, (*shares[:_FAR], shares[_FAR:].sum()))],
            "shapes": _shapes(hands, opponent),
            "danger": _danger(hands, opponent, position),
            "likelier": likelier,
        }
        for opponent, (shares, likelier) in enumerate(
            zip(hands.shanten, _likelier(hands, position), strict=True)
        )
    ]


def _shapes(hands: HiddenHands, opponent: int) -> list[WaitShape]:
    every = hands.likely(opponent, _ALL)
    tenpai = [shape for shape in every if shape.waits and shape.share >= LEAST_SHARE]
    return [
        {
            "share": rounded(shape.share),
            "holds": _waiting(shape.example, shape.waits),
            "waits": [*map(kind_name, shape.waits)],
        }
        for shape in tenpai[:SHAPES]
    ]


def _waiting(hand: Int8s, kinds: Sequence[int]) -> list[str]:
    """The tiles of a tenpai hand that wait for some kinds: "7s" and "8s", or both of a pair."""
    held: list[int] = []
    left = {*kinds}
    for wait in sorted(waits(hand.tolist())):  # ryanmen come first
        if left.intersection(WINS[wait].tolist()):
            held += HOLDS[wait, : HELD[wait]].tolist()
            left.difference_update(WINS[wait].tolist())
    return [*map(kind_name, held)]


def _danger(hands: HiddenHands, opponent: int, position: ReviewedPosition) -> HeldBlock | None:
    """What waits most often for the discard, if that is dangerous.

    The shares of closed hands are those that the page lists for the tile.
    """
    if position["discard_index"] is None:
        return None
    tile = position["hand"][position["discard_index"]]
    risk = position["risks"][tile]["by_opponent"][opponent]
    if risk < LEAST_DANGER:
        return None
    if not position["melded"][opponent]:
        terms = position["explanations"][plain(tile)][opponent]["terms"]
        shares = {term["name"].split()[-1]: term["probability"] / risk for term in terms}
    else:
        deals, kind = hands.deals, parse_kind(tile)
        rows = np.flatnonzero(deals.wins[:, opponent, kind])
        held = Counter(joined(_waiting(deals.hands[row, opponent], [kind])) for row in rows)
        shares = {block: n / len(rows) for block, n in held.items()}
    if not shares:
        return None
    block, share = max(shares.items(), key=itemgetter(1))
    return {"tiles": [rank + block[-1] for rank in block[:-1]], "of_100": round(100 * share)}


def _likelier(hands: HiddenHands, position: ReviewedPosition) -> Iterator[int | None]:
    """Yield how many of `DRAWN` hands are less likely than the true one of each opponent."""
    drawn = hands.deals.hands[:DRAWN]
    true, known = drawn[0].copy(), []
    for opponent, hand in enumerate(position["opponent_hands"]):
        known.append(hand is not None and len(hand) == true[opponent].sum())
        if hand is not None and known[-1]:
            true[opponent] = np.bincount([*map(parse_kind, hand)], minlength=KINDS)
    likelihood = hands.log_likelihood(np.concatenate([drawn, true[None]]))
    less_likely = (likelihood[:-1] < likelihood[-1]).sum(axis=0).tolist()
    yield from (n if is_known else None for n, is_known in zip(less_likely, known, strict=True))
