"""The risk of every tile in hand and its explanation; the unseen tiles; the hidden hands.

Probabilities have five decimals, their parts four, points and copies two. The waits of hidden hands
are those of `HiddenHands.likely`; what waits for a discard is counted in the deals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter

import numpy as np

from houjuu.game.table import View
from houjuu.game.tiles import KIND, KINDS, kind_name, parse_kind
from houjuu.review import risk_bar
from houjuu.review.board_reasons import plain, safety_name
from houjuu.review.page_types import (
    HeldBlock,
    HiddenHand,
    ReviewedPosition,
    RiskExplanation,
    Risks,
    Term,
    TileRisks,
    UnseenCopies,
    WaitShape,
)
from houjuu.review.sentences import joined
from houjuu.review.table_json import name
from houjuu.risk.deal_in import DealIn
from houjuu.risk.hidden_hands import HiddenHands, waiting_tiles
from houjuu.risk.opponent_risk import OpponentRisk
from houjuu.risk.opponent_risk import Term as Named
from houjuu.risk.reasons import tenpai_reasons, wait_reasons
from houjuu.risk.unseen import WALL, UnseenTiles
from houjuu.util.arrays import Floats

MOST_TERMS = 6  # waits or scores listed for one opponent
LEAST_LISTED = 0.00005  # unit: probability; terms and reasons below it are left out
LEAST_EXPLAINED = 0.001  # unit: probability; risks below it are not explained
LEAST_RISK = 0.00001  # unit: probability; smaller ones are shown as this one
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


def _listed(terms: Iterable[Named]) -> list[Term]:
    """Name and probability of all terms of at least `LEAST_LISTED`."""
    return [
        {"name": term.name, "probability": round(term.probability, 4)}
        for term in terms
        if abs(term.probability) >= LEAST_LISTED
    ]


def risks(view: View, risk: DealIn) -> Risks:
    """The numbers of a decision: for every tile in hand, and for the opponents."""
    tiles = {name(tile, risk.red_fives): tile for tile in sorted(view.hand)}
    kinds = dict.fromkeys(KIND[tile] for tile in tiles.values())
    unseen = view.unseen().tolist()
    return {
        "tenpai": [*map(rounded, risk.tenpai)],
        "opponent_types": [opponent.opponent_type.value for opponent in risk.opponents],
        "silent": [opponent.silent for opponent in risk.opponents],
        "melded": [opponent.opponent_type.is_melded for opponent in risk.opponents],
        "tenpai_reasons": [_listed(tenpai_reasons(opponent)) for opponent in risk.opponents],
        "risks": {of_tile: _risk(risk, view, unseen, tile) for of_tile, tile in tiles.items()},
        "explanations": {
            kind_name(kind): [
                _explanation(opponent, view, kind)
                if probability >= LEAST_EXPLAINED
                else {"terms": [], "reasons": []}
                for opponent, probability in zip(
                    risk.opponents, risk.by_opponent[:, kind].tolist(), strict=True
                )
            ]
            for kind in kinds
        },
    }


def _explanation(opponent: OpponentRisk, view: View, kind: int) -> RiskExplanation:
    explanation = opponent.explain(kind_name(kind))
    return {
        "terms": _listed(explanation.terms[:MOST_TERMS]),
        "reasons": _listed(wait_reasons(explanation, view, kind)),
    }


def _risk(risk: DealIn, view: View, unseen: Sequence[int], tile: int) -> TileRisks:
    kind = KIND[tile]
    of_tile = risk[tile]
    return {
        "deal_in": rounded(of_tile.probability),
        "level": risk_bar.level(of_tile.probability),
        "points": _points(of_tile.points),
        "by_opponent": [*map(rounded, of_tile.by_opponent)],
        "points_by_opponent": [*map(_points, of_tile.points_by_opponent)],
        "genbutsu": [bool(opponent.genbutsu[kind]) for opponent in risk.opponents],
        "safety": [safety_name(view, unseen, kind, seat.seat) for seat in view.opponents],
    }


def rounded(value: float) -> float:
    """A probability to five decimals; what is more than 0 stays so."""
    return round(float(value), 5) or (LEAST_RISK if value > 0 else 0.0)


def _points(value: float) -> float:
    return round(float(value), 2)


LIKELIEST = 5
"""Kinds that are listed for each hand."""


def unseen_copies(unseen: UnseenTiles) -> UnseenCopies:
    """The copies in the wall of every kind, and the likeliest kinds of each hand."""
    expected = unseen.expected
    return {
        "copies": unseen.copies.tolist(),
        "wall": expected[WALL].round(2).tolist(),
        "hands": [_likeliest(hand) for hand in expected[:WALL]],
    }


def _likeliest(hand: Floats) -> dict[str, float]:
    """The kinds with the most expected copies, and these; equal ones in the order of kinds."""
    kinds = np.argsort(-hand, kind="stable")[:LIKELIEST]
    return {kind_name(kind): round(float(hand[kind]), 2) for kind in kinds.tolist() if hand[kind]}


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
            "holds": shape.blocks.split(),
            "waits": [*map(kind_name, shape.waits)],
        }
        for shape in tenpai[:SHAPES]
    ]


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
        held = Counter(joined(waiting_tiles(deals.hands[row, opponent], [kind])) for row in rows)
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
