/* Navigation: buttons, keys, gestures, links, languages and seats. */

function selectTile(tile) {
  if (tile < 0 || tile >= currentDecision().hand.length || tile === state.tile) return;
  state.tile = tile;
  [...$("tiles").querySelectorAll(".hand-tile")].forEach((node, i) => {
    node.setAttribute("aria-pressed", String(i === tile));
  });
  board();
  detail();
}

function selectOpponent(seat) {
  const inCards = $("cards").contains(document.activeElement);
  state.seat = seat;
  cards();
  detail();
  if (inCards) $("cards").children[seat - 1].focus({ preventScroll: true });
}

function setPressed(button, pressed) {
  button.setAttribute("aria-pressed", String(pressed));
  return pressed;
}
function toggleHands() {
  state.open = setPressed($("hands"), !state.open);
  board();
}
const toggleNames = () =>
  document.body.classList.toggle(
    "names",
    setPressed($("names"), !document.body.classList.contains("names")),
  );

/* ---- which decision ---- */

let hashTimer;
function go(toRound, toTurn) {
  if (!currentReview().rounds[toRound]?.decisions[toTurn]) return;
  [state.round, state.turn] = [toRound, toTurn];
  state.wrongAddress = null;
  message();
  showDecision();
  clearTimeout(hashTimer); // browsers throttle pages that change their address too often
  const hash = `#${address(toRound, toTurn)}`;
  hashTimer = setTimeout(() => history.replaceState(null, "", hash), 200);
}

function step(by) {
  const turn = state.turn + by;
  if (currentRound().decisions[turn]) return go(state.round, turn);
  const next = nextRound(by);
  if (next !== null) go(next, by > 0 ? 0 : currentReview().rounds[next].decisions.length - 1);
}
function nextRound(by) {
  const rounds = currentReview().rounds;
  let next = state.round + by;
  while (rounds[next] && !rounds[next].decisions.length) next += by;
  return rounds[next] ? next : null;
}
function stepRound(by) {
  const next = nextRound(by);
  if (next !== null) go(next, 0);
}

/* The next of some decisions, given as [round, turn] in order; after the last comes the first. */
function goNext(places) {
  const isLater = ([i, j]) => i > state.round || (i === state.round && j > state.turn);
  const next = places.find(isLater) || places[0];
  if (next) go(next[0], next[1]);
}
function goPrevious(places) {
  const isEarlier = ([i, j]) => i < state.round || (i === state.round && j < state.turn);
  const previous = places.findLast(isEarlier) || places.at(-1);
  if (previous) go(previous[0], previous[1]);
}
const nextRon = () =>
  goNext(decisionsOf(currentReview()).filter(([, , decision]) => decision.rons.length));
const mistakes = () =>
  mistakesOf(currentReview())
    .map(({ round, step }) => [round, step])
    .sort(([i, j], [k, l]) => i - k || j - l);
const nextMistake = () => goNext(mistakes());
const previousMistake = () => goPrevious(mistakes());

/* The page opens at the worst decision; without values, at the first. */
function opening(review) {
  const worst = mistakesOf(review)[0];
  return worst ? [worst.round, worst.step] : decisionsOf(review)[0].slice(0, 2);
}

/* Round and turn of a review that are nearest to those of another seat. */
function nearestTurn(review) {
  const turns = review.rounds[state.round]?.decisions.length;
  return turns ? [state.round, Math.min(state.turn, turns - 1)] : opening(review);
}

function switchSeat(index) {
  const inSeats = $("seats").contains(document.activeElement);
  const [round, turn] = nearestTurn(game.reviews[index]);
  state.review = index;
  overview();
  go(round, turn);
  if (inSeats) $("seats").children[index].focus({ preventScroll: true });
}
const nextSeat = () => switchSeat((state.review + 1) % game.reviews.length);

/* "#SEAT.ROUND.TURN" or "#ROUND.TURN" as [index of the review, round, turn]; null if wrong. */
function parseHash(hash) {
  if (!/^\d+(\.\d+){1,2}$/.test(hash)) return null;
  const numbers = hash.split(".").map(Number);
  const [round, turn] = numbers.slice(-2);
  const review =
    numbers.length < 3 ? state.review : game.reviews.findIndex((one) => one.seat === numbers[0]);
  const isThere = game.reviews[review]?.rounds[round]?.decisions[turn - 1];
  return isThere ? [review, round, turn - 1] : null;
}

/* Follow the address that an event names: an older one may be put back before the event comes. */
function followHash({ newURL = location.href } = {}) {
  clearTimeout(hashTimer);
  const hash = decodeHash(new URL(newURL).hash.slice(1));
  const target = parseHash(hash);
  const shown = state.review;
  state.wrongAddress = hash === "" || hash === "hand" || target ? null : hash;
  message();
  if (target) [state.review, state.round, state.turn] = target;
  if (state.review !== shown) overview(); // otherwise the lists keep the focus
  showDecision();
  if (target) reveal();
}
/* Bring the verdict and the table into view, if a part of them is not. */
function reveal() {
  const isSeen = ({ top, bottom }) => top >= 0 && bottom <= innerHeight;
  const parts = [$("verdict"), $("board")].map((node) => node.getBoundingClientRect());
  if (!parts.every(isSeen)) $("decision").scrollIntoView();
}
/* A link to the address of the page changes nothing: the browser fires no event. */
function onLink(event) {
  const link = event.target instanceof Element && event.target.closest("a[href]");
  if (link && link.hash === location.hash) followHash();
}
function message() {
  const { wrongAddress } = state;
  $("message").hidden = wrongAddress === null;
  $("message").textContent =
    wrongAddress === null ? "" : t("page.wrong_address", { address: wrongAddress });
}
function decodeHash(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/* ---- showing it ---- */

function showDecision() {
  const decision = currentDecision();
  state.tile = isDiscard(decision) ? decision.discard_index : 0;
  const byOpponent = decision.risks[decision.hand[state.tile]].by_opponent;
  const threats = Math.max(...byOpponent) > 0 ? byOpponent : decision.tenpai;
  state.seat = 1 + threats.indexOf(Math.max(...threats));
  render();
}

function render() {
  const inHand = $("tiles").contains(document.activeElement);
  const count = currentRound().decisions.length;
  verdict();
  markRound();
  $("previous").disabled = state.turn === 0 && nextRound(-1) === null;
  $("next").disabled = state.turn === count - 1 && nextRound(1) === null;
  board();
  hand();
  cards();
  tenpaiPlot();
  riskPlot();
  roundResult();
  choicesPanel();
  detail();
  document.body.dataset.position = `${state.round}.${state.turn + 1}`;
  document.body.dataset.seat = currentReview().seat;
  showCommand();
  if (inHand) $("tiles").children[state.tile].focus({ preventScroll: true });
  $("live").textContent = announcement();
}

const turnText = () =>
  t("page.turn_of", { turn: turnNumber(currentRound(), state.turn), n: lastTurn(currentRound()) });

function markRound() {
  for (const link of document.querySelectorAll(".rounds a")) {
    const isCurrent = Number(link.dataset.round) === state.round;
    if (isCurrent) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
    if (isCurrent) link.parentNode.scrollLeft = link.offsetLeft - link.parentNode.clientWidth / 2;
  }
}

/* The command that prints the position; it counts discards alone. */
function showCommand() {
  const turn = turnNumber(currentRound(), state.turn);
  $("command").hidden = !isDiscard(currentDecision());
  $("command").textContent =
    `houjuu danger GAME --seat ${currentReview().seat} --round ${commandRound()} --turn ${turn}`;
}
const commandRound = () =>
  `${"ESWN"[Math.floor(currentRound().round / 4) % 4]}${(currentRound().round % 4) + 1}.${currentRound().honba}`;

function announcement() {
  const decision = currentDecision();
  const [choice] = choicesAt(currentReview(), state.round, state.turn);
  const lost = choice ? valueLost(choice) : 0;
  const where = t("page.place", { round: roundName(currentRound()), turn: turnText() });
  const loss =
    lost > 0 ? t("page.value_lost", { value: valueText(lost) }) + t("page.semicolon") : "";
  if (!isDiscard(decision)) return where + loss;
  const risk = discardRisk(decision);
  const made = t("page.announced", {
    tile: tileLabel(discarded(decision)),
    any: percent(risk.any),
    points: points(risk.points),
  });
  return where + loss + made + (decision.rons.length ? t("page.it_dealt_in") : "");
}

/* ---- keys and gestures ---- */

const KEYS = {
  ArrowLeft: () => step(-1),
  ArrowRight: () => step(1),
  ArrowUp: () => stepRound(-1),
  ArrowDown: () => stepRound(1),
  Home: () => go(...decisionsOf(currentReview())[0]),
  End: () => go(...decisionsOf(currentReview()).at(-1)),
  m: nextMistake,
  M: previousMistake,
  x: nextRon,
  s: nextSeat,
  h: toggleHands,
  n: toggleNames,
  "?": () => $("help").showModal(),
  r: () => selectOpponent(1),
  a: () => selectOpponent(2),
  l: () => selectOpponent(3),
};
function onKey(event) {
  const typing = event.target instanceof Element && event.target.closest("select");
  if (event.ctrlKey || event.metaKey || event.altKey || $("help").open || typing) return;
  const digit = /^[1-9]$/.test(event.key);
  if (!digit && !KEYS[event.key]) return;
  event.preventDefault();
  if (digit)
    $("tiles").querySelectorAll(".hand-tile")[event.key - 1]?.focus({ preventScroll: true });
  else KEYS[event.key]();
}

const WHEEL_PAUSE = 150; // unit: milliseconds between two steps of a wheel
let lastWheel = -Infinity;
function onWheel(event) {
  if (event.ctrlKey || !event.deltaY) return;
  event.preventDefault();
  if (event.timeStamp - lastWheel < WHEEL_PAUSE) return;
  lastWheel = event.timeStamp;
  step(Math.sign(event.deltaY));
}

const LEAST_SWIPE = 40; // unit: pixels
let swipeStart = null;
const pointOf = ({ clientX, clientY }) => [clientX, clientY];
function onTouchStart(event) {
  swipeStart = event.touches.length === 1 ? pointOf(event.touches[0]) : null;
}
function onTouchEnd(event) {
  if (!swipeStart) return;
  const [x, y] = pointOf(event.changedTouches[0]);
  const [across, down] = [x - swipeStart[0], y - swipeStart[1]];
  swipeStart = null;
  if (Math.abs(across) >= LEAST_SWIPE && Math.abs(across) > 2 * Math.abs(down))
    step(across < 0 ? 1 : -1);
}

function chooseLanguage(language) {
  const inMenu = document.activeElement === $("language");
  setLanguage(language);
  message();
  overview();
  render();
  if (inMenu) $("language").focus();
}

document.addEventListener("keydown", onKey);
$("board").addEventListener("wheel", onWheel, { passive: false });
$("board").addEventListener("touchstart", onTouchStart, { passive: true });
$("board").addEventListener("touchend", onTouchEnd, { passive: true });
$("previous").addEventListener("click", () => step(-1));
$("next").addEventListener("click", () => step(1));
$("previous-mistake").addEventListener("click", previousMistake);
$("next-mistake").addEventListener("click", nextMistake);
document.addEventListener("click", onLink);
$("hands").addEventListener("click", toggleHands);
$("names").addEventListener("click", toggleNames);
$("help-button").addEventListener("click", () => $("help").showModal());
$("language").addEventListener("change", () => chooseLanguage($("language").value));
addEventListener("hashchange", followHash);
dark.addEventListener("change", render);
[state.round, state.turn] = opening(currentReview());
setLanguage(browserLanguage());
overview();
followHash();
