"""Signs of an opponent: by hand, against the events they come from, and the regression on them."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from features import schema
from features import tenpai_rows as rows_of
from houjuu.errors import Error, ParameterError
from houjuu.estimators.log_linear.tenpai_gam import NO_EDGE, Bins, TenpaiGAMModel
from houjuu.events import Call, Deal, Discard, Event, Game, Meld
from houjuu.reading import opponent, safety, tenpai_features
from houjuu.table import Seat, Table, View
from models import export, logistic
from models.tenpai_gam import TenpaiGAM
from tests.positions import ankan, chi, pon, view_of

SIGNS = {sign.name: number for number, sign in enumerate(tenpai_features.FEATURES)}


def told(view: View, opponent: Seat | None = None) -> dict[str, int]:
    numbers = tenpai_features.extract(
        *opponent.opponent_contexts(view, [opponent or view.seats[1]])
    )
    return dict(zip(SIGNS, numbers, strict=True))


def check(found: dict[str, int], **expected: int) -> None:
    assert {name: found[name] for name in expected} == expected


def test_a_river_by_hand() -> None:
    found = told(view_of("", "9m 1z' 3p 0s 4s 2z 3p' 8m'", dora="3s"))  # 4s is dora
    check(found, discards=8, tedashi=5, tsumogiri_streak=2, last_four=0b1100, tedashi_of_six=4)
    check(found, since_tedashi_before=3, yaochu_kinds=3, simple_kinds=4, middles=2)
    check(found, early_middles=3, first_middle=2, tedashi_honours=1, tedashi_yaochu=2)
    check(found, tedashi_seconds=0, tedashi_middles=3, tsumogiri_middles=1, live_tedashi=0)
    check(found, yaochu_after_middle=1, dora_discarded=2, yakuhai_discarded=1, honours=2)
    check(found, scarcest_suit=2, commonest_suit=2, run_to_colour=3, own_live_suji=11)
    check(found, last_discard=2, last_discard_seen=1, last_tedashi_is_dora=0)
    check(found, last_tedashi_seen=1, last_tedashi_around=-1, last_tedashi_again=0)
    check(found, last_tedashi_beside=6, last_two_tedashi=0, tedashi_before=4)
    check(found, since_tedashi_third_last=4, second_discard=0, honours_not_shown=5)
    check(found, tsumogiri_middles_since=1, last_tedashi_neighbours=7, last_tedashi_passed=0)
    check(found, last_tedashi_of_suit=20)
    check(found, tedashi_third_last=4, first_call=-1, since_call=-1, tedashi_since_call=-1)
    check(found, since_call_before=-1, middles_since_call=-1, after_call=5, open_yaku=0)
    check(found, rank=0, lead=60, points=310, cannot_riichi=0, dealer=0, rounds_left=5)
    check(found, tiles_left=30, others_melds=0, unseen_middles=55, live_yakuhai=5)


def test_the_last_tedashi() -> None:
    """4p after 6p: it lies two ranks from 6p; around it are 2p 3p 5p 6p, with one 6p seen."""
    found = told(view_of("", "6p 9s 6p 4p 1s'"))
    check(found, last_tedashi_beside=2, last_two_tedashi=3, last_tedashi_around=14)
    check(found, tedashi_third_last=1, last_tedashi_again=0, last_discard=1)
    check(found, last_tedashi_neighbours=1, last_tedashi_of_suit=1, since_tedashi_third_last=3)
    check(told(view_of("", "6p 9s 6p")), last_tedashi_again=1, last_two_tedashi=0)
    check(told(view_of("", "3z 3z")), last_tedashi_again=1, last_two_tedashi=1)
    check(told(view_of("", "1p 9p")), last_two_tedashi=4, last_tedashi_beside=5)
    late = view_of("", "1z 1z 1z 2z 2z 2z 3z 3z 5m 6m' 7m 7m 7m")
    check(told(late), live_tedashi=1)


def test_before_the_first_discard() -> None:
    found = told(view_of())
    check(found, last_discard=5, last_discard_seen=0, tedashi_before=5, tedashi_third_last=5)
    check(found, last_four=64, since_tedashi_before=-1, last_tedashi_is_dora=0)
    check(found, last_tedashi_seen=0, last_tedashi_around=-1, last_tedashi_again=0)
    check(found, last_tedashi_beside=6, last_two_tedashi=0, first_middle=-1, run_to_colour=0)
    check(found, own_live_suji=18, riichi_faced=0, last_faced=6, second_discard=5)
    check(found, since_tedashi_third_last=-1, tsumogiri_middles_since=0, last_tedashi_of_suit=-1)
    check(found, last_tedashi_neighbours=7, last_tedashi_passed=0, honours_not_shown=7)


def test_melds_by_hand() -> None:
    view = view_of("", "2s 5s 1m 3p", dora="4p")  # seat 1 is North, East's round
    melds = (pon("555z"), chi("340p"), pon("777p"), ankan("1111m"))
    found = told(view, dataclasses.replace(view.seats[1], melds=melds))
    check(found, chis=1, two_sided_chis=1, simple_sets=1, open_yaku=1, melds_suit=2)
    check(found, scarcest_suit=1)


@pytest.mark.parametrize(
    ("melds", "yaku"),
    [
        ((pon("222z"),), 8),  # of one suit, all triplets
        ((pon("444z"),), 1),  # its own wind
        ((chi("234m"),), 5),  # tanyao, of one suit
        ((chi("234m"), pon("888p")), 3),
        ((chi("123m"), pon("888p")), 2),
        ((pon("222m"), pon("888p")), 7),
    ],
)
def test_what_yaku_melds_allow(melds: tuple[Meld, ...], yaku: int) -> None:
    view = view_of()
    check(told(view, dataclasses.replace(view.seats[1], melds=melds)), open_yaku=yaku)


@pytest.mark.parametrize(
    ("tiles", "called", "two_sided"),
    [
        ("123m", 0, 1),  # 1m to 23m
        ("123m", 1, 0),
        ("123m", 2, 0),
        ("789m", 0, 0),
        ("789m", 2, 1),
        ("456m", 0, 1),
        ("456m", 1, 0),
    ],
)
def test_two_sided_calls(tiles: str, called: int, two_sided: int) -> None:
    run = chi(tiles)
    meld = dataclasses.replace(run, called=run.tiles[called])
    view = view_of()
    check(told(view, dataclasses.replace(view.seats[1], melds=(meld,))), two_sided_chis=two_sided)


def test_the_game() -> None:
    view = view_of("", "1m", scores=(25000, 900, 44100, 30000), tiles_left=40, dealer=1)
    check(told(view), points=9, lead=-432, rank=3, cannot_riichi=1, dealer=1)
    check(told(view_of(tiles_left=3)), cannot_riichi=1)
    check(told(view_of(tiles_left=4)), cannot_riichi=0)


def test_what_is_discarded_into_a_riichi() -> None:
    """Seat 2 declares with 5p: 9p is genbutsu, 2p suji, 6m no suji, and passes then."""
    river = "1s 1s 1s 9p 2p 4z 6m 6m"
    found = told(view_of("", river, "9p 1m 5p* 9s 9s", tiles_left=1))
    check(found, pushes=3, pushes_without_suji=1, tedashi_without_suji=1)
    check(found, last_faced=safety.GENBUTSU, last_faced_but_one=safety.NO_SUJI)
    found = told(view_of("", "1s 1s 1s 9p 2p 4z 6m'", "9p 1m 5p*"))
    check(found, last_faced=safety.NO_SUJI, last_faced_but_one=safety.HONOUR)
    check(found, pushes_without_suji=1, tedashi_without_suji=0)
    found = told(view_of("", "1s 1s 1s 2p", "9p 1m 5p*"))
    check(found, last_faced=safety.SUJI, last_faced_but_one=safety.NOT_YET)
    check(told(view_of("", "1s 1s 1s 4m", "9p 1m 5p*")), last_faced=safety.HALF_SUJI)
    found = told(view_of("", "1s 1s 1s 9p", "9p 1m 5p 9s 9s"))
    check(found, pushes=0, last_faced=safety.NO_RIICHI, last_faced_but_one=safety.NO_RIICHI)


def test_signs_follow_from_the_events(games: list[Game]) -> None:
    """Calls and pushes, counted as they happen."""
    for game in games[:8]:
        table, counted = Table(game.rules), Counted()
        for event in game:
            if isinstance(event, Discard):
                view = table.view(event.seat)
                for opponent in view.opponents:
                    found = told(view, opponent)
                    assert found == found | counted.of(opponent)
            counted.see(table, event)
            table.apply(event)


class Counted:
    """What has happened in a round so far."""

    def __init__(self) -> None:
        self.calls: dict[int, list[int]] = {}
        self.pushes: Counter[int] = Counter()
        self.faced: Counter[int] = Counter()
        self.discarded: Counter[tuple[int, int]] = Counter()
        self.passed: Counter[int] = Counter()

    def see(self, table: Table, event: Event) -> None:
        if isinstance(event, Deal):
            self.__init__()  # type: ignore[misc]
        elif isinstance(event, Call) and taken(event.meld):
            made = len(table.seats[event.seat].river)
            self.calls.setdefault(event.seat, []).append(made)
        elif isinstance(event, Discard):
            view = table.view(event.seat)
            riichi = [other.seat for other in view.opponents if other.in_riichi]
            safe = [view.furiten(seat) >> event.tile // 4 & 1 for seat in riichi]
            self.pushes[event.seat] += not all(safe)
            self.faced[event.seat] = len(riichi)
            kind = event.tile // 4
            if not event.tsumogiri:
                by_others = [self.discarded[o.seat, kind] for o in view.opponents]
                self.passed[event.seat] = sum(by_others)
            self.discarded[event.seat, kind] += 1

    def of(self, opponent: Seat) -> dict[str, int]:
        calls, made = self.calls.get(opponent.seat, []), len(opponent.river)
        since = opponent.river[calls[-1] :] if calls else ()
        tedashi = [discard.kind for discard in since if not discard.tsumogiri]
        return {
            "first_call": calls[0] if calls else -1,
            "since_call": made - calls[-1] if calls else -1,
            "since_call_before": made - calls[-2] if len(calls) > 1 else -1,
            "tedashi_since_call": len(tedashi) if calls else -1,
            "middles_since_call": sum(map(middle, tedashi)) if calls else -1,
            "after_call": opponent.RANK_CLASS[since[0].kind] if since else 5,
            "pushes": self.pushes[opponent.seat],
            "riichi_faced": self.faced[opponent.seat],
            "last_tedashi_passed": self.passed[opponent.seat],
        }


def middle(kind: int) -> bool:
    return kind < 27 and 2 <= kind % 9 <= 6


def taken(meld: Meld) -> bool:
    return meld.source is not None and meld.added is None


@pytest.fixture(scope="module")
def rows(own_games: list[Game]) -> pd.DataFrame:
    return rows_of.rows(own_games)


@pytest.fixture(scope="module")
def regression(rows: pd.DataFrame) -> TenpaiGAM:
    return TenpaiGAM(fine=8, coarse=3, rounds=1, pairs=4).fit(rows)


def test_rows_keep_to_the_schema(rows: pd.DataFrame) -> None:
    assert list(rows.columns) == schema.names(schema.TENPAI)
    assert len(set(rows.columns)) == len(rows.columns)
    assert [str(kind) for kind in rows.dtypes] == [column.dtype for column in schema.TENPAI]
    assert not rows.duplicated(["game", "round", "seat", "discard"]).any()
    assert 0 < rows["tenpai"].mean() < 0.5
    assert rows_of.rows([]).empty


def test_runtime_and_fit_agree(rows: pd.DataFrame, regression: TenpaiGAM) -> None:
    assert export.check_additive(regression, regression.model(), rows) < 1e-12
    wrong = dataclasses.replace(regression.model(), bias=regression.model().bias + 0.1)
    with pytest.raises(Error, match="differs from the fit"):
        export.check_additive(regression, wrong, rows)


def test_it_tells_who_is_tenpai(rows: pd.DataFrame, regression: TenpaiGAM) -> None:
    melds, numbers = rows["melds"].to_numpy(np.int64), rows_of.feature_matrix(rows)
    predicted = regression.model().read(melds, numbers)
    tenpai = rows["tenpai"].to_numpy()
    assert predicted[tenpai].mean() > 2 * predicted[~tenpai].mean()
    assert predicted.mean() == pytest.approx(tenpai.mean(), abs=0.01)


def test_reasons_add_up(rows: pd.DataFrame, regression: TenpaiGAM) -> None:
    model = regression.model()
    for _, row in rows.iloc[::97].iterrows():
        numbers, melds = [int(row[name]) for name in SIGNS], int(row["melds"])
        reasons = model.why(melds, numbers)
        (p,) = model.read(np.array([melds]), np.array([numbers]))
        assert sum(reasons.values()) == pytest.approx(p)
        assert len(reasons) == 1 + len(tenpai_features.SECTIONS)


def test_reasons_by_hand() -> None:
    """Two signs of different sections and their pair, which is half of either's."""
    edges = np.full((len(SIGNS), 1), NO_EDGE)
    edges[[0, -1], 0] = 5
    pairs = np.array([[0, len(SIGNS) - 1]])
    weights = np.zeros((4, len(SIGNS) + 2 + 4))
    weights[:, 1], weights[:, -5], weights[:, -1] = 1.0, 0.5, 0.5
    names = np.array(list(SIGNS))
    model = TenpaiGAMModel(names, edges, edges, pairs, np.full(4, -2.0), weights)
    reasons = model.why(1, [9] * len(SIGNS))
    base, p = 1 / (1 + np.exp(2.0)), 0.5
    assert reasons["1 open meld"] == pytest.approx(base)
    assert reasons["its pace"] == pytest.approx((p - base) * 1.25 / 2)
    assert reasons["the game"] == pytest.approx((p - base) * 0.75 / 2)


def test_cells(rows: pd.DataFrame, regression: TenpaiGAM) -> None:
    """Every number has a cell of its own table, numbers that were never met too."""
    bins = regression.model().bins
    strange = np.array([[-(10**4)] * len(SIGNS), [10**4] * len(SIGNS)])
    for numbers in (rows_of.feature_matrix(rows), strange):
        cells = bins.cells(numbers)
        assert (cells >= bins.offsets[:-1]).all()
        assert (cells < bins.offsets[1:]).all()
    by_hand = Bins(np.array([[2, 5], [1, 2**31 - 1]]), np.array([[5], [1]]), np.array([[0, 1]]))
    assert by_hand.offsets.tolist() == [0, 3, 5, 9]
    assert by_hand.cells(np.array([[4, 0], [5, 7]])).tolist() == [[1, 3, 5], [2, 4, 8]]


def test_one_outcome_alone_still_answers(rows: pd.DataFrame) -> None:
    model = TenpaiGAM().fit(rows[~rows["tenpai"]]).model()
    predicted = model.read(rows["melds"].to_numpy(np.int64), rows_of.feature_matrix(rows))
    assert np.isfinite(predicted).all()
    assert (predicted <= 0.5).all()


def test_pairs_are_found() -> None:
    """What two signs say together alone, a pair of theirs is found for."""
    random = np.random.default_rng(1)
    columns = {name: random.integers(0, 4, 4000) for name in SIGNS}
    rows = pd.DataFrame(columns).assign(melds=random.integers(0, 3, 4000))
    rows["tenpai"] = (rows["pushes"] % 2 == rows["lead"] % 2) ^ (random.random(4000) < 0.2)
    rows["game"] = pd.Categorical(random.integers(0, 40, 4000))
    fitted = TenpaiGAM(rounds=1, pairs=1, every=2, hold_pairs=1.0).fit(rows)
    found = [part.pairs for part in fitted.parts_]
    assert found == [[(SIGNS["pushes"], SIGNS["lead"])]] * 2
    assert ((fitted.predict(rows) > 0.5) == rows["tenpai"]).mean() > 0.75


def test_the_search_ends_where_that_of_sklearn_does() -> None:
    random = np.random.default_rng(1)
    ones = sparse.csr_matrix(random.random((500, 20)) < 0.3, dtype=np.float32)
    outcome = (random.random(500) < 0.1 + 0.5 * (ones.toarray()[:, 0] > 0)).astype(float)
    weight = random.integers(1, 4, 500).astype(float)
    found, intercept = logistic.fit(ones, outcome, weight, np.full(20, 2.0))
    theirs = LogisticRegression(C=0.5, tol=1e-8).fit(ones.toarray(), outcome, weight)
    assert found == pytest.approx(theirs.coef_[0], abs=2e-3)
    assert intercept == pytest.approx(float(theirs.intercept_[0]), abs=2e-3)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"names": np.array(["a", "b"])}, "are not those of this houjuu"),
        ({"fine": np.zeros((3, 2), int)}, "do not fit its signs"),
        ({"pairs": np.array([[0, 99]])}, "names no sign"),
        ({"bias": np.zeros(3)}, "do not fit its bins"),
        ({"bias": np.full(4, np.nan)}, "is not finite"),
    ],
)
def test_wrong_numbers_are_refused(
    regression: TenpaiGAM, changes: dict[str, Any], reason: str
) -> None:
    model: TenpaiGAMModel = regression.model()
    with pytest.raises(ParameterError, match=reason):
        dataclasses.replace(model, **changes)
