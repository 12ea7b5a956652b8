import { z } from "zod";
import { hasFewTerms, isShallow } from "./is-shallow.ts";
import { jsonSchema } from "./json-schema.ts";

/**
 * The filter language: one JSON form for views, row rights, guards, rules, tiles, webhooks and the REST
 * `filter` parameter. It has two interpreters, SQL (server/store/filter-sql.ts) and in memory (matches.ts); a
 * property test checks that they agree.
 */

/** A JSON value as it travels on the wire. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The kind of a field's values for comparisons. Field types (shared/model) map to these. */
export type ValueKind =
  | "text"
  | "integer"
  | "decimal"
  | "boolean"
  | "date"
  | "timestamp"
  | "list"
  | "json";

/** The fields a filter may name, with their kinds. Unknown and hidden fields are absent. */
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

/** Deeper or larger filters are refused. */
export const FILTER_MAX_DEPTH = 8;
export const FILTER_MAX_TERMS = 200;
/** Values in the list of one `in` or `nin`. */
export const FILTER_MAX_VALUES = 1_000;

const comparisonSchema = z.strictObject({
  field: z.string().min(1).max(120),
  op: z.enum(comparisonOps),
  value: jsonSchema.optional(),
}) as z.ZodType<Comparison, Comparison>;

const nodeSchema: z.ZodType<Filter, Filter> = z
  .lazy(() =>
    z.union([
      comparisonSchema,
      z.strictObject({ and: z.array(nodeSchema).max(FILTER_MAX_TERMS) }),
      z.strictObject({ or: z.array(nodeSchema).max(FILTER_MAX_TERMS) }),
      z.strictObject({ not: nodeSchema }),
    ]),
  )
  .meta({ id: "Filter" });

/** How deep the JSON of a filter can be: two levels for each of its own, and a few for a value. */
const JSON_MAX_DEPTH = 2 * FILTER_MAX_DEPTH + 8;

/** Terms that are looked at. `checkFilter` names the place of the first one beyond `FILTER_MAX_TERMS`. */
const SCHEMA_MAX_TERMS = 5 * FILTER_MAX_TERMS;

/**
 * The outer form only; `checkFilter` validates names, kinds and depth. Nesting that would exhaust the stack
 * is refused before any recursion, and so are more terms than can be checked in a few milliseconds.
 */
export const filterSchema = z
  .unknown()
  .refine((json) => isShallow(json, JSON_MAX_DEPTH), { error: "nests too deeply", abort: true })
  .refine((json) => hasFewTerms(json, SCHEMA_MAX_TERMS), { error: "has too many terms" })
  .pipe(nodeSchema) as unknown as z.ZodType<Filter, Filter>;

/** The values of `$me`, `$me.<attribute>`, `$now`, `$today` and `{ago}` at one moment. */
export interface FilterContext {
  me: { id: string; attributes: Readonly<Record<string, Json>> } | null;
  /** ISO 8601 instant with zone. */
  now: string;
  /** IANA zone of `$today`; UTC by default. */
  zone?: string;
}

/** One key of an order. Ties are always broken by the record id, ascending. */
export interface SortKey {
  field: string;
  descending: boolean;
}
