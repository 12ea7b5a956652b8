import {
  hasFormerNames,
  resolveField,
  resolveTable,
  withCurrentNames,
} from "../../shared/model/former-names.ts";
import type { Model } from "../../shared/model/model.ts";
import type { Mutation, Op } from "./op.ts";

/**
 * A mutation under the current names: it may have been written before a table or field was renamed. Its hash
 * is that of the sent content, so a repeat of it is still recognised.
 */
export function withCurrentModelNames(model: Model, mutation: Mutation): Mutation {
  if (!hasFormerNames(model)) return mutation;
  return { ...mutation, ops: mutation.ops.map((op) => renamedOp(op, model)) };
}

function renamedOp(op: Op, model: Model): Op {
  const table = resolveTable(model, op.table);
  if (!table) return op;
  const named = { ...op, table: table.name };
  if (named.op === "delete" || named.op === "restore") return named;
  const key = named.key && (resolveField(table, named.key)?.name ?? named.key);
  const keyed = { ...named, ...(key !== undefined && { key }) };
  if (keyed.op === "create") {
    return { ...keyed, values: withCurrentNames(table, keyed.values) };
  }
  return {
    ...keyed,
    ...(keyed.set && { set: withCurrentNames(table, keyed.set) }),
    ...(keyed.base && { base: withCurrentNames(table, keyed.base) }),
  } as Op;
}
