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

const positionForm = elementOf("position", HTMLFormElement);
positionForm.addEventListener("submit", (event) => {
  event.preventDefault();
  /** @type {Record<string, any>} */
  const sent = { rivers: {}, melds: {} };
  for (const field of positionForm.elements) {
    if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue;
    const { seat } = field.dataset;
    if (!seat) sent[field.name] = field.value;
    else if (field.value.trim()) sent[field.name][seat] = field.value;
  }
  const name = document.querySelector("h2")?.textContent ?? "";
  work(name, (onStep) => position(sent, onStep), byId("position-error"));
});

document.getElementById("waiting")?.remove(); // the page has started
openAddress();
