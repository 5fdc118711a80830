"""The result of a query: exact numbers of a small example, and properties of whole games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import houjuu
from houjuu.estimators.kurita_hoki.melded_hands import MeldedHandModel
from houjuu.estimators.loading import shipped_models
from houjuu.game.events import Deal, Discard, Game, Win
from houjuu.game.table import Table, View
from houjuu.game.tiles import KIND, KINDS, RED_FIVES, TILES, kind_name, parse_kind, parse_tiles
from houjuu.hands.points import CODES, POINTS, fu_of, han_of, score_code
from houjuu.hands.wait_types import FIRST_SHANPON, FIRST_TANKI, WIN_KIND, WIN_WAIT, ryanmen
from houjuu.reading.opponent import OpponentType
from houjuu.risk.deal_in import DealIn
from houjuu.risk.opponent_risk import FactoredScores, OpponentRisk, score_distribution
from houjuu.util.arrays import Floats
from tests.hands.shapes import shapes
from tests.kit.positions import changed

HAN = np.arange(CODES) // 16
FIVE, ONE, EAST = map(parse_kind, ("5m", "1p", "1z"))
RED_FIVE, PLAIN_FIVE = parse_tiles("05m")
Scores = dict[tuple[int, int], float]


# ---- exact numbers: right may win on 5m and 1p, across (the dealer) on 5m, left on nothing ----


def opponent_risk(seat: int, scores: dict[int, Scores], *, dealer: bool = False) -> OpponentRisk:
    """An opponent with P(wins on the kind with han and fu)."""
    distribution = np.zeros((KINDS, CODES))
    for kind, probabilities in scores.items():
        for (han, fu), probability in probabilities.items():
            distribution[kind, score_code(han, fu)] = probability
    genbutsu = np.arange(KINDS) == EAST
    colour = np.array([0.1, 0.2, 0.3, 0.4])
    tenpai = 0.5 + seat / 10
    return OpponentRisk(
        seat, OpponentType.TWO_MELDS, dealer, genbutsu, tenpai, colour, distribution
    )


@pytest.fixture
def risk() -> DealIn:
    """Two honba, 600 points more for each ron."""
    right = opponent_risk(1, {FIVE: {(2, 30): 0.1, (12, 30): 0.02}, ONE: {(1, 30): 0.3}})
    across = opponent_risk(2, {FIVE: {(1, 40): 0.2}}, dealer=True)
    return DealIn((right, across, opponent_risk(3, {})), honba=2)


def by_kind(five: float, one: float) -> Floats:
    expected = np.zeros(KINDS)
    expected[[FIVE, ONE]] = five, one
    return expected


def test_probabilities_by_opponent(risk: DealIn) -> None:
    assert risk.tenpai == pytest.approx([0.6, 0.7, 0.8])
    expected = [by_kind(0.12, 0.3), by_kind(0.2, 0), by_kind(0, 0)]
    assert risk.by_opponent == pytest.approx(np.array(expected))


def test_a_double_ron_counts_once(risk: DealIn) -> None:
    """1 - (1 - 0.12) (1 - 0.2), not 0.12 + 0.2."""
    assert risk.any == pytest.approx(by_kind(0.296, 0.3))
    certain = opponent_risk(1, {FIVE: {(1, 30): 1.0}})
    assert replace(risk, opponents=(certain, certain, certain)).any[FIVE] == 1


def test_expected_points_include_honba_and_the_dealer(risk: DealIn) -> None:
    """5m: 2,600 at 0.1 and 24,600 at 0.02 to right; 2,600 (the dealer's 2,000) at 0.2 to across."""
    expected = [by_kind(260 + 492, 480), by_kind(520, 0), by_kind(0, 0)]
    assert risk.points_by_opponent == pytest.approx(np.array(expected))
    assert risk.points == pytest.approx(by_kind(1272, 480))
    assert replace(risk, honba=0).points == pytest.approx(by_kind(1272 - 0.32 * 600, 300))


def test_a_red_five_adds_a_han(risk: DealIn) -> None:
    """4,500 and 32,600 (yakuman) to right; 4,500 (the dealer's 3,900) to across."""
    assert risk.points_of(RED_FIVE) == pytest.approx(450 + 652 + 900)
    assert risk.tile_points_by_opponent(RED_FIVE) == pytest.approx([1102, 900, 0])
    expected = np.zeros((3, CODES))
    expected[0, score_code(3, 30)] = 0.1
    expected[0, score_code(13, 30)] = 0.02
    expected[1, score_code(2, 40)] = 0.2
    assert risk.tile_scores(RED_FIVE) == pytest.approx(expected)


def test_a_plain_tile_costs_what_its_kind_costs(risk: DealIn) -> None:
    assert risk.points_of(PLAIN_FIVE) == pytest.approx(1272)
    assert risk.tile_points_by_opponent(PLAIN_FIVE) == pytest.approx([752, 520, 0])
    assert risk.tile_scores(PLAIN_FIVE) == pytest.approx(
        np.stack([opponent.score_distribution[FIVE] for opponent in risk.opponents])
    )
    without_reds = replace(risk, red_fives=False)
    assert without_reds.points_of(RED_FIVE) == pytest.approx(1272)
    assert without_reds.tile_points_by_opponent(RED_FIVE) == pytest.approx([752, 520, 0])


def test_scores_of_a_kind(risk: DealIn) -> None:
    """Equal points to two opponents are one entry."""
    assert risk.scores("5m") == pytest.approx({2600: 0.3, 24600: 0.02})
    assert list(risk.scores("5m")) == [2600, 24600]
    assert risk.scores("1p") == pytest.approx({1600: 0.3})
    assert risk.scores("1z") == {}
    higher_first = opponent_risk(1, {ONE: {(4, 30): 0.1}}), opponent_risk(2, {ONE: {(1, 30): 0.2}})
    scores = replace(risk, opponents=(*higher_first, opponent_risk(3, {}))).scores("1p")
    assert list(scores.items()) == [(1600, 0.2), (8300, 0.1)]


def methods(risk: DealIn) -> tuple[Callable[[Any], Any], ...]:
    """Everything that takes a tile."""
    return (
        risk.__getitem__,
        risk.scores,
        risk.tile_scores,
        lambda tile: risk.scores_of_tiles([tile]),
        risk.points_of,
        risk.tile_points_by_opponent,
        risk.explain,
        lambda tile: risk.to_dict([tile]),
        risk.opponents[0].explain,
    )


UNKNOWN = [
    -1,
    TILES,
    5.0,
    True,
    None,
    "",
    "5x",
    "8z",
    "0z",
    "m",
    "5m5m",
    "100",
    "16",
    "51",
    ["5m"],
    10**5000,
]


@pytest.mark.parametrize("tile", UNKNOWN, ids=range(len(UNKNOWN)))
def test_unknown_tiles_are_refused_with_one_sentence(risk: DealIn, tile: Any) -> None:
    errors = set()
    for method in methods(risk):
        with pytest.raises(houjuu.Error, match="is not one tile; write its name") as info:
            method(tile)
        errors.add(str(info.value))
    assert len(errors) == 1


def test_every_method_takes_names_and_ids(risk: DealIn) -> None:
    """A number is an id, also below 34; text is a name: ids that went through JSON are refused."""
    for names in (
        ("5m", " 5m", PLAIN_FIVE, PLAIN_FIVE + 2, np.int64(PLAIN_FIVE)),
        ("0m", "5mr", RED_FIVE),
        ("1m", 0, 3),
        ("1z", "E", "東", 4 * EAST, 4 * EAST + 3),
    ):
        for method in methods(risk):
            assert len({repr(method(name)) for name in names}) == 1, names
    for method in methods(replace(risk, red_fives=False))[:-1]:
        assert repr(method(RED_FIVE)) == repr(method("5m"))
        with pytest.raises(houjuu.Error, match="'0m' is a red five, and this game has none"):
            method("0m")


def test_a_risk_has_every_tile_once(risk: DealIn) -> None:
    assert "5p" in risk
    assert 16 in risk
    assert "16" not in risk
    assert len({*risk}) == len([*risk]) == 37
    assert all(risk[tile].name == tile for tile in risk)
    assert len([*replace(risk, red_fives=False)]) == 34


def test_the_question_is_about_a_view(estimator: houjuu.Estimator) -> None:
    for ask in (estimator.deal_in, estimator.unseen):
        with pytest.raises(TypeError, match=r"of a View, as live\.view is, not of a Live"):
            ask(houjuu.Live(0))  # type: ignore[arg-type]


def test_a_red_five_has_its_own_scores(risk: DealIn) -> None:
    assert risk.scores("0m") == pytest.approx({4500: 0.3, 32600: 0.02})
    right, across, _ = risk.explain("0m")
    assert [term.name for term in (*right.terms, *across.terms)] == [
        "3 han 30 fu",
        "13 han 30 fu",
        "2 han 40 fu",
    ]
    assert right.probability == risk.explain("5m")[0].probability


def test_explanation_of_an_open_hand(risk: DealIn) -> None:
    """The scores, the most likely first."""
    right, across, left = risk.explain("5m")
    assert [(term.name, term.probability) for term in right.terms] == [
        ("2 han 30 fu", 0.1),
        ("12 han 30 fu", 0.02),
    ]
    assert [(term.name, term.probability) for term in across.terms] == [("1 han 40 fu", 0.2)]
    assert left.terms == right.reasons == right.tenpai_reasons == ()
    assert [one.probability for one in (right, across, left)] == pytest.approx([0.12, 0.2, 0])
    assert [one.tenpai for one in (right, across, left)] == [0.6, 0.7, 0.8]
    assert [one.seat for one in (right, across, left)] == [1, 2, 3]
    assert right.opponent_type is OpponentType.TWO_MELDS
    assert right.colour.tolist() == [0.1, 0.2, 0.3, 0.4]
    assert not right.genbutsu
    assert risk.explain("1z")[0].genbutsu


def closed(p_five: float) -> OpponentRisk:
    """An opponent (tenpai 0.6) with P(wins | tenpai) 0.2 by 34m, 0.1 by 55m, and others."""
    p_win = np.zeros(len(WIN_WAIT))
    for wait, kind, probability in (
        (ryanmen(0, 1), FIVE, 0.2),
        (FIRST_SHANPON + FIVE, FIVE, 0.1),
        (ryanmen(0, 1), parse_kind("2m"), 0.25),
        (FIRST_TANKI + EAST, EAST, 0.05),
    ):
        p_win[(wait == WIN_WAIT) & (kind == WIN_KIND)] = probability
    opponent = opponent_risk(1, {FIVE: {(1, 30): p_five}})
    return replace(
        opponent,
        p_win_by_wait=p_win,
        explainer=lambda kind: {"small": 0.05, "large": -0.3, "kind": kind / 100},
        tenpai_explainer=lambda: {"base": 0.1, "river": 0.7, "pace": -0.2},
    )


def test_factored_scores_equal_their_distribution() -> None:
    """P(wins), points and terms are the same from the factors and from the whole distribution."""
    rng = np.random.default_rng(4)
    by_han, fu = rng.random((KINDS, 14)) / 40, rng.random((KINDS, 3, 16))
    by_han[:, 0] = 0
    fu /= fu.sum(axis=2, keepdims=True)
    for dealer in (False, True):
        plain = opponent_risk(2, {}, dealer=dealer)
        factored = replace(plain, scores=FactoredScores(by_han.sum(axis=1), by_han, fu))
        whole = replace(plain, scores=factored.score_distribution)
        for han in (1, 2, 3, 5):
            expected = by_han[FIVE, han] * fu[FIVE, min(han, 3) - 1, 3]
            assert whole.score_distribution[FIVE, score_code(han, 30)] == expected
        assert whole.p_win == pytest.approx(factored.p_win, abs=1e-12)
        assert whole.expected_points == pytest.approx(factored.expected_points, rel=1e-12)
        assert whole.explain("5m").terms == factored.explain("5m").terms
        assert factored.score_distribution is factored.score_distribution


def test_explanation_of_a_closed_hand() -> None:
    """The waits are scaled by P(tenpai); the rest stands alone; all parts are sorted by size."""
    explanation = closed(0.26).explain("5m")
    assert [term.name for term in explanation.terms] == [
        "ryanmen 34m",
        "none of the waits",
        "shanpon 55m",
    ]
    parts = [term.probability for term in explanation.terms]
    assert parts == pytest.approx([0.12, 0.08, 0.06])
    assert sum(parts) == pytest.approx(explanation.probability) == pytest.approx(0.26)
    assert [reason.name for reason in explanation.reasons] == ["large", "small", "kind"]
    reasons = [reason.probability for reason in explanation.reasons]
    assert reasons == pytest.approx([-0.18, 0.03, 0.024])
    assert [(reason.name, reason.probability) for reason in explanation.tenpai_reasons] == [
        ("river", 0.7),
        ("pace", -0.2),
        ("base", 0.1),
    ]


@pytest.mark.parametrize("kind", OpponentType)
@pytest.mark.parametrize("tenpai", [0.29, 0.3])
def test_only_a_closed_hand_without_riichi_is_silent(kind: OpponentType, tenpai: float) -> None:
    opponent = replace(closed(0.26), opponent_type=kind, tenpai=tenpai)
    assert opponent.silent == (kind is OpponentType.CLOSED and tenpai == 0.3)


def test_a_wait_on_two_kinds_counts_once() -> None:
    """34m wins on both of 2m and 5m; 55m on the five alone, and what is no wait stands alone."""
    two = parse_kind("2m")
    scores = opponent_risk(1, {FIVE: {(1, 30): 0.26}, two: {(1, 30): 0.17}}).scores
    opponent = replace(closed(0.26), scores=scores)
    # the larger of 0.6 × 0.25 and 0.6 × 0.2 by 34m; 0.6 × 0.1 by 55m; rests of 0.08 and 0.02
    assert opponent.either([FIVE, two]) == pytest.approx(0.15 + 0.06 + 0.08 + 0.02)
    assert opponent.either([FIVE, FIVE]) == pytest.approx(0.26)
    assert opponent.either([]) == 0


def test_of_two_suji_of_an_open_hand_the_less_likely_counts_in_part() -> None:
    eight, two = parse_kind("8m"), parse_kind("2m")
    chances = {FIVE: 0.1, eight: 0.05, two: 0.04, ONE: 0.3}
    opponent = opponent_risk(3, {kind: {(1, 30): p} for kind, p in chances.items()})
    assert opponent.either([eight, FIVE]) == pytest.approx(0.1 + 0.31 * 0.05)
    assert opponent.either([eight, two]) == pytest.approx(0.09)
    assert opponent.either([two, FIVE, eight]) == pytest.approx(0.1 + 0.31 * (0.05 + 0.04))
    assert opponent.either([ONE, FIVE]) == pytest.approx(0.4)


def test_either_lies_between_the_larger_and_the_sum(
    own_games: list[Game], estimator: houjuu.Estimator
) -> None:
    rng = np.random.default_rng(8)
    for _, risk in queries(own_games[0], estimator):
        kinds = rng.choice(KINDS, 3, replace=False).tolist()
        tiles = [kind_name(kind) for kind in kinds]
        for opponent in risk.opponents:
            chances = opponent.p_win[kinds]
            found = opponent.either(kinds)
            assert chances.max() - 1e-9 <= found <= min(chances.sum(), opponent.tenpai) + 1e-9
            assert found >= opponent.either(kinds[:2]) - 1e-9
            assert opponent.either(kinds[:1]) == pytest.approx(chances[0])
        assert risk.either(tiles[:1]) == pytest.approx(risk[tiles[0]].probability)
        whole = risk.to_dict()["either"]
        assert len(whole) == 18
        assert whole["5p 8p"] == round(risk.either(["5p", "8p"]), 6)
        assert whole["5p 8p"] <= risk["5p"].probability + risk["8p"].probability + 1e-6


def test_no_rest_where_the_waits_are_everything() -> None:
    assert len(closed(0.18).explain("5m").terms) == 2


# ---- properties of whole games, with every model that ships ----


FORMS = [name for name in shipped_models() if name != "houjuu-evaluated"]  # that is one of "houjuu"


@pytest.fixture(scope="module", params=FORMS)
def estimator(request: pytest.FixtureRequest) -> houjuu.Estimator:
    return houjuu.load(request.param)


def queries(
    game: Game, estimator: houjuu.Estimator, every: int = 1
) -> Iterator[tuple[View, houjuu.DealIn]]:
    table = Table(game.rules)
    caches = [houjuu.HandCache() for _ in range(4)]
    n_queries = 0
    for number, event in enumerate(game):
        if isinstance(event, Discard) and number % every == 0:
            view = table.view(event.seat)
            yield view, estimator.deal_in(view, caches[event.seat])
            n_queries += 1
        table.apply(event)
    assert n_queries > 200 / every


def has_reasons(estimator: houjuu.Estimator) -> bool:
    return estimator.model.startswith("houjuu")


def is_printed(estimator: houjuu.Estimator) -> bool:
    """Whether it is the paper's model as printed, which has no floor: some kinds have P = 0."""
    return estimator.model.endswith("-printed")


MOST_WAITS = {
    **{tiles: int(max(map(int.bit_count, shapes(tiles).waits.tolist()))) for tiles in (1, 4, 7)},
    10: 9,
    13: 13,
}
"""Most kinds that a hand with so many concealed tiles waits for; 10 tiles cannot be kokushi."""


def test_kinds_of_a_hand_are_limited(own_games: list[Game], estimator: houjuu.Estimator) -> None:
    """Σ P(wins on the kind) ≤ P(tenpai) × the most kinds that a hand of the size waits for."""
    assert MOST_WAITS[1] == 1
    sizes = set()
    for game in own_games:
        for view, risk in queries(game, estimator, every=7):
            for seat, opponent, row in zip(
                view.opponents, risk.opponents, risk.by_opponent, strict=True
            ):
                assert row.sum() <= opponent.tenpai * MOST_WAITS[seat.n_concealed] + 1e-9
                sizes.add(seat.n_concealed)
    assert sizes >= {4, 7, 10, 13}


def test_reasons_add_up(own_games: list[Game], estimator: houjuu.Estimator) -> None:
    """The reasons sum to the probability of a kind and to P(tenpai), where the model has them."""
    types_with_reasons = set()
    for view, risk in list(queries(own_games[0], estimator))[::5]:
        for kind in {KIND[tile] for tile in view.hand}:
            for explanation in risk.explain(kind_name(kind)):
                reasons = [reason.probability for reason in explanation.reasons]
                tenpai_reasons = [reason.probability for reason in explanation.tenpai_reasons]
                if reasons:
                    types_with_reasons.add(explanation.opponent_type)
                    assert sum(reasons) == pytest.approx(explanation.probability, abs=1e-6)
                if tenpai_reasons:
                    assert sum(tenpai_reasons) == pytest.approx(explanation.tenpai)
    if has_reasons(estimator):
        assert {
            OpponentType.RIICHI,
            OpponentType.CLOSED,
            OpponentType.ONE_MELD,
        } < types_with_reasons
    else:
        assert not types_with_reasons


def test_terms_add_up(own_games: list[Game], estimator: houjuu.Estimator) -> None:
    """The waits and scores of an explanation sum to its probability; genbutsu has neither."""
    n_closed = n_open = 0
    for view, risk in queries(own_games[1], estimator, every=23):
        for kind in range(KINDS):
            for explanation, row in zip(
                risk.explain(kind_name(kind)), risk.by_opponent, strict=True
            ):
                total = sum(term.probability for term in explanation.terms)
                assert explanation.probability == pytest.approx(row[kind])
                assert total == pytest.approx(explanation.probability, abs=1e-9)
                assert explanation.genbutsu == view.genbutsu(explanation.seat)[kind]
                assert not (explanation.genbutsu and row[kind])
                n_open += explanation.opponent_type.is_melded
                n_closed += not explanation.opponent_type.is_melded
    assert min(n_closed, n_open) > 200


def test_bounds_and_certainties(own_games: list[Game], estimator: houjuu.Estimator) -> None:
    types = set()
    for view, risk in queries(own_games[0], estimator):
        assert risk.by_opponent.shape == (3, KINDS)
        assert ((risk.by_opponent >= 0) & (risk.by_opponent <= 1)).all()
        assert (risk.any <= risk.by_opponent.sum(axis=0) + 1e-12).all()
        assert (risk.any >= risk.by_opponent.max(axis=0) - 1e-12).all()
        for seat, opponent, row in zip(
            view.opponents, risk.opponents, risk.by_opponent, strict=True
        ):
            genbutsu = view.genbutsu(seat.seat)
            assert not row[genbutsu].any()
            assert is_printed(estimator) or (row[~genbutsu] > 0).all()
            assert (row <= opponent.tenpai + 1e-9).all()
            assert not seat.in_riichi or opponent.tenpai == 1
            types.add(opponent.opponent_type)
        assert np.allclose(risk.tenpai, estimator.tenpai(view), rtol=1e-12)
    assert types >= set(OpponentType) - {OpponentType.FOUR_MELDS}


def test_points_are_the_mean_of_the_scores(
    own_games: list[Game], estimator: houjuu.Estimator
) -> None:
    for _, risk in queries(own_games[1], estimator, every=9):
        for kind in range(KINDS):
            scores = risk.scores(kind_name(kind))
            assert sum(scores.values()) == pytest.approx(risk.by_opponent[:, kind].sum())
            mean = sum(points * p for points, p in scores.items())
            assert mean == pytest.approx(risk.points[kind], abs=1e-6)
            assert list(scores) == sorted(scores)


def test_red_fives_in_games(own_games: list[Game], estimator: houjuu.Estimator) -> None:
    for _, risk in queries(own_games[1], estimator, every=9):
        for tile in range(TILES):
            scores, kind = risk.tile_scores(tile), KIND[tile]
            assert np.allclose(scores.sum(axis=1), risk.by_opponent[:, kind])
            if tile not in RED_FIVES:
                assert risk[tile].points == pytest.approx(risk.points[kind], abs=1e-6)
                continue
            for opponent, red_scores in zip(risk.opponents, scores, strict=True):
                plain = np.bincount(HAN, opponent.score_distribution[kind], 14)
                plain[13] += plain[12]  # yakuman (役満) is the limit
                assert np.allclose(np.bincount(HAN, red_scores, 14)[2:], [*plain[1:12], plain[13]])
            assert risk[tile].points >= risk.points[kind] - 1e-9


def test_on_the_last_discard_every_melded_hand_has_a_yaku(
    own_games: list[Game], estimator: houjuu.Estimator
) -> None:
    """Houtei (河底): every win scores a han more, and hands without another yaku win too.

    The han of all wins together can fall, although rarely: those hands then count fully, and their
    only han is that of houtei.
    """
    n_more = n_more_han = n_melded = 0
    for view, risk in queries(own_games[1], estimator, every=11):
        risk_at_houtei = estimator.deal_in(changed(view, tiles_left=0))
        for before, last in zip(risk.opponents, risk_at_houtei.opponents, strict=True):
            wins_before, wins_last = (
                opponent.score_distribution.any(axis=1) for opponent in (before, last)
            )
            if is_printed(estimator):
                assert (wins_before <= wins_last).all()
            else:
                assert (wins_before == wins_last).all()
            # the tenpai and wait features of the default model depend on the tiles left, too
            if before.opponent_type.is_melded and not has_reasons(estimator):
                scores, scores_last = (
                    opponent.score_distribution / opponent.tenpai for opponent in (before, last)
                )
                assert scores_last.sum() > 0.99 * scores.sum()  # their weight falls
                n_melded += 1
                n_more += scores_last.sum() > 1.02 * scores.sum()
                n_more_han += (scores_last @ HAN).sum() > (scores @ HAN).sum()
    assert n_more > 3 or has_reasons(estimator)
    assert n_more_han >= 0.9 * n_melded


def test_a_cache_changes_no_result(own_games: list[Game], estimator: houjuu.Estimator) -> None:
    for view, risk in queries(own_games[2], estimator, every=17):
        uncached = estimator.deal_in(view)
        for ours, theirs in zip(risk.opponents, uncached.opponents, strict=True):
            assert np.allclose(
                ours.score_distribution, theirs.score_distribution, rtol=1e-9, atol=1e-15
            )


def test_the_tile_of_every_ron_has_a_probability(
    own_games: list[Game], estimator: houjuu.Estimator
) -> None:
    n_rons = 0
    for game in own_games:
        table, view = Table(game.rules), None
        for event in game:
            if isinstance(event, Deal):
                view = None
            ron = isinstance(event, Win) and view is not None and view.seat == event.source
            if isinstance(event, Win) and ron and event.seat != event.source and view is not None:
                opponent = (event.seat - event.source) % 4 - 1
                risk = estimator.deal_in(view)
                assert is_printed(estimator) or risk.by_opponent[opponent, KIND[event.tile]] > 0
                n_rons += 1
            if isinstance(event, Discard):
                view = table.view(event.seat)
            table.apply(event)
    assert n_rons > 10


def test_han_and_fu_become_codes() -> None:
    scores = np.zeros((KINDS, 13, 2))
    scores[5, 1, 0], scores[5, 2, 1] = 0.25, 0.5  # 2 han 25 fu, 3 han 30 fu
    distribution = score_distribution(scores, (25, 30))
    (kind,) = np.flatnonzero(distribution.any(axis=1)).tolist()
    codes = np.flatnonzero(distribution[kind]).astype(np.uint8)
    assert kind == 5
    assert (han_of(codes).tolist(), fu_of(codes).tolist()) == ([2, 3], [25, 30])
    assert POINTS[0, codes].tolist() == [1600, 3900]
    assert distribution[kind, codes].tolist() == [0.25, 0.5]


@pytest.mark.parametrize(
    ("name", "weight"),
    [("other_forms", 0.0), ("no_yaku", 0.0), ("floor", 2.5), ("colour_of_one_tile", 2.5)],
)
def test_absurd_weights_are_refused(name: str, weight: float) -> None:
    with pytest.raises(houjuu.Error, match="melded hands"):
        MeldedHandModel(**{name: weight})
