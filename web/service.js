// @ts-check
/* Visits without a network: the page's own small files, as they were at the last visit. */
const FILES = ["./", "settings.json", "worker.js"];
const scope = /** @type {any} */ (self);

scope.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(caches.open("houjuu-page").then((cache) => cache.addAll(FILES)));
  scope.skipWaiting();
});

scope.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const { origin, pathname, search, href } = new URL(request.url);
  const own = FILES.map((name) => new URL(name, location.href).pathname);
  if (origin !== location.origin || !own.includes(pathname.replace(/index\.html$/, ""))) return;
  const key = search ? href.replace(search, "") : href;
  const fresh = fetch(request).then(async (response) => {
    if (response.ok) await (await caches.open("houjuu-page")).put(key, response.clone());
    return response;
  });
  event.respondWith(
    fresh.catch(async (problem) => {
      const kept = await caches.match(key.replace(/index\.html$/, ""));
      if (kept) return kept;
      throw problem;
    }),
  );
});
