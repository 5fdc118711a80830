// @ts-check
/* Tiles: a face at a place, a small tile in a text, a meld. */

const tileWidth = () => game.board.tile[0];
/** @param {number} w */
const tileHeight = (w) => (w * game.board.tile[1]) / tileWidth();

/** @param {string} tile @param {Face} where */
function face(tile, { x = 0, y = 0, w = tileWidth(), turned = false, marks = "" } = {}) {
  const [name, riverMarks] = [tile.slice(0, 2), tile.slice(2)];
  const decision = currentDecision();
  const classes = ["piece", marks];
  if (riverMarks.includes("'")) classes.push("tsumogiri");
  if (riverMarks.includes("~")) classes.push("called");
  if (plain(name) === plain(decision.hand[state.tile])) classes.push("same");
  const [width, height] = game.board.tile;
  const transform = turned ? `translate(${x} ${y + w}) rotate(-90)` : `translate(${x} ${y})`;
  return svg(
    "g",
    { class: classes.join(" "), transform: `${transform} scale(${w / width})` },
    svg("use", { href: `#t${name}`, width, height }),
    decision.dora.includes(plain(name)) &&
      svg("path", { class: "dora", d: "M30 9V3a3 3 0 0 0-3-3h-6z" }),
    svg("rect", { class: "veil", x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: 3 }),
  );
}

/** @param {string} tile @param {number} w */
const small = (tile, w) =>
  svg(
    "svg",
    {
      class: "tile",
      viewBox: `0 0 ${game.board.tile.join(" ")}`,
      width: w,
      height: tileHeight(w),
      role: "img",
      "aria-label": tileLabel(tile),
    },
    svg("use", { href: `#t${tile}` }),
  );

/* The tiles of a meld in a row; the called tile is sideways and its place shows the source. */
/** @param {MeldTiles} meld @param {number} w */
function meldRow(meld, w) {
  const { places, width } = game.board.melds[meld.kind][meld.source ?? 0];
  const tiles = [...meld.own, ...meld.called];
  const scale = w / tileWidth();
  const row = places.map(([index, x, y, turned]) =>
    face(index === null ? game.board.back : tiles[index], {
      x: x * scale,
      y: y * scale,
      w,
      turned,
    }),
  );
  return { row, width: width * scale };
}

/* The signs of the opponents. */
const SYMBOLS = ["", "M5 1a4 4 0 1 0 .01 0z", "M1.5 1.5h7v7h-7z", "M5 1l4.3 7.8H.7z"];
/** @param {number} seat */
const symbol = (seat) =>
  svg(
    "svg",
    { class: `symbol seat${seat}`, viewBox: "0 0 10 10", "aria-hidden": "true" },
    svg("path", { d: SYMBOLS[seat] }),
  );
