/* The table as the player saw it, and the hand with its risks. */

const CENTRE = 86; // half of the width of the centre
const ROW = 6; // tiles in a row of a river
const HAND_START = [0, -205, -205, -273]; // x of the first tile in the hand of each seat
const MELDS_END = [0, 284, 216, 216]; // x of the end of its melds

function river(tiles, hasLastDiscard) {
  let x = 0;
  return tiles.map((tile, i) => {
    const line = Math.min(Math.floor(i / ROW), 2);
    if (i % ROW === 0 && i / ROW <= 2) x = -3 * W;
    const turned = tile.includes("*");
    const y = CENTRE + 8 + line * H;
    const node = face(tile, {
      x,
      y: turned ? y + H - W : y,
      turned,
      marks: hasLastDiscard && i === tiles.length - 1 ? "last" : "",
    });
    x += turned ? H : W;
    return node;
  });
}

function seatArea(seat) {
  const decision = currentDecision();
  const open = decision.seats[seat];
  const w = 24;
  const edge = 228;
  const parts = [river(open.river, decision.last_discarder === seat)];
  if (open.riichi)
    parts.push(
      svg(
        "g",
        { class: "stick" },
        svg("rect", { x: -34, y: CENTRE - 3, width: 68, height: 7, rx: 2 }),
        svg("circle", { cy: CENTRE + 0.5, r: 2 }),
      ),
    );
  const upright = seat === 2 ? `rotate(180 0 ${CENTRE - 15.5})` : null;
  parts.push(
    svg(
      "g",
      { transform: upright },
      seat > 0 &&
        svg("path", {
          class: `seat${seat} seat-mark`,
          d: SYMBOLS[seat],
          transform: `translate(-47 ${CENTRE - 20.5})`,
        }),
      svg(
        "text",
        { class: "score", y: CENTRE - 11 },
        svg("tspan", { class: "wind" }, windSign(seat)),
        ` ${points(decision.scores[seat])}`,
      ),
    ),
  );
  if (seat) {
    const hand = decision.opponent_hands[seat - 1];
    const count = 13 - 3 * open.melds.length;
    const tiles = state.open && hand ? hand : Array(count).fill("b");
    tiles.forEach((tile, i) => parts.push(face(tile, { x: HAND_START[seat] + i * w, y: edge, w })));
    let x = MELDS_END[seat];
    for (const meld of open.melds) {
      const { row, width } = meldRow(meld, w);
      x -= width + 4;
      parts.push(svg("g", { transform: `translate(${x} ${edge})` }, row));
    }
  }
  return svg("g", { transform: `rotate(${-90 * seat})` }, parts);
}

function centre() {
  const decision = currentDecision();
  const w = 20;
  const indicators = [...decision.indicators, ...Array(5 - decision.indicators.length).fill("b")];
  return [
    svg("rect", {
      class: "centre",
      x: -CENTRE,
      y: -CENTRE,
      width: 2 * CENTRE,
      height: 2 * CENTRE,
      rx: 8,
    }),
    svg("text", { class: "round-name", y: -30 }, roundName({ ...currentRound(), honba: 0 })),
    svg(
      "text",
      { class: "count", y: -13 },
      `${t("round.honba", { n: currentRound().honba })} · ${t("page.sticks", { n: decision.sticks })}`,
    ),
    indicators.map((tile, i) => face(tile, { x: (i - 2.5) * (w + 2) + 1, y: -4, w })),
    svg("text", { class: "count", y: 42 }, t("page.tiles_left", { n: decision.tiles_left })),
  ];
}

function board() {
  show(
    $("board"),
    svg("rect", { class: "felt", x: -290, y: -288, width: 580, height: 510, rx: 14 }),
    centre(),
    [0, 1, 2, 3].map(seatArea),
  );
  const decision = currentDecision();
  show(
    $("description"),
    el(
      "li",
      {},
      t("page.described_table", {
        indicators: tileList(decision.indicators),
        tiles: t("page.tiles_left", { n: decision.tiles_left }),
      }),
    ),
    decision.seats.map((open, seat) => el("li", {}, seatDescription(open, seat))),
  );
}

const tileList = (tiles) => tiles.map(tileLabel).join(t("page.comma"));

function seatDescription(open, seat) {
  const marks = { "'": "page.mark.tsumogiri", "*": "page.mark.riichi", "~": "page.mark.called" };
  const river = open.river.map(
    (tile) => tileLabel(tile) + [...tile.slice(2)].map((mark) => t(marks[mark])).join(""),
  );
  return t("page.described_seat", {
    place: place(seat),
    name: currentReview().names[seat],
    wind: windName(windNumber(seat)),
    points: points(currentDecision().scores[seat]),
    riichi: open.riichi ? t("page.described_riichi") : "",
    melds: open.melds.map((meld) => meldLabel(meld) + t("page.semicolon")).join(""),
    river: river.join(t("page.comma")) || t("page.empty"),
  });
}

/* ---- the hand ---- */

function hand() {
  const decision = currentDecision();
  const tiles = decision.hand.map((tile, i) => handTile(decision, tile, i));
  let count = decision.hand.length;
  const melds = decision.seats[0].melds.map((meld) => {
    const { row, width } = meldRow(meld, W);
    count += width / W;
    return svg(
      "svg",
      {
        class: "meld",
        viewBox: `-1 -21 ${width + 2} 62`,
        style: `--wide:${width / W}`,
        role: "img",
        "aria-label": meldLabel(meld),
      },
      row,
    );
  });
  $("tiles").style.setProperty("--count", count + 0.5);
  show($("tiles"), tiles, melds);
}

/* Index of the advised tile; of identical copies, the discarded one. */
function adviceIndex(decision) {
  const { advice, hand, discard_index: index } = decision;
  return advice === hand[index] ? index : hand.indexOf(advice);
}

function handTile(decision, tile, i) {
  const risk = decision.risks[tile];
  const lost = lostByRon(decision);
  const isDiscarded = i === decision.discard_index;
  const advised = decision.advice !== null && i === adviceIndex(decision);
  const ron = isDiscarded && decision.rons.length > 0;
  const classes = [
    "hand-tile",
    isDiscarded && "discarded",
    ron && "ron",
    decision.drawn && i === decision.hand.length - 1 && "drawn",
  ];
  const byOpponent = risk.by_opponent
    .map((p, seat) => `${place(seat + 1)} ${percent(p)}`)
    .join(t("page.comma"));
  const label = [
    t("page.tile_label", {
      tile: tileLabel(tile),
      any: percent(risk.any),
      opponents: byOpponent,
      points: points(risk.points),
    }),
    isDiscarded && t(decision.riichi ? "page.discarded_with_riichi" : "page.discarded"),
    advised && t("page.would_discard"),
    ron && t("page.dealt_in_lost", { points: points(lost) }),
  ]
    .filter(Boolean)
    .join(t("page.semicolon"));
  return el(
    "button",
    {
      class: classes.filter(Boolean).join(" "),
      "aria-pressed": String(i === state.tile),
      "aria-label": label,
      "data-tile": tile,
      onclick: () => selectTile(i),
      onmouseenter: () => selectTile(i),
      onfocus: () => selectTile(i),
    },
    el("span", { class: "num" }, short(risk.any), el("small", {}, "%")),
    el(
      "span",
      { class: "points" },
      el("span", { class: "wide" }, points(risk.points)),
      el("span", { class: "narrow" }, thousands(risk.points)),
    ),
    el(
      "span",
      { class: "level" },
      el("i", { style: `height:${100 * weight(risk.any)}%;background:${colour(risk.any)}` }),
    ),
    svg("svg", { class: "tile", viewBox: "-1.5 -1.5 33 43", "aria-hidden": true }, face(tile)),
    el(
      "span",
      { class: "marks" },
      isDiscarded &&
        el(
          "b",
          { class: "discarded" },
          ron ? `✕ −${points(lost)}` : decision.riichi ? `▲ ${t("term.riichi")}` : "▲",
        ),
      advised && el("b", { class: "advised" }, "◆"),
    ),
    el(
      "span",
      { class: "split" },
      risk.by_opponent.map((p, seat) =>
        el(
          "span",
          { class: `seat${seat + 1}` },
          el("span", {}, place(seat + 1)),
          el("b", {}, `${percent(p, 2)}%`),
        ),
      ),
    ),
  );
}

function legend() {
  const entry = (name, sign, text) => el("span", {}, el("i", { class: name }, sign), ` ${text}`);
  show(
    $("key"),
    entry("discarded", "▲", t("page.discarded")),
    game.player && entry("advised", "◆", t("page.advice_of")),
    el("span", {}, t("page.above_each_tile")),
  );
}
