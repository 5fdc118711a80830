// @ts-check
/* Navigation: buttons, keys, gestures, links, languages and seats. */

/** @returns {NodeListOf<HTMLElement>} */
const handTiles = () => $("tiles").querySelectorAll(".hand-tile");
/** @param {HTMLElement | undefined} node */
const focusOn = (node) => node?.focus({ preventScroll: true });
/** @param {string} id @param {number} index */
function focusChild(id, index) {
  const child = $(id).children[index];
  if (child instanceof HTMLElement) focusOn(child);
}
/** @param {string} id */
const hasFocus = (id) => $(id).contains(document.activeElement);

/** @param {number} tile */
function selectTile(tile) {
  if (tile < 0 || tile >= currentDecision().hand.length || tile === state.tile) return;
  state.tile = tile;
  handTiles().forEach((node, i) => {
    node.setAttribute("aria-pressed", String(i === tile));
  });
  board();
  detail();
}

/** @param {number} seat */
function selectOpponent(seat) {
  const inCards = hasFocus("cards");
  state.seat = seat;
  cards();
  detail();
  if (inCards) focusChild("cards", seat - 1);
}

/** @param {string} id @param {boolean} pressed */
const setPressed = (id, pressed) => $(id).setAttribute("aria-pressed", String(pressed));
function toggleHands() {
  state.open = !state.open;
  setPressed("hands", state.open);
  board();
  hiddenPanel();
  wallPanel();
}
const toggleNames = () => setPressed("names", document.body.classList.toggle("names"));

/* ---- which decision ---- */

/** @type {number | undefined} */
let hashTimer;
/** @param {Place} place */
function go({ round, step }) {
  if (!currentReview().rounds[round]?.decisions[step]) return;
  Object.assign(state, { round, step, wrongAddress: null });
  message();
  showDecision();
  clearTimeout(hashTimer); // browsers throttle pages that change their address too often
  const hash = `#${address(state)}`;
  hashTimer = window.setTimeout(() => history.replaceState(null, "", hash), 200);
}

/** @param {number} direction */
function stepBy(direction) {
  const step = state.step + direction;
  if (currentRound().decisions[step]) return go({ round: state.round, step });
  const round = nextRound(direction);
  if (round === null) return;
  go({
    round,
    step: direction > 0 ? 0 : currentReview().rounds[round].decisions.length - 1,
  });
}
/** @param {number} direction */
function nextRound(direction) {
  const { rounds } = currentReview();
  let next = state.round + direction;
  while (rounds[next] && !rounds[next].decisions.length) next += direction;
  return rounds[next] ? next : null;
}
/** @param {number} direction */
function stepRound(direction) {
  const round = nextRound(direction);
  if (round !== null) go({ round, step: 0 });
}

/** @param {Place} first @param {Place} second */
const inOrder = (first, second) => first.round - second.round || first.step - second.step;
/* The next of some decisions in order; after the last comes the first. */
/** @param {Place[]} places */
function goNext(places) {
  const next = places.find((one) => inOrder(one, state) > 0) ?? places[0];
  if (next) go(next);
}
/** @param {Place[]} places */
function goPrevious(places) {
  const previous = places.findLast((one) => inOrder(one, state) < 0) ?? places.at(-1);
  if (previous) go(previous);
}
const nextRon = () =>
  goNext(decisionsOf(currentReview()).filter(({ decision }) => decision.rons.length));
/* Without spoilers the buttons go to every decision: those to the mistakes would tell. */
const stops = () =>
  document.body.classList.contains("quiz") ? [...currentReview().choices] : listed();
const nextMistake = () => goNext(stops().sort(inOrder));
const previousMistake = () => goPrevious(stops().sort(inOrder));

/* The page opens at the worst mistake, of another engine too; without values, at the first. */
/** @returns {Place} */
const opening = () => mistakes().find(isShared) ?? mistakes()[0] ?? decisionsOf(currentReview())[0];

/** @param {number} index */
function switchSeat(index) {
  const inSeats = hasFocus("seats");
  state.review = index;
  drawReview();
  const steps = currentReview().rounds[state.round]?.decisions.length;
  go(steps ? { round: state.round, step: Math.min(state.step, steps - 1) } : opening());
  if (inSeats) focusChild("seats", index);
}
const nextSeat = () => switchSeat((state.review + 1) % game.reviews.length);

/* The decision in words that outlive a change of the page: "SEAT.E2.1.8", East 2, one honba, turn 8. */
function lastingAddress() {
  const { turn } = currentDecision();
  const before = currentRound().decisions.slice(0, state.step);
  const inTurn = before.filter((one) => one.turn === turn).length;
  const { name } = currentSummary().rounds[state.round];
  return [currentReview().seat, name, turn, ...(inTurn ? [inTurn + 1] : [])].join(".");
}

/* The place at such an address; null if there is none. */
/** @param {string[]} words */
function placeAt([, seat, name, turn, inTurn = "1"]) {
  const review = game.reviews.findIndex((one) => String(one.seat) === seat);
  const round = game.summaries[review]?.rounds.findIndex((one) => one.name === name) ?? -1;
  const decisions = game.reviews[review]?.rounds[round]?.decisions ?? [];
  const first = decisions.findIndex((one) => String(one.turn) === turn);
  const step = first + Number(inTurn) - 1;
  return first >= 0 && decisions[step] ? { review, round, step } : null;
}

/* "#SEAT.ROUND.STEP" or "#ROUND.STEP", the step from 1, or a lasting address; null if wrong. */
/** @param {string} hash */
function parseHash(hash) {
  const lasting = hash.match(/^([0-3])\.([ESWN][1-4]\.\d+)\.(\d+)(?:\.(\d+))?$/);
  if (lasting) return placeAt(lasting);
  if (!/^\d+(\.\d+){1,2}$/.test(hash)) return null;
  const numbers = hash.split(".").map(Number);
  const [round, number] = numbers.slice(-2);
  const review =
    numbers.length < 3 ? state.review : game.reviews.findIndex((one) => one.seat === numbers[0]);
  const isThere = game.reviews[review]?.rounds[round]?.decisions[number - 1];
  return isThere ? { review, round, step: number - 1 } : null;
}

/* Follow the address that an event names: an older one may be put back before the event comes. */
function followHash({ newURL = location.href } = {}) {
  clearTimeout(hashTimer);
  const hash = decodeHash(new URL(newURL).hash.slice(1));
  const target = parseHash(hash);
  const shown = state.review;
  state.wrongAddress = hash === "" || target || document.getElementById(hash) ? null : hash;
  message();
  Object.assign(state, target);
  if (state.review !== shown) drawReview(); // otherwise the lists keep the focus
  showDecision();
  if (target) reveal();
}
/* Bring the verdict and the table into view, if a part of them is not. */
function reveal() {
  const boxes = [$("verdict"), drawing("board")].map((node) => node.getBoundingClientRect());
  const isSeen = boxes.every(({ top, bottom }) => top >= 0 && bottom <= innerHeight);
  if (!isSeen) $("decision").scrollIntoView();
}
/* A link to the address of the page changes nothing: the browser fires no event. */
/** @param {Event} event */
function onLink({ target }) {
  const anchor = target instanceof Element ? target.closest("a") : null;
  if (anchor?.hasAttribute("href") && anchor.hash === location.hash) followHash();
}
function message() {
  const { wrongAddress } = state;
  $("message").hidden = wrongAddress === null;
  $("message").textContent =
    wrongAddress === null ? "" : t("page.wrong_address", { address: wrongAddress });
}
/** @param {string} text */
function decodeHash(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/* The address of the decision; empty for one that opens nowhere else. */
function linkOfDecision() {
  if (/^https?:/.test(window.name)) return window.name + lastingAddress();
  return location.protocol.startsWith("http")
    ? `${location.href.split("#")[0]}#${address(state)}`
    : "";
}

/* The decision in words. */
function digest() {
  const choice = currentChoice();
  const decision = currentDecision();
  const actions = choice && [
    `▲ ${actionText(chosenAction(choice))}`,
    `◆ ${actionText(advisedAction(choice))}`,
    choice.why?.[state.language] ?? "",
  ];
  return [
    `houjuu: ${currentReview().id}, ${lastingAddress()}`,
    tileList(decision.hand),
    ...(actions ?? []),
  ].join("\n");
}

/* Copies the link, or the decision in words; its button says which until the next decision. */
async function copyDecision() {
  const link = linkOfDecision();
  const text = link || digest();
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea"); // where the browser forbids the other way
    area.value = text;
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    if (!isCopied) return;
  }
  $("copy").textContent = $("live").textContent = t(link ? "page.copied" : "page.copied_words");
}

/* ---- showing it ---- */

function drawReview() {
  for (const draw of atReview) draw();
  setLimit(state.limit);
}

function showDecision() {
  const decision = currentDecision();
  const isHidden = document.body.classList.contains("quiz"); // the thrown tile is the answer
  state.tile = isHidden ? decision.hand.length - 1 : (decision.discard_index ?? 0);
  const byOpponent = decision.risks[decision.hand[state.tile]].by_opponent;
  const threats = Math.max(...byOpponent) >= LEAST_BAR ? byOpponent : decision.tenpai;
  state.seat = 1 + threats.indexOf(Math.max(...threats));
  drawDecision();
}

function drawDecision() {
  const inHand = hasFocus("tiles");
  for (const draw of atDecision) draw();
  document.body.dataset.position = `${state.round}.${state.step + 1}`;
  document.body.dataset.seat = String(currentReview().seat);
  if (inHand) focusChild("tiles", state.tile);
  document.body.classList.remove("answered");
  $("copy").textContent = t(linkOfDecision() ? "page.copy_link" : "page.copy_words");
  $("live").textContent = announcement();
}

function stepButtons() {
  const last = currentRound().decisions.length - 1;
  button("previous").disabled = state.step === 0 && nextRound(-1) === null;
  button("next").disabled = state.step === last && nextRound(1) === null;
}

function markRound() {
  const nav = $("rounds");
  for (const link of nav.querySelectorAll("a")) {
    const isCurrent = Number(link.dataset.round) === state.round;
    if (isCurrent) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
    if (isCurrent) nav.scrollLeft = link.offsetLeft - nav.clientWidth / 2;
  }
}

/* The command that prints the position; it counts discards alone. */
function dangerCommand() {
  const { name } = currentSummary().rounds[state.round];
  const { turn } = currentDecision();
  return `houjuu danger GAME --seat ${currentReview().seat} --round ${name} --turn ${turn}`;
}
function showCommand() {
  $("command").hidden = !isDiscard(currentDecision());
  $("command").textContent = dangerCommand();
}

function announcement() {
  const decision = currentDecision();
  const choice = currentChoice();
  const lost = choice?.value_lost ?? 0;
  const where = t("page.place", {
    round: roundName(currentRound()),
    turn: turnText(),
  });
  const loss =
    choice && lost > 0
      ? [
          t("page.value_lost", { value: valueText(lost) }),
          `${t("page.advised")} ${actionText(advisedAction(choice))}`,
          `${choice.why?.[state.language] ?? ""} `,
        ].join(t("page.semicolon"))
      : "";
  const clean = $("clean").hidden ? "" : `${$("clean").textContent} `;
  if (!isDiscard(decision)) return clean + where + loss;
  const risk = discardRisk(decision);
  const made = t("page.announced", {
    tile: tileLabel(discarded(decision)),
    any: percent(risk.deal_in),
    points: points(risk.points),
  });
  return clean + where + loss + made + (decision.rons.length ? t("page.it_dealt_in") : "");
}

/* ---- keys and gestures ---- */

/* Without spoilers: a decision is shown without its answer until a tile is chosen. */
function toggleQuiz() {
  const isOn = document.body.classList.toggle("quiz");
  setPressed("quiz", isOn);
  for (const node of document.querySelectorAll(".bar [data-text]"))
    node.textContent = t(isOn ? "page.decision" : "page.mistake");
  showDecision();
  mistakeButtons();
  reveal();
}
const toggleBars = () => setPressed("bars", document.body.classList.toggle("by-risk"));
const answer = () => document.body.classList.add("answered");

/** @param {number} limit */
function setLimit(limit) {
  state.limit = limit;
  elementOf("limit", HTMLInputElement).value = String(limit);
  $("limit-value").textContent = t("page.value", { value: limit });
  lists();
  mistakeButtons();
}

const openHelp = () => help().showModal();

/** @type {Record<string, () => void>} */
const KEYS = {
  ArrowLeft: () => stepBy(-1),
  ArrowRight: () => stepBy(1),
  ArrowUp: () => stepRound(-1),
  ArrowDown: () => stepRound(1),
  Home: () => goNext(decisionsOf(currentReview()).slice(0, 1)),
  End: () => goNext(decisionsOf(currentReview()).slice(-1)),
  m: nextMistake,
  M: previousMistake,
  x: nextRon,
  s: nextSeat,
  h: toggleHands,
  n: toggleNames,
  w: toggleQuiz,
  v: answer,
  b: toggleBars,
  "?": openHelp,
  r: () => selectOpponent(1),
  a: () => selectOpponent(2),
  l: () => selectOpponent(3),
};
/** @param {KeyboardEvent} event */
function onKey(event) {
  const typing = event.target instanceof Element && event.target.closest("select");
  if (event.ctrlKey || event.metaKey || event.altKey || help().open || typing) return;
  const digit = /^[1-9]$/.test(event.key);
  if (!digit && !KEYS[event.key]) return;
  event.preventDefault();
  if (digit) focusOn(handTiles()[Number(event.key) - 1]);
  else KEYS[event.key]();
}

const WHEEL_PAUSE = 150; // unit: milliseconds between two steps of a wheel
let lastWheel = -Infinity;
/** @param {WheelEvent} event */
function onWheel(event) {
  if (event.ctrlKey || !event.deltaY) return;
  event.preventDefault();
  if (event.timeStamp - lastWheel < WHEEL_PAUSE) return;
  lastWheel = event.timeStamp;
  stepBy(Math.sign(event.deltaY));
}

const LEAST_SWIPE = 40; // unit: pixels
/** @type {Touch | null} */
let swipeStart = null;
/** @param {TouchEvent} event */
function onTouchStart({ touches }) {
  swipeStart = touches.length === 1 ? touches[0] : null;
}
/** @param {TouchEvent} event */
function onTouchEnd({ changedTouches: [end] }) {
  if (!swipeStart) return;
  const across = end.clientX - swipeStart.clientX;
  const down = end.clientY - swipeStart.clientY;
  swipeStart = null;
  if (Math.abs(across) >= LEAST_SWIPE && Math.abs(across) > 2 * Math.abs(down))
    stepBy(across < 0 ? 1 : -1);
}

const menu = () => elementOf("language", HTMLSelectElement);
function chooseLanguage() {
  const inMenu = hasFocus("language");
  const language = menu().value;
  if (isLanguage(language)) setLanguage(language);
  message();
  drawReview();
  drawDecision();
  if (inMenu) menu().focus();
}

atDecision.push(stepButtons, markRound, showCommand);

function listen() {
  document.addEventListener("keydown", onKey);
  document.addEventListener("click", onLink);
  addEventListener("hashchange", followHash);
  dark.addEventListener("change", drawDecision);
  const table = drawing("board");
  table.addEventListener("wheel", onWheel, { passive: false });
  table.addEventListener("touchstart", onTouchStart, { passive: true });
  table.addEventListener("touchend", onTouchEnd, { passive: true });
  button("previous").addEventListener("click", () => stepBy(-1));
  button("next").addEventListener("click", () => stepBy(1));
  button("previous-mistake").addEventListener("click", previousMistake);
  button("next-mistake").addEventListener("click", nextMistake);
  button("hands").addEventListener("click", toggleHands);
  button("names").addEventListener("click", toggleNames);
  button("quiz").addEventListener("click", toggleQuiz);
  const limit = elementOf("limit", HTMLInputElement);
  limit.addEventListener("input", () => setLimit(Number(limit.value)));
  button("help-button").addEventListener("click", openHelp);
  button("copy").addEventListener("click", copyDecision);
  button("bars").addEventListener("click", toggleBars);
  button("save").addEventListener("click", savePicture);
  menu().addEventListener("change", chooseLanguage);
}

async function start() {
  game = await unpack($("game").textContent ?? "");
  document.body.insertAdjacentHTML("afterbegin", game.tiles);
  drawing("board").setAttribute("viewBox", viewBox());
  document.documentElement.style.setProperty("--aspect", `${TABLE.width} / ${TABLE.height}`);
  document.body.classList.toggle("by-hand", isByHand());
  state.limit = game.limit;
  Object.assign(state, opening());
  setLanguage(browserLanguage());
  listen();
  drawReview();
  followHash();
}

start();
