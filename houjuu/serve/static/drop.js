// @ts-check
/* A page on which a log becomes a review, step by step; backend.js beside it does the work. */
import { cancel, players, Refusal, review as reviewed } from "./backend.js";

/** @typedef {{ body: Blob, name: string }} LogFile */
/** @typedef {{ files: LogFile[], name: string }} Log */
/** @typedef {Record<string, string>} Query */
/** @typedef {{ pages: Record<string, string>, first: string, save?: Blob }} Reviewed */
/** @typedef {Record<string, string | number>} Values */
/** @typedef {{ share: number, loading?: boolean }} Step */
/** @typedef {{ names: string[], seats: number[] }} Players */

/** @template {HTMLElement} T @param {string} id @param {new () => T} type */
function elementOf(id, type) {
  const node = document.getElementById(id);
  if (node instanceof type) return node;
  throw new Error(`the page has no ${type.name} ${id}`);
}
/** @param {string} id */
const byId = (id) => elementOf(id, HTMLElement);
const form = elementOf("form", HTMLFormElement);
const input = elementOf("file", HTMLInputElement);
const text = elementOf("text", HTMLTextAreaElement);
const seat = elementOf("seat", HTMLSelectElement);
const bar = elementOf("share", HTMLProgressElement);
const seatTexts = [...seat.options].map((option) => option.text);
/** @type {HTMLIFrameElement | undefined} */
let frame;
/** @type {number | undefined} */
let typing;

/* A text of the page in its language, with values in place of {name} and others. */
/** @param {string} key @param {Values} values */
const textOf = (key, values = {}) =>
  (form.dataset[key] ?? key).replace(/\{(\w+)\}/g, (slot, name) => String(values[name] ?? slot));

/* An error beside the log. */
/** @param {string} sentence */
function showError(sentence) {
  byId("status").textContent = "";
  byId("error").textContent = sentence;
}

/* The name of a file without characters that a reader does not see. */
/** @param {string} name */
const shownName = (name) => name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "\ufffd");

/* The chosen file or the pasted text; null, with an error, where it cannot be sent. */
function chosenLog() {
  const pasted = new Blob([text.value.trim()]);
  /** @type {LogFile[]} */
  const files = [...(input.files ?? [])].map((body) => ({ body, name: shownName(body.name) }));
  const isEmpty = !files.length && !pasted.size;
  if (!files.length) files.push({ body: pasted, name: textOf("pasted") });
  const tooLong = files.find(({ body }) => body.size > Number(form.dataset.limit));
  showError(tooLong ? textOf("tooLong", { name: tooLong.name }) : isEmpty ? textOf("noLog") : "");
  const name = files.map((file) => file.name).join(", ");
  return byId("error").textContent ? null : { files, name };
}

/** @param {unknown} error */
function report(error) {
  if (error instanceof DOMException && error.name === "AbortError") return;
  if (error instanceof Refusal) showError(error.message);
  else showError(textOf("noAnswer", { reason: error instanceof Error ? error.message : "" }));
}

/* The names of the players become the choice of the seat. */
async function readPlayers() {
  nameSeats(seatTexts);
  const log = chosenLog();
  if (!log) return;
  byId("status").textContent = textOf("reading", { name: log.name });
  try {
    const { names, seats } = await players(log, showStep(log));
    byId("status").textContent = "";
    if (!names.length) return;
    const texts = names.map((name, i) =>
      seats.includes(i)
        ? (seat.options[i + 1].dataset.named ?? "{name}").replace("{name}", () => name)
        : textOf("hiddenSeat", { name }),
    );
    nameSeats([seatTexts[0], ...texts], seats);
  } catch (error) {
    report(error);
  }
}

/** @param {string[]} texts @param {number[]} [seats] */
function nameSeats(texts, seats) {
  [...seat.options].forEach((option, i) => {
    option.textContent = texts[i];
    option.disabled = Boolean(seats && i && !seats.includes(i - 1));
  });
  seat.options[0].hidden = seats !== undefined;
  seat.value = seats ? String(seats[0]) : "";
}

/** @param {Log} log @returns {(step: Step) => void} */
const showStep = (log) => (step) => {
  const values = { name: log.name, share: Math.floor(100 * step.share) };
  setStatus(textOf(step.loading ? "loading" : "reviewing", values));
  bar.value = values.share;
};

/** @param {Log} log */
function requestReview(log) {
  const player = elementOf("player", HTMLSelectElement);
  const query = {
    ...(seat.value && { seat: seat.value }),
    ...(player.value && { player: player.value }),
    ...(elementOf("one_seat", HTMLInputElement).checked && { one_seat: "true" }),
  };
  return reviewed(log, query, showStep(log));
}

/* A screen reader reads each change. */
/** @param {string} sentence */
function setStatus(sentence) {
  if (byId("status").textContent !== sentence) byId("status").textContent = sentence;
}

export async function review() {
  clearTimeout(typing); // the names of the players are not read any more: that would hide an error
  const log = chosenLog();
  if (!log) return (input.files?.length ? input : text).focus();
  setStatus(textOf("reading", { name: log.name }));
  const stopClock = startWork();
  try {
    show(await requestReview(log), log.name);
  } catch (error) {
    stopClock();
    report(error);
    form.querySelector("button")?.focus();
  } finally {
    stopClock();
  }
}

/* The bar, without a value until the first step, and the seconds; returns what ends both. */
function startWork() {
  const start = performance.now();
  const tick = () => {
    const values = { seconds: Math.floor((performance.now() - start) / 1000) };
    const share = bar.getAttribute("value");
    byId("time").textContent = share
      ? textOf("progress", { ...values, share })
      : textOf("elapsed", values);
  };
  bar.removeAttribute("value");
  tick();
  const clock = setInterval(tick, 250);
  form.inert = true;
  byId("work").hidden = false;
  byId("cancel").focus();
  return () => {
    clearInterval(clock);
    form.inert = false;
    byId("work").hidden = true;
    byId("status").textContent = "";
  };
}

/** @param {Reviewed} review @param {string} name */
function show({ pages, first, save }, name) {
  const shown = document.createElement("iframe");
  shown.title = textOf("reviewOf", { name });
  let file = first;
  const address = () => new Blob([pages[file]], { type: "text/html;charset=utf-8" });
  /** @param {string} hash */
  const open = (hash) => {
    URL.revokeObjectURL(shown.src);
    shown.src = URL.createObjectURL(address()) + hash;
  };
  shown.addEventListener("load", () => {
    shown.focus();
    shown.contentDocument?.addEventListener("click", (event) => {
      const { target: clicked } = /** @type {{ target: any }} */ (event); // of another window
      /** @type {string | null | undefined} */
      const href = clicked?.closest?.("a[href]")?.getAttribute("href");
      if (!href || href.startsWith("#") || /^[a-z]+:/.test(href)) return;
      const target = new URL(href, new URL(`/${file}`, location.origin));
      const wanted = decodeURIComponent(target.pathname.slice(1));
      if (!(wanted in pages)) return;
      event.preventDefault();
      file = wanted;
      open(target.hash);
    });
  });
  byId("name").textContent = name;
  const saved = save ?? address();
  Object.assign(byId("save"), {
    href: URL.createObjectURL(saved),
    download: save ? "reviews.zip" : `${name.split(".")[0]}.html`,
  });
  toggle(true);
  open("");
  document.body.append(shown);
  frame = shown;
}

/** @param {boolean} reviewing */
function toggle(reviewing) {
  byId("main").hidden = reviewing;
  byId("bar").hidden = !reviewing;
  document.body.classList.toggle("reviewing", reviewing);
}

/* A log in place of the one before, from a file or as text. */
/** @param {FileList | null} files @param {string} written */
export function choose(files, written) {
  if (form.inert) return;
  input.files = files;
  text.value = written;
  readPlayers();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  review();
});
input.addEventListener("change", () => {
  if (input.files?.length) choose(input.files, "");
});
text.addEventListener("input", () => {
  clearTimeout(typing);
  input.value = "";
  if (text.value.trim()) typing = window.setTimeout(readPlayers, 300);
});
byId("cancel").addEventListener("click", cancel);
byId("another").addEventListener("click", () => {
  URL.revokeObjectURL(frame?.src ?? "");
  frame?.remove();
  toggle(false);
  form.reset();
  nameSeats(seatTexts);
  input.focus();
});
for (const type of ["dragover", "dragleave", "drop"])
  document.addEventListener(type, (event) => {
    event.preventDefault();
    document.body.classList.toggle("dragged", type === "dragover");
  });
document.addEventListener("drop", ({ dataTransfer }) => {
  if (!dataTransfer) return;
  const written = dataTransfer.getData("text/plain");
  if (dataTransfer.files.length) choose(dataTransfer.files, "");
  else if (written) choose(new DataTransfer().files, written);
});
