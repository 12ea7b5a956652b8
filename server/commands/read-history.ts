import type { Subject } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { HistoryEntry } from "../../shared/protocol/history.ts";
import { readableTable, requireHistory } from "../policy/authorize.ts";
import { projectHistory } from "../policy/project-history.ts";
import { readHistory as readStoredHistory } from "../store/change-history.ts";
import type { ReadDeps } from "./read-page.ts";
import { readRecord } from "./read-record.ts";

const HISTORY_MAX_CHANGES = 200;

/**
 * The changes of one record, newest first, in the reader's scope: only visible fields, and only while the
 * record was visible. The history of a deleted record stays readable for users who could read it.
 */
export async function readHistory(
  deps: ReadDeps,
  subject: Subject,
  tableName: string,
  record: string,
  { limit = 50, before }: { limit?: number | undefined; before?: number | undefined } = {},
): Promise<HistoryEntry[]> {
  const { table, scope } = readableTable(subject, deps.model(), tableName);
  requireHistory(subject, table);
  await readRecord(deps, subject, tableName, record).catch((error) => {
    if (!(error instanceof Refusal) || error.code !== "record_deleted") throw error;
  });
  const changes = await readStoredHistory(deps.database.pool, table.name, record, {
    limit: Math.min(limit, HISTORY_MAX_CHANGES),
    before,
    maxBytes: deps.limits.PAGE_MAX_BYTES,
  });
  return changes
    .map((change) => projectHistory(change, table, scope))
    .filter((entry) => entry !== null);
}
