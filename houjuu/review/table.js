// @ts-check
/* The table as the player saw it, and the hand with its risks. */

/** @param {[number, number, number, number]} area */
const rectangle = ([x, y, width, height]) => ({ x, y, width, height });

/** @param {string[]} tiles @param {boolean} hasLastDiscard */
function river(tiles, hasLastDiscard) {
  const { rivers } = game.board;
  const turnedAt = tiles.findIndex((tile) => tile.includes("*"));
  const places = rivers[turnedAt < 0 ? rivers.length - 1 : turnedAt];
  return tiles.map((tile, i) =>
    face(tile, {
      x: places[i][0],
      y: places[i][1],
      turned: i === turnedAt,
      marks: hasLastDiscard && i === tiles.length - 1 ? "last" : "",
    }),
  );
}

/** @param {number} seat */
function seatArea(seat) {
  const decision = currentDecision();
  const open = decision.seats[seat];
  const { centre } = game.board;
  return svg(
    "g",
    { transform: `rotate(${-90 * seat})` },
    river(open.river, decision.last_discarder === seat),
    open.riichi &&
      svg(
        "g",
        { class: "stick" },
        svg("rect", { ...rectangle(game.board.stick), rx: 2 }),
        svg("circle", { cy: centre + 0.5, r: 2 }),
      ),
    svg(
      "g",
      { transform: seat === 2 ? `rotate(180 0 ${centre - 15.5})` : null },
      seat > 0 &&
        svg("path", {
          class: `seat${seat} seat-mark`,
          d: SYMBOLS[seat],
          transform: `translate(-47 ${centre - 20.5})`,
        }),
      svg(
        "text",
        { class: "score", y: centre - 11 },
        svg("tspan", { class: "wind" }, windSign(seat)),
        ` ${points(decision.scores[seat])}`,
      ),
    ),
    seat > 0 && opponentHand(seat),
  );
}

/* The concealed tiles of an opponent and its melds. */
/** @param {number} seat */
function opponentHand(seat) {
  const { back, hands, small: w, melds_end, meld_gap } = game.board;
  const { seats, opponent_hands } = currentDecision();
  const { melds } = seats[seat];
  const hand = opponent_hands[seat - 1];
  const [left, y] = hands[seat];
  const backs = Array.from({ length: 13 - 3 * melds.length }, () => back);
  const tiles = state.open && hand ? hand : backs;
  let x = melds_end[seat];
  return [
    tiles.map((tile, i) => face(tile, { x: left + i * w, y, w })),
    melds.map((meld) => {
      const { row, width } = meldRow(meld, w);
      x -= width + meld_gap;
      return svg("g", { transform: `translate(${x} ${y})` }, row);
    }),
  ];
}

function centre() {
  const decision = currentDecision();
  const { back, centre: half, indicator: w, indicators } = game.board;
  return [
    svg("rect", { class: "centre", ...rectangle([-half, -half, 2 * half, 2 * half]), rx: 8 }),
    svg("text", { class: "round-name", y: -30 }, roundName({ ...currentRound(), honba: 0 })),
    svg(
      "text",
      { class: "count", y: -13 },
      `${t("round.honba", { n: currentRound().honba })} · ${t("page.sticks", { n: decision.sticks })}`,
    ),
    indicators.map(([x, y], i) => face(decision.indicators[i] ?? back, { x, y, w })),
    svg("text", { class: "count", y: 42 }, t("page.tiles_left", { n: decision.tiles_left })),
  ];
}

function board() {
  show(
    drawing("board"),
    svg("rect", { class: "felt", ...rectangle(game.board.area), rx: 14 }),
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

/** @param {string[]} tiles */
const tileList = (tiles) => tiles.map(tileLabel).join(t("page.comma"));

/** @type {Record<string, string>} */
const MARKS = { "'": "page.mark.tsumogiri", "*": "page.mark.riichi", "~": "page.mark.called" };
/** @param {PublicSeat} open @param {number} seat */
function seatDescription(open, seat) {
  const discards = open.river.map(
    (tile) => tileLabel(tile) + [...tile.slice(2)].map((mark) => t(MARKS[mark])).join(""),
  );
  return t("page.described_seat", {
    place: place(seat),
    name: currentReview().names[seat],
    wind: windName(windNumber(seat)),
    points: points(currentDecision().scores[seat]),
    riichi: open.riichi ? t("page.described_riichi") : "",
    melds: open.melds.map((meld) => meldLabel(meld) + t("page.semicolon")).join(""),
    river: discards.join(t("page.comma")) || t("page.empty"),
  });
}

/* ---- the hand ---- */

function hand() {
  const decision = currentDecision();
  const tiles = decision.hand.map((tile, i) => handTile(decision, tile, i));
  let count = decision.hand.length;
  const [w, h] = game.board.tile;
  const melds = decision.seats[0].melds.map((meld) => {
    const { row, width } = meldRow(meld, w);
    count += width / w;
    return svg(
      "svg",
      {
        class: "meld",
        viewBox: `-1 ${h - 2 * w - 1} ${width + 2} ${2 * w + 2}`,
        style: `--wide:${width / w}`,
        role: "img",
        "aria-label": meldLabel(meld),
      },
      row,
    );
  });
  $("tiles").style.setProperty("--count", String(count + 0.5));
  show($("tiles"), tiles, melds);
}

/* Index of the advised tile; of identical copies, the discarded one. */
/** @param {ReviewedPosition} decision */
function adviceIndex(decision) {
  const { advice, hand: tiles } = decision;
  if (advice === null) return null;
  const isSame = isDiscard(decision) && advice === discarded(decision);
  return isSame ? decision.discard_index : tiles.indexOf(advice);
}

const UNREAD = { "aria-hidden": "true" }; // the name of a tile contains it
/** @param {ReviewedPosition} decision @param {string} tile @param {number} i */
function handTile(decision, tile, i) {
  const risk = decision.risks[tile];
  const lost = points(lostByRon(decision));
  const isDiscarded = i === decision.discard_index;
  const advised = i === adviceIndex(decision);
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
      any: short(risk.deal_in),
      opponents: byOpponent,
      points: points(risk.points),
    }),
    isDiscarded && t(decision.riichi ? "page.discarded_with_riichi" : "page.discarded"),
    advised && t("page.would_discard"),
    ron && t("page.dealt_in_lost", { points: lost }),
  ];
  return el(
    "button",
    {
      class: classes.filter(Boolean).join(" "),
      "aria-pressed": String(i === state.tile),
      "data-tile": tile,
      onclick: () => {
        selectTile(i);
        answer();
      },
      onmouseenter: () => selectTile(i),
      onfocus: () => selectTile(i),
    },
    el("span", { class: "unseen" }, label.filter(Boolean).join(t("page.semicolon"))),
    el("span", { class: "num", ...UNREAD }, short(risk.deal_in), el("small", {}, "%")),
    el(
      "span",
      { class: "points", ...UNREAD },
      el("span", { class: "wide" }, points(risk.points)),
      el("span", { class: "narrow" }, thousands(risk.points)),
    ),
    el(
      "span",
      { class: "level" },
      el("i", { style: `height:${risk.level}%;background:${colour(risk)}` }),
    ),
    handFace(tile),
    el(
      "span",
      { class: "marks", ...UNREAD },
      isDiscarded &&
        el(
          "b",
          { class: "discarded" },
          ron ? `✕ −${lost}` : decision.riichi ? `▲ ${t("term.riichi")}` : "▲",
        ),
      advised && el("b", { class: "advised" }, "◆"),
    ),
    el(
      "span",
      { class: "split", ...UNREAD },
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
/** @param {string} tile */
function handFace(tile) {
  const [w, h] = game.board.tile;
  const viewBox = `-1.5 -1.5 ${w + 3} ${h + 3}`;
  return svg("svg", { class: "tile", viewBox, "aria-hidden": "true" }, face(tile));
}

function legend() {
  /** @param {string} name @param {string} mark @param {string} text */
  const entry = (name, mark, text) => el("span", {}, el("i", { class: name }, mark), ` ${text}`);
  show(
    $("key"),
    entry("discarded", "▲", t("page.discarded")),
    game.player && entry("advised", "◆", t("page.advice_of")),
    el("span", {}, t("page.above_each_tile")),
  );
}

/* Save the table with the own hand under it as SVG. */
function savePicture() {
  const [left, top, width, height] = game.board.area;
  const { hand: tiles, seats } = currentDecision();
  const melds = seats[0].melds.flatMap(({ own, called }) => ["", ...own, ...called]);
  const w = width / 18;
  const y = top + height + 8;
  const style = document.querySelector("style")?.textContent ?? "";
  const picture = svg(
    "svg",
    { viewBox: `${left} ${top} ${width} ${height + 2 * w}` },
    svg("style", {}, style, ".same>.veil{stroke:none}"),
    document.querySelector("body>svg")?.cloneNode(true) ?? null,
    svg("g", { id: "board" }, [...drawing("board").cloneNode(true).childNodes]),
    [...tiles, ...melds].map((tile, i) => tile !== "" && face(tile, { x: left + i * w, y, w })),
  );
  const text = encodeURIComponent(new XMLSerializer().serializeToString(picture));
  const download = `houjuu-${address(state)}.svg`;
  el("a", { href: `data:image/svg+xml,${text}`, download }).click();
}

atDecision.push(board, hand);
atReview.push(legend);
