"""Calls of the last tile of another seat, and wins on it, by the hand of a seat."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations

from houjuu.game.actions import Action
from houjuu.game.draws import MAX_KANS, four_kans
from houjuu.game.events import KANS, Meld, MeldKind
from houjuu.game.rules import Rules
from houjuu.game.table import View
from houjuu.game.tiles import COPIES, EAST, IS_HONOUR, IS_YAOCHU, KIND, KINDS, RED_FIVES, SUIT
from houjuu.hands.shanten import shanten

_RUN_LOWS = tuple(not IS_HONOUR[kind] and kind % 9 < 7 for kind in range(KINDS))
_RUN_NEIGHBOURS = ((-2, -1), (-1, 1), (1, 2))


def can_claim(view: View, tile: int, source: int) -> bool:
    """Whether the asking seat can chi, pon, kan or win on a tile of another seat.

    Whether the win has a yaku is not checked.

    Parameters
    ----------
    view : View
    tile : int
        The last discard, or the tile of a kan.
    source : int
        The seat that discarded it or made the kan.
    """
    if source == view.seat:
        return False
    offered = view.moment.offered_kan
    return can_ron(view, tile) or (offered is None and any(calls(view, tile, source)))


def can_ron(view: View, tile: int) -> bool:
    """Whether a tile of another seat completes the hand, and the seat is not in furiten.

    Whether the win has a yaku is not checked. Nobody robs a closed kan but, by some rules, kokushi
    musou.
    """
    if not view.hand:
        return False
    counts = kind_counts(view.hand)
    if view.moment.offered_kan is MeldKind.ANKAN:
        robs = view.rules.profile.kokushi_robs_ankan
        if not (robs and _is_kokushi(kind_counts((*view.hand, tile)))):
            return False
    elif not _completes(counts, KIND[tile]):
        return False
    furiten = view.furiten(view.seat)
    return not any(furiten >> wait & 1 for wait in waits(counts))


def calls(view: View, tile: int, source: int) -> Iterator[Action]:
    """Yield the pons, open kans and chis of a discard; each distinct choice of own tiles once.

    There are none in riichi, none of the last discard of the wall or of the round, and none after
    which every discard is forbidden (喰い替え).

    Parameters
    ----------
    view : View
    tile : int
        The last discard.
    source : int
        The seat that discarded it.
    """
    ends = view.rules.profile.aborts and four_kans(view.seats)
    if ends or not view.tiles_left or view.seats[view.seat].declared:
        return
    for kind, consumed in _consumed(view, KIND[tile], (source + 1) % 4 == view.seat):
        meld = Meld(kind, tuple(sorted((*consumed, tile))), tile, source)
        forbidden = kuikae_kinds(meld, view.rules)
        rest = (own for own in view.hand if own not in consumed)
        if kind is MeldKind.DAIMINKAN or any(KIND[own] not in forbidden for own in rest):
            yield Action.from_meld(meld)


def _consumed(view: View, kind: int, from_left: bool) -> Iterator[tuple[MeldKind, tuple[int, ...]]]:
    """The kind of each call, and the own tiles that it takes."""
    copies = _copies(view, kind)
    yield from ((MeldKind.PON, pair) for pair in _distinct(combinations(copies, 2)))
    if len(copies) == 3 and n_kans(view) < MAX_KANS:
        yield MeldKind.DAIMINKAN, tuple(copies)
    if not from_left or IS_HONOUR[kind]:
        return
    for low, high in _RUN_NEIGHBOURS:
        if SUIT[kind] == _suit(kind + low) == _suit(kind + high):
            pairs = ((a, b) for a in _copies(view, kind + low) for b in _copies(view, kind + high))
            yield from ((MeldKind.CHI, pair) for pair in _distinct(pairs))


def _copies(view: View, kind: int) -> list[int]:
    return sorted(tile for tile in view.hand if KIND[tile] == kind)


def _suit(kind: int) -> int | None:
    return SUIT[kind] if 0 <= kind < EAST else None


def _distinct(choices: Iterable[tuple[int, ...]]) -> Iterable[tuple[int, ...]]:
    """One of the choices with the same red fives."""
    return {tuple(tile in RED_FIVES for tile in choice): choice for choice in choices}.values()


def n_kans(view: View) -> int:
    """The kans of all seats in the round."""
    return sum(meld.kind in KANS for seat in view.seats for meld in seat.melds)


def kuikae_kinds(meld: Meld, rules: Rules) -> set[int]:
    """Kinds that may not be discarded after a call (喰い替え): the called one, and its suji.

    There are none where the rules allow it.
    """
    if meld.called is None or rules.profile.kuikae:
        return set()
    kind = KIND[meld.called]
    run = [KIND[tile] for tile in meld.tiles]
    if meld.kind is not MeldKind.CHI or kind == sorted(run)[1]:
        return {kind}
    other = kind + 3 if kind == min(run) else kind - 3
    in_suit = 0 <= other < EAST and SUIT[other] == SUIT[kind]
    return {kind, other} if in_suit else {kind}


def legal_discards(view: View) -> list[int]:
    """Ids of the tiles that the seat may discard.

    In riichi this is the drawn tile alone. After a call, kuikae (喰い替え) is forbidden.
    """
    own = view.seats[view.seat]
    if own.in_riichi and view.drawn is not None:
        return [view.drawn]
    if view.drawn is not None or not own.melds:
        return list(view.hand)
    forbidden = kuikae_kinds(own.melds[-1], view.rules)
    return [tile for tile in view.hand if KIND[tile] not in forbidden]


def distinct(hand: Sequence[int], allowed: Collection[int]) -> list[int]:
    """One of each distinct tile that may be discarded, in the order 萬筒索字, red fives first.

    Of identical copies it is the last in the hand.
    """
    by_type = {(KIND[tile], tile not in RED_FIVES): tile for tile in hand if tile in allowed}
    return [by_type[key] for key in sorted(by_type)]


def kind_counts(tiles: Iterable[int]) -> list[int]:
    """The number of tiles (ids) of each kind, (34,)."""
    counts = [0] * KINDS
    for tile in tiles:
        counts[KIND[tile]] += 1
    return counts


def waits(counts: Sequence[int]) -> set[int]:
    """The kinds that complete concealed tiles, given by their number of each kind."""
    return {kind for kind in range(KINDS) if _completes(counts, kind)}


def is_tenpai(tiles: Iterable[int], melds: Iterable[Meld], rules: Rules) -> bool:
    """Whether concealed tiles (ids) beside some melds are tenpai by the rules."""
    counts = kind_counts(tiles)
    if shanten([kind for kind, count in enumerate(counts) for _ in range(count)]) != 0:
        return False
    melded = kind_counts(tile for meld in melds for tile in meld.tiles)
    return rules.profile.empty_wait or any(
        counts[kind] + melded[kind] < COPIES for kind in waits(counts)
    )


def _completes(counts: Sequence[int], kind: int) -> bool:
    drawn = list(counts)
    drawn[kind] += 1
    return is_complete(drawn)


def is_complete(counts: Sequence[int]) -> bool:
    """Whether concealed tiles, given by their number of each kind, are a complete hand.

    Four sets and a pair, of which melds are left out; chiitoitsu; or kokushi musou.

    >>> from houjuu.game.tiles import KIND, KINDS, parse_tiles
    >>> kinds = [KIND[tile] for tile in parse_tiles("123m456p11z")]
    >>> is_complete([kinds.count(kind) for kind in range(KINDS)])
    True
    """
    if sum(counts) == 14 and (_is_kokushi(counts) or counts.count(2) == 7):
        return True
    return any(n >= 2 and _are_sets(counts, pair) for pair, n in enumerate(counts))


def _is_kokushi(counts: Sequence[int]) -> bool:
    return sum(counts) == 14 and all(bool(n) == IS_YAOCHU[kind] for kind, n in enumerate(counts))


def _are_sets(counts: Sequence[int], pair: int) -> bool:
    """Whether the tiles without a pair are triplets and runs."""
    left = list(counts)
    left[pair] -= 2
    for kind in range(KINDS):
        runs = left[kind] % 3
        if runs == 0:
            continue
        if not _RUN_LOWS[kind] or min(left[kind + 1], left[kind + 2]) < runs:
            return False
        left[kind + 1] -= runs
        left[kind + 2] -= runs
    return True
