/* The selected tile and its reasons, the own hand, and the actions of the decision. */

function detail() {
  tilePanel();
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

const riskParts = (risk, ids = {}) =>
  parts("page.risk", {
    any: el("b", { id: ids.any ?? null }, `${percent(risk.any, 2)}%`),
    points: el("b", { id: ids.points ?? null }, points(risk.points)),
  });
function riskSentence(risk) {
  const sentence = riskParts(risk, { any: "any", points: "points" });
  const average = points(Math.round(risk.points / risk.any / 100) * 100);
  return [sentence, risk.any > 0.0005 ? t("page.per_deal_in", { points: average }) : ""];
}

function reasons(decision, tile) {
  const seat = state.seat;
  const explanation = decision.explanations[plain(tile)][seat - 1];
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
const LEAST_BAR = 0.00005; // unit: probability
function bars(terms, sum) {
  const named = terms
    .slice(0, MOST_BARS)
    .map(([index, p]) => [currentReview().reason_names[index], p]);
  const rest = sum - total(named.map(([, p]) => p));
  const shown = named.map(([name, p]) => [termLabel(name), p]);
  if (Math.abs(rest) >= LEAST_BAR) shown.push([t("page.others"), rest]);
  return signedBars(shown, (p) => (p < 0 ? "−" : "+") + percent(Math.abs(p), 2));
}

/* A name; that of a reason is a button that explains it, on hover and on click. */
function termLabel(name) {
  const entry = glossary(name);
  if (!entry) return term(name);
  const open = () => showEntry(name);
  return el("button", { class: "reason", title: entry, onclick: open }, term(name));
}

/* Rows of a label, a bar around the middle, and a number. */
function signedBars(rows, format) {
  const most = Math.max(...rows.map(([, value]) => Math.abs(value)), Number.MIN_VALUE);
  const bar = (value) =>
    el(
      "span",
      { class: value < 0 ? "meter signed negative" : "meter signed" },
      el("i", { style: `width:${(50 * Math.abs(value)) / most}%` }),
    );
  const row = ([label, value]) =>
    el(
      "tr",
      {},
      el("td", {}, label),
      el("td", { class: "bar-cell" }, bar(value)),
      el("td", { class: "number" }, format(value)),
    );
  return el("table", {}, el("tbody", {}, rows.map(row)));
}

/* ---- the own hand ---- */

function ownPanel() {
  const decision = currentDecision();
  const own = decision.own;
  $("own").hidden = !own;
  if (!own) return;
  const kind = plain(decision.hand[state.tile]);
  const [shanten, useful, furiten] = own.discards[kind];
  const tiles = total(useful.map((name) => unseenOf(own, name)));
  const best = bestDiscard(own);
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
    el(
      "p",
      { class: "useful" },
      useful.map((name) =>
        el("span", {}, small(name, 20), el("small", {}, `×${unseenOf(own, name)}`)),
      ),
    ),
    best.kind !== kind &&
      (best.shanten < shanten || best.tiles > tiles) &&
      el(
        "p",
        { class: "faint" },
        t("page.most_useful", {
          tile: tileLabel(best.kind),
          shanten: shantenText(best.shanten),
          n: best.tiles,
        }),
      ),
  );
}

const shantenText = (shanten) =>
  shanten < 0
    ? t("page.complete")
    : shanten === 0
      ? t("page.in_tenpai")
      : t("page.shanten", { shanten });

function unseenOf(own, name) {
  const kind = 9 * "mpsz".indexOf(name[1]) + Number(name[0]) - 1;
  return Number(own.unseen[kind]);
}

/* The discard with the lowest shanten, then with the most useful tiles. */
function bestDiscard(own) {
  const all = Object.entries(own.discards).map(([kind, [shanten, useful]]) => ({
    kind,
    shanten,
    tiles: total(useful.map((name) => unseenOf(own, name))),
  }));
  return all.sort((one, two) => one.shanten - two.shanten || two.tiles - one.tiles)[0];
}

/* ---- the actions of the decision, each with its value; the data have the verdict ---- */

const choicesAt = (review, round, turn) =>
  (review.choices || []).filter((choice) => choice.round === round && choice.step === turn);
const actionOf = (choice, name) => choice.actions.find(({ action }) => action === name);
const valueLost = (choice) => choice.value_lost;
const valueText = (value) => (value < 0 ? "−" : "") + points(Math.abs(value));

function choicesPanel() {
  const choices = choicesAt(currentReview(), state.round, state.turn);
  $("choices").hidden = !choices.length;
  show($("choices"), choices.map(choicePanel));
}

function choicePanel(choice) {
  const option = ({ action, value, preference, parts: named, ...chances }) =>
    el(
      "details",
      {
        open: action === choice.chosen || action === choice.advised,
        "data-action": action,
      },
      el(
        "summary",
        {},
        columns(
          [
            el("b", {}, actionLabel(action)),
            action === choice.chosen &&
              el("span", { class: "discarded" }, ` ▲\u00a0${t("page.chosen")}`),
            action === choice.advised &&
              el("span", { class: "advised" }, ` ◆\u00a0${t("page.advised")}`),
          ],
          t("page.value", { value: valueText(value) }),
          valueText(preference),
        ),
      ),
      chances.win !== undefined && el("p", { class: "faint" }, chancesText(chances)),
      el(
        "div",
        { class: "terms" },
        signedBars(
          named.map((part) => [partLabel(part.name), part.value]),
          (value) => (value < 0 ? "" : "+") + valueText(value),
        ),
      ),
    );
  return [
    el("h2", {}, t(`page.kind.${choice.kind}`)),
    el(
      "p",
      { class: "faint", title: t("page.value_unit") },
      columns("", t("page.value_heading"), t("page.preference")),
    ),
    choice.actions.map(option),
    el("p", { class: "faint" }, t("page.value_unit")),
  ];
}

/* An action, its value, and apart from it the preference of phoenix players. */
const columns = (label, value, preference) =>
  el(
    "span",
    { class: "columns" },
    el("span", { class: "label" }, label),
    el("span", { class: "value" }, value),
    el("span", { class: "preference", title: t("page.preference") }, preference),
  );

/* P(win) and P(deals in) after an action, and the points of the hand that it leaves. */
function chancesText({ win, deal_in, hand_points }) {
  const chances = t("page.chances", { win: percent(win, 0), deal_in: percent(deal_in) });
  const hand = Math.round(hand_points / 100) * 100;
  return chances + (hand_points ? t("page.hand_points", { points: points(hand) }) : "");
}

/* A part of a value, such as "win" or "deal_in.right"; unknown names stay as they are. */
function partLabel(name) {
  const [part, opponent] = name.split(".");
  const key = `page.part.${part}`;
  if (!game.texts[state.language][key]) return name;
  return t(key) + (opponent ? ` ${t(`seat.${opponent}`)}` : "");
}
