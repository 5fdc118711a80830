"""The values of actions: parts that add up, probabilities, and monotonicity."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from houjuu.estimators.loading import load_once
from houjuu.game.actions import Action, ActionKind
from houjuu.game.decisions import Decision
from houjuu.game.events import Game, Rules
from houjuu.game.table import View
from houjuu.player.hand_value.scores import index
from houjuu.player.players import player, value_player
from houjuu.player.round_end import round_ends
from houjuu.player.round_end.endings import DRAW, WINNER
from houjuu.player.states import States
from houjuu.player.values import final_ranks
from houjuu.player.values.action_values import ActionValuer
from houjuu.player.values.next_round import AVERAGE_RANK, GAME_VALUES
from houjuu.player.values.outcome import DEALS_IN_NOW, PARTS, Outcome
from houjuu.player.values.round_values import RankValues
from houjuu.player.view_states import DecisionContext, HandsLeft
from houjuu.risk.deal_in import DealIn
from tests.kit.free_decisions import free_decisions

TENPAI = np.array([0.3, 0.1, 0.05])
PASS = Action(ActionKind.PASS)


@pytest.fixture(scope="module")
def rank_values() -> RankValues:
    return RankValues(final_ranks.load(), AVERAGE_RANK)


@pytest.fixture(scope="module")
def decisions(own_games: list[Game]) -> list[Decision]:
    """Every seventh decision of a game."""
    every = [decision for seat in range(4) for decision in free_decisions(own_games[0], seat)]
    return every[::7]


@pytest.fixture(scope="module")
def choices(decisions: list[Decision]) -> list[list[Outcome]]:
    made = value_player(load_once())
    return [made.outcomes(one.view, one.legal) for one in decisions]


def test_every_action_has_one_value_whose_parts_add_up(
    decisions: list[Decision], choices: list[list[Outcome]]
) -> None:
    assert len(decisions) > 30
    for decision, valued in zip(decisions, choices, strict=True):
        kinds = {action.kind for action in decision.legal}
        assert {choice.action.kind for choice in valued} == kinds
        for value in valued:
            assert set(value.parts) == set(PARTS)
            assert sum(value.parts.values()) == pytest.approx(value.value, abs=1e-6)
            assert 0 <= value.win <= 1
            assert 0 <= value.deal_in <= 1


def test_the_player_takes_the_largest_value(
    decisions: list[Decision], choices: list[list[Outcome]]
) -> None:
    for decision, valued in islice(zip(decisions, choices, strict=True), 0, None, 5):
        best = max(valued, key=lambda outcome: outcome.value)
        assert player("rank").act(decision.view, decision.legal) == best.action


def test_endings_and_sizes_are_probabilities(decisions: list[Decision]) -> None:
    model = round_ends.load()
    for decision in islice(decisions, 10):
        after = states_of(decision.view)
        endings = model.predict_endings(after)
        assert endings.sum(axis=1) == pytest.approx(1.0)
        assert endings.shape[1] == DRAW + 1 == len(WINNER) + 1
        assert model.predict_sizes(after).sum(axis=-1) == pytest.approx(1.0)
        assert model.predict_scores(after).sum(axis=-1) == pytest.approx(1.0)
        assert ((model.predict_tenpai_at_draw(after) >= 0) & (endings[:, -1:] < 1)).all()


def test_after_the_last_discard_the_round_is_a_draw(decisions: list[Decision]) -> None:
    after = states_of(decisions[0].view)
    last = replace(after, tiles_left=np.zeros(1))
    assert round_ends.load().predict_endings(last)[:, DRAW].tolist() == [1.0]


def states_of(view: View) -> States:
    tiles = view.hand[: len(view.hand) // 3 * 3 + 1]
    return DecisionContext(view, TENPAI).states(HandsLeft([tiles], [None]))


def first_discard(decisions: list[Decision]) -> list[Decision]:
    return [one for one in decisions if len(one.view.hand) % 3 == 2 and not is_in_riichi(one)]


def is_in_riichi(decision: Decision) -> bool:
    return decision.view.seats[decision.view.seat].declared


def scaled(risk: DealIn, factor: float) -> DealIn:
    """A risk whose tiles deal in so many times as often."""
    return cast(
        DealIn, SimpleNamespace(scores_of_tiles=lambda tiles: factor * risk.scores_of_tiles(tiles))
    )


def values(valuer: ActionValuer, view: View, risk: DealIn) -> list[Outcome]:
    hands = after_discards(view)
    return valuer.after([PASS] * len(hands.concealed), hands, risk)


def after_discards(view: View) -> HandsLeft:
    tiles = list(view.hand)
    return HandsLeft([[kept for kept in tiles if kept != tile] for tile in tiles], tiles)


def test_a_safer_tile_is_not_worth_less(decisions: list[Decision]) -> None:
    """All else equal: the same hands with half the risk, in a game of points.

    With ranks this need not hold: who leads the last round gains by a cheap deal-in.
    """
    model, compared = round_ends.load(), 0
    points = RankValues(final_ranks.load(), GAME_VALUES["points"])
    for decision in first_discard(decisions)[::4]:
        view = decision.view
        risk = load_once().deal_in(view)
        valuer = ActionValuer(DecisionContext(view, risk.tenpai), points, model)
        by_risk = [values(valuer, view, scaled(risk, factor)) for factor in (1.0, 0.5, 0.0)]
        for full, half, none in zip(*by_risk, strict=True):
            assert half.value == pytest.approx((full.value + none.value) / 2)
            assert none.deal_in <= half.deal_in <= full.deal_in
            assert not any(none.parts[part] for part in DEALS_IN_NOW)
            if full.dealt_in < -50:
                assert full.value < half.value < none.value
                compared += 1
    assert compared > 10


def test_the_effects_of_another_standing_are_computed_anew(rank_values: RankValues) -> None:
    """A game keeps the effects of a standing; one that has seen another answers like a new one."""
    numbers = {"seat": 1, "dealer": 0, "round": 4, "honba": 0, "riichi_sticks": 0}
    hanchan, scores = Rules(), (30000, 20000, 25000, 25000)
    first: dict[str, object] = {**numbers, "scores": scores, "rules": hanchan}
    changes: list[dict[str, object]] = [{name: number + 1} for name, number in numbers.items()]
    changes += [{"scores": (31000, 19000, 25000, 25000)}]
    changes += [{"rules": Rules(0x01)}]
    base = np.full(8, 2000.0)
    for change in changes:
        before, cached, fresh = (
            asked.round_values(cast(View, SimpleNamespace(**standing)), base, riichi=False)
            for asked, standing in (
                (rank_values, first),
                (rank_values, {**first, **change}),
                (RankValues(rank_values.model, rank_values.value), {**first, **change}),
            )
        )
        assert (cached.wins == fresh.wins).all(), change
        assert (cached.wins != before.wins).any(), change
        assert (cached.draws == fresh.draws).all(), change


_LARGER = [(1, 30), (2, 30), (2, 40), (3, 30), (3, 40), (5, 30), (6, 30), (8, 30), (13, 30)]


@pytest.mark.parametrize("name", list(GAME_VALUES))
def test_more_points_are_worth_more(name: str, decisions: list[Decision]) -> None:
    """A larger win of the own seat is never worth less, and a larger one of another not more."""
    base = np.array([300.0, 500, 700, 1000, 1400, 2000, 3000, 5000])
    view = decisions[0].view
    values = RankValues(final_ranks.load(), GAME_VALUES[name]).round_values(
        view, base, riichi=False
    )
    own = values.own_wins[:, [index(*one) for one in _LARGER]]
    assert (np.diff(own, axis=1) > -40).all()
    paid = values.wins[[0, 4, 8]]
    assert (np.diff(paid, axis=1) < 40).all()
    assert (own[:, -1] > own[:, 0] + 1000).all()


def test_an_even_game_is_worth_its_points(own_games: list[Game]) -> None:
    """At the start of a game an effect is about the payment itself."""
    view = next(free_decisions(own_games[0], 0)).view
    base = np.array([300.0, 500, 700, 1000, 1400, 2000, 3000, 5000])
    by_rank = RankValues(final_ranks.load(), AVERAGE_RANK).round_values(view, base, riichi=False)
    score = index(3, 30)
    paid = by_rank.own_payments[1, score]
    assert by_rank.own_wins[1, score] == pytest.approx(paid, abs=1500)
