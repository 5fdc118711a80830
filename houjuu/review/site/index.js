// @ts-check
/* The index: its language, and the least loss that counts for mistakes by class and in lists. */

/* The language of the browser; a link to a language names it behind "#". */
if ("follows" in document.documentElement.dataset && !location.hash) {
  const link = navigator.languages
    .map((tag) => document.querySelector(`nav a[lang="${tag.slice(0, 2).toLowerCase()}"]`))
    .find((link) => link !== null);
  const file = link?.getAttribute("href");
  if (file && !link?.hasAttribute("aria-current")) location.replace(file);
}

/** @type {{ games: number, decisions: number, lost: Record<string, number[]> }} */
const made = JSON.parse(document.getElementById("lost")?.textContent ?? "");
const rows = [...document.querySelectorAll("tr[data-class]")];
const usual = rows.map((row) => row.innerHTML); // with intervals, beside phoenix players

/** @param {HTMLInputElement} slider */
function count(slider) {
  const limit = Number(slider.value);
  const output = document.getElementById("limit-value");
  if (output) output.textContent = slider.value;
  rows.forEach((row, i) => {
    row.innerHTML = usual[i];
    if (slider.value !== slider.defaultValue) recount(row, limit);
  });
  for (const item of document.querySelectorAll("[data-lost]"))
    item.toggleAttribute("hidden", Number(item.getAttribute("data-lost")) < limit);
}

/* Counts at another limit; the usual figures are those of one limit. */
/** @param {Element} row @param {number} limit */
function recount(row, limit) {
  const lost = made.lost[row.getAttribute("data-class") ?? ""].filter((price) => price >= limit);
  const sum = lost.reduce((before, price) => before + price, 0);
  const numbers = [
    (lost.length / made.games).toFixed(1),
    `${((100 * lost.length) / made.decisions).toFixed(1)}%`,
    (sum / made.decisions).toFixed(1),
  ];
  for (const cell of row.querySelectorAll("td"))
    cell.textContent = cell.hasAttribute("data-own") ? (numbers.shift() ?? "") : "";
}

const limit = document.getElementById("limit");
if (limit instanceof HTMLInputElement) limit.addEventListener("input", () => count(limit));
