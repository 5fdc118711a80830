"""The turns that written rivers and melds imply, as the events of a `Table`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from houjuu.game.events import Call, Discard, Draw, Meld, MeldKind, PerSeat, Riichi, RiichiAccepted
from houjuu.game.notation import NamedDiscard, NamedMeld, TileName, tile_text
from houjuu.game.table import Table
from houjuu.game.tiles import Copies
from houjuu.util.errors import Error

Rivers = Sequence[tuple[NamedDiscard, ...]]
Melds = Sequence[tuple[NamedMeld, ...]]


class Step(NamedTuple):
    """A discard of `seat`, and the seat that calls it for its meld with this index."""

    seat: int
    caller: int | None = None
    meld: int = 0


class _State(NamedTuple):
    """A search state: whose turn it is, the steps so far, and the claims of each seat so far."""

    turn: int
    steps: tuple[Step, ...]
    claims: PerSeat


def find_steps(
    rivers: Rivers, melds: Melds, dealer: int, names: Sequence[str]
) -> tuple[tuple[Step, ...], int]:
    """The order of all discards, and whose turn it is after them.

    Parameters
    ----------
    rivers, melds : sequences by absolute seat
    dealer : int
    names : sequence of str
        Names of the seats for messages.

    Raises
    ------
    Error
        No order of the turns gives these rivers and melds, or several do.
    """
    claims = [[i for i, m in enumerate(own) if m.kind is not MeldKind.ANKAN] for own in melds]
    pending = [_State(dealer, (), (0, 0, 0, 0))]
    complete = list[_State]()
    furthest = pending[0]
    while pending:
        state = pending.pop()
        if len(state.steps) >= len(furthest.steps):
            furthest = state
        n_made = [sum(step.seat == seat for step in state.steps) for seat in range(4)]
        if n_made == [len(river) for river in rivers]:
            if list(state.claims) == [len(own) for own in claims]:
                complete.append(state)
        elif n_made[state.turn] < len(rivers[state.turn]):
            discard = rivers[state.turn][n_made[state.turn]]
            pending += _next_states(state, discard, melds, claims)
    if not complete:
        raise Error(_problem(furthest, rivers, melds, claims, names))
    if len(complete) > 1:
        raise Error("several orders of the turns fit; write each meld with ~ and its source")
    return complete[0].steps, complete[0].turn


def _next_states(
    state: _State, discard: NamedDiscard, melds: Melds, claims: list[list[int]]
) -> list[_State]:
    turn, steps, made = state
    if not discard.was_called:
        return [_State((turn + 1) % 4, (*steps, Step(turn)), made)]
    states = []
    for caller in range(4):
        if caller == turn or made[caller] == len(claims[caller]):
            continue
        index = claims[caller][made[caller]]
        if _fits(melds[caller][index], caller, discard.name, turn):
            after = [count + (seat == caller) for seat, count in enumerate(made)]
            step = Step(turn, caller, index)
            states.append(_State(caller, (*steps, step), (after[0], after[1], after[2], after[3])))
    return states


def _fits(meld: NamedMeld, caller: int, name: TileName, source: int) -> bool:
    if meld.kind is MeldKind.CHI and (source + 1) % 4 != caller:
        return False
    if meld.source is not None and meld.source != source:
        return False
    return _called_index(meld, name) is not None


def _called_index(meld: NamedMeld, name: TileName) -> int | None:
    """Index of the tile of a meld that a discard with this name can be."""
    names = meld.names[:3] if meld.kind is MeldKind.KAKAN else meld.names
    allowed = range(len(names)) if meld.called is None else (meld.called,)
    return next((i for i in allowed if i < len(names) and names[i] == name), None)


def _problem(
    state: _State, rivers: Rivers, melds: Melds, claims: list[list[int]], names: Sequence[str]
) -> str:
    turn = state.turn
    name = names[state.turn]
    n_made = [sum(step.seat == seat for step in state.steps) for seat in range(4)]
    for seat in range(4):
        if n_made == [len(river) for river in rivers] and state.claims[seat] < len(claims[seat]):
            meld = melds[seat][claims[seat][state.claims[seat]]]
            return f"no discard is called for {meld.text!r} of {names[seat]}; mark it with ~"
    if n_made[turn] == len(rivers[turn]):
        longer = [names[seat] for seat in range(4) if len(rivers[seat]) > n_made[seat]]
        return (
            f"the river of {name} is too short: discard {n_made[turn] + 1} is missing, but the "
            f"river of {' and '.join(longer)} goes on (called tiles belong to it, marked ~)"
        )
    discard = rivers[turn][n_made[turn]]
    return (
        f"discard {n_made[turn] + 1} of {name}, {tile_text(discard.name)}~, is called, but it is "
        "not in the next meld of another seat"
    )


class Replay:
    """Applies the events of written rivers and melds to a table.

    Parameters
    ----------
    table : Table
        With the deal of the round; all hands are hidden.
    rivers, melds : sequences by absolute seat
    names : sequence of str
        Names of the seats for messages.
    copies : Copies
        The tiles that are not used elsewhere.
    """

    def __init__(
        self, table: Table, rivers: Rivers, melds: Melds, names: Sequence[str], copies: Copies
    ) -> None:
        self._table = table
        self._rivers = rivers
        self._melds = melds
        self._names = names
        self._copies = copies
        self._claimed = False  # whether the seat in turn has made a chi or pon
        self._made: list[dict[int, Meld]] = [{}, {}, {}, {}]

    def play(self, steps: Sequence[Step]) -> None:
        """Apply all discards with the draws, calls and kans between them."""
        for step in steps:
            seat = step.seat
            self.draw(seat)
            index = len(self._table.seats[seat].river)
            discard = self._rivers[seat][index]
            in_riichi = self._table.seats[seat].in_riichi
            tile = self._copies.take(*discard.name, f"the river of {self._names[seat]}")
            if discard.riichi:
                self._table.apply(Riichi(seat))
            self._table.apply(Discard(seat, tile, discard.tsumogiri or in_riichi))
            if discard.riichi:
                self._table.apply(RiichiAccepted(seat))
            if step.caller is not None:
                self._call(step.caller, step.meld, tile, seat, discard.name)

    def draw(self, seat: int) -> bool:
        """Apply the draw of a seat and its kans, unless it has claimed; return whether it draws."""
        if self._claimed:
            self._claimed = False
            return False
        self._table.apply(Draw(seat, None))
        while (kan := self._own_kan(seat)) is not None:
            self._table.apply(Call(seat, kan))
            self._table.apply(Draw(seat, None))
        return True

    def require_all_kans(self) -> None:
        """Raise Error if a closed or an added kan had no turn."""
        for seat, melds in enumerate(self._melds):
            for index, meld in enumerate(melds):
                made = self._made[seat].get(index)
                if made is None or made.kind is not meld.kind:
                    raise Error(f"{self._names[seat]} has had no turn to make {meld.text!r}")

    def _call(self, caller: int, index: int, tile: int, source: int, name: TileName) -> None:
        written = self._melds[caller][index]
        called = _called_index(written, name)
        kind = MeldKind.PON if written.kind is MeldKind.KAKAN else written.kind
        names = written.names[:3] if written.kind is MeldKind.KAKAN else written.names
        others = self._take([other for i, other in enumerate(names) if i != called], caller)
        meld = Meld(kind, tuple(sorted((tile, *others))), tile, source)
        self._table.apply(Call(caller, meld))
        self._made[caller][index] = meld
        self._claimed = kind is not MeldKind.DAIMINKAN

    def _own_kan(self, seat: int) -> Meld | None:
        """The first closed or added kan of a seat that it can make now."""
        for index, written in enumerate(self._melds[seat]):
            made = self._made[seat].get(index)
            if written.kind is MeldKind.KAKAN and made is not None and made.added is None:
                (added,) = self._take(written.names[3:], seat)
                tiles = tuple(sorted((*made.tiles, added)))
                kan = Meld(
                    kind=MeldKind.KAKAN,
                    tiles=tiles,
                    called=made.called,
                    source=made.source,
                    added=added,
                )
            elif written.kind is MeldKind.ANKAN and made is None and index == len(self._made[seat]):
                kan = Meld(MeldKind.ANKAN, tuple(sorted(self._take(written.names, seat))))
            else:
                continue
            self._made[seat][index] = kan
            return kan
        return None

    def _take(self, names: Sequence[TileName], seat: int) -> list[int]:
        source = f"a meld of {self._names[seat]}"
        return [self._copies.take(*name, source) for name in names]
