// @ts-check
/* The whole game: players and totals, seats, rounds, the lists of mistakes, the glossary. */

const MOST_LISTED = 10; // rows of a list

function players() {
  const review = currentReview();
  const [name, ...others] = review.names;
  show(
    $("players"),
    parts("page.with", {
      name: el("b", {}, name),
      others: others.join(t("page.comma")),
    }),
    el("br", {}),
    `${review.date || ""} `,
    el("span", { class: "faint" }, review.id),
  );
  const about = [t("page.model", { model: review.model })];
  if (review.room) about.push(t("page.room", { room: t(`page.room.${review.room}`) }));
  if (game.player) about.push(t("page.player", { player: game.player }));
  $("model").textContent = about.join(" ");
}

function totals() {
  const { game: whole, lost, expected_lost } = currentSummary();
  /** @param {string} value */
  const expected = (value) => t("page.expected", { value });
  show(
    $("totals"),
    totalOf(
      t("page.dealt_in"),
      String(whole.deal_ins),
      expected(whole.expected_deal_ins.toFixed(2)),
    ),
    totalOf(t("page.lost_by_ron"), points(lost), expected(points(expected_lost))),
    agreement(),
  );
}
/** @param {string} name @param {string} value @param {string} note */
const totalOf = (name, value, note) =>
  el("div", {}, el("dt", {}, name), el("dd", {}, value, el("small", {}, ` ${note}`)));

/* How many decisions are those of the player, and the value that the others lose. */
function agreement() {
  const { agreement: same } = currentSummary();
  if (!same) return null;
  const { n, agrees, value_lost, value_gained } = same;
  if (value_lost === null || value_gained === null)
    return totalOf(t("page.same_discard_as"), String(agrees), t("page.of_discards", { n }));
  /** @param {string} value */
  const usually = (value) => t("page.usually", { value });
  return [
    totalOf(
      t("page.same_as"),
      `${percent(agrees / n, 0)}%`,
      t("page.of_decisions", { n }) + usually(`${percent(game.usual.agrees, 0)}%`),
    ),
    totalOf(
      t("page.lost"),
      points(value_lost),
      t("page.lose_more", { share: same.percentile ?? 0 }),
    ),
    totalOf(
      t("page.net"),
      signed(value_gained - value_lost),
      t("page.with_gains", { value: points(value_gained) }),
    ),
  ];
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
    const { discards, deal_ins } = currentSummary().rounds[i];
    const gain = signed(round.balance);
    const text = t("page.round_summary", {
      round: roundName(round),
      n: discards,
      points: gain,
    });
    return el(
      "a",
      {
        // with the page's own address: axe takes a link that begins with # for a skip link
        href:
          round.decisions.length > 0 &&
          `${location.href.split("#")[0]}#${address({ round: i, step: 0 })}`,
        "data-round": i,
        class: deal_ins > 0 && "dealt",
        title: text + (deal_ins ? t("page.round_dealt_in") : ""),
      },
      shortRoundName(round),
      round.honba > 0 && el("sup", {}, String(round.honba)),
      el("small", {}, ` ${gain}`),
      el("b", { class: "price ron" }),
    );
  });
  show($("rounds"), links);
}

/* ---- the lists ---- */

function lists() {
  show($("skim"), filters(), listed().length > 0 && mistakeList(listed()));
  for (const node of $("rounds").children) {
    const ofRound = mistakes().filter(
      ({ round }) => String(round) === node.getAttribute("data-round"),
    );
    const lost = total(ofRound.map((choice) => choice.value_lost));
    show(node.querySelector(".price") ?? node, lost > 0 && ` −${points(lost)}`);
  }
  const discards = discardsOf(currentReview()).filter(
    ({ decision }) => discardRisk(decision).deal_in > 0 && !decision.seats[0].riichi,
  );
  /** @param {"deal_in" | "points"} key */
  const largest = (key) =>
    [...discards].sort(by(({ decision }) => discardRisk(decision)[key])).slice(0, MOST_LISTED);
  show(
    $("lists"),
    courseSection(),
    classTable(),
    discardList("page.most_dangerous", "page.sorted_by_risk", largest("deal_in")),
    discardList("page.costliest", "page.sorted_by_points", largest("points")),
    luckTable(),
  );
}

/* The choices that certainly lose at least the limit, by loss. */
const mistakes = () =>
  currentSummary()
    .mistakes.map((index) => currentReview().choices[index])
    .filter((choice) => choice.value_lost >= state.limit);

function mistakeButtons() {
  for (const id of ["previous-mistake", "next-mistake"]) $(id).hidden = !stops().length;
}

/* A line a mistake: where, what instead of what, why, and the price. */
/** @param {ReviewedChoice[]} choices */
function mistakeList(choices) {
  /** @param {ReviewedChoice} choice */
  const row = (choice) => [
    el("a", { href: `#${address(choice)}`, title: turnName(choice) }, ...shortPlace(choice)),
    [
      shortAction(chosenAction(choice)),
      " → ",
      el("span", { class: "advised" }, shortAction(betterAction(choice))),
      choice.grade &&
        el("small", { class: "clause" }, t(`page.grade.${choice.grade}`), firstReason(choice)),
    ],
    choice.grade && [
      el("b", { class: "ron" }, `−${valueText(choice.value_lost)}`),
      el("small", {}, ` ± ${points(choice.uncertainty)}`),
    ],
  ];
  const hasPrices = choices[0].grade !== null;
  /** @type {Column[]} */
  const columns = [
    ["place", t("page.turn")],
    ["action", `${t("page.chosen")} → ${t(hasPrices ? "page.advised" : "page.would_do")}`],
    ["number", hasPrices && t("page.lost")],
  ];
  const note = hasPrices ? "page.sorted_by_loss" : "page.filter.unexplained";
  return listOf("page.mistakes", note, columns, choices.map(row));
}

/** @param {Place} at @returns {Child[]} */
function shortPlace({ round, step }) {
  const { decisions, ...named } = currentReview().rounds[round];
  const honba = named.honba > 0 && el("sup", {}, String(named.honba));
  return [shortRoundName({ decisions, ...named }), honba, ` ${decisions[step].turn}`];
}

/* Of a discard the picture alone. */
/** @param {ActionName} action */
const shortAction = (action) =>
  action.verb === "discard" ? small(action.tiles[0], 18) : actionTiles(action);

/* The advised action of a mistake, else that of the engine that would have done something else. */
/** @param {ReviewedChoice} choice */
const betterAction = (choice) =>
  choice.beside.find(({ action }) => !choice.grade && action && !same(action, chosenAction(choice)))
    ?.action ?? advisedAction(choice);

/* The first clause behind the comparison of a sentence. */
/** @param {ReviewedChoice} choice */
function firstReason(choice) {
  const [, clause = ""] = (choice.why?.[state.language] ?? "").split(/[:：]\s*/);
  return clause && ` · ${clause}`;
}

/** @param {string} title @param {string} note @param {(Place & { decision: Discard })[]} discards */
function discardList(title, note, discards) {
  /** @param {Place & { decision: Discard }} discard */
  const row = ({ decision, ...at }) => {
    const risk = discardRisk(decision);
    const [[safest, least]] = Object.entries(decision.risks).sort(
      ([, one], [, two]) => one.deal_in - two.deal_in || one.points - two.points,
    );
    return [
      link(at),
      small(discarded(decision), 20),
      `${percent(risk.deal_in)}%`,
      points(risk.points),
      [small(safest, 20), ` ${percent(least.deal_in)}%`],
      decision.rons.length > 0 &&
        el("b", { class: "ron" }, t("page.dealt_in_lost", { points: points(lostByRon(decision)) })),
    ];
  };
  /** @type {Column[]} */
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

/** @param {Place} at */
const link = (at) => el("a", { href: `#${address(at)}` }, turnName(at));
/** @param {Place} at */
function turnName(at) {
  const round = currentReview().rounds[at.round];
  const { turn } = round.decisions[at.step];
  return t("page.round_and_turn", { round: roundName(round), turn });
}

/** @param {string} title @param {string} note @param {Column[]} columns @param {Child[][]} rows @param {(row: number) => string | null} [rowClass] */
function listOf(title, note, columns, rows, rowClass) {
  const name = title.replace("page.", "");
  const isLinked = rows.flat(2).some((child) => child instanceof HTMLAnchorElement);
  return el(
    "section",
    {
      class: `panel list ${name}`,
      "aria-label": t(title),
      tabindex: isLinked ? null : 0, // it may scroll
    },
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
  w: "quiz",
  v: "answer",
  b: "bars",
};

const help = () => elementOf("help", HTMLDialogElement);

function helpPage() {
  const reasonNames = Object.keys(game.texts[state.language])
    .filter((key) => key.startsWith("glossary."))
    .map((key) => key.replace("glossary.", ""));
  const definitions = reasonNames.flatMap((name) => [
    el("dt", { id: `entry-${name}`, tabindex: -1 }, t(`reason.${name}`, { n: "n" })),
    el("dd", {}, t(`glossary.${name}`, { n: "n" })),
  ]);
  const keys = Object.entries(KEY_NAMES).flatMap(([key, name]) => [
    el("dt", {}, key),
    el("dd", {}, t(`page.key.${name}`)),
  ]);
  show(
    help(),
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
/** @param {string} name */
function showEntry(name) {
  help().showModal();
  const entry = $(`entry-${game.terms[name][0].replace("reason.", "")}`);
  entry.scrollIntoView({ block: "center" });
  entry.focus();
}

atReview.push(players, totals, seats, rounds, helpPage);
