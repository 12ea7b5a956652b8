import { z } from "zod";
import { jsonSchema } from "../filter/json-schema.ts";
import { tileSchema } from "../model/wallboard/tile.ts";
import { zoneSchema } from "../model/wallboard/tile-parts.ts";
import {
  gridSchema,
  wallboardDocumentSchema,
  wallboardNameSchema,
} from "../model/wallboard/wallboard.ts";

const whoSchema = z.object({ id: z.string(), name: z.string() });

/**
 * A wallboard. Users who may change it (right `wallboards`) receive the draft, everybody else the published
 * version. A tile that needs what its reader may not see is sent as id and position only.
 */
export const wallboardSchema = z
  .object({
    id: z.string(),
    /** Of the draft: counts every change. */
    version: z.int(),
    name: z.string(),
    tiles: z.array(tileSchema),
    /** The ids of tiles that are left out because they need data that the reader may not see. */
    hidden: z.array(z.string()),
    grid: gridSchema,
    zone: z.string(),
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
export const patchWallboardSchema = z.strictObject({
  name: wallboardNameSchema.optional(),
  grid: gridSchema.optional(),
  zone: zoneSchema.optional(),
  theme: z.enum(["dark", "light"]).optional(),
  tiles: z.union([z.array(tileSchema), z.record(z.string().max(64), tilePatchSchema)]).optional(),
  version: z.int().min(0).optional(),
  base: z
    .strictObject({
      name: z.string(),
      grid: gridSchema,
      zone: z.string(),
      theme: z.string(),
      tiles: z.record(z.string().max(64), tilePatchSchema),
    })
    .partial()
    .optional(),
});
export type PatchWallboardCall = z.infer<typeof patchWallboardSchema>;

/** `POST /wallboards/:id/publish`: publishes the draft on all screens at once, if it still is `version`. */
export const publishWallboardSchema = z.strictObject({ version: z.int().min(0).optional() });

/** `POST /wallboards/:id/acknowledgements`: acknowledges an alert; `row` is the key of a light. */
export const acknowledgeSchema = z.strictObject({
  tile: z.string().min(1).max(64),
  row: z.union([z.string().max(500), z.number(), z.boolean(), z.null()]).optional(),
  word: z.string().min(1).max(40),
});
export type AcknowledgeCall = z.infer<typeof acknowledgeSchema>;
