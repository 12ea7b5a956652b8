import { BYTE_ORDER_MARK, rejectedLine } from "../../shared/csv-line.ts";
import { resolveField } from "../../shared/model/former-names.ts";
import type { Table } from "../../shared/model/model.ts";
import type { DraftImport, RejectedRow, RowError } from "../../shared/protocol/imports.ts";
import { UNREADABLE } from "../import/decode-csv.ts";
import type { ChangeSetRow } from "../store/change-sets/change-sets.ts";
import { countRejects, readRejects } from "../store/change-sets/imported-rows.ts";
import type { Db } from "../store/database.ts";

/** Rejected rows that are read at once. A row may be as long as IMPORT_ROW_MAX_BYTES. */
const CHUNK_ROWS = 500;
const CHUNK_BYTES = 1_048_576;
/** The first of many errors are in the answer of an import, the rest are a number. */
const REPORTED_ERRORS_MAX = 200;

/** The rejected rows of a set's file: line and reasons, and the row as it was. */
export class RejectedRows {
  readonly #db: Db;
  readonly #set: Pick<ChangeSetRow, "id" | "import">;
  readonly #columns: { table: Table; fields: (string | null)[] } | null;

  /** `columns` are the fields of the file's columns, where its rows can be corrected. */
  constructor(
    db: Db,
    set: Pick<ChangeSetRow, "id" | "import">,
    columns: { table: Table; fields: (string | null)[] } | null = null,
  ) {
    this.#db = db;
    this.#set = set;
    this.#columns = columns;
  }

  /** Those after a line: at least one if there is one, and no more than fit into a page. */
  async page(call: { after?: number; offset?: number; limit?: number }) {
    const rows = await this.#read(call);
    const { failed: total } = await countRejects(this.#db, this.#set.id);
    const header = [...(this.#set.import?.header ?? [])];
    if (!this.#columns) return { header, items: rows, total };
    const { table, fields } = this.#columns;
    // A field may have another name since the row was checked.
    const current = (error: RowError) => {
      const name = error.field === undefined ? undefined : resolveField(table, error.field)?.name;
      return name === undefined ? error : { ...error, field: name };
    };
    const items = rows.map((row) => ({ ...row, errors: row.errors.map(current) }));
    return { header, fields, items, total };
  }

  /** All of them as CSV. */
  async *file(): AsyncGenerator<string> {
    const header = this.#set.import?.header ?? [];
    yield `${BYTE_ORDER_MARK}${rejectedLine(["line", "reason", ...header])}`;
    let limit = CHUNK_ROWS;
    for (let after = 0; ; ) {
      const items = await this.#read({ after, limit });
      for (const { line, cells, errors } of items) {
        const reasons = errors.map(({ field, message }) =>
          field === undefined ? message : `${field}: ${message}`,
        );
        yield rejectedLine([String(line), reasons.join(" "), ...cells]);
      }
      const last = items.at(-1);
      if (!last) return;
      after = last.line;
      // The database measures all rows that it may send: not many more than it has sent, where they are long.
      limit = Math.min(CHUNK_ROWS, 2 * items.length);
    }
  }

  #read({ after = 0, offset = 0, limit = CHUNK_ROWS }: Parameters<RejectedRows["page"]>[0]) {
    const page = { after, offset, limit: Math.min(limit, CHUNK_ROWS), maxBytes: CHUNK_BYTES };
    return readRejects(this.#db, this.#set.id, page);
  }
}

/** How many rows of a set's file were rejected, and the first reasons. */
export async function readReport(
  db: Db,
  set: string,
): Promise<Pick<DraftImport, "failed" | "errors" | "errorTotal">> {
  const { failed, errorTotal } = await countRejects(db, set);
  const first: RejectedRow[] = [];
  for (let after = 0; first.length < Math.min(failed, REPORTED_ERRORS_MAX); ) {
    const limit = REPORTED_ERRORS_MAX - first.length;
    const rows = await readRejects(db, set, { after, limit, maxBytes: CHUNK_BYTES });
    first.push(...rows);
    after = rows.at(-1)?.line ?? Number.POSITIVE_INFINITY;
    if (rows.length === 0) break;
  }
  const errors = first.flatMap((row) => row.errors).slice(0, REPORTED_ERRORS_MAX);
  return { failed, errorTotal, errors };
}

/** A text of a damaged file, without what the database can't hold. */
export function storable(text: string): string {
  return text.replaceAll("\0", "\u{FFFD}").replaceAll(UNREADABLE, "\u{FFFD}");
}
