import { z } from "zod";
import { filterSchema } from "../filter/filter.ts";
import { summaryOps } from "../model/view/summary-ops.ts";
import { zoneSchema } from "../model/wallboard/tile-parts.ts";
import { SUMMARY_MAX_MEASURES } from "./summary.ts";

/**
 * How lists, numbers and filters are written in a query string. The metadata says what the OpenAPI document has in place of
 * the text that is parsed.
 */

export const wholeParam = z
  .string()
  .regex(/^\d{1,15}$/, "must be a whole number")
  .transform(Number)
  .meta({ type: "integer", minimum: 0, pattern: undefined });

/** How many items a page has, and where it begins. */
export const limitParam = wholeParam.describe("The most items to return.");
export const offsetParam = wholeParam.describe("How many items to skip.");

/** An instant as ISO 8601 with a zone. */
export const timeParam = z.iso
  .datetime({ offset: true })
  .describe("A time with a zone, such as 2026-11-22T08:00:00Z.");

/** Names joined by commas. */
export const namesParam = z
  .string()
  .max(10_000)
  .transform((text) => (text === "" ? [] : text.split(",")))
  .describe("Names of fields, joined by commas.");

/** A filter as JSON text. */
export const filterParam = jsonText()
  .pipe(filterSchema)
  .meta({
    description: "Only records that match this filter: a `Filter` as JSON.",
    examples: ['{"field":"state","op":"in","value":["New","Active"]}'],
  });

/** The zone in which `$today` of a filter begins; that of the model by default. */
export const zoneParam = zoneSchema.describe(
  "The time zone in which `$today` begins. By default that of the model, or UTC.",
);

const measures = summaryOps.filter((op) => op !== "count").join("|");

/** `count`, or what to compute from which field, `sum:reassignments`; several are joined by commas. */
export const measureParam = z
  .string()
  .max(10_000)
  .regex(
    new RegExp(
      `^(?:count|(?:${measures}):[^,]{1,120})(?:,(?:count|(?:${measures}):[^,]{1,120}))*$`,
    ),
    `must be count, or ${measures.replaceAll("|", ", ")} with a field; several are joined by commas`,
  )
  .refine((text) => text.split(",").length <= SUMMARY_MAX_MEASURES, {
    error: `must be at most ${SUMMARY_MAX_MEASURES} measures`,
  })
  .describe(
    "`count`, or with a field `filled`, `empty`, `distinct`, `checked`, `sum`, `avg`, `median` (of an even number of values the lower of the two in the middle), `min` or `max`, such as `sum:reassignments`. Several are joined by commas.",
  );

export const flagParam = z
  .enum(["true", "false"])
  .transform((text) => text === "true")
  .meta({ type: "boolean", enum: undefined });

/** A text of a query string that is JSON, parsed; its schema follows by `pipe`. */
export function jsonText(maxCharacters?: number) {
  const text = maxCharacters === undefined ? z.string() : z.string().max(maxCharacters);
  return text.transform((json, context) => {
    try {
      return JSON.parse(json) as unknown;
    } catch {
      context.addIssue({ code: "custom", message: "must be JSON" });
      return z.NEVER;
    }
  });
}
