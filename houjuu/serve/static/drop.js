// @ts-check
/* A page on which a log becomes a review, step by step; backend.js beside it does the work. */
import { cancel, players, Refusal, reviewed } from "./backend.js";

/** @typedef {{ body: Blob, name: string }} LogFile */
/** @typedef {{ files: LogFile[], name: string }} Log */
/** @typedef {Record<string, string>} Query */
/** @typedef {{ pages: Record<string, string>, first: string, save?: Blob, link?: string }} Reviewed */
/** @typedef {Record<string, string | number>} Values */
/** @typedef {{ share: number, loading?: boolean }} Step */
/**
 * @typedef {{ names: string[], seats: number[], own?: number | null,
 *   counts?: [string, number][] }} Players
 */
/** @typedef {{ text: string, query?: Query }} Choice A player; without a query the log hides it. */

/** @template {HTMLElement} T @param {string} id @param {new () => T} type */
export function elementOf(id, type) {
  const node = document.getElementById(id);
  if (node instanceof type) return node;
  throw new Error(`the page has no ${type.name} ${id}`);
}
/** @param {string} id */
export const byId = (id) => elementOf(id, HTMLElement);
const form = elementOf("form", HTMLFormElement);
const input = elementOf("file", HTMLInputElement);
const text = elementOf("text", HTMLTextAreaElement);
const bar = elementOf("share", HTMLProgressElement);
/** @type {HTMLIFrameElement | undefined} */
let frame;
/** @type {number | undefined} */
let typing;
let reading = 0; // the number of the last log
let wanted = ""; // the position in the address of the page
const PATIENCE = 3000; // unit: milliseconds, until a frame has shown its page
let isShown = false;
/** @type {(href: string) => void} Opens a page of the review. */
let follow = () => {};
/** @type {Map<Choice, Reviewed>} */
const done = new Map();

/* A text of the page in its language, with values in place of {name} and others. */
/** @param {string} key @param {Values} values */
const textOf = (key, values = {}) =>
  (form.dataset[key] ?? key).replace(/\{(\w+)\}/g, (slot, name) => String(values[name] ?? slot));

/* An error beside the log, or in another element. */
/** @param {string} sentence */
function showError(sentence, at = byId("error")) {
  byId("status").textContent = "";
  at.textContent = sentence;
}

/* The name of a file without characters that a reader does not see. */
/** @param {string} name */
const shownName = (name) => name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "\ufffd");

/* Why a pasted text is no log, where that needs no program: an address, or just words. */
/** @param {string} written */
function refusalOf(written) {
  if (/#json=/i.test(written) || /^[<{[]/.test(written)) return "";
  const [id] = written.match(/\b\d{10}gm-[0-9a-f]{4}-\d{4,5}-x?[0-9a-f]{8,}/i) ?? [];
  if (id)
    return textOf("tenhouPage", { address: new URL(`?${id}`, "https:tenhou.net/0/log/").href });
  if (/mahjongsoul|maj-soul|majsoul|paipu=|雀魂/i.test(written)) return textOf("soulPage");
  return textOf(/^https?:/i.test(written) ? "otherPage" : "notLog");
}

/* The chosen file or the pasted text; null, with an error, where it cannot be sent. */
function chosenLog() {
  const written = text.value.trim();
  /** @type {LogFile[]} */
  const files = [...(input.files ?? [])].map((body) => ({
    body,
    name: shownName(body.name),
  }));
  const isEmpty = !files.length && !written;
  const refusal = files.length || isEmpty ? "" : refusalOf(written);
  if (!files.length) files.push({ body: new Blob([written]), name: textOf("pasted") });
  const tooLong = files.find(({ body }) => body.size > Number(form.dataset.limit));
  const problem = isEmpty ? textOf("noLog") : refusal;
  showError(tooLong ? textOf("tooLong", { name: tooLong.name }) : problem);
  const name = files.map((file) => file.name).join(", ");
  return byId("error").textContent ? null : { files, name };
}

/** @param {unknown} error */
function report(error, at = byId("error")) {
  if (error instanceof DOMException && error.name === "AbortError") return;
  if (error instanceof Refusal) showError(error.message, at);
  else
    showError(
      textOf("noAnswer", {
        reason: error instanceof Error ? error.message : "",
      }),
      at,
    );
}

/* "Which one are you?", with the names of the players, as soon as the log is read. A report, or an
   address with a position, says it. */
async function readPlayers() {
  clearTimeout(typing);
  reading += 1;
  const own = reading;
  offer([]);
  const log = chosenLog();
  if (!log) return (input.files?.length ? input : text).focus();
  setStatus(textOf("reading", { name: log.name }));
  try {
    const found = await players(log, showStep(log));
    const choices = choicesOf(found);
    if (own !== reading) return; // another log is read
    setStatus("");
    offer(choices);
    const choice = choices[wanted ? Number(wanted[0]) : (found.own ?? -1)];
    if (choice?.query) review(choice);
    else byId("who").scrollIntoView({ block: "nearest" });
  } catch (error) {
    if (own === reading) report(error);
  }
}

/* Of one game the four seats, of several the names with the number of their games. */
/** @param {Players} found @returns {Choice[]} */
function choicesOf({ names, seats, counts = [] }) {
  if (counts.length)
    return counts.map(([name, n]) => ({
      text: textOf("games", { name, n }),
      query: { name },
    }));
  return names.map((name, seat) =>
    seats.includes(seat)
      ? { text: textOf(`seat${seat}`, { name }), query: { seat: String(seat) } }
      : { text: textOf("hiddenSeat", { name }) },
  );
}

/* Buttons for the players: below the log, and for the seats of one game above its review. */
/** @param {Choice[]} choices */
function offer(choices) {
  done.clear();
  byId("who").hidden = !choices.length;
  for (const id of ["you", "others"]) {
    const buttons = choices.map((choice) => {
      const button = document.createElement("button");
      Object.assign(button, {
        type: "button",
        textContent: choice.text,
        disabled: !choice.query,
      });
      button.addEventListener("click", () => review(choice));
      return button;
    });
    byId(id).replaceChildren(...buttons);
  }
  byId("others").hidden = !choices.some(({ query }) => query?.seat);
}

/** @param {{ name: string }} log @returns {(step: Step) => void} */
const showStep = (log) => (step) => {
  const values = { name: log.name, share: Math.floor(100 * step.share) };
  setStatus(textOf(step.loading ? "loading" : "reviewing", values));
  bar.value = values.share;
};

/* A screen reader reads each change. */
/** @param {string} sentence */
function setStatus(sentence) {
  if (byId("status").textContent !== sentence) byId("status").textContent = sentence;
}

/** @param {Choice} choice */
async function review(choice) {
  const log = chosenLog();
  if (!log) return;
  const [player, room] = ["player", "room"].map((id) => elementOf(id, HTMLSelectElement).value);
  const query = {
    ...choice.query,
    ...(player && { player }),
    ...(room && { room }),
    one_seat: "true",
  };
  const known = done.get(choice);
  const call = async (/** @type {(step: Step) => void} */ onStep) =>
    known ?? reviewed(log, query, onStep);
  const result = await work(log.name, call);
  if (!result) return;
  done.set(choice, result);
  [...byId("others").children].forEach((button) => {
    button.ariaPressed = String(button.textContent === choice.text);
  });
}

/* Shows the pages of a call; its steps before, or its error in an element. */
/** @param {string} name @param {(onStep: (step: Step) => void) => Promise<Reviewed>} call */
export async function work(name, call, at = byId("error")) {
  clearTimeout(typing); // the names are not read any more: that would hide an error
  const focused = document.activeElement;
  at.textContent = "";
  close();
  setStatus(textOf("reading", { name }));
  const stopClock = startWork();
  try {
    const result = await call(showStep({ name }));
    show(result, name);
    return result;
  } catch (error) {
    stopClock();
    report(error, at);
    if (focused instanceof HTMLElement) focused.focus();
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
  const forms = document.querySelectorAll("form");
  forms.forEach((one) => {
    one.inert = true;
  });
  byId("work").hidden = false;
  byId("cancel").focus();
  return () => {
    clearInterval(clock);
    forms.forEach((one) => {
      one.inert = false;
    });
    byId("work").hidden = true;
    setStatus("");
  };
}

/** @param {Reviewed} review @param {string} name */
function show({ pages, first, save, link }, name) {
  const shown = document.createElement("iframe");
  shown.title = textOf("reviewOf", { name });
  shown.allow = "clipboard-write"; // which a page opened from a file would lack
  const home = location.protocol.startsWith("http") ? location.origin + location.pathname : "";
  const address = form.dataset.home || home;
  shown.name = link && address ? `${address}#${link}&at=` : ""; // so the page can copy a link
  const ownScript = document.createElement("script");
  ownScript.textContent = byId("frame").textContent;
  let file = first;
  /** @param {string} [more] */
  const content = (more = "") => new Blob([pages[file], more], { type: "text/html;charset=utf-8" });
  /** @param {string} hash */
  const open = (hash) => {
    URL.revokeObjectURL(shown.src);
    shown.src = URL.createObjectURL(content(ownScript.outerHTML)) + hash;
  };
  shown.addEventListener("load", () => {
    shown.focus();
    setTimeout(() => {
      if (frame === shown && !isShown) showError(textOf("blocked"), byId("bar-error"));
    }, PATIENCE);
  });
  follow = (href) => {
    isShown = true;
    const target = new URL(href, new URL(file, "http:pages"));
    const page = decodeURIComponent(target.pathname.slice(1));
    if (!href || !(page in pages)) return;
    file = page;
    open(target.hash);
  };
  isShown = false;
  byId("name").textContent = name;
  const saved = save ?? content();
  Object.assign(byId("save"), {
    href: URL.createObjectURL(saved),
    download: save ? "reviews.zip" : `${name.split(".")[0]}.html`,
  });
  toggle(true);
  open(wanted && `#${wanted}`);
  wanted = "";
  document.body.append(shown);
  frame = shown;
}

/** @param {boolean} reviewing */
function toggle(reviewing) {
  byId("main").hidden = reviewing;
  byId("bar").hidden = !reviewing;
  document.body.classList.toggle("reviewing", reviewing);
}

/* Back to the log. */
function close() {
  URL.revokeObjectURL(frame?.src ?? "");
  frame?.remove();
  frame = undefined;
  byId("bar-error").textContent = "";
  toggle(false);
}

/* A log in place of the one before, from a file or as text, and the position to open. */
/** @param {FileList | null} files @param {string} written */
export function choose(files, written, at = "") {
  if (form.inert) return;
  close();
  input.files = files;
  text.value = written;
  wanted = at;
  readPlayers();
}

addEventListener("message", ({ source, data }) => {
  if (frame && source === frame.contentWindow) follow(String(data));
});
form.addEventListener("change", () => done.clear()); // reviews with other options
form.addEventListener("submit", (event) => {
  event.preventDefault();
  readPlayers();
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
  close();
  form.reset();
  offer([]);
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
