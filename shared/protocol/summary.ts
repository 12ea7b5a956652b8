import { z } from "zod";
import type { Filter } from "../filter/filter.ts";
import { jsonSchema } from "../filter/json-schema.ts";
import type { GroupUnit, SummaryOp } from "../model/view/summary-ops.ts";

export interface SummaryMeasure {
  op: SummaryOp;
  field?: string | undefined;
}

/** What `GET /tables/:table/summary` computes, parsed from its query. */
export interface SummaryCall {
  table: string;
  filter?: Filter | undefined;
  search?: string | undefined;
  /** The zone in which `$today`, and days of times, begin; that of the model by default. */
  zone?: string | undefined;
  group?: string | undefined;
  by?: GroupUnit | undefined;
  measures: readonly SummaryMeasure[];
}

/** The most measures of one summary. */
export const SUMMARY_MAX_MEASURES = 50;
/** The most groups of one summary. */
export const SUMMARY_MAX_GROUPS = 1_000;

/**
 * One group: `key` is the value of the group field (of days and months their first day), `label` its label, `value` the
 * first measure and `values` all of them.
 */
export const summaryRowSchema = z.object({
  key: jsonSchema,
  label: z.string(),
  value: jsonSchema,
  values: z.array(jsonSchema),
});
export type SummaryRow = z.infer<typeof summaryRowSchema>;

/** Groups in the order of their values, the empty one last, as of a position of the table. */
export const summarySchema = z.object({
  rows: z.array(summaryRowSchema),
  /** There are more groups. */
  more: z.boolean(),
  epoch: z.string(),
  seq: z.int(),
});
export type Summary = z.infer<typeof summarySchema>;

/** Measures in the query, joined by commas: `count`, or `count,sum:reassignments`. */
export function parseMeasures(text: string): SummaryMeasure[] {
  return text.split(",").map((part) => {
    const at = part.indexOf(":");
    if (at < 0) return { op: "count" };
    return { op: part.slice(0, at) as SummaryOp, field: part.slice(at + 1) };
  });
}

export function formatMeasures(measures: readonly SummaryMeasure[]): string {
  return measures.map(({ op, field }) => (field === undefined ? op : `${op}:${field}`)).join();
}
