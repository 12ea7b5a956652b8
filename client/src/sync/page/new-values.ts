import type { Filter } from "../../../../shared/filter/filter.ts";
import type { Table, Values } from "../../../../shared/model/model.ts";
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
