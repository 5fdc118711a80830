"""A review as data for other programs: JSON with a versioned schema, or CSV.

``docs/review.md`` documents both; ``python -m tools.schemas`` writes the JSON Schema,
``docs/review.schema.json``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal, TypedDict, cast

from houjuu import __version__, logs
from houjuu.game.notation import format_round
from houjuu.logs.sources import entries
from houjuu.review import rendering
from houjuu.review.board_reasons import plain
from houjuu.review.page_types import (
    ActionFigures,
    ActionName,
    ChoiceKind,
    DrawResult,
    EncodedTerms,
    EngineBeside,
    Grade,
    MistakeClass,
    PublicSeat,
    Review,
    ReviewedChoice,
    ReviewedPosition,
    Ron,
    Shanten,
    ValuedAction,
    WinResult,
)
from houjuu.review.review_data import discarded_tile
from houjuu.review.sentences import joined
from houjuu.review.site.inventory import all_entries, take_inventory, usual_name
from houjuu.review.verdict import advised_action, chosen_action
from houjuu.risk.answers import OPPONENTS, OpponentName, OpponentTypeName
from houjuu.risk.own_hand import OwnHand
from houjuu.scoring.seat_rounds import HandState
from houjuu.util.csv_text import csv_text
from houjuu.util.errors import Error
from houjuu.util.extras import MissingPackageError
from houjuu.util.json_types import (
    ByOpponent,
    BySeat,
    Keywords,
    NaturalNumber,
    Probability,
    Seat,
    TileName,
    Turn,
)
from houjuu.util.languages import Language

HandStateName = Literal["closed_tenpai", "open_tenpai", "not_tenpai"]
"""The values of `houjuu.scoring.seat_rounds.HandState`."""

SCHEMA: Literal["houjuu-review/3"] = "houjuu-review/3"

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
    "beside",
    "riichi",
    "deal_in",
    "points",
    *(f"deal_in_{opponent}" for opponent in OPPONENTS),
    *(f"points_{opponent}" for opponent in OPPONENTS),
    *(f"tenpai_{opponent}" for opponent in OPPONENTS),
    "dealt_in",
    "lost",
    "shanten",
    "hand_state",
    "value",
    "preference",
    "advised_value",
    "value_lost",
)
"""The columns of the CSV; the last four are empty without values.

``beside`` has a digit for each other engine: 1 if it would discard the tile, without riichi.
"""


class ExportedPart(TypedDict):
    """A part of a probability, which may be negative."""

    name: str
    probability: float


class ExportedExplanation(TypedDict):
    """The waits or scores behind a risk, and the reasons."""

    terms: list[ExportedPart]
    reasons: list[ExportedPart]


class ExportedHand(TypedDict, total=False):
    """The own hand after a discard; without keys if it is not complete enough.

    Attributes
    ----------
    shanten : int
        Of the hand after the discard.
    useful : list of str
        The kinds that lower it; of a tenpai hand its waits.
    furiten : bool
        Whether the hand is tenpai and furiten.
    wall : float
        Expected copies of the useful tiles in the wall, the dead wall included.
    none_in_wall : float
        P(none of the useful tiles is in the wall).
    """

    shanten: Shanten
    useful: list[TileName]
    furiten: bool
    wall: Annotated[float, Keywords(0)]
    none_in_wall: Probability


class ExportedTile(ExportedHand):
    """The risk of a tile, and the hand after its discard.

    Attributes
    ----------
    deal_in : float
        P(the discard deals in to at least one opponent).
    points : float
        Expected loss by dealing in.
    by_opponent : list of 3 floats
        P(the discard deals in to that opponent).
    points_by_opponent : list of 3 floats
        Expected loss to that opponent.
    genbutsu : list of 3 bool
        Whether the opponent cannot win on the tile.
    explanations : list of 3 ExportedExplanation
        By opponent.
    shanten : int
        Of the hand after the discard.
    useful : list of str
        The kinds that lower it; of a tenpai hand its waits.
    furiten : bool
        Whether the hand is tenpai and furiten.
    wall : float
        Expected copies of the useful tiles in the wall, the dead wall included.
    none_in_wall : float
        P(none of the useful tiles is in the wall).
    """

    deal_in: Probability
    points: Annotated[float, Keywords(0)]
    by_opponent: ByOpponent[Probability]
    points_by_opponent: ByOpponent[Annotated[float, Keywords(0)]]
    genbutsu: ByOpponent[bool]
    explanations: ByOpponent[ExportedExplanation]


class ExportedOpponent(TypedDict):
    """An opponent at a discard.

    Attributes
    ----------
    tenpai : float
        P(tenpai).
    tenpai_reasons : list of ExportedPart
        They add up to it.
    """

    name: OpponentName
    type: OpponentTypeName
    tenpai: Probability
    tenpai_reasons: list[ExportedPart]


class ExportedPosition(TypedDict):
    """A position of the seat.

    Attributes
    ----------
    address : str
        Seat, round and decision, as the page has them after ``#``.
    turn : int
        Number of the discards of the seat before it in the round, plus one.
    drawn : bool
        Whether the last tile of the hand is the drawn one.
    """

    address: Annotated[str, Keywords(pattern=r"^[0-3]\.[0-9]+\.[0-9]+$")]
    turn: Turn
    tiles_left: Annotated[int, Keywords(0, 70)]
    riichi_sticks: NaturalNumber
    scores: BySeat[int]
    dora_indicators: list[TileName]
    seats: BySeat[PublicSeat]
    hand: list[TileName]
    drawn: bool


class ExportedDiscard(ExportedPosition):
    """A discard, its position and its risks.

    Attributes
    ----------
    riichi : bool
        Whether the discard declares riichi.
    advice : str or None
        The discard that the player advises.
    hand_state : str or None
        Of the hand behind the discard; None if it is not complete enough.
    tiles : dict of ExportedTile
        By name, each different tile of the hand.
    """

    discard: TileName
    riichi: bool
    advice: TileName | None
    hand_state: HandStateName | None
    opponents: ByOpponent[ExportedOpponent]
    tiles: dict[str, ExportedTile]
    rons: list[Ron]


class ExportedAction(ActionFigures):
    """An action with its value, the parts that add up to it, and the hand that it leaves.

    Attributes
    ----------
    action : str
        `action_text`, such as ``discard 5p``, ``chi 45m`` or ``pass``.
    value : int
        The change of the expected result of the game; unit: a point at the start of an even game.
    preference : int
        What phoenix players prefer beyond the value, in the same unit; no part of it.
    win, deal_in : float
        P(the seat wins the round), and P(it deals in, now or later).
    hand_points : int or None
        Average points of a win with the hand that is left.
    shanten : int
        Of the hand that is left; absent if the action ends the round.
    useful_tiles : int
        Unseen tiles that lower this shanten.
    discard : str
        The discard that follows a chi or a pon.
    lacks_yaku : bool
        Of a hand that is left: it still needs a yaku, or wins by tsumo alone.
    waits : list of str
        Of a hand that is left in tenpai: the kinds.
    parts : list of ValuePart
        They add up to the value.
    """

    action: str


class ExportedChoice(ExportedPosition):
    """A decision with a value for each action.

    Attributes
    ----------
    chosen : str
        The action of the log.
    advised : str
        The action with the largest sum of value and preference.
    agrees : bool
        Whether no action has a larger sum than the chosen one.
    claimed : int
        The value of the advised action less that of the chosen one.
    value_lost, value_gained, uncertainty : int
        The price by ``claimed``, shrunk, and half of its 95% interval (`houjuu.review.prices`).
    grade : str or None
        None if no value is lost.
    school : str or None
        An action that is certainly worth more than the advised one.
    repeats : int or None
        The turn at which the plan of this choice is priced.
    mistake : str or None
        The class of the mistake, by the parts of the values that decide; None if no value is lost.
    why : mapping or None
        A sentence by language: where value is lost, at riichi, calls and kans, and at a right
        discard that dealt in; else None.
    beside : list of str or None
        The actions of the other engines, None for an answer that is illegal or absent; a riichi of
        theirs has no tile.
    """

    kind: ChoiceKind
    chosen: str
    advised: str
    agrees: bool
    claimed: int
    value_lost: NaturalNumber
    value_gained: NaturalNumber
    uncertainty: NaturalNumber
    grade: Grade | None
    school: str | None
    repeats: Turn | None
    mistake: MistakeClass | None
    why: Mapping[Language, str] | None
    actions: list[ExportedAction]
    beside: list[str | None]


class ExportedRound(TypedDict):
    """A round, its discards and its choices.

    Attributes
    ----------
    round : str
        Such as E2.1: East 2, 1 honba.
    dealer : int
        The relative seat.
    first_riichi : int or None
        The relative seat that declared riichi first.
    deltas : list of 4 ints, or None
        Points won or lost, riichi sticks excluded; None if the log does not show how the round
        ended.
    balance : int or None
        Points won less points paid by the seat, riichi sticks included; None as above.
    expected : int or None
        The balance that the advised action of the first choice expects; None without choices.
    value_lost : int
        The sum of ``value_lost`` of the choices.
    results : list of WinResult or DrawResult
        Each win with its seats, points, hand and yaku, or the draw.
    choices : list of ExportedChoice
        If the player values actions.
    """

    round: Annotated[str, Keywords(pattern=r"^[ESWN][1-4]\.[0-9]+$")]
    dealer: Seat
    first_riichi: Seat | None
    deltas: BySeat[int] | None
    balance: int | None
    expected: int | None
    value_lost: NaturalNumber
    results: list[WinResult | DrawResult]
    discards: list[ExportedDiscard]
    choices: list[ExportedChoice]


class ExportedReview(TypedDict):
    """A review in the schema `SCHEMA`.

    Attributes
    ----------
    houjuu : str
        Version of the program.
    model : str
        Name of the model that made the estimates.
    date : str or None
        YYYY-MM-DD.
    seat : int
        The reviewed seat, absolute.
    players : list of 4 str
        The reviewed one first.
    """

    schema: Literal["houjuu-review/3"]
    houjuu: str
    model: str
    id: str
    date: str | None
    seat: Seat
    players: BySeat[str]
    beside: list[EngineBeside]
    rounds: list[ExportedRound]


def as_json(review: Review) -> ExportedReview:
    """The numbers of a review in the schema `SCHEMA`."""
    return {
        "schema": SCHEMA,
        "houjuu": __version__,
        "model": review["model"],
        "id": review["id"],
        "date": review["date"],
        "seat": review["seat"],
        "players": review["names"],
        "beside": review["beside"],
        "rounds": [_round(review, number) for number in range(len(review["rounds"]))],
    }


def _round(review: Review, number: int) -> ExportedRound:
    round, names = review["rounds"][number], review["reason_names"]
    choices = [one for one in review["choices"] if one["round"] == number]
    positions = [
        _position(position, f"{review['seat']}.{number}.{step}")
        for step, position in enumerate(round["decisions"], 1)
    ]
    return {
        "round": format_round(round["round"], round["honba"]),
        "dealer": round["dealer"],
        "first_riichi": round["first_riichi"],
        "deltas": round["deltas"],
        "balance": round["balance"],
        "expected": round["luck"]["expected"],
        "value_lost": round["luck"]["lost"],
        "results": round["results"],
        "discards": [
            _discard(one, position, names)
            for one, position in zip(round["decisions"], positions, strict=True)
            if one["discard_index"] is not None
        ],
        "choices": [_choice(one, positions[one["step"]]) for one in choices],
    }


def _position(position: ReviewedPosition, address: str) -> ExportedPosition:
    return {
        "address": address,
        "turn": position["turn"],
        "tiles_left": position["tiles_left"],
        "riichi_sticks": position["sticks"],
        "scores": position["scores"],
        "dora_indicators": position["indicators"],
        "seats": position["seats"],
        "hand": position["hand"],
        "drawn": position["drawn"],
    }


def _choice(choice: ReviewedChoice, position: ExportedPosition) -> ExportedChoice:
    school = choice["school"]
    return {
        **position,
        "kind": choice["kind"],
        "chosen": action_text(chosen_action(choice)),
        "advised": action_text(advised_action(choice)),
        "agrees": choice["agrees"],
        "claimed": choice["claimed"],
        "value_lost": choice["value_lost"],
        "value_gained": choice["value_gained"],
        "uncertainty": choice["uncertainty"],
        "grade": choice["grade"],
        "school": None if school is None else action_text(choice["actions"][school]),
        "repeats": choice["repeats"],
        "mistake": choice["mistake"],
        "why": choice["why"],
        "actions": [_action(action) for action in choice["actions"]],
        "beside": [one and action_text(one) for one in choice["beside"]],
    }


def action_text(action: ActionName) -> str:
    """An action in a word or two: ``discard 5p``, ``riichi 0p``, ``chi 45m``, ``pass``.

    The discard that follows a call is not part of it.
    """
    return " ".join(filter(None, (action["verb"], joined(action["tiles"]))))


def _action(action: ValuedAction) -> ExportedAction:
    figures = {key: value for key, value in action.items() if key in ActionFigures.__annotations__}
    return cast(ExportedAction, {"action": action_text(action), **figures})


def _discard(
    position: ReviewedPosition, exported: ExportedPosition, names: list[str]
) -> ExportedDiscard:
    tile = discarded_tile(position)
    return {
        **exported,
        "discard": tile,
        "riichi": position["riichi"],
        "advice": position["advice"],
        "hand_state": _hand_state(position, _hand_after(position["own"], tile)),
        "opponents": [_opponent(position, i, names) for i in range(len(OPPONENTS))],
        "tiles": {one: _tile(position, one, names) for one in position["risks"]},
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
    return {
        "deal_in": risk["deal_in"],
        "points": risk["points"],
        "by_opponent": risk["by_opponent"],
        "points_by_opponent": risk["points_by_opponent"],
        "genbutsu": risk["genbutsu"],
        **_hand_after(position["own"], tile),
        "explanations": [
            {"terms": _parts(one["terms"], names), "reasons": _parts(one["reasons"], names)}
            for one in position["explanations"][plain(tile)]
        ],
    }


def _hand_state(position: ReviewedPosition, hand: ExportedHand) -> HandStateName | None:
    """The state of the hand after a discard."""
    shanten = hand.get("shanten")
    is_open = any(meld["source"] is not None for meld in position["seats"][0]["melds"])
    return None if shanten is None else HandState.from_hand(shanten, is_open=is_open).value


def _hand_after(own: OwnHand | None, tile: str) -> ExportedHand:
    if own is None:
        return {}
    shanten, useful, furiten, wall, none = own["discards"][plain(tile)]
    return {
        "shanten": shanten,
        "useful": useful,
        "furiten": furiten,
        "wall": wall,
        "none_in_wall": none,
    }


def _parts(parts: EncodedTerms, names: list[str]) -> list[ExportedPart]:
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
                hand = _hand_after(position["own"], tile)
                yield [
                    *game,
                    format_round(round["round"], round["honba"]),
                    position["turn"],
                    tile,
                    int(discarded),
                    "" if position["advice"] is None else int(tile == position["advice"]),
                    _beside(choice, tile),
                    int(discarded and position["riichi"]),
                    risk["deal_in"],
                    risk["points"],
                    *risk["by_opponent"],
                    *risk["points_by_opponent"],
                    *position["tenpai"],
                    int(discarded and bool(position["rons"])),
                    lost if discarded else 0,
                    hand.get("shanten", ""),
                    _hand_state(position, hand) or "",
                    *_values(choice, tile, discarded=discarded),
                ]


def _beside(choice: ReviewedChoice | None, tile: str) -> str:
    """Which of the other engines would discard a tile, a digit for each."""
    discard = {"verb": "discard", "tiles": [tile]}
    return "".join(str(int(one == discard)) for one in (choice["beside"] if choice else []))


def _values(choice: ReviewedChoice | None, tile: str, *, discarded: bool) -> list[object]:
    """The last four columns: of the action with the tile, and of the advised action."""
    if choice is None:
        return [""] * 4
    plain = (one for one in choice["actions"] if (one["verb"], one["tiles"]) == ("discard", [tile]))
    action = chosen_action(choice) if discarded else next(plain, None)
    values = ["", ""] if action is None else [action["value"], action["preference"]]
    value_lost = choice["value_lost"] if discarded else 0
    return [*values, advised_action(choice)["value"], value_lost]


def exported(
    paths: Sequence[str],
    *,
    as_csv: bool,
    seat: int | None = None,
    name: str | None = None,
    player: str | None = None,
    model: str | None = None,
    beside: Sequence[str] = (),
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
    player, model, beside
        As in `houjuu.review.rendering.render`.

    Raises
    ------
    Error
        A path cannot be opened, there is no such player or model, a package is missing, or no name
        occurs in several of many games.
    """
    rendering.check(player, model, beside)
    if seat is None and name is None:
        name = _usual_name(paths)
    if as_csv:
        yield csv_head()
    for path in paths:
        for entry in entries(path):
            file, content = entry
            try:
                if isinstance(content, Error):
                    raise content
                game = logs.parse(content, file)
                reviewed_seat = rendering.chosen_seat(game, seat, name, [entry])
                review = rendering.reviewed(game, reviewed_seat, player, model, beside=beside)
            except MissingPackageError:
                raise
            except Error as problem:
                yield problem.in_file(file)
                continue
            text = json.dumps(as_json(review), ensure_ascii=False, separators=(",", ":"))
            yield csv_lines(review) if as_csv else text + "\n"


def _usual_name(paths: Sequence[str]) -> str | None:
    """The name in most of the games; None for one game."""
    games = take_inventory(all_entries(paths)).games
    return usual_name(games) if len(games) > 1 else None
