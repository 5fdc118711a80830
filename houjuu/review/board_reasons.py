"""Reasons that stand on the board: the safety of a tile, the yaku and dora that a discard gives up.

Names of reasons are keys of the catalogues, in the place ``why``.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from houjuu.game.tiles import KINDS, kind_name, parse_kind
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
_MOST_STRAY = 3  # tiles of other suits with which a hand still goes for a flush


def safety_name(view: View, unseen: Sequence[int], kind: int, seat: int) -> str:
    """The safety of a kind against a seat; of an honour with the copies that nobody sees.

    ``genbutsu``, ``suji``, ``half_suji``, ``no_suji``; ``no_chance`` and ``one_chance`` where a
    wall leaves none or one copy for every ryanmen; ``honour.2``, and ``live.2`` of one that gives
    the seat a yaku. The unseen copies do not count those in the own hand.
    """
    furiten = view.furiten(seat)
    kind_class = safety.safety_class(kind, furiten)
    if kind_class == safety.HONOUR:
        wind = (seat - view.dealer) % 4
        gives_yaku = kind_name(kind) in (*_DRAGONS, kind_name(view.round_wind), f"{wind + 1}z")
        return f"{'live' if gives_yaku else 'honour'}.{unseen[kind]}"
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
    base, _, copies = name.partition(".")
    return _LEVELS[base] if not copies else int(copies) + _HONOUR_LEVELS[base] * (int(copies) > 1)


def yakuhai(round: ReviewedRound) -> tuple[str, ...]:
    """The honours of which a triplet is a yaku of the reviewed seat."""
    own_wind = f"{(-round['dealer']) % 4 + 1}z"
    return (*_DRAGONS, f"{round['round'] // 4 % 4 + 1}z", own_wind)


def given_up(
    position: ReviewedPosition, round: ReviewedRound, action: ValuedAction, other: ValuedAction
) -> tuple[str, ...] | None:
    """What the discard of an action gives up, and that of the other does not, with a tile.

    ``dora``, ``yakuhai``, ``flush``, ``tanyao``, ``pinfu``, ``pair``, ``live``, a single yakuhai;
    ``lone`` with the tile of the other, which has no neighbour; ``floating`` with both tiles, of
    which the first can join more tiles.
    """
    if not all(one["verb"] in ("discard", "riichi") for one in (action, other)):
        return None
    (tile,), (kept,) = action["tiles"], other["tiles"]
    if tile == kept:
        return None
    value = {one: _dora(position, one) for one in (tile, kept)}
    if value[tile] > value[kept]:
        return "dora", tile
    hand = [*map(plain, _all_tiles(position))]
    kind, kept_kind = plain(tile), plain(kept)
    yaku = yakuhai(round)
    if kind in yaku and hand.count(kind) == 2:
        return "yakuhai", tile
    for suit in "mps":
        stray = [one for one in hand if one[1] not in (suit, "z")]
        if len(stray) <= _MOST_STRAY and kind not in stray and kept_kind in stray:
            return "flush", tile
    simple = [one for one in hand if one[1] != "z" and one[0] not in "19"]
    if [one for one in hand if one not in simple] == [kept_kind]:
        return "tanyao", tile
    is_near = all(one.get("shanten", _FAR) < _FAR for one in (action, other))
    if (
        is_near
        and len(position["hand"]) == len(hand)
        and [
            _has_pinfu(hand, gone, one, yaku) for gone, one in ((kind, action), (kept_kind, other))
        ]
        == [False, True]
    ):
        return "pinfu", tile
    lone = [_is_lone(hand, one) for one in (kind, kept_kind)]
    if lone == [False, True]:
        return "lone", kept
    if hand.count(kind) > 1 and hand.count(kept_kind) == 1:
        return "pair", tile
    unseen = int(position["unseen"]["copies"][parse_kind(kind)])
    if kind in yaku and kept_kind not in yaku and lone[0] and unseen > 1:
        return "live", tile
    if all(lone) and _reach(kind) > _reach(kept_kind):
        return "floating", tile, kept
    return None


def _has_pinfu(hand: Sequence[str], kind: str, action: ValuedAction, yaku: Collection[str]) -> bool:
    """Whether a closed hand, without a tile of a kind, is as near to pinfu as to tenpai."""
    counts = [hand.count(name) - (name == kind) for name in map(kind_name, range(KINDS))]
    splits = sums(hand_splits(counts, tuple(map(parse_kind, yaku))))
    runs, two_sided, partial, pairs = (splits[:, columns].sum(axis=1) for columns in _PINFU_CLASSES)
    distance = 8 - 2 * runs - np.minimum(partial, 4 - runs) - (pairs > 0)
    return bool(((distance == action["shanten"]) & (two_sided > 0)).any())


def _reach(kind: str) -> int:
    """How many kinds of a suit are within two ranks of a tile."""
    return 0 if kind[1] == "z" else sum(1 <= int(kind[0]) + step <= 9 for step in _NEAR)


def _is_lone(hand: Sequence[str], kind: str) -> bool:
    """Whether a kind has no other copy, and no neighbour within two ranks."""
    near = {kind} if kind[1] == "z" else {f"{int(kind[0]) + step}{kind[1]}" for step in _NEAR}
    return sum(one in near for one in hand) == 1


def _all_tiles(position: ReviewedPosition) -> list[str]:
    melds = position["seats"][0]["melds"]
    return position["hand"] + [tile for meld in melds for tile in (*meld["own"], *meld["called"])]


def plain(tile: str) -> str:
    """The name of the kind of a tile: that of a plain five for a red one."""
    return tile.replace("0", "5")


def _dora(position: ReviewedPosition, tile: str) -> int:
    return position["dora"].count(plain(tile)) + (tile[0] == "0")
