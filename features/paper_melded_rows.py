"""Rows for the weights of melded hands: the hands that the tiles allow, and the true hand.

A row is a tenpai opponent with open melds. With two or three melds, and if it is not furiten, the
row has the shares of the four classes that equations 14 and 15 of Kurita & Hoki 2017 weigh (form of
wait, yaku) in the ways to draw such a hand, within the colour of the true hand, and the class of
that hand. Every row has the number of kinds that no enumerated hand wins on, and how many of them
the true hand wins on. The row is for the first seat to decide after the opponent acted: until the
opponent acts again its hand is the same. Opponents who were away are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd

from features import schema
from features.replay import decisions
from features.schema.paper import PAPER_MELDED, SHARES
from houjuu.estimators.kurita_hoki.melded_hands import MeldedHandModel, colours_within
from houjuu.game.events import Game
from houjuu.game.table import Seat, Table, View, mask_to_array
from houjuu.game.tiles import KIND, MANZU, RED_FIVES, kind_counts
from houjuu.hands.hand_cache import HandCache
from houjuu.hands.suit_ways import reds_unseen
from houjuu.hands.tenpai_hands import NO_SUIT
from houjuu.player.hand_value.shanten import shanten
from houjuu.reading.table1 import SEVERAL
from houjuu.truth.true_waits import ron_kinds

COUNTED = (2, 3)
"""Numbers of melds with which the paper counts the true hands and there is something to weigh."""

_SHARES = schema.names(SHARES)
_COLUMNS = schema.names(PAPER_MELDED)
_NOT_COUNTED = (*(np.nan for _ in _SHARES), False, False)
_ANY_COLOUR = np.ones(SEVERAL + 1)
Row = tuple[float, ...]


def rows(games: Iterable[Game]) -> pd.DataFrame:
    """Rows of some games, in the order of play, as `PAPER_MELDED`."""
    table = [(game.id, *row) for game in games for row in _game_rows(game)]
    return schema.check(pd.DataFrame(table, columns=_COLUMNS), PAPER_MELDED)


def _game_rows(game: Game) -> Iterator[Row]:
    last_states: dict[int, Seat] = {}
    caches = [HandCache() for _ in range(4)]  # the seats do not see the same tiles
    for table, index, discard in decisions(game):
        for row in _decision_rows(table, discard.seat, last_states, caches[discard.seat]):
            yield (index, *row)


def _decision_rows(
    table: Table, decider: int, last_states: dict[int, Seat], cache: HandCache
) -> Iterator[Row]:
    """Yield a row per opponent who has acted since its state in `last_states`."""
    view = table.view(decider)
    for opponent in view.opponents:
        same = last_states.get(opponent.seat) is opponent
        if same or not opponent.n_open_melds or opponent.was_away:
            continue
        last_states[opponent.seat] = opponent
        hand = table.round_state.hands[opponent.seat]
        if shanten([KIND[tile] for tile in hand]) != 0:
            continue
        classes = _classes(view, opponent, hand, cache)
        scores = MeldedHandModel().enumerated_scores(view, opponent.seat, _ANY_COLOUR, cache)
        uncovered = ~scores.any(axis=1) & ~view.genbutsu(opponent.seat)
        wins = uncovered & mask_to_array(ron_kinds(table, view, opponent))
        key = decider, len(table.seats[decider].river), opponent.seat, len(opponent.melds)
        yield (*key, *classes, uncovered.sum(), wins.sum())


def _classes(view: View, opponent: Seat, hand: list[int], cache: HandCache) -> Row:
    """The four shares and the class of the true hand."""
    if len(opponent.melds) not in COUNTED:
        return _NOT_COUNTED
    hands = cache.hands(view, opponent.seat)
    furiten = view.furiten(opponent.seat)
    counts = kind_counts(hand).astype(np.int8)
    manzu, pinzu, souzu = (view.rules.red_fives and red in hand for red in RED_FIVES)
    true_hand = hands.weights(counts, (manzu, pinzu, souzu), furiten).by_class
    if not true_hand.any():  # furiten, or its last copies are in its own melds
        return _NOT_COUNTED
    ((colour, class_),) = np.argwhere(true_hand).tolist()
    reds = reds_unseen(view.visible(), view.rules)
    ways = hands.weights(view.unseen(), reds, furiten).by_class
    total = ways[colours_within(MANZU if colour == NO_SUIT else colour)].sum(axis=0)
    other_form, no_yaku = divmod(class_, 2)
    return (*(total / total.sum()).tolist(), other_form, no_yaku)
