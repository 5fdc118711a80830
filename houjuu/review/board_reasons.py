"""Reasons that stand on the board: the safety of a tile, the yaku and dora that a discard gives up.

Names of reasons are keys of the catalogues, in the place ``why``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from houjuu.game.tiles import COPIES, KIND, KINDS, kind_name, parse_kind
from houjuu.game.view import View
from houjuu.player.hand_value.hand_decomposition import CLASSES, hand_splits, sums
from houjuu.reading import safety
from houjuu.review.page_types import ReviewedPosition, ReviewedRound, ValuedAction

_HONOUR_LEVELS = {"honour": 0.0, "live": 0.5}
_LEVELS = {
    "genbutsu": 0.0,
    "suji": 1.0,
    "no_chance": 1.0,
    "one_chance": 2.0,
    "half_suji": 3.0,
    "no_suji": 4.0,
}
"""How dangerous a tile looks by its safety; an honour as many levels as copies are unseen."""
_CLASSES = {
    safety.GENBUTSU: "genbutsu",
    safety.FULL_SUJI: "suji",
    safety.HALF_SUJI: "half_suji",
    safety.NO_SUJI: "no_suji",
}
_DRAGONS = ("5z", "6z", "7z")
_NEAR = (-2, -1, 0, 1, 2)
_FAR = 2  # shanten of a hand that is far from pinfu
_PINFU_CLASSES = [
    [number for number, name in enumerate(CLASSES) if name.startswith(starts)]
    for starts in (
        "run",
        "two-sided",
        ("two-sided", "double", "closed", "edge"),
        ("pair of s", "pair of t"),
    )
]
"""The columns of a split by what pinfu counts: runs, partial ones, pairs that are no yakuhai."""
_PAIR = 2
_MOST_STRAY = 3  # tiles of other suits with which a hand still goes for a flush


def safety_name(view: View, unseen: Sequence[int], kind: int, seat: int) -> str:
    """The safety of a kind against a seat; of an honour with the copies that nobody sees.

    ``genbutsu``, ``suji``, ``half_suji``, ``no_suji``; ``no_chance`` and ``one_chance`` where a
    wall leaves none or one copy for every ryanmen; ``honour.2.1``, and ``live.2.1`` of one that
    gives the seat a yaku: 2 copies are unseen and 1 is on the table. Neither counts the own hand.
    """
    furiten = view.furiten(seat)
    kind_class = safety.safety_class(kind, furiten)
    if kind_class == safety.HONOUR:
        wind = (seat - view.dealer) % 4
        gives_yaku = kind_name(kind) in (*_DRAGONS, kind_name(view.round_wind), f"{wind + 1}z")
        on_table = COPIES - unseen[kind] - sum(KIND[tile] == kind for tile in view.hand)
        return f"{'live' if gives_yaku else 'honour'}.{unseen[kind]}.{on_table}"
    if kind_class in (safety.GENBUTSU, safety.FULL_SUJI):
        return _CLASSES[kind_class]
    copies = max(
        min(unseen[kind + step], unseen[kind + 2 * step])
        for step in (-1, 1)
        if 0 <= kind % 9 + 3 * step < 9 and not furiten >> kind + 3 * step & 1
    )
    return ("no_chance", "one_chance")[copies] if copies < 2 else _CLASSES[kind_class]


def level(name: str) -> float:
    """How dangerous a `safety_name` looks, from 0."""
    base, *counts = name.split(".")
    if not counts:
        return _LEVELS[base]
    unseen = int(counts[0])
    return unseen + _HONOUR_LEVELS[base] * (unseen > 1)


def yakuhai(round: ReviewedRound) -> tuple[str, ...]:
    """The honours of which a triplet is a yaku of the reviewed seat."""
    own_wind = f"{(-round['dealer']) % 4 + 1}z"
    return (*_DRAGONS, f"{round['round'] // 4 % 4 + 1}z", own_wind)


@dataclass(frozen=True)
class Discard:
    """A discard, with what its `RULES` need of the hand.

    Attributes
    ----------
    tile, kind : str
    kinds : sequence of str
        Those of all tiles before the discard, with the melds.
    yaku : collection of str
        The honours of which a triplet is a yaku of the seat.
    dora : int
        How many dora the tile is.
    unseen : int
        Copies of the kind that the seat does not see.
    shanten : int or None
        Of a closed hand that is left, where pinfu is near.
    """

    tile: str
    kind: str
    kinds: Sequence[str]
    yaku: Collection[str]
    dora: int
    unseen: int
    shanten: int | None

    @property
    def copies(self) -> int:
        """Copies of the kind before the discard."""
        return self.kinds.count(self.kind)

    @property
    def is_yakuhai(self) -> bool:
        """Whether a triplet of the kind is a yaku."""
        return self.kind in self.yaku


def _is_of_the_flush(discard: Discard) -> bool:
    """Whether nearly all tiles, and this one, are honours or of one suit."""
    stray = ([one for one in discard.kinds if one[1] not in (suit, "z")] for suit in "mps")
    return any(len(one) <= _MOST_STRAY and discard.kind not in one for one in stray)


def _leaves_no_tanyao(discard: Discard) -> bool:
    left = [*discard.kinds]
    left.remove(discard.kind)
    return any(one[1] == "z" or one[0] in "19" for one in left)


def _leaves_no_pinfu(discard: Discard) -> bool:
    """Whether a closed hand, without the tile, is farther from pinfu than from tenpai."""
    if discard.shanten is None:
        return False
    counts = [
        discard.kinds.count(name) - (name == discard.kind) for name in map(kind_name, range(KINDS))
    ]
    splits = sums(hand_splits(counts, tuple(map(parse_kind, discard.yaku))))
    runs, two_sided, partial, pairs = (splits[:, columns].sum(axis=1) for columns in _PINFU_CLASSES)
    distance = 8 - 2 * runs - np.minimum(partial, 4 - runs) - (pairs > 0)
    return not bool(((distance == discard.shanten) & (two_sided > 0)).any())


def _is_joined(discard: Discard) -> bool:
    """Whether the kind has another copy, or a neighbour within two ranks."""
    return sum(one in _near(discard.kind) for one in discard.kinds) > 1


def _reach(discard: Discard) -> int:
    """How many kinds of its suit a lone tile can join; a joined one more than any lone one."""
    return len(_NEAR) + 1 if _is_joined(discard) else len(_near(discard.kind))


def _near(kind: str) -> set[str]:
    """A kind, and those of its suit within two ranks."""
    if kind[1] == "z":
        return {kind}
    return {f"{rank}{kind[1]}" for rank in (int(kind[0]) + step for step in _NEAR) if 0 < rank < 10}


class Rule(NamedTuple):
    """A discard gives something up if it has more of ``own`` than the other one.

    The other has it by ``other``, if that is another predicate.
    """

    key: str
    own: Callable[[Discard], int]
    other: Callable[[Discard], int] | None = None


RULES = (
    Rule("dora", lambda one: one.dora),
    Rule("yakuhai", lambda one: one.is_yakuhai and one.copies == _PAIR),
    Rule("flush", _is_of_the_flush),
    Rule("tanyao", _leaves_no_tanyao),
    Rule("pinfu", _leaves_no_pinfu),
    Rule("lone", _is_joined),
    Rule("pair", lambda one: one.copies > 1),
    Rule(
        "live",
        lambda one: one.is_yakuhai and not _is_joined(one) and one.unseen > 1,
        lambda one: one.is_yakuhai,
    ),
    Rule("floating", _reach),
)
"""What a discard can give up, the weightiest first."""
SIZES = tuple(one for one in RULES if one.key not in ("lone", "pair", "floating"))
"""Those of the `RULES` that make a win larger."""


def given_up(
    position: ReviewedPosition,
    round: ReviewedRound,
    actions: tuple[ValuedAction, ValuedAction],
    rules: Sequence[Rule] = RULES,
) -> tuple[str, dict[str, list[str]]] | None:
    """What the discard of an action gives up, and that of the other does not.

    The first of the rules, and tiles by name: ``tile``; for ``lone`` that of the other action,
    for ``floating`` also ``other_tile``.
    """
    if not all(one["verb"] in ("discard", "riichi") for one in actions):
        return None
    is_near = all(one.get("shanten", _FAR) < _FAR for one in actions)
    own, kept = (_discard(position, round, one, is_near=is_near) for one in actions)
    if own.tile == kept.tile:
        return None
    key = next((one.key for one in rules if one.own(own) > (one.other or one.own)(kept)), None)
    if key is None:
        return None
    tiles = {"tile": [kept.tile if key == "lone" else own.tile]}
    return key, {**tiles, "other_tile": [kept.tile]} if key == "floating" else tiles


def _discard(
    position: ReviewedPosition, round: ReviewedRound, action: ValuedAction, *, is_near: bool
) -> Discard:
    (tile,) = action["tiles"]
    kind = plain(tile)
    melds = position["seats"][0]["melds"]
    melded = [one for meld in melds for one in (*meld["own"], *meld["called"])]
    return Discard(
        tile=tile,
        kind=kind,
        kinds=[*map(plain, (*position["hand"], *melded))],
        yaku=yakuhai(round),
        dora=position["dora"].count(kind) + (tile[0] == "0"),
        unseen=position["unseen"]["copies"][parse_kind(kind)],
        shanten=action["shanten"] if is_near and not melds else None,
    )


def plain(tile: str) -> str:
    """The name of the kind of a tile: that of a plain five for a red one."""
    return tile.replace("0", "5")
