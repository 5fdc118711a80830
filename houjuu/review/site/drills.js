// @ts-check
/* Drills: one position at a time, its answer after the choice; the browser keeps the progress. */

/** @typedef {{ label: string, tiles: string[], lost: string, right: boolean, chosen: boolean }} Answer */
/** @typedef {{ id: string, mistake: string, price: number, title: string, question: string, position: HandPosition, words: BoardWords, answers: Answer[], why: string, href: string }} Drill */

const KEY = "houjuu-drills";

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
  showDrill();
}

function showDrill() {
  counts();
  $("drill").hidden = !current;
  $("done").hidden = $("again").hidden = Boolean(current);
  $("result").hidden = true;
  if (!current) return;
  $("title").textContent = `${current.title} · ${current.question}`;
  const { position, words, answers } = current;
  show($("picture"), drawingOf(position).picture(words, position));
  show($("answers"), answers.map(answerButton));
}

/* The label names the tiles. */
/** @param {Answer} answer */
const answerButton = (answer) =>
  el(
    "button",
    { onclick: () => choose(answer) },
    `${answer.label} `,
    answer.tiles.map((tile) =>
      svg(
        "svg",
        { class: "tile", viewBox: viewBox({ x: 0, y: 0, ...TILE }), "aria-hidden": "true" },
        svg("use", { href: `#t${tile}` }),
      ),
    ),
  );

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
  drills = await inflated($("data").textContent ?? "");
  for (const node of document.querySelectorAll(".filters button"))
    node.addEventListener("click", () => selectClass(node));
  const slider = elementOf("limit", HTMLInputElement);
  slider.addEventListener("input", () => {
    limit = Number(slider.value);
    $("limit-value").textContent = String(limit);
    counts();
    if (current && current.price < limit) next();
  });
  $("next").addEventListener("click", next);
  $("again").addEventListener("click", again);
  next();
}

start();
