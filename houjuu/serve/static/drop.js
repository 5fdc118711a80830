"use strict";

const byId = (id) => document.getElementById(id);
const input = byId("file");
let frame = null;

/* A text of the page about a file, in the language of the page. */
const data = byId("form").dataset;
const textOf = (key, name) => data[key].replace("{name}", () => name);

const showError = (text) => {
  byId("status").textContent = "";
  byId("error").textContent = text;
};

/* The name of a file without characters that a reader does not see. */
const shownName = (file) => file.name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "\ufffd");

async function requestReview(file) {
  const query = new URLSearchParams({ name: file.name.slice(-200), lang: data.language });
  for (const id of ["seat", "player"]) if (byId(id).value) query.set(id, byId(id).value);
  const response = await fetch(`v1/review?${query}`, { method: "POST", body: file });
  if (!response.ok) throw new Error((await response.json()).error);
  return response.blob();
}

async function review(file) {
  byId("error").textContent = "";
  if (file.size > Number(data.limit)) return showError(textOf("tooLong", shownName(file)));
  byId("status").textContent = textOf("reviewing", shownName(file));
  try {
    show(await requestReview(file), shownName(file));
  } catch (error) {
    showError(error.message);
  }
}

function show(page, name) {
  const address = URL.createObjectURL(page);
  frame = document.createElement("iframe");
  frame.title = textOf("reviewOf", name);
  frame.src = address;
  frame.addEventListener("load", () => frame.focus());
  byId("name").textContent = name;
  Object.assign(byId("save"), { href: address, download: `${name.split(".")[0]}.html` });
  toggle(true);
  document.body.append(frame);
}

function toggle(reviewing) {
  byId("status").textContent = "";
  byId("main").hidden = reviewing;
  byId("bar").hidden = !reviewing;
  document.body.classList.toggle("reviewing", reviewing);
}

byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  review(input.files[0]);
});
input.addEventListener("change", () => input.files.length && review(input.files[0]));
byId("another").addEventListener("click", () => {
  URL.revokeObjectURL(frame.src);
  frame.remove();
  toggle(false);
  input.value = "";
  input.focus();
});
for (const type of ["dragover", "dragleave", "drop"])
  document.addEventListener(type, (event) => {
    event.preventDefault();
    document.body.classList.toggle("dragged", type === "dragover");
  });
document.addEventListener("drop", (event) => {
  const [file] = event.dataTransfer.files;
  if (!file) return;
  input.files = event.dataTransfer.files;
  review(file);
});
