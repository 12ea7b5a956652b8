import {
  apiTokenSchema,
  createApiTokenSchema,
  createdApiTokenSchema,
  patchApiTokenSchema,
} from "../protocol/api-tokens.ts";
import { byId, defineRoutes, listOf } from "./route.ts";

/** API tokens: everybody has their own; the right `tokens` sees, renames and revokes those of others. */
export const apiTokenRoutes = defineRoutes({
  "GET /tokens": {
    summary: "One's own API tokens; with the right `tokens` those of everybody.",
    right: "session",
    answer: listOf(apiTokenSchema),
  },
  "POST /tokens": {
    summary:
      "Create an API token. Its rights are those of its role, or of its creator without one, and never more than its creator has at the time of a call. The answer shows the token this once.",
    right: "session",
    body: createApiTokenSchema.meta({ examples: [{ name: "Nightly sync" }] }),
    answer: createdApiTokenSchema,
    status: 201,
    errors: ["validation_failed"],
  },
  "GET /tokens/{id}": {
    summary: "One API token.",
    right: "session",
    params: byId,
    answer: apiTokenSchema,
  },
  "PATCH /tokens/{id}": {
    summary: "Rename an API token, also in the changes that it has made.",
    right: "session",
    params: byId,
    body: patchApiTokenSchema,
    answer: apiTokenSchema,
  },
  "DELETE /tokens/{id}": {
    summary: "Revoke an API token. Its open connections end within a second.",
    right: "session",
    params: byId,
  },
});
