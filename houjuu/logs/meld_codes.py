"""The 16-bit codes of melds in mjlog."""

from __future__ import annotations

from functools import lru_cache

from houjuu.game.events import Call, Meld, MeldKind
from houjuu.game.tiles import COPIES, KIND, KINDS, TILES
from houjuu.util.errors import LogError


@lru_cache(maxsize=1 << 16)
def decode_call(seat: int, code: int) -> Call:
    """The call of an element ``<N who m>``; raises LogError if the code is invalid."""
    return Call(seat, decode_meld(seat, code))


@lru_cache(maxsize=1 << 16)
def decode_meld(seat: int, code: int) -> Meld:
    """The meld of a seat with a 16-bit code.

    Bits 0–1 are the distance in seats from the caller to the source, 0 for a closed kan.

    | meld | marked by | other bits |
    |---|---|---|
    | chi | bit 2 | 3–8 the copy of each tile, 10–15 3 × run + index of the called tile |
    | pon | bit 3 | 5–6 the copy that is missing, 9–15 3 × kind + index of the called tile |
    | added kan | bit 4 | the same as its pon |
    | other kan | | 8–15 a tile of the kan, the called one if open |

    Raises
    ------
    LogError
        The code is not a meld of a four-player game.
    """
    if not 0 <= code < 1 << 16:
        raise LogError(f"meld code {code} does not have 16 bits")
    source = (seat + (code & 3)) % 4
    if code & 0x4:
        return _chi(code, source)
    if code & 0x18:
        return _pon(code, source)
    if code & 0x20:
        raise LogError(f"meld code {code} is a north set aside, which only three-player games have")
    tile = code >> 8
    if tile >= TILES:
        raise LogError(f"meld code {code} is a kan of the tile {tile}, which does not exist")
    tiles = _copies(KIND[tile])
    if source == seat:
        return Meld(MeldKind.ANKAN, tiles)
    return Meld(MeldKind.DAIMINKAN, tiles, tile, source)


def _copies(kind: int) -> tuple[int, ...]:
    return tuple(range(COPIES * kind, COPIES * kind + COPIES))


def _chi(code: int, source: int) -> Meld:
    run, index = divmod(code >> 10, 3)
    if run >= 21:
        raise LogError(f"meld code {code} is a chi of the run {run}, which does not exist")
    low = run // 7 * 9 + run % 7
    tiles = tuple(COPIES * (low + i) + (code >> 3 + 2 * i & 3) for i in range(3))
    return Meld(MeldKind.CHI, tiles, tiles[index], source)


def _pon(code: int, source: int) -> Meld:
    kind, index = divmod(code >> 9, 3)
    if kind >= KINDS:
        raise LogError(f"meld code {code} is a pon of the kind {kind}, which does not exist")
    added = COPIES * kind + (code >> 5 & 3)
    pon = tuple(tile for tile in _copies(kind) if tile != added)
    if code & 0x8:
        return Meld(MeldKind.PON, pon, pon[index], source)
    return Meld(
        kind=MeldKind.KAKAN, tiles=_copies(kind), called=pon[index], source=source, added=added
    )


def encode_meld(seat: int, meld: Meld) -> int:
    """The 16-bit code of a meld of a seat; the inverse of `decode_meld`."""
    tiles = meld.tiles
    offset = 0 if meld.source is None else (meld.source - seat) % 4
    if meld.kind is MeldKind.CHI:
        low = KIND[tiles[0]]
        copies = sum((tile % COPIES) << 3 + 2 * i for i, tile in enumerate(tiles))
        run = low // 9 * 7 + low % 9
        index = tiles.index(-1 if meld.called is None else meld.called)
        return (run * 3 + index) << 10 | copies | 0x4 | offset
    if meld.kind in (MeldKind.PON, MeldKind.KAKAN):
        kind = KIND[tiles[0]]
        pon = [tile for tile in tiles if tile != meld.added]
        (missing,) = set(_copies(kind)) - set(pon)
        bit = 0x8 if meld.kind is MeldKind.PON else 0x10
        index = pon.index(-1 if meld.called is None else meld.called)
        return (kind * 3 + index) << 9 | (missing % COPIES) << 5 | bit | offset
    return (tiles[0] if meld.called is None else meld.called) << 8 | offset
