import { isReference } from "../../shared/model/field-types.ts";
import {
  type Field,
  findField,
  findTable,
  type Model,
  type Values,
  zoneOf,
} from "../../shared/model/model.ts";
import { type Subject, scopeKey, scopeOf } from "../../shared/policy/scope.ts";
import type { QueryCall } from "../../shared/protocol/feed.ts";
import { formatVersion } from "../../shared/protocol/position.ts";
import { readableTable, requireExport } from "../policy/authorize.ts";
import type { Database } from "../store/database.ts";
import { readBatches } from "../store/records.ts";
import { readLabels } from "./read-labels.ts";
import { type ReadDeps, readableOrder, readView } from "./read-page.ts";

/** The next records of an export (the first batch has none: it is there before any is read), and a label for each value of a link or a user. */
export interface ExportBatch {
  version: string;
  /** That of the view, in which a file for reading shows times. */
  zone: string;
  fields: readonly Field[];
  records: { id: string; values: Values }[];
  labelOf: (field: string, values: Values) => string;
}

/**
 * A text that is the same as long as the caller's rights to export these fields are; with labels, also those to read the
 * linked tables. Throws `forbidden` where they have none, and what else is wrong with the view.
 */
export function exportRights(
  model: Model,
  subject: Subject,
  call: QueryCall,
  labels = false,
): string {
  const { table, scope } = readableTable(subject, model, call.table);
  requireExport(subject, table);
  readView(model, subject, call);
  const fields = labels ? (call.fields ?? scope.fields) : [];
  const linked = fields.map((name) => {
    const { target } = findField(table, name) ?? {};
    const linkedTable = target === undefined ? undefined : findTable(model, target);
    return linkedTable ? scopeOf(subject, linkedTable) : null;
  });
  return JSON.stringify([scope, ...linked].map((one) => one && scopeKey(one)));
}

/**
 * The records of a view as of one moment, read on connections of their own: pages and edits never wait for them. Throws
 * `forbidden` without the right to export them.
 */
export async function* readExport(
  deps: ReadDeps & { exports: Database; batchSize: () => number },
  subject: Subject,
  call: QueryCall,
): AsyncGenerator<ExportBatch> {
  const model = deps.model();
  const view = readView(model, subject, call);
  requireExport(subject, view.table);
  const zone = call.zone ?? zoneOf(model);
  const fields = view.fields.flatMap((name) => findField(view.table, name) ?? []);
  const asked = { table: view.table.name, orderOf: call.orderOf };
  const orderOf = await readableOrder({ ...deps, model: () => model }, subject, asked);
  const batches = readBatches(deps.exports, view.table, {
    ...view,
    orderOf,
    size: deps.batchSize,
  });
  for await (const { epoch, seq, records } of batches) {
    const labelOf = await readBatchLabels(deps, subject, fields, records);
    yield { version: formatVersion(epoch, seq), zone, fields, records, labelOf };
  }
}

async function readBatchLabels(
  deps: ReadDeps,
  subject: Subject,
  fields: readonly Field[],
  records: ExportBatch["records"],
): Promise<ExportBatch["labelOf"]> {
  const labels = new Map<string, Awaited<ReturnType<typeof readLabels>>>();
  for (const field of fields.filter(({ type }) => isReference(type))) {
    const values = records.map((record) => record.values[field.name] ?? null);
    labels.set(field.name, await readLabels(deps, subject, field, values));
  }
  return (name, values) => labels.get(name)?.(values[name] ?? null) ?? "";
}
