/* The chosen tile, the opponents, the round. */

function detail() {
  const of = decision();
  const tile = of.hand[at.tile];
  const risk = of.risks[tile];
  const most = Math.max(...risk.by, 0.05);
  const rows = risk.by.map((p, i) =>
    el(
      "tr",
      { class: `of${i + 1}` },
      el("th", { scope: "row" }, sign(i + 1), PLACES[i + 1]),
      el(
        "td",
        {},
        el("span", { class: "meter" }, el("i", { style: `width:${(100 * p) / most}%` })),
      ),
      el("td", {}, `${percent(p, 2)}%`),
      el("td", {}, points(risk.lost_by[i])),
      el("td", { class: "faint" }, risk.genbutsu[i] ? "genbutsu" : of.read[i]),
    ),
  );
  const each =
    risk.any > 0.0005
      ? ` · about ${points(Math.round(risk.lost / risk.any / 100) * 100)} when it does`
      : "";
  show(
    $("tile"),
    el(
      "div",
      { class: "chosen" },
      small(tile, 42),
      el(
        "div",
        {},
        el("h2", {}, spoken(tile)),
        el(
          "p",
          {},
          "deals in ",
          el("b", { id: "any" }, `${percent(risk.any, 2)}%`),
          " · costs ",
          el("b", { id: "lost" }, points(risk.lost)),
          ` points${each}`,
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
          ["deals in", "points", "read as"].map((name) => el("th", { scope: "col" }, name)),
        ),
      ),
      el("tbody", {}, rows),
    ),
    reasons(of, tile),
  );
}

function reasons(of, tile) {
  const seat = at.seat;
  const [ways, why] = of.why[plain(tile)][seat - 1];
  const told = (title, terms, sum) =>
    terms.length > 0 && el("div", { class: "terms" }, el("h3", {}, title), bars(terms, sum));
  const p = of.risks[tile].by[seat - 1];
  return el(
    "div",
    { class: `reasons of${seat}` },
    el("h2", {}, sign(seat), `${PLACES[seat]}: why ${percent(p, 2)}%`),
    told(of.read[seat - 1] === "melded" ? "with a hand of" : "waiting as", ways, p),
    told("because of", why, p),
    told(
      `tenpai ${percent(of.tenpai[seat - 1])}% because of`,
      of.why_tenpai[seat - 1],
      of.tenpai[seat - 1],
    ),
    !ways.length &&
      !why.length &&
      el(
        "p",
        { class: "faint" },
        of.risks[tile].genbutsu[seat - 1] ? "Furiten makes it safe." : "Nothing that weighs.",
      ),
  );
}

const SHOWN = 10; // terms of a list; the rest is one line
function bars(terms, sum) {
  const shown = terms.slice(0, SHOWN).map(([word, p]) => [game.words[word], p]);
  const rest = sum - shown.reduce((all, [, p]) => all + p, 0);
  if (Math.abs(rest) >= 0.00005) shown.push(["the rest", rest]);
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
              { class: p < 0 ? "meter both less" : "meter both" },
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

const SIGNS = ["", "M5 1a4 4 0 1 0 .01 0z", "M1.5 1.5h7v7h-7z", "M5 1l4.3 7.8H.7z"];
const sign = (seat) =>
  svg(
    "svg",
    { class: `sign of${seat}`, viewBox: "0 0 10 10", "aria-hidden": true },
    svg("path", { d: SIGNS[seat] }),
  );

function cards() {
  const of = decision();
  show(
    $("cards"),
    [1, 2, 3].map((seat) => {
      const p = of.tenpai[seat - 1];
      const riichi = of.seats[seat].riichi;
      return el(
        "button",
        {
          class: `card of${seat}`,
          "aria-pressed": String(seat === at.seat),
          onclick: () => against(seat),
        },
        el("span", {}, sign(seat), el("b", {}, PLACES[seat]), ` ${wind(seat)[0]}`),
        el("span", { class: "who" }, game.names[seat]),
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
  const n = round().decisions.length;
  const wide = PLOT.width - PLOT.left - PLOT.right;
  const x = (turn) => PLOT.left + ((turn + 0.5) * wide) / n;
  const y = (p) => height - 18 - ((height - 26) * p) / top;
  const columns = Array.from({ length: n }, (_, turn) =>
    svg("rect", {
      class: turn === at.turn ? "column now" : "column",
      x: x(turn) - wide / n / 2,
      y: 4,
      width: wide / n,
      height: height - 20,
      onclick: () => go(at.round, turn),
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
  const every = n > 14 ? 2 : 1;
  const turns = Array.from(
    { length: n },
    (_, turn) =>
      turn % every === 0 &&
      svg(
        "text",
        { class: "tick", x: x(turn), y: height - 5, "text-anchor": "middle" },
        String(turn + 1),
      ),
  );
  node.setAttribute("viewBox", `0 0 ${PLOT.width} ${height}`);
  node.setAttribute("aria-label", label);
  return { x, y, under: [lines, turns, columns], wide: wide / n };
}

function tenpaiPlot() {
  const turns = round().decisions;
  const last = turns[turns.length - 1].tenpai
    .map((p, i) => `${PLACES[i + 1]} ${percent(p, 0)} percent`)
    .join(", ");
  const { x, y, under } = frame(
    $("tenpai"),
    150,
    1,
    `Tenpai through ${roundName(round())}, at the end: ${last}`,
  );
  const series = [3, 2, 1].map((seat) => {
    const of = turns.map((one, turn) => [x(turn), y(one.tenpai[seat - 1])]);
    return svg(
      "g",
      { class: `line of${seat}` },
      svg("polyline", { points: of.map((point) => point.join()).join(" ") }),
      of.map(([px, py]) =>
        svg("path", {
          d: SIGNS[seat],
          transform: `translate(${px - 3.5} ${py - 3.5}) scale(.7)`,
        }),
      ),
    );
  });
  show($("tenpai"), under, series);
}

function riskPlot() {
  const turns = round().decisions;
  const most = Math.max(...turns.map((of) => made(of).any));
  const ron = turns.findIndex((of) => of.rons.length > 0);
  const label =
    `Risk of each discard of the round, at most ${percent(most)} percent` +
    (ron >= 0 ? `; turn ${ron + 1} dealt in` : "");
  const top = Math.max(0.1, Math.ceil(most * 10) / 10);
  const { x, y, under, wide } = frame($("risk"), 124, top, label);
  const bar = Math.min(18, wide * 0.7);
  const drawn = turns.map((of, turn) => {
    const p = made(of).any;
    const least = Math.min(...Object.values(of.risks).map((risk) => risk.any));
    const bot = of.advised !== null && of.risks[of.advised].any;
    return svg(
      "g",
      {},
      svg("rect", {
        class: "risk",
        x: x(turn) - bar / 2,
        y: y(p),
        width: bar,
        height: y(0) - y(p),
        style: `fill:${colour(p)}`,
      }),
      svg("line", {
        class: "least",
        x1: x(turn) - bar / 2 - 2,
        x2: x(turn) + bar / 2 + 2,
        y1: y(least),
        y2: y(least),
      }),
      of.advised !== null &&
        of.advised !== of.hand[of.discarded] &&
        svg("path", {
          class: "bot",
          d: "M0-4L3.5 0 0 4-3.5 0z",
          transform: `translate(${x(turn)} ${y(bot)})`,
        }),
      of.rons.length > 0 &&
        svg("path", {
          class: "ron",
          d: "M-5-5L5 5M5-5L-5 5",
          transform: `translate(${x(turn)} ${Math.max(y(p) - 9, 10)})`,
        }),
    );
  });
  show($("risk"), under, drawn);
}

const DRAWN = {
  exhausted: "exhausted",
  nm: "nagashi mangan",
  yao9: "nine terminals",
  kaze4: "four winds",
  reach4: "four riichi",
  ron3: "three ron",
  kan4: "four kans",
};
function end() {
  const ends = round().ends.map((how) => {
    if (how.drawn) return el("p", {}, el("b", {}, "Drawn: "), `${DRAWN[how.drawn]}.`);
    const who = how.winner ? PLACES[how.winner] : "you";
    const from = how.source === how.winner ? "by tsumo" : `from ${PLACES[how.source]}`;
    return el(
      "div",
      {},
      el(
        "p",
        {},
        el("b", {}, `${who} won ${from}`),
        `: ${points(how.points)}. `,
        el("span", { class: "faint" }, how.yaku.join(", ")),
      ),
      el(
        "p",
        { class: "row" },
        how.hand.map((tile) => small(tile, 18)),
        how.melds.map((meld) => [
          el("i", {}),
          [...meld.held, ...meld.apart].map((tile) => small(tile, 18)),
        ]),
        el("i", {}),
        small(how.tile, 18),
      ),
    );
  });
  const gained = el(
    "p",
    { class: "faint" },
    round()
      .deltas.map((delta, seat) => `${PLACES[seat]} ${signed(delta)}`)
      .join(" · "),
  );
  show($("end"), el("h3", {}, "how it ended"), ends, gained);
}
