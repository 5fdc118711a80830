// @ts-check
/* Shared by the page of a game and the drills: packed data, and elements. */

/* The data are JSON, compressed by zlib, in base64. */
/** @param {string} text @returns {Promise<any>} */
async function inflated(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

/** @template {Element} T @param {string} id @param {new () => T} type */
function elementOf(id, type) {
  const node = document.getElementById(id);
  if (node instanceof type) return node;
  throw new Error(`the page has no ${type.name} ${id}`);
}
/** @param {string} id */
const $ = (id) => elementOf(id, HTMLElement);
/** @param {string} id */
const drawing = (id) => elementOf(id, SVGSVGElement);
/** @param {string} id */
const button = (id) => elementOf(id, HTMLButtonElement);

/** @template {Element} T @param {T} node @param {Record<string, Attribute>} attributes @param {Child[]} children */
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false)
      node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...flat(children));
  return node;
}
/** @param {Child[]} children @returns {(Node | string)[]} */
const flat = (children) =>
  children.flatMap((child) =>
    Array.isArray(child) ? flat(child) : child === null || child === false ? [] : [child],
  );
/** @param {string} tag @param {Record<string, Attribute>} attributes @param {Child[]} children */
const el = (tag, attributes, ...children) =>
  fill(document.createElement(tag), attributes, children);
/** @param {string} tag @param {Record<string, Attribute>} attributes @param {Child[]} children */
const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
/** @param {Element} node @param {Child[]} children */
function show(node, ...children) {
  node.replaceChildren();
  fill(node, {}, children);
}
