import { z } from "zod";
import type { Filter } from "../filter/filter.ts";

/** What `GET /tables/:table/summary` computes, parsed from its query. */
export interface SummaryCall {
  table: string;
  filter?: Filter | undefined;
  /** The zone in which `$today` begins; UTC by default. */
  zone?: string | undefined;
  group?: string | undefined;
  measure: { op: "count" | "sum" | "avg" | "min" | "max"; field?: string | undefined };
}

/** One value: `key` is the value of the group field, `label` its label. */
export const summaryRowSchema = z.object({ key: z.json(), label: z.string(), value: z.json() });
export type SummaryRow = z.infer<typeof summaryRowSchema>;

/** A measure in the query: `count`, or `sum:reassignments`. */
export function parseMeasure(text: string): SummaryCall["measure"] {
  const [, op, field] = /^(sum|avg|min|max):(.*)$/.exec(text) ?? [];
  return op ? { op: op as SummaryCall["measure"]["op"], field } : { op: "count" };
}
