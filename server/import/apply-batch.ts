import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Model, Table } from "../../shared/model/model.ts";
import { scopeOf } from "../../shared/policy/scope.ts";
import type { RowError } from "../../shared/protocol/imports.ts";
import type { OpResult } from "../../shared/protocol/mutate.ts";
import type { Identity } from "../auth/identity.ts";
import type { Commands } from "../commands/commands.ts";
import { isPassing } from "../commands/database-error.ts";
import type { MutationRequest } from "../commands/op.ts";
import { existingRecordError } from "./existing-record.ts";
import type { ColumnPlan } from "./plan-columns.ts";
import { type PlannedRow, planOps } from "./plan-ops.ts";
import type { ImportRow } from "./read-row.ts";
import { recognise, recordsById } from "./recognise.ts";
import type { ReportBuilder } from "./report-builder.ts";
import type { NamedUser } from "./resolve-labels.ts";
import { rowErrors } from "./row-errors.ts";
import { idOf, namedId } from "./row-id.ts";

/** The import of one file, as its batches are written. */
export interface Batch {
  commands: Pick<Commands, "mutate" | "readPage">;
  model: () => Model;
  /** All users who can be named in a `person` field. */
  users: (identity: Identity) => Promise<readonly NamedUser[]>;
  /** The importing user with the rights of now; throws once they are signed out. */
  currentIdentity: () => Promise<Identity>;
  table: Table;
  plan: ColumnPlan;
  report: ReportBuilder;
  limit: number;
  /** The change set that the changes name. */
  changeSet?: string;
}

type PlannedWrite = Extract<PlannedRow, { op: unknown }>;

const RETRY_DELAYS_MS = [200, 500, 1_000, 2_000, 5_000];

/**
 * Writes a batch of rows by the ordinary command, as the importing user. Each pass is a mutation of its own, which is
 * applied once however often it is sent. A repeated import finds its records by their keys and ids instead: an answer
 * stored for an earlier one would hide what has happened to them since.
 */
export async function applyBatch(batch: Batch, rows: readonly ImportRow[]): Promise<void> {
  let waiting = rows;
  while (waiting.length) waiting = await applyOnce(batch, waiting);
}

/** One pass; returns the rows to be retried, always fewer than before. */
async function applyOnce(batch: Batch, rows: readonly ImportRow[]): Promise<ImportRow[]> {
  const { table, plan, report } = batch;
  const identity = await batch.currentIdentity();
  const known = await recognise(batch, identity, rows);
  const planned = planOps(table, plan, rows, known);
  const writing = planned.filter((one): one is PlannedWrite => "op" in one);
  const results = await send(batch, writing);
  for (const one of planned) {
    if (one.kind === "unchanged") report.finish("unchanged");
    if (one.kind === "refused") report.fail([one.error]);
  }
  const taken = writing.filter((one, index) => isIdTaken(one, results[index] as OpResult));
  const errors = await errorsOfTaken(batch, identity, taken);
  return writing
    .filter((one, index) => !recordResult(one, results[index] as OpResult, report, errors))
    .map(({ row }) => row);
}

function recordResult(
  { row, kind, follows }: PlannedWrite,
  result: OpResult,
  report: ReportBuilder,
  errorsOfTaken: ReadonlyMap<ImportRow, RowError | null>,
): boolean {
  if (result.ok) {
    report.finish(kind);
    return true;
  }
  if (follows && result.error.code !== "validation_failed") return false;
  const error = errorsOfTaken.get(row);
  if (error === null) report.finish("unchanged");
  else report.fail(error ? [error] : rowErrors(row.line, result.error));
  return true;
}

/** Whether a record can't be created because its id is taken. */
function isIdTaken({ kind }: PlannedWrite, result: OpResult): boolean {
  if (kind !== "created" || result.ok || result.error.code !== "duplicate") return false;
  return Boolean((result.error as { fields?: { id?: unknown } }).fields?.id);
}

/**
 * Of rows whose id is taken: why they are refused, or null for a row that was imported before. One that is not among
 * them is refused as the command says.
 */
async function errorsOfTaken(
  batch: Batch,
  identity: Identity,
  taken: readonly PlannedWrite[],
): Promise<Map<ImportRow, RowError | null>> {
  const { table, plan } = batch;
  const ids = taken.map(({ row }) => idOf(table, row));
  const stored = await recordsById(batch, identity, ids);
  const isHiding = scopeOf(identity.subject, table)?.filter !== null;
  const errors = new Map<ImportRow, RowError | null>();
  for (const { row } of taken) {
    const record = stored.get(idOf(table, row));
    if (record) errors.set(row, existingRecordError(table, plan, row, record));
    // A record that the user may not read is the row's own if its id is made of the row.
    else if (isHiding && namedId(table, row) === null) errors.set(row, null);
  }
  return errors;
}

/** Sends the ops of a pass; each time under the rights of that moment, because a lost right is a reason to send them again. */
async function send(
  { commands, changeSet, currentIdentity }: Batch,
  writing: readonly PlannedWrite[],
): Promise<OpResult[]> {
  if (writing.length === 0) return [];
  const ops = writing.map(({ op }) => op);
  const id = `import-${randomUUID()}`;
  const request = { id, ops, origin: "import", changeSet } as MutationRequest;
  return withRetries(async () => commands.mutate(await currentIdentity(), request));
}

/** An unavailable store or a full queue does not end a long import. */
async function withRetries(mutate: () => ReturnType<Commands["mutate"]>): Promise<OpResult[]> {
  for (const wait of RETRY_DELAYS_MS) {
    try {
      return (await mutate()).results;
    } catch (error) {
      if (!isPassing(error)) throw error;
      await sleep(wait);
    }
  }
  return (await mutate()).results;
}
