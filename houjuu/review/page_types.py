"""The data of a review page: plain values that JSON can represent, from the game to a risk.

All seats are relative: 0 is the reviewed seat, then right, across and left. Lists of opponents are
in the order right, across, left. Tiles are in the usual notation: "5p", and "0p" for the red five.
Probabilities are 0–1. ``tools/web/declarations.py`` writes the same types for the scripts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, NotRequired, TypedDict

from houjuu.risk.answers import OpponentTypeName
from houjuu.risk.own_hand import OwnHand
from houjuu.util.json_types import Keywords, NaturalNumber, Probability, TileName
from houjuu.util.languages import Language, Value

EncodedTerms = list[tuple[int, float]]
"""Terms of an explanation: the index of the name in `Review.reason_names`, and the probability."""


Shanten = Annotated[int, Keywords(0, 6)]


class ValuePart(TypedDict):
    """A part of the value of an action, in whole points."""

    name: str
    value: int


class ActionName(TypedDict):
    """An action: its verb, and the tiles that leave the hand by it.

    The verbs are ``win`` and the other values of `houjuu.game.actions.ActionKind`. A riichi has the
    tile of its discard.
    """

    verb: str
    tiles: list[str]


class ActionFigures(TypedDict):
    """The value of an action, the parts that add up to it, and the hand that it leaves.

    Attributes
    ----------
    value : int
        The change of the expected result of the game; unit: a point at the start of an even game.
    preference : int
        What phoenix players prefer beyond the value, less that of the action that they prefer; in
        the same unit, at most 0, and no part of the value.
    win, deal_in : float
        P(the seat wins the round), and P(it deals in, now or later).
    hand_points : int or None
        Average points of a win with the hand that is left, by the model of sizes.
    shanten : int
        Of the hand that is left; absent if the action ends the round.
    useful_tiles : int
        Unseen tiles that lower this shanten, see `houjuu.risk.own_hand`.
    discard : str
        The discard that follows a chi or a pon.
    lacks_yaku : bool
        Of a hand that is left: it still needs a yaku, or wins by tsumo alone.
    waits : list of str
        Of a hand that is left in tenpai: the kinds.
    parts : list of ValuePart
        ``win``, ``draw``, ``others_win``, ``score``, ``riichi_stick``, ``deal_in_later`` and
        ``deal_in.right`` (``across``, ``left``); those of 0 points are left out.
    """

    value: int
    preference: Annotated[int, Keywords(maximum=0)]
    win: NotRequired[Probability]
    deal_in: NotRequired[Probability]
    hand_points: NotRequired[int | None]
    shanten: NotRequired[Shanten]
    useful_tiles: NotRequired[NaturalNumber]
    discard: NotRequired[TileName]
    lacks_yaku: NotRequired[bool]
    waits: NotRequired[list[TileName]]
    parts: list[ValuePart]


class ValuedAction(ActionName, ActionFigures):
    """An action and its figures."""


ChoiceKind = Literal["discard", "riichi", "call", "kan", "win", "nine_terminals"]
"""A discard; riichi or dama; call or pass; kan or not; win or pass; 九種九牌 or not."""

MistakeClass = Literal[
    "efficiency", "push_fold", "riichi", "call", "safe_tile", "win_passed", "rank"
]
"""The classes of mistakes, see `houjuu.review.deciding.mistake_class`."""

Figure = Literal["value", "win", "deal_in", "shanten", "useful_tiles"]
"""A key of `ValuedAction`: points, two probabilities, shanten, a number of tiles."""


class ComparedFigure(TypedDict):
    """A figure of the chosen and of the advised action, and the first less the second."""

    name: Figure
    chosen: float
    advised: float
    difference: float


Grade = Literal["blunder", "mistake", "inaccuracy"]
"""悪手, 疑問手, 微差: by the price and whether it is certain, see `houjuu.review.prices`."""


class Verdict(TypedDict):
    """The verdict on a choice, see `houjuu.review.verdict`; prices in whole points.

    Attributes
    ----------
    claimed : int
        The value of the advised action less that of the chosen one, before shrinking.
    value_lost, value_gained : int
        The price, shrunk; one of both is 0. Both are 0 where the choice is too close to call.
    uncertainty : int
        Half of the 95% interval of the price.
    grade : str or None
        None if no value is lost.
    school : int or None
        The index of an action that is certainly worth more than the advised one: two schools.
    repeats : int or None
        The turn at which the plan of this choice is priced.
    mistake : str or None
        The class; None if no value is lost.
    """

    kind: ChoiceKind
    agrees: bool
    claimed: int
    value_lost: int
    value_gained: int
    uncertainty: int
    grade: Grade | None
    school: int | None
    repeats: int | None
    mistake: MistakeClass | None


class Fact(TypedDict):
    """A fact of the board.

    Attributes
    ----------
    key : str
        Of the catalogues: ``why.board.KEY``, the template of its words.
    numbers : dict of str to float
        Fields of the review by name; ``other_`` begins the names of the other action.
    tiles : dict of str to list of str
        Tiles by name.
    words : dict of str to str
        The opponent, or the safety of tiles, by name.
    """

    key: str
    numbers: dict[str, float]
    tiles: dict[str, list[TileName]]
    words: dict[str, str]


class Reason(Fact):
    """Why a part of the values is for or against the chosen action.

    Attributes
    ----------
    part : str
        The part of the values (`ActionFigures.parts`).
    side : str
        Whether the part is better or worse for the chosen action.
    key : str
        Of the catalogues: ``why.KEY.SIDE``, the template of its words.
    numbers : dict of str to float
        Fields of the review by name; ``other_`` begins the names of the other action.
    tiles : dict of str to list of str
        Tiles by name.
    words : dict of str to str
        The opponent, or the safety of tiles, by name.
    facts : list of Fact
        What stands on the board.
    """

    part: str
    side: Literal["better", "worse"]
    facts: list[Fact]


Lead = Literal["lost", "right", "kept", "school", "school_kept", "repeats", "even", "same"]
"""How a sentence on a choice begins, see `houjuu.review.why`."""


class BadLuck(TypedDict):
    """The loss after a right decision.

    Attributes
    ----------
    cause : str
        The deal-in by it, or the round.
    points : int
    """

    cause: Literal["deal_in", "round"]
    points: NaturalNumber


class Reasons(TypedDict):
    """Why the chosen action is better or worse than another one.

    Attributes
    ----------
    lead : str
        What the sentence is about: ``lost``, value; ``right`` and ``kept``, a better action than
        the other, which is advised if it is kept; ``school`` and ``school_kept``, two schools;
        ``repeats``, an earlier plan; ``even``, a close choice; ``same``, the same parts.
    other : int
        The index of the other action.
    points : int
        The price of the difference.
    decisive : list of Reason
        The largest parts on the side of the difference, at most two.
    main : int
        The index of the one of them that a short sentence has.
    against : Reason or None
        A large part on the other side.
    luck : BadLuck or None
        None if the round went well, or a decision could have changed it.
    """

    lead: Lead
    other: NaturalNumber
    points: NaturalNumber
    decisive: list[Reason]
    main: NaturalNumber
    against: Reason | None
    luck: BadLuck | None


class ReviewedChoice(Verdict):
    """A choice at ``step``, an index in the ``decisions`` of the round with the index ``round``.

    The first of the ``actions`` is the advised one, and ``chosen`` is the index of that of the log.
    ``comparison`` is empty if it is the same. ``reasons`` are None where there is nothing to
    explain, and ``why`` is their sentence in each language. ``beside`` has the actions of the other
    engines, None for an answer that is illegal or absent; a riichi of theirs has no tile.
    """

    actions: list[ValuedAction]
    chosen: int
    comparison: list[ComparedFigure]
    round: int
    step: int
    reasons: Reasons | None
    why: Mapping[Language, str] | None
    beside: list[ActionName | None]


class Luck(TypedDict):
    """Luck and skill of a round, see `houjuu.review.luck`."""

    expected: int | None
    lost: int
    choices: int


class MeldTiles(TypedDict):
    """A meld.

    Attributes
    ----------
    called : list of str
        The called tile, and the tile added to a pon (加槓).
    source : int or None
        1–3 seats to the right; None for a closed kan.
    """

    kind: str
    own: list[TileName]
    called: list[TileName]
    source: int | None


class PublicSeat(TypedDict):
    """The public tiles of a seat.

    Attributes
    ----------
    river : list of str
        Tiles with marks: ' tsumogiri, * riichi, ~ called away.
    """

    river: list[str]
    melds: list[MeldTiles]
    riichi: bool


class OpenTable(TypedDict):
    """The public state of the table, the viewing seat first; ``dora`` are kinds."""

    tiles_left: int
    sticks: int
    scores: list[int]
    indicators: list[str]
    dora: list[str]
    seats: list[PublicSeat]
    last_discarder: int | None


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
    """The risk of a tile as `houjuu.risk.answers.TileAnswer`, to five decimals, points to two.

    ``level`` is the height of its bar, see `houjuu.review.risk_bar`. ``safety`` is by opponent, see
    `houjuu.review.board_reasons.safety_name`.
    """

    deal_in: float
    level: int
    points: float
    by_opponent: list[float]
    points_by_opponent: list[float]
    genbutsu: list[bool]
    safety: list[str]


class RiskExplanation(TypedDict):
    """The waits or scores behind a risk, and the reasons."""

    terms: EncodedTerms
    reasons: EncodedTerms


class Risks(TypedDict):
    """The risks of a position; ``risks`` are by tile, ``explanations`` by kind and opponent."""

    tenpai: list[float]
    opponent_types: list[OpponentTypeName]
    melded: list[bool]
    tenpai_reasons: list[EncodedTerms]
    risks: dict[str, TileRisks]
    explanations: dict[str, list[RiskExplanation]]


class UnseenCopies(TypedDict):
    """Where the tiles are that the seat does not see, see `houjuu.risk.unseen`.

    ``copies`` is a string of 34 digits, the unseen copies of each kind. ``wall`` has the expected
    copies of each kind in the wall; unit: hundredths. ``hands`` are the likeliest kinds in the
    concealed hand of each opponent, with their expected copies.
    """

    copies: str
    wall: list[int]
    hands: list[list[tuple[str, float]]]


class Ron(TypedDict):
    """A ron on the discard, and the points that it costs."""

    to: int
    points: int


DiscardSituation = tuple[str, bool, bool]
"""The fields of `houjuu.review.discard_context.DiscardContext`."""


class ReviewedPosition(OpenTable, Risks):
    """A position: of a discard, or of another choice, which has no ``discard_index``.

    ``turn`` is the number of the discards before it in the round, plus one. ``situation`` is that
    of a discard; None for another choice, and while the player is absent. What the rules forbid,
    such as a riichi without tenpai, is ``illegal``: it has neither a price nor a verdict.
    """

    turn: int
    opponent_hands: list[list[str] | None]
    hand: list[str]
    drawn: bool
    discard_index: int | None
    advice: str | None
    illegal: bool
    riichi: bool
    situation: DiscardSituation | None
    rons: list[Ron]
    own: OwnHand | None
    unseen: UnseenCopies


class WinResult(TypedDict):
    """A win.

    Attributes
    ----------
    yaku : list of int
        Tenhou's numbers, see `houjuu.game.yaku.YAKU`.
    """

    winner: int
    source: int
    points: int | None
    tile: str
    hand: list[str]
    melds: list[MeldTiles]
    yaku: list[int]


class DrawResult(TypedDict):
    """A draw and its reason."""

    draw: str


class ReviewedRound(TypedDict):
    """A round; ``balance`` is the points won less those paid, riichi sticks included.

    ``first_riichi`` is the seat that declared riichi first, None without any.

    ``balance`` and ``deltas`` are None if the log does not show how the round ended.
    """

    round: int
    honba: int
    dealer: int
    decisions: list[ReviewedPosition]
    results: list[WinResult | DrawResult]
    deltas: list[int] | None
    balance: int | None
    first_riichi: int | None
    luck: Luck


class EngineBeside(TypedDict):
    """Another engine that was asked at the choices of a review.

    Attributes
    ----------
    name : str
    choices : int
        The choices at which it was asked.
    played, advised : int
        Those at which it would have done as the log, and as our advice.
    none : int
        Those without a legal answer.
    """

    name: str
    choices: NaturalNumber
    played: NaturalNumber
    advised: NaturalNumber
    none: NaturalNumber


class Review(TypedDict):
    """The review of an absolute seat; its name comes first."""

    id: str
    date: str | None
    hanchan: bool
    seat: int
    names: list[str]
    model: str
    rounds: list[ReviewedRound]
    choices: list[ReviewedChoice]
    reason_names: list[str]
    beside: list[EngineBeside]


class RoundSummary(TypedDict):
    """The deal-ins of some rounds, and their luck and skill (`houjuu.review.luck`).

    ``name`` is that of a round for ``houjuu danger``, and empty for several. A deal-in is a discard
    that somebody wins on, even if two do. The points are None without values, or where the log
    does not show how a round ended: ``expected``, ``skill`` and ``luck`` add up to ``balance``.
    """

    name: str
    discards: int
    deal_ins: int
    expected_deal_ins: float
    expected: int | None
    skill: int | None
    luck: int | None
    balance: int | None


class Agreement(TypedDict):
    """Decisions that agree with the advised action: ``agrees`` of ``n``.

    ``value_lost`` and ``value_gained`` are those of all others; None if the advice is a discard
    without a value.
    """

    n: int
    agrees: int
    value_lost: int | None
    value_gained: int | None


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

    ``mistakes`` are by class.
    """

    agrees: float
    lost: float
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
