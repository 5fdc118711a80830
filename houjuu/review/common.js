/* Shared by all scripts of the page: the data, the selected decision, elements, numbers. */

const game = await unpack(document.getElementById("game").textContent);
const state = {
  ...{ review: 0, round: 0, turn: 0, tile: 0, seat: 1 },
  ...{ open: false, language: "en", wrongAddress: null },
};
const $ = (id) => document.getElementById(id);

/* The data are JSON, compressed by zlib, in base64. */
async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "style") node.style.cssText = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false)
      node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== false));
  return node;
}
const el = (tag, attributes, ...children) =>
  fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
function show(node, ...children) {
  node.replaceChildren();
  fill(node, {}, children);
}

/* A table; a column is its classes and its heading. Cells of the class "row" are headings. */
function tableOf(columns, rows, rowClass = () => null) {
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
const currentRound = () => currentReview().rounds[state.round];
const currentDecision = () => currentRound().decisions[state.turn];
const isDiscard = (decision) => decision.discard_index !== null;
const discarded = (decision) => decision.hand[decision.discard_index];
const discardRisk = (decision) => decision.risks[discarded(decision)];
const decisionsOf = (review) =>
  review.rounds.flatMap((round, i) => round.decisions.map((decision, j) => [i, j, decision]));
const discardsOf = (review) => decisionsOf(review).filter(([, , decision]) => isDiscard(decision));
/* The turn of a step: a step without a discard has the turn of the next discard. */
const turnNumber = (round, step) => round.decisions.slice(0, step).filter(isDiscard).length + 1;
const lastTurn = (round) => turnNumber(round, round.decisions.length - 1);
const lostByRon = (decision) => decision.rons.reduce((sum, ron) => sum + ron.points, 0);
const address = (round, turn) => `${currentReview().seat}.${round}.${turn + 1}`;

/* ---- numbers ---- */

const RED = "0";
const plain = (tile) => tile.replace(RED, "5");
const percent = (p, digits = 1) => (100 * p).toFixed(digits);
const short = (p) => percent(p, p === 0 || p >= 0.0995 ? 0 : 1);
const points = (n) => Math.round(n).toLocaleString("en");
const thousands = (n) => (n < 999.5 ? points(n) : `${(n / 1000).toFixed(1)}k`);
const signed = (n) => (n === null ? "?" : (n > 0 ? "+" : n < 0 ? "−" : "±") + points(Math.abs(n)));
const total = (numbers) => numbers.reduce((sum, number) => sum + number, 0);
const by = (key) => (first, second) => key(second) - key(first);

/* ---- colours: darker with risk, so that they need no hue ---- */

const FULL_BAR = 0.3; // unit: probability; fills a bar
const LIGHT = ["#fff3c4", "#fecc5c", "#fd8d3c", "#e0301e", "#a30024", "#6b0020"];
const DARK = ["#2c2a45", "#61307a", "#a93a6e", "#e5614b", "#fba238", "#fcf0a0"];
const dark = matchMedia("(prefers-color-scheme: dark)");
const weight = (p) => Math.sqrt(Math.min(p / FULL_BAR, 1));
function colour(p) {
  const stops = dark.matches ? DARK : LIGHT;
  const position = weight(p) * (stops.length - 1);
  const low = Math.min(Math.floor(position), stops.length - 2);
  const channel = (hex, i) => parseInt(hex.slice(1 + 2 * i, 3 + 2 * i), 16);
  const mix = [0, 1, 2].map((i) => {
    const from = channel(stops[low], i);
    const to = channel(stops[low + 1], i);
    return Math.round(from + (to - from) * (position - low));
  });
  return `rgb(${mix.join(" ")})`;
}
