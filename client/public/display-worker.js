// Caches the player's page and its files for a start without the server (client/src/display/machine/
// service-worker.ts). The server is asked first for the page; what a proxy or a network answers in its place
// (an error page, a sign-in page) is not accepted. File names contain hashes, so a cached file is current.
const CACHE = "watchfloor-display";
const PAGE = "/display";
const PATIENCE_MS = 4_000;

self.addEventListener("install", (event) => {
  event.waitUntil(refresh().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(page());
  else if (url.pathname.startsWith("/assets/")) event.respondWith(file(request));
});

async function page() {
  const fresh = await refresh().catch(() => null);
  const cached = await (await caches.open(CACHE)).match(PAGE);
  return fresh ?? cached ?? fetch(PAGE);
}

async function file(request) {
  const cache = await caches.open(CACHE);
  const cached = await cache.match(request);
  if (cached) return cached;
  const response = await fetch(request);
  if (isFile(response)) await cache.put(request, response.clone());
  return response;
}

/** Not a page in its place, which would stay in the cache as long as the build. */
function isFile(response) {
  return response.ok && !/html/.test(response.headers.get("content-type"));
}

/** Takes the server's page into the cache, once all its files are there; answers it. */
async function refresh() {
  const response = await fetch(PAGE, {
    cache: "no-store",
    redirect: "error",
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const text = await response.clone().text();
  if (!response.ok || !text.includes('id="wall"')) return null;
  const files = [...text.matchAll(/(?:src|href)="(\/assets\/[\w.-]+)"/g)].map(([, path]) => path);
  const cache = await caches.open(CACHE);
  const responses = await Promise.all(files.map((path) => file(new Request(path))));
  if (!responses.every(isFile)) return null;
  await cache.put(PAGE, response.clone());
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url);
    if (pathname !== PAGE && !files.includes(pathname)) await cache.delete(url);
  }
  return response;
}
