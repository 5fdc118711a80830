// @ts-check
/* Where the unseen tiles are: the wall by kind, the likeliest tiles of each hand, whole hands.
   With open hands the truth stands beside. */

function wallPanel() {
  const decision = currentDecision();
  const truth = state.open ? tilesOfHands(decision) : null;
  show(
    $("wall"),
    el("h3", { title: t("page.in_wall_note") }, t("page.wall")),
    el(
      "div",
      { class: "strip" },
      game.kinds.map((kind, number) => wallCell(decision, kind, number, truth)),
    ),
    el("h3", {}, t("page.likeliest")),
    decision.unseen.hands.map((likeliest, i) => handRow(likeliest, i + 1, truth)),
    el("p", { class: "faint" }, t(truth ? "page.wall_truth" : "page.wall_hidden")),
  );
}

/* The kinds in the hands of the opponents, null where the log hides a hand. */
/** @param {ReviewedPosition} decision */
const tilesOfHands = ({ opponent_hands }) =>
  opponent_hands.map((hand) => hand?.map((tile) => plain(tile)) ?? null);
/** @param {string[]} tiles @param {string} kind */
const copiesIn = (tiles, kind) => tiles.filter((tile) => tile === kind).length;

/** @param {ReviewedPosition} decision @param {string} kind @param {number} number @param {(string[] | null)[] | null} truth */
function wallCell(decision, kind, number, truth) {
  const n = unseenOf(decision, kind);
  const expected = decision.unseen.wall[number];
  const hands = truth?.flatMap((hand) => (hand === null ? [] : [copiesIn(hand, kind)])) ?? [];
  const inWall = n && hands.length === 3 ? n - total(hands) : null;
  return el(
    "span",
    {
      class: n ? null : "gone",
      title: `${tileLabel(kind)}: ${t("page.wall_of", { wall: expected.toFixed(2), n })}`,
    },
    small(kind, 20),
    el(
      "span",
      { class: "meter", style: `width:${22 * n}%` },
      el("i", { style: `width:${n ? (100 * expected) / n : 0}%` }),
    ),
    el("small", {}, n ? expected.toFixed(1) : "–", inWall !== null && el("b", {}, ` ${inWall}`)),
  );
}

/** @param {Record<string, number>} likeliest @param {number} seat @param {(string[] | null)[] | null} truth */
function handRow(likeliest, seat, truth) {
  const hand = truth?.[seat - 1] ?? null;
  return el(
    "p",
    { class: `useful seat${seat}` },
    el("span", { class: "owner" }, symbol(seat), place(seat)),
    Object.entries(likeliest).map(([kind, expected]) =>
      el(
        "span",
        {},
        small(kind, 18),
        el("small", {}, expected.toFixed(1), hand && el("b", {}, ` ${copiesIn(hand, kind)}`)),
      ),
    ),
  );
}

/* ---- the whole hand of the selected opponent; the data have it at mistakes and deal-ins ---- */

const SHANTENS = ["page.in_tenpai", "page.shanten", "page.shanten", "page.shanten_from"];
/** @param {string[]} names */
const tilesOf = (names) =>
  el(
    "span",
    {},
    names.map((name) => small(name, 21)),
  );

function hiddenPanel() {
  const decision = currentDecision();
  const { seat } = state;
  $("hidden").hidden = !decision.hidden && !isDiscard(decision);
  $("hidden").className = `panel seat${seat}`;
  show($("hidden-heading"), symbol(seat), t("page.may_hold", { place: place(seat) }));
  if (decision.hidden) show($("hidden-hand"), hiddenHand(decision, decision.hidden[seat - 1]));
  else
    show(
      $("hidden-hand"),
      t("page.may_hold_command"),
      " ",
      el("code", {}, `${dangerCommand()} --hands 5`),
    );
}

/** @param {ReviewedPosition} decision @param {HiddenHand} hand */
function hiddenHand(decision, { shanten, shapes, danger, likelier }) {
  const classes = SHANTENS.map((key, n) => [
    n ? " · " : "",
    el("span", { class: "nowrap" }, `${t(key, { shanten: n })} ${percent(shanten[n], 0)}%`),
  ]);
  /** @type {Column[]} */
  const columns = [
    ["row", t("page.holds")],
    ["", t("page.waits_for")],
    ["number", t("page.share")],
  ];
  const rows = shapes.map(({ holds, waits, share }) => [
    tilesOf(holds),
    tilesOf(waits),
    `${percent(share)}%`,
  ]);
  const truth = decision.opponent_hands[state.seat - 1];
  return [
    el(
      "div",
      { class: "shares", "aria-hidden": "true" },
      shanten.map((p) => el("i", { style: `width:${100 * p}%` })),
    ),
    el("p", {}, classes),
    shapes.length > 0 && tableOf(columns, rows),
    danger && isDiscard(decision) && el("p", {}, dangerSentence(discarded(decision), danger)),
    truth &&
      likelier !== null &&
      el(
        "p",
        { class: "faint" },
        state.open
          ? [tilesOf(truth), " ", t("page.likelier", { n: likelier })]
          : t("page.may_hold_open"),
      ),
  ];
}

/** @param {string} tile @param {HeldBlock} danger */
const dangerSentence = (tile, { tiles, of_100: n }) =>
  parts("page.dangerous", {
    tile: small(tile, 21),
    place: place(state.seat),
    n,
    tiles: tilesOf(tiles),
  });

atDecision.push(wallPanel);
