import { z } from "zod";
import {
  acknowledgeSchema,
  createWallboardSchema,
  patchWallboardSchema,
  publishWallboardSchema,
  wallboardSchema,
} from "../protocol/wallboards.ts";
import { flagParam } from "./query-params.ts";
import { byId, defineRoutes, listOf } from "./route.ts";

/** Wallboards: every signed-in user may see published ones, the right `wallboards` changes them. */
export const wallboardRoutes = defineRoutes({
  "GET /wallboards": {
    tokens: true,
    summary: "The wallboards: their drafts for who may change them, what is published for others.",
    right: "session",
    answer: listOf(wallboardSchema),
  },
  "POST /wallboards": {
    tokens: true,
    summary:
      "Add a wallboard; it is published at once, unless `draft` is asked for. `tooManyGroups` names published tiles that show no values.",
    right: "wallboards",
    body: createWallboardSchema,
    answer: wallboardSchema,
    status: 201,
    errors: ["validation_failed"],
  },
  "GET /wallboards/{id}": {
    tokens: true,
    summary: "One wallboard.",
    right: "session",
    params: byId,
    answer: wallboardSchema,
  },
  "PATCH /wallboards/{id}": {
    tokens: true,
    summary:
      "Change a wallboard's draft: tiles given by id merge property by property (null takes away); a list of tiles takes the place of all, and needs the `version` it is based on.",
    right: "wallboards",
    params: byId,
    query: z.strictObject({
      overwrite: flagParam.optional().describe("Overwrites what others saved meanwhile."),
    }),
    body: patchWallboardSchema,
    answer: wallboardSchema,
    errors: ["base_required", "conflict", "validation_failed"],
  },
  "DELETE /wallboards/{id}": {
    tokens: true,
    summary: "Remove a wallboard.",
    right: "wallboards",
    params: byId,
  },
  "POST /wallboards/{id}/restore": {
    tokens: true,
    summary: "Bring a wallboard back that was removed in the last 30 days.",
    right: "wallboards",
    params: byId,
    answer: wallboardSchema,
    errors: ["too_large"],
  },
  "POST /wallboards/{id}/publish": {
    tokens: true,
    summary:
      "Put the draft on all screens at once, showing what the publisher may read. `tooManyGroups` names tiles that show no values.",
    right: "wallboards",
    params: byId,
    body: publishWallboardSchema,
    answer: wallboardSchema,
    errors: ["conflict", "validation_failed"],
  },
  "POST /wallboards/{id}/acknowledgements": {
    tokens: true,
    summary: "Say that an alert has been seen: it neither flashes nor sounds anywhere any more.",
    right: "session",
    params: byId,
    body: acknowledgeSchema,
    errors: ["query_timeout"],
  },
});
