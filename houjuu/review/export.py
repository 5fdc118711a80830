"""A review as data for other programs: its record as JSON, or a short view of it.

``docs/review.md`` documents them; ``python -m tools.schemas`` writes the JSON Schemas,
``docs/review.schema.json`` and ``docs/review-short.schema.json``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal, TypedDict

from houjuu.game.notation import format_round
from houjuu.logs import any_format as logs
from houjuu.logs.sources import entries
from houjuu.review import rendering
from houjuu.review.page_types import (
    ActionName,
    Agreement,
    AnswerBeside,
    EngineBeside,
    Grade,
    MistakeClass,
    Reason,
    Review,
    ReviewedChoice,
    RoundSummary,
)
from houjuu.review.prices import GRADES
from houjuu.review.sentences import joined
from houjuu.review.site.inventory import all_entries, take_inventory, usual_name
from houjuu.review.summary import summary
from houjuu.review.usual import usual_decisions
from houjuu.review.verdict import advised_action, chosen_action
from houjuu.util.errors import Error
from houjuu.util.extras import MissingPackageError
from houjuu.util.json_types import BySeat, Keywords, NaturalNumber, RoomName, Seat, TileName, Turn
from houjuu.util.languages import DEFAULT, Language

Form = Literal["json", "short"]
"""The record, or a short view of it."""
SHORT_SCHEMA: Literal["houjuu-review-short/1"] = "houjuu-review-short/1"
MOST_MISTAKES = 12
"""The mistakes of a short view; with them it has at most 15 kB."""


class ShortMistake(TypedDict):
    """A mistake: a choice that certainly loses value."""

    round: Annotated[str, Keywords(pattern=r"^[ESWN][1-4]\.[0-9]+$")]
    """Such as E2.1: East 2, 1 honba."""
    turn: Turn
    """Number of the discards of the seat before it in the round, plus one."""
    address: Annotated[str, Keywords(pattern=r"^[0-3]\.[0-9]+\.[0-9]+$")]
    """Seat, round and step, as the page has them after ``#``."""
    hand: list[TileName]
    """The concealed tiles; a drawn one is the last."""
    chosen: str
    """The action of the log and the better one: ``discard 5p``, ``chi 45m``, ``pass``."""
    advised: str
    """The action of the log and the better one: ``discard 5p``, ``chi 45m``, ``pass``."""
    price: NaturalNumber
    """The value that is lost; unit: points."""
    interval: Annotated[list[int], Keywords(length=2)]
    """The 95% interval of the price, without 0."""
    grade: Grade
    """By the price."""
    mistake: MistakeClass
    """The class."""
    beside: list[AnswerBeside]
    """The answers of the other engines."""
    reasons: list[Reason]
    """Those that decide, then one that stands against them."""
    why: str
    """The sentence of the reasons."""


class ShortReview(TypedDict):
    """A view of a review for programs and language models."""

    schema: Literal["houjuu-review-short/1"]
    """Name and version of this schema."""
    houjuu: str
    """Version of the program."""
    model: str
    """Name of the model that made the estimates."""
    room: RoomName | None
    """The room for which the estimates hold; None of a model without factors by room."""
    id: str
    """Of the game."""
    date: str | None
    """YYYY-MM-DD."""
    seat: Seat
    """The reviewed seat, absolute."""
    names: BySeat[str]
    """The players, the reviewed one first."""
    verdict: dict[Grade, NaturalNumber]
    """The number of the mistakes of each grade."""
    net: int | None
    """The value gained less the value lost, against the advice; unit: points. None without
    values.
    """
    agreement: Agreement | None
    """The decisions that agree with the advice, and the value of the others."""
    game: RoundSummary
    """Discards, deal-ins, luck and skill of the game."""
    beside: list[EngineBeside]
    """Other engines, and how often they agree."""
    mistakes: list[ShortMistake]
    """By price; at most `MOST_MISTAKES`."""


def short(review: Review, language: Language = DEFAULT) -> ShortReview:
    """The short view of a review, with the sentences in a language."""
    totals = summary(review, usual_decisions(hanchan=review["hanchan"]))
    losing = [review["choices"][index] for index in totals["mistakes"]]
    return {
        "schema": SHORT_SCHEMA,
        "houjuu": review["houjuu"],
        "model": review["model"],
        "room": review["room"],
        "id": review["id"],
        "date": review["date"],
        "seat": review["seat"],
        "names": review["names"],
        "verdict": {one: sum(one == choice["grade"] for choice in losing) for one in GRADES},
        "net": sum(one["value_gained"] - one["value_lost"] for one in review["choices"])
        if review["choices"]
        else None,
        "agreement": totals["agreement"],
        "game": totals["game"],
        "beside": review["beside"],
        "mistakes": [_mistake(review, one, language) for one in losing[:MOST_MISTAKES]],
    }


def _mistake(review: Review, choice: ReviewedChoice, language: Language) -> ShortMistake:
    round = review["rounds"][choice["round"]]
    position = round["decisions"][choice["step"]]
    reasons, price, half = choice["reasons"], choice["value_lost"], choice["uncertainty"]
    assert reasons
    assert choice["why"]
    assert choice["grade"]
    assert choice["mistake"]
    return {
        "round": format_round(round["round"], round["honba"]),
        "turn": position["turn"],
        "address": f"{review['seat']}.{choice['round']}.{choice['step'] + 1}",
        "hand": position["hand"],
        "chosen": action_text(chosen_action(choice)),
        "advised": action_text(advised_action(choice)),
        "price": price,
        "interval": [price - half, price + half],
        "grade": choice["grade"],
        "mistake": choice["mistake"],
        "beside": choice["beside"],
        "reasons": [*reasons["decisive"], *([reasons["against"]] if reasons["against"] else [])],
        "why": choice["why"][language],
    }


def action_text(action: ActionName) -> str:
    """An action in a word or two: ``discard 5p``, ``riichi 0p``, ``chi 45m``, ``pass``.

    The discard that follows a call is not part of it.
    """
    return " ".join(filter(None, (action["verb"], joined(action["tiles"]))))


def exported(
    paths: Sequence[str],
    *,
    form: Form,
    language: Language = DEFAULT,
    seat: int | None = None,
    name: str | None = None,
    player: str | None = None,
    model: str | None = None,
    beside: Sequence[str] = (),
    room: RoomName | None = None,
) -> Iterator[str | Error | EngineBeside]:
    """Yield the text of each game and its other engines, or the Error for which it is left out.

    Parameters
    ----------
    paths : sequence of str
        Logs, folders, archives and databases.
    form : str
        A game is a line of JSON: the record or the `short` view.
    language : str
        Of the sentences of a short view.
    seat, name : int or str, optional
        The reviewed seat or player. By default, of one game the seat from whose view the log was
        written, of many the player whose name occurs in most of them.
    player, model, beside
        As in `houjuu.review.rendering.render`.
    room : str, optional
        As in `houjuu.game.Game.in_room`.

    Raises
    ------
    Error
        A path cannot be opened, there is no such player or model, a package is missing, or no name
        occurs in several of many games.
    """
    rendering.check(player, model, beside)
    if seat is None and name is None:
        name = _usual_name(paths)
    for path in paths:
        for entry in entries(path):
            file, content = entry
            try:
                if isinstance(content, Error):
                    raise content
                game = logs.parse(content, file).in_room(room)
                reviewed_seat = rendering.chosen_seat(game, seat, name, [entry])
                review = rendering.reviewed(game, reviewed_seat, player, model, beside=beside)
            except MissingPackageError:
                raise
            except Error as problem:
                yield problem.in_file(file)
                continue
            yield from review["beside"]
            view = short(review, language) if form == "short" else review
            yield json.dumps(view, ensure_ascii=False, separators=(",", ":")) + "\n"


def _usual_name(paths: Sequence[str]) -> str | None:
    """The name in most of the games; None for one game."""
    games = take_inventory(all_entries(paths)).games
    return usual_name(games) if len(games) > 1 else None
