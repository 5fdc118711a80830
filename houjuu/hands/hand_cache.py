"""The cache of enumerated hands between the queries of one seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from houjuu.game.table import View
from houjuu.hands.enumeration import tenpai_hands
from houjuu.hands.group_rows import group_rows
from houjuu.hands.hand_grid import ScoringContext
from houjuu.hands.tenpai_hands import TenpaiHands

CONCEALED_SETS = {1: 2, 2: 2, 3: 1, 4: 0}
"""Concealed sets of a complete hand by the number of melds; with one meld the paper pretends that
three sets are the whole game (Kurita & Hoki 2017, section 5.2.4)."""


@dataclass(slots=True)
class HandCache:
    """The hands of each opponent of one seat.

    They change only with a meld or a dora, and on the last discard. To query one seat repeatedly,
    pass the same cache: the results are identical, only faster. `prepare` builds new hands between
    the decisions, as `houjuu.Live` does, so that no query has to. The first cache of a process
    prepares the groups of all hands, so that no query waits for them.
    """

    _hands: dict[int, tuple[ScoringContext, TenpaiHands]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        for n_sets in CONCEALED_SETS.values():
            group_rows(n_sets)

    def prepare(self, view: View) -> None:
        """Build the hands of the opponents with open melds that are not in the cache yet."""
        for opponent in view.opponents:
            if opponent.n_open_melds:
                self.hands(view, opponent.seat)

    def hands(self, view: View, seat: int) -> TenpaiHands:
        """The tenpai hands that an opponent with one to four melds may hold."""
        context = ScoringContext.from_view(view, seat)
        cached = self._hands.get(seat)
        if cached is None or cached[0] != context:
            cached = context, tenpai_hands(context, CONCEALED_SETS[len(context.melds)])
            self._hands[seat] = cached
        return cached[1]


def shared_caches(views: Sequence[View]) -> Iterator[HandCache]:
    """Yield a cache for each view: the same one for all views of a seat in the same round."""
    caches: dict[tuple[int, ...], HandCache] = {}
    for view in views:
        key = (view.seat, view.round, view.honba, view.dora_indicators[0])
        yield caches.setdefault(key, HandCache())
