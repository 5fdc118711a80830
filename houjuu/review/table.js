/* The table as the player saw it, and the hand with its dangers. */

const CENTRE = 86; // half of the middle of the board
const ROW = 6; // tiles of a river
const FROM = [0, -205, -205, -273]; // where the hand of a seat begins
const TO = [0, 284, 216, 216]; // where its melds end

function river(tiles, latest) {
  let x = 0;
  return tiles.map((tile, i) => {
    const line = Math.min(Math.floor(i / ROW), 2);
    if (i % ROW === 0 && i / ROW <= 2) x = -3 * W;
    const turned = tile.includes("*");
    const y = CENTRE + 8 + line * H;
    const drawn = face(tile, {
      x,
      y: turned ? y + H - W : y,
      turned,
      marks: latest && i === tiles.length - 1 ? "last" : "",
    });
    x += turned ? H : W;
    return drawn;
  });
}

function side(seat) {
  const of = decision();
  const shown = of.seats[seat];
  const w = 24;
  const edge = 228;
  const parts = [river(shown.river, of.last === seat)];
  if (shown.riichi)
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
          class: `of${seat} mark`,
          d: SIGNS[seat],
          transform: `translate(-47 ${CENTRE - 20.5})`,
        }),
      svg(
        "text",
        { class: "score", y: CENTRE - 11 },
        svg("tspan", { class: "wind" }, wind(seat)[0]),
        ` ${points(of.scores[seat])}`,
      ),
    ),
  );
  if (seat) {
    const hidden = of.hidden[seat - 1];
    const count = 13 - 3 * shown.melds.length;
    const tiles = at.open && hidden ? hidden : Array(count).fill("b");
    tiles.forEach((tile, i) => parts.push(face(tile, { x: FROM[seat] + i * w, y: edge, w })));
    let x = TO[seat];
    for (const meld of shown.melds) {
      const { row, width } = meldRow(meld, w);
      x -= width + 4;
      parts.push(svg("g", { transform: `translate(${x} ${edge})` }, row));
    }
  }
  return svg("g", { transform: `rotate(${-90 * seat})` }, parts);
}

function middle() {
  const of = decision();
  const w = 20;
  const shown = [...of.indicators, ...Array(5 - of.indicators.length).fill("b")];
  return [
    svg("rect", {
      class: "middle",
      x: -CENTRE,
      y: -CENTRE,
      width: 2 * CENTRE,
      height: 2 * CENTRE,
      rx: 8,
    }),
    svg("text", { class: "name", y: -30 }, `${windOf(round())} ${(round().round % 4) + 1}`),
    svg(
      "text",
      { class: "count", y: -13 },
      `${round().honba} honba · ${of.sticks} ${of.sticks === 1 ? "stick" : "sticks"}`,
    ),
    shown.map((tile, i) => face(tile, { x: (i - 2.5) * (w + 2) + 1, y: -4, w })),
    svg("text", { class: "count", y: 42 }, `${of.left} tiles left`),
  ];
}

function board() {
  show(
    $("board"),
    svg("rect", { class: "felt", x: -290, y: -288, width: 580, height: 510, rx: 14 }),
    middle(),
    [0, 1, 2, 3].map(side),
  );
  const of = decision();
  show(
    $("said"),
    el("li", {}, `Dora indicators ${of.indicators.map(spoken).join(", ")}; ${of.left} tiles left.`),
    of.seats.map((shown, seat) => el("li", {}, saidOf(shown, seat))),
  );
}

function saidOf(shown, seat) {
  const of = decision();
  const marks = { "'": " as drawn", "*": " declaring riichi", "~": " called away" };
  const tiles = shown.river.map(
    (tile) => spoken(tile) + [...tile.slice(2)].map((mark) => marks[mark]).join(""),
  );
  const melds = shown.melds.map(
    (meld) => `${meld.kind} of ${[...meld.held, ...meld.apart].map(spoken).join(", ")}`,
  );
  return [
    `${PLACES[seat]}, ${game.names[seat]}, ${wind(seat)}, ${points(of.scores[seat])} points`,
    shown.riichi ? "in riichi" : null,
    melds.join("; ") || null,
    `river: ${tiles.join(", ") || "empty"}.`,
  ]
    .filter(Boolean)
    .join("; ");
}

/* ---- the hand ---- */

function hand() {
  const of = decision();
  const tiles = of.hand.map((tile, i) => held(of, tile, i));
  let count = of.hand.length;
  const melds = of.seats[0].melds.map((meld) => {
    const { row, width } = meldRow(meld, W);
    count += width / W;
    return svg(
      "svg",
      {
        class: "meld",
        viewBox: `-1 -21 ${width + 2} 62`,
        style: `--wide:${width / W}`,
        role: "img",
        "aria-label": `${meld.kind} of ${[...meld.held, ...meld.apart].map(spoken).join(", ")}`,
      },
      row,
    );
  });
  $("tiles").style.setProperty("--count", count + 0.5);
  show($("tiles"), tiles, melds);
}

/* Of copies that are alike the one that was discarded. */
function advisedPlace(of) {
  return of.advised === of.hand[of.discarded] ? of.discarded : of.hand.indexOf(of.advised);
}

function held(of, tile, i) {
  const risk = of.risks[tile];
  const lost = of.rons.reduce((sum, ron) => sum + ron.lost, 0);
  const cut = i === of.discarded;
  const bot = i === advisedPlace(of);
  const ron = cut && of.rons.length > 0;
  const classes = [
    "held",
    cut && "cut",
    ron && "ron",
    of.drawn && i === of.hand.length - 1 && "draw",
  ];
  const by = risk.by.map((p, seat) => `${PLACES[seat + 1]} ${percent(p)}`).join(", ");
  const label = [
    `${spoken(tile)}: deals in ${percent(risk.any)} percent (${by}), ${points(risk.lost)} points`,
    cut && (of.riichi ? "discarded, declaring riichi" : "discarded"),
    bot && `“${game.player}” would discard it`,
    ron && `dealt in, ${points(lost)} points`,
  ]
    .filter(Boolean)
    .join("; ");
  return el(
    "button",
    {
      class: classes.filter(Boolean).join(" "),
      "aria-pressed": String(i === at.tile),
      "aria-label": label,
      "data-tile": tile,
      onclick: () => choose(i),
      onmouseenter: () => choose(i),
      onfocus: () => choose(i),
    },
    el("span", { class: "num" }, short(risk.any), el("small", {}, "%")),
    el(
      "span",
      { class: "lost" },
      el("span", { class: "wide" }, points(risk.lost)),
      el("span", { class: "narrow" }, thousands(risk.lost)),
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
      cut && el("b", { class: "cut" }, ron ? `✕ −${points(lost)}` : of.riichi ? "▲ riichi" : "▲"),
      bot && el("b", { class: "bot" }, "◆"),
    ),
    el(
      "span",
      { class: "split" },
      risk.by.map((p, seat) =>
        el(
          "span",
          { class: `of${seat + 1}` },
          el("span", {}, PLACES[seat + 1]),
          el("b", {}, `${percent(p, 2)}%`),
        ),
      ),
    ),
  );
}
