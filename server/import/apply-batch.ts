import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Model, Table } from "../../shared/model/model.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { OpResult } from "../../shared/protocol/mutate.ts";
import type { Identity } from "../auth/identity.ts";
import type { Commands } from "../commands/create-commands.ts";
import type { MutationRequest } from "../commands/mutate.ts";
import type { ColumnPlan } from "./plan-columns.ts";
import { type PlannedRow, planOps } from "./plan-ops.ts";
import type { ImportRow } from "./read-row.ts";
import { recognise } from "./recognise.ts";
import type { ReportBuilder } from "./report-builder.ts";
import type { NamedUser } from "./resolve-labels.ts";
import { rowErrors } from "./row-errors.ts";

/** The import of one file, as its batches are written. */
export interface Batch {
  commands: Pick<Commands, "mutate" | "readPage">;
  model: () => Model;
  /** All users who can be named in a `person` field. */
  users: (identity: Identity) => Promise<readonly NamedUser[]>;
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
 * Writes a batch of rows by the ordinary command, as the importing user. The mutation's id is made of its
 * content: an interrupted import can be repeated, and finished batches are answered and not applied again.
 */
export async function applyBatch(
  batch: Batch,
  identity: Identity,
  rows: readonly ImportRow[],
): Promise<void> {
  let waiting = rows;
  while (waiting.length) waiting = await applyOnce(batch, identity, waiting);
}

/** One pass; returns the rows to be retried, always fewer than before. */
async function applyOnce(
  { commands, table, plan, report, limit, changeSet }: Batch,
  identity: Identity,
  rows: readonly ImportRow[],
): Promise<ImportRow[]> {
  const known = await recognise(commands, identity, { table, plan, limit }, rows);
  const planned = planOps(table, plan, rows, known);
  const writing = planned.filter((one): one is PlannedWrite => "op" in one);
  const results = await send({ commands, changeSet }, identity, writing);
  for (const one of planned) {
    if (one.kind === "unchanged") report.finish("unchanged");
    if (one.kind === "refused") report.fail([one.error]);
  }
  return writing
    .filter((one, index) => !recordResult(one, results[index] as OpResult, report))
    .map(({ row }) => row);
}

function recordResult(one: PlannedWrite, result: OpResult, report: ReportBuilder): boolean {
  if (result.ok) report.finish(one.kind);
  else if (one.follows && result.error.code !== "validation_failed") return false;
  else if (isThereAlready(one, result.error)) report.finish("unchanged");
  else report.fail(rowErrors(one.row.line, result.error));
  return true;
}

/** The same row was imported before, with other rows around it. */
function isThereAlready(
  { row, kind }: PlannedWrite,
  error: { code: string; fields?: unknown },
): boolean {
  const fields = error.fields as Record<string, unknown> | undefined;
  return kind === "created" && row.id === null && error.code === "duplicate" && !!fields?.id;
}

async function send(
  { commands, changeSet }: { commands: Batch["commands"]; changeSet: string | undefined },
  identity: Identity,
  writing: readonly PlannedWrite[],
): Promise<OpResult[]> {
  if (writing.length === 0) return [];
  const ops = writing.map(({ op }) => op);
  const text = JSON.stringify([writing[0]?.row.line, ops]);
  const id = `import-${createHash("sha256").update(text).digest("hex")}`;
  return withRetries(() =>
    commands.mutate(identity, { id, ops, origin: "import", changeSet } as MutationRequest),
  );
}

/** An unavailable store or a full queue does not end a long import. */
async function withRetries(mutate: () => ReturnType<Commands["mutate"]>): Promise<OpResult[]> {
  for (const wait of RETRY_DELAYS_MS) {
    try {
      return (await mutate()).results;
    } catch (error) {
      const passing =
        error instanceof Refusal && ["unavailable", "rate_limited"].includes(error.code);
      if (!passing) throw error;
      await sleep(wait);
    }
  }
  return (await mutate()).results;
}
