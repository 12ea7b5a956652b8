import { z } from "zod";
import { filterSchema } from "../../filter/filter.ts";
import { agoSeconds } from "../../filter/operand.ts";
import { canonicalZone, isZone } from "../../filter/zone.ts";
import { NAME_MAX_LENGTH, nameSchema, userTextSchema } from "../user-text-schema.ts";

/** The parts that tiles are made of. What they mean on a table is checkTile's to say. */

const WORD_MAX_LENGTH = 40;
const UNIT_MAX_LENGTH = 12;
const GRID_MAX_UNITS = 96;

export const zoneSchema = z
  .string()
  .max(64)
  .refine(isZone, "must be a time zone as Europe/Lisbon or UTC")
  .overwrite((zone) => (isZone(zone) ? canonicalZone(zone) : zone));

export const measureOps = ["count", "sum", "avg", "min", "max", "percentile", "distinct"] as const;
export type MeasureOp = (typeof measureOps)[number];

/** What is worked out over the records that match. All but `count` speak of a field. */
const measureSchema = z.strictObject({
  op: z.enum(measureOps),
  field: nameSchema.exactOptional(),
  /** Of `percentile`: which one, 50 (the median) unless told. */
  percentile: z.number().min(0).max(100).exactOptional(),
});
export type Measure = z.infer<typeof measureSchema>;

/** Where a tile stands, in units of the board's grid, from the upper left. */
export const layoutSchema = z.strictObject({
  x: z.int().min(0).max(GRID_MAX_UNITS),
  y: z.int().min(0).max(GRID_MAX_UNITS),
  w: z.int().min(1).max(GRID_MAX_UNITS),
  h: z.int().min(1).max(GRID_MAX_UNITS),
});
export type Layout = z.infer<typeof layoutSchema>;

export const buckets = ["minute", "hour", "day", "week", "month"] as const;
export type Bucket = (typeof buckets)[number];
const BUCKETS_MAX = 400;

/** Records by a time of theirs: the last `count` buckets, the running one included, in the tile's zone. */
export const timeSchema = z.strictObject({
  field: nameSchema,
  bucket: z.enum(buckets),
  count: z.int().min(2).max(BUCKETS_MAX).default(24),
});
export type Time = z.infer<typeof timeSchema>;

export const alertColours = ["green", "blue", "yellow", "orange", "red"] as const;
export type AlertColour = (typeof alertColours)[number];

/**
 * From which figure on a tile says a word in a colour. Of those that hold, the last in the list
 * counts. `hysteresis` is how far the figure must go back before it lets go.
 */
const thresholdSchema = z.strictObject({
  at: z.number(),
  /** Holds at `at` and below it; at `at` and above it unless told. */
  below: z.boolean().exactOptional(),
  word: userTextSchema(WORD_MAX_LENGTH).min(1),
  colour: z.enum(alertColours),
  hysteresis: z.number().min(0).exactOptional(),
  flash: z.boolean().exactOptional(),
  sound: z.boolean().exactOptional(),
});
export type Threshold = z.infer<typeof thresholdSchema>;
const thresholdsSchema = z.array(thresholdSchema).max(10);

const orderTermSchema = z
  .string()
  .min(1)
  .max(NAME_MAX_LENGTH + 1);

/** One or many, `-` before a descending one: `"-opened_at"`, `["priority", "-opened_at"]`. */
export const orderSchema = z.union([orderTermSchema, z.array(orderTermSchema).max(10)]);

/** An order as a list. */
export function orderTerms(order: z.infer<typeof orderSchema> | undefined): string[] {
  return order === undefined ? [] : typeof order === "string" ? [order] : order;
}

/** `"15m"`, `"4h"`: a span of time, looking back. */
const spanSchema = z
  .string()
  .refine((text) => (agoSeconds(text) ?? 0) > 0, "must be a span of time as 15m or 4h");

/** What every tile that shows figures says of where they come from. */
export const sourceShape = {
  table: nameSchema,
  filter: filterSchema.nullable().exactOptional(),
  measure: measureSchema.default({ op: "count" }),
  thresholds: thresholdsSchema.exactOptional(),
  /** Something changes at least this often; silence beyond it is shown as such. */
  expectEvery: spanSchema.exactOptional(),
  /** Figures of fewer records than this are not told (small groups are joined). */
  suppressBelow: z.int().min(2).max(10_000).exactOptional(),
  /** Shows a code that opens exactly these records in the console, under the scanner's own rights. */
  qr: z.boolean().exactOptional(),
  unit: userTextSchema(UNIT_MAX_LENGTH).exactOptional(),
  decimals: z.int().min(0).max(6).exactOptional(),
};
