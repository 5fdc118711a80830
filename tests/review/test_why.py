"""The sentences: held against the data of real games, and read for parts made by hand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("riichienv", reason="the player needs it")

from houjuu import logs
from houjuu.review.page_types import Review, ReviewedChoice, ValuedAction
from houjuu.review.part_phrases import Contrast, action_name, phrase
from houjuu.review.rendering import reviewed
from houjuu.review.verdict import chosen_action
from houjuu.review.why import add_sentences
from houjuu.util.languages import LANGUAGES, translate
from tests.real import archive
from tests.review.page_data import choice_of, position_of, valued
from tests.review.sentence_checker import Checker

GAME = Path(__file__).parents[2] / "docs" / "game.mjlog"
MANY = 250  # unit: sentences in each language


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
def data() -> Review:
    return reviewed(logs.parse(GAME.read_bytes(), GAME.name), 2)


def test_every_number_and_name_is_that_of_the_page(data: Review) -> None:
    count, faults = problems([data], MANY)
    assert faults == []
    assert count >= 40


@pytest.mark.slow
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
            for number in re.finditer(r"\d(?=[%点]| points? | in the wall)|(?<=山[に中])\d", text):
                digit = str((int(number[0]) + 1) % 10)
                wrong = text[: number.start()] + digit + text[number.end() :]
                checker.choice = {**choice, "why": {**sentences, language: wrong}}
                assert checker.problem(language) is not None, wrong
                changed += 1
    assert changed > 200


def test_what_is_explained(data: Review) -> None:
    """Losses, riichi, calls and kans, and right discards that deal in; nothing else."""
    for choice in data["choices"]:
        rons = position_of(choice, data)["rons"]
        is_call = choice["kind"] in ("riichi", "call", "kan")
        is_made = chosen_action(choice)["verb"] in ("riichi", "chi", "pon", "daiminkan", "kakan")
        explained = choice["value_lost"] > 0 or is_call or is_made or bool(rons)
        assert (choice["why"] is not None) == (explained and len(choice["actions"]) > 1), choice


def test_a_language_has_no_kinds_of_its_own() -> None:
    """In all languages a template has a better and a worse form, of the same placeholders."""
    keys = [key for key in translate("en").messages if key.startswith("why.")]
    sides = {key.rsplit(".", 1)[0] for key in keys if key.endswith((".better", ".worse"))}
    assert {f"{key}.{side}" for key in sides for side in ("better", "worse")} <= set(keys)


# ---- parts made by hand ----


def risk_of(chances: list[float], points: list[float]) -> dict[str, Any]:
    """The risk of a tile against right, across and left."""
    return {"deal_in": sum(chances), "by_opponent": chances, "points_by_opponent": points}


RISK = risk_of([0.0412, 0.0, 0.001], [240.0, 0.0, 3.0])
SAFE = risk_of([0.0081, 0.0, 0.001], [40.0, 0.0, 2.0])
RED = {**SAFE, "points_by_opponent": [60.0, 0.0, 3.0]}


def position(**more: Any) -> Any:
    """A position whose right seat is in riichi, and the left one has a meld."""
    seats = [{"river": [], "melds": [], "riichi": False} for _ in range(4)]
    seats[1] = {**seats[1], "riichi": True}
    seats[3] = {**seats[3], "melds": [{}]}
    risks = {"9p": RISK, "5s": SAFE, "0s": RED, "1z": SAFE}
    waits = {"9p": [0, ["3s", "6s"], False, 4.43, 0.0], "5s": [0, ["1m"], False, 2.2, 0.09]}
    return {"seats": seats, "risks": risks, "own": {"discards": waits}, "rons": [], **more}


def phrases(own: ValuedAction, other: ValuedAction, part: str, dealer: int = 0) -> list[str]:
    contrast = Contrast(position(), dealer, own, other)
    return [phrase(translate(language), contrast, part, with_hand=True) for language in LANGUAGES]


def test_a_deal_in_names_the_opponent_and_both_chances() -> None:
    own, other = valued("discard 9p", {"deal_in.right": -150}), valued("discard 5s", {})
    assert phrases(own, other, "deal_in.right", dealer=1) == [
        "it is riskier against the dealer's riichi, 4.1% instead of 0.8% (−150 points)",
        "親リーチへの放銃率4.1%対0.8%（−150点）",
        "对亲家立直的放铳率4.1%比0.8%（−150点）",
    ]
    assert phrases(other, own, "deal_in.right")[0] == (
        "it is safer against the riichi on the right, 0.8% instead of 4.1% (+150 points)"
    )
    (text, *_) = phrases(valued("pass", {}), valued("pon 55p", {"deal_in.left": -1}, discard="9p"),
        "deal_in.left")  # fmt: skip
    assert text == "it avoids dealing in to the open hand on the left, 0.1% (+1 point)"


def test_of_equal_chances_the_points_are_shown() -> None:
    own, other = valued("discard 0s", {"deal_in.right": -20}), valued("discard 5s", {})
    assert phrases(own, other, "deal_in.right")[0] == (
        "it loses more to the riichi on the right, 60 expected points instead of 40 (−20 points)"
    )
    assert phrases(valued("discard 1z", {"deal_in.right": -1}), other, "deal_in.right")[1] == (
        "下家リーチへの放銃（−1点）"
    )


def test_a_win_is_shown_by_what_differs_most() -> None:
    base: dict[str, Any] = {"win": 0.25, "hand_points": 3900, "shanten": 0, "useful_tiles": 4}
    wide = valued("discard 9p", {"win": 300}, **{**base, "win": 0.4, "useful_tiles": 8})
    narrow = valued("discard 5s", {}, **base)
    assert phrases(wide, narrow, "win") == [
        "it wins more often, 40.0% instead of 25.0%, waiting for 3s 6s, 8 tiles "
        "with 4.4 in the wall against 4 (+300 points)",
        "和了率40.0%対25.0%、3s6s待ち8枚対4枚、山に4.4枚（+300点）",
        "和牌率40.0%比25.0%，听3s6s共8张比4张，山中4.4张（+300点）",
    ]
    high = valued("discard 5s", {"win": 300}, **{**base, "hand_points": 7750})
    assert phrases(high, narrow, "win")[0] == (
        "its wins are larger, 7,800 points instead of 3,900 (+300 points)"
    )
    riichi = valued("riichi 9p", {"win": 300}, **{**base, "win": 0.2})
    assert phrases(riichi, narrow, "win")[0] == (
        "its wins are worth more, if fewer, 20.0% instead of 25.0% (+300 points)"
    )


def test_where_riichi_is_possible_a_tenpai_discard_is_dama() -> None:
    kept = valued("discard 5s", {}, shanten=0)
    assert action_name(translate("ja"), kept, is_riichi=True) == "5s切りダマ"
    assert action_name(translate("ja"), kept, is_riichi=False) == "打5s"
    call = valued("pon 77z", {}, shanten=0, discard="0s")
    assert action_name(translate("en"), call, is_riichi=False) == "pon of chun (discarding red 5s)"


def sentence(made: ReviewedChoice, balance: int | None = None, **more: Any) -> str | None:
    """The English sentence on a choice, the only one of its round."""
    round: Any = {"dealer": 0, "balance": balance, "decisions": [position(**more)]}
    add_sentences([round], [made])
    return None if made["why"] is None else made["why"]["en"]


def test_a_right_decision_that_loses_is_bad_luck() -> None:
    push = valued("discard 9p", {"win": 900, "deal_in.right": -150}, win=0.5)
    fold = valued("discard 5s", {"win": 100}, win=0.1)
    choice = choice_of(push, fold)
    assert sentence(choice) is None
    assert sentence(choice, rons=[{"to": 1, "points": 8000}]) == (
        "9p is right, 650 points better than 5s: it wins more often, 50.0% instead of 10.0% "
        "(+800 points); that it dealt in for 8,000 points was bad luck."
    )
    lost = choice_of(fold, push)
    assert "luck" not in str(sentence(lost, rons=[{"to": 1, "points": 8000}]))
    riichi = choice_of({**push, "verb": "riichi"}, fold, kind="riichi")
    text = sentence(riichi, balance=-2000)
    assert str(text).endswith("; that the round lost 2,000 points was bad luck.")


def test_a_habit_is_no_value() -> None:
    chi, passing = valued("chi 45p", {"win": 90}, discard="1z"), valued("pass", {"win": 50})
    chi["preference"] = -100
    assert sentence(choice_of(passing, chi, kind="call")) == (
        "Passing is what phoenix players prefer, though by value 40 points below "
        "chi with 45p (discarding East): its wins are worth less (−40 points)."
    )
    assert str(sentence(choice_of(chi, passing, kind="call"))).startswith(
        "Chi with 45p (discarding East) loses nothing, 40 points better than passing, which"
    )
    same = choice_of(passing, valued("pon 55p", {"win": 50}), kind="call")
    assert sentence(same) == "Passing and pon of 55p are worth the same."
