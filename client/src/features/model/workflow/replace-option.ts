import { followOptions } from "../../../../../shared/model/migrate-filter.ts";
import { type Field, findField, type Table } from "../../../../../shared/model/model.ts";
import { changeOptions, withWorkflow } from "./edit-workflow.ts";

/**
 * Replaces an option by another one: in records that have it, in the default, in transitions, and in what the table declares by
 * filters and derived values. A rule that still named it would silently apply to no record.
 */
export function replaceOption(table: Table, fieldName: string, removed: string, by: string): Table {
  const formerly = findField(table, fieldName)?.options?.find(
    ({ value }) => value === removed,
  )?.formerly;
  const swap = (value: string) => (value === removed ? by : value);
  const rerouted = withWorkflow(table, (workflow) => ({
    ...workflow,
    transitions: workflow.transitions
      .map((one) => ({ ...one, from: [...new Set(one.from.map(swap))], to: swap(one.to) }))
      .filter(({ from, to }) => from.some((state) => state !== to)),
  }));
  const updated = fieldName === table.stateField ? rerouted : table;
  const fields = updated.fields.map((field) => ({
    ...field,
    ...(field.name === fieldName && field.default === removed && { default: by }),
    ...(field.derive && { derive: derivedBy(field, fieldName, swap) }),
  }));
  const changed = changeOptions({ ...updated, fields }, fieldName, (all) =>
    all
      .filter(({ value }) => value !== removed)
      .map((one) =>
        one.value === by
          ? { ...one, formerly: [...(one.formerly ?? []), removed, ...(formerly ?? [])] }
          : one,
      ),
  );
  return withFilters(table, changed, fieldName, swap);
}

/** Rules and guards compare with the replacement, and transitions set it. */
function withFilters(
  before: Table,
  table: Table,
  fieldName: string,
  swap: (value: string) => string,
): Table {
  const guarded = withWorkflow(table, (workflow) => ({
    ...workflow,
    transitions: workflow.transitions.map(({ guard, sets, ...one }) => ({
      ...one,
      ...(guard && { guard: followOptions(guard, before, table) }),
      ...(sets && {
        sets: Object.fromEntries(
          Object.entries(sets).map(([name, value]) => [
            name,
            name === fieldName && typeof value === "string" ? swap(value) : value,
          ]),
        ),
      }),
    })),
  }));
  if (!table.rules) return guarded;
  const rules = table.rules.map((rule) => ({
    ...rule,
    filter: followOptions(rule.filter, before, table),
  }));
  return { ...guarded, rules };
}

/** What is derived from the replacement already takes precedence over what was from the removed option. */
function derivedBy(
  { name, derive = { fields: [], values: {} } }: Field,
  fieldName: string,
  swap: (value: string) => string,
): NonNullable<Field["derive"]> {
  const keyOf = (key: string) =>
    key
      .split("|")
      .map((part, at) => (derive.fields[at] === fieldName ? swap(part) : part))
      .join("|");
  const derived = (value: unknown) =>
    name === fieldName && typeof value === "string" ? swap(value) : value;
  const entries = Object.entries(derive.values);
  const inOrder = [
    ...entries.filter(([key]) => keyOf(key) !== key),
    ...entries.filter(([key]) => keyOf(key) === key),
  ];
  const values = Object.fromEntries(inOrder.map(([key, value]) => [keyOf(key), derived(value)]));
  return { ...derive, values: values as typeof derive.values };
}
