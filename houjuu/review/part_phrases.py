"""A part of the difference of two actions as a phrase, with numbers of the page and the board.

The phrases are templates of the catalogues; ``better`` and ``worse`` are those of the first action.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import NamedTuple

from houjuu.game.actions import DISCARDS, ActionKind
from houjuu.game.payments import HONBA, RIICHI_STICK
from houjuu.review.board_reasons import given_up, level, plain, yakuhai
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
from houjuu.review.page_types import ReviewedPosition, ReviewedRound, ValuedAction
from houjuu.review.verdict import rounded_chance
from houjuu.risk.answers import OPPONENTS
from houjuu.util.languages import Catalogue, Value
from houjuu.util.languages.names import tile_names

_Message = tuple[str, dict[str, Value]]
"""A key of the catalogues without its place and its end, and values."""

_OFFERED = (*DISCARDS, ActionKind.KAKAN)  # others can win on their tile
_MOST_WAITS = 5  # kinds that are named
_LATE = 20  # tiles left
_RIICHI_TILES = 4  # tiles left with which a riichi is possible
_LEAST_WIN = {False: 1000, True: 1500}  # points; True for the dealer
_TRIPLET = 3
_LARGE_POT = 0.25  # the share of the part of the win that sticks and honba are
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
    is_riichi : bool
        Whether riichi is possible: a discard that keeps tenpai is dama.
    subject, other : ValuedAction
        The action of the sentence, and the one that it is compared with.
    """

    position: ReviewedPosition
    round: ReviewedRound
    target: int | None
    is_riichi: bool
    subject: ValuedAction
    other: ValuedAction

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
    def dealer(self) -> int:
        """The relative seat of the dealer."""
        return self.round["dealer"]

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

    def is_furiten(self, action: ValuedAction) -> bool:
        """Whether the hand that a discard leaves waits in furiten."""
        own = self.position["own"]
        if own is None or action["verb"] not in DISCARDS:
            return False
        return own["discards"][plain(action["tiles"][0])][2]

    def n_before_riichi(self, number: int) -> int:
        """How many discards of a seat were there when the seat first saw a riichi of another."""
        for before in self.round["decisions"]:
            if any(one["riichi"] for one in before["seats"]):
                return len(before["seats"][number]["river"])
        return len(self.position["seats"][number]["river"])

    def names(self, t: Catalogue) -> tuple[str, str]:
        """The names of the subject and of the other."""
        own, other = (
            action_name(t, one, is_riichi=self.is_riichi) for one in (self.subject, self.other)
        )
        return own, other


def action_name(t: Catalogue, action: ValuedAction, *, is_riichi: bool) -> str:
    """An action as the subject of a sentence, with the discard that follows a call.

    Where riichi is possible, a discard that keeps tenpai is dama.
    """
    is_dama = is_riichi and action["verb"] == ActionKind.DISCARD and action.get("shanten") == 0
    verb = "dama" if is_dama else action["verb"]
    return written_action(t, f"why.action.{verb}", action["tiles"], action.get("discard"))


def written_action(t: Catalogue, key: str, tiles: Sequence[str], discard: str | None) -> str:
    """The message of a key with the tiles of an action, and the discard that follows.

    A red five may have a message of its own.
    """
    if f"{key}.red" in t and tiles[0][0] == "0":
        key = f"{key}.red"
    text = t(key, **({"tiles": tile_names(t, notation(tiles))} if tiles else {}))
    if discard is None:
        return text
    then = "why.action.then.red" if discard[0] == "0" else "why.action.then"
    return t(then, call=text, tile=tile_names(t, discard))


def notation(tiles: Sequence[str]) -> str:
    """Tiles of one suit in a word: "45m" for 4m and 5m."""
    return "".join(tile[0] for tile in tiles) + tiles[0][1] if tiles else ""


def phrase(t: Catalogue, contrast: Contrast, part: str, *, with_board: bool) -> tuple[str, str]:
    """The phrase of a part of `Contrast.differences`, and what follows it: a reason on the board.

    The reason is "" if there is none, or if it is not asked for. For `WIN` also where the part is
    on the other side than the chances.
    """
    is_better = contrast.differences.get(part, 0) > 0
    if part == WIN and contrast.names_win:
        is_better = contrast.win_difference > 0
    key, values = _message(t, contrast, part, is_better=is_better)
    values["own_name"], values["other_name"] = contrast.names(t)
    text = t(f"why.{key}.{'better' if is_better else 'worse'}", **values)
    return text, _board(t, _Side(contrast, part, key, is_better)) if with_board else ""


def _message(t: Catalogue, contrast: Contrast, part: str, *, is_better: bool) -> _Message:
    if part == WIN:
        return _win(contrast, better=is_better)
    if part == LATER:
        return _later(contrast)
    if part.startswith(DEAL_IN):
        return _deal_in(t, contrast, part)
    return f"part.{part}", {}


def _differ(own: float, other: float, *, more: bool) -> bool:
    """Whether two numbers as they are written differ, in the given direction."""
    return own > other if more else own < other


def _win(contrast: Contrast, *, better: bool) -> _Message:
    """How often the hand wins, or for how much, whichever differs by the larger factor."""
    rates = [_tenths(one.get("win", 0.0)) for one in (contrast.subject, contrast.other)]
    points = [
        round(one.get("hand_points") or 0, _HUNDREDS) for one in (contrast.subject, contrast.other)
    ]
    percents: dict[str, Value] = {"own": f"{rates[0]:.1f}", "other": f"{rates[1]:.1f}"}
    by_points = min(points) > 0 and _differ(*points, more=better)
    is_larger = _log_ratio(*points) > _log_ratio(*rates) and not contrast.names_win
    if by_points and (is_larger or not _differ(*rates, more=better)):
        return "hand_points", {"own": points[0], "other": points[1]}
    if _differ(*rates, more=better):
        return "win", percents
    return ("win_value", {}) if rates[0] == rates[1] else ("win_value_rate", percents)


def _log_ratio(own: float, other: float) -> float:
    """How far a factor is from 1; of a number that is 0 nothing is known."""
    return abs(log(own / other)) if own and other else 0.0


def _tenths(chance: float) -> float:
    """A probability in percent as the page shows it."""
    return round(100 * rounded_chance(chance), 1)


class _Side(NamedTuple):
    """A part of a contrast, and whether it is for the subject."""

    contrast: Contrast
    part: str
    key: str
    better: bool

    @property
    def actions(self) -> tuple[ValuedAction, ValuedAction]:
        """The action that the part is against, and the one that it is for."""
        pair = self.contrast.subject, self.contrast.other
        return pair[::-1] if self.better else pair

    @property
    def opponent(self) -> int:
        """The opponent of a deal-in, from 0 for the right one."""
        return OPPONENTS.index(self.part.removeprefix(DEAL_IN))


def _board(t: Catalogue, side: _Side) -> str:
    """The first reason on the board of a part that is on its side; "" if there is none."""
    text = next(filter(None, (reason(t, side) for reason in _REASONS.get(side.key, ()))), "")
    return _with_pot(t, side, text) if side.key == "win" else text


def _given_up(t: Catalogue, side: _Side) -> str:
    """What the worse discard gives up: a dora, a yaku, a shape."""
    found = given_up(side.contrast.position, side.contrast.round, *side.actions)
    if found is None:
        return ""
    key, *tiles = found
    names = [tile_names(t, tile) for tile in tiles]
    return t(f"why.board.{key}", tile=names[0], than=names[-1])


def _pon(t: Catalogue, side: _Side) -> str:
    """The yaku that a pon gives."""
    _, call = side.actions
    if call["verb"] != ActionKind.PON or call["tiles"][0] not in yakuhai(side.contrast.round):
        return ""
    return t("why.board.yaku", tile=tile_names(t, call["tiles"][0]))


def _kan(t: Catalogue, side: _Side) -> str:
    """The indicator that a kan turns over."""
    kans = [one["verb"] in KANS for one in side.actions]
    return t("why.board.kan") if kans == [False, True] else ""


def _hand(t: Catalogue, side: _Side) -> str:
    """Why a hand wins more often: a yaku, shanten, the waits, or useful tiles that explain it."""
    subject, other = side.contrast.subject, side.contrast.other
    if "shanten" not in subject or "shanten" not in other:
        return ""
    furiten = [side.contrast.is_furiten(one) for one in side.actions]
    no_yaku = [one.get("lacks_yaku", False) for one in side.actions]
    for key, lacks in (("furiten", furiten), ("lacks_yaku", no_yaku)):
        if lacks == [True, False]:
            return t(f"why.board.{key}", name=side.contrast.names(t)[side.better])
    if subject["shanten"] != other["shanten"]:
        return _shanten(t, side)
    counts = [one["useful_tiles"] for one in (subject, other)]
    rates = [one.get("win", 0.0) for one in (subject, other)]
    least = _EXPLAINS * _log_ratio(*rates) if side.part == WIN else _LARGE_RATIO
    if not _differ(*counts, more=side.better) or _log_ratio(*counts) < least:
        return ""
    waits = [one.get("waits", []) for one in (subject, other)]
    if not all(0 < len(kinds) <= _MOST_WAITS for kinds in waits):
        return t("why.board.useful", own=counts[0], other=counts[1])
    own_waits, other_waits = (tile_names(t, _joined(kinds)) for kinds in waits)
    return t("why.board.waits", tiles=own_waits, own=counts[0], others=other_waits, other=counts[1])


def _shanten(t: Catalogue, side: _Side) -> str:
    """The shanten of both hands, if the worse one has more."""
    worse, other = (one.get("shanten") for one in side.actions)
    if worse is None or other is None or worse <= other:
        return ""
    names = [
        t("page.shanten", shanten=shanten) if shanten else t("page.in_tenpai")
        for shanten in (worse, other)
    ]
    own_name, other_name = names[::-1] if side.better else names
    return t("why.board.shanten", own=own_name, other=other_name)


def _opening(t: Catalogue, side: _Side) -> str:
    """The riichi that a call takes from a closed hand, which needs no other yaku."""
    worse, other = side.actions
    position, yaku = side.contrast.position, yakuhai(side.contrast.round)
    can_riichi = position["scores"][0] >= RIICHI_STICK and position["tiles_left"] >= _RIICHI_TILES
    is_closed = all(meld["source"] is None for meld in position["seats"][0]["melds"])
    if not (can_riichi and is_closed and _is_opened(worse, other)):
        return ""
    has_yaku = any(position["hand"].count(kind) >= _TRIPLET for kind in yaku)
    return t(f"why.board.{'closed' if has_yaku or side.key != 'win' else 'needs_yaku'}")


def _is_opened(action: ValuedAction, other: ValuedAction) -> bool:
    return action["verb"] in CALLS and other["verb"] == ActionKind.PASS


def _with_pot(t: Catalogue, side: _Side, text: str) -> str:
    """The text with sticks and honba, if they are a large part of what the chance is worth."""
    contrast = side.contrast
    explained = abs(contrast.win_difference) * contrast.pot
    share = _LARGE_POT if text else 2 * _LARGE_POT
    is_large = explained > share * abs(contrast.differences.get(WIN, 0))
    is_named = is_large and contrast.pot >= RIICHI_STICK
    return t("why.board.pot", text=text, points=contrast.pot) if is_named else text


def _folding(t: Catalogue, side: _Side) -> str:
    """Why an action deals in later: fewer tiles, no choice, or not the safe tile."""
    worse, other = side.actions
    if _is_opened(worse, other):
        return t("why.board.fewer")
    if worse["verb"] == ActionKind.RIICHI != other["verb"]:
        return t("why.board.no_fold")
    tiles = [tile for tile in map(_discarded, side.actions) if tile is not None]
    if len(tiles) < len(side.actions):
        return ""
    own, kept = (side.contrast.position["risks"][tile] for tile in tiles)
    own_level, kept_level = (sum(map(level, one["safety"])) for one in (own, kept))
    is_safe = own["deal_in"] <= kept["deal_in"] and own_level < kept_level
    return t("why.board.keep_safe", tile=tile_names(t, tiles[0])) if is_safe else ""


def _at_draw(t: Catalogue, side: _Side) -> str:
    """The shanten at the draw, or the useful tiles, and the deal that tenpai keeps."""
    text = _shanten(t, side)
    keeps_deal = side.contrast.dealer == 0 and side.actions[1].get("shanten") == 0
    return t("why.board.deal", text=text) if text and keeps_deal else text or _hand(t, side)


def _late(t: Catalogue, side: _Side) -> str:
    tiles_left = side.contrast.position["tiles_left"]
    return t("why.board.tiles_left", n=tiles_left) if tiles_left <= _LATE else ""


def _stick(t: Catalogue, side: _Side) -> str:
    """The tiles that a riichi can win on, and those that are left."""
    riichi = [one for one in side.actions if one["verb"] == ActionKind.RIICHI]
    left = side.contrast.position["tiles_left"]
    return t("why.board.stick", n=riichi[0]["useful_tiles"], own=left) if len(riichi) == 1 else ""


def _joined(kinds: Sequence[str]) -> str:
    """Kinds in order with the ranks of a suit together: 147p."""
    suits = dict.fromkeys(kind[1] for kind in kinds)
    return "".join(notation([kind for kind in kinds if kind[1] == suit]) for suit in suits)


def _safety(t: Catalogue, side: _Side) -> str:
    """The safety of both tiles against an opponent, if it is a reason for the risks."""
    both = map(_discarded, (side.contrast.subject, side.contrast.other))
    tiles = [tile for tile in both if tile is not None]
    safety = [side.contrast.position["risks"][tile]["safety"][side.opponent] for tile in tiles]
    if len(tiles) == 1 or not _differ(*map(level, safety), more=not side.better):
        return ""
    own, other = (_safety_name(t, name) for name in safety)
    names = [tile_names(t, tile) for tile in tiles]
    return t("why.board.safety", tile=names[0], own=own, other_tile=names[1], other=other)


def _safety_name(t: Catalogue, name: str) -> str:
    base, _, copies = name.partition(".")
    return t(f"why.safety.{base}", **({"n": int(copies)} if copies else {}))


def _threat(t: Catalogue, side: _Side) -> str:
    """Why an opponent without a riichi is dangerous: tedashi after one, or P(tenpai)."""
    position, number = side.contrast.position, side.opponent + 1
    chance = position["tenpai"][side.opponent]
    if position["seats"][number]["riichi"] or chance < _LIKELY:
        return ""
    river = position["seats"][number]["river"][side.contrast.n_before_riichi(number) :]
    if any("'" not in tile for tile in river):
        return t("why.board.tedashi")
    return t("why.board.tenpai", chance=f"{_tenths(chance):.1f}")


def _place(t: Catalogue, side: _Side) -> str:
    """The place of the seat and the distance that is at stake: above by a win, else below."""
    contrast = side.contrast
    scores, target = contrast.position["scores"], contrast.target
    order = sorted(
        range(len(scores)), key=lambda seat: (-scores[seat], (seat - contrast.dealer) % 4)
    )
    rank = order.index(0)
    differences = contrast.differences
    risks = sum(differences[part] for part in differences if part.startswith("deal_in"))
    is_by_win = abs(differences.get(WIN, 0)) >= abs(risks)
    least = scores[0] + contrast.pot + _LEAST_WIN[contrast.dealer == 0]
    is_first = target is not None and least > max(scores[1:]) and least >= target
    if is_first and is_by_win and contrast.win_difference * differences[SCORE] > 0:
        return t("why.board.all_last", text=t("why.board.first"))
    is_behind = rank > 0 and (is_by_win or rank == len(order) - 1)
    near = rank - 1 if is_behind else rank + 1
    text = t(
        "why.board.behind" if is_behind else "why.board.ahead",
        place=t(f"why.place.{rank + 1}"),
        than=t(f"why.place.{near + 1}"),
        n=abs(scores[order[near]] - scores[0]),
    )
    return text if target is None else t("why.board.all_last", text=text)


_REASONS: Mapping[str, Sequence[Callable[[Catalogue, _Side], str]]] = {
    "win": (_pon, _hand, _given_up, _opening, _late),
    **dict.fromkeys(
        ("hand_points", "win_value", "win_value_rate"), (_pon, _kan, _given_up, _opening, _stick)
    ),
    **dict.fromkeys(("later", "later_value"), (_folding,)),
    "deal_in": (_safety, _threat),
    "deal_in_alone": (_threat,),
    "part.draw": (_at_draw, _late),
    "part.riichi_stick": (_stick,),
    "part.score": (_place,),
}
"""The reasons on the board by the key of a phrase, the best first."""


def _discarded(action: ValuedAction) -> str | None:
    """The tile that an action puts where others can win on it."""
    if "discard" in action:
        return action["discard"]
    return action["tiles"][0] if action["verb"] in _OFFERED else None


def _later(contrast: Contrast) -> _Message:
    """All deal-ins to the end of the round, if they differ in the direction of the later ones."""
    better = contrast.differences[LATER] > 0
    own, other = (_tenths(one.get("deal_in", 0.0)) for one in (contrast.subject, contrast.other))
    if _differ(own, other, more=not better):
        return "later", {"own": f"{own:.1f}", "other": f"{other:.1f}"}
    return "later_value", {}


def _deal_in(t: Catalogue, contrast: Contrast, part: str) -> _Message:
    """The deal-ins to an opponent by the discards: how often, or if that is equal, for how much."""
    better = contrast.differences[part] > 0
    index = OPPONENTS.index(part.removeprefix(DEAL_IN))
    values: dict[str, Value] = {"opponent": _opponent(t, contrast, index)}
    tiles = [_discarded(one) for one in (contrast.subject, contrast.other)]
    risks = [contrast.position["risks"][tile] for tile in tiles if tile is not None]
    chances = [round(100 * one["by_opponent"][index], 1) for one in risks]
    losses = [round(one["points_by_opponent"][index]) for one in risks]
    if len(risks) == 1:
        return "deal_in_alone", {**values, "chance": f"{chances[0]:.1f}"}
    if _differ(*chances, more=not better):
        return "deal_in", {**values, "own": f"{chances[0]:.1f}", "other": f"{chances[1]:.1f}"}
    if _differ(*losses, more=not better):
        return "deal_in_points", {**values, "own": losses[0], "other": losses[1]}
    return "deal_in_value", values


def _opponent(t: Catalogue, contrast: Contrast, index: int) -> str:
    """An opponent by its riichi, its melds, its seat and whether it deals; index 0 is right."""
    public = contrast.position["seats"][index + 1]
    state = "riichi" if public["riichi"] else "melds" if public["melds"] else "closed"
    if contrast.dealer == index + 1:
        return t(f"why.dealer.{state}")
    return t(f"why.opponent.{state}", seat=t(f"why.seat.{OPPONENTS[index]}"))
