"""Reasons: their values are those of the review by name, and every template renders them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import resources
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
from houjuu.review.page_types import (
    Reason,
    Review,
    ReviewedChoice,
    ReviewedRound,
    ValuedAction,
)
from houjuu.review.reasons import Contrast, reason
from houjuu.review.rendering import reviewed
from houjuu.review.sentences import LIMITS, action_name, length, phrase
from houjuu.review.verdict import chosen_action, merge_plans, verdict
from houjuu.review.why import add_reasons
from houjuu.util.languages import LANGUAGES, Language, translate
from tests.kit.real import archive
from tests.review.page_data import choice_of, position_of, unshrunk, valued

MANY = 1000  # unit: choices with reasons
SEATS = ("right", "across", "left")
MESSAGES = {language: translate(language).messages for language in LANGUAGES}

# ---- values beside the fields of a review ----

WORSE = ("dora", "yakuhai", "flush", "tanyao", "pinfu", "pair", "live", "floating", "keep_safe")
BETTER = ("lone", "yaku")
"""Facts whose first tile is that of the action that they are against, or for."""


@dataclass
class Check:
    """A reason beside the two actions that it compares, at a position of a round."""

    own: Any
    other: Any
    position: Any
    round: Any
    reason: Reason

    def __post_init__(self) -> None:
        self.is_better = self.reason["side"] == "better"
        self.worse, self.better = (self.own, self.other)[:: -1 if self.is_better else 1]
        seat = self.reason["part"].partition(".")[2]
        self.seat = SEATS.index(seat) if seat else 0
        self.public = self.position["seats"][self.seat + 1]

    def faults(self) -> Iterator[str]:
        """Yield what is wrong with part, side, numbers, tiles, words and facts."""
        key, numbers = self.reason["key"], [*self.reason["numbers"].values()]
        parts = {"win": "win", "hand": "win", "later": "deal_in_later", "deal": "deal_in."}
        if not self.reason["part"].startswith(parts.get(re.split(r"[._]", key)[0], key[5:])):
            yield "part"
        points: float = contrast_of(self).differences.get(self.reason["part"], 0)
        chance = self.own.get("win", 0) - self.other.get("win", 0)
        if self.reason["part"] == "win" and abs(chance) >= 0.1 and key != "hand_points":
            points = chance
        if not points or self.is_better != (points > 0):
            yield "side"
        is_more = key in ("win", "hand_points")
        if len(numbers) > 1 and (numbers[0] - numbers[1]) * points * (1 if is_more else -1) <= 0:
            yield "direction"
        yield from self.named(self.reason, self.own, self.other)
        for fact in self.reason["facts"]:
            pair = self.own, self.other
            if fact["key"] in WORSE:
                pair = self.worse, self.better
            elif fact["key"] in BETTER:
                pair = {"tiles": self.better["tiles"], "verb": "discard"}, self.worse
            elif fact["key"] == "stick" and self.other["verb"] == "riichi":
                pair = self.other, self.own
            yield from self.named(fact, *pair)
            lacks, holds = LACKS.get(fact["key"]), HOLDS.get(fact["key"])
            if lacks and (lacks(self, self.worse) or 0) <= (lacks(self, self.better) or 0):
                yield fact["key"]
            if holds and not holds(self):
                yield fact["key"]

    def named(self, fact: Any, first: Any, second: Any) -> Iterator[str]:
        """Yield the names whose values are not those of the review."""
        other = {f"other_{name}": value for name, value in self.fields(second).items()}
        fields = {**self.fields(first), **other}
        fields["other_place"] = {1, 2, 3, 4}
        terms = self.position["tenpai_reasons"][self.seat]
        own = "last_discards river pace discard_order pushing"
        signs = [one["name"] for one in terms if one["probability"] > 0 and one["name"] in own]
        fields |= dict(zip(("sign", "other_sign"), signs, strict=False))
        for name, value in {**fact["numbers"], **fact["tiles"], **fact["words"]}.items():
            expected = fields.get(name, value if name == "points" else None)
            if value not in expected if isinstance(expected, set) else value != expected:
                yield f"{name} is {expected}, not {value}"

    def fields(self, action: Any) -> dict[str, Any]:
        """The figures of an action, of its tile, of the position and of the round, by name."""
        tile, (own, *others) = shown_tile(action), self.position["scores"]
        risk = self.position["risks"].get(tile, {})
        state = next((key for key in ("riichi", "melds") if self.public[key]), "closed")
        deals = self.round["dealer"] == self.seat + 1
        return {
            "win": 0,
            "deal_in": 0,
            **action,
            "tile": [tile],
            "hand_points": 0,
            **{name: value[self.seat] for name, value in risk.items() if isinstance(value, list)},
            **({"hand_points": action["hand_points"]} if action.get("hand_points") else {}),
            "risk": risk.get("deal_in"),
            "tenpai": self.position["tenpai"][self.seat],
            "tiles_left": self.position["tiles_left"],
            "draws": round(self.position["tiles_left"] / 4),
            "pot": 1000 * self.position["sticks"] + 300 * self.round["honba"],
            "place": {n for n in range(1, 5) if sorted([own, *others])[-n] == own},
            "opponent": f"{'dealer' if deals else 'opponent'}.{state}",
        }

    def is_near(self, sign: int) -> bool:
        """Whether the gap is that to the place above or below; of equal points any is right."""
        place, near, points = self.reason["facts"][0]["numbers"].values()
        (own, *_), ranked = self.position["scores"], sorted(self.position["scores"])
        return near == place - sign and abs(own - ranked[-int(near)]) == points


LACKS: dict[str, Callable[[Check, Any], Any]] = {
    "lacks_yaku": lambda one, action: action.get("lacks_yaku"),
    "furiten": lambda one, action: one.position["own"]["discards"][kind(action)]["furiten"],
    "yaku": lambda one, action: action["verb"] != "pon",
    "kan": lambda one, action: "kan" not in action["verb"],
    "no_fold": lambda one, action: action["verb"] == "riichi",
    "dora": lambda one, action: (
        one.position["dora"].count(kind(action)) + ("0" in action["tiles"][0])
    ),
    **dict.fromkeys(
        ("closed", "needs_yaku", "fewer"), lambda one, action: action["verb"] != "pass"
    ),
    "shanten": lambda one, action: action["shanten"],
    **dict.fromkeys(("useful", "waits"), lambda one, action: -action["useful_tiles"]),
}
"""What the action that a fact is against has more of than the other."""
HOLDS: dict[str, Callable[[Check], Any]] = {
    "deal": lambda one: one.round["dealer"] == 0 == one.better["shanten"],
    **dict.fromkeys(
        ("tenpai", "tedashi"),
        lambda one: not one.public["riichi"] and one.fields(one.own)["tenpai"] >= 0.3,
    ),
    "silent": lambda one: one.position["silent"][one.seat],
    "keep_safe": lambda one: one.fields(one.worse)["risk"] <= one.fields(one.better)["risk"],
    "behind": lambda one: one.is_near(1),
    "bust": lambda one: min(one.position["scores"][1:]) == points_of(one, "bust"),
    "own_bust": lambda one: one.position["scores"][0] == points_of(one, "own_bust") < 8000,
    "riichi": lambda one: one.better["verb"] == "riichi" != one.worse["verb"],
    "ahead": lambda one: one.is_near(-1),
}
"""When another fact holds; of the rest the values by name are all."""


def points_of(one: Check, key: str) -> float:
    """The points of a fact."""
    (fact,) = [fact for fact in one.reason["facts"] if fact["key"] == key]
    return fact["numbers"]["points"]


def kind(action: Any) -> str:
    return str(action["tiles"][0]).replace("0", "5")


def shown_tile(action: Any) -> str:
    """The tile that an action puts on the table."""
    return str(action.get("discard", [*action["tiles"], ""][0]))


def contrast_of(one: Check) -> Contrast:
    return Contrast(one.position, one.round, None, one.own, one.other)


def faults(choice: ReviewedChoice, round: ReviewedRound, *, is_last_loss: bool) -> Iterator[str]:
    """Yield what is wrong with the reasons of a choice."""
    reasons: Any = choice["reasons"]
    position = round["decisions"][choice["step"]]
    own, other = chosen_action(choice), choice["actions"][reasons["other"]]
    gain, school = own["value"] - other["value"], choice["school"]
    by_lead = {
        "lost": choice["value_lost"] > 0 > gain and reasons["other"] == 0,
        "right": gain > 0 and choice["agrees"] and school is None and reasons["points"],
        "kept": gain > 0 and reasons["other"] == 0 and not choice["agrees"],
        "school": gain < 0 and reasons["other"] == school,
        "school_kept": gain > 0 and reasons["other"] == 0 and school == choice["chosen"],
        "repeats": gain < 0 and choice["repeats"] is not None,
        "even": (school is None or choice["chosen"] not in (0, school))
        and (gain < 0 or not reasons["points"]),
        "same": gain == 0 and not reasons["decisive"],
    }
    is_lost = reasons["lead"] == "lost"
    if own is other or not by_lead[reasons["lead"]] or is_lost != (choice["value_lost"] > 0):
        yield "lead"
    facing = any(seat["riichi"] for seat in position["seats"][1:])
    points = abs(prices.price(own, other, facing_riichi=facing).points)
    if choice["value_lost"] or not choice["agrees"]:
        points = choice["value_lost"] or choice["value_gained"]
    if reasons["points"] != points:
        yield "points"
    if luck := reasons["luck"]:
        rons = sum(ron["points"] for ron in position["rons"])
        is_right = choice["agrees"] and is_last_loss and school is None
        if not is_right or luck["points"] != (rons or -(round["balance"] or 0)):
            yield "luck"
        if (luck["cause"] == "deal_in") != bool(rons):
            yield "luck"
    contrast = Contrast(position, round, None, own, other)
    named = [one["part"] for one in reasons["decisive"]]
    if named and named[reasons["main"] :][:1] != [*["win"] * contrast.names_win, named[0]][:1]:
        yield "main"
    if not contrast.names_win and any(
        contrast.differences.get(part, 0) * gain < 0 for part in named
    ):
        yield "decisive"
    for one in [*reasons["decisive"], *filter(None, [reasons["against"]])]:
        yield from Check(own, other, position, round, one).faults()
    if (one := reasons["against"]) and contrast.differences.get(one["part"], 0) * gain > 0:
        yield "against"


def false(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Yield copies with one false number, side, tile or word, by the key of the falsified."""
    match value:
        case dict():
            for key, one in value.items():
                for owner, wrong in false(one, key):
                    yield owner or value.get("key", ""), {**value, key: wrong}
        case list():
            for number, one in enumerate(value):
                for owner, wrong in false(one, name):
                    yield owner, [*value[:number], wrong, *value[number + 1 :]]
        case str() if name not in ("key", "cause"):
            wrongs = {"better": "worse", "worse": "better", "9m": "8m", "even": "lost"}
            yield "", wrongs.get(value, "even" if name == "lead" else "9m")
        case int() | float() if name != "other":
            yield "", value + 1


# ---- real games ----


def reasons_of(review: Review) -> Iterator[tuple[ReviewedChoice, ReviewedRound, bool]]:
    """Yield the choices with reasons, their rounds, and whether no later one of these loses."""
    choices = review["choices"]
    for number, choice in enumerate(choices):
        if choice["reasons"] is not None:
            later = [one for one in choices[number + 1 :] if one["round"] == choice["round"]]
            is_last_loss = not any(one["value_lost"] for one in later)
            yield choice, review["rounds"][choice["round"]], is_last_loss


def checked(reviews: Iterable[Review], enough: int) -> None:
    """The reasons of enough choices are true, and their sentences are short."""
    count = 0
    for review in reviews:
        for choice, round, is_last_loss in reasons_of(review):
            count += 1
            assert [*faults(choice, round, is_last_loss=is_last_loss)] == [], choice["reasons"]
            for language, text in (choice["why"] or {}).items():
                assert 0 < length(text, language) <= LIMITS[language]
                assert "{" not in text
        if count >= enough:
            return
    assert count >= enough


@pytest.fixture(scope="module")
def data(docs_review: Review) -> Review:
    return docs_review


def test_every_value_is_that_of_the_review(data: Review) -> None:
    checked([data], 40)


@pytest.mark.deep
@pytest.mark.real_logs
@pytest.mark.parametrize(("name", "enough"), [("lower-rooms", MANY // 4), ("phoenix-2024", MANY)])
def test_reasons_of_many_games(name: str, enough: int) -> None:
    games = logs.games(str(archive(name)), lambda problem: None)
    checked((reviewed(game, seat) for game in games for seat in range(4)), enough)


def test_every_false_value_is_noticed(data: Review) -> None:
    """A wrong lead, price, number, side, tile or word of any reason."""
    forced: Counter[str] = Counter()
    for choice, round, is_last_loss in reasons_of(data):
        for owner, reasons in false(choice["reasons"]):
            made: Any = {**choice, "reasons": reasons}
            assert [*faults(made, round, is_last_loss=is_last_loss)], (owner, reasons)
            forced[owner] += 1
    assert len(forced) > 20
    assert forced["win"] > 50


def test_what_is_explained(data: Review) -> None:
    """Losses, riichi, calls, kans, choices against the advice, right discards that deal in."""
    for choice in data["choices"]:
        rons = position_of(choice, data)["rons"]
        is_call = choice["kind"] in ("riichi", "call", "kan") or not choice["agrees"]
        is_made = chosen_action(choice)["verb"] in ("riichi", "chi", "pon", "daiminkan", "kakan")
        explained = choice["value_lost"] > 0 or is_made or bool(rons)
        is_close = abs(choice["claimed"]) < 50 and choice["school"] is None
        if choice["why"] is None:
            assert not explained, choice
            assert is_close or not is_call, choice
        else:
            assert explained or is_call, choice


VALUES: Any = {
    "numbers": {"hand_points": 7770, "points_by_opponent": 61.5, "points": 4500, "pot": 2300}
    | {"useful_tiles": 6, "tiles_left": 17, "draws": 4, "shanten": 2, "place": 3}
    | dict.fromkeys(("win", "deal_in", "tenpai", "by_opponent"), 0.123),
    "tiles": {"tile": ["0p"], "waits": ["1p", "4p"]},
    "words": {"safety": "live.1.3", "opponent": "dealer.riichi", "sign": "river"},
}
SHOWN = {"hand_points": "7,800", "points_by_opponent": "62", "points": "4,500", "pot": "2,300"} | {
    "useful_tiles": "6",
    "tiles_left": "17",
    "draws": "4",
    "shanten": "2",
    "waits": "14p",
    "safety": "3",
    **dict.fromkeys(("win", "deal_in", "tenpai", "by_opponent"), "12.3"),
}


def test_every_template_renders_its_values() -> None:
    """In all languages a kind has the same numbers, tiles and words; none is lost or left."""
    keys = [key for key in MESSAGES["en"] if re.match(r"why.board\.|why\..*(better|worse)$", key)]
    assert len(keys) == 64
    for key in keys:
        names = placeholders(MESSAGES["en"][key])
        start, _, end = key.removeprefix("why.").rpartition(".")
        fact: Any = {
            group: {
                name: one[base] for name in names if (base := name.removeprefix("other_")) in one
            }
            for group, one in VALUES.items()
        }
        made: Any = {**fact, "key": start, "side": end, "part": "deal_in.left", "facts": []}
        if start == "board":
            made |= {"key": "part.score", "side": "worse", "facts": [{**fact, "key": end}]}
        for t in map(translate, LANGUAGES):
            text = phrase(t, made, {"own_name": "A", "other_name": "B"})
            assert "{" not in text
            assert all(SHOWN.get(name.removeprefix("other_"), "") in text for name in names), text


def placeholders(template: str) -> set[str]:
    """The names of the values in a template, but for those of actions."""
    return {*re.findall(r"{(\w+)", template)} - {"own_name", "other_name", "name", "text"}


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
LIVE = {**SAFE, "safety": ["live.3.0", "genbutsu", "honour.1.2"]}


def position(**more: Any) -> Any:
    """A position whose right seat is in riichi, and the left one has a meld."""
    seats = [{"river": [], "melds": [], "riichi": False} for _ in range(4)]
    seats[1] = {**seats[1], "riichi": True}
    seats[3] = {**seats[3], "melds": [{}]}
    return {
        "seats": seats,
        "risks": {"9p": RISK, "5s": SAFE, "0s": RED, "1z": LIVE},
        "hand": listed("234567m345p550s1z9p"),
        "dora": ["5s"],
        "scores": [30000, 31400, 20000, 18600],
        "tiles_left": 12,
        "sticks": 0,
        "tenpai": [1.0, 0.02, 0.25],
        "silent": [False] * 3,
        "tenpai_reasons": [[]] * 3,
        "own": None,
        "unseen": {"copies": [3] * 34},
        "rons": [],
        **more,
    }


def phrases(
    own: ValuedAction, other: ValuedAction, part: str, at: Any = None, **more: Any
) -> list[str]:
    """The reason of a part in each language; it is true, and every false copy is noticed."""
    round: Any = {"round": 7, "dealer": 0, "honba": 0, "decisions": [], **more}
    contrast = Contrast(at or position(), round, target=30000, subject=own, other=other)
    made = reason(contrast, part)
    assert [*Check(own, other, contrast.position, round, made).faults()] == []
    for owner, one in false(made):
        assert [*Check(own, other, contrast.position, round, one).faults()], (owner, one)
    return [rendered(made, language, contrast) for language in LANGUAGES]


def rendered(made: Reason, language: Language, contrast: Contrast) -> str:
    t = translate(language)
    own, other = (action_name(t, one, is_riichi=False) for one in contrast.pair)
    return phrase(t, made, {"own_name": own, "other_name": other})


def test_a_deal_in_names_the_opponent_the_chances_and_the_safety() -> None:
    own, other = valued("discard 9p", {"deal_in.right": -150}), valued("discard 5s", {})
    assert phrases(own, other, "deal_in.right", dealer=1) == [
        "it is riskier against the dealer's riichi, 4.1% instead of 0.8%, 9p being no suji "
        "and 5s suji",
        "親リーチへの放銃率は4.1%、打5sなら0.8%（9pは無筋、5sは筋）",
        "放铳给立直的亲家的概率为4.1%，打5s则为0.8%（9p是无筋，5s是筋牌）",
    ]
    east = valued("discard 1z", {})
    (text, *_) = phrases(own, east, "deal_in.right")
    assert text.endswith("9p being no suji and East a live yakuhai")
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
        "和了率は打9pが40.0%、打5sなら25.0%（36s待ち7枚、打5sなら東待ち4枚）",
        "打9p的和牌率为40.0%，打5s为25.0%（听36s共7张，打5s则听东共4张）",
    ]
    dead = valued("discard 5s", {}, **{**base, "win": 0.1}, lacks_yaku=True)
    assert phrases(wide, dead, "win")[0].endswith("since 5s lacks a yaku")
    assert phrases(dead, wide, "win")[1].endswith("（打5sは役なし）")
    high = valued("discard 9p", {"win": 300}, **{**base, "hand_points": 7750})
    assert phrases(high, narrow, "win")[0] == (
        "its wins are larger, 7,800 points instead of 3,900: 5s is dora"
    )
    kan = valued("kakan 5z", {"win": 300}, **{**base, "hand_points": 7750})
    assert phrases(kan, narrow, "win")[0].endswith(" instead of 3,900: a kan adds a dora")
    riichi = valued("riichi 9p", {"win": 300}, **{**base, "win": 0.2})
    assert phrases(riichi, narrow, "win")[0] == (
        "its wins are worth more, if fewer, 20.0% instead of 25.0%: riichi is a yaku, "
        "and may add ippatsu and ura dora"
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
        ("2m5m7m24689p13s24z55s", "5s", "1s", ": 5s is dora"),
        ("2m5m7m24689p13s24z55z", "5z", "4z", ": haku is a pair of yakuhai"),
        ("12345678m2244z5p8s", "4z", "8s", ": North is of the flush"),
        ("234567m34568p27s1z", "8p", "1z", ": discarding 8p gives up tanyao"),
        ("234567m34p99p55s78s", "4p", "9p", ": discarding 4p gives up pinfu"),
        ("24m24689p14s24z557z", "2m", "4s", ": 4s is a lone tile"),
        ("2244m24689p13s247z", "2m", "6p", ": 2m is a pair"),
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


@pytest.mark.parametrize(
    ("worse", "better", "part", "end"),
    [
        ("chi 78p", "pass", "win", ": an open hand needs a yaku"),
        ("chi 78p", "pass", "win", ": an open hand cannot declare riichi"),
        ("chi 78p", "pass", "deal_in_later", ": a call leaves fewer tiles to fold with"),
        ("riichi 9p", "discard 9p", "deal_in_later", ": a riichi cannot fold"),
        ("discard 5s", "discard 9p", "deal_in_later", ": 5s is the safer tile to keep"),
        ("pass", "pon 55z", "win", ": haku is yakuhai"),
        ("discard 9p", "discard 5s", "win", ", since 9p is furiten"),
        ("discard 9p", "discard 5s", "score", " 10,000 points behind second in the last round"),
    ],
)  # fmt: skip
def test_what_an_action_changes(worse: str, better: str, part: str, end: str) -> None:
    """What a call, a riichi, a safe tile and furiten change."""
    scores = [20000, 31400, 30000, 18600]
    at = position(
        scores=scores,
        own={"discards": {"9p": {"furiten": True}, "5s": {"furiten": False}}},
        tiles_left=30,
    )
    is_discard = part == "win" and "discard" in worse
    more: dict[str, Any] = {"shanten": 0, "useful_tiles": 4} if is_discard else {}
    own = valued(worse, {"win": 1}, win=0.2, deal_in=0.3, **more)
    other = valued(better, {part: 90, "win": 91}, win=0.3, deal_in=0.2, **more)
    for call in (one for one in (own, other) if one["verb"] in ("chi", "pon")):
        call["discard"] = "9p"
    if "riichi" in end and "fold" not in end:
        at["hand"] += ["5z"] * 3
    assert phrases(own, other, part, at)[0].endswith(end)


def test_a_reason_explains_its_number() -> None:
    """A pair is none for the size of a win, and an open hand of simples needs no other yaku."""
    large, small = (
        valued(f"discard {tile}", {"win": points}, win=0.2, hand_points=points)
        for tile, points in (("1z", 4400), ("2m", 3000))
    )
    at = position(hand=listed("2244m24689p13s247z1z"), risks={"2m": SAFE, "1z": SAFE})
    assert phrases(small, large, "win", at)[0].endswith("3,000 points instead of 4,400")
    passing, call = valued("pass", {"win": 1}, win=0.3), valued("chi 78p", {}, win=0.2)
    at = position(hand=listed("2244m24688p3477s"), tiles_left=30)
    text, *_ = phrases(passing, {**call, "discard": "2m"}, "win", at)
    assert text.endswith(": an open hand cannot declare riichi")


def test_a_threat_without_riichi() -> None:
    """P(tenpai), or a discard from the hand after the riichi of another seat."""
    own, other = valued("pon 55s", {"deal_in.left": -90}, discard="9p"), valued("pass", {})
    at = position(tenpai=[1.0, 0.0, 0.42])
    at["seats"][3]["river"] = ["1z", "9m'"]
    assert phrases(own, other, "deal_in.left", at)[0].endswith(
        "the open hand on the left is tenpai at 42.0%"
    )
    before = {"seats": [{**one, "river": []} for one in at["seats"]]}
    end = [text[-12:] for text in phrases(own, other, "deal_in.left", at, decisions=[before])]
    assert end == [
        "r the riichi",
        "上家の仕掛けはリーチの後も手出ししている"[-12:],
        "（0.1%），副露的上家在立直后仍手切"[-12:],
    ]


def test_a_silent_hand_is_named_with_its_signs() -> None:
    terms = {"0 open melds": 0.2, "pushing": -0.1, "last_discards": 0.1, "game": 0.1, "river": 0.1}
    at = position(tenpai=[1.0, 0.42, 0.25], silent=[False, True, False])
    reasons = [{"name": name, "probability": p} for name, p in terms.items()]
    at["tenpai_reasons"] = [[], reasons, []]
    own, other = valued("discard 9p", {"deal_in.across": -90}), valued("pass", {})
    assert [text.split("42.0%")[1] for text in phrases(own, other, "deal_in.across", at)] == [
        " by its last discards and its river",
        "：最近の捨て牌・河全体）",
        "：最近的打牌、整个牌河）",
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
        "和了率は打9pが30.0%、打5sなら10.0%（打9pは聴牌、打5sなら1向聴）、供託と本場が2,300点ある",
        "打9p的和牌率为30.0%，打5s为10.0%（打9p为听牌，打5s为1向听），供托和本场共有2,300点",
    ]
    own = valued("discard 9p", {"draw": 90, "win": 100}, win=0.3, **tenpai)
    assert str(
        sentence(choice_of(own, other, kind="riichi"))
    ).endswith(  # a fact of both reasons stands once
        ", tenpai instead of 1-shanten, and a draw is better for it, and tenpai keeps the deal."
    )
    riichi = valued("riichi 9p", {"win": 400, "riichi_stick": -900}, win=0.2, **tenpai)
    texts = phrases(riichi, own, "riichi_stick")
    assert texts[1] == "リーチ棒を出す（待ち5枚、残りツモ約3回）"


def test_a_stick_comes_back_with_a_win() -> None:
    riichi = valued("riichi 9p", {"win": 1000, "riichi_stick": -1000, "others_win": -40}, win=0.5)
    dama = valued("discard 9p", {"win": 800, "others_win": -90}, win=0.4)
    contrast = Contrast(position(), {}, None, riichi, dama)  # type: ignore[typeddict-item]
    assert contrast.differences == {"win": -250, "riichi_stick": -500}


def test_the_place_at_the_end() -> None:
    """A win is for the place above, and a fold for the one below."""
    own, other = valued("discard 9p", {"score": -900}), valued("discard 5s", {}, win=0.2)
    assert phrases(own, other, "score") == [
        "the places at stake are against it: any win is first place in the last round",
        "着順面で不利、和了すればトップ（オーラス）",
        "顺位上不利，和牌即第1名（末局）",
    ]
    fold = valued("discard 5s", {"score": 300, "deal_in.right": 90})
    assert phrases(fold, {**own, "win": 0.2}, "score") == [
        "the places at stake favour it, in second place 10,000 points ahead of third "
        "in the last round",
        "着順面で有利（2位、3位に10,000点リード）（オーラス）",
        "顺位上有利（第2名，领先第3名10,000点）（末局）",
    ]


def test_the_place_is_one_within_reach_and_a_bust_ends_the_game() -> None:
    """Not the leader 32,600 points above; a seat with few points may go bust, and so may this."""
    call, passing = valued("chi 78p", {"score": 90, "win": 9}, win=0.3), valued("pass", {}, win=0.2)
    call |= {"discard": "9p", "hand_points": 2000}
    at = position(scores=[26000, 58600, 18200, -2800 + 4000])
    (text, *_) = phrases(call, passing, "score", at)
    assert text.endswith(
        "in second place 7,800 points ahead of third in the last round, "
        "and a seat with 1,200 points may go bust, which ends the game"
    )
    push = valued("discard 9p", {"score": -90, "deal_in.right": -90})
    texts = phrases(push, valued("discard 5s", {}), "score", position(scores=[900] * 4))
    assert texts[1].endswith("、残り900点なので放銃すると飛ぶ恐れがある")


def test_a_sentence_is_composed_as_people_write_it(data: Review) -> None:
    """No sign at an end or twice, every bracket closes, each fact is a clause or in brackets."""
    for choice in data["choices"]:
        for language, text in (choice["why"] or {}).items():
            assert not re.search(r"[、，,;；:：（]\s*(?=[、，,;；。.）]|$)", text), text
            assert text.count("（") == text.count("）")
            assert not re.search("そちら|另一|残り.枚の|剩.张的|カン(?!チャン)", text), text
            assert text.endswith("." if language == "en" else "。")
    for translated, said in PREDICATES.items():
        for key, template in MESSAGES[translated].items():
            if re.match(r"why\.board\.|why\..*(better|worse)$", key):
                clause = re.sub(r"{\w+}|^[、，：]|（.*）$", "", template)
                assert not clause or re.search(said, clause), (key, template)


PREDICATES: dict[Language, str] = {
    "ja": r"は|が|を|に|で|と|せず|れば",
    "zh": "是|为|有|在|则|即|应|会|要|用|避|失|增|减|更|略|变|不|无|仍|可|多|少|出|共|庄",
}
"""What makes a clause of a phrase: a particle with its predicate, a verb or an adjective."""


def sentence(made: ReviewedChoice, balance: int | None = None, **more: Any) -> str | None:
    """The English sentence on a choice, the only one of its round."""
    round: Any = {"round": 0, "dealer": 0, "honba": 0, "balance": balance}
    round["decisions"] = [position(**more)]
    other: Any = {**made, "round": 1}  # the only choice of a review always has a sentence
    with unshrunk():
        add_reasons([round, round], [made, other], Rules())
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
    other = valued("discard 2m", {"win": 600}, preference=-500)
    for actions in ([made, other], [other, made]):
        judged = verdict("discard", actions, actions.index(made), facing_riichi=False)
        assert judged["agrees"]
        assert judged["claimed"] == judged["value_lost"] == 0
        assert judged["grade"] is None


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
    rows = {"riichi": (0.6, 0.3, 400.0), "push": (1.2, 0.2, 0.0)}
    with patch.object(prices, "slopes", lambda: rows):
        assert prices.price(first, second, facing_riichi=True) == (600, 500)
        other = valued("discard 1z", {"win": 2000})
        assert prices.price(second, other, facing_riichi=True) == (-2000, 400)
        assert prices.grade(prices.price(other, second, facing_riichi=True)) == "blunder"


def test_an_uncertain_difference_is_close() -> None:
    """Where the interval has 0, or the class has no price: no points, no grade, no school."""
    made, advised = valued("discard 9p", {"win": 100}), valued("riichi 9p", {"win": 700})
    for row, half in [((0.5, 0.3, 400.0), 439), ((0.9, 1.0, 0.0), 600), (None, 600)]:
        with patch.object(prices, "slopes", lambda row=row: {"riichi": row} if row else {}):
            judged = verdict("riichi", [advised, made], 1, facing_riichi=False)
        assert (judged["claimed"], judged["value_lost"], judged["uncertainty"]) == (600, 0, half)
        assert (judged["grade"], judged["mistake"], judged["school"]) == (None, None, None)


def test_a_class_has_prices_if_both_slopes_are_certain() -> None:
    file = resources.files("houjuu.review") / prices.PRICES_FILE
    classes = json.loads(file.read_text(encoding="utf-8"))["classes"]
    for name, row in classes.items():
        both = row["slope"] > row["half"] and row["round"] > row["half_round"]
        assert (name in prices.slopes()) == both, name
    assert 0 < len(prices.slopes()) < len(classes)


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
        "5z": "live.3.0",
    }
    levels = [level(name) for name in ("genbutsu", "suji", "one_chance", "half_suji", "no_suji")]
    assert levels == sorted(levels)
