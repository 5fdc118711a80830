// @ts-check
/* The selected tile and its reasons, the own hand, and the actions of the decision. */

function detail() {
  tilePanel();
  hiddenPanel();
  ownPanel();
}

function tilePanel() {
  const decision = currentDecision();
  const tile = decision.hand[state.tile];
  const risk = decision.risks[tile];
  const most = Math.max(...risk.by_opponent, 0.05);
  const rows = risk.by_opponent.map((p, i) => [
    [symbol(i + 1), place(i + 1)],
    el("span", { class: "meter" }, el("i", { style: `width:${(100 * p) / most}%` })),
    `${percent(p, 2)}%`,
    points(risk.points_by_opponent[i]),
    risk.genbutsu[i] ? t("page.genbutsu") : term(decision.opponent_types[i]),
  ]);
  /** @type {Column[]} */
  const columns = [
    ["row", ""],
    ["bar-cell", ""],
    ["number", t("page.deals_in")],
    ["number", t("page.points")],
    ["faint", t("page.opponent")],
  ];
  show(
    $("tile"),
    el(
      "div",
      { class: "selected" },
      small(tile, 42),
      el("div", {}, el("h2", {}, tileLabel(tile)), el("p", {}, riskSentence(risk))),
    ),
    tableOf(columns, rows, (i) => `seat${i + 1}`),
    reasons(decision, tile),
  );
}

/** @param {TileRisks} risk @param {{ any?: string, points?: string }} ids */
const riskParts = (risk, ids = {}) =>
  parts("page.risk", {
    any: el("b", { id: ids.any ?? null }, `${percent(risk.deal_in, 2)}%`),
    points: el("b", { id: ids.points ?? null }, points(risk.points)),
  });
/** @param {TileRisks} risk */
function riskSentence(risk) {
  const sentence = riskParts(risk, { any: "any", points: "points" });
  const average = points(Math.round(risk.points / risk.deal_in / 100) * 100);
  return [sentence, risk.deal_in > 0.0005 ? t("page.per_deal_in", { points: average }) : ""];
}

/** @param {ReviewedPosition} decision @param {string} tile */
function reasons(decision, tile) {
  const seat = state.seat;
  const explanation = decision.explanations[plain(tile)][seat - 1];
  /** @param {string} title @param {Term[]} terms @param {number} sum */
  const section = (title, terms, sum) =>
    terms.length > 0 && el("div", { class: "terms" }, el("h3", {}, title), bars(terms, sum));
  const p = decision.risks[tile].by_opponent[seat - 1];
  const tenpai = decision.tenpai[seat - 1];
  const explained = explanation.terms.length || explanation.reasons.length;
  return el(
    "div",
    { class: `reasons seat${seat}` },
    el("h2", {}, symbol(seat), t("page.why", { place: place(seat), probability: percent(p, 2) })),
    section(t(decision.melded[seat - 1] ? "page.scores" : "page.waits"), explanation.terms, p),
    section(t("page.reasons"), explanation.reasons, p),
    section(
      t("page.tenpai_reasons", { probability: percent(tenpai) }),
      decision.tenpai_reasons[seat - 1],
      tenpai,
    ),
    !explained &&
      el(
        "p",
        { class: "faint" },
        t(decision.risks[tile].genbutsu[seat - 1] ? "page.no_ron" : "page.negligible"),
      ),
  );
}

const MOST_BARS = 10; // terms of a list; one line sums up the others
const LEAST_BAR = 0.0002; // unit: probability; less is what rounding leaves
/** @param {Term[]} terms @param {number} sum */
function bars(terms, sum) {
  const listed = terms.slice(0, MOST_BARS);
  const rest = sum - total(listed.map((one) => one.probability));
  /** @type {[Child, number][]} */
  const shown = listed.map((one) => [termLabel(one.name), one.probability]);
  if (Math.abs(rest) >= LEAST_BAR) shown.push([t("page.others"), rest]);
  return signedBars(shown, (p) => (p < 0 ? "−" : "+") + percent(Math.abs(p), 2));
}

/* A name; that of a reason is a button that explains it, on hover and on click. */
/** @param {string} name */
function termLabel(name) {
  const entry = glossary(name);
  if (!entry) return term(name);
  const open = () => showEntry(name);
  return el("button", { class: "reason", title: entry, onclick: open }, term(name));
}

/* Rows of a label, a bar around the middle, and a number. */
/** @param {[Child, number][]} rows @param {(value: number) => string} format */
function signedBars(rows, format) {
  const most = Math.max(...rows.map(([, value]) => Math.abs(value)), Number.MIN_VALUE);
  /** @param {number} value */
  const bar = (value) =>
    el(
      "span",
      { class: value < 0 ? "meter signed negative" : "meter signed" },
      el("i", { style: `width:${(50 * Math.abs(value)) / most}%` }),
    );
  const body = rows.map(([label, value]) =>
    el(
      "tr",
      {},
      el("td", {}, label),
      el("td", { class: "bar-cell" }, bar(value)),
      el("td", { class: "number" }, format(value)),
    ),
  );
  return el("table", {}, el("tbody", {}, body));
}

/* ---- the own hand ---- */

function ownPanel() {
  const decision = currentDecision();
  const own = decision.own;
  $("own").hidden = !own;
  if (!own) return;
  const kind = plain(decision.hand[state.tile]);
  const { shanten, useful, furiten, wall, none_in_wall: none } = own.discards[kind];
  const tiles = usefulTiles(decision, kind);
  const { shanten: leastShanten } = own.discards[own.best];
  const mostTiles = usefulTiles(decision, own.best);
  const summary = { n: tiles, kinds: useful.length };
  show(
    $("own"),
    el("h3", {}, t("page.own_hand", { tile: tileLabel(kind) })),
    el(
      "p",
      {},
      el("b", {}, shantenText(shanten)),
      furiten && el("b", { class: "ron" }, ` ${t("page.furiten")}`),
    ),
    el("p", { class: "faint" }, t(shanten === 0 ? "page.own_waits" : "page.useful", summary)),
    tiles > 0 &&
      el(
        "p",
        { id: "in-wall", title: t("page.in_wall_note") },
        t("page.in_wall", { wall: wall.toFixed(1), n: tiles, none: percent(none, 0) }),
      ),
    el(
      "p",
      { class: "useful" },
      useful.map((name) =>
        el("span", {}, small(name, 20), el("small", {}, `×${unseenOf(decision, name)}`)),
      ),
    ),
    (leastShanten < shanten || mostTiles > tiles) &&
      el(
        "p",
        { class: "faint" },
        t("page.most_useful", {
          tile: tileLabel(own.best),
          shanten: shantenText(leastShanten),
          n: mostTiles,
        }),
      ),
  );
}

/** @param {number} shanten */
const shantenText = (shanten) =>
  shanten < 0
    ? t("page.complete")
    : shanten === 0
      ? t("page.in_tenpai")
      : t("page.shanten", { shanten });

/** @param {ReviewedPosition} decision @param {string} name */
const unseenOf = ({ unseen }, name) => unseen.copies[game.kinds.indexOf(name)];
/** @param {ReviewedPosition} decision @param {string} kind */
const usefulTiles = (decision, kind) =>
  total((decision.own?.discards[kind].useful ?? []).map((name) => unseenOf(decision, name)));

/* ---- the actions of the decision, each with its value; the data have the verdict ---- */

function choicePanel() {
  const choice = currentChoice();
  $("choices").hidden = !choice;
  if (!choice) return;
  show(
    $("choices"),
    el("h2", {}, t(`page.kind.${choice.kind}`)),
    el(
      "p",
      { class: "faint", title: t("page.value_unit") },
      actionColumns("", t("page.value_heading"), t("page.preference")),
    ),
    choice.actions.map((action, i) => actionDetails(choice, action, i)),
    el("p", { class: "faint" }, t("page.value_unit")),
  );
}

/** @param {ReviewedChoice} choice @param {ValuedAction} action @param {number} i */
function actionDetails({ chosen }, action, i) {
  const { value, preference } = action;
  return el(
    "details",
    { open: i === chosen || i === 0 },
    el(
      "summary",
      {},
      actionColumns(
        [
          el("b", {}, actionLabel(action)),
          i === chosen && el("span", { class: "discarded" }, ` ▲\u00a0${t("page.chosen")}`),
          i === 0 && el("span", { class: "advised" }, ` ◆\u00a0${t("page.advised")}`),
        ],
        t("page.value", { value: valueText(value) }),
        valueText(preference),
      ),
    ),
    chances(action),
    el(
      "div",
      { class: "terms" },
      signedBars(
        action.parts.map((part) => [partLabel(part.name), part.value]),
        (part) => (part < 0 ? "" : "+") + valueText(part),
      ),
    ),
  );
}

/* An action, its value, and apart from it the preference of phoenix players. */
/** @param {Child} label @param {string} value @param {string} preference */
const actionColumns = (label, value, preference) =>
  el(
    "span",
    { class: "columns" },
    el("span", { class: "label" }, label),
    el("span", { class: "value" }, value),
    el("span", { class: "preference", title: t("page.preference") }, preference),
  );

/* P(win) and P(deals in) after an action, and the points of the hand that it leaves. */
/** @param {ValuedAction} action */
function chances({ win, deal_in, hand_points }) {
  if (win === undefined || deal_in === undefined) return null;
  const text = t("page.chances", { win: percent(win, 0), deal_in: percent(deal_in) });
  const hand = hand_points ? points(Math.round(hand_points / 100) * 100) : "";
  return el("p", { class: "faint" }, text, hand && t("page.hand_points", { points: hand }));
}

/* A part of a value, such as "win" or "deal_in.right"; unknown names stay as they are. */
/** @param {string} name */
function partLabel(name) {
  const [part, opponent] = name.split(".");
  const key = `page.part.${part}`;
  if (!game.texts[state.language][key]) return name;
  return t(key) + (opponent ? ` ${t(`seat.${opponent}`)}` : "");
}

atDecision.push(choicePanel, detail);
