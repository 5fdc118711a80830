"""Counts for the waits of riichi hands: Kurita & Hoki 2017, section 5.3.

What is counted adds up: the counts of two batches of games are the sum of their counts. The river
is read by `houjuu.waits` as a bot reads it; the hands are read from the full table here, and
nowhere else. Left out are players who were away in the round, and decisions that are none (of a
seat in riichi, of a player who has dropped out).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import add, or_
from typing import Self

import numpy as np
import numpy.typing as npt

from features import shapes
from houjuu import reading, waits
from houjuu.events import Deal, Discard, Event, Game, RiichiAccepted, Win
from houjuu.table import Table, bits
from houjuu.tiles import COPIES, HONOURS, KINDS, RED_FIVES, dora_of

Counted = npt.NDArray[np.int64]
_WAIT_FORM = waits.FORM.tolist()
_WON_ON = [1 << low | 1 << high for low, high in waits.WINS.tolist()]


_SHAPES: dict[str, tuple[int, ...]] = {
    "riichi": (),
    "wait": (waits.WAITS,),
    "form": (waits.FORMS,),
    "wait_given": (waits.WAITS, waits.CONDITIONS),
    "form_given": (waits.FORMS, HONOURS, waits.CONDITIONS),
    "unexplained": (KINDS,),
    "live": (waits.LIVE,),
    "live_two_sided": (waits.LIVE,),
    "han": (waits.HAN,),
    "fu": (len(waits.FU),),
}


@dataclass(eq=False, frozen=True)
class WaitCounts:
    """How often things happened; `+` adds two of them.

    Attributes
    ----------
    riichi : () array
        Accepted riichi, N of equation 28.
    wait : (113,) array
        Those whose hand has the wait, N_m.
    form : (4,) array
        Those whose hand has a wait of the form, N_k.
    wait_given : (113, 19) array
        Those that have the wait and whose river fulfils the condition in its suit, N_{m,y}; 0 for
        honours.
    form_given : (4, 3, 19) array
        Those that have the form and whose river fulfils the condition in the suit, N_{k,y}.
    unexplained : (34,) array
        Those that win on the kind by none of the 113 waits.
    live : (19,) array
        Decisions that faced a riichi with that many live suji, N_l of equation 26.
    live_two_sided : (19,) array
        Those of them where its hand had a two-sided wait.
    han, fu : (13,) and (10,) arrays
        Rons by a player in riichi: by 1–13 han less the shift of equation 23, and by fu
        (`houjuu.waits.FU`; 役満, which have none, are left out).
    """

    riichi: Counted
    wait: Counted
    form: Counted
    wait_given: Counted
    form_given: Counted
    unexplained: Counted
    live: Counted
    live_two_sided: Counted
    han: Counted
    fu: Counted

    @classmethod
    def none(cls) -> Self:
        """Counts before anything is counted."""
        return cls(**{name: np.zeros(shape, dtype=np.int64) for name, shape in _SHAPES.items()})

    def __add__(self, other: WaitCounts) -> WaitCounts:
        """The counts of both."""
        ours, theirs = self.arrays(), other.arrays()
        return WaitCounts(**{name: np.asarray(ours[name] + theirs[name]) for name in _SHAPES})

    def arrays(self) -> dict[str, Counted]:
        """Every count by its name, as a file holds them: ``WaitCounts(**arrays)`` reads it back."""
        return {name: getattr(self, name) for name in _SHAPES}


def count(games: Iterable[Game]) -> WaitCounts:
    """The counts of some games."""
    return reduce(add, map(_game, games), WaitCounts.none())


@dataclass(frozen=True, slots=True)
class RiichiHand:
    """What a player in riichi waits for, read from the hidden hand.

    Attributes
    ----------
    waits : frozenset of int
        0–112.
    kinds : int
        Kinds (bit h for kind h) that it wins on, furiten left aside.
    """

    waits: frozenset[int]
    kinds: int

    @classmethod
    def of(cls, table: Table, seat: int) -> Self:
        """Look at a seat's hand; waits whose winning tiles it all holds itself are none."""
        counts = shapes.counts_of(table.ledger.hands[seat])
        kinds = shapes.winning_kinds(counts, [m.tiles[0] >> 2 for m in table.seats[seat].melds])
        found = shapes.waits(counts)
        return cls(frozenset(wait for wait in found if kinds & _WON_ON[wait]), kinds)

    @property
    def unexplained(self) -> int:
        """Kinds (bit h for kind h) that it wins on by none of its waits."""
        return self.kinds & ~reduce(or_, (_WON_ON[wait] for wait in self.waits), 0)


def _game(game: Game) -> WaitCounts:
    counts, table = WaitCounts.none(), Table(game.rules)
    hands: dict[int, RiichiHand] = {}  # of the seats in riichi: only a closed kan changes them
    for event in game.events:
        if isinstance(event, Deal):
            hands.clear()
        elif isinstance(event, Discard) and hands:
            _decision(counts, table, event.seat, hands)
        elif isinstance(event, Win) and event.seat in hands:
            _win(counts, table, event)
        table.apply(event)
        _riichi(counts, table, event, hands)
    return counts


def _riichi(counts: WaitCounts, table: Table, event: Event, hands: dict[int, RiichiHand]) -> None:
    if not isinstance(event, RiichiAccepted) or table.seats[event.seat].was_away:
        return
    hand = hands[event.seat] = RiichiHand.of(table, event.seat)
    red_fives = table.rules.red_fives
    fulfilled = waits.conditions(table.seats[event.seat], red_fives=red_fives)
    counts.riichi[()] += 1
    counts.unexplained[bits(hand.unexplained)] += 1
    forms = sorted({_WAIT_FORM[wait] for wait in hand.waits})
    counts.form[forms] += 1
    counts.form_given[forms] += fulfilled
    for wait in hand.waits:
        counts.wait[wait] += 1
        suit = waits.WAIT_SUIT[wait]
        if suit < HONOURS:
            counts.wait_given[wait] += fulfilled[suit]


def _decision(counts: WaitCounts, table: Table, who: int, hands: Mapping[int, RiichiHand]) -> None:
    for opponent, furiten in facing_riichi(table, who):
        hand = hands.get(opponent)
        if hand is not None:
            live = reading.live_suji(furiten)
            counts.live[live] += 1
            counts.live_two_sided[live] += any(wait < waits.FIRST_EDGE for wait in hand.waits)


def facing_riichi(table: Table, who: int) -> Iterator[tuple[int, int]]:
    """Yield the opponents in riichi that a decision of a seat faces, and their genbutsu."""
    decider = table.seats[who]
    if decider.in_riichi or decider.away:
        return
    view = table.view(who)
    for opponent in view.opponents:
        if opponent.in_riichi and not opponent.was_away:
            yield opponent.seat, view.furiten(opponent.seat)


def _win(counts: WaitCounts, table: Table, win: Win) -> None:
    """Count the score of a ron by a seat in riichi."""
    if win.source == win.seat or table.seats[win.seat].was_away:
        return
    han = waits.HAN if win.yakuman else sum(han for _, han in win.yaku)
    left = min(max(han - ron_shift(table, win), 1), waits.HAN)
    counts.han[left - 1] += 1
    if not win.yakuman:
        counts.fu[waits.FU.index(win.fu)] += 1


def ron_shift(table: Table, win: Win) -> int:
    """Han that wait and winning tile added, s of equation 23; of several waits the most."""
    view, kind = table.view(win.seat), win.tile // COPIES
    dora = [dora_of(indicator // COPIES) for indicator in win.dora_indicators]
    yakuhai = waits.yakuhai(view.round_wind, view.seat_wind(win.seat))
    red = 1 << kind if win.tile in RED_FIVES and table.rules.red_fives else 0
    shifts = waits.han_shift(dora, yakuhai, red)
    hand = RiichiHand.of(table, win.seat)
    used = np.isin(waits.WIN_WAIT, list(hand.waits)) & (kind == waits.WIN_KIND)
    return int(shifts[used].max(initial=0))
