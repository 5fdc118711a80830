// @ts-check
/* The table: one drawing for the page of a game, its pictures and the drills.

The own seat is at the bottom. All places are those of a seat at the bottom: the drawing turns them.
*/

const TILE = { width: 30, height: 40 };
const BACK = "b";
const ROW = 6; // unit: tiles of a row of the river
const CENTRE = 86; // half of the width of the square in the middle
const EDGE = 228; // y of the concealed tiles of an opponent
const SMALL = 24; // width of a tile in the hand of an opponent
const INDICATOR = 20; // width of a dora indicator
const HAND_STARTS = [0, -205, -205, -273]; // x of the first concealed tile of each seat
const MELD_ENDS = [0, 284, 216, 216]; // x where its melds end
const MELD_GAP = 4;
const TABLE = { x: -290, y: -288, width: 580, height: 510 };

/* The signs of the opponents. */
const SYMBOLS = ["", "M5 1a4 4 0 1 0 .01 0z", "M1.5 1.5h7v7h-7z", "M5 1l4.3 7.8H.7z"];

const viewBox = ({ x, y, width, height } = TABLE) => [x, y, width, height].join(" ");

const RED = "0";
/** @param {string} tile */
const plain = (tile) => tile.replace(RED, "5");

/* The x and y of each discard of a river; a turned one is wider and less high. */
/** @param {boolean[]} turned @returns {[number, number][]} */
function riverPlaces(turned) {
  const { width, height } = TILE;
  let x = 0;
  return turned.map((isTurned, i) => {
    const row = Math.min(Math.floor(i / ROW), 2);
    if (i % ROW === 0 && i <= 2 * ROW) x = -3 * width;
    const left = x;
    x += isTurned ? height : width;
    return [left, CENTRE + 8 + row * height + (isTurned ? height - width : 0)];
  });
}

/* The places of the tiles of a meld, each with its index, null for a back; the called tile lies on
its side, and its place shows the source, 1 to 3 seats to the right. */
/** @param {string} kind @param {number} source */
function meldPlaces(kind, source) {
  const { width, height } = TILE;
  /** @type {[number | null, number, number, boolean][]} */
  const places = [];
  let x = 0;
  /** @param {number | null} index */
  const upright = (index) => {
    places.push([index, x, 0, false]);
    x += width;
  };
  if (kind === "ankan") for (const index of [null, 1, 2, null]) upright(index);
  if (kind === "ankan") return { places, width: x };
  const last = kind === "daiminkan" ? 3 : 2;
  const turnedAt = [0, last, 1, 0][source];
  for (let i = 0; i <= last; i++) {
    if (i !== turnedAt) {
      upright(i - Number(i > turnedAt));
      continue;
    }
    places.push([last, x, height - width, true]);
    // the added tile lies on the called one
    if (kind === "kakan") places.push([last + 1, x, height - 2 * width, true]);
    x += height;
  }
  return { places, width: x };
}

/* What draws a position; copies of the selected tile are marked. */
/** @param {OpenTable} table @param {string} [selected] */
function drawingOf(table, selected = "") {
  const { width, height } = TILE;

  /** @param {string} tile @param {Face} where */
  function face(tile, { x = 0, y = 0, w = width, turned = false, marks = "" } = {}) {
    const [name, riverMarks] = [tile.slice(0, 2), tile.slice(2)];
    const classes = ["piece", marks];
    if (riverMarks.includes("'")) classes.push("tsumogiri");
    if (riverMarks.includes("~")) classes.push("called");
    if (plain(name) === plain(selected)) classes.push("same");
    const transform = turned ? `translate(${x} ${y + w}) rotate(-90)` : `translate(${x} ${y})`;
    return svg(
      "g",
      { class: classes.join(" "), transform: `${transform} scale(${w / width})` },
      svg("use", { href: `#t${name}`, width, height }),
      table.dora.includes(plain(name)) &&
        svg("path", { class: "dora", d: "M30 9V3a3 3 0 0 0-3-3h-6z" }),
      svg("rect", { class: "veil", x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: 3 }),
    );
  }

  /** @param {MeldTiles} meld @param {number} w */
  function meldRow(meld, w = width) {
    const layout = meldPlaces(meld.kind, meld.source ?? 0);
    const tiles = [...meld.own, ...meld.called];
    const scale = w / width;
    const row = layout.places.map(([index, x, y, turned]) =>
      face(index === null ? BACK : tiles[index], { x: x * scale, y: y * scale, w, turned }),
    );
    return { row, width: layout.width * scale };
  }

  /** @param {number} seat */
  function river(seat) {
    const tiles = table.seats[seat].river;
    const places = riverPlaces(tiles.map((tile) => tile.includes("*")));
    const isLast = (/** @type {number} */ i) =>
      seat === table.last_discarder && i === tiles.length - 1;
    return tiles.map((tile, i) => {
      const [x, y] = places[i];
      return face(tile, { x, y, turned: tile.includes("*"), marks: isLast(i) ? "last" : "" });
    });
  }

  /* The concealed tiles of an opponent and its melds. */
  /** @param {number} seat @param {string[] | null} [hand] */
  function opponentHand(seat, hand) {
    const { melds } = table.seats[seat];
    const tiles = hand ?? Array.from({ length: 13 - 3 * melds.length }, () => BACK);
    let end = MELD_ENDS[seat];
    return [
      tiles.map((tile, i) => face(tile, { x: HAND_STARTS[seat] + i * SMALL, y: EDGE, w: SMALL })),
      melds.map((meld) => {
        const { row, width } = meldRow(meld, SMALL);
        end -= width + MELD_GAP;
        return svg("g", { transform: `translate(${end} ${EDGE})` }, row);
      }),
    ];
  }

  /** @param {number} seat @param {BoardWords} words @param {string[] | null} [hand] */
  const seatArea = (seat, words, hand) =>
    svg(
      "g",
      { transform: `rotate(${-90 * seat})` },
      river(seat),
      table.seats[seat].riichi &&
        svg(
          "g",
          { class: "stick" },
          svg("rect", { x: -34, y: CENTRE - 3, width: 68, height: 7, rx: 2 }),
          svg("circle", { cy: CENTRE + 0.5, r: 2 }),
        ),
      svg(
        "g",
        { transform: seat === 2 ? `rotate(180 0 ${CENTRE - 15.5})` : null },
        seat > 0 &&
          svg("path", {
            class: `seat${seat} seat-mark`,
            d: SYMBOLS[seat],
            transform: `translate(-47 ${CENTRE - 20.5})`,
          }),
        svg(
          "text",
          { class: "score", y: CENTRE - 11 },
          svg("tspan", { class: "wind" }, words.winds[seat]),
          ` ${words.scores[seat]}`,
        ),
      ),
      seat > 0 && opponentHand(seat, hand),
    );

  /* The table; the hands of the opponents are shown where they are given. */
  /** @param {BoardWords} words @param {(string[] | null)[]} [hands] */
  const board = (words, hands = []) => [
    svg("rect", { class: "felt", ...TABLE, rx: 14 }),
    svg("rect", {
      class: "centre",
      x: -CENTRE,
      y: -CENTRE,
      width: 2 * CENTRE,
      height: 2 * CENTRE,
      rx: 8,
    }),
    svg("text", { class: "round-name", y: -30 }, words.round),
    svg("text", { class: "count", y: -13 }, words.sticks),
    [0, 1, 2, 3, 4].map((i) =>
      face(table.indicators[i] ?? BACK, { x: 22 * i - 54, y: -4, w: INDICATOR }),
    ),
    svg("text", { class: "count", y: 42 }, words.tilesLeft),
    [0, 1, 2, 3].map((seat) => seatArea(seat, words, hands[seat - 1])),
  ];

  /* A picture of the table with the own hand and melds under it. */
  /** @param {BoardWords} words @param {HandPosition | ReviewedPosition} position @param {Child[]} inside */
  function picture(words, { hand, drawn, seats }, ...inside) {
    const widths = [...seats[0].melds].map((meld) => meldRow(meld).width + MELD_GAP);
    const gap = drawn ? 8 : 0;
    const rest = TABLE.width - gap - widths.reduce((sum, one) => sum + one, 0);
    const w = Math.min(38, rest / hand.length);
    const y = TABLE.y + TABLE.height + 10;
    const tall = (w * height) / width;
    let end = TABLE.x + hand.length * w + gap;
    const melds = [...seats[0].melds].reverse().map((meld) => {
      const { row, width: wide } = meldRow(meld);
      const place = svg(
        "g",
        { transform: `translate(${end + MELD_GAP} ${y + tall - height})` },
        row,
      );
      end += wide + MELD_GAP;
      return place;
    });
    const tiles = hand.map((tile, i) => {
      const x = TABLE.x + i * w + (i === hand.length - 1 ? gap : 0);
      return face(tile, { x: x + 1, y, w: w - 2 });
    });
    const box = { ...TABLE, height: TABLE.height + tall + 14 };
    return svg(
      "svg",
      { viewBox: viewBox(box) },
      inside,
      svg("g", { id: "board" }, board(words)),
      tiles,
      melds,
    );
  }

  return { face, meldRow, board, picture };
}
