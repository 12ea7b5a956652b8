import type { Model } from "../../shared/model/model.ts";
import type { Unit } from "./commit-group.ts";
import { linkedRecords, tablesOf } from "./touched-keys.ts";

/**
 * Divides mutations into parts that can be committed independently, each in its order. Mutations stay
 * together if they write to a common table, or if one links to a table that another writes.
 */
export function byTables<One extends Unit>(units: readonly One[], model: Model): One[][] {
  const written = new Set(units.flatMap(({ mutation }) => tablesOf(mutation)));
  const parentOf = new Map<string, string>();
  const rootOf = (table: string): string => {
    const parent = parentOf.get(table);
    return parent === undefined ? table : rootOf(parent);
  };
  for (const { mutation } of units) {
    const linked = mutation.ops.flatMap((op) => [...linkedRecords(op, model)]);
    const targets = linked.map(({ table }) => table).filter((table) => written.has(table));
    const [first, ...others] = [...tablesOf(mutation), ...targets];
    for (const other of others) {
      const [root, otherRoot] = [rootOf(first ?? ""), rootOf(other)];
      if (root !== otherRoot) parentOf.set(otherRoot, root);
    }
  }
  const parts = Map.groupBy(units, ({ mutation }) => rootOf(tablesOf(mutation)[0] ?? ""));
  return [...parts.values()];
}
