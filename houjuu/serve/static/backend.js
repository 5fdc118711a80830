// @ts-check
/* The work of the page by the server. */

/** @typedef {import("./drop.js").Log} Log */

export class Refusal extends Error {}

/** @type {AbortController | undefined} */
let work; // of the request at work: it ends the request

export const cancel = () => work?.abort();

/* A request of which only the last one counts: it ends the one before. */
/** @param {string} path @param {Log} log @param {Record<string, string>} query */
async function post(path, log, query = {}) {
  cancel();
  work = new AbortController();
  const parameters = new URLSearchParams({ name: log.name.slice(-200), ...query });
  const headers = { "accept-language": document.documentElement.lang }; // of an error
  const request = { method: "POST", body: log.files[0].body, signal: work.signal, headers };
  const response = await fetch(`v1/${path}?${parameters}`, request);
  if (!response.ok) throw new Refusal((await response.json()).error);
  return response;
}

/** @param {Log} log @param {(step: ReviewStep) => void} _onStep @returns {Promise<GamePlayers>} */
export const players = async (log, _onStep) => (await post("players", log)).json();

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

/**
 * @param {Log} log
 * @param {Record<string, string>} query
 * @param {(step: ReviewStep) => void} onStep
 * @returns {Promise<import("./drop.js").Reviewed>}
 */
export async function review(log, query, onStep) {
  for await (const step of stepsOf(await post("review/steps", log, query))) {
    if (step.error) throw new Refusal(step.error);
    if (step.page) return { pages: { "review.html": step.page }, first: "review.html" };
    onStep(step);
  }
  throw new Error();
}
