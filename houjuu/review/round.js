// @ts-check
/* The opponents and the round: cards, tenpai and risk by turn, the result. */

function cards() {
  const decision = currentDecision();
  show(
    $("cards"),
    [1, 2, 3].map((seat) => {
      const p = decision.tenpai[seat - 1];
      const riichi = decision.seats[seat].riichi;
      return el(
        "button",
        {
          class: `card seat${seat}`,
          "aria-pressed": String(seat === state.seat),
          onclick: () => selectOpponent(seat),
        },
        el("span", {}, symbol(seat), el("b", {}, place(seat)), ` ${windSign(seat)}`),
        el("span", { class: "player" }, currentReview().names[seat]),
        el(
          "span",
          { class: "p" },
          `${percent(p, 0)}%`,
          el("small", {}, ` ${t(riichi ? "term.riichi" : "page.tenpai")}`),
          decision.silent[seat - 1] && el("small", {}, ` (${t("page.silent")})`),
        ),
        el("span", { class: "meter" }, el("i", { style: `width:${100 * p}%` })),
      );
    }),
  );
}

const PLOT = { left: 34, right: 8, width: 380 };
/** @param {SVGSVGElement} node @param {number} height @param {number} top @param {string} label */
function frame(node, height, top, label) {
  const { decisions } = currentRound();
  const n = decisions.length;
  const plotWidth = PLOT.width - PLOT.left - PLOT.right;
  /** @param {number} step */
  const x = (step) => PLOT.left + ((step + 0.5) * plotWidth) / n;
  /** @param {number} p */
  const y = (p) => height - 18 - ((height - 26) * p) / top;
  const columns = decisions.map((_, step) =>
    svg("rect", {
      class: step === state.step ? "column current" : "column",
      x: x(step) - plotWidth / n / 2,
      y: 4,
      width: plotWidth / n,
      height: height - 20,
      onclick: () => go({ round: state.round, step }),
    }),
  );
  const lines = [0, top / 2, top].map((p) => [
    svg("line", {
      class: "grid",
      x1: PLOT.left,
      x2: PLOT.width - PLOT.right,
      y1: y(p),
      y2: y(p),
    }),
    svg(
      "text",
      { class: "tick", x: PLOT.left - 4, y: y(p) + 3.5, "text-anchor": "end" },
      `${percent(p, 0)}%`,
    ),
  ]);
  const labelStep = n > 14 ? 2 : 1;
  const labels = decisions.map(
    ({ turn }, step) =>
      step % labelStep === 0 &&
      svg(
        "text",
        { class: "tick", x: x(step), y: height - 5, "text-anchor": "middle" },
        String(turn),
      ),
  );
  node.setAttribute("viewBox", `0 0 ${PLOT.width} ${height}`);
  node.setAttribute("aria-label", label);
  return { x, y, background: [lines, labels, columns], columnWidth: plotWidth / n };
}

/* Whether a hand is likely silent here for the first time in a row of decisions. */
/** @param {number} step @param {number} seat */
function isFirstSilent(step, seat) {
  const { decisions } = currentRound();
  return decisions[step].silent[seat - 1] && !decisions[step - 1]?.silent[seat - 1];
}

function tenpaiPlot() {
  const { decisions } = currentRound();
  const last = decisions[decisions.length - 1].tenpai
    .map((p, i) => `${place(i + 1)} ${percent(p, 0)}%`)
    .join(t("page.comma"));
  const { x, y, background } = frame(
    drawing("tenpai"),
    150,
    1,
    t("page.tenpai_plot", { round: roundName(currentRound()), last }),
  );
  const series = [3, 2, 1].map((seat) => {
    const vertices = decisions.map(({ tenpai }, step) => [x(step), y(tenpai[seat - 1])]);
    return svg(
      "g",
      { class: `line seat${seat}` },
      svg("polyline", { points: vertices.map((vertex) => vertex.join()).join(" ") }),
      vertices.map(([px, py], step) => [
        svg("path", {
          d: SYMBOLS[seat],
          transform: `translate(${px - 3.5} ${py - 3.5}) scale(.7)`,
        }),
        isFirstSilent(step, seat) &&
          svg(
            "text",
            { class: "tick silent", x: px, y: py - 7, "text-anchor": "middle" },
            t("page.silent"),
          ),
      ]),
    );
  });
  show(drawing("tenpai"), background, series);
}

function riskPlot() {
  const { decisions } = currentRound();
  const made = decisions.filter(isDiscard);
  const most = Math.max(0, ...made.map((decision) => discardRisk(decision).deal_in));
  const ron = decisions.find((decision) => decision.rons.length > 0);
  const label =
    t("page.risk_plot", { most: percent(most) }) +
    (ron ? t("page.risk_plot_ron", { turn: ron.turn }) : "");
  const top = Math.max(0.1, Math.ceil(most * 10) / 10);
  const { x, y, background, columnWidth } = frame(drawing("risk"), 124, top, label);
  const width = Math.min(18, columnWidth * 0.7);
  const bars = decisions.map(
    (decision, step) => isDiscard(decision) && riskBar(decision, x(step), y, width),
  );
  show(drawing("risk"), background, bars);
  const advice = game.player ? ` ◆ ${t("page.advice")}` : "";
  show(
    $("risk-key"),
    t("page.risk_by_turn"),
    el("small", {}, ` – ${t("page.lowest_in_hand")}${advice} ✕ ${t("page.dealt_in")}`),
  );
}

/* The risk of a discard, the lowest in hand, that of the advised tile, and a deal-in. */
/** @param {Discard} decision @param {number} x @param {(p: number) => number} y @param {number} width */
function riskBar(decision, x, y, width) {
  const risk = discardRisk(decision);
  const lowest = Math.min(...Object.values(decision.risks).map((risk) => risk.deal_in));
  return svg(
    "g",
    {},
    svg("rect", {
      class: "risk",
      x: x - width / 2,
      y: y(risk.deal_in),
      width,
      height: y(0) - y(risk.deal_in),
      style: `fill:${colour(risk)}`,
    }),
    svg("line", {
      class: "lowest",
      x1: x - width / 2 - 2,
      x2: x + width / 2 + 2,
      y1: y(lowest),
      y2: y(lowest),
    }),
    decision.advice !== null &&
      decision.advice !== discarded(decision) &&
      svg("path", {
        class: "advised",
        d: "M0-4L3.5 0 0 4-3.5 0z",
        transform: `translate(${x} ${y(decision.risks[decision.advice].deal_in)})`,
      }),
    decision.rons.length > 0 &&
      svg("path", {
        class: "ron",
        d: "M-5-5L5 5M5-5L-5 5",
        transform: `translate(${x} ${Math.max(y(risk.deal_in) - 9, 10)})`,
      }),
  );
}

function roundResult() {
  const results = currentRound().results.map((result) =>
    "draw" in result
      ? el("p", {}, parts("page.draw", { reason: el("b", {}, t(`draw.${result.draw}`)) }))
      : el("div", {}, el("p", {}, winSentence(result)), winTiles(result)),
  );
  const gains = el(
    "p",
    { class: "faint" },
    (currentRound().deltas ?? [])
      .map((delta, seat) => `${place(seat)} ${signed(delta)}`)
      .join(" · "),
  );
  show($("result"), el("h3", {}, t("page.result")), results, gains);
}

/** @param {WinResult} result */
function winSentence(result) {
  const tsumo = result.source === result.winner;
  const names = { winner: place(result.winner), source: place(result.source) };
  const value =
    result.points === null ? "" : t("page.win_points", { points: points(result.points) });
  return [
    el("b", {}, t(tsumo ? "page.tsumo" : "page.ron", names)),
    `${value} `,
    el("span", { class: "faint" }, result.yaku.map(yaku).join(t("page.comma"))),
  ];
}

/** @param {WinResult} result */
function winTiles(result) {
  return el(
    "p",
    { class: "row" },
    result.hand.map((tile) => small(tile, 18)),
    result.melds.map((meld) => [
      el("i", {}),
      [...meld.own, ...meld.called].map((tile) => small(tile, 18)),
    ]),
    el("i", {}),
    small(result.tile, 18),
  );
}

atDecision.push(cards, tenpaiPlot, riskPlot, roundResult);
