import { createHash } from "node:crypto";
import { type Field, idOfTable, type Table } from "../../shared/model/model.ts";
import { entryColumn } from "./identifiers.ts";

/** The length of the readable part, so that the name stays below Postgres' 63 bytes. */
const READABLE_MAX_LENGTH = 40;

export type ObjectKind = "seq" | "key" | "index" | "link" | "links" | "filled";

/** The column of the order of entry, for the names of its sequence and its index. */
export const entryField = { name: entryColumn };

/**
 * Objects of a column (its sequence, constraints, indexes) are named by what never changes, the table's id
 * and the column; the hash distinguishes long and hostile names.
 */
export function objectName(
  table: Table,
  { column, name }: Pick<Field, "column" | "name">,
  kind: ObjectKind,
): string {
  const parts = [idOfTable(table), column ?? name];
  const hash = createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 10);
  const readable = parts.join("_").replaceAll(/[^A-Za-z0-9_]/g, "_");
  return `${readable.slice(0, READABLE_MAX_LENGTH)}_${hash}_${kind}`;
}
