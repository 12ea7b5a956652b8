import type { Filter } from "../../../../shared/filter/filter.ts";
import type { Table, Values } from "../../../../shared/model/model.ts";
import { prefillOf } from "../../../../shared/model/view/prefill.ts";
import type { TableAbilities } from "../../../../shared/policy/abilities.ts";
import { dayZone } from "../../state/day-zone.ts";
import { pageCore } from "./page-core.ts";

/** What a filter asks of its records: the first values of a new one. Days are those of the zone. */
export function valuesForNew(
  table: Table,
  abilities: TableAbilities,
  filter: Filter | null,
  zone = dayZone(),
): Values {
  const { id, attributes } = pageCore().user;
  const now = new Date().toISOString();
  const context = { me: { id, attributes }, now, zone };
  return prefillOf(table, filter, abilities.update, context);
}
