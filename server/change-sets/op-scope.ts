import { idOfTable, type Model } from "../../shared/model/model.ts";
import { type Subject, scopeOf } from "../../shared/policy/scope.ts";
import type { OpScope } from "../store/change-sets/change-set-ops.ts";

/** What the author of ops on these tables may see of them. */
export function opScopeOf(subject: Subject, model: Model, tableIds: readonly string[]): OpScope {
  return model.tables
    .filter((table) => tableIds.includes(idOfTable(table)))
    .flatMap((table) => {
      const scope = scopeOf(subject, table);
      if (!scope) return [];
      const { filter, fields } = scope;
      const seesState = table.stateField === undefined || fields.includes(table.stateField);
      return [{ table, filter, fields, seesState }];
    });
}
