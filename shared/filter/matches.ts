import { compileTest, type RecordValues } from "./compile-test.ts";
import type { FieldKinds, Filter, Json } from "./filter.ts";
import { type Plan, planFilter } from "./plan-filter.ts";

/**
 * The in-memory interpreter. It evaluates wire values, agrees with server/store/filter-sql.ts on every
 * record, and never throws: what can't be evaluated does not match (rule F11 of docs/guides/filters.md).
 */

/** Evaluates one record: its id and its wire values. */
export type RecordPredicate = (id: string, values: RecordValues) => boolean;

/** Compiles a bound filter once for many records; use it on hot paths. */
export function compileFilter(filter: Filter, kinds: FieldKinds): RecordPredicate {
  return compilePlan(planFilter(filter, kinds));
}

/** Evaluates a single record; for more than one, compile. */
export function matches(
  filter: Filter,
  id: string,
  values: Readonly<Record<string, Json | undefined>>,
  kinds: FieldKinds,
): boolean {
  return compileFilter(filter, kinds)(id, values);
}

function compilePlan(plan: Plan): RecordPredicate {
  switch (plan.type) {
    case "none":
      return () => false;
    case "all":
      return () => true;
    case "and": {
      const parts = plan.parts.map(compilePlan);
      return (id, values) => parts.every((part) => part(id, values));
    }
    case "or": {
      const parts = plan.parts.map(compilePlan);
      return (id, values) => parts.some((part) => part(id, values));
    }
    case "test": {
      const test = compileTest(plan.test);
      return plan.negated ? (id, values) => !test(id, values) : test;
    }
  }
}
