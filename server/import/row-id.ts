import { createHash } from "node:crypto";
import type { Table } from "../../shared/model/model.ts";
import type { ImportRow } from "./read-row.ts";

/** The id that a row gives its record: by the file's column of ids, or by the field that names records of the table. */
export function namedId(table: Table, row: ImportRow): string | null {
  if (row.id !== null) return row.id;
  const named = table.idFrom === undefined ? null : row.values[table.idFrom];
  return typeof named === "string" ? named : null;
}

/** The same row of the same file has the same id at every attempt, so that none is created twice. */
export function idOf(table: Table, row: ImportRow): string {
  const named = namedId(table, row);
  if (named !== null) return named;
  const content = JSON.stringify([table.name, row.key ?? row.line, row.values]);
  const hex = createHash("sha256").update(content).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
