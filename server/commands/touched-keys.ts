import { toNfc } from "../../shared/filter/to-nfc.ts";
import { findField, findTable, type Model } from "../../shared/model/model.ts";
import type { TouchedKeys } from "./contended-mutations.ts";
import type { Mutation, Op } from "./op.ts";

/** The key of a record, and of everything in a table. */
export const recordKey = (table: string, record: string) => JSON.stringify([table, record]);
export const tableKey = (table: string) => JSON.stringify([table]);

/** The records that a mutation writes, and everything it may have to wait for. */
export function touchedKeys({ ops }: Mutation, model: Model): TouchedKeys {
  const records = ops.flatMap((op) =>
    op.record === undefined ? [] : [recordKey(op.table, op.record)],
  );
  const links = ops.flatMap((op) => [...linkedRecords(op, model)]);
  const tables = new Set([...tablesOf({ ops }), ...links.map(({ table }) => table)]);
  const linked = links.map(({ table, record }) => recordKey(table, record));
  return { records, all: [...records, ...linked, ...[...tables].map(tableKey)] };
}

/** The tables that a mutation writes. */
export function tablesOf({ ops }: Pick<Mutation, "ops">): string[] {
  return [...new Set(ops.map(({ table }) => table))];
}

/** The records that an op links to. */
export function* linkedRecords(op: Op, model: Model): Iterable<{ table: string; record: string }> {
  const table = findTable(model, op.table);
  const set = op.op === "create" ? op.values : "set" in op ? op.set : undefined;
  if (!table || !set) return;
  for (const [name, value] of Object.entries(set)) {
    const field = findField(table, name);
    if (field?.type !== "link" || field.target === undefined || typeof value !== "string") continue;
    yield { table: field.target, record: toNfc(value) };
  }
}
