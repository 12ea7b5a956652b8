import { randomUUID } from "node:crypto";
import { explain } from "../../shared/error-texts/explain.ts";
import type { Limits } from "../../shared/limits.ts";
import { idOfTable } from "../../shared/model/model.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { ImportReport } from "../../shared/protocol/imports.ts";
import type { Identity } from "../auth/identity.ts";
import { applyBatch, type Batch } from "../import/apply-batch.ts";
import type { ImportRow } from "../import/read-row.ts";
import { type ImportDeps, type ImportRequest, runImport } from "../import/run-import.ts";
import {
  deleteChangeSet,
  insertChangeSet,
  leaseChangeSet,
  moveChangeSet,
  type StoredImport,
} from "../store/change-sets/change-sets.ts";
import { beginImport, storeImport, writeRejects } from "../store/change-sets/imports.ts";
import type { Database } from "../store/database.ts";
import { storable, storableReject } from "./imports.ts";

/**
 * Applies the rows of a file as they arrive. The changes name a change set, which holds every rejected row, can be stopped
 * while the file is read, and can be reverted. A file that changes nothing, and is not at fault, leaves none.
 */
export async function importIntoTable(
  { database, ...deps }: ImportDeps & { database: Database },
  request: Omit<ImportRequest, "target">,
): Promise<ImportReport> {
  const writer = new TableWriter(database, deps.limits);
  const target = {
    maxRows: deps.limits.IMPORT_BATCH_MAX_ROWS,
    start: (batch: Batch, header: readonly string[]) => {
      writer.start(batch, header);
      return writer.write.bind(writer);
    },
  };
  try {
    const report = await runImport(deps, { ...request, target });
    return { ...report, changeSet: await writer.end(true) };
  } catch (error) {
    await writer.end(false);
    throw error;
  }
}

class TableWriter {
  readonly #database: Database;
  readonly #lease: { holder: string; leaseMs: number; batchSize: null };
  readonly #id = randomUUID();
  #batch: Batch | null = null;
  #import: StoredImport | null = null;
  #renewal: NodeJS.Timeout | undefined;

  constructor(database: Database, limits: Limits) {
    this.#database = database;
    this.#lease = { holder: this.#id, leaseMs: limits.CHANGE_SET_LEASE_MS, batchSize: null };
  }

  start(batch: Batch, header: readonly string[]): void {
    this.#batch = { ...batch, changeSet: this.#id };
    const tableId = idOfTable(batch.table);
    const names = header.map(storable);
    this.#import = { run: this.#id, tableId, header: names, counts: null, direct: "open" };
  }

  async write(
    identity: Identity,
    rows: ImportRow[],
    cells: ReadonlyMap<number, readonly string[]>,
  ): Promise<void> {
    const { kysely } = this.#database;
    const batch = this.#batch as Batch;
    if (!this.#renewal) await this.#begin(identity);
    const set = await leaseChangeSet(kysely, this.#id, this.#lease);
    if (!set || set.cancelling) throw stopped();
    await applyBatch(batch, rows);
    const rejected = batch.report.takeRejected().map((one) => storableReject(one, cells));
    await kysely.transaction().execute(async (tx) => {
      await writeRejects(tx, this.#id, rejected);
      await storeImport(tx, this.#id, this.#counted("open"));
    });
  }

  /** The id of the set, where there is anything to say. One whose file broke off stays incomplete, with what its last batch noted. */
  async end(isWhole: boolean): Promise<string | null> {
    if (!this.#renewal) return null;
    clearInterval(this.#renewal);
    const { created, updated, failed } = (this.#batch as Batch).report.done();
    return this.#database.kysely.transaction().execute(async (tx) => {
      if (isWhole && created + updated + failed === 0) {
        await deleteChangeSet(tx, this.#id);
        return null;
      }
      if (isWhole) await storeImport(tx, this.#id, this.#counted("done"));
      const to = isWhole ? "applied" : "cancelled";
      await moveChangeSet(tx, this.#id, { from: ["applying"], to });
      return this.#id;
    });
  }

  /** The set is held until the end, so that no server takes it for one that was left behind. */
  async #begin({ actor }: Identity): Promise<void> {
    const { kysely } = this.#database;
    const set = {
      id: this.#id,
      title: null,
      actor,
      origin: "import",
      reverts: null,
      rights: null,
    } as const;
    const hold = (db: typeof kysely) => leaseChangeSet(db, this.#id, this.#lease);
    await kysely.transaction().execute(async (tx) => {
      await insertChangeSet(tx, set);
      await beginImport(tx, this.#id, this.#counted("open"));
      await moveChangeSet(tx, this.#id, { from: ["draft"], to: "applying" });
      await hold(tx);
    });
    // A lease that could not be renewed is noticed with the next batch.
    const renew = () => void hold(kysely).catch(() => null);
    this.#renewal = setInterval(renew, this.#lease.leaseMs / 3).unref();
  }

  #counted(direct: "open" | "done"): StoredImport {
    const { rows, created, updated, unchanged, failed } = (this.#batch as Batch).report.done();
    const counts = { rows, created, updated, unchanged, failed, superseded: 0 };
    return { ...(this.#import as StoredImport), counts, direct };
  }
}

function stopped(): Refusal {
  return new Refusal("conflict", { state: "cancelled", fields: {} }, explain("import.stopped"));
}
