import { isReference } from "../../shared/model/field-types.ts";
import { type Field, findField, findTable, type Values } from "../../shared/model/model.ts";
import { type Subject, scopeKey, scopeOf } from "../../shared/policy/scope.ts";
import type { QueryCall } from "../../shared/protocol/feed.ts";
import { formatVersion } from "../../shared/protocol/position.ts";
import { FairQueue } from "../auth/fair-queue.ts";
import type { Identity } from "../auth/identity.ts";
import { readableTable, requireExport } from "../policy/authorize.ts";
import type { Database } from "../store/database.ts";
import { readBatches } from "../store/records.ts";
import { readLabels } from "./read-labels.ts";
import { type ReadDeps, readView } from "./read-page.ts";

/** The next records of an export (the first batch may have none), and a label for each value of a link or a user. */
export interface ExportBatch {
  version: string;
  fields: readonly Field[];
  records: { id: string; values: Values }[];
  labelOf: (field: string, values: Values) => string;
}

/** Exports that are read at the same time: each has a transaction of its own. */
const READ_AT_ONCE = 2;

/** Reads whole views. On their own connections, a few at a time: pages and edits never wait for them. */
export class Exports {
  /** For the labels. */
  readonly #reads: ReadDeps;
  readonly #database: Database;
  readonly #queue: FairQueue;

  constructor(database: Database, reads: ReadDeps) {
    const { limits } = reads;
    this.#reads = reads;
    this.#database = database.separatePool(READ_AT_ONCE, { timeoutMs: limits.EXPORT_TIMEOUT_MS });
    this.#queue = new FairQueue({
      parallel: limits.EXPORTS_AT_ONCE,
      perUser: limits.EXPORTS_PER_USER,
      waitingPerUser: limits.EXPORTS_PER_USER,
    });
  }

  /**
   * A text that is the same as long as the caller's rights to export these fields are; with labels, also those to read the
   * linked tables. Throws `forbidden` where they have none.
   */
  rightsOf(
    { subject }: Identity,
    call: Pick<QueryCall, "table" | "fields">,
    labels = false,
  ): string {
    const model = this.#reads.model();
    const { table, scope } = readableTable(subject, model, call.table);
    requireExport(subject, table);
    const fields = labels ? (call.fields ?? scope.fields) : [];
    const linked = fields.map((name) => {
      const { target } = findField(table, name) ?? {};
      const linkedTable = target === undefined ? undefined : findTable(model, target);
      return linkedTable ? scopeOf(subject, linkedTable) : null;
    });
    return JSON.stringify([scope, ...linked].map((one) => one && scopeKey(one)));
  }

  /** Takes one of the places of exports, until the returned function is called. */
  hold({ subject }: Identity): Promise<() => void> {
    return this.#queue.hold(subject.id);
  }

  /** The records of a view as of one moment. Throws `forbidden` without the right to export them. */
  async *read({ subject }: Identity, call: QueryCall): AsyncGenerator<ExportBatch> {
    const view = readView(this.#reads.model(), subject, call);
    requireExport(subject, view.table);
    const fields = view.fields.flatMap((name) => findField(view.table, name) ?? []);
    const size = this.#reads.limits.PAGE_MAX_RECORDS;
    const batches = readBatches(this.#database, view.table, { ...view, size });
    for await (const { epoch, seq, records } of batches) {
      const labelOf = await this.#labels(subject, fields, records);
      yield { version: formatVersion(epoch, seq), fields, records, labelOf };
    }
  }

  async close(): Promise<void> {
    await this.#database.close();
  }

  async #labels(
    subject: Subject,
    fields: readonly Field[],
    records: ExportBatch["records"],
  ): Promise<ExportBatch["labelOf"]> {
    const labels = new Map<string, Awaited<ReturnType<typeof readLabels>>>();
    for (const field of fields.filter(hasLabels)) {
      const values = records.map((record) => record.values[field.name] ?? null);
      labels.set(field.name, await readLabels(this.#reads, subject, field, values));
    }
    return (name, values) => labels.get(name)?.(values[name] ?? null) ?? "";
  }
}

/** Whether the values of a field are ids that have labels of their own. */
export function hasLabels({ type }: Field): boolean {
  return isReference(type);
}
