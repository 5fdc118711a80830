/* Navigation: buttons, keys, links. */

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

let hashTimer;
function go(toRound, toTurn) {
  if (!game.rounds[toRound]?.decisions[toTurn]) return;
  [state.round, state.turn] = [toRound, toTurn];
  showDecision();
  clearTimeout(hashTimer); // browsers throttle pages that change their address too often
  hashTimer = setTimeout(() => history.replaceState(null, "", `#${toRound}.${toTurn + 1}`), 200);
}

function step(by) {
  const turn = state.turn + by;
  if (currentRound().decisions[turn]) return go(state.round, turn);
  const next = nextRound(by);
  if (next !== null) go(next, by > 0 ? 0 : game.rounds[next].decisions.length - 1);
}
function nextRound(by) {
  let next = state.round + by;
  while (game.rounds[next] && !game.rounds[next].decisions.length) next += by;
  return game.rounds[next] ? next : null;
}
function stepRound(by) {
  const next = nextRound(by);
  if (next !== null) go(next, 0);
}

const allDecisions = game.rounds.flatMap((round, i) =>
  round.decisions.map((decision, j) => [i, j, decision]),
);
function nextRon() {
  const rons = allDecisions.filter(([, , decision]) => decision.rons.length);
  const next = rons.find(([i, j]) => i > state.round || (i === state.round && j > state.turn)) || rons[0];
  if (next) go(next[0], next[1]);
}

function followHash() {
  const [toRound, toTurn] = location.hash.slice(1).split(".").map(Number);
  if (game.rounds[toRound]?.decisions[toTurn - 1]) [state.round, state.turn] = [toRound, toTurn - 1];
  showDecision();
}

function showDecision() {
  state.tile = currentDecision().discard_index;
  const byOpponent = discardRisk(currentDecision()).by_opponent;
  state.seat =
    1 +
    (Math.max(...byOpponent) > 0 ? byOpponent : currentDecision().tenpai).reduce(
      (best, p, i, values) => (p > values[best] ? i : best),
      0,
    );
  render();
}

function render() {
  const inHand = $("tiles").contains(document.activeElement);
  const decision = currentDecision();
  const risk = discardRisk(decision);
  const count = currentRound().decisions.length;
  $("where").replaceChildren(
    roundName(currentRound()),
    el("small", {}, ` turn ${state.turn + 1} of ${count}`),
  );
  for (const link of document.querySelectorAll(".rounds a")) {
    const isCurrent = Number(link.dataset.round) === state.round;
    if (isCurrent) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
    if (isCurrent) link.parentNode.scrollLeft = link.offsetLeft - link.parentNode.clientWidth / 2;
  }
  $("previous").disabled = state.turn === 0 && nextRound(-1) === null;
  $("next").disabled = state.turn === count - 1 && nextRound(1) === null;
  board();
  hand();
  cards();
  tenpaiPlot();
  riskPlot();
  roundResult();
  detail();
  document.body.dataset.position = `${state.round}.${state.turn + 1}`;
  $("command").textContent =
    `houjuu danger GAME --seat ${game.seat} --round ${state.round} --turn ${state.turn + 1}`;
  if (inHand) $("tiles").children[state.tile].focus({ preventScroll: true });
  $("live").textContent = [
    `${roundName(currentRound())}, turn ${state.turn + 1} of ${count}.`,
    `Discarded ${tileLabel(decision.hand[decision.discard_index])}:`,
    `deal-in risk ${percent(risk.any)} percent, expected loss ${points(risk.points)} points.`,
    decision.rons.length ? "It dealt in." : "",
  ].join(" ");
}

const KEYS = {
  ArrowLeft: () => step(-1),
  ArrowRight: () => step(1),
  ArrowUp: () => stepRound(-1),
  ArrowDown: () => stepRound(1),
  Home: () => go(...allDecisions[0]),
  End: () => go(...allDecisions[allDecisions.length - 1]),
  x: nextRon,
  h: toggleHands,
  n: toggleNames,
  "?": () => $("help").showModal(),
  r: () => selectOpponent(1),
  a: () => selectOpponent(2),
  l: () => selectOpponent(3),
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
  const digit = /^[1-9]$/.test(event.key);
  if (!digit && !KEYS[event.key]) return;
  event.preventDefault();
  if (digit) $("tiles").querySelectorAll(".hand-tile")[event.key - 1]?.focus({ preventScroll: true });
  else KEYS[event.key]();
});
$("previous").addEventListener("click", () => step(-1));
$("next").addEventListener("click", () => step(1));
$("hands").addEventListener("click", toggleHands);
$("names").addEventListener("click", toggleNames);
$("help-button").addEventListener("click", () => $("help").showModal());
addEventListener("hashchange", followHash);
dark.addEventListener("change", render);
[state.round, state.turn] = allDecisions[0];
followHash();
