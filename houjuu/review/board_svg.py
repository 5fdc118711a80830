"""The places of the tiles on the picture of a table, in units of the SVG; a tile is 30 by 40.

The own seat is at the bottom. All places are those of a seat at the bottom: the picture turns them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from houjuu.game.events import MeldKind
from houjuu.review.page_types import Board, MeldLayout, MeldTiles

W = 30
H = 40
CENTRE = 86
"""Half of the width of the square in the middle."""
EDGE = 228
"""y of the concealed tiles of an opponent."""
SMALL = 24
"""Width of a tile in the hand of an opponent."""
INDICATOR = 20
"""Width of a dora indicator."""
INDICATORS = [(22 * i - 54, -4) for i in range(5)]
"""x and y of the indicators."""
AREA = (-290, -288, 580, 510)
"""x, y, width and height of the table."""
STICK = (-34, CENTRE - 3, 68, 7)
"""x, y, width and height of a riichi stick."""
BACK = "b"

_ROW = 6  # unit: tiles of a row of the river
_HAND_START = (0, -205, -205, -273)  # x of the first concealed tile of each seat
_MELDS_END = (0, 284, 216, 216)  # x where its melds end
_MELD_GAP = 4


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
    turned = ["*" in marked for marked in tiles]
    for i, (marked, (x, y)) in enumerate(zip(tiles, river_places(turned), strict=True)):
        classes = ["tsumogiri"] * ("'" in marked) + ["called"] * ("~" in marked)
        classes += ["last"] * (has_last and i == len(tiles) - 1)
        yield piece(marked[:2], x, y, turned=turned[i], classes=" ".join(classes))


def river_places(turned: Iterable[bool]) -> Iterator[tuple[int, int]]:
    """The x and y of each discard of a river; a turned one is wider and less high."""
    x = 0
    for i, is_turned in enumerate(turned):
        row = min(i // _ROW, 2)
        if i % _ROW == 0 and i // _ROW <= 2:
            x = -3 * W
        yield x, CENTRE + 8 + row * H + (H - W) * is_turned
        x += H if is_turned else W


def meld_layout(kind: str, source: int) -> MeldLayout:
    """The places of the tiles of a meld; the called tile lies on its side.

    Its place shows the `source`, 1–3 seats to the right; 0 is that of a closed kan.
    """
    if kind == MeldKind.ANKAN:
        shown = (None, 1, 2, None)
        return {"width": 4 * W, "places": [(tile, i * W, 0, False) for i, tile in enumerate(shown)]}
    size = 4 if kind == MeldKind.DAIMINKAN else 3
    turned_at = {3: 0, 2: 1, 1: size - 1}[source]
    own = iter(range(size - 1))
    places: list[tuple[int | None, int, int, bool]] = []
    x = 0
    for i in range(size):
        if i != turned_at:
            places.append((next(own), x, 0, False))
            x += W
            continue
        places.append((size - 1, x, H - W, True))
        if kind == MeldKind.KAKAN:  # the added tile lies on the called one
            places.append((size, x, H - 2 * W, True))
        x += H
    return {"width": x, "places": places}


def meld(meld: MeldTiles, x: float, y: float, width: float) -> tuple[list[Piece], float]:
    """The tiles of a meld from a place on, and its width; `width` is that of a tile."""
    layout = meld_layout(meld["kind"], meld["source"] or 0)
    tiles = [*meld["own"], *meld["called"]]
    scale = width / W
    pieces = [
        piece(
            BACK if index is None else tiles[index],
            x + scale * left,
            y + scale * top,
            width,
            turned=turned,
        )
        for index, left, top, turned in layout["places"]
    ]
    return pieces, scale * layout["width"]


def opponent_hand(seat: int, melds: Sequence[MeldTiles]) -> list[Piece]:
    """The concealed tiles and the melds of an opponent, 1–3 seats to the right."""
    count = 13 - 3 * len(melds)
    pieces = [piece(BACK, _HAND_START[seat] + i * SMALL, EDGE, SMALL) for i in range(count)]
    x = float(_MELDS_END[seat])
    for one in melds:
        width = meld(one, 0, EDGE, SMALL)[1]
        x -= width + _MELD_GAP
        pieces += meld(one, x, EDGE, SMALL)[0]
    return pieces


def board(longest_river: int) -> Board:
    """The places for a page whose rivers have up to some discards."""
    riichi_discards: list[int | None] = [*range(longest_river), None]
    return {
        "tile": (W, H),
        "area": AREA,
        "centre": CENTRE,
        "stick": STICK,
        "indicator": INDICATOR,
        "indicators": INDICATORS,
        "rivers": [
            list(river_places(i == turned for i in range(longest_river)))
            for turned in riichi_discards
        ],
        "hands": [(x, EDGE) for x in _HAND_START],
        "small": SMALL,
        "melds_end": list(_MELDS_END),
        "meld_gap": _MELD_GAP,
        "melds": {
            kind.value: {source: meld_layout(kind, source) for source in sources}
            for kind in MeldKind
            for sources in [(0,) if kind is MeldKind.ANKAN else (1, 2, 3)]
        },
        "back": BACK,
    }
