import { createHash, randomUUID } from "node:crypto";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { explain } from "../../shared/error-texts/explain.ts";
import { explainRow } from "../../shared/error-texts/row-texts.ts";
import type { Json } from "../../shared/filter/filter.ts";
import { FILTER_MAX_VALUES } from "../../shared/filter/filter.ts";
import { ID_FIELD } from "../../shared/filter/value-kinds.ts";
import { idOfField, idOfTable, type Table, type Values } from "../../shared/model/model.ts";
import { grantOn } from "../../shared/policy/role.ts";
import { scopeOf } from "../../shared/policy/scope.ts";
import { found, Refusal, unavailable } from "../../shared/protocol/errors.ts";
import type {
  DraftImport,
  FileOptions,
  RejectedRow,
  RowError,
} from "../../shared/protocol/imports.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import type { Identity } from "../auth/identity.ts";
import { idIsTaken, isTaken as valueIsTaken } from "../commands/check-values.ts";
import { identityWithinShare } from "../commands/commands.ts";
import { isPassing } from "../commands/database-error.ts";
import { type DryResult, NamedRecords } from "../commands/dry-run.ts";
import type { Op } from "../commands/op.ts";
import { writeCell } from "../import/cell-text.ts";
import { detectFormats, openRows } from "../import/open-rows.ts";
import { type ColumnPlan, excerptOf, planColumns } from "../import/plan-columns.ts";
import { existingRecordError, identifyingText, idFieldOf, planOp } from "../import/plan-ops.ts";
import { type CsvRow, readCsv } from "../import/read-csv.ts";
import {
  type ColumnFormats,
  type ImportRow,
  idOf,
  namedId,
  rowReader,
} from "../import/read-row.ts";
import { type KnownRecords, keyText, recognise, recordsById } from "../import/recognise.ts";
import {
  type LabelSources,
  type NamedUser,
  type ResolvedRow,
  resolveLabels,
} from "../import/resolve-labels.ts";
import { fieldError, rowError, rowErrors } from "../import/row-errors.ts";
import { nextPartSize } from "../load/budget.ts";
import { missingRight, readableTable } from "../policy/authorize.ts";
import { excerpt } from "../policy/parse-input.ts";
import {
  nextPlace,
  readOpsAt,
  type StoredOp,
  writeOps,
} from "../store/change-sets/change-set-ops.ts";
import {
  holdChangeSet,
  type StoredImport,
  type StoredReading,
} from "../store/change-sets/change-sets.ts";
import {
  abandonImport,
  beginImport,
  completeImport,
  deleteEarlierRows,
  deleteRejectsAt,
  type EarlierRow,
  findEarlierRows,
  holdImport,
  REJECTED,
  readRejectedCells,
  rejectRepeatedValues,
  replaceImport,
  UNCHANGED,
  writeRejects,
} from "../store/change-sets/imported-rows.ts";
import type { Db } from "../store/database.ts";
import { transactionOnTheWay } from "../store/statement.ts";
import type { ChangeSetContext } from "./change-set-context.ts";
import { readReport, storable } from "./rejected-rows.ts";
import { requireState } from "./set-checks.ts";
import { fromStored, toStored } from "./stored-op.ts";

/*
 * The import of a file: its rows become the ops of one change set, which is applied, previewed, cancelled and reverted like any
 * other. There is no other way: a direct import is a set that is applied as soon as its file was read, a dry run one that is deleted then.
 *
 * Nothing is applied before all rows were read and checked. Only its last row shows whether the file is whole, and which row of a key is
 * the last; and what was applied can't be taken back where others have built on it. The obvious way, writing rows as they
 * arrive, left the first part of a damaged file in the table.
 *
 * Reading goes batch by batch, under the rights of that moment. A batch is decoded, its labels are looked up, its records
 * are recognised, its ops are planned, and evaluated as a commit would (`commands.dryRun`). Then it is stored in a transaction, so memory
 * holds one batch whatever the size of the file. What would be refused is stored as a rejected row with its reasons. Only a conflict
 * stays an op: its author decides it. Counts and errors are made of what is stored, once the file has ended.
 *
 * Which rows are read together depends on how busy the server is, and must not decide the result. So what a row is to earlier rows is
 * found in the database: by its key, hashed, under a unique index, and for unique fields by one statement at the end. With a key,
 * the last row counts, also if it is rejected; earlier ones are `superseded`, whatever they were. What a batch does not know of earlier
 * ones: a unique value that one of them would give up, and a record that can only be named by its label. Such a row is rejected, and
 * can be imported once the file is applied.
 *
 * The bound is in bytes of what is stored (CHANGE_SET_IMPORT_MAX_BYTES), as a row may have a thousand cells.
 *
 * A repeat is recognised by three ids. A row without a name has a record id made of its content and line, so no attempt creates it twice.
 * The set of a direct import is applied in mutations whose ids are made of the set and the batch (apply-runner.ts): another server goes on
 * after a kill. `run` is the id of one reading: the next import into a draft takes the place of one that broke off.
 */

export interface ImportRequest {
  table: string;
  options: FileOptions;
  /** Called once the user is authorised to write. */
  open: () => AsyncIterable<Uint8Array>;
  /** The importing user, looked up again for each batch: a revoked right ends a long import. */
  currentIdentity: () => Promise<Identity>;
  /** All users who can be named in a `person` field. */
  users: (identity: Identity) => Promise<readonly NamedUser[]>;
}

/** A row on its way: it can't be used once it has errors. */
export interface FileRow {
  line: number;
  cells: readonly string[];
  /** Null without one, or where it can't be read. */
  key: Json;
  row: ImportRow | null;
  /** What can be used of a row whose record already holds what its fields refuse (read-row.ts). */
  partial: ImportRow | null;
  /** What could be read of its cells. */
  values: Values;
  errors: readonly RowError[];
  /** Links that name nothing as far as it is known: refused with what else the row is refused for. */
  unknown: readonly RowError[];
}

/** A row with what becomes of it. The hash finds it among later rows that name the same record; null where none can. */
interface CheckedRow extends FileRow {
  op: Op | null;
  hash: string | null;
}

/** Rows of the first batch, and of the smallest while others are active. Reading locks nothing, so their edits wait for its processor time only. */
const BATCH_MIN_ROWS = 50;
/** Size of the rows that are read and checked together. */
const BATCH_MAX_CHARACTERS = 1_048_576;
/** Cells that are read in one turn of the event loop. */
const CELLS_PER_TURN = 2_000;
/** What a row takes in the database besides its texts, with its entries in indexes. */
const ROW_BYTES = 300;
const RETRY_DELAYS_MS = [200, 500, 1_000, 2_000, 5_000];

/** Reads a file into a change set that holds none. Nothing of a file that breaks off remains. */
export async function importFile(
  context: ChangeSetContext,
  set: string,
  request: ImportRequest,
): Promise<DraftImport> {
  const first = await request.currentIdentity();
  const { table, scope } = readableTable(first.subject, context.model(), request.table);
  requireWrite(first, table, request.options);
  let delimiter = "";
  const rows = readCsv(request.open(), request.options, context.limits, (used) => {
    delimiter = used;
  });
  try {
    const file = { request, rows, delimiter: () => delimiter, table, fields: scope.fields };
    return await readFile(context, set, file);
  } finally {
    await rows.return(undefined);
  }
}

/** Nothing of the file is read for a user who may write none of its rows. */
export function requireWrite(
  { subject }: Identity,
  table: Table,
  { key }: Pick<FileOptions, "key">,
): void {
  const { create, update, transitions } = grantOn(subject.role, table);
  const mayChange = Boolean(update) || Boolean(transitions);
  if (create || (key !== undefined && mayChange)) return;
  throw missingRight(key === undefined ? "create" : "update", table);
}

async function readFile(
  context: ChangeSetContext,
  set: string,
  {
    request,
    rows: source,
    delimiter,
    table,
    fields,
  }: {
    request: ImportRequest;
    rows: AsyncGenerator<CsvRow>;
    /** Known once the first row was read. */
    delimiter: () => string;
    table: Table;
    fields: readonly string[];
  },
): Promise<DraftImport> {
  const { currentIdentity, users } = request;
  const { header, rows: data } = await openRows(source, request.options);
  const plan = planColumns(header, table, fields, request.options);
  const { rows, options, formats } = await detectFormats(data, plan, request.options);
  const writer = new ImportWriter(context, set, {
    ...{ users, table, plan, header: header.map(storable) },
    reading: storedReading(plan, options, formats),
  });
  await writer.begin();
  try {
    const read = rowReader(plan, options, formats);
    await eachBatch(context, currentIdentity, rows, async (identity, batch) => {
      await writer.write(
        identity,
        batch.map((row) => fileRow(row, read(row))),
      );
    });
    const counts = await writer.complete();
    const columns = plan.columns.map((one) => [excerpt(one.header), one.field.name]);
    if (plan.idIndex >= 0) columns.push([excerpt(header[plan.idIndex] ?? ID_FIELD), ID_FIELD]);
    const { dateFormat = null, decimal = null } = options;
    return {
      table: table.name,
      ...counts,
      columns: Object.fromEntries(columns),
      ignored: excerptOf(plan.ignored),
      format: { delimiter: delimiter(), dateFormat, decimal },
      ...(await readReport(context.database.kysely, set)),
    };
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

export function fileRow(
  { line, cells }: CsvRow,
  read: ReturnType<ReturnType<typeof rowReader>>,
): FileRow {
  const both = { line, cells, unknown: [] };
  if (read.ok) return { ...both, ...read.row, row: read.row, partial: null, errors: [] };
  const { key, values, errors, partial } = read;
  return { ...both, key, values, row: null, partial, errors };
}

/** By the ids of fields, how a file is read. */
function storedReading(
  { columns, idIndex, key }: ColumnPlan,
  { null: nullText, zone, dateFormat, decimal }: FileOptions,
  formats: ColumnFormats,
): StoredReading {
  const keyField = columns.find(({ field }) => field.name === key)?.field;
  return {
    columns: columns.map(({ index, field }) => ({
      ...{ index, field: idOfField(field) },
      ...formats.get(index),
    })),
    ...{ idIndex, key: keyField ? idOfField(keyField) : key },
    options: { null: nullText, zone, dateFormat, decimal },
  };
}

/** Gives rows batch by batch, as many together as the load allows, with the user and their rights at that moment. */
export async function eachBatch(
  { commands, limits }: ChangeSetContext,
  currentIdentity: () => Promise<Identity>,
  rows: AsyncIterable<CsvRow> | Iterable<CsvRow>,
  write: (identity: Identity, batch: readonly CsvRow[]) => Promise<void>,
): Promise<void> {
  // Records are found by a filter that names the key of each row.
  const most = Math.min(limits.MUTATION_MAX_OPS, limits.PAGE_MAX_RECORDS, FILTER_MAX_VALUES);
  const bounds = { most, least: BATCH_MIN_ROWS, targetMs: limits.COMMIT_GROUP_TARGET_MS };
  let size = Math.min(most, BATCH_MIN_ROWS);
  let batch: CsvRow[] = [];
  let [characters, cells] = [0, 0];
  const writeBatch = async () => {
    const { identity, isShared } = await identityWithinShare(commands, currentIdentity);
    const part = () => write(identity, batch);
    const done = await commands.budget.doPart(identity.subject.id, () => isShared, part);
    size = nextPartSize(bounds, { units: batch.length, ...done });
    batch = [];
    characters = 0;
  };
  for await (const row of rows) {
    cells += row.cells.length;
    if (cells >= CELLS_PER_TURN) {
      cells = 0;
      await nextTurn();
    }
    batch.push(row);
    characters += row.cells.reduce((sum, { length }) => sum + length, 0);
    if (batch.length >= size || characters >= BATCH_MAX_CHARACTERS) await writeBatch();
  }
  if (batch.length) await writeBatch();
}

/** A file whose rows are stored. */
interface WrittenFile extends Pick<LabelSources, "table" | "plan" | "users"> {
  /** The names of its columns, as they are stored. */
  header: readonly string[];
  reading: StoredReading;
}

/** Stores the rows of one file in its set. */
export class ImportWriter {
  readonly #context: ChangeSetContext;
  readonly #set: string;
  readonly #file: LabelSources;
  readonly #run = randomUUID();
  readonly #header: readonly string[];
  readonly #reading: StoredReading;
  /** The next places of ops, and of marks. */
  #next = 0;
  #nextMark = -1;
  #rows = 0;
  /** Rows that change nothing and leave no mark. */
  #unchanged = 0;
  #bytes = 0;

  constructor(context: ChangeSetContext, set: string, file: WrittenFile) {
    const { header, reading, ...sources } = file;
    const { commands, model, limits } = context;
    this.#context = context;
    this.#set = set;
    this.#header = header;
    this.#reading = reading;
    const limit = limits.PAGE_MAX_RECORDS;
    this.#file = { ...sources, commands, model, limit, unknown: new Set() };
  }

  async begin(): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      if (!(await beginImport(tx, this.#set, this.#stored))) throw notEmpty();
      this.#next = await nextPlace(tx, this.#set);
    });
  }

  async write(identity: Identity, batch: readonly FileRow[]): Promise<void> {
    this.#rows += batch.length;
    const rows = await this.#resolve(identity, batch);
    const parts = this.#file.plan.key === null ? byRecord(this.#file, rows) : [lastOf(rows)];
    for (const part of parts) await this.#store(await this.#check(identity, part));
  }

  /**
   * Reads rejected rows again, whose cells are now as given and were as in `before`. What can be applied becomes an op, the rest stays rejected with
   * the reasons that it has now. Returns how many were rejected for the last time. Rows that somebody else has corrected meanwhile are left alone.
   *
   * The file was read to its end, so another row that names the same record is not superseded: a corrected row that would take its
   * place stays rejected. Values of unique fields are compared by the preview, or by the commit.
   */
  async correct(
    identity: Identity,
    batch: readonly FileRow[],
    before: { header: readonly string[]; cells: ReadonlyMap<number, readonly string[]> },
  ): Promise<number> {
    const rows = await this.#resolve(identity, batch);
    let corrected = 0;
    for (const part of byRecord(this.#file, rows)) {
      corrected += await this.#storeCorrected(await this.#check(identity, part), before);
    }
    return corrected;
  }

  /** Counts what was stored, after the check that needs all of it. */
  complete(): Promise<NonNullable<StoredImport["counts"]>> {
    const { table, plan } = this.#file;
    const fields = plan.columns.map(({ field }) => field);
    // Rows with one value there have found each other by their key.
    const ownKey = plan.key ?? table.idFrom;
    const others = fields.filter(({ unique, name }) => unique && name !== ownKey);
    return this.#db.transaction().execute(async (tx) => {
      await this.#hold(tx);
      for (const field of others) {
        const place = { line: 0, field: field.name };
        const error = { ...fieldError(place, valueIsTaken(table, field)), code: "duplicate" };
        await rejectRepeatedValues(tx, this.#set, idOfField(field), error);
      }
      const read = { rows: this.#rows, unchanged: this.#unchanged };
      return completeImport(tx, this.#set, { ...this.#stored, ...read });
    });
  }

  /** Removes what was stored; another import that has begun meanwhile is left alone. */
  async abandon(): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      if (await holdImport(tx, this.#set, this.#run)) await abandonImport(tx, this.#set);
    });
  }

  get #db(): Db {
    return this.#context.database.kysely;
  }

  get #stored(): StoredImport {
    const tableId = idOfTable(this.#file.table);
    const file = { header: this.#header, reading: this.#reading };
    return { run: this.#run, tableId, ...file, counts: null };
  }

  /** Holds the draft during a step of this import, unless it is gone or was given to another one. */
  async #hold(tx: Db): Promise<void> {
    if (!(await holdImport(tx, this.#set, this.#run))) throw notEmpty();
  }

  /** The rows with ids in place of labels. */
  async #resolve(identity: Identity, batch: readonly FileRow[]): Promise<FileRow[]> {
    const { key } = this.#file.plan;
    const withIds = (row: ImportRow, values: Values): ImportRow =>
      key === null || key === ID_FIELD
        ? { ...row, values }
        : { ...row, values, key: values[key] ?? null };
    const resolved = await resolveLabels(this.#file, identity, batch);
    return batch.map((one, at): FileRow => {
      const { values, ambiguous, unknown } = resolved[at] as ResolvedRow;
      const errors = [...one.errors, ...ambiguous];
      if (!one.row || errors.length > 0) {
        const partial = one.partial && withIds(one.partial, values);
        return { ...one, row: null, partial, errors: allErrors(errors, unknown), unknown };
      }
      const row = withIds(one.row, values);
      return { ...one, row, values, key: row.key, unknown };
    });
  }

  /** Plans and evaluates rows that are about different records, again while the database or the model passes through a change. */
  async #check(identity: Identity, rows: readonly FileRow[]): Promise<CheckedRow[]> {
    for (const wait of RETRY_DELAYS_MS) {
      try {
        return await this.#checkOnce(identity, rows);
      } catch (error) {
        if (!isPassing(error)) throw error;
        await sleep(wait);
      }
    }
    return this.#checkOnce(identity, rows);
  }

  async #checkOnce(identity: Identity, rows: readonly FileRow[]): Promise<CheckedRow[]> {
    const { table, plan } = this.#file;
    const readable = rows.flatMap(({ row, partial }) => row ?? partial ?? []);
    const known = await recognise(this.#file, identity, readable);
    const planned = rows.map((read): CheckedRow => {
      const one = withStoredValues(this.#file, read, known);
      const hash = hashOf(this.#file, one);
      if (!one.row) return { ...one, op: null, hash };
      const result = planOp(table, plan, one.row, known);
      if ("error" in result)
        return { ...one, op: null, hash, errors: allErrors([result.error], one.unknown) };
      return { ...one, op: "op" in result ? result.op : null, hash };
    });
    const ops = planned.flatMap(({ op }) => op ?? []);
    if (ops.length === 0) return planned;
    const earlier = await this.#earlierTargets(ops);
    const dryRun = this.#context.commands.dryRun(identity, new NamedRecords(), {
      created: earlier,
    });
    const evaluated = await dryRun(ops);
    const results = new Map(ops.map((op, index) => [op, evaluated[index] as DryResult]));
    const isTaken = ({ op }: CheckedRow) => isIdTaken(op && results.get(op));
    const others = planned.map((one) =>
      isTaken(one) ? one : withResult(one, one.op && results.get(one.op)),
    );
    return this.#compareTaken(identity, others, planned.filter(isTaken));
  }

  /** Rows with a key whose record has been created before: by the same row, or by another one. */
  async #compareTaken(
    identity: Identity,
    rows: readonly CheckedRow[],
    taken: readonly CheckedRow[],
  ): Promise<CheckedRow[]> {
    const { table, plan } = this.#file;
    const idOfRow = ({ row }: CheckedRow) => (row ? idOf(table, row) : "");
    const stored = await recordsById(this.#file, identity, taken.map(idOfRow));
    const isHiding = scopeOf(identity.subject, table)?.filter !== null;
    return rows.map((one) => {
      if (!one.row || !taken.includes(one)) return one;
      const record = stored.get(idOfRow(one));
      const error = record
        ? existingRecordError(table, plan, one.row, record)
        : // A record that the user may not read is the row's own if its id is made of the row.
          isHiding && namedId(table, one.row) === null
          ? null
          : fieldError({ line: one.line, field: idFieldOf(table, one.row) }, idIsTaken);
      const errors = error ? [{ ...error, code: "duplicate" }] : [];
      return { ...one, op: null, errors };
    });
  }

  /**
   * Records that earlier rows of the file create and that these ops link to, in a table that links to itself. They are found where
   * the keys of rows are ids.
   */
  async #earlierTargets(ops: readonly Op[]): Promise<Map<string, Map<string, Values>>> {
    const { table, plan } = this.#file;
    const links = plan.columns.flatMap(({ field }) =>
      field.type === "link" && field.target === table.name ? field.name : [],
    );
    const ids = ops.flatMap((op) => {
      const given = op.op === "create" ? op.values : "set" in op ? (op.set ?? {}) : {};
      return links.flatMap((name) => given[name] ?? []).map(String);
    });
    const rows = await findEarlierRows(
      this.#db,
      this.#set,
      [...new Set(ids)].map((id) => hashOfText(table, id)),
    );
    const places = [...rows.values()].flatMap(({ n, kind }) => (kind === "create" ? n : []));
    const created = new Map<string, Values>();
    for (const stored of places.length ? await readOpsAt(this.#db, this.#set, places) : []) {
      const op = fromStored(stored, this.#context.model());
      if (op.op === "create") created.set(stored.record, op.values);
    }
    return new Map(created.size ? [[table.name, created]] : []);
  }

  async #store(rows: readonly CheckedRow[]): Promise<void> {
    const limit = this.#context.limits.CHANGE_SET_IMPORT_MAX_BYTES;
    // What a crash leaves unfinished is removed, and the end of the import waits for the disk.
    await transactionOnTheWay(this.#db, async (tx) => {
      await this.#hold(tx);
      const hashes = rows.flatMap(({ hash }) => hash ?? []);
      const earlier = await findEarlierRows(tx, this.#set, hashes);
      const removed: EarlierRow[] = [];
      const stored: StoredOp[] = [];
      const rejected: FileRow[] = [];
      for (const one of await this.#withRepeats(tx, rows, earlier)) {
        const before = one.hash === null ? undefined : earlier.get(one.hash);
        if (one.errors.length) rejected.push(one);
        const op = this.#storedOp(one, before);
        if (op) stored.push(op);
        if (before && op && op.n !== before.n) removed.push(before);
      }
      await deleteEarlierRows(tx, this.#set, removed);
      this.#bytes += await writeOps(tx, this.#set, stored);
      this.#bytes += await writeRejects(
        tx,
        this.#set,
        rejected.map((row) => rejectedRow(this.#file.plan, row)),
      );
      this.#bytes += ROW_BYTES * (stored.length + rejected.length);
    });
    if (this.#bytes > limit) throw new Refusal("too_large", { limit, unit: "bytes" });
  }

  async #storeCorrected(
    rows: readonly CheckedRow[],
    before: { header: readonly string[]; cells: ReadonlyMap<number, readonly string[]> },
  ): Promise<number> {
    return this.#db.transaction().execute(async (tx) => {
      const set = found(await holdChangeSet(tx, this.#set));
      requireState(set, ["draft"]);
      const file = set.import;
      // After the first part the header is what this call has made of it.
      const isAsRead = [before.header, this.#header].some((one) =>
        isDeepStrictEqual(one, file?.header),
      );
      // Another correction has added a column meanwhile.
      if (!file?.counts || !isAsRead) throw unavailable();
      const lines = rows.map(({ line }) => line);
      const stored = await readRejectedCells(tx, this.#set, lines);
      const open = rows.filter(({ line }) =>
        isDeepStrictEqual(stored.get(line), before.cells.get(line)),
      );
      const hashes = open.flatMap(({ hash, errors }) => (hash && !errors.length ? hash : []));
      const earlier = await findEarlierRows(tx, this.#set, hashes);
      const compared = (await this.#withRepeats(tx, open, earlier)).map((one) =>
        this.#withRepeatedKey(one, earlier),
      );
      const rejected = compared.filter(({ errors }) => errors.length > 0);
      this.#next = await nextPlace(tx, this.#set);
      const ops = compared.flatMap((one) => this.#opOf(one, this.#next++) ?? []);
      await deleteRejectsAt(
        tx,
        this.#set,
        open.map(({ line }) => line),
      );
      await writeOps(tx, this.#set, ops);
      const { plan } = this.#file;
      await writeRejects(
        tx,
        this.#set,
        rejected.map((row) => rejectedRow(plan, row)),
      );
      const created = ops.filter(({ kind }) => kind === "create").length;
      const count = open.length - rejected.length;
      const { counts } = file;
      await replaceImport(tx, this.#set, {
        ...{ ...file, header: this.#header, reading: this.#reading },
        counts: {
          ...counts,
          created: counts.created + created,
          updated: counts.updated + ops.length - created,
          unchanged: counts.unchanged + count - ops.length,
          failed: counts.failed - count,
        },
      });
      return count;
    });
  }

  /** A row that names the record of another row of the file, too: that one is an op already. */
  #withRepeatedKey(one: CheckedRow, earlier: ReadonlyMap<string, EarlierRow>): CheckedRow {
    const { plan, table } = this.#file;
    const other = one.hash === null ? undefined : earlier.get(one.hash);
    // Without a key one with the same values was found to be no change.
    const isSame = plan.key === null && one.op === null;
    if (!one.row || !other || isSame || one.errors.length > 0) return one;
    const field = plan.key ?? idFieldOf(table, one.row);
    const facts = { line: one.line, field, code: "duplicate", rule: "key" };
    const explanation = explainRow("row.keyRepeated", { line: other.line });
    return { ...one, op: null, errors: [rowError(facts, explanation)] };
  }

  /** The op of a row at a place, with its cells; null where it makes none. */
  #opOf({ op, hash, line, cells, errors }: CheckedRow, n: number): StoredOp | null {
    if (!op || errors.length > 0) return null;
    const stored = toStored(op as WireOp, n, this.#context.model());
    return { ...stored, key: hash, line, cells: cells.map(storable) };
  }

  /** What a row leaves among the ops; null for nothing. */
  #storedOp(one: CheckedRow, before: EarlierRow | undefined): StoredOp | null {
    const { op, hash, line, errors } = one;
    if (op && errors.length === 0) {
      return this.#opOf(one, before && before.n >= 0 ? before.n : this.#next++);
    }
    // Without a key, rows of one record don't take each other's places.
    if (hash === null || this.#file.plan.key === null) {
      if (errors.length === 0) this.#unchanged += 1;
      return null;
    }
    const tableId = idOfTable(this.#file.table);
    const kind = errors.length ? REJECTED : UNCHANGED;
    return { n: this.#nextMark--, tableId, record: "", kind, op: {}, key: hash, line };
  }

  /**
   * Without a key: a row whose record an earlier row of the file creates is unchanged if it has the same values, and a duplicate
   * otherwise.
   */
  async #withRepeats(
    tx: Db,
    rows: readonly CheckedRow[],
    earlier: ReadonlyMap<string, EarlierRow>,
  ): Promise<readonly CheckedRow[]> {
    const { table, plan } = this.#file;
    if (plan.key !== null || earlier.size === 0) return rows;
    const places = [...earlier.values()].map(({ n }) => n);
    const stored = await readOpsAt(tx, this.#set, places);
    const created = new Map(
      stored.map((one) => [one.record, fromStored(one, this.#context.model())]),
    );
    return rows.map((one) => {
      const before = one.hash !== null && earlier.has(one.hash);
      const op = one.row && before ? created.get(idOf(table, one.row)) : undefined;
      if (!one.row || one.errors.length || op?.op !== "create") return one;
      const record = { id: op.record ?? "", values: op.values };
      const error = existingRecordError(table, plan, one.row, record);
      return { ...one, op: null, errors: error ? [error] : [] };
    });
  }
}

/**
 * A row without the cells that its fields refuse, if these are what an export writes of its record: another program stored there what no edit
 * could, and the same file imported again changes nothing.
 */
function withStoredValues(
  { table, plan }: LabelSources,
  one: FileRow,
  known: KnownRecords,
): FileRow {
  const found = one.partial ? known.get(identifyingText(table, plan, one.partial)) : undefined;
  const [record] = found ?? [];
  if (!one.partial || !record || found?.length !== 1) return one;
  const isStored = ({ field: name }: RowError) => {
    const column = plan.columns.find(({ field }) => field.name === name);
    if (!column) return false;
    return (
      one.cells[column.index] === writeCell(column.field, record.values[column.field.name] ?? null)
    );
  };
  if (!one.errors.every(isStored)) return one;
  const refused = new Set(one.errors.map(({ field }) => field));
  const values = Object.fromEntries(
    Object.entries(one.partial.values).filter(([name]) => !refused.has(name)),
  );
  const row = { ...one.partial, values };
  return { ...one, row, values, key: row.key, errors: [], unknown: [] };
}

/** Whether a record can't be created because its id is taken. */
function isIdTaken(result: DryResult | null | undefined): boolean {
  if (!result || result.ok || result.error.code !== "duplicate") return false;
  return Boolean((result.error.fields as { id?: unknown } | undefined)?.id);
}

/** A row after its evaluation. A conflict is left to the set's author. */
function withResult(one: CheckedRow, result: DryResult | null | undefined): CheckedRow {
  if (!result) return one;
  if (result.ok) return result.kind === null ? { ...one, op: null } : one;
  if (result.error.code === "conflict") return one;
  return { ...one, op: null, errors: allErrors(rowErrors(one.line, result.error), one.unknown) };
}

/** The errors of a row, with the links that name nothing: all that is to be corrected. */
function allErrors(errors: readonly RowError[], unknown: readonly RowError[]): RowError[] {
  const named = new Set(errors.map(({ field }) => field));
  return [...errors, ...unknown.filter(({ field }) => !named.has(field))];
}

/** The last row of each key, and all rows whose key is unknown. */
function lastOf(rows: readonly FileRow[]): FileRow[] {
  const last = new Map(rows.map((row) => [row.key === null ? row : keyText(row.key), row]));
  return [...last.values()];
}

/** Rows in parts, in each of which every record is named once: by its key, or without one by its id. */
function byRecord({ table, plan }: LabelSources, rows: readonly FileRow[]): FileRow[][] {
  const parts: FileRow[][] = [];
  const times = new Map<string, number>();
  for (const one of rows) {
    const key = one.key === null ? null : keyText(one.key);
    const id = plan.key === null ? one.row && namedId(table, one.row) : key;
    const time = id === null ? 0 : (times.get(id) ?? 0);
    if (id !== null) times.set(id, time + 1);
    const part = parts[time] ?? [];
    parts[time] = part;
    part.push(one);
  }
  return parts;
}

/** By what a row is found among others that are about the same record: its key, or without one the id that it names. */
function hashOf({ table, plan }: LabelSources, { key, row }: FileRow): string | null {
  const id = row && namedId(table, row);
  const text = plan.key === null ? id : key === null ? null : keyText(key);
  if (text === null) return null;
  const isId = plan.key === null || plan.key === ID_FIELD || plan.key === table.idFrom;
  return hashOfText(table, isId ? text : `${plan.key} ${text}`);
}

function hashOfText(table: Table, text: string): string {
  const content = JSON.stringify([idOfTable(table), text]);
  return createHash("sha256").update(content).digest("base64url").slice(0, 22);
}

/** A rejected row as it is stored: each error names the text of its cell. */
function rejectedRow({ columns }: ColumnPlan, { line, cells, errors }: FileRow): RejectedRow {
  const stored = cells.map(storable);
  const named = errors.map((error) => {
    const column = columns.find(({ field }) => field.name === error.field);
    const value = column && excerpt((stored[column.index] ?? "").trim());
    return value ? { ...error, value } : error;
  });
  return { line, cells: stored, errors: named };
}

function notEmpty(): Refusal {
  return new Refusal("conflict", { fields: {} }, explain("import.notEmpty"));
}
