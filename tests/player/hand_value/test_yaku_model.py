from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from riichienv import calculate_shanten

from houjuu.game.events import Meld
from houjuu.game.tiles import COPIES, HAKU, KIND, KINDS, parse_kind, parse_tiles
from houjuu.game.yaku import (
    CHANTA,
    CHIITOITSU,
    CHINITSU,
    DORA,
    HONITSU,
    HONROUTOU,
    IIPEIKOU,
    JUNCHAN,
    KOKUSHI_MUSOU,
    PINFU,
    SANANKOU,
    TANYAO,
    TOITOI,
    YAKU,
)
from houjuu.player.hand_value import hand_decomposition, yaku_model, yaku_targets
from houjuu.player.hand_value.yaku_model import COLUMNS, YakuModel, terms
from houjuu.player.hand_value.yaku_targets import (
    FOUR_SETS,
    GROUPS,
    KOKUSHI,
    SEVEN_PAIRS,
    SURE,
    TARGET_YAKU,
    TARGETS,
    WIN,
    YAKUHAI,
    HandSummary,
    YakuTarget,
    yaku_name,
)
from tests.kit.positions import melds as melds_of
from tests.kit.real import SHARED

SOURCE = SHARED / "seeds" / "001_1334038aa03c89e8.txt"


def hand(
    text: str,
    melds: Sequence[Meld] = (),
    dora: Sequence[int] = (HAKU,),
    tiles_left: int = 48,
    open_tanyao: bool = True,
) -> HandSummary:
    """Of the south seat in an east round."""
    tiles = parse_tiles(text)
    return yaku_targets.summarize(
        tiles,
        melds,
        round_wind=27,
        seat_wind=28,
        dora=dora,
        tiles_left=tiles_left,
        shanten=max(int(calculate_shanten(tiles)), 0),
        open_tanyao=open_tanyao,
    )


@pytest.fixture(scope="module")
def any_weights() -> YakuModel:
    """Arbitrary weights, for properties of every model."""
    random = np.random.default_rng(21)
    weights = random.normal(0, 0.1, (2, len(TARGETS), len(COLUMNS)))
    return YakuModel(weights, np.array([1.2, 1.1]), random.uniform(0, 1, (3, 2)))


@pytest.fixture(scope="module")
def shipped() -> YakuModel:
    return yaku_model.load()


@pytest.mark.skipif(not SOURCE.exists(), reason="the source is not beside the project")
def test_groups_are_the_sources() -> None:
    lists = re.findall(r"(?:^[^\s/]+(?:/[^\s/]+)+$\n){2,}", SOURCE.read_text(), re.MULTILINE)
    named = [tuple("/".join(map(yaku_name, group)) for group in groups) for groups in GROUPS]
    assert [tuple(text.split()) for text in lists] == [named[SEVEN_PAIRS], named[FOUR_SETS]]
    assert named[KOKUSHI] == ("国士無双",)
    assert (len(GROUPS[FOUR_SETS]), len(GROUPS[SEVEN_PAIRS]), len(GROUPS[KOKUSHI])) == (15, 2, 1)


def test_han_are_the_rules() -> None:
    from mahjong.hand_calculating.yaku_config import YAKU_ID_TO_TENHOU_ID, YakuConfig

    config = YakuConfig()
    every = [getattr(config, name) for name in dir(config) if not name.startswith("_")]
    han = {
        YAKU_ID_TO_TENHOU_ID[yaku.yaku_id]: (yaku.han_closed, yaku.han_open)
        for yaku in every
        if getattr(yaku, "yaku_id", None) in YAKU_ID_TO_TENHOU_ID
    }
    for yaku, numbers in TARGET_YAKU.items():
        for number in numbers[: 1 if yaku in (KOKUSHI_MUSOU, DORA) else None]:
            closed, opened = han[number]
            first = YAKU[numbers[0]]
            assert (first.han_closed, first.han_open) == (closed, opened or 0), yaku_name(yaku)


def plain(model: YakuModel, hand: HandSummary) -> float:
    """The source's sum, computed plainly: the best over every split and every group."""
    weights, yakuhai, dora = model.weights, model.yakuhai, model.dora
    is_open = int(not hand.closed)
    best = 0.0
    set_splits = hand_decomposition.sums(
        hand_decomposition.hand_splits(hand.counts, hand.yakuhai)
    ) + np.array(hand.melds)
    forms = {
        FOUR_SETS: list(set_splits),
        SEVEN_PAIRS: [hand_decomposition.seven_pairs_counts(hand.counts, hand.yakuhai)],
        KOKUSHI: [hand_decomposition.kokushi_counts(hand.counts, hand.yakuhai)],
    }
    for form, ways in forms.items():
        for n in ways:
            inputs = [1, *n, *terms(hand.numbers)]

            def odds(yaku: int, form: int = form, inputs: list[Any] = inputs) -> float:
                index = TARGETS.index(YakuTarget(form, yaku))
                if not hand.possible >> index & 1:
                    return 0.0
                return float(1 / (1 + math.exp(-np.dot(weights[is_open, index], inputs))))

            win = odds(WIN)
            for group in GROUPS[form]:
                total = 0.0
                for yaku in group:
                    han = YAKU[TARGET_YAKU[yaku][0]].han(closed=hand.closed) * 1.0
                    if yaku == YAKUHAI:
                        han = yakuhai[is_open]
                    if yaku == DORA:
                        without, per_dora = dora[2 if form == SEVEN_PAIRS else is_open]
                        han = without + per_dora * hand.numbers[4]
                    total += han * win * (1.0 if yaku in SURE else odds(yaku))
                best = max(best, total)
    return best


HANDS = (
    "234m456p567s2255s8p",
    "123m999p99s11177z",
    "1358m2479p16s145z",
    "1199m2255p3399s6z",
    "11223344556m77z",
)


@pytest.mark.parametrize("text", HANDS)
def test_the_best_group_of_the_best_split(any_weights: YakuModel, text: str) -> None:
    summary = hand(text)
    evaluation = any_weights.evaluate(summary)
    assert evaluation.total == pytest.approx(plain(any_weights, summary))
    assert evaluation.by_yaku.keys() == set(evaluation.group)
    assert evaluation.total == pytest.approx(sum(p * han for p, han in evaluation.by_yaku.values()))


@pytest.mark.parametrize("melds", [(), melds_of("678p")])
def test_hands_together_are_worth_what_each_is(
    any_weights: YakuModel, melds: Sequence[Meld]
) -> None:
    tiles = "234m45p2579s" if melds else "1234m2579p16s145z"
    drawn = [hand(tiles + more, melds) for more in ("0s", "5s", "9m", "9m", "7z", "7z5m")]
    expected = [plain(any_weights, summary) for summary in drawn]
    assert any_weights.totals(drawn).tolist() == pytest.approx(expected)
    assert any_weights.totals(drawn[::-1]).tolist() == pytest.approx(expected[::-1])


def test_of_an_open_hand_too(any_weights: YakuModel) -> None:
    summary = hand("345m57p2299s", melds_of("678p"))
    assert any_weights.evaluate(summary).total == pytest.approx(plain(any_weights, summary))


@settings(max_examples=50, deadline=None)
@given(st.permutations(range(4 * KINDS)))
def test_suits_and_ends_are_alike(any_weights: YakuModel, deck: list[int]) -> None:
    """Turning the suits, or 1 to 9 for 9 to 1, changes no promise."""
    tiles = [tile for tile in deck[:16] if tile not in (16, 52, 88)][:13]

    def promised(kinds: list[int]) -> tuple[float, float, float]:
        ids = [COPIES * kind + kinds[:index].count(kind) for index, kind in enumerate(kinds)]
        summary = yaku_targets.summarize(
            ids,
            (),
            round_wind=27,
            seat_wind=30,
            dora=(),
            tiles_left=40,
            shanten=3,
            red_fives=False,
        )
        evaluation = any_weights.evaluate(summary)
        return evaluation.total, evaluation.expected, evaluation.win

    kinds = [KIND[tile] for tile in tiles]
    turned = [(kind + 9) % 27 if kind < 27 else kind for kind in kinds]
    mirrored = [9 * (kind // 9) + 8 - kind % 9 if kind < 27 else kind for kind in kinds]
    assert promised(turned) == pytest.approx(promised(kinds))
    assert promised(mirrored) == pytest.approx(promised(kinds))


def possible(hand: HandSummary) -> set[tuple[int, int]]:
    return {
        (target.form, target.yaku)
        for index, target in enumerate(TARGETS)
        if hand.possible >> index & 1
    }


def test_sets_on_the_table_rule_yaku_out() -> None:
    closed = hand("234m456p567s2255s8p")
    assert possible(closed) == set(map(tuple, TARGETS))
    chi = possible(hand("345m57p2299s8p", melds_of("789p")))
    excluded = {PINFU, IIPEIKOU, TANYAO, TOITOI, HONROUTOU}
    assert {yaku for form, yaku in chi} == {target.yaku for target in TARGETS} - excluded - {
        CHIITOITSU,
        KOKUSHI_MUSOU,
    }
    assert {form for form, _ in chi} == {FOUR_SETS}
    pon = possible(hand("345m57p2299s8p", melds_of("111z")))
    assert {(0, JUNCHAN), (0, CHINITSU)} & pon == set()
    assert {(0, HONROUTOU), (0, HONITSU), (0, TOITOI)} <= pon
    two = possible(hand("345m2299s", melds_of("222m 345p")))
    assert not {(0, HONITSU), (0, CHINITSU), (0, SANANKOU), (0, CHANTA)} & two
    assert (0, TANYAO) in two
    kan = possible(hand("345m57p2299s8p", melds_of("(2222m)")))
    assert {(0, IIPEIKOU), (0, SANANKOU), (0, TANYAO)} <= kan
    assert (0, PINFU) not in kan
    strict = hand("345m57p2299s8p", melds_of("345p"), open_tanyao=False)
    assert (0, TANYAO) not in possible(strict)


def test_numbers() -> None:
    summary = hand("1234m0678p99s155z", dora=[parse_kind("5p"), parse_kind("5p"), parse_kind("5z")])
    assert summary.numbers[:6] == (6, 3, 3, 4, 2 + 1 + 2, 12)
    assert summary.yakuhai == (27, 28, 31, 32, 33)
    sanshoku = hand("234m234p23s1599m7z")
    assert sanshoku.numbers[2] == 8
    ittsuu = hand("1234589m11p123z", melds_of("678m"))
    assert ittsuu.numbers[3] == 9
    assert ittsuu.numbers[0] == 2
    assert hand("1234589m11p123z", melds_of("406s")).numbers[4] == 1


def test_what_ships_is_sane(shipped: YakuModel) -> None:
    def chance(text: str, form: int, yaku: int) -> float:
        return shipped.evaluate(hand(text)).chances[YakuTarget(form, yaku)]

    simples, ends = "234m456p567s2255s8p", "123m999p99s11177z"
    assert chance(simples, FOUR_SETS, TANYAO) > 10 * chance(ends, FOUR_SETS, TANYAO)
    assert chance(ends, FOUR_SETS, CHANTA) > 10 * chance(simples, FOUR_SETS, CHANTA)
    assert chance("1199m2255p3399s6z", SEVEN_PAIRS, CHIITOITSU) > 0.2
    assert chance(simples, SEVEN_PAIRS, CHIITOITSU) < 0.01
    assert chance("19m19p19s1234567z", KOKUSHI, KOKUSHI_MUSOU) > 0.1
    assert chance(simples, KOKUSHI, KOKUSHI_MUSOU) < 1e-4
    assert chance("1234679m11355z", FOUR_SETS, HONITSU) > chance(
        "1234m679p11355z", FOUR_SETS, HONITSU
    )
    assert shipped.evaluate(hand("19m19p19s1234567z")).group == (KOKUSHI_MUSOU,)
    assert CHIITOITSU in shipped.evaluate(hand("1199m2255p3399s6z")).group
    assert TANYAO in shipped.evaluate(hand(simples)).group


@pytest.mark.parametrize("text", HANDS)
def test_more_dora_and_more_draws_promise_more(shipped: YakuModel, text: str) -> None:
    by_dora = [
        shipped.evaluate(hand(text, dora=[parse_kind(text[0] + text[text.index("m")])] * dora))
        for dora in range(4)
    ]
    for less, more in pairwise(by_dora):
        assert more.total > less.total
        assert more.expected > less.expected
    evaluations = [shipped.evaluate(hand(text, tiles_left=4 * draws)) for draws in range(1, 18)]
    totals = [evaluation.total for evaluation in evaluations]
    assert totals == sorted(totals)
    assert all(0 <= evaluation.win <= 1 for evaluation in evaluations)
