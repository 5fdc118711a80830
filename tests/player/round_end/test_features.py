"""The models of the round's end against sums written out seat by seat."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

pytest.importorskip("riichienv", reason="the states need the extra arena")

from features import round_end_rows
from features.round_end_rows import state_arrays
from houjuu.estimators.loading import load_once
from houjuu.game.events import Game
from houjuu.player.hand_value import scores
from houjuu.player.round_end import features, logit, round_ends
from houjuu.player.round_end.endings import DRAW, SELF, WINNER, ending
from houjuu.player.round_end.round_ends import HAN
from houjuu.player.states import FIELDS, HAND_CLASSES, OPPONENTS, WIDTHS, States
from houjuu.util.arrays import Floats
from houjuu.util.errors import ParameterError
from houjuu.util.features import Columns, Feature

SEATS = range(1 + OPPONENTS)
NAMES = features.feature_names()


@pytest.fixture(scope="module")
def states(own_games: list[Game]) -> States:
    states = state_arrays(round_end_rows.rows(own_games[:2], load_once(), stride=5))
    assert states.riichi.any()
    assert (states.opponent_riichi.sum(axis=0) > 0).all()
    return states


def test_the_logit_of_an_ending_adds_up_its_winner_and_its_payer(states: States) -> None:
    weights = np.random.default_rng(3).normal(size=len(NAMES["endings"]))
    in_block = {
        name: np.array([term.startswith(f"{name}: ") for term in NAMES["endings"]])
        for name in dict.fromkeys(term.split(": ")[0] for term in NAMES["endings"])
    }
    parts = dict(zip(in_block, features.ending_blocks(states), strict=False))
    assert [*in_block] == [
        *("own tsumo", "own ron", "opponent's tsumo", "opponent's ron"),
        *("opponent pays", "opponent pays a riichi", "deals in", "draw"),
    ]
    riichi = np.column_stack((states.riichi, states.opponent_riichi))

    def product(name: str, seat: int = 1, values: str | None = None) -> Floats:
        return np.asarray(parts[values or name].terms[:, seat - 1] @ weights[in_block[name]])

    def paid(winner: int, payer: int) -> Floats:
        to_riichi = product("opponent pays a riichi", payer, "opponent pays") * riichi[:, winner]
        return product("opponent pays", payer) + to_riichi

    expected = np.zeros((len(riichi), DRAW + 1))
    expected[:, DRAW] = product("draw")
    for winner in SEATS:
        for payer in SEATS:
            if winner == payer:
                total = product("opponent's tsumo", winner) if winner else product("own tsumo")
            elif winner == SELF:
                total = product("own ron") + paid(SELF, payer)
            else:
                total = product("opponent's ron", winner)
                total += paid(winner, payer) if payer else product("deals in", winner)
            expected[:, ending(winner, payer)] = total
    logits = logit.logits(features.ending_blocks(states), weights)
    assert logits == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_a_feature_has_a_name_and_a_unit() -> None:
    for weights, names in NAMES.items():
        assert len(set(names)) == len(names), weights
    assert {*features.TABLES} == {*NAMES, *features.ENDINGS.values()} - {"endings"}
    for table in features.TABLES.values():
        assert all(one.unit for one in table.features)


def answers(model: round_ends.RoundEndModel, states: States) -> list[bytes]:
    won = model.predict_sizes, model.predict_scores
    predictions = (model.predict_endings, *won, model.predict_tenpai_at_draw)
    return [predict(states).tobytes() for predict in predictions]


def test_a_file_chooses_its_features_by_name(
    states: States, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The code knows one more in each place: the answers stay the same, to the byte."""
    expected = answers(round_ends.load(), states)
    more = Feature[States].row("more", "1", lambda states: states.shanten)
    for name, table in features.TABLES.items():
        first, *rest = table.features
        monkeypatch.setitem(features.TABLES, name, Columns(first, more, *rest, by=table.by))
    assert "draw: more" in features.feature_names()["endings"]
    assert answers(round_ends.load(), states) == expected
    weights = round_ends.load().endings
    blocks = features.ending_blocks(states)
    assert blocks[-1].place.stop == len(weights) + len(features.ENDINGS)


def test_the_features_of_a_block_stand_together() -> None:
    names = NAMES["endings"]
    with pytest.raises(ParameterError, match="in the order of their blocks"):
        features.ending_columns((names[-1], *names[:-1]))
    with pytest.raises(ParameterError, match="twice"):
        features.ending_columns((names[0], *names))


def test_columns_are_what_their_names_say(states: States) -> None:
    """One of each group, far from the next block, by its name."""
    own = features.win_features("own_han", states, np.ones(len(states)))
    by_name = dict(zip(NAMES["own_han"], own.T, strict=True))
    ready = (states.shanten == 0) * states.closed
    assert by_name["riichi, indicators"] == pytest.approx(
        (states.indicators - 1) * ready * states.riichi
    )
    assert by_name["tsumo, dama"] == pytest.approx(ready * (1 - states.riichi))
    in_class = (states.shanten == 1) * (1 - states.closed)
    assert by_name["1 from tenpai, open"] == pytest.approx(in_class)
    assert by_name["1 from tenpai, open, base points"] == pytest.approx(
        in_class * features.base.compute(states)
    )
    opponents = features.win_features("opponent_sizes", states, 0.0)
    size = dict(zip(NAMES["opponent_sizes"], opponents.transpose(2, 0, 1), strict=True))
    assert not size["tsumo, two open melds"].any()
    assert size["two open melds"] == pytest.approx(1.0 * (states.open_melds == 2))
    assert size["more open melds"] == pytest.approx(1.0 * (states.open_melds > 2))
    assert size["dora in melds, squared"] == pytest.approx(np.minimum(states.dora, 4) ** 2)
    assert size["dealer"] == pytest.approx(states.opponent_dealer)
    assert size["draws"] == pytest.approx(np.column_stack([np.log(states.draws + 0.5)] * OPPONENTS))
    own, opponents = features.tenpai_features(states)
    by_name = dict(zip(NAMES["own_tenpai"], own.T, strict=True))
    assert by_name["furiten"] == pytest.approx(states.furiten)
    is_tenpai = states.tenpai_shanten == 0
    assert (is_tenpai & (states.shanten > 0)).any()
    assert by_name["by shape: tenpai, genbutsu"] == pytest.approx(
        is_tenpai * np.log(states.genbutsu.min(axis=1) + 1)
    )
    ready = dict(zip(NAMES["opponent_tenpai"], opponents.transpose(2, 0, 1), strict=True))
    assert ready["open melds"] == pytest.approx(states.open_melds)
    across = states.opponent_tenpai[:, [0, 2]].sum(axis=1)
    assert ready["other opponents"][:, 1] == pytest.approx(across)


def test_what_betters_a_hand_counts_beside_its_ways(states: States) -> None:
    """Of the own win: for hands that may still declare riichi, and for those 1 from tenpai."""
    block = features.ending_blocks(states)[0]
    names = [name for name in NAMES["endings"] if name.startswith("own tsumo: ")]
    columns = zip(names, block.terms[:, 0].T, strict=True)
    by_name = {name.removeprefix("own tsumo: "): column for name, column in columns}
    gain = np.log((states.later_ways + 0.5) / (states.ways + 0.5))
    may_declare = (states.shanten == 0) * states.closed * (1 - states.riichi)
    assert by_name["dama, improvement"] == pytest.approx(may_declare * gain)
    near = (states.shanten == 1) * gain
    assert by_name["1 from tenpai, improvement"] == pytest.approx(near)
    assert by_name["1 from tenpai, improvement × draws"] == pytest.approx(
        near * np.log(states.draws + 0.5)
    )
    assert near.max() > 0


def test_a_state_beyond_the_fit_is_answered_as_at_its_edge(states: States) -> None:
    """Of a hand with more ways and distance than any other."""
    model = round_ends.load()
    assert {*model.ranges} == {*NAMES}
    far = dict.fromkeys(("ways", "later_ways", "touching", "lone", "tenpai"), 1e9)
    changed = {
        name: np.full_like(field, far[name]) if name in far else field
        for name, field in states.fields().items()
    }
    beyond = States.from_fields(changed)
    limits = model.ranges["endings"]
    columns = features.ending_columns(model.names["endings"])
    for at_edge in (True, False):
        blocks = features.ending_blocks(beyond, columns, limits if at_edge else None)
        inside = [
            (limits.least[block.place] <= block.terms)
            & (block.terms <= limits.greatest[block.place])
            for block in blocks
        ]
        assert all(one.all() for one in inside) is at_edge
    own = (WINNER == SELF).nonzero()[0]
    assert model.predict_endings(beyond)[:, own].sum(axis=1).max() < 1


def turned(states: States) -> States:
    """The opponents take the places of one another: across comes first, then left and right."""
    fields = states.fields()
    of_opponents = [name for name, width in WIDTHS.items() if width == OPPONENTS]
    rolled = {name: np.roll(fields[name], -1, axis=1) for name in of_opponents}
    return States.from_fields(fields | rolled)


def test_opponents_are_alike(states: States) -> None:
    model, other = round_ends.load(), turned(states)
    seat = [SELF, 2, 3, 1]  # for each new seat, its seat before
    wins = [ending(seat[winner], seat[payer]) for winner in SEATS for payer in SEATS]
    endings, sizes = model.predict_endings(states), model.predict_sizes(states)
    assert model.predict_endings(other) == pytest.approx(endings[:, [*wins, DRAW]])
    assert model.predict_sizes(other) == pytest.approx(sizes[:, [1, 2, 0]])
    assert model.predict_scores(other) == pytest.approx(model.predict_scores(states))
    tenpai = model.predict_tenpai_at_draw(states)
    assert model.predict_tenpai_at_draw(other) == pytest.approx(tenpai[:, seat])
    assert np.abs(sizes[:, 0, 0] - sizes[:, 1, 0]).max() > 0.05  # they differ


def test_the_size_of_a_win_is_that_of_its_winner(states: States) -> None:
    model = replace(round_ends.load(), ranges={})
    for tsumo in (0, 1):
        features_of = features.win_features("opponent_sizes", states, tsumo)
        for winner in range(OPPONENTS):
            odds = np.exp(features_of[:, winner] @ model.opponent_sizes.T)
            sizes = model.predict_sizes(states)[:, winner, tsumo]
            assert sizes == pytest.approx(odds / odds.sum(axis=1, keepdims=True))


def test_a_counted_win_gains_han(states: States) -> None:
    """With the weight of one number of han alone the counted scores have so many more."""
    fitted = round_ends.load()
    counted = states.by_ron.any(axis=1)
    assert 0 < counted.sum() < len(states)
    for row, han in enumerate(HAN):
        weights = np.zeros_like(fitted.own_han)
        one = [name in features.counted_class.names for name in NAMES["own_han"]]
        weights[row, one] = 50.0
        by_ron = replace(fitted, own_han=weights, ranges={}).predict_scores(states)[:, 0]
        if han is not None:
            expected = scores.raised(states.by_ron, han)
            assert by_ron[counted] == pytest.approx(expected[counted], abs=1e-6)
        base = by_ron @ scores.BASE
        assert (base[~counted] > 240).all()
    assert scores.raised(np.eye(len(scores.SCORES)), 0) == pytest.approx(np.eye(len(scores.SCORES)))


def test_the_numbers_that_terms_share(states: States) -> None:
    """Of a closed hand without riichi, one in riichi, an open one, and far ones."""
    won = [(2, 25), (5, 30), (1, 50), (8, 30), (2, 50)]
    changed = {
        "shanten": np.array([0.0, 0.0, 0.0, 2.0, 6.0]),
        "closed": np.array([1.0, 1.0, 0.0, 1.0, 0.0]),
        "riichi": np.array([0.0, 1.0, 0.0, 0.0, 0.0]),
        "by_ron": np.eye(len(scores.SCORES))[[scores.index(*one) for one in won]],
        "ways": np.array([3.0] * 5),
        "later_ways": np.array([6.0, 6.0, 0.0, 9.5, 1.5]),
        "draws": np.array([17.5, 3.5, 0.5, 1.5, 7.5]),
        "tenpai": np.array([[1.0, 0.5, 0.0]] * 5) + 1e-9,
    }
    at = States.from_fields({name: field[:5] for name, field in states.fields().items()} | changed)
    assert len(at) == 5
    assert [*at.fields()] == [*FIELDS]
    assert features.base.compute(at) == pytest.approx(np.log2([0.4, 2, 0.4, 4, 0.8]))
    none = features.base.compute(replace(at, by_ron=np.zeros((5, len(scores.SCORES)))))
    assert (none == np.log2(np.maximum(at.by_tsumo @ scores.BASE, 125) / 1000)).all()
    assert np.exp(at.log_ways) == pytest.approx([6.5, 6.5, 0.5, 10, 2])
    assert np.exp(features.draws.compute(at)) == pytest.approx([18, 4, 1, 2, 8])
    assert at.opponent_tenpai.max() == 1
    assert at.threats.max() == 0.999
    assert 1 / (1 + np.exp(-features.tenpai_logit.compute(at)[0])) == pytest.approx(
        [0.999, 0.5, 0.002]
    )
    assert at.by_shanten.argmax(axis=1).tolist() == [0, 0, 0, 2, 5]
    names = [HAND_CLASSES[index] for index in at.by_hand_class.argmax(axis=1)]
    closed, opened = "tenpai, closed", "tenpai, open"
    assert names == [closed, closed, opened, "2 from tenpai, closed", "far, open"]
    assert at.by_hand_class.sum(axis=1).tolist() == [1] * 5


@pytest.mark.parametrize("draws", [0, 1, 2, 7, 17])
@pytest.mark.parametrize("away", [0, 1, 2, 5, 8])
def test_tenpai_is_counted_over_the_draws_left(states: States, draws: int, away: int) -> None:
    """P(as many useful draws as needed or more), by scipy."""
    numbers = {"draws": draws, "tenpai_shanten": away, "tenpai_tiles": 19, "unseen": 80}
    at = replace(states, **{name: np.array([float(one)]) for name, one in numbers.items()})
    expected = binom.sf(away - 1, draws, 19 / 80)
    assert features.tenpai_count(at)[0] == pytest.approx(expected, abs=1e-12)


def test_without_a_draw_tenpai_is_certain_with_and_without_a_yaku(states: States) -> None:
    """Formal tenpai (形式聴牌) is paid like any other."""
    model, ready = round_ends.load(), states.tenpai_shanten == 0
    assert (ready & (states.shanten > 0)).any()
    last = replace(states, draws=np.zeros(len(states)))
    assert (model.predict_tenpai_at_draw(last)[:, SELF] == ready).all()
    predicted = model.predict_tenpai_at_draw(states)[states.draws > 0, SELF]
    assert ((predicted > 0) & (predicted < 1)).all()
