// The types of data that Python makes. To change them, run python -m tools.web.declarations.

type OpponentTypeName = "riichi" | "closed" | "1 meld" | "2 melds" | "3 melds" | "4 melds";
type NaturalNumber = number;
type Probability = number;
type Seat = number;
type TileName = string;
type Turn = number;
type Language = "en" | "ja" | "zh";
type Value = string | number;
type Shanten = number;
type ChoiceKind = "discard" | "riichi" | "call" | "kan" | "win" | "nine_terminals";
type MistakeClass =
  "efficiency" | "push_fold" | "riichi" | "call" | "safe_tile" | "win_passed" | "rank";
type Figure = "value" | "win" | "deal_in" | "shanten" | "useful_tiles";
type Grade = "blunder" | "mistake" | "inaccuracy";
type Lead = "lost" | "right" | "kept" | "school" | "school_kept" | "repeats" | "even" | "same";

/**
 * The own hand, see `own_hand`.
 *
 * Attributes
 * ----------
 * shanten : int
 *     Of the whole hand; −1 if it is complete.
 * best : str
 *     The kind whose discard leaves the lowest shanten, then the most useful tiles.
 * discards : dict of HandAfter
 *     By the kind that is discarded.
 */
interface OwnHand {
  shanten: number;
  best: string;
  discards: Record<string, HandAfter>;
}

/**
 * A part of a probability.
 *
 * Attributes
 * ----------
 * name : str
 *     Of a wait, a score or a reason.
 * probability : float
 *     It may be negative.
 */
interface Term {
  name: string;
  probability: number;
}

/**
 * A part of the value of an action.
 *
 * Attributes
 * ----------
 * name : str
 *     See `ActionFigures.parts`.
 * value : int
 *     Unit: a point at the start of an even game.
 */
interface ValuePart {
  name: string;
  value: number;
}

/**
 * An action.
 *
 * Attributes
 * ----------
 * verb : str
 *     ``win``, or another value of `houjuu.game.actions.ActionKind`.
 * tiles : list of str
 *     The tiles that leave the hand; a riichi has the tile of its discard.
 */
interface ActionName {
  verb: string;
  tiles: string[];
}

/**
 * The value of an action, the parts that add up to it, and the hand that it leaves.
 *
 * Attributes
 * ----------
 * value : int
 *     The change of the expected result of the game; unit: a point at the start of an even game.
 * preference : int
 *     What phoenix players prefer beyond the value, less that of the action that they prefer; in
 *     the same unit, at most 0, and no part of the value.
 * win, deal_in : float
 *     P(the seat wins the round), and P(it deals in, now or later).
 * hand_points : int or None
 *     Average points of a win with the hand that is left, by the model of sizes.
 * shanten : int
 *     Of the hand that is left; absent if the action ends the round.
 * useful_tiles : int
 *     Unseen tiles that lower this shanten, see `houjuu.risk.own_hand`.
 * discard : str
 *     The discard that follows a chi or a pon.
 * lacks_yaku : bool
 *     Of a hand that is left: it still needs a yaku, or wins by tsumo alone.
 * waits : list of str
 *     Of a hand that is left in tenpai: the kinds.
 * parts : list of ValuePart
 *     ``win``, ``draw``, ``others_win``, ``score``, ``riichi_stick``, ``deal_in_later`` and
 *     ``deal_in.right`` (``across``, ``left``); those of 0 points are left out.
 */
interface ActionFigures {
  value: number;
  preference: number;
  win?: number;
  deal_in?: number;
  hand_points?: number | null;
  shanten?: number;
  useful_tiles?: number;
  discard?: string;
  lacks_yaku?: boolean;
  waits?: string[];
  parts: ValuePart[];
}

/**
 * An action and its figures.
 */
interface ValuedAction {
  verb: string;
  tiles: string[];
  value: number;
  preference: number;
  win?: number;
  deal_in?: number;
  hand_points?: number | null;
  shanten?: number;
  useful_tiles?: number;
  discard?: string;
  lacks_yaku?: boolean;
  waits?: string[];
  parts: ValuePart[];
}

/**
 * A figure of the chosen and of the advised action.
 *
 * Attributes
 * ----------
 * name : str
 *     A key of `ActionFigures`.
 * chosen, advised : float
 *     The figure of the chosen and of the advised action, rounded.
 * difference : float
 *     The first less the second.
 */
interface ComparedFigure {
  name: Figure;
  chosen: number;
  advised: number;
  difference: number;
}

/**
 * The verdict on a choice, see `houjuu.review.verdict`; prices in whole points.
 *
 * Attributes
 * ----------
 * kind : str
 *     What could be chosen: a discard; riichi or dama; call or pass; kan or not; win or pass.
 * agrees : bool
 *     Whether no action has a larger sum of value and preference than the chosen one.
 * claimed : int
 *     The value of the advised action less that of the chosen one, before shrinking.
 * value_lost, value_gained : int
 *     The price, shrunk; one of both is 0. Both are 0 where the choice is too close to call.
 * uncertainty : int
 *     Half of the 95% interval of the price.
 * grade : str or None
 *     None if no value is lost.
 * school : int or None
 *     The index of an action that is certainly worth more than the advised one: two schools.
 * repeats : int or None
 *     The turn at which the plan of this choice is priced.
 * mistake : str or None
 *     The class; None if no value is lost.
 */
interface Verdict {
  kind: ChoiceKind;
  agrees: boolean;
  claimed: number;
  value_lost: number;
  value_gained: number;
  uncertainty: number;
  grade: Grade | null;
  school: number | null;
  repeats: number | null;
  mistake: MistakeClass | null;
}

/**
 * A fact of the board.
 *
 * Attributes
 * ----------
 * key : str
 *     The template of its words in the catalogues, behind ``why.board``.
 * numbers : dict of str to float
 *     Fields of the review by name; ``other_`` begins the names of the other action.
 * tiles : dict of str to list of str
 *     Tiles by name.
 * words : dict of str to str
 *     The opponent, or the safety of tiles, by name.
 */
interface Fact {
  key: string;
  numbers: Record<string, number>;
  tiles: Record<string, string[]>;
  words: Record<string, string>;
}

/**
 * Why a part of the values is for or against the chosen action.
 *
 * Attributes
 * ----------
 * part : str
 *     The part of the values (`ActionFigures.parts`).
 * side : str
 *     Whether the part is better or worse for the chosen action.
 * key : str
 *     The template of its words in the catalogues, behind ``why``.
 * numbers : dict of str to float
 *     Fields of the review by name; ``other_`` begins the names of the other action.
 * tiles : dict of str to list of str
 *     Tiles by name.
 * words : dict of str to str
 *     The opponent, or the safety of tiles, by name.
 * facts : list of Fact
 *     What stands on the board.
 */
interface Reason {
  key: string;
  numbers: Record<string, number>;
  tiles: Record<string, string[]>;
  words: Record<string, string>;
  part: string;
  side: "better" | "worse";
  facts: Fact[];
}

/**
 * The loss after a right decision.
 *
 * Attributes
 * ----------
 * cause : str
 *     The deal-in by it, or the round.
 * points : int
 *     What it lost.
 */
interface BadLuck {
  cause: "deal_in" | "round";
  points: number;
}

/**
 * Why the chosen action is better or worse than another one.
 *
 * Attributes
 * ----------
 * lead : str
 *     What the sentence is about: ``lost``, value; ``right`` and ``kept``, a better action than
 *     the other, which is advised if it is kept; ``school`` and ``school_kept``, two schools;
 *     ``repeats``, an earlier plan; ``even``, a close choice; ``same``, the same parts.
 * other : int
 *     The index of the other action.
 * points : int
 *     The price of the difference.
 * decisive : list of Reason
 *     The largest parts on the side of the difference, at most two.
 * main : int
 *     The index of the one of them that a short sentence has.
 * against : Reason or None
 *     A large part on the other side.
 * luck : BadLuck or None
 *     None if the round went well, or a decision could have changed it.
 */
interface Reasons {
  lead: Lead;
  other: number;
  points: number;
  decisive: Reason[];
  main: number;
  against: Reason | null;
  luck: BadLuck | null;
}

/**
 * A decision with a value for each action.
 *
 * Attributes
 * ----------
 * actions : list of ValuedAction
 *     The first is the advised one.
 * chosen : int
 *     The index of the action of the log.
 * comparison : list of ComparedFigure
 *     Empty if the chosen action is the advised one.
 * round : int
 *     An index in ``rounds``.
 * step : int
 *     An index in the ``decisions`` of the round. The page has the address SEAT.ROUND.STEP behind
 *     ``#``, where the step counts from 1.
 * reasons : Reasons or None
 *     None where there is nothing to explain.
 * why : mapping or None
 *     The sentence of the reasons by language.
 * beside : list of ActionName or None
 *     The actions of the other engines, None for an answer that is illegal or absent; a riichi of
 *     theirs has no tile.
 */
interface ReviewedChoice {
  kind: ChoiceKind;
  agrees: boolean;
  claimed: number;
  value_lost: number;
  value_gained: number;
  uncertainty: number;
  grade: Grade | null;
  school: number | null;
  repeats: number | null;
  mistake: MistakeClass | null;
  actions: ValuedAction[];
  chosen: number;
  comparison: ComparedFigure[];
  round: number;
  step: number;
  reasons: Reasons | null;
  why: Record<Language, string> | null;
  beside: (ActionName | null)[];
}

/**
 * Luck and skill of a round, see `houjuu.review.luck`.
 *
 * Attributes
 * ----------
 * expected : int or None
 *     The balance that the advised action of the first choice expects; None without choices.
 * lost : int
 *     The sum of ``value_lost`` of the choices.
 * choices : int
 *     Their number.
 */
interface Luck {
  expected: number | null;
  lost: number;
  choices: number;
}

/**
 * A meld.
 *
 * Attributes
 * ----------
 * kind : str
 *     ``chi``, ``pon``, ``daiminkan``, ``ankan`` or ``kakan``.
 * own : list of str
 *     The tiles from the hand.
 * called : list of str
 *     The called tile, and the tile added to a pon (加槓).
 * source : int or None
 *     1–3 seats to the right; None for a closed kan.
 */
interface MeldTiles {
  kind: string;
  own: string[];
  called: string[];
  source: number | null;
}

/**
 * The public tiles of a seat.
 *
 * Attributes
 * ----------
 * river : list of str
 *     Tiles with marks: ' tsumogiri, * riichi, ~ called away.
 * melds : list of MeldTiles
 *     In the order of the calls.
 * riichi : bool
 *     Whether the seat is in riichi.
 */
interface PublicSeat {
  river: string[];
  melds: MeldTiles[];
  riichi: boolean;
}

/**
 * The public state of the table, the viewing seat first.
 *
 * Attributes
 * ----------
 * tiles_left : int
 *     Tiles that can still be drawn.
 * sticks : int
 *     Riichi sticks on the table.
 * scores : list of 4 ints
 *     By seat; unit: points.
 * indicators : list of str
 *     The open dora indicators.
 * dora : list of str
 *     The kinds that they make dora.
 * seats : list of 4 PublicSeat
 *     Rivers and melds.
 * last_discarder : int or None
 *     The seat of the latest discard.
 */
interface OpenTable {
  tiles_left: number;
  sticks: number;
  scores: number[];
  indicators: string[];
  dora: string[];
  seats: PublicSeat[];
  last_discarder: number | null;
}

/**
 * A position with the own hand, the round with its honba, and the relative seat of the dealer.
 *
 * ``drawn`` is whether the last tile of the hand is the drawn one.
 */
interface HandPosition {
  tiles_left: number;
  sticks: number;
  scores: number[];
  indicators: string[];
  dora: string[];
  seats: PublicSeat[];
  last_discarder: number | null;
  hand: string[];
  drawn: boolean;
  round: number;
  honba: number;
  dealer: number;
}

/**
 * The risk of a tile as `houjuu.risk.answers.TileAnswer`, to five decimals, points to two.
 *
 * Attributes
 * ----------
 * deal_in : float
 *     P(the discard deals in to at least one opponent).
 * level : int
 *     The height of its bar on the page, see `houjuu.review.risk_bar`.
 * points : float
 *     Expected loss by dealing in.
 * by_opponent : list of 3 floats
 *     P(the discard deals in to that opponent).
 * points_by_opponent : list of 3 floats
 *     Expected loss to that opponent; unit: points.
 * genbutsu : list of 3 bool
 *     Whether the opponent cannot win on the tile.
 * safety : list of 3 str
 *     How safe it looks against each opponent, see `houjuu.review.board_reasons.safety_name`.
 */
interface TileRisks {
  deal_in: number;
  level: number;
  points: number;
  by_opponent: number[];
  points_by_opponent: number[];
  genbutsu: boolean[];
  safety: string[];
}

/**
 * What is behind the risk of a kind.
 *
 * Attributes
 * ----------
 * terms : list of Term
 *     The waits, or the scores of a melded hand.
 * reasons : list of Term
 *     The reasons on the table.
 */
interface RiskExplanation {
  terms: Term[];
  reasons: Term[];
}

/**
 * The risks of a position.
 *
 * Attributes
 * ----------
 * tenpai : list of 3 floats
 *     P(tenpai) of each opponent.
 * opponent_types : list of 3 str
 *     How each opponent was estimated.
 * melded : list of 3 bool
 *     Whether that is by the melds.
 * tenpai_reasons : list of 3 lists of Term
 *     They add up to P(tenpai).
 * risks : dict of TileRisks
 *     By tile, each different tile of the hand.
 * explanations : dict of lists of RiskExplanation
 *     By kind, then by opponent.
 */
interface Risks {
  tenpai: number[];
  opponent_types: OpponentTypeName[];
  melded: boolean[];
  tenpai_reasons: Term[][];
  risks: Record<string, TileRisks>;
  explanations: Record<string, RiskExplanation[]>;
}

/**
 * Where the tiles are that the seat does not see, see `houjuu.risk.unseen`.
 *
 * Attributes
 * ----------
 * copies : list of 34 ints
 *     The unseen copies of each kind, in the order 1m to 9m, p, s, 1z to 7z.
 * wall : list of 34 floats
 *     The expected copies of each kind in the wall.
 * hands : list of 3 dicts of float
 *     The likeliest kinds in the concealed hand of each opponent, with their expected copies.
 */
interface UnseenCopies {
  copies: number[];
  wall: number[];
  hands: Record<string, number>[];
}

/**
 * A ron on the discard.
 *
 * Attributes
 * ----------
 * to : int
 *     The seat that wins.
 * points : int
 *     What it costs.
 */
interface Ron {
  to: number;
  points: number;
}

/**
 * Whom a discard meets, and where the game stands.
 *
 * Attributes
 * ----------
 * threat : str
 *     See `houjuu.review.discard_context.Threat`.
 * last_round : bool
 *     Whether it is South 4, or East 4 of an East-only game, or later.
 * leading : bool
 *     Whether the seat has the first place, as `houjuu.game.game_end.order`.
 */
interface DiscardSituation {
  threat: string;
  last_round: boolean;
  leading: boolean;
}

/**
 * A position: of a discard, or of another choice.
 *
 * Attributes
 * ----------
 * turn : int
 *     The number of the discards before it in the round, plus one.
 * opponent_hands : list of 3 lists of str, or None
 *     The concealed tiles of the opponents; None where the log hides them.
 * hand : list of str
 *     The concealed tiles of the seat.
 * drawn : bool
 *     Whether the last tile of the hand is the drawn one.
 * discard_index : int or None
 *     The index in the hand of the discard; None for another choice.
 * advice : str or None
 *     The discard that the player advises.
 * illegal : bool
 *     What the rules forbid, such as a riichi without tenpai: without a price and a verdict.
 * riichi : bool
 *     Whether the discard declares riichi.
 * situation : DiscardSituation or None
 *     None for another choice, and while the player is absent.
 * rons : list of Ron
 *     Those on the discard.
 * own : OwnHand or None
 *     None unless the seat has 3n + 2 tiles.
 * unseen : UnseenCopies
 *     Where the unseen tiles are.
 */
interface ReviewedPosition {
  tiles_left: number;
  sticks: number;
  scores: number[];
  indicators: string[];
  dora: string[];
  seats: PublicSeat[];
  last_discarder: number | null;
  tenpai: number[];
  opponent_types: OpponentTypeName[];
  melded: boolean[];
  tenpai_reasons: Term[][];
  risks: Record<string, TileRisks>;
  explanations: Record<string, RiskExplanation[]>;
  turn: number;
  opponent_hands: (string[] | null)[];
  hand: string[];
  drawn: boolean;
  discard_index: number | null;
  advice: string | null;
  illegal: boolean;
  riichi: boolean;
  situation: DiscardSituation | null;
  rons: Ron[];
  own: OwnHand | null;
  unseen: UnseenCopies;
}

/**
 * A win.
 *
 * Attributes
 * ----------
 * winner, source : int
 *     The seat that wins, and that of the tile; the same for a tsumo.
 * points : int or None
 *     None if they are unknown.
 * tile : str
 *     The tile that completes the hand.
 * hand : list of str
 *     The other concealed tiles.
 * melds : list of MeldTiles
 *     Those of the winner.
 * yaku : list of int
 *     Tenhou's numbers, see `houjuu.game.yaku.YAKU`.
 */
interface WinResult {
  winner: number;
  source: number;
  points: number | null;
  tile: string;
  hand: string[];
  melds: MeldTiles[];
  yaku: number[];
}

/**
 * A draw.
 *
 * Attributes
 * ----------
 * draw : str
 *     The reason.
 */
interface DrawResult {
  draw: string;
}

/**
 * A round and the decisions of the seat in it.
 *
 * Attributes
 * ----------
 * round : int
 *     From 0, East 1; 4 is South 1.
 * honba : int
 *     Honba counters.
 * dealer : int
 *     The relative seat.
 * decisions : list of ReviewedPosition
 *     In the order of play.
 * results : list of WinResult or DrawResult
 *     Each win, or the draw.
 * deltas : list of 4 ints, or None
 *     Points won or lost, riichi sticks excluded; None if the log does not show how the round
 *     ended.
 * balance : int or None
 *     Points won less points paid by the seat, riichi sticks included; None as above.
 * first_riichi : int or None
 *     The relative seat that declared riichi first.
 * luck : Luck
 *     Luck and skill of the seat.
 */
interface ReviewedRound {
  round: number;
  honba: number;
  dealer: number;
  decisions: ReviewedPosition[];
  results: (WinResult | DrawResult)[];
  deltas: number[] | null;
  balance: number | null;
  first_riichi: number | null;
  luck: Luck;
}

/**
 * Another engine that was asked at the choices of a review.
 *
 * Attributes
 * ----------
 * name : str
 *     As it was given.
 * choices : int
 *     The choices at which it was asked.
 * played, advised : int
 *     Those at which it would have done as the log, and as our advice.
 * none : int
 *     Those without a legal answer.
 */
interface EngineBeside {
  name: string;
  choices: number;
  played: number;
  advised: number;
  none: number;
}

/**
 * The review of a seat in a game.
 *
 * Attributes
 * ----------
 * schema : str
 *     Name and version of this schema.
 * houjuu : str
 *     Version of the program.
 * id : str
 *     Of the game.
 * date : str or None
 *     YYYY-MM-DD.
 * hanchan : bool
 *     Whether the game has South rounds.
 * seat : int
 *     The reviewed seat, absolute: 0 is the first dealer.
 * names : list of 4 str
 *     The players, the reviewed one first.
 * model : str
 *     Name of the model that made the estimates.
 * rounds : list of ReviewedRound
 *     In the order of play.
 * choices : list of ReviewedChoice
 *     If the player values actions.
 * beside : list of EngineBeside
 *     Other engines, and how often they agree.
 */
interface Review {
  schema: "houjuu-review/4";
  houjuu: string;
  id: string;
  date: string | null;
  hanchan: boolean;
  seat: number;
  names: string[];
  model: string;
  rounds: ReviewedRound[];
  choices: ReviewedChoice[];
  beside: EngineBeside[];
}

/**
 * The deal-ins of some rounds, and their luck and skill (`houjuu.review.luck`).
 *
 * The points are None without values, or where the log does not show how a round ended.
 *
 * Attributes
 * ----------
 * name : str
 *     Of a round for ``houjuu danger``; empty for several.
 * discards : int
 *     Their number.
 * deal_ins : int
 *     Discards that somebody won on, even if two did.
 * expected_deal_ins : float
 *     The sum of P(the discard deals in).
 * expected, skill, luck : int or None
 *     They add up to the balance; unit: points.
 * balance : int or None
 *     Points won less points paid.
 */
interface RoundSummary {
  name: string;
  discards: number;
  deal_ins: number;
  expected_deal_ins: number;
  expected: number | null;
  skill: number | null;
  luck: number | null;
  balance: number | null;
}

/**
 * Decisions that agree with the advised action.
 *
 * Attributes
 * ----------
 * n : int
 *     All decisions.
 * agrees : int
 *     Those that agree.
 * value_lost, value_gained : int or None
 *     Those of all others; None if the advice is a discard without a value.
 */
interface Agreement {
  n: number;
  agrees: number;
  value_lost: number | null;
  value_gained: number | null;
}

/**
 * The mistakes of a class in a game: their number ``n``, and the value that they lose.
 *
 * Those below `houjuu.review.prices.LIMIT` are not counted.
 *
 * ``usual`` and ``usual_lost`` are those of phoenix players in as many decisions, ``interval`` is
 * the central 95% interval of their number in one game; all are None where nobody measured them.
 */
interface ClassSummary {
  name: MistakeClass;
  n: number;
  usual: number | null;
  interval: [number, number] | null;
  lost: number;
  usual_lost: number | null;
}

/**
 * The summary of a review: of each round and of the whole game.
 *
 * ``interval`` is the central 95% interval of the number of deal-ins. ``lost`` is the number of
 * points lost by ron on discards, ``expected_lost`` the expected one. ``mistakes`` are indices
 * of the choices that lose value: the certain ones first, then by loss. ``classes`` are those of
 * the mistakes; empty without choices. ``course`` is the expected score at the end of the round,
 * by choice.
 */
interface Summary {
  rounds: RoundSummary[];
  game: RoundSummary;
  interval: [number, number];
  lost: number;
  expected_lost: number;
  agreement: Agreement | null;
  mistakes: number[];
  classes: ClassSummary[];
  course: number[];
}

/**
 * The colours of a risk by its level, on a light and on a dark ground.
 */
interface Colours {
  light: string[];
  dark: string[];
}

/**
 * Mistakes of a class: their share of all decisions, and the value that a decision loses.
 */
interface UsualMistakes {
  share: number;
  lost: number;
}

/**
 * The share of agreement of phoenix players, and the value that a decision of theirs loses.
 *
 * ``mistakes`` are by class.
 */
interface UsualDecisions {
  agrees: number;
  lost: number;
  mistakes: Record<MistakeClass, UsualMistakes>;
}

/**
 * All that the scripts of a page read.
 *
 * ``summaries`` are those of the reviews. ``player`` gave the advice. ``languages`` are the names
 * of the languages, ``tags`` what HTML calls them. ``texts`` are the catalogues, ``terms`` key and
 * values in them of every name of a term, reason or type of opponent, ``yaku`` the names by number
 * and language. ``limit`` is the least loss that counts. ``kinds`` are the kinds of tiles, in
 * order. ``tiles`` is the drawing of every tile.
 */
interface PageData {
  reviews: Review[];
  summaries: Summary[];
  player: string | null;
  language: string | null;
  languages: Record<Language, string>;
  tags: Record<Language, string>;
  texts: Record<Language, Record<string, string>>;
  terms: Record<string, [string, Record<string, Value>]>;
  yaku: Record<number, Record<Language, string>>;
  usual: UsualDecisions;
  limit: number;
  kinds: string[];
  colours: Colours;
  tiles: string;
}
