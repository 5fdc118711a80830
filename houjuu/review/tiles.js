/* Tiles: a face at a place, a small tile in a text, a meld. */

const W = 30; // width of a tile
const H = 40; // height of a tile

function doraOf(indicator) {
  const rank = Number(plain(indicator)[0]);
  const suit = indicator[1];
  if (suit !== "z") return `${(rank % 9) + 1}${suit}`;
  return rank <= 4 ? `${(rank % 4) + 1}z` : `${((rank - 4) % 3) + 5}z`;
}

function face(tile, { x = 0, y = 0, w = W, turned = false, marks = "" } = {}) {
  const [name, riverMarks] = [tile.slice(0, 2), tile.slice(2)];
  const decision = currentDecision();
  const classes = ["piece", marks];
  if (riverMarks.includes("'")) classes.push("tsumogiri");
  if (riverMarks.includes("~")) classes.push("called");
  if (plain(name) === plain(decision.hand[state.tile])) classes.push("same");
  const scale = w / W;
  const transform = turned ? `translate(${x} ${y + w}) rotate(-90)` : `translate(${x} ${y})`;
  return svg(
    "g",
    { class: classes.join(" "), transform: `${transform} scale(${scale})` },
    svg("use", { href: `#t${name}`, width: W, height: H }),
    decision.indicators.some((indicator) => doraOf(indicator) === plain(name)) &&
      svg("path", { class: "dora", d: "M30 9V3a3 3 0 0 0-3-3h-6z" }),
    svg("rect", { class: "veil", x: 0.5, y: 0.5, width: 29, height: 39, rx: 3 }),
  );
}

const small = (tile, w) =>
  svg(
    "svg",
    {
      class: "tile",
      viewBox: "0 0 30 40",
      width: w,
      height: (w * 4) / 3,
      role: "img",
      "aria-label": tileLabel(tile),
    },
    svg("use", { href: `#t${tile}` }),
  );

/* The tiles of a meld in a row; the called tile is sideways and its place shows the source. */
function meldRow(meld, w) {
  const own = [...meld.own];
  const h = (w * 4) / 3;
  if (meld.kind === "ankan") {
    const row = ["b", own[1], own[2], "b"].map((tile, i) => face(tile, { x: i * w, w }));
    return { row, width: 4 * w };
  }
  const size = own.length + 1;
  const turnedAt = { 3: 0, 2: 1, 1: size - 1 }[meld.source];
  const row = [];
  let x = 0;
  for (let i = 0; i < size; i++) {
    const turned = i === turnedAt;
    const tile = turned ? meld.called[0] : own.shift();
    row.push(face(tile, { x, y: turned ? h - w : 0, w, turned }));
    if (turned && meld.called.length > 1)
      row.push(face(meld.called[1], { x, y: h - 2 * w, w, turned }));
    x += turned ? h : w;
  }
  return { row, width: x };
}

/* The signs of the opponents. */
const SYMBOLS = ["", "M5 1a4 4 0 1 0 .01 0z", "M1.5 1.5h7v7h-7z", "M5 1l4.3 7.8H.7z"];
const symbol = (seat) =>
  svg(
    "svg",
    { class: `symbol seat${seat}`, viewBox: "0 0 10 10", "aria-hidden": true },
    svg("path", { d: SYMBOLS[seat] }),
  );
