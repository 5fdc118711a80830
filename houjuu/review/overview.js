/* The whole game: players and totals, seats, rounds, the lists of mistakes, the glossary. */

const MOST_LISTED = 10; // rows of a list

function overview() {
  const review = currentReview();
  const [name, ...others] = review.names;
  show(
    $("players"),
    parts("page.with", { name: el("b", {}, name), others: others.join(t("page.comma")) }),
    el("br", {}),
    `${review.date || ""} `,
    el("span", { class: "faint" }, review.id),
  );
  totals();
  seats();
  rounds();
  lists();
  legend();
  helpPage();
  mistakeButtons();
  const about = [t("page.model", { model: review.model })];
  if (game.player) about.push(t("page.player", { player: game.player }));
  $("model").textContent = about.join(" ");
}

function totals() {
  const discards = discardsOf(currentReview()).map(([, , decision]) => decision);
  const sum = (number) => total(discards.map(number));
  const entry = (name, value, note) =>
    el("div", {}, el("dt", {}, name), el("dd", {}, value, el("small", {}, ` ${note}`)));
  const expected = (value) => t("page.expected", { value });
  show(
    $("totals"),
    entry(
      t("page.dealt_in"),
      String(sum((decision) => decision.rons.length)),
      expected(sum((decision) => discardRisk(decision).any).toFixed(2)),
    ),
    entry(
      t("page.lost_by_ron"),
      points(sum(lostByRon)),
      expected(points(sum((decision) => discardRisk(decision).points))),
    ),
    agreement(entry),
  );
}

/* How many decisions are those of the player, and the value that the others lose. */
function agreement(entry) {
  const { choices } = currentReview();
  if (!game.player) return false;
  if (!choices.length) return sameDiscards(entry);
  const same = choices.filter((choice) => choice.agrees).length;
  const lost = total(choices.map(valueLost));
  const usual = (key, number) => (game.usual ? t(key, { value: number(game.usual) }) : "");
  const share = `${percent(same / choices.length, 0)}%`;
  return [
    entry(
      t("page.same_as"),
      share,
      [
        t("page.of_decisions", { n: choices.length }),
        usual("page.usually", ({ agrees }) => `${percent(agrees, 0)}%`),
      ].join(""),
    ),
    entry(
      t("page.lost"),
      points(lost),
      [
        t("page.per_decision", { value: points(lost / choices.length) }),
        usual("page.usually", ({ lost: value }) => points(value)),
      ].join(""),
    ),
  ];
}

/* Advice without values: how many discards are the same. */
function sameDiscards(entry) {
  const discards = discardsOf(currentReview()).map(([, , decision]) => decision);
  const same = discards.filter((decision) => decision.advice === discarded(decision)).length;
  return entry(
    t("page.same_discard_as"),
    String(same),
    t("page.of_discards", { n: discards.length }),
  );
}

function seats() {
  show(
    $("seats"),
    game.reviews.map((review, index) =>
      el(
        "button",
        {
          "aria-pressed": String(index === state.review),
          onclick: () => switchSeat(index),
        },
        el("b", {}, t(`wind.short.${review.seat}`)),
        ` ${review.names[0]}`,
      ),
    ),
  );
  $("seats").hidden = game.reviews.length < 2;
}

function rounds() {
  const links = currentReview().rounds.map((round, i) => {
    const discards = round.decisions.filter(isDiscard).length;
    const rons = total(round.decisions.map((decision) => decision.rons.length));
    const summary = t("page.round_summary", {
      round: roundName(round),
      n: discards,
      points: signed(round.deltas && round.deltas[0]),
    });
    return el(
      "a",
      {
        // with the page's own address: axe takes a link that begins with # for a skip link
        href: round.decisions.length > 0 && `${location.href.split("#")[0]}#${address(i, 0)}`,
        "data-round": i,
        class: rons > 0 && "dealt",
        "aria-label": summary + (rons ? t("page.round_dealt_in") : ""),
      },
      shortRoundName(round),
      round.honba > 0 && el("sup", {}, String(round.honba)),
      el("small", {}, ` ${signed(round.deltas && round.deltas[0])}`),
    );
  });
  show(document.querySelector(".rounds"), links);
}

/* ---- the lists ---- */

function lists() {
  const review = currentReview();
  const discards = discardsOf(review).filter(([, , decision]) => discardRisk(decision).any > 0);
  const largest = (key) =>
    [...discards].sort(by(([, , decision]) => discardRisk(decision)[key])).slice(0, MOST_LISTED);
  show(
    $("lists"),
    mistakesOf(review).length > 0 && mistakeList(mistakesOf(review).slice(0, MOST_LISTED)),
    discardList("page.most_dangerous", "page.sorted_by_risk", largest("any")),
    discardList("page.costliest", "page.sorted_by_points", largest("points")),
    luckTable(),
  );
}

/* The valued decisions that lose points against the advised action, the largest loss first. */
const mistakesOf = (review) =>
  (review.choices || []).filter((choice) => valueLost(choice) > 0).sort(by(valueLost));

function mistakeButtons() {
  for (const id of ["previous-mistake", "next-mistake"])
    $(id).hidden = !mistakesOf(currentReview()).length;
}

function mistakeList(choices) {
  const row = (choice) => {
    const win = choice.comparison.find(({ name }) => name === "win");
    return [
      link(choice.round, choice.step),
      t(`page.kind.${choice.kind}`),
      actionLabel(choice.chosen),
      actionLabel(choice.advised),
      el("b", { class: "ron" }, `−${valueText(valueLost(choice))}`),
      win?.difference < 0 ? signedPercent(win.difference) : "",
      endangered(actionOf(choice, choice.chosen)),
    ];
  };
  const columns = [
    ["place", t("page.turn")],
    ["kind", t("page.decision")],
    ["action", t("page.chosen")],
    ["action", t("page.advised")],
    ["number", t("page.lost")],
    ["number win", t("page.win_given_up")],
    ["danger", t("page.endangered_by")],
  ];
  return listOf("page.mistakes", "page.sorted_by_loss", columns, choices.map(row));
}

const LEAST_DANGER = 20; // unit: points

/* The opponents to whom an action may deal in at once, with the expected loss to each. */
function endangered({ parts: named }) {
  const losses = ["right", "across", "left"].map((side, i) => {
    const loss = total(
      named.filter(({ name }) => name === `deal_in.${side}`).map(({ value }) => -value),
    );
    return [i + 1, loss];
  });
  return losses
    .filter(([, loss]) => loss >= LEAST_DANGER)
    .sort(by(([, loss]) => loss))
    .map(([seat, loss]) =>
      el("span", { class: `seat${seat}` }, symbol(seat), `${place(seat)} −${points(loss)} `),
    );
}

function discardList(title, note, discards) {
  const row = ([round, turn, decision]) => {
    const risk = discardRisk(decision);
    const order = ([, one], [, two]) => one.any - two.any || one.points - two.points;
    const [safest, least] = Object.entries(decision.risks).sort(order)[0];
    return [
      link(round, turn),
      small(discarded(decision), 20),
      `${percent(risk.any)}%`,
      points(risk.points),
      [small(safest, 20), ` ${percent(least.any)}%`],
      decision.rons.length > 0 &&
        el("b", { class: "ron" }, t("page.dealt_in_lost", { points: points(lostByRon(decision)) })),
    ];
  };
  const columns = [
    ["place", t("page.turn")],
    ["tile", t("page.tile")],
    ["number", t("page.deals_in")],
    ["number", t("page.points")],
    ["safest", t("page.safest")],
    ["dealt", ""],
  ];
  return listOf(title, note, columns, discards.map(row));
}

const link = (round, turn) =>
  el(
    "a",
    { href: `#${address(round, turn)}` },
    t("page.round_and_turn", {
      round: roundName(currentReview().rounds[round]),
      turn: turnNumber(currentReview().rounds[round], turn),
    }),
  );

function listOf(title, note, columns, rows, rowClass) {
  return el(
    "section",
    { class: `list ${title.replace("page.", "")}`, "aria-label": t(title) },
    el("h2", {}, t(title)),
    el("p", {}, t(note)),
    tableOf(columns, rows, rowClass),
  );
}

/* ---- keys, symbols and the glossary ---- */

const KEY_NAMES = {
  "← →": "step",
  "↑ ↓": "rounds",
  "Home End": "ends",
  "1 … 9, Tab": "tiles",
  "r a l": "opponents",
  m: "mistakes",
  M: "previous_mistake",
  x: "rons",
  s: "seats",
  h: "hands",
  n: "names",
};

function helpPage() {
  const reasons = Object.keys(game.texts[state.language])
    .filter((key) => key.startsWith("glossary."))
    .map((key) => key.replace("glossary.", ""));
  const definitions = reasons.flatMap((name) => [
    el("dt", { id: `entry-${name}`, tabindex: -1 }, t(`reason.${name}`, { n: "n" })),
    el("dd", {}, t(`glossary.${name}`, { n: "n" })),
  ]);
  const keys = Object.entries(KEY_NAMES).flatMap(([key, name]) => [
    el("dt", {}, key),
    el("dd", {}, t(`page.key.${name}`)),
  ]);
  show(
    $("help"),
    el("form", { method: "dialog" }, el("button", { "aria-label": t("page.close") }, "✕")),
    el("h2", {}, t("page.keys")),
    el("dl", {}, keys),
    el("h2", {}, t("page.symbols")),
    ["page.symbols_river", "page.symbols_table", "page.gestures"].map((key) => el("p", {}, t(key))),
    el("h2", {}, t("page.glossary")),
    el("p", {}, t("page.glossary_about")),
    el("dl", { class: "glossary" }, definitions),
    el("p", { class: "faint" }, t("page.font")),
  );
}

/* Open the glossary at the entry of a reason. */
function showEntry(name) {
  $("help").showModal();
  const entry = $(`entry-${game.terms[name][0].replace("reason.", "")}`);
  entry.scrollIntoView({ block: "center" });
  entry.focus();
}
