import { createHash, randomUUID } from "node:crypto";
import { explain } from "../../shared/error-texts/explain.ts";
import { idOfTable, type Table } from "../../shared/model/model.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { DraftImport, DraftImportOptions } from "../../shared/protocol/imports.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import type { Identity } from "../auth/identity.ts";
import type { Batch } from "../import/apply-batch.ts";
import { type PlannedRow, planOps } from "../import/plan-ops.ts";
import type { ImportRow } from "../import/read-row.ts";
import { keyText, recognise } from "../import/recognise.ts";
import { type ImportDeps, runImport } from "../import/run-import.ts";
import { nextPlace, type StoredOp, writeOps } from "../store/change-sets/change-set-ops.ts";
import { holdChangeSet, type StoredImport } from "../store/change-sets/change-sets.ts";
import {
  abandonImport,
  beginImport,
  completeImport,
  deleteOps,
  placesOfKeys,
  writeRejects,
} from "../store/change-sets/imports.ts";
import type { Db } from "../store/database.ts";
import type { ChangeSetContext } from "./change-set-context.ts";
import { storable, storableReject } from "./imports.ts";
import { toStored } from "./stored-op.ts";

export interface DraftImportRequest {
  options: DraftImportOptions;
  open: () => AsyncIterable<Uint8Array>;
  currentIdentity: () => Promise<Identity>;
  users: ImportDeps["users"];
}

type DraftRow = Exclude<PlannedRow, { kind: "refused" }>;

/**
 * Turns the rows of a file into ops of a draft, batch by batch. With a key, each row takes the place of an earlier one with the same value.
 * Nothing of a file that breaks off remains.
 */
export async function importIntoDraft(
  context: ChangeSetContext,
  set: string,
  { options, users, ...request }: DraftImportRequest,
): Promise<DraftImport> {
  const { table, format, ...given } = options;
  const tab = format === "tsv" ? { delimiter: "\t" } : {};
  const writer = new DraftWriter(context, set);
  try {
    const {
      dryRun: _,
      changeSet: __,
      ...report
    } = await runImport(
      { ...context, users },
      {
        ...request,
        table,
        options: { ...tab, ...given, dryRun: false },
        target: {
          maxRows: context.limits.MUTATION_MAX_OPS,
          start: (batch, header) => {
            writer.start(batch, header);
            return (identity, rows, cells) => writer.write(identity, rows, cells);
          },
        },
      },
    );
    return { ...report, ...(await writer.complete(report.failed)) };
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

class DraftWriter {
  readonly #context: ChangeSetContext;
  readonly #set: string;
  readonly #run = randomUUID();
  #batch: Batch | null = null;
  #begun: Promise<StoredImport> | null = null;
  /** The next places of ops, and of marks for rows that change nothing. */
  #next = 0;
  #nextMark = -1;
  readonly #counts = { rows: 0, created: 0, updated: 0, unchanged: 0, superseded: 0, failed: 0 };

  constructor(context: ChangeSetContext, set: string) {
    this.#context = context;
    this.#set = set;
  }

  start(batch: Batch, header: readonly string[]): void {
    this.#batch = batch;
    this.#begun = this.#begin(batch.table, header);
    // Awaited with the first batch.
    this.#begun.catch(() => {});
  }

  async write(
    identity: Identity,
    rows: readonly ImportRow[],
    cells: ReadonlyMap<number, readonly string[]>,
  ): Promise<void> {
    const batch = this.#batch as Batch;
    await this.#begun;
    const last = batch.plan.key === null ? [...rows] : lastOfEachKey(rows);
    const known = await recognise(batch, identity, last);
    const planned = planOps(batch.table, batch.plan, last, known);
    for (const one of planned) if (one.kind === "refused") batch.report.fail([one.error]);
    const rejected = batch.report.takeRejected();
    this.#counts.rows += cells.size;
    this.#counts.superseded += rows.length - last.length;
    await this.#inDraft(async (tx) => {
      await writeRejects(
        tx,
        this.#set,
        rejected.map((one) => storableReject(one, cells)),
      );
      await this.#writeRows(
        tx,
        batch,
        planned.filter((one) => one.kind !== "refused"),
      );
    });
  }

  async complete(failed: number): Promise<Omit<DraftImport, "columns" | "errors">> {
    const begun = await (this.#begun as Promise<StoredImport>);
    const counts = { ...this.#counts, failed };
    const done = await this.#inDraft((tx) => completeImport(tx, this.#set, { ...begun, counts }));
    return done.counts as never;
  }

  /** Removes what was written; another import that has begun meanwhile is left alone. */
  async abandon(): Promise<void> {
    if (!this.#begun) return;
    await this.#begun.catch(() => null);
    await this.#context.database.kysely.transaction().execute(async (tx) => {
      const held = await holdChangeSet(tx, this.#set);
      if (held?.import?.run === this.#run) await abandonImport(tx, this.#set);
    });
  }

  #begin(table: Table, header: readonly string[]): Promise<StoredImport> {
    const tableId = idOfTable(table);
    const begun = { run: this.#run, tableId, header: header.map(storable), counts: null };
    return this.#context.database.kysely.transaction().execute(async (tx) => {
      const set = await holdChangeSet(tx, this.#set);
      if (set?.state !== "draft" || set.import?.counts) throw notEmpty();
      await beginImport(tx, this.#set, begun);
      this.#next = await nextPlace(tx, this.#set);
      return begun;
    });
  }

  /** Runs a step of this import, unless the draft is gone or was given to another one. */
  #inDraft<Result>(step: (tx: Db) => Promise<Result>): Promise<Result> {
    return this.#context.database.kysely.transaction().execute(async (tx) => {
      const set = await holdChangeSet(tx, this.#set);
      if (set?.state !== "draft" || set.import?.run !== this.#run) throw notEmpty();
      return step(tx);
    });
  }

  async #writeRows(tx: Db, { table, plan }: Batch, rows: readonly DraftRow[]): Promise<void> {
    const keys = rows.map(({ row }) =>
      plan.key === null ? null : hashOf(table, keyText(row.key)),
    );
    const places = await placesOfKeys(
      tx,
      this.#set,
      keys.filter((key) => key !== null),
    );
    const removed: number[] = [];
    const ops: StoredOp[] = [];
    for (const [index, one] of rows.entries()) {
      const key = keys[index] ?? null;
      const place = key === null ? undefined : places.get(key);
      if (place !== undefined) this.#counts.superseded += 1;
      const { line } = one.row;
      if (one.kind === "unchanged") {
        if (key === null) this.#counts.unchanged += 1;
        else if (place === undefined || place >= 0) {
          if (place !== undefined) removed.push(place);
          ops.push(this.#mark(table, key, line));
        }
        continue;
      }
      if (place !== undefined && place < 0) removed.push(place);
      const n = place !== undefined && place >= 0 ? place : this.#next++;
      ops.push({ ...toStored(one.op as WireOp, n, this.#context.model()), key, line });
    }
    const limit = this.#context.limits.CHANGE_SET_IMPORT_MAX_OPS;
    if (this.#next > limit) throw new Refusal("too_large", { limit, unit: "ops" });
    await deleteOps(tx, this.#set, removed);
    await writeOps(tx, this.#set, ops);
  }

  /** Remembers the key of a row that changes nothing, so that its record is counted once. */
  #mark(table: Table, key: string, line: number): StoredOp {
    const n = this.#nextMark--;
    return { n, tableId: idOfTable(table), record: "", kind: "update", op: {}, key, line };
  }
}

function lastOfEachKey(rows: readonly ImportRow[]): ImportRow[] {
  return [...new Map(rows.map((row) => [keyText(row.key), row])).values()];
}

function hashOf(table: Table, key: string): string {
  return createHash("sha256")
    .update(JSON.stringify([idOfTable(table), key]))
    .digest("base64url");
}

function notEmpty(): Refusal {
  return new Refusal("conflict", { fields: {} }, explain("import.notEmpty"));
}
