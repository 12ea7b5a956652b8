import { join } from "node:path";
import express, { type Request, type RequestHandler, type Response, Router } from "express";

/**
 * Serves the built client. Files under `assets/` carry a hash in their names and are kept for ever;
 * everything else, the page itself first of all, is asked for again each time. Every address that is
 * not a file is a screen of the client and answers the page.
 */
export function staticClient(folder: string): RequestHandler {
  const router = Router();
  const assets = { immutable: true, maxAge: "1y", index: false, fallthrough: true } as const;
  router.use("/assets", express.static(join(folder, "assets"), assets));
  router.use(express.static(folder, { index: false, setHeaders: askAgain }));
  router.get("/{*path}", (request, response, next) => {
    if (!isScreen(request)) return next();
    askAgain(response);
    const page = isWall(request) ? "display.html" : "index.html";
    response.sendFile(page, { root: folder, cacheControl: false }, (error) => {
      if (error) next();
    });
  });
  return router;
}

const askAgain = (response: Pick<Response, "setHeader">) =>
  response.setHeader("Cache-Control", "no-cache");

/** The wall is a page of its own: small, and without the console. */
function isWall({ path }: Request): boolean {
  return /^\/display\/?$/.test(path);
}

/** A missing script must not be answered by a page, whatever its request says it accepts. */
function isScreen({ path, headers }: Request): boolean {
  if (/^\/(api|assets|socket\.io)(\/|$)/.test(path)) return false;
  const accept = headers.accept ?? "*/*";
  if (accept.includes("text/html")) return true;
  return accept.includes("*/*") && !path.split("/").at(-1)?.includes(".");
}
