"""The cache of enumerated hands between the queries of one seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from houjuu.hands.hand_grid import ScoringContext
from houjuu.hands.shapes import shapes
from houjuu.hands.tenpai_groups import tenpai_hands
from houjuu.hands.tenpai_hands import TenpaiHands, reds_unseen
from houjuu.table import View

CONCEALED = {1: 7, 2: 7, 3: 4, 4: 1}
"""Concealed tiles by the number of melds; with one meld the paper pretends that seven tiles and
three sets are the whole game (Kurita & Hoki 2017, section 5.2.4)."""


@dataclass(slots=True)
class HandCache:
    """The hands of each opponent of one seat.

    They change only with a meld or a dora, and on the last discard. To query one seat repeatedly,
    pass the same cache: the results are identical, only faster. The first cache of a process
    enumerates all tenpai shapes, so that no query waits for it.
    """

    _deal: tuple[int, ...] = ()
    _hands: dict[int, tuple[ScoringContext, TenpaiHands]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for tiles in CONCEALED.values():
            shapes(tiles)

    def hands(self, view: View, seat: int) -> TenpaiHands:
        """The tenpai hands that an opponent with one to four melds may hold."""
        context = ScoringContext.of(view, seat)
        deal = (view.seat, view.round, view.honba, view.dora_indicators[0])
        if deal != self._deal:
            self._deal, self._hands = deal, {}
        cached = self._hands.get(seat)
        if cached is None or cached[0] != context:
            reds = reds_unseen(view.visible(), view.rules)
            concealed = shapes(CONCEALED[len(context.melds)])
            cached = context, tenpai_hands(concealed, context, view.unseen(), reds)
            self._hands[seat] = cached
        return cached[1]


def shared_caches(views: Sequence[View]) -> Iterator[HandCache]:
    """Yield a cache for each view: the same one for later views of a seat in the same round.

    Cached hands stay valid while more tiles become visible. A view that does not show all tiles of
    the one before it, because it is earlier or of another game, gets a new cache.
    """
    caches: dict[tuple[int, ...], tuple[frozenset[int], HandCache]] = {}
    for view in views:
        key = (view.seat, view.round, view.honba, view.dora_indicators[0])
        visible = frozenset(view.visible())
        before, cache = caches.get(key, (visible, HandCache()))
        if not before <= visible:
            cache = HandCache()
        caches[key] = visible, cache
        yield cache
