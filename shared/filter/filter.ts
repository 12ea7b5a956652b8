import { z } from "zod";
import { isShallow } from "./is-shallow.ts";

/**
 * The filter language: one JSON form for views, row rights, guards, rules, tiles, webhooks and the
 * REST `filter` parameter. It has two interpreters, SQL (server/store/filter-sql.ts) and in memory
 * (matches.ts); a property test holds that they agree.
 */

/** A JSON value as it travels on the wire. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** What a field holds, as far as comparing is concerned. Field types (shared/model) map onto these. */
export type ValueKind =
  | "text"
  | "integer"
  | "decimal"
  | "boolean"
  | "date"
  | "timestamp"
  | "list"
  | "json";

/** The fields a filter may name, and how each compares. Unknown and hidden fields are simply absent. */
export type FieldKinds = Readonly<Record<string, ValueKind>>;

export const comparisonOps = [
  "eq",
  "ne",
  "in",
  "nin",
  "lt",
  "lte",
  "gt",
  "gte",
  "between",
  "contains",
  "startsWith",
  "isEmpty",
] as const;
export type ComparisonOp = (typeof comparisonOps)[number];

export interface Comparison {
  field: string;
  op: ComparisonOp;
  value?: Json | undefined;
}

export type Filter = { and: Filter[] } | { or: Filter[] } | { not: Filter } | Comparison;

/** Nesting and breadth beyond these is refused: a filter is typed by people or built by a screen. */
export const FILTER_MAX_DEPTH = 8;
export const FILTER_MAX_TERMS = 200;
/** Values in the list of one `in` or `nin`. */
export const FILTER_MAX_VALUES = 1_000;

const comparisonSchema = z.strictObject({
  field: z.string().min(1).max(120),
  op: z.enum(comparisonOps),
  value: z.json().optional(),
}) as z.ZodType<Comparison, Comparison>;

const nodeSchema: z.ZodType<Filter, Filter> = z.lazy(() =>
  z.union([
    comparisonSchema,
    z.strictObject({ and: z.array(nodeSchema).max(FILTER_MAX_TERMS) }),
    z.strictObject({ or: z.array(nodeSchema).max(FILTER_MAX_TERMS) }),
    z.strictObject({ not: nodeSchema }),
  ]),
);

/** How deep the JSON of a filter can be: two levels for each of its own, and a few for a value. */
const JSON_MAX_DEPTH = 2 * FILTER_MAX_DEPTH + 8;

/**
 * The outer form only; names, kinds and depth are judged by `checkFilter`. Nesting that would exhaust
 * the stack is refused before anything walks down it.
 */
export const filterSchema = z
  .unknown()
  .refine((json) => isShallow(json, JSON_MAX_DEPTH), { error: "nests too deeply" })
  .pipe(nodeSchema) as unknown as z.ZodType<Filter, Filter>;

/** What `$me`, `$me.<attribute>`, `$now`, `$today` and `{ago}` stand for at one moment. */
export interface FilterContext {
  me: { id: string; attributes: Readonly<Record<string, Json>> } | null;
  /** ISO 8601 instant with zone. */
  now: string;
  /** IANA zone in which `$today` is judged; UTC unless told. */
  zone?: string;
}

/** One column of an order. Ties are always broken by the record id, ascending. */
export interface SortKey {
  field: string;
  descending: boolean;
}
