// @ts-check
/* Shared by all scripts of the page: the data, the selected decision, elements, numbers. */

/** @type {PageData} */
let game; // from `start` on

const state = {
  review: 0,
  round: 0,
  step: 0, // the decision of the round
  tile: 0,
  seat: 1,
  open: false, // whether the hands of the opponents are shown
  language: /** @type {Language} */ ("en"),
  limit: 0, // the least loss that counts; unit: points
  filter: "all", // of the listed choices, where engines stand beside
  wrongAddress: /** @type {string | null} */ (null),
};

/* What a script draws at each decision, and for each seat and each language: it adds its functions. */
/** @type {(() => void)[]} */
const atDecision = [];
/** @type {(() => void)[]} */
const atReview = [];

/* The data as houjuu.review.packing makes them, with the reviews in columns. */
/** @param {string} text @returns {Promise<PageData>} */
async function unpack(text) {
  const data = await inflated(text);
  return { ...data, reviews: rowsOf(data.reviews) };
}

/** @param {Columns} packed @returns {any[]} */
function rowsOf(packed) {
  if (Array.isArray(packed)) return packed;
  if (packed.tuple) {
    const columns = packed.tuple.map(rowsOf);
    return columns[0].map((_, row) => columns.map((column) => column[row]));
  }
  if (packed.columns) {
    const columns = Object.entries(packed.columns).map(([name, column]) => [
      name,
      rowsOf(column).values(),
    ]);
    const next = Object.fromEntries(columns);
    return Array.from({ length: packed.n }, (_, row) => {
      const names = words(packed.keys[row] ?? packed.keys[0]);
      return Object.fromEntries(names.map((name) => [name, next[name].next().value]));
    });
  }
  const { scale, words: texts } = packed;
  const values = rowsOf(packed.values).values();
  const next = () => values.next().value;
  if (texts) return Array.from(values, (value) => texts[value]);
  if (scale) return Array.from(values, (value) => value / scale);
  if (packed.present) return packed.present.map((is) => (is ? next() : null));
  if (packed.lengths) return packed.lengths.map((n) => Array.from({ length: n }, next));
  return packed.keys.map((names) => Object.fromEntries(words(names).map((name) => [name, next()])));
}
/** @param {string} text @returns {string[]} */
const words = (text) => text.match(/\S+/g) ?? [];

/* ---- elements ---- */

/* Cells of the class "row" are headings. */
/** @param {Column[]} columns @param {Child[][]} rows @param {(row: number) => string | null} rowClass */
function tableOf(columns, rows, rowClass = () => null) {
  /** @param {string} tag @param {string | null} scope @param {number} i @param {Child} content */
  const cell = (tag, scope, i, content) => el(tag, { class: columns[i][0], scope }, content);
  const isHeading = columns.map(([names]) => names.split(" ").includes("row"));
  const head = columns.map(([, heading], i) =>
    heading === "" ? cell("td", null, i, "") : cell("th", "col", i, heading),
  );
  const body = rows.map((cells, at) =>
    el(
      "tr",
      { class: rowClass(at) },
      cells.map((content, i) =>
        isHeading[i] ? cell("th", "row", i, content) : cell("td", null, i, content),
      ),
    ),
  );
  return el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, body));
}

/* ---- the selected decision ---- */

const currentReview = () => game.reviews[state.review];
const currentSummary = () => game.summaries[state.review];
const currentRound = () => currentReview().rounds[state.round];
const currentDecision = () => currentRound().decisions[state.step];
/** @param {ReviewedPosition} decision @returns {decision is Discard} */
const isDiscard = (decision) => decision.discard_index !== null;
/** @param {Discard} decision */
const discarded = (decision) => decision.hand[decision.discard_index];
/** @param {Discard} decision */
const discardRisk = (decision) => decision.risks[discarded(decision)];
/** @param {Review} review */
const decisionsOf = (review) =>
  review.rounds.flatMap(({ decisions }, round) =>
    decisions.map((decision, step) => ({ round, step, decision })),
  );
/** @param {Review} review @returns {(Place & { decision: Discard })[]} */
const discardsOf = (review) =>
  decisionsOf(review).flatMap(({ decision, ...place }) =>
    isDiscard(decision) ? [{ ...place, decision }] : [],
  );
/** @param {ReviewedRound} round */
const lastTurn = (round) => round.decisions[round.decisions.length - 1].turn;
/** @param {ReviewedPosition} decision */
const lostByRon = (decision) => total(decision.rons.map((ron) => ron.points));
/** @param {Place} place */
const address = ({ round, step }) => `${currentReview().seat}.${round}.${step + 1}`;

/* Whether the page is that of one position, in which nobody has discarded yet. */
const isByHand = () => currentReview().id === "position";

/* ---- numbers ---- */

/** @param {number} p */
const percent = (p, digits = 1) => (100 * p).toFixed(digits);
/** @param {number} p */
const short = (p) => percent(p, p === 0 || p >= 0.0995 ? 0 : 1);
/** @param {number} n */
const points = (n) => Math.round(n).toLocaleString("en");
/** @param {number} n */
const thousands = (n) => (n < 999.5 ? points(n) : `${(n / 1000).toFixed(1)}k`);
/** @param {number} n */
const sign = (n) => (n > 0 ? "+" : n < 0 ? "−" : "±");
/** @param {number | null} n */
const signed = (n) => (n === null ? "?" : sign(n) + points(Math.abs(n)));
/** @param {number} p */
const signedPercent = (p) => `${sign(p)}${percent(Math.abs(p))}%`;
/** @param {number} value */
const valueText = (value) => (value < 0 ? "−" : "") + points(Math.abs(value));
/** @param {number[]} numbers */
const total = (numbers) => numbers.reduce((sum, number) => sum + number, 0);
/** @template T @param {(item: T) => number} key @returns {(first: T, second: T) => number} */
const by = (key) => (first, second) => key(second) - key(first);

/* ---- colours ---- */

const dark = matchMedia("(prefers-color-scheme: dark)");
/** @param {TileRisks} risk */
const colour = ({ level }) => game.colours[dark.matches ? "dark" : "light"][level];
