// @ts-check
/* Drills: one position at a time, its answer after the choice; the browser keeps the progress. */

/** @typedef {{ label: string, tiles: string[], lost: string, right: boolean, chosen: boolean }} Answer */
/** @typedef {{ id: string, mistake: string, price: number, title: string, question: string, picture: string, answers: Answer[], why: string, href: string }} Drill */

const KEY = "houjuu-drills";

/** @param {string} id */
const $ = (id) => {
  const node = document.getElementById(id);
  if (node) return node;
  throw new Error(`the page has no ${id}`);
};

/* Whether the last answer to each drill was right, by its id. */
/** @type {Record<string, boolean>} */
const progress = stored();
/** @type {Drill[]} */
let drills = [];
let filter = "";
let limit = 0; // the least loss that is asked; unit: points
/** @type {Drill | undefined} */
let current;

function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {}; // the browser keeps nothing, or something else
  }
}

function store() {
  try {
    localStorage.setItem(KEY, JSON.stringify(progress));
  } catch {
    // the progress lasts as long as the page
  }
}

/* The data are JSON, compressed by zlib, in base64. */
/** @param {string} text @returns {Promise<Drill[]>} */
async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

/** @param {string} mistake */
const ofClass = (mistake) =>
  drills.filter(
    ({ mistake: name, price }) => price >= limit && (mistake === "" || name === mistake),
  );
/** @param {Drill} drill */
const isRight = (drill) => progress[drill.id] === true;

/* The first drill without an answer, then the first with a wrong one; never the same again at once. */
function next() {
  const open = ofClass(filter).filter((drill) => !isRight(drill));
  const others = open.filter((drill) => drill !== current);
  current = others.find((drill) => !(drill.id in progress)) ?? others[0] ?? open[0];
  show();
}

function show() {
  counts();
  $("drill").hidden = !current;
  $("done").hidden = $("again").hidden = Boolean(current);
  $("result").hidden = true;
  if (!current) return;
  $("title").textContent = `${current.title} · ${current.question}`;
  $("picture").innerHTML = current.picture; // an SVG that the program drew
  $("answers").replaceChildren(...current.answers.map(answerButton));
}

/** @param {Answer} answer */
function answerButton(answer) {
  const node = document.createElement("button");
  node.append(answer.label, " ", ...answer.tiles.map(tileIcon));
  node.addEventListener("click", () => choose(answer));
  return node;
}

/* The label names the tile. */
/** @param {string} tile */
function tileIcon(tile) {
  const [icon, use] = ["svg", "use"].map((tag) =>
    document.createElementNS("http://www.w3.org/2000/svg", tag),
  );
  icon.setAttribute("class", "tile");
  icon.setAttribute("viewBox", "0 0 30 40");
  icon.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `#t${tile}`);
  icon.append(use);
  return icon;
}

/** @param {Answer} answer */
function choose(answer) {
  const drill = current;
  if (!drill || !$("result").hidden) return;
  progress[drill.id] = answer.right;
  store();
  $("answers")
    .querySelectorAll("button")
    .forEach((node, i) => {
      const { lost, right, chosen } = drill.answers[i];
      node.disabled = true;
      node.className = right ? "right" : drill.answers[i] === answer ? "wrong" : "";
      node.append(chosen ? " ▲" : "", right ? " ◆" : "", lost ? ` ${lost}` : "");
    });
  const outcome = $("outcome");
  outcome.textContent = (answer.right ? outcome.dataset.right : outcome.dataset.wrong) ?? "";
  $("sentence").textContent = drill.why;
  $("link").setAttribute("href", drill.href);
  $("result").hidden = false;
  counts();
  $("next").focus({ preventScroll: true });
}

/* How many of the drills of each class are right. */
function counts() {
  for (const node of document.querySelectorAll(".filters button")) {
    const mistake = node.getAttribute("data-class") ?? "";
    const all = ofClass(mistake);
    const small = node.querySelector("small");
    if (small) small.textContent = `${all.filter(isRight).length}/${all.length}`;
    node.setAttribute("aria-pressed", String(mistake === filter));
  }
}

/** @param {Element} node */
function selectClass(node) {
  filter = node.getAttribute("data-class") ?? "";
  current = undefined;
  next();
}

function again() {
  for (const drill of ofClass(filter)) delete progress[drill.id];
  store();
  next();
}

async function start() {
  drills = await unpack($("data").textContent ?? "");
  for (const node of document.querySelectorAll(".filters button"))
    node.addEventListener("click", () => selectClass(node));
  const slider = $("limit");
  slider.addEventListener("input", () => {
    if (slider instanceof HTMLInputElement) limit = Number(slider.value);
    $("limit-value").textContent = String(limit);
    counts();
    if (current && current.price < limit) next();
  });
  $("next").addEventListener("click", next);
  $("again").addEventListener("click", again);
  next();
}

start();
