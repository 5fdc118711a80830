"""The record of a review, plain values that JSON can represent, and what a page adds to it.

Page, JSON, index and drills read one record: `Review`, in the schema `SCHEMA`.

All seats are relative: 0 is the reviewed seat, then right, across and left. Lists of opponents are
in the order right, across, left. Tiles are in the usual notation: "5p", and "0p" for the red five.
Probabilities are 0–1. ``tools/web/declarations.py`` writes the same types for the scripts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, NotRequired, TypedDict

from houjuu.risk.answers import OpponentTypeName
from houjuu.risk.own_hand import OwnHand
from houjuu.util.json_types import (
    ByOpponent,
    BySeat,
    Keywords,
    NaturalNumber,
    Probability,
    RoomName,
    Seat,
    TileName,
    Turn,
)
from houjuu.util.languages import Language, Value

SCHEMA: Literal["houjuu-review/4"] = "houjuu-review/4"

Shanten = Annotated[int, Keywords(0, 6)]


class Term(TypedDict):
    """A part of a probability."""

    name: str
    """Of a wait, a score or a reason."""
    probability: float
    """It may be negative."""


class ValuePart(TypedDict):
    """A part of the value of an action."""

    name: str
    """See `ActionFigures.parts`."""
    value: int
    """Unit: a point at the start of an even game."""


class ActionName(TypedDict):
    """An action."""

    verb: str
    """``win``, or another value of `houjuu.game.actions.ActionKind`."""
    tiles: list[TileName]
    """The tiles that leave the hand; a riichi has the tile of its discard."""


class ActionFigures(TypedDict):
    """The value of an action, the parts that add up to it, and the hand that it leaves."""

    value: int
    """The change of the expected result of the game; unit: a point at the start of an even game."""
    preference: Annotated[int, Keywords(maximum=0)]
    """What phoenix players prefer beyond the value, less that of the action that they prefer;
    in the same unit, at most 0, and no part of the value.
    """
    win: NotRequired[Probability]
    """P(the seat wins the round), and P(it deals in, now or later)."""
    deal_in: NotRequired[Probability]
    """P(the seat wins the round), and P(it deals in, now or later)."""
    hand_points: NotRequired[int | None]
    """Average points of a win with the hand that is left, by the model of sizes."""
    shanten: NotRequired[Shanten]
    """Of the hand that is left; absent if the action ends the round."""
    useful_tiles: NotRequired[NaturalNumber]
    """Unseen tiles that lower this shanten, see `houjuu.risk.own_hand`."""
    discard: NotRequired[TileName]
    """The discard that follows a chi or a pon."""
    lacks_yaku: NotRequired[bool]
    """Of a hand that is left: it still needs a yaku, or wins by tsumo alone."""
    waits: NotRequired[list[TileName]]
    """Of a hand that is left in tenpai: the kinds."""
    parts: list[ValuePart]
    """``win``, ``draw``, ``others_win``, ``score``, ``riichi_stick``, ``deal_in_later`` and
    ``deal_in.right`` (``across``, ``left``); those of 0 points are left out.
    """


class ValuedAction(ActionName, ActionFigures):
    """An action and its figures."""


ChoiceKind = Literal["discard", "riichi", "call", "kan", "win", "nine_terminals"]
"""A discard; riichi or dama; call or pass; kan or not; win or pass; 九種九牌 or not."""

MistakeClass = Literal[
    "efficiency", "push_fold", "riichi", "call", "safe_tile", "win_passed", "rank", "silent"
]
"""The classes of mistakes, see `houjuu.review.deciding.mistake_class`."""

Figure = Literal["value", "win", "deal_in", "shanten", "useful_tiles"]
"""A key of `ValuedAction`: points, two probabilities, shanten, a number of tiles."""


class ComparedFigure(TypedDict):
    """A figure of the chosen and of the advised action."""

    name: Figure
    """A key of `ActionFigures`."""
    chosen: float
    """The figure of the chosen and of the advised action, rounded."""
    advised: float
    """The figure of the chosen and of the advised action, rounded."""
    difference: float
    """The first less the second."""


Grade = Literal["blunder", "mistake", "inaccuracy"]
"""悪手, 疑問手, 微差: by the price, see `houjuu.review.prices`."""


class Verdict(TypedDict):
    """The verdict on a choice, see `houjuu.review.verdict`; prices in whole points."""

    kind: ChoiceKind
    """What could be chosen: a discard; riichi or dama; call or pass; kan or not; win or pass."""
    agrees: bool
    """Whether no action has a larger sum of value and preference than the chosen one."""
    claimed: int
    """The value of the advised action less that of the chosen one, before shrinking."""
    value_lost: NaturalNumber
    """The price, shrunk; one of both is 0. Both are 0 where its interval has 0: a close choice."""
    value_gained: NaturalNumber
    """The price, shrunk; one of both is 0. Both are 0 where its interval has 0: a close choice."""
    uncertainty: NaturalNumber
    """Half of the 95% interval of the price."""
    grade: Grade | None
    """None if no value is lost."""
    school: NaturalNumber | None
    """The index of an action that is certainly worth more than the advised one: two schools."""
    repeats: Turn | None
    """The turn at which the plan of this choice is priced."""
    mistake: MistakeClass | None
    """The class; None if no value is lost."""


class Fact(TypedDict):
    """A fact of the board."""

    key: str
    """The template of its words in the catalogues: of a reason behind ``why``, of another fact
    behind ``why.board``.
    """
    numbers: dict[str, float]
    """Fields of the review by name; ``other_`` begins the names of the other action."""
    tiles: dict[str, list[TileName]]
    """Tiles by name."""
    words: dict[str, str]
    """The opponent, or the safety of tiles, by name."""


class Reason(Fact):
    """Why a part of the values is for or against the chosen action."""

    part: str
    """The part of the values (`ActionFigures.parts`)."""
    side: Literal["better", "worse"]
    """Whether the part is better or worse for the chosen action."""
    facts: list[Fact]
    """What stands on the board."""


Lead = Literal["lost", "right", "kept", "school", "school_kept", "repeats", "even", "same"]
"""How a sentence on a choice begins, see `houjuu.review.why`."""


class BadLuck(TypedDict):
    """The loss after a right decision."""

    cause: Literal["deal_in", "round"]
    """The deal-in by it, or the round."""
    points: NaturalNumber
    """What it lost."""


class Reasons(TypedDict):
    """Why the chosen action is better or worse than another one."""

    lead: Lead
    """What the sentence is about: ``lost``, value; ``right`` and ``kept``, a better action than
    the other, which is advised if it is kept; ``school`` and ``school_kept``, two schools;
    ``repeats``, an earlier plan; ``even``, a close choice; ``same``, the same parts.
    """
    other: NaturalNumber
    """The index of the other action."""
    points: NaturalNumber
    """The price of the difference."""
    decisive: list[Reason]
    """The largest parts on the side of the difference, at most two."""
    main: NaturalNumber
    """The index of the one of them that a short sentence has."""
    against: Reason | None
    """A large part on the other side."""
    luck: BadLuck | None
    """None if the round went well, or a decision could have changed it."""


class EngineValue(TypedDict):
    """What an engine gives an action; only values of one choice can be compared."""

    value: float | None
    """In its own unit, such as Mortal's Q or akochan's points."""
    probability: Probability | None
    """How readily it would choose the action."""


class AnswerBeside(TypedDict):
    """What another engine did at a choice; all are None where it was not asked."""

    action: ActionName | None
    """A legal answer; a riichi has no tile."""
    absent: str | None
    """Why there is none, in English."""
    gives: EngineValue | None
    """What it gives its action, and that of the log; None if it has no values."""
    gives_chosen: EngineValue | None
    """What it gives its action, and that of the log; None if it has no values."""


class ReviewedChoice(Verdict):
    """A decision with a value for each action."""

    actions: list[ValuedAction]
    """The first is the advised one."""
    chosen: NaturalNumber
    """The index of the action of the log."""
    comparison: list[ComparedFigure]
    """Empty if the chosen action is the advised one."""
    round: NaturalNumber
    """An index in ``rounds``."""
    step: NaturalNumber
    """An index in the ``decisions`` of the round. The page has the address SEAT.ROUND.STEP
    behind ``#``, where the step counts from 1.
    """
    reasons: Reasons | None
    """None where there is nothing to explain."""
    why: Mapping[Language, str] | None
    """The sentence of the reasons by language."""
    beside: list[AnswerBeside]
    """The answers of the other engines."""


class Luck(TypedDict):
    """Luck and skill of a round, see `houjuu.review.luck`."""

    expected: int | None
    """The balance that the advised action of the first choice expects; None without choices."""
    lost: NaturalNumber
    """The sum of ``value_lost`` of the choices."""
    choices: NaturalNumber
    """Their number."""


class MeldTiles(TypedDict):
    """A meld."""

    kind: str
    """``chi``, ``pon``, ``daiminkan``, ``ankan`` or ``kakan``."""
    own: list[TileName]
    """The tiles from the hand."""
    called: list[TileName]
    """The called tile, and the tile added to a pon (加槓)."""
    source: int | None
    """1–3 seats to the right; None for a closed kan."""


class PublicSeat(TypedDict):
    """The public tiles of a seat."""

    river: list[str]
    """Tiles with marks: ' tsumogiri, * riichi, ~ called away."""
    melds: list[MeldTiles]
    """In the order of the calls."""
    riichi: bool
    """Whether the seat is in riichi."""


class OpenTable(TypedDict):
    """The public state of the table, the viewing seat first."""

    tiles_left: Annotated[int, Keywords(0, 70)]
    """Tiles that can still be drawn."""
    sticks: NaturalNumber
    """Riichi sticks on the table."""
    scores: BySeat[int]
    """By seat; unit: points."""
    indicators: list[TileName]
    """The open dora indicators."""
    dora: list[TileName]
    """The kinds that they make dora."""
    seats: BySeat[PublicSeat]
    """Rivers and melds."""
    last_discarder: Seat | None
    """The seat of the latest discard."""


class HandPosition(OpenTable):
    """A position with the own hand, the round with its honba, and the relative seat of the dealer.

    ``drawn`` is whether the last tile of the hand is the drawn one.
    """

    hand: list[str]
    drawn: bool
    round: int
    honba: int
    dealer: int


class TileRisks(TypedDict):
    """The risk of a tile as `houjuu.risk.answers.TileAnswer`, to five decimals, points to two."""

    deal_in: Probability
    """P(the discard deals in to at least one opponent)."""
    level: NaturalNumber
    """The height of its bar on the page, see `houjuu.review.risk_bar`."""
    points: Annotated[float, Keywords(0)]
    """Expected loss by dealing in."""
    by_opponent: ByOpponent[Probability]
    """P(the discard deals in to that opponent)."""
    points_by_opponent: ByOpponent[Annotated[float, Keywords(0)]]
    """Expected loss to that opponent; unit: points."""
    genbutsu: ByOpponent[bool]
    """Whether the opponent cannot win on the tile."""
    safety: ByOpponent[str]
    """How safe it looks against each opponent, see `houjuu.review.board_reasons.safety_name`."""


class RiskExplanation(TypedDict):
    """What is behind the risk of a kind."""

    terms: list[Term]
    """The waits, or the scores of a melded hand."""
    reasons: list[Term]
    """The reasons on the table."""


class Risks(TypedDict):
    """The risks of a position."""

    tenpai: ByOpponent[Probability]
    """P(tenpai) of each opponent."""
    opponent_types: ByOpponent[OpponentTypeName]
    """How each opponent was estimated."""
    silent: ByOpponent[bool]
    """Whether it is likely tenpai without riichi and open melds."""
    melded: ByOpponent[bool]
    """Whether that is by the melds."""
    tenpai_reasons: ByOpponent[list[Term]]
    """They add up to P(tenpai)."""
    risks: dict[str, TileRisks]
    """By tile, each different tile of the hand."""
    explanations: dict[str, ByOpponent[RiskExplanation]]
    """By kind, then by opponent."""


class UnseenCopies(TypedDict):
    """Where the tiles are that the seat does not see, see `houjuu.risk.unseen`."""

    copies: Annotated[list[int], Keywords(length=34)]
    """The unseen copies of each kind, in the order 1m to 9m, p, s, 1z to 7z."""
    wall: Annotated[list[float], Keywords(length=34)]
    """The expected copies of each kind in the wall."""
    hands: ByOpponent[dict[str, float]]
    """The likeliest kinds in the concealed hand of each opponent, with their expected copies."""


class WaitShape(TypedDict):
    """Tenpai hands with the same waits."""

    share: Probability
    """P(the hand is one of them)."""
    holds: list[TileName]
    """The tiles that wait, of the likeliest of them."""
    waits: list[TileName]
    """The kinds that complete it."""


class HeldBlock(TypedDict):
    """The tiles that wait most often for the discard."""

    tiles: list[TileName]
    """Those tiles."""
    of_100: Annotated[int, Keywords(0, 100)]
    """The percent of the hands that win on the discard."""


class HiddenHand(TypedDict):
    """What an opponent may hold, see `houjuu.review.risk_json`."""

    shanten: Annotated[list[Probability], Keywords(length=4)]
    """P(tenpai), P(shanten is 1), P(it is 2), P(it is more)."""
    shapes: list[WaitShape]
    """The likeliest waits, at most three."""
    danger: HeldBlock | None
    """None unless the discard is dangerous."""
    likelier: Annotated[int, Keywords(0, 100)] | None
    """How many of 100 drawn hands are less likely than the true one; None where the log hides it.
    """


class Ron(TypedDict):
    """A ron on the discard."""

    to: Seat
    """The seat that wins."""
    points: NaturalNumber
    """What it costs."""


class DiscardSituation(TypedDict):
    """Whom a discard meets, and where the game stands."""

    threat: str
    """See `houjuu.review.discard_context.Threat`."""
    last_round: bool
    """Whether it is South 4, or East 4 of an East-only game, or later."""
    leading: bool
    """Whether the seat has the first place, as `houjuu.game.game_end.order`."""


class ReviewedPosition(OpenTable, Risks):
    """A position: of a discard, or of another choice."""

    turn: Turn
    """The number of the discards before it in the round, plus one."""
    opponent_hands: ByOpponent[list[TileName] | None]
    """The concealed tiles of the opponents; None where the log hides them."""
    hand: list[TileName]
    """The concealed tiles of the seat."""
    drawn: bool
    """Whether the last tile of the hand is the drawn one."""
    discard_index: NaturalNumber | None
    """The index in the hand of the discard; None for another choice."""
    advice: TileName | None
    """The discard that the player advises."""
    illegal: bool
    """What the rules forbid, such as a riichi without tenpai: without a price and a verdict."""
    riichi: bool
    """Whether the discard declares riichi."""
    situation: DiscardSituation | None
    """None for another choice, and while the player is absent."""
    rons: list[Ron]
    """Those on the discard."""
    own: OwnHand | None
    """None unless the seat has 3n + 2 tiles."""
    unseen: UnseenCopies
    """Where the unseen tiles are."""
    hidden: ByOpponent[HiddenHand] | None
    """None but for mistakes, deal-ins, and the only position of a review."""


class WinResult(TypedDict):
    """A win."""

    winner: Seat
    """The seat that wins, and that of the tile; the same for a tsumo."""
    source: Seat
    """The seat that wins, and that of the tile; the same for a tsumo."""
    points: int | None
    """None if they are unknown."""
    tile: TileName
    """The tile that completes the hand."""
    hand: list[TileName]
    """The other concealed tiles."""
    melds: list[MeldTiles]
    """Those of the winner."""
    yaku: list[int]
    """Tenhou's numbers, see `houjuu.game.yaku.YAKU`."""


class DrawResult(TypedDict):
    """A draw."""

    draw: str
    """The reason."""


class ReviewedRound(TypedDict):
    """A round and the decisions of the seat in it."""

    round: NaturalNumber
    """From 0, East 1; 4 is South 1."""
    honba: NaturalNumber
    """Honba counters."""
    dealer: Seat
    """The relative seat."""
    decisions: list[ReviewedPosition]
    """In the order of play."""
    results: list[WinResult | DrawResult]
    """Each win, or the draw."""
    deltas: BySeat[int] | None
    """Points won or lost, riichi sticks excluded; None if the log does not show how the round
    ended.
    """
    balance: int | None
    """Points won less points paid by the seat, riichi sticks included; None as above."""
    first_riichi: Seat | None
    """The relative seat that declared riichi first."""
    luck: Luck
    """Luck and skill of the seat."""


class EngineBeside(TypedDict):
    """Another engine that was asked at the choices of a review."""

    name: str
    """As it was given."""
    choices: NaturalNumber
    """The choices at which it was asked."""
    answered: NaturalNumber
    """Those at which it gave a legal answer: the others are no disagreement."""
    played: NaturalNumber
    """Those at which it would have done as the log, and as our advice."""
    advised: NaturalNumber
    """Those at which it would have done as the log, and as our advice."""
    shared: NaturalNumber
    """The mistakes at which it would have done as our advice, and not as the log."""
    absent: Mapping[Language, str] | None
    """Why the first of the others has no answer, by language."""


class Review(TypedDict):
    """The review of a seat in a game."""

    schema: Literal["houjuu-review/4"]
    """Name and version of this schema."""
    houjuu: str
    """Version of the program."""
    id: str
    """Of the game."""
    date: str | None
    """YYYY-MM-DD."""
    hanchan: bool
    """Whether the game has South rounds."""
    seat: Seat
    """The reviewed seat, absolute: 0 is the first dealer."""
    names: BySeat[str]
    """The players, the reviewed one first."""
    model: str
    """Name of the model that made the estimates."""
    room: RoomName | None
    """The room for which the estimates hold; None of a model without factors by room."""
    rounds: list[ReviewedRound]
    """In the order of play."""
    choices: list[ReviewedChoice]
    """If the player values actions."""
    beside: list[EngineBeside]
    """Other engines, and how often they agree."""


class RoundSummary(TypedDict):
    """The deal-ins of some rounds, and their luck and skill (`houjuu.review.luck`).

    The points are None without values, or where the log does not show how a round ended.
    """

    name: str
    """Of a round for ``houjuu danger``; empty for several."""
    discards: NaturalNumber
    """Their number."""
    deal_ins: NaturalNumber
    """Discards that somebody won on, even if two did."""
    expected_deal_ins: float
    """The sum of P(the discard deals in)."""
    expected: int | None
    """They add up to the balance; unit: points."""
    skill: int | None
    """They add up to the balance; unit: points."""
    luck: int | None
    """They add up to the balance; unit: points."""
    balance: int | None
    """Points won less points paid."""


class Agreement(TypedDict):
    """Decisions that agree with the advised action."""

    n: NaturalNumber
    """All decisions."""
    agrees: NaturalNumber
    """Those that agree."""
    value_lost: int | None
    """Those of all others; None if the advice is a discard without a value."""
    value_gained: int | None
    """Those of all others; None if the advice is a discard without a value."""
    percentile: int | None
    """The percent of phoenix players whose game loses more a decision; None without values."""


class ClassSummary(TypedDict):
    """The mistakes of a class in a game: their number ``n``, and the value that they lose.

    Those below `houjuu.review.prices.LIMIT` are not counted.

    ``usual`` and ``usual_lost`` are those of phoenix players in as many decisions, ``interval`` is
    the central 95% interval of their number in one game; all are None where nobody measured them.
    """

    name: MistakeClass
    n: int
    usual: float | None
    interval: tuple[int, int] | None
    lost: int
    usual_lost: float | None


class Summary(TypedDict):
    """The summary of a review: of each round and of the whole game.

    ``interval`` is the central 95% interval of the number of deal-ins. ``lost`` is the number of
    points lost by ron on discards, ``expected_lost`` the expected one. ``mistakes`` are indices
    of the choices that lose value: the certain ones first, then by loss. ``classes`` are those of
    the mistakes; empty without choices. ``course`` is the expected score at the end of the round,
    by choice.
    """

    rounds: list[RoundSummary]
    game: RoundSummary
    interval: tuple[int, int]
    lost: int
    expected_lost: float
    agreement: Agreement | None
    mistakes: list[int]
    classes: list[ClassSummary]
    course: list[int]


class Colours(TypedDict):
    """The colours of a risk by its level, on a light and on a dark ground."""

    light: list[str]
    dark: list[str]


class UsualMistakes(TypedDict):
    """Mistakes of a class: their share of all decisions, and the value that a decision loses."""

    share: float
    lost: float


class UsualDecisions(TypedDict):
    """The share of agreement of phoenix players, and the value that a decision of theirs loses.

    ``quantiles`` are those of this loss over games, from 0 to 1 in equal steps; ``mistakes`` are
    by class.
    """

    agrees: float
    lost: float
    quantiles: list[float]
    mistakes: dict[MistakeClass, UsualMistakes]


class PageData(TypedDict):
    """All that the scripts of a page read.

    ``summaries`` are those of the reviews. ``player`` gave the advice. ``languages`` are the names
    of the languages, ``tags`` what HTML calls them. ``texts`` are the catalogues, ``terms`` key and
    values in them of every name of a term, reason or type of opponent, ``yaku`` the names by number
    and language. ``limit`` is the least loss that counts. ``kinds`` are the kinds of tiles, in
    order. ``tiles`` is the drawing of every tile.
    """

    reviews: list[Review]
    summaries: list[Summary]
    player: str | None
    language: str | None
    languages: Mapping[Language, str]
    tags: Mapping[Language, str]
    texts: Mapping[Language, Mapping[str, str]]
    terms: dict[str, tuple[str, Mapping[str, Value]]]
    yaku: dict[int, Mapping[Language, str]]
    usual: UsualDecisions
    limit: int
    kinds: list[str]
    colours: Colours
    tiles: str
