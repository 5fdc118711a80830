"""Forty positions of the last round whose answer follows from the scores.

The seat is West in South 4 and holds 234m 56788p 34678s, which waits for 2s 5s. Its win ends the
game. The points of the hand are written down here, and the ranks are worked out from the scores
alone; nothing of the player takes part in the answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice, product
from typing import Any, NamedTuple

import pytest

pytest.importorskip("riichienv", reason="its actions are what players pick from")

from houjuu.estimators.loading import load_once
from houjuu.game.actions import Action, ActionKind
from houjuu.game.position import position
from houjuu.game.tiles import KIND, parse_kind
from houjuu.game.view import View
from houjuu.hands.claims import legal_discards
from houjuu.player.players import value_player
from houjuu.player.value_player import ValuePlayer

HAND = "234m56788p34678s"
SEATS = ("left", "self", "right", "across")
"""In the order of the first deal, which decides between equal scores; across is dealer."""

RIVERS = {
    "across": "1p 4z 9s 3z 1m 5z 9p 2z 9m",
    "left": "9m 1z 1s 4p 7z 6m 2p 2z",
    "self": "9s 3z 4z 2m 8m 9p 6z 1z",
    "right": "9p 3z 1s 4z 9m 5z 2z 1p",
}
EACH = 10


class Win(NamedTuple):
    """The points of the hand: by ron, and by tsumo from the dealer and from each other seat."""

    ron: int
    dealer: int
    other: int


class Hand(NamedTuple):
    """The hand with a dora indicator, its win by dama, and its win with riichi."""

    indicator: str
    dama: Win
    riichi: Win


HANDS = (
    Hand("1z", Win(2000, 1300, 700), Win(3900, 2600, 1300)),  # pinfu, tanyao
    Hand("1m", Win(3900, 2600, 1300), Win(7700, 4000, 2000)),  # and a dora
)

Scores = dict[str, int]


class Position(NamedTuple):
    """A position, and the answer: ron, pass, riichi or the tile drawn."""

    theme: str
    hand: Hand
    scores: tuple[int, ...]
    answer: str


def rank(scores: Scores) -> int:
    """The rank of the own seat, 1–4."""
    order = sorted(SEATS, key=lambda seat: (-scores[seat], SEATS.index(seat)))
    return 1 + order.index("self")


def after_ron(scores: Scores, points: int, payer: str) -> Scores:
    return scores | {"self": scores["self"] + points, payer: scores[payer] - points}


def after_tsumo(scores: Scores, win: Win) -> Scores:
    pays = {"left": win.other, "right": win.other, "across": win.dealer}
    paid = {seat: scores[seat] - points for seat, points in pays.items()}
    return paid | {"self": scores["self"] + sum(pays.values())}


def wins(scores: Scores, win: Win) -> list[Scores]:
    """The scores after a win off left, right and across, and by tsumo."""
    rons = [after_ron(scores, win.ron, payer) for payer in ("left", "right", "across")]
    return [*rons, after_tsumo(scores, win)]


def answers(scores: Scores, hand: Hand) -> Iterator[tuple[str, str]]:
    """Yield theme and answer where each win ends the game, and the ranks leave no doubt."""
    ends = [wins(scores, win) for win in (hand.dama, hand.riichi)]
    if any(max(after.values()) < 30_000 for afters in ends for after in afters):
        return
    dama, riichi = ([*map(rank, afters)] for afters in ends)
    if dama[0] == 1:
        yield "the win of the first place", "ron"
    if dama[0] == 4 and dama[2] < 4 and dama[3] < 4:
        yield "the win of the last place", "pass"
    if set(dama) == {4} and min(riichi[:3]) < 4 and riichi[3] < 4:
        yield "riichi leaves the last place", "riichi"
    lead = scores["self"] - max(score for seat, score in scores.items() if seat != "self")
    if 0 < lead < 1000 and set(dama) == set(riichi) == {1}:
        yield "a stick would lose the lead", "9s"


def all_positions() -> Iterator[Position]:
    """Yield positions with an answer."""
    steps = range(14_200, 44_000, 1_300)
    for hand, own, left, right in product(HANDS, steps, steps, steps):
        scores = {"left": left, "self": own + 500, "right": right}
        scores["across"] = 100_000 - sum(scores.values())
        if scores["across"] > 8_000:
            for theme, answer in answers(scores, hand):
                yield Position(theme, hand, tuple(scores[seat] for seat in SEATS), answer)


@cache
def positions() -> tuple[Position, ...]:
    """Some of each theme, spread over all."""
    by_theme: dict[str, list[Position]] = {}
    for one in all_positions():
        by_theme.setdefault(one.theme, []).append(one)
    assert len(by_theme) == 4
    return tuple(
        one
        for of_theme in by_theme.values()
        for one in islice(of_theme, len(of_theme) // EACH // 2, None, len(of_theme) // EACH)
    )


def view_of(one: Position) -> tuple[View, list[Action]]:
    """The view, and the legal actions."""
    scores = dict(zip(SEATS, one.scores, strict=True))
    table: dict[str, Any] = {"dora": one.hand.indicator, "round": "S4", "seat": 1, "scores": scores}
    if one.answer in ("ron", "pass"):
        rivers = RIVERS | {"left": f"{RIVERS['left']} 2s"}
        view = position(HAND, rivers, **table)
        return view, [Action(ActionKind.RON, view.seats[0].river[-1].tile), Action(ActionKind.PASS)]
    view = position(f"{HAND} + 9s", RIVERS | {"left": f"{RIVERS['left']} 9s"}, **table)
    actions = [Action(ActionKind.DISCARD, tile) for tile in legal_discards(view)]
    return view, [*actions, Action(ActionKind.RIICHI)]


@cache
def players() -> tuple[ValuePlayer, ValuePlayer]:
    """The player, and the one that takes the values alone."""
    whole = value_player(load_once())
    return whole, ValuePlayer(whole.estimator, whole.rank_values, whole.model)


def name(action: Action) -> str:
    if action.kind is ActionKind.DISCARD:
        return "9s" if KIND[action.from_hand[0]] == parse_kind("9s") else "another tile"
    return action.kind.value


def test_there_are_forty() -> None:
    assert len({(one.answer, *one.scores, one.hand) for one in positions()}) >= 4 * EACH


@pytest.mark.parametrize("one", positions(), ids=str)
def test_the_scores_decide(one: Position) -> None:
    """By the values, and no preference overrules them."""
    view, actions = view_of(one)
    for made in players():
        assert name(made.act(view, actions)) == one.answer
