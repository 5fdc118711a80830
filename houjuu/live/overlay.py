"""``meta``: the risks of a seat as JSON for overlays and other programs.

docs/meta.md documents the schema and its versions; ``python -m tools.schemas`` writes the JSON
Schema, docs/meta.schema.json.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Literal, NotRequired, TypeAlias, TypedDict

from houjuu.game.table import View
from houjuu.game.tiles import MJAI_NAMES, mjai_name, parse_kind
from houjuu.live.live import Live
from houjuu.risk.answers import DealAnswer, OpponentAnswer, TileAnswer, UnseenAnswer
from houjuu.risk.deal_in import DealIn
from houjuu.risk.texts import BestDiscard, Card, best_discard, card, card_without_risks
from houjuu.risk.unseen import UnseenTiles
from houjuu.util.json_types import (
    ByMjaiKind,
    ByMjaiTile,
    ByOpponent,
    Keywords,
    ModelName,
    RoomName,
    Seat,
)
from houjuu.util.languages import translate

SCHEMA: Literal["houjuu/2"] = "houjuu/2"
"""Name and version of the schema; the number changes if a key changes its meaning or goes away."""


class _WithCard(TypedDict, total=False):
    show: Card
    """The same numbers, or the reason, as a card, where one is asked for."""


class InStepMeta(_WithCard):
    """The risks of a seat whose table follows the game; tiles are those in the own hand.

    Every name of a tile or a kind is that of mjai.
    """

    schema: Literal["houjuu/2"]
    """Name and version of the schema."""
    model: ModelName
    """Name of the model that made the estimates."""
    room: RoomName | None
    """The room for which the estimates hold: that of the game, or "phoenix" for an unknown one;
    None of a model without factors by room.
    """
    seat: Seat
    """The own seat, 0–3, absolute."""
    in_step: Literal[True]
    """Whether the table of the seat follows the game: true."""
    opponents: ByOpponent[OpponentAnswer]
    """To the right, across and to the left."""
    tiles: ByMjaiTile[TileAnswer]
    """Each distinct tile in the own hand."""
    assumed: NotRequired[Literal["hanchan"]]
    """The length of the game, only where nothing states it."""
    unseen: NotRequired[ByMjaiKind[UnseenAnswer]]
    """Each kind that the seat does not see all of; only where it is asked for."""
    deals: NotRequired[list[DealAnswer]]
    """Equally likely deals of the unseen tiles; only where they are asked for."""
    best: BestDiscard | None
    """The discard with the lowest expected loss, in a sentence; None for a hidden hand."""


class OutOfStepMeta(_WithCard):
    """The reason why there are no risks: the table no longer follows the game."""

    schema: Literal["houjuu/2"]
    """Name and version of the schema."""
    model: ModelName
    """Name of the model."""
    seat: Seat | None
    """The own seat, None while it is unknown."""
    in_step: Literal[False]
    """Whether the table of the seat follows the game: false."""
    problem: Annotated[str, Keywords(example="seat 2 draws out of turn")]
    """The reason, in one sentence."""


Meta: TypeAlias = InStepMeta | OutOfStepMeta
"""The answer at a decision; ``in_step`` distinguishes the two."""


def meta(live: Live, *, unseen: bool = False, deals: int = 0) -> Meta:
    """The risks of the seat's current view, as in docs/meta.md.

    Parameters
    ----------
    live : Live
        In step, or out of step: then the reason replaces the risks.
    unseen : bool
        Whether to add where the unseen tiles are, which takes longer.
    deals : int
        Number of deals of the unseen tiles to add, the same at each call.

    Returns
    -------
    InStepMeta or OutOfStepMeta
        For `json.dumps`. Tile names are those of mjai; probabilities are 0–1 and rounded to 6
        digits; points are rounded to whole points.

    Raises
    ------
    Error
        It is in step, but there is no round or no seat.
    """
    model = live.estimator.model
    if live.problem is not None:
        return {
            "schema": SCHEMA,
            "model": model,
            "seat": live.seat,
            "in_step": False,
            "problem": live.problem,
        }
    result = view_meta(live.view, live.risk(), model, live.unseen() if unseen else None)
    if deals:
        name = partial(_mjai_names, red_fives=live.view.rules.red_fives)
        result["deals"] = live.estimator.hands(live.view).to_dict(deals, name=name)["deals"]
    return result


def _mjai_names(tiles: Sequence[int], red_fives: bool) -> list[str]:
    return [mjai_name(tile, red_fives=red_fives) for tile in tiles]


def view_meta(
    view: View, risk: DealIn, model: str, unseen: UnseenTiles | None = None
) -> InStepMeta:
    """`meta` of a seat in step, from its view and the answers that the model of this name gives."""
    names = {mjai_name(tile, red_fives=risk.red_fives): tile for tile in sorted(view.hand)}
    position_names = {risk[tile].name: name for name, tile in names.items()}
    answer = risk.to_dict(view.hand)
    best = best_discard(answer)
    result: InStepMeta = {
        "schema": SCHEMA,
        "model": model,
        "room": answer["room"],
        "seat": view.seat,
        "in_step": True,
        "opponents": answer["opponents"],
        "tiles": {name: risk[tile].to_dict() for name, tile in names.items()},
        "best": best and {**best, "tile": position_names[best["tile"]]},
    }
    if not view.rules.stated:
        result["assumed"] = "hanchan"
    if unseen is not None:
        copies = unseen.to_dict()
        result["unseen"] = {MJAI_NAMES[parse_kind(kind)]: copies[kind] for kind in copies}
    return result


def with_card(answer: Meta, language: str = "en") -> Meta:
    """An answer with the same numbers as a card, ``show``, for programs that show one.

    Parameters
    ----------
    answer : InStepMeta or OutOfStepMeta
        Out of step, the card has the reason alone, so that no old risks stay on the screen.
    language : str
        One of `houjuu.util.languages.LANGUAGES`.

    Raises
    ------
    Error
        There is no such language.
    """
    catalogue = translate(language)
    if answer["in_step"]:
        return {**answer, "show": card(answer, answer["model"], catalogue)}
    problem = answer["problem"]
    return {**answer, "show": card_without_risks(problem, answer["model"], catalogue)}
