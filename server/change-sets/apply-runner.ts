import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Limits } from "../../shared/limits.ts";
import type { Model } from "../../shared/model/model.ts";
import type { ChangeSetState } from "../../shared/protocol/change-sets.ts";
import { type ErrorBody, Refusal } from "../../shared/protocol/errors.ts";
import type { OpResult } from "../../shared/protocol/mutate.ts";
import type { Identity } from "../auth/identity.ts";
import type { Commands } from "../commands/create-commands.ts";
import { authorOf } from "../store/author.ts";
import {
  firstUntried,
  hasUnapplied,
  type OpStatus,
  readOps,
  storeOutcomes,
  type TriedOp,
} from "../store/change-sets/change-set-ops.ts";
import {
  type ChangeSetRow,
  findAbandoned,
  findChangeSet,
  leaseChangeSet,
  moveChangeSet,
} from "../store/change-sets/change-sets.ts";
import type { Database, Db } from "../store/database.ts";
import { fromStored } from "./stored-op.ts";

export interface RunnerDeps {
  database: Database;
  model: () => Model;
  limits: Limits;
  commands: Pick<Commands, "mutate" | "untilWithinShare">;
  /** The user or API token with the rights of now; null where they may not be here any more. */
  identify: (author: { kind: string; id: string }) => Promise<Identity | null>;
  onError: (error: unknown) => void;
}

const RETRY_DELAYS_MS = [200, 500, 1_000, 2_000, 5_000];

/**
 * Applies sets batch by batch, as their author with the rights of now. A batch is an ordinary mutation whose id is
 * made of the set and the batch: whoever sends it again, after a restart or on another server, is answered, and no op
 * is applied twice.
 */
export class ApplyRunner {
  readonly #deps: RunnerDeps;
  readonly #holder = randomUUID();
  readonly #running = new Map<string, Promise<void>>();
  #isStopping = false;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
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
    const { database, onError } = this.#deps;
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
    const { database, limits } = this.#deps;
    const { kysely } = database;
    const lease = { holder: this.#holder, leaseMs: limits.CHANGE_SET_LEASE_MS };
    while (!this.#isStopping) {
      const set = await leaseChangeSet(kysely, id, lease);
      if (!set) return;
      const first = await firstUntried(kysely, id);
      const identity = await this.#deps.identify(authorOf(set.actor, set.name));
      if (first === null) return this.#finish(set, "applied");
      if (set.cancelling || !identity) return this.#finish(set, "cancelled");
      if (!set.atomic) await this.#deps.commands.untilWithinShare(identity);
      const isWhole = await this.#commitBatch(set, Math.floor(first / set.batchSize), identity);
      if (!isWhole) return;
    }
  }

  /** False where an atomic set was refused: it is a draft again. */
  async #commitBatch(set: ChangeSetRow, batch: number, identity: Identity): Promise<boolean> {
    const { kysely } = this.#deps.database;
    const from = batch * set.batchSize;
    const rows = await readOps(kysely, set.id, { from, limit: set.batchSize });
    const tried = rows.filter(({ n, status }) => status === null && n < from + set.batchSize);
    const results = await this.#mutate(set, batch, tried, identity);
    const outcomes = tried.map(({ n }, index) => ({ n, ...outcomeOf(results[index]) }));
    const isWhole = !set.atomic || outcomes.every(({ error }) => error === null);
    await kysely.transaction().execute(async (tx) => {
      const own = isWhole ? outcomes : outcomes.filter(({ error }) => error?.code !== "aborted");
      await storeOutcomes(tx, set.id, own);
      if (!isWhole) await moveChangeSet(tx, set.id, { from: ["applying"], to: "draft" });
    });
    return isWhole;
  }

  async #mutate(
    set: ChangeSetRow,
    batch: number,
    tried: readonly TriedOp[],
    identity: Identity,
  ): Promise<OpResult[]> {
    const { commands, model } = this.#deps;
    const id = `change-set-${set.id}-${set.run}-${batch}`;
    const request = {
      id,
      // Stored by ids, the ops may be sent again under other names.
      hash: id,
      atomic: set.atomic,
      ops: tried.map((op) => fromStored(op, model())),
      origin: set.origin,
      changeSet: set.id,
    };
    for (const wait of [...RETRY_DELAYS_MS, null]) {
      try {
        return (await commands.mutate(identity, request)).results;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const isPassing = error.code === "unavailable" || error.code === "rate_limited";
        if (isPassing && wait === null) throw error;
        if (!isPassing) return tried.map(() => ({ ok: false, error: error.toBody() }));
        await sleep(wait as number);
      }
    }
    return [];
  }

  async #finish({ id }: ChangeSetRow, to: "applied" | "cancelled"): Promise<void> {
    await this.#deps.database.kysely.transaction().execute(async (tx) => {
      const isDone = await moveChangeSet(tx, id, { from: ["applying"], to });
      const set = isDone && to === "applied" ? await findChangeSet(tx, id) : null;
      if (set?.reverts) await markReverted(tx, set, set.reverts);
    });
  }
}

/** A set is reverted once all inverses of its changes are applied; what that set had reverted is then applied again. */
async function markReverted(tx: Db, set: ChangeSetRow, target: string): Promise<void> {
  if (await hasUnapplied(tx, set.id)) return;
  const from: ChangeSetState[] = ["applied", "cancelled"];
  if (!(await moveChangeSet(tx, target, { from, to: "reverted" }))) return;
  const reverted = await findChangeSet(tx, target);
  if (reverted?.reverts) {
    await moveChangeSet(tx, reverted.reverts, { from: ["reverted"], to: "applied" });
  }
}

function outcomeOf(result: OpResult | undefined): { status: OpStatus; error: ErrorBody | null } {
  if (!result) return { status: "applied", error: null };
  if (result.ok) return { status: result.unchanged ? "unchanged" : "applied", error: null };
  const error = result.error as ErrorBody;
  return { status: error.code === "conflict" ? "conflict" : "refused", error };
}
