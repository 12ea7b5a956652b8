import { isStorable } from "../../shared/filter/storable.ts";
import type { Table } from "../../shared/model/model.ts";
import { valuesOf } from "../../shared/model/pick-values.ts";
import { grantOn } from "../../shared/policy/role.ts";
import type { Scope, Subject } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { formatVersion } from "../../shared/protocol/position.ts";
import type { WireRecord } from "../../shared/protocol/record.ts";
import { canSee, readableTable } from "../policy/authorize.ts";
import { readDeletion } from "../store/change-history.ts";
import { readStoredRecord } from "../store/records.ts";
import type { ReadDeps } from "./read-page.ts";

/** One record within the reader's scope. A deleted one is named to users who could read it. */
export async function readRecord(
  { database, model }: ReadDeps,
  subject: Subject,
  tableName: string,
  id: string,
): Promise<WireRecord> {
  const { table, scope } = readableTable(subject, model(), tableName);
  if (!isStorable(id)) throw new Refusal("not_found");
  const found = await readStoredRecord(database, table, id);
  if (!found || !canSee(scope, table, id, found.values)) {
    // the log is read for a hidden record too, or else it would be answered sooner than a missing one
    throw await deletedOrMissing(database, table, { scope, subject }, id);
  }
  const version = formatVersion(found.epoch, found.seq);
  return { id, version, values: valuesOf(found.values, scope.fields) };
}

async function deletedOrMissing(
  database: ReadDeps["database"],
  table: Table,
  { scope, subject }: { scope: Scope; subject: Subject },
  id: string,
): Promise<Refusal> {
  const deletion = await readDeletion(database.pool, table.name, id);
  if (!deletion?.before || !canSee(scope, table, id, deletion.before)) {
    return new Refusal("not_found");
  }
  const { by, at } = deletion;
  const restorable = Boolean(grantOn(subject.role, table).create);
  return new Refusal("record_deleted", { table: table.name, record: id, by, at, restorable });
}
