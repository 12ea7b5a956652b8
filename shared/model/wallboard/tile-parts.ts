import { z } from "zod";
import { filterSchema } from "../../filter/filter.ts";
import { agoSeconds } from "../../filter/operand.ts";
import { canonicalZone, isZone } from "../../filter/zone.ts";
import { NAME_MAX_LENGTH, nameSchema, userTextSchema } from "../user-text-schema.ts";

/** The parts of tiles. `checkTile` checks their meaning for a table. */

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

/** What is computed over the matching records. All except `count` name a field. */
const measureSchema = z.strictObject({
  op: z.enum(measureOps),
  field: nameSchema.exactOptional(),
  /** Of `percentile`: which one, by default 50 (the median). */
  percentile: z.number().min(0).max(100).exactOptional(),
});
export type Measure = z.infer<typeof measureSchema>;

/** The position of a tile, in units of the wallboard's grid, from the upper left. */
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

/** Records by a timestamp: the last `count` buckets, including the current one, in the tile's zone. */
export const timeSchema = z.strictObject({
  field: nameSchema,
  bucket: z.enum(buckets),
  count: z.int().min(2).max(BUCKETS_MAX).default(24),
});
export type Time = z.infer<typeof timeSchema>;

export const alertColours = ["green", "blue", "yellow", "orange", "red"] as const;
export type AlertColour = (typeof alertColours)[number];

/**
 * The bound at which a value gets a word and a colour. Of those that match, the last in the list counts.
 * `hysteresis` is how far the value must go back before the threshold is left.
 */
const thresholdSchema = z.strictObject({
  at: z.number(),
  /** Matches at `at` and below it; by default at `at` and above it. */
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

/** `"15m"`, `"4h"`: a time span, backwards. */
const spanSchema = z
  .string()
  .refine((text) => (agoSeconds(text) ?? 0) > 0, "must be a span of time as 15m or 4h");

/** What every tile with values declares of their source. */
export const sourceShape = {
  table: nameSchema,
  filter: filterSchema.nullable().exactOptional(),
  measure: measureSchema.default({ op: "count" }),
  thresholds: thresholdsSchema.exactOptional(),
  /** The expected interval of changes; a longer silence is shown. */
  expectEvery: spanSchema.exactOptional(),
  /** Values of fewer records than this are not shown (small groups are combined). */
  suppressBelow: z.int().min(2).max(10_000).exactOptional(),
  /** Shows a QR code that opens exactly these records in the console, under the scanning user's rights. */
  qr: z.boolean().exactOptional(),
  unit: userTextSchema(UNIT_MAX_LENGTH).exactOptional(),
  decimals: z.int().min(0).max(6).exactOptional(),
};
