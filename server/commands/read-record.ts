import { isStorable } from "../../shared/filter/storable.ts";
import type { Table } from "../../shared/model/model.ts";
import { valuesOf } from "../../shared/model/pick-values.ts";
import { grantOn } from "../../shared/policy/role.ts";
import type { Scope, Subject } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { formatVersion } from "../../shared/protocol/position.ts";
import type { WireRecord } from "../../shared/protocol/record.ts";
import type { HistoryEntry } from "../../shared/protocol/records.ts";
import { canSee, readableHistory, readableTable } from "../policy/authorize.ts";
import { projectHistory } from "../policy/project-history.ts";
import { readDeletion, readHistory as readStoredHistory } from "../store/change-history.ts";
import type { LogChange } from "../store/log-change.ts";
import { readStoredRecord } from "../store/records.ts";
import type { ReadDeps } from "./read-page.ts";

/** One record within the reader's scope. A deleted one is named to users who could read it. */
export async function readRecord(
  { database, model }: ReadDeps,
  subject: Subject,
  tableName: string,
  id: string,
): Promise<WireRecord> {
  const { table, scope } = readableTable(subject, model(), tableName);
  if (!isStorable(id)) throw new Refusal("not_found");
  const found = await readStoredRecord(database, table, id, scope.filter);
  if (!found || !canSee(scope, table, id, found.values)) {
    // the log is read for a hidden record too, or else it would be answered sooner than a missing one
    throw await deletedOrMissing(database, table, { scope, subject }, id);
  }
  const version = formatVersion(found.epoch, found.seq);
  return { id, version, values: valuesOf(found.values, scope.fields) };
}

async function deletedOrMissing(
  database: ReadDeps["database"],
  table: Table,
  { scope, subject }: { scope: Scope; subject: Subject },
  id: string,
): Promise<Refusal> {
  const deletion = await readDeletion(database.pool, table.name, id);
  if (!deletion?.before || !canSee(scope, table, id, deletion.before)) {
    return new Refusal("not_found");
  }
  const { by, at } = deletion;
  const restorable = Boolean(grantOn(subject.role, table).create);
  return new Refusal("record_deleted", { table: table.name, record: id, by, at, restorable });
}

const HISTORY_MAX_CHANGES = 200;
/** Changes that are read at first, and the size of those that are read at once afterwards: all values are in memory. */
const FIRST_PART = 20;
const PART_TARGET_BYTES = 8_388_608;
const PART_MAX_CHANGES = 2_000;

/**
 * The changes of one record, newest first, in the reader's scope: only visible fields, and only while the
 * record was visible. The history of a deleted record stays readable for users who could read it. Refuses with
 * `too_large` several entries that take more than `PAGE_MAX_BYTES`: fewer may fit.
 */
export async function readHistory(
  deps: ReadDeps,
  subject: Subject,
  tableName: string,
  record: string,
  { limit = 50, before }: { limit?: number | undefined; before?: number | undefined } = {},
): Promise<HistoryEntry[]> {
  const { table, scope } = readableHistory(subject, deps.model(), tableName);
  await readRecord(deps, subject, tableName, record).catch((error) => {
    if (!(error instanceof Refusal) || error.code !== "record_deleted") throw error;
  });
  const most = Math.min(limit, HISTORY_MAX_CHANGES);
  const entries: HistoryEntry[] = [];
  let size = 0;
  // Changes of hidden fields don't count: an answer that is short of them would show that there were some.
  for await (const changes of partsOf(deps, table.name, record, before)) {
    for (const change of changes) {
      const entry = entries.length < most ? projectHistory(change, table, scope) : null;
      if (!entry) continue;
      entries.push(entry);
      size += Buffer.byteLength(JSON.stringify(entry.fields));
      const { PAGE_MAX_BYTES: max } = deps.limits;
      if (size > max && entries.length > 1) {
        throw new Refusal("too_large", { limit: max, size, unit: "bytes" });
      }
    }
    if (entries.length >= most) break;
  }
  return entries;
}

/** The changes of a record, newest first, in parts that fit into memory. */
async function* partsOf(
  { database }: ReadDeps,
  table: string,
  record: string,
  before: number | undefined,
): AsyncGenerator<LogChange[]> {
  let count = FIRST_PART;
  let start: { before?: number; beforePlace?: number } = before === undefined ? {} : { before };
  for (;;) {
    const call = { limit: count, ...start };
    const part = await readStoredHistory(database.pool, table, record, call);
    yield part.map(({ change }) => change);
    const last = part.at(-1);
    if (!last || part.length < count) return;
    start = { beforePlace: last.place };
    const bytes = part.reduce((sum, one) => sum + one.bytes, 0) / count;
    count = Math.max(1, Math.min(PART_MAX_CHANGES, Math.floor(PART_TARGET_BYTES / bytes)));
  }
}
