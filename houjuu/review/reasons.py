"""Reasons: the parts of the difference of two actions as values, with facts of the board.

A reason names fields of the page and has their values. `houjuu.review.sentences` renders it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import Any, NamedTuple, cast

from houjuu.game.actions import DISCARDS, ActionKind
from houjuu.game.events import SEATS
from houjuu.game.payments import HONBA, RIICHI_STICK
from houjuu.review.board_reasons import RULES, SIZES, given_up, level, plain, yakuhai
from houjuu.review.deciding import (
    CALLS,
    DEAL_IN,
    KANS,
    LATER,
    OTHERS_WIN,
    SCORE,
    STICK,
    WIN,
    part_differences,
)
from houjuu.review.page_types import Fact, Reason, ReviewedPosition, ReviewedRound, ValuedAction
from houjuu.review.verdict import rounded_chance
from houjuu.risk.answers import OPPONENTS

_Phrase = tuple[str, dict[str, float]]
"""A key of the catalogues without its place and its end, and numbers."""

OTHER = "other_"
"""The start of the names of what belongs to the other action."""
PERCENTS = ("win", "deal_in", "tenpai", "by_opponent")
"""Fields that are probabilities."""

_NONE: Mapping[str, Any] = {}
_OFFERED = (*DISCARDS, ActionKind.KAKAN)  # others can win on their tile
_MOST_WAITS = 5  # kinds that are named
_LATE = 20  # tiles left
_RIICHI_TILES = 4  # tiles left with which a riichi is possible
_LEAST_WIN = {False: 1000, True: 1500}  # points; True for the dealer
_OUT_OF_REACH = 16_000  # points between two places that a round hardly changes
_LARGE_WIN = 8000  # points
_TRIPLET = 3
_LARGE_POT = 0.25  # the share of the part of the win that sticks and honba are
_SIGNS = ("river", "pace", "last_discards", "discard_order", "pushing")  # what the hand did
_LIKELY = 0.3  # P(tenpai) that is a threat
_LARGE_CHANCE = 0.1  # a difference of P(win) that is always named
_LARGE_RATIO = 0.2  # the logarithm of a factor of useful tiles that explains tenpai at a draw
_EXPLAINS = 0.4  # the share of the logarithm of a factor that another factor explains at least
_HUNDREDS = -2  # digits after the point; the page shows averages of wins in hundreds


@dataclass(frozen=True)
class Contrast:
    """Two actions at a position.

    Attributes
    ----------
    position : ReviewedPosition
    round : ReviewedRound
    target : int or None
        The points with which a leader ends the game now; None before the last round.
    bust : bool
        Whether a seat below 0 points ends the game.
    subject, other : ValuedAction
        The action of the sentence, and the one that it is compared with.
    """

    position: ReviewedPosition
    round: ReviewedRound
    target: int | None
    subject: ValuedAction
    other: ValuedAction
    bust: bool = True

    @cached_property
    def differences(self) -> dict[str, int]:
        """The parts of the subject less those of the other; unit: points.

        The stick that a riichi gets back by its win is a part of the stick, and the wins of the
        others that an own win prevents are a part of the win.
        """
        differences = part_differences(self.subject, self.other)
        for action, sign in ((self.subject, 1), (self.other, -1)):
            stick = next((one["value"] for one in action["parts"] if one["name"] == STICK), 0)
            back = sign * round(stick * action.get("win", 0.0))
            differences[STICK] = differences.get(STICK, 0) - back
            differences[WIN] = differences.get(WIN, 0) + back
        if differences.get(OTHERS_WIN, 0) * self.win_difference > 0:
            differences[WIN] += differences.pop(OTHERS_WIN)
        return {name: points for name, points in differences.items() if points}

    @property
    def pair(self) -> tuple[ValuedAction, ValuedAction]:
        """Subject and other."""
        return self.subject, self.other

    @property
    def tiles(self) -> list[str | None]:
        """The tiles that both put where others can win on them."""
        return [*map(_discarded, self.pair)]

    @property
    def win_difference(self) -> float:
        """P(win) of the subject less that of the other."""
        return self.subject.get("win", 0.0) - self.other.get("win", 0.0)

    @property
    def names_win(self) -> bool:
        """Whether P(win) differs so much that the sentence names it in any case."""
        side = sum(self.differences.values())
        return abs(self.win_difference) >= _LARGE_CHANCE and self.win_difference * side > 0

    @property
    def pot(self) -> int:
        """The points of the sticks and the honba, which a win gets."""
        return RIICHI_STICK * self.position["sticks"] + HONBA * self.round["honba"]

    def both(self, field: str) -> dict[str, float]:
        """A figure of both actions by name; 0 where it is absent."""
        own, other = (cast(dict[str, Any], one).get(field) or 0 for one in self.pair)
        return {field: own, OTHER + field: other}

    def risks(self, field: str, index: int) -> dict[str, float]:
        """A risk by name against an opponent, of the tiles that both put on the table."""
        pairs = zip((field, OTHER + field), self.tiles, strict=True)
        risks: Mapping[str, Mapping[str, Any]] = self.position["risks"]
        return {name: risks[tile][field][index] for name, tile in pairs if tile is not None}

    def is_furiten(self, action: ValuedAction) -> bool:
        """Whether the hand that a discard leaves waits in furiten."""
        own = self.position["own"]
        if own is None or action["verb"] not in DISCARDS:
            return False
        return own["discards"][plain(action["tiles"][0])]["furiten"]

    def n_before_riichi(self, number: int) -> int:
        """How many discards of a seat were there when the seat first saw a riichi of another."""
        for before in self.round["decisions"]:
            if any(one["riichi"] for one in before["seats"]):
                return len(before["seats"][number]["river"])
        return len(self.position["seats"][number]["river"])


def shown(name: str, number: float) -> float:
    """A field as a sentence has it: percents to a tenth, averages of wins in hundreds."""
    match name.removeprefix(OTHER):
        case "win" | "deal_in" | "tenpai":
            return round(100 * rounded_chance(number), 1)
        case "by_opponent":
            return round(100 * number, 1)
        case "hand_points":
            return round(number, _HUNDREDS)
    return round(number)


def reason(contrast: Contrast, part: str) -> Reason:
    """The reason of a part of `Contrast.differences`.

    For `WIN` also where the part is on the other side than the chances.
    """
    is_better = contrast.differences.get(part, 0) > 0
    if part == WIN and contrast.names_win:
        is_better = contrast.win_difference > 0
    words = {}
    if part == WIN:
        key, numbers = _win(contrast, better=is_better)
    elif part == LATER:
        key, numbers = _later(contrast, better=is_better)
    elif part.startswith(DEAL_IN):
        index = OPPONENTS.index(part.removeprefix(DEAL_IN))
        key, numbers = _deal_in(contrast, index, better=is_better)
        words["opponent"] = _opponent(contrast, index)
    else:
        key, numbers = f"part.{part}", {}
    return {
        "part": part,
        "side": "better" if is_better else "worse",
        **_fact(key, numbers, words=words),
        "facts": _facts(_Side(contrast, part, key, is_better)),
    }


def _fact(
    key: str,
    numbers: Mapping[str, float] = _NONE,
    tiles: Mapping[str, list[str]] = _NONE,
    words: Mapping[str, str] = _NONE,
) -> Fact:
    return {"key": key, "numbers": {**numbers}, "tiles": {**tiles}, "words": {**words}}


def _written(numbers: Mapping[str, float]) -> Iterator[float]:
    return (shown(name, number) for name, number in numbers.items())


def _differ(numbers: Mapping[str, float], *, more: bool) -> bool:
    """Whether two numbers as they are written differ, in the given direction."""
    own, other = _written(numbers)
    return own > other if more else own < other


def _win(contrast: Contrast, *, better: bool) -> _Phrase:
    """How often the hand wins, or for how much, whichever differs by the larger factor."""
    chances, points = map(contrast.both, ("win", "hand_points"))
    factor = _log_ratio(*_written(points))
    by_points = factor > 0 and _differ(points, more=better)
    is_larger = factor > _log_ratio(*_written(chances)) and not contrast.names_win
    if by_points and (is_larger or not _differ(chances, more=better)):
        return "hand_points", points
    if _differ(chances, more=better):
        return "win", chances
    return ("win_value_rate", chances) if _differ(chances, more=not better) else ("win_value", {})


def _log_ratio(own: float, other: float) -> float:
    """How far a factor is from 1; of a number that is 0 nothing is known."""
    return abs(log(own / other)) if own and other else 0.0


def _later(contrast: Contrast, *, better: bool) -> _Phrase:
    """All deal-ins to the end of the round, if they differ in the direction of the later ones."""
    chances = contrast.both("deal_in")
    return ("later", chances) if _differ(chances, more=not better) else ("later_value", {})


def _deal_in(contrast: Contrast, index: int, *, better: bool) -> _Phrase:
    """The deal-ins to an opponent by the discards: how often, or if that is equal, for how much."""
    chances, losses = (
        contrast.risks(field, index) for field in ("by_opponent", "points_by_opponent")
    )
    if len(chances) == 1:
        return "deal_in_alone", chances
    if _differ(chances, more=not better):
        return "deal_in", chances
    if _differ(losses, more=not better):
        return "deal_in_points", losses
    return "deal_in_value", {}


def _opponent(contrast: Contrast, index: int) -> str:
    """An opponent by whether it deals, and its riichi and melds; index 0 is right."""
    public = contrast.position["seats"][index + 1]
    state = "riichi" if public["riichi"] else "melds" if public["melds"] else "closed"
    return f"{'dealer' if contrast.round['dealer'] == index + 1 else 'opponent'}.{state}"


class _Side(NamedTuple):
    """A part of a contrast, and whether it is for the subject."""

    contrast: Contrast
    part: str
    key: str
    better: bool

    @property
    def position(self) -> ReviewedPosition:
        return self.contrast.position

    @property
    def actions(self) -> tuple[ValuedAction, ValuedAction]:
        """The action that the part is against, and the one that it is for."""
        return self.contrast.pair[::-1] if self.better else self.contrast.pair

    @property
    def is_opened(self) -> bool:
        """Whether the worse action is a call that the other one lets pass."""
        worse, other = self.actions
        return worse["verb"] in CALLS and other["verb"] == ActionKind.PASS

    @property
    def opponent(self) -> int:
        """The opponent of a deal-in, from 0 for the right one."""
        return OPPONENTS.index(self.part.removeprefix(DEAL_IN))


def _facts(side: _Side) -> list[Fact]:
    """The first facts of the board of a part that are on its side; none if there are none."""
    found = ([*facts(side)] for facts in _FACTS.get(side.key, ()))
    facts = next(filter(None, found), [])
    return [*facts, *_pot(side, len(facts))] if side.key == "win" else facts


def _given_up(side: _Side) -> Iterator[Fact]:
    """What the worse discard gives up: a dora, a yaku, or for the chance of a win a shape."""
    rules = RULES if side.key == "win" else SIZES
    verbs = [one["verb"] for one in side.actions]
    if rules is SIZES and verbs == ["discard", "riichi"]:
        yield _fact("riichi")
    elif found := given_up(side.position, side.contrast.round, side.actions, rules):
        yield _fact(found[0], tiles=found[1])


def _pon(side: _Side) -> Iterator[Fact]:
    """The yaku that a pon gives."""
    _, call = side.actions
    if call["verb"] == ActionKind.PON and call["tiles"][0] in yakuhai(side.contrast.round):
        yield _fact("yaku", tiles={"tile": call["tiles"][:1]})


def _kan(side: _Side) -> Iterator[Fact]:
    """The indicator that a kan turns over."""
    if [one["verb"] in KANS for one in side.actions] == [False, True]:
        yield _fact("kan")


def _hand(side: _Side) -> Iterator[Fact]:
    """Why a hand wins more often: a yaku, shanten, the waits, or useful tiles that explain it."""
    subject, other = side.contrast.pair
    if "shanten" not in subject or "shanten" not in other:
        return
    furiten = [side.contrast.is_furiten(one) for one in side.actions]
    no_yaku = [one.get("lacks_yaku", False) for one in side.actions]
    for key, lacks in (("furiten", furiten), ("lacks_yaku", no_yaku)):
        if lacks == [True, False]:
            yield _fact(key)
            return
    if subject["shanten"] != other["shanten"]:
        yield from _shanten(side)
        return
    counts = side.contrast.both("useful_tiles")
    least = (
        _EXPLAINS * _log_ratio(*side.contrast.both("win").values())
        if side.part == WIN
        else _LARGE_RATIO
    )
    if not _differ(counts, more=side.better) or _log_ratio(*counts.values()) < least:
        return
    waits = {"waits": subject.get("waits", []), "other_waits": other.get("waits", [])}
    is_short = all(0 < len(kinds) <= _MOST_WAITS for kinds in waits.values())
    yield _fact("waits", counts, waits) if is_short else _fact("useful", counts)


def _shanten(side: _Side) -> Iterator[Fact]:
    """The shanten of both hands, if the worse one has more."""
    worse, other = (one.get("shanten") for one in side.actions)
    if worse is not None and other is not None and worse > other:
        yield _fact("shanten", side.contrast.both("shanten"))


def _opening(side: _Side) -> Iterator[Fact]:
    """The riichi that a call takes from a closed hand, which needs no other yaku.

    A triplet of yakuhai is one, and a hand of simples has one.
    """
    position = side.position
    can_riichi = position["scores"][0] >= RIICHI_STICK and position["tiles_left"] >= _RIICHI_TILES
    is_closed = all(meld["source"] is None for meld in position["seats"][0]["melds"])
    if can_riichi and is_closed and side.is_opened:
        triplets = (
            position["hand"].count(kind) >= _TRIPLET for kind in yakuhai(side.contrast.round)
        )
        left = [*position["hand"]]
        if "discard" in (call := side.actions[0]):
            left.remove(call["discard"])
        is_simple = all(tile[1] != "z" and tile[0] not in "19" for tile in left)
        has_yaku = is_simple or any(triplets)
        yield _fact("closed" if has_yaku or side.key != "win" else "needs_yaku")


def _pot(side: _Side, n_facts: int) -> Iterator[Fact]:
    """Sticks and honba, if they are a large part of what the chance is worth."""
    contrast = side.contrast
    explained = abs(contrast.win_difference) * contrast.pot
    share = _LARGE_POT if n_facts else 2 * _LARGE_POT
    is_large = explained > share * abs(contrast.differences.get(WIN, 0))
    if is_large and contrast.pot >= RIICHI_STICK:
        yield _fact("pot", {"pot": contrast.pot})


def _folding(side: _Side) -> Iterator[Fact]:
    """Why an action deals in later: fewer tiles, no choice, or not the safe tile."""
    worse, other = side.actions
    tiles = [tile for tile in map(_discarded, side.actions) if tile is not None]
    if side.is_opened:
        yield _fact("fewer")
    elif worse["verb"] == ActionKind.RIICHI != other["verb"]:
        yield _fact("no_fold")
    elif len(tiles) == len(side.actions):
        own, kept = (side.position["risks"][tile] for tile in tiles)
        own_level, kept_level = (sum(map(level, one["safety"])) for one in (own, kept))
        if own["deal_in"] <= kept["deal_in"] and own_level < kept_level:
            yield _fact("keep_safe", tiles={"tile": tiles[:1]})


def _at_draw(side: _Side) -> Iterator[Fact]:
    """The shanten at the draw, or the useful tiles, and the deal that tenpai keeps."""
    facts = [*_shanten(side)]
    yield from facts or _hand(side)
    if facts and side.contrast.round["dealer"] == 0 == side.actions[1].get("shanten"):
        yield _fact("deal")


def _late(side: _Side) -> Iterator[Fact]:
    tiles_left = side.position["tiles_left"]
    if tiles_left <= _LATE:
        yield _fact("tiles_left", {"tiles_left": tiles_left})


def _stick(side: _Side) -> Iterator[Fact]:
    """The tiles that a riichi can win on, and the draws that are left."""
    useful = [one["useful_tiles"] for one in side.actions if one["verb"] == ActionKind.RIICHI]
    if len(useful) == 1:
        numbers = {"useful_tiles": useful[0], "draws": round(side.position["tiles_left"] / SEATS)}
        yield _fact("stick", numbers)


def _safety(side: _Side) -> Iterator[Fact]:
    """The safety of both tiles against an opponent, if it is a reason for the risks."""
    tiles = [tile for tile in side.contrast.tiles if tile is not None]
    names = [side.position["risks"][tile]["safety"][side.opponent] for tile in tiles]
    own, other = map(level, names)
    if own != other and (own < other) == side.better:
        named = {"tile": tiles[:1], "other_tile": tiles[1:]}
        yield _fact("safety", _NONE, named, {"safety": names[0], "other_safety": names[1]})


def _threat(side: _Side) -> Iterator[Fact]:
    """Why an opponent without a riichi is dangerous: tedashi after one, or P(tenpai).

    A silent hand has its signs, the two largest of the `_SIGNS`.
    """
    position, number = side.position, side.opponent + 1
    chance = position["tenpai"][side.opponent]
    reasons = position["tenpai_reasons"][side.opponent]
    shown = (one["name"] for one in reasons if one["probability"] > 0)
    signs = [name for name in shown if name in _SIGNS][:2]
    if position["silent"][side.opponent] and len(signs) > 1:
        words = dict(zip(("sign", "other_sign"), signs, strict=True))
        yield _fact("silent", {"tenpai": chance}, words=words)
    elif not position["seats"][number]["riichi"] and chance >= _LIKELY:
        river = position["seats"][number]["river"][side.contrast.n_before_riichi(number) :]
        is_tedashi = any("'" not in tile for tile in river)
        yield _fact("tedashi") if is_tedashi else _fact("tenpai", {"tenpai": chance})


def _place(side: _Side) -> Iterator[Fact]:
    """The place of the seat and the distance that is at stake: above by a win, else below."""
    contrast = side.contrast
    scores, target, dealer = side.position["scores"], contrast.target, contrast.round["dealer"]
    order = sorted(range(len(scores)), key=lambda seat: (-scores[seat], (seat - dealer) % 4))
    rank = order.index(0)
    differences = contrast.differences
    risks = sum(differences[part] for part in differences if part.startswith("deal_in"))
    is_by_win = abs(differences.get(WIN, 0)) >= abs(risks)
    least = scores[0] + contrast.pot + _LEAST_WIN[dealer == 0]
    is_first = target is not None and least > max(scores[1:]) and least >= target
    if is_first and is_by_win and contrast.win_difference * differences[SCORE] > 0:
        yield _fact("first")
    else:
        places = [place for place in (rank - 1, rank + 1) if 0 <= place < len(order)]
        gaps = {place: abs(scores[order[place]] - scores[0]) for place in places}
        near = places[0] if is_by_win else places[-1]
        if gaps[near] > _OUT_OF_REACH:
            near = min(places, key=lambda place: gaps[place])
        numbers = {"place": rank + 1, "other_place": near + 1, "points": gaps[near]}
        yield _fact("behind" if near < rank else "ahead", numbers)
    if target is not None:
        yield _fact("all_last")
    yield from _bust(contrast, by_win=is_by_win)


def _bust(contrast: Contrast, *, by_win: bool) -> Iterator[Fact]:
    """The score of a seat that a win, or a deal-in, may send below 0, which ends the game."""
    own, *others = contrast.position["scores"]
    sizes = contrast.both("hand_points").values()
    if contrast.bust and by_win and min(others) < max(sizes):
        yield _fact("bust", {"points": min(others)})
    elif contrast.bust and not by_win and own < _LARGE_WIN:
        yield _fact("own_bust", {"points": own})


_FACTS: Mapping[str, Sequence[Callable[[_Side], Iterator[Fact]]]] = {
    "win": (_pon, _hand, _given_up, _opening, _late),
    **dict.fromkeys(
        ("hand_points", "win_value", "win_value_rate"), (_pon, _kan, _given_up, _opening)
    ),
    **dict.fromkeys(("later", "later_value"), (_folding,)),
    "deal_in": (_safety, _threat),
    "deal_in_alone": (_threat,),
    "part.draw": (_at_draw, _late),
    "part.riichi_stick": (_stick,),
    "part.score": (_place,),
}
"""The facts of the board by the key of a reason, the best first."""


def _discarded(action: ValuedAction) -> str | None:
    """The tile that an action puts where others can win on it."""
    if "discard" in action:
        return action["discard"]
    return action["tiles"][0] if action["verb"] in _OFFERED else None
