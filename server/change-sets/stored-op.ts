import { resolveField, resolveTable } from "../../shared/model/former-names.ts";
import {
  idOfField,
  idOfTable,
  type Model,
  type Table,
  type Values,
} from "../../shared/model/model.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import { idOfNew, type Op } from "../commands/op.ts";
import type { StoredOp } from "../store/change-sets/change-set-ops.ts";

/** The parts of an op that hold values by field. */
const parts = ["values", "set", "base"] as const;

/** An op by the ids of its table and fields. A record to be created gets its id now, so that it is the same each time. */
export function toStored(wire: WireOp, n: number, model: Model): StoredOp {
  const table = resolveTable(model, wire.table);
  const given: Op = { ...wire };
  if (given.op === "create" && table) idOfNew(table, given);
  const { op: kind, table: name, record = "", ...rest } = given;
  const idOf = (field: string) => {
    const found = table && resolveField(table, field);
    return found ? idOfField(found) : field;
  };
  const tableId = table ? idOfTable(table) : name;
  return { n, tableId, record, kind, op: renamed(rest, idOf) };
}

/** A stored op by the names of now. What was removed meanwhile has a name that nothing can have. */
export function fromStored({ tableId, record, kind, op }: StoredOp, model: Model): Op {
  const table = tableOf(tableId, model);
  const names = new Map(table?.fields.map((field) => [idOfField(field), field.name]));
  const nameOf = (id: string) => names.get(id) ?? `removed field ${id}`;
  const name = table?.name ?? `removed table ${tableId}`;
  return { ...renamed(op, nameOf), op: kind, table: name, record } as unknown as Op;
}

export function tableOf(id: string, model: Model): Table | undefined {
  return model.tables.find((table) => idOfTable(table) === id);
}

function renamed(op: Record<string, unknown>, name: (field: string) => string): StoredOp["op"] {
  const next = { ...op } as StoredOp["op"];
  for (const part of parts) {
    const values = op[part] as Values | undefined;
    if (!values) continue;
    next[part] = Object.fromEntries(Object.entries(values).map(([key, v]) => [name(key), v]));
  }
  if (typeof op.key === "string") next.key = name(op.key);
  return next;
}
