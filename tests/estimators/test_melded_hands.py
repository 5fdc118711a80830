"""The weights of open hands, beside sums by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import houjuu
from houjuu.estimators.kurita_hoki.melded_hands import MeldedHandModel
from houjuu.estimators.kurita_hoki.model import KuritaHoki
from houjuu.estimators.loading import shipped_models
from houjuu.game.decisions import Follower
from houjuu.game.events import Meld
from houjuu.game.table import View
from houjuu.game.tiles import COPIES, KIND, KINDS, SUIT, format_tiles, kind_name, parse_kind
from houjuu.hands.hand_cache import HandCache
from houjuu.logs import mjlog
from houjuu.reading.table1 import SEVERAL
from houjuu.util.arrays import Floats
from tests.kit import real
from tests.kit.positions import changed, chi, pon, view_of

MANZU = 0
ONLY_MANZU: Floats = np.array([1.0, 0.0, 0.0, 0.0])
HALF_MANZU: Floats = np.array([0.5, 0.0, 0.0, 0.5])


@pytest.fixture
def view() -> View:
    """Seat 1 has three melds of manzu and one of the round wind, so that one tile is concealed."""
    view = view_of("9p 3z", "2s 3p")
    melds = (chi("123m"), pon("555m"), chi("678m"), pon("222z"))
    return changed(with_melds(view, melds), round=4)


def with_melds(view: View, melds: tuple[Meld, ...]) -> View:
    first, second, third, fourth = view.seats
    return changed(view, seats=(first, replace(second, melds=melds), third, fourth))


def p_win(model: MeldedHandModel, view: View, joint: Floats) -> Floats:
    return np.asarray(model.scores(view, 1, joint, HandCache()).sum(axis=1))


def by_hand(view: View) -> Floats:
    """Equations 10 and 11: P of the kind of the one tile, by the unseen tiles; 0 if furiten.

    A player who holds the fourth copy of a pon waits for nothing.
    """
    weight = view.unseen().astype(float)
    weight[view.genbutsu(1)] = 0.0
    weight[[parse_kind("5m"), parse_kind("2z")]] = 0.0
    return np.asarray(weight / weight.sum())


def test_the_printed_model_ignores_colours_of_one_tile(view: View) -> None:
    expected = by_hand(view)
    for joint in (ONLY_MANZU, HALF_MANZU):
        assert p_win(MeldedHandModel(), view, joint) == pytest.approx(expected)
    assert expected.sum() == pytest.approx(1)


def test_the_fitted_model_uses_them(view: View) -> None:
    model = MeldedHandModel(colour_of_one_tile=1.0)
    one_suit = np.array([suit in (MANZU, 3) for suit in SUIT])
    expected = by_hand(view)
    wins = p_win(model, view, ONLY_MANZU)
    assert not wins[~one_suit].any()
    assert wins == pytest.approx(np.where(one_suit, expected, 0) / expected[one_suit].sum())
    wins = p_win(model, view, HALF_MANZU)
    assert wins[one_suit].sum() == pytest.approx(0.5)
    assert wins[~one_suit].sum() == pytest.approx(0.5)
    assert len(HALF_MANZU) == SEVERAL + 1


def test_the_printed_constants_ship() -> None:
    """Equation 15 has 0.2; equations 9–18 count hands without a yaku in full; there is no floor."""
    printed, fitted = (
        houjuu.load(name) for name in ("kurita-hoki-2017-printed", "kurita-hoki-2017")
    )
    assert isinstance(printed, KuritaHoki)
    assert isinstance(fitted, KuritaHoki)
    assert printed.hand_model == MeldedHandModel(0.2, 1.0, 0.0, 0.0)
    assert fitted.hand_model.no_yaku < 0.1
    assert not printed.wait_model.floor.any()
    for name in ("ryanmen", "others", "prior", "given", "han", "fu"):
        assert np.array_equal(getattr(printed.wait_model, name), getattr(fitted.wait_model, name))
    for name in ("type1", "type2", "type3"):
        ours, theirs = (getattr(model.tenpai_model, name) for model in (printed, fitted))
        assert np.array_equal(ours, theirs)


def random_one_tile_view(rng: np.random.Generator) -> View:
    """Seat 1 has four open triplets, random rivers and kinds passed; seat 0 a random hand."""
    kinds = rng.permutation(KINDS)
    melds = tuple(
        pon(format_tiles(range(COPIES * kind + 1, COPIES * kind + 4))) for kind in kinds[:4]
    )
    tiles = rng.permutation([COPIES * kind + copy for kind in kinds[4:] for copy in range(4)])
    rivers = [" ".join(kind_name(KIND[tile]) for tile in tiles[i : i + 8]) for i in range(0, 32, 8)]
    made = view_of(*rivers, round=int(rng.integers(8)), hand=tuple(sorted(tiles[32:46].tolist())))
    quarter = int(rng.integers(1 << KINDS)) & int(rng.integers(1 << KINDS))
    return changed(with_melds(made, melds), passed=(0, quarter, 0, 0))


@pytest.mark.parametrize("name", shipped_models())
def test_one_tile_waits_for_one_kind(name: str) -> None:
    """The probabilities of the kinds exclude each other, so that they add up to 1 at most."""
    estimator = houjuu.load(name)
    rng = np.random.default_rng(7)
    for _ in range(20):
        risk = estimator.deal_in(random_one_tile_view(rng))
        total = risk.by_opponent[0].sum()
        assert 0 < total <= 1 + 1e-9


@pytest.mark.real_logs
def test_one_tile_waits_for_one_kind_in_a_real_game() -> None:
    """The seventh game of the archive has a hand of four melds."""
    name, content = real.games("phoenix-hanchan", 7)[-1]
    models = [houjuu.load(model) for model in shipped_models()]
    totals = [
        model.deal_in(decision.view).by_opponent[number].sum()
        for decision in Follower(mjlog.parse(content, name)).discards()
        for number, opponent in enumerate(decision.view.opponents)
        if len(opponent.melds) == 4 and opponent.n_open_melds
        for model in models
    ]
    assert len(totals) > 10
    assert max(totals) <= 1 + 1e-9


def test_hands_without_a_yaku_have_their_full_weight(view: View) -> None:
    """Without a sure yaku the printed model predicts less: such hands take probability."""
    open_hand = with_melds(view, (chi("123m"), pon("999p"), chi("678m")))
    joint = np.array([0.1, 0.1, 0.1, 0.7])
    full = p_win(MeldedHandModel(no_yaku=1.0), open_hand, joint).sum()
    tenth = p_win(MeldedHandModel(no_yaku=0.1), open_hand, joint).sum()
    assert 0 < full < tenth / 2
