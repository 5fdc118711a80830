"""An opponent in the eyes of the asking seat: what its signs and its evidence are read from.

A case holds what many numbers share, so that each is worked out once a query. Nothing here is more
than the asking seat sees.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from houjuu import reading
from houjuu.table import Seat, View, bits, river_kinds
from houjuu.tiles import CHUN, HAKU, HATSU, IS_HONOUR, KINDS, RED_FIVES, SUIT

GENBUTSU, SUJI, HONOUR, HALF_SUJI, NO_SUJI, NOT_YET, NO_RIICHI = range(7)
"""What a discard was to a riichi; not yet: none since it declared."""

_BY_RANK = (1, 2, 3, 4, 4, 4, 3, 2, 1)
RANK_CLASS = tuple(0 if IS_HONOUR[kind] else _BY_RANK[kind % 9] for kind in range(KINDS))
"""By kind: 0 for honours, 1 for 1 and 9, 2 for 2 and 8, 3 for 3 and 7, 4 for 4 to 6."""

_MIDDLES = tuple(kind for kind in range(KINDS) if RANK_CLASS[kind] >= 3)


class _Scene(NamedTuple):
    """What the cases of one view share.

    `taken` is the order of every called discard by its tile, `passed` the order and kind of all
    discards, ascending; empty without a riichi.
    """

    unseen: list[int]
    unseen_middles: int
    unseen_reds: int
    dora: tuple[int, ...]
    reds: frozenset[int]
    taken: dict[int, int]
    passed: list[tuple[int, int]]


class Case(NamedTuple):
    """An opponent in the eyes of a seat, and what several signs share.

    Attributes
    ----------
    view, seat : View and Seat
        The opponent is the seat.
    furiten : int
        Kinds (bit h for kind h) that it cannot win on, `View.furiten`.
    genbutsu : (34,) array of bool
        The same.
    unseen : list of 34 ints
        Copies that the asking seat does not see.
    unseen_middles : int
        Those of 3 to 7 together.
    unseen_reds : int
        Red fives that it does not see.
    dora : tuple of int
        Kinds.
    reds : frozenset of int
        Ids of the red fives; empty without them.
    own : int
        Kinds (bit h for kind h) of its river.
    kinds, classes, suits : lists of int
        Of its river, the classes as `RANK_CLASS`.
    turns, tedashi, tedashi_classes : lists of int
        Of its tedashi: indices in the river, kinds and classes.
    calls : list of int
        How many discards it had made when it made each call, ascending.
    yakuhai : set of int
        Kinds whose pon is a yaku.
    faced : list of pairs, or None without a riichi
        What `_faced` says.
    """

    view: View
    seat: Seat
    furiten: int
    genbutsu: npt.NDArray[np.bool_]
    unseen: list[int]
    unseen_middles: int
    unseen_reds: int
    dora: tuple[int, ...]
    reds: frozenset[int]
    own: int
    kinds: list[int]
    classes: list[int]
    suits: list[int]
    turns: list[int]
    tedashi: list[int]
    tedashi_classes: list[int]
    calls: list[int]
    yakuhai: set[int]
    faced: list[tuple[int, bool]] | None


def cases(view: View, seats: Sequence[Seat]) -> list[Case]:
    """Some opponents in the eyes of the seat of a view."""
    scene = _scene(view)
    return [_case(view, seat, scene) for seat in seats]


def _scene(view: View) -> _Scene:
    unseen = view.unseen().tolist()
    discards = [discard for seat in view.seats for discard in seat.river]
    riichi = any(seat.in_riichi for seat in view.seats)
    reds = frozenset(RED_FIVES) if view.rules.red_fives else frozenset[int]()
    return _Scene(
        unseen,
        sum(map(unseen.__getitem__, _MIDDLES)),
        len(reds.difference(view.visible())) if reds else 0,
        view.dora,
        reds,
        {d.tile: d.order for d in discards if d.called_by is not None},
        sorted((d.order, d.tile >> 2) for d in discards) if riichi else [],
    )


def _case(view: View, seat: Seat, scene: _Scene) -> Case:
    river = seat.river
    kinds = [discard.tile >> 2 for discard in river]
    turns = [turn for turn, discard in enumerate(river) if not discard.tsumogiri]
    tedashi = [kinds[turn] for turn in turns]
    furiten = view.furiten(seat.seat)
    return Case(
        view,
        seat,
        furiten,
        bits(furiten),
        scene.unseen,
        scene.unseen_middles,
        scene.unseen_reds,
        scene.dora,
        scene.reds,
        river_kinds(seat),
        kinds,
        [RANK_CLASS[kind] for kind in kinds],
        [SUIT[kind] for kind in kinds],
        turns,
        tedashi,
        [RANK_CLASS[kind] for kind in tedashi],
        _calls(seat, scene) if seat.melds else [],
        {view.round_wind, view.seat_wind(seat.seat), HAKU, HATSU, CHUN},
        _faced(view, seat, scene) if scene.passed else None,
    )


def _calls(seat: Seat, scene: _Scene) -> list[int]:
    orders = [discard.order for discard in seat.river]
    called = (scene.taken.get(meld.called) for meld in seat.melds if meld.called is not None)
    return sorted(bisect_left(orders, order) for order in called if order is not None)


def _faced(view: View, seat: Seat, scene: _Scene) -> list[tuple[int, bool]] | None:
    """For each discard since another's riichi what it was to it, and whether a tedashi.

    With several riichi, the most dangerous it was to any.
    """
    worst: dict[int, int] = {}
    tedashi = {discard.order: not discard.tsumogiri for discard in seat.river}
    turns = [(o, o.riichi_turn) for o in view.seats if o.in_riichi and o is not seat]
    others = [other.river[: turn + 1] for other, turn in turns if turn is not None]
    for river in others:
        furiten = 0
        for discard in river:
            furiten |= 1 << (discard.tile >> 2)
        since = bisect_left(scene.passed, (river[-1].order + 1, 0))
        for order, kind in scene.passed[since:]:
            if order in tedashi:
                worst[order] = max(worst.get(order, 0), _danger(kind, furiten))
            furiten |= 1 << kind
    return [(worst[order], tedashi[order]) for order in sorted(worst)] if others else None


def _danger(kind: int, furiten: int) -> int:
    if furiten >> kind & 1:
        return GENBUTSU
    dead, through = reading.dead_suji(kind, furiten), reading.suji_through(kind)
    if not through:
        return HONOUR
    return SUJI if dead == through else HALF_SUJI if dead else NO_SUJI
