"""A position as a picture: the table, the own hand, and the danger of each tile over it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

from markupsafe import Markup

from houjuu.game.tiles import EAST, KIND
from houjuu.game.view import View
from houjuu.review import board_svg, risk_bar, table_json
from houjuu.review.board_svg import H, Piece, W
from houjuu.review.page_types import HandPosition, OpenTable
from houjuu.review.style import families, template
from houjuu.risk.deal_in import DealIn
from houjuu.util.languages import Catalogue, Language, written
from houjuu.util.languages.names import round_name

__all__ = ["question", "svg"]

_LEFT = -290
_RIGHT = 290
_HAND_TOP = 290  # y of the own tiles
_HAND_WIDTH = 560
_HEIGHT = 704
_TOP_WITHOUT_DANGER, _HEIGHT_WITHOUT_DANGER = 234, 594
_DRAWN_GAP = 8
_MELD_GAP = 10
_BAR_HEIGHT = 40  # of a full bar
_ANY_FONTS = "'Segoe UI',Roboto,'Noto Sans','Helvetica Neue',Arial,'Liberation Sans','DejaVu Sans'"


class Danger(NamedTuple):
    """The danger of a tile; the bar is its height."""

    deal_in: float
    points: float
    bar: float
    colour: str


class HandTile(NamedTuple):
    """A tile of the own hand, and its danger where it is shown; x and width are of the tile."""

    piece: Piece
    x: float
    width: float
    danger: Danger | None
    is_discard: bool


class SeatPicture(NamedTuple):
    """The tiles and texts of a seat, turned by `rotation` degrees; its river, hand and melds."""

    rotation: int
    river: list[Piece]
    hand: list[Piece]
    riichi: bool
    wind: str
    score: int
    tenpai: float | None


def svg(view: View, risk: DealIn, t: Catalogue, discard: int | None = None) -> str:
    """The picture of a position as SVG.

    Parameters
    ----------
    view : View
        A seat that is to discard.
    risk : DealIn
        Its risk.
    t : Catalogue
        The texts.
    discard : int, optional
        Id of the tile that was discarded; it is marked.
    """
    red_fives = view.rules.red_fives
    tiles = sorted(view.hand, key=lambda tile: (tile == view.drawn, tile))
    names = table_json.names(tiles, red_fives)
    hand, melds = _hand(
        names,
        table_json.open_table(view),
        has_drawn=view.drawn is not None,
        dangers=[_danger(risk, tile) for tile in tiles],
        discard=tiles.index(discard) if discard in tiles else None,
    )
    return _drawn(
        table=table_json.open_table(view),
        round=(view.round, view.honba),
        winds=[view.seat_wind((view.seat + seat) % 4) - EAST for seat in range(4)],
        tenpai=[float(p) for p in risk.tenpai],
        hand=hand,
        melds=melds,
        t=t,
        drawings=_tile_drawings(),
    )


def question(position: HandPosition, t: Catalogue) -> str:
    """The picture of a position of a review as SVG, without any danger.

    The page around it has the drawings of the tiles.

    Parameters
    ----------
    position : HandPosition
    t : Catalogue
        The texts.
    """
    hand, melds = _hand(position["hand"], position, has_drawn=position["drawn"])
    return _drawn(
        table=position,
        round=(position["round"], position["honba"]),
        winds=[(seat - position["dealer"]) % 4 for seat in range(4)],
        tenpai=[],
        hand=hand,
        melds=melds,
        t=t,
        drawings=Markup(""),
    )


def _drawn(
    *,
    table: OpenTable,
    round: tuple[int, int],
    winds: Sequence[int],
    tenpai: Sequence[float],
    hand: list[HandTile],
    melds: list[Piece],
    t: Catalogue,
    drawings: Markup,
) -> str:
    """The picture; `tenpai` is that of right, across and left, or empty."""
    text: str = template("review", "position.svg.j2").render(
        t=t,
        table=table,
        round=round_name(t, *round),
        indicators=_indicators(table["indicators"]),
        seats=[
            _seat(table, seat, t(f"wind.{wind}"), [None, *tenpai][seat] if tenpai else None)
            for seat, wind in enumerate(winds)
        ],
        hand=hand,
        melds=melds,
        board=board_svg,
        written=written,
        hand_top=_HAND_TOP,
        height=_HEIGHT if tenpai else _HEIGHT_WITHOUT_DANGER,
        fonts=Markup(_fonts(t.language)),
        tiles=drawings,
    )
    return text


def _fonts(language: Language) -> str:
    return f"{families(language)}{_ANY_FONTS},sans-serif"


@cache
def _tile_drawings() -> Markup:
    """The definitions of `tiles.svg`."""
    text = (resources.files("houjuu.review") / "tiles.svg").read_text(encoding="utf-8")
    definitions = re.search(r"<defs>(.*)</defs>", text, re.DOTALL)
    assert definitions is not None
    return Markup(definitions[1])


def _indicators(names: Sequence[str]) -> list[Piece]:
    """Five tiles of the dead wall, those not turned over as backs."""
    places = board_svg.INDICATORS
    shown = [*names, *[board_svg.BACK] * (len(places) - len(names))]
    return [
        board_svg.piece(name, x, y, board_svg.INDICATOR)
        for name, (x, y) in zip(shown, places, strict=True)
    ]


def _seat(table: OpenTable, seat: int, wind: str, tenpai: float | None) -> SeatPicture:
    """The part of a seat, relative: 0 is the own one, then right, across and left."""
    public = table["seats"][seat]
    return SeatPicture(
        rotation=-90 * seat,
        river=list(board_svg.river(public["river"], table["last_discarder"] == seat)),
        hand=board_svg.opponent_hand(seat, public["melds"]) if seat > 0 else [],
        riichi=public["riichi"],
        wind=wind,
        score=table["scores"][seat],
        tenpai=tenpai,
    )


def _danger(risk: DealIn, tile: int) -> Danger:
    p = float(risk.any[KIND[tile]])
    level = risk_bar.level(p)
    bar = level / risk_bar.LEVELS * _BAR_HEIGHT
    return Danger(p, float(risk.points_of(tile)), bar, risk_bar.LIGHT[level])


def _hand(
    names: Sequence[str],
    table: OpenTable,
    *,
    has_drawn: bool,
    dangers: Sequence[Danger] = (),
    discard: int | None = None,
) -> tuple[list[HandTile], list[Piece]]:
    """The own tiles, the drawn one last, and the own melds to their right.

    `dangers` are those of the tiles, or empty; `discard` is the index of the marked tile.
    """
    own_melds = table["seats"][0]["melds"]
    top = _HAND_TOP if dangers else _TOP_WITHOUT_DANGER
    meld_widths = [board_svg.meld(one, 0, 0, W)[1] + _MELD_GAP for one in own_melds]
    width = min(38.0, (_HAND_WIDTH - sum(meld_widths) - _DRAWN_GAP) / len(names))
    height = width * H / W
    x = -_HAND_WIDTH / 2
    hand = []
    for i, name in enumerate(names):
        x += _DRAWN_GAP if has_drawn and i == len(names) - 1 else 0
        hand.append(
            HandTile(
                piece=board_svg.piece(name, x + 1, top, width - 2),
                x=x,
                width=width,
                danger=dangers[i] if dangers else None,
                is_discard=i == discard,
            )
        )
        x += width
    melds: list[Piece] = []
    for one, meld_width in zip(reversed(own_melds), reversed(meld_widths), strict=True):
        melds += board_svg.meld(one, x + _MELD_GAP, top + height - H, W)[0]
        x += meld_width
    return hand, melds
