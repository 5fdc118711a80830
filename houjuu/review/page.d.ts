// The types of data that Python makes. To change them, run python -m tools.web.declarations.

type OpponentTypeName = "riichi" | "closed" | "1 meld" | "2 melds" | "3 melds" | "4 melds";
type RoomName = "phoenix" | "expert" | "advanced" | "general" | "bots";
type Language = "en" | "ja" | "zh";
type ChoiceKind = "discard" | "riichi" | "call" | "kan" | "win" | "nine_terminals";
type MistakeClass =
  "efficiency" | "push_fold" | "riichi" | "call" | "safe_tile" | "win_passed" | "rank" | "silent";
type Figure = "value" | "win" | "deal_in" | "shanten" | "useful_tiles";
type Grade = "blunder" | "mistake" | "inaccuracy";
type Lead = "lost" | "right" | "kept" | "school" | "school_kept" | "repeats" | "even" | "same";

/** The own hand, see `own_hand`. */
interface OwnHand {
  /** Of the whole hand; −1 if it is complete. */
  shanten: number;
  /** The kind whose discard leaves the lowest shanten, then the most useful tiles. */
  best: string;
  /** By the kind that is discarded. */
  discards: Record<string, HandAfter>;
}

/** The own hand after a discard. */
interface HandAfter {
  /** Of the hand that is left. */
  shanten: number;
  /** The kinds that lower it; of a tenpai hand its waits. */
  useful: Array<string>;
  /** Whether the hand is tenpai and furiten. */
  furiten: boolean;
  /** Expected copies of the useful tiles in the wall, the dead wall included. */
  wall: number;
  /** P(none of the useful tiles is in the wall). */
  none_in_wall: number;
}

/** A part of a probability. */
interface Term {
  /** Of a wait, a score or a reason. */
  name: string;
  /** It may be negative. */
  probability: number;
}

/** A part of the value of an action. */
interface ValuePart {
  /** See `ActionFigures.parts`. */
  name: string;
  /** Unit: a point at the start of an even game. */
  value: number;
}

/** An action. */
interface ActionName {
  /** ``win``, or another value of `houjuu.game.actions.ActionKind`. */
  verb: string;
  /** The tiles that leave the hand; a riichi has the tile of its discard. */
  tiles: Array<string>;
}

/** The value of an action, the parts that add up to it, and the hand that it leaves. */
interface ActionFigures {
  /** The change of the expected result of the game; unit: a point at the start of an even game. */
  value: number;
  /** What phoenix players prefer beyond the value, less that of the action that they prefer; in the same unit, at most 0, and no part of the value. */
  preference: number;
  /** P(the seat wins the round), and P(it deals in, now or later). */
  win?: number;
  /** P(the seat wins the round), and P(it deals in, now or later). */
  deal_in?: number;
  /** Average points of a win with the hand that is left, by the model of sizes. */
  hand_points?: number | null;
  /** Of the hand that is left; absent if the action ends the round. */
  shanten?: number;
  /** Unseen tiles that lower this shanten, see `houjuu.risk.own_hand`. */
  useful_tiles?: number;
  /** The discard that follows a chi or a pon. */
  discard?: string;
  /** Of a hand that is left: it still needs a yaku, or wins by tsumo alone. */
  lacks_yaku?: boolean;
  /** Of a hand that is left in tenpai: the kinds. */
  waits?: Array<string>;
  /** ``win``, ``draw``, ``others_win``, ``score``, ``riichi_stick``, ``deal_in_later`` and ``deal_in.right`` (``across``, ``left``); those of 0 points are left out. */
  parts: Array<ValuePart>;
}

/** An action and its figures. */
interface ValuedAction {
  /** ``win``, or another value of `houjuu.game.actions.ActionKind`. */
  verb: string;
  /** The tiles that leave the hand; a riichi has the tile of its discard. */
  tiles: Array<string>;
  /** The change of the expected result of the game; unit: a point at the start of an even game. */
  value: number;
  /** What phoenix players prefer beyond the value, less that of the action that they prefer; in the same unit, at most 0, and no part of the value. */
  preference: number;
  /** P(the seat wins the round), and P(it deals in, now or later). */
  win?: number;
  /** P(the seat wins the round), and P(it deals in, now or later). */
  deal_in?: number;
  /** Average points of a win with the hand that is left, by the model of sizes. */
  hand_points?: number | null;
  /** Of the hand that is left; absent if the action ends the round. */
  shanten?: number;
  /** Unseen tiles that lower this shanten, see `houjuu.risk.own_hand`. */
  useful_tiles?: number;
  /** The discard that follows a chi or a pon. */
  discard?: string;
  /** Of a hand that is left: it still needs a yaku, or wins by tsumo alone. */
  lacks_yaku?: boolean;
  /** Of a hand that is left in tenpai: the kinds. */
  waits?: Array<string>;
  /** ``win``, ``draw``, ``others_win``, ``score``, ``riichi_stick``, ``deal_in_later`` and ``deal_in.right`` (``across``, ``left``); those of 0 points are left out. */
  parts: Array<ValuePart>;
}

/** A figure of the chosen and of the advised action. */
interface ComparedFigure {
  /** A key of `ActionFigures`. */
  name: Figure;
  /** The figure of the chosen and of the advised action, rounded. */
  chosen: number;
  /** The figure of the chosen and of the advised action, rounded. */
  advised: number;
  /** The first less the second. */
  difference: number;
}

/** The verdict on a choice, see `houjuu.review.verdict`; prices in whole points. */
interface Verdict {
  /** What could be chosen: a discard; riichi or dama; call or pass; kan or not; win or pass. */
  kind: ChoiceKind;
  /** Whether no action has a larger sum of value and preference than the chosen one. */
  agrees: boolean;
  /** The value of the advised action less that of the chosen one, before shrinking. */
  claimed: number;
  /** The price, shrunk; one of both is 0. Both are 0 where its interval has 0: a close choice. */
  value_lost: number;
  /** The price, shrunk; one of both is 0. Both are 0 where its interval has 0: a close choice. */
  value_gained: number;
  /** Half of the 95% interval of the price. */
  uncertainty: number;
  /** None if no value is lost. */
  grade: Grade | null;
  /** The index of an action that is certainly worth more than the advised one: two schools. */
  school: number | null;
  /** The turn at which the plan of this choice is priced. */
  repeats: number | null;
  /** The class; None if no value is lost. */
  mistake: MistakeClass | null;
}

/** A fact of the board. */
interface Fact {
  /** The template of its words in the catalogues: of a reason behind ``why``, of another fact behind ``why.board``. */
  key: string;
  /** Fields of the review by name; ``other_`` begins the names of the other action. */
  numbers: Record<string, number>;
  /** Tiles by name. */
  tiles: Record<string, Array<string>>;
  /** The opponent, or the safety of tiles, by name. */
  words: Record<string, string>;
}

/** Why a part of the values is for or against the chosen action. */
interface Reason {
  /** The template of its words in the catalogues: of a reason behind ``why``, of another fact behind ``why.board``. */
  key: string;
  /** Fields of the review by name; ``other_`` begins the names of the other action. */
  numbers: Record<string, number>;
  /** Tiles by name. */
  tiles: Record<string, Array<string>>;
  /** The opponent, or the safety of tiles, by name. */
  words: Record<string, string>;
  /** The part of the values (`ActionFigures.parts`). */
  part: string;
  /** Whether the part is better or worse for the chosen action. */
  side: "better" | "worse";
  /** What stands on the board. */
  facts: Array<Fact>;
}

/** The loss after a right decision. */
interface BadLuck {
  /** The deal-in by it, or the round. */
  cause: "deal_in" | "round";
  /** What it lost. */
  points: number;
}

/** Why the chosen action is better or worse than another one. */
interface Reasons {
  /** What the sentence is about: ``lost``, value; ``right`` and ``kept``, a better action than the other, which is advised if it is kept; ``school`` and ``school_kept``, two schools; ``repeats``, an earlier plan; ``even``, a close choice; ``same``, the same parts. */
  lead: Lead;
  /** The index of the other action. */
  other: number;
  /** The price of the difference. */
  points: number;
  /** The largest parts on the side of the difference, at most two. */
  decisive: Array<Reason>;
  /** The index of the one of them that a short sentence has. */
  main: number;
  /** A large part on the other side. */
  against: Reason | null;
  /** None if the round went well, or a decision could have changed it. */
  luck: BadLuck | null;
}

/** What an engine gives an action; only values of one choice can be compared. */
interface EngineValue {
  /** In its own unit, such as Mortal's Q or akochan's points. */
  value: number | null;
  /** How readily it would choose the action. */
  probability: number | null;
}

/** What another engine did at a choice; all are None where it was not asked. */
interface AnswerBeside {
  /** A legal answer; a riichi has no tile. */
  action: ActionName | null;
  /** Why there is none, in English. */
  absent: string | null;
  /** What it gives its action, and that of the log; None if it has no values. */
  gives: EngineValue | null;
  /** What it gives its action, and that of the log; None if it has no values. */
  gives_chosen: EngineValue | null;
}

/** A decision with a value for each action. */
interface ReviewedChoice {
  /** What could be chosen: a discard; riichi or dama; call or pass; kan or not; win or pass. */
  kind: ChoiceKind;
  /** Whether no action has a larger sum of value and preference than the chosen one. */
  agrees: boolean;
  /** The value of the advised action less that of the chosen one, before shrinking. */
  claimed: number;
  /** The price, shrunk; one of both is 0. Both are 0 where its interval has 0: a close choice. */
  value_lost: number;
  /** The price, shrunk; one of both is 0. Both are 0 where its interval has 0: a close choice. */
  value_gained: number;
  /** Half of the 95% interval of the price. */
  uncertainty: number;
  /** None if no value is lost. */
  grade: Grade | null;
  /** The index of an action that is certainly worth more than the advised one: two schools. */
  school: number | null;
  /** The turn at which the plan of this choice is priced. */
  repeats: number | null;
  /** The class; None if no value is lost. */
  mistake: MistakeClass | null;
  /** The first is the advised one. */
  actions: Array<ValuedAction>;
  /** The index of the action of the log. */
  chosen: number;
  /** Empty if the chosen action is the advised one. */
  comparison: Array<ComparedFigure>;
  /** An index in ``rounds``. */
  round: number;
  /** An index in the ``decisions`` of the round. The page has the address SEAT.ROUND.STEP behind ``#``, where the step counts from 1. */
  step: number;
  /** None where there is nothing to explain. */
  reasons: Reasons | null;
  /** The sentence of the reasons by language. */
  why: Record<Language, string> | null;
  /** The answers of the other engines. */
  beside: Array<AnswerBeside>;
}

/** Luck and skill of a round, see `houjuu.review.luck`. */
interface Luck {
  /** The balance that the advised action of the first choice expects; None without choices. */
  expected: number | null;
  /** The sum of ``value_lost`` of the choices. */
  lost: number;
  /** Their number. */
  choices: number;
}

/** A meld. */
interface MeldTiles {
  /** ``chi``, ``pon``, ``daiminkan``, ``ankan`` or ``kakan``. */
  kind: string;
  /** The tiles from the hand. */
  own: Array<string>;
  /** The called tile, and the tile added to a pon (加槓). */
  called: Array<string>;
  /** 1–3 seats to the right; None for a closed kan. */
  source: number | null;
}

/** The public tiles of a seat. */
interface PublicSeat {
  /** Tiles with marks: ' tsumogiri, * riichi, ~ called away. */
  river: Array<string>;
  /** In the order of the calls. */
  melds: Array<MeldTiles>;
  /** Whether the seat is in riichi. */
  riichi: boolean;
}

/** The public state of the table, the viewing seat first. */
interface OpenTable {
  /** Tiles that can still be drawn. */
  tiles_left: number;
  /** Riichi sticks on the table. */
  sticks: number;
  /** By seat; unit: points. */
  scores: Array<number>;
  /** The open dora indicators. */
  indicators: Array<string>;
  /** The kinds that they make dora. */
  dora: Array<string>;
  /** Rivers and melds. */
  seats: Array<PublicSeat>;
  /** The seat of the latest discard. */
  last_discarder: number | null;
}

/** A position with the own hand, the round with its honba, and the relative seat of the dealer. ``drawn`` is whether the last tile of the hand is the drawn one. */
interface HandPosition {
  /** Tiles that can still be drawn. */
  tiles_left: number;
  /** Riichi sticks on the table. */
  sticks: number;
  /** By seat; unit: points. */
  scores: Array<number>;
  /** The open dora indicators. */
  indicators: Array<string>;
  /** The kinds that they make dora. */
  dora: Array<string>;
  /** Rivers and melds. */
  seats: Array<PublicSeat>;
  /** The seat of the latest discard. */
  last_discarder: number | null;
  hand: Array<string>;
  drawn: boolean;
  round: number;
  honba: number;
  dealer: number;
}

/** The risk of a tile as `houjuu.risk.answers.TileAnswer`, to five decimals, points to two. */
interface TileRisks {
  /** P(the discard deals in to at least one opponent). */
  deal_in: number;
  /** The height of its bar on the page, see `houjuu.review.risk_bar`. */
  level: number;
  /** Expected loss by dealing in. */
  points: number;
  /** P(the discard deals in to that opponent). */
  by_opponent: Array<number>;
  /** Expected loss to that opponent; unit: points. */
  points_by_opponent: Array<number>;
  /** Whether the opponent cannot win on the tile. */
  genbutsu: Array<boolean>;
  /** How safe it looks against each opponent, see `houjuu.review.board_reasons.safety_name`. */
  safety: Array<string>;
}

/** What is behind the risk of a kind. */
interface RiskExplanation {
  /** The waits, or the scores of a melded hand. */
  terms: Array<Term>;
  /** The reasons on the table. */
  reasons: Array<Term>;
}

/** The risks of a position. */
interface Risks {
  /** P(tenpai) of each opponent. */
  tenpai: Array<number>;
  /** How each opponent was estimated. */
  opponent_types: Array<OpponentTypeName>;
  /** Whether it is likely tenpai without riichi and open melds. */
  silent: Array<boolean>;
  /** Whether that is by the melds. */
  melded: Array<boolean>;
  /** They add up to P(tenpai). */
  tenpai_reasons: Array<Array<Term>>;
  /** By tile, each different tile of the hand. */
  risks: Record<string, TileRisks>;
  /** By kind, then by opponent. */
  explanations: Record<string, Array<RiskExplanation>>;
}

/** Where the tiles are that the seat does not see, see `houjuu.risk.unseen`. */
interface UnseenCopies {
  /** The unseen copies of each kind, in the order 1m to 9m, p, s, 1z to 7z. */
  copies: Array<number>;
  /** The expected copies of each kind in the wall. */
  wall: Array<number>;
  /** The likeliest kinds in the concealed hand of each opponent, with their expected copies. */
  hands: Array<Record<string, number>>;
}

/** Tenpai hands with the same waits. */
interface WaitShape {
  /** P(the hand is one of them). */
  share: number;
  /** The tiles that wait, of the likeliest of them. */
  holds: Array<string>;
  /** The kinds that complete it. */
  waits: Array<string>;
}

/** The tiles that wait most often for the discard. */
interface HeldBlock {
  /** Those tiles. */
  tiles: Array<string>;
  /** The percent of the hands that win on the discard. */
  of_100: number;
}

/** What an opponent may hold, see `houjuu.review.risk_json`. */
interface HiddenHand {
  /** P(tenpai), P(shanten is 1), P(it is 2), P(it is more). */
  shanten: Array<number>;
  /** The likeliest waits, at most three. */
  shapes: Array<WaitShape>;
  /** None unless the discard is dangerous. */
  danger: HeldBlock | null;
  /** How many of 100 drawn hands are less likely than the true one; None where the log hides it. */
  likelier: number | null;
}

/** A ron on the discard. */
interface Ron {
  /** The seat that wins. */
  to: number;
  /** What it costs. */
  points: number;
}

/** Whom a discard meets, and where the game stands. */
interface DiscardSituation {
  /** See `houjuu.review.discard_context.Threat`. */
  threat: string;
  /** Whether it is South 4, or East 4 of an East-only game, or later. */
  last_round: boolean;
  /** Whether the seat has the first place, as `houjuu.game.game_end.order`. */
  leading: boolean;
}

/** A position: of a discard, or of another choice. */
interface ReviewedPosition {
  /** Tiles that can still be drawn. */
  tiles_left: number;
  /** Riichi sticks on the table. */
  sticks: number;
  /** By seat; unit: points. */
  scores: Array<number>;
  /** The open dora indicators. */
  indicators: Array<string>;
  /** The kinds that they make dora. */
  dora: Array<string>;
  /** Rivers and melds. */
  seats: Array<PublicSeat>;
  /** The seat of the latest discard. */
  last_discarder: number | null;
  /** P(tenpai) of each opponent. */
  tenpai: Array<number>;
  /** How each opponent was estimated. */
  opponent_types: Array<OpponentTypeName>;
  /** Whether it is likely tenpai without riichi and open melds. */
  silent: Array<boolean>;
  /** Whether that is by the melds. */
  melded: Array<boolean>;
  /** They add up to P(tenpai). */
  tenpai_reasons: Array<Array<Term>>;
  /** By tile, each different tile of the hand. */
  risks: Record<string, TileRisks>;
  /** By kind, then by opponent. */
  explanations: Record<string, Array<RiskExplanation>>;
  /** The number of the discards before it in the round, plus one. */
  turn: number;
  /** The concealed tiles of the opponents; None where the log hides them. */
  opponent_hands: Array<Array<string> | null>;
  /** The concealed tiles of the seat. */
  hand: Array<string>;
  /** Whether the last tile of the hand is the drawn one. */
  drawn: boolean;
  /** The index in the hand of the discard; None for another choice. */
  discard_index: number | null;
  /** The discard that the player advises. */
  advice: string | null;
  /** What the rules forbid, such as a riichi without tenpai: without a price and a verdict. */
  illegal: boolean;
  /** Whether the discard declares riichi. */
  riichi: boolean;
  /** None for another choice, and while the player is absent. */
  situation: DiscardSituation | null;
  /** Those on the discard. */
  rons: Array<Ron>;
  /** None unless the seat has 3n + 2 tiles. */
  own: OwnHand | null;
  /** Where the unseen tiles are. */
  unseen: UnseenCopies;
  /** None but for mistakes, deal-ins, and the only position of a review. */
  hidden: Array<HiddenHand> | null;
}

/** A win. */
interface WinResult {
  /** The seat that wins, and that of the tile; the same for a tsumo. */
  winner: number;
  /** The seat that wins, and that of the tile; the same for a tsumo. */
  source: number;
  /** None if they are unknown. */
  points: number | null;
  /** The tile that completes the hand. */
  tile: string;
  /** The other concealed tiles. */
  hand: Array<string>;
  /** Those of the winner. */
  melds: Array<MeldTiles>;
  /** Tenhou's numbers, see `houjuu.game.yaku.YAKU`. */
  yaku: Array<number>;
}

/** A draw. */
interface DrawResult {
  /** The reason. */
  draw: string;
}

/** A round and the decisions of the seat in it. */
interface ReviewedRound {
  /** From 0, East 1; 4 is South 1. */
  round: number;
  /** Honba counters. */
  honba: number;
  /** The relative seat. */
  dealer: number;
  /** In the order of play. */
  decisions: Array<ReviewedPosition>;
  /** Each win, or the draw. */
  results: Array<WinResult | DrawResult>;
  /** Points won or lost, riichi sticks excluded; None if the log does not show how the round ended. */
  deltas: Array<number> | null;
  /** Points won less points paid by the seat, riichi sticks included; None as above. */
  balance: number | null;
  /** The relative seat that declared riichi first. */
  first_riichi: number | null;
  /** Luck and skill of the seat. */
  luck: Luck;
}

/** Another engine that was asked at the choices of a review. */
interface EngineBeside {
  /** As it was given. */
  name: string;
  /** The choices at which it was asked. */
  choices: number;
  /** Those at which it gave a legal answer: the others are no disagreement. */
  answered: number;
  /** Those at which it would have done as the log, and as our advice. */
  played: number;
  /** Those at which it would have done as the log, and as our advice. */
  advised: number;
  /** The mistakes at which it would have done as our advice, and not as the log. */
  shared: number;
  /** Why the first of the others has no answer, by language. */
  absent: Record<Language, string> | null;
}

/** The review of a seat in a game. */
interface Review {
  /** Name and version of this schema. */
  schema: "houjuu-review/4";
  /** Version of the program. */
  houjuu: string;
  /** Of the game. */
  id: string;
  /** YYYY-MM-DD. */
  date: string | null;
  /** Whether the game has South rounds. */
  hanchan: boolean;
  /** The reviewed seat, absolute: 0 is the first dealer. */
  seat: number;
  /** The players, the reviewed one first. */
  names: Array<string>;
  /** Name of the model that made the estimates. */
  model: string;
  /** The room for which the estimates hold; None of a model without factors by room. */
  room: RoomName | null;
  /** In the order of play. */
  rounds: Array<ReviewedRound>;
  /** If the player values actions. */
  choices: Array<ReviewedChoice>;
  /** Other engines, and how often they agree. */
  beside: Array<EngineBeside>;
}

/** The deal-ins of some rounds, and their luck and skill (`houjuu.review.luck`). The points are None without values, or where the log does not show how a round ended. */
interface RoundSummary {
  /** Of a round for ``houjuu danger``; empty for several. */
  name: string;
  /** Their number. */
  discards: number;
  /** Discards that somebody won on, even if two did. */
  deal_ins: number;
  /** The sum of P(the discard deals in). */
  expected_deal_ins: number;
  /** They add up to the balance; unit: points. */
  expected: number | null;
  /** They add up to the balance; unit: points. */
  skill: number | null;
  /** They add up to the balance; unit: points. */
  luck: number | null;
  /** Points won less points paid. */
  balance: number | null;
}

/** Decisions that agree with the advised action. */
interface Agreement {
  /** All decisions. */
  n: number;
  /** Those that agree. */
  agrees: number;
  /** Those of all others; None if the advice is a discard without a value. */
  value_lost: number | null;
  /** Those of all others; None if the advice is a discard without a value. */
  value_gained: number | null;
  /** The percent of phoenix players whose game loses more a decision; None without values. */
  percentile: number | null;
}

/** The mistakes of a class in a game: their number ``n``, and the value that they lose. Those below `houjuu.review.prices.LIMIT` are not counted. ``usual`` and ``usual_lost`` are those of phoenix players in as many decisions, ``interval`` is the central 95% interval of their number in one game; all are None where nobody measured them. */
interface ClassSummary {
  name: MistakeClass;
  n: number;
  usual: number | null;
  interval: [number, number] | null;
  lost: number;
  usual_lost: number | null;
}

/** The summary of a review: of each round and of the whole game. ``interval`` is the central 95% interval of the number of deal-ins. ``lost`` is the number of points lost by ron on discards, ``expected_lost`` the expected one. ``mistakes`` are indices of the choices that lose value: the certain ones first, then by loss. ``classes`` are those of the mistakes; empty without choices. ``course`` is the expected score at the end of the round, by choice. */
interface Summary {
  rounds: Array<RoundSummary>;
  game: RoundSummary;
  interval: [number, number];
  lost: number;
  expected_lost: number;
  agreement: Agreement | null;
  mistakes: Array<number>;
  classes: Array<ClassSummary>;
  course: Array<number>;
}

/** The colours of a risk by its level, on a light and on a dark ground. */
interface Colours {
  light: Array<string>;
  dark: Array<string>;
}

/** Mistakes of a class: their share of all decisions, and the value that a decision loses. */
interface UsualMistakes {
  share: number;
  lost: number;
}

/** The share of agreement of phoenix players, and the value that a decision of theirs loses. ``quantiles`` are those of this loss over games, from 0 to 1 in equal steps; ``mistakes`` are by class. */
interface UsualDecisions {
  agrees: number;
  lost: number;
  quantiles: Array<number>;
  mistakes: Record<MistakeClass, UsualMistakes>;
}

/** All that the scripts of a page read. ``summaries`` are those of the reviews. ``player`` gave the advice. ``languages`` are the names of the languages, ``tags`` what HTML calls them. ``texts`` are the catalogues, ``terms`` key and values in them of every name of a term, reason or type of opponent, ``yaku`` the names by number and language. ``limit`` is the least loss that counts. ``kinds`` are the kinds of tiles, in order. ``tiles`` is the drawing of every tile. */
interface PageData {
  reviews: Array<Review>;
  summaries: Array<Summary>;
  player: string | null;
  language: string | null;
  languages: Record<Language, string>;
  tags: Record<Language, string>;
  texts: Record<Language, Record<string, string>>;
  terms: Record<string, [string, Record<string, string | number>]>;
  yaku: Record<string, Record<Language, string>>;
  usual: UsualDecisions;
  limit: number;
  kinds: Array<string>;
  colours: Colours;
  tiles: string;
}
