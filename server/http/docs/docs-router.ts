import { readFileSync } from "node:fs";
import { Router } from "express";
import { z } from "zod";
import { memoize } from "../../../shared/memoize.ts";
import { modelSchema } from "../../../shared/model/model-schema.ts";
import { docsPage } from "./docs-page.ts";
import { openApi } from "./openapi.ts";

/** Serves the API's description as a page; it contains no data and needs no sign-in. */
export function docsRouter(version: string): Router {
  // Made at their first use: the description would take an eighth of a server's start.
  const page = memoize(() => docsPage(openApi(version)));
  // Of the document that PUT /model takes, so that a model file can be checked while it is written.
  const modelForm = memoize(() =>
    z.toJSONSchema(modelSchema, { io: "input", metadata: z.registry() }),
  );
  const tryIt = memoize(() => readFileSync(new URL("try-it.js", import.meta.url), "utf8"));
  const router = Router();
  router.get("/v1/model.schema.json", (_request, response) => {
    response.json(modelForm());
  });
  router.get("/docs", (_request, response) => {
    response.type("html").send(page());
  });
  router.get("/docs/try-it.js", (_request, response) => {
    response.type("js").send(tryIt());
  });
  return router;
}
