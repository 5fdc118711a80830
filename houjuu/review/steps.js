/* Going about: steps, keys, links. */

function choose(tile) {
  if (tile < 0 || tile >= decision().hand.length || tile === at.tile) return;
  at.tile = tile;
  [...$("tiles").querySelectorAll(".held")].forEach((node, i) => {
    node.setAttribute("aria-pressed", String(i === tile));
  });
  board();
  detail();
}

function against(seat) {
  const inCards = $("cards").contains(document.activeElement);
  at.seat = seat;
  cards();
  detail();
  if (inCards) $("cards").children[seat - 1].focus({ preventScroll: true });
}

function toggle(button, on) {
  button.setAttribute("aria-pressed", String(on));
  return on;
}
function openHands() {
  at.open = toggle($("open"), !at.open);
  board();
}
const names = () =>
  document.body.classList.toggle(
    "names",
    toggle($("index"), !document.body.classList.contains("names")),
  );

let writing;
function go(toRound, toTurn) {
  if (!game.rounds[toRound]?.decisions[toTurn]) return;
  [at.round, at.turn] = [toRound, toTurn];
  arrive();
  clearTimeout(writing); // browsers slow down pages that change their address too often
  writing = setTimeout(() => history.replaceState(null, "", `#${toRound}.${toTurn + 1}`), 200);
}

function step(by) {
  const turn = at.turn + by;
  if (round().decisions[turn]) return go(at.round, turn);
  const next = other(by);
  if (next !== null) go(next, by > 0 ? 0 : game.rounds[next].decisions.length - 1);
}
function other(by) {
  let next = at.round + by;
  while (game.rounds[next] && !game.rounds[next].decisions.length) next += by;
  return game.rounds[next] ? next : null;
}
function skip(by) {
  const next = other(by);
  if (next !== null) go(next, 0);
}

const everywhere = game.rounds.flatMap((of, i) => of.decisions.map((one, j) => [i, j, one]));
function nextRon() {
  const rons = everywhere.filter(([, , one]) => one.rons.length);
  const later = rons.find(([i, j]) => i > at.round || (i === at.round && j > at.turn)) || rons[0];
  if (later) go(later[0], later[1]);
}

function follow() {
  const [toRound, toTurn] = location.hash.slice(1).split(".").map(Number);
  if (game.rounds[toRound]?.decisions[toTurn - 1]) [at.round, at.turn] = [toRound, toTurn - 1];
  arrive();
}

function arrive() {
  at.tile = decision().discarded;
  const by = made(decision()).by;
  at.seat =
    1 +
    (Math.max(...by) > 0 ? by : decision().tenpai).reduce(
      (best, p, i, all) => (p > all[best] ? i : best),
      0,
    );
  draw();
}

function draw() {
  const inHand = $("tiles").contains(document.activeElement);
  const of = decision();
  const risk = made(of);
  const count = round().decisions.length;
  $("where").replaceChildren(
    roundName(round()),
    el("small", {}, ` turn ${at.turn + 1} of ${count}`),
  );
  for (const link of document.querySelectorAll(".rounds a")) {
    const here = Number(link.dataset.round) === at.round;
    if (here) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
    if (here) link.parentNode.scrollLeft = link.offsetLeft - link.parentNode.clientWidth / 2;
  }
  $("back").disabled = at.turn === 0 && other(-1) === null;
  $("on").disabled = at.turn === count - 1 && other(1) === null;
  board();
  hand();
  cards();
  tenpaiPlot();
  riskPlot();
  end();
  detail();
  document.body.dataset.at = `${at.round}.${at.turn + 1}`;
  $("command").textContent =
    `houjuu danger GAME --seat ${game.seat} --round ${at.round} --turn ${at.turn + 1}`;
  if (inHand) $("tiles").children[at.tile].focus({ preventScroll: true });
  $("live").textContent = [
    `${roundName(round())}, turn ${at.turn + 1} of ${count}.`,
    `Discarded ${spoken(of.hand[of.discarded])}:`,
    `${percent(risk.any)} percent, ${points(risk.lost)} points.`,
    of.rons.length ? "It dealt in." : "",
  ].join(" ");
}

const KEYS = {
  ArrowLeft: () => step(-1),
  ArrowRight: () => step(1),
  ArrowUp: () => skip(-1),
  ArrowDown: () => skip(1),
  Home: () => go(...everywhere[0]),
  End: () => go(...everywhere[everywhere.length - 1]),
  x: nextRon,
  h: openHands,
  n: names,
  "?": () => $("help").showModal(),
  r: () => against(1),
  a: () => against(2),
  l: () => against(3),
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
  const digit = /^[1-9]$/.test(event.key);
  if (!digit && !KEYS[event.key]) return;
  event.preventDefault();
  if (digit) $("tiles").querySelectorAll(".held")[event.key - 1]?.focus({ preventScroll: true });
  else KEYS[event.key]();
});
$("back").addEventListener("click", () => step(-1));
$("on").addEventListener("click", () => step(1));
$("open").addEventListener("click", openHands);
$("index").addEventListener("click", names);
$("ask").addEventListener("click", () => $("help").showModal());
addEventListener("hashchange", follow);
dark.addEventListener("change", draw);
[at.round, at.turn] = everywhere[0];
follow();
