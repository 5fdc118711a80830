// @ts-check
/* The page of the server: a log becomes a review, step by step. */

/** @typedef {{ body: Blob, name: string }} Log */
/** @typedef {Record<string, string | number>} Values */

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
/** @type {AbortController | undefined} */
let work; // of the request at work: it ends the request

/* A text of the page in its language, with values in place of {name} and others. */
/** @param {string} key @param {Values} values */
const textOf = (key, values = {}) =>
  (form.dataset[key] ?? key).replace(/\{(\w+)\}/g, (slot, name) => String(values[name] ?? slot));

/* An error beside the log, in the language of the page or, from the server, in English. */
/** @param {string} sentence */
function showError(sentence, language = textOf("language")) {
  byId("status").textContent = "";
  byId("error").lang = language;
  byId("error").textContent = sentence;
}

class Refusal extends Error {}

/* The name of a file without characters that a reader does not see. */
/** @param {string} name */
const shownName = (name) => name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "\ufffd");

/* The chosen file or the pasted text; null, with an error, where it cannot be sent. */
function chosenLog() {
  const file = input.files?.[0];
  /** @type {Log} */
  const log = file
    ? { body: file, name: shownName(file.name) }
    : { body: new Blob([text.value.trim()]), name: textOf("pasted") };
  const isTooLong = log.body.size > Number(form.dataset.limit);
  const { name } = log;
  showError(isTooLong ? textOf("tooLong", { name }) : file || log.body.size ? "" : textOf("noLog"));
  return byId("error").textContent ? null : log;
}

/* A request of which only the last one counts: it ends the one before. */
/** @param {string} path @param {Log} log @param {Record<string, string>} query */
async function post(path, log, query = {}) {
  work?.abort();
  work = new AbortController();
  const parameters = new URLSearchParams({ name: log.name.slice(-200), ...query });
  const request = { method: "POST", body: log.body, signal: work.signal };
  const response = await fetch(`v1/${path}?${parameters}`, request);
  if (!response.ok) throw new Refusal((await response.json()).error);
  return response;
}

/** @param {unknown} error */
function report(error) {
  if (error instanceof DOMException && error.name === "AbortError") return;
  if (error instanceof Refusal) showError(error.message, "en");
  else showError(textOf("noAnswer"));
}

/* The names of the players become the choice of the seat. */
async function readPlayers() {
  nameSeats(seatTexts);
  const log = chosenLog();
  if (!log) return;
  byId("status").textContent = textOf("reading", { name: log.name });
  try {
    /** @type {GamePlayers} */
    const { names, seats } = await (await post("players", log)).json();
    byId("status").textContent = "";
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

/* The steps of a review: each is a line of JSON. */
/** @param {Response} response @returns {AsyncGenerator<ReviewStep>} */
async function* stepsOf(response) {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    yield* lines.map((line) => JSON.parse(line));
  }
}

/** @param {Log} log */
async function requestPage(log) {
  const player = elementOf("player", HTMLSelectElement);
  const query = {
    lang: textOf("language"),
    ...(seat.value && { seat: seat.value }),
    ...(player.value && { player: player.value }),
    ...(elementOf("one_seat", HTMLInputElement).checked && { one_seat: "true" }),
  };
  for await (const step of stepsOf(await post("review/steps", log, query))) {
    if (step.error) throw new Refusal(step.error);
    if (step.page) return step.page;
    setStatus(textOf("reviewing", { ...step, name: log.name }));
    bar.value = Math.floor(100 * (step.share ?? 0));
  }
  throw new Error();
}

/* A screen reader reads each change. */
/** @param {string} sentence */
function setStatus(sentence) {
  if (byId("status").textContent !== sentence) byId("status").textContent = sentence;
}

async function review() {
  const log = chosenLog();
  if (!log) return (input.files?.length ? input : text).focus();
  setStatus(textOf("reading", { name: log.name }));
  const stopClock = startWork();
  try {
    show(await requestPage(log), log.name);
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

/** @param {string} page @param {string} name */
function show(page, name) {
  const address = URL.createObjectURL(new Blob([page], { type: "text/html;charset=utf-8" }));
  const shown = document.createElement("iframe");
  shown.title = textOf("reviewOf", { name });
  shown.src = address;
  shown.addEventListener("load", () => shown.focus());
  byId("name").textContent = name;
  Object.assign(byId("save"), { href: address, download: `${name.split(".")[0]}.html` });
  toggle(true);
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
function choose(files, written) {
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
/** @type {number | undefined} */
let typing;
text.addEventListener("input", () => {
  clearTimeout(typing);
  input.value = "";
  if (text.value.trim()) typing = window.setTimeout(readPlayers, 300);
});
byId("cancel").addEventListener("click", () => work?.abort());
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
