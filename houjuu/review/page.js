"use strict";
(() => {
  const game = JSON.parse(document.getElementById("game").textContent);
  const PLACES = ["you", "right", "across", "left"];
  const WINDS = ["East", "South", "West", "North"];
  const HONOURS = [...WINDS, "white dragon", "green dragon", "red dragon"];
  const SUITS = { m: "man", p: "pin", s: "sou" };
  const RED = "0";
  const W = 30, H = 40; // unit: that of the tiles
  const CENTRE = 86; // half of the middle of the board
  const ROW = 6; // tiles of a river
  const FROM = [0, -205, -205, -273], TO = [0, 284, 216, 216]; // where the hand of a seat begins, its melds end
  const TOP = 0.3; // the probability that fills a bar
  const LIGHT = ["#fff3c4", "#fecc5c", "#fd8d3c", "#e0301e", "#a30024", "#6b0020"];
  const DARK = ["#2c2a45", "#61307a", "#a93a6e", "#e5614b", "#fba238", "#fcf0a0"];

  const at = { round: 0, turn: 0, tile: 0, seat: 1, open: false };
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const $ = (id) => document.getElementById(id);

  /* ---- making elements ---- */

  function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name === "style") node.style.cssText = value;
      else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children.flat(Infinity).filter((child) => child !== null && child !== false));
    return node;
  }
  const el = (tag, attributes, ...children) =>
    fill(document.createElement(tag), attributes, children);
  const svg = (tag, attributes, ...children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
  const show = (node, ...children) =>
    node.replaceChildren(...children.flat(Infinity).filter((child) => child !== null));

  /* ---- words and numbers ---- */

  const round = () => game.rounds[at.round];
  const decision = () => round().decisions[at.turn];
  const made = (of) => of.risks[of.hand[of.discarded]];
  const plain = (tile) => tile.replace(RED, "5");
  const percent = (p, digits = 1) => (100 * p).toFixed(digits);
  const short = (p) => percent(p, p === 0 || p >= 0.0995 ? 0 : 1);
  const points = (n) => Math.round(n).toLocaleString("en");
  const thousands = (n) => (n < 999.5 ? points(n) : `${(n / 1000).toFixed(1)}k`);
  const signed = (n) => (n > 0 ? "+" : n < 0 ? "−" : "±") + points(Math.abs(n));
  const wind = (seat) => WINDS[(seat - round().dealer + 4) % 4];
  const windOf = (of) => WINDS[Math.floor(of.round / 4) % 4];
  const roundName = (of) =>
    `${windOf(of)} ${(of.round % 4) + 1}` + (of.honba ? `, ${of.honba} honba` : "");

  function spoken(tile) {
    const [rank, suit] = tile;
    if (suit === "z") return HONOURS[rank - 1];
    return rank === RED ? `red 5 ${SUITS[suit]}` : `${rank} ${SUITS[suit]}`;
  }

  function doraOf(indicator) {
    const rank = Number(plain(indicator)[0]), suit = indicator[1];
    if (suit !== "z") return `${(rank % 9) + 1}${suit}`;
    return rank <= 4 ? `${(rank % 4) + 1}z` : `${((rank - 4) % 3) + 5}z`;
  }

  /* ---- colours: light to dark with danger, told apart by brightness alone ---- */

  const weight = (p) => Math.sqrt(Math.min(p / TOP, 1));
  function colour(p) {
    const stops = dark.matches ? DARK : LIGHT;
    const place = weight(p) * (stops.length - 1), low = Math.min(Math.floor(place), stops.length - 2);
    const part = (hex, i) => parseInt(hex.slice(1 + 2 * i, 3 + 2 * i), 16);
    const mix = [0, 1, 2].map((i) => {
      const from = part(stops[low], i), to = part(stops[low + 1], i);
      return Math.round(from + (to - from) * (place - low));
    });
    return `rgb(${mix.join(" ")})`;
  }

  /* ---- tiles ---- */

  function face(tile, { x = 0, y = 0, w = W, turned = false, marks = "" } = {}) {
    const [name, signs] = [tile.slice(0, 2), tile.slice(2)];
    const of = decision();
    const on = ["piece", marks];
    if (signs.includes("'")) on.push("drawn");
    if (signs.includes("~")) on.push("called");
    if (plain(name) === plain(of.hand[at.tile])) on.push("same");
    const scale = w / W;
    const place = turned ? `translate(${x} ${y + w}) rotate(-90)` : `translate(${x} ${y})`;
    return svg("g", { class: on.join(" "), transform: `${place} scale(${scale})` },
      svg("use", { href: `#t${name}`, width: W, height: H }),
      of.indicators.some((one) => doraOf(one) === plain(name)) && svg("path", { class: "gold", d: "M30 9V3a3 3 0 0 0-3-3h-6z" }),
      svg("rect", { class: "veil", x: 0.5, y: 0.5, width: 29, height: 39, rx: 3 }));
  }

  const small = (tile, w) =>
    svg("svg", { class: "tile", viewBox: "0 0 30 40", width: w, height: (w * 4) / 3, role: "img", "aria-label": spoken(tile) },
      svg("use", { href: `#t${tile}` }));

  /* The tiles of a meld in a row, the called one turned towards whom it came from. */
  function meldRow(meld, w) {
    const held = [...meld.held], h = (w * 4) / 3;
    if (meld.kind === "ankan") {
      const row = ["b", held[1], held[2], "b"].map((tile, i) => face(tile, { x: i * w, w }));
      return { row, width: 4 * w };
    }
    const size = held.length + 1;
    const turnedAt = { 3: 0, 2: 1, 1: size - 1 }[meld.source];
    const row = [];
    let x = 0;
    for (let i = 0; i < size; i++) {
      const turned = i === turnedAt;
      const tile = turned ? meld.apart[0] : held.shift();
      row.push(face(tile, { x, y: turned ? h - w : 0, w, turned }));
      if (turned && meld.apart.length > 1) row.push(face(meld.apart[1], { x, y: h - 2 * w, w, turned }));
      x += turned ? h : w;
    }
    return { row, width: x };
  }

  /* ---- the board ---- */

  function river(tiles, latest) {
    let x = 0;
    return tiles.map((tile, i) => {
      const line = Math.min(Math.floor(i / ROW), 2);
      if (i % ROW === 0 && i / ROW <= 2) x = -3 * W;
      const turned = tile.includes("*");
      const y = CENTRE + 8 + line * H;
      const drawn = face(tile, { x, y: turned ? y + H - W : y, turned, marks: latest && i === tiles.length - 1 ? "last" : "" });
      x += turned ? H : W;
      return drawn;
    });
  }

  function side(seat) {
    const of = decision(), shown = of.seats[seat], w = 24, edge = 228;
    const parts = [river(shown.river, of.last === seat)];
    if (shown.riichi) parts.push(svg("g", { class: "stick" },
      svg("rect", { x: -34, y: CENTRE - 3, width: 68, height: 7, rx: 2 }), svg("circle", { cy: CENTRE + 0.5, r: 2 })));
    const upright = seat === 2 ? `rotate(180 0 ${CENTRE - 15.5})` : null;
    parts.push(svg("g", { transform: upright },
      seat > 0 && svg("path", { class: `of${seat} mark`, d: SIGNS[seat], transform: `translate(-47 ${CENTRE - 20.5})` }),
      svg("text", { class: "score", y: CENTRE - 11 }, svg("tspan", { class: "wind" }, wind(seat)[0]), ` ${points(of.scores[seat])}`)));
    if (seat) {
      const hidden = of.hidden[seat - 1], count = 13 - 3 * shown.melds.length;
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
    const of = decision(), w = 20;
    const shown = [...of.indicators, ...Array(5 - of.indicators.length).fill("b")];
    return [
      svg("rect", { class: "middle", x: -CENTRE, y: -CENTRE, width: 2 * CENTRE, height: 2 * CENTRE, rx: 8 }),
      svg("text", { class: "name", y: -30 }, `${windOf(round())} ${(round().round % 4) + 1}`),
      svg("text", { class: "count", y: -13 }, `${round().honba} honba · ${of.sticks} ${of.sticks === 1 ? "stick" : "sticks"}`),
      shown.map((tile, i) => face(tile, { x: (i - 2.5) * (w + 2) + 1, y: -4, w })),
      svg("text", { class: "count", y: 42 }, `${of.left} tiles left`),
    ];
  }

  function board() {
    show($("board"),
      svg("rect", { class: "felt", x: -290, y: -288, width: 580, height: 510, rx: 14 }),
      middle(), [0, 1, 2, 3].map(side));
    const of = decision();
    show($("said"), el("li", {}, `Dora indicators ${of.indicators.map(spoken).join(", ")}; ${of.left} tiles left.`),
      of.seats.map((shown, seat) => el("li", {}, saidOf(shown, seat))));
  }

  function saidOf(shown, seat) {
    const of = decision();
    const marks = { "'": " as drawn", "*": " declaring riichi", "~": " called away" };
    const tiles = shown.river.map((tile) =>
      spoken(tile) + [...tile.slice(2)].map((mark) => marks[mark]).join(""));
    const melds = shown.melds.map((meld) => `${meld.kind} of ${[...meld.held, ...meld.apart].map(spoken).join(", ")}`);
    return [`${PLACES[seat]}, ${game.names[seat]}, ${wind(seat)}, ${points(of.scores[seat])} points`,
      shown.riichi ? "in riichi" : null, melds.join("; ") || null,
      `river: ${tiles.join(", ") || "empty"}.`].filter(Boolean).join("; ");
  }

  /* ---- the hand ---- */

  function hand() {
    const of = decision();
    const tiles = of.hand.map((tile, i) => held(of, tile, i));
    let count = of.hand.length;
    const melds = of.seats[0].melds.map((meld) => {
      const { row, width } = meldRow(meld, W);
      count += width / W;
      return svg("svg", { class: "meld", viewBox: `-1 -21 ${width + 2} 62`, style: `--wide:${width / W}`, role: "img",
        "aria-label": `${meld.kind} of ${[...meld.held, ...meld.apart].map(spoken).join(", ")}` }, row);
    });
    $("tiles").style.setProperty("--count", count + 0.5);
    show($("tiles"), tiles, melds);
  }

  function held(of, tile, i) {
    const risk = of.risks[tile], lost = of.rons.reduce((sum, ron) => sum + ron.lost, 0);
    const cut = i === of.discarded, bot = i === of.advised, ron = cut && of.rons.length > 0;
    const classes = ["held", cut && "cut", ron && "ron", of.drawn && i === of.hand.length - 1 && "draw"];
    const by = risk.by.map((p, seat) => `${PLACES[seat + 1]} ${percent(p)}`).join(", ");
    const label = [`${spoken(tile)}: deals in ${percent(risk.any)} percent (${by}), ${points(risk.lost)} points`,
      cut && (of.riichi ? "discarded, declaring riichi" : "discarded"), bot && `“${game.player}” would discard it`,
      ron && `dealt in, ${points(lost)} points`].filter(Boolean).join("; ");
    return el("button", { class: classes.filter(Boolean).join(" "), "aria-pressed": String(i === at.tile), "aria-label": label,
      "data-tile": tile, onclick: () => choose(i), onmouseenter: () => choose(i), onfocus: () => choose(i) },
      el("span", { class: "num" }, short(risk.any), el("small", {}, "%")),
      el("span", { class: "lost" }, el("span", { class: "wide" }, points(risk.lost)), el("span", { class: "narrow" }, thousands(risk.lost))),
      el("span", { class: "level" }, el("i", { style: `height:${100 * weight(risk.any)}%;background:${colour(risk.any)}` })),
      svg("svg", { class: "tile", viewBox: "-1.5 -1.5 33 43", "aria-hidden": true }, face(tile)),
      el("span", { class: "marks" }, cut && el("b", { class: "cut" }, ron ? `✕ −${points(lost)}` : of.riichi ? "▲ riichi" : "▲"), bot && el("b", { class: "bot" }, "◆")),
      el("span", { class: "split" }, risk.by.map((p, seat) =>
        el("span", { class: `of${seat + 1}` }, el("span", {}, PLACES[seat + 1]), el("b", {}, `${percent(p, 2)}%`)))));
  }

  /* ---- the chosen tile ---- */

  function detail() {
    const of = decision(), tile = of.hand[at.tile], risk = of.risks[tile];
    const most = Math.max(...risk.by, 0.05);
    const rows = risk.by.map((p, i) => el("tr", { class: `of${i + 1}` },
      el("th", { scope: "row" }, sign(i + 1), PLACES[i + 1]),
      el("td", {}, el("span", { class: "meter" }, el("i", { style: `width:${(100 * p) / most}%` }))),
      el("td", {}, `${percent(p, 2)}%`),
      el("td", {}, points(risk.lost_by[i])),
      el("td", { class: "faint" }, risk.genbutsu[i] ? "genbutsu" : of.read[i])));
    const each = risk.any > 0.0005 ? ` · about ${points(Math.round(risk.lost / risk.any / 100) * 100)} when it does` : "";
    show($("tile"),
      el("div", { class: "chosen" }, small(tile, 42), el("div", {}, el("h2", {}, spoken(tile)),
        el("p", {}, "deals in ", el("b", { id: "any" }, `${percent(risk.any, 2)}%`), " · costs ", el("b", { id: "lost" }, points(risk.lost)), ` points${each}`))),
      el("table", {}, el("thead", {}, el("tr", {}, el("td", {}), el("td", {}), ["deals in", "points", "read as"].map((name) => el("th", { scope: "col" }, name)))), el("tbody", {}, rows)),
      reasons(of, tile));
  }

  function reasons(of, tile) {
    const seat = at.seat, [ways, why] = of.why[plain(tile)][seat - 1];
    const told = (title, terms, sum) => terms.length > 0 && el("div", { class: "terms" }, el("h3", {}, title), bars(terms, sum));
    const p = of.risks[tile].by[seat - 1];
    return el("div", { class: `reasons of${seat}` },
      el("h2", {}, sign(seat), `${PLACES[seat]}: why ${percent(p, 2)}%`),
      told(of.read[seat - 1] === "melded" ? "with a hand of" : "waiting as", ways, p),
      told("because of", why, p),
      told(`tenpai ${percent(of.tenpai[seat - 1])}% because of`, of.why_tenpai[seat - 1], of.tenpai[seat - 1]),
      !ways.length && !why.length && el("p", { class: "faint" }, of.risks[tile].genbutsu[seat - 1] ? "Furiten makes it safe." : "Nothing that weighs."));
  }

  const SHOWN = 7; // terms of a list; the rest is one line
  function bars(terms, sum) {
    const shown = terms.slice(0, SHOWN).map(([word, p]) => [game.words[word], p]);
    const rest = sum - shown.reduce((all, [, p]) => all + p, 0);
    if (Math.abs(rest) >= 0.00005) shown.push(["the rest", rest]);
    const most = Math.max(...shown.map(([, p]) => Math.abs(p)));
    return el("table", {}, el("tbody", {}, shown.map(([name, p]) => {
      const width = `width:${(50 * Math.abs(p)) / most}%`;
      return el("tr", {}, el("td", {}, name),
        el("td", {}, el("span", { class: p < 0 ? "meter both less" : "meter both" }, el("i", { style: width }))),
        el("td", {}, (p < 0 ? "−" : "+") + percent(Math.abs(p), 2)));
    })));
  }

  /* ---- opponents and the round ---- */

  const SIGNS = ["", "M5 1a4 4 0 1 0 .01 0z", "M1.5 1.5h7v7h-7z", "M5 1l4.3 7.8H.7z"];
  const sign = (seat) => svg("svg", { class: `sign of${seat}`, viewBox: "0 0 10 10", "aria-hidden": true }, svg("path", { d: SIGNS[seat] }));

  function cards() {
    const of = decision();
    show($("cards"), [1, 2, 3].map((seat) => {
      const p = of.tenpai[seat - 1], riichi = of.seats[seat].riichi;
      return el("button", { class: `card of${seat}`, "aria-pressed": String(seat === at.seat), onclick: () => against(seat) },
        el("span", {}, sign(seat), el("b", {}, PLACES[seat]), ` ${wind(seat)[0]}`),
        el("span", { class: "who" }, game.names[seat]),
        el("span", { class: "p" }, `${percent(p, 0)}%`, el("small", {}, riichi ? " riichi" : " tenpai")),
        el("span", { class: "meter" }, el("i", { style: `width:${100 * p}%` })));
    }));
  }

  const PLOT = { left: 34, right: 8, width: 380 };
  function frame(node, height, top, label) {
    const n = round().decisions.length, wide = PLOT.width - PLOT.left - PLOT.right;
    const x = (turn) => PLOT.left + ((turn + 0.5) * wide) / n;
    const y = (p) => height - 18 - ((height - 26) * p) / top;
    const columns = Array.from({ length: n }, (_, turn) => svg("rect", { class: turn === at.turn ? "column now" : "column",
      x: x(turn) - wide / n / 2, y: 4, width: wide / n, height: height - 20, onclick: () => go(at.round, turn) }));
    const lines = [0, top / 2, top].map((p) => [
      svg("line", { class: "grid", x1: PLOT.left, x2: PLOT.width - PLOT.right, y1: y(p), y2: y(p) }),
      svg("text", { class: "tick", x: PLOT.left - 4, y: y(p) + 3.5, "text-anchor": "end" }, `${percent(p, 0)}%`)]);
    const every = n > 14 ? 2 : 1;
    const turns = Array.from({ length: n }, (_, turn) => turn % every === 0 && svg("text", { class: "tick", x: x(turn), y: height - 5, "text-anchor": "middle" }, String(turn + 1)));
    node.setAttribute("viewBox", `0 0 ${PLOT.width} ${height}`);
    node.setAttribute("aria-label", label);
    return { x, y, under: [lines, turns, columns], wide: wide / n };
  }

  function tenpaiPlot() {
    const turns = round().decisions;
    const last = turns[turns.length - 1].tenpai.map((p, i) => `${PLACES[i + 1]} ${percent(p, 0)} percent`).join(", ");
    const { x, y, under } = frame($("tenpai"), 150, 1, `Tenpai through ${roundName(round())}, at the end: ${last}`);
    const series = [3, 2, 1].map((seat) => {
      const of = turns.map((one, turn) => [x(turn), y(one.tenpai[seat - 1])]);
      return svg("g", { class: `line of${seat}` }, svg("polyline", { points: of.map((point) => point.join()).join(" ") }),
        of.map(([px, py]) => svg("path", { d: SIGNS[seat], transform: `translate(${px - 3.5} ${py - 3.5}) scale(.7)` })));
    });
    show($("tenpai"), under, series);
  }

  function riskPlot() {
    const turns = round().decisions;
    const top = Math.max(0.1, Math.ceil(Math.max(...turns.map((of) => made(of).any)) * 10) / 10);
    const rons = turns.flatMap((of, turn) => of.rons.map(() => turn + 1));
    const { x, y, under, wide } = frame($("risk"), 124, top,
      `Risk of each discard of the round, at most ${percent(Math.max(...turns.map((of) => made(of).any)))} percent` + (rons.length ? `; turn ${rons[0]} dealt in` : ""));
    const bar = Math.min(18, wide * 0.7);
    const drawn = turns.map((of, turn) => {
      const p = made(of).any, least = Math.min(...Object.values(of.risks).map((risk) => risk.any));
      const bot = of.advised !== null && of.risks[of.hand[of.advised]].any;
      return svg("g", {},
        svg("rect", { class: "risk", x: x(turn) - bar / 2, y: y(p), width: bar, height: y(0) - y(p), style: `fill:${colour(p)}` }),
        svg("line", { class: "least", x1: x(turn) - bar / 2 - 2, x2: x(turn) + bar / 2 + 2, y1: y(least), y2: y(least) }),
        of.advised !== null && of.advised !== of.discarded && svg("path", { class: "bot", d: "M0-4L3.5 0 0 4-3.5 0z", transform: `translate(${x(turn)} ${y(bot)})` }),
        of.rons.length > 0 && svg("path", { class: "ron", d: "M-5-5L5 5M5-5L-5 5", transform: `translate(${x(turn)} ${Math.max(y(p) - 9, 10)})` }));
    });
    show($("risk"), under, drawn);
  }

  const DRAWN = { exhausted: "exhausted", nm: "nagashi mangan", yao9: "nine terminals", kaze4: "four winds", reach4: "four riichi", ron3: "three ron", kan4: "four kans" };
  function end() {
    const ends = round().ends.map((how) => {
      if (how.drawn) return el("p", {}, el("b", {}, "Drawn: "), `${DRAWN[how.drawn]}.`);
      const who = how.winner ? PLACES[how.winner] : "you";
      const from = how.source === how.winner ? "by tsumo" : `from ${PLACES[how.source]}`;
      return el("div", {}, el("p", {}, el("b", {}, `${who} won ${from}`), `: ${points(how.points)}. `, el("span", { class: "faint" }, how.yaku.join(", "))),
        el("p", { class: "row" }, how.hand.map((tile) => small(tile, 18)), how.melds.map((meld) => [el("i", {}), [...meld.held, ...meld.apart].map((tile) => small(tile, 18))]), el("i", {}), small(how.tile, 18)));
    });
    const gained = el("p", { class: "faint" }, round().deltas.map((delta, seat) => `${PLACES[seat]} ${signed(delta)}`).join(" · "));
    show($("end"), el("h3", {}, "how it ended"), ends, gained);
  }

  /* ---- going about ---- */

  function choose(tile) {
    if (tile < 0 || tile >= decision().hand.length || tile === at.tile) return;
    at.tile = tile;
    [...$("tiles").querySelectorAll(".held")].forEach((node, i) => {
      node.setAttribute("aria-pressed", String(i === tile));
    });
    board();
    detail();
  }

  function against(seat) {
    const inCards = $("cards").contains(document.activeElement);
    at.seat = seat;
    cards();
    detail();
    if (inCards) $("cards").children[seat - 1].focus({ preventScroll: true });
  }

  function toggle(button, on) {
    button.setAttribute("aria-pressed", String(on));
    return on;
  }
  function openHands() {
    at.open = toggle($("open"), !at.open);
    board();
  }
  const names = () => document.body.classList.toggle("names", toggle($("index"), !document.body.classList.contains("names")));

  function go(toRound, toTurn) {
    if (!game.rounds[toRound]?.decisions[toTurn]) return;
    [at.round, at.turn] = [toRound, toTurn];
    arrive();
    clearTimeout(writing); // browsers slow down pages that change their address too often
    writing = setTimeout(() => history.replaceState(null, "", `#${toRound}.${toTurn + 1}`), 200);
  }
  let writing;

  function step(by) {
    const turn = at.turn + by;
    if (round().decisions[turn]) return go(at.round, turn);
    const next = other(by);
    if (next !== null) go(next, by > 0 ? 0 : game.rounds[next].decisions.length - 1);
  }
  function other(by) {
    let next = at.round + by;
    while (game.rounds[next] && !game.rounds[next].decisions.length) next += by;
    return game.rounds[next] ? next : null;
  }
  function skip(by) {
    const next = other(by);
    if (next !== null) go(next, 0);
  }
  const everywhere = game.rounds.flatMap((of, i) => of.decisions.map((one, j) => [i, j, one]));
  function nextRon() {
    const rons = everywhere.filter(([, , one]) => one.rons.length);
    const later = rons.find(([i, j]) => i > at.round || (i === at.round && j > at.turn)) || rons[0];
    if (later) go(later[0], later[1]);
  }

  function follow() {
    const [toRound, toTurn] = location.hash.slice(1).split(".").map(Number);
    const known = game.rounds[toRound]?.decisions[toTurn - 1];
    [at.round, at.turn] = known ? [toRound, toTurn - 1] : everywhere[0];
    arrive();
  }

  function arrive() {
    at.tile = decision().discarded;
    const by = made(decision()).by;
    at.seat = 1 + (Math.max(...by) > 0 ? by : decision().tenpai).reduce((best, p, i, all) => (p > all[best] ? i : best), 0);
    draw();
  }

  function draw() {
    const inHand = $("tiles").contains(document.activeElement);
    const of = decision(), risk = made(of), count = round().decisions.length;
    $("where").replaceChildren(roundName(round()), el("small", {}, ` turn ${at.turn + 1} of ${count}`));
    for (const link of document.querySelectorAll(".rounds a")) {
      const here = Number(link.dataset.round) === at.round;
      if (here) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
      if (here) link.parentNode.scrollLeft = link.offsetLeft - link.parentNode.clientWidth / 2;
    }
    $("back").disabled = at.turn === 0 && other(-1) === null;
    $("on").disabled = at.turn === count - 1 && other(1) === null;
    board(); hand(); cards(); tenpaiPlot(); riskPlot(); end(); detail();
    document.body.dataset.at = `${at.round}.${at.turn + 1}`;
    $("command").textContent = `houjuu danger GAME --seat ${game.seat} --round ${at.round} --turn ${at.turn + 1}`;
    if (inHand) $("tiles").children[at.tile].focus({ preventScroll: true });
    $("live").textContent = `${roundName(round())}, turn ${at.turn + 1} of ${count}. Discarded ${spoken(of.hand[of.discarded])}: ${percent(risk.any)} percent, ${points(risk.lost)} points.` + (of.rons.length ? " It dealt in." : "");
  }

  const KEYS = {
    ArrowLeft: () => step(-1), ArrowRight: () => step(1),
    ArrowUp: () => skip(-1), ArrowDown: () => skip(1),
    Home: () => go(...everywhere[0]), End: () => go(...everywhere[everywhere.length - 1]),
    x: nextRon, h: openHands, n: names, "?": () => $("help").showModal(),
    r: () => against(1), a: () => against(2), l: () => against(3),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
    const digit = /^[1-9]$/.test(event.key);
    if (!digit && !KEYS[event.key]) return;
    event.preventDefault();
    if (digit) $("tiles").querySelectorAll(".held")[event.key - 1]?.focus({ preventScroll: true });
    else KEYS[event.key]();
  });
  $("back").addEventListener("click", () => step(-1));
  $("on").addEventListener("click", () => step(1));
  $("open").addEventListener("click", openHands);
  $("index").addEventListener("click", names);
  $("ask").addEventListener("click", () => $("help").showModal());
  addEventListener("hashchange", follow);
  dark.addEventListener("change", draw);
  follow();
})();
