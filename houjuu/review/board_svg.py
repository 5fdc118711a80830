"""The places of the tiles on the picture of a table, in units of the SVG; a tile is 30 by 40.

The own seat is at the bottom. All places are those of a seat at the bottom: the picture turns them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from houjuu.review.page_types import MeldTiles

W = 30
H = 40
CENTRE = 86
"""Half of the width of the square in the middle."""
EDGE = 228
"""y of the concealed tiles of an opponent."""
SMALL = 24
"""Width of a tile in the hand of an opponent."""
BACK = "b"

_ROW = 6  # unit: tiles of a row of the river
_HAND_START = (0, -205, -205, -273)  # x of the first concealed tile of each seat
_MELDS_END = (0, 284, 216, 216)  # x where its melds end


class Piece(NamedTuple):
    """A tile of the picture.

    Attributes
    ----------
    tile : str
        Such as "5p", or "0p" for the red five; "b" is the back of a tile.
    transform : str
        The attribute of SVG.
    classes : str
        Any of "tsumogiri", "called" and "last".
    """

    tile: str
    transform: str
    classes: str = ""


def piece(
    tile: str, x: float, y: float, width: float = W, *, turned: bool = False, classes: str = ""
) -> Piece:
    """A tile with its upper left corner at a place; a turned tile lies on its side."""
    move = f"translate({x:g} {y + width:g}) rotate(-90)" if turned else f"translate({x:g} {y:g})"
    return Piece(tile, f"{move} scale({width / W:g})", classes)


def river(tiles: Sequence[str], has_last: bool) -> Iterator[Piece]:
    """The discards of a seat with the marks of `houjuu.review.table_json`.

    `has_last` is whether its last discard is the last of all.
    """
    x = 0
    for i, marked in enumerate(tiles):
        row = min(i // _ROW, 2)
        if i % _ROW == 0 and i // _ROW <= 2:
            x = -3 * W
        turned = "*" in marked
        classes = ["tsumogiri"] * ("'" in marked) + ["called"] * ("~" in marked)
        classes += ["last"] * (has_last and i == len(tiles) - 1)
        y = CENTRE + 8 + row * H + (H - W) * turned
        yield piece(marked[:2], x, y, turned=turned, classes=" ".join(classes))
        x += H if turned else W


def meld(meld: MeldTiles, x: float, y: float, width: float) -> tuple[list[Piece], float]:
    """The tiles of a meld from a place on, and its width.

    The called tile lies on its side; its place shows from whom it was called.
    """
    height = width * H / W
    own = list(meld["own"])
    if meld["kind"] == "ankan":
        tiles = [BACK, own[1], own[2], BACK]
        return [piece(tile, x + i * width, y, width) for i, tile in enumerate(tiles)], 4 * width
    size = len(own) + 1
    source = meld["source"]
    assert source is not None
    turned_at = {3: 0, 2: 1, 1: size - 1}[source]
    pieces = []
    start = x
    for i in range(size):
        if i != turned_at:
            pieces.append(piece(own.pop(0), x, y, width))
            x += width
            continue
        for level, tile in enumerate(meld["called"], 1):  # an added kan lies on the called tile
            pieces.append(piece(tile, x, y + height - level * width, width, turned=True))
        x += height
    return pieces, x - start


def opponent_hand(seat: int, melds: Sequence[MeldTiles]) -> list[Piece]:
    """The concealed tiles and the melds of an opponent, 1–3 seats to the right."""
    count = 13 - 3 * len(melds)
    pieces = [piece(BACK, _HAND_START[seat] + i * SMALL, EDGE, SMALL) for i in range(count)]
    x = float(_MELDS_END[seat])
    for one in melds:
        width = meld(one, 0, EDGE, SMALL)[1]
        x -= width + 4
        pieces += meld(one, x, EDGE, SMALL)[0]
    return pieces
