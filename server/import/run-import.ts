import { setImmediate as nextTurn } from "node:timers/promises";
import { FILTER_MAX_VALUES } from "../../shared/filter/filter.ts";
import type { Limits } from "../../shared/limits.ts";
import type { Model, Table } from "../../shared/model/model.ts";
import { grantOn } from "../../shared/policy/role.ts";
import type { ImportOptions, ImportReport } from "../../shared/protocol/imports.ts";
import type { Identity } from "../auth/identity.ts";
import { type Commands, identityWithinShare } from "../commands/commands.ts";
import { nextPartSize } from "../load/budget.ts";
import { missingRight, readableTable } from "../policy/authorize.ts";
import { excerpt } from "../policy/parse-input.ts";
import type { Batch } from "./apply-batch.ts";
import { checkBatch } from "./check-batch.ts";
import { DryRunRecords } from "./dry-run-records.ts";
import { detectFormats, openRows } from "./open-rows.ts";
import { type ColumnPlan, excerptOf, planColumns } from "./plan-columns.ts";
import { type CsvRow, readCsv } from "./read-csv.ts";
import { type ImportRow, type ReadRow, rowReader } from "./read-row.ts";
import { ReportBuilder } from "./report-builder.ts";
import { type NamedUser, resolveLabels } from "./resolve-labels.ts";

export interface ImportDeps {
  commands: Pick<Commands, "mutate" | "readPage" | "untilWithinShare" | "budget">;
  model: () => Model;
  limits: Limits;
  /** All users who can be named in a `person` field. */
  users: (identity: Identity) => Promise<readonly NamedUser[]>;
}

/** Writes the next rows, with the cells of those and of the refused ones by their lines. */
type BatchWriter = (
  identity: Identity,
  rows: ImportRow[],
  cells: ReadonlyMap<number, readonly string[]>,
) => Promise<void>;

/** Where rows go; it is started once the columns are known. */
interface ImportTarget {
  start: (batch: Batch, header: readonly string[]) => BatchWriter;
  /** The most rows that are written together. */
  maxRows: number;
}

export interface ImportRequest {
  table: string;
  options: ImportOptions;
  /** Called once the user is authorised to write. */
  open: () => AsyncIterable<Uint8Array>;
  /** The importing user, looked up again for each batch: a revoked right stops a long import. */
  currentIdentity: () => Promise<Identity>;
  /** By default nothing: the rows are only checked. */
  target?: ImportTarget;
}

/**
 * Imports a file as it arrives: read, mapped and validated row by row, written in batches. A bad row does not affect
 * the others. Holds one batch in memory at a time.
 */
export async function runImport(deps: ImportDeps, request: ImportRequest): Promise<ImportReport> {
  const { options } = request;
  const first = await request.currentIdentity();
  const { table, scope } = readableTable(first.subject, deps.model(), request.table);
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
  { options: given, currentIdentity, target = dryTarget(deps) }: ImportRequest,
  source: AsyncGenerator<CsvRow>,
  { table, fields }: { table: Table; fields: readonly string[] },
): Promise<ImportReport> {
  const { limits, commands } = deps;
  const opened = await openRows(source, given);
  const plan = planColumns(opened.header, table, fields, given);
  const { rows, options } = await detectFormats(opened.rows, plan, given);
  const report = startReport(table, plan, options);
  const { model, users } = deps;
  const access = { commands, model, users, currentIdentity };
  const batch = { ...access, table, plan, report, limit: limits.PAGE_MAX_RECORDS };
  const write = target.start(batch, opened.header);
  // Records are found by a filter that names the key of each row.
  const found = Math.min(limits.PAGE_MAX_RECORDS, FILTER_MAX_VALUES);
  const most = Math.min(limits.MUTATION_MAX_OPS, found, target.maxRows);
  const bounds = { most, least: BATCH_MIN_ROWS, targetMs: limits.COMMIT_GROUP_TARGET_MS };
  const sizes = { rows: Math.min(most, BATCH_MIN_ROWS), characters: limits.IMPORT_BATCH_MAX_BYTES };
  await eachBatch(rows, rowReader(plan, options), { report, sizes }, async (ready, cells) => {
    const { identity, isShared } = await identityWithinShare(commands, currentIdentity);
    const writeRows = async () =>
      write(identity, await resolveLabels(batch, identity, ready), cells);
    const done = await commands.budget.doPart(identity.subject.id, () => isShared, writeRows);
    sizes.rows = nextPartSize(bounds, { units: cells.size, ...done });
  });
  return report.done();
}

function startReport(table: Table, plan: ColumnPlan, options: ImportOptions): ReportBuilder {
  const columns = Object.fromEntries(
    plan.columns.map(({ header, field }) => [excerpt(header), field.name]),
  );
  const ignored = excerptOf(plan.ignored);
  const { dryRun, dateFormat = null, decimal = null } = options;
  const format = { dateFormat, decimal };
  return new ReportBuilder({ table: table.name, dryRun, columns, ignored, format });
}

/** Rows are only checked. */
function dryTarget(deps: ImportDeps): ImportTarget {
  return {
    maxRows: deps.limits.IMPORT_BATCH_MAX_ROWS,
    start(batch) {
      const earlier = new DryRunRecords(deps.limits.IMPORT_DRY_RUN_MAX_BYTES);
      return async (identity, rows) => {
        batch.report.takeRejected();
        await checkBatch(batch, identity, rows, earlier);
      };
    },
  };
}

/** Rows of the first batch, and of the smallest while others are active: their edits wait for a batch. */
const BATCH_MIN_ROWS = 10;

async function eachBatch(
  rows: AsyncIterable<CsvRow>,
  read: (row: CsvRow) => ReadRow,
  { report, sizes }: { report: ReportBuilder; sizes: { rows: number; characters: number } },
  write: (batch: ImportRow[], cells: Map<number, readonly string[]>) => Promise<void>,
): Promise<void> {
  let cells = 0;
  let batch: ImportRow[] = [];
  let texts = new Map<number, readonly string[]>();
  let characters = 0;
  for await (const row of rows) {
    cells += row.cells.length;
    if (cells >= CELLS_PER_TURN) {
      cells = 0;
      await nextTurn();
    }
    const parsed = read(row);
    if (parsed.ok) batch.push(parsed.row);
    else report.fail(parsed.errors);
    texts.set(row.line, row.cells);
    characters += row.cells.reduce((sum, { length }) => sum + length, 0);
    if (texts.size < sizes.rows && characters < sizes.characters) continue;
    await write(batch, texts);
    batch = [];
    texts = new Map();
    characters = 0;
  }
  if (texts.size) await write(batch, texts);
}

/** Cells that are read in one turn of the event loop. */
const CELLS_PER_TURN = 2_000;
