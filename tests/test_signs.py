"""Signs of an opponent: by hand, against the events they come from, and the regression on them."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest

from features import schema
from features import signs as rows_of
from houjuu import signs
from houjuu.additive import AdditiveModel, Bins
from houjuu.errors import Error, ParameterError
from houjuu.events import Call, Deal, Discard, Event, Game, Meld, Rules
from houjuu.table import Seat, Table, View
from houjuu.tiles import parse_tiles
from models import export
from models.signs import SignsRegression
from tests.rivers import ankan, chi, pon, seat

SIGNS = {sign.name: number for number, sign in enumerate(signs.SIGNS)}


def view_of(*rivers: str, dora: str = "1z", **changes: Any) -> View:
    """What seat 0 sees: it and seats 1–3 have discarded in turn."""
    seats = []
    for who in range(4):
        of = seat(rivers[who] if who < len(rivers) else "")
        river = tuple(tile._replace(order=4 * i + who) for i, tile in enumerate(of.river))
        seats.append(dataclasses.replace(of, seat=who, river=river, in_riichi=riichi(river)))
    view = View(
        seat=0,
        hand=(),
        drawn=None,
        seats=(seats[0], seats[1], seats[2], seats[3]),
        passed=(0, 0, 0, 0),
        round=2,
        dealer=2,
        honba=0,
        riichi_sticks=0,
        tiles_left=30,
        scores=(25000, 31000, 24000, 20000),
        dora_indicators=parse_tiles(dora),
        rules=Rules(),
    )
    return dataclasses.replace(view, **changes)


def riichi(river: tuple[Any, ...]) -> bool:
    return any(tile.riichi for tile in river)


def told(view: View, opponent: Seat | None = None) -> dict[str, int]:
    numbers = signs.read(view, opponent or view.seats[1])
    return dict(zip(SIGNS, numbers, strict=True))


def test_a_river_by_hand() -> None:
    found = told(view_of("", "9m 1z' 3p 0s 4s 2z 3p' 8m'", dora="3s"))  # 4s is dora
    expected = {
        "discards": 8,
        "tedashi": 5,
        "tsumogiri_streak": 2,
        "last_four": 0b1100,
        "yaochu_kinds": 3,
        "simple_kinds": 4,
        "last_tedashi": 0,
        "last_tedashi_is_dora": 0,
        "last_tedashi_seen": 1,
        "tedashi_before": 4,
        "since_tedashi_before": 3,
        "middles": 2,
        "thirds": 2,
        "early_middles": 3,
        "late_middles": 3,
        "dora_discarded": 2,
        "scarcest_suit": 2,
        "first_call": -1,
        "since_call": -1,
        "tedashi_since_call": -1,
        "rank": 0,
        "lead": 60,
        "dealer": 0,
        "kyoku": 2,
        "tiles_left": 30,
    }
    assert {name: found[name] for name in expected} == expected


def test_before_the_first_discard() -> None:
    found = told(view_of())
    assert (found["last_tedashi"], found["tedashi_before"]) == (5, 5)
    assert (found["last_four"], found["since_tedashi_before"]) == (64, -1)
    assert found["last_tedashi_seen"] == found["last_tedashi_near_meld"] == 0


def test_melds_by_hand() -> None:
    view = view_of("", "2s 5s 1m 3p", dora="4p")  # 5p is dora; seat 1 is North, East's round
    melds = (pon("555z"), chi("340p"), pon("444z"), ankan("1111m"))
    found = told(view, dataclasses.replace(view.seats[1], melds=melds))
    expected = {
        "chis": 1,
        "same_kind_sets": 3,
        "yakuhai_shown": 2,
        "dora_shown": 2,
        "yaochu_sets": 3,
        "last_tedashi_in_melds_suit": 1,
        "last_tedashi_near_meld": 1,
        "melds_suit": 2,
        "scarcest_suit": 1,
    }
    assert {name: found[name] for name in expected} == expected


def test_what_is_discarded_into_a_riichi() -> None:
    """Seat 2 declares with 5p: 9p is genbutsu, 2p suji, 4z neither, 6m not suji; 6m passes then."""
    view = view_of("", "1s 1s 1s 9p 2p 4z 6m 6m", "9p 1m 5p* 9s 9s", tiles_left=1)
    found = told(view)
    assert (found["pushes"], found["pushes_without_suji"], found["folds"]) == (3, 1, 2)
    assert found["others_in_riichi"] == 1
    silent = told(view_of("", "1s 1s 1s 9p", "9p 1m 5p 9s 9s"))
    assert (silent["pushes"], silent["folds"]) == (0, 0)


def test_signs_follow_from_the_events(games: list[Game]) -> None:
    """Calls, pushes and folds, counted as they happen."""
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
        self.faced: Counter[tuple[int, str]] = Counter()

    def see(self, table: Table, event: Event) -> None:
        if isinstance(event, Deal):
            self.__init__()  # type: ignore[misc]
        elif isinstance(event, Call) and taken(event.meld):
            made = len(table.seats[event.seat].river)
            self.calls.setdefault(event.seat, []).append(made)
        elif isinstance(event, Discard):
            view = table.view(event.seat)
            for other in view.opponents:
                if other.in_riichi:
                    safe = view.furiten(other.seat) >> event.tile // 4 & 1
                    self.faced[event.seat, "folds" if safe else "pushes"] += 1

    def of(self, opponent: Seat) -> dict[str, int]:
        calls, made = self.calls.get(opponent.seat, []), len(opponent.river)
        since = opponent.river[calls[-1] :] if calls else ()
        return {
            "first_call": calls[0] if calls else -1,
            "since_call": made - calls[-1] if calls else -1,
            "tedashi_since_call": sum(not d.tsumogiri for d in since) if calls else -1,
            "pushes": self.faced[opponent.seat, "pushes"],
            "folds": self.faced[opponent.seat, "folds"],
        }


def taken(meld: Meld) -> bool:
    return meld.source is not None and meld.added is None


@pytest.fixture(scope="module")
def rows(own_games: list[Game]) -> pd.DataFrame:
    return rows_of.rows(own_games)


@pytest.fixture(scope="module")
def regression(rows: pd.DataFrame) -> SignsRegression:
    return SignsRegression(["discards", "last_tedashi"], fine=8, coarse=3).fit(rows)


def test_rows_keep_to_the_schema(rows: pd.DataFrame) -> None:
    assert list(rows.columns) == schema.names(schema.SIGNS)
    assert len(set(rows.columns)) == len(rows.columns)
    assert [str(kind) for kind in rows.dtypes] == [column.dtype for column in schema.SIGNS]
    assert not rows.duplicated(["game", "round", "seat", "discard", "opponent"]).any()
    assert 0 < rows["tenpai"].mean() < 0.5
    assert rows_of.rows([]).empty


def test_runtime_and_sklearn_agree(rows: pd.DataFrame, regression: SignsRegression) -> None:
    assert export.check_additive(regression, regression.model(), rows) < 1e-12
    wrong = dataclasses.replace(regression.model(), bias=regression.model().bias + 0.1)
    with pytest.raises(Error, match="differs from scikit-learn's"):
        export.check_additive(regression, wrong, rows)


def test_it_tells_who_is_tenpai(rows: pd.DataFrame, regression: SignsRegression) -> None:
    melds, numbers = rows["melds"].to_numpy(np.int64), rows_of.numbers(rows)
    predicted = regression.model().read(melds, numbers)
    tenpai = rows["tenpai"].to_numpy()
    assert predicted[tenpai].mean() > 2 * predicted[~tenpai].mean()
    assert predicted.mean() == pytest.approx(tenpai.mean(), abs=0.01)


def test_terms_add_up(rows: pd.DataFrame, regression: SignsRegression) -> None:
    model = regression.model()
    for _, row in rows.iloc[::97].iterrows():
        numbers = [int(row[name]) for name in SIGNS]
        terms = model.terms(int(row["melds"]), numbers)
        score = sum(weight for _, weight in terms)
        (p,) = model.read(np.array([row["melds"]]), np.array([numbers]))
        assert 1 / (1 + np.exp(-score)) == pytest.approx(p)
        assert len(terms) == 1 + len(SIGNS) + 2 * len(SIGNS) - 3  # the pair of both once
        assert "discards × last_tedashi" in dict(terms)


def test_cells(rows: pd.DataFrame, regression: SignsRegression) -> None:
    """Every number has a cell of its own table, numbers that were never met too."""
    bins = regression.bins_
    strange = np.array([[-(10**4)] * len(SIGNS), [10**4] * len(SIGNS)])
    for numbers in (rows_of.numbers(rows), strange):
        cells = bins.cells(numbers)
        assert (cells >= bins.offsets[:-1]).all()
        assert (cells < bins.offsets[1:]).all()
    by_hand = Bins(np.array([[2, 5], [1, 2**31 - 1]]), np.array([[5], [1]]), np.array([[0, 1]]))
    assert by_hand.offsets.tolist() == [0, 3, 5, 9]
    assert by_hand.cells(np.array([[4, 0], [5, 7]])).tolist() == [[1, 3, 5], [2, 4, 8]]


def test_one_outcome_alone_still_answers(rows: pd.DataFrame) -> None:
    model = SignsRegression(["lead"]).fit(rows[~rows["tenpai"]]).model()
    predicted = model.read(rows["melds"].to_numpy(np.int64), rows_of.numbers(rows))
    assert np.isfinite(predicted).all()
    assert (predicted <= 0.5).all()


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
    regression: SignsRegression, changes: dict[str, Any], reason: str
) -> None:
    model: AdditiveModel = regression.model()
    with pytest.raises(ParameterError, match=reason):
        dataclasses.replace(model, **changes)
