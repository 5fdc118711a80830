"""Legal actions: furiten of every sort, kans, the end of the wall, and answers to all of them."""

from __future__ import annotations

import math
from typing import Any

import pytest

pytest.importorskip("riichienv", reason="it evaluates the wins")

from houjuu.estimators.loading import load_once
from houjuu.game.actions import Action, ActionKind
from houjuu.game.events import Call, Discard, Game, Rules
from houjuu.live.live import Live
from houjuu.player.bot import Bot
from houjuu.player.players import value_player
from houjuu.scoring.legality import legal_actions
from tests.kit.free_decisions import free_decisions
from tests.kit.games import played
from tests.kit.messages import NONE, call, discard, dora, draw, start, told, turn
from tests.kit.replies import Winner, after_passes
from tests.player.test_bot import action, react

Messages = list[dict[str, Any]]

RYANMEN = "2m 3m 4m 6m 7m 8m 4p 5p 2s 3s 4s 8s 8s"  # 3p and 6p, both with tanyao
KOKUSHI = "1m 9m 1p 9p 1s 9s E S W N P F F"  # waits for C


def own_turn(tile: str) -> Messages:
    return turn(0, tile, tile)


def kinds(hand: str, *messages: dict[str, Any]) -> set[ActionKind]:
    """The kinds of the legal actions after some messages to seat 0, which deals."""
    live = Live(0)
    live.hear([start(hand), *messages])
    assert live.in_step, live.problem
    actions = live.legal_actions()
    assert actions == legal_actions(live.table, 0)
    legal = {action.kind for action in actions}
    if ActionKind.RON in legal:
        assert live.decision == "claim"
    return legal


BEFORE = own_turn("N")
RIICHI = [draw(0, "N"), told("reach", 0), discard(0, "N")]
RIICHI.append(told("reach_accepted", 0))
WINS = {ActionKind.RON, ActionKind.PASS}


@pytest.mark.parametrize("missed", ["3p", "6p"])
def test_furiten_of_a_turn(missed: str) -> None:
    """After a pass there is no win on either side of the ryanmen until the own draw."""
    assert kinds(RYANMEN, *BEFORE, *turn(1, "9m"), *turn(2, "6p")) == WINS
    for tile in ("3p", "6p"):
        missed_one = [*BEFORE, *turn(1, missed), *turn(2, tile)]
        assert ActionKind.RON not in kinds(RYANMEN, *missed_one)
        assert ActionKind.RON not in kinds(RYANMEN, *missed_one, *turn(3, tile))
    again = [*BEFORE, *turn(1, missed), *turn(2, "9m"), *turn(3, "9m"), *own_turn("W")]
    assert kinds(RYANMEN, *again, *turn(1, "6p")) == WINS


def test_furiten_after_a_tile_without_yaku() -> None:
    """A missed tile counts whether or not it could be won on."""
    hand = "2m 3m 6m 7m 8m 3p 3p 3p 2s 3s 4s 8s 8s"  # 4m with tanyao, 1m without a yaku
    assert kinds(hand, *BEFORE, *turn(1, "9m"), *turn(2, "4m")) == WINS
    assert kinds(hand, *BEFORE, *turn(1, "1m")) == set()
    assert kinds(hand, *BEFORE, *turn(1, "1m"), *turn(2, "4m")) == set()


def test_furiten_in_riichi_lasts() -> None:
    missed_one = [*RIICHI, *turn(1, "3p"), *turn(2, "9m"), *turn(3, "9m")]
    assert kinds(RYANMEN, *RIICHI, *turn(1, "9m"), *turn(2, "6p")) == WINS
    for tile in ("3p", "6p"):
        later = [*missed_one, *own_turn("W"), *turn(1, tile)]
        assert kinds(RYANMEN, *later) == set()
    assert ActionKind.TSUMO in kinds(RYANMEN, *missed_one, draw(0, "6p"))


def test_furiten_of_the_own_river() -> None:
    """Of either side, and for ever."""
    river = [*own_turn("3p"), *(m for seat in (1, 2, 3) for m in turn(seat, "9m"))]
    assert ActionKind.RON not in kinds(RYANMEN, *river, *own_turn("W"), *turn(1, "6p"))


def test_a_robbed_kan_that_is_passed_is_furiten() -> None:
    pon = call("pon", 2, 1, "6p", "6p 6p")
    kan = told("kakan", 2, pai="6p", consumed=["6p", "6p", "6p"])
    before = [*BEFORE, *turn(1, "6p"), pon, discard(2, "9m", tsumogiri=False), *turn(3, "9m")]
    before += [*own_turn("W"), *turn(1, "9p"), draw(2), kan]
    assert kinds(RYANMEN, *before) == WINS
    after = [*before, draw(2), discard(2, "1s"), dora("9s")]
    assert ActionKind.RON not in kinds(RYANMEN, *after, *turn(3, "3p"))
    assert kinds(RYANMEN, *after, *turn(3, "1s"), *own_turn("W"), *turn(1, "3p")) == WINS


def test_a_robbed_kan_is_a_yaku() -> None:
    """Also where the indicator of the kan comes before the answer."""
    hand = "1m 2m 3m 6m 7m 8m 5p 7p 2s 3s 4s E E"
    pon = call("pon", 2, 1, "6p", "6p 6p")
    kan = told("kakan", 2, pai="6p", consumed=["6p", "6p", "6p"])
    before = [*BEFORE, *turn(1, "6p"), pon, discard(2, "9m", tsumogiri=False), *turn(3, "9m")]
    before += [*own_turn("W"), *turn(1, "9p"), draw(2)]
    assert ActionKind.RON not in kinds(hand, *BEFORE, *turn(1, "6p"))
    assert kinds(hand, *before, kan) == WINS
    assert kinds(hand, *before, kan, dora("9s")) == WINS


@pytest.mark.parametrize("hand", [KOKUSHI, RYANMEN])
def test_nobody_robs_a_closed_kan(hand: str) -> None:
    """Nor does a kan before the first discard of a round leave a player without an answer."""
    tile = "C" if hand == KOKUSHI else "6p"
    deal = {**start(hand), "oya": 1, "kyoku": 2}
    kan = told("ankan", 1, consumed=[tile] * 4)
    bot = Bot(0, "rank")
    assert action(react(bot, deal, draw(1), kan)) == NONE
    assert bot.live.in_step
    assert bot.live.decision is None
    assert action(react(bot, draw(1), dora("9s"))) == NONE


def test_the_tile_of_a_kan_is_not_called() -> None:
    """Chi of an added kan; a call of the last discard."""
    hand = "1m 2m 3m 6m 7m 8m 4p 6p 2s 3s 9s 9s E"
    pon = call("pon", 3, 1, "5p", "5p 5p")
    kan = told("kakan", 3, pai="5pr", consumed=["5p", "5p", "5p"])
    before = [*BEFORE, *turn(1, "5p"), pon, discard(3, "9p", tsumogiri=False), *own_turn("W")]
    before += [*turn(1, "9p"), *turn(2, "9p"), draw(3)]
    assert ActionKind.CHI in kinds(hand, *before, discard(3, "5pr"))
    assert kinds(hand, *before, kan) == set()


def test_a_call_leaves_a_discard() -> None:
    """Kuikae: after the call of 4m with 2m 3m neither 4m nor 1m may leave the hand."""
    chi = call("chi", 0, 3, "4m", "2m 3m")
    before = [*BEFORE, *turn(1, "9p"), *turn(2, "9p"), *turn(3, "4m")]
    live = Live(0)
    live.hear([start("1m 2m 3m 4m 6m 7m 8m 4p 6p 2s 3s 9s 9s"), *before, chi])
    names = {Action.to_mjai(legal, live.view)["pai"] for legal in legal_actions(live.table, 0)}
    assert names == {"6m", "7m", "8m", "4p", "6p", "2s", "3s", "9s"}


def test_a_passed_win_is_legal_again_after_the_own_draw() -> None:
    """The bot passes, and the tile comes again: before its own draw, and after it."""
    bot = Bot(0, Winner())
    assert action(react(bot, start(RYANMEN), *BEFORE, *turn(1, "3p")))["type"] == "hora"
    assert action(react(bot, *turn(2, "6p"))) == NONE
    assert action(react(bot, *turn(3, "3p"))) == NONE
    react(bot, *own_turn("W"))
    assert action(react(bot, *turn(1, "6p")))["type"] == "hora"


def test_open_tanyao_is_a_matter_of_the_rules() -> None:
    hand = "2m 2m 6m 7m 8m 3p 4p 5p 3s 4s 9s 8s 8s"
    pon = call("pon", 0, 1, "2m", "2m 2m")
    live = Live(0)
    live.hear([start(hand), *BEFORE, *turn(1, "2m"), pon, discard(0, "9s", tsumogiri=False)])
    live.hear(turn(1, "5s"))
    without = played(*live.table.events, rules=Rules(flags=0x0D))
    last = live.table.round_state.last_discard
    assert last is not None
    win = Action(ActionKind.RON, last.tile)
    assert win in legal_actions(live.table, 0)
    assert win not in legal_actions(without, 0)


def test_after_a_pass_no_win_of_a_recorded_game_is_illegal(games: list[Game]) -> None:
    answers = [answer for game in games[:20] for answer in after_passes(game)]
    assert {answer for answer in answers if answer.startswith("furiten")} == {"furiten: none"}
    assert {answer for answer in answers if answer.startswith("after")} == {
        "after its own turn: hora"
    }


@pytest.mark.deep
def test_rank_answers_everywhere(games: list[Game]) -> None:
    """Before the second discards of a round, and after every kan and every chance of a ron."""
    rank = value_player(load_once())
    n_early = n_kans = n_rons = 0
    for game in games[:4]:
        events = list(game)
        for seat in range(4):
            for decision in free_decisions(game, seat):
                view, event = decision.view, events[decision.event]
                early = sum(len(one.river) for one in view.seats) < 4
                kan = isinstance(event, Call) or any(a.meld for a in decision.legal)
                ron = any(legal.kind is ActionKind.RON for legal in decision.legal)
                if early or kan or ron:
                    choices = rank.outcomes(view, decision.legal)
                    assert {choice.action for choice in choices} == {*decision.legal}
                    assert all(math.isfinite(choice.value) for choice in choices)
                n_early += early and not isinstance(event, Discard)
                n_kans += kan
                n_rons += ron
    assert min(n_early, n_kans, n_rons) > 10
