"""A part of the difference of two actions as a phrase, with numbers of the page and the board.

The phrases are templates of the catalogues; ``better`` and ``worse`` are those of the first action.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log

from houjuu.game.actions import DISCARDS, ActionKind
from houjuu.review.board_reasons import given_up, level
from houjuu.review.deciding import DEAL_IN, LATER, SCORE, WIN, part_differences
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
_LARGE_CHANCE = 0.1  # a difference of P(win) that is always named
_EXPLAINS = 0.4  # the share of the logarithm of a factor that another factor explains at least
_HUNDRED = 100  # unit: points; the page shows averages of wins in hundreds


@dataclass(frozen=True)
class Contrast:
    """Two actions at a position.

    Attributes
    ----------
    position : ReviewedPosition
    round : ReviewedRound
    is_last_round : bool
    is_riichi : bool
        Whether riichi is possible: a discard that keeps tenpai is dama.
    subject, other : ValuedAction
        The action of the sentence, and the one that it is compared with.
    """

    position: ReviewedPosition
    round: ReviewedRound
    is_last_round: bool
    is_riichi: bool
    subject: ValuedAction
    other: ValuedAction

    @cached_property
    def differences(self) -> dict[str, int]:
        """The parts of the subject less those of the other; unit: points."""
        return part_differences(self.subject, self.other)

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
    """The message of a key with the tiles of an action, and the discard that follows."""
    text = t(key, **({"tiles": tile_names(t, notation(tiles))} if tiles else {}))
    if discard is None:
        return text
    return t("why.action.then", call=text, tile=tile_names(t, discard))


def notation(tiles: Sequence[str]) -> str:
    """Tiles of one suit in a word: "45m" for 4m and 5m."""
    return "".join(tile[0] for tile in tiles) + tiles[0][1] if tiles else ""


def phrase(t: Catalogue, contrast: Contrast, part: str, *, with_board: bool) -> str:
    """The phrase of a part of `Contrast.differences`, with the reason on the board if there is one.

    For `WIN` also where the part is on the other side than the chances.
    """
    is_better = contrast.differences.get(part, 0) > 0
    if part == WIN and contrast.names_win:
        is_better = contrast.win_difference > 0
    key, values = _message(t, contrast, part, is_better=is_better)
    values["own_name"], values["other_name"] = contrast.names(t)
    values["board"] = _board(t, contrast, part, key, is_better=is_better) if with_board else ""
    return t(f"why.{key}.{'better' if is_better else 'worse'}", **values)


def _message(t: Catalogue, contrast: Contrast, part: str, *, is_better: bool) -> _Message:
    if part == WIN:
        return _win(contrast, better=is_better)
    if part == LATER:
        return _later(contrast)
    if part.startswith(DEAL_IN):
        return _deal_in(t, contrast, part)
    if f"why.part.{part}.better" in t:
        return f"part.{part}", {}
    return "part.other", {"name": part}


def _differ(own: float, other: float, *, more: bool) -> bool:
    """Whether two numbers as they are written differ, in the given direction."""
    return own > other if more else own < other


def _win(contrast: Contrast, *, better: bool) -> _Message:
    """How often the hand wins, or for how much, whichever differs by the larger factor."""
    rates = [_tenths(one.get("win", 0.0)) for one in (contrast.subject, contrast.other)]
    points = [_hundreds(one.get("hand_points") or 0) for one in (contrast.subject, contrast.other)]
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


def _hundreds(points: float) -> int:
    return round(points / _HUNDRED) * _HUNDRED


def _board(t: Catalogue, contrast: Contrast, part: str, key: str, *, is_better: bool) -> str:
    """The reason on the board of a part; "" if none of them is on its side."""
    if key == "win":
        return _hand(t, contrast, better=is_better) or _given_up(t, contrast, better=is_better)
    if part == WIN:
        return _given_up(t, contrast, better=is_better)
    if key == "deal_in":
        return _safety(t, contrast, OPPONENTS.index(part.removeprefix(DEAL_IN)), safer=is_better)
    if part == SCORE:
        return _place(t, contrast)
    tiles_left = contrast.position["tiles_left"]
    is_late = part == "draw" and tiles_left <= _LATE
    return t("why.board.tiles_left", n=tiles_left) if is_late else ""


def _given_up(t: Catalogue, contrast: Contrast, *, better: bool) -> str:
    """What the worse discard gives up: a dora, a pair of yakuhai, a flush, tanyao."""
    worse, other = contrast.subject, contrast.other
    if better:
        worse, other = other, worse
    found = given_up(contrast.position, contrast.round, worse, other)
    return t(f"why.board.{found[0]}", tile=tile_names(t, found[1])) if found else ""


def _hand(t: Catalogue, contrast: Contrast, *, better: bool) -> str:
    """Why a hand wins more often: a yaku, shanten, the waits, or useful tiles that explain it."""
    subject, other = contrast.subject, contrast.other
    if "shanten" not in subject or "shanten" not in other:
        return ""
    worse = other if better else subject
    lacking = [one for one in (subject, other) if one.get("lacks_yaku")]
    if lacking == [worse]:
        return t("why.board.lacks_yaku", name=contrast.names(t)[better])
    if subject["shanten"] != other["shanten"]:
        if not _differ(subject["shanten"], other["shanten"], more=not better):
            return ""
        own_name, other_name = (_shanten(t, one["shanten"]) for one in (subject, other))
        return t("why.board.shanten", own=own_name, other=other_name)
    counts = [one["useful_tiles"] for one in (subject, other)]
    rates = [one.get("win", 0.0) for one in (subject, other)]
    if not _differ(*counts, more=better) or _log_ratio(*counts) < _EXPLAINS * _log_ratio(*rates):
        return ""
    waits = [one.get("waits", []) for one in (subject, other)]
    if not all(0 < len(kinds) <= _MOST_WAITS for kinds in waits):
        return t("why.board.useful", own=counts[0], other=counts[1])
    own_waits, other_waits = (tile_names(t, _joined(kinds)) for kinds in waits)
    return t("why.board.waits", tiles=own_waits, own=counts[0], others=other_waits, other=counts[1])


def _joined(kinds: Sequence[str]) -> str:
    """Kinds in order with the ranks of a suit together: 147p."""
    suits = dict.fromkeys(kind[1] for kind in kinds)
    return "".join(notation([kind for kind in kinds if kind[1] == suit]) for suit in suits)


def _safety(t: Catalogue, contrast: Contrast, index: int, *, safer: bool) -> str:
    """The safety of both tiles against an opponent, if it is a reason for the risks."""
    both = map(_discarded, (contrast.subject, contrast.other))
    tiles = [tile for tile in both if tile is not None]
    own, other = (contrast.position["risks"][tile]["safety"][index] for tile in tiles)
    if not _differ(level(own), level(other), more=not safer):
        return ""
    names = [tile_names(t, tile) for tile in tiles]
    return t(
        "why.board.safety",
        tile=names[0],
        own=_safety_name(t, own),
        other_tile=names[1],
        other=_safety_name(t, other),
    )


def _safety_name(t: Catalogue, name: str) -> str:
    base, _, copies = name.partition(".")
    return t(f"why.safety.{base}", **({"n": int(copies)} if copies else {}))


def _place(t: Catalogue, contrast: Contrast) -> str:
    """The place of the seat, and the points to the nearest seat above or below."""
    scores = contrast.position["scores"]
    dealer = contrast.dealer
    order = sorted(range(len(scores)), key=lambda seat: (-scores[seat], (seat - dealer) % 4))
    rank = order.index(0)
    gaps = [
        (abs(scores[order[near]] - scores[0]), near < rank)
        for near in (rank - 1, rank + 1)
        if 0 <= near < len(order)
    ]
    gap, is_behind = min(gaps)
    side = "behind" if is_behind else "ahead"
    text = t(f"why.board.{side}", place=t(f"why.place.{rank + 1}"), n=gap)
    return t("why.board.all_last", text=text) if contrast.is_last_round else text


def _shanten(t: Catalogue, shanten: int) -> str:
    return t("page.shanten", shanten=shanten) if shanten else t("page.in_tenpai")


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
