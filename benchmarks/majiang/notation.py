"""Tiles, melds and hands in majiang's notation: "m1", "p0" (red), "m12-3", "z777=7", "m123z55".

The mark after the called tile of a meld shows its source: ``+`` the seat to the right, ``=``
across, ``-`` to the left. In a meld the red five is the last of the fives from the hand; majiang
accepts no other order.
"""

from __future__ import annotations

from collections.abc import Iterable

from houjuu.game.events import Meld, MeldKind
from houjuu.game.tiles import KIND, RED_FIVES, SUIT, SUIT_LETTERS

_MARKS = " +=-"  # by number of seats from the caller to the source, to the right


def tile_text(tile: int) -> str:
    """A tile in notation.

    >>> tile_text(0), tile_text(52), tile_text(135)
    ('m1', 'p0', 'z7')
    """
    kind = KIND[tile]
    return f"{SUIT_LETTERS[kind // 9]}{0 if tile in RED_FIVES else kind % 9 + 1}"


def meld_text(meld: Meld, seat: int) -> str:
    """A meld of a seat in notation.

    >>> meld_text(Meld(MeldKind.CHI, (12, 16, 20), called=12, source=3), 0)
    'm4-06'
    >>> meld_text(Meld(MeldKind.KAKAN, (16, 17, 18, 19), called=18, source=1, added=16), 0)
    'm555+0'
    """
    suit = SUIT_LETTERS[SUIT[KIND[meld.tiles[0]]]]
    if meld.source is None or meld.called is None:
        return suit + _ranks(meld.tiles)
    called = tile_text(meld.called)[1] + _MARKS[(meld.source - seat) % 4]
    if meld.kind is MeldKind.CHI:
        return suit + "".join(called if t == meld.called else _ranks([t]) for t in meld.tiles)
    own = [tile for tile in meld.tiles if tile not in (meld.called, meld.added)]
    return suit + _ranks(own) + called + _ranks([] if meld.added is None else [meld.added])


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
    """A hand in notation: the concealed tiles, `last` after the others, and the melds.

    >>> hand_text((0, 4, 52, 108, 109), ["s123-"], last=4)
    'm1p0z11m2,s123-'
    """
    others = sorted(tile for tile in tiles if tile != last)
    suits = (
        letter + "".join(text[1] for text in map(tile_text, others) if text[0] == letter)
        for letter in SUIT_LETTERS
    )
    concealed = "".join(suit for suit in suits if len(suit) > 1)
    concealed += ("" if last is None else tile_text(last)) + "*" * riichi
    return ",".join([concealed, *melds])
