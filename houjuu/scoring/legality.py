"""The legal actions of a seat by the rules: whoever plays, asks or follows a log uses them.

The table is the only judge. It knows the tiles that the seat let pass (furiten), its calls and the
wall; riichienv evaluates whether a win has a yaku.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from houjuu.game.actions import Action, ActionKind, added_kan
from houjuu.game.draws import MAX_KANS
from houjuu.game.events import Discard, Meld, MeldKind
from houjuu.game.table import Table, View
from houjuu.game.tiles import COPIES, IS_YAOCHU, KIND
from houjuu.hands.claims import (
    calls,
    can_ron,
    is_complete,
    is_tenpai,
    kind_counts,
    legal_discards,
    n_kans,
    waits,
)
from houjuu.hands.shanten import shanten
from houjuu.scoring.win_scoring import own_win

_NINE = 9
"""The kinds of terminals and honours with which a seat may abort the round."""


def legal_actions(table: Table, seat: int) -> list[Action]:
    """The legal actions of a seat now; each discard by tile id, the drawn tile first.

    Parameters
    ----------
    table : Table
        It has followed every event of the round.
    seat : int
        0–3.

    Returns
    -------
    list of Action
        Empty where the seat has nothing to decide, and where its hand is not known. A claim can
        always be passed.
    """
    state = table.round_state
    if not state.is_played or state.n_unknown[seat]:
        return []
    if state.actor == seat:
        return list(own_actions(table.view(seat)))
    last = state.claimable
    if last is None or last.seat == seat or len(state.hands[seat]) % 3 != 1:
        return []
    claims = list(_claims(table.view(seat), last))
    return [*claims, Action(ActionKind.PASS)] if claims else []


def default_action(view: View, legal: Sequence[Action]) -> Action:
    """Pass, or discard the drawn tile."""
    passes = [action for action in legal if action.kind is ActionKind.PASS]
    discards = [action for action in legal if action.kind is ActionKind.DISCARD]
    drawn = [action for action in discards if action.tile == view.drawn]
    return (*passes, *drawn, *reversed(discards), *legal)[0]


def _claims(view: View, last: Discard) -> Iterator[Action]:
    if can_ron(view, last.tile) and _has_yaku(view, last.seat, last.tile):
        yield Action(ActionKind.RON, last.tile)
    if view.moment.offered_kan is None:
        yield from calls(view, last.tile, last.seat)


def own_actions(view: View) -> Iterator[Action]:
    """Yield the legal actions of a seat that has to discard, by its view."""
    own = view.seats[view.seat]
    for tile in sorted(legal_discards(view), key=lambda tile: tile != view.drawn):
        if not own.declares or _leaves_tenpai(view, tile):
            yield Action(ActionKind.DISCARD, tile)
    if view.drawn is None or own.declares:
        return
    if _can_riichi(view):
        yield Action(ActionKind.RIICHI)
    if view.tiles_left and n_kans(view) < MAX_KANS:
        yield from map(Action.from_meld, _own_kans(view))
    complete = is_complete(kind_counts(view.hand))
    if complete and _has_yaku(view, view.seat, view.drawn):
        yield Action(ActionKind.TSUMO, view.drawn)
    if _can_abort(view):
        yield Action(ActionKind.NINE_TERMINALS)


def _leaves_tenpai(view: View, discard: int) -> bool:
    rest = [tile for tile in view.hand if tile != discard]
    return is_tenpai(rest, view.seats[view.seat].melds, view.rules)


def _can_riichi(view: View) -> bool:
    own = view.seats[view.seat]
    return (
        not own.declared
        and not own.n_open_melds
        and view.scores[view.seat] >= view.rules.profile.riichi_points
        and view.tiles_left >= view.rules.profile.riichi_tiles
        and shanten([KIND[tile] for tile in view.hand]) <= 0
        and (view.rules.profile.empty_wait or any(_leaves_tenpai(view, t) for t in view.hand))
    )


def _own_kans(view: View) -> Iterator[Meld]:
    own = view.seats[view.seat]
    counts = kind_counts(view.hand)
    for kind in (kind for kind, count in enumerate(counts) if count == COPIES):
        if not own.in_riichi or _keeps_waits(view, counts, kind):
            yield Meld(MeldKind.ANKAN, tuple(sorted(t for t in view.hand if KIND[t] == kind)))
    if own.n_open_melds:
        yield from filter(None, (added_kan(own.melds, tile) for tile in sorted(view.hand)))


def _keeps_waits(view: View, counts: list[int], kind: int) -> bool:
    """Whether a seat in riichi may make a closed kan: of the drawn tile, with the same waits."""
    if view.drawn is None or KIND[view.drawn] != kind:
        return False
    before = counts.copy()
    before[kind] -= 1
    after = counts.copy()
    after[kind] = 0
    return waits(before) == waits(after)


def _can_abort(view: View) -> bool:
    """Whether the seat may declare 九種九牌: at its first draw, before any call."""
    may_abort = view.rules.profile.aborts and view.first_turn
    return may_abort and len({KIND[tile] for tile in view.hand if IS_YAOCHU[KIND[tile]]}) >= _NINE


def _has_yaku(view: View, source: int, tile: int) -> bool:
    return view.seats[view.seat].in_riichi or bool(own_win(view, tile, source).points)
