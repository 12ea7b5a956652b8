import { randomUUID } from "node:crypto";
import { toNfc } from "../../shared/filter/to-nfc.ts";
import type { Table } from "../../shared/model/model.ts";
import type { Op } from "./op.ts";

/**
 * The id of a new record: the client's, or by the table's rule, or a random one; stored on the op. Composed
 * (NFC) like every text: links are, and two ids that look alike must not be two records.
 */
export function idOfNew(table: Table, op: Op & { op: "create" }): string {
  const named = table.idFrom === undefined ? null : op.values[table.idFrom];
  const ruled = typeof named === "string" && named !== "" ? named : randomUUID();
  op.record = toNfc(op.record ?? ruled);
  return op.record;
}
