import type { Json } from "../../shared/filter/filter.ts";
import { isStorable } from "../../shared/filter/storable.ts";
import { toNfc } from "../../shared/filter/to-nfc.ts";
import { isReference } from "../../shared/model/field-types.ts";
import {
  type Field,
  findField,
  findTable,
  type Model,
  type Table,
  type Values,
} from "../../shared/model/model.ts";
import { normalizeValue } from "../../shared/model/normalize-value.ts";
import { scopeOf } from "../../shared/policy/scope.ts";
import { type KeyRequest, keyOf } from "../store/key-holders.ts";
import type { LoadRequest } from "../store/load-for-write.ts";
import { idOfNew, type Mutation, type Op } from "./op.ts";

/**
 * What ops touch, as far as their text says it: the records they write and link to, and the unique values and keys they take.
 * By this rows are locked and read before anything is evaluated, and mutations that wait for another program's lock are known
 * to be in each other's way.
 */

/** What a mutation touches, as keys. */
export interface TouchedKeys {
  /** The records that it writes. */
  records: readonly string[];
  /** Everything it waits for if contended: records, link targets and whole tables. */
  all: readonly string[];
}

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
  if (!table) return;
  for (const [name, value] of Object.entries(writtenBy(op))) {
    const field = findField(table, name);
    if (field?.type !== "link" || field.target === undefined || typeof value !== "string") continue;
    yield { table: field.target, record: toNfc(value) };
  }
}

/**
 * Divides mutations into parts that can be committed independently, each in its order. Mutations stay
 * together if they write to a common table, or if one links to a table that another writes.
 */
export function byTables<One extends { mutation: Mutation }>(
  units: readonly One[],
  model: Model,
): One[][] {
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

/** What a group of ops needs to have locked and read before its evaluation. A dry run looks for keys by itself. */
export function requestFor(
  mutations: readonly Mutation[],
  model: Model,
  { lock }: Pick<LoadRequest, "lock">,
): LoadRequest {
  const records = new Map<string, LoadRequest["records"][number]>();
  const targets = new Map<string, LoadRequest["targets"][number]>();
  const uniques = new Map<string, LoadRequest["uniques"][number]>();
  const keys = new Map<string, KeyRequest>();
  const all = mutations.flatMap(({ ops, subject }) => ops.map((op) => ({ op, subject })));
  for (const { op, subject } of all) {
    const table = findTable(model, op.table);
    if (!table) continue;
    const record = op.op === "create" ? idOfNew(table, op) : op.record;
    // No such record can exist; the evaluation refuses it without reading.
    if (!isStorable(record)) continue;
    const part = into(records, table.name, () => newPart(table));
    part.ids.push(record);
    if (op.op === "delete") part.deletes = true;
    if (op.op === "create") part.made.add(record);
    if (op.op === "restore") part.restored.add(record);
    for (const [field, value] of writtenTexts(table, op)) {
      if (isReference(field.type)) {
        const target = field.type === "link" ? findTable(model, field.target ?? "") : null;
        if (target === undefined) continue;
        const link = into(targets, target?.name ?? "", () => newTarget(target));
        link.ids.push(value);
        link.withValues ||= target !== null && Boolean(scopeOf(subject, target)?.filter);
      }
    }
    for (const [field, value] of writtenUniques(table, op)) {
      const key = `${table.name}.${field.name}`;
      into(uniques, key, () => ({ table, field, values: [] })).values.push(value);
    }
    const keyed = lock === "none" ? null : keyedValue(table, op);
    if (keyed) {
      const at = { table, field: keyed.field, filter: scopeOf(subject, table)?.filter ?? null };
      into(keys, keyOf(at), () => ({ ...at, values: [] })).values.push(keyed.value);
    }
  }
  // Tables in one order on every server, so that two groups can't deadlock.
  const inOrder = [...records.values()].sort((a, b) => (a.table.name < b.table.name ? -1 : 1));
  return {
    lock,
    records: inOrder,
    targets: [...targets.values()],
    uniques: [...uniques.values()],
    keys: [...keys.values()],
    mutations: mutations.map(({ actor, id }) => ({ author: actor, id })),
  };
}

function newPart(table: Table): LoadRequest["records"][number] {
  return { table, ids: [], deletes: false, made: new Set(), restored: new Set() };
}

function newTarget(table: Table | null): LoadRequest["targets"][number] {
  return { table, ids: [], withValues: false };
}

function into<Part>(map: Map<string, Part>, key: string, make: () => Part): Part {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}

const writtenBy = (op: Op): Values =>
  op.op === "create" ? op.values : "set" in op ? (op.set ?? {}) : {};

function* writtenUniques(table: Table, op: Op): Iterable<[Field, string]> {
  for (const [name, value] of Object.entries(writtenBy(op))) {
    const field = findField(table, name);
    if (!field?.unique) continue;
    const normal = normalizeValue(field, value);
    if (normal.ok && normal.value !== null) yield [field, String(normal.value)];
  }
}

/** The value that identifies a new record; null if none does. */
export function keyedValue(table: Table, op: Op): { field: Field; value: Json } | null {
  const field = op.op === "create" && op.key !== undefined ? findField(table, op.key) : undefined;
  const normal = field && normalizeValue(field, writtenBy(op)[field.name] ?? null);
  return field && normal?.ok && normal.value !== null ? { field, value: normal.value } : null;
}

function* writtenTexts(table: Table, op: Op): Iterable<[Field, string]> {
  const set = writtenBy(op);
  for (const [name, value] of Object.entries(set)) {
    const field = findField(table, name);
    if (field && typeof value === "string" && isStorable(value)) yield [field, toNfc(value)];
  }
}
