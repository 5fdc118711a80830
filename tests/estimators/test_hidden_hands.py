"""Whole hidden hands: agreement with other answers, deals, likelihoods, shapes, features."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import islice, pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import houjuu
from houjuu.estimators.hand_model import PART, HandModel
from houjuu.estimators.protocol import Estimator
from houjuu.game.events import Discard, Draw, Game, Meld, MeldKind
from houjuu.game.seat import RiverTile, Seat
from houjuu.game.table import View
from houjuu.game.tiles import KINDS, kind_counts, parse_kind, parse_tiles
from houjuu.hands.shanten import shanten
from houjuu.reading.hand_features import NAMES, HandReading, features, useful
from houjuu.reading.opponent import opponent_contexts
from houjuu.risk.hidden_hands import HandPool, agreeing, tilted
from houjuu.util.errors import Error, ParameterError
from houjuu.util.parameters import Parameters
from tests.kit.games import walk
from tests.kit.positions import changed, melds, view_of


@pytest.fixture(scope="module")
def estimator() -> Estimator:
    return houjuu.load()


def own_views(games: list[Game], stride: int) -> list[tuple[View, np.ndarray]]:
    """Views of all seats in turn, and the true hands."""
    views = []
    for number, (table, _) in enumerate(walk(games, Draw, Discard), 1):
        if number % stride == 0:
            view = table.view(number // stride % 4)
            hands = [kind_counts(table.round_state.hands[o.seat]) for o in view.opponents]
            views.append((view, np.array(hands, np.int8)))
    return views


def assert_agreement(estimator: Estimator, view: View) -> list[tuple[bool, bool]]:
    """P(tenpai) and P(wins) of each pool are those of the estimator to 1e-9 if they can be.

    The result is whether P(wins) and the copies are. A kind on which no hand wins is named; other
    differences of P(wins) are of sets of hands of which no weights have it.
    """
    hands, risk, unseen = estimator.hands(view), estimator.deal_in(view), estimator.unseen(view)
    exact = []
    for i, (pool, agreement) in enumerate(zip(hands.pools, hands.agreement, strict=True)):
        assert pool.weights.min() >= 0
        assert pool.weights.sum() == pytest.approx(1)
        tenpai = pool.weights[pool.shanten == 0].sum()
        assert hands.shanten[i, 0] == pytest.approx(tenpai, abs=1e-12)
        if 1e-9 < tenpai < 1 - 1e-9 or view.opponents[i].in_riichi:
            assert tenpai == pytest.approx(risk.tenpai[i], abs=1e-9)
        goals = risk.by_opponent[i].copy()
        for kind in agreement.impossible:
            assert not pool.wins[:, kind].any()
            assert goals[kind] > 0
        goals[list(agreement.impossible)] = 0
        gap = np.abs(pool.weights @ pool.wins - goals).max()
        assert gap == pytest.approx(agreement.wins, abs=1e-12)
        assert gap < 1e-9 or not exist(pool, goals)
        n_tiles = pool.hands[0].sum()
        gaps = np.abs(pool.weights @ pool.hands - unseen.expected[i] * n_tiles / unseen.sizes[i])
        exact.append((gap < 1e-9, bool(gaps.max() < 1e-9)))
        assert exact[-1][1] == (not agreement.unheld and agreement.copies < 1e-9)
        furiten = (pool.waits & risk.opponents[i].genbutsu).any(axis=1)
        assert not pool.wins[furiten].any()
    return exact


def exist(pool: HandPool, goals: np.ndarray) -> bool:
    """Whether weights of the tenpai hands exist that give P(wins)."""
    optimize = pytest.importorskip("scipy.optimize")
    rows = pool.shanten == 0
    ones = np.column_stack([pool.wins[rows], np.ones(rows.sum())]).T.astype(float)
    sums = np.append(goals, pool.weights[rows].sum()) / max(pool.weights[rows].sum(), 1e-300)
    return bool(optimize.linprog(np.zeros(rows.sum()), A_eq=ones, b_eq=sums).status == 0)


@pytest.mark.parametrize("stride", [1201, pytest.param(61, marks=pytest.mark.slow)])
def test_agreement_with_the_other_answers(
    games: list[Game], estimator: Estimator, stride: int
) -> None:
    """P(wins) agrees in 99 of 100 pools, the copies in 9 of 10."""
    views = [view for view, _ in own_views(games, stride)]
    exact = np.array([one for view in views for one in assert_agreement(estimator, view)])
    assert (exact.mean(axis=0) > (0.95, 0.8)).all()


@settings(max_examples=15)
@given(st.integers(0, 2**32 - 1))
@example(250)  # slopes of 400
def test_agreement_in_any_position(estimator: Estimator, seed: int) -> None:
    assert_agreement(estimator, fuzzed(np.random.default_rng(seed)))


def test_deals_conserve_tiles(games: list[Game], estimator: Estimator) -> None:
    for view, _ in own_views(games, 97)[:8]:
        hands = estimator.hands(view)
        deals, again, other = hands.sample(40, 3), hands.sample(40, 3), hands.sample(40, 4)
        assert deals.hands.tobytes() == again.hands.tobytes() != other.hands.tobytes()
        assert estimator.hands(view).sample(40, 3).wall.tobytes() == deals.wall.tobytes()
        assert_possible(estimator, view)
        assert deals.weights.sum() == pytest.approx(1)
        ids = deals.tiles(1)[5]
        assert sorted(t for place in ids for t in place) == sorted(
            set(range(136)) - set(view.visible())
        )
        assert [kind_counts(place).tolist() for place in ids[:3]] == deals.hands[5].tolist()


def test_shanten_and_waits_of_deals(games: list[Game], estimator: Estimator) -> None:
    view, _ = own_views(games, 61)[2]
    deals = estimator.hands(view).deals
    sizes = estimator.unseen(view).sizes[:3]
    for row, i in ((row, i) for row in range(0, 500, 100) for i in range(3)):
        if sizes[i] % 3 == 1:
            kinds = np.repeat(np.arange(KINDS), deals.hands[row, i]).tolist()
            assert shanten(kinds) == deals.shanten[row, i]
            assert deals.waits[row, i].any() <= (deals.shanten[row, i] == 0)
            assert not (deals.wins[row, i] & ~deals.waits[row, i]).any()


def test_expectations(games: list[Game], estimator: Estimator) -> None:
    view, _ = own_views(games, 61)[4]
    hands = estimator.hands(view)
    share, error = hands.probability(lambda h: h[:, 0, 5] > 0)
    assert share == pytest.approx(hands.expect(lambda h: h[:, 0, 5] > 0))
    assert 0 <= error <= 0.5 / np.sqrt(len(hands.deals)) + 1e-9
    shapes = hands.likely(0, 4)
    assert [shape.share for shape in shapes] == sorted((s.share for s in shapes), reverse=True)
    every = hands.likely(1, 10_000)
    assert sum(shape.share for shape in every) == pytest.approx(1)
    tenpai = sum(shape.share for shape in every if shape.shanten == 0)
    assert tenpai == pytest.approx(hands.pools[1].weights[hands.pools[1].shanten == 0].sum())
    for shape in every:
        assert bool(shape.waits) <= (shape.shanten == 0)
        kinds = [parse_kind(tile) for tile in shape.blocks.split()]
        assert bool(kinds) == bool(shape.waits)
        assert (shape.example >= np.bincount(kinds, minlength=KINDS)).all()


def test_likelihoods_of_all_hands_sum_to_1(estimator: Estimator) -> None:
    """All 34 hands of an opponent with four melds."""
    view = view_of("1z 9m 8p", "2z 1m 5s", "3z", "4z 6p")
    shown = melds("111m 999m 123p 555z")
    seats = (view.seats[0], replace(view.seats[1], melds=shown), *view.seats[2:])
    source = estimator.hands(changed(view, seats=seats))._sources[0]
    logs = source.log_likelihood(np.eye(KINDS, dtype=np.int8))
    assert np.exp(logs).sum() == pytest.approx(1, abs=0.1)  # the river's normalizer is drawn
    assert (logs == -np.inf).sum() == 2  # 1z is the dora indicator and a discard, but not gone


def test_true_hands_are_likely(games: list[Game], estimator: Estimator) -> None:
    """The true hands are possible, and a hand of unseen copies is not."""
    for view, true in own_views(games, 199)[:6]:
        hands = estimator.hands(view)
        for i, source in enumerate(hands._sources):
            if true[i].sum() == source.n_tiles:
                assert source.log_likelihood(true[i : i + 1])[0] < 0
                impossible = true[i].copy()
                gone = int(np.flatnonzero(estimator.unseen(view).copies < 4)[0])
                impossible[int(np.flatnonzero(impossible)[0])] -= 1
                impossible[gone] = 4
                if impossible.sum() == source.n_tiles:
                    assert source.log_likelihood(impossible[None])[0] == -np.inf
    with pytest.raises(Error, match="concealed tiles"):
        hands.log_likelihood(np.zeros((3, KINDS), np.int8))


def test_numbers_are_checked(estimator: Estimator) -> None:
    hands = estimator.hands(view_of("1m", "2m", "3m", "4m"))
    for n, seed in ((0, 1), (5, -1)):
        with pytest.raises(Error, match="the number is from 1 on"):
            hands.sample(n, seed)
    assert "tenpai" in repr(hands)
    assert repr(hands.sample(7)) == "Deals(7)"


def test_a_model_without_the_part_counts() -> None:
    hands = houjuu.load("kurita-hoki-2017").hands(view_of("1m 2p", "2m", "3m 1z*", "4m"))
    assert not hands.fitted
    assert "by counting" in repr(hands)
    assert hands.shanten[1, 0] == pytest.approx(1)


def test_parts_are_checked() -> None:
    model = HandModel.unfitted()
    arrays = {f"{PART}/{name}": getattr(model, name) for name in vars(model) if name != "fitted"}
    assert HandModel.from_parameters(Parameters({}, arrays)) is not None
    assert HandModel.from_parameters(Parameters({}, {})) is None
    for name, array in (
        ("river", np.zeros((7, 3))),
        ("shapes", np.full_like(model.shapes, 1e9)),
        ("seven_pairs", np.full(7, 0.9)),
        ("names", np.array(["another"] * len(NAMES))),
    ):
        with pytest.raises(ParameterError):
            HandModel.from_parameters(Parameters({}, arrays | {f"{PART}/{name}": array}))


def reading(*rivers: str) -> HandReading:
    view = changed(view_of(*rivers), hand=parse_tiles("1p"))  # which the opponent does not see
    return HandReading.from_context(opponent_contexts(view, view.opponents)[0])


def hand(text: str) -> np.ndarray:
    return np.array(kind_counts(parse_tiles(text)), np.int8)[None]


def feature(name: str, tiles: str, river: HandReading) -> float:
    return float(features(hand(tiles), river, np.full(KINDS, 0.1))[0, NAMES.index(name)])


def test_features_of_the_river() -> None:
    """Each by a hand that has it and one that has it not; the river is that of seat 1."""
    river = reading("9s", "1z 4p 9m' 2s 7z'", "", "1s 9p 9p 9p 5s")
    ryanmen, other = "123m 456m 23p 678s 11s", "123m 456m 79p 678s 11s"
    assert feature("tenpai: furiten", ryanmen, river) == 1  # 4p
    assert feature("tenpai: furiten", other, river) == 0
    assert feature("tenpai: 2 kinds", ryanmen, river) == 1
    assert feature("tenpai: live copies of its waits, quarters", ryanmen, river) == 7 / 4
    further = "123m 456m 7z 19p 68s 11s"
    assert feature("useful kinds thrown since the last tedashi", further, river) == 1  # 7z
    assert feature("tenpai: a wait passed since the last tedashi", "123m 456m 678p 46s 11s", river)
    assert feature("holds a copy of the last tedashi", "123m 456m 678p 24s 11s", river) == 1
    assert feature("the last tedashi cost 1 shanten", "123m 456m 678p 9s 13s 8p", river) == 1
    assert feature("flush", "123456789m 1112z", river) == 1
    assert feature("simples only", "234m 456m 678p 46s 22s", river) == 1
    assert feature("five pairs or more", "1122m 3344p 55s 678s", river) == 1


@settings(max_examples=10)
@given(st.lists(st.floats(0.05, 1), min_size=12, max_size=12), st.integers(0, 99))
def test_tilts(start: list[float], seed: int) -> None:
    """Means that some weights have are found, and those weights stay positive."""
    rng = np.random.default_rng(seed)
    columns = rng.normal(size=(12, 3))
    goal = rng.dirichlet([5.0] * 12)
    shares = np.array([goal[:5].sum(), goal[5:].sum()])
    rows = np.array(start), (np.repeat([0, 1], [5, 7]), shares)
    tilts = np.zeros(3), np.full(3, 1e-13)
    found = tilted(*rows, columns - goal @ columns, *tilts)
    assert found is not None
    weights, slopes = found
    assert weights @ columns == pytest.approx(goal @ columns, abs=1e-9)
    assert np.add.reduceat(weights, [0, 5]) == pytest.approx(shares)
    rests = np.log(weights / start) - columns @ slopes
    assert rests == pytest.approx(np.repeat(rests[[0, 5]], [5, 7]), abs=1e-6)
    assert tilted(*rows, columns - columns.max(axis=0) - 1, *tilts) is None


def test_wins_come_before_copies() -> None:
    """All hands but one win, which is said of nearly none; of each kind as many are expected."""
    hands = np.random.default_rng(0).multinomial(4, [1 / KINDS] * KINDS, 20)
    wins = np.arange(20)[:, None] > 20 * np.arange(KINDS)
    pool = HandPool(hands.astype(np.int8), np.ones(20) / 20, np.zeros(20, int), wins, wins)
    source: Any = SimpleNamespace(n_tiles=4, p_win=np.eye(KINDS)[0] / 1e5)
    assert agreeing(source, np.ones(KINDS), pool)[1].wins < 1e-9


def fuzzed(rng: np.random.Generator) -> View:
    """A position of any tiles: melds, riichi, a hidden hand, an empty wall, a suit that few see."""
    tiles = rng.permutation(136).tolist()
    if rng.random() < 0.2:
        last = rng.integers(4)  # a suit that few see
        tiles.sort(key=lambda tile: tile // 36 == last)
    shown: list[list[Meld]] = [[], [], [], []]
    for index, kind in enumerate(rng.permutation(KINDS)[:16].tolist()):
        if rng.random() < 0.25:
            own = tuple(range(4 * kind, 4 * kind + 3))
            tiles = [tile for tile in tiles if tile not in own]
            shown[index % 4].append(Meld(MeldKind.PON, own, own[0], (index + 1) % 4))
    concealed = sum(13 - 3 * len(melds) for melds in shown)
    left = int(rng.integers(70)) if rng.random() < 0.8 else 0
    in_rivers = max(len(tiles) - concealed - left - 14, 0)
    ends = [0, *np.sort(rng.integers(in_rivers + 1, size=3)).tolist(), in_rivers]
    seats = []
    for index, (start, end) in enumerate(pairwise(ends)):
        riichi = end > start and not shown[index] and rng.random() < 0.5
        river = tuple(
            RiverTile(tile, bool(rng.random() < 0.4), riichi and 2 * i == end - start, 4 * i, 0)
            for i, tile in enumerate(tiles[start:end])
        )
        melds = tuple(shown[index])
        seats.append(Seat(index, river, melds, declared=riichi, in_riichi=riichi))
    rest = tiles[in_rivers:]
    hand = sorted(rest[: 13 - 3 * len(shown[0])])
    return view_of(
        hand=() if rng.random() < 0.2 else tuple(hand),
        dora_indicators=(rest[-1],),
        seats=tuple(seats),
        tiles_left=len(rest) - concealed - 14,
    )


def assert_possible(estimator: Estimator, view: View) -> None:
    """Tiles are conserved, and P(tenpai) is that of the estimator if it can be."""
    hands, unseen = estimator.hands(view), estimator.unseen(view)
    deals = hands.sample(16)
    assert (deals.wall >= 0).all()
    assert (deals.hands.sum(axis=1) + deals.wall == unseen.copies).all()
    assert (deals.hands.sum(axis=2) == unseen.sizes[:3]).all()
    for pool, tenpai in zip(hands.pools, estimator.tenpai(view), strict=True):
        assert pool.weights.sum() == pytest.approx(1)
        if 0 < (share := pool.weights[pool.shanten == 0].sum()) < 1 - 1e-9:
            assert share == pytest.approx(tenpai, abs=1e-9)


@pytest.mark.parametrize("n", [8, pytest.param(300, marks=pytest.mark.slow)])
def test_fuzzed_positions(estimator: Estimator, n: int) -> None:
    rng = np.random.default_rng(n)
    for _ in range(n):
        assert_possible(estimator, fuzzed(rng))


def test_five_copies_are_no_view() -> None:
    view = fuzzed(np.random.default_rng(0))
    values = {entry.name: getattr(view, entry.name) for entry in fields(view)}
    with pytest.raises(Error, match=r"copies|twice"):
        View(**(values | {"hand": (0, 0, 0, 0, 0)}))


def test_three_riichi_and_a_hidden_hand(estimator: Estimator) -> None:
    riichi = "1z 2z 3z 4z 5z*"
    assert_possible(estimator, view_of("1m", riichi, riichi, riichi, hand=()))


def test_the_engine_agrees_on_waits(games: list[Game], estimator: Estimator) -> None:
    for view, true in islice(own_views(games, 83), 6):
        for context, copies in zip(opponent_contexts(view, view.opponents), true, strict=True):
            river = HandReading.from_context(context)
            if copies.sum() == river.n_tiles:
                found = useful(copies[None], river.sets)
                kinds = np.repeat(np.arange(KINDS), copies).tolist()
                assert found.shanten[0] == shanten(kinds)
