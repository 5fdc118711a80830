"""A part of the difference of two actions as a phrase, with the numbers of the page and its price.

The phrases are templates of the catalogues; ``better`` and ``worse`` are those of the first action.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log

from houjuu.game.actions import DISCARDS, ActionKind
from houjuu.review.deciding import CALLS, DEAL_IN, LATER, WIN, part_differences
from houjuu.review.page_types import ReviewedPosition, ValuedAction
from houjuu.review.verdict import rounded_chance
from houjuu.risk.answers import OPPONENTS
from houjuu.util.languages import Catalogue, Value
from houjuu.util.languages.names import tile_names

_Message = tuple[str, dict[str, Value]]
"""A key of the catalogues without its place and its end, and values."""

_OFFERED = (*DISCARDS, ActionKind.KAKAN)  # others can win on their tile
_MOST_WAITS = 3  # kinds that are named
_HUNDRED = 100  # unit: points; the page shows averages of wins in hundreds
_LEAST_CHANCE = 0.001


@dataclass(frozen=True)
class Contrast:
    """Two actions at a position.

    Attributes
    ----------
    position : ReviewedPosition
    dealer : int
        The relative seat of the dealer.
    subject, other : ValuedAction
        The action of the sentence, and the one that it is compared with.
    """

    position: ReviewedPosition
    dealer: int
    subject: ValuedAction
    other: ValuedAction

    @cached_property
    def differences(self) -> dict[str, int]:
        """The parts of the subject less those of the other; unit: points."""
        return part_differences(self.subject, self.other)


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


def phrase(t: Catalogue, contrast: Contrast, part: str, *, with_hand: bool) -> str:
    """The phrase of a part of `Contrast.differences`, with the own hand where it fits."""
    price = contrast.differences[part]
    key, values = _message(t, contrast, part, with_hand=with_hand)
    side = "better" if price > 0 else "worse"
    sign = "+" if price > 0 else "−"
    return t(f"why.{key}.{side}", sign=sign, price=abs(price), **values)


def _message(t: Catalogue, contrast: Contrast, part: str, *, with_hand: bool) -> _Message:
    if part == WIN:
        return _win(t, contrast, with_hand=with_hand)
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


def _win(t: Catalogue, contrast: Contrast, *, with_hand: bool) -> _Message:
    """How often the hand wins, or for how much, whichever differs by the larger factor."""
    better = contrast.differences[WIN] > 0
    rates = [_tenths(one.get("win", 0.0)) for one in (contrast.subject, contrast.other)]
    points = [_hundreds(one.get("hand_points") or 0) for one in (contrast.subject, contrast.other)]
    percents: dict[str, Value] = {"own": f"{rates[0]:.1f}", "other": f"{rates[1]:.1f}"}
    by_points = min(points) > 0 and _differ(*points, more=better)
    if by_points and _log_ratio(*points) > _log_ratio(*rates):
        return "hand_points", {"own": points[0], "other": points[1]}
    if _differ(*rates, more=better):
        return "win", {**percents, "hand": _hand(t, contrast) if with_hand else ""}
    if by_points:
        return "hand_points", {"own": points[0], "other": points[1]}
    return ("win_value", {}) if rates[0] == rates[1] else ("win_value_rate", percents)


def _log_ratio(own: float, other: float) -> float:
    """How far a factor is from 1; of a number that is 0 nothing is known."""
    return abs(log(own / other)) if own and other else 0.0


def _tenths(chance: float) -> float:
    """A probability in percent as the page shows it."""
    return round(100 * rounded_chance(chance), 1)


def _hundreds(points: float) -> int:
    return round(points / _HUNDRED) * _HUNDRED


def _hand(t: Catalogue, contrast: Contrast) -> str:
    """Shanten, waits or useful tiles of both hands, if they are a reason for the wins."""
    better = contrast.differences[WIN] > 0
    subject, other = contrast.subject, contrast.other
    if "shanten" not in subject or "shanten" not in other:
        return ""
    if subject["shanten"] != other["shanten"]:
        if not _differ(subject["shanten"], other["shanten"], more=not better):
            return ""
        names = [_shanten(t, one["shanten"]) for one in (subject, other)]
        return t("why.hand.shanten", own=names[0], other=names[1])
    counts = [one["useful_tiles"] for one in (subject, other)]
    if not _differ(*counts, more=better):
        return ""
    key = "useful" if subject["shanten"] else "waits"
    values = {"own": counts[0], "other": counts[1]}
    waits = None if subject["shanten"] else _waits(contrast)
    if waits is not None:
        kinds, in_wall = waits
        tiles = tile_names(t, "".join(kinds))
        return t("why.hand.named_waits", tiles=tiles, wall=f"{in_wall:.1f}", **values)
    return t(f"why.hand.{key}", **values)


def _shanten(t: Catalogue, shanten: int) -> str:
    return t("page.shanten", shanten=shanten) if shanten else t("page.in_tenpai")


def _waits(contrast: Contrast) -> tuple[list[str], float] | None:
    """The waits of the hand that the subject leaves, and their expected copies in the wall.

    None if there are many waits, or if they are unknown.
    """
    own, tile = contrast.position["own"], _discarded(contrast.subject)
    if own is None or tile is None or contrast.subject["verb"] in CALLS:
        return None
    _, kinds, _, in_wall, _ = own["discards"][_kind(tile)]
    return (kinds, in_wall) if 0 < len(kinds) <= _MOST_WAITS else None


def _kind(tile: str) -> str:
    return tile.replace("0", "5")


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
