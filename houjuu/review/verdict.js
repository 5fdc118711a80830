/* The verdict on the decision, and the chosen beside the advised action; the data have both. */

function verdict() {
  const decision = currentDecision();
  const [choice] = choicesAt(currentReview(), state.round, state.turn);
  const kind = choice ? ` · ${t(`page.kind.${choice.kind}`)}` : "";
  show($("where"), roundName(currentRound()), el("small", {}, ` ${turnText()}${kind}`));
  show(
    $("verdict"),
    choice ? verdictOf(choice) : verdictOfDiscard(decision),
    decision.rons.length > 0 &&
      el("b", { class: "ron" }, `✕ ${t("page.dealt_in_lost", { points: points(lostByRon(decision)) })}`),
  );
  comparisonPanel(choice);
}

function verdictOf(choice) {
  const { chosen, advised, value_lost: lost } = choice;
  const note = choice.agrees ? "page.advised_chosen" : "page.other_preferred";
  return [
    madeAction(chosen, actionOf(choice, chosen).discard),
    chosen !== advised && advisedAction(advised, actionOf(choice, advised).discard),
    lost > 0
      ? el(
          "span",
          { class: "price", title: t("page.value_unit") },
          el("b", { class: "ron" }, t("page.value", { value: `−${valueText(lost)}` })),
          el("small", {}, ` ${t("page.value_of")}`),
        )
      : el("span", { class: "price faint" }, t(note)),
  ];
}

/* Without values: the discard, the advised one, and the price of the discard. */
function verdictOfDiscard(decision) {
  if (!isDiscard(decision)) return [];
  const made = discarded(decision);
  const { advice } = decision;
  return [
    madeAction(`discard ${made}`),
    advice !== null && advice !== made && advisedAction(`discard ${advice}`),
    el("span", { class: "price" }, riskParts(decision.risks[made])),
  ];
}

const madeAction = (...action) =>
  el("span", { class: "discarded", title: t("page.chosen") }, "▲\u00a0", actionTiles(...action));
const advisedAction = (...action) =>
  el("span", { class: "advised", title: t("page.advised") }, "◆\u00a0", actionTiles(...action));

/* An action as a verb and tiles, with the discard after a call. */
function actionTiles(action, discard) {
  const [verb, notation] = action.split(" ");
  const tiles = el("span", {}, tilesOf(notation ?? "").map((tile, i) => [i ? " " : "", small(tile, 18)]));
  const next = discard ? [" ", actionTiles(`discard ${discard}`)] : [];
  return [el("b", {}, parts(`page.action.${verb}`, { tiles })), next];
}

/* "0678m" as ["0m", "6m", "7m", "8m"]. */
const tilesOf = (notation) => [...notation.slice(0, -1)].map((rank) => rank + notation.at(-1));

/* ---- the comparison ---- */

const signedPercent = (p) => `${p > 0 ? "+" : p < 0 ? "−" : "±"}${percent(Math.abs(p))}%`;
/* How a figure and a difference are shown, by the name of the figure. */
const FIGURES = {
  value: [valueText, signed],
  win: [(p) => `${percent(p)}%`, signedPercent],
  deal_in: [(p) => `${percent(p)}%`, signedPercent],
  shanten: [shantenText, signed],
  useful_tiles: [points, signed],
};

function comparisonPanel(choice) {
  const figures = choice?.comparison ?? [];
  $("compared").hidden = !figures.length;
  if (!figures.length) return;
  const columns = [
    ["row", ""],
    ["number", actionHeading(choice, "chosen", "▲")],
    ["number", actionHeading(choice, "advised", "◆")],
    ["number", t("page.difference")],
  ];
  const rows = figures.map(({ name, chosen, advised, difference }) => {
    const [format, formatDifference] = FIGURES[name];
    return [t(`page.figure.${name}`), format(chosen), format(advised), formatDifference(difference)];
  });
  show($("compared"), el("h2", {}, t("page.compared")), tableOf(columns, rows));
}

const actionHeading = (choice, role, sign) => [
  el("span", { class: role === "chosen" ? "discarded" : "advised" }, `${sign}\u00a0${t(`page.${role}`)}`),
  el("span", { class: "action" }, actionTiles(choice[role], actionOf(choice, choice[role]).discard)),
];
