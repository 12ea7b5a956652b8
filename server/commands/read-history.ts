import { findTable, type Table } from "../../shared/model/model.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { HistoryEntry } from "../../shared/protocol/history.ts";
import { canSee, requireHistory, requireScope } from "../policy/authorize.ts";
import { readHistory as readStoredHistory } from "../store/change-history.ts";
import type { LogChange } from "../store/log-change.ts";
import type { ReadDeps } from "./read-page.ts";
import { readRecord } from "./read-record.ts";

const HISTORY_MAX_CHANGES = 200;

/**
 * What happened to one record, newest first, in the reader's scope: only visible fields, and only for
 * as long as the record was within reach. A deleted record keeps its history for those who could read it.
 */
export async function readHistory(
  deps: ReadDeps,
  subject: Subject,
  tableName: string,
  record: string,
  { limit = 50, before }: { limit?: number | undefined; before?: number | undefined } = {},
): Promise<HistoryEntry[]> {
  const table = findTable(deps.model(), tableName) as Table;
  const scope = requireScope(subject, table);
  requireHistory(subject, table);
  await readRecord(deps, subject, tableName, record).catch((error) => {
    if (!(error instanceof Refusal) || error.code !== "record_deleted") throw error;
  });
  // The name of a transition and the reason for it betray the state.
  const showsState = table.stateField === undefined || scope.fields.includes(table.stateField);
  const changes = await readStoredHistory(deps.database.pool, table.name, record, {
    limit: Math.min(limit, HISTORY_MAX_CHANGES),
    before,
  });
  return changes
    .filter((change) => withinReach(change, record, table, scope))
    .map((change) => entryOf(change, scope.fields, showsState))
    .filter((entry) => entry.kind !== "update" || Object.keys(entry.fields).length > 0);
}

/** Both images must be readable: a value from a time out of reach is not told. */
function withinReach(
  { before, after, kind }: LogChange,
  record: string,
  table: Table,
  scope: Parameters<typeof canSee>[0],
): boolean {
  const was = kind === "update" ? { ...after, ...before } : before;
  return [was, after].every((image) => !image || canSee(scope, table, record, image));
}

function entryOf(change: LogChange, visible: readonly string[], showsState: boolean): HistoryEntry {
  const { seq, kind, by, at, before, after, mutation, transition, reason } = change;
  const names = visible.filter(
    (name) => (kind === "insert" ? after : before)?.[name] !== undefined,
  );
  const fields = names
    .map(
      (name) => [name, { before: before?.[name] ?? null, after: after?.[name] ?? null }] as const,
    )
    .filter(([, value]) => kind === "update" || value.before !== null || value.after !== null);
  return {
    seq,
    kind,
    by,
    at,
    fields: Object.fromEntries(fields),
    ...(mutation !== undefined && { mutation }),
    ...(showsState && transition !== undefined && { transition }),
    ...(showsState && reason !== undefined && { reason }),
  };
}
