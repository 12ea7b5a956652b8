import type { Comparison, FieldKinds, Filter } from "./filter.ts";
import { planComparison, type Test } from "./plan-comparison.ts";
import { kindOf } from "./value-kinds.ts";

/**
 * A filter prepared for both interpreters: `not` is pushed down to the tests, and the twelve operators are
 * reduced to the few tests of plan-comparison.ts.
 * Because `not` applies to single tests only, a test that can't be evaluated (unknown field, value of the
 * wrong kind, unbound variable) becomes `none` whether negated or not. Such a filter can only match fewer
 * records than intended, never more.
 */
export type Plan =
  | { type: "none" }
  | { type: "all" }
  | { type: "and" | "or"; parts: readonly Plan[] }
  | { type: "test"; test: Test; negated: boolean };

const NONE: Plan = { type: "none" };
const ALL: Plan = { type: "all" };

/** Plans a bound filter. Never throws, whatever the filter contains. */
export function planFilter(filter: Filter, kinds: FieldKinds): Plan {
  return plan(filter, kinds, false);
}

function plan(filter: Filter, kinds: FieldKinds, negated: boolean): Plan {
  if ("not" in filter) return plan(filter.not, kinds, !negated);
  if ("and" in filter) return join(filter.and, kinds, negated, !negated);
  if ("or" in filter) return join(filter.or, kinds, negated, negated);
  return planLeaf(filter, kinds, negated);
}

/** Joins parts by `and` if `every`, else by `or`; drops neutral parts, stops at a decisive one. */
function join(
  filters: readonly Filter[],
  kinds: FieldKinds,
  negated: boolean,
  every: boolean,
): Plan {
  const [neutral, decisive] = every ? (["all", "none"] as const) : (["none", "all"] as const);
  const parts: Plan[] = [];
  for (const filter of filters) {
    const part = plan(filter, kinds, negated);
    if (part.type === decisive) return part;
    if (part.type !== neutral) parts.push(part);
  }
  const [first, ...others] = parts;
  if (!first) return every ? ALL : NONE;
  return others.length === 0 ? first : { type: every ? "and" : "or", parts };
}

function planLeaf(comparison: Comparison, kinds: FieldKinds, negated: boolean): Plan {
  const kind = kindOf(kinds, comparison.field);
  const tests = kind && planComparison(comparison, { name: comparison.field, kind }, kinds);
  if (!tests) return NONE;
  const flipped = negated !== tests.negated;
  const every = (tests.join === "and") !== flipped;
  if (tests.tests.length === 0) return every ? ALL : NONE;
  const parts = tests.tests.map((test): Plan => ({ type: "test", test, negated: flipped }));
  const [first, ...others] = parts;
  return first && others.length === 0 ? first : { type: every ? "and" : "or", parts };
}
