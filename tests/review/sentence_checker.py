"""Reads a sentence by the templates of its language, and holds it against the data of the page.

The templates become patterns. From the sentence they give the keys, the numbers and the names, and
each of them is compared with the choice and the position, without the code that wrote the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from functools import cache
from typing import NamedTuple

from houjuu.review import prices
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
NUMBERS = {"n", "points", "chance"}
"""The placeholders that are always numbers."""
NUMBER = r"[\d,.]+"
LEADS = ("lost", "right", "kept", "school", "school_kept", "repeats", "even", "same")
SEATS = ("right", "across", "left")
STATES = ("riichi", "melds", "closed")
QUIET = ("discard", "pass", "win", "nine_terminals")
"""Verbs of the actions after which the loss of a round is no bad luck."""
MOST = {"en": 50, "ja": 120, "zh": 110}
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


def pattern(template: str, numbers: Collection[str] = NUMBERS) -> str:
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
            value = NUMBER if name in numbers else ".*?"
            text += f"(?P<{name}>{value})" if name not in seen else value
            seen.add(name)
    return text + re.escape(template[end:])


@cache
def compiled(template: str, *numbers: str) -> re.Pattern[str]:
    """The `pattern` of a template, in which these placeholders are numbers too."""
    return re.compile(pattern(template, NUMBERS | {*numbers}))


@cache
def phrases(language: Language) -> list[tuple[str, str, str]]:
    """Key, side and template of every phrase, a reason on the board behind it."""
    rows = []
    for key, template in translate(language).messages.items():
        room, _, name = key.partition(".")
        if room == "why" and name.endswith((".better", ".worse")):
            start, _, side = name.rpartition(".")
            rows.append((start, side, template + "{board}"))
    return rows


@cache
def whole_patterns(language: Language) -> list[tuple[str, str, re.Pattern[str]]]:
    """Lead, kind of luck ("" without) and the pattern of the whole sentence."""
    messages = translate(language).messages
    patterns = []
    for lead in LEADS:
        core = pattern(messages[f"why.{lead}"]).replace("(?P<reasons>.*?)", "(?P<reasons>.+?)")
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
                found = match.groupdict()
                for slots in split(found.pop("reasons", ""), language):
                    yield lead, luck, {**found, **slots}


def split(reasons: str, language: Language) -> Iterator[dict[str, str]]:
    """Yield the phrases by their slots: one or two that decide, and one against them."""
    messages = translate(language).messages
    though = messages["why.though"].replace("{text}", "").replace("{against}", "")
    both = messages["why.and"].replace("{first}", "").replace("{second}", "")
    if not reasons:
        yield {}
    for text, *against in [[reasons], *cuts(reasons, though)]:
        rest = {"against": against[0]} if against else {}
        yield {"only": text, **rest}
        for first, second in cuts(text, both):
            yield {"first": first, "second": second, **rest}


def cuts(text: str, separator: str) -> Iterator[list[str]]:
    """Yield both sides of every separator in a text."""
    for match in re.finditer(re.escape(separator), text):
        yield [text[: match.start()], text[match.end() :]]


def phrase_readings(text: str, language: Language) -> Iterator[Phrase]:
    """Yield every phrase that a text can be."""
    for key, side, template in phrases(language):
        if match := compiled(template, "own", "other").fullmatch(text):
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
        if groups["subject"] not in self.labels(language, self.chosen):
            return f"{groups['subject']} is not the chosen action"
        others = [
            one
            for one in self.choice["actions"]
            if groups["other"] in self.labels(language, one) and one is not self.chosen
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
        if "n" in groups and groups["n"] not in self._prices(lead, other):
            return f"n is {groups['n']}, not of {gain}"
        if not self._fits_lead(lead, gain, other):
            return f"{lead} does not fit {gain}"
        if not self._fits_luck(luck, groups):
            return f"{luck} is wrong"
        check = _PhraseChecker(self, other, language, merged(self.chosen, other))
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

    def _prices(self, lead: str, other: ValuedAction) -> set[str]:
        """The prices that a sentence may have: what the choice lost or gained, or a shrunk gain."""
        if lead in ("lost", "kept"):
            return {f"{self.choice['value_lost'] or self.choice['value_gained']:,}"}
        facing = any(seat["riichi"] for seat in self.position["seats"][1:])
        shrunk = prices.price(self.chosen, other, facing_riichi=facing)
        return {f"{abs(shrunk.points):,}"}

    def _fits_lead(self, lead: str, gain: int, other: ValuedAction) -> bool:
        choice = self.choice
        lost, agrees, school = choice["value_lost"], choice["agrees"], choice["school"]
        is_advised = other is choice["actions"][0]
        is_school = school is not None and other is choice["actions"][school]
        return {
            "lost": lost > 0 > gain and is_advised,
            "right": lost == 0 < gain and agrees and school is None,
            "kept": lost == 0 < gain and is_advised and not agrees,
            "school": lost == 0 > gain and agrees and is_school,
            "school_kept": lost == 0 < gain and is_advised and school == choice["chosen"],
            "repeats": lost == 0 > gain and is_advised and choice["repeats"] is not None,
            "even": lost == 0 and school not in (0, choice["chosen"]) and not choice["repeats"],
            "same": lost == 0 == gain and action_parts(self.chosen) == action_parts(other),
        }[lead]

    def _fits_luck(self, luck: str, groups: dict[str, str]) -> bool:
        """A right decision is followed by luck where it lost, and no other one is."""
        rons = sum(ron["points"] for ron in self.position["rons"])
        is_right = self.choice["agrees"] and self.is_last_loss and not self._is_avoidable()
        lost = -(self.round["balance"] or 0)
        kind, points = "", 0
        if is_right and rons:
            kind, points = "deal_in", rons
        elif is_right and lost > 0 and self.chosen["verb"] not in QUIET:
            kind, points = "round", lost
        return luck == kind and (not luck or groups["points"] == f"{points:,}")

    def _is_avoidable(self) -> bool:
        """Whether an action with more value deals in less, by its discard or later; two schools."""
        made = self.chosen
        risks = {tile: one["deal_in"] for tile, one in self.position["risks"].items()}
        return self.choice["school"] is not None or any(
            one["value"] > made["value"]
            and (
                one.get("deal_in", 0) < made.get("deal_in", 0)
                or self._risk(one, risks) < self._risk(made, risks)
            )
            for one in self.choice["actions"]
        )

    @staticmethod
    def _risk(action: ValuedAction, risks: dict[str, float]) -> float:
        return risks[action["tiles"][0]] if len(action["tiles"]) == 1 else 0.0

    def labels(self, language: Language, action: ValuedAction) -> list[str]:
        t = translate(language)
        verb, tiles = action["verb"], action["tiles"]
        if verb == "discard" and self.choice["kind"] == "riichi" and action.get("shanten") == 0:
            verb = "dama"
        red = ".red" if verb == "discard" and tiles[0][0] == "0" else ""
        named = t.messages[f"why.action.{verb}{red}"]
        if tiles:
            notation = "".join(tile[0] for tile in tiles) + tiles[0][1]
            named = named.replace("{tiles}", tile_names(t, notation))
        if "discard" in action:
            red = ".red" if action["discard"][0] == "0" else ""
            then = t.messages[f"why.action.then{red}"].replace("{call}", named)
            named = then.replace("{tile}", tile_names(t, action["discard"]))
        return [named, named[:1].lower() + named[1:]]


def merged(own: ValuedAction, other: ValuedAction) -> dict[str, int]:
    """The parts of one action less those of another, without zeros.

    A stick comes back with a win, and who wins more often loses less to the wins of others.
    """
    mine, theirs = action_parts(own), action_parts(other)
    back = [round(parts.get("riichi_stick", 0) * one.get("win", 0.0)) for parts, one in
        ((mine, own), (theirs, other))]  # fmt: skip
    found = {k: mine.get(k, 0) - theirs.get(k, 0) for k in {*mine, *theirs, "win", "riichi_stick"}}
    found["win"] += back[0] - back[1]
    found["riichi_stick"] -= back[0] - back[1]
    if found.get("others_win", 0) * (own.get("win", 0.0) - other.get("win", 0.0)) > 0:
        found["win"] += found.pop("others_win")
    return {name: points for name, points in found.items() if points}


class _PhraseChecker:
    """Holds phrases against the two actions that they compare."""

    def __init__(
        self, checker: Checker, other: ValuedAction, language: Language, differences: dict[str, int]
    ) -> None:
        self.checker = checker
        self.position = checker.position
        self.dealer = checker.round["dealer"]
        self.own = checker.chosen
        self.other = other
        self.language: Language = language
        self.differences = differences

    def points(self, part: str) -> float:
        """The points of a part; of the wins their chance, where that differs by much."""
        if part == "win" and self.names_win:
            return self.win_difference
        return self.differences.get(part, 0)

    @property
    def win_difference(self) -> float:
        return self.own.get("win", 0.0) - self.other.get("win", 0.0)

    @property
    def names_win(self) -> bool:
        total = sum(self.differences.values())
        return abs(self.win_difference) >= 0.1 and self.win_difference * total > 0

    def decides(self, named: list[str], gain: int) -> bool:
        """The first part is the largest on the side of the sum; the score may come after it.

        Where P(win) differs by a tenth, it is named.
        """
        if not named:
            return not self.differences
        side = gain or self.points(named[0])
        largest = max(self.differences, key=lambda k: self.differences[k] * side, default="")
        if len(named) > 1 and self.names_win and largest == "score" not in named:
            return False
        if self.names_win:
            return "win" in named
        without_score = gain - self.differences.get("score", 0)
        if gain and without_score * side <= 0:
            return named[0] == "score"
        mine = {k: abs(v) for k, v in self.differences.items() if v * side > 0}
        if without_score * side > 0 and len(mine) > 1:
            mine.pop("score", None)
        return mine[named[0]] == max(mine.values())

    def part(self, phrase: Phrase) -> str | None:
        """The part that a phrase is right about, or None."""
        values = phrase.values
        for name, action in (("own_name", self.own), ("other_name", self.other)):
            if name in values and values[name] not in self.checker.labels(self.language, action):
                return None
        for part in self._parts(phrase):
            points, is_better = self.points(part), phrase.side == "better"
            if points and is_better == (points > 0):
                check: Callable[[dict[str, str], str], bool] = getattr(
                    self, f"_{phrase.key.partition('.')[0]}"
                )
                if check(values, part) and self._board(values.get("board", ""), part, is_better):
                    return part
        return None

    def _parts(self, phrase: Phrase) -> list[str]:
        if phrase.key.startswith("part."):
            return [phrase.key.removeprefix("part.")]
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
        is_more = self._is_more(values) == (self.points(part) > 0)
        return is_more and self._percents(values, "win")

    def _win_value_rate(self, values: dict[str, str], part: str) -> bool:
        is_less = self._is_more(values) != (self.points(part) > 0)
        return is_less and self._percents(values, "win")

    def _win_value(self, values: dict[str, str], part: str) -> bool:
        return True

    _later_value = _part = _deal_in_value = _win_value

    def _hand_points(self, values: dict[str, str], part: str) -> bool:
        points = [round((one["hand_points"] or 0) / 100) * 100 for one in (self.own, self.other)]
        is_more = self._is_more(values) == (self.points(part) > 0)
        return is_more and self._pair(values, *(f"{one:,}" for one in points))

    def _later(self, values: dict[str, str], part: str) -> bool:
        is_less = self._is_more(values) != (self.points(part) > 0)
        return is_less and self._percents(values, "deal_in")

    def _board(self, text: str, part: str, is_better: bool) -> bool:
        """A reason on the board, which may be absent, by the tiles of the page alone."""
        if not text:
            return True
        messages = translate(self.language).messages
        for key, template in messages.items():
            if key.startswith("why.board.") and (match := compiled(template).fullmatch(text)):
                check = getattr(self, f"_on_{key.removeprefix('why.board.')}", self._on_tile)
                self.kind = key.removeprefix("why.board.")
                if check(match.groupdict(), part, is_better):
                    return True
        return False

    def _worse(self, is_better: bool) -> ValuedAction:
        return self.other if is_better else self.own

    def _on_lacks_yaku(self, values: dict[str, str], part: str, is_better: bool) -> bool:
        return self._only_worse(values, is_better, lambda one: one.get("lacks_yaku", False))

    def _on_furiten(self, values: dict[str, str], part: str, is_better: bool) -> bool:
        return self._only_worse(values, is_better, self._is_furiten)

    def _only_worse(
        self, values: dict[str, str], is_better: bool, has: Callable[[ValuedAction], bool]
    ) -> bool:
        worse = self._worse(is_better)
        found = [one for one in (self.own, self.other) if has(one)]
        return found == [worse] and values["name"] in self.checker.labels(self.language, worse)

    def _is_furiten(self, action: ValuedAction) -> bool:
        river = [one[:2] for one in self.position["seats"][0]["river"]] + action["tiles"]
        gone = {one.replace("0", "5") for one in river}
        return action["verb"] in ("discard", "riichi") and not gone.isdisjoint(
            action.get("waits", [])
        )

    def _on_yaku(self, values: dict[str, str], part: str, is_better: bool) -> bool:
        call = self._worse(not is_better)
        if call["verb"] != "pon":
            return False
        tile = call["tiles"][0]
        named = values["tile"] == tile_names(translate(self.language), tile)
        return named and tile in self._yakuhai()

    def _on_kan(self, values: dict[str, str], part: str, is_better: bool) -> bool:
        verbs = [self._worse(side)["verb"][-3:] for side in (is_better, not is_better)]
        return part == "win" and [verb == "kan" for verb in verbs] == [False, True]

    def _yakuhai(self) -> set[str]:
        winds = ["1z", "4z", "3z", "2z"]  # the own wind by the place of the dealer
        round_wind = f"{self.checker.round['round'] // 4 % 4 + 1}z"
        return {"5z", "6z", "7z", winds[self.dealer], round_wind}

    def _opens(self, is_better: bool) -> bool:
        """Whether the worse action is a call, and the other one lets it pass."""
        verbs = [self._worse(is_better)["verb"], self._worse(not is_better)["verb"]]
        return verbs[0] in ("chi", "pon", "daiminkan") and verbs[1] == "pass"

    def _on_closed(self, values: dict[str, str], part: str, is_better: bool) -> bool:
        melds = [one["kind"] for one in self.position["seats"][0]["melds"]]
        can = self.position["scores"][0] >= 1000 and self.position["tiles_left"] > 3
        return part == "win" and self._opens(is_better) and can and {*melds} <= {"ankan"}

    def _on_needs_yaku(self, values: dict[str, str], part: str, is_better: bool) -> bool:
        triplets = [one for one in self._yakuhai() if self.position["hand"].count(one) > 2]
        return self._on_closed(values, part, is_better) and not triplets

    def _on_pot(self, values: dict[str, str], part: str, is_better: bool) -> bool:
        pot = 1000 * self.position["sticks"] + 300 * self.checker.round["honba"]
        is_large = 4 * pot * abs(self.win_difference) >= abs(self.differences.get("win", 0))
        is_named = values["points"] == f"{pot:,}" and pot > 0 and part == "win"
        return is_named and is_large and self._board(values["text"], part, is_better)

    def _on_fewer(self, values: dict[str, str], part: str, is_better: bool) -> bool:
        return part == "deal_in_later" and self._opens(is_better)

    def _on_no_fold(self, values: dict[str, str], part: str, is_better: bool) -> bool:
        verbs = [self._worse(side)["verb"] == "riichi" for side in (is_better, not is_better)]
        return part == "deal_in_later" and verbs == [True, False]

    def _on_keep_safe(self, values: dict[str, str], part: str, is_better: bool) -> bool:
        own, other = self._risks()
        if own is None or other is None:
            return False
        safe, kept = (other, own) if is_better else (own, other)
        worse = self._worse(is_better)
        tile = tile_names(translate(self.language), worse.get("discard", worse["tiles"][0]))
        safer = safe["deal_in"] <= kept["deal_in"]
        return part == "deal_in_later" and safer and values["tile"] == tile

    def _on_deal(self, values: dict[str, str], part: str, is_better: bool) -> bool:
        keeps = self.dealer == 0 and self._worse(not is_better).get("shanten") == 0
        return part == "draw" and keeps and self._board(values["text"], part, is_better)

    def _on_stick(self, values: dict[str, str], part: str, is_better: bool) -> bool:
        waits = [one.get("waits", []) for one in (self.own, self.other) if one["verb"] == "riichi"]
        copies = self.position["unseen"]["copies"]
        counts = [sum(int(copies[_number(kind)]) for kind in kinds) for kinds in waits]
        numbers = [values["n"], values["own"]]
        is_right = part in ("riichi_stick", "win") and len(counts) == 1
        return is_right and numbers == [str(counts[0]), str(self.position["tiles_left"])]

    def _on_tenpai(self, values: dict[str, str], part: str, is_better: bool) -> bool:
        if not part.startswith("deal_in."):
            return False
        seat = SEATS.index(part.partition(".")[2])
        chance = self.position["tenpai"][seat]
        is_closed = not self.position["seats"][seat + 1]["riichi"]
        return is_closed and chance >= 0.3 and values["chance"] == f"{100 * round(chance, 3):.1f}"

    def _on_tedashi(self, values: dict[str, str], part: str, is_better: bool) -> bool:
        """A riichi was on the table when the seat discarded a tile that it had not drawn."""
        if not part.startswith("deal_in."):
            return False
        seat = 1 + SEATS.index(part.partition(".")[2])
        seen = [one["seats"] for one in self.checker.round["decisions"]]
        with_riichi = [
            len(seats[seat]["river"]) for seats in seen if any(one["riichi"] for one in seats)
        ]
        river = self.position["seats"][seat]["river"]
        after = [tile for tile in river[min(with_riichi, default=99) :] if "'" not in tile]
        return bool(after) and not self.position["seats"][seat]["riichi"]

    def _on_shanten(self, values: dict[str, str], part: str, is_better: bool) -> bool:
        messages = translate(self.language).messages
        shanten = [one.get("shanten", -1) for one in (self.own, self.other)]
        names = [
            messages["page.shanten"].replace("{shanten}", str(one))
            if one
            else messages["page.in_tenpai"]
            for one in shanten
        ]
        return (shanten[0] < shanten[1]) == is_better and self._pair(values, *names)

    def _on_useful(self, values: dict[str, str], part: str, is_better: bool) -> bool:
        own, other = (one["useful_tiles"] for one in (self.own, self.other))
        same = self.own["shanten"] == self.other["shanten"]
        return same and (own > other) == is_better and self._pair(values, str(own), str(other))

    def _on_waits(self, values: dict[str, str], part: str, is_better: bool) -> bool:
        t = translate(self.language)
        waits = []
        for action in (self.own, self.other):
            own = self.position["own"]
            kinds = action["waits"]
            if own is not None and action["verb"] in ("discard", "riichi"):
                kinds = own["discards"][action["tiles"][0].replace("0", "5")][1]
            waits.append("".join(tile_names(t, group) for group in _by_suit(kinds)))
        named = ["".join(values[name].split()) for name in ("tiles", "others")]
        return self._on_useful(values, part, is_better) and named == [
            "".join(one.split()) for one in waits
        ]

    def _on_safety(self, values: dict[str, str], part: str, is_better: bool) -> bool:
        if not part.startswith("deal_in."):
            return False
        t = translate(self.language)
        seat = SEATS.index(part.partition(".")[2])
        tiles = []
        for action in (self.own, self.other):
            tile = action.get("discard", action["tiles"][0] if action["tiles"] else "")
            tiles.append(tile)
        names = [values["tile"], values["other_tile"]]
        labels = [values["own"], values["other"]]
        last = f"{names[1]} {labels[1]} "  # a red five has two words in English
        if last.startswith(f"{tile_names(t, tiles[1])} "):
            names[1] = tile_names(t, tiles[1])
            labels[1] = last.removeprefix(names[1]).strip()
        return names == [tile_names(t, tile) for tile in tiles] and all(
            self._is_safety(tile, label, seat) for tile, label in zip(tiles, labels, strict=True)
        )

    def _is_safety(self, tile: str, label: str, seat: int) -> bool:
        """Whether the tile is what its label says, by the rivers and the tiles that nobody sees."""
        messages = translate(self.language).messages
        names = [
            key.removeprefix("why.safety.")
            for key, template in messages.items()
            if key.startswith("why.safety.") and compiled(template).fullmatch(label)
        ]
        if len(names) != 1:
            return False
        (name,) = names
        if (name == "genbutsu") != self.position["risks"][tile]["genbutsu"][seat]:
            return False
        rank, suit = int(tile[0].replace("0", "5")), tile[1]
        copies = [int(one) for one in self.position["unseen"]["copies"]]
        base = 9 * "mpsz".index(suit) - 1
        if name in ("honour", "live"):
            return suit == "z" and str(copies[base + rank]) in label
        river = [one[:2].replace("0", "5") for one in self.position["seats"][seat + 1]["river"]]
        partners = [one for one in (rank - 3, rank + 3) if 1 <= one <= 9]
        dead = [one for one in partners if f"{one}{suit}" in river]
        least = (
            min(
                min(copies[base + rank + step], copies[base + rank + 2 * step])
                for step in (-1, 1)
                if rank + 3 * step in partners
            )
            if suit != "z"
            else 0
        )
        if suit == "z":
            return name == "genbutsu"
        return {
            "genbutsu": True,
            "suji": True,
            "half_suji": len(partners) == 2 and len(dead) < 2,
            "no_suji": not dead,
            "no_chance": least == 0,
            "one_chance": least <= 1,
        }[name]

    def _on_tile(self, values: dict[str, str], part: str, is_better: bool) -> bool:
        """What the worse discard gives up, by the tiles of the hand."""
        worse, better = self._worse(is_better), self._worse(not is_better)
        if not {worse["verb"], better["verb"]} <= {"discard", "riichi"}:
            return False
        gone, kept = worse["tiles"][0], better["tiles"][0]
        names = [tile_names(translate(self.language), tile) for tile in (gone, kept)]
        if [values["tile"], values.get("than")] not in ([names[self.kind == "lone"], None], names):
            return False
        own = self.position["seats"][0]["melds"]
        hand = [*self.position["hand"], *(one for meld in own for one in meld["own"])]
        hand += [one for meld in own for one in meld["called"]]
        hand = [one.replace("0", "5") for one in hand]
        kind, other = gone.replace("0", "5"), kept.replace("0", "5")
        return {
            "dora": gone[0] == "0" or kind in self.position["dora"],
            "yakuhai": kind[1] == "z" and hand.count(kind) == 2,
            "flush": any(
                kind[1] in (suit, "z")
                and other[1] not in (suit, "z")
                and sum(one[1] not in (suit, "z") for one in hand) <= 3
                for suit in "mps"
            ),
            "tanyao": [one for one in hand if one[1] == "z" or one[0] in "19"] == [other],
            "pair": hand.count(kind) >= 2,
            "pinfu": self._is_pinfu(hand, other, better) and not self._is_pinfu(hand, kind, worse),
            "live": kind in self._yakuhai()
            and hand.count(kind) == 1
            and other not in self._yakuhai()
            and int(self.position["unseen"]["copies"][_number(kind)]) > 1,
            "floating": all(
                sum(_is_near(one, tile) for one in hand if one[1] == tile[1]) == 1
                for tile in (kind, other)
            )
            and _n_near(kind) > _n_near(other),
            "lone": [one for one in hand if one[1] == other[1] and _is_near(one, other)] == [other],
        }.get(self.kind, False)

    def _is_pinfu(self, hand: list[str], gone: str, action: ValuedAction) -> bool:
        """Whether runs and a pair that is no yakuhai are as near, with a two-sided wait."""
        left = [one for one in hand if one != gone] + [gone] * (hand.count(gone) - 1)
        numbers = sorted(_number(one) for one in left)
        honours = {_number(one) for one in self._yakuhai()}
        return len(left) == 13 and action["shanten"] in {
            8 - 2 * runs - partial - pair
            for runs, partial, two_sided, pair in _pinfu_forms(tuple(numbers), frozenset(honours))
            if two_sided and runs + partial < 5
        }

    def _on_tiles_left(self, values: dict[str, str], part: str, is_better: bool) -> bool:
        return values["n"] == str(self.position["tiles_left"])

    def _on_all_last(self, values: dict[str, str], part: str, is_better: bool) -> bool:
        return self.checker.round["round"] >= 3 and self._board(values["text"], part, is_better)

    def _on_first(self, values: dict[str, str], part: str, is_better: bool) -> bool:
        """The least win is first by points, and ends the game."""
        own, *others = self.position["scores"]
        won = own + (1000 if self.dealer else 1500) + 1000 * self.position["sticks"]
        won += 300 * self.checker.round["honba"]
        return part == "score" and won > max(others) and won >= 30000

    def _on_behind(self, values: dict[str, str], part: str, is_better: bool) -> bool:
        return self._is_near_seat(values, 1)

    def _on_ahead(self, values: dict[str, str], part: str, is_better: bool) -> bool:
        return self._is_near_seat(values, -1)

    def _is_near_seat(self, values: dict[str, str], sign: int) -> bool:
        """The gap to the next place above or below; of equal points any place is right."""
        own, *_ = self.position["scores"]
        ranked = [own, *sorted(self.position["scores"], reverse=True), own]
        messages = translate(self.language).messages
        return [values["place"], values["than"], values["n"]] in [
            [messages[f"why.place.{one}"] for one in (place, place - sign)]
            + [f"{abs(own - ranked[place - sign]):,}"]
            for place in range(1, 5)
            if ranked[place] == own and 1 <= place - sign <= 4
        ]

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
        is_less = self._is_more(values) != (self.points(part) > 0)
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


def _by_suit(kinds: list[str]) -> list[str]:
    suits = dict.fromkeys(kind[1] for kind in kinds)
    return ["".join(one[0] for one in kinds if one[1] == suit) + suit for suit in suits]


def _is_near(kind: str, other: str) -> bool:
    return kind == other if other[1] == "z" else abs(int(kind[0]) - int(other[0])) <= 2


def _number(kind: str) -> int:
    return 9 * "mpsz".index(kind[1]) + int(kind[0]) - 1


def _n_near(kind: str) -> int:
    return 0 if kind[1] == "z" else min(int(kind[0]), 3) + min(10 - int(kind[0]), 3) - 1


@cache
def _pinfu_forms(
    tiles: tuple[int, ...], yakuhai: frozenset[int]
) -> frozenset[tuple[int, int, bool, int]]:
    """Runs, partial runs, whether one of these is two-sided, and pairs, by every way to take."""
    if not tiles:
        return frozenset({(0, 0, False, 0)})
    first, rest = tiles[0], tiles[1:]
    found = set(_pinfu_forms(rest, yakuhai))
    same_suit = [one for one in (first + 1, first + 2) if first < 27 and one // 9 == first // 9]
    for wanted, shape in [
        (same_suit, (1, 0, False, 0)) if len(same_suit) > 1 else ([99], (0, 0, False, 0)),
        *(([one], (0, 1, one == first + 1 and 0 < first % 9 < 7, 0)) for one in same_suit),
        ([first if first not in yakuhai else 99], (0, 0, False, 1)),
    ]:
        if all(one in rest for one in wanted):
            left = list(rest)
            for one in wanted:
                left.remove(one)
            for runs, partial, two_sided, pair in _pinfu_forms(tuple(left), yakuhai):
                if pair + shape[3] < 2:
                    found.add((runs + shape[0], partial + shape[1], two_sided or shape[2],
                        pair + shape[3]))  # fmt: skip
    return frozenset(found)
