"""The cache of enumerated hands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from houjuu.game.decisions import Follower
from houjuu.game.events import Game, Meld, MeldKind
from houjuu.game.table import View
from houjuu.hands.enumeration import tenpai_hands
from houjuu.hands.group_rows import group_rows
from houjuu.hands.hand_cache import CONCEALED_SETS, HandCache
from houjuu.hands.hand_grid import ScoringContext, that_score_alike
from houjuu.hands.suit_ways import reds_unseen


def test_no_query_waits_for_the_groups() -> None:
    """The first cache of a process enumerates those of hands with 0, 1 and 2 concealed sets."""
    group_rows.cache_clear()
    HandCache()
    misses = group_rows.cache_info().misses
    for n_sets in range(3):
        group_rows(n_sets)
    assert group_rows.cache_info().misses == misses == 3


def test_seats_that_score_alike_have_equal_contexts(own_games: list[Game]) -> None:
    """Hands beside the melds as they lie on the table have the same weights."""
    compared = 0
    for view, seat in open_seats(own_games[:2]):
        context = ScoringContext.from_view(view, seat)
        on_table = replace(context, melds=view.seats[seat].melds, dora=view.dora, rules=view.rules)
        if on_table == context or compared == 25:
            continue
        n_sets = CONCEALED_SETS[len(context.melds)]
        seen = view.unseen(), reds_unseen(view.visible(), view.rules), view.furiten(seat), 0.3
        ours, theirs = (tenpai_hands(one, n_sets).weights(*seen) for one in (context, on_table))
        assert ours.colours == theirs.colours
        assert np.allclose(ours.by_class, theirs.by_class, rtol=1e-12)
        assert np.allclose(ours.by_score, theirs.by_score, rtol=1e-12)
        compared += 1
    assert compared == 25


def test_calls_from_other_seats_and_in_another_order_are_one_context() -> None:
    first = Meld(MeldKind.PON, (16, 17, 19), 17, 1), Meld(MeldKind.CHI, (108 - 36, 77, 82), 77, 3)
    again = Meld(MeldKind.CHI, (75, 78, 80), 80, 3), Meld(MeldKind.PON, (16, 18, 19), 19, 0)
    plain = Meld(MeldKind.PON, (17, 18, 19), 19, 0), again[0]
    assert that_score_alike(first) == that_score_alike(again) != that_score_alike(plain)
    added = Meld(MeldKind.KAKAN, (0, 1, 2, 3), 1, 2, added=3)
    assert that_score_alike((added,)) == that_score_alike((Meld(MeldKind.DAIMINKAN, added.tiles),))
    assert that_score_alike((added,)) != that_score_alike((Meld(MeldKind.ANKAN, added.tiles),))


def open_seats(games: list[Game]) -> Iterator[tuple[View, int]]:
    """Yield the opponents with an open meld of every fifth decision."""
    for game in games:
        for number, decision in enumerate(Follower(game).discards()):
            view = decision.view
            for opponent in view.opponents if number % 5 == 0 else ():
                if opponent.n_open_melds:
                    yield view, opponent.seat
