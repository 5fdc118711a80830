// @ts-check
/* The table as the player saw it, and the hand with its risks. */

/* The texts on the table. */
/** @returns {BoardWords} */
function boardWords() {
  const { sticks, tiles_left, scores } = currentDecision();
  const { honba } = currentRound();
  return {
    round: roundName({ ...currentRound(), honba: 0 }),
    sticks: `${t("round.honba", { n: honba })} · ${t("page.sticks", { n: sticks })}`,
    tilesLeft: t("page.tiles_left", { n: tiles_left }),
    winds: [0, 1, 2, 3].map(windSign),
    scores: scores.map(points),
  };
}

function board() {
  const hands = state.open ? currentDecision().opponent_hands : [];
  show(drawing("board"), currentDrawing().board(boardWords(), hands));
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
  document.body.classList.toggle("valued", worths() !== null);
  let count = decision.hand.length;
  const { width: w } = TILE;
  const { meldRow } = currentDrawing();
  const melds = decision.seats[0].melds.map((meld) => {
    const { row, width } = meldRow(meld);
    count += width / w;
    return svg(
      "svg",
      {
        class: "meld",
        viewBox: `-1 ${TILE.height - 2 * w - 1} ${width + 2} ${2 * w + 2}`,
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

const LEAST_SPREAD = 400; // unit: points; smaller differences are drawn as such
/* The value of each discard with the preference, so that no tile stands above the advised action; less that of the action. */
/** @returns {Record<string, number> | null} */
function worths() {
  const actions = currentChoice()?.actions ?? [];
  const made = actions.filter(({ verb }) => verb === "discard" || verb === "riichi");
  /** @param {ValuedAction} action */
  const worth = ({ value, preference }) => value + preference;
  const pairs = made.map((action) => [action.tiles[0], worth(action) - worth(actions[0])]);
  return made.length ? Object.fromEntries(pairs.reverse()) : null; // the first of a tile stays
}

const UNREAD = { "aria-hidden": "true" }; // the name of a tile contains it
/** @param {ReviewedPosition} decision @param {string} tile @param {number} i */
function handTile(decision, tile, i) {
  const risk = decision.risks[tile];
  const all = worths() ?? {};
  const worth = all[tile] ?? null;
  const [least, most] = [Math.min, Math.max].map((limit) => limit(...Object.values(all)));
  const spread = Math.max(LEAST_SPREAD, most - least);
  const height = worth === null ? 0 : 100 * (1 - (most - worth) / spread);
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
    worth !== null && t("page.worth", { worth: signed(worth) }),
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
    el(
      "span",
      { class: "worth", ...UNREAD },
      worth !== null && (worth ? sign(worth) : "") + thousands(Math.abs(worth)),
    ),
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
      el("b", { style: `height:${height}%` }),
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
  const viewBox = `-1.5 -1.5 ${TILE.width + 3} ${TILE.height + 3}`;
  return svg("svg", { class: "tile", viewBox, "aria-hidden": "true" }, currentDrawing().face(tile));
}

function legend() {
  /** @param {string} name @param {string} mark @param {string} text */
  const entry = (name, mark, text) => el("span", {}, el("i", { class: name }, mark), ` ${text}`);
  show(
    $("key"),
    entry("discarded", "▲", t("page.discarded")),
    game.player && entry("advised", "◆", t("page.advice_of")),
    el("span", { class: "of-risk" }, t("page.above_each_tile")),
    el("span", { class: "of-value" }, t("page.value_above_each_tile")),
  );
}

/* Save the table with the own hand under it as SVG. */
function savePicture() {
  const style = document.querySelector("style")?.textContent ?? "";
  const picture = currentDrawing().picture(
    boardWords(),
    currentDecision(),
    svg("style", {}, style, ".same>.veil{stroke:none}"),
    document.querySelector("body>svg")?.cloneNode(true) ?? null,
  );
  const text = encodeURIComponent(new XMLSerializer().serializeToString(picture));
  const download = `houjuu-${address(state)}.svg`;
  el("a", { href: `data:image/svg+xml,${text}`, download }).click();
}

atDecision.push(board, hand);
atReview.push(legend);
