"""The facts of a decision, counted by hand."""

from __future__ import annotations

import pytest

from houjuu.game.actions import ActionKind
from houjuu.game.position import position
from houjuu.game.tiles import PINZU, SOUZU, parse_tiles
from houjuu.player.preference.decision import DecisionContext, nearest_shanten
from tests.models.situations import PASS, counts, decision_context, outcome, seen


def test_a_hand_with_a_meld() -> None:
    pon = tuple(counts(parse_tiles("999s")))
    at = decision_context(
        "111m22p1134z", melded=pon, elsewhere=seen(m1=1, z1=2), red_fives=1, dora=(26, 26)
    )
    assert at.own[26] == 3
    assert at.unseen[0] == 0
    assert at.unseen[27] == 0
    assert at.unseen[26] == 1
    assert at.own_dora == 7  # three tiles, twice, and the red five
    assert at.pairs == 3  # a triplet has a pair in it, a meld has none
    assert at.yaochu == 3 + 3 + 4


@pytest.mark.parametrize(
    ("scores", "place"),
    [
        ((25_000, 25_000, 25_000, 25_000), (2, 0, 0)),  # seat 2: the lower seats are ahead
        ((31_000, 20_000, 30_500, 18_500), (1, 500, 10_500)),
        ((20_000, 21_000, 40_000, 19_000), (0, 0, 19_000)),
        ((30_000, 30_000, 10_000, 30_000), (3, 20_000, 0)),
    ],
)
def test_the_place_by_the_scores(scores: tuple[int, ...], place: tuple[int, int, int]) -> None:
    rivers = {"self": "9s", "right": "9p", "across": "1p", "left": "9m 1z"}
    names = ("across", "left", "self", "right")  # of the seats 0 to 3, seen from 2
    view = position(
        "123456m33789p46s + 1z",
        rivers,
        dora="3z",
        round="S2",
        seat=2,
        scores=dict(zip(names, scores, strict=True)),
    )
    context = DecisionContext.from_view(view, 0.1)
    assert (context.rank, context.behind, context.ahead) == place
    assert context.rounds_left == 2
    assert not context.last_round


@pytest.mark.parametrize(
    ("hand", "suit", "flush"),
    [
        ("12345p1112223z9s", PINZU, 5 + 7 - 9),
        ("123p123s1122334z", PINZU, 3 + 7 - 9),  # the first of equal suits
        ("1258m147p25789s12z", SOUZU, 0),
    ],
)
def test_a_flush(hand: str, suit: int, flush: int) -> None:
    at = decision_context(hand)
    assert at.main_suit == suit
    assert at.flush == flush


def test_the_first_turns() -> None:
    assert decision_context(tiles_left=46).early
    assert not decision_context(tiles_left=45).early


def test_the_nearest_hand_goes_on() -> None:
    """An action that ends the round leaves no hand."""
    win = outcome(ActionKind.RON, shanten=0.0)
    assert nearest_shanten([win, PASS, outcome(shanten=3.0)]) == 2
    assert nearest_shanten([win]) == 0
