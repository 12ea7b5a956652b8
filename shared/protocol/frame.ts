import { z } from "zod";
import { jsonSchema } from "../filter/json-schema.ts";
import { tileKinds } from "../model/wallboard/tile.ts";
import { alertColours, buckets, layoutSchema, zoneSchema } from "../model/wallboard/tile-parts.ts";
import { gridSchema } from "../model/wallboard/wallboard.ts";

/** The position of a wallboard in each feed it reads, by table. */
export const wallboardPositionSchema = z.record(
  z.string(),
  z.object({ epoch: z.string(), seq: z.int() }),
);
export type WallboardPosition = z.infer<typeof wallboardPositionSchema>;

/** A reached threshold: word, colour and what to do about it. */
export const alertSchema = z.object({
  word: z.string(),
  colour: z.enum(alertColours),
  flash: z.boolean(),
  sound: z.boolean(),
  /** When it began. */
  since: z.string(),
  /** Who acknowledged it: it neither flashes nor sounds any more. `by` is a name. */
  acknowledged: z.object({ by: z.string(), at: z.string() }).nullable(),
});
export type Alert = z.infer<typeof alertSchema>;

/**
 * A row of a breakdown or of lights (`key` is the group's value), of a queue (`key` is the record's id), or
 * of an activity feed (`key` is the change's position).
 */
export const tileRowSchema = z.object({
  key: jsonSchema,
  label: z.string(),
  value: jsonSchema,
  /** Of lights: null if all is well. */
  alert: alertSchema.nullable().optional(),
  /** Of queue and activity: the chosen fields, formatted by their type. */
  values: z.record(z.string(), jsonSchema).optional(),
  /** The labels of values that are keys: users, links, options. */
  texts: z.record(z.string(), z.string()).optional(),
  /** Of activity: what happened. `by` only if the tile shows authors. */
  change: z
    .object({
      kind: z.enum(["insert", "update", "delete"]),
      at: z.string(),
      by: z.string().optional(),
      fields: z.array(z.string()),
    })
    .optional(),
});
export type TileRow = z.infer<typeof tileRowSchema>;

/** One line of a trend: `at` is the start of a bucket; `value` is null if there is nothing to measure. */
export const tileLineSchema = z.object({
  key: jsonSchema,
  label: z.string(),
  points: z.array(z.object({ at: z.string(), value: jsonSchema })),
});
export type TileLine = z.infer<typeof tileLineSchema>;

/**
 * `ok`: right as of the frame. `waiting`: not evaluated yet. `failed`: it could not be evaluated; the value,
 * if any, is of `asOf`. `silent`: right, but nothing changed for longer than expected. `suppressed`: of too
 * few records to be shown. `hidden`: the reader may not see what it needs.
 */
export const tileStates = ["ok", "waiting", "failed", "silent", "suppressed", "hidden"] as const;
export type TileState = (typeof tileStates)[number];

/** What a tile shows. Exact decimals and integers beyond 2^53 travel as text. */
export const tileFrameSchema = z.object({
  state: z.enum(tileStates),
  value: jsonSchema.optional(),
  rows: z.array(tileRowSchema).optional(),
  series: z.array(tileLineSchema).optional(),
  /** What the rows leave out: groups beyond the limit or too small to be shown, combined. Of a queue: how many records (`groups`). */
  rest: z.object({ groups: z.int(), value: jsonSchema }).optional(),
  /** Of a number with a trend: the previous bucket up to the same moment in it. */
  before: jsonSchema.optional(),
  /** Of a failed tile: the reason, if its author can act on it. */
  reason: z.enum(["too_many_groups", "model_changed"]).optional(),
  /** Of progress: the goal of the value. */
  target: jsonSchema.optional(),
  alert: alertSchema.nullable().optional(),
  /** When a change last concerned it, as far as that is known. */
  changedAt: z.string().optional(),
  /** If it is older than the frame. */
  asOf: z.string().optional(),
});
export type TileFrame = z.infer<typeof tileFrameSchema>;

/** The label and type of a field of a row. */
const shownFieldSchema = z.object({
  name: z.string(),
  label: z.string(),
  type: z.string(),
  scale: z.int().optional(),
  currency: z.string().optional(),
  options: z
    .array(
      z.object({ value: z.string(), label: z.string().optional(), colour: z.string().optional() }),
    )
    .optional(),
});

/** A tile as a screen needs it: its presentation, not its query. */
export const shownTileSchema = z.object({
  id: z.string(),
  kind: z.enum(tileKinds),
  title: z.string(),
  layout: layoutSchema,
  zone: z.string(),
  /** The console path of its records. For displays only if a QR code is wanted. */
  address: z.string().optional(),
  qr: z.boolean().optional(),
  unit: z.string().optional(),
  decimals: z.int().optional(),
  target: z.number().optional(),
  better: z.enum(["more", "less"]).optional(),
  shape: z.enum(["bars", "donut"]).optional(),
  bucket: z.enum(buckets).optional(),
  /**
   * Of a number, what is compared with `before`: `value`, which is that of the current bucket, or the current
   * bucket of its trend. `level`: the value now with that at the start of the bucket.
   */
  compared: z.enum(["value", "trend", "level"]).optional(),
  /** The measured field, to format its values; absent if records are counted. */
  measured: shownFieldSchema.optional(),
  /** The group's field, for the colours of its options. */
  group: shownFieldSchema.optional(),
  fields: z.array(shownFieldSchema).optional(),
  text: z.string().optional(),
  hours: z.enum(["12", "24"]).optional(),
  seconds: z.boolean().optional(),
  date: z.boolean().optional(),
});
export type ShownTile = z.infer<typeof shownTileSchema>;
export type ShownField = z.infer<typeof shownFieldSchema>;

/** A wallboard as a screen needs it. */
export const shownWallboardSchema = z.object({
  id: z.string(),
  name: z.string(),
  version: z.int(),
  grid: gridSchema,
  zone: z.string(),
  /** The zone is the display's and not the wallboard's: the screen says so. */
  statesZone: z.boolean().optional(),
  theme: z.enum(["dark", "light"]),
  tiles: z.array(shownTileSchema),
});
export type ShownWallboard = z.infer<typeof shownWallboardSchema>;

/**
 * Server → client: all values of a wallboard at one instant: right for everything committed up to `position`, by
 * the server's clock `asOf`. Clocks and texts are not in `tiles`. Every frame is complete; `board` comes with
 * the first frame and the first of another version, and the screen changes to it.
 */
export const frameSchema = z.object({
  wallboard: z.string(),
  version: z.int(),
  position: wallboardPositionSchema,
  asOf: z.string(),
  tiles: z.record(z.string(), tileFrameSchema),
  board: shownWallboardSchema.optional(),
});
export type FrameMessage = z.infer<typeof frameSchema>;

/**
 * Server → client, every `TILES_PROVEN_INTERVAL_MS`: the last frame is right for everything committed up to
 * `position`, and nothing more was committed up to `asOf`. `now` is the server's clock: if `asOf` falls
 * behind it, the server itself can't check (store or bus away).
 */
export const provenSchema = frameSchema
  .omit({ tiles: true, board: true })
  .extend({ now: z.string() });
export type ProvenMessage = z.infer<typeof provenSchema>;

const wallboardIdSchema = z.string().min(1).max(120);

/**
 * Client → server: follow this wallboard. `home` is the dashboard. `draft` shows the draft (right `wallboards`).
 * Calling it again answers again and changes nothing else.
 */
export const tilesSchema = z.strictObject({
  wallboard: wallboardIdSchema,
  draft: z.boolean().optional(),
  /** Of `home`: the zone of the user's days; that of the model by default. A wallboard has a zone of its own. */
  zone: zoneSchema.optional(),
});
export type TilesCall = z.infer<typeof tilesSchema>;

/** The frame, always with its `board`; `frame` and `proven` messages follow. */
export const tilesAnswerSchema = z.object({ frame: frameSchema });
export type TilesAnswer = z.infer<typeof tilesAnswerSchema>;

/** Client → server: stop following this wallboard. */
export const leaveTilesSchema = tilesSchema;
export type LeaveTilesCall = z.infer<typeof leaveTilesSchema>;
