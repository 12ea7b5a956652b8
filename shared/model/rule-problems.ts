import { quote } from "../error-texts/explain.ts";
import { bindFilter, fieldsOf } from "../filter/bind-filter.ts";
import type { FilterContext } from "../filter/filter.ts";
import { matches } from "../filter/matches.ts";
import { readsOf } from "./expression/expression-of.ts";
import { type Field, fieldKinds, findField, type Table, type Values } from "./model.ts";
import type { ValueProblem } from "./normalize-value.ts";

/**
 * The broken rules between fields, reported at the first changed field that each names. A rule whose fields
 * did not change is not checked, so that a record from before the rule can still be edited.
 */
export function ruleProblems(
  table: Table,
  record: string,
  values: Values,
  changed: readonly string[] | null,
  context: FilterContext,
): Record<string, ValueProblem> {
  const problems: Record<string, ValueProblem> = {};
  const kinds = fieldKinds(table);
  for (const { filter, message } of table.rules ?? []) {
    const named = [...fieldsOf(filter)].filter((name) => findField(table, name));
    const touched = changed ? named.filter((name) => isTouched(table, name, changed)) : named;
    const [place] = touched;
    if (place === undefined || problems[place]) continue;
    if (matches(bindFilter(filter, context), record, values, kinds)) continue;
    problems[place] = { rule: "rule", ...quote(message) };
  }
  return problems;
}

/** A computed field changes with its inputs. */
function isTouched(table: Table, name: string, changed: readonly string[]): boolean {
  if (changed.includes(name)) return true;
  const field = findField(table, name) as Field;
  return [...readsOf(field, table)].some((read) => changed.includes(read.name));
}
