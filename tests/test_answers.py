"""The answer to a query: tiles by name, JSON, read-only arrays, several views at once."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import numpy as np
import pytest

import houjuu
from houjuu.estimators.loading import load_once
from houjuu.game.events import Discard, Game
from houjuu.game.table import Table, View
from houjuu.game.tiles import KIND, RED_FIVES
from houjuu.risk.deal_in import DealIn
from houjuu.risk.opponent_risk import FactoredScores

RIVERS = {
    "self": "9m 1z 2m",
    "right": "4z 9p~ 1m'",
    "across": "1m' 8s 2z'",
    "left": "3z 2z 1z*",
}


@pytest.fixture(scope="module")
def risk() -> DealIn:
    rivers = RIVERS | {"right": "4z 9p 1m'"}
    view = houjuu.position("340678m0678p55z6s + 4p", rivers, dora="3p", round="E1.2")
    return houjuu.load().deal_in(view)


@pytest.fixture(scope="module")
def views(own_games: list[Game]) -> list[View]:
    """Some decisions of all seats of two games, with open melds."""
    sampled: list[View] = []
    for game in own_games[:2]:
        table = Table(game.rules)
        for event in game:
            if isinstance(event, Discard) and len(sampled) % 300 < 120:
                sampled.append(table.view(event.seat))
            table.apply(event)
    assert any(seat.n_open_melds for view in sampled for seat in view.opponents)
    return sampled


def test_a_tile_by_name(risk: DealIn) -> None:
    assert risk["5p"].points == pytest.approx(risk.points[13])
    assert risk["5p"].probability == risk.any[13]
    assert risk["5p"].by_opponent == tuple(risk.by_opponent[:, 13])
    assert risk["5p"].points_by_opponent == pytest.approx(risk.points_by_opponent[:, 13])
    assert risk["0p"].points == pytest.approx(risk.points_of(52))
    assert risk["0p"].points > risk["5p"].points > 0
    assert risk["0p"].probability == risk["5p"].probability
    text = str(risk["0p"])
    assert text.startswith("0p: ")
    assert "points (right " in text


def test_without_red_fives_there_is_no_red_tile(risk: DealIn) -> None:
    plain = DealIn(risk.opponents, risk.honba, red_fives=False)
    assert "0p" not in plain.to_dict()["tiles"]
    assert plain["5p"] == risk["5p"]


def test_the_whole_answer_as_json(risk: DealIn) -> None:
    whole = risk.to_dict()
    assert json.loads(json.dumps(whole)) == whole
    assert [opponent["name"] for opponent in whole["opponents"]] == ["right", "across", "left"]
    assert [opponent["seat"] for opponent in whole["opponents"]] == [1, 2, 3]
    assert [opponent["type"] for opponent in whole["opponents"]] == ["closed", "closed", "riichi"]
    assert whole["opponents"][2]["tenpai"] == 1
    assert len(whole["tiles"]) == 37
    for name, tile in whole["tiles"].items():
        assert tile["deal_in"] == pytest.approx(risk[name].probability, abs=1e-6)
        assert tile["points"] == round(risk[name].points)
        assert tile["by_opponent"] == pytest.approx(risk[name].by_opponent, abs=1e-6)
        assert sum(tile["points_by_opponent"]) == pytest.approx(tile["points"], abs=2)
    assert list(risk.to_dict([52, 0])["tiles"]) == ["1m", "0p"]


def test_arrays_of_an_answer_are_read_only(risk: DealIn) -> None:
    arrays: list[Any] = [
        risk.tenpai,
        risk.by_opponent,
        risk.any,
        risk.points,
        risk.points_by_opponent,
    ]
    for opponent in risk.opponents:
        arrays += [opponent.genbutsu, opponent.colour, opponent.score_distribution]
        factored = isinstance(opponent.scores, FactoredScores)
        arrays += opponent.scores if factored else [opponent.scores]
        arrays += [] if opponent.p_win_by_wait is None else [opponent.p_win_by_wait]
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_representations_are_short_and_informative(risk: DealIn) -> None:
    assert repr(risk).startswith("DealIn(right closed ")
    assert "left riichi 100.0% tenpai; most dangerous " in repr(risk)
    assert len(repr(risk)) < 250
    assert repr(risk.opponents[2]) == "OpponentRisk(seat 3, riichi, 100.0% tenpai)"
    assert re.fullmatch(r"<LogLinear 'houjuu', fitted on [\d,]+ games>", repr(houjuu.load()))
    assert repr(load_once()) == repr(houjuu.load())
    assert repr(houjuu.HandCache()) == "HandCache()"
    view = houjuu.position("123m0678p1199s55z + 4p", dora="3p")
    assert "seat=0, hand='123m40678p1199s55z'" in repr(view)
    assert len(repr(view)) < 200


@pytest.mark.parametrize("model", ["houjuu", "kurita-hoki-2017"])
def test_many_views_at_once_equal_a_loop(views: list[View], model: str) -> None:
    estimator = houjuu.load(model)
    shuffled = views[::7] + views[::11]
    random.Random(1).shuffle(shuffled)
    for several in (shuffled, views[:40]):
        for risk, view in zip(estimator.deal_in_many(several), several, strict=True):
            alone = estimator.deal_in(view)
            for name in ("tenpai", "by_opponent", "points_by_opponent"):
                expected = getattr(alone, name)
                assert np.allclose(getattr(risk, name), expected, rtol=1e-9, atol=1e-13)
            assert (risk.honba, risk.red_fives) == (alone.honba, alone.red_fives)
    assert estimator.deal_in_many([]) == []


def test_plain_fives_are_not_red(risk: DealIn) -> None:
    names = risk.to_dict(RED_FIVES)["tiles"]
    assert list(names) == ["0m", "0p", "0s"]
    assert {KIND[tile] for tile in RED_FIVES} == {4, 13, 22}
