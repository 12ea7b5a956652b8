import { createHash } from "node:crypto";
import { type Field, idOfTable, type Table } from "../../shared/model/model.ts";

/** How much of the readable part is kept: with the rest it stays below Postgres' 63 bytes. */
const READABLE_MAX_LENGTH = 40;

export type ObjectKind = "seq" | "key" | "index" | "link" | "links" | "filled";

/**
 * What belongs to a column (its sequence, constraints, indexes) is called by what never changes, the
 * table's id and the column; the hash keeps long and hostile names apart.
 */
export function objectName(table: Table, { column, name }: Field, kind: ObjectKind): string {
  const parts = [idOfTable(table), column ?? name];
  const hash = createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 10);
  const readable = parts.join("_").replaceAll(/[^A-Za-z0-9_]/g, "_");
  return `${readable.slice(0, READABLE_MAX_LENGTH)}_${hash}_${kind}`;
}
