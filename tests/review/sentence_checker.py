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
        if match := re.fullmatch(pattern(template, NUMBERS | {"own", "other"}), text):
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
        if self.names_win:
            return "win" in named
        side = gain or self.points(named[0])
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
            if key.startswith("why.board.") and (match := re.fullmatch(pattern(template), text)):
                check = getattr(self, f"_on_{key.removeprefix('why.board.')}", self._on_tile)
                self.kind = key.removeprefix("why.board.")
                if check(match.groupdict(), part, is_better):
                    return True
        return False

    def _worse(self, is_better: bool) -> ValuedAction:
        return self.other if is_better else self.own

    def _on_lacks_yaku(self, values: dict[str, str], part: str, is_better: bool) -> bool:
        worse = self._worse(is_better)
        lacking = [one for one in (self.own, self.other) if one.get("lacks_yaku")]
        return lacking == [worse] and values["name"] in self.checker.labels(self.language, worse)

    def _on_shanten(self, values: dict[str, str], part: str, is_better: bool) -> bool:
        messages = translate(self.language).messages
        shanten = [one["shanten"] for one in (self.own, self.other)]
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
            if key.startswith("why.safety.") and re.fullmatch(pattern(template), label)
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
        gone, kept = worse["tiles"][0], better["tiles"][0]
        named = kept if self.kind == "lone" else gone
        if values["tile"] != tile_names(translate(self.language), named):
            return False
        own = self.position["seats"][0]["melds"]
        hand = [*self.position["hand"], *(one for meld in own for one in meld["own"])]
        hand += [one for meld in own for one in meld["called"]]
        hand = [one.replace("0", "5") for one in hand]
        kind, other = gone.replace("0", "5"), kept.replace("0", "5")
        return {
            "dora": gone[0] == "0" or kind in self.position["dora"],
            "yakuhai": kind[1] == "z" and hand.count(kind) == 2,
            "flush": kind[1] != other[1] != "z"
            and sum(one[1] in (other[1], *({*"mps"} - {kind[1]})) for one in hand) <= 3,
            "tanyao": [one for one in hand if one[1] == "z" or one[0] in "19"] == [other],
            "pair": hand.count(kind) >= 2,
            "lone": [one for one in hand if one[1] == other[1] and _is_near(one, other)] == [other],
        }[self.kind]

    def _on_tiles_left(self, values: dict[str, str], part: str, is_better: bool) -> bool:
        return values["n"] == str(self.position["tiles_left"])

    def _on_all_last(self, values: dict[str, str], part: str, is_better: bool) -> bool:
        return self.checker.round["round"] >= 3 and self._board(values["text"], part, is_better)

    def _on_behind(self, values: dict[str, str], part: str, is_better: bool) -> bool:
        return self._is_near_seat(values, 1)

    def _on_ahead(self, values: dict[str, str], part: str, is_better: bool) -> bool:
        return self._is_near_seat(values, -1)

    def _is_near_seat(self, values: dict[str, str], sign: int) -> bool:
        own, *others = self.position["scores"]
        gaps = [sign * (one - own) for one in others if sign * (one - own) >= 0]
        rank = 1 + sum(one > own for one in others)
        names = [
            translate(self.language).messages[f"why.place.{one}"]
            for one in range(rank, rank + 1 + others.count(own))
        ]
        return values["n"] == f"{min(gaps):,}" and values["place"] in names

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
