// @ts-check
/* Tiles beside the table: a small one in a text, the sign of an opponent. */

const currentDrawing = () => drawingOf(currentDecision(), currentDecision().hand[state.tile] ?? "");

/** @param {string} tile @param {number} w */
const small = (tile, w) =>
  svg(
    "svg",
    {
      class: "tile",
      viewBox: viewBox({ x: 0, y: 0, ...TILE }),
      width: w,
      height: (w * TILE.height) / TILE.width,
      role: "img",
      "aria-label": tileLabel(tile),
    },
    svg("use", { href: `#t${tile}` }),
  );

/** @param {number} seat */
const symbol = (seat) =>
  svg(
    "svg",
    { class: `symbol seat${seat}`, viewBox: "0 0 10 10", "aria-hidden": "true" },
    svg("path", { d: SYMBOLS[seat] }),
  );
