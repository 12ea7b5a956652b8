import type { Limits } from "../../shared/limits.ts";
import { findTable, type Model, type Table } from "../../shared/model/model.ts";
import { grantOn } from "../../shared/policy/role.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { excerpt } from "../../shared/protocol/excerpt.ts";
import type { ImportOptions } from "../../shared/protocol/import-options.ts";
import type { ImportReport } from "../../shared/protocol/import-report.ts";
import type { Identity } from "../auth/identity.ts";
import type { Commands } from "../commands/create-commands.ts";
import { missingRight, requireScope } from "../policy/authorize.ts";
import { applyBatch, type BatchDeps } from "./apply-batch.ts";
import { checkBatch } from "./check-batch.ts";
import { UNREADABLE } from "./decode-csv.ts";
import { nextTurnEach } from "./next-turn-each.ts";
import { type ColumnPlan, excerptOf, planColumns } from "./plan-columns.ts";
import { type CsvRow, readCsv } from "./read-csv.ts";
import { type ImportRow, type ReadRow, rowReader, unreadable } from "./read-row.ts";
import { ReportBuilder } from "./report-builder.ts";
import { type NamedUser, resolveLabels } from "./resolve-labels.ts";

export interface ImportDeps {
  commands: Pick<Commands, "mutate" | "readPage" | "untilWithinShare">;
  model: () => Model;
  limits: Limits;
  /** All users who can be named in a `person` field. */
  users: (identity: Identity) => Promise<readonly NamedUser[]>;
}

export interface ImportRequest {
  table: string;
  options: ImportOptions;
  /** Called once the user is authorised to write. */
  open: () => AsyncIterable<Uint8Array>;
  /** The importing user, looked up again for each batch: a revoked right stops a long import. */
  currentIdentity: () => Promise<Identity>;
}

/**
 * Imports a file as it arrives: read, mapped and validated row by row, written in batches by the same command
 * as every other edit. A bad row does not affect the others. Holds one batch in memory at a time.
 */
export async function runImport(deps: ImportDeps, request: ImportRequest): Promise<ImportReport> {
  const { options } = request;
  const first = await request.currentIdentity();
  const table = findTable(deps.model(), request.table) as Table;
  const scope = requireScope(first.subject, table);
  requireWrite(first, table, options);
  const rows = readCsv(request.open(), options, deps.limits);
  try {
    return await importRows(deps, request, rows, { table, fields: scope.fields });
  } finally {
    await rows.return(undefined);
  }
}

/** Nothing of the file is read for a user who may write none of its rows. */
function requireWrite({ subject }: Identity, table: Table, { key }: ImportOptions): void {
  const { create, update, transitions } = grantOn(subject.role, table);
  const mayChange = Boolean(update) || Boolean(transitions);
  if (create || (key !== undefined && mayChange)) return;
  throw missingRight(key === undefined ? "create" : "update", table);
}

async function importRows(
  deps: ImportDeps,
  { options, currentIdentity }: ImportRequest,
  rows: AsyncGenerator<CsvRow>,
  { table, fields }: { table: Table; fields: readonly string[] },
): Promise<ImportReport> {
  const header = await rows.next();
  if (header.done) throw new Refusal("invalid_request", { in: "body" }, "The file is empty.");
  const { line, cells } = header.value;
  if (cells.some((cell) => cell.includes(UNREADABLE))) {
    throw new Refusal(
      "invalid_request",
      { in: "body", line },
      `Line ${line}: ${unreadable.message}`,
    );
  }
  const plan = planColumns(cells, table, fields, options);
  const report = startReport(table, plan, options);
  const limit = deps.limits.PAGE_MAX_RECORDS;
  const batch = batchWriter(deps, { commands: deps.commands, table, plan, report, limit }, options);
  await eachBatch(rows, rowReader(plan, options), report, deps.limits, async (ready) =>
    batch(await currentIdentity(), ready),
  );
  return report.done();
}

function startReport(table: Table, plan: ColumnPlan, { dryRun }: ImportOptions): ReportBuilder {
  const columns = Object.fromEntries(
    plan.columns.map(({ header, field }) => [excerpt(header), field.name]),
  );
  const ignored = excerptOf(plan.ignored);
  return new ReportBuilder({ table: table.name, dryRun, columns, ignored });
}

function batchWriter(deps: ImportDeps, batch: BatchDeps, { dryRun }: ImportOptions) {
  const check = { ...batch, model: deps.model(), touched: new Map() };
  return async (identity: Identity, rows: ImportRow[]) => {
    await deps.commands.untilWithinShare(identity);
    const own = { ...check, users: () => deps.users(identity) };
    const resolved = await resolveLabels(own, identity, rows);
    if (dryRun) await checkBatch(own, identity, resolved);
    else await applyBatch(batch, identity, resolved);
  };
}

async function eachBatch(
  rows: AsyncIterable<CsvRow>,
  read: (row: CsvRow) => ReadRow,
  report: ReportBuilder,
  { MUTATION_MAX_OPS, PAGE_MAX_RECORDS, IMPORT_BATCH_MAX_ROWS, IMPORT_BATCH_MAX_BYTES }: Limits,
  write: (batch: ImportRow[]) => Promise<void>,
): Promise<void> {
  const size = Math.min(MUTATION_MAX_OPS, PAGE_MAX_RECORDS, IMPORT_BATCH_MAX_ROWS);
  const pause = nextTurnEach(CELLS_PER_TURN);
  let batch: ImportRow[] = [];
  let characters = 0;
  for await (const row of rows) {
    await pause(row.cells.length);
    const parsed = read(row);
    if (parsed.ok) batch.push(parsed.row);
    else report.fail(parsed.errors);
    characters += row.cells.reduce((sum, { length }) => sum + length, 0);
    if (batch.length < size && characters < IMPORT_BATCH_MAX_BYTES) continue;
    if (batch.length) await write(batch);
    batch = [];
    characters = 0;
  }
  if (batch.length) await write(batch);
}

/** Cells that are read in one turn of the event loop. */
const CELLS_PER_TURN = 2_000;
