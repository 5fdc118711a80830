// @ts-check
/* What other engines would have done: at this decision, and how often they agree in the game. */

function besidePanel() {
  const { beside: engines } = currentReview();
  const choice = currentChoice();
  $("beside").hidden = !engines.length || !choice;
  if (!engines.length || !choice) return;
  /** @param {ActionName} action @param {ActionName} other */
  const same = (action, other) =>
    action.verb === other.verb &&
    (action.verb === "riichi" || String(action.tiles) === String(other.tiles));
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
        ? [actionTiles(answer), marks]
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
  show($("beside"), el("h3", {}, t("page.beside")), tableOf(columns, rows), ...absences);
}

atDecision.push(besidePanel);
