import { findTable, type Model, type Table } from "../../shared/model/model.ts";
import { isReadOnly } from "../../shared/model/recorded.ts";
import { grantOn } from "../../shared/policy/role.ts";
import { scopeOf } from "../../shared/policy/scope.ts";
import { unavailable } from "../../shared/protocol/errors.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import type { Identity } from "../auth/identity.ts";
import type { PlacedEntry } from "../commands/read-activity.ts";
import { countChanges, firstOtherPlace, lastPlaces, readDocuments } from "../store/activity.ts";
import type { Database } from "../store/database.ts";
import { readFeedStates } from "../store/feed-log.ts";
import type { ChangeSetContext } from "./change-set-context.ts";
import { inverseOps } from "./inverse-ops.ts";
import type { SelectedChange } from "./select-changes.ts";

/** Changes whose values are read at once, unless one record has more. */
const CHUNK_CHANGES = 1_000;

/** The selected changes of one record, newest first. */
interface ChangedRecord {
  table: string;
  record: string;
  places: number[];
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
 * as it is. The values of one chunk are in memory.
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
    const places = chunk.flatMap((one) => one.places);
    const entries = await commands.readEntriesAt(identity, places);
    // A record has left the author's scope since its changes were selected.
    if (entries.length < places.length) throw unavailable();
    const byRecord = Map.groupBy(entries, ({ entry }) => keyOf(entry));
    const { current, last } = await reads.run(identity, () =>
      storedOf(reads.database, model(), chunk),
    );
    const ops: WireOp[] = [];
    for (const { table: name, record } of chunk) {
      const own = byRecord.get(keyOf({ table: name, record })) ?? [];
      const table = findTable(model(), name);
      const epoch = epochs.get(name);
      if (!table || epoch === undefined) continue;
      const unbrokenTo = await unbrokenEnd(context, identity, own);
      const values = current.get(name)?.get(record);
      const { update } = grantOn(identity.subject.role, table);
      const updatable = (typeof update === "object" && update.fields) || null;
      const isLast = last.get(name)?.get(record) === own[0]?.place;
      const found = own.map(({ entry }) => entry);
      const at = { table, epoch, current: values, isLast, unbrokenTo, updatable };
      ops.push(...inverseOps(found, at));
    }
    await write(ops);
  }
}

const keyOf = ({ table, record }: { table: string; record: string }) =>
  JSON.stringify([table, record]);

/** Whole records, in the order of their newest changes. */
function* chunksOf(changes: readonly SelectedChange[]): Generator<ChangedRecord[]> {
  const records = new Map<string, ChangedRecord>();
  for (const { table, record, place } of changes) {
    const key = keyOf({ table, record });
    const known = records.get(key);
    if (known) known.places.push(place);
    else records.set(key, { table, record, places: [place] });
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

/**
 * The last of the changes of a new record before one that is not to be reverted, whoever may see that: the record can't be
 * deleted past it.
 */
async function unbrokenEnd(
  { commands: { reads } }: ChangeSetContext,
  identity: Identity,
  changes: readonly PlacedEntry[],
): Promise<number> {
  const [newest] = changes;
  const oldest = changes.at(-1);
  if (!newest || !oldest) return 0;
  if (newest === oldest || oldest.entry.kind !== "insert") return newest.entry.seq;
  const { table, record } = newest.entry;
  const places = changes.map(({ place }) => place);
  const other = await reads.run(identity, () =>
    firstOtherPlace(reads.database, { table, record, places }),
  );
  const last = changes.find(({ place }) => other === null || place < other) ?? oldest;
  return last.entry.seq;
}

/** The records as they are stored, and the places of their last changes, by table. */
async function storedOf(database: Database, model: Model, records: readonly ChangedRecord[]) {
  const current = new Map<string, Awaited<ReturnType<typeof readDocuments>>>();
  const last = new Map<string, ReadonlyMap<string, number>>();
  for (const [name, own] of Map.groupBy(records, ({ table }) => table)) {
    const ids = own.map(({ record }) => record);
    current.set(name, await readDocuments(database, findTable(model, name) as Table, ids));
    last.set(name, await lastPlaces(database, name, ids));
  }
  return { current, last };
}
