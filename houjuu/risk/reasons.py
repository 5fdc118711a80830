"""The reasons of a probability as players name them.

A model attributes a probability to its feature groups. Here these groups become reasons that have
an entry in the glossary of the catalogues (``reason.NAME``, ``glossary.NAME``):

- Groups about the same thing are one reason.
- "dora" and "yakuhai" are reasons of such tiles alone. For other tiles, dora and yakuhai change the
  waits on other tiles.
- Two reasons about the same thing that nearly cancel are one reason.

The sum of the reasons stays the sum of the attributions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from houjuu.game.tiles import HONOURS, SUIT, yakuhai_han
from houjuu.game.view import View
from houjuu.risk.opponent_risk import Explanation, OpponentRisk, Term

REASON_OF_GROUP = {
    "unseen tiles of the wait": "counts",
    "tiles unseen": "counts",
    "open tiles": "counts",
    "seen tiles": "counts",
    "genbutsu and suji": "genbutsu_suji",
    "the type of wait": "wait_type",
    "the type of tile": "wait_type",
    "its discards in the suit": "discards_nearby",
    "its discards beside the wait": "discards_nearby",
    "its discards nearby": "discards_nearby",
    "discards of the suit": "discards_nearby",
    "passed tiles": "passed",
    "the turn": "turn",
    "live suji": "turn",
    "the riichi tile": "riichi_tile",
    "its honours": "river",
    "its terminals and honours": "river",
    "its river": "river",
    "its last discards": "last_discards",
    "the order of its discards": "discard_order",
    "its pace": "pace",
    "the dealer": "dealer",
    "other riichi": "other_riichi",
    "none of the waits": "none",
    "upper limit": "upper_limit",
    "hands that the tiles allow": "allowed_hands",
    "its melds nearby": "melds_nearby",
    "melds of the suit": "melds_nearby",
    "its melds": "melds",
    "pushing and folding": "pushing",
    "the game": "game",
}
"""Reason of each feature group of the models that ship; groups of other models keep their name."""

CANCELLING = {("river", "melds"): "river_melds", ("river", "pace"): "discards"}
"""Pairs of reasons about the same thing, and the reason that replaces both if they cancel."""

_LEFT = 0.5  # of the larger part: if no more is left of both together, they cancel
_NEAR = 3  # ranks: the tiles of a wait and the two kinds of a ryanmen lie so near


def wait_reasons(explanation: Explanation, view: View, kind: int) -> tuple[Term, ...]:
    """The reasons for the probability of a kind, the largest first; they add up to it.

    There are none for genbutsu: furiten is the reason.
    """
    if explanation.genbutsu:
        return ()
    dora = view.dora
    yakuhai = yakuhai_han(view.round_wind, view.seat_wind(explanation.seat))[kind] > 0

    def reason(group: str) -> str:
        if group == "dora":
            return _dora_reason(kind, dora)
        if group == "yakuhai":
            return "yakuhai" if yakuhai else "other_waits"
        return REASON_OF_GROUP.get(group, group)

    return _summed((reason(term.name), term.probability) for term in explanation.reasons)


def tenpai_reasons(opponent: Explanation | OpponentRisk) -> tuple[Term, ...]:
    """The reasons for P(tenpai), the largest first; they add up to it.

    The start of a closed hand contains what the model derives from the absence of melds.
    """
    melds = "melds" if opponent.opponent_type.is_melded else "0 open melds"
    reason = {**REASON_OF_GROUP, "its melds": melds}
    return _summed(
        (reason.get(term.name, term.name), term.probability) for term in opponent.tenpai_reasons
    )


def _dora_reason(kind: int, dora: Collection[int]) -> str:
    if kind in dora:
        return "dora"
    near = any(
        SUIT[kind] == SUIT[other] != HONOURS and abs(kind - other) <= _NEAR for other in dora
    )
    return "near_dora" if near else "other_waits"


def _summed(parts: Iterable[tuple[str, float]]) -> tuple[Term, ...]:
    sums: dict[str, float] = {}
    for name, part in parts:
        sums[name] = sums.get(name, 0.0) + part
    terms = (Term(*item) for item in _without_cancelling(sums).items())
    # rounded: equal terms keep their order on every processor
    return tuple(sorted(terms, key=lambda term: -round(abs(term.probability), 9)))


def _without_cancelling(sums: dict[str, float]) -> dict[str, float]:
    for pair, both in CANCELLING.items():
        first, second = (sums.get(name, 0.0) for name in pair)
        if first * second < 0 and abs(first + second) <= _LEFT * max(abs(first), abs(second)):
            rest = {name: part for name, part in sums.items() if name not in pair}
            return {**rest, both: first + second}
    return sums


def names() -> Iterator[str]:
    """Yield the name of every reason that has an entry in the glossary."""
    yield from dict.fromkeys(REASON_OF_GROUP.values())
    yield from CANCELLING.values()
    yield from ("dora", "near_dora", "yakuhai", "other_waits", "open_melds")
