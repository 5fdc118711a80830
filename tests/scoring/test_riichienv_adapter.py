"""Wins evaluated by riichienv, against another library, with 0 to 4 kans."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.meld import Meld as OtherMeld

pytest.importorskip("riichienv", reason="it evaluates the wins")
from riichienv import GameRule, RiichiEnv

from houjuu.arena import hanchan
from houjuu.arena.selfplay import SelfPlayBot, draw_style, play
from houjuu.game.actions import Action, ActionKind
from houjuu.game.events import (
    Away,
    Back,
    Call,
    Deal,
    Discard,
    Game,
    Meld,
    MeldKind,
    Riichi,
    Win,
)
from houjuu.game.payments import hand_points, win_payments
from houjuu.game.rules import Rules
from houjuu.game.table import Table
from houjuu.game.tiles import EAST, SOUTH, parse_tiles
from houjuu.game.view import View
from houjuu.logs.mjai_writer import messages
from houjuu.scoring.legality import legal_actions
from houjuu.scoring.riichienv_adapter import (
    WINDS,
    Conditions,
    engine_meld,
    evaluate_win,
    from_engine,
    to_engine,
)
from houjuu.scoring.win_scoring import win_base
from tests.kit.free_decisions import free_decisions
from tests.kit.positions import melds as melds_of

RULES = OptionalRules(has_open_tanyao=True, has_aka_dora=True, has_double_yakuman=False)
OTHER_KINDS = {
    MeldKind.CHI: OtherMeld.CHI,
    MeldKind.PON: OtherMeld.PON,
    MeldKind.ANKAN: OtherMeld.KAN,
    MeldKind.DAIMINKAN: OtherMeld.KAN,
}


def points(tiles: tuple[int, ...], win: int, melds: tuple[Meld, ...], dora: int) -> int:
    """Points of a ron of the south seat in an east round, by the other library."""
    others = [OtherMeld(OTHER_KINDS[meld.kind], meld.tiles, opened=meld.is_open) for meld in melds]
    every = [*tiles, *(tile for meld in melds for tile in meld.tiles)]
    config = HandConfig(player_wind=SOUTH, round_wind=EAST, options=RULES)
    result = HandCalculator.estimate_hand_value(every, win, others, [dora], config)
    return int(result.cost["main"]) if result.cost else 0


@pytest.mark.parametrize(
    ("hand", "win", "melds"),
    [
        ("234m456p34567s33z8s", "8s", ()),
        ("234m456p345s88p", "2m", melds_of("(8888s)")),
        ("345s678p22m", "2m", melds_of("(8888m) (5550p)")),
        ("345s678p22m", "5s", melds_of("8888m (4444p)")),
        ("345s678p22m", "5s", melds_of("6666z 9999p")),
        ("345s99p", "3s", melds_of("(1111z) 7777z 222m")),
        ("345s99p", "3s", melds_of("(1111z) 7777z 234m")),
        ("345s99p", "3s", melds_of("(1111z) 7777z (2222m)")),
        ("99p", "9p", melds_of("(1111z) 7777z (2222m) 6666s")),
        ("345s678p22m", "5s", melds_of("9999m 1111p")),
    ],
)
def test_points_with_kans(hand: str, win: str, melds: tuple[Meld, ...]) -> None:
    tiles, (dora,) = tuple(sorted(parse_tiles(hand))), parse_tiles("3z")
    tile = next(own for own in tiles if own // 4 == parse_tiles(win)[0] // 4)
    conditions = Conditions(player_wind=WINDS[1], round_wind=WINDS[0])
    result = evaluate_win(
        tiles, [engine_meld(meld) for meld in melds], tile, conditions, dora_indicators=[dora]
    )
    expected = points(tiles, tile, melds, dora)
    assert (int(result.ron_agari) if result.is_win else 0) == expected
    without_yaku = melds_of("9999m 1111p")
    assert bool(expected) == (melds != without_yaku)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("hand", "win"),
    [
        ("234m456p34567s33z8s", "8s"),  # without a yaku, but for tsumo
        ("123m456p789s1178s9s", "9s"),
        ("222333444m55p678s", "5p"),
        ("112233m778899p11s", "1s"),
    ],
)
def test_base_points_pay_what_the_engine_pays(hand: str, win: str, seat: int) -> None:
    tiles, (tile,) = parse_tiles(hand), parse_tiles(win)
    for tsumo in (False, True):
        conditions = Conditions(tsumo=tsumo, player_wind=WINDS[seat], round_wind=WINDS[0])
        result = evaluate_win(sorted({*tiles, tile}), [], tile, conditions)
        points = int(
            hand_points(win_base(result, Rules(), closed=True), dealer=seat == 0, tsumo=tsumo)
        )
        paid = win_payments(points, seat, seat if tsumo else 3, dealer=0).tolist()
        if not tsumo:
            assert -paid[3] == result.ron_agari
        elif result.is_win:
            assert -paid[3] == result.tsumo_agari_ko
            assert -paid[1 - seat] == (result.tsumo_agari_oya or result.tsumo_agari_ko)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("hand", "win", "n_yakuman"),
    [
        ("19m19p19s1234567z7z", "7z", 1),  # riichienv counts 64,000 points
        ("222333444m666p55s", "5s", 1),
        ("1112345678999m5m", "5m", 1),
        ("555666777z1112z2z", "2z", 3),
        ("111222333444z55z", "5z", 3),
    ],
)
def test_every_yakuman_counts_once(hand: str, win: str, n_yakuman: int, seat: int) -> None:
    """Tenhou has no double yakuman: 国士無双13面待ち is 32,000, or 48,000 of the dealer."""
    tiles, (tile,) = parse_tiles(hand), parse_tiles(win)
    conditions = Conditions(player_wind=WINDS[seat], round_wind=WINDS[0])
    result = evaluate_win(sorted({*tiles, tile}), [], tile, conditions)
    expected = n_yakuman * (32_000 if seat else 48_000)
    assert hand_points(win_base(result, Rules(), closed=True), dealer=seat == 0) == expected
    assert result.ron_agari > expected


def fields(action: Any) -> tuple[object, ...]:
    return str(action.action_type), action.tile, list(action.consume_tiles)


def check_both_ways(view: View, action: Action) -> None:
    """To riichienv, to mjai and back it is the same action, and its tiles are in the hand."""
    assert from_engine(view, to_engine(action)) == action
    assert set(action.from_hand) <= set(view.hand)
    again = Action.from_mjai(action.to_mjai(view), view)
    assert again == action
    if action.meld is not None:
        assert len(view.hand) - len(action.from_hand) in (1, 2, 4, 5, 7, 8, 10, 11, 13)
        assert again.to_mjai(view) == action.to_mjai(view)


class Checked(hanchan.Hanchan):
    """A match that checks every legal action of every decision; riichienv lists the same."""

    def __init__(self, seed: int, n_actions: Counter[ActionKind]) -> None:
        rng = Random(seed)
        super().__init__(seed, [SelfPlayBot(draw_style(rng), rng) for _ in range(4)])
        self.n_actions = n_actions

    def decision(self, seat: int, observation: Any) -> tuple[View, list[Action]]:
        view = self.table.view(seat)
        offered = {from_engine(view, action) for action in observation.legal_actions()}
        assert offered == set(legal_actions(self.table, seat)), view
        for legal in observation.legal_actions():
            action = from_engine(view, legal)
            assert fields(to_engine(action)) == fields(legal)
            check_both_ways(view, action)
            self.n_actions[action.kind] += 1
        return super().decision(seat, observation)


def test_every_action_of_a_match_both_ways() -> None:
    """Each action back to riichienv equals the listed one, field by field; the match goes on."""
    n_actions: Counter[ActionKind] = Counter()
    for seed in (5, 6):
        Checked(seed, n_actions).play()
    assert {*ActionKind} - {ActionKind.NINE_TERMINALS} <= n_actions.keys()


OF_NO_EVENT = ("start_game", "end_kyoku", "end_game")


@pytest.mark.deep
def test_every_action_of_recorded_games_both_ways(games: list[Game]) -> None:
    """riichienv, which hears the same game, takes the answer for an action of the same type."""
    n_actions: Counter[ActionKind] = Counter()
    for game in games[:12]:
        for seat in range(4):
            table = Table(game.rules)
            of_events = (m for m in messages(game) if m["type"] not in OF_NO_EVENT)
            for event in game:
                table.apply(event)
                if isinstance(event, Deal):
                    env = RiichiEnv(game_mode="4p-red-half", rule=GameRule.default_tenhou())
                    env.observe_event({"type": "start_game"}, seat)
                absent = isinstance(event, (Away, Back))
                observed = None if absent else env.observe_event(next(of_events), seat)
                for action in legal_actions(table, seat):
                    view = table.view(seat)
                    check_both_ways(view, action)
                    n_actions[action.kind] += 1
                    robs = isinstance(event, Call) and event.meld.kind is MeldKind.KAKAN
                    if observed and not robs:  # which riichienv does not list there
                        answer = action.to_mjai(view)
                        accepted = observed.select_action_from_mjai(json.dumps(answer))
                        assert accepted.action_type == to_engine(action).action_type, answer
    assert {*ActionKind} - {ActionKind.NINE_TERMINALS} <= n_actions.keys()


@pytest.mark.deep
def test_every_move_of_recorded_games_is_a_legal_action(games: list[Game]) -> None:
    """Discards, riichi, calls, added kans and wins, with the tiles of the log."""
    n_actions: Counter[ActionKind] = Counter()
    for game in (*games, play(9)):  # it has three added kans
        if not game.rules.red_fives:
            continue  # the first copy of a five is no red one there, but equality takes it for one
        events = list(game)
        for seat in range(4):
            for decision in free_decisions(game, seat):
                event = events[decision.event + 1]
                if isinstance(event, (Discard, Riichi, Call, Win)) and event.seat == seat:
                    assert decision.chosen in decision.legal, (game.id, event)
                    n_actions[decision.chosen.kind] += 1
                if isinstance(event, Call) and event.seat == seat:
                    assert decision.chosen == Action.from_meld(event.meld)
    rare = {ActionKind.NINE_TERMINALS, ActionKind.DAIMINKAN, ActionKind.PASS}
    assert {*ActionKind} - rare <= n_actions.keys()
