// @ts-check
/* What other engines would have done: at this decision, and how often they agree in the game. */

/** @param {ActionName} action @param {ActionName} other */
const same = (action, other) =>
  action.verb === other.verb &&
  (action.verb === "riichi" || String(action.tiles) === String(other.tiles));

/* Whether an engine would have done something else, and whether it would have done as advised. */
/** @param {ReviewedChoice} choice */
const isOpposed = (choice) =>
  choice.beside.some(({ action }) => action && !same(action, chosenAction(choice)));
/** @param {ReviewedChoice} choice */
const isShared = (choice) =>
  choice.value_lost > 0 &&
  isOpposed(choice) &&
  choice.beside.some(({ action }) => action && same(action, advisedAction(choice)));

/* The choices of a list; without a filter these are the mistakes. */
/** @type {Record<string, (choice: ReviewedChoice) => boolean>} */
const FILTERS = {
  both: isShared,
  explained: (choice) => choice.value_lost > 0 && isOpposed(choice),
  unexplained: (choice) => choice.value_lost === 0 && isOpposed(choice),
};
function listed(filter = state.filter) {
  if (filter === "unexplained") return currentReview().choices.filter(FILTERS.unexplained);
  return mistakes().filter(FILTERS[filter] ?? (() => true));
}

function filters() {
  if (!currentReview().beside.length) return null;
  const options = ["all", ...Object.keys(FILTERS)].map((value) =>
    el(
      "option",
      { value, selected: value === state.filter },
      `${t(`page.filter.${value}`)} (${listed(value).length})`,
    ),
  );
  const onchange = () => {
    state.filter = elementOf("filter", HTMLSelectElement).value;
    setLimit(state.limit);
    $("filter").focus();
  };
  return el("select", { id: "filter", "aria-label": t("page.mistakes"), onchange }, options);
}

function besidePanel() {
  const { beside: engines } = currentReview();
  const choice = currentChoice();
  $("beside").hidden = !engines.length || !choice;
  if (!engines.length || !choice) return;
  /** @param {number} number @param {number} of */
  const shareOf = (number, of) => (of ? percentText(number / of) : "–");
  const rows = engines.map(({ name, choices, answered, played, advised }, i) => {
    const { action: answer, absent } = choice.beside[i];
    const marks = [
      answer && same(answer, chosenAction(choice)) && el("b", { class: "discarded" }, " ▲"),
      answer && same(answer, advisedAction(choice)) && el("b", { class: "advised" }, " ◆"),
    ];
    return [
      name,
      answer
        ? [actionTiles(answer), marks, givenText(choice.beside[i])]
        : el(
            "span",
            { class: "faint", title: absent ?? "" },
            t(absent ? "page.no_answer" : "page.not_asked"),
          ),
      shareOf(answered, choices),
      shareOf(played, answered),
      shareOf(advised, answered),
    ];
  });
  /** @param {string} mark @param {string} key */
  const share = (mark, key) => el("span", { title: `${t(key)}, ${t("page.game")}` }, mark);
  /** @type {Column[]} */
  const columns = [
    ["row", t("page.engine")],
    ["", t("page.would_do")],
    ["number", t("page.answered")],
    ["number", share("▲", "page.chosen")],
    ["number", share("◆", "page.advised")],
  ];
  const absences = engines.map(
    ({ name, absent }) =>
      absent && el("p", {}, `${name}: ${t("page.no_answer")}: ${absent[state.language]}`),
  );
  const agreements = engines.map(({ name }, i) => {
    const { action } = choice.beside[i];
    const key = action && same(action, advisedAction(choice)) ? "with_values" : "against_values";
    return action && el("p", {}, t(`page.${key}`, { name }));
  });
  show(
    $("beside"),
    el("h3", {}, t("page.beside")),
    tableOf(columns, rows),
    ...agreements,
    ...readHands(currentDecision()),
    ...absences,
  );
}

/* What an engine gives its action and, where it differs, that of the log. */
/** @param {AnswerBeside} answer */
function givenText({ gives, gives_chosen: yours }) {
  if (!gives) return "";
  /** @param {EngineValue} given */
  const text = ({ value, probability: p }) =>
    [p === null ? "" : percentText(p), value === null ? "" : value.toFixed(2).replace("-", "−")]
      .filter(Boolean)
      .join(" · ");
  const its = text(gives);
  const key = yours && text(yours) !== its ? "page.gives_yours" : "page.gives";
  return el("div", {}, el("small", {}, t(key, { its, yours: yours ? text(yours) : "" })));
}

const LEAST_READ = 0.1; // unit: probability of tenpai
/* A line for each opponent who may be tenpai: the own tile with the highest risk. */
/** @param {ReviewedPosition} decision */
function readHands({ tenpai, risks }) {
  const opponents = [0, 1, 2].filter((i) => tenpai[i] >= LEAST_READ);
  return opponents.map((i) => {
    const [[tile, risk]] = Object.entries(risks).sort(
      ([, one], [, other]) => other.by_opponent[i] - one.by_opponent[i],
    );
    const values = {
      place: place(i + 1),
      tenpai: percent(tenpai[i], 0),
      tile: tileLabel(tile),
      risk: percent(risk.by_opponent[i]),
      points: points(risk.points_by_opponent[i]),
    };
    return el(
      "p",
      { class: `faint seat${i + 1}` },
      symbol(i + 1),
      ` ${t("page.read_hand", values)}`,
    );
  });
}

atDecision.push(besidePanel);
