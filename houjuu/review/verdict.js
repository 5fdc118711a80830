// @ts-check
/* The verdict on the decision, and the chosen beside the advised action; the data have both. */

/** @param {number} round @param {number} step */
const choiceAt = (round, step) =>
  currentReview().choices.find((choice) => choice.round === round && choice.step === step) ?? null;
const currentChoice = () => choiceAt(state.round, state.step);
/** @param {ReviewedChoice} choice */
const chosenAction = ({ actions, chosen }) => actions[chosen];
/** @param {ReviewedChoice} choice */
const advisedAction = ({ actions }) => actions[0];

function verdict() {
  const decision = currentDecision();
  const choice = currentChoice();
  const kind = choice ? ` · ${t(`page.kind.${choice.kind}`)}` : "";
  show(
    $("where"),
    roundName(currentRound()),
    el("small", {}, isByHand() ? "" : ` ${turnText()}`, kind),
  );
  $("clean").hidden = !isClean();
  show(
    $("clean"),
    el("b", {}, t("page.no_mistake", { n: state.limit })),
    t("page.no_mistake_note"),
  );
  show(
    $("verdict"),
    choice ? verdictOf(choice) : isDiscard(decision) && verdictOfDiscard(decision),
    decision.illegal && el("b", { class: "ron" }, t("page.illegal")),
    decision.rons.length > 0 &&
      el(
        "b",
        { class: "ron" },
        `✕ ${t("page.dealt_in_lost", { points: points(lostByRon(decision)) })}`,
      ),
  );
}
/* Whether the page opens here although, or because, no decision of the game is a mistake. */
function isClean() {
  const { round, step } = opening();
  const isOpening = round === state.round && step === state.step;
  return isOpening && !isByHand() && currentReview().choices.length > 0 && !mistakes().length;
}
const turnText = () =>
  t("page.turn_of", { turn: currentDecision().turn, n: lastTurn(currentRound()) });

/** @param {ReviewedChoice} choice */
function verdictOf(choice) {
  const { school } = choice;
  return [
    !isByHand() && madeMark(chosenAction(choice)),
    (choice.chosen > 0 || isByHand()) && advisedMark(advisedAction(choice)),
    school !== null &&
      school !== choice.chosen &&
      marked("school", "page.school", "◇", choice.actions[school]),
    el("span", { class: "price", title: t("page.value_unit") }, priceOf(choice)),
  ];
}

/* The grade with the price and its uncertainty, or why there is none. */
/** @param {ReviewedChoice} choice @returns {Child} */
function priceOf(choice) {
  const { value_lost: lost, value_gained: gained, repeats, grade } = choice;
  const half = `± ${points(choice.uncertainty)}`;
  if (grade)
    return [
      el("b", { class: `grade ${grade}` }, t(`page.grade.${grade}`)),
      el("b", { class: "ron" }, " ", t("page.value", { value: `−${valueText(lost)}` })),
      el("small", {}, ` ${half}`),
    ];
  if (repeats !== null) return t("page.repeats", { turn: repeats });
  if (choice.school !== null) return t("page.two_schools");
  if (choice.agrees) return !isByHand() && t("page.advised_chosen");
  if (gained) return [t("page.gained", { value: valueText(gained) }), el("small", {}, ` ${half}`)];
  return t("page.close_call");
}

/* Without values: the discard, the advised one, and the price of the discard. */
/** @param {Discard} decision */
function verdictOfDiscard(decision) {
  const made = discarded(decision);
  const { advice } = decision;
  return [
    madeMark(discardOf(made)),
    advice !== null && advice !== made && advisedMark(discardOf(advice)),
    el("span", { class: "price" }, riskParts(decision.risks[made])),
  ];
}

/** @param {string} tile @returns {ActionName & { discard?: string }} */
const discardOf = (tile) => ({ verb: "discard", tiles: [tile] });
/** @param {ActionName & { discard?: string }} action */
const madeMark = (action) => marked("discarded", "page.chosen", "▲", action);
/** @param {ActionName & { discard?: string }} action */
const advisedMark = (action) => marked("advised", "page.advised", "◆", action);
/** @param {string} name @param {string} key @param {string} mark @param {ActionName & { discard?: string }} action */
const marked = (name, key, mark, action) =>
  el("span", { class: name, title: t(key) }, `${mark}\u00a0`, actionTiles(action));

/* An action as a verb and tiles, with the discard after a call. */
/** @param {ActionName & { discard?: string }} action @returns {Child[]} */
function actionTiles({ verb, tiles, discard }) {
  const pictures = el(
    "span",
    {},
    tiles.map((tile, i) => [i ? " " : "", small(tile, 18)]),
  );
  const next = discard ? [" ", actionTiles(discardOf(discard))] : [];
  return [el("b", {}, parts(`page.action.${verb}`, { tiles: pictures })), next];
}

/* The class of a mistake and the sentence, which the data have in every language. */
function why() {
  const choice = currentChoice();
  const sentence = choice?.why?.[state.language];
  $("why").hidden = !sentence;
  show(
    $("why"),
    choice?.mistake ? [el("b", {}, t(`page.class.${choice.mistake}`)), " · "] : "",
    sentence ?? "",
  );
}

/* ---- the comparison ---- */

/** @param {number} p */
const percentText = (p) => `${percent(p)}%`;
/* How a figure and a difference are shown, by the name of the figure. */
/** @type {Record<Figure, ((value: number) => string)[]>} */
const FIGURES = {
  value: [valueText, signed],
  win: [percentText, signedPercent],
  deal_in: [percentText, signedPercent],
  shanten: [(value) => shantenText(value), signed],
  useful_tiles: [points, signed],
};

function comparisonPanel() {
  const choice = currentChoice();
  $("compared").hidden = !choice?.comparison.length;
  if (!choice?.comparison.length) return;
  /** @type {Column[]} */
  const columns = [
    ["row", ""],
    ["number", actionHeading(chosenAction(choice), "chosen", "▲")],
    ["number", actionHeading(advisedAction(choice), "advised", "◆")],
    ["number", t("page.difference")],
  ];
  const rows = choice.comparison.map(({ name, chosen, advised, difference }) => {
    const [format, formatDifference] = FIGURES[name];
    return [
      t(`page.figure.${name}`),
      format(chosen),
      format(advised),
      formatDifference(difference),
    ];
  });
  show($("compared"), el("h2", {}, t("page.compared")), tableOf(columns, rows));
}

/** @param {ValuedAction} action @param {"chosen" | "advised"} role @param {string} mark */
const actionHeading = (action, role, mark) => [
  el(
    "span",
    { class: role === "chosen" ? "discarded" : "advised" },
    `${mark}\u00a0${t(`page.${role}`)}`,
  ),
  el("span", { class: "action" }, actionTiles(action)),
];

atDecision.push(verdict, why, comparisonPanel);
