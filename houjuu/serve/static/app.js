// @ts-check
/* The page: its language, the address of a game, and a position by hand. */
import { danger, Refusal } from "./backend.js";

const templates = [...document.querySelectorAll("template")];
const asked = new URLSearchParams(location.search).get("lang");
const languages = [asked, ...navigator.languages].map((name) => name?.slice(0, 2));
const chosen =
  languages
    .map((name) => templates.find((template) => template.dataset.language === name))
    .find(Boolean) ?? templates[0];
document.documentElement.lang = chosen.lang;
document.body.inert = true; // until there is a script that answers
document.body.append(chosen.content);
document.title = document.querySelector("h1")?.textContent ?? "";
for (const link of document.querySelectorAll("nav a"))
  if (link instanceof HTMLAnchorElement) link.hash = location.hash;

const { choose, review } = await import("./drop.js");
document.body.inert = false;

/* The game that the address of the page contains. */
function openAddress() {
  if (!location.hash.startsWith("#json=")) return;
  choose(new DataTransfer().files, `tenhou.net/6/${location.hash}`);
  review();
}
addEventListener("hashchange", openAddress);
openAddress();

const form = document.querySelector("#position");
const risks = document.querySelector("#risks");
const problem = document.querySelector("#position-error");
form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!(form instanceof HTMLFormElement) || !risks || !problem) return;
  /** @type {Record<string, any>} */
  const position = { rivers: {}, melds: {} };
  for (const field of form.elements) {
    if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue;
    const { seat } = field.dataset;
    if (!seat) position[field.name] = field.value;
    else if (field.value.trim()) position[field.name][seat] = field.value;
  }
  risks.textContent = problem.textContent = "";
  form.inert = true;
  form.ariaBusy = "true";
  try {
    risks.textContent = await danger(position);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    const text = document.querySelector("#form")?.getAttribute("data-no-answer") ?? "";
    problem.textContent = error instanceof Refusal ? reason : text.replace("{reason}", reason);
  }
  form.inert = false;
  form.ariaBusy = null;
});
