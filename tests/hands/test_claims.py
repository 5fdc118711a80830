"""Claims of the last tile: calls and wins by the hand, furiten, the end of the wall."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("riichienv", reason="it plays the games")
from riichienv import calculate_shanten

from houjuu.game.events import Discard
from houjuu.game.table import Table
from houjuu.game.tiles import KIND, KINDS, TILES, parse_tiles
from houjuu.hands.claims import can_claim, is_complete
from houjuu.live.live import Live
from houjuu.logs import mjai
from tests.kit.dialects import hanchan
from tests.kit.messages import Message, call, discard, draw, start, told, turn


def dealt(hand: str, dealer: int) -> Message:
    return start(hand, kyoku=dealer + 1, oya=dealer, dora_marker="9s")


def own_turn(tile: str) -> list[Message]:
    return turn(0, tile, tile)


def decision(*messages: Message) -> str | None:
    live = Live(0)
    live.hear(messages)
    assert live.in_step
    return live.decision


FAR = "147m147p147s1234z"


@pytest.mark.parametrize(
    ("hand", "source", "tile", "claims"),
    [
        ("55147m147p14s123z", 2, "5m", True),  # pon
        (FAR, 2, "1z", False),
        (FAR, 3, "2z", False),
        ("23" + "77m147p147s123z", 3, "1m", True),  # chi from the left only
        ("23" + "77m147p147s123z", 2, "1m", False),
        ("23" + "77m147p147s123z", 3, "4m", True),
        ("13" + "77m147p147s123z", 3, "2m", True),
        ("12" + "77m147p147s123z", 3, "3m", True),
        ("14" + "77m147p147s123z", 3, "3m", False),
        ("89m147p147s12345z", 3, "1p", False),  # not across suits
        ("89p147m147s12345z", 3, "7p", True),
        ("147m147p147s5677z", 3, "1z", False),  # honours make no run
        ("123456789m123p1z", 2, "1z", True),  # ron
        ("123456789m123p1z", 2, "2z", False),
        ("1133557799m11p2z", 2, "2z", True),  # chiitoitsu
        ("19m19p19s1234567z", 2, "1m", True),  # kokushi musou
    ],
)
def test_claims_by_hand(hand: str, source: int, tile: str, claims: bool) -> None:
    messages = [dealt(hand, source), *turn(source, tile)]
    assert decision(*messages) == ("claim" if claims else None)


def test_nobody_claims_an_own_discard() -> None:
    live = Live(0)
    live.hear([dealt("55147m147p14s123z", 2), *turn(2, "5m")])
    view = live.view
    (tile,) = parse_tiles("5m")
    assert can_claim(view, tile, source=2)
    assert not can_claim(view, tile, source=0)


@pytest.mark.parametrize("discarded", ["1z", "5z"])
def test_furiten(discarded: str) -> None:
    """After an own discard of the wait, or a pass in the same turn, there is no win."""
    hand = "123456789m123p1z"
    other_turns = [*turn(1, "6z"), *turn(2, "1z")]
    assert decision(dealt(hand, 0), *own_turn(discarded), *other_turns) == (
        "claim" if discarded == "5z" else None
    )
    same_turn = [*turn(1, discarded), *turn(2, "1z")]
    assert decision(dealt(hand, 0), *own_turn("7z"), *same_turn) == (
        "claim" if discarded == "5z" else None
    )


def test_furiten_of_another_wait() -> None:
    hand = "23456789m123p55z"  # waits for 1m, 4m and 7m
    other = [*turn(1, "6z"), *turn(2, "7m")]
    assert decision(dealt(hand, 0), *own_turn("6z"), *other) == "claim"
    assert decision(dealt(hand, 0), *own_turn("1m"), *other) is None


def test_in_riichi_there_are_only_wins() -> None:
    hand = "123456789m12p11z"
    riichi = [own_turn("5z")[0], told("reach", 0), own_turn("5z")[1]]
    riichi.append(told("reach_accepted", 0))
    assert decision(dealt(hand, 0), *riichi, *turn(1, "1z")) is None
    assert decision(dealt(hand, 0), *own_turn("5z"), *turn(1, "1z")) == "claim"
    assert decision(dealt(hand, 0), *riichi, *turn(1, "3p")) == "claim"


def test_kans_are_robbed() -> None:
    """An added kan by any hand; a closed kan by none, not even by kokushi musou."""
    hand = "45m123p123789s11z"
    closed = told("ankan", 1, consumed=["6m"] * 4)
    assert decision(dealt(hand, 1), draw(1), closed) is None
    pon = [
        call("pon", 1, 2, "6m", "6m 6m"),
        discard(1, "9p", tsumogiri=False),
    ]
    rest = [*turn(2, "7z"), *turn(3, "7z"), *own_turn("7z"), draw(1)]
    added = told("kakan", 1, pai="6m", consumed=["6m"] * 3)
    assert decision(dealt(hand, 2), *turn(2, "6m"), *pon, *rest) is None
    assert decision(dealt(hand, 2), *turn(2, "6m"), *pon, *rest, added) == "claim"
    hatsu = told("ankan", 1, consumed=["F"] * 4)
    assert decision(dealt("19m19p19s1234577z", 1), draw(1), hatsu) is None


def test_the_last_discard_cannot_be_called() -> None:
    """Only won on; and before the last, a pair can always be called."""
    n_last = n_before = 0
    for seed in range(8):
        table = Table()
        for event in mjai.events(hanchan(seed)[0]):
            table.apply(event)
            last = table.round_state.claimable
            if last is None or not isinstance(table.events[-1], Discard):
                continue
            for seat in set(range(4)) - {last.seat}:
                view = table.view(seat)
                counts = [0] * KINDS
                for tile in (*view.hand, last.tile):
                    counts[KIND[tile]] += 1
                if counts[KIND[last.tile]] < 3 or view.seats[seat].declared or is_complete(counts):
                    continue
                assert can_claim(view, last.tile, last.seat) == (view.tiles_left > 0)
                n_last += view.tiles_left == 0
                n_before += view.tiles_left > 0
    assert n_last > 0
    assert n_before > 50


def test_complete_hands_agree_with_riichienv() -> None:
    """Random hands of few kinds, complete and not."""
    choose, n_complete = random.Random(0), 0
    for _ in range(4000):
        kinds = [
            *choose.sample(range(KINDS), 4),
            *range(first := choose.choice((0, 9, 18)), first + 9),
        ]
        wall = [tile for tile in range(TILES) if KIND[tile] in kinds]
        size = choose.choice((2, 5, 8, 11, 14))
        if len(wall) < size:
            continue
        hand = choose.sample(wall, size)
        counts = [0] * KINDS
        for tile in hand:
            counts[KIND[tile]] += 1
        complete = is_complete(counts)
        assert complete == (calculate_shanten(hand) == -1)
        n_complete += complete
    assert n_complete > 50
