import { findTable, type Model, type Table } from "../../shared/model/model.ts";
import { isReadOnly } from "../../shared/model/recorded.ts";
import { grantOn } from "../../shared/policy/role.ts";
import { scopeOf } from "../../shared/policy/scope.ts";
import { unavailable } from "../../shared/protocol/errors.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import type { Identity } from "../auth/identity.ts";
import { countChanges, firstOtherPlace, lastPlaces, readDocuments } from "../store/activity.ts";
import type { Database } from "../store/database.ts";
import { readFeedStates } from "../store/feed-log.ts";
import type { ChangeSetContext } from "./change-set-context.ts";
import { inverseOps, RecordChanges } from "./inverse-ops.ts";
import type { SelectedChange } from "./select-changes.ts";

/** Changes whose values are read at once. */
const CHUNK_CHANGES = 1_000;

/** The selected changes of one record, newest first. */
interface ChangedRecord {
  table: string;
  record: string;
  places: number[];
  /** The oldest one has created it. */
  isNew: boolean;
}

/** What they come to, and the last that is not behind one of others: a new record can't be deleted past that. */
interface ReadRecord {
  changes: RecordChanges;
  unbrokenTo: number;
}

/**
 * Whether these are all changes that a set has made, whole: not if its reader can't see some of them, or writable fields
 * that an update has changed.
 */
export async function areAllChanges(
  { database, model }: ChangeSetContext,
  { subject }: Identity,
  { set, changes }: { set: string; changes: readonly SelectedChange[] },
): Promise<boolean> {
  const hidden = model().tables.map((table) => {
    const visible = scopeOf(subject, table)?.fields ?? [];
    const fields = table.fields.filter((field) => !isReadOnly(field));
    return [table.name, fields.map(({ name }) => name).filter((name) => !visible.includes(name))];
  });
  const { total, withFields } = await countChanges(database, set, Object.fromEntries(hidden));
  return total === changes.length && withFields === 0;
}

/**
 * Writes the ops that take changes back, the records that changed last first: what a later record linked to is there as long
 * as it is. The values of at most `CHUNK_CHANGES` changes are in memory, also of a record that has more.
 */
export async function writeRevertOps(
  context: ChangeSetContext,
  identity: Identity,
  changes: readonly SelectedChange[],
  write: (ops: readonly WireOp[]) => Promise<void>,
): Promise<void> {
  const { database, model, commands } = context;
  const { reads } = commands;
  const states = await readFeedStates(database);
  const epochs = new Map(states.map(({ table, epoch }) => [table, epoch]));
  for (const chunk of chunksOf(changes)) {
    const read = await readRecords(context, identity, chunk);
    const { current, last } = await reads.run(identity, () =>
      storedOf(reads.database, model(), chunk),
    );
    const ops: WireOp[] = [];
    for (const { table: name, record, places } of chunk) {
      const own = read.get(keyOf({ table: name, record }));
      const table = findTable(model(), name);
      const epoch = epochs.get(name);
      if (!own || !table || epoch === undefined) continue;
      const values = current.get(name)?.get(record);
      const { update } = grantOn(identity.subject.role, table);
      const updatable = (typeof update === "object" && update.fields) || null;
      const isLast = last.get(name)?.get(record) === places[0];
      const at = { table, epoch, current: values, isLast, updatable, unbrokenTo: own.unbrokenTo };
      ops.push(...inverseOps(own.changes, at));
    }
    await write(ops);
  }
}

const keyOf = ({ table, record }: { table: string; record: string }) =>
  JSON.stringify([table, record]);

/** Whole records, in the order of their newest changes. */
function* chunksOf(changes: readonly SelectedChange[]): Generator<ChangedRecord[]> {
  const records = new Map<string, ChangedRecord>();
  for (const { table, record, kind, place } of changes) {
    const key = keyOf({ table, record });
    const known = records.get(key) ?? { table, record, places: [], isNew: false };
    known.places.push(place);
    known.isNew = kind === "insert";
    records.set(key, known);
  }
  let chunk: ChangedRecord[] = [];
  let size = 0;
  for (const one of records.values()) {
    if (size > 0 && size + one.places.length > CHUNK_CHANGES) {
      yield chunk;
      chunk = [];
      size = 0;
    }
    chunk.push(one);
    size += one.places.length;
  }
  if (size > 0) yield chunk;
}

/** Reads the changes of a chunk part by part, each record's newest first. */
async function readRecords(
  { commands, model }: ChangeSetContext,
  identity: Identity,
  chunk: readonly ChangedRecord[],
): Promise<Map<string, ReadRecord>> {
  const { reads } = commands;
  const read = new Map<string, ReadRecord>();
  const others = new Map<string, number | null>();
  for (const { table, record, places, isNew } of chunk) {
    const find = () => firstOtherPlace(reads.database, { table, record, places });
    // Whoever may see it, a change that is not to be reverted keeps a new record from being deleted.
    const other = isNew && places.length > 1 ? await reads.run(identity, find) : null;
    others.set(keyOf({ table, record }), other);
  }
  const all = chunk.flatMap(({ places }) => places);
  for (let from = 0; from < all.length; from += CHUNK_CHANGES) {
    const part = all.slice(from, from + CHUNK_CHANGES);
    const entries = await commands.readEntriesAt(identity, part);
    // A record has left the author's scope since its changes were selected.
    if (entries.length < part.length) throw unavailable();
    for (const { place, entry } of entries) {
      const table = findTable(model(), entry.table);
      if (!table) throw unavailable();
      const key = keyOf(entry);
      const other = others.get(key) ?? null;
      const known = read.get(key) ?? { changes: new RecordChanges(table), unbrokenTo: 0 };
      known.changes.add(entry);
      if (known.unbrokenTo === 0 && (other === null || place < other)) known.unbrokenTo = entry.seq;
      read.set(key, known);
    }
  }
  return read;
}

/** The records as they are stored, and the places of their last changes, by table. */
async function storedOf(database: Database, model: Model, records: readonly ChangedRecord[]) {
  const current = new Map<string, Awaited<ReturnType<typeof readDocuments>>>();
  const last = new Map<string, ReadonlyMap<string, number>>();
  for (const [name, own] of Map.groupBy(records, ({ table }) => table)) {
    const ids = own.map(({ record }) => record);
    current.set(name, await readDocuments(database, findTable(model, name) as Table, ids, null));
    last.set(name, await lastPlaces(database, name, ids));
  }
  return { current, last };
}
