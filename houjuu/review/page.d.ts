// The types of data that Python makes. To change them, run python -m tools.web.declarations.

type OpponentTypeName = "riichi" | "closed" | "1 meld" | "2 melds" | "3 melds" | "4 melds";
type NaturalNumber = number;
type Probability = number;
type TileName = string;
type Language = "en" | "ja" | "zh";
type Value = string | number;
type EncodedTerms = [number, number][];
type Shanten = number;
type ChoiceKind = "discard" | "riichi" | "call" | "kan" | "win" | "nine_terminals";
type MistakeClass =
  "efficiency" | "push_fold" | "riichi" | "call" | "safe_tile" | "win_passed" | "rank";
type Figure = "value" | "win" | "deal_in" | "shanten" | "useful_tiles";
type Grade = "blunder" | "mistake" | "inaccuracy";
type Lead = "lost" | "right" | "kept" | "school" | "school_kept" | "repeats" | "even" | "same";
type DiscardSituation = [string, boolean, boolean];

/**
 * The own hand, see `houjuu.risk.own_hand`.
 */
interface OwnHand {
  shanten: number;
  best: string;
  discards: Record<string, [number, string[], boolean, number, number]>;
}

/**
 * A part of the value of an action, in whole points.
 */
interface ValuePart {
  name: string;
  value: number;
}

/**
 * An action: its verb, and the tiles that leave the hand by it.
 *
 * The verbs are ``win`` and the other values of `houjuu.game.actions.ActionKind`. A riichi has the
 * tile of its discard.
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
 * A figure of the chosen and of the advised action, and the first less the second.
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
 *     Of the catalogues: ``why.board.KEY``, the template of its words.
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
 *     Of the catalogues: ``why.KEY.SIDE``, the template of its words.
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
 * A choice at ``step``, an index in the ``decisions`` of the round with the index ``round``.
 *
 * The first of the ``actions`` is the advised one, and ``chosen`` is the index of that of the log.
 * ``comparison`` is empty if it is the same. ``reasons`` are None where there is nothing to
 * explain, and ``why`` is their sentence in each language. ``beside`` has the actions of the other
 * engines, None for an answer that is illegal or absent; a riichi of theirs has no tile.
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
 */
interface PublicSeat {
  river: string[];
  melds: MeldTiles[];
  riichi: boolean;
}

/**
 * The public state of the table, the viewing seat first; ``dora`` are kinds.
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
 * ``level`` is the height of its bar, see `houjuu.review.risk_bar`. ``safety`` is by opponent, see
 * `houjuu.review.board_reasons.safety_name`.
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
 * The waits or scores behind a risk, and the reasons.
 */
interface RiskExplanation {
  terms: EncodedTerms;
  reasons: EncodedTerms;
}

/**
 * The risks of a position; ``risks`` are by tile, ``explanations`` by kind and opponent.
 */
interface Risks {
  tenpai: number[];
  opponent_types: OpponentTypeName[];
  melded: boolean[];
  tenpai_reasons: EncodedTerms[];
  risks: Record<string, TileRisks>;
  explanations: Record<string, RiskExplanation[]>;
}

/**
 * Where the tiles are that the seat does not see, see `houjuu.risk.unseen`.
 *
 * ``copies`` is a string of 34 digits, the unseen copies of each kind. ``wall`` has the expected
 * copies of each kind in the wall; unit: hundredths. ``hands`` are the likeliest kinds in the
 * concealed hand of each opponent, with their expected copies.
 */
interface UnseenCopies {
  copies: string;
  wall: number[];
  hands: [string, number][][];
}

/**
 * A ron on the discard, and the points that it costs.
 */
interface Ron {
  to: number;
  points: number;
}

/**
 * A position: of a discard, or of another choice, which has no ``discard_index``.
 *
 * ``turn`` is the number of the discards before it in the round, plus one. ``situation`` is that
 * of a discard; None for another choice, and while the player is absent. What the rules forbid,
 * such as a riichi without tenpai, is ``illegal``: it has neither a price nor a verdict.
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
  tenpai_reasons: EncodedTerms[];
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
 * A draw and its reason.
 */
interface DrawResult {
  draw: string;
}

/**
 * A round; ``balance`` is the points won less those paid, riichi sticks included.
 *
 * ``first_riichi`` is the seat that declared riichi first, None without any.
 *
 * ``balance`` and ``deltas`` are None if the log does not show how the round ended.
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
 * The review of an absolute seat; its name comes first.
 */
interface Review {
  id: string;
  date: string | null;
  hanchan: boolean;
  seat: number;
  names: string[];
  model: string;
  rounds: ReviewedRound[];
  choices: ReviewedChoice[];
  reason_names: string[];
  beside: EngineBeside[];
}

/**
 * The deal-ins of some rounds, and their luck and skill (`houjuu.review.luck`).
 *
 * ``name`` is that of a round for ``houjuu danger``, and empty for several. A deal-in is a discard
 * that somebody wins on, even if two do. The points are None without values, or where the log
 * does not show how a round ended: ``expected``, ``skill`` and ``luck`` add up to ``balance``.
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
 * Decisions that agree with the advised action: ``agrees`` of ``n``.
 *
 * ``value_lost`` and ``value_gained`` are those of all others; None if the advice is a discard
 * without a value.
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
