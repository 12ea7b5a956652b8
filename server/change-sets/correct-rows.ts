import { explain } from "../../shared/error-texts/explain.ts";
import { explainRow } from "../../shared/error-texts/row-texts.ts";
import type { Json } from "../../shared/filter/filter.ts";
import { isStorable } from "../../shared/filter/storable.ts";
import { ID_FIELD } from "../../shared/filter/value-kinds.ts";
import { kindOfType } from "../../shared/model/field-types.ts";
import { resolveField } from "../../shared/model/former-names.ts";
import { type Field, idOfField, type Table } from "../../shared/model/model.ts";
import { normalizeValue } from "../../shared/model/normalize-value.ts";
import { isReadOnly } from "../../shared/model/recorded.ts";
import { sameValue } from "../../shared/model/same-value.ts";
import { type Scope, type Subject, scopeOf } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { CorrectedRows, RowCorrection, RowError } from "../../shared/protocol/imports.ts";
import { readCell, writeInColumn } from "../import/cell-text.ts";
import type { ColumnPlan } from "../import/plan-columns.ts";
import type { CsvRow } from "../import/read-csv.ts";
import { type ColumnFormats, cellFormat, rowReader } from "../import/read-row.ts";
import { rowError } from "../import/row-errors.ts";
import { readableTable } from "../policy/authorize.ts";
import { excerpt } from "../policy/parse-input.ts";
import type { ChangeSetRow, StoredReading } from "../store/change-sets/change-sets.ts";
import { readRejects } from "../store/change-sets/imported-rows.ts";
import type { ChangeSetContext } from "./change-set-context.ts";
import {
  eachBatch,
  type FileRow,
  fileRow,
  type ImportRequest,
  ImportWriter,
  requireWrite,
} from "./import-file.ts";
import { storable } from "./rejected-rows.ts";
import { requireDraftBytes, requireImported, requireState } from "./set-checks.ts";
import { tableOf } from "./stored-op.ts";

/*
 * Correcting the rejected rows of a draft's file. What the user chooses is written into the cell as a text that its column reads as that
 * value; then the row is read, resolved and evaluated like any row of the file (import-file.ts). The cell is the only place of the correction:
 * so a row that is still rejected is listed and downloaded as corrected, one whose op is refused when it is applied comes back so, and an
 * erasure finds what was typed where it finds what the file has. The obvious way, values beside the cells, would need all of that twice.
 *
 * How the file is read is stored with the set by the ids of fields. A field that was removed, or that the user can't write any more, is no reason to
 * leave its cell out: such a row stays rejected. For a field without a column, such as a required one, the file gets another column.
 *
 * One call corrects a bounded number of rows, and answers after which line the next one continues: a file may have hundreds of thousands
 * with the same text. Each batch is stored by itself, so a caller who leaves has corrected a part, and can continue.
 */

/** Rows that one call corrects at most. */
const CALL_MAX_ROWS = 1_000;
const CALL_MAX_BYTES = 1_048_576;

interface CorrectionRequest extends Pick<ImportRequest, "currentIdentity" | "users"> {
  correction: RowCorrection;
}

/** A file that is read again. */
interface Layout {
  header: readonly string[];
  reading: StoredReading;
  plan: ColumnPlan;
  formats: ColumnFormats;
  /** The columns whose fields can't be written any more. */
  lost: readonly { index: number; header: string }[];
}

/** Puts a value into a cell of one rejected row, or of all that have the same text there, and checks these rows again. */
export async function correctRows(
  context: ChangeSetContext,
  set: ChangeSetRow,
  { correction, currentIdentity, users }: CorrectionRequest,
): Promise<CorrectedRows> {
  const { database, limits, model } = context;
  const { text, value, line, after = 0 } = correction;
  if (!isStorable(text)) throw new Refusal("invalid_request", { at: "text" });
  const identity = await currentIdentity();
  requireState(set, ["draft"]);
  requireImported(set);
  const { reading, header, tableId } = readAgain(set);
  const name = tableOf(tableId, model())?.name ?? "";
  const { table, scope } = readableTable(identity.subject, model(), name);
  await requireDraftBytes(database.kysely, limits.CHANGE_SET_IMPORT_MAX_BYTES, identity);
  const found = layoutOf(reading, header, { table, scope });
  if (!found) throw notAgain();
  const field = fieldOf(correction.field, table, scope);
  const layout = withColumn(found, field);
  requireWrite(identity, table, { key: layout.plan.key ?? undefined });
  const index =
    field === null
      ? layout.plan.idIndex
      : (layout.plan.columns.find((one) => one.field === field)?.index ?? -1);
  const written = field === null ? idText(value) : textOf(layout, field, index, value);
  const names = field === null ? [ID_FIELD] : [field.name, ...(field.formerly ?? [])];
  const limit = Math.min(CALL_MAX_ROWS, roomFor(written));
  const page = { after, limit, maxBytes: CALL_MAX_BYTES, cell: { index, text, names } };
  // One row is corrected in any cell, because a reason may be about several.
  const pageOfLine = { ...page, after: (line ?? 1) - 1, limit: 1, cell: { index, text } };
  const read = await readRejects(database.kysely, set.id, line === undefined ? page : pageOfLine);
  const rows = read.filter((row) => line === undefined || row.line === line);
  if (line !== undefined && rows.length === 0) throw alreadyCorrected();
  const readRow = rowReader(layout.plan, reading.options, layout.formats);
  const writer = new ImportWriter(context, set.id, {
    ...{ users, table, plan: layout.plan, header: layout.header, reading: layout.reading },
  });
  const errors = new Map(rows.map((row) => [row.line, row.errors]));
  const before = { header, cells: new Map(rows.map((row) => [row.line, row.cells])) };
  let corrected = 0;
  const given = rows.map((row) => ({ line: row.line, cells: withCell(row.cells, index, written) }));
  await eachBatch(context, currentIdentity, given, async (current, batch) => {
    const again = batch.map((row) => {
      const earlier = lastingErrors(errors.get(row.line) ?? [], names);
      return withErrors(fileRow(row, readRow(row)), [...earlier, ...reasonsOf(row, layout)]);
    });
    corrected += await writer.correct(current, again, before);
  });
  return { corrected, next: line === undefined ? (rows.at(-1)?.line ?? null) : null };
}

/**
 * The name of the field of each column of a file, as far as the reader knows it, and the table with the fields that they may see; null where
 * its rows can't be corrected.
 */
export function fieldsOfColumns(
  { import: file, state }: Pick<ChangeSetRow, "import" | "state">,
  context: Pick<ChangeSetContext, "model">,
  subject: Subject,
): { table: Table; fields: (string | null)[] } | null {
  const table = file && tableOf(file.tableId, context.model());
  const scope = table && scopeOf(subject, table);
  if (!file?.reading || !table || !scope || state !== "draft") return null;
  const { reading, header } = file;
  const layout = layoutOf(reading, header, { table, scope });
  if (!layout) return null;
  const { plan } = layout;
  const fields = header.map((_, index) => {
    if (index === plan.idIndex) return ID_FIELD;
    return plan.columns.find((one) => one.index === index)?.field.name ?? null;
  });
  const visible = table.fields.filter(({ name }) => scope.fields.includes(name));
  return { table: { ...table, fields: visible }, fields };
}

function readAgain({ import: file }: ChangeSetRow) {
  if (file?.reading) return { ...file, reading: file.reading };
  throw notAgain();
}

function notAgain(): Refusal {
  return new Refusal("conflict", { fields: {} }, explain("import.noRows"));
}

interface Readable {
  table: Table;
  scope: Scope;
}

const isWritable = ({ fields }: Scope, field: Field) =>
  fields.includes(field.name) && !isReadOnly(field);

/** How a file is read by the model of now; null where it has lost its key, by which alone the records of its rows are found. */
function layoutOf(
  reading: StoredReading,
  header: readonly string[],
  { table, scope }: Readable,
): Layout | null {
  const formats: ColumnFormats = new Map();
  const lost: Layout["lost"][number][] = [];
  const columns = reading.columns.flatMap(({ index, field: id, added, ...format }) => {
    formats.set(index, format);
    const text = header[index] ?? "";
    const field = table.fields.find((one) => idOfField(one) === id);
    if (field && isWritable(scope, field))
      return [{ header: text, index, field, ...(added && { isAdded: true }) }];
    lost.push({ index, header: text });
    return [];
  });
  const keyField = columns.find(({ field }) => idOfField(field) === reading.key)?.field;
  if (reading.key !== null && reading.key !== ID_FIELD && !keyField) return null;
  const { idIndex } = reading;
  const key = keyField?.name ?? reading.key;
  const plan = { columns, idIndex, key, ignored: [], count: header.length };
  return { header, reading, plan, formats, lost };
}

/** The field that is corrected; null is the id of the record. */
function fieldOf(name: string, table: Table, scope: Scope): Field | null {
  if (name === ID_FIELD) return null;
  const field = resolveField(table, name);
  if (field && isWritable(scope, field)) return field;
  const explanation = explain("import.noField", { field: excerpt(name) });
  throw new Refusal("invalid_request", { at: "field" }, explanation);
}

/** A file with a column for the field: rows from before have none there. */
function withColumn(layout: Layout, field: Field | null): Layout {
  const { plan, reading, header } = layout;
  if (field === null) {
    if (plan.idIndex >= 0) return layout;
    const explanation = explain("import.noField", { field: ID_FIELD });
    throw new Refusal("invalid_request", { at: "field" }, explanation);
  }
  if (plan.columns.some((one) => one.field === field)) return layout;
  const index = header.length;
  const added = { index, field: idOfField(field), added: true as const };
  const column = { header: field.label, index, field, isAdded: true };
  return {
    ...layout,
    header: [...header, storable(field.label)],
    reading: { ...reading, columns: [...reading.columns, added] },
    plan: { ...plan, columns: [...plan.columns, column], count: index + 1 },
  };
}

/** The text by which a column holds a value. A value that the field can't hold, or that the file has no text for, is refused. */
function textOf(layout: Layout, field: Field, index: number, value: Json): string {
  const given = normalizeValue(field, value);
  if (!given.ok) {
    throw new Refusal("validation_failed", { fields: { [field.name]: given.problem } });
  }
  if (given.value === null) return "";
  const format = cellFormat(layout.reading.options, layout.formats.get(index));
  const text = storable(writeInColumn(field, given.value, format));
  const read = normalizeValue(field, readCell(field, text, format) ?? null);
  if (read.ok && sameValue(kindOfType[field.type], read.value, given.value)) return text;
  throw new Refusal("invalid_request", { at: "value" }, explain("import.meansEmpty"));
}

function idText(value: Json): string {
  if (value === null) return "";
  if (typeof value === "string" && isStorable(value)) return value;
  throw new Refusal("invalid_request", { at: "value" });
}

/** How many rows may hold a text, within the bytes of a call. */
function roomFor(text: string): number {
  return Math.max(1, Math.floor(CALL_MAX_BYTES / (text.length + 1)));
}

function withCell(cells: readonly string[], index: number, text: string): string[] {
  const padded = [...cells, ...Array.from({ length: index + 1 - cells.length }, () => "")];
  return padded.with(index, text);
}

/**
 * The reasons of a row that don't go with the correction of a field that has these names, and that its cells don't show any more: it has more values than
 * the file has columns, or its quotation marks don't show which they are, or a cell had characters that the database can't hold or that are none in the file's encoding. Others are stored in their
 * place, so the cell could be read now, but not as what was meant.
 */
function lastingErrors(errors: readonly RowError[], names: readonly string[]): RowError[] {
  return errors.filter(({ rule, field = "" }) => {
    const isOfDamage = rule === "encoding" || rule === "characters";
    return rule === "columns" || rule === "quotes" || (isOfDamage && !names.includes(field));
  });
}

/** Why a row can't be read by the model of now, besides its values: it has a cell of a field that was lost. */
function reasonsOf({ line, cells }: CsvRow, { lost }: Layout): RowError[] {
  return lost
    .filter(({ index }) => (cells[index] ?? "").trim() !== "")
    .map(({ header }) => {
      const facts = { line, code: "validation_failed", rule: "field" };
      return rowError(facts, explainRow("row.noField", { column: excerpt(header) }));
    });
}

/** A row with reasons that its cells don't show. One with more values than its file has columns may have one of them in a column that was added. */
function withErrors(one: FileRow, reasons: readonly RowError[]): FileRow {
  if (reasons.length === 0) return one;
  const others = one.errors.filter(({ rule }) => rule !== "columns");
  return { ...one, row: null, partial: null, errors: [...others, ...reasons] };
}

function alreadyCorrected(): Refusal {
  return new Refusal("conflict", { fields: {} }, explain("import.corrected"));
}
