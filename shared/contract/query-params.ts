import { z } from "zod";
import { filterSchema } from "../filter/filter.ts";
import { zoneSchema } from "../model/wallboard/tile-parts.ts";

/** How lists, numbers and filters are written in a query string. */

export const wholeParam = z
  .string()
  .regex(/^\d{1,15}$/, "must be a whole number")
  .transform(Number);

/** An instant as ISO 8601 with a zone. */
export const timeParam = z.iso.datetime({ offset: true });

/** Names joined by commas. */
export const namesParam = z
  .string()
  .max(10_000)
  .transform((text) => (text === "" ? [] : text.split(",")));

/** A filter as JSON text. */
export const filterParam = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: "custom", message: "must be JSON" });
      return z.NEVER;
    }
  })
  .pipe(filterSchema);

/** The zone in which `$today` of a filter begins; UTC by default. */
export const zoneParam = zoneSchema;

/** `count`, or what to compute from which field: `sum:reassignments`. */
export const measureParam = z
  .string()
  .regex(
    /^(?:count|(?:sum|avg|min|max):.{1,120})$/,
    "must be count, or sum, avg, min or max with a field",
  );

export const flagParam = z.enum(["true", "false"]).transform((text) => text === "true");
