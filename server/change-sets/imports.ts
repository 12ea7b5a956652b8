import { BYTE_ORDER_MARK, csvLine } from "../../shared/csv-line.ts";
import { explain } from "../../shared/error-texts/explain.ts";
import type { Model } from "../../shared/model/model.ts";
import type { ImportCounts } from "../../shared/protocol/change-sets.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { RejectedRow } from "../../shared/protocol/imports.ts";
import { UNREADABLE } from "../import/decode-csv.ts";
import type { RejectedRow as FailedRow } from "../import/report-builder.ts";
import type { ChangeSetRow } from "../store/change-sets/change-sets.ts";
import { readRejects } from "../store/change-sets/imports.ts";
import type { Db } from "../store/database.ts";
import { tableOf } from "./stored-op.ts";

/** Rejected rows that are read at once. A row may be as long as IMPORT_ROW_MAX_BYTES. */
const CHUNK_ROWS = 500;
const CHUNK_BYTES = 1_048_576;

/** Refuses a draft that holds only a part of its file. */
export function requireImported({ import: file }: ChangeSetRow): void {
  if (!file || file.counts) return;
  throw new Refusal("conflict", { state: "draft", fields: {} }, explain("import.notRead"));
}

/** What a set's author sees of its file. */
export function importOf({ import: file }: ChangeSetRow, model: Model): ImportCounts | null {
  if (!file) return null;
  const zero = { rows: 0, created: 0, updated: 0, unchanged: 0, superseded: 0, failed: 0 };
  const table = tableOf(file.tableId, model)?.name ?? "";
  const isComplete = file.counts !== null && file.direct !== "open";
  return { table, isComplete, ...(file.counts ?? zero) };
}

/** The rejected rows of a set's file: line and reasons, and the row as it was. */
export class RejectedRows {
  readonly #db: Db;
  readonly #set: ChangeSetRow;

  constructor(db: Db, set: ChangeSetRow) {
    this.#db = db;
    this.#set = set;
  }

  /** Those after a line: at least one if there is one, and no more than fit into a page. */
  async page({ after = 0, limit = CHUNK_ROWS }: { after?: number; limit?: number }) {
    const { id, import: file } = this.#set;
    const page = { after, limit: Math.min(limit, CHUNK_ROWS), maxBytes: CHUNK_BYTES };
    const items = await readRejects(this.#db, id, page);
    const total = file?.counts?.failed ?? items.length;
    return { header: [...(file?.header ?? [])], items, total };
  }

  /** All of them as CSV. */
  async *file(): AsyncGenerator<string> {
    const header = this.#set.import?.header ?? [];
    yield `${BYTE_ORDER_MARK}${csvLine(["line", "reason", ...header])}`;
    let limit = CHUNK_ROWS;
    for (let after = 0; ; ) {
      const { items } = await this.page({ after, limit });
      for (const { line, cells, errors } of items) {
        const reasons = errors.map(({ field, message }) =>
          field === undefined ? message : `${field}: ${message}`,
        );
        yield csvLine([String(line), reasons.join(" "), ...cells]);
      }
      const last = items.at(-1);
      if (!last) return;
      after = last.line;
      // The database measures all rows that it may send: not many more than it has sent, where they are long.
      limit = Math.min(CHUNK_ROWS, 2 * items.length);
    }
  }
}

/** A rejected row with its cells, as it is stored. */
export function storableReject(
  { line, errors }: FailedRow,
  cells: ReadonlyMap<number, readonly string[]>,
): RejectedRow {
  return { line, errors: [...errors], cells: (cells.get(line) ?? []).map(storable) };
}

/** A text of a damaged file, without what the database can't hold. */
export function storable(text: string): string {
  return text.replaceAll("\0", "\u{FFFD}").replaceAll(UNREADABLE, "\u{FFFD}");
}
