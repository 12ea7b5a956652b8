import { readdirSync } from "node:fs";
import { extname, join } from "node:path";
import express, { type Request, type RequestHandler, type Response, Router } from "express";

/** The build's compressed forms (client/precompress.ts), best first. */
const encodings = { br: ".br", gzip: ".gz" } as const;

/**
 * Serves the built client, compressed if the build has done so and the browser accepts it. Files under
 * `assets/` have a hash in their names and are cached for ever; everything else, the page itself included, is
 * revalidated each time. Every address that is not a file is a screen of the client and answers the page, also one
 * that is not encoded correctly: the page says that nothing is there.
 */
export function staticClient(folder: string): RequestHandler {
  const router = Router();
  router.use((_request, response, next) => {
    response.locals.isAsset = true;
    next();
  });
  const compressed = compressedFiles(folder);
  router.use((request, response, next) => {
    if (isRead(request)) {
      const path = compressedPath(compressed, request, response, request.path);
      if (path) request.url = path;
    }
    next();
  });
  const assets = { immutable: true, maxAge: "1y", index: false, fallthrough: true } as const;
  router.use("/assets", express.static(join(folder, "assets"), assets));
  router.use(express.static(folder, { index: false, setHeaders: requireRevalidation }));
  // Without a pattern, whose parts Express would decode.
  router.use((request, response, next) => {
    if (!isRead(request) || !isConsolePath(request)) return next();
    requireRevalidation(response);
    const page = isDisplayPath(request) ? "/display.html" : "/index.html";
    const file = compressedPath(compressed, request, response, page) ?? page;
    response.sendFile(file.slice(1), { root: folder, cacheControl: false }, (error) => {
      if (error) next();
    });
  });
  return router;
}

/** The compressed files of a build, by their paths. */
function compressedFiles(folder: string): ReadonlySet<string> {
  const endings: readonly string[] = Object.values(encodings);
  const below = (path: string) => {
    try {
      return readdirSync(join(folder, path)).map((name) => `${path}/${name}`);
    } catch {
      return [];
    }
  };
  const all = [...below(""), ...below("/assets")];
  return new Set(all.filter((path) => endings.includes(extname(path))));
}

/** The compressed form of a file that suits the browser, with its headers; null if there is none. */
function compressedPath(
  files: ReadonlySet<string>,
  request: Request,
  response: Response,
  path: string,
): string | null {
  const names = (Object.keys(encodings) as (keyof typeof encodings)[]).filter((name) =>
    files.has(path + encodings[name]),
  );
  if (names.length === 0) return null;
  response.vary("Accept-Encoding");
  const taken = request.acceptsEncodings(names);
  const encoding = names.find((name) => name === taken);
  if (!encoding) return null;
  response.set("Content-Encoding", encoding).type(extname(path));
  return path + encodings[encoding];
}

const requireRevalidation = (response: Pick<Response, "setHeader">) =>
  response.setHeader("Cache-Control", "no-cache");

const isRead = ({ method }: Request) => method === "GET" || method === "HEAD";

/** The display page is separate: small, and without the console. */
function isDisplayPath({ path }: Request): boolean {
  return /^\/display\/?$/.test(path);
}

/** A missing script must not be answered by a page, whatever its request accepts. */
function isConsolePath({ path, headers }: Request): boolean {
  if (/^\/(api|assets|socket\.io)(\/|$)/.test(path)) return false;
  const accept = headers.accept ?? "*/*";
  if (accept.includes("text/html")) return true;
  return accept.includes("*/*") && !path.split("/").at(-1)?.includes(".");
}
