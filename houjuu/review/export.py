"""A review as data for other programs: JSON with a versioned schema, or CSV.

``docs/review.md`` documents both, and ``docs/review.schema.json`` is the JSON Schema.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TypedDict

from houjuu import __version__, logs
from houjuu.game.notation import format_round
from houjuu.logs.sources import entries
from houjuu.review import rendering
from houjuu.review.page_types import (
    DrawResult,
    EncodedTerms,
    MistakeClass,
    OwnHand,
    PublicSeat,
    Review,
    ReviewedChoice,
    ReviewedPosition,
    ReviewedRound,
    Ron,
    ValuedAction,
    WinResult,
)
from houjuu.review.review_data import discarded_tile, discards
from houjuu.review.site.inventory import all_entries, take_inventory, usual_name
from houjuu.risk.answers import OPPONENTS
from houjuu.util.csv_text import csv_text
from houjuu.util.errors import Error
from houjuu.util.extras import MissingPackageError
from houjuu.util.languages import Language

SCHEMA = "houjuu-review/2"

COLUMNS = (
    "game",
    "date",
    "seat",
    "player",
    "round",
    "turn",
    "tile",
    "discarded",
    "advised",
    "riichi",
    "deal_in",
    "points",
    *(f"deal_in_{opponent}" for opponent in OPPONENTS),
    *(f"points_{opponent}" for opponent in OPPONENTS),
    *(f"tenpai_{opponent}" for opponent in OPPONENTS),
    "dealt_in",
    "lost",
    "value",
    "preference",
    "advised_value",
    "value_lost",
)
"""The columns of the CSV; the last four are empty without values."""

Parts = list[dict[str, str | float]]
"""Dicts of a ``name`` and a ``probability``."""


class ExportedHand(TypedDict, total=False):
    """The own hand after a discard; without keys if it is not complete enough."""

    shanten: int
    useful: list[str]
    furiten: bool
    wall: float
    none_in_wall: float


class ExportedTile(ExportedHand):
    """The risk of a tile, and the hand after its discard."""

    deal_in: float
    points: float
    by_opponent: list[float]
    points_by_opponent: list[float]
    genbutsu: list[bool]
    explanations: list[dict[str, Parts]]


class ExportedOpponent(TypedDict):
    """An opponent at a discard."""

    name: str
    type: str
    tenpai: float
    tenpai_reasons: Parts


class ExportedDiscard(TypedDict):
    """A discard, its position and its risks."""

    turn: int
    tiles_left: int
    riichi_sticks: int
    scores: list[int]
    dora_indicators: list[str]
    seats: list[PublicSeat]
    hand: list[str]
    drawn: bool
    discard: str
    riichi: bool
    advice: str | None
    opponents: list[ExportedOpponent]
    tiles: dict[str, ExportedTile]
    rons: list[Ron]


class ExportedChoice(TypedDict):
    """A choice; its turn is the number of the discards before it, plus one."""

    turn: int
    kind: str
    chosen: str
    advised: str
    agrees: bool
    value_lost: int
    mistake: MistakeClass | None
    why: Mapping[Language, str] | None
    actions: list[ValuedAction]


class ExportedRound(TypedDict):
    """A round, its discards and its choices."""

    round: str
    dealer: int
    deltas: list[int] | None
    balance: int | None
    expected: int | None
    value_lost: int
    results: list[WinResult | DrawResult]
    discards: list[ExportedDiscard]
    choices: list[ExportedChoice]


class ExportedReview(TypedDict):
    """A review in the schema `SCHEMA`."""

    schema: str
    houjuu: str
    model: str
    id: str
    date: str | None
    seat: int
    players: list[str]
    rounds: list[ExportedRound]


def as_json(review: Review) -> ExportedReview:
    """The numbers of a review in the schema `SCHEMA`."""
    names = review["reason_names"]
    return {
        "schema": SCHEMA,
        "houjuu": __version__,
        "model": review["model"],
        "id": review["id"],
        "date": review["date"],
        "seat": review["seat"],
        "players": review["names"],
        "rounds": [
            _round(round, [one for one in review["choices"] if one["round"] == number], names)
            for number, round in enumerate(review["rounds"])
        ],
    }


def _round(round: ReviewedRound, choices: list[ReviewedChoice], names: list[str]) -> ExportedRound:
    return {
        "round": format_round(round["round"], round["honba"]),
        "dealer": round["dealer"],
        "deltas": round["deltas"],
        "balance": round["balance"],
        "expected": round["luck"]["expected"],
        "value_lost": round["luck"]["lost"],
        "results": round["results"],
        "discards": [_discard(one, names) for one in discards([round])],
        "choices": [_choice(one, round["decisions"][one["step"]]) for one in choices],
    }


def _choice(choice: ReviewedChoice, position: ReviewedPosition) -> ExportedChoice:
    return {
        "turn": position["turn"],
        "kind": choice["kind"],
        "chosen": choice["chosen"],
        "advised": choice["advised"],
        "agrees": choice["agrees"],
        "value_lost": choice["value_lost"],
        "mistake": choice["mistake"],
        "why": choice["why"],
        "actions": choice["actions"],
    }


def _discard(position: ReviewedPosition, names: list[str]) -> ExportedDiscard:
    return {
        "turn": position["turn"],
        "tiles_left": position["tiles_left"],
        "riichi_sticks": position["sticks"],
        "scores": position["scores"],
        "dora_indicators": position["indicators"],
        "seats": position["seats"],
        "hand": position["hand"],
        "drawn": position["drawn"],
        "discard": discarded_tile(position),
        "riichi": position["riichi"],
        "advice": position["advice"],
        "opponents": [_opponent(position, i, names) for i in range(len(OPPONENTS))],
        "tiles": {tile: _tile(position, tile, names) for tile in position["risks"]},
        "rons": position["rons"],
    }


def _opponent(position: ReviewedPosition, index: int, names: list[str]) -> ExportedOpponent:
    return {
        "name": OPPONENTS[index],
        "type": position["opponent_types"][index],
        "tenpai": position["tenpai"][index],
        "tenpai_reasons": _parts(position["tenpai_reasons"][index], names),
    }


def _tile(position: ReviewedPosition, tile: str, names: list[str]) -> ExportedTile:
    risk = position["risks"][tile]
    kind = tile.replace("0", "5")
    return {
        "deal_in": risk["any"],
        "points": risk["points"],
        "by_opponent": risk["by_opponent"],
        "points_by_opponent": risk["points_by_opponent"],
        "genbutsu": risk["genbutsu"],
        **_hand_after(position["own"], kind),
        "explanations": [
            {"terms": _parts(one["terms"], names), "reasons": _parts(one["reasons"], names)}
            for one in position["explanations"][kind]
        ],
    }


def _hand_after(own: OwnHand | None, kind: str) -> ExportedHand:
    if own is None:
        return {}
    shanten, useful, furiten, wall, none = own["discards"][kind]
    return {
        "shanten": shanten,
        "useful": useful,
        "furiten": furiten,
        "wall": wall,
        "none_in_wall": none,
    }


def _parts(parts: EncodedTerms, names: list[str]) -> Parts:
    return [{"name": names[index], "probability": probability} for index, probability in parts]


def csv_head() -> str:
    """The first line of the CSV: `COLUMNS`."""
    return csv_text([COLUMNS])


def csv_lines(review: Review) -> str:
    """A line for each discard and each different tile in hand."""
    return csv_text(_rows(review))


def _rows(review: Review) -> Iterator[list[object]]:
    game = [review["id"], review["date"], review["seat"], review["names"][0]]
    choices = {(one["round"], one["step"]): one for one in review["choices"]}
    for number, round in enumerate(review["rounds"]):
        for step, position in enumerate(round["decisions"]):
            if position["discard_index"] is None:
                continue
            choice = choices.get((number, step))
            lost = sum(ron["points"] for ron in position["rons"])
            for tile, risk in position["risks"].items():
                discarded = tile == discarded_tile(position)
                yield [
                    *game,
                    format_round(round["round"], round["honba"]),
                    position["turn"],
                    tile,
                    int(discarded),
                    "" if position["advice"] is None else int(tile == position["advice"]),
                    int(discarded and position["riichi"]),
                    risk["any"],
                    risk["points"],
                    *risk["by_opponent"],
                    *risk["points_by_opponent"],
                    *position["tenpai"],
                    int(discarded and bool(position["rons"])),
                    lost if discarded else 0,
                    *_values(choice, tile, discarded=discarded),
                ]


def _values(choice: ReviewedChoice | None, tile: str, *, discarded: bool) -> list[object]:
    """The last four columns: of the action with the tile, and of the advised action."""
    if choice is None:
        return [""] * 4
    actions = {action["action"]: action for action in choice["actions"]}
    action = actions.get(choice["chosen"] if discarded else f"discard {tile}")
    values = ["", ""] if action is None else [action["value"], action["preference"]]
    value_lost = choice["value_lost"] if discarded else 0
    return [*values, actions[choice["advised"]]["value"], value_lost]


def exported(
    paths: Sequence[str],
    *,
    as_csv: bool,
    seat: int | None = None,
    name: str | None = None,
    player: str | None = None,
    model: str | None = None,
) -> Iterator[str | Error]:
    """Yield the text of each game, or the Error for which it is left out.

    Parameters
    ----------
    paths : sequence of str
        Logs, folders, archives and databases.
    as_csv : bool
        Whether a game is lines of CSV, after a head, instead of a line of JSON.
    seat, name : int or str, optional
        The reviewed seat or player. By default, of one game the seat from whose view the log was
        written, of many the player whose name occurs in most of them.
    player, model
        As in `houjuu.review.rendering.render`.

    Raises
    ------
    Error
        A path cannot be opened, there is no such player or model, a package is missing, or no name
        occurs in several of many games.
    """
    rendering.check(player, model)
    if seat is None and name is None:
        name = _usual_name(paths)
    if as_csv:
        yield csv_head()
    for path in paths:
        for entry in entries(path):
            try:
                file, content = entry
                if isinstance(content, Error):
                    raise content
                game = logs.parse(content, file)
                reviewed_seat = rendering.chosen_seat(game, seat, name, [entry])
                review = rendering.reviewed(game, reviewed_seat, player, model)
            except MissingPackageError:
                raise
            except Error as problem:
                yield problem.without_context()
                continue
            text = json.dumps(as_json(review), ensure_ascii=False, separators=(",", ":"))
            yield csv_lines(review) if as_csv else text + "\n"


def _usual_name(paths: Sequence[str]) -> str | None:
    """The name in most of the games; None for one game."""
    games = take_inventory(all_entries(paths)).games
    return usual_name(games) if len(games) > 1 else None
