"""Rows of tenpai opponents and of rons, against the games that they come from."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest
from riichienv import calculate_shanten

import houjuu
from features import ron_score_rows, schema, wait_rows
from houjuu.estimators.kurita_hoki.model import KuritaHoki
from houjuu.estimators.log_linear import han_model
from houjuu.game.decisions import Follower
from houjuu.game.events import Away, Back, Deal, Discard, Event, Game, Win
from houjuu.game.payments import YAKUMAN_HAN
from houjuu.game.table import Table, View
from houjuu.game.tiles import KIND, KINDS, RED_FIVES, parse_kind
from houjuu.hands.hand_cache import HandCache
from houjuu.hands.wait_types import WAITS, WIN_KIND, WIN_WAIT
from houjuu.reading import wait_features
from houjuu.reading.opponent import OpponentType, opponent_contexts
from models.houjuu import wait_models
from models.paper.hand_prior import PRIOR_HAN, PRIOR_WIN, with_prior_han, with_prior_win
from tests.features import small_games

KEY = [*schema.names(schema.KEY), "opponent"]


def shipped(name: str) -> KuritaHoki:
    model = houjuu.load(name)
    assert isinstance(model, KuritaHoki)
    return model


@pytest.fixture(scope="module")
def rows(own_games: list[Game]) -> pd.DataFrame:
    return wait_rows.rows(own_games)[0]


Hand = tuple[object, ...]


def test_each_hand_has_one_row_with_the_number_of_its_decisions(
    own_games: list[Game], rows: pd.DataFrame
) -> None:
    n_decisions: Counter[Hand] = Counter()
    for game in own_games:
        follower = Follower(game)
        for decision in follower.discards():
            index = decision.round
            for other in decision.view.opponents:
                tenpai = calculate_shanten(follower.table.round_state.hands[other.seat]) == 0
                if (tenpai or other.in_riichi) and not other.was_away:
                    opponent_type = OpponentType.from_seat(other).value
                    n_decisions[game.id, index, other.seat, opponent_type, len(other.melds)] += 1
    in_rows = {
        (row.game, row.round, row.opponent, row.opponent_type, row.n_melds): row.n_decisions
        for row in rows.itertuples()
    }
    assert in_rows == dict(n_decisions)
    assert set(rows["opponent_type"]) >= {"riichi", "closed", "1 meld", "2 melds"}


def test_the_draw_depends_only_on_the_id_of_the_game(
    own_games: list[Game], rows: pd.DataFrame
) -> None:
    """Every decision takes one number of the generator; decision n is kept with P = 1/n."""
    game = own_games[0]
    rng = np.random.default_rng(zlib.crc32(game.id.encode()))
    count: Counter[Hand] = Counter()
    drawn: dict[Hand, tuple[int, int]] = {}
    follower = Follower(game)
    for decision in follower.discards():
        index = decision.round
        for other in decision.view.opponents:
            tenpai = calculate_shanten(follower.table.round_state.hands[other.seat]) == 0
            if other.was_away or not (tenpai or other.in_riichi):
                continue
            hand = index, other.seat, OpponentType.from_seat(other).value, len(other.melds)
            count[hand] += 1
            if rng.random() < 1 / count[hand]:
                drawn[hand] = decision.seat, decision.turn
    of_game = rows[rows["game"] == game.id]
    in_rows = {
        (row.round, row.opponent, row.opponent_type, row.n_melds): (row.seat, row.turn)
        for row in of_game.itertuples()
    }
    assert in_rows == drawn
    again, _ = wait_rows.rows([game])
    pd.testing.assert_frame_equal(
        again.drop(columns="game"),
        of_game.reset_index(drop=True).drop(columns="game"),
        check_categorical=False,
    )


@pytest.mark.parametrize(
    ("after_turn", "n_decisions"),
    [
        ({}, [6]),  # seats 0, 2 and 3, twice each
        ({3: [Away(1)]}, [3]),
        ({3: [Away(1)], 5: [Back(1)]}, [3]),  # not to be trusted until the next deal
        ({0: [Away(1)]}, [1]),
        ({3: [Away(2)]}, [5]),  # its discards are no decisions
    ],
)
def test_an_opponent_who_was_away_has_no_rows(
    after_turn: dict[int, list[Event]], n_decisions: list[int]
) -> None:
    turns = [(turn % 4, after_turn.get(turn, [])) for turn in range(8)]
    rows, _ = wait_rows.rows([small_games.game(1, turns)])
    assert rows["n_decisions"].tolist() == n_decisions
    assert (rows["opponent"] == 1).all()
    assert (rows["win_mask"] == 1 << parse_kind("5s") | 1 << parse_kind("8s")).all()


def test_a_row_has_the_features_of_the_seat(own_games: list[Game], rows: pd.DataFrame) -> None:
    by_key = rows.set_index(KEY)
    compared = 0
    for game in own_games[:1]:
        for decision in Follower(game).discards():
            view = decision.view
            for context in opponent_contexts(view, view.opponents):
                key = game.id, *decision.key, context.seat.seat
                if key in by_key.index:
                    features = wait_models.wait_feature_matrix(by_key.loc[[key]])
                    assert (features == wait_features.extract(context)).all()
                    compared += 1
    assert compared == (rows["game"] == own_games[0].id).sum() > 0


def test_the_prior_of_a_row_is_that_of_the_model_at_the_table(
    own_games: list[Game], rows: pd.DataFrame
) -> None:
    """For the fitted and the printed weights: a row has sums without either."""
    expected = {key: view for game in own_games for key, view in views_of_rows(game)}
    for model in (shipped("kurita-hoki-2017"), shipped("kurita-hoki-2017-printed")):
        with_prior = with_prior_win(model, rows)
        for (_, row), prior in zip(
            with_prior.iterrows(), with_prior[PRIOR_WIN].to_numpy(), strict=True
        ):
            view = expected[row["game"], row["round"], row["seat"], row["turn"]]
            opponent = view.seats[row["opponent"]]
            if not opponent.n_open_melds:
                assert not prior.any()
                continue
            (colours,) = model.colours([opponent])
            scores = model.melded_hand(view, opponent.seat, colours, HandCache())
            assert prior == pytest.approx(scores.sum(axis=1), rel=1e-5)
    assert (rows["n_open_melds"] > 0).sum() > 15


def views_of_rows(game: Game) -> Iterator[tuple[tuple[str, int, int, int], View]]:
    """Yield the view of every decision by game, round, seat and turn."""
    for decision in Follower(game).discards():
        yield (game.id, *decision.key), decision.view


def test_winning_kinds_are_those_of_the_waits(rows: pd.DataFrame) -> None:
    """The waits of closed hands cover all kinds that they win on, except for kokushi."""
    closed = rows[rows["opponent_type"].isin({"riichi", "closed"})]
    samples = wait_models.wait_samples(closed, 0.5)
    won = samples.label[:, :WAITS] > 0
    by_waits = np.zeros((len(closed), KINDS), dtype=bool)
    np.logical_or.at(by_waits.T, WIN_KIND, won[:, WIN_WAIT].T)
    kinds = wait_models.win_flags(closed)
    assert (by_waits | ~kinds).mean() > 0.999
    assert samples.label.sum(axis=1) == pytest.approx(np.ones(len(closed)))
    assert not (samples.label > 0)[~samples.mask].any()


@pytest.fixture(scope="module")
def rons(own_games: list[Game]) -> pd.DataFrame:
    return ron_score_rows.rows(own_games)


def test_both_extractions_share_the_hands_and_change_no_row(
    own_games: list[Game], rons: pd.DataFrame
) -> None:
    expected = (*wait_rows.rows(own_games), rons)
    together = ron_score_rows.rows_with_waits(own_games)
    for table, of_its_own in zip(together, expected, strict=True):
        assert len(table) > 0
        pd.testing.assert_frame_equal(table, of_its_own)


def test_rons_are_those_of_the_log(own_games: list[Game], rons: pd.DataFrame) -> None:
    expected = []
    for game in own_games:
        table, index = Table(game.rules), -1
        for event in game:
            index += isinstance(event, Deal)
            if isinstance(event, Win) and event.source != event.seat:
                expected.append((game.id, index, event.seat, KIND[event.tile], han_of(event)))
            table.apply(event)
    names = ["game", "round", "opponent", "kind", "han"]
    assert list(rons[names].itertuples(index=False, name=None)) == expected
    assert len(expected) > 12


def test_prior_han_is_that_of_the_model_at_the_table(
    own_games: list[Game], rons: pd.DataFrame
) -> None:
    model = shipped("kurita-hoki-2017")
    with_prior = with_prior_han(model, rons).set_index(["game", "round", "opponent"])
    compared = 0
    for game in own_games:
        for index, view, win in ron_views(game):
            winner = view.seats[win.seat]
            prior = with_prior.loc[(game.id, index, win.seat), PRIOR_HAN].to_numpy(float)
            if not winner.n_open_melds:
                assert not prior.any()
                continue
            (colours,) = model.colours([winner])
            scores = model.melded_hand(view, win.seat, colours, HandCache())
            by_han = han_model.sum_by_han(scores)[KIND[win.tile]]
            assert prior == pytest.approx(by_han / by_han.sum(), rel=1e-5)
            compared += 1
    assert compared > 4


def ron_views(game: Game) -> Iterator[tuple[int, View, Win]]:
    """Yield the index of the deal, the view before the discard, and the win, of every ron."""
    table, index, before = Table(game.rules), -1, None
    for event in game:
        index += isinstance(event, Deal)
        if isinstance(event, Discard):
            before = table.view(event.seat)
        if isinstance(event, Win) and event.source != event.seat:
            assert before is not None
            yield index, before, event
        table.apply(event)


def test_prior_han_is_a_distribution(rons: pd.DataFrame) -> None:
    melded = rons[~rons["opponent_type"].isin({"riichi", "closed"})]
    rows = with_prior_han(shipped("kurita-hoki-2017"), melded)
    prior_han = rows[PRIOR_HAN].to_numpy(dtype=np.float64)
    assert len(melded) > 4
    assert prior_han.sum(axis=1) == pytest.approx(np.ones(len(melded)))


def han_of(win: Win) -> int:
    """Han of the log, without that of a red five won on."""
    if win.yakuman:
        return YAKUMAN_HAN
    return sum(han for _, han in win.yaku) - (win.tile in RED_FIVES)
