"""Waits of a riichi: the list of them, and the model against the equations written out."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np
import pytest

from features import paper_wait_counts as counting
from features.paper_wait_counts import WaitCounts
from houjuu import tiles
from houjuu.errors import ParameterError
from houjuu.estimators.kurita_hoki import riichi_waits
from houjuu.estimators.kurita_hoki.riichi_waits import RiichiWaitModel
from houjuu.events import Discard, Game
from houjuu.hands import wait_types
from houjuu.reading import safety, table1
from houjuu.table import Seat, Table, View, river_mask
from houjuu.tiles import HAKU, KINDS, RED_FIVES, SUIT, parse_kind
from models.paper_waits import WaitFrequencies
from tests.positions import seat


@pytest.fixture(scope="module")
def counts(own_games: list[Game]) -> WaitCounts:
    return counting.count(own_games)


@pytest.fixture(scope="module")
def model(counts: WaitCounts) -> RiichiWaitModel:
    return WaitFrequencies().fit(counts).model()


def positions(games: list[Game]) -> Iterator[tuple[Table, View, Seat]]:
    """Every decision that faces a riichi."""
    for game in games:
        table = Table(game.rules)
        for event in game:
            if isinstance(event, Discard):
                for who, _ in counting.facing_riichi(table, event.seat):
                    yield table, table.view(event.seat), table.seats[who]
            table.apply(event)


# The list of waits


def name(wait: int) -> str:
    """A wait as "56m+47m": what it holds, and what it wins on."""

    def of(kinds: list[int]) -> str:
        return "".join(str(kind % 9 + 1) for kind in kinds) + "mpsz"[kinds[0] // 9]

    holds = wait_types.HOLDS[wait, : wait_types.HELD[wait]].tolist()
    wins = list(dict.fromkeys(wait_types.WINS[wait].tolist()))
    return f"{of(holds)}+{of(wins)}"


def test_the_list() -> None:
    names = [name(wait) for wait in range(wait_types.WAITS)]
    assert len(set(names)) == wait_types.WAITS == 113
    assert np.bincount(wait_types.FORM).tolist() == [18, 27, 34, 34]
    assert names[:3] == ["23m+14m", "34m+25m", "45m+36m"]
    assert names[17:26] == [
        *("78s+69s", "12m+3m", "89m+7m", "12p+3p", "89p+7p", "12s+3s", "89s+7s"),
        *("13m+2m", "24m+3m"),
    ]
    assert names[44:46] == ["79s+8s", "11m+1m"]
    assert names[78:80] == ["77z+7z", "1m+1m"]
    assert names[-1] == "7z+7z"
    assert [SUIT[kind] for kind in wait_types.HOLDS[:, 0]] == wait_types.WAIT_SUIT.tolist()
    assert len(wait_types.WIN_KIND) == 131


# The model


def test_conditions() -> None:
    found = riichi_waits.conditions(seat("1m 5z' 2p 5z 3p' 0s 4s* 6m 5z"))
    assert np.flatnonzero(found[0]).tolist() == [1, 10]  # 1m, and an honour from the hand later
    assert np.flatnonzero(found[1]).tolist() == [2, 3, 11]
    assert np.flatnonzero(found[2]).tolist() == [0, 5]  # the red 5s; 4s declared riichi


def test_no_five_is_red_where_the_rules_have_none() -> None:
    """Tenhou's id of a red five is that of a plain one then: 2009030922gm-00ab-0000-8fc38227."""
    found = riichi_waits.conditions(seat("0s 4s*"), red_fives=False)
    assert np.flatnonzero(found[2]).tolist() == [5]


def test_what_must_be_unseen() -> None:
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
    """Equations 20–34 read one by one: P(m|u) and P(wins on h)."""
    live = safety.live_suji(furiten)
    ryanmen = model.two_sided[live]
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
                if table1.kind_discarded(opponent, 9 * suit + rank):
                    f2 *= model.given[m, 1 + rank]
                if table1.kind_then_honour(opponent, 9 * suit + rank):
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


def test_fast_is_slow(model: RiichiWaitModel, games: list[Game]) -> None:
    met = 0
    for number, (_, view, opponent) in enumerate(positions(games)):
        if number % 7:
            continue
        furiten, unseen = view.furiten(opponent.seat), view.unseen()
        read = model.read(opponent, unseen, furiten)
        wait, kind = slow(model, opponent, unseen.tolist(), furiten)
        assert np.allclose(read.wait, wait, rtol=1e-10, atol=0)
        assert np.allclose(read.kind, kind, rtol=1e-10, atol=0)
        met += 1
    assert met > 30


def test_probabilities(model: RiichiWaitModel, games: list[Game]) -> None:
    for _, view, opponent in positions(games):
        furiten = view.furiten(opponent.seat)
        read = model.read(opponent, view.unseen(), furiten)
        genbutsu = view.genbutsu(opponent.seat)
        assert (read.kind[genbutsu] == 0).all()
        assert (read.kind[~genbutsu] > 0).all()
        assert (read.kind <= 1).all()
        assert (read.wait >= 0).all()
        by_form = np.bincount(wait_types.FORM, read.wait, minlength=4)
        alive = np.bincount(wait_types.FORM, read.factors.prod(axis=0), minlength=4) > 0
        assert np.allclose(by_form, read.form * riichi_waits.ALPHA * alive)
        red = sum(1 << tile // 4 for tile in view.hand if tile in RED_FIVES)
        worth = tiles.yakuhai_han(view.round_wind, view.seat_wind(opponent.seat))
        scores = model.scores(read, riichi_waits.han_shift(view.dora, worth, red))
        assert scores.shape == (34, 13, 10)
        assert (scores >= 0).all()
        assert np.allclose(scores.sum(axis=(1, 2)), 1)


def test_a_river_says_where_to_look(model: RiichiWaitModel) -> None:
    opponent = seat("5m 1z 9p 2s*", in_riichi=True)
    read = model.read(opponent, np.full(KINDS, 4), river_mask(opponent))
    at = dict(zip([name(wait) for wait in range(113)], read.wait, strict=True))
    assert at["34m+25m"] == at["67m+58m"] == at["55m+5m"] == 0
    assert read.kind[parse_kind("8m")] < read.kind[parse_kind("8p")]  # the suji of the 5m
    assert read.kind[parse_kind("5p")] > read.kind[parse_kind("1p")]
    assert read.form[0] == model.two_sided[18 - 4]  # 2-5m, 5-8m, 6-9p and 2-5s are dead


def test_a_seat_without_riichi_is_read_whole(model: RiichiWaitModel) -> None:
    """Section 5.4."""
    silent, declared = seat("5m 1z 9p 2s"), seat("5m 1z 9p 2s 9p*")
    unseen, furiten = np.full(KINDS, 4), river_mask(silent)
    one, other = (model.read(s, unseen, furiten).kind for s in (silent, declared))
    assert np.array_equal(one, other)


def test_dora_in_the_wait_raises_the_han(model: RiichiWaitModel) -> None:
    opponent = seat("5m 1z 9p 2s*", in_riichi=True)
    read = model.read(opponent, np.full(KINDS, 4), river_mask(opponent))
    none, worth = np.zeros(KINDS, dtype=np.int64), tiles.yakuhai_han(27, 28)
    plain = model.han_given_kind(read, riichi_waits.han_shift((), none))
    assert np.allclose(plain, model.han)
    dora = model.han_given_kind(read, riichi_waits.han_shift((HAKU, HAKU), worth))
    average = dora @ np.arange(1, 14)
    assert average[HAKU] > average[33] > average[parse_kind("4z")]
    assert np.allclose(dora[parse_kind("9s")], model.han)
    assert average[HAKU] == pytest.approx(model.han @ np.arange(1, 14) + 5.3, abs=1.7)


# The fit


def made(**numbers: int) -> WaitCounts:
    """Counts of 100 riichi: all two-sided on 14m, 40 of them after a 9m."""
    counts = WaitCounts.none()
    counts.riichi[()], counts.form[0], counts.wait[0] = 100, 100, 100
    counts.form_given[0, 0, 9], counts.wait_given[0, 9] = 40, numbers.get("after", 40)
    counts.live[10], counts.live_two_sided[10] = 8, 6
    counts.han[:2], counts.fu[1] = (30, 10), 40
    return counts


def test_equations_of_the_fit() -> None:
    apart = WaitFrequencies(share_suits=False, smoothing=1.0, smoothing_live=4.0)
    model = apart.fit(made(after=10)).model()
    prior = 101 / 118
    assert model.prior[0] == pytest.approx(prior)
    assert model.prior[1] == pytest.approx(1 / 118)
    assert model.given[0, 9] == pytest.approx((10 + prior) / 41 / prior)
    assert model.given[0, 8] == pytest.approx(1)
    assert model.two_sided[10] == pytest.approx((6 + 4 * 0.75) / 12)
    assert model.two_sided[0] == 0
    assert model.han[:2].tolist() == pytest.approx([31 / 53, 11 / 53])
    assert (model.given[wait_types.WAIT_SUIT == 3] == 1).all()


def test_suits_share() -> None:
    model = WaitFrequencies(smoothing=1.0).fit(made()).model()
    prior = (100 + 3) / 3 / 118
    for wait in (0, 6, 12):
        assert model.prior[wait] == pytest.approx(prior)
        assert model.given[wait, 9] == pytest.approx((40 / 3 + prior) / (40 / 3 + 1) / prior)


def test_nothing_counted_still_answers() -> None:
    model = WaitFrequencies().fit(WaitCounts.none()).model()
    read = model.read(seat("1m 2m 3m*"), np.full(KINDS, 4), 0b111)
    assert np.isfinite(read.kind).all()
    assert (read.kind[:3] == 0).all()


def test_the_floor_is_thirteen_orphans() -> None:
    counts = made()
    counts.unexplained[27:34] = 1
    floor = WaitFrequencies().fit(counts).model().floor
    assert floor[0] == floor[33] == pytest.approx(7.5 / (13 * 101))
    assert 0 < floor[4] < floor[0]


@pytest.mark.parametrize("wrong", [field.name for field in dataclasses.fields(RiichiWaitModel)])
def test_wrong_numbers_are_refused(model: RiichiWaitModel, wrong: str) -> None:
    numbers = getattr(model, wrong)
    with pytest.raises(ParameterError, match="has shape"):
        dataclasses.replace(model, **{wrong: numbers[:-1]})
    for bad in (np.nan, -1.0):
        with pytest.raises(ParameterError, match="no frequency"):
            dataclasses.replace(model, **{wrong: np.full_like(numbers, bad)})


def test_a_wait_ruled_out_is_refused(model: RiichiWaitModel) -> None:
    with pytest.raises(ParameterError, match="rule a wait out"):
        dataclasses.replace(model, given=np.zeros_like(model.given))
    with pytest.raises(ParameterError, match="sum to 1"):
        dataclasses.replace(model, han=model.han * 2)
    with pytest.raises(ParameterError, match="above 1"):
        dataclasses.replace(model, two_sided=model.two_sided + 1)
