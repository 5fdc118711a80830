"""The sentences: held against the data of real games, and read for parts made by hand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

pytest.importorskip("riichienv", reason="the player needs it")

import houjuu
from houjuu import logs
from houjuu.game.rules import Rules
from houjuu.game.tiles import parse_kind
from houjuu.review import prices
from houjuu.review.board_reasons import level, safety_name
from houjuu.review.page_types import Review, ReviewedChoice, ValuedAction
from houjuu.review.part_phrases import Contrast, phrase
from houjuu.review.rendering import reviewed
from houjuu.review.verdict import chosen_action, merge_plans
from houjuu.review.why import add_sentences
from houjuu.util.languages import LANGUAGES, translate
from tests.real import archive
from tests.review.page_data import choice_of, position_of, unshrunk, valued
from tests.review.sentence_checker import Checker

GAME = Path(__file__).parents[2] / "docs" / "game.mjlog"
MANY = 1000  # unit: sentences in each language


def checkers(review: Review) -> Iterator[tuple[ReviewedChoice, Checker]]:
    """Yield every choice that has sentences."""
    choices = review["choices"]
    for number, choice in enumerate(choices):
        if choice["why"] is not None:
            later = [one for one in choices[number + 1 :] if one["round"] == choice["round"]]
            is_last_loss = not any(one["value_lost"] for one in later)
            round = review["rounds"][choice["round"]]
            yield choice, Checker(choice, round, is_last_loss=is_last_loss)


def problems(reviews: Iterable[Review], enough: int) -> tuple[int, list[str]]:
    """The number of choices with sentences, and the faults of these."""
    count, faults = 0, []
    for review in reviews:
        for choice, checker in checkers(review):
            count += 1
            for language in LANGUAGES:
                if problem := checker.problem(language):
                    faults.append(f"{choice['why']}: {problem}")
        if count >= enough:
            break
    return count, faults


@pytest.fixture(scope="module")
def data(docs_review: Review) -> Review:
    return docs_review


def test_every_number_and_name_is_that_of_the_page(data: Review) -> None:
    count, faults = problems([data], MANY)
    assert faults == []
    assert count >= 40


@pytest.mark.deep
@pytest.mark.real_logs
@pytest.mark.parametrize(("name", "enough"), [("lower-rooms", MANY // 4), ("phoenix-2024", MANY)])
def test_sentences_of_many_games(name: str, enough: int) -> None:
    games = logs.games(str(archive(name)), lambda problem: None)
    reviews = (reviewed(game, seat) for game in games for seat in range(4))
    count, faults = problems(reviews, enough)
    assert faults == []
    assert count >= enough


def test_the_checker_finds_a_changed_number(data: Review) -> None:
    """Every number of a sentence, but a rank of a tile, is compared with the data."""
    changed = 0
    for choice, checker in checkers(data):
        sentences = choice["why"] or {}
        for language, text in sentences.items():
            for number in re.finditer(r"\d(?=[%点]| points?\b)", text):
                digit = str((int(number[0]) + 1) % 10)
                wrong = text[: number.start()] + digit + text[number.end() :]
                checker.choice = {**choice, "why": {**sentences, language: wrong}}
                assert checker.problem(language) is not None, wrong
                changed += 1
    assert changed > 150


def test_what_is_explained(data: Review) -> None:
    """Losses, riichi, calls and kans, and right discards that deal in; nothing else."""
    for choice in data["choices"]:
        rons = position_of(choice, data)["rons"]
        is_call = choice["kind"] in ("riichi", "call", "kan")
        is_made = chosen_action(choice)["verb"] in ("riichi", "chi", "pon", "daiminkan", "kakan")
        explained = choice["value_lost"] > 0 or is_made or bool(rons)
        is_close = choice["value_gained"] < 50 and choice["school"] is None
        if choice["why"] is None:
            assert not explained, choice
            assert is_close or not is_call, choice
        else:
            assert explained or is_call, choice


def test_a_language_has_no_kinds_of_its_own() -> None:
    """In all languages a template has a better and a worse form, of the same placeholders."""
    keys = [key for key in translate("en").messages if key.startswith("why.")]
    sides = {key.rsplit(".", 1)[0] for key in keys if key.endswith((".better", ".worse"))}
    assert {f"{key}.{side}" for key in sides for side in ("better", "worse")} <= set(keys)


# ---- parts made by hand ----


def risk_of(chances: list[float], points: list[float], safety: list[str]) -> dict[str, Any]:
    """The risk of a tile against right, across and left."""
    return {
        "deal_in": sum(chances),
        "by_opponent": chances,
        "points_by_opponent": points,
        "safety": safety,
    }


RISK = risk_of([0.0412, 0.0, 0.001], [240.0, 0.0, 3.0], ["no_suji", "suji", "suji"])
SAFE = risk_of([0.0081, 0.0, 0.001], [40.0, 0.0, 2.0], ["suji", "suji", "suji"])
RED = {**SAFE, "points_by_opponent": [60.0, 0.0, 3.0]}
LIVE = {**SAFE, "safety": ["live.3", "genbutsu", "honour.1"]}


def position(**more: Any) -> Any:
    """A position whose right seat is in riichi, and the left one has a meld."""
    seats = [{"river": [], "melds": [], "riichi": False} for _ in range(4)]
    seats[1] = {**seats[1], "riichi": True}
    seats[3] = {**seats[3], "melds": [{}]}
    return {
        "seats": seats,
        "risks": {"9p": RISK, "5s": SAFE, "0s": RED, "1z": LIVE},
        "hand": [
            "2m",
            "3m",
            "4m",
            "5m",
            "6m",
            "7m",
            "3p",
            "4p",
            "5p",
            "5s",
            "5s",
            "0s",
            "1z",
            "9p",
        ],
        "dora": ["5s"],
        "scores": [30000, 31400, 20000, 18600],
        "tiles_left": 12,
        "sticks": 0,
        "tenpai": [1.0, 0.02, 0.25],
        "own": None,
        "unseen": {"copies": "3" * 34},
        "rons": [],
        **more,
    }


def phrases(
    own: ValuedAction, other: ValuedAction, part: str, at: Any = None, **round: Any
) -> list[str]:
    contrast = Contrast(
        at or position(),
        {"round": 7, "dealer": 0, "honba": 0, "decisions": [], **round},  # type: ignore[typeddict-item]
        target=30000,
        is_riichi=False,
        subject=own,
        other=other,
    )
    return [
        "".join(phrase(translate(language), contrast, part, with_board=True))
        for language in LANGUAGES
    ]


def test_a_deal_in_names_the_opponent_the_chances_and_the_safety() -> None:
    own, other = valued("discard 9p", {"deal_in.right": -150}), valued("discard 5s", {})
    assert phrases(own, other, "deal_in.right", dealer=1) == [
        "it is riskier against the dealer's riichi, 4.1% instead of 0.8%, 9p being no suji "
        "and 5s suji",
        "親リーチへの放銃率は4.1%、打5sなら0.8%（9pは無筋、5sは筋）",
        "放铳给亲家（立直）的概率4.1%，打5s则为0.8%（9p是无筋，5s是筋牌）",
    ]
    east = valued("discard 1z", {})
    (text, *_) = phrases(own, east, "deal_in.right")
    assert text.endswith("9p being no suji and East a yakuhai with 3 unseen")
    (text, *_) = phrases(valued("pass", {}), valued("pon 55p", {"deal_in.left": -1}, discard="9p"),
        "deal_in.left")  # fmt: skip
    assert text == "it avoids dealing in to the open hand on the left, 0.1%"


def test_of_equal_chances_the_points_are_shown() -> None:
    own, other = valued("discard 0s", {"deal_in.right": -20}), valued("discard 5s", {})
    assert phrases(own, other, "deal_in.right")[0] == (
        "it loses more to the riichi on the right, 60 expected points instead of 40"
    )
    assert phrases(valued("discard 1z", {"deal_in.right": -1}), other, "deal_in.right")[1] == (
        "下家リーチに少し危険"
    )


def test_a_win_is_shown_by_what_differs_most() -> None:
    base: dict[str, Any] = {"win": 0.25, "hand_points": 3900, "shanten": 0, "useful_tiles": 4}
    wide = valued("discard 9p", {"win": 300}, **{**base, "win": 0.4, "useful_tiles": 7})
    wide["waits"] = ["3s", "6s"]
    narrow = valued("discard 5s", {}, **base, waits=["1z"])
    assert phrases(wide, narrow, "win") == [
        "it wins more often, 40.0% instead of 25.0%, waiting for 36s, 7 tiles, instead of East, 4",
        "打9pの和了率は40.0%、打5sなら25.0%（36s待ち7枚、そちらは東待ち4枚）",
        "打9p的和牌率40.0%，打5s为25.0%（听36s共7张，另一听东共4张）",
    ]
    dead = valued("discard 5s", {}, **{**base, "win": 0.1}, lacks_yaku=True)
    assert phrases(wide, dead, "win")[0].endswith("since 5s lacks a yaku")
    assert phrases(dead, wide, "win")[1].endswith("、打5sは役なし")
    high = valued("discard 9p", {"win": 300}, **{**base, "hand_points": 7750})
    assert phrases(high, narrow, "win")[0] == (
        "its wins are larger, 7,800 points instead of 3,900: 5s is dora"
    )
    kan = valued("kakan 5z", {"win": 300}, **{**base, "hand_points": 7750})
    assert phrases(kan, narrow, "win")[0].endswith(" instead of 3,900: a kan adds a dora")
    riichi = valued("riichi 9p", {"win": 300}, **{**base, "win": 0.2})
    assert phrases(riichi, narrow, "win")[0] == (
        "its wins are worth more, if fewer, 20.0% instead of 25.0%: 5s is dora"
    )


def test_tiles_that_explain_no_factor_are_not_named() -> None:
    far: dict[str, Any] = {"shanten": 2, "hand_points": 2000}
    passing = valued("pass", {"win": 400}, **far, win=0.08, useful_tiles=11)
    call = valued("chi 78p", {}, **far, win=0.002, useful_tiles=10, discard="1z")
    assert "useful" not in phrases(passing, call, "win")[0]


def listed(tiles: str) -> list[str]:
    return [rank + suit for ranks, suit in re.findall(r"(\d+)([mpsz])", tiles) for rank in ranks]


@pytest.mark.parametrize(
    ("hand", "own", "other", "end"),
    [
        ("234567m34p99p55s78s", "4p", "9p", ": discarding 4p gives up pinfu"),
        ("2455m24689p13s24z5z", "5z", "9p", ": haku may still become a yaku"),
        ("2455m2468p7s12344z9m", "7s", "9m", ": 7s can join more tiles than 9m"),
    ],
)
def test_what_a_discard_gives_up(hand: str, own: str, other: str, end: str) -> None:
    """Pinfu, a yakuhai that may pair up, and the better of two lone tiles; not the other way."""
    at = position(hand=listed(hand), risks={own: SAFE, other: SAFE}, tiles_left=50)
    near: dict[str, Any] = {"shanten": 1, "useful_tiles": 9}
    for tile, kept in ((own, other), (other, own)):
        worse = valued(f"discard {tile}", {}, win=0.2, **near)
        better = valued(f"discard {kept}", {"win": 90}, win=0.3, **near)
        (text, *_) = phrases(worse, better, "win", at)
        assert text.endswith(end) == (tile == own)


def test_a_threat_without_riichi() -> None:
    """P(tenpai), or a discard from the hand after the riichi of another seat."""
    own, other = valued("pon 55s", {"deal_in.left": -90}, discard="9p"), valued("pass", {})
    at = position(tenpai=[1.0, 0.0, 0.42])
    at["seats"][3]["river"] = ["1z", "9m'"]
    assert phrases(own, other, "deal_in.left", at)[0].endswith("that seat is tenpai at 42.0%")
    before = {"seats": [{**one, "river": []} for one in at["seats"]]}
    end = [text[-12:] for text in phrases(own, other, "deal_in.left", at, decisions=[before])]
    assert end == [
        "r the riichi",
        "率が0.1%ある、リーチ後も手出し"[-12:],
        "（0.1%），立直后仍手切"[-12:],
    ]


def test_sticks_honba_and_the_deal() -> None:
    tenpai: dict[str, Any] = {"shanten": 0, "useful_tiles": 5, "waits": ["3s"]}
    own = valued("discard 9p", {"draw": 90, "win": 400}, win=0.3, **tenpai)
    other = valued("discard 5s", {}, win=0.1, shanten=1, useful_tiles=9)
    assert phrases(own, other, "draw", dealer=0)[0].endswith("1-shanten, and tenpai keeps the deal")
    assert phrases(own, other, "draw", dealer=1)[0].endswith("1-shanten")
    at = position(sticks=2)
    assert phrases(own, other, "win", at, honba=1) == [
        "it wins more often, 30.0% instead of 10.0%, tenpai instead of 1-shanten, "
        "with 2,300 points of sticks and honba",
        "打9pの和了率は30.0%、打5sなら10.0%（聴牌、そちらは1向聴）、供託と本場で2,300点",
        "打9p的和牌率30.0%，打5s为10.0%（听牌，另一为1向听），供托和本场共2,300点",
    ]
    riichi = valued("riichi 9p", {"win": 400, "riichi_stick": -900}, win=0.2, **tenpai)
    texts = phrases(riichi, own, "riichi_stick")
    assert texts[1] == "リーチ棒を出す、リーチは待ち5枚で残り12枚"


def test_a_stick_comes_back_with_a_win() -> None:
    riichi = valued("riichi 9p", {"win": 1000, "riichi_stick": -1000, "others_win": -40}, win=0.5)
    dama = valued("discard 9p", {"win": 800, "others_win": -90}, win=0.4)
    contrast = Contrast(position(), {}, None, True, riichi, dama)  # type: ignore[typeddict-item]
    assert contrast.differences == {"win": -250, "riichi_stick": -500}


def test_the_place_at_the_end() -> None:
    """A win is for the place above, and a fold for the one below."""
    own, other = valued("discard 9p", {"score": -900}), valued("discard 5s", {}, win=0.2)
    assert phrases(own, other, "score") == [
        "the places at stake are against it: any win is first place in the last round",
        "着順に不利、オーラス、和了すればトップ",
        "对顺位不利，末局，和牌即第1名",
    ]
    fold = valued("discard 5s", {"score": 300, "deal_in.right": 90})
    assert phrases(fold, {**own, "win": 0.2}, "score") == [
        "the places at stake favour it, in second place 10,000 points ahead of third "
        "in the last round",
        "着順に有利、オーラス、2位で3位と10,000点差",
        "对顺位有利，末局，第2名，领先第3名10,000点",
    ]


def sentence(made: ReviewedChoice, balance: int | None = None, **more: Any) -> str | None:
    """The English sentence on a choice, the only one of its round."""
    round: Any = {"round": 0, "dealer": 0, "honba": 0, "balance": balance}
    round["decisions"] = [position(**more)]
    with unshrunk():
        add_sentences([round], [made], Rules())
    return None if made["why"] is None else made["why"]["en"]


def test_a_right_decision_that_loses_is_bad_luck() -> None:
    push = valued("discard 9p", {"win": 900, "deal_in.right": -150}, win=0.5)
    fold = valued("discard 5s", {"win": 100}, win=0.1)
    choice = choice_of(push, fold)
    assert sentence(choice) is None
    assert sentence(choice, rons=[{"to": 1, "points": 8000}]) == (
        "9p is right, 650 points better than 5s: it wins more often, 50.0% instead of 10.0%: "
        "5s is dora; that it dealt in for 8,000 points was bad luck."
    )
    lost = choice_of(fold, push)
    assert "luck" not in str(sentence(lost, rons=[{"to": 1, "points": 8000}]))
    riichi = choice_of({**push, "verb": "riichi"}, fold, kind="riichi")
    text = sentence(riichi, balance=-2000)
    assert str(text).endswith("; that the round lost 2,000 points was bad luck.")


def test_two_schools_blame_nobody() -> None:
    """Where the values are certain that another action than the advised one is better."""
    push = valued("discard 9p", {"win": 40, "deal_in.right": -150}, preference=0, win=0.2)
    fold = valued("discard 5s", {"win": 100}, preference=-400, win=0.1)
    rons = [{"to": 1, "points": 8000}]
    text = str(sentence(choice_of(push, fold), rons=rons))
    assert text.startswith("Two schools: phoenix players prefer 9p, by value 5s is 210 points")
    assert "luck" not in text
    choice = choice_of(fold, push)
    assert (choice["value_lost"], choice["value_gained"], choice["school"]) == (0, 210, 1)


def test_of_equally_good_actions_none_loses() -> None:
    made = valued("discard 1m", {"win": 100})
    choice = choice_of(made, valued("discard 2m", {"win": 600}, preference=-500))
    assert choice["agrees"]
    assert choice["claimed"] == choice["value_lost"] == 0
    assert choice["grade"] is None


def test_a_plan_is_priced_once() -> None:
    """The same dama twice, the second one dearer; a kept tile is another plan."""
    dama = [
        choice_of(
            valued("discard 9p", {"win": 100}),
            valued("riichi 9p", {"win": 100 + lost}),
            kind="riichi",
            step=step,
        )
        for step, lost in enumerate((300, 500))
    ]
    kept = choice_of(valued("discard 9p", {}), valued("discard 1z", {"win": 90}), step=2)
    merge_plans([*dama, kept], [4, 6, 7])
    assert [one["value_lost"] for one in (*dama, kept)] == [0, 500, 90]
    assert [one["repeats"] for one in (*dama, kept)] == [6, None, None]
    assert dama[0]["grade"] is None
    assert dama[0]["mistake"] is None


def test_prices_are_shrunk_and_never_more_than_claimed() -> None:
    first, second = valued("riichi 9p", {"win": 1000}), valued("discard 9p", {})
    rows = {"riichi": (0.6, 0.3, 400.0), "push": (1.2, 0.2, 0.0), "kan": (0.5, 0.6, 0.0)}
    with patch.object(prices, "slopes", lambda: rows):
        assert prices.price(first, second, facing_riichi=True) == (600, 500)
        other = valued("discard 1z", {"win": 2000})
        assert prices.price(second, other, facing_riichi=True) == (-2000, 400)
        kan = valued("ankan 1111z", {"win": 3000})
        assert prices.price(kan, second, facing_riichi=False) == (0, 3000)


def test_safety_by_rivers_and_walls() -> None:
    """Against the right seat: 5m and 2s are genbutsu; own copies make walls of 7p and 8m."""
    rivers = {"self": "1z 1z", "right": "5m 2s", "across": "7z 7z", "left": "7z 9p"}
    view = houjuu.position("2m3m8m8m8m7p7p7p7p5s8s9m9m + 5z", rivers, dora="1s")
    unseen = view.unseen().tolist()
    right = (view.seat + 1) % 4
    names = {
        tile: safety_name(view, unseen, parse_kind(tile), right)
        for tile in ("5m", "2m", "5s", "8s", "8p", "9m", "3m", "5z")
    }
    assert names == {
        "5m": "genbutsu",
        "2m": "suji",
        "5s": "half_suji",
        "8s": "no_suji",
        "8p": "no_chance",
        "9m": "one_chance",
        "3m": "no_suji",
        "5z": "live.3",
    }
    levels = [level(name) for name in ("genbutsu", "suji", "one_chance", "half_suji", "no_suji")]
    assert levels == sorted(levels)
