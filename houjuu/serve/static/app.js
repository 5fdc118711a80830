// @ts-check
/* The page starts: the game in its address, and a position by hand. */
import { position } from "./backend.js";
import { byId, choose, elementOf, work } from "./drop.js";

/* The game that the address of the page contains, and the position that follows it. */
function openAddress() {
  const [game, at = ""] = location.hash.split("&at=");
  if (game.startsWith("#json="))
    choose(new DataTransfer().files, `tenhou.net/6/${game}`, decodeURIComponent(at));
}
addEventListener("hashchange", openAddress);

/* Melds without verbs: equal tiles are a pon or, four of them, a closed kan; others are a chi. */
/** @param {string} written */
function meldsOf(written) {
  if (/[a-z]{3}/.test(written)) return written;
  const tiles = [...written.matchAll(/(\d+)([mpsz])/g)].flatMap(([, ranks, suit]) =>
    [...ranks].map((rank) => rank + suit),
  );
  const melds = [];
  for (let rest = tiles; rest.length;) {
    const isOf = (/** @type {string} */ tile) =>
      tile.replace("0", "5") === rest[0].replace("0", "5");
    const n = rest.length > 3 && rest.slice(0, 4).every(isOf) ? 4 : 3;
    const verb = n === 4 ? "ankan" : rest.slice(0, 3).every(isOf) ? "pon" : "chi";
    melds.push(`${verb} ${rest.slice(0, n).join("")}`);
    rest = rest.slice(n);
  }
  return melds.join(", ");
}

const positionForm = elementOf("position", HTMLFormElement);
const fields = [...positionForm.querySelectorAll("input")];
let field = fields[0]; // the one that the tiles below are put into
positionForm.addEventListener("focusin", ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return;
  field.removeAttribute("aria-current");
  field = target;
  field.setAttribute("aria-current", "true");
});
for (const button of positionForm.querySelectorAll("button"))
  button.addEventListener("click", () => {
    const { tile } = button.dataset;
    if (tile) field.value += (field.name === "rivers" && field.value ? " " : "") + tile;
    else if (tile === "")
      field.value = field.value.replace(
        /(\d?)\d([mpsz])[*'~]*\s*$/,
        (_, rank, suit) => rank && rank + suit,
      );
  });
/* What the fields describe; the hand may be an address of tenhou.net/2, or JSON of the whole position. */
function described() {
  const [{ value: written }] = fields;
  try {
    if (/^\s*{/.test(written)) return JSON.parse(written);
  } catch {
    // the program refuses it as a hand
  }
  /** @type {Record<string, any>} */
  const sent = { rivers: {}, melds: {} };
  const selects = ["wind", "table"].map((id) => elementOf(id, HTMLSelectElement));
  for (const { name, value, dataset } of [...fields, ...selects]) {
    const text = name === "melds" ? meldsOf(value) : value.trim();
    if (!dataset.seat) sent[name] = text;
    else if (text) sent[name][dataset.seat] = text;
  }
  sent.hand = written.match(/[?&][pq]=(\w+)/)?.[1] ?? written;
  return sent;
}

positionForm.addEventListener("submit", (event) => {
  event.preventDefault();
  const name = document.querySelector("h2")?.textContent ?? "";
  work(name, (onStep) => position(described(), onStep), byId("position-error"));
});

document.getElementById("waiting")?.remove(); // the page has started
openAddress();
