import type { Limits } from "../../shared/limits.ts";
import { findTable, type Model, type Table } from "../../shared/model/model.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { Identity } from "../auth/identity.ts";
import type { Commands } from "../commands/create-commands.ts";
import { requireScope } from "../policy/authorize.ts";
import { applyBatch, type BatchDeps } from "./apply-batch.ts";
import { checkBatch } from "./check-batch.ts";
import type { ImportOptions } from "./import-options.ts";
import { type ImportReport, ReportBuilder } from "./import-report.ts";
import { type ColumnPlan, planColumns } from "./plan-columns.ts";
import { type CsvRow, readCsv } from "./read-csv.ts";
import { type ImportRow, type ReadRow, rowReader } from "./read-row.ts";

export interface ImportDeps {
  commands: Pick<Commands, "mutate" | "readPage">;
  model: () => Model;
  limits: Limits;
  /** Everybody who can be named in a person field. */
  people: (identity: Identity) => Promise<ReadonlySet<string>>;
}

export interface ImportRequest {
  table: string;
  options: ImportOptions;
  source: AsyncIterable<Uint8Array>;
  /** Who imports, asked anew for each batch: a right that is taken away stops a long import. */
  who: () => Promise<Identity>;
}

/**
 * Imports a file as it arrives: read, mapped and judged row by row, written in batches by the same
 * command as every other edit. One bad row spoils no other. Holds one batch in memory at a time.
 */
export async function runImport(deps: ImportDeps, request: ImportRequest): Promise<ImportReport> {
  const { options } = request;
  const first = await request.who();
  const table = findTable(deps.model(), request.table) as Table;
  const scope = requireScope(first.subject, table);
  const rows = readCsv(request.source, options, { maxBytes: deps.limits.IMPORT_FILE_MAX_BYTES });
  try {
    return await importRows(deps, request, rows, { table, fields: scope.fields });
  } finally {
    await rows.return(undefined);
  }
}

async function importRows(
  deps: ImportDeps,
  { options, who }: ImportRequest,
  rows: AsyncGenerator<CsvRow>,
  { table, fields }: { table: Table; fields: readonly string[] },
): Promise<ImportReport> {
  const header = await rows.next();
  if (header.done) throw new Refusal("invalid_request", { in: "body" }, "The file is empty.");
  const plan = planColumns(header.value.cells, table, fields, options);
  const report = startReport(table, plan, options);
  const limit = deps.limits.PAGE_MAX_RECORDS;
  const batch = batchWriter(deps, { commands: deps.commands, table, plan, report, limit }, options);
  await eachBatch(rows, rowReader(plan, options), report, deps.limits, async (ready) =>
    batch(await who(), ready),
  );
  return report.done();
}

function startReport(table: Table, plan: ColumnPlan, { dryRun }: ImportOptions): ReportBuilder {
  const columns = Object.fromEntries(plan.columns.map(({ header, field }) => [header, field.name]));
  return new ReportBuilder({ table: table.name, dryRun, columns, ignored: plan.ignored });
}

function batchWriter(deps: ImportDeps, batch: BatchDeps, { dryRun }: ImportOptions) {
  if (!dryRun) {
    return (identity: Identity, rows: ImportRow[]) => applyBatch(batch, identity, rows);
  }
  const check = { ...batch, model: deps.model(), touched: new Map() };
  return (identity: Identity, rows: ImportRow[]) =>
    checkBatch({ ...check, people: () => deps.people(identity) }, identity, rows);
}

async function eachBatch(
  rows: AsyncIterable<CsvRow>,
  read: (row: CsvRow) => ReadRow,
  report: ReportBuilder,
  { MUTATION_MAX_OPS, PAGE_MAX_RECORDS }: Limits,
  write: (batch: ImportRow[]) => Promise<void>,
): Promise<void> {
  const size = Math.min(MUTATION_MAX_OPS, PAGE_MAX_RECORDS);
  let batch: ImportRow[] = [];
  for await (const row of rows) {
    const judged = read(row);
    if (judged.ok) batch.push(judged.row);
    else report.fail(judged.errors);
    if (batch.length < size) continue;
    await write(batch);
    batch = [];
  }
  if (batch.length) await write(batch);
}
