import { z } from "zod";
import { defineRoutes } from "./route.ts";

/** The description of the API itself. */
export const describeRoutes = defineRoutes({
  "GET /openapi.json": {
    summary:
      "The description of the API, OpenAPI 3.1. A caller who is signed in gets the tables that they can read too, with their fields, options and transitions.",
    right: "none",
    tokens: true,
    answer: z.looseObject({ openapi: z.string() }),
  },
});
