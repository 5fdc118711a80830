"use strict";

/* Shared by all scripts of the page: the game, the selected decision, texts, colours, tiles. */

const game = JSON.parse(document.getElementById("game").textContent);
const PLACES = ["you", "right", "across", "left"];
const WINDS = ["East", "South", "West", "North"];
const HONOURS = [...WINDS, "white dragon", "green dragon", "red dragon"];
const SUITS = { m: "man", p: "pin", s: "sou" };
const RED = "0";
const state = { round: 0, turn: 0, tile: 0, seat: 1, open: false };
const $ = (id) => document.getElementById(id);

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "style") node.style.cssText = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false)
      node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== false));
  return node;
}
const el = (tag, attributes, ...children) =>
  fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
function show(node, ...children) {
  node.replaceChildren();
  fill(node, {}, children);
}

/* ---- texts and numbers ---- */

const currentRound = () => game.rounds[state.round];
const currentDecision = () => currentRound().decisions[state.turn];
const discardRisk = (decision) => decision.risks[decision.hand[decision.discard_index]];
const plain = (tile) => tile.replace(RED, "5");
const percent = (p, digits = 1) => (100 * p).toFixed(digits);
const short = (p) => percent(p, p === 0 || p >= 0.0995 ? 0 : 1);
const points = (n) => Math.round(n).toLocaleString("en");
const thousands = (n) => (n < 999.5 ? points(n) : `${(n / 1000).toFixed(1)}k`);
const signed = (n) => (n > 0 ? "+" : n < 0 ? "−" : "±") + points(Math.abs(n));
const wind = (seat) => WINDS[(seat - currentRound().dealer + 4) % 4];
const windOf = (round) => WINDS[Math.floor(round.round / 4) % 4];
const roundName = (round) =>
  `${windOf(round)} ${(round.round % 4) + 1}` + (round.honba ? `, ${round.honba} honba` : "");

function tileLabel(tile) {
  const [rank, suit] = tile;
  if (suit === "z") return HONOURS[rank - 1];
  return rank === RED ? `red 5 ${SUITS[suit]}` : `${rank} ${SUITS[suit]}`;
}

function doraOf(indicator) {
  const rank = Number(plain(indicator)[0]);
  const suit = indicator[1];
  if (suit !== "z") return `${(rank % 9) + 1}${suit}`;
  return rank <= 4 ? `${(rank % 4) + 1}z` : `${((rank - 4) % 3) + 5}z`;
}

/* ---- colours: darker with risk, so that they need no hue ---- */

const FULL_BAR = 0.3; // unit: probability; fills a bar
const LIGHT = ["#fff3c4", "#fecc5c", "#fd8d3c", "#e0301e", "#a30024", "#6b0020"];
const DARK = ["#2c2a45", "#61307a", "#a93a6e", "#e5614b", "#fba238", "#fcf0a0"];
const dark = matchMedia("(prefers-color-scheme: dark)");
const weight = (p) => Math.sqrt(Math.min(p / FULL_BAR, 1));
function colour(p) {
  const stops = dark.matches ? DARK : LIGHT;
  const position = weight(p) * (stops.length - 1);
  const low = Math.min(Math.floor(position), stops.length - 2);
  const channel = (hex, i) => parseInt(hex.slice(1 + 2 * i, 3 + 2 * i), 16);
  const mix = [0, 1, 2].map((i) => {
    const from = channel(stops[low], i);
    const to = channel(stops[low + 1], i);
    return Math.round(from + (to - from) * (position - low));
  });
  return `rgb(${mix.join(" ")})`;
}

/* ---- tiles ---- */

const W = 30; // width of a tile
const H = 40; // height of a tile

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
