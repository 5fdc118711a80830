"""Tiles, melds and hands as majiang writes them: "m1", "p0" (red), "m12-3", "z777=7", "m123z55".

The mark after a meld's called tile says whose it was: ``+`` the next seat's, ``=`` the seat's
across, ``-`` the last seat's. Majiang puts red fives last among the fives that a meld takes from
the hand, and takes no other spelling.
"""

from __future__ import annotations

from collections.abc import Iterable

from houjuu.events import Meld, MeldKind
from houjuu.tiles import RED_FIVES, SUIT_LETTERS

_MARKS = " +=-"  # by how many seats the source sits to the right


def tile_text(tile: int) -> str:
    """The tile.

    >>> tile_text(0), tile_text(52), tile_text(135)
    ('m1', 'p0', 'z7')
    """
    kind = tile >> 2
    return f"{SUIT_LETTERS[kind // 9]}{0 if tile in RED_FIVES else kind % 9 + 1}"


def meld_text(meld: Meld, seat: int) -> str:
    """The meld of a seat.

    >>> meld_text(Meld(MeldKind.CHI, (12, 16, 20), called=12, source=3), 0)
    'm4-06'
    >>> meld_text(Meld(MeldKind.KAKAN, (16, 17, 18, 19), called=18, source=1, added=16), 0)
    'm555+0'
    """
    suit = SUIT_LETTERS[meld.tiles[0] // 36]
    if meld.source is None or meld.called is None:
        return suit + _ranks(meld.tiles)
    called = tile_text(meld.called)[1] + _MARKS[(meld.source - seat) % 4]
    if meld.kind is MeldKind.CHI:
        return suit + "".join(called if t == meld.called else _ranks([t]) for t in meld.tiles)
    held = [tile for tile in meld.tiles if tile not in (meld.called, meld.added)]
    return suit + _ranks(held) + called + _ranks([] if meld.added is None else [meld.added])


def _ranks(tiles: Iterable[int]) -> str:
    """Ranks of equal tiles, the red one last."""
    return "".join(sorted((tile_text(tile)[1] for tile in tiles), reverse=True))


def hand_text(
    tiles: Iterable[int],
    melds: Iterable[str] = (),
    *,
    last: int | None = None,
    riichi: bool = False,
) -> str:
    """The concealed tiles, `last` behind the others, and the melds.

    >>> hand_text((0, 4, 52, 108, 109), ["s123-"], last=4)
    'm1p0z11m2,s123-'
    """
    rest = sorted(tile for tile in tiles if tile != last)
    suits = (
        letter + "".join(text[1] for text in map(tile_text, rest) if text[0] == letter)
        for letter in SUIT_LETTERS
    )
    shown = "".join(suit for suit in suits if len(suit) > 1)
    shown += ("" if last is None else tile_text(last)) + "*" * riichi
    return ",".join([shown, *melds])
