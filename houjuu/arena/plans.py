"""Ways for a bot's open hand to have a yaku, and how far a hand is from tenpai on each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from riichienv import calculate_shanten

from houjuu.tiles import COPIES, EAST, HONOURS, IS_HONOUR, IS_YAOCHU, KINDS, SUIT

HOPELESS = 8  # unit: shanten; as far as a hand can be


class Plan(NamedTuple):
    """A way to a yaku.

    Attributes
    ----------
    name : str
    fits : tuple of 34 bools
        The kinds it can use.
    junk : tuple of int
        Ids of kinds that it cannot use and that do nothing for one another: in their place the
        tiles that do not fit count for nothing.
    triplets : bool
        It takes no runs.
    """

    name: str
    fits: tuple[bool, ...] = (True,) * KINDS
    junk: tuple[int, ...] = ()
    triplets: bool = False


def _flush(suit: int) -> Plan:
    fits = tuple(SUIT[kind] in (suit, HONOURS) for kind in range(KINDS))
    others = [9 * other + rank for other in range(3) if other != suit for rank in (0, 4, 8)]
    return Plan("honitsu", fits, tuple(COPIES * kind for kind in others))


PLAIN = Plan("plain")
YAKUHAI = Plan("yakuhai")
TANYAO = Plan(
    "tanyao",
    tuple(not yaochu for yaochu in IS_YAOCHU),
    tuple(COPIES * kind for kind in range(EAST, KINDS)),
)
FLUSHES = tuple(_flush(suit) for suit in range(3))
TOITOI = Plan("toitoi", triplets=True)


def shanten(hand: Sequence[int], plan: Plan) -> int:
    """Shanten of 3n + 1 or 3n + 2 concealed tiles when only the plan's tiles count."""
    if plan.triplets:
        return _triplet_shanten(hand)
    if not plan.junk:
        return int(calculate_shanten(hand))
    fitting = [tile for tile in hand if plan.fits[tile >> 2]]
    missing = len(hand) - len(fitting)
    if missing > len(plan.junk):
        return HOPELESS
    return int(calculate_shanten([*fitting, *plan.junk[:missing]]))


def _triplet_shanten(hand: Sequence[int]) -> int:
    held = Counter(tile >> 2 for tile in hand).values()
    sets = len(hand) // 3
    triplets = min(sets, sum(count >= 3 for count in held))
    pairs = sum(count == 2 for count in held)
    useful = min(pairs, sets - triplets)
    return 2 * (sets - triplets) - useful - (pairs > useful)


def open_plans(
    hand: Sequence[int], melds: Sequence[Sequence[int]], yakuhai: Sequence[int], unseen: list[int]
) -> Iterator[Plan]:
    """The plans that an open hand can still follow; `melds` are the kinds of each."""
    shown = [kind for meld in melds for kind in meld]
    held = Counter(tile >> 2 for tile in hand)
    have = any(kind in shown or held[kind] >= 3 for kind in yakuhai)
    # A pair is as good as a yaku while both of its missing tiles may still come.
    if have or any(held[kind] == 2 and unseen[kind] == 2 for kind in yakuhai):
        yield YAKUHAI
    if all(TANYAO.fits[kind] for kind in shown):
        yield TANYAO
    yield from (plan for plan in FLUSHES if all(plan.fits[kind] for kind in shown))
    if all(len(set(meld)) == 1 for meld in melds):
        yield TOITOI


def nearby(hand: Sequence[int]) -> list[int]:
    """The kinds that could do something for a hand: held, or within two ranks of one held."""
    near = set()
    for kind in {tile >> 2 for tile in hand}:
        near.add(kind)
        if not IS_HONOUR[kind]:
            first = 9 * SUIT[kind]
            near.update(range(max(first, kind - 2), min(first + 9, kind + 3)))
    return sorted(near)
