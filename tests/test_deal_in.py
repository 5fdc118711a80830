"""The answer to a query: bounds, what is certain, and that its parts agree with each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

import houjuu
from houjuu.deal_in import Kind, codes_of
from houjuu.estimator import shipped_models
from houjuu.events import Away, Back, Deal, Discard, Game, Win
from houjuu.hands.points import CODES, POINTS, fu_of, han_of, ron_points
from houjuu.logs import mjai
from houjuu.melded import Kept, MeldedModel
from houjuu.table import Table, View
from houjuu.tiles import RED_FIVES
from tests.test_mjai import hidden

HAN = np.arange(CODES) // 16


@pytest.fixture(scope="module", params=shipped_models())
def estimator(request: pytest.FixtureRequest) -> houjuu.Estimator:
    return houjuu.load(request.param)


def queries(
    game: Game, estimator: houjuu.Estimator, every: int = 1
) -> Iterator[tuple[View, houjuu.DealIn]]:
    table = Table(game.rules)
    kept = [Kept() for _ in range(4)]
    for number, event in enumerate(game):
        if isinstance(event, Discard) and number % every == 0:
            view = table.view(event.seat)
            yield view, estimator.deal_in(view, kept[event.seat])
        table.apply(event)


def test_reasons_add_up(own_games: list[Game], estimator: houjuu.Estimator) -> None:
    """To the probability of a kind, and to P(tenpai), wherever the model gives reasons."""
    told = set()
    for view, risk in list(queries(own_games[0], estimator))[::5]:
        for kind in {tile // 4 for tile in view.hand}:
            for of in risk.explain(kind):
                if of.reasons:
                    told.add(of.kind)
                    assert sum(r.probability for r in of.reasons) == pytest.approx(
                        of.probability, abs=1e-6
                    )
                if of.tenpai_reasons:
                    parts = [reason.probability for reason in of.tenpai_reasons]
                    assert sum(parts) == pytest.approx(of.tenpai)
    assert told == (set() if estimator.rivers is None else set(Kind))


def test_bounds_and_certainties(own_games: list[Game], estimator: houjuu.Estimator) -> None:
    kinds = set()
    for view, risk in queries(own_games[0], estimator):
        assert risk.by_opponent.shape == (3, 34)
        assert ((risk.by_opponent >= 0) & (risk.by_opponent <= 1)).all()
        assert (risk.any <= risk.by_opponent.sum(axis=0) + 1e-12).all()
        assert (risk.any >= risk.by_opponent.max(axis=0) - 1e-12).all()
        for seat, opponent, row in zip(
            view.opponents, risk.opponents, risk.by_opponent, strict=True
        ):
            safe = view.genbutsu(seat.seat)
            assert not row[safe].any()
            assert (row[~safe] > 0).all()
            assert (row <= opponent.tenpai + 1e-9).all()
            assert not seat.in_riichi or opponent.tenpai == 1
            kinds.add(opponent.kind)
        assert np.allclose(risk.tenpai, estimator.tenpai(view), rtol=1e-12)
    assert kinds == set(Kind)


def test_points_are_the_mean_of_the_scores(
    own_games: list[Game], estimator: houjuu.Estimator
) -> None:
    for _, risk in queries(own_games[1], estimator, every=9):
        for kind in range(34):
            scores = risk.scores(kind)
            assert sum(scores.values()) == pytest.approx(risk.by_opponent[:, kind].sum())
            mean = sum(points * p for points, p in scores.items())
            assert mean == pytest.approx(risk.points[kind], abs=1e-6)
            assert list(scores) == sorted(scores)
    with pytest.raises(houjuu.Error, match="no kind 34"):
        risk.scores(34)


def test_a_red_five_is_worth_a_han_more(own_games: list[Game], estimator: houjuu.Estimator) -> None:
    for _, risk in queries(own_games[1], estimator, every=9):
        for tile in range(136):
            scores, kind = risk.scores_of(tile), tile // 4
            assert np.allclose(scores.sum(axis=1), risk.by_opponent[:, kind])
            if tile not in RED_FIVES:
                assert risk.points_of(tile) == pytest.approx(risk.points[kind], abs=1e-6)
                continue
            for opponent, of_red in zip(risk.opponents, scores, strict=True):
                plain = np.bincount(HAN, opponent.scores[kind], 14)
                plain[13] += plain[12]  # 役満 is the most
                assert np.allclose(np.bincount(HAN, of_red, 14)[2:], [*plain[1:12], plain[13]])
            assert risk.points_of(tile) >= risk.points[kind] - 1e-9
    with pytest.raises(houjuu.Error, match="no tile 136"):
        risk.points_of(136)
    without = replace(risk, red_fives=False)
    assert without.points_of(RED_FIVES[0]) == pytest.approx(risk.points[4], abs=1e-6)


def test_explanations_add_up(own_games: list[Game], estimator: houjuu.Estimator) -> None:
    for view, risk in queries(own_games[1], estimator, every=23):
        for kind in range(0, 34, 3):
            for explanation, row in zip(risk.explain(kind), risk.by_opponent, strict=True):
                total = sum(term.probability for term in explanation.terms)
                assert explanation.probability == pytest.approx(row[kind])
                assert total >= explanation.probability - 1e-9
                assert explanation.genbutsu == view.genbutsu(explanation.seat)[kind]
                assert not (explanation.genbutsu and explanation.terms and row[kind])


def test_on_the_last_discard_every_melded_hand_has_a_yaku(
    own_games: list[Game], estimator: houjuu.Estimator
) -> None:
    """河底: what wins before wins then, for a han more, and so do hands that had no yaku."""
    more = 0
    for view, risk in queries(own_games[1], estimator, every=11):
        last = estimator.deal_in(replace(view, tiles_left=0))
        for before, then in zip(risk.opponents, last.opponents, strict=True):
            assert ((then.scores.any(axis=1)) == before.scores.any(axis=1)).all()
            # "houjuu" reads P(tenpai) and the wait from the tiles left, too
            if before.kind is Kind.MELDED and estimator.rivers is None:
                scores, at_last = (of.scores / of.tenpai for of in (before, then))
                more += at_last.sum() > 1.02 * scores.sum()
                assert (at_last @ HAN).sum() > (scores @ HAN).sum()
    assert more > 3 or estimator.rivers is not None


def test_what_is_kept_changes_no_answer(own_games: list[Game], estimator: houjuu.Estimator) -> None:
    for view, risk in queries(own_games[2], estimator, every=17):
        alone = estimator.deal_in(view)
        for ours, theirs in zip(risk.opponents, alone.opponents, strict=True):
            assert np.allclose(ours.scores, theirs.scores, rtol=1e-9, atol=1e-15)


def test_a_bot_gets_the_numbers_of_the_finished_log(
    games: list[Game], estimator: houjuu.Estimator
) -> None:
    """At every decision of a seat, which follows mjai as a server tells it, hands hidden.

    ``--real-games 40`` makes it 200 real games.
    """
    asked = 0
    for number, game in enumerate(games):
        seat = number % 4
        log, live = Table(game.rules), Table(game.rules)
        kept = Kept(), Kept()
        finished = (event for event in game if not isinstance(event, Away | Back))
        stream = mjai.read(hidden(message, seat) for message in mjai.messages(game))
        for event, told in zip(finished, stream, strict=True):
            if isinstance(event, Discard) and event.seat == seat:
                asked += 1
                ours = estimator.deal_in(log.view(seat), kept[0])
                theirs = estimator.deal_in(live.view(seat), kept[1])
                for one, other in zip(ours.opponents, theirs.opponents, strict=True):
                    assert np.array_equal(one.scores, other.scores)
                assert np.array_equal(ours.tenpai, theirs.tenpai)
                assert np.array_equal(ours.points, theirs.points)
            log.apply(event)
            live.apply(told)
    assert asked > 30 * len(games)


def test_real_rons_are_never_called_impossible(
    own_games: list[Game], estimator: houjuu.Estimator
) -> None:
    rons = 0
    for game in own_games:
        table, view = Table(game.rules), None
        for event in game:
            if isinstance(event, Deal):
                view = None
            ron = isinstance(event, Win) and view is not None and view.seat == event.source
            if isinstance(event, Win) and ron and event.seat != event.source and view is not None:
                place = (event.seat - event.source) % 4 - 1
                risk = estimator.deal_in(view)
                assert risk.by_opponent[place, event.tile // 4] > 0
                rons += 1
            if isinstance(event, Discard):
                view = table.view(event.seat)
            table.apply(event)
    assert rons > 10


def test_han_and_fu_become_codes() -> None:
    scores = np.zeros((34, 13, 2))
    scores[5, 1, 0], scores[5, 2, 1] = 0.25, 0.5  # 2 han 25 fu, 3 han 30 fu
    codes = codes_of(scores, (25, 30))
    (found,) = np.flatnonzero(codes.any(axis=1)).tolist()
    named = np.flatnonzero(codes[found]).astype(np.uint8)
    assert (han_of(named).tolist(), fu_of(named).tolist()) == ([2, 3], [25, 30])
    assert POINTS[0, named].tolist() == [1600, 3900] == [ron_points(2, 25), ron_points(3, 30)]


@pytest.mark.parametrize("name", ["other_forms", "no_yaku", "floor"])
@pytest.mark.parametrize("weight", [0.0, -1.0, float("nan"), float("inf")])
def test_weights_must_be_positive(name: str, weight: float) -> None:
    with pytest.raises(houjuu.Error, match="the weight of a form of hand"):
        MeldedModel(**{name: weight})
