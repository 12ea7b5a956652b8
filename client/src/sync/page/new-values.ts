import type { Filter } from "../../../../shared/filter/filter.ts";
import { isNowByDefault } from "../../../../shared/model/initial-value.ts";
import type { Table, Values } from "../../../../shared/model/model.ts";
import { isReadOnly } from "../../../../shared/model/recorded.ts";
import { governedBy } from "../../../../shared/model/state-of.ts";
import { prefillOf } from "../../../../shared/model/view/prefill.ts";
import type { TableAbilities } from "../../../../shared/policy/abilities.ts";
import { dayZone } from "../../state/day-zone.ts";
import { pageCore } from "./page-core.ts";

/**
 * What a filter asks of its records, and the role of all that its user may add: the first values of a new one. What the role asks for comes
 * last, since no other record can be saved, and may be in a field that the user can't change later. Days are those of the zone.
 */
export function valuesForNew(
  table: Table,
  abilities: TableAbilities,
  filter: Filter | null,
  zone = dayZone(),
): Values {
  const { id, attributes } = pageCore().user;
  const now = new Date().toISOString();
  const context = { me: { id, attributes }, now, zone };
  const required = abilities.createOnly?.filter ?? null;
  return {
    ...prefillOf(table, filter, abilities.update, context),
    ...prefillOf(table, required, abilities.fields, context),
  };
}

/**
 * What a copy of a record begins with: its values, without those that each record has of its own. Numbered, unique and computed fields, and times
 * that are now by default, are left to the server. The copy begins in the first state, so that it takes nothing either of what transitions set,
 * such as the time at which the record was closed.
 */
export function valuesForCopy(table: Table, values: Values): Values {
  const governed = governedBy(table);
  const transitions = governed?.workflow.transitions ?? [];
  const ofState = new Set(transitions.flatMap(({ sets = {} }) => Object.keys(sets)));
  if (governed) ofState.add(governed.stateField);
  const copied = table.fields.filter(
    (field) =>
      !field.automatic &&
      !field.unique &&
      !isReadOnly(field) &&
      !isNowByDefault(field) &&
      !ofState.has(field.name),
  );
  return Object.fromEntries(
    copied.flatMap(({ name }) => {
      const value = values[name];
      return value === null || value === undefined ? [] : [[name, value]];
    }),
  );
}
