import { z } from "zod";
import { jsonSchema } from "../filter/json-schema.ts";
import { tileSchema } from "../model/wallboard/tile.ts";
import { zoneSchema } from "../model/wallboard/tile-parts.ts";
import {
  gridSchema,
  wallboardDocumentSchema,
  wallboardNameSchema,
} from "../model/wallboard/wallboard.ts";
import { flagParam } from "./query-params.ts";
import { byId, defineRoutes, listOf } from "./route.ts";

const whoSchema = z.object({ id: z.string(), name: z.string() });

/**
 * A wallboard. Users who may change it (right `wallboards`) receive the draft, everybody else the published
 * version. A tile that needs what its reader may not see is sent as id and position only.
 */
const wallboardSchema = z
  .object({
    id: z.string(),
    /** Of the draft: counts every change. */
    version: z.int(),
    name: z.string(),
    tiles: z.array(tileSchema),
    /** The ids of tiles that are left out because they need data that the reader may not see. */
    hidden: z.array(z.string()),
    grid: gridSchema,
    /** Where its days begin; null: where those of the installation do. */
    zone: z.string().nullable(),
    theme: z.enum(["dark", "light"]),
    /** The published version; null if there is none. */
    published: z.object({ version: z.int(), at: z.string(), by: whoSchema.nullable() }).nullable(),
    updated: z.object({ at: z.string(), by: whoSchema.nullable() }),
    /** Of the answer to publishing: the ids of tiles that show no values, because they have too many groups for their order. */
    tooManyGroups: z.array(z.string()).exactOptional(),
  })
  .meta({ id: "Wallboard" });
export type WallboardInfo = z.infer<typeof wallboardSchema>;

/** `POST /wallboards`. It is published at once, unless `draft` is set. */
export const createWallboardSchema = wallboardDocumentSchema.extend({
  /** By default that of the model, also once that is another one. */
  zone: zoneSchema.nullable().optional(),
  draft: z.boolean().optional(),
});
export type CreateWallboardCall = z.infer<typeof createWallboardSchema>;

/** A tile's properties by name; null removes one, null for the tile removes the tile. */
const tilePatchSchema = z.record(z.string().max(64), jsonSchema).nullable();

/**
 * `PATCH /wallboards/:id` changes the draft; absent properties do not change. `tiles` as an object merges
 * tile by tile and property by property, so that several users can work on one wallboard; as a list it replaces
 * all tiles. `base` contains, in the same form, what the author saw: if something else is stored the answer
 * is `conflict`, and nothing is changed. A list needs `version` instead.
 */
const patchWallboardSchema = z.strictObject({
  name: wallboardNameSchema.optional(),
  grid: gridSchema.optional(),
  zone: zoneSchema.nullable().optional(),
  theme: z.enum(["dark", "light"]).optional(),
  tiles: z.union([z.array(tileSchema), z.record(z.string().max(64), tilePatchSchema)]).optional(),
  version: z.int().min(0).optional(),
  base: z
    .strictObject({
      name: z.string(),
      grid: gridSchema,
      zone: z.string().nullable(),
      theme: z.string(),
      tiles: z.record(z.string().max(64), tilePatchSchema),
    })
    .partial()
    .optional(),
});
export type PatchWallboardCall = z.infer<typeof patchWallboardSchema>;

/** `POST /wallboards/:id/publish`: publishes the draft on all screens at once, if it still is `version`. */
const publishWallboardSchema = z.strictObject({ version: z.int().min(0).optional() });

/** `POST /wallboards/:id/acknowledgements`: acknowledges an alert; `row` is the key of a light. */
const acknowledgeSchema = z.strictObject({
  tile: z.string().min(1).max(64),
  row: z.union([z.string().max(500), z.number(), z.boolean(), z.null()]).optional(),
  word: z.string().min(1).max(40),
});
export type AcknowledgeCall = z.infer<typeof acknowledgeSchema>;

/** Wallboards: every signed-in user may see published ones, the right `wallboards` changes them. */
export const wallboardRoutes = defineRoutes(() => ({
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
}));
