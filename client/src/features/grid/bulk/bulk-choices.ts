import type { Filter } from "../../../../../shared/filter/filter.ts";
import { FILTER_MAX_VALUES } from "../../../../../shared/filter/filter.ts";
import { type Field, findField, type Table } from "../../../../../shared/model/model.ts";
import { isReadOnly } from "../../../../../shared/model/recorded.ts";
import { governedBy } from "../../../../../shared/model/state-of.ts";
import { workOf } from "../../../../../shared/model/work-of.ts";
import type { Transition } from "../../../../../shared/model/workflow.ts";
import type { TableAbilities } from "../../../../../shared/policy/abilities.ts";

/** What can be done to many records at once: set one field, or run one transition. */
export type BulkChoice =
  | { kind: "field"; field: Field }
  | { kind: "transition"; transition: Transition; fields: readonly Field[] };

/** What a user may do to many records, as far as the role alone decides; the preview evaluates each record. */
export function bulkChoices(
  table: Table,
  { update, transitions }: Pick<TableAbilities, "update" | "transitions">,
): BulkChoice[] {
  const governed = governedBy(table);
  const fields = table.fields.filter(
    (field) =>
      update.includes(field.name) &&
      !isReadOnly(field) &&
      field.immutable !== true &&
      field.unique !== true &&
      field.name !== governed?.stateField,
  );
  const possible = governed?.workflow.transitions.filter(
    ({ name }) =>
      transitions === true || (Array.isArray(transitions) && transitions.includes(name)),
  );
  return [
    ...fields.map((field) => ({ kind: "field", field }) as const),
    ...(possible ?? []).map((transition) => ({
      kind: "transition" as const,
      transition,
      fields: (transition.requires ?? []).flatMap((name) => findField(table, name) ?? []),
    })),
  ];
}

/** The value of a choice in a list; names of fields and transitions may be equal. */
export function keyOfChoice(choice: BulkChoice): string {
  return choice.kind === "field"
    ? `field ${choice.field.name}`
    : `transition ${choice.transition.name}`;
}

/** What is changed in many records most: their state, importance and assignee, as far as the table has them. */
export function quickChoices(
  table: Table,
  choices: readonly BulkChoice[],
): { label: string; key: string }[] {
  const work = workOf(table);
  const transition = choices.find(({ kind }) => kind === "transition");
  return [work?.state, work?.level, work?.person].flatMap((field) => {
    const own = choices.find((one) => one.kind === "field" && one.field.name === field?.name);
    const choice = own ?? (field?.name === table.stateField ? transition : undefined);
    return field && choice ? [{ label: field.label, key: keyOfChoice(choice) }] : [];
  });
}

/** Matches the records with these ids. */
export function idFilter(ids: readonly string[]): Filter {
  const or: Filter[] = [];
  for (let at = 0; at < ids.length; at += FILTER_MAX_VALUES) {
    or.push({ field: "id", op: "in", value: ids.slice(at, at + FILTER_MAX_VALUES) });
  }
  return or.length === 1 ? (or[0] as Filter) : { or };
}
