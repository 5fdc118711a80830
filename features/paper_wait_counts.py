"""Counts of the waits of riichi hands: Kurita & Hoki 2017, section 5.3.

Counts add up: the counts of two batches of games are the sum of their counts. The features of the
river are those of the runtime (`houjuu.estimators.kurita_hoki.riichi_waits`); the hands come from
the full table here. Players who were away in the round are left out, and discards that are no
decisions (`houjuu.game.decisions`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import add, or_
from typing import Self

import numpy as np

from houjuu.estimators.kurita_hoki.riichi_waits import (
    CONDITIONS,
    LIVE_SUJI_COUNTS,
    fulfilled_conditions,
    han_shift,
)
from houjuu.game.events import Deal, Discard, Event, Game, RiichiAccepted, Win
from houjuu.game.table import Table, mask_to_array
from houjuu.game.tiles import HONOURS, KIND, KINDS, RED_FIVES, dora_of, yakuhai_han
from houjuu.game.yaku import INDICATED_DORA
from houjuu.hands.wait_decomposition import count_kinds, waits, winning_kinds
from houjuu.hands.wait_types import (
    FIRST_PENCHAN,
    FORM,
    FORMS,
    FU,
    HAN,
    WAIT_SUIT,
    WAITS,
    WIN_KIND,
    WIN_WAIT,
    WINS,
)
from houjuu.reading import safety
from houjuu.util.arrays import Floats, Ints

_WAIT_FORM = FORM.tolist()
_WIN_MASK = [1 << low | 1 << high for low, high in WINS.tolist()]

_SHAPES: dict[str, tuple[int, ...]] = {
    "riichi": (),
    "wait": (WAITS,),
    "form": (FORMS,),
    "wait_given": (WAITS, CONDITIONS),
    "form_given": (FORMS, HONOURS, CONDITIONS),
    "no_wait_wins": (KINDS,),
    "live_suji": (LIVE_SUJI_COUNTS,),
    "live_suji_ryanmen": (LIVE_SUJI_COUNTS,),
    "han": (HAN,),
    "han_without_dora": (HAN,),
    "fu": (len(FU),),
}


@dataclass(eq=False, frozen=True)
class WaitCounts:
    """Counts over some games; `+` adds two of them.

    Attributes
    ----------
    riichi : () array
        Accepted riichi, N of equation 28.
    wait : (113,) array
        Riichi whose hand has the wait, N_m.
    form : (4,) array
        Riichi whose hand has a wait of the form, N_k.
    wait_given : (113, 19) array
        Riichi that have the wait and whose river fulfils the condition in its suit, N_{m,y}; 0 for
        honours.
    form_given : (4, 3, 19) array
        Riichi that have the form and whose river fulfils the condition in the suit, N_{k,y}.
    no_wait_wins : (34,) array
        Riichi that win on the kind by none of the 113 waits.
    live_suji : (19,) array
        Decisions that faced a riichi with that many live suji, N_l of equation 26.
    live_suji_ryanmen : (19,) array
        The part of them where the riichi had a ryanmen wait.
    han, fu : (13,) and (10,) arrays
        Rons by a player in riichi: by 1–13 han less the shift of equation 23, and by fu
        (`houjuu.hands.wait_types.FU`; yakuman have no fu and are left out).
    han_without_dora : (13,) array
        As `han`, but dora and ura dora count neither in the han nor in the shift; red fives do.
    """

    riichi: Ints
    wait: Ints
    form: Ints
    wait_given: Ints
    form_given: Ints
    no_wait_wins: Ints
    live_suji: Ints
    live_suji_ryanmen: Ints
    han: Ints
    fu: Ints
    han_without_dora: Ints

    @classmethod
    def zeros(cls) -> Self:
        """The counts of no games."""
        return cls(**{name: np.zeros(shape, dtype=np.int64) for name, shape in _SHAPES.items()})

    @classmethod
    def load(cls, path: str) -> Self:
        """The counts in a file of the stage ``paper_wait_counts``."""
        with np.load(path) as counts:
            return cls(**counts)

    def __add__(self, other: WaitCounts) -> WaitCounts:
        """The counts of both."""
        first = self.arrays()
        second = other.arrays()
        return WaitCounts(**{name: np.asarray(first[name] + second[name]) for name in _SHAPES})

    def arrays(self) -> dict[str, Ints]:
        """All counts by name; ``WaitCounts(**arrays)`` is the inverse."""
        return {name: getattr(self, name) for name in _SHAPES}


def count(games: Iterable[Game]) -> WaitCounts:
    """The counts of some games."""
    return reduce(add, map(_count_game, games), WaitCounts.zeros())


@dataclass(frozen=True, slots=True)
class RiichiHand:
    """The hidden hand of a player in riichi.

    Attributes
    ----------
    waits : frozenset of int
        0–112.
    win_mask : int
        Mask of the kinds that it wins on, furiten ignored.
    """

    waits: frozenset[int]
    win_mask: int

    @classmethod
    def from_table(cls, table: Table, seat: int) -> Self:
        """The hand of a seat; waits with all winning tiles in the hand are left out."""
        counts = count_kinds(table.round_state.hands[seat])
        mask = winning_kinds(counts, [KIND[m.tiles[0]] for m in table.seats[seat].melds])
        return cls(frozenset(wait for wait in waits(counts) if mask & _WIN_MASK[wait]), mask)

    @property
    def no_wait_wins(self) -> int:
        """Mask of the kinds that it wins on by none of its waits."""
        return self.win_mask & ~reduce(or_, (_WIN_MASK[wait] for wait in self.waits), 0)


def _count_game(game: Game) -> WaitCounts:
    counts = WaitCounts.zeros()
    table = Table(game.rules)
    hands: dict[int, RiichiHand] = {}  # of the seats in riichi: only a closed kan changes them
    for event in game.events:
        if isinstance(event, Deal):
            hands.clear()
        elif isinstance(event, Discard) and hands:
            _count_decision(counts, table, event.seat, hands)
        elif isinstance(event, Win) and event.seat in hands:
            _count_win(counts, table, event)
        table.apply(event)
        _count_riichi(counts, table, event, hands)
    return counts


def _count_riichi(
    counts: WaitCounts, table: Table, event: Event, hands: dict[int, RiichiHand]
) -> None:
    if not isinstance(event, RiichiAccepted) or table.seats[event.seat].was_away:
        return
    hand = hands[event.seat] = RiichiHand.from_table(table, event.seat)
    fulfilled = fulfilled_conditions(table.seats[event.seat], red_fives=table.rules.red_fives)
    counts.riichi[()] += 1
    counts.no_wait_wins[mask_to_array(hand.no_wait_wins)] += 1
    forms = sorted({_WAIT_FORM[wait] for wait in hand.waits})
    counts.form[forms] += 1
    counts.form_given[forms] += fulfilled
    for wait in hand.waits:
        counts.wait[wait] += 1
        suit = WAIT_SUIT[wait]
        if suit < HONOURS:
            counts.wait_given[wait] += fulfilled[suit]


def _count_decision(
    counts: WaitCounts, table: Table, decider: int, hands: Mapping[int, RiichiHand]
) -> None:
    for opponent, furiten in riichi_opponents(table, decider):
        hand = hands.get(opponent)
        if hand is not None:
            live = safety.live_suji(furiten)
            counts.live_suji[live] += 1
            counts.live_suji_ryanmen[live] += any(wait < FIRST_PENCHAN for wait in hand.waits)


def riichi_opponents(table: Table, decider: int) -> Iterator[tuple[int, int]]:
    """Yield the opponents in riichi that a decision of a seat faces, and their furiten masks."""
    seat = table.seats[decider]
    if seat.in_riichi or seat.away:
        return
    view = table.view(decider)
    for opponent in view.opponents:
        if opponent.in_riichi and not opponent.was_away:
            yield opponent.seat, view.furiten(opponent.seat)


def _count_win(counts: WaitCounts, table: Table, win: Win) -> None:
    """Count the score of a ron by a seat in riichi, where han and fu are known."""
    if win.source == win.seat or table.seats[win.seat].was_away or not (win.yaku or win.yakuman):
        return
    han = HAN if win.yakuman else sum(han for _, han in win.yaku)
    dora = 0 if win.yakuman else sum(han for number, han in win.yaku if number in INDICATED_DORA)
    shift, shift_without_dora = ron_shifts(table, win)
    _add_han(counts.han, han - shift)
    _add_han(counts.han_without_dora, han - dora - shift_without_dora)
    if not win.yakuman and win.fu is not None:
        counts.fu[FU.index(win.fu)] += 1


def _add_han(counts: Ints, han: int) -> None:
    counts[min(max(han, 1), HAN) - 1] += 1


def ron_shifts(table: Table, win: Win) -> tuple[int, int]:
    """Han that wait and winning tile added, s of equation 23; the maximum over several waits.

    The second number is that without dora, where the red five of the winning tile still counts.
    """
    view = table.view(win.seat)
    kind = KIND[win.tile]
    dora = [dora_of(KIND[indicator]) for indicator in win.dora_indicators]
    yakuhai = yakuhai_han(view.round_wind, view.seat_wind(win.seat))
    red = 1 << kind if win.tile in RED_FIVES and table.rules.red_fives else 0
    hand = RiichiHand.from_table(table, win.seat)
    used = np.isin(WIN_WAIT, list(hand.waits)) & (kind == WIN_KIND)
    shift, without_dora = (
        int(shifts[used].max(initial=0))
        for shifts in (han_shift(dora, yakuhai, red), han_shift((), yakuhai, red))
    )
    return shift, without_dora


def frequencies(counts: Ints) -> Floats:
    """Equation 24, with one more ron for each value; they sum to 1."""
    return np.asarray((counts + 1.0) / (counts + 1.0).sum())
