"""Contexts of opponents: what is cached by seat equals what is computed anew."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from houjuu.game import seat as seats
from houjuu.game.events import Discard, Game
from houjuu.game.table import Seat, Table, View
from houjuu.game.tiles import COPIES, KINDS
from houjuu.reading import opponent, table1, tenpai_features, wait_features
from houjuu.reading.opponent import LIVE, opponent_contexts
from tests.kit.positions import pon, view_of

CACHES: tuple[Any, ...] = (
    *(opponent.river_of, table1.type1, seats.river_mask),
    *(tenpai_features._river_values, wait_features._river_values),
)


def features_of(view: View) -> list[list[int]]:
    return [
        [*tenpai_features.extract(context), *wait_features.extract(context).tolist()]
        for context in opponent_contexts(view, view.opponents)
    ]


def test_cached_equals_uncached(own_games: list[Game]) -> None:
    """Also between games, whose caches are the same."""
    compared = 0
    for game in own_games[:2]:
        table = Table(game.rules)
        for number, event in enumerate(game):
            if isinstance(event, Discard) and number % 3 == 0:
                view = table.view(event.seat)
                cached = features_of(view), [cache(seat) for cache in CACHES for seat in view.seats]
                for cache in CACHES:
                    cache.cache_clear()
                anew = [cache.__wrapped__(seat) for cache in CACHES for seat in view.seats]
                assert cached == (features_of(view), anew)
                compared += 1
            table.apply(event)
    assert compared > 100


@pytest.mark.parametrize("cache", CACHES)
def test_seats_of_equal_hash_have_results_of_their_own(cache: Any) -> None:
    """The hash is that of the last discard; the cache compares the whole seat."""
    first, second = view_of("", "1m 5p 9s").seats[1], view_of("", "3z 6p 9s").seats[1]
    assert first != second
    assert hash(first) == hash(second)
    assert cache(first) != cache(second)
    assert cache(dataclasses.replace(first)) == cache(first)


def test_equal_seats_have_equal_hashes() -> None:
    seat = view_of("", "1m 5p 9s").seats[1]
    assert hash(dataclasses.replace(seat)) == hash(seat)
    others: list[Seat] = [
        dataclasses.replace(seat, river=seat.river[:-1]),
        dataclasses.replace(seat, melds=(pon("555z"),)),
        dataclasses.replace(seat, seat=2),
    ]
    assert len({hash(seat), *map(hash, others)}) == 4


def test_kinds_that_can_become_a_set(own_games: list[Game]) -> None:
    table, masks = Table(own_games[0].rules), set()
    for event in own_games[0]:
        if isinstance(event, Discard):
            view = table.view(event.seat)
            (context,) = opponent_contexts(view, [view.opponents[0]])
            unseen = view.unseen().tolist()
            assert context.tiles.unseen == unseen
            assert context.tiles.live == sum(1 << k for k in range(KINDS) if unseen[k] >= LIVE)
            in_hand = [
                COPIES - a - b for a, b in zip(unseen, context.tiles.open_copies, strict=True)
            ]
            assert sum(in_hand) == len(view.hand)
            masks.add(context.tiles.live)
        table.apply(event)
    assert len(masks) > 20
