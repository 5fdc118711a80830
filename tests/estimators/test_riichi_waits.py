"""Waits of a riichi: the list of waits, and the model against the equations one by one."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np
import pytest

from features import paper_wait_counts as counting
from features.paper_wait_counts import WaitCounts
from houjuu.estimators.kurita_hoki import riichi_waits
from houjuu.estimators.kurita_hoki.riichi_waits import RiichiWaitModel
from houjuu.game import tiles
from houjuu.game.events import Discard, Game
from houjuu.game.table import Seat, Table, View, river_mask
from houjuu.game.tiles import HAKU, KIND, KINDS, RED_FIVES, SUIT, parse_kind
from houjuu.hands import wait_types
from houjuu.reading import safety, table1
from houjuu.util.errors import ParameterError
from models.paper.waits import WaitFrequencies
from tests.kit.games import walk
from tests.kit.positions import seat


@pytest.fixture(scope="module")
def counts(own_games: list[Game]) -> WaitCounts:
    return counting.count(own_games)


@pytest.fixture(scope="module")
def model(counts: WaitCounts) -> RiichiWaitModel:
    return WaitFrequencies().fit(counts).to_runtime()


def positions(games: list[Game]) -> Iterator[tuple[Table, View, Seat]]:
    """Every decision that faces a riichi."""
    for table, event in walk(games, Discard):
        for opponent, _ in counting.riichi_opponents(table, event.seat):
            yield table, table.view(event.seat), table.seats[opponent]


# The list of waits


def name(wait: int) -> str:
    """A wait as "56m+47m": the tiles that it holds, and the kinds that it wins on."""

    def text(kinds: list[int]) -> str:
        return "".join(str(kind % 9 + 1) for kind in kinds) + "mpsz"[kinds[0] // 9]

    holds = wait_types.HOLDS[wait, : wait_types.HELD[wait]].tolist()
    wins = list(dict.fromkeys(wait_types.WINS[wait].tolist()))
    return f"{text(holds)}+{text(wins)}"


# The model


def test_conditions() -> None:
    fulfilled = riichi_waits.fulfilled_conditions(seat("1m 5z' 2p 5z 3p' 0s 4s* 6m 5z"))
    assert np.flatnonzero(fulfilled[0]).tolist() == [1, 10]  # 1m, and a tedashi honour later
    assert np.flatnonzero(fulfilled[1]).tolist() == [2, 3, 11]
    assert np.flatnonzero(fulfilled[2]).tolist() == [0, 5]  # the red 5s; 4s declared riichi


def test_no_five_is_red_where_the_rules_have_none() -> None:
    """Tenhou's id of a red five is that of a plain one then: 2009030922gm-00ab-0000-8fc38227."""
    fulfilled = riichi_waits.fulfilled_conditions(seat("0s 4s*"), red_fives=False)
    assert np.flatnonzero(fulfilled[2]).tolist() == [5]


def test_nearness_by_hand() -> None:
    unseen = np.full(KINDS, 4)
    unseen[[5, 6, 33]] = 0, 1, 2  # 6m, 7m, 7z
    near = {name(wait): f for wait, f in enumerate(riichi_waits.nearness(unseen))}
    assert near["67m+58m"] == near["56m+47m"] == near["6m+6m"] == near["66m+6m"] == 0
    assert near["78m+69m"] == near["79m+8m"] == near["57m+6m"] == 0.5
    assert near["7m+7m"] == 0.5
    assert near["77m+7m"] == 0
    assert near["77z+7z"] == 0.5
    assert near["7z+7z"] == 0.8
    assert near["45m+36m"] == near["11z+1z"] == 1


def slow(
    model: RiichiWaitModel, opponent: Seat, unseen: list[int], furiten: int
) -> tuple[list[float], list[float]]:
    """Equations 20–34 one by one: P(m|u) and P(wins on h)."""
    live = safety.live_suji(furiten)
    ryanmen = model.ryanmen[live]
    form = [ryanmen, *((1 - ryanmen) * share for share in model.others)]
    f = []
    for m in range(113):
        holds = wait_types.HOLDS[m, : wait_types.HELD[m]].tolist()
        left = min(unseen[h] - holds.count(h) for h in holds)
        f1 = {-1: 0.0, 0: 0.5, 1: 0.8}.get(max(left, -1), 1.0)
        f2 = model.prior[m]
        suit = SUIT[holds[0]]
        if suit < 3:
            if table1.red_five_discarded(opponent, suit):
                f2 *= model.given[m, 0]
            for rank in range(9):
                if table1.kinds_before_riichi(opponent) >> 9 * suit + rank & 1:
                    f2 *= model.given[m, 1 + rank]
                if table1.kinds_then_honour(opponent) >> 9 * suit + rank & 1:
                    f2 *= model.given[m, 10 + rank]
        f3 = not any(furiten >> h & 1 for h in wait_types.WINS[m].tolist())
        f.append(f1 * f2 * f3)
    total = [sum(f[m] for m in range(113) if wait_types.FORM[m] == k) for k in range(4)]
    forms = wait_types.FORM.tolist()
    p = [
        form[k] * riichi_waits.ALPHA[k] * f[m] / total[k] if total[k] else 0.0
        for m, k in enumerate(forms)
    ]
    kinds = []
    for h in range(34):
        wins = sum(p[m] for m in range(113) if h in wait_types.WINS[m])
        kinds.append(0.0 if furiten >> h & 1 else min(wins + model.floor[h], 1.0))
    return p, kinds


@pytest.mark.deep
def test_the_model_follows_the_equations(model: RiichiWaitModel, games: list[Game]) -> None:
    compared = 0
    for number, (_, view, opponent) in enumerate(positions(games)):
        if number % 7:
            continue
        furiten, unseen = view.furiten(opponent.seat), view.unseen()
        waits = model.predict(opponent, unseen, furiten)
        wait, kind = slow(model, opponent, unseen.tolist(), furiten)
        assert np.allclose(waits.wait, wait, rtol=1e-10, atol=0)
        assert np.allclose(waits.kind, kind, rtol=1e-10, atol=0)
        compared += 1
    assert compared > 30


def test_probabilities(model: RiichiWaitModel, games: list[Game]) -> None:
    compared = 0
    for _, view, opponent in positions(games):
        furiten = view.furiten(opponent.seat)
        waits = model.predict(opponent, view.unseen(), furiten)
        genbutsu = view.genbutsu(opponent.seat)
        assert (waits.kind[genbutsu] == 0).all()
        assert (waits.kind[~genbutsu] > 0).all()
        assert (waits.kind <= 1).all()
        assert (waits.wait >= 0).all()
        by_form = np.bincount(wait_types.FORM, waits.wait, minlength=4)
        alive = np.bincount(wait_types.FORM, waits.factors.prod(axis=0), minlength=4) > 0
        assert np.allclose(by_form, waits.form * riichi_waits.ALPHA * alive)
        red = sum(1 << KIND[tile] for tile in view.hand if tile in RED_FIVES)
        yakuhai = tiles.yakuhai_han(view.round_wind, view.seat_wind(opponent.seat))
        scores = model.scores(waits, riichi_waits.han_shift(view.dora, yakuhai, red))
        assert scores.shape == (34, 13, 10)
        assert (scores >= 0).all()
        assert np.allclose(scores.sum(axis=(1, 2)), 1)
        compared += 1
    assert compared > 200


def test_the_river_excludes_and_prefers_waits(model: RiichiWaitModel) -> None:
    opponent = seat("5m 1z 9p 2s*", in_riichi=True)
    waits = model.predict(opponent, np.full(KINDS, 4), river_mask(opponent))
    at = dict(zip([name(wait) for wait in range(113)], waits.wait, strict=True))
    assert at["34m+25m"] == at["67m+58m"] == at["55m+5m"] == 0
    assert waits.kind[parse_kind("8m")] < waits.kind[parse_kind("8p")]  # the suji of the 5m
    assert waits.kind[parse_kind("5p")] > waits.kind[parse_kind("1p")]
    assert waits.form[0] == model.ryanmen[18 - 4]  # 2-5m, 5-8m, 6-9p and 2-5s are dead


def test_without_riichi_the_whole_river_counts(model: RiichiWaitModel) -> None:
    """Section 5.4."""
    silent, declared = seat("5m 1z 9p 2s"), seat("5m 1z 9p 2s 9p*")
    unseen, furiten = np.full(KINDS, 4), river_mask(silent)
    one, other = (model.predict(s, unseen, furiten).kind for s in (silent, declared))
    assert np.array_equal(one, other)


def test_dora_in_the_wait_raises_the_han(model: RiichiWaitModel) -> None:
    opponent = seat("5m 1z 9p 2s*", in_riichi=True)
    waits = model.predict(opponent, np.full(KINDS, 4), river_mask(opponent))
    none, yakuhai = (0,) * KINDS, tiles.yakuhai_han(27, 28)
    plain = model.han_given_kind(waits, riichi_waits.han_shift((), none))
    assert np.allclose(plain, model.han)
    dora = model.han_given_kind(waits, riichi_waits.han_shift((HAKU, HAKU), yakuhai))
    average = dora @ np.arange(1, 14)
    assert average[HAKU] > average[33] > average[parse_kind("4z")]
    assert np.allclose(dora[parse_kind("9s")], model.han)
    assert average[HAKU] == pytest.approx(model.han @ np.arange(1, 14) + 5.3, abs=1.7)


def test_frequencies_that_exclude_a_wait_are_refused(model: RiichiWaitModel) -> None:
    with pytest.raises(ParameterError, match="must be numbers from 1e-12"):
        dataclasses.replace(model, given=np.zeros_like(model.given))
    with pytest.raises(ParameterError, match="sum to 1"):
        dataclasses.replace(model, han=model.han * 2)
    with pytest.raises(ParameterError, match="must be numbers from 0 to 1"):
        dataclasses.replace(model, ryanmen=model.ryanmen + 1)
