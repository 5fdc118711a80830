// @ts-check
/* The work of the page by the server: a socket a call, which ends with it. */

/** @typedef {import("./drop.js").Log} Log */
/** @typedef {(step: import("./drop.js").Step) => void} OnStep */

export class Refusal extends Error {}

const PIECE = 1 << 16; // unit: bytes
/** @type {AbortController | undefined} */
let running; // of the last call with a log: it ends the call

export const cancel = () => running?.abort(new DOMException("", "AbortError"));

/* The server gets the call, then the log in pieces. */
/**
 * @param {string} name
 * @param {Record<string, unknown>} values
 * @param {Log} [log]
 * @param {OnStep} [onStep]
 * @returns {Promise<any>}
 */
async function call(name, values, log, onStep = () => {}) {
  const controller = new AbortController();
  const { signal } = controller;
  if (log) {
    cancel(); // only the last one counts
    running = controller;
  }
  const data = (await log?.files[0].body.arrayBuffer()) ?? new ArrayBuffer(0);
  const language = document.documentElement.lang.slice(0, 2);
  const socket = new WebSocket(new URL("page", location.href).href.replace(/^http/, "ws"));
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
    socket.onclose = () => reject(new Error());
    socket.onopen = () => {
      const file = { name: log?.name.slice(-200), size: data.byteLength };
      socket.send(JSON.stringify({ function: name, language, ...values, ...file }));
      for (let at = 0; at < data.byteLength; at += PIECE) socket.send(data.slice(at, at + PIECE));
    };
    socket.onmessage = (event) => {
      const { step, result, error } = JSON.parse(event.data);
      if (step) onStep(step);
      else if (error) reject(new Refusal(error));
      else resolve(result);
    };
    if (signal.aborted) reject(signal.reason);
  }).finally(() => socket.close());
}

/** @param {Log} log @param {OnStep} _onStep @returns {Promise<import("./drop.js").Players>} */
export const players = (log, _onStep) => call("players", {}, log);

/**
 * @param {object} position
 * @param {OnStep} _onStep
 * @returns {Promise<import("./drop.js").Reviewed>}
 */
export const position = (position, _onStep) => call("position", { position });

/**
 * @param {Log} log
 * @param {Record<string, string>} query
 * @param {OnStep} onStep
 * @returns {Promise<import("./drop.js").Reviewed>}
 */
export const reviewed = (log, query, onStep) => call("review", query, log, onStep);
