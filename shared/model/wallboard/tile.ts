import { z } from "zod";
import { isInherited } from "../inherited-names.ts";
import { nameSchema, userTextSchema } from "../user-text-schema.ts";
import { layoutSchema, orderSchema, sourceShape, timeSchema, zoneSchema } from "./tile-parts.ts";

/**
 * A tile of a wallboard: its query and its presentation. The schema is strict: unknown properties are
 * refused.
 */

const TITLE_MAX_LENGTH = 120;
const TEXT_MAX_LENGTH = 5_000;
const ROWS_MAX = 100;
const FIELDS_MAX = 12;

/** Properties of every tile. The wallboard's author chooses the id; it never changes. */
const shape = {
  id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, "must be letters, digits, - or _")
    .refine((id) => !isInherited(id), "is a name that every object has"),
  title: userTextSchema(TITLE_MAX_LENGTH).exactOptional(),
  layout: layoutSchema,
  /** The zone of `$today` and of the days of a trend; by default the wallboard's. */
  zone: zoneSchema.exactOptional(),
};
const limit = z.int().min(1).max(ROWS_MAX);
const fields = z.array(nameSchema).min(1).max(FIELDS_MAX);

/** One value, with its trend by time buckets, and its target. */
const numberSchema = z.strictObject({
  ...shape,
  ...sourceShape,
  kind: z.literal("number"),
  trend: timeSchema.exactOptional(),
  target: z.number().exactOptional(),
  /** Which direction is good; decides how a delta is coloured. */
  better: z.enum(["more", "less"]).exactOptional(),
});

/** The measure by time buckets; one line for each of the largest groups if there is a group. */
const trendSchema = z.strictObject({
  ...shape,
  ...sourceShape,
  kind: z.literal("trend"),
  time: timeSchema,
  group: nameSchema.exactOptional(),
  limit: z.int().min(1).max(12).default(5),
  target: z.number().exactOptional(),
});

/** The measure by the values of a field. `order`: `value` or `key`; values beyond `limit` are combined. */
const breakdownSchema = z.strictObject({
  ...shape,
  ...sourceShape,
  kind: z.literal("breakdown"),
  group: nameSchema,
  shape: z.enum(["bars", "donut"]).default("bars"),
  order: orderSchema.exactOptional(),
  limit: limit.default(8),
});

/** The first records in an order, with chosen fields only. Its value is the measure over all. */
const queueSchema = z.strictObject({
  ...shape,
  ...sourceShape,
  kind: z.literal("queue"),
  /** Fields, `-` before a descending one; by default the table's own order. */
  order: orderSchema.exactOptional(),
  limit: limit.default(10),
  /** The fields shown of a record; by default its display field. */
  fields: fields.exactOptional(),
});

/** One light for each value of a field, coloured by the thresholds. */
const lightsSchema = z.strictObject({
  ...shape,
  ...sourceShape,
  kind: z.literal("lights"),
  group: nameSchema,
  order: orderSchema.exactOptional(),
  limit: limit.default(24),
});

/** The measure beside its goal: `target`, or the same measure over the records of `of`. */
const progressSchema = z.strictObject({
  ...shape,
  ...sourceShape,
  kind: z.literal("progress"),
  target: z.number().exactOptional(),
  of: z.strictObject({ filter: sourceShape.filter }).exactOptional(),
});

/** The last changes of the matching records, newest first. */
const activitySchema = z.strictObject({
  ...shape,
  ...sourceShape,
  kind: z.literal("activity"),
  limit: limit.default(10),
  /** The fields whose changes are shown with their new values; the display field is always shown. */
  fields: fields.exactOptional(),
  /** Whether the author is shown. */
  people: z.boolean().exactOptional(),
});

const clockSchema = z.strictObject({
  ...shape,
  kind: z.literal("clock"),
  hours: z.enum(["12", "24"]).default("24"),
  seconds: z.boolean().exactOptional(),
  date: z.boolean().exactOptional(),
});

const textSchema = z.strictObject({
  ...shape,
  kind: z.literal("text"),
  text: userTextSchema(TEXT_MAX_LENGTH),
});

export const tileSchema = z.discriminatedUnion("kind", [
  numberSchema,
  trendSchema,
  breakdownSchema,
  queueSchema,
  lightsSchema,
  progressSchema,
  activitySchema,
  clockSchema,
  textSchema,
]);
export type Tile = z.infer<typeof tileSchema>;
/** The input form: properties with a default may be absent. */
export type TileInput = z.input<typeof tileSchema>;
export type TileKind = Tile["kind"];
export type TileOf<K extends TileKind> = Extract<Tile, { kind: K }>;

/** A tile with values of a table. */
export type DataTile = Exclude<Tile, { kind: "clock" | "text" }>;

export const tileKinds = [
  "number",
  "trend",
  "breakdown",
  "queue",
  "lights",
  "progress",
  "activity",
  "clock",
  "text",
] as const satisfies readonly TileKind[];

export function isDataTile(tile: Tile): tile is DataTile {
  return tile.kind !== "clock" && tile.kind !== "text";
}
