"""Whether a seat can call the last tile or win on it, by the tiles of its hand."""

from __future__ import annotations

from collections.abc import Sequence

from houjuu.game.events import MeldKind
from houjuu.game.table import View
from houjuu.game.tiles import IS_HONOUR, IS_YAOCHU, KIND, KINDS, SUIT

_RUN_LOWS = tuple(not IS_HONOUR[kind] and kind % 9 < 7 for kind in range(KINDS))


def can_claim(view: View, tile: int, source: int, kan: MeldKind | None = None) -> bool:
    """Whether the asking seat can chi, pon, kan or win on a tile of another seat.

    Whether the win has a yaku is not checked.

    Parameters
    ----------
    view : View
    tile : int
        The last discard, or the tile of a kan.
    source : int
        The seat that discarded it or made the kan.
    kan : MeldKind, optional
        The kind of kan; None for a discard.
    """
    if not view.hand or source == view.seat:
        return False
    counts = [0] * KINDS
    for concealed in view.hand:
        counts[KIND[concealed]] += 1
    return _can_win(view, counts, KIND[tile], kan) or (
        kan is None
        and view.tiles_left > 0
        and not view.seats[view.seat].declared
        and _can_call(counts, KIND[tile], from_left=(source + 1) % 4 == view.seat)
    )


def _can_call(counts: Sequence[int], kind: int, *, from_left: bool) -> bool:
    if counts[kind] >= 2:
        return True
    if not from_left or IS_HONOUR[kind]:
        return False
    pairs = ((-2, -1), (-1, 1), (1, 2))
    return any(all(_has(counts, kind, offset) for offset in pair) for pair in pairs)


def _has(counts: Sequence[int], kind: int, offset: int) -> bool:
    neighbour = kind + offset
    return 0 <= neighbour < KINDS and SUIT[neighbour] == SUIT[kind] and counts[neighbour] > 0


def _can_win(view: View, counts: list[int], kind: int, kan: MeldKind | None) -> bool:
    if not _completes(counts, kind, kokushi_only=kan is MeldKind.ANKAN):
        return False
    furiten = view.furiten(view.seat)
    return not any(furiten >> wait & 1 and _completes(counts, wait) for wait in range(KINDS))


def _completes(counts: list[int], kind: int, *, kokushi_only: bool = False) -> bool:
    counts = counts.copy()
    counts[kind] += 1
    if kokushi_only:
        return _is_kokushi(counts)
    return is_complete(counts)


def is_complete(counts: Sequence[int]) -> bool:
    """Whether concealed tiles, given by their number of each kind, are a complete hand.

    Four sets and a pair, of which melds are left out; chiitoitsu; or kokushi musou.

    >>> from houjuu.game.tiles import KIND, KINDS, parse_tiles
    >>> kinds = [KIND[tile] for tile in parse_tiles("123m456p11z")]
    >>> is_complete([kinds.count(kind) for kind in range(KINDS)])
    True
    """
    if sum(counts) == 14 and (_is_kokushi(counts) or sum(n == 2 for n in counts) == 7):
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
