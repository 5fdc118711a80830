"""The 16-bit numbers in which mjlog packs a meld."""

from __future__ import annotations

from functools import lru_cache

from houjuu.errors import LogError
from houjuu.events import Call, Meld, MeldKind
from houjuu.tiles import KINDS, TILES


@lru_cache(maxsize=1 << 16)
def call(seat: int, code: int) -> Call:
    """Unpack the call that ``<N who m>`` stands for; raises LogError when there is none such."""
    return Call(seat, meld(seat, code))


@lru_cache(maxsize=1 << 16)
def meld(seat: int, code: int) -> Meld:
    """Unpack a meld of a seat from its 16-bit number.

    Bits 0–1 hold how many seats the source is from the caller, 0 for a closed kan.

    | meld | marked by | other bits |
    |---|---|---|
    | chi | bit 2 | 3–8 the copy of each tile, 10–15 3 × run + place of the called tile |
    | pon | bit 3 | 5–6 the copy that is not in it, 9–15 3 × kind + place of the called tile |
    | added kan | bit 4 | as the pon that it grew from |
    | other kan | | 8–15 a tile of it, the called one if open |
    """
    if not 0 <= code < 1 << 16:
        raise LogError(f"{code} is no 16-bit meld")
    source = (seat + (code & 3)) % 4
    if code & 0x4:
        return _chi(code, source)
    if code & 0x18:
        return _pon(code, source)
    if code & 0x20:
        raise LogError("a north is set aside, which only three players do")
    tile = code >> 8
    if tile >= TILES:
        raise LogError(f"{code} is a kan of no tile")
    tiles = _copies(tile // 4)
    if source == seat:
        return Meld(MeldKind.ANKAN, tiles)
    return Meld(MeldKind.DAIMINKAN, tiles, tile, source)


def _copies(kind: int) -> tuple[int, ...]:
    return tuple(range(4 * kind, 4 * kind + 4))


def _chi(code: int, source: int) -> Meld:
    run, place = divmod(code >> 10, 3)
    if run >= 21:
        raise LogError(f"{code} is a chi of no run")
    low = run // 7 * 9 + run % 7
    tiles = tuple(4 * (low + i) + (code >> 3 + 2 * i & 3) for i in range(3))
    return Meld(MeldKind.CHI, tiles, tiles[place], source)


def _pon(code: int, source: int) -> Meld:
    kind, place = divmod(code >> 9, 3)
    if kind >= KINDS:
        raise LogError(f"{code} is a pon of no kind")
    added = 4 * kind + (code >> 5 & 3)
    pon = tuple(tile for tile in _copies(kind) if tile != added)
    if code & 0x8:
        return Meld(MeldKind.PON, pon, pon[place], source)
    return Meld(MeldKind.KAKAN, _copies(kind), pon[place], source, added)


def encode(seat: int, meld: Meld) -> int:
    """Pack a meld of a seat into its 16-bit number; the inverse of `meld`."""
    tiles = meld.tiles
    offset = 0 if meld.source is None else (meld.source - seat) % 4
    if meld.kind is MeldKind.CHI:
        low = tiles[0] // 4
        copies = sum((tile % 4) << 3 + 2 * i for i, tile in enumerate(tiles))
        run = low // 9 * 7 + low % 9
        return (run * 3 + tiles.index(meld.called or 0)) << 10 | copies | 0x4 | offset
    if meld.kind in (MeldKind.PON, MeldKind.KAKAN):
        kind = tiles[0] // 4
        pon = [tile for tile in tiles if tile != meld.added]
        (spare,) = set(_copies(kind)) - set(pon)
        bit = 0x8 if meld.kind is MeldKind.PON else 0x10
        place = pon.index(-1 if meld.called is None else meld.called)
        return (kind * 3 + place) << 9 | (spare % 4) << 5 | bit | offset
    return (tiles[0] if meld.called is None else meld.called) << 8 | offset
