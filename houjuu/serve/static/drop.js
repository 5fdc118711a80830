"use strict";

const byId = (id) => document.getElementById(id);
const [form, input, text, seat] = ["form", "file", "text", "seat"].map(byId);
const seatTexts = [...seat.options].map((option) => option.textContent);
let frame = null;
let work = null; // of the request at work: it ends the request

/* A text of the page in its language, with values in place of {name} and others. */
const textOf = (key, values) =>
  form.dataset[key].replace(/\{(\w+)\}/g, (slot, name) => values[name] ?? slot);

/* An error beside the log, in the language of the page or, from the server, in English. */
function showError(sentence, language = form.dataset.language) {
  byId("status").textContent = "";
  byId("error").lang = language;
  byId("error").textContent = sentence;
}

class Refusal extends Error {}

/* The name of a file without characters that a reader does not see. */
const shownName = (name) => name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "\ufffd");

/* The chosen file or the pasted text; null, with an error, where it cannot be sent. */
function chosenLog() {
  const [file] = input.files;
  const log = file
    ? { body: file, name: shownName(file.name) }
    : { body: new Blob([text.value.trim()]), name: form.dataset.pasted };
  const isTooLong = log.body.size > Number(form.dataset.limit);
  showError(isTooLong ? textOf("tooLong", log) : file || log.body.size ? "" : form.dataset.noLog);
  return byId("error").textContent ? null : log;
}

/* A request of which only the last one counts: it ends the one before. */
async function post(path, log, query = {}) {
  work?.abort();
  work = new AbortController();
  const parameters = new URLSearchParams({ name: log.name.slice(-200), ...query });
  const request = { method: "POST", body: log.body, signal: work.signal };
  const response = await fetch(`v1/${path}?${parameters}`, request);
  if (!response.ok) throw new Refusal((await response.json()).error);
  return response;
}

function report(error) {
  if (error.name === "AbortError") return;
  if (error instanceof Refusal) showError(error.message, "en");
  else showError(form.dataset.noAnswer);
}

/* The names of the players become the choice of the seat. */
async function readPlayers() {
  nameSeats(seatTexts);
  const log = chosenLog();
  if (!log) return;
  byId("status").textContent = textOf("reading", log);
  try {
    const { names, seats } = await (await post("players", log)).json();
    byId("status").textContent = "";
    const named = (name, i) => seat.options[i + 1].dataset.named.replace("{name}", () => name);
    const hidden = (name) => textOf("hiddenSeat", { name });
    const texts = names.map((name, i) => (seats.includes(i) ? named : hidden)(name, i));
    nameSeats([seatTexts[0], ...texts], seats);
  } catch (error) {
    report(error);
  }
}

function nameSeats(texts, seats = null) {
  [...seat.options].forEach((option, i) => {
    option.textContent = texts[i];
    option.disabled = Boolean(seats && i && !seats.includes(i - 1));
  });
  seat.options[0].hidden = seats !== null;
  seat.value = seats ? seats[0] : "";
}

/* The steps of a review: each is a line of JSON. */
async function* stepsOf(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    yield* lines.map(JSON.parse);
  }
}

async function requestPage(log) {
  const query = { lang: form.dataset.language };
  for (const id of ["seat", "player"]) if (byId(id).value) query[id] = byId(id).value;
  if (byId("one_seat").checked) query.one_seat = "true";
  for await (const step of stepsOf(await post("review/steps", log, query))) {
    if (step.error) throw new Refusal(step.error);
    if (step.page) return step.page;
    setStatus(textOf("reviewing", { ...step, name: log.name }));
    byId("share").value = Math.floor(100 * step.share);
  }
  throw new Error();
}

/* A screen reader reads each change. */
function setStatus(sentence) {
  if (byId("status").textContent !== sentence) byId("status").textContent = sentence;
}

async function review() {
  const log = chosenLog();
  if (!log) return (input.files.length ? input : text).focus();
  setStatus(textOf("reading", log));
  const stopClock = startWork();
  try {
    show(await requestPage(log), log.name);
  } catch (error) {
    stopClock();
    report(error);
    form.querySelector(".primary").focus();
  } finally {
    stopClock();
  }
}

/* The bar, without a value until the first step, and the seconds; returns what ends both. */
function startWork() {
  const start = performance.now();
  const tick = () => {
    const values = { seconds: Math.floor((performance.now() - start) / 1000) };
    const share = byId("share").getAttribute("value");
    byId("time").textContent = textOf(share ? "progress" : "elapsed", { ...values, share });
  };
  byId("share").removeAttribute("value");
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

function show(page, name) {
  const address = URL.createObjectURL(new Blob([page], { type: "text/html;charset=utf-8" }));
  frame = document.createElement("iframe");
  frame.title = textOf("reviewOf", { name });
  frame.src = address;
  frame.addEventListener("load", () => frame.focus());
  byId("name").textContent = name;
  Object.assign(byId("save"), { href: address, download: `${name.split(".")[0]}.html` });
  toggle(true);
  document.body.append(frame);
}

function toggle(reviewing) {
  byId("main").hidden = reviewing;
  byId("bar").hidden = !reviewing;
  document.body.classList.toggle("reviewing", reviewing);
}

/* A log in place of the one before, from a file or as text. */
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
input.addEventListener("change", () => input.files.length && choose(input.files, ""));
let typing = null;
text.addEventListener("input", () => {
  clearTimeout(typing);
  input.value = "";
  if (text.value.trim()) typing = setTimeout(readPlayers, 300);
});
byId("cancel").addEventListener("click", () => work.abort());
byId("another").addEventListener("click", () => {
  URL.revokeObjectURL(frame.src);
  frame.remove();
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
  const written = dataTransfer.getData("text/plain");
  if (dataTransfer.files.length) choose(dataTransfer.files, "");
  else if (written) choose(new DataTransfer().files, written);
});
