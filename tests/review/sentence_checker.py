"""Reads a sentence by the templates of its language, and holds it against the data of the page.

The templates become patterns. From the sentence they give the keys, the numbers and the names, and
each of them is compared with the choice and the position, without the code that wrote the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from houjuu.review.page_types import (
    ReviewedChoice,
    ReviewedPosition,
    ReviewedRound,
    TileRisks,
    ValuedAction,
)
from houjuu.util.languages import Language, translate
from houjuu.util.languages.names import tile_names
from tests.review.page_data import action_parts

PLACEHOLDER = re.compile(r"\{(\w+)(?::([^{}|]*)\|([^{}|]*))?\}")
NUMBERS = {"n", "points", "price", "chance", "wall"}
"""The placeholders that are always numbers."""
NUMBER = r"[\d,.]+"
LEADS = ("lost", "right", "kept", "preferred", "even", "same")
SEATS = ("right", "across", "left")
STATES = ("riichi", "melds", "closed")
QUIET = ("discard", "pass", "win", "nine_terminals")
"""Verbs of the actions after which the loss of a round is no bad luck."""
MOST = {"en": 40, "ja": 80, "zh": 80}
PARTS = {
    "win": "win",
    "win_value": "win",
    "win_value_rate": "win",
    "hand_points": "win",
    "later": "deal_in_later",
    "later_value": "deal_in_later",
}
"""The parts of the phrases that name no opponent, and no part in their key."""


class Phrase(NamedTuple):
    """A phrase: its key without place and end, "better" or "worse", and the values as texts."""

    key: str
    side: str
    values: dict[str, str]


def pattern(template: str, groups: bool = True) -> str:
    """A template as a regular expression; a word by number becomes the pattern of both words."""
    text, end = "", 0
    seen = set[str]()
    for match in PLACEHOLDER.finditer(template):
        name, one, other = match.groups()
        text += re.escape(template[end : match.start()])
        end = match.end()
        if one is not None:
            text += f"(?:{re.escape(one)}|{re.escape(other)})"
        else:
            value = NUMBER if name in NUMBERS else ".*?" if groups else "[^(（]*?"
            text += f"(?P<{name}>{value})" if groups and name not in seen else value
            seen.add(name)
    return text + re.escape(template[end:])


@cache
def phrases(language: Language) -> list[tuple[str, str, str]]:
    """Key, side and template of every phrase."""
    rows = []
    for key, template in translate(language).messages.items():
        room, _, name = key.partition(".")
        if room == "why" and name.endswith((".better", ".worse")):
            start, _, side = name.rpartition(".")
            rows.append((start, side, template))
    return rows


@cache
def whole_patterns(language: Language) -> list[tuple[str, str, re.Pattern[str]]]:
    """Lead, kind of luck ("" without) and the pattern of the whole sentence."""
    messages = translate(language).messages
    phrase = "|".join(pattern(template, groups=False) for *_, template in phrases(language))
    both = messages["why.and"].replace("{first}", "\0first\0").replace("{second}", "\0second\0")
    both = re.escape(both).replace("\0first\0", f"(?P<first>{phrase})")
    both = both.replace("\0second\0", f"(?P<second>{phrase})")
    decisive = f"(?:{both}|(?P<only>{phrase}))"
    though = re.escape(messages["why.though"].replace("{text}", "").replace("{against}", "\0"))
    reasons = f"{decisive}(?:{though.replace(chr(0), f'(?P<against>{phrase})')})?"
    patterns = []
    for lead in LEADS:
        core = pattern(messages[f"why.{lead}"]).replace("(?P<reasons>.*?)", reasons)
        for luck in ("deal_in", "round", ""):
            text = core
            if luck:
                text = pattern(messages[f"why.luck.{luck}"]).replace("(?P<text>.*?)", core)
            whole = pattern(messages["why.sentence"]).replace("(?P<text>.*?)", text)
            patterns.append((lead, luck, re.compile(whole)))
    return patterns


def readings(sentence: str, language: Language) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Yield lead, luck and groups of each whole pattern that a sentence follows."""
    starts = {sentence, sentence[:1].lower() + sentence[1:]}
    for lead, luck, whole in whole_patterns(language):
        for text in starts:
            if match := whole.fullmatch(text):
                yield lead, luck, {k: v for k, v in match.groupdict().items() if v is not None}


def phrase_readings(text: str, language: Language) -> Iterator[Phrase]:
    """Yield every phrase that a text can be."""
    for key, side, template in phrases(language):
        if match := re.fullmatch(pattern(template), text):
            yield Phrase(key, side, match.groupdict())


class Checker:
    """Holds the sentences on a choice against its data.

    `n_checked` counts the phrases by key.
    """

    def __init__(self, choice: ReviewedChoice, round: ReviewedRound, *, is_last_loss: bool) -> None:
        self.choice = choice
        self.round = round
        self.is_last_loss = is_last_loss
        self.position: ReviewedPosition = round["decisions"][choice["step"]]
        self.chosen = choice["actions"][choice["chosen"]]

    def problem(self, language: Language) -> str | None:
        """The reason why the sentence is wrong, or None."""
        sentence = (self.choice["why"] or {}).get(language, "")
        length = len(sentence.split()) if language == "en" else len(sentence)
        if not 0 < length <= MOST[language]:
            return f"its length is {length}"
        problems = []
        for lead, luck, groups in readings(sentence, language):
            reading = self._reading(language, lead, luck, groups)
            if reading is None:
                return None
            problems.append(reading)
        return "; ".join(problems) or "no template"

    def _reading(
        self, language: Language, lead: str, luck: str, groups: dict[str, str]
    ) -> str | None:
        if groups["subject"] not in self._labels(language, self.chosen):
            return f"{groups['subject']} is not the chosen action"
        others = [
            one
            for one in self.choice["actions"]
            if groups["other"] in self._labels(language, one) and one is not self.chosen
        ]
        if not others:
            return f"{groups['other']} is no action"
        reasons = [self._with(one, language, lead, luck, groups) for one in others]
        return None if None in reasons else str(reasons)

    def _with(
        self, other: ValuedAction, language: Language, lead: str, luck: str, groups: dict[str, str]
    ) -> str | None:
        """The problem of a reading if the chosen action is compared with this one."""
        gain = self.chosen["value"] - other["value"]
        if "n" in groups and groups["n"] != f"{abs(gain):,}":
            return f"n is {groups['n']}, not {gain}"
        if not self._fits_lead(lead, gain, other):
            return f"{lead} does not fit {gain}"
        if not self._fits_luck(luck, groups):
            return f"{luck} is wrong"
        mine, theirs = action_parts(self.chosen), action_parts(other)
        differences = {k: mine.get(k, 0) - theirs.get(k, 0) for k in mine.keys() | theirs.keys()}
        check = _PhraseChecker(self, other, language, {k: v for k, v in differences.items() if v})
        named: list[str] = []
        for slot in ("only", "first", "second", "against"):
            if slot not in groups:
                continue
            parts = [*filter(None, map(check.part, phrase_readings(groups[slot], language)))]
            if not parts:
                return f"{groups[slot]!r} is wrong"
            named.append(parts[0])
            on_its_side = check.points(parts[0]) * (gain or check.points(named[0])) > 0
            if on_its_side == (slot == "against"):
                return f"{parts[0]} is on the wrong side"
        return None if check.decides(named, gain) else f"{named} do not decide"

    def _fits_lead(self, lead: str, gain: int, other: ValuedAction) -> bool:
        lost = self.choice["value_lost"]
        is_advised = other is self.choice["actions"][0]
        return {
            "lost": lost == -gain > 0 and is_advised,
            "right": lost == 0 < gain and self.choice["agrees"],
            "kept": lost == 0 < gain and is_advised and not self.choice["agrees"],
            "preferred": lost == 0 > gain and self.choice["agrees"],
            "even": lost == 0 == gain,
            "same": lost == 0 == gain and action_parts(self.chosen) == action_parts(other),
        }[lead]

    def _fits_luck(self, luck: str, groups: dict[str, str]) -> bool:
        """A right decision is followed by luck where it lost, and no other one is."""
        rons = sum(ron["points"] for ron in self.position["rons"])
        is_right = self.choice["value_lost"] == 0 and self.is_last_loss
        lost = -(self.round["balance"] or 0)
        kind, points = "", 0
        if is_right and rons:
            kind, points = "deal_in", rons
        elif is_right and lost > 0 and self.chosen["verb"] not in QUIET:
            kind, points = "round", lost
        return luck == kind and (not luck or groups["points"] == f"{points:,}")

    def _labels(self, language: Language, action: ValuedAction) -> list[str]:
        t = translate(language)
        verb, tiles = action["verb"], action["tiles"]
        if verb == "discard" and self.choice["kind"] == "riichi" and action.get("shanten") == 0:
            verb = "dama"
        named = t.messages[f"why.action.{verb}"]
        if tiles:
            notation = "".join(tile[0] for tile in tiles) + tiles[0][1]
            named = named.replace("{tiles}", tile_names(t, notation))
        if "discard" in action:
            then = t.messages["why.action.then"].replace("{call}", named)
            named = then.replace("{tile}", tile_names(t, action["discard"]))
        return [named, named[:1].lower() + named[1:]]


class _PhraseChecker:
    """Holds phrases against the two actions that they compare."""

    def __init__(
        self, checker: Checker, other: ValuedAction, language: Language, differences: dict[str, int]
    ) -> None:
        self.position = checker.position
        self.dealer = checker.round["dealer"]
        self.own = checker.chosen
        self.other = other
        self.language: Language = language
        self.differences = differences

    def points(self, part: str) -> int:
        return self.differences[part]

    def decides(self, named: list[str], gain: int) -> bool:
        """The first part is the largest on the side of the sum; the score may come after it."""
        if not named:
            return not self.differences
        side = gain or self.points(named[0])
        without_score = gain - self.differences.get("score", 0)
        if gain and without_score * side <= 0:
            return named[0] == "score"
        mine = {k: abs(v) for k, v in self.differences.items() if v * side > 0}
        if without_score * side > 0:
            mine.pop("score", None)
        return mine[named[0]] == max(mine.values())

    def part(self, phrase: Phrase) -> str | None:
        """The part that a phrase is right about, or None."""
        for part in self._parts(phrase):
            points = self.differences.get(part, 0)
            is_better = phrase.side == "better"
            written = phrase.values["sign"] + phrase.values["price"]
            right = f"{'+' if points > 0 else '−'}{abs(points):,}"
            if points and is_better == (points > 0) and written == right:
                check: Callable[[dict[str, str], str], bool] = getattr(
                    self, f"_{phrase.key.partition('.')[0]}"
                )
                if check(phrase.values, part):
                    return part
        return None

    def _parts(self, phrase: Phrase) -> list[str]:
        if phrase.key.startswith("part."):
            name = phrase.key.removeprefix("part.")
            return [phrase.values["name"]] if name == "other" else [name]
        if phrase.key.startswith("deal_in"):
            return [f"deal_in.{SEATS[seat]}" for seat in self._opponents(phrase)]
        return [PARTS[phrase.key]]

    def _opponents(self, phrase: Phrase) -> Iterator[int]:
        """The seats, from 0 for the right one, whose name by the table is the one of the phrase."""
        messages = translate(self.language).messages
        for seat, name in enumerate(SEATS):
            public = self.position["seats"][seat + 1]
            state = STATES[0 if public["riichi"] else 1 if public["melds"] else 2]
            text = messages[f"why.opponent.{state}"].replace("{seat}", messages[f"why.seat.{name}"])
            if self.dealer == seat + 1:
                text = messages[f"why.dealer.{state}"]
            if phrase.values["opponent"] == text:
                yield seat

    def _pair(self, values: dict[str, str], own: str, other: str) -> bool:
        return values["own"] == own and values["other"] == other

    def _percents(self, values: dict[str, str], key: str) -> bool:
        chances = [float(one[key]) for one in (self.own, self.other)]  # type: ignore[literal-required]
        return self._pair(values, *(f"{100 * round(chance, 3):.1f}" for chance in chances))

    def _is_more(self, values: dict[str, str]) -> bool:
        own, other = (float(values[name].replace(",", "")) for name in ("own", "other"))
        return own > other

    def _win(self, values: dict[str, str], part: str) -> bool:
        is_more = self._is_more(values) == (self.differences[part] > 0)
        return is_more and self._percents(values, "win") and self._hand(values["hand"])

    def _win_value_rate(self, values: dict[str, str], part: str) -> bool:
        is_less = self._is_more(values) != (self.differences[part] > 0)
        return is_less and self._percents(values, "win")

    def _win_value(self, values: dict[str, str], part: str) -> bool:
        return True

    _later_value = _part = _deal_in_value = _win_value

    def _hand_points(self, values: dict[str, str], part: str) -> bool:
        points = [round((one["hand_points"] or 0) / 100) * 100 for one in (self.own, self.other)]
        is_more = self._is_more(values) == (self.differences[part] > 0)
        return is_more and self._pair(values, *(f"{one:,}" for one in points))

    def _later(self, values: dict[str, str], part: str) -> bool:
        is_less = self._is_more(values) != (self.differences[part] > 0)
        return is_less and self._percents(values, "deal_in")

    def _hand(self, text: str) -> bool:
        """The words on the own hand, which may be absent."""
        if not text:
            return True
        messages = translate(self.language).messages
        shanten = [one["shanten"] for one in (self.own, self.other)]
        tiles = [one["useful_tiles"] for one in (self.own, self.other)]
        if shanten[0] != shanten[1]:
            names = [
                messages["page.shanten"].replace("{shanten}", str(one))
                if one
                else messages["page.in_tenpai"]
                for one in shanten
            ]
            match = re.fullmatch(pattern(messages["why.hand.shanten"]), text)
            return match is not None and self._pair(match.groupdict(), *names)
        keys = ["waits", "named_waits"] if shanten[0] == 0 else ["useful"]
        for key in keys:
            match = re.fullmatch(pattern(messages[f"why.hand.{key}"]), text)
            if match and self._pair(match.groupdict(), *map(str, tiles)):
                return key != "named_waits" or self._waits(match["tiles"], match["wall"])
        return False

    def _waits(self, text: str, in_wall: str) -> bool:
        own = self.position["own"]
        tile = self.own["tiles"][0].replace("0", "5")
        assert own is not None
        t = translate(self.language)
        _, waits, _, expected, _ = own["discards"][tile]
        return text == tile_names(t, "".join(waits)) and in_wall == f"{expected:.1f}"

    def _risks(self) -> list[TileRisks | None]:
        """The risks of the tiles that the two actions put on the table."""
        tiles = []
        for action in (self.own, self.other):
            shown = action["tiles"][0] if action["verb"] in ("discard", "riichi", "kakan") else ""
            tiles.append(action.get("discard", shown))
        return [self.position["risks"][tile] if tile else None for tile in tiles]

    def _deal_in(self, values: dict[str, str], part: str) -> bool:
        seat = SEATS.index(part.partition(".")[2])
        own, other = self._risks()
        if own is None or other is None:
            return False
        is_less = self._is_more(values) != (self.differences[part] > 0)
        chances = (one["by_opponent"][seat] for one in (own, other))
        return is_less and self._pair(values, *(f"{round(100 * one, 1):.1f}" for one in chances))

    def _deal_in_alone(self, values: dict[str, str], part: str) -> bool:
        seat = SEATS.index(part.partition(".")[2])
        chances = [one["by_opponent"][seat] for one in self._risks() if one is not None]
        return [values["chance"]] == [f"{round(100 * one, 1):.1f}" for one in chances]

    def _deal_in_points(self, values: dict[str, str], part: str) -> bool:
        seat = SEATS.index(part.partition(".")[2])
        own, other = self._risks()
        if own is None or other is None:
            return False
        losses = (one["points_by_opponent"][seat] for one in (own, other))
        return self._pair(values, *(f"{round(one):,}" for one in losses))
