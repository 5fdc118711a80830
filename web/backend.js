// @ts-check
/* The work of the page by a worker, in which Python runs. */

/** @typedef {import("./drop.js").Log} Log */
/** @typedef {(step: import("./drop.js").Step) => void} OnStep */
/** @typedef {{ resolve: (value: any) => void, reject: (error: Error) => void, onStep: OnStep }} Call */

export class Refusal extends Error {}

/** @type {Promise<Worker> | undefined} */
let starting;
/** @type {Map<number, Call>} */
const calls = new Map();
let number = 0;

/* A file of the page as text: beside it, or in it, where the page is one file. */
/** @param {string} name */
const textFile = async (name) =>
  document.getElementById(name)?.textContent ?? (await fetch(name)).text();

/* The worker from a text of its own: so it obeys the policy of the page on any host. */
async function start() {
  const [source, settings] = await Promise.all(["worker.js", "settings.json"].map(textFile));
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const worker = new Worker(address);
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    starting // not of a worker that was ended before
      ?.then((current) => current === worker && end(new Error(event.message)))
      .catch(() => {});
  });
  worker.addEventListener("message", ({ data }) => {
    const call = calls.get(data.number);
    if (!call) return;
    if (data.step) return call.onStep(data.step);
    calls.delete(data.number);
    if (data.crash) return end(new Error(data.crash), call);
    if (data.error) return call.reject(new Refusal(data.error));
    call.resolve(data);
  });
  const inside = [...document.querySelectorAll("script[data-packed]")];
  const packed = Object.fromEntries(inside.map(({ id, textContent }) => [id, textContent]));
  worker.postMessage({
    base: new URL(".", location.href).href,
    ...JSON.parse(settings),
    packed,
  });
  return worker;
}

/* Without the worker; the next call starts another one. */
/** @param {Error} reason @param {Call} [last] */
function end(reason, last) {
  starting?.then((worker) => worker.terminate()).catch(() => {});
  starting = undefined;
  for (const { reject } of last ? [last, ...calls.values()] : calls.values()) reject(reason);
  calls.clear();
}

export const cancel = () => end(new DOMException("", "AbortError"));

/**
 * @param {string} name
 * @param {Record<string, unknown>} values
 * @param {Log["files"]} files
 * @param {OnStep} onStep
 * @returns {Promise<{ result: any, archive?: Uint8Array<ArrayBuffer> }>}
 */
function call(name, values, files = [], onStep = () => {}) {
  starting ??= start();
  const current = starting;
  current.catch(() => {
    if (current === starting) starting = undefined; // so that the next call tries again
  });
  const language = document.documentElement.lang.slice(0, 2); // of an error
  const contents = Promise.all(
    files.map(async (file) => ({
      name: file.name,
      data: await file.body.arrayBuffer(),
    })),
  );
  number += 1;
  const own = number;
  return new Promise((resolve, reject) => {
    calls.set(own, { resolve, reject, onStep }); // before the worker can crash
    Promise.all([current, contents]).then(
      ([worker, files]) => worker.postMessage({ number: own, name, values, files, language }),
      (reason) => {
        calls.delete(own);
        reject(reason);
      },
    );
  });
}

/** @param {Log} log @param {OnStep} onStep @returns {Promise<import("./drop.js").Players>} */
export const players = async ({ files }, onStep) =>
  (await call("players", {}, files, onStep)).result;

/**
 * @param {object} position
 * @param {OnStep} onStep
 * @returns {Promise<import("./drop.js").Reviewed>}
 */
export const position = async (position, onStep) =>
  (await call("position", { position }, [], onStep)).result;

/**
 * @param {Log} log
 * @param {Record<string, string>} query
 * @param {OnStep} onStep
 * @returns {Promise<import("./drop.js").Reviewed>}
 */
export async function reviewed({ files }, query, onStep) {
  const { result, archive } = await call("review", query, files, onStep);
  return archive ? { ...result, save: new Blob([archive], { type: "application/zip" }) } : result;
}

if ("serviceWorker" in navigator && location.protocol.startsWith("http"))
  navigator.serviceWorker.register("service.js").catch(() => {}); // only for visits without a network
