/* The selected tile, the opponents, the round. */

function detail() {
  const decision = currentDecision();
  const tile = decision.hand[state.tile];
  const risk = decision.risks[tile];
  const most = Math.max(...risk.by_opponent, 0.05);
  const rows = risk.by_opponent.map((p, i) =>
    el(
      "tr",
      { class: `seat${i + 1}` },
      el("th", { scope: "row" }, symbol(i + 1), PLACES[i + 1]),
      el(
        "td",
        {},
        el("span", { class: "meter" }, el("i", { style: `width:${(100 * p) / most}%` })),
      ),
      el("td", {}, `${percent(p, 2)}%`),
      el("td", {}, points(risk.points_by_opponent[i])),
      el("td", { class: "faint" }, risk.genbutsu[i] ? "genbutsu" : decision.opponent_types[i]),
    ),
  );
  const average =
    risk.any > 0.0005
      ? ` · about ${points(Math.round(risk.points / risk.any / 100) * 100)} per deal-in`
      : "";
  show(
    $("tile"),
    el(
      "div",
      { class: "selected" },
      small(tile, 42),
      el(
        "div",
        {},
        el("h2", {}, tileLabel(tile)),
        el(
          "p",
          {},
          "deals in ",
          el("b", { id: "any" }, `${percent(risk.any, 2)}%`),
          " · expected loss ",
          el("b", { id: "points" }, points(risk.points)),
          ` points${average}`,
        ),
      ),
    ),
    el(
      "table",
      {},
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("td", {}),
          el("td", {}),
          ["deals in", "points", "opponent"].map((name) => el("th", { scope: "col" }, name)),
        ),
      ),
      el("tbody", {}, rows),
    ),
    reasons(decision, tile),
  );
}

function reasons(decision, tile) {
  const seat = state.seat;
  const explanation = decision.explanations[plain(tile)][seat - 1];
  const section = (title, terms, sum) =>
    terms.length > 0 && el("div", { class: "terms" }, el("h3", {}, title), bars(terms, sum));
  const p = decision.risks[tile].by_opponent[seat - 1];
  const tenpai = decision.tenpai[seat - 1];
  return el(
    "div",
    { class: `reasons seat${seat}` },
    el("h2", {}, symbol(seat), `${PLACES[seat]}: why ${percent(p, 2)}%`),
    section(decision.melded[seat - 1] ? "score of the hand" : "wait", explanation.terms, p),
    section("reasons", explanation.reasons, p),
    section(`reasons for tenpai ${percent(tenpai)}%`, decision.tenpai_reasons[seat - 1], tenpai),
    !explanation.terms.length &&
      !explanation.reasons.length &&
      el(
        "p",
        { class: "faint" },
        decision.risks[tile].genbutsu[seat - 1]
          ? "Genbutsu: no ron, because of furiten."
          : "The risk is negligible.",
      ),
  );
}

const MOST_BARS = 10; // terms of a list; one line sums up the others
function bars(terms, sum) {
  const shown = terms.slice(0, MOST_BARS).map(([index, p]) => [game.reason_names[index], p]);
  const rest = sum - shown.reduce((total, [, p]) => total + p, 0);
  if (Math.abs(rest) >= 0.00005) shown.push(["others", rest]);
  const most = Math.max(...shown.map(([, p]) => Math.abs(p)));
  return el(
    "table",
    {},
    el(
      "tbody",
      {},
      shown.map(([name, p]) => {
        const width = `width:${(50 * Math.abs(p)) / most}%`;
        return el(
          "tr",
          {},
          el("td", {}, name),
          el(
            "td",
            {},
            el(
              "span",
              { class: p < 0 ? "meter signed negative" : "meter signed" },
              el("i", { style: width }),
            ),
          ),
          el("td", {}, (p < 0 ? "−" : "+") + percent(Math.abs(p), 2)),
        );
      }),
    ),
  );
}

/* ---- the opponents and the round ---- */

const SYMBOLS = ["", "M5 1a4 4 0 1 0 .01 0z", "M1.5 1.5h7v7h-7z", "M5 1l4.3 7.8H.7z"];
const symbol = (seat) =>
  svg(
    "svg",
    { class: `symbol seat${seat}`, viewBox: "0 0 10 10", "aria-hidden": true },
    svg("path", { d: SYMBOLS[seat] }),
  );

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
        el("span", {}, symbol(seat), el("b", {}, PLACES[seat]), ` ${wind(seat)[0]}`),
        el("span", { class: "player" }, game.names[seat]),
        el(
          "span",
          { class: "p" },
          `${percent(p, 0)}%`,
          el("small", {}, riichi ? " riichi" : " tenpai"),
        ),
        el("span", { class: "meter" }, el("i", { style: `width:${100 * p}%` })),
      );
    }),
  );
}

const PLOT = { left: 34, right: 8, width: 380 };
function frame(node, height, top, label) {
  const n = currentRound().decisions.length;
  const plotWidth = PLOT.width - PLOT.left - PLOT.right;
  const x = (turn) => PLOT.left + ((turn + 0.5) * plotWidth) / n;
  const y = (p) => height - 18 - ((height - 26) * p) / top;
  const columns = Array.from({ length: n }, (_, turn) =>
    svg("rect", {
      class: turn === state.turn ? "column current" : "column",
      x: x(turn) - plotWidth / n / 2,
      y: 4,
      width: plotWidth / n,
      height: height - 20,
      onclick: () => go(state.round, turn),
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
  const labels = Array.from(
    { length: n },
    (_, turn) =>
      turn % labelStep === 0 &&
      svg(
        "text",
        { class: "tick", x: x(turn), y: height - 5, "text-anchor": "middle" },
        String(turn + 1),
      ),
  );
  node.setAttribute("viewBox", `0 0 ${PLOT.width} ${height}`);
  node.setAttribute("aria-label", label);
  return { x, y, background: [lines, labels, columns], columnWidth: plotWidth / n };
}

function tenpaiPlot() {
  const turns = currentRound().decisions;
  const last = turns[turns.length - 1].tenpai
    .map((p, i) => `${PLACES[i + 1]} ${percent(p, 0)} percent`)
    .join(", ");
  const { x, y, background } = frame(
    $("tenpai"),
    150,
    1,
    `P(tenpai) by turn of ${roundName(currentRound())}; at the end: ${last}`,
  );
  const series = [3, 2, 1].map((seat) => {
    const vertices = turns.map((decision, turn) => [x(turn), y(decision.tenpai[seat - 1])]);
    return svg(
      "g",
      { class: `line seat${seat}` },
      svg("polyline", { points: vertices.map((vertex) => vertex.join()).join(" ") }),
      vertices.map(([px, py]) =>
        svg("path", {
          d: SYMBOLS[seat],
          transform: `translate(${px - 3.5} ${py - 3.5}) scale(.7)`,
        }),
      ),
    );
  });
  show($("tenpai"), background, series);
}

function riskPlot() {
  const turns = currentRound().decisions;
  const most = Math.max(...turns.map((decision) => discardRisk(decision).any));
  const ron = turns.findIndex((decision) => decision.rons.length > 0);
  const label =
    `Deal-in risk of each discard of the round, at most ${percent(most)} percent` +
    (ron >= 0 ? `; the discard of turn ${ron + 1} dealt in` : "");
  const top = Math.max(0.1, Math.ceil(most * 10) / 10);
  const { x, y, background, columnWidth } = frame($("risk"), 124, top, label);
  const width = Math.min(18, columnWidth * 0.7);
  const bars = turns.map((decision, turn) => {
    const p = discardRisk(decision).any;
    const lowest = Math.min(...Object.values(decision.risks).map((risk) => risk.any));
    const advised = decision.advice !== null && decision.risks[decision.advice].any;
    return svg(
      "g",
      {},
      svg("rect", {
        class: "risk",
        x: x(turn) - width / 2,
        y: y(p),
        width,
        height: y(0) - y(p),
        style: `fill:${colour(p)}`,
      }),
      svg("line", {
        class: "lowest",
        x1: x(turn) - width / 2 - 2,
        x2: x(turn) + width / 2 + 2,
        y1: y(lowest),
        y2: y(lowest),
      }),
      decision.advice !== null &&
        decision.advice !== decision.hand[decision.discard_index] &&
        svg("path", {
          class: "advised",
          d: "M0-4L3.5 0 0 4-3.5 0z",
          transform: `translate(${x(turn)} ${y(advised)})`,
        }),
      decision.rons.length > 0 &&
        svg("path", {
          class: "ron",
          d: "M-5-5L5 5M5-5L-5 5",
          transform: `translate(${x(turn)} ${Math.max(y(p) - 9, 10)})`,
        }),
    );
  });
  show($("risk"), background, bars);
}

const DRAWS = {
  exhausted: "exhaustive draw",
  nm: "nagashi mangan",
  yao9: "kyuushu kyuuhai (nine terminals and honours)",
  kaze4: "suufon renda (four winds)",
  reach4: "suucha riichi (four riichi)",
  ron3: "sanchahou (three ron)",
  kan4: "suukaikan (four kans)",
};
function roundResult() {
  const results = currentRound().results.map((result) => {
    if (result.draw) return el("p", {}, el("b", {}, "Draw: "), `${DRAWS[result.draw]}.`);
    const winner = PLACES[result.winner];
    const ending =
      result.source === result.winner ? "by tsumo" : `by ron from ${PLACES[result.source]}`;
    return el(
      "div",
      {},
      el(
        "p",
        {},
        el("b", {}, `${winner} won ${ending}`),
        result.points === null ? ". " : `: ${points(result.points)}. `,
        el("span", { class: "faint" }, result.yaku.join(", ")),
      ),
      el(
        "p",
        { class: "row" },
        result.hand.map((tile) => small(tile, 18)),
        result.melds.map((meld) => [
          el("i", {}),
          [...meld.own, ...meld.called].map((tile) => small(tile, 18)),
        ]),
        el("i", {}),
        small(result.tile, 18),
      ),
    );
  });
  const gains = el(
    "p",
    { class: "faint" },
    currentRound()
      .deltas.map((delta, seat) => `${PLACES[seat]} ${signed(delta)}`)
      .join(" · "),
  );
  show($("result"), el("h3", {}, "result"), results, gains);
}
