import { findTable, type Model, type Table } from "../../shared/model/model.ts";
import { isReadOnly } from "../../shared/model/recorded.ts";
import { grantOn } from "../../shared/policy/role.ts";
import { scopeOf } from "../../shared/policy/scope.ts";
import type { RevertCall } from "../../shared/protocol/change-sets.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { ActivityEntry } from "../../shared/protocol/history.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import type { Identity } from "../auth/identity.ts";
import type { Commands } from "../commands/create-commands.ts";
import { countChanges, readDocuments } from "../store/activity.ts";
import type { Database } from "../store/database.ts";
import { readFeedStates } from "../store/feed-log.ts";
import type { ChangeSetContext } from "./change-set-context.ts";
import { inverseOps } from "./inverse-ops.ts";

/** Records that are read at once. */
const CHUNK_RECORDS = 1_000;

/** The changes to revert, newest first, as far as the reader's activity shows them. Of too many, `cut` returns the newest. */
export async function changesToRevert(
  { commands, limits }: ChangeSetContext,
  identity: Identity,
  call: RevertCall | { changeSet: string },
  whenTooMany: "refuse" | "cut" = "refuse",
): Promise<ActivityEntry[]> {
  if ("changes" in call) return commands.readEntries(identity, call.changes);
  const found: ActivityEntry[] = [];
  for (let before: string | null = null; ; ) {
    const page: Awaited<ReturnType<Commands["readActivity"]>> = await commands.readActivity(
      identity,
      { ...call, limit: limits.PAGE_MAX_RECORDS, ...(before !== null && { before }) },
    );
    found.push(...page.items);
    before = page.next;
    const limit = limits.CHANGE_SET_MAX_OPS;
    if (found.length > limit) {
      if (whenTooMany === "cut") return found.slice(0, limit);
      throw new Refusal("too_large", { limit, size: found.length, unit: "ops" });
    }
    if (before === null) return found;
  }
}

/**
 * Whether these are all changes that a set has made, whole: not if its reader can't see some of them, or writable fields
 * that an update has changed.
 */
export async function areAllChanges(
  { database, model }: ChangeSetContext,
  { subject }: Identity,
  { set, changes }: { set: string; changes: readonly ActivityEntry[] },
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
 * The ops that take changes back, the records that changed last first: what a later record linked to is there as long
 * as it is.
 */
export async function revertOps(
  context: ChangeSetContext,
  identity: Identity,
  changes: readonly ActivityEntry[],
): Promise<WireOp[]> {
  const { database, model } = context;
  const { reads } = context.commands;
  const states = await readFeedStates(database);
  const epochs = new Map(states.map(({ table, epoch }) => [table, epoch]));
  const records = [...Map.groupBy(changes, ({ table, record }) => JSON.stringify([table, record]))];
  const ops: WireOp[] = [];
  for (let at = 0; at < records.length; at += CHUNK_RECORDS) {
    const chunk = records.slice(at, at + CHUNK_RECORDS).map(([, own]) => own);
    const current = await reads.run(identity, () => currentOf(reads.database, model(), chunk));
    for (const own of chunk) {
      const [{ table: name = "", record = "" } = {}] = own;
      const table = findTable(model(), name);
      const epoch = epochs.get(name);
      if (!table || epoch === undefined) continue;
      const unbrokenTo = await unbrokenEnd(context, identity, own);
      const values = current.get(name)?.get(record);
      const { update } = grantOn(identity.subject.role, table);
      const updatable = (typeof update === "object" && update.fields) || null;
      ops.push(...inverseOps(own, { table, epoch, current: values, unbrokenTo, updatable }));
    }
  }
  return ops;
}

/** The last of the changes of a new record before one that is not to be reverted: the record can't be deleted past that. */
async function unbrokenEnd(
  { commands, limits }: ChangeSetContext,
  identity: Identity,
  changes: readonly ActivityEntry[],
): Promise<number> {
  const [newest] = changes;
  const oldest = changes.at(-1);
  if (!newest || !oldest || newest === oldest || oldest.kind !== "insert") return newest?.seq ?? 0;
  const { table, record } = newest;
  const call = { table, record, from: oldest.at, limit: limits.PAGE_MAX_RECORDS };
  const { items } = await commands.readActivity(identity, call);
  const selected = new Set(changes.map(({ seq }) => seq));
  const firstOther = items.findLast(({ seq }) => seq > oldest.seq && !selected.has(seq));
  const own = changes.find(({ seq }) => seq < (firstOther?.seq ?? Number.POSITIVE_INFINITY));
  return own?.seq ?? oldest.seq;
}

async function currentOf(
  database: Database,
  model: Model,
  records: readonly (readonly ActivityEntry[])[],
) {
  const entries = records.flatMap(([newest]) => newest ?? []);
  const found = new Map<string, Awaited<ReturnType<typeof readDocuments>>>();
  for (const [name, own] of Map.groupBy(entries, ({ table }) => table)) {
    const ids = own.map(({ record }) => record);
    found.set(name, await readDocuments(database, findTable(model, name) as Table, ids));
  }
  return found;
}
