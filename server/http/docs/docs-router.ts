import { readFileSync } from "node:fs";
import { type RequestHandler, Router } from "express";
import { z } from "zod";
import { memoize } from "../../../shared/memoize.ts";
import { modelSchema } from "../../../shared/model/model-schema.ts";
import { gzipped, sendGzipped } from "../gzipped.ts";
import { docsPage } from "./docs-page.ts";
import { openApi } from "./openapi.ts";

/** Serves the API's description as a page; it contains no data and needs no sign-in. `limit` refuses those who ask too often. */
export function docsRouter(version: string, limit: RequestHandler): Router {
  // Made at their first use, and encoded once: the description would take an eighth of a server's start.
  const page = memoize(() => gzipped(docsPage(openApi(version))));
  // Of the document that PUT /model takes, so that a model file can be checked while it is written.
  const modelForm = memoize(() =>
    gzipped(JSON.stringify(z.toJSONSchema(modelSchema, { io: "input", metadata: z.registry() }))),
  );
  const tryIt = memoize(() => gzipped(readFileSync(new URL("try-it.js", import.meta.url), "utf8")));
  const router = Router();
  const documents = [
    { path: "/v1/model.schema.json", type: "json", document: modelForm },
    { path: "/docs", type: "html", document: page },
    { path: "/docs/try-it.js", type: "js", document: tryIt },
  ];
  for (const { path, type, document } of documents) {
    router.get(path, limit, async (request, response) => {
      await sendGzipped(request, response, type, await document());
    });
  }
  return router;
}
