import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { literalText } from "../../shared/filter/operand.ts";
import { ID_FIELD } from "../../shared/filter/value-kinds.ts";
import { findTable } from "../../shared/model/model.ts";
import { scopeOf } from "../../shared/policy/scope.ts";
import { type ErrorBody, isTransient, Refusal } from "../../shared/protocol/errors.ts";
import type { OpResult } from "../../shared/protocol/mutate.ts";
import type { Identity } from "../auth/identity.ts";
import { differences } from "../import/recognise.ts";
import { rowErrors } from "../import/row-errors.ts";
import { nextPartSize, type PartBounds } from "../load/budget.ts";
import { authorOf } from "../store/author.ts";
import {
  type OpStatus,
  readUntried,
  storeOutcomes,
  type TriedOp,
} from "../store/change-sets/change-set-ops.ts";
import {
  type ChangeSetRow,
  findAbandoned,
  leaseChangeSet,
  moveChangeSet,
} from "../store/change-sets/change-sets.ts";
import { rejectRefused } from "../store/change-sets/imported-rows.ts";
import { readResults } from "../store/mutations.ts";
import { transactionOnTheWay } from "../store/statement.ts";
import type { ChangeSetContext } from "./change-set-context.ts";
import { statesAfterRevert } from "./reverted-states.ts";
import { fromStored } from "./stored-op.ts";

/** Ops of the first batch, and of the smallest while others are active, unless `CHANGE_SET_BATCH_OPS` is less. */
export const BATCH_MIN_OPS = 10;

/** Ops that are sent as one mutation. */
interface Batch {
  id: string;
  ops: TriedOp[];
}

const RETRY_DELAYS_MS = [200, 500, 1_000, 2_000, 5_000];

/**
 * Applies sets batch by batch, as their author with the rights of now. A batch is an ordinary mutation whose id is
 * made of the set and the batch: whoever sends it again, after a restart or on another server, is answered, and no op
 * is applied twice. While other users are active, batches are so small that their edits wait for COMMIT_GROUP_TARGET_MS.
 */
export class ApplyRunner {
  readonly #context: ChangeSetContext;
  readonly #holder = randomUUID();
  readonly #running = new Map<string, Promise<void>>();
  #isStopping = false;

  constructor(context: ChangeSetContext) {
    this.#context = context;
  }

  /** Applies a set until it is done, or another server is at it. */
  run(id: string): Promise<void> {
    const running =
      this.#running.get(id) ?? this.#apply(id).finally(() => this.#running.delete(id));
    this.#running.set(id, running);
    return running;
  }

  /** Goes on with the sets that a server has left behind. */
  async resume(): Promise<void> {
    const { database, onError } = this.#context;
    for (const id of await findAbandoned(database.kysely)) {
      if (this.#isStopping) return;
      await this.run(id).catch(onError);
    }
  }

  /** Ends after the present batches; another server, or the next start, goes on with the rest. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.allSettled(this.#running.values());
  }

  async #apply(id: string): Promise<void> {
    const { database, limits, commands } = this.#context;
    const { kysely } = database;
    const lease = { holder: this.#holder, leaseMs: limits.CHANGE_SET_LEASE_MS };
    let from = 0;
    // The first batch may be one that a stopped server has sent.
    let batchSize: number | null = null;
    let hasWaited = false;
    while (!this.#isStopping) {
      // The lease has the size of the batch, so it has to be durable when the batch is, and not before.
      const set = await transactionOnTheWay(kysely, (tx) =>
        leaseChangeSet(tx, id, { ...lease, batchSize }),
      );
      if (!set) return;
      const batch = await this.#nextBatch(set, from);
      const identity = await this.#context.identify(authorOf(set.actor, set.name));
      const last = batch.ops.at(-1);
      // A set whose rows were applied as they were read (`import.direct`) has no ops. It ended with the server that read it.
      if (!last) return this.#finish(set, set.import?.direct ? "cancelled" : "applied");
      if (set.cancelling || !identity) {
        if (!(await this.#cancel(set, batch))) return;
        continue;
      }
      // The set and its author's rights are read again after each wait for the author's share, also after the first.
      if (!set.atomic && !hasWaited) {
        await commands.untilWithinShare(identity);
        hasWaited = true;
        continue;
      }
      from = last.n + 1;
      const commit = () => this.#commitBatch(set, batch, identity);
      if (set.atomic && !(await commit()).isDone) return;
      if (set.atomic) continue;
      const isWithin = () => commands.untilWithinShare(identity);
      const { result, isShared } = await commands.budget.doPart(
        identity.subject.id,
        isWithin,
        commit,
      );
      if (!result.isDone) return;
      // Others' edits wait for the commit, not for what is noted of it.
      batchSize = nextPartSize(this.#bounds, {
        units: batch.ops.length,
        ms: result.commitMs,
        isShared,
      });
    }
  }

  /** The next ops that were not tried, and the id under which they are sent. */
  async #nextBatch(set: ChangeSetRow, from: number): Promise<Batch> {
    const { kysely } = this.#context.database;
    const ops = await readUntried(kysely, set.id, { from, limit: set.batchSize });
    return { id: `change-set-${set.id}-${set.run}-from-${ops[0]?.n}`, ops };
  }

  /** Nobody's edit waits long for a batch. */
  get #bounds(): PartBounds {
    const { CHANGE_SET_BATCH_OPS, MUTATION_MAX_OPS, COMMIT_GROUP_TARGET_MS } = this.#context.limits;
    const most = Math.min(CHANGE_SET_BATCH_OPS, MUTATION_MAX_OPS);
    return { most, least: BATCH_MIN_OPS, targetMs: COMMIT_GROUP_TARGET_MS };
  }

  /** Not done where an atomic set was refused, which is a draft again, and where the set was cancelled. */
  async #commitBatch(
    set: ChangeSetRow,
    batch: Batch,
    identity: Identity,
  ): Promise<{ isDone: boolean; commitMs: number }> {
    const started = performance.now();
    const results = await this.#mutate(set, batch, identity);
    const commitMs = performance.now() - started;
    if (!results) return { isDone: await this.#cancel(set, batch), commitMs };
    const repeated = set.import ? await this.#findRepeated(identity, batch, results) : [];
    return { isDone: await this.#noteOutcomes(set, batch, results, repeated), commitMs };
  }

  /**
   * The ops of rows whose records a repeat of the same file has created since they were read: who has lost an answer sends the file
   * again while it is being applied. Their records have the ids that the ops give them, and their values.
   */
  async #findRepeated(
    identity: Identity,
    { ops }: Batch,
    results: readonly OpResult[],
  ): Promise<number[]> {
    const { commands, model } = this.#context;
    const taken = ops.flatMap((stored, index) => {
      const result = results[index];
      const isTaken = result && !result.ok && result.error.code === "duplicate";
      const op = fromStored(stored, model());
      return isTaken && op.op === "create" ? [{ n: stored.n, op }] : [];
    });
    const table = findTable(model(), taken[0]?.op.table ?? "");
    const visible = table && scopeOf(identity.subject, table)?.fields;
    if (!table || !visible) return [];
    const { records } = await commands.readPage(identity, {
      table: table.name,
      filter: {
        field: ID_FIELD,
        op: "in",
        value: taken.map(({ op }) => literalText(op.record ?? "")),
      },
      fields: [...visible],
      limit: taken.length,
    });
    const valuesById = new Map(records.map(({ id, values }) => [id, values]));
    return taken.flatMap(({ n, op }) => {
      const values = valuesById.get(op.record ?? "");
      const isSame = values && Object.keys(differences(table, values, op.values)).length === 0;
      return isSame ? [n] : [];
    });
  }

  /**
   * Ends a set that is not to go on. True where its last batch was committed, by a server that could not note it: then its
   * outcomes are noted, so that nothing that was applied is shown as not applied, and the set is looked at again.
   */
  async #cancel(set: ChangeSetRow, batch: Batch): Promise<boolean> {
    const { kysely } = this.#context.database;
    const results = await readResults(kysely, { author: set.actor, id: batch.id });
    if (results) return this.#noteOutcomes(set, batch, results as unknown as OpResult[]);
    await this.#finish(set, "cancelled");
    return false;
  }

  async #noteOutcomes(
    set: ChangeSetRow,
    batch: Batch,
    results: readonly OpResult[],
    repeated: readonly number[] = [],
  ): Promise<boolean> {
    const { kysely } = this.#context.database;
    const outcomes = batch.ops.map(({ n }, index) =>
      repeated.includes(n)
        ? { n, status: "unchanged" as const, error: null }
        : { n, ...outcomeOf(results[index]) },
    );
    const isWhole = !set.atomic || outcomes.every(({ error }) => error === null);
    const refused = set.import ? refusedRows(batch.ops, outcomes) : [];
    if (isWhole) {
      // Where they are lost, the batch is sent again and answered with them.
      await transactionOnTheWay(kysely, async (tx) => {
        await rejectRefused(tx, set.id, refused);
        await storeOutcomes(tx, set.id, outcomes);
      });
    } else {
      const own = outcomes.filter(({ error }) => error?.code !== "aborted");
      await kysely.transaction().execute(async (tx) => {
        await storeOutcomes(tx, set.id, own);
        await moveChangeSet(tx, set.id, { from: ["applying"], to: "draft" });
      });
    }
    return isWhole;
  }

  /**
   * Sends a batch, again while it can't be committed. Rights that changed are one reason for that, so they are read before
   * each attempt. Null where the author's account or token is no longer active.
   */
  async #mutate(
    set: ChangeSetRow,
    { id, ops }: Batch,
    identity: Identity,
  ): Promise<OpResult[] | null> {
    const { commands, model } = this.#context;
    const request = {
      id,
      // Stored by ids, the ops may be sent again under other names.
      hash: id,
      atomic: set.atomic,
      ops: ops.map((op) => fromStored(op, model())),
      origin: set.origin,
      changeSet: set.id,
    };
    let author: Identity | null = identity;
    for (const wait of [...RETRY_DELAYS_MS, null]) {
      if (!author) return null;
      try {
        return (await commands.mutate(author, request)).results;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const isPassing = isTransient(error.code);
        if (isPassing && wait === null) throw error;
        if (!isPassing) return ops.map(() => ({ ok: false, error: error.toBody() }));
        await sleep(wait as number);
        author = await this.#context.identify(authorOf(set.actor, set.name));
      }
    }
    return [];
  }

  async #finish(set: ChangeSetRow, to: "applied" | "cancelled"): Promise<void> {
    const moves = set.reverts ? await statesAfterRevert(this.#context, set) : [];
    await this.#context.database.kysely.transaction().execute(async (tx) => {
      if (!(await moveChangeSet(tx, set.id, { from: ["applying"], to }))) return;
      for (const { id, ...move } of moves) await moveChangeSet(tx, id, move);
    });
  }
}

/** Rows of a file whose ops were refused, and why. */
function refusedRows(
  ops: readonly TriedOp[],
  outcomes: readonly { error: ErrorBody | null }[],
): Parameters<typeof rejectRefused>[2][number][] {
  return ops.flatMap(({ n, line }, index) => {
    const error = outcomes[index]?.error;
    return error && line ? [{ n, errors: rowErrors(line, error) }] : [];
  });
}

function outcomeOf(result: OpResult | undefined): { status: OpStatus; error: ErrorBody | null } {
  if (!result) return { status: "applied", error: null };
  if (result.ok) return { status: result.unchanged ? "unchanged" : "applied", error: null };
  const error = result.error as ErrorBody;
  return { status: error.code === "conflict" ? "conflict" : "refused", error };
}
