// @ts-check
/* Python in a worker: it loads Pyodide and houjuu, each file by its hash, and answers the page. */

/** @typedef {{ sha256: string, bytes: number }} Pinned */
/** @typedef {{ base: string, files: Record<string, Pinned>, lock: object, packed: Record<string, string> }} Settings */

const LOCK = "pyodide-lock.json";
/** @type {Settings} */
let settings;
/** @type {Promise<any> | undefined} */
let runtime;
let loaded = 0;
/** @type {(step: { share: number, loading?: boolean }) => void} */
let report = () => {};
const network = self.fetch.bind(self);

/** @param {string} hexadecimal */
const integrity = (hexadecimal) =>
  `sha256-${btoa(String.fromCharCode(...(hexadecimal.match(/../g) ?? []).map((two) => Number.parseInt(two, 16))))}`;

/* A file that the page has in it: gzip in base64. */
/** @param {string} text */
function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
}

/* A file beside the page, from the cache of the browser after the first visit. */
/** @param {string} name */
async function fetched(name) {
  const { sha256 } = settings.files[name];
  const address = new URL(name, settings.base).href;
  const key = `${address}?${sha256}`;
  const cache = await self.caches?.open("houjuu").catch(() => undefined);
  const known = await cache?.match(key);
  if (known) return known;
  const response = await network(address, {
    integrity: integrity(sha256),
    credentials: "omit",
  });
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  await cache?.put(key, response.clone()).catch(() => {});
  return response;
}

/** @param {string} name */
async function pinned(name) {
  const packed = settings.packed[name];
  const response = packed ? unpacked(packed) : await fetched(name);
  delete settings.packed[name];
  const content = await response.arrayBuffer();
  loaded += settings.files[name].bytes;
  const all = Object.values(settings.files).reduce((sum, file) => sum + file.bytes, 0);
  report({ share: loaded / all, loading: true });
  return content;
}

/* What Pyodide asks for: pinned files alone. */
/** @param {RequestInfo | URL} request */
self.fetch = async (request) => {
  const name =
    String(request instanceof Request ? request.url : request)
      .split("/")
      .at(-1) ?? "";
  if (name === LOCK) return Response.json(settings.lock);
  if (!(name in settings.files)) throw new Error(`${name} is no file of this page`);
  const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
  return new Response(await pinned(name), {
    headers: { "content-type": type },
  });
};

async function start() {
  for (const name of ["pyodide.js", "pyodide.asm.js"]) {
    const script = new Blob([await pinned(name)], { type: "text/javascript" });
    // @ts-expect-error: a function of workers
    importScripts(URL.createObjectURL(script));
  }
  const options = {
    indexURL: settings.base,
    lockFileURL: settings.base + LOCK,
  };
  // @ts-expect-error: the script of Pyodide defines it
  const python = await loadPyodide(options);
  const packages = Object.keys(/** @type {any} */ (settings.lock).packages);
  await python.loadPackage(packages, {
    messageCallback() {},
    checkIntegrity: true,
  });
  return python;
}

/** @param {any} python @param {{ name: string, data: ArrayBuffer }[]} files @param {number} number */
function written(python, files, number) {
  return files.map(({ name, data }, index) => {
    const folder = `/tmp/logs/${number}/${index}`;
    python.FS.mkdirTree(folder);
    const path = `${folder}/${name.replaceAll("/", "_").slice(-100) || "log"}`;
    python.FS.writeFile(path, new Uint8Array(data));
    return path;
  });
}

/** @param {any} data */
async function answer({ number, name, values, files, language }) {
  report = (step) => postMessage({ number, step });
  runtime ??= start();
  const python = await runtime;
  const paths = written(python, files, number);
  const bridge = python.pyimport("houjuu.cli.browser");
  let shown = 0;
  /** @param {number} share */
  const progress = (share) => {
    const now = performance.now();
    if (now - shown > 200) report({ share });
    if (now - shown > 200) shown = now;
  };
  const sent = JSON.stringify(files.length ? { paths, ...values } : values);
  const { result, error } = JSON.parse(bridge.answer(name, sent, progress, language));
  for (const path of paths) python.FS.unlink(path);
  const archive = result?.archive ? python.FS.readFile(result.archive) : undefined;
  postMessage({ number, result, error, archive });
}

let before = Promise.resolve();
self.onmessage = ({ data }) => {
  if (data.number === undefined) {
    settings = data;
    return;
  }
  before = before
    .then(() => answer(data))
    .catch((problem) => {
      const lines = String(problem?.message ?? problem)
        .trim()
        .split("\n");
      postMessage({ number: data.number, crash: lines.at(-1) });
    });
};
